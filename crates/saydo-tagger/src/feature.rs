//! What the model sees of a token: its spelling, its neighbors, and what the lexicon says about them. Trainer and tagger
//! both go through here, so that they see the same.
//!
//! A feature is a template and the text it found, hashed to 32 bits. Pairs of neighboring words are left out on
//! purpose: in cross-validation they triple the number of features and add nothing.

use crate::lexicon::{Entry, Lexicon};
use crate::word::{normalize, prefix, shape, suffix};

/// A sentence, with everything that is looked up once per token.
pub(crate) struct View {
    tokens: Vec<Token>,
    /// Whether capitals outnumber small letters, so that they say little.
    shouted: bool,
    /// The first token that has a letter or digit.
    first_word: usize,
}

struct Token {
    text: String,
    word: String,
    shape: String,
    entry: Option<Entry>,
    /// Which inflections of the word the lexicon knows, as bits.
    inflections: u8,
    /// Which forms of the stem before a final `s` it knows, as bits; none without such a stem.
    stem: Option<u8>,
}

impl View {
    pub(crate) fn new(tokens: &[&str], lexicon: &Lexicon) -> View {
        let letters = || tokens.iter().flat_map(|token| token.chars());
        View {
            tokens: tokens.iter().map(|token| Token::new(token, lexicon)).collect(),
            shouted: letters().filter(|c| c.is_uppercase()).count() > letters().filter(|c| c.is_lowercase()).count(),
            first_word: tokens.iter().position(|token| token.contains(char::is_alphanumeric)).unwrap_or(0),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The keys of the features at a position, in place of what `keys` held.
    pub(crate) fn features(&self, position: usize, keys: &mut Vec<u32>) {
        keys.clear();
        let at = |offset: isize| position.checked_add_signed(offset).and_then(|index| self.tokens.get(index));
        let token = &self.tokens[position];
        let mut add = |template: u8, parts: &[&[u8]]| keys.push(key(template, parts));
        spelling(token, &mut add);
        let place = [u8::from(position == self.first_word), u8::from(self.shouted)];
        add(20, &[token.shape.as_bytes(), &place]);
        for (template, offset) in (30..).zip([-2, -1, 1, 2]) {
            add(template, &[at(offset).map_or(b"", |near| near.word.as_bytes())]);
        }
        let shape_at = |offset| at(offset).map_or("", |near| near.shape.as_str()).as_bytes();
        add(34, &[shape_at(-1), shape_at(0)]);
        add(35, &[shape_at(0), shape_at(1)]);
        add(36, &[shape_at(-1), shape_at(0), shape_at(1)]);
        for (template, offset) in (40..).step_by(10).zip([0, -1, 1, -2, 2]) {
            if let Some(near) = at(offset) {
                company(near, offset, template, &mut add);
            }
        }
    }
}

impl Token {
    fn new(text: &str, lexicon: &Lexicon) -> Token {
        let word = normalize(text);
        Token {
            shape: shape(text),
            entry: lexicon.entry(&word),
            inflections: inflections(&word, lexicon),
            stem: word.strip_suffix('s').map(|stem| inflections(stem, lexicon)),
            text: text.to_owned(),
            word,
        }
    }
}

/// The token itself, its beginnings and endings.
fn spelling(token: &Token, add: &mut impl FnMut(u8, &[&[u8]])) {
    add(1, &[]);
    add(2, &[token.word.as_bytes()]);
    add(3, &[token.text.as_bytes()]);
    add(4, &[token.shape.as_bytes()]);
    for (template, count) in (5..).zip(1..=5) {
        add(template, &[shorter(&token.word, suffix(&token.word, count))]);
    }
    for (template, count) in (10..).zip(1..=4) {
        add(template, &[shorter(&token.word, prefix(&token.word, count))]);
    }
}

/// An affix, or nothing when it is the whole word.
fn shorter<'a>(word: &str, affix: &'a str) -> &'a [u8] {
    if affix.len() < word.len() { affix.as_bytes() } else { b"" }
}

/// What is known of a token and its neighbors: classes, capitals, inflections, ending.
fn company(near: &Token, offset: isize, template: u8, add: &mut impl FnMut(u8, &[&[u8]])) {
    match near.entry {
        Some(entry) => {
            add(template, &[&[entry.coarse]]);
            add(template + 1, &[&[entry.fine]]);
            if offset.abs() < 2 {
                add(template + 2, &[&[entry.capital]]);
            }
        }
        None => add(template + 3, &[near.shape.as_bytes()]),
    }
    if offset.abs() < 2 {
        add(template + 4, &[&[near.inflections]]);
        add(template + 5, &[near.stem.as_slice()]);
    }
    if offset.abs() == 1 {
        add(template + 6, &[suffix(&near.word, 3).as_bytes()]);
    }
}

/// Which forms of a word the lexicon knows: itself, `-s`, `-ed`, `-ing`, `-ly`, `-er`, `-est`, `un-`, one bit each.
fn inflections(word: &str, lexicon: &Lexicon) -> u8 {
    if word.len() < 2 || !word.chars().all(char::is_alphabetic) {
        return 0;
    }
    let before_e = word.strip_suffix('e').unwrap_or(word);
    let before_y = word.strip_suffix('y');
    let doubled = format!("{word}{}", suffix(word, 1));
    let any = |forms: &[[&str; 2]]| forms.iter().any(|form| lexicon.knows(*form));
    let y = |ending: &str| before_y.is_some_and(|stem| lexicon.knows([stem, ending]));
    let bits = [
        any(&[[word, ""]]),
        any(&[[word, "s"], [word, "es"]]) || y("ies"),
        any(&[[before_e, "ed"], [&doubled, "ed"]]) || y("ied"),
        any(&[[before_e, "ing"], [&doubled, "ing"]]),
        any(&[[word, "ly"]]) || y("ily"),
        any(&[[before_e, "er"]]) || y("ier"),
        any(&[[before_e, "est"]]) || y("iest"),
        any(&[["un", word]]),
    ];
    bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))
}

/// FNV-1a over the template and its parts, each closed by a byte that UTF-8 never uses, folded to 32 bits.
fn key(template: u8, parts: &[&[u8]]) -> u32 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    let mut hash = step(0xcbf2_9ce4_8422_2325, template);
    for part in parts {
        hash = part.iter().fold(hash, |hash, byte| step(hash, *byte));
        hash = step(hash, 0xff);
    }
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(words: &[&str]) -> Lexicon {
        let entry = Entry { coarse: 1, fine: 2, capital: 0 };
        Lexicon::new(words.iter().map(|word| ((*word).to_owned(), entry)).collect())
    }

    #[test]
    fn inflections_follow_spelling_rules() {
        let lexicon = lexicon(&["hurried", "hurries", "hoped", "hoping", "planned", "kind", "unkind", "kindest"]);
        assert_eq!(inflections("hurry", &lexicon), 0b0000_0110);
        assert_eq!(inflections("hope", &lexicon), 0b0000_1100);
        assert_eq!(inflections("plan", &lexicon), 0b0000_0100);
        assert_eq!(inflections("kind", &lexicon), 0b1100_0001);
        assert_eq!(inflections("x1", &lexicon), 0);
    }

    #[test]
    fn features_differ_by_position_and_repeat_for_equal_input() {
        let lexicon = lexicon(&["dog"]);
        let view = View::new(&["The", "dog", "barks"], &lexicon);
        let [mut first, mut again, mut other] = [const { Vec::new() }; 3];
        view.features(1, &mut first);
        view.features(1, &mut again);
        view.features(2, &mut other);
        assert_eq!(first, again);
        assert_ne!(first, other);
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(key(1, &[b"ab", b"c"]), key(1, &[b"a", b"bc"]));
        assert_ne!(key(1, &[b"a"]), key(2, &[b"a"]));
    }
}
