//! Forms of English words: one for several, past for present. Separate because field names need both, and rules of
//! spelling are no rules of inference.

/// Words whose one and several differ in more than an `s`.
const IRREGULAR: &[(&str, &str)] = &[
    ("people", "person"),
    ("persons", "person"),
    ("children", "child"),
    ("men", "man"),
    ("women", "woman"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("mice", "mouse"),
    ("wolves", "wolf"),
    ("lives", "life"),
    ("wives", "wife"),
    ("leaves", "leaf"),
    ("knives", "knife"),
    ("shelves", "shelf"),
    ("halves", "half"),
    ("analyses", "analysis"),
    ("diagnoses", "diagnosis"),
    ("hypotheses", "hypothesis"),
    ("theses", "thesis"),
    ("criteria", "criterion"),
    ("phenomena", "phenomenon"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("calories", "calorie"),
    ("ties", "tie"),
    ("pies", "pie"),
    ("shoes", "shoe"),
    ("buses", "bus"),
    ("gases", "gas"),
    ("statuses", "status"),
    ("viruses", "virus"),
    ("bonuses", "bonus"),
    ("caches", "cache"),
];

/// Words in `s` that are one thing, or name several by nature.
const UNCHANGED: &[&str] = &[
    "species",
    "series",
    "news",
    "gas",
    "bus",
    "status",
    "virus",
    "bonus",
    "campus",
    "census",
    "focus",
    "lens",
    "means",
    "politics",
    "physics",
    "economics",
    "mathematics",
    "sales",
    "details",
    "terms",
    "hours",
    "contents",
    "earnings",
    "surroundings",
    "premises",
    "headquarters",
    "basis",
    "analysis",
    "diagnosis",
    "hypothesis",
    "thesis",
    "crisis",
    "emphasis",
    "synopsis",
    "atlas",
    "canvas",
    "christmas",
    "minus",
    "plus",
    "surplus",
    "corpus",
    "genus",
    "apparatus",
    "always",
    "this",
    "his",
    "its",
    "yes",
    "is",
    "was",
    "has",
    "as",
    "us",
    "thus",
    "proceeds",
    "goods",
    "thanks",
];

/// One of what the word names several of; the word itself if it names one.
pub(super) fn singular(word: &str) -> String {
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    if UNCHANGED.contains(&word) || word.chars().count() < 4 {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let sibilant = ["sses", "shes", "ches", "xes", "zzes"].iter().any(|end| word.ends_with(end));
    if sibilant {
        return word[..word.len() - 2].to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') && !stem.ends_with("'") => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// Verbs whose past is not made with `ed`.
const PAST: &[(&str, &str)] = &[
    ("be", "been"),
    ("become", "became"),
    ("begin", "began"),
    ("break", "broke"),
    ("bring", "brought"),
    ("build", "built"),
    ("buy", "bought"),
    ("choose", "chosen"),
    ("come", "came"),
    ("do", "done"),
    ("eat", "eaten"),
    ("find", "found"),
    ("get", "got"),
    ("give", "given"),
    ("go", "gone"),
    ("grow", "grown"),
    ("have", "had"),
    ("hear", "heard"),
    ("hold", "held"),
    ("keep", "kept"),
    ("know", "known"),
    ("lead", "led"),
    ("leave", "left"),
    ("lose", "lost"),
    ("make", "made"),
    ("mean", "meant"),
    ("meet", "met"),
    ("pay", "paid"),
    ("read", "read"),
    ("run", "run"),
    ("say", "said"),
    ("see", "seen"),
    ("sell", "sold"),
    ("send", "sent"),
    ("set", "set"),
    ("speak", "spoken"),
    ("spend", "spent"),
    ("take", "taken"),
    ("teach", "taught"),
    ("tell", "told"),
    ("think", "thought"),
    ("wear", "worn"),
    ("win", "won"),
    ("write", "written"),
];

/// The past of a verb, as it would stand in a field's name: `work` gives `worked`.
pub(super) fn past(verb: &str) -> String {
    if let Some((_, past)) = PAST.iter().find(|(base, _)| *base == verb) {
        return (*past).to_owned();
    }
    let vowel_before_y = ["ay", "ey", "oy", "uy"].iter().any(|end| verb.ends_with(end));
    match verb {
        _ if verb.ends_with('e') => format!("{verb}d"),
        _ if verb.ends_with('y') && !vowel_before_y => format!("{}ied", &verb[..verb.len() - 1]),
        _ => format!("{verb}ed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several() {
        let cases = [
            ("hikes", "hike"),
            ("companies", "company"),
            ("addresses", "address"),
            ("address", "address"),
            ("boxes", "box"),
            ("people", "person"),
            ("species", "species"),
            ("houses", "house"),
            ("days", "day"),
            ("bus", "bus"),
            ("été", "été"),
        ];
        for (many, one) in cases {
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn past_of_verbs() {
        for (verb, expected) in [("work", "worked"), ("retire", "retired"), ("study", "studied"), ("leave", "left")] {
            assert_eq!(past(verb), expected);
        }
        assert_eq!(past("stay"), "stayed");
        assert_eq!(past(""), "ed");
    }
}
