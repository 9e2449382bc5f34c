//! How necessary people find each element of an instruction, by category (Table 7), beside what the element adds to scores.
//!
//! The file is the export of a survey of `saydo serve`: a line for each annotator and task with a rating for each element. The
//! paper's own scale and numbers are not readable in our copy; ours has three steps.

use super::gain::Gain;
use crate::table::{Table, percent, range};
use crate::text::rows;
use saydo_metrics::agreement::{krippendorff_alpha, percent_agreement};
use saydo_metrics::bootstrap::mean_interval;
use saydo_task::Error;
use saydo_task::format::natural_instructions::category_of;
use saydo_task::problem::Code;
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;
use saydo_task::{Task, node::Node};
use serde::Serialize;
use std::collections::BTreeMap;

/// What an element can be, the highest first.
pub const RATINGS: [&str; 3] = ["necessary", "helpful", "unneeded"];

/// The category of tasks that name none, and all categories together.
const NONE: &str = "no category";
const ALL: &str = "all";

/// A survey as it was exported.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survey {
    /// How many annotators.
    pub annotators: usize,
    /// How many tasks.
    pub tasks: usize,
    /// Ratings by element and category, `all` last.
    pub rows: Vec<SurveyRow>,
    /// How often two annotators give an element of a task the same rating.
    pub agreement: Option<f64>,
    /// Krippendorff's alpha over the same.
    pub alpha: Option<f64>,
}

/// The ratings of one element in one category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurveyRow {
    /// The element.
    pub element: String,
    /// The category, or `all`.
    pub category: String,
    /// How many ratings.
    pub ratings: usize,
    /// The share of each of [`RATINGS`].
    pub shares: [f64; 3],
    /// The 95% interval of the first share.
    pub interval: [f64; 2],
}

/// One rating: annotator, task, category, element, and its place in [`RATINGS`].
struct Rating {
    annotator: String,
    task: String,
    category: String,
    element: String,
    step: usize,
}

impl Survey {
    /// Reads `ratings.jsonl`. A line may name the task's `category`; otherwise the published subtasks have theirs.
    pub fn read(source: &Source, seed: u64) -> Result<Self, Error> {
        let ratings: Vec<Rating> =
            rows::read(source, |reader, node, _| ratings(reader, node))?.into_iter().flatten().collect();
        let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        let mut items: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for rating in &ratings {
            for category in [rating.category.as_str(), ALL] {
                groups.entry((rating.element.clone(), category.to_owned())).or_default().push(rating.step);
            }
            items.entry((&rating.task, &rating.element)).or_default().push(rating.step);
        }
        let row = |((element, category), steps): ((String, String), Vec<usize>)| {
            let is = |step: usize| steps.iter().map(|one| f64::from(u8::from(*one == step))).collect::<Vec<f64>>();
            let share = |step: usize| is(step).iter().sum::<f64>() / steps.len() as f64;
            let interval = mean_interval(&is(0), seed)?;
            let shares = [share(0), share(1), share(2)];
            Some(SurveyRow { element, category, ratings: steps.len(), shares, interval: [interval.low, interval.high] })
        };
        let items: Vec<Vec<usize>> = items.into_values().collect();
        let count =
            |name: fn(&Rating) -> &str| ratings.iter().map(name).collect::<std::collections::BTreeSet<_>>().len();
        Ok(Self {
            annotators: count(|rating| &rating.annotator),
            tasks: count(|rating| &rating.task),
            agreement: percent_agreement(&items),
            alpha: krippendorff_alpha(&items),
            rows: groups.into_iter().filter_map(row).collect(),
        })
    }

    /// A row for each element and category, what it adds to scores beside it.
    pub fn table(&self, gains: &[Gain]) -> Table {
        let header = ["element", "category", "ratings", "necessary", "95%", "helpful", "unneeded", "adds to ROUGE-L"];
        let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), percent);
        let alpha = self.alpha.map_or_else(|| "-".to_owned(), |alpha| format!("{alpha:.2}"));
        let note = format!(
            "{} annotators, {} tasks; agreement {} %, Krippendorff's alpha {alpha}. The paper's numbers are not readable in \
             our copy.",
            self.annotators,
            self.tasks,
            shown(self.agreement)
        );
        let mut table = Table::new("how necessary people find each element (Table 7)", &header).with_note(&note);
        for row in &self.rows {
            // Reasons and suggestions come and go with the negative examples.
            let element = match row.element.as_str() {
                "Reasons" | "Suggestions" => "Negative examples",
                other => other,
            };
            let gain = gains
                .iter()
                .find(|gain| gain.element.eq_ignore_ascii_case(element) && gain.category == row.category)
                .map_or_else(String::new, |gain| format!("{:+.1}", 100.0 * gain.gain));
            let [necessary, helpful, unneeded] = row.shares.map(percent);
            let head = [row.element.clone(), row.category.clone(), row.ratings.to_string()];
            table.row(head.into_iter().chain([necessary, range(Some(row.interval)), helpful, unneeded, gain]));
        }
        table
    }
}

fn ratings(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<Rating>> {
    let mut text = |key, need| reader.text(node, At::Root, key, need);
    let (annotator, task) = (text("annotator", Need::Required), text("task", Need::Required));
    let category = if node.get("category").is_some() { text("category", Need::Optional) } else { None };
    let (annotator, task) = (annotator?, task?);
    let published = || category_of(&Task { id: task.clone(), ..Task::default() }).map(str::to_owned);
    let category = category.or_else(published).unwrap_or_else(|| NONE.to_owned());
    let list = reader.field(node, At::Root, "ratings", Need::Required)?;
    let mut found = Vec::new();
    for (element, rating) in reader.object(list, At::Root.key("ratings"))? {
        let path = At::Root.key("ratings");
        let word = reader.string(rating, path.key(element))?;
        let Some(step) = RATINGS.iter().position(|known| *known == word) else {
            reader.report(Code::UnknownWord, rating.offset, path.key(element), format!("`{word}`"), RATINGS.join(", "));
            return None;
        };
        let (annotator, task, category) = (annotator.clone(), task.clone(), category.clone());
        found.push(Rating { annotator, task, category, element: element.clone(), step });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Survey, String> {
        let source = Source::from_bytes(std::path::Path::new("ratings.jsonl"), text.as_bytes().to_vec()).unwrap();
        Survey::read(&source, 0).map_err(|error| error.to_string())
    }

    const LINES: &str = concat!(
        "{\"annotator\": \"a\", \"task\": \"subtask040_qasc_x\", \"ratings\": {\"Definition\": \"necessary\", \"Reasons\": \"helpful\"}}\n",
        "{\"annotator\": \"b\", \"task\": \"subtask040_qasc_x\", \"ratings\": {\"Definition\": \"necessary\", \"Reasons\": \"unneeded\"}}\n",
        "{\"annotator\": \"a\", \"task\": \"dogs\", \"category\": \"c\", \"ratings\": {\"Definition\": \"unneeded\"}}\n",
    );

    #[test]
    fn ratings_are_counted_by_element_and_category() {
        let survey = read(LINES).unwrap();
        assert_eq!((survey.annotators, survey.tasks), (2, 2));
        // Of the items with two ratings one agrees.
        assert_eq!(survey.agreement, Some(0.5));
        let of = |element: &str, category: &str| {
            survey.rows.iter().find(|row| row.element == element && row.category == category).unwrap()
        };
        assert_eq!((of("Definition", "all").ratings, of("Definition", "all").shares[0]), (3, 2.0 / 3.0));
        assert_eq!(of("Definition", "question generation").shares, [1.0, 0.0, 0.0]);
        assert_eq!(of("Definition", "c").shares, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn gains_stand_beside_ratings() {
        let gain = |element: &str, gain: f64| Gain {
            element: element.to_owned(),
            with: String::new(),
            without: String::new(),
            decoding: String::new(),
            category: "all".to_owned(),
            tasks: 2,
            gain,
            interval: [0.0, 0.1],
            p_value: 0.5,
        };
        let table = read(LINES).unwrap().table(&[gain("Definition", 0.123), gain("Negative examples", -0.05)]);
        let row = |element: &str| table.rows.iter().find(|row| row[0] == element && row[1] == "all").unwrap().clone();
        assert_eq!((row("Definition")[7].as_str(), row("Reasons")[7].as_str()), ("+12.3", "-5.0"));
    }

    #[test]
    fn other_ratings_are_refused_with_their_place() {
        let error = read("{\"annotator\": \"a\", \"task\": \"t\", \"ratings\": {\"Prompt\": \"good\"}}\n").unwrap_err();
        assert!(
            error.contains("ratings.jsonl:1:") && error.contains("expected necessary, helpful, unneeded"),
            "{error}"
        );
    }
}
