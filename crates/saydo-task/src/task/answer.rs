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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A piece of the input.
    Span,
    /// `yes` or `no`.
    YesNo,
    /// Free text.
    Text,
}

impl FieldKind {
    /// Every kind, in the order messages list them.
    pub const ALL: [FieldKind; 3] = [FieldKind::Span, FieldKind::YesNo, FieldKind::Text];

    /// The word for this kind in task files.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Span => "span",
            FieldKind::YesNo => "yes-no",
            FieldKind::Text => "text",
        }
    }
}
