//! The protocols as runs, on small data of our own and on what the papers released.

mod outside;
mod run;
