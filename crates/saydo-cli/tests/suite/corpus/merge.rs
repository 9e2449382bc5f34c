//! Shards and what joins them.

use super::{QUESTION, Scratch, parse};

fn shard(scratch: &Scratch, shard: &str, out: &str) {
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "scripted", "--shard", shard, "-o", out];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn shards_joined_equal_the_whole() {
    let whole = Scratch::new(50).rows(&[]);
    let scratch = Scratch::new(50);
    for (part, out) in [("1/3", "1.jsonl"), ("2/3", "2.jsonl"), ("3/3", "3.jsonl")] {
        shard(&scratch, part, out);
    }
    let outcome = scratch.saydo(&["merge", "1.jsonl", "2.jsonl", "3.jsonl", "-o", "all.jsonl"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, "50 rows are in all.jsonl\n"));
    assert_eq!(parse(&scratch.read("all.jsonl")), whole);
    let outcome = scratch.saydo(&["merge", "1.jsonl", "3.jsonl", "-o", "some.jsonl"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: 2 parts were given, but their rows stand 3 apart in the input, expected 3 parts
      hint: name the outputs of all shards, in their order
    ");
    assert!(!scratch.at("some.jsonl").exists());
}

#[test]
fn shards_in_one_run_folder_need_no_model_afterwards() {
    let scratch = Scratch::new(20);
    shard(&scratch, "1/2", "1.csv");
    let run = scratch.in_run("");
    let run = run.to_str().unwrap();
    let outcome = scratch.saydo(&["merge", run]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: of 2 shards these are missing: 2
      hint: run the shard again: it resumes
    ");
    shard(&scratch, "2/2", "2.csv");
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted"]);
    assert!(outcome.stderr.contains("20 answers not computed anew"), "{}", outcome.stderr);
    let outcome = scratch.saydo(&["merge", run, "-o", "joined"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("20 answers are in joined;"), "{}", outcome.stderr);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let scratch = Scratch::new(1);
    insta::assert_snapshot!(scratch.saydo(&["merge", "a.jsonl", "-o", "b.jsonl"]).stderr, @"error: a.jsonl does not exist, expected an output or the folder of a run");
    insta::assert_snapshot!(scratch.saydo(&["merge", "docs.jsonl"]).stderr, @"error: nothing says where to write, expected -o OUT");
    insta::assert_snapshot!(scratch.saydo(&["merge", "docs.jsonl", ".", "-o", "b.jsonl"]).stderr, @"error: files and folders together cannot be joined, expected outputs or folders of runs");
}
