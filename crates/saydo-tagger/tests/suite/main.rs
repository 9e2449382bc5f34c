//! What the weights promise on sentences they have not seen.

mod outside;
