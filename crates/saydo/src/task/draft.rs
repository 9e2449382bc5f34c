//! A task from a description: its kind of answer, title and id, where nobody says.

use saydo_function::infer::infer;
use saydo_task::{AnswerKind, AnswerSpec, Field, Task};

/// Max characters of a title made from the description.
const TITLE_LENGTH: usize = 60;

/// What is said of a task beside its description. What is left open is inferred from the words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// The kind of answer. Default: records if there are fields, a label if there are labels, or else as inferred.
    pub kind: Option<DraftKind>,
    /// The fields of records. Default: as inferred.
    pub fields: Vec<Field>,
    /// The labels. Default: as inferred.
    pub labels: Vec<String>,
    /// The title. Default: the beginning of the description.
    pub title: Option<String>,
    /// The id. Default: made of the title.
    pub id: Option<String>,
}

/// A kind of answer without its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftKind {
    /// `yes` or `no`.
    YesNo,
    /// One label of a set.
    Label,
    /// Pieces of the input.
    Spans,
    /// Records with fields.
    Records,
    /// Free text.
    Text,
}

/// A task that was made from a description.
#[derive(Debug, Clone, PartialEq)]
pub struct Drafted {
    /// The task; its kind of answer is in it.
    pub task: Task,
    /// The kind of answer.
    pub kind: AnswerKind,
    /// Why, if it was inferred.
    pub reason: Option<String>,
}

/// What is wrong with a draft, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadDraft {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: &'static str,
}

/// The task of a description.
///
/// ```
/// use saydo::task::{Draft, draft};
///
/// let drafted = draft("Are dogs allowed? Only leashed ones.", &Draft::default())?;
/// assert_eq!((drafted.kind.name(), drafted.task.id.as_str()), ("yes-no", "are-dogs-allowed"));
/// # Ok::<(), saydo::task::BadDraft>(())
/// ```
pub fn draft(description: &str, draft: &Draft) -> Result<Drafted, BadDraft> {
    if description.trim().is_empty() {
        return Err(bad("the description is empty", "say what to do: saydo new \"Are dogs allowed?\""));
    }
    let inferred = infer(description);
    let kind = kind(draft, &inferred.spec.kind)?;
    let reason = (kind == inferred.spec.kind).then_some(inferred.reason);
    let title = draft.title.clone().unwrap_or_else(|| title(description));
    let task = Task {
        id: draft.id.clone().unwrap_or_else(|| slug(&title)),
        title: Some(title),
        definition: Some(description.to_owned()),
        answer: Some(AnswerSpec { kind: kind.clone(), na: None }),
        ..Task::default()
    };
    Ok(Drafted { task, kind, reason })
}

/// The kind of answer: what the draft says, and what it leaves open as inferred.
fn kind(draft: &Draft, inferred: &AnswerKind) -> Result<AnswerKind, BadDraft> {
    let kind = match draft.kind {
        Some(kind) => kind,
        None if !draft.fields.is_empty() => DraftKind::Records,
        None if !draft.labels.is_empty() => DraftKind::Label,
        None => return Ok(inferred.clone()),
    };
    if !draft.fields.is_empty() && kind != DraftKind::Records {
        return Err(bad("only records have fields", "leave out --field, or give --kind records"));
    }
    if !draft.labels.is_empty() && kind != DraftKind::Label {
        return Err(bad("only a set of labels has labels", "leave out --label, or give --kind label"));
    }
    match kind {
        DraftKind::YesNo => Ok(AnswerKind::YesNo),
        DraftKind::Spans => Ok(AnswerKind::Spans),
        DraftKind::Text => Ok(AnswerKind::Text),
        DraftKind::Label => labels(&draft.labels, inferred),
        DraftKind::Records => records(&draft.fields, inferred),
    }
}

fn labels(given: &[String], inferred: &AnswerKind) -> Result<AnswerKind, BadDraft> {
    let labels = match inferred {
        AnswerKind::Label(labels) if given.is_empty() => labels.clone(),
        _ => given.to_vec(),
    };
    if let Some(label) = repeated(labels.iter().map(String::as_str)) {
        return Err(bad(format!("the label `{label}` is given twice"), "give every label once"));
    }
    if labels.iter().any(|label| label.trim().is_empty()) {
        return Err(bad("a label is empty, expected some text", "give every label a name: --label positive"));
    }
    match labels.len() {
        0 | 1 => Err(bad(
            format!("found {} labels, expected at least two", labels.len()),
            "name them: --label positive --label negative",
        )),
        _ => Ok(AnswerKind::Label(labels)),
    }
}

fn records(given: &[Field], inferred: &AnswerKind) -> Result<AnswerKind, BadDraft> {
    let fields = match inferred {
        AnswerKind::Records(fields) if given.is_empty() => fields.clone(),
        _ => given.to_vec(),
    };
    if fields.is_empty() {
        return Err(bad(
            "the description names no fields that could be inferred",
            "name them: --field hike=span --field \"wheelchair accessible=yes-no\"",
        ));
    }
    match repeated(fields.iter().map(|field| field.name.as_str())) {
        Some(name) => Err(bad(format!("the field `{name}` is given twice"), "give every field once")),
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

fn bad(message: impl Into<String>, hint: &'static str) -> BadDraft {
    BadDraft { message: message.into(), hint }
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
}
