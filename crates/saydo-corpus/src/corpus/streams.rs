//! What is not a regular file gives its bytes once: each of them must become part of a document.

use super::tests::{folder, gzip, with_column};
use super::*;
use crate::Format;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;

fn named_pipe(path: &Path) -> String {
    let made = Command::new("mkfifo").arg(path).status().expect("there is a mkfifo");
    assert!(made.success());
    path.display().to_string()
}

/// Writes to a pipe as a command in a shell's `<(…)` does: opened once, a part at a time, closed at the end.
fn write_in_parts(path: &str, bytes: &[u8]) -> thread::JoinHandle<()> {
    let (path, bytes) = (PathBuf::from(path), bytes.to_vec());
    thread::spawn(move || {
        let mut pipe = File::options().write(true).open(path).expect("a reader opens it");
        for part in bytes.chunks(1000) {
            pipe.write_all(part).expect("the reader reads it all");
        }
    })
}

/// The texts of what comes through a pipe of this name.
fn texts(name: &str, format: Option<Format>, bytes: &[u8]) -> Vec<String> {
    let folder = folder(&[]);
    let path = named_pipe(&folder.path().join(name));
    let writer = write_in_parts(&path, bytes);
    let options = Options { format, ..Options::default() };
    let corpus = Corpus::open(&[path], &options).expect("it can be read");
    assert_eq!(corpus.progress().bytes_total(), None);
    let texts = corpus.map(|document| document.expect("it is whole").text).collect();
    writer.join().expect("all of it was read");
    texts
}

#[test]
fn every_row_of_a_pipe_is_read_whatever_its_format() {
    for count in [1, 500, 3000] {
        let expected: Vec<String> = (0..count).map(|row| format!("row {row}")).collect();
        let lines: String = expected.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect();
        let table: String = expected.iter().map(|text| format!("{text}\n")).collect();
        let table = format!("text\n{table}");
        let array = serde_json::to_string(&expected).expect("texts are JSON");
        assert_eq!(texts("pipe", Some(Format::JsonLines), lines.as_bytes()), expected);
        assert_eq!(texts("pipe", None, lines.as_bytes()), expected, "looked at, as standard input is");
        assert_eq!(texts("pipe.jsonl", None, lines.as_bytes()), expected);
        assert_eq!(texts("pipe.jsonl.gz", None, &gzip(lines.as_bytes())), expected);
        assert_eq!(texts("pipe", None, &gzip(lines.as_bytes())), expected);
        assert_eq!(texts("pipe", Some(Format::Csv), table.as_bytes()), expected);
        assert_eq!(texts("pipe.tsv", None, table.as_bytes()), expected);
        assert_eq!(texts("pipe.json", None, array.as_bytes()), expected);
        assert_eq!(texts("pipe.txt", None, table.as_bytes()), [table]);
    }
}

#[test]
fn a_parquet_file_that_comes_through_a_pipe_is_put_aside_and_read() {
    let stored: Vec<Option<String>> = (0..2000).map(|row| Some(format!("row {row}"))).collect();
    let column = properties::text_columns(&stored).swap_remove(0);
    let bytes = properties::parquet_file(&stored, column);
    let expected: Vec<String> = stored.into_iter().flatten().collect();
    assert_eq!(texts("pipe.parquet", None, &bytes), expected);
    assert_eq!(texts("pipe", None, &bytes), expected);
}

#[test]
fn pipes_are_opened_one_after_the_other() {
    let folder = folder(&[("file.txt", b"file")]);
    let pipes = ["a.txt", "b.txt"].map(|name| named_pipe(&folder.path().join(name)));
    let [first, second] = pipes.clone();
    // One process that writes the second when the first is done, as scripts do.
    let writer = thread::spawn(move || {
        for (path, text) in [(first, "first"), (second, "second")] {
            fs::write(path, text).expect("a reader opens it");
        }
    });
    let inputs = [pipes[0].clone(), folder.path().join("file.txt").display().to_string(), pipes[1].clone()];
    let corpus = Corpus::open(&inputs, &Options::default()).expect("they can be read");
    let texts: Vec<String> = corpus.map(|document| document.expect("it is whole").text).collect();
    assert_eq!(texts, ["first", "file", "second"]);
    writer.join().expect("both were read");
}

#[test]
fn faults_of_a_pipe_that_comes_first_are_known_at_once() {
    let folder = folder(&[]);
    let path = named_pipe(&folder.path().join("pipe.jsonl"));
    let writer = write_in_parts(&path, b"{\"title\":\"t\"}\n");
    let error = Corpus::open(&[path], &with_column("text")).expect_err("there is no such column");
    assert!(error.to_string().contains("has no column `text`, expected one of: title"), "{error}");
    writer.join().expect("it was read");
}

#[test]
fn a_pipe_can_be_neither_counted_nor_named_in_two_ways() {
    let folder = folder(&[]);
    let path = named_pipe(&folder.path().join("pipe"));
    let half = Options { limit: Some(Limit::Fraction(0.5)), ..Options::default() };
    let error = Corpus::open(std::slice::from_ref(&path), &half).expect_err("it cannot be counted");
    assert!(error.to_string().ends_with("pipe, a stream that cannot be counted beforehand"), "{error}");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let error = Corpus::open(&[path.clone(), link.display().to_string()], &Options::default());
    let error = error.expect_err("it is the same pipe").to_string().replace(&folder.path().display().to_string(), "");
    assert_eq!(error, "/pipe and /link are the same stream, which can be read only once");
    assert_eq!(crate::first_stream(&["-".to_owned()]), Some("-"));
    assert_eq!(crate::first_stream(&[folder.path().display().to_string(), path.clone()]), Some(path.as_str()));
}

#[test]
fn pipes_in_folders_are_not_waited_for() {
    let folder = folder(&[("a.txt", b"A")]);
    named_pipe(&folder.path().join("b.txt"));
    let corpus = Corpus::open(&[folder.path().display().to_string()], &Options::default()).expect("there is a text");
    assert_eq!((corpus.skipped(), corpus.count()), (1, 1));
}

#[test]
fn waiting_for_a_pipe_ends_with_a_stop() {
    let folder = folder(&[("a.txt", b"A")]);
    let silent = named_pipe(&folder.path().join("silent.jsonl"));
    let inputs = [folder.path().join("a.txt").display().to_string(), silent];
    let stop = Arc::new(AtomicBool::new(false));
    let corpus = Corpus::open(&inputs, &Options::default()).expect("there is a text");
    let mut documents = corpus.until(Arc::clone(&stop));
    assert_eq!(documents.next().expect("the file").expect("it is whole").text, "A");
    let later = thread::spawn(move || stop.store(true, Ordering::Relaxed));
    assert_eq!(documents.next(), None, "nobody ever writes to the pipe");
    later.join().expect("it only sets a switch");
}
