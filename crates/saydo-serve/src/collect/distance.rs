//! How much of a question was changed: a semantic flip changes a few words.

/// A change above this share of the words is asked about.
pub(crate) const LARGE: f64 = 0.5;

/// The share of words that differ: the fewest words to insert, remove or replace, over the words of the longer text. 0 for
/// two texts without words. Case and punctuation do not count.
pub(crate) fn changed(from: &str, to: &str) -> f64 {
    let (from, to) = (words(from), words(to));
    let longest = from.len().max(to.len());
    if longest == 0 {
        return 0.0;
    }
    let mut costs: Vec<usize> = (0..=to.len()).collect();
    for (row, word) in from.iter().enumerate() {
        let mut diagonal = costs[0];
        costs[0] = row + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(word != other);
            diagonal = costs[column + 1];
            costs[column + 1] = replaced.min(costs[column] + 1).min(diagonal + 1);
        }
    }
    costs[to.len()] as f64 / longest as f64
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_counted() {
        let base = "What is the largest lake in this park?";
        assert_eq!(changed(base, "what is the largest lake in this park"), 0.0);
        assert_eq!(changed(base, "What is the smallest lake in this park?"), 1.0 / 8.0);
        assert_eq!(changed(base, ""), 1.0);
        assert_eq!(changed("", "?"), 0.0);
        assert!(changed(base, "Are dogs allowed?") > LARGE);
    }
}
