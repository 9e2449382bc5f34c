//! Prompts that begin alike, cut where they part: what they share is then computed once.

use std::sync::Arc;

/// Beginnings shorter than this, in bytes, gain nothing from being computed once.
const MIN_SHARED_BYTES: usize = 64;

/// Prompts as a shared beginning and the rest, by what neighbors have in common. Where a prompt is cut changes no result.
pub fn shared(prompts: Vec<String>) -> Vec<(Arc<str>, String)> {
    let mut cut = Vec::with_capacity(prompts.len());
    let mut begun = 0;
    while begun < prompts.len() {
        let (mut length, mut end) = (prompts[begun].len(), begun + 1);
        while let Some(next) = prompts.get(end) {
            let common = common_bytes(&prompts[begun][..length], next);
            // A neighbor that would cost the others most of their common beginning starts a group of its own.
            if common < MIN_SHARED_BYTES || (end > begun + 1 && 2 * common < length) {
                break;
            }
            (length, end) = (common, end + 1);
        }
        let prefix: Arc<str> = Arc::from(if end > begun + 1 { &prompts[begun][..length] } else { "" });
        cut.extend(prompts[begun..end].iter().map(|prompt| (Arc::clone(&prefix), prompt[prefix.len()..].to_owned())));
        begun = end;
    }
    cut
}

/// How many bytes two texts begin with alike, up to the end of a character.
fn common_bytes(one: &str, other: &str) -> usize {
    let mut pairs = one.char_indices().zip(other.chars());
    let differing = pairs.find(|((_, a), b)| a != b);
    differing.map_or(one.len().min(other.len()), |((place, _), _)| place)
}
