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
    /// A vocabulary cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// A chat template is malformed.
    #[error("the chat template cannot be parsed")]
    TemplateSyntax(#[source] minijinja::Error),
    /// A chat template failed on a conversation.
    #[error("the chat template cannot be rendered")]
    TemplateRender(#[source] minijinja::Error),
}

impl Error {
    /// This error, said of the file at `path`.
    pub(crate) fn in_file(self, path: impl Into<PathBuf>) -> Self {
        Self::File { path: path.into(), source: Box::new(self) }
    }
}
