//! `saydo encode`.

use crate::run::saydo;

#[test]
fn prints_a_json_object_a_line_with_the_exact_prompt() {
    let arguments = ["encode", "--task", "zest/dev.jsonl", "--layout", "zest-t5", "--num-instances", "1", "--json"];
    let outcome = saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let first: serde_json::Value = serde_json::from_str(outcome.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["instance_index"], 0);
    let prompt = first["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("zest question: ") && prompt.ends_with("\n\n"), "{prompt}");
}

#[test]
fn an_unknown_element_is_met_with_the_known_ones() {
    let outcome = saydo(&["encode", "--task", "zest/dev.jsonl", "--elements", "Definition,Promt"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("unknown element `Promt`, expected one of `Definition`, `Prompt`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn lists_its_layouts() {
    let outcome = saydo(&["encode", "--list"]);
    assert!(outcome.stdout.contains("ni-full") && outcome.stdout.contains("tk-instruct"));
}

#[test]
fn underscores_in_flags_are_hyphens() {
    let outcome = saydo(&["encode", "--task", "zest/dev.jsonl", "--layout", "none", "--num_instances=1", "--json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}
