//! Cuts clitics from their word: `don't` into `do n't`, `she's` into `she 's`, `cannot` into `can not`. Apart from the
//! scanner because it works on whole words.

/// Endings that stand on their own, in lower case, written with the straight apostrophe.
const ENDINGS: &[&str] = &["n't", "'s", "'re", "'ve", "'ll", "'d", "'m"];

/// Words written as one, in lower case, with the length of their first part.
const FUSED: &[(&str, usize)] = &[
    ("alot", 1),
    ("arent", 3),
    ("cannot", 3),
    ("cant", 2),
    ("couldnt", 5),
    ("didnt", 3),
    ("doesnt", 4),
    ("dont", 2),
    ("gimme", 3),
    ("gonna", 3),
    ("gotta", 3),
    ("hasnt", 3),
    ("havent", 4),
    ("im", 1),
    ("isnt", 2),
    ("ive", 1),
    ("lemme", 3),
    ("outta", 3),
    ("shouldnt", 6),
    ("thats", 4),
    ("wanna", 3),
    ("wasnt", 3),
    ("werent", 4),
    ("wouldnt", 5),
];

/// Pushes the word, in two tokens if it ends in a clitic.
pub(super) fn split<'a>(word: &'a str, tokens: &mut Vec<&'a str>) {
    let at = fused_cut(word).or_else(|| ending_cut(word)).unwrap_or(0);
    let (host, clitic) = word.split_at(at);
    if !host.is_empty() {
        tokens.push(host);
    }
    tokens.push(clitic);
}

/// Whether the text begins with a clitic that has lost its host, as in `dog 's`.
pub(super) fn is_bare(text: &str) -> bool {
    let end = text.char_indices().skip(1).find(|(_, c)| !c.is_alphanumeric()).map_or(text.len(), |(at, _)| at);
    ENDINGS.contains(&straight(&text[..end]).as_str())
}

fn fused_cut(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    FUSED.iter().find(|(fused, _)| *fused == lower).map(|(_, cut)| *cut)
}

/// The byte where the clitic begins, if the word has one behind at least one letter; decades (`70's`) have none.
fn ending_cut(word: &str) -> Option<usize> {
    if !word.contains(['\'', '’']) || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    word.char_indices().skip(1).find(|(at, _)| ENDINGS.contains(&straight(&word[*at..]).as_str())).map(|(at, _)| at)
}

/// Lower case, with curly apostrophes made straight.
fn straight(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}
