//! The things asked for: one is a list of spans, several are the fields of records. Separate from [`super::part`], which
//! only cuts the sentence: here the parts get names and kinds.

use super::form::past;
use super::name::{noun, statement};
use super::options;
use super::part::{Opening, Part, parts};
use super::vocabulary::{BE, BEFORE_QUESTION, DO, HAVE, MEASURE, MODAL, WRITTEN};
use super::word::{Word, join};
use saydo_tagger::Tag;
use saydo_task::{Field, FieldKind};

/// The most fields a record has.
const MAX_FIELDS: usize = 60;

/// A thing asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Its name; short and in lower case.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// The verb that tells it from another thing of the same name: `start` for a date.
    verb: Option<String>,
}

impl Found {
    fn span(name: impl Into<String>) -> Found {
        Found { name: name.into(), kind: FieldKind::Span, verb: None }
    }

    /// Whether it only points at things named before: `list them`.
    pub fn is_reference(&self) -> bool {
        self.kind == FieldKind::Span && ["them", "it", "they", "those", "these", "which"].contains(&self.name.as_str())
    }

    /// A yes-no thing from the clause that asks it; text if the clause names more than yes and no.
    pub fn claim(words: &[Word], auxiliary: Option<&str>) -> Found {
        let named = match auxiliary {
            Some(_) => options::in_question(words),
            None => options::in_clause(words),
        };
        let rest = if auxiliary.is_some() { &words[1..] } else { words };
        if matches!(named, Some(options::Options::Labels(_))) {
            let name = noun(rest).map_or_else(|| statement(rest, None), |(name, _)| name);
            return Found { name, kind: FieldKind::Text, verb: None };
        }
        Found { name: statement(rest, auxiliary), kind: FieldKind::YesNo, verb: None }
    }
}

/// The things that a request or question asks for, in order. `item` is what stood before it: `For each person, …`.
pub(super) fn found(words: &[Word], item: Option<&[Word]>) -> Vec<Found> {
    let mut found: Vec<Found> = parts(words).iter().map(of_part).collect();
    let owner = item.and_then(noun).map(|(name, _)| name).or_else(|| owner(words));
    if let Some(owner) = owner
        && !found.iter().any(|field| field.name == owner || field.name == "name")
    {
        found.insert(0, Found::span(owner));
    }
    found
}

/// What everything asked for belongs to: the employee in `the salary of each employee`.
fn owner(words: &[Word]) -> Option<String> {
    let at = words.iter().skip(1).position(|word| word.is(&["each", "every"]))? + 1;
    let is_asked = words[..at].iter().any(|word| word.is_noun() || word.tag == Tag::Adjective);
    let next = words.get(at + 1)?;
    // In `how much does each cost`, what follows is the verb.
    let is_verb = words[at - 1].is(DO) && words.get(at + 2).is_none_or(|word| word.is_mark() || word.is(&["and"]));
    let is_thing = is_asked && !is_verb && (next.is_noun() || next.tag == Tag::Adjective) && !next.is(&["one"]);
    is_thing.then(|| noun(&words[at..])).flatten().map(|(name, _)| name)
}

fn of_part(part: &Part<'_>) -> Found {
    let words = part.words;
    match part.opening {
        Opening::Question => question(words),
        Opening::Claim => Found::claim(words, words.first().map(|word| word.lower.as_str())),
        Opening::Whether => Found::claim(&words[1..], None),
        Opening::Written => {
            let name =
                words.iter().find(|word| word.is(WRITTEN)).map_or_else(|| join(words), |word| word.lower.clone());
            Found { name, kind: FieldKind::Text, verb: None }
        }
        Opening::Thing => Found::span(noun(words).map_or_else(|| join(&words[..words.len().min(3)]), |(name, _)| name)),
    }
}

/// The thing that a clause with a question word asks for.
fn question(words: &[Word]) -> Found {
    let words = match words {
        [first, rest @ ..] if first.is(BEFORE_QUESTION) && !rest.is_empty() => rest,
        _ => words,
    };
    let Some((asked, rest)) = words.split_first() else { return Found::span("answer") };
    let verb = rest.iter().rfind(|word| word.tag == Tag::Verb).map(|word| word.lower.clone());
    let bare = |name: &str| Found { verb: verb.clone(), ..Found::span(name) };
    match asked.lower.as_str() {
        "where" => bare("place"),
        "when" => bare("date"),
        "why" => bare("reason"),
        "who" | "whom" => predicate(rest).map_or_else(|| bare("person"), Found::span),
        "how" => Found::span(measure(rest)),
        _ => match rest.first() {
            None => bare("answer"),
            Some(next) if next.is(BE) => predicate(rest).map_or_else(|| bare("answer"), Found::span),
            Some(next) if next.is(DO) || next.is(HAVE) || next.is(MODAL) => Found::span(thing(rest)),
            Some(next) if next.tag == Tag::Verb => Found::span(format!("thing {}", next.lower)),
            Some(_) => noun(rest).map_or_else(|| bare("answer"), |(name, _)| Found::span(name)),
        },
    }
}

/// The noun behind `who is` or `what are`; none if there is none, as in `who is responsible`.
fn predicate(words: &[Word]) -> Option<String> {
    let (be, rest) = words.split_first()?;
    (be.is(BE) && !rest.first()?.is(&["this"])).then(|| noun(rest)).flatten().map(|(name, _)| name)
}

/// `what did they study`: a thing studied.
fn thing(words: &[Word]) -> String {
    let is_verb = |word: &&Word| word.tag == Tag::Verb && !word.is(DO);
    let by_tag = words[1..].iter().find(is_verb);
    // The tagger takes many a bare verb for a noun; then it stands behind the subject.
    let by_place = || words.iter().skip(1).filter(|word| word.is_noun()).nth(1);
    match by_tag.or_else(by_place) {
        Some(verb) => format!("thing {}", past(&verb.lower)),
        None => "thing".to_owned(),
    }
}

/// What `how` asks for: `long` for a length, `many sites` for the number of sites.
fn measure(words: &[Word]) -> String {
    let Some((first, rest)) = words.split_first() else { return "way".to_owned() };
    let counted = |what: &str| {
        let end = noun(rest).map_or(0, |(_, length)| length);
        if end == 0 { what.to_owned() } else { format!("{what} of {}", join(&rest[..end])) }
    };
    let is_cost =
        |word: &Word| word.is(&["cost", "costs", "price", "pay", "paid", "charge", "charged", "spend", "fee"]);
    match first.lower.as_str() {
        "many" => counted("number"),
        "much" if rest.iter().any(is_cost) => "price".to_owned(),
        "much" if rest.first().is_some_and(Word::is_noun) => counted("amount"),
        word => match MEASURE.iter().find(|(adjective, _)| *adjective == word) {
            Some((_, name)) => (*name).to_owned(),
            None if matches!(first.tag, Tag::Adjective) => word.to_owned(),
            None => "way".to_owned(),
        },
    }
}

/// The fields of records, with names that differ; the first ones if there are more than a record has.
pub(super) fn fields(mut found: Vec<Found>) -> Vec<Field> {
    found.truncate(MAX_FIELDS);
    let is_shared = |name: &str| found.iter().filter(|other| other.name == name).count() > 1;
    let mut fields: Vec<Field> = Vec::with_capacity(found.len());
    for field in &found {
        let name = match &field.verb {
            Some(verb) if is_shared(&field.name) => format!("{verb} {}", field.name),
            _ if field.name.is_empty() => "answer".to_owned(),
            _ => field.name.clone(),
        };
        let is_taken = |name: &str| fields.iter().any(|field| field.name == name);
        let numbered = |number: usize| if number == 1 { name.clone() } else { format!("{name} {number}") };
        let name = (1..).map(numbered).find(|name| !is_taken(name)).unwrap_or_default();
        fields.push(Field { name, kind: field.kind.clone() });
    }
    fields
}
