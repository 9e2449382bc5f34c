//! A sentence as a question for yes or no, and as its own denial: what a passage says, denies or leaves out is then known
//! without anybody having labelled it.
//!
//! Rules for plain English sentences whose subject comes first and whose first verb is an auxiliary, or one that ends in -s.
//! Everything else is left alone: there are more sentences than are needed.

use saydo_tagger::{Tag, Tagger};

/// A sentence taken apart around its auxiliary, or around the `does` that its verb stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    subject: String,
    auxiliary: String,
    rest: String,
    /// Whether the sentence denies what is asked.
    pub is_denied: bool,
}

const AUXILIARIES: [&str; 14] =
    ["is", "are", "was", "were", "can", "could", "will", "would", "should", "must", "may", "do", "does", "did"];

/// Subjects that begin with one of these are seldom whole, or say nothing without the sentence before.
const NO_SUBJECT: [&str; 50] = [
    "in", "on", "at", "after", "before", "when", "while", "if", "although", "though", "however", "but", "and", "so",
    "for", "from", "with", "by", "as", "because", "since", "during", "then", "also", "or", "nor", "yet", "to", "of",
    "i", "we", "you", "what", "who", "how", "why", "where", "which", "that", "this", "it", "once", "until", "unless",
    "under", "over", "among", "between", "instead", "thus",
];

/// Words that begin a clause of their own.
const CLAUSE: [&str; 9] = ["that", "which", "who", "whom", "whose", "where", "when", "if", "because"];

const MOST_SUBJECT_WORDS: usize = 6;
const WORDS: std::ops::RangeInclusive<usize> = 5..=28;
const LEAST_REST_WORDS: usize = 2;

impl Statement {
    /// What a sentence states; none if the rules do not take it apart.
    pub fn parse(tagger: &Tagger, sentence: &str) -> Option<Self> {
        let sentence = sentence.trim().strip_suffix('.')?;
        if sentence.contains(['"', '“', '?', '!', '(', ':', ';', '\n']) {
            return None;
        }
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let tags = tagger.tag(&words.iter().map(|word| word.trim_end_matches(',')).collect::<Vec<_>>());
        let place = tags.iter().position(|tag| matches!(tag, Tag::Auxiliary | Tag::Verb))?;
        let subject = &words[..place];
        let first = subject.first()?.to_lowercase();
        let is_subject = place <= MOST_SUBJECT_WORDS
            && first.starts_with(char::is_alphanumeric)
            && !NO_SUBJECT.contains(&&*first)
            && !subject.iter().any(|word| word.ends_with(',') || CLAUSE.contains(word));
        if !WORDS.contains(&words.len()) || !is_subject {
            return None;
        }
        let (auxiliary, mut rest) = verb(words[place], tags[place])?;
        rest.extend(words[place + 1..].iter().map(|word| (*word).to_owned()));
        let is_denied = rest.first().is_some_and(|word| word == "not" || word == "never");
        if is_denied {
            rest.remove(0);
        }
        let says_no = |word: &str| ["not", "never", "no", "none", "neither", "nor", "only"].contains(&word);
        if rest.len() < LEAST_REST_WORDS
            || rest.iter().any(|word| says_no(word))
            || subject.iter().any(|word| says_no(word))
        {
            return None;
        }
        let begins = subject[0].len();
        let mut subject = subject.join(" ");
        if !matches!(tags[0], Tag::ProperNoun | Tag::PluralProperNoun) {
            subject.replace_range(..begins, &first);
        }
        Some(Self { subject, auxiliary, rest: rest.join(" "), is_denied })
    }

    /// The question that the sentence answers: with yes, or with no if it denies.
    pub fn question(&self) -> String {
        self.ask(self.asked())
    }

    /// The same question with another number in it, to which the answer is no; none without a number.
    pub fn other_number(&self, add: u64) -> Option<String> {
        let asked = self.asked();
        let start = asked.find(|c: char| c.is_ascii_digit())?;
        let digits = asked[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(asked.len() - start);
        let number: u64 = asked[start..start + digits].parse().ok()?;
        let other = number.checked_add(1 + add % number.max(3))?;
        Some(self.ask(&format!("{}{other}{}", &asked[..start], &asked[start + digits..])))
    }

    /// The sentence the other way round: denied, or affirmed if it was.
    pub fn turned(&self) -> String {
        let Self { subject, auxiliary, rest, is_denied } = self;
        let verb = match (is_denied, &**auxiliary) {
            (true, _) => auxiliary.clone(),
            (false, "can") => "cannot".to_owned(),
            (false, _) => format!("{auxiliary} not"),
        };
        let mut sentence = format!("{subject} {verb} {rest}.");
        if let Some(first) = sentence.get(..1) {
            let first = first.to_uppercase();
            sentence.replace_range(..1, &first);
        }
        sentence
    }

    /// What is asked about the subject: the first clause.
    fn asked(&self) -> &str {
        let clause = self.rest.split(", ").next().unwrap_or_default();
        if clause.split(' ').count() > LEAST_REST_WORDS { clause } else { &self.rest }
    }

    fn ask(&self, asked: &str) -> String {
        let mut auxiliary = self.auxiliary.clone();
        let first = auxiliary[..1].to_uppercase();
        auxiliary.replace_range(..1, &first);
        format!("{auxiliary} {} {asked}?", self.subject)
    }
}

/// The auxiliary of a verb, and what is left of the verb behind it; none for verbs whose plain form the rules do not know.
fn verb(word: &str, tag: Tag) -> Option<(String, Vec<String>)> {
    if AUXILIARIES.contains(&word) {
        return Some((word.to_owned(), Vec::new()));
    }
    let stem = word.strip_suffix('s').filter(|stem| tag == Tag::Verb && stem.len() > 2 && !stem.ends_with('s'))?;
    let plain = match stem.strip_suffix('e') {
        Some(short) if short.ends_with('i') => format!("{}y", &short[..short.len() - 1]),
        Some(short) if ["ch", "sh", "ss", "x", "o"].iter().any(|end| short.ends_with(end)) => short.to_owned(),
        _ => stem.to_owned(),
    };
    Some(("does".to_owned(), vec![plain]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(sentence: &str) -> Statement {
        Statement::parse(&Tagger::embedded(), sentence).expect("a plain sentence")
    }

    #[test]
    fn a_verb_is_asked_for_with_does() {
        let statement = parsed("The old mill reaches back to the 12th century.");
        assert_eq!(statement.question(), "Does the old mill reach back to the 12th century?");
        assert_eq!(statement.turned(), "The old mill does not reach back to the 12th century.");
        assert_eq!(parsed("The eagle carries large fish.").question(), "Does the eagle carry large fish?");
    }

    #[test]
    fn a_sentence_becomes_a_question_and_its_own_denial() {
        let statement = parsed("The lower trail is open to bicycles, which must stay on it.");
        assert_eq!(statement.question(), "Is the lower trail open to bicycles?");
        assert_eq!(statement.turned(), "The lower trail is not open to bicycles, which must stay on it.");
        assert!(!statement.is_denied);
        assert_eq!(parsed("Dogs can be seen here.").turned(), "Dogs cannot be seen here.");
        assert_eq!(parsed("There are three old mills.").question(), "Are there three old mills?");
    }

    #[test]
    fn a_denial_asks_for_what_it_denies() {
        let statement = parsed("Fires are not allowed on the beach.");
        assert!(statement.is_denied);
        assert_eq!(statement.question(), "Are fires allowed on the beach?");
        assert_eq!(statement.turned(), "Fires are allowed on the beach.");
    }

    #[test]
    fn another_number_is_another_number() {
        let statement = parsed("The path is 3 miles long.");
        assert_eq!(statement.other_number(1).as_deref(), Some("Is the path 5 miles long?"));
        assert_eq!(parsed("The path is very steep.").other_number(1), None);
    }

    #[test]
    fn what_the_rules_do_not_take_apart_is_left_alone() {
        let hard = [
            "In 1990 the park was opened.",
            "It is open on all days.",
            "The man who was seen is old.",
            "The park had two lakes.",
            "He said \"it is open\" again.",
            "The lake is deep",
            "The park is only open in May.",
            "Yes.",
            "",
        ];
        // A letter that has more bytes when it is small.
        let turkish = Statement::parse(&Tagger::embedded(), "İi is open to all boats.");
        assert!(turkish.is_none_or(|statement| statement.question().ends_with(" open to all boats?")));
        for sentence in hard {
            assert_eq!(Statement::parse(&Tagger::embedded(), sentence), None, "{sentence}");
        }
    }
}
