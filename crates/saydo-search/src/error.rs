//! What can go wrong with a search.

/// Why nothing could be searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The search engine failed.
    #[error("the search engine failed")]
    Engine(#[from] tantivy::TantivyError),
}
