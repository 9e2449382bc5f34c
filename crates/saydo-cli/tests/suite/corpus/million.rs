//! A million short rows: memory stays flat, and a finished run opens again in seconds.

use super::{QUESTION, Scratch, texts};
use std::time::Instant;

#[test]
#[ignore = "takes a minute; run with `cargo test --release -p saydo-cli --test suite -- --ignored --nocapture million`"]
fn a_million_rows() {
    let scratch = Scratch::new(0);
    scratch.write("docs.jsonl", &texts(1_000_000));
    for name in ["first.jsonl", "again.jsonl"] {
        let begun = Instant::now();
        let arguments = ["run", QUESTION, "docs.jsonl", "-m", "scripted", "-o", name];
        let outcome = scratch.saydo(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        println!("{name}: {:.1} s\n{}", begun.elapsed().as_secs_f64(), outcome.stderr);
    }
    assert_eq!(scratch.read("first.jsonl"), scratch.read("again.jsonl"));
}
