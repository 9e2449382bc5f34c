//! Tables as markup: headers that say what they head, a frame that scrolls by itself on narrow screens.

use saydo_corpus::escape_html as escape;
use saydo_protocol::summary::Table;
use std::fmt::Write as _;

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

/// The table as markup, under its title.
pub(super) fn html(table: &Table, fold: Fold) -> String {
    let title = escape(&table.title);
    let whole = format!("{}{}", frame(&title, table), note(&table.note));
    if fold == Fold::Always || fold == Fold::Long && table.rows.len() > SHORT {
        let count = table.rows.len();
        return format!(
            "<details class=table><summary>{title} <span class=count>({count} rows)</span></summary>\n{whole}</details>\n"
        );
    }
    format!("<h3>{title}</h3>\n{whole}")
}

/// The table in a frame that scrolls, which can be reached and named without a mouse.
pub(super) fn frame(title: &str, table: &Table) -> String {
    let rows = rows(table);
    format!(
        "<div class=wide tabindex=0 role=region aria-label=\"{title}\"><table aria-label=\"{title}\">\n{rows}</table></div>\n"
    )
}

fn note(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p class=note>{}</p>\n", escape(text)) }
}

/// Header and body, without the element around them.
fn rows(table: &Table) -> String {
    let words: Vec<bool> = (0..table.header.len()).map(|column| column == 0 || is_words(table, column)).collect();
    let class = |column: usize| if words[column] { "" } else { " class=n" };
    let mut out = String::from("<thead><tr>");
    for (column, name) in table.header.iter().enumerate() {
        out += &match name.as_str() {
            "" => "<td></td>".to_owned(),
            name => format!("<th scope=col{}>{}</th>", class(column), escape(name)),
        };
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let cell = escape(cell);
            let _ = match column {
                0 => write!(out, "<th scope=row>{cell}</th>"),
                _ => write!(out, "<td{}>{cell}</td>", class(column)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n");
    out
}

/// Whether a column holds words rather than numbers.
fn is_words(table: &Table, column: usize) -> bool {
    table.rows.iter().any(|row| row[column].starts_with(|c: char| c.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;

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
