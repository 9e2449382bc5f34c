//! What a cell of a filled sheet means.

use crate::turking::Pattern;

/// Patterns only a person can see, beside [`Pattern`]: questions that could be asked of any text, and questions about
/// something else.
pub const PERSON_PATTERNS: [&str; 2] = ["ungrounded-general", "ungrounded-unrelated"];

/// Yes, no, or nothing; the cell as it is if it is something else.
pub(super) fn yes_or_no(cell: &str) -> Result<Option<bool>, String> {
    match cell.trim().to_lowercase().as_str() {
        "" => Ok(None),
        "yes" | "y" | "true" | "1" => Ok(Some(true)),
        "no" | "n" | "false" | "0" => Ok(Some(false)),
        _ => Err(cell.trim().to_owned()),
    }
}

/// The patterns named, with commas, semicolons or space between them; the first word that names none otherwise.
pub(super) fn patterns(cell: &str) -> Result<Vec<&'static str>, String> {
    let words = cell.split([',', ';', ' ', '\n', '\t']).map(str::trim).filter(|word| !word.is_empty());
    let mut named = words.map(named).collect::<Result<Vec<_>, _>>()?;
    named.sort_unstable();
    named.dedup();
    Ok(named)
}

fn named(word: &str) -> Result<&'static str, String> {
    pattern_names().find(|name| name.eq_ignore_ascii_case(word)).ok_or_else(|| word.to_owned())
}

/// Every name that may stand in the column.
pub(super) fn pattern_names() -> impl Iterator<Item = &'static str> {
    Pattern::ALL.into_iter().map(Pattern::name).chain(PERSON_PATTERNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreadsheets_may_write_truth_values_in_their_own_way() {
        for cell in ["yes", " Y ", "TRUE", "1"] {
            assert_eq!(yes_or_no(cell), Ok(Some(true)), "{cell}");
        }
        for cell in ["No", "n", "false", "0"] {
            assert_eq!(yes_or_no(cell), Ok(Some(false)), "{cell}");
        }
        assert_eq!((yes_or_no(" "), yes_or_no(" maybe ")), (Ok(None), Err("maybe".to_owned())));
    }

    #[test]
    fn patterns_are_named_in_any_order() {
        assert_eq!(patterns("repeats; Copies-Example,repeats"), Ok(vec!["copies-example", "repeats"]));
        assert_eq!(patterns("ungrounded-general odd"), Err("odd".to_owned()));
        assert_eq!(patterns(" "), Ok(Vec::new()));
    }
}
