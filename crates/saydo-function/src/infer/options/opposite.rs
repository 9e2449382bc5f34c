//! Words that exclude each other: between two of them, an `or` asks for a choice.

use std::collections::HashSet;

const OPPOSITES: &[(&str, &str)] = &[
    ("positive", "negative"),
    ("good", "bad"),
    ("accept", "reject"),
    ("accept", "decline"),
    ("accepted", "rejected"),
    ("approve", "reject"),
    ("approve", "deny"),
    ("approved", "rejected"),
    ("approved", "denied"),
    ("praise", "criticize"),
    ("increase", "decrease"),
    ("rise", "fall"),
    ("grow", "shrink"),
    ("buy", "sell"),
    ("agree", "disagree"),
    ("support", "oppose"),
    ("win", "lose"),
    ("for", "against"),
    ("true", "false"),
    ("formal", "informal"),
    ("public", "private"),
    ("big", "small"),
    ("large", "small"),
    ("long", "short"),
    ("tall", "short"),
    ("high", "low"),
    ("hot", "cold"),
    ("old", "new"),
    ("old", "young"),
    ("early", "late"),
    ("before", "after"),
    ("indoor", "outdoor"),
    ("indoors", "outdoors"),
    ("legal", "illegal"),
    ("safe", "dangerous"),
    ("easy", "hard"),
    ("easy", "difficult"),
    ("simple", "complex"),
    ("fact", "opinion"),
    ("fact", "fiction"),
    ("male", "female"),
    ("man", "woman"),
    ("singular", "plural"),
    ("past", "present"),
    ("active", "passive"),
    ("subjective", "objective"),
    ("spam", "ham"),
    ("happy", "sad"),
    ("satisfied", "dissatisfied"),
    ("domestic", "international"),
    ("internal", "external"),
    ("temporary", "permanent"),
    ("mandatory", "optional"),
    ("required", "optional"),
    ("open", "closed"),
    ("paid", "unpaid"),
    ("improve", "worsen"),
    ("strengthen", "weaken"),
    ("friendly", "aggressive"),
    ("entailment", "contradiction"),
];

/// Whether two of these words exclude each other, in either order.
pub(super) fn has_opposites(words: &[String]) -> bool {
    let words: HashSet<String> = words.iter().map(|word| word.to_lowercase()).collect();
    OPPOSITES.iter().any(|(left, right)| words.contains(*left) && words.contains(*right))
}

#[cfg(test)]
mod tests {
    use super::has_opposites;

    #[test]
    fn order_and_case_do_not_matter() {
        let has = |words: &[&str]| has_opposites(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert!(has(&["Small", "red", "big"]));
        assert!(!has(&["small", "small"]));
    }
}
