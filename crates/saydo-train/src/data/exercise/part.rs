//! What an order is about: a part of the input that has a name.

/// Words of a part, from and to: with fewer there is nothing to choose from, with more an output is long.
const WORDS: std::ops::RangeInclusive<usize> = 5..=30;

/// Of so many inputs, a part must be found in half.
const LOOKED_AT: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// What stands behind a label at the start of a line, such as `Question:`.
    Labelled { label: String, name: String },
    /// The whole input.
    Text,
    /// Its first sentence.
    FirstSentence,
    /// Its last sentence.
    LastSentence,
}

impl Part {
    /// The parts that most of these inputs have.
    pub fn all_of(inputs: &[&str]) -> Vec<Self> {
        let inputs = &inputs[..inputs.len().min(LOOKED_AT)];
        let mut parts: Vec<Self> = Vec::new();
        for (label, _) in inputs.iter().flat_map(|input| labelled(input)) {
            let part = Self::Labelled { label: label.to_owned(), name: label.to_lowercase() };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if parts.is_empty() {
            parts.extend([Self::Text, Self::FirstSentence, Self::LastSentence]);
        }
        parts.retain(|part| 2 * inputs.iter().filter(|input| part.of(input).is_some()).count() > inputs.len());
        // A text of one sentence has its name from the whole.
        if parts.first() == Some(&Self::Text) {
            parts.truncate(1);
        }
        parts
    }

    /// Its words in an input, if it is there and neither short nor long.
    pub fn of<'a>(&self, input: &'a str) -> Option<&'a str> {
        let text = match self {
            Self::Labelled { label, .. } => labelled(input).find(|(found, _)| found == label)?.1,
            Self::Text => input.trim(),
            Self::FirstSentence => sentences(input).next()?,
            Self::LastSentence => sentences(input).last()?,
        };
        let words = text.split_whitespace();
        let has_letters =
            words.clone().filter(|word| word.chars().any(char::is_alphabetic)).count() * 2 > words.count();
        (has_letters && !text.contains('\n') && WORDS.contains(&text.split_whitespace().count())).then_some(text)
    }

    /// What an order calls it.
    pub fn name(&self) -> &str {
        match self {
            Self::Labelled { name, .. } => name,
            Self::Text => "text",
            Self::FirstSentence => "first sentence of the text",
            Self::LastSentence => "last sentence of the text",
        }
    }
}

/// Labels at the starts of lines, and what stands behind them.
fn labelled(input: &str) -> impl Iterator<Item = (&str, &str)> {
    input.lines().filter_map(|line| {
        let (label, text) = line.split_once(": ")?;
        let is_label = label.starts_with(|first: char| first.is_ascii_uppercase())
            && label.len() <= 24
            && label.chars().all(|c| c.is_alphanumeric() || c == ' ');
        is_label.then_some((label, text.trim()))
    })
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '?', '!']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_by_their_labels_or_by_their_place() {
        let labelled = "Context Word: fit. \nQuestion: The trophy does not fit because it is large.";
        let parts = Part::all_of(&[labelled]);
        let names: Vec<(&str, Option<&str>)> = parts.iter().map(|part| (part.name(), part.of(labelled))).collect();
        assert_eq!(names, [("question", Some("The trophy does not fit because it is large."))]);
        let plain = "Bread is baked at night.";
        let parts = Part::all_of(&[plain]);
        assert_eq!((parts[0].name(), parts[0].of(plain), parts.len()), ("text", Some(plain), 1));
        let long =
            format!("The first bakers came from Ulm. {} They sold it in the morning.", "Bread was good. ".repeat(20));
        let parts = Part::all_of(&[&long]);
        let found: Vec<Option<&str>> = parts.iter().map(|part| part.of(&long)).collect();
        assert_eq!(found, [Some("The first bakers came from Ulm."), Some("They sold it in the morning.")]);
        assert_eq!(Part::all_of(&["1, 2, 3, 4, 5, 6", "a b"]), []);
    }
}
