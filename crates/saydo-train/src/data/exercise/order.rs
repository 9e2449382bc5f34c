//! What is asked for, in words, and what it comes to for a text.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;

/// An order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The words with so many letters or more.
    LongWords(usize),
    /// The words with so many letters or fewer.
    ShortWords(usize),
    /// The words that begin with a letter.
    Beginning(char),
    /// The words that end with some letters.
    Ending(&'static str),
    /// The words that begin with a capital letter.
    Capitals,
    /// The word with the most letters.
    Longest,
    /// The text as it is.
    Again,
    /// So many of its first words.
    First(usize),
    /// So many of its last words.
    Last(usize),
    /// The text without so many of its first words.
    Without(usize),
    /// The text without its words of so many letters or fewer.
    WithoutShort(usize),
    /// The text with a word in another's place.
    Replaced(&'static str, &'static str),
    /// The text with a blank in place of its longest word.
    Blank,
}

const KINDS: u64 = 13;

const REPLACEMENTS: [(&str, &str); 6] =
    [("the", "that"), ("is", "was"), ("and", "or"), ("a", "one"), ("in", "near"), ("to", "from")];

impl Order {
    /// Any of them.
    pub fn drawn(random: &mut ChaCha8Rng) -> Self {
        let kind = random.next_u64() % KINDS;
        let mut below = |most: usize| random.next_u64() as usize % most;
        match kind {
            0 => Self::LongWords(5 + below(4)),
            1 => Self::ShortWords(2 + below(2)),
            2 => Self::Beginning(['a', 'b', 'c', 'd', 'f', 'm', 'p', 's', 't', 'w'][below(10)]),
            3 => Self::Ending(["s", "e", "d", "ing", "er", "t", "n"][below(7)]),
            4 => Self::Capitals,
            5 => Self::Longest,
            6 => Self::Again,
            7 => Self::First(2 + below(4)),
            8 => Self::Last(2 + below(4)),
            9 => Self::Without(1 + below(3)),
            10 => Self::WithoutShort(2 + below(2)),
            11 => {
                let (from, to) = REPLACEMENTS[below(REPLACEMENTS.len())];
                Self::Replaced(from, to)
            }
            _ => Self::Blank,
        }
    }

    /// What it comes to, unless that is nothing.
    pub fn output(self, text: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let bare: Vec<&str> = words.iter().map(|word| bare(word)).filter(|word| !word.is_empty()).collect();
        let letters = |word: &str| word.chars().count();
        let lower = |word: &str| word.to_lowercase();
        let list = |is_meant: &dyn Fn(&str) -> bool| {
            bare.iter().filter(|word| is_meant(word)).copied().collect::<Vec<_>>().join(", ")
        };
        // The first of several: later ones must be longer.
        let longest = || bare.iter().copied().rev().max_by_key(|word| letters(word));
        let changed =
            |change: &dyn Fn(&str) -> String| words.iter().map(|word| change(word)).collect::<Vec<_>>().join(" ");
        let output = match self {
            Self::LongWords(least) => list(&|word| letters(word) >= least),
            Self::ShortWords(most) => list(&|word| letters(word) <= most),
            Self::Beginning(letter) => list(&|word| lower(word).starts_with(letter)),
            Self::Ending(ending) => list(&|word| lower(word).ends_with(ending)),
            Self::Capitals => list(&|word| word.starts_with(char::is_uppercase)),
            Self::Longest => longest()?.to_owned(),
            Self::Again => words.join(" "),
            Self::First(count) => words[..count.min(words.len())].join(" "),
            Self::Last(count) => words[words.len().saturating_sub(count)..].join(" "),
            Self::Without(count) => words[count.min(words.len())..].join(" "),
            Self::WithoutShort(most) => {
                words.iter().filter(|word| letters(self::bare(word)) > most).copied().collect::<Vec<_>>().join(" ")
            }
            Self::Replaced(from, to) => {
                if !words.contains(&from) {
                    return None;
                }
                changed(&|word| (if word == from { to } else { word }).to_owned())
            }
            Self::Blank => {
                let longest = longest()?;
                changed(&|word| if self::bare(word) == longest { word.replace(longest, "_") } else { word.to_owned() })
            }
        };
        (!output.is_empty()).then_some(output)
    }

    /// What to do, in full.
    pub fn definition(self, part: &str) -> String {
        let rest = match self {
            Self::LongWords(_) | Self::ShortWords(_) | Self::Beginning(_) | Self::Ending(_) | Self::Capitals => {
                " Keep them in their order and separate them with commas. A word that comes twice is written twice."
            }
            Self::Longest => " If several words are equally long, write the first of them. Write nothing else.",
            Self::Again => " Every word must stay as it is, in the same order.",
            Self::First(_) | Self::Last(_) => " Keep their order and the marks that stand with them.",
            Self::Without(_) | Self::WithoutShort(_) => " Everything else stays as it is.",
            Self::Replaced(..) | Self::Blank => " Change nothing else: all other words stay where they are.",
        };
        format!("You are given a text with one or more parts. {}{rest}", self.prompt(part))
    }

    /// What to do, in one line.
    pub fn prompt(self, part: &str) -> String {
        match self {
            Self::LongWords(least) => format!("List all words of the {part} that have at least {least} letters."),
            Self::ShortWords(most) => format!("List all words of the {part} that have at most {most} letters."),
            Self::Beginning(letter) => format!("List all words of the {part} that begin with the letter \"{letter}\"."),
            Self::Ending(ending) => format!("Write down every word of the {part} that ends with \"{ending}\"."),
            Self::Capitals => format!("Write down every word of the {part} that begins with a capital letter."),
            Self::Longest => format!("Write the longest word of the {part}."),
            Self::Again => format!("Copy the {part} word for word."),
            Self::First(count) => format!("Write the first {count} words of the {part}."),
            Self::Last(count) => format!("Write the last {count} words of the {part}."),
            Self::Without(1) => format!("Write the {part} again without its first word."),
            Self::Without(count) => format!("Write the {part} again without its first {count} words."),
            Self::WithoutShort(most) => {
                format!("Write the {part} again, but leave out all words of at most {most} letters.")
            }
            Self::Replaced(from, to) => format!("Write the {part} again with \"{to}\" wherever it has \"{from}\"."),
            Self::Blank => format!("Rewrite the {part} so that a blank (_) stands in place of its longest word."),
        }
    }

    /// Why an output is right.
    pub fn reason(self, part: &str) -> String {
        match self {
            Self::Longest => format!("No word of the {part} has more letters."),
            Self::Again | Self::Without(_) | Self::WithoutShort(_) | Self::Replaced(..) | Self::Blank => {
                format!("This is the {part} with just the change that is asked for.")
            }
            _ => format!("These words stand in the {part}, and all others of it are not asked for."),
        }
    }
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng as _;

    #[test]
    fn outputs_follow_from_the_text() {
        let text = "In Ulm, the bakers (all of them) sell bread and the beer of Bavaria.";
        let output = |order: Order| order.output(text).unwrap_or_default();
        assert_eq!(output(Order::LongWords(5)), "bakers, bread, Bavaria");
        assert_eq!(output(Order::ShortWords(2)), "In, of, of");
        assert_eq!(output(Order::Beginning('b')), "bakers, bread, beer, Bavaria");
        assert_eq!(output(Order::Ending("s")), "bakers");
        assert_eq!(output(Order::Capitals), "In, Ulm, Bavaria");
        assert_eq!(output(Order::Longest), "Bavaria");
        assert_eq!(output(Order::Again), text);
        assert_eq!((output(Order::First(2)), output(Order::Last(2))), ("In Ulm,".to_owned(), "of Bavaria.".to_owned()));
        assert_eq!(output(Order::Without(9)), "and the beer of Bavaria.");
        assert_eq!(output(Order::WithoutShort(3)), "bakers them) sell bread beer Bavaria.");
        assert_eq!(
            output(Order::Replaced("the", "that")),
            "In Ulm, that bakers (all of them) sell bread and that beer of Bavaria."
        );
        assert_eq!(output(Order::Blank), "In Ulm, the bakers (all of them) sell bread and the beer of _.");
        assert_eq!((Order::Replaced("to", "from").output(text), Order::Ending("ing").output(text)), (None, None));
        assert_eq!(Order::Longest.output("one two bread bacon"), Some("bread".to_owned()));
    }

    #[test]
    fn every_order_is_drawn_and_says_what_it_asks_for() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut kinds = std::collections::HashSet::new();
        for _ in 0..400 {
            let order = Order::drawn(&mut random);
            kinds.insert(std::mem::discriminant(&order));
            assert!(order.definition("question").contains(&order.prompt("question")));
            assert!(order.prompt("question").contains("the question"));
        }
        assert_eq!(kinds.len() as u64, KINDS);
    }
}
