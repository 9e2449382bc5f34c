//! Sets of labels named in a description: `positive, negative or neutral`. Separate because an `or` makes a set of
//! labels in some places and an ordinary yes-no question in others, and telling them apart takes its own rules.

mod list;
mod opposite;

use super::step;
use super::vocabulary::{ANSWER, BE, BEFORE_QUESTION, CHOOSE, DO, FIND, PRONOUN, QUESTION};
use super::word::Word;
use list::{labels, listed};
use opposite::has_opposites;
use saydo_tagger::Tag;

/// What a description says its answers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Options {
    /// `yes` and `no`, perhaps with NA.
    YesNo,
    /// These labels.
    Labels(Vec<String>),
}

impl Options {
    /// From labels; none for fewer than two. NA is no label: every task has it.
    fn new(mut labels: Vec<String>) -> Option<Options> {
        let is = |label: &String, words: &[&str]| words.contains(&label.to_lowercase().as_str());
        labels.retain(|label| !is(label, &["n/a", "na", "not applicable"]));
        let mut seen = Vec::new();
        labels.retain(|label| {
            !seen.contains(&label.to_lowercase()) && {
                seen.push(label.to_lowercase());
                true
            }
        });
        match labels.as_slice() {
            [] | [_] => None,
            [a, b] if is(a, &["yes", "no"]) && is(b, &["yes", "no", "not"]) => Some(Options::YesNo),
            _ => Some(Options::Labels(labels)),
        }
    }
}

/// Words before a colon that announce a list of answers.
const ANNOUNCING: &[&str] = &[
    "options",
    "option",
    "choices",
    "labels",
    "categories",
    "classes",
    "answers",
    "topics",
    "either",
    "pick",
    "choose",
    "select",
    "classify",
    "categorize",
    "assign",
    "label",
];

/// The same, of two words.
const ANNOUNCING_TOGETHER: &[(&str, &str)] = &[("one", "of"), ("which", "of"), ("possible", "values")];

/// Colons behind which a list is looked for, at most. Each costs a look at the rest of its line.
const MAX_LISTS: usize = 16;

/// A list behind a colon: `Options: low, medium, high`, also on lines of its own.
pub(super) fn after_colon(text: &str) -> Option<Options> {
    step::read(text.len());
    let mut sentence = Announcement::default();
    let mut lists = 0;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() {
            sentence.first.get_or_insert(at);
            sentence.word.get_or_insert(at);
            continue;
        }
        sentence.end_word(text, at);
        match c {
            '.' | '?' | '!' | '\n' => sentence = Announcement::default(),
            ':' if sentence.announces(text, at) => {
                if let Some(options) = Options::new(listed(&text[at + 1..])) {
                    return Some(options);
                }
                lists += 1;
                if lists == MAX_LISTS {
                    return None;
                }
                sentence.first.get_or_insert(at);
            }
            _ if !c.is_whitespace() => {
                sentence.first.get_or_insert(at);
            }
            _ => {}
        }
    }
    None
}

/// What is known of a sentence up to some place: enough to tell whether a colon there announces a list.
#[derive(Default)]
struct Announcement<'a> {
    /// Where the sentence begins, space left out.
    first: Option<usize>,
    /// Where the word begins that is being read.
    word: Option<usize>,
    /// The word before, and where it ended.
    last: Option<(&'a str, usize)>,
    is_announced: bool,
}

impl<'a> Announcement<'a> {
    /// Takes note of the word that ends here, if one does.
    fn end_word(&mut self, text: &'a str, end: usize) {
        let Some(start) = self.word.take() else { return };
        let word = &text[start..end];
        let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
        self.is_announced |= ANNOUNCING.iter().any(|announcing| is(word, announcing));
        if let Some((last, last_end)) = self.last {
            let is_next = text[last_end..start].chars().nth(1).is_none();
            let together = ANNOUNCING_TOGETHER.iter().any(|(a, b)| is(last, a) && is(word, b));
            self.is_announced |= is_next && together;
        }
        self.last = Some((word, end));
    }

    /// Whether a colon here announces a list: behind a word that does, or in a question.
    fn announces(&self, text: &str, colon: usize) -> bool {
        let sentence = text[self.first.unwrap_or(colon)..colon].trim_end();
        let asks = |word: &&&str| {
            let (begins, rest) = sentence.split_at_checked(word.len()).unwrap_or_default();
            begins.eq_ignore_ascii_case(word) && rest.starts_with(' ')
        };
        self.is_announced || QUESTION.iter().find(asks).is_some()
    }
}

/// A list in brackets behind what it is about: `the sentiment (positive, negative, neutral)`, `Is it spam (yes/no)?`.
pub(super) fn in_brackets(text: &str) -> Option<Options> {
    const MAX_WORDS: usize = 2;
    let (_, rest) = text.split_once('(')?;
    let (inside, _) = rest.split_once(')')?;
    let items = listed(inside);
    let is_label = |item: &String| {
        let first = item.split(' ').next().unwrap_or_default().to_lowercase();
        let is_aside = [BEFORE_QUESTION, &["e.g", "i.e", "such", "including", "like", "or", "if"][..]].concat();
        item.split(' ').count() <= MAX_WORDS && !is_aside.contains(&first.as_str())
    };
    let is_yes_no = Options::new(items.clone()) == Some(Options::YesNo);
    (items.iter().all(is_label) && (items.len() > 2 || is_yes_no)).then(|| Options::new(items)).flatten()
}

/// The labels that a request names: `Classify … as A or B`, `Answer with A or B`, `Answer yes if …, otherwise no`.
pub(super) fn in_request(words: &[Word]) -> Option<Options> {
    let first = words.first()?;
    if first.is(&["rate", "grade", "score"])
        && let Some(options) = scale(words)
    {
        return Some(options);
    }
    if (first.is(ANSWER) || first.is(&["generate", "label", "mark", "classify", "put"]))
        && let Some(options) = otherwise(words)
    {
        return Some(options);
    }
    if first.is(CHOOSE) {
        return classes(words);
    }
    if first.is(ANSWER) {
        return replies(words);
    }
    None
}

/// `Classify … as A or B`, `Choose between A and B`, `Pick A or B`.
fn classes(words: &[Word]) -> Option<Options> {
    let has_list = |word: &Word| word.is(&["or", "between", "among", "either", "/", "as", "into"]);
    if !words.iter().any(has_list) {
        return None;
    }
    let opens = |word: &Word| word.is(&["as", "into", "between", "among", "either", "from", "of", "with", "to", "is"]);
    let behind = words.iter().enumerate().filter(|(_, word)| opens(word)).map(|(at, _)| at + 1);
    let at_verb = words[0].is(&["choose", "pick", "select"]).then_some(1);
    behind.chain(at_verb).find_map(|start| Options::new(labels(&words[start..])))
}

/// `Answer with spam or ham`; verbs that also ask for text of the document need `either` or quotes.
fn replies(words: &[Word]) -> Option<Options> {
    let filler =
        |word: &&Word| word.is(&["with", "only", "either", "one", "of", "using", "just", "the", "word", "words"]);
    let skipped = words[1..].iter().take_while(filler).count();
    let is_quoted =
        words.get(1 + skipped).is_some_and(|word| matches!(word.text.as_str(), "\"" | "'" | "“" | "‘" | "`"));
    let is_plain = words[0].is(&["answer", "reply", "respond"]);
    let says_yes_or_no = words.iter().any(|word| word.is(&["yes"])) && words.iter().any(|word| word.is(&["no"]));
    if is_plain || is_quoted || says_yes_or_no || words[1..=skipped].iter().any(|word| word.is(&["either"])) {
        let rest = &words[1 + skipped..];
        return rest.iter().any(|word| word.is(&["or", "/"])).then(|| labels(rest)).and_then(Options::new);
    }
    None
}

/// `Answer yes if the text is about cooking, otherwise no.`
fn otherwise(words: &[Word]) -> Option<Options> {
    let condition = words.iter().position(|word| word.is(&["if", "when"]))?;
    let other = words.iter().rposition(|word| word.is(&["otherwise", "else"]))?;
    let reply = |words: &[Word]| {
        let skip = |word: &&Word| word.is(ANSWER) || word.is(&["with", "or", "the"]) || word.is_mark();
        let texts: Vec<&str> = words.iter().filter(|word| !skip(word)).map(|word| word.text.as_str()).collect();
        texts.join(" ")
    };
    if other < condition || condition == 0 {
        return None;
    }
    let before = &words[condition + 1..other];
    let (first, mut second) = (reply(&words[1..condition]), reply(&words[other + 1..]));
    if second.is_empty() {
        // `… , or no otherwise`
        let at = before.iter().rposition(|word| word.is(&["or", "and"]))?;
        second = reply(&before[at + 1..]);
    }
    let is_short = |text: &str| !text.is_empty() && text.split(' ').count() <= 3;
    (is_short(&first) && is_short(&second)).then(|| Options::new(vec![first, second])).flatten()
}

/// `from 1 to 5`.
fn scale(words: &[Word]) -> Option<Options> {
    const LONGEST: u32 = 11;
    let number = |word: &Word| word.text.parse::<u32>().ok();
    words.windows(3).find_map(|three| {
        let joint = three[1].is(&["to", "-", "–", "and"]);
        let (low, high) = (number(&three[0])?, number(&three[2])?);
        let fits = joint && low < high && high - low < LONGEST;
        fits.then(|| Options::Labels((low..=high).map(|label| label.to_string()).collect()))
    })
}

/// The labels that a question names, if they are what is asked for: `Is the dog big or small?`, but not `Is it legal or
/// allowed to fish?`. `words` begin with the auxiliary.
pub(super) fn in_question(words: &[Word]) -> Option<Options> {
    let auxiliary = words.first()?;
    if auxiliary.is(BE) {
        alternatives(&words[1..], false)
    } else if auxiliary.is(DO) {
        alternatives(&words[1..], true)
    } else {
        None
    }
}

/// The same behind `whether` or `if`: `the text is in English, French or German`.
pub(super) fn in_clause(words: &[Word]) -> Option<Options> {
    if words.iter().any(|word| word.is(&["yes"])) {
        return None;
    }
    match words.iter().position(|word| word.is(BE)) {
        Some(be) => {
            let without_be: Vec<Word> =
                words.iter().enumerate().filter(|(at, _)| *at != be).map(|(_, word)| word.clone()).collect();
            alternatives(&without_be, false)
        }
        None => alternatives(words, true),
    }
}

/// The labels at the end of a clause without its verb of being. With `only_opposites`, an `or` between other words is
/// not taken for a choice.
fn alternatives(words: &[Word], only_opposites: bool) -> Option<Options> {
    let words = without_final_marks(words);
    let or = words.iter().rposition(|word| word.is(&["or"]))?;
    let after = &words[or + 1..];
    if after.len() == 1 && after[0].is(&["not"]) {
        return Some(Options::YesNo);
    }
    let mut items: Vec<&[Word]> =
        words[..or].split(|word| word.is(&[",", "or"])).filter(|item| !item.is_empty()).collect();
    let subject = items.first().copied()?;
    let is_bad_item = |item: &&[Word]| item.len() > 3;
    if items[1..].iter().any(is_bad_item) || subject.first().is_some_and(|word| word.is(&["there"])) {
        return None;
    }
    let start = first_option(subject)?;
    let before = &subject[..start];
    items[0] = &subject[start..];
    let last_length = option_length(after);
    items.push(&after[..last_length]);
    let texts: Vec<String> = items.iter().map(|item| list::text(item)).collect();
    let has_opposites = has_opposites(&texts);
    let is_tail = after.len() > last_length;
    let is_noun_phrase = |words: &[Word]| {
        let is_plain = |word: &Word| !matches!(word.tag, Tag::Verb) && !word.is(FIND);
        let ends_well = words.last().is_some_and(|word| {
            word.is_noun()
                || word.is(PRONOUN)
                || word.is(&["a", "an", "in", "more", "as", "this"])
                || word.tag == Tag::Adverb
        });
        words.iter().all(is_plain) && ends_well
    };
    let is_choice = has_opposites || !only_opposites && !is_tail && is_noun_phrase(before);
    is_choice.then(|| Options::new(texts)).flatten()
}

/// Where the first option begins in what stands before it: at its article, else at the last word.
fn first_option(words: &[Word]) -> Option<usize> {
    let article = words.iter().rposition(|word| word.is(&["a", "an"])).filter(|at| *at > 0 && words.len() - at <= 3);
    article.or((words.len() > 1).then(|| words.len() - 1))
}

/// How many words the last option has.
fn option_length(words: &[Word]) -> usize {
    let is_end = |word: &Word| {
        matches!(word.tag, Tag::Adposition | Tag::Subordinator | Tag::Particle) && word.lower != "not"
            || word.is(&["the", "this", "to"])
    };
    let end = words.iter().position(is_end).unwrap_or(words.len());
    if end > 3 { 1 } else { end.max(1).min(words.len()) }
}

fn without_final_marks(words: &[Word]) -> &[Word] {
    let end = words.iter().rposition(|word| !word.is_mark()).map_or(0, |at| at + 1);
    &words[..end]
}
