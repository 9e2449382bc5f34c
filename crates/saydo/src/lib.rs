//! Say it, and it is done; then know how often it is done right: the library.
//!
//! A task described in plain words becomes a function over text. [`open`] a model, make a [`Function`] of a description, and
//! ask it about a text, or about a corpus of any size:
//!
//! ```
//! // `scripted` stands for a real model, such as `qwen2.5-coder-1.5b`.
//! let session = saydo::open("scripted")?;
//! let dogs = session.function("Are dogs allowed?")?;
//! let outcome = dogs.answer("Leashed dogs are welcome on all trails.")?;
//! println!("{} ({:?})", saydo::answer_text(&outcome.answer), outcome.confidence);
//! # Ok::<(), saydo::Error>(())
//! ```
//!
//! | Module | Holds |
//! | --- | --- |
//! | [`session`] | from what a user writes for a model to a model that can be asked |
//! | [`task`] | from what a user writes for a task to tasks |
//! | [`answering`] | the one loop that has questions answered |
//! | [`job`] | whole jobs: typed settings in, typed reports out |
//! | [`record`] | what a run leaves on disk: folder, ledger, batch files, joined shards |
//! | [`environment`] | the one place that asks the environment |
//!
//! Before a description is applied to many documents, [`check`] says how often it is right on a few labelled ones. [`evaluate`]
//! runs a model through a protocol of the papers, and [`train`] fine-tunes one.
//!
//! A model of one's own implements [`Model`], a metric [`Scorer`], a format of documents
//! [`Reader`]; `examples/` shows that and more.

pub mod answering;
pub mod environment;
mod error;
mod function;
pub mod job;
#[doc(hidden)]
pub mod nearest;
pub mod reader;
pub mod record;
#[doc(hidden)]
pub mod schema;
mod scorer;
pub mod session;
mod speed;
pub mod task;

pub use error::Error;
pub use function::{Function, Over};
pub use job::check::check;
pub use job::eval::evaluate;
pub use job::train::train;
pub use reader::Reader;
pub use saydo_corpus::{Cell, Corpus, Document, Options as CorpusOptions, Row, Status};
pub use saydo_function::Outcome;
pub use saydo_model::Model;
pub use saydo_protocol::labelled::{LabelledRow, read_labelled};
pub use saydo_task::{Answer, Task};
pub use scorer::{Score, Scorer};
pub use session::{ModelSpec, Session};

/// Opens a model as the `saydo` program would, with models in the folder that the environment names: a name of the catalog, a
/// path, `hf:owner/repo[/file]`, `openai:NAME`, or `scripted` for trying out. [`ModelSpec`] says everything else.
///
/// ```
/// let session = saydo::open("scripted")?;
/// assert_eq!(session.name, "scripted");
/// assert!(saydo::open("no-such-model").is_err());
/// # Ok::<(), saydo::Error>(())
/// ```
pub fn open(model: &str) -> Result<Session, Error> {
    ModelSpec::of_environment(model)?.open()
}

/// An answer in words: `n/a`, a label, spans with `; ` between them, or records as JSON.
///
/// ```
/// use saydo::Answer;
///
/// assert_eq!(saydo::answer_text(&Answer::Na), "n/a");
/// assert_eq!(saydo::answer_text(&Answer::Label("yes".to_owned())), "yes");
/// ```
pub fn answer_text(answer: &Answer) -> String {
    match answer {
        Answer::Na => saydo_function::form::NA.to_owned(),
        Answer::Label(text) | Answer::Text(text) => text.clone(),
        Answer::Spans(spans) => {
            let texts: Vec<&str> = spans.iter().map(|span| span.text.as_str()).collect();
            texts.join(saydo_function::form::SPAN_SEPARATOR)
        }
        Answer::Records(_) => answer.to_json().to_string(),
    }
}
