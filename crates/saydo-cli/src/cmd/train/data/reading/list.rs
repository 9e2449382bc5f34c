//! Things of a kind that a text names, such as its lakes and its museums: what questions for a list ask for.

use unicode_segmentation::UnicodeSegmentation as _;

/// Kinds whose names end with the word for them, and that word for several.
const KINDS: [(&str, &str); 48] = [
    ("Academy", "academies"),
    ("Act", "acts"),
    ("Airport", "airports"),
    ("Association", "associations"),
    ("Award", "awards"),
    ("Bank", "banks"),
    ("Bay", "bays"),
    ("Bridge", "bridges"),
    ("Castle", "castles"),
    ("Church", "churches"),
    ("City", "cities"),
    ("Club", "clubs"),
    ("College", "colleges"),
    ("Company", "companies"),
    ("Council", "councils"),
    ("County", "counties"),
    ("Court", "courts"),
    ("Cup", "cups"),
    ("Day", "days"),
    ("Festival", "festivals"),
    ("Forest", "forests"),
    ("Garden", "gardens"),
    ("Group", "groups"),
    ("Hall", "halls"),
    ("Hospital", "hospitals"),
    ("Hotel", "hotels"),
    ("House", "houses"),
    ("Institute", "institutes"),
    ("Island", "islands"),
    ("Lake", "lakes"),
    ("League", "leagues"),
    ("Library", "libraries"),
    ("Mountain", "mountains"),
    ("Museum", "museums"),
    ("Ocean", "oceans"),
    ("Park", "parks"),
    ("Party", "parties"),
    ("Prize", "prizes"),
    ("River", "rivers"),
    ("School", "schools"),
    ("Sea", "seas"),
    ("Society", "societies"),
    ("Station", "stations"),
    ("Street", "streets"),
    ("Theatre", "theatres"),
    ("Trail", "trails"),
    ("University", "universities"),
    ("War", "wars"),
];

/// Ways to ask for a list.
const WORDINGS: [&str; 6] = [
    "What {} are there?",
    "Which {} does this text name?",
    "What are the names of the {}?",
    "List the {}.",
    "What {} are mentioned here?",
    "Which {} are there in this text?",
];

/// The kinds of which a text names some, each with the names in their order.
pub(super) fn named(text: &str) -> Vec<(&'static str, Vec<String>)> {
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for sentence in text.unicode_sentences() {
        let mut name: Vec<&str> = Vec::new();
        for (place, word) in sentence.split_whitespace().enumerate() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            // The first word of a sentence is written large whatever it is.
            let is_name = bare.starts_with(char::is_uppercase) && (place > 0 || !FIRST_WORDS.contains(&bare));
            if !is_name || !word.starts_with(bare) {
                name.clear();
                continue;
            }
            name.push(bare);
            if let Some((_, kind)) = KINDS.iter().find(|(one, _)| *one == bare && name.len() > 1) {
                let whole = name.join(" ");
                let names = match found.iter_mut().find(|(other, _)| other == kind) {
                    Some((_, names)) => names,
                    None => {
                        found.push((kind, Vec::new()));
                        &mut found.last_mut().expect("pushed").1
                    }
                };
                if !names.contains(&whole) {
                    names.push(whole);
                }
            }
            if word.len() > bare.len() {
                name.clear();
            }
        }
    }
    found
}

/// Words that begin a sentence and no name.
const FIRST_WORDS: [&str; 8] = ["The", "A", "An", "In", "At", "On", "From", "This"];

/// A kind that a text does not speak of, the one that a number says.
pub(super) fn absent(text: &str, number: u64) -> Option<&'static str> {
    let text = text.to_lowercase();
    let absent: Vec<&(&str, &str)> = KINDS.iter().filter(|(one, _)| !text.contains(&one.to_lowercase())).collect();
    absent.get(number as usize % absent.len().max(1)).map(|(_, kind)| *kind)
}

/// A question for all of a kind, in the words that a number says.
pub(super) fn question(kind: &str, number: u64) -> String {
    WORDINGS[number as usize % WORDINGS.len()].replace("{}", kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_end_with_their_kind_are_found_where_they_stand() {
        let text = "The Blue River flows past Ann Hill College and Kent College, then into Lake Ume. In May the Blue River, \
                    wide there, floods Mill Park. College is far.";
        let names = |kind: &str| named(text).into_iter().find(|(one, _)| *one == kind).map(|(_, names)| names);
        assert_eq!(names("rivers"), Some(vec!["Blue River".to_owned()]));
        assert_eq!(names("colleges"), Some(vec!["Ann Hill College".to_owned(), "Kent College".to_owned()]));
        assert_eq!(names("parks"), Some(vec!["Mill Park".to_owned()]));
        assert!(named(text).iter().flat_map(|(_, names)| names).all(|name| text.contains(name)));
        assert_eq!(names("lakes"), None, "the kind stands first, which this does not know");
    }

    #[test]
    fn what_a_text_does_not_speak_of_can_be_asked_for() {
        let absent = absent("The river and the mountain.", 3).expect("most kinds");
        assert!(!["rivers", "mountains"].contains(&absent));
        assert_eq!(question("rivers", 9), "List the rivers.");
    }
}
