//! The kinds of answer a task can ask for.

/// What an answer looks like, and whether "not applicable" is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerSpec {
    /// The kind of answer.
    pub kind: AnswerKind,
    /// Whether NA is possible; none means the kind's own default.
    pub na: Option<bool>,
}

impl AnswerSpec {
    /// Whether NA is a possible answer: always by default, except for free text.
    pub fn allows_na(&self) -> bool {
        self.na.unwrap_or(self.kind != AnswerKind::Text)
    }
}

/// The kind of answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerKind {
    /// `yes` or `no`.
    YesNo,
    /// One label of a set.
    Label(Vec<String>),
    /// Pieces of the input.
    Spans,
    /// A list of records with these fields, in this order.
    Records(Vec<Field>),
    /// Free text.
    Text,
}

impl AnswerKind {
    /// The word for this kind in task files and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            AnswerKind::YesNo => "yes-no",
            AnswerKind::Label(_) => "label",
            AnswerKind::Spans => "spans",
            AnswerKind::Records(_) => "records",
            AnswerKind::Text => "text",
        }
    }
}

/// One field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field's name, as it stands in the records.
    pub name: String,
    /// What the field holds.
    pub kind: FieldKind,
}

/// What a field of a record holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// A piece of the input.
    Span,
    /// `yes` or `no`.
    YesNo,
    /// One label of a set.
    Label(Vec<String>),
    /// Free text.
    Text,
}

impl FieldKind {
    /// The kinds that a word names, in the order messages list them. A label field is written as its labels.
    pub const NAMED: [FieldKind; 3] = [FieldKind::Span, FieldKind::YesNo, FieldKind::Text];

    /// The word for this kind.
    pub fn name(&self) -> &'static str {
        match self {
            FieldKind::Span => "span",
            FieldKind::YesNo => "yes-no",
            FieldKind::Label(_) => "label",
            FieldKind::Text => "text",
        }
    }

    /// The kind that a word names; none for `label`, which says nothing without its labels.
    pub fn named(word: &str) -> Option<FieldKind> {
        FieldKind::NAMED.into_iter().find(|kind| kind.name() == word)
    }
}

/// One line: the kind's word, or the labels with `|` between them.
impl std::fmt::Display for FieldKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FieldKind::Label(labels) => f.write_str(&labels.join("|")),
            kind => f.write_str(kind.name()),
        }
    }
}

/// Whether there are two or more labels, no two of them the same.
pub fn are_labels(labels: &[String]) -> bool {
    let distinct: std::collections::BTreeSet<&String> = labels.iter().collect();
    labels.len() >= 2 && distinct.len() == labels.len()
}
