//! ZEST: Tables 3 and 5 of the paper, overall scores.

use crate::report::table;
use saydo_protocol::table::Table;
use saydo_protocol::zest::published::{self, PublishedSplit};

/// Every published overall row.
pub(super) fn overall() -> Table {
    let mut table = table("published: overall (Tables 3 and 5)", ["model", "split", "mean", "C@75", "C@90"]);
    table.note = "On the full development and test sets. \"Question only\" and \"context only\" leave a part of the \
                  input out; the context-only model says NA everywhere."
        .to_owned();
    for row in published::rows().filter(|row| row.category == "overall") {
        let split = match row.split {
            PublishedSplit::Dev => "dev",
            PublishedSplit::Test => "test",
        };
        let numbers = [row.mean, row.at_75, row.at_90].map(|number| number.to_string());
        table.rows.push([row.model.to_owned(), split.to_owned()].into_iter().chain(numbers).collect());
    }
    table
}
