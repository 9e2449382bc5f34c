//! Tables as markup: headers that say what they head, a frame that scrolls by itself on narrow screens.

use saydo_protocol::table::Table;
use serde::Serialize;

/// Rows that are shown without being asked for.
const SHORT: usize = 14;

/// Whether a table begins closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    Never,
    /// If it has many rows.
    Long,
    Always,
}

/// A table as the templates show it.
#[derive(Debug, Serialize)]
pub(super) struct View {
    #[serde(flatten)]
    table: Table,
    /// Of each column, whether it stands at the side of numbers.
    is_number: Vec<bool>,
    is_closed: bool,
}

impl View {
    pub fn new(table: Table, fold: Fold) -> Self {
        let is_number = (0..table.header.len()).map(|column| column > 0 && !is_words(&table, column)).collect();
        let is_closed = fold == Fold::Always || fold == Fold::Long && table.rows.len() > SHORT;
        Self { table, is_number, is_closed }
    }
}

/// Whether a column holds words rather than numbers.
fn is_words(table: &Table, column: usize) -> bool {
    table.rows.iter().any(|row| row[column].starts_with(|c: char| c.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;
    use crate::template::render;
    use serde_json::json;

    fn html(table: &Table, fold: Fold) -> String {
        render("table.html", &json!({"table": View::new(table.clone(), fold)}))
    }

    #[test]
    fn headers_have_a_scope_and_numbers_a_side() {
        let mut table = report::table("a < b", ["task", "kind", "F1"]);
        table.rows.push(["t<1>", "yes-no", "40.0"].map(str::to_owned).to_vec());
        let html = html(&table, Fold::Long);
        assert!(html.contains("<h3>a &lt; b</h3>"), "{html}");
        assert!(html.contains("<th scope=col class=n>F1</th>"), "{html}");
        assert!(html.contains("<th scope=row>t&lt;1&gt;</th><td>yes-no</td><td class=n>40.0</td>"), "{html}");
    }

    #[test]
    fn a_long_table_begins_closed() {
        let mut table = report::table("each task", ["task"]);
        table.rows = vec![vec!["t".to_owned()]; SHORT + 1];
        assert!(html(&table, Fold::Long).starts_with("<details"));
        assert!(!html(&table, Fold::Never).contains("<details"));
    }
}
