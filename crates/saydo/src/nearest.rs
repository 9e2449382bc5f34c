//! Did you mean: the known name that a mistyped one is closest to.

/// The name that takes the fewest typing mistakes, unless it takes too many to be meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let best = names.into_iter().map(|name| (strsim::damerau_levenshtein(word, name), name)).min()?;
    (best.0 <= 1 + word.chars().count() / 3).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_meant_if_little_is_mistyped() {
        let names = ["threads", "temperature", "task"];
        assert_eq!(nearest("thraeds", names), Some("threads"));
        assert_eq!(nearest("tsak", names), Some("task"));
        assert_eq!(nearest("colour", names), None);
    }
}
