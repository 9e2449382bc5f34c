//! Where a word ends: whether a mark between two characters joins them (`3.5`, `U.S.`, `e-mail`) or parts them
//! (`well-known`, `and/or`). Apart from the scanner so that each mark's rule can be read on its own.

/// Abbreviations that keep their period, in lower case and without it.
const ABBREVIATIONS: &[&str] = &[
    "adm", "approx", "apr", "assn", "aug", "ave", "blvd", "bros", "capt", "cf", "cmdr", "co", "col", "corp", "dec",
    "dept", "dr", "drs", "e.g", "est", "etc", "ext", "feb", "fig", "gen", "gov", "hon", "i.e", "inc", "jan", "jr",
    "jul", "lt", "ltd", "maj", "messrs", "mr", "mrs", "ms", "mt", "nov", "oct", "ph.d", "pres", "prof", "pvt", "rd",
    "rep", "rev", "sen", "sens", "sept", "sgt", "sr", "st", "sts", "univ", "vs",
];

/// First parts that stay with the word after their hyphen, in lower case.
const PREFIXES: &[&str] = &[
    "ante", "anti", "bi", "co", "counter", "de", "dis", "e", "ex", "extra", "hyper", "inter", "intra", "macro", "mega",
    "micro", "mid", "mini", "mis", "multi", "neo", "non", "over", "para", "post", "pre", "pro", "re", "semi", "sub",
    "super", "supra", "trans", "tri", "ultra", "un", "under", "uni", "vice",
];

/// Ends of host and file names, after their last period.
const NAME_ENDS: &[&str] = &[
    "au", "biz", "ca", "co", "com", "de", "doc", "edu", "exe", "gif", "gov", "htm", "html", "info", "jpg", "mp3",
    "net", "org", "pdf", "ppt", "rtf", "tv", "txt", "uk", "us", "xls", "zip",
];

/// Where the word at the start of `rest` ends. `rest` begins with a character of that word.
pub(super) fn word_end(rest: &str) -> usize {
    let mut previous = '\0';
    for (at, c) in rest.char_indices() {
        let (before, after) = (&rest[..at], &rest[at + c.len_utf8()..]);
        let inside = at == 0 || is_word_char(c) || joins(c, previous, before, after);
        if !inside || parts_number_from_unit(c, previous, before, after) {
            return at;
        }
        previous = c;
    }
    rest.len()
}

fn is_word_char(c: char) -> bool {
    // Marks such as combining accents are part of the letter before them.
    c.is_alphanumeric() || matches!(c, '_' | '\u{300}'..='\u{36f}')
}

/// Whether the mark `c`, with `before` and `after` around it, is part of the word.
fn joins(c: char, previous: char, before: &str, after: &str) -> bool {
    let Some(next) = after.chars().next().filter(|c| is_word_char(*c)) else {
        return match c {
            '.' => !after.starts_with('.') && is_abbreviation(before),
            '/' => before.eq_ignore_ascii_case("w"),
            _ => false,
        };
    };
    let digits = previous.is_ascii_digit() && next.is_ascii_digit();
    match c {
        '.' => digits || is_dotted(before) && next.is_alphabetic() || is_name(before, after),
        ',' | ':' => digits,
        '\'' | '’' => previous.is_alphanumeric(),
        '-' => is_number_group(before, after) || is_prefix(before),
        '/' => is_date(before, after) || is_short_form(before, after),
        '@' => true,
        _ => false,
    }
}

fn is_abbreviation(before: &str) -> bool {
    let lower = before.to_lowercase();
    ABBREVIATIONS.binary_search(&lower.as_str()).is_ok() || is_dotted(before) && before != "I"
}

/// Single letters with periods between them: `U`, `U.S`, `a.m`.
fn is_dotted(before: &str) -> bool {
    before.split('.').all(|part| part.len() == 1 && part.starts_with(|c: char| c.is_ascii_alphabetic()))
        && (before.contains('.') || before.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_lowercase()))
}

/// Whether `before.after` is a host or file name.
fn is_name(before: &str, after: &str) -> bool {
    let end = after.find(|c: char| !(is_word_char(c) || matches!(c, '.' | '-'))).unwrap_or(after.len());
    let last = after[..end].trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    before.starts_with("alt.") || before == "alt" || NAME_ENDS.binary_search(&last.to_lowercase().as_str()).is_ok()
}

/// Telephone numbers and the like: groups of digits of which the last has four or more.
fn is_number_group(before: &str, after: &str) -> bool {
    let end = after.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(after.len());
    let last = after[..end].trim_end_matches('-').rsplit('-').next().unwrap_or_default();
    let first = before.split('-').next().unwrap_or_default();
    before.bytes().all(|b| b.is_ascii_digit() || b == b'-') && last.len() >= 4 && first.len() <= 3
}

fn is_prefix(before: &str) -> bool {
    PREFIXES.binary_search(&before.to_lowercase().as_str()).is_ok()
}

/// Dates such as `08/16/2000`: three groups of digits.
fn is_date(before: &str, after: &str) -> bool {
    let end = after.find(|c: char| !(c.is_ascii_digit() || c == '/')).unwrap_or(after.len());
    let groups = before.split('/').chain(after[..end].split('/'));
    groups.clone().count() >= 3 && groups.clone().all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()))
}

/// `b/c` (because) and `w/o` (without).
fn is_short_form(before: &str, after: &str) -> bool {
    matches!((before, after), ("b" | "B", "c" | "C") | ("w" | "W", "o" | "O"))
}

/// Whether a unit begins at `c` after a number, as in `8gb`; ordinals and decades (`17th`, `1990s`) stay whole.
fn parts_number_from_unit(c: char, previous: char, before: &str, after: &str) -> bool {
    const ENDINGS: &[&str] = &["st", "nd", "rd", "th", "s"];
    let tail = c.len_utf8() + after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
    let number = before.starts_with(|c: char| c.is_ascii_digit())
        && before.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    if !number || !previous.is_ascii_digit() || !c.is_ascii_lowercase() {
        return false;
    }
    let unit = c.to_string() + &after[..tail - c.len_utf8()];
    unit.bytes().all(|b| b.is_ascii_lowercase()) && !ENDINGS.contains(&unit.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookup_lists_are_sorted() {
        for list in [ABBREVIATIONS, PREFIXES, NAME_ENDS] {
            assert!(list.is_sorted());
        }
    }
}
