//! Drives the real binary in scratch folders. One test binary, a module per concern.

mod analyses;
mod bad_input;
mod bench;
mod config;
mod convert;
mod corpus;
mod data;
mod did_you_mean;
#[cfg(unix)]
mod documents;
mod encode;
mod eval;
mod judge;
mod lint;
#[cfg(unix)]
mod models;
mod new;
mod reading;
mod release;
mod report;
mod run;
mod score;
#[cfg(unix)]
mod serve;
mod split;
mod train;
