//! ZEST's Table 2 for one's own data: a column for each part, the paper's beside them.

use crate::table::{Table, percent};
use saydo::task::parts::Parts;
use saydo_task::describe::{Group, published};

/// The table; `all` stands behind the parts.
pub fn table(parts: &Parts, all: &Group) -> String {
    let names = parts.iter().map(|(name, _)| name.as_str());
    let papers: Vec<String> = published::ZEST.iter().map(|part| format!("{} (ZEST)", part.name)).collect();
    let header: Vec<&str> =
        [""].into_iter().chain(names).chain(["all"]).chain(papers.iter().map(String::as_str)).collect();
    let mut table = Table::new(&header);
    let groups = || parts.iter().map(|(_, group)| group).chain([all]);
    let mut row = |name: &str, own: &dyn Fn(&Group) -> String, paper: &dyn Fn(&published::ZestPart) -> String| {
        let cells = groups().map(own).chain(published::ZEST.iter().map(paper));
        table.row([name.to_owned()].into_iter().chain(cells));
    };
    let number = super::number;
    let share = |share: Option<f64>| share.map_or_else(String::new, percent);
    row("(task, input) pairs", &|group| group.instances.to_string(), &|part| part.instances.to_string());
    row("words of an input", &|group| number(group.words.input), &|part| number(Some(part.input_words)));
    row("tasks", &|group| group.tasks.to_string(), &|part| part.tasks.to_string());
    row("words of a task", &|group| number(group.words.definition), &|part| number(Some(part.definition_words)));
    row("NA %", &|group| share(group.na_share), &|part| percent(part.na_share));
    row("classification %", &|group| share(group.classification_share), &|part| percent(part.classification_share));
    row("mixed %", &|group| share(group.mixed_share), &|_| String::new());
    format!("\nparts of the data (ZEST, Table 2)\n\n{}", table.render())
}
