//! Scores of every protocol, worked out by hand on small data of our own and computed by the reference programs on more; and
//! the protocols as runs, on the same data and on what the papers released.

mod conformance;
mod natural_instructions;
mod outside;
mod reading;
mod run;
mod super_natural_instructions;
mod turking;
