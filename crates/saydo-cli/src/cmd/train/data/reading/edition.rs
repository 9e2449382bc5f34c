//! One edition of a page: some of its sentences as they are, some denied, some left out, and what is asked of it then.

use super::statement::Statement;
use super::{Page, Reading, list, record};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;
use saydo_function::NOT_STATED;
use saydo_tagger::Tagger;
use saydo_task::AnswerKind;
use saydo_train::shuffle;
use unicode_segmentation::UnicodeSegmentation as _;

/// A text, and questions whose answers are known.
pub(super) struct Edition {
    pub text: String,
    pub asked: Vec<Asked>,
}

/// A question, the kind of its answer, and the answer as a model is to write it.
pub(super) struct Asked {
    pub description: String,
    pub kind: AnswerKind,
    pub answer: String,
}

/// What becomes of a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Turned,
    LeftOut,
}

/// What is asked of one edition at most.
const MOST_ASKED: usize = 8;

impl Edition {
    /// The edition of a page in which its sentences have the fates that it is their turn for. Questions of other pages are
    /// asked of it, too.
    pub fn new(page: &Page, others: &[&Page], turn: usize, tagger: &Tagger, random: &mut ChaCha8Rng) -> Self {
        let sentences: Vec<&str> = page.passage.split_sentence_bounds().collect();
        let mut edition = Self { text: String::new(), asked: Vec::new() };
        let mut left_out = 0;
        let mut place = turn;
        for sentence in &sentences {
            let statement = Statement::parse(tagger, sentence);
            let readings: Vec<&Reading> =
                page.readings.iter().filter(|one| one.is_answered_by(sentence, page)).collect();
            let mut fate = Fate::Kept;
            if statement.is_some() || !readings.is_empty() {
                fate = [Fate::Kept, Fate::Turned, Fate::LeftOut][place % 3];
                place += 1;
            }
            match (fate, &statement) {
                (Fate::Turned, Some(statement)) => edition.text.push_str(&format!("{} ", statement.turned())),
                // Most of a passage must stay, or there is nothing to read.
                (Fate::LeftOut, _) if (left_out + 1) * 3 <= sentences.len() => left_out += 1,
                _ => {
                    fate = Fate::Kept;
                    edition.text.push_str(sentence);
                }
            }
            edition.asked.extend(statement.map(|statement| about(&statement, fate, random)));
            edition.asked.extend(readings.into_iter().filter_map(|reading| of_reading(reading, fate, random)));
        }
        edition.text.truncate(edition.text.trim_end().len());
        if !edition.asked.is_empty() && turn == 0 {
            edition.ask_from_elsewhere(others, tagger);
        }
        if !edition.asked.is_empty() {
            edition.ask_for_lists(random);
        }
        shuffle(&mut edition.asked, random);
        let joined = record::join(&edition.asked);
        edition.asked.truncate(MOST_ASKED);
        edition.asked.extend(joined);
        edition
    }

    /// Adds a question for all things of a kind that the text names, and one for those of a kind that it does not.
    fn ask_for_lists(&mut self, random: &mut ChaCha8Rng) {
        let mut named = list::named(&self.text);
        shuffle(&mut named, random);
        if let Some((kind, names)) = named.first() {
            let question = list::question(kind, random.next_u64());
            self.asked.push(Asked::new(question, AnswerKind::Spans, &names.join("; ")));
        }
        let (number, is_asked) = (random.next_u64(), random.next_u64().is_multiple_of(4));
        if is_asked && let Some(kind) = list::absent(&self.text, number) {
            let question = list::question(kind, random.next_u64());
            self.asked.push(Asked::new(question, AnswerKind::Spans, NOT_STATED));
        }
    }

    /// Adds a question for yes or no, and one for a span, of other pages.
    fn ask_from_elsewhere(&mut self, others: &[&Page], tagger: &Tagger) {
        let text = self.text.to_lowercase();
        let mut silent = others.iter().filter(|page| {
            let first = page.passage.unicode_sentences().next().unwrap_or_default().trim();
            !text.contains(&first.to_lowercase())
        });
        let statement = silent
            .clone()
            .find_map(|page| page.passage.unicode_sentences().find_map(|sentence| Statement::parse(tagger, sentence)));
        let asked = statement.map(|statement| Asked::new(statement.question(), AnswerKind::YesNo, NOT_STATED));
        self.asked.extend(asked);
        let reading = silent.find_map(|page| page.readings.iter().find(|reading| !may_be_answered(reading, &text)));
        let asked = reading.map(|reading| Asked::new(reading.question.clone(), AnswerKind::Spans, NOT_STATED));
        self.asked.extend(asked);
    }
}

impl Asked {
    pub fn new(description: String, kind: AnswerKind, answer: &str) -> Self {
        Self { description, kind, answer: answer.to_owned() }
    }
}

impl Reading {
    /// Whether this sentence of the page, and no other, has the answer.
    fn is_answered_by(&self, sentence: &str, page: &Page) -> bool {
        sentence.contains(&self.answer) && page.passage.matches(&self.answer).count() == 1
    }
}

/// What is asked about a sentence, and the answer that its fate gives.
fn about(statement: &Statement, fate: Fate, random: &mut ChaCha8Rng) -> Asked {
    let is_affirmed = fate == Fate::Kept && !statement.is_denied;
    if is_affirmed
        && random.next_u64().is_multiple_of(2)
        && let Some(question) = statement.other_number(random.next_u64() >> 8)
    {
        return Asked::new(question, AnswerKind::YesNo, "No");
    }
    let answer = match (fate, statement.is_denied) {
        (Fate::LeftOut, _) => NOT_STATED,
        (Fate::Kept, false) | (Fate::Turned, true) => "Yes",
        (Fate::Kept, true) | (Fate::Turned, false) => "No",
    };
    Asked::new(statement.question(), AnswerKind::YesNo, answer)
}

/// A question for a span, or whether its answer is the right one; nothing where its sentence is denied.
fn of_reading(reading: &Reading, fate: Fate, random: &mut ChaCha8Rng) -> Option<Asked> {
    let Reading { question, answer } = reading;
    let asks_whether = random.next_u64().is_multiple_of(4);
    let claim = || format!("{question} Is it \"{answer}\"?");
    match fate {
        Fate::Turned => None,
        Fate::Kept if asks_whether => Some(Asked::new(claim(), AnswerKind::YesNo, "Yes")),
        Fate::Kept => Some(Asked::new(question.clone(), AnswerKind::Spans, answer)),
        Fate::LeftOut if asks_whether => Some(Asked::new(claim(), AnswerKind::YesNo, NOT_STATED)),
        Fate::LeftOut => Some(Asked::new(question.clone(), AnswerKind::Spans, NOT_STATED)),
    }
}

/// Whether a text, in lower case, might answer a question of elsewhere after all: it has the answer, or every telling word
/// of the question.
fn may_be_answered(reading: &Reading, text: &str) -> bool {
    let question = reading.question.to_lowercase();
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
    let mut telling = words.filter(|word| !["what", "where", "when", "which", "whose", "does"].contains(word));
    text.contains(&reading.answer.to_lowercase()) || telling.all(|word| text.contains(word))
}
