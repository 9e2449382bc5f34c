//! The data set `everyday`, which ships inside: questions of every kind over the documents of 42 domains.
//!
//! Its parts are fixed: learn from the first, choose by the second, report on the third. `data/everyday/README.md` says
//! what is in it.

use crate::dataset::LocatedTask;
use crate::format::everyday;
use crate::source::Source;
use crate::{Error, Task};
use rayon::prelude::*;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What a domain is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// To learn from.
    Learn,
    /// To choose recipes, prompts and thresholds by.
    Choose,
    /// To report on, once, at the end.
    Report,
}

impl Part {
    /// Every part, in order.
    pub const ALL: [Part; 3] = [Part::Learn, Part::Choose, Part::Report];

    /// The word for it after `everyday:`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Learn => "learn",
            Part::Choose => "choose",
            Part::Report => "report",
        }
    }
}

/// A domain: 24 documents and the tasks that are asked of each.
#[derive(Debug)]
pub struct Domain {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub part: Part,
    /// Its file, packed.
    packed: &'static [u8],
}

macro_rules! domains {
    ($($part:ident: $($name:literal)*;)*) => {
        &[$($(Domain {
            name: $name,
            part: Part::$part,
            packed: include_bytes!(concat!("../data/everyday/", $name, ".json.gz")),
        },)*)*]
    };
}

/// Every domain, part by part.
pub static DOMAINS: &[Domain] = domains! {
    Learn: "abstracts" "banking" "books" "bulletins" "calls" "claims" "clinic" "companies" "complaints" "courses"
        "events" "farms" "films" "games" "grants" "gyms" "handbooks" "hotels" "inventions" "jobs" "library" "minutes"
        "podcasts" "recipes" "rentals" "restaurants" "reviews" "school" "sites" "tenders" "tickets" "trails" "vehicles"
        "vet" "volunteering" "wildlife";
    Choose: "museums" "news" "plans";
    Report: "contracts" "incidents" "travel";
};

impl Domain {
    /// The file of the domain, as if it stood on disk.
    pub fn source(&self) -> Result<Source, Error> {
        let path = PathBuf::from(format!("{}/{}.json", everyday::DATASET, self.name));
        let mut bytes = Vec::new();
        let unpacked = flate2::read::GzDecoder::new(self.packed).read_to_end(&mut bytes);
        unpacked.map_err(|source| Error::Read { path: path.clone(), source })?;
        Source::from_bytes(&path, bytes)
    }

    fn tasks(&self) -> Result<Vec<LocatedTask>, Error> {
        let source = self.source()?;
        let reading = everyday::read(&source);
        let lines: Vec<usize> = reading.tasks.iter().map(|(line, _)| *line).collect();
        let located = |(line, task): (usize, Task)| LocatedTask { path: source.path.clone(), line, task };
        Ok(lines.into_iter().zip(reading.into_tasks()?).map(located).collect())
    }
}

/// Whether a name is one of this data set's: `everyday`, a part (`everyday:choose`) or a domain (`everyday/hotels`).
pub fn is_name(name: &str) -> bool {
    rest(name).is_some()
}

/// The domains of a name; none if there is no such part or domain.
pub fn named(name: &str) -> Option<Vec<&'static Domain>> {
    let is_meant = |domain: &&Domain| match rest(name) {
        Some("") => true,
        Some(rest) => rest.strip_prefix(':') == Some(domain.part.name()) || rest.strip_prefix('/') == Some(domain.name),
        None => false,
    };
    let domains: Vec<&Domain> = DOMAINS.iter().filter(is_meant).collect();
    (!domains.is_empty()).then_some(domains)
}

fn rest(name: &str) -> Option<&str> {
    name.strip_prefix(everyday::DATASET).filter(|rest| rest.is_empty() || rest.starts_with([':', '/']))
}

/// The tasks of a name, domain by domain.
pub fn load(name: &str) -> Result<Vec<LocatedTask>, Error> {
    let Some(domains) = named(name) else {
        let expected = "everyday, everyday:learn, everyday:choose, everyday:report or everyday/DOMAIN".to_owned();
        return Err(Error::NoTasks { path: Path::new(name).to_owned(), expected });
    };
    let tasks: Vec<Vec<LocatedTask>> = domains.par_iter().map(|domain| domain.tasks()).collect::<Result<_, _>>()?;
    Ok(tasks.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;
    use crate::{AnswerKind, FieldKind};

    #[test]
    fn the_parts_are_fixed() {
        let count = |name: &str| {
            let tasks = load(name).unwrap();
            let rows: usize = tasks.iter().map(|located| located.task.instances.len()).sum();
            (named(name).unwrap().len(), tasks.len(), rows)
        };
        assert_eq!(count("everyday"), (42, 907, 21_768));
        assert_eq!(count("everyday:learn"), (36, 773, 18_552));
        assert_eq!(count("everyday:choose"), (3, 66, 1_584));
        assert_eq!(count("everyday:report"), (3, 68, 1_632));
        assert_eq!(count("everyday/hotels").0, 1);
    }

    #[test]
    fn every_gold_answer_is_of_its_kind() {
        let mut label_fields = 0;
        for located in load("everyday").unwrap() {
            let spec = located.task.answer.as_ref().expect("every task states its kind");
            if let AnswerKind::Records(fields) = &spec.kind {
                let is_label = |field: &crate::Field| matches!(field.kind, FieldKind::Label(_));
                label_fields += usize::from(fields.iter().any(is_label));
            }
            for instance in &located.task.instances {
                let [output] = &instance.outputs[..] else { panic!("{} without gold", located.task.id) };
                let mismatch = crate::lint::mismatch(spec, &instance.input, output);
                assert_eq!(mismatch, None, "{} {:?}", located.task.id, instance.id);
                let evidence = instance.evidence.as_deref().unwrap_or_default();
                assert!(instance.input.contains(evidence), "{}: {evidence}", located.task.id);
            }
        }
        assert_eq!(label_fields, 23);
    }

    #[test]
    fn names_are_data_wherever_a_path_is() {
        assert_eq!(Dataset::load(Path::new("everyday/trails")).unwrap().tasks[0].task.id, "trails/t01");
        let error = Dataset::load(Path::new("everyday:all")).unwrap_err().to_string();
        assert!(error.contains("everyday:learn"), "{error}");
        assert!(Dataset::load(Path::new("everydays")).is_err());
    }
}
