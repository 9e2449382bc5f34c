//! What can go wrong in this crate.

use crate::gguf::GgufError;
use crate::tokenizer::TokenizerError;
use std::path::PathBuf;

/// Why a model, its tokenizer or its chat template could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system could not read a file.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system could not write a file.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file's content is wrong.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A GGUF file is malformed, or lacks what was asked of it.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// The bytes of a tensor are wrong.
    #[error(transparent)]
    Quant(#[from] crate::quant::Error),
    /// A safetensors file is malformed.
    #[error("the safetensors header cannot be read")]
    Safetensors(#[source] safetensors::SafeTensorError),
    /// An adapter's file is not what it should be.
    #[error("the adapter has {0}")]
    AdapterFile(String),
    /// An adapter changes a layer that the model does not have.
    #[error("the adapter changes {name:?}, which the model does not have; it was learned for another model")]
    AdapterLayer {
        /// The layer's name.
        name: String,
    },
    /// A tensor that the architecture needs is not in the file.
    #[error("there is no tensor {name:?}")]
    MissingTensor {
        /// The tensor's name.
        name: String,
    },
    /// Two files of a model hold a tensor of the same name.
    #[error("tensor {name:?} stands in two files")]
    RepeatedTensor {
        /// The tensor's name.
        name: String,
    },
    /// A tensor has another shape than the settings ask for.
    #[error("tensor {name:?} has the shape {found:?}, expected {expected:?}")]
    TensorShape {
        /// The tensor's name.
        name: String,
        /// Its shape, slowest dimension first.
        found: Vec<usize>,
        /// The shape that follows from the settings.
        expected: Vec<usize>,
    },
    /// A tensor's numbers are stored in a way we do not read.
    #[error("tensor {name:?} is stored as {found}, expected F32, F16 or BF16")]
    TensorType {
        /// The tensor's name.
        name: String,
        /// How it is stored.
        found: String,
    },
    /// A setting of the architecture is missing or wrong.
    #[error("setting {key:?} is {found}, expected {expected}")]
    Setting {
        /// The setting's name.
        key: String,
        /// Its value, as JSON.
        found: String,
        /// What would do.
        expected: &'static str,
    },
    /// JSON cannot be parsed.
    #[error("the file is not valid JSON")]
    Json(#[source] serde_json::Error),
    /// The file's architecture is not among ours.
    #[error("the architecture is {found:?}, expected one of {}", expected.join(", "))]
    Architecture {
        /// What the file says.
        found: String,
        /// The architectures we have.
        expected: &'static [&'static str],
    },
    /// The tensor library refused an operation.
    #[error("a tensor operation failed")]
    Tensor(#[from] candle_core::Error),
    /// A number that should be a token is not in the vocabulary.
    #[error("token {token} is outside the vocabulary of {size}")]
    UnknownToken {
        /// The number.
        token: u32,
        /// How many tokens there are.
        size: usize,
    },
    /// A prompt, or a prompt with its continuation, is longer than the model's context.
    #[error("the prompt has {tokens} tokens, expected fewer than the model's context of {context}")]
    PromptTooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// The model's context.
        context: usize,
    },
    /// Nobody waits for the result any more.
    #[error("nobody waits for the result any more")]
    Unwanted,
    /// A prompt has no token, and the model puts none before it.
    #[error("the prompt is empty, expected at least one token")]
    EmptyPrompt,
    /// A continuation to score has no token.
    #[error("a continuation is empty, expected at least one token")]
    EmptyContinuation,
    /// A conversation was asked of a model without a chat template.
    #[error("the model has no chat template, expected a plain prompt")]
    NoChatTemplate,
    /// One request alone needs more keys and values than may be held.
    #[error("the request needs {needed} bytes of keys and values, expected at most the budget of {budget}")]
    CacheBudget {
        /// Bytes needed.
        needed: usize,
        /// Bytes allowed.
        budget: usize,
    },
    /// Settings of random choice are out of range.
    #[error("temperature {temperature} and top-p {top_p}, expected a temperature above 0 and a top-p in (0, 1]")]
    Sampling {
        /// The temperature.
        temperature: f64,
        /// The part of the probability to consider.
        top_p: f64,
    },
    /// Settings of beam search are out of range.
    #[error(
        "beam width {width} and length penalty {length_penalty}, expected a width of at least 1 and a finite penalty"
    )]
    BeamSearch {
        /// How many beams.
        width: usize,
        /// The power of a reply's length.
        length_penalty: f64,
    },
    /// No token can come next: the constraint allows none, or the network gave no numbers.
    #[error("no token can come next")]
    NoToken,
    /// A pass over the network failed, so that none of the replies in flight can be finished.
    #[error("the network could not be computed: {message}")]
    Pass {
        /// What went wrong.
        message: String,
    },
    /// A constraint cannot be kept.
    #[error(transparent)]
    Guide(#[from] saydo_guide::Error),
    /// The tokenizer knows tokens that the network does not.
    #[error("the tokenizer has {tokens} tokens, expected at most the {rows} rows of the token embedding")]
    Vocabulary {
        /// Tokens of the tokenizer.
        tokens: usize,
        /// Rows of the embedding.
        rows: usize,
    },
    /// A vocabulary cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// A chat template is malformed.
    #[error("the chat template cannot be parsed")]
    TemplateSyntax(#[source] minijinja::Error),
    /// A chat template failed on a conversation.
    #[error("the chat template cannot be rendered")]
    TemplateRender(#[source] minijinja::Error),
    /// A model cannot do what was asked of it.
    #[error("{what} is not supported; {advice}")]
    Unsupported {
        /// What was asked.
        what: String,
        /// What to do instead.
        advice: String,
    },
    /// A served model failed; the error is that of the crate that talks to its server.
    #[error(transparent)]
    Server(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// This error, said of the file at `path`.
    pub(crate) fn in_file(self, path: impl Into<PathBuf>) -> Self {
        Self::File { path: path.into(), source: Box::new(self) }
    }
}
