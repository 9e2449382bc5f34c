//! What can go wrong between a description and an answer.

/// Why there is no function, or no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The task says nothing.
    #[error("the description is empty, expected a question or an instruction")]
    EmptyDescription,
    /// The model replied with something that is no answer of the task's kind.
    #[error("the reply is not {expected}: {reply:?}")]
    Unparsable {
        /// What the task asks for.
        expected: String,
        /// The beginning of the reply.
        reply: String,
    },
    /// The model failed.
    #[error(transparent)]
    Model(#[from] saydo_model::Error),
}
