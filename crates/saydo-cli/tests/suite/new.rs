//! `saydo new`.

use crate::run::{saydo, saydo_in};

#[test]
fn what_new_writes_is_linted_without_errors() {
    let folder = tempfile::tempdir().unwrap();
    let descriptions = [
        ("Are dogs allowed?", "yes-no"),
        ("Is the review positive, negative or neutral?", "label"),
        ("List the hikes.", "spans"),
        ("What waterfall hikes are there in this national park, and are they wheelchair accessible?", "records"),
        ("Summarize the review in \"one\" sentence.\nBe brief.", "text"),
        ("这只狗多大？", "spans"),
    ];
    for (number, (description, kind)) in descriptions.into_iter().enumerate() {
        let file = format!("task-{number}.toml");
        let outcome = saydo_in(folder.path(), &["new", description, "-o", &file]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{}", outcome.stderr);
        assert!(outcome.stderr.starts_with(&format!("kind of answer: {kind}, because ")), "{}", outcome.stderr);
        let text = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(text.contains(&format!("kind = \"{kind}\"")), "{text}");
    }
    let outcome = saydo_in(folder.path(), &["lint", "."]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
}

#[test]
fn the_file_holds_title_definition_and_fields() {
    let outcome = saydo(&["new", "List the hikes with their length and whether dogs are allowed."]);
    insta::assert_snapshot!(outcome.stdout, @r#"
    id = "list-the-hikes-with-their-length-and-whether-dogs-are"
    title = "List the hikes with their length and whether dogs are…"
    definition = "List the hikes with their length and whether dogs are allowed."

    [answer]
    kind = "records"

    [answer.fields]
    hike = "span"
    length = "span"
    "dogs allowed" = "yes-no"
    "#);
    insta::assert_snapshot!(outcome.stderr, @r"
    kind of answer: records, because it asks for several things: `hike`, `length`, `dogs allowed`
      hike = span
      length = span
      dogs allowed = yes-no
    to change it: --kind, --label LABEL, --field NAME=KIND, or [answer] in the file
    ");
}

#[test]
fn flags_win_over_what_is_inferred() {
    let outcome = saydo(&["new", "Is it good?", "--label", "good", "--label", "so-so", "--title", "Quality"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("title = \"Quality\"\n") && outcome.stdout.contains("kind = \"label\""));
    assert!(!outcome.stderr.contains("because"), "{}", outcome.stderr);
    let outcome = saydo(&["new", "List the hikes.", "--field", "hike=span", "--field", "is it long=yes-no"]);
    assert!(outcome.stdout.contains("kind = \"records\"") && outcome.stdout.contains("\"is it long\" = \"yes-no\""));
    let outcome = saydo(&["new", "List the hikes.", "--kind", "text"]);
    assert!(outcome.stdout.contains("kind = \"text\""), "{}", outcome.stdout);
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    for (arguments, message, hint) in [
        (&["new", " "][..], "the description is empty", "say what to do"),
        (&["new", "Is it good?", "--kind", "label"], "found 0 labels, expected at least two", "--label positive"),
        (&["new", "Is it good?", "--label", "a", "--label", "a"], "the label `a` is given twice", "once"),
        (&["new", "List the hikes.", "--kind", "records"], "names no fields", "--field hike=span"),
        (&["new", "Hikes", "--kind", "spans", "--field", "a=span"], "only records have fields", "--kind records"),
    ] {
        let outcome = saydo(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        let (error, rest) = outcome.stderr.split_once("\n  hint: ").expect("there is a hint");
        assert!(error.starts_with("error: ") && error.contains(message), "{}", outcome.stderr);
        assert!(rest.contains(hint), "{}", outcome.stderr);
    }
    assert_eq!(saydo(&["new", "Hikes", "--field", "a=b"]).code, 2);
}

#[test]
fn a_file_that_is_there_is_kept_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("task.toml");
    std::fs::write(&path, "mine").unwrap();
    let outcome = saydo_in(folder.path(), &["new", "Are dogs allowed?", "-o", "task.toml"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("hint: --force replaces it"), "{}", outcome.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let outcome = saydo_in(folder.path(), &["new", "Are dogs allowed?", "-o", "task.toml", "--force"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("id = \"task\"\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
