//! Holds the outputs printed in `docs/layouts.md` to what the layouts give.

use saydo_encode::{EncodeOptions, Layout, encode_task};
use saydo_task::source::Source;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/layouts.md");

/// The last fenced block of this kind in a piece of the page.
fn block<'p>(piece: &'p str, kind: &str) -> Option<&'p str> {
    let (_, rest) = piece.rsplit_once(&format!("```{kind}\n"))?;
    rest.split_once("\n```").map(|(block, _)| block)
}

#[test]
fn every_layout_is_shown_with_its_prompt() {
    let toml = block(PAGE, "toml").expect("the page shows a task");
    let source = Source::from_bytes(Path::new("animals.toml"), toml.into()).expect("the task is text");
    let tasks = saydo_task::format::toml::read(&source).into_tasks().expect("the task is valid");
    for named in Layout::names() {
        let (_, section) = PAGE.split_once(&format!("### `{}`\n", named.name)).expect(named.name);
        let section = section.split("\n#").next().unwrap_or(section);
        let prompts = encode_task(&tasks[0], &named.layout(), &EncodeOptions::default()).expect(named.name);
        let prompt = prompts[0].1.text();
        assert_eq!(block(section, "text"), Some(&*prompt), "{}: the prompt is\n{prompt}", named.name);
        let number = named.number.map_or(String::new(), |number| format!("{number} "));
        assert!(PAGE.contains(&format!("| `{}` | {number}|", named.name)), "{} is not in the table", named.name);
    }
}
