//! `saydo new`: a task file from a description.

use crate::failure::{Hinted, Verdict};
use crate::output;
use anyhow::Result;
use saydo_function::infer::{Inferred, infer};
use saydo_task::format::Format;
use saydo_task::{AnswerKind, AnswerSpec, Field, FieldKind, Task, are_labels};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The most characters a title made from the description has.
const TITLE_LENGTH: usize = 60;

/// Write a task file from a description
///
/// The kind of answer is inferred from the description, and printed together with the way to change it. Without
/// --output-path, the file goes to standard output.
#[derive(clap::Args)]
pub struct Args {
    /// The task in plain words: a question or an instruction
    description: String,

    /// File to write
    #[arg(long, short, value_name = "FILE")]
    output_path: Option<PathBuf>,

    /// Kind of answer (default: inferred)
    #[arg(long, value_enum)]
    kind: Option<Kind>,

    /// A record field, as NAME=KIND with `span`, `yes-no` or `text`; repeatable
    #[arg(long = "field", value_name = "NAME=KIND", value_parser = parse_field)]
    fields: Vec<Field>,

    /// An allowed label; repeatable
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,

    /// Title (default: made from the description)
    #[arg(long)]
    title: Option<String>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// `yes` or `no`
    YesNo,
    /// One label of a set
    Label,
    /// Pieces of the input
    Spans,
    /// Records with fields
    Records,
    /// Free text
    Text,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.description.trim().is_empty() {
        return Err(hinted("the description is empty", "say what to do: saydo new \"Are dogs allowed?\"").into());
    }
    let inferred = infer(&args.description);
    let kind = resolve(&args, &inferred)?;
    let is_inferred = kind == inferred.spec.kind;
    let title = args.title.clone().unwrap_or_else(|| title(&args.description));
    let stem =
        args.output_path.as_ref().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    let task = Task {
        id: stem.unwrap_or_else(|| slug(&title)),
        title: Some(title),
        definition: Some(args.description),
        answer: Some(AnswerSpec { kind: kind.clone(), na: None }),
        ..Task::default()
    };
    match &args.output_path {
        Some(path) => Format::Toml.save(&task, path, args.force)?,
        None => output::print(&Format::Toml.write(&task).text)?,
    }
    output::note(&explanation(&kind, is_inferred.then_some(inferred.reason.as_str())));
    if let Some(path) = &args.output_path {
        output::note(&format!("written to {}", path.display()));
    }
    Ok(Verdict::Done)
}

/// The kind of answer: what the flags say, and what they leave open as inferred.
fn resolve(args: &Args, inferred: &Inferred) -> Result<AnswerKind, Hinted> {
    let kind = match args.kind {
        Some(kind) => kind,
        None if !args.fields.is_empty() => Kind::Records,
        None if !args.labels.is_empty() => Kind::Label,
        None => return Ok(inferred.spec.kind.clone()),
    };
    if !args.fields.is_empty() && kind != Kind::Records {
        return Err(hinted("only records have fields", "leave out --field, or give --kind records"));
    }
    if !args.labels.is_empty() && kind != Kind::Label {
        return Err(hinted("only a set of labels has labels", "leave out --label, or give --kind label"));
    }
    match kind {
        Kind::YesNo => Ok(AnswerKind::YesNo),
        Kind::Spans => Ok(AnswerKind::Spans),
        Kind::Text => Ok(AnswerKind::Text),
        Kind::Label => labels(&args.labels, &inferred.spec.kind),
        Kind::Records => records(&args.fields, &inferred.spec.kind),
    }
}

fn labels(given: &[String], inferred: &AnswerKind) -> Result<AnswerKind, Hinted> {
    let labels = match inferred {
        AnswerKind::Label(labels) if given.is_empty() => labels.clone(),
        _ => given.to_vec(),
    };
    if let Some(label) = repeated(labels.iter().map(String::as_str)) {
        return Err(hinted(format!("the label `{label}` is given twice"), "give every label once"));
    }
    if labels.iter().any(|label| label.trim().is_empty()) {
        return Err(hinted("a label is empty, expected some text", "give every label a name: --label positive"));
    }
    match labels.len() {
        0 | 1 => Err(hinted(
            format!("found {} labels, expected at least two", labels.len()),
            "name them: --label positive --label negative",
        )),
        _ => Ok(AnswerKind::Label(labels)),
    }
}

fn records(given: &[Field], inferred: &AnswerKind) -> Result<AnswerKind, Hinted> {
    let fields = match inferred {
        AnswerKind::Records(fields) if given.is_empty() => fields.clone(),
        _ => given.to_vec(),
    };
    if fields.is_empty() {
        return Err(hinted(
            "the description names no fields that could be inferred",
            "name them: --field hike=span --field \"wheelchair accessible=yes-no\"",
        ));
    }
    match repeated(fields.iter().map(|field| field.name.as_str())) {
        Some(name) => Err(hinted(format!("the field `{name}` is given twice"), "give every field once")),
        None => Ok(AnswerKind::Records(fields)),
    }
}

fn repeated<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    names
        .clone()
        .enumerate()
        .find(|(at, name)| names.clone().take(*at).any(|other| other == *name))
        .map(|(_, name)| name)
}

fn hinted(message: impl Into<String>, hint: &'static str) -> Hinted {
    Hinted { message: message.into(), hint }
}

/// A field as given on the command line; the kind is what follows the last `=`.
fn parse_field(text: &str) -> Result<Field, String> {
    let known = "span, yes-no, text or labels with `|` between them";
    let (name, kind) = text.rsplit_once('=').ok_or_else(|| format!("no kind, expected NAME=KIND with {known}"))?;
    let name = name.trim();
    if name.is_empty() {
        return Err("no name, expected NAME=KIND".to_owned());
    }
    let labels: Vec<String> = kind.split('|').map(|label| label.trim().to_owned()).collect();
    let is_labels = are_labels(&labels) && labels.iter().all(|label| !label.is_empty());
    let kind = FieldKind::named(kind.trim())
        .or_else(|| is_labels.then_some(FieldKind::Label(labels)))
        .ok_or_else(|| format!("unknown kind `{}`, expected {known}", kind.trim()))?;
    Ok(Field { name: name.to_owned(), kind })
}

/// What the kind is, why if it was inferred, and how to change it.
fn explanation(kind: &AnswerKind, reason: Option<&str>) -> String {
    let mut text = format!("kind of answer: {}", kind.name());
    if let Some(reason) = reason {
        text.push_str(", because ");
        text.push_str(reason);
    }
    match kind {
        AnswerKind::Label(labels) => {
            let _ = write!(text, "\n  labels: {}", labels.join(", "));
        }
        AnswerKind::Records(fields) => {
            for field in fields {
                let _ = write!(text, "\n  {} = {}", field.name, field.kind);
            }
        }
        AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => {}
    }
    text.push_str("\nto change it: --kind, --label LABEL, --field NAME=KIND, or [answer] in the file");
    text
}

/// The beginning of the description, without what ends its first sentence.
fn title(description: &str) -> String {
    let line = description.trim().lines().next().unwrap_or_default();
    let sentence = line.split_inclusive(['.', '?', '!', '。', '？', '！', '؟']).next().unwrap_or_default();
    let sentence = if sentence.chars().count() < 4 { line } else { sentence };
    let sentence = sentence.trim_end_matches(['.', '?', '!', '。', '？', '！', '؟', ':', ' ']);
    let mut title = String::new();
    for word in sentence.split_whitespace() {
        if !title.is_empty() && title.chars().count() + word.chars().count() + 1 > TITLE_LENGTH {
            title = title.trim_end_matches([',', ';', ':']).to_owned();
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    if title.chars().count() > TITLE_LENGTH + 1 {
        title = title.chars().take(TITLE_LENGTH).chain(['…']).collect();
    }
    if title.is_empty() { "Task".to_owned() } else { title }
}

/// A title as an id: lower-case letters and digits between hyphens.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    if slug.is_empty() { "task".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_short_and_never_empty() {
        assert_eq!(title("Are dogs allowed? Only leashed ones."), "Are dogs allowed");
        let long = "What waterfall hikes are there in this national park, and are they wheelchair accessible?";
        assert_eq!(title(long), "What waterfall hikes are there in this national park, and…");
        assert_eq!(title("?"), "Task");
        assert_eq!(title(&"x".repeat(200)).chars().count(), TITLE_LENGTH + 1);
        assert_eq!(slug("Are dogs allowed…"), "are-dogs-allowed");
        assert_eq!(slug("…"), "task");
    }

    #[test]
    fn fields_are_a_name_and_a_kind() {
        let field = parse_field("fee = total=text").unwrap();
        assert_eq!((field.name.as_str(), field.kind), ("fee = total", FieldKind::Text));
        let leash = parse_field("leash=required | optional").unwrap();
        assert_eq!(leash.kind, FieldKind::Label(vec!["required".into(), "optional".into()]));
        insta::assert_snapshot!(parse_field("fee").unwrap_err(), @"no kind, expected NAME=KIND with span, yes-no, text or labels with `|` between them");
        insta::assert_snapshot!(parse_field("fee=x").unwrap_err(), @"unknown kind `x`, expected span, yes-no, text or labels with `|` between them");
        insta::assert_snapshot!(parse_field("fee=x|x").unwrap_err(), @"unknown kind `x|x`, expected span, yes-no, text or labels with `|` between them");
        insta::assert_snapshot!(parse_field("=span").unwrap_err(), @"no name, expected NAME=KIND");
    }
}
