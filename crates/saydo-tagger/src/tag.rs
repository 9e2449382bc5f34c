//! The tags: the universal parts of speech, with nouns told apart by number. Separate because every other file names
//! them, and because the mapping from treebank columns belongs in one place.

/// Grammatical number of a noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Number {
    /// One: `dog`, `London`; mass nouns too.
    Singular,
    /// More than one: `dogs`, `Alps`.
    Plural,
}

/// The part of speech of one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the parts of speech")]
pub enum Tag {
    Adjective,
    Adposition,
    Adverb,
    Auxiliary,
    Coordinator,
    Determiner,
    Interjection,
    Noun,
    PluralNoun,
    Numeral,
    Particle,
    Pronoun,
    ProperNoun,
    PluralProperNoun,
    Punctuation,
    Subordinator,
    Symbol,
    Verb,
    Other,
}

impl Tag {
    /// How many tags there are.
    pub const COUNT: usize = 19;

    /// Every tag, each at its own index.
    pub const ALL: [Tag; Tag::COUNT] = [
        Tag::Adjective,
        Tag::Adposition,
        Tag::Adverb,
        Tag::Auxiliary,
        Tag::Coordinator,
        Tag::Determiner,
        Tag::Interjection,
        Tag::Noun,
        Tag::PluralNoun,
        Tag::Numeral,
        Tag::Particle,
        Tag::Pronoun,
        Tag::ProperNoun,
        Tag::PluralProperNoun,
        Tag::Punctuation,
        Tag::Subordinator,
        Tag::Symbol,
        Tag::Verb,
        Tag::Other,
    ];

    /// The position in [`Tag::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The number of a noun, common or proper; none for what is no noun.
    pub fn number(self) -> Option<Number> {
        match self {
            Tag::Noun | Tag::ProperNoun => Some(Number::Singular),
            Tag::PluralNoun | Tag::PluralProperNoun => Some(Number::Plural),
            _ => None,
        }
    }

    /// Whether this is a noun, common or proper.
    pub fn is_noun(self) -> bool {
        self.number().is_some()
    }

    /// Whether this is a proper noun.
    pub fn is_proper(self) -> bool {
        matches!(self, Tag::ProperNoun | Tag::PluralProperNoun)
    }

    /// The tag of a treebank token: the universal part of speech decides, the Penn tag gives a noun its number. None
    /// for a part of speech that Universal Dependencies does not have.
    pub fn from_universal(universal: &str, penn: &str) -> Option<Tag> {
        let plural = matches!(penn, "NNS" | "NNPS");
        Some(match universal {
            "ADJ" => Tag::Adjective,
            "ADP" => Tag::Adposition,
            "ADV" => Tag::Adverb,
            "AUX" => Tag::Auxiliary,
            "CCONJ" => Tag::Coordinator,
            "DET" => Tag::Determiner,
            "INTJ" => Tag::Interjection,
            "NOUN" if plural => Tag::PluralNoun,
            "NOUN" => Tag::Noun,
            "NUM" => Tag::Numeral,
            "PART" => Tag::Particle,
            "PRON" => Tag::Pronoun,
            "PROPN" if plural => Tag::PluralProperNoun,
            "PROPN" => Tag::ProperNoun,
            "PUNCT" => Tag::Punctuation,
            "SCONJ" => Tag::Subordinator,
            "SYM" => Tag::Symbol,
            "VERB" => Tag::Verb,
            "X" => Tag::Other,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_stands_at_its_index() {
        for (index, tag) in Tag::ALL.into_iter().enumerate() {
            assert_eq!(tag.index(), index);
        }
    }

    #[test]
    fn penn_tag_gives_only_nouns_a_number() {
        assert_eq!(Tag::from_universal("NOUN", "NNS"), Some(Tag::PluralNoun));
        assert_eq!(Tag::from_universal("PROPN", "NNP"), Some(Tag::ProperNoun));
        assert_eq!(Tag::from_universal("ADJ", "NNS"), Some(Tag::Adjective));
        assert_eq!(Tag::from_universal("NN", "NN"), None);
        assert_eq!(Tag::Verb.number(), None);
    }
}
