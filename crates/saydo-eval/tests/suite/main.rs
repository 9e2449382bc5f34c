//! Scores of every protocol, worked out by hand on small data of our own and computed by the reference programs on more.

mod conformance;
mod natural_instructions;
mod outside;
mod super_natural_instructions;
mod turking;
