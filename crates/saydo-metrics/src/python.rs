//! Text primitives of Python 3.11, which every reference scorer leans on.
//!
//! Rust's own primitives come close but not all the way: `char::is_whitespace` lacks four separators, `\w` of the usual
//! regex crates counts combining marks, `f64::from_str` refuses `1_000` and `٥`. One oddity changes a score, so each
//! primitive is written to agree with CPython on every character, and tests hold it there.
//! Rules P1 to P6, P8 and P10 of docs/metrics.md.

mod case;
mod float;
mod punctuation;
mod random;
mod repr;
mod round;
mod space;
mod unicode14;
mod word;

pub use case::lower;
pub use float::{is_number, parse_float};
pub use punctuation::{PUNCTUATION, is_punctuation};
pub use random::Random;
pub use repr::float_repr;
pub use round::round2;
pub use space::{is_space, split_space, squeeze_space, strip};
pub use word::is_word;
