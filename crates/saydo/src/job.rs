//! Whole jobs: typed settings in, typed reports out; printing is the program's.

pub mod run;
