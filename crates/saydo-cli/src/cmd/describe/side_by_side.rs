//! The instructions of a category's tasks, element by element.

use saydo::task::side_by_side::Instruction;
use std::fmt::Write as _;

/// Element by element, a line for each task.
pub fn report(category: &str, instructions: &[Instruction<'_>]) -> String {
    let mut out = format!("{category}: {} tasks, element by element\n", instructions.len());
    type Element = for<'i> fn(&'i Instruction<'_>) -> Option<&'i str>;
    let elements: [(&str, Element); 7] = [
        ("title", |task| task.title),
        ("prompt", |task| task.prompt),
        ("definition", |task| task.definition),
        ("things to avoid", |task| task.things_to_avoid),
        ("emphasis & caution", |task| task.emphasis),
        ("first positive example", |task| task.positive.as_deref()),
        ("first negative example", |task| task.negative.as_deref()),
    ];
    for (name, element) in elements {
        let _ = writeln!(out, "\n{name}\n");
        for task in instructions {
            let text = element(task).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            let source = task.dataset.map(|dataset| format!(" ({dataset})")).unwrap_or_default();
            let _ = writeln!(out, "  {}{source}: {}", task.task, text.as_deref().unwrap_or("-"));
        }
    }
    out
}
