//! What is left when part of the input is taken away: ZEST's Table 5.

use crate::Task;
use serde::{Deserialize, Serialize};

/// Which part of the input is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ablation {
    /// The question without the passage.
    QuestionOnly,
    /// The passage without the question.
    ContextOnly,
}

/// What stands for a passage that is left out, where a function needs one: on an empty text it says NA without asking.
pub const NO_PASSAGE: &str = "(The passage is left out.)";
/// What stands for a question that is left out, where a function needs one.
pub const NO_QUESTION: &str = "Answer the question about this passage.";

impl Ablation {
    /// The tasks with that part taken away.
    pub fn apply(self, mut tasks: Vec<Task>, is_held: bool) -> Vec<Task> {
        let (passage, question) = if is_held { (NO_PASSAGE, NO_QUESTION) } else { ("", "") };
        for task in &mut tasks {
            match self {
                Ablation::QuestionOnly => {
                    task.instances.iter_mut().for_each(|instance| instance.input = passage.to_owned());
                }
                Ablation::ContextOnly => {
                    // The kind of answer is part of what the question says, and is not given away.
                    task.answer = None;
                    task.definition = Some(question.to_owned());
                    task.prompt = None;
                }
            }
        }
        tasks
    }
}
