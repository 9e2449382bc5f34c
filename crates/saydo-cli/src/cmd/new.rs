//! `saydo new`: a task file from a description.

use crate::failure::{Hinted, Verdict};
use crate::output;
use anyhow::Result;
use saydo::task::{BadDraft, Draft, DraftKind, Drafted, draft};
use saydo_task::format::Format;
use saydo_task::{AnswerKind, Field, FieldKind, are_labels};
use std::fmt::Write as _;
use std::path::PathBuf;

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

impl From<Kind> for DraftKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::YesNo => Self::YesNo,
            Kind::Label => Self::Label,
            Kind::Spans => Self::Spans,
            Kind::Records => Self::Records,
            Kind::Text => Self::Text,
        }
    }
}

pub fn run(args: Args) -> Result<Verdict> {
    let stem =
        args.output_path.as_ref().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    let said = Draft {
        kind: args.kind.map(DraftKind::from),
        fields: args.fields,
        labels: args.labels,
        title: args.title,
        id: stem,
    };
    let bad = |BadDraft { message, hint }| Hinted { message, hint };
    let Drafted { task, kind, reason } = draft(&args.description, &said).map_err(bad)?;
    match &args.output_path {
        Some(path) => Format::Toml.save(&task, path, args.force)?,
        None => output::print(&Format::Toml.write(&task).text)?,
    }
    output::note(&explanation(&kind, reason.as_deref()));
    if let Some(path) = &args.output_path {
        output::note(&format!("written to {}", path.display()));
    }
    Ok(Verdict::Done)
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

#[cfg(test)]
mod tests {
    use super::*;

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
