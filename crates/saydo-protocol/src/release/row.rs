//! A row for each pair of task and passage. ZEST's own lines hold an answer or a list of answers, which tables cannot: here
//! every row has the same fields with the same types.

use saydo_task::Task;
use serde_json::json;

/// The rows of some tasks, a line of JSON each; without answers unless they are to be shown.
pub(super) fn lines(tasks: &[Task], with_answers: bool) -> String {
    let mut text = String::new();
    for task in tasks {
        let origin = &task.origin;
        for (number, instance) in task.instances.iter().enumerate() {
            let shown = |answers: &[String]| if with_answers { answers.to_vec() } else { Vec::new() };
            let row = json!({
                "id": format!("{}-{number}", task.id),
                "task": task.id,
                "question": task.definition.as_deref().unwrap_or_default(),
                "generalization_type": origin.generalization.as_ref().map_or("", |kind| kind.key()),
                "domain": origin.domain.first().map(String::as_str).unwrap_or_default(),
                "derives_from": origin.derives_from,
                "context": instance.input,
                "answers": shown(&instance.outputs),
                "all_answers": shown(&instance.all_answers),
            });
            text += &format!("{row}\n");
        }
    }
    text
}

/// A field of the rows: its name, whether it is a list of texts, and what it holds.
pub(super) const FIELDS: [(&str, bool, &str); 9] = [
    ("id", false, "The row's own id."),
    ("task", false, "The id of the task in ZEST's files."),
    ("question", false, "The task: a question that is asked of every passage of it."),
    ("generalization_type", false, "normal, paraphrase, target_semantics, combination or structure."),
    ("domain", false, "What the passages are about."),
    ("derives_from", true, "The ids of the tasks that this one was made from."),
    ("context", false, "The passage."),
    ("answers", true, "Answers that count as right, the aggregated one first; none in the test part."),
    ("all_answers", true, "What each annotator answered; none in the test part."),
];
