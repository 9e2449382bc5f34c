//! What is mistyped is refused with what may be meant: commands, flags, files, models, protocols, presets, keys of a file.

use crate::run::saydo_in;

#[test]
fn every_mistyped_name_comes_with_the_nearest_one() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in [
        ("labelled.jsonl", "{\"text\": \"Dogs are welcome.\", \"answer\": \"yes\"}\n"),
        ("hikes.toml", "definition = \"List the hikes.\"\n"),
        ("settings.toml", "[check]\nthreshhold = 0.5\n"),
    ] {
        std::fs::write(folder.path().join(name), text).expect("the folder is writable");
    }
    for (words, meant) in [
        ("chekc x", "similar subcommand exists: 'check'"),
        ("check x --treshold 1", "similar argument exists: '--threshold'"),
        ("check x labeled.jsonl -m scripted", "did you mean labelled.jsonl?"),
        ("check hike.toml labelled.jsonl -m scripted", "did you mean hikes.toml?"),
        ("run x labeled.jsonl -m scripted", "did you mean labelled.jsonl?"),
        ("run x labelled.jsonl -m smolm2-135m", "expected smollm2-135m"),
        ("eval zst --data labelled.jsonl -m scripted", "did you mean zest?"),
        ("train --data hikes.toml -o out --preset zest-brt", "did you mean zest-bart?"),
        ("check x labelled.jsonl -C settings.toml", "did you mean `threshold`?"),
        ("check x labelled.jsonl -C setings.toml", "did you mean settings.toml?"),
        ("data pull zst", "expected zest"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let outcome = saydo_in(folder.path(), &words);
        assert_eq!(outcome.code, 2, "{words:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(meant), "{words:?}: {}", outcome.stderr);
    }
}
