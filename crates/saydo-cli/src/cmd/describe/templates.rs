//! PromptSource's templates beside the instructions for the same dataset, as a table.

use crate::table::Table;
use saydo::task::templates::Entry;

/// A line for each, and below it the texts.
pub fn report(entries: &[Entry]) -> String {
    let mut table = Table::new(&["", "name", "tokens", "examples", "reasons", "choices"]).with_words(&[1]);
    for entry in entries {
        let counts = [entry.tokens, entry.examples, entry.reasons, entry.choices].map(|count| count.to_string());
        table.row([entry.what.to_owned(), entry.name.clone()].into_iter().chain(counts));
    }
    let mut out = format!("instructions and templates for one dataset, lengths without examples\n\n{}", table.render());
    for entry in entries {
        let text = entry.text.split_whitespace().collect::<Vec<_>>().join(" ");
        out += &format!("\n{} {}: {text}\n", entry.what, entry.name);
    }
    out
}
