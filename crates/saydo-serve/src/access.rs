//! Who may use a route.

/// Who may use a route. Everyone below includes everyone above, save that an owner does not do an annotator's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone who can reach the server.
    Anyone,
    /// The people who work on a project, each with a link of their own.
    Annotator,
    /// Whoever works here: annotators and the owner.
    Member,
    /// The one who runs the server.
    Owner,
}

impl Access {
    /// The word for it in documents.
    pub fn name(self) -> &'static str {
        match self {
            Access::Anyone => "anyone",
            Access::Annotator => "annotator",
            Access::Member => "member",
            Access::Owner => "owner",
        }
    }
}
