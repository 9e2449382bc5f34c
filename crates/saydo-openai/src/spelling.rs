//! Where a continuation starts among the tokens of a whole text.

/// The number of the first token of `continuation`, given the tokens of `prompt` and `continuation` together and the
/// character at which each starts; `offsets` may go on behind the tokens. None if they do not spell the text.
///
/// A token that holds the end of the prompt and the start of the continuation belongs to the continuation, as does an
/// empty one at the boundary: a part of a character. Offsets are measured from the text's end, because servers differ
/// in whether a token put in front of the prompt counts.
pub(crate) fn start(tokens: &[&str], offsets: &[usize], prompt: &str, continuation: &str) -> Option<usize> {
    if offsets.len() < tokens.len() {
        return None;
    }
    let last = tokens.len().checked_sub(1)?;
    let text_end = match offsets.get(tokens.len()) {
        Some(end) => *end,
        None => offsets[last].checked_add(tokens[last].chars().count())?,
    };
    let continuation_length = continuation.chars().count();
    let text_length = prompt.chars().count() + continuation_length;
    // Servers that write a part of a character as nothing get its offset right; those that write it as a replacement
    // character do not, and cannot be checked.
    let spelled = tokens.concat();
    if !spelled.contains('\u{fffd}')
        && !spelled.ends_with(&format!("{prompt}{continuation}"))
        && text_end != text_length
    {
        return None;
    }
    let boundary = text_end.checked_sub(continuation_length)?;
    let end = |token: usize| if token == last { text_end } else { offsets[token + 1] };
    (0..tokens.len()).find(|&token| end(token) > boundary || offsets[token] >= boundary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_cut_anywhere_is_found_again(
            tokens in prop::collection::vec("[a-zé ]{1,4}", 1..12),
            cut in any::<prop::sample::Index>(),
        ) {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            let offsets: Vec<usize> = (0..tokens.len()).map(|end| tokens[..end].concat().chars().count()).collect();
            let text: Vec<char> = tokens.concat().chars().collect();
            let (prompt, continuation) = text.split_at(cut.index(text.len()));
            let (prompt, continuation) = (String::from_iter(prompt), String::from_iter(continuation));
            let start = start(&tokens, &offsets, &prompt, &continuation).unwrap();
            prop_assert!(tokens[start..].concat().ends_with(&continuation));
            prop_assert!(!tokens[start + 1..].concat().ends_with(&continuation));
        }

        #[test]
        fn nonsense_is_survived(
            tokens in prop::collection::vec(any::<String>(), 0..4),
            offsets in prop::collection::vec(any::<usize>(), 0..5),
            continuation in any::<String>(),
        ) {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            start(&tokens, &offsets, "", &continuation);
        }
    }

    #[test]
    fn a_token_at_the_boundary_starts_the_continuation() {
        assert_eq!(start(&["Is", " it", "?", " no"], &[0, 2, 5, 6], "Is it?", " no"), Some(3));
        assert_eq!(start(&["Is", " it", "?", " n", "o"], &[0, 2, 5, 6, 8], "Is it?", " no"), Some(3));
    }

    #[test]
    fn a_token_across_the_boundary_belongs_to_the_continuation() {
        assert_eq!(start(&["Is", " item"], &[0, 2], "Is it", "em"), Some(1));
    }

    #[test]
    fn a_counted_token_in_front_does_no_harm() {
        assert_eq!(start(&["<s>", "Is", " no"], &[0, 3, 5], "Is", " no"), Some(2));
    }

    #[test]
    fn characters_count_and_parts_of_them_stay_together() {
        assert_eq!(start(&["é?", " ü"], &[0, 2], "é?", " ü"), Some(1));
        assert_eq!(start(&["a", " ", "", "", ""], &[0, 1, 2, 2, 2, 3], "a", " 🙂"), Some(1));
        assert_eq!(start(&["a", "", "", ""], &[0, 1, 1, 1, 2], "a", "🙂"), Some(1));
        assert_eq!(start(&["\u{fffd}", "\u{fffd}", " no"], &[0, 1, 2], "🙂", " no"), Some(2));
    }

    #[test]
    fn what_does_not_spell_the_text_is_refused() {
        assert_eq!(start(&["Is", "it?", "no"], &[0, 2, 5], "Is it?", " no"), None, "the server lost the spaces");
        assert_eq!(start(&["no", " no"], &[0, 2, 2], "no no", " no"), None, "the server lost a token");
        assert_eq!(start(&["a", "b"], &[0], "a", "b"), None);
        assert_eq!(start(&["a"], &[usize::MAX], "", "a"), None);
        assert_eq!(start(&[], &[], "", "a"), None);
        assert_eq!(start(&["a"], &[0], "", "abc"), None);
    }
}
