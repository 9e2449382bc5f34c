//! What can stop the scoring of the Turking Test, and where.

/// Why predictions could not be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read, or its content is wrong.
    #[error(transparent)]
    Input(#[from] saydo_task::Error),
    /// A gold instance is not one of the Turking Test.
    #[error("task `{task}`, instance `{id}`: the input follows no template, expected one of the Turking Test")]
    UnknownInstruction {
        /// The task's id.
        task: String,
        /// The instance's id.
        id: String,
    },
    /// A gold instance of a task with right and wrong answers has no output.
    #[error("task `{task}`, instance `{id}`: no output, expected the gold answer")]
    NoGold {
        /// The task's id.
        task: String,
        /// The instance's id.
        id: String,
    },
    /// Two gold instances have the same id.
    #[error("instance `{id}` stands twice in the gold tasks, expected each id once")]
    RepeatedInstance {
        /// The id.
        id: String,
    },
    /// The gold tasks have no instance.
    #[error("the gold tasks hold no instance, expected at least one")]
    NoInstance,
    /// No instance has a prediction.
    #[error("there is no prediction for any instance, expected at least one")]
    NoPrediction,
    /// No output belongs to a task that is to be judged.
    #[error("there is no output to judge, expected at least one of the tasks asked for")]
    NothingToJudge,
    /// Outputs cannot be dealt out in this way.
    #[error(
        "{per_judge} outputs for each judge with an overlap of {overlap}, expected at least 1 and an overlap from 0 to 1"
    )]
    BadPlan {
        /// The most outputs of a task for each judge.
        per_judge: usize,
        /// The share of outputs that two judges get.
        overlap: f64,
    },
    /// Every row of the filled sheets is blank.
    #[error("no row is judged, expected yes or no in at least one")]
    NoJudgement,
}
