//! What can go wrong between a description and an answer.

use saydo_task::AnswerKind;

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
        /// Pieces of it that the document does not hold; 0 if it is unparsable for another reason.
        ungrounded: usize,
    },
    /// The task leaves no room for documents.
    #[error(
        "the task takes {frame} tokens and a reply up to {reply}, which leaves no room for documents in a context of {context}"
    )]
    NoRoom {
        /// Tokens of the prompt without its document.
        frame: usize,
        /// Tokens kept for the reply.
        reply: usize,
        /// Tokens the model can take.
        context: usize,
    },
    /// There is not one reply for each window.
    #[error("the document has {expected} windows, found {found} replies")]
    Replies {
        /// The document's windows.
        expected: usize,
        /// The replies.
        found: usize,
    },
    /// The model failed.
    #[error(transparent)]
    Model(#[from] saydo_model::Error),
}

impl Error {
    /// A reply that is no answer of this kind.
    pub(crate) fn unparsable(kind: &AnswerKind, reply: &str, ungrounded: usize) -> Self {
        let expected = match kind {
            AnswerKind::YesNo => "yes, no or NA",
            AnswerKind::Label(_) => "one of the task's labels",
            AnswerKind::Spans => "text of the document",
            AnswerKind::Records(_) => "a JSON list of records from the document",
            AnswerKind::Text => "text",
        };
        let reply = reply.char_indices().nth(REPLY_CHARS).map_or(reply, |(end, _)| &reply[..end]);
        Self::Unparsable { expected: expected.to_owned(), reply: reply.to_owned(), ungrounded }
    }
}

/// Enough of a reply to see what it is.
const REPLY_CHARS: usize = 120;
