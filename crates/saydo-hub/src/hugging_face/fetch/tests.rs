//! Fetching from a server on this machine that answers as the hub does.

use super::*;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

const COMMIT: &str = "0123456789012345678901234567890123456789";
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A repository `owner/repo`: path, what is listed as its size, what is sent, and its ETag.
type Files = &'static [(&'static str, u64, &'static str, &'static str)];

/// Serves the files until the test ends; returns the address.
fn serve(files: Files) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::spawn(move || answer(stream, files));
        }
    });
    address
}

fn answer(mut stream: TcpStream, files: Files) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut request = String::new();
    reader.read_line(&mut request).unwrap();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (status, etag, body) = respond(target.split('?').next().unwrap(), files);
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\nETag: \"{etag}\"\r\nX-Repo-Commit: {COMMIT}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    if method != "HEAD" {
        stream.write_all(body.as_bytes()).unwrap();
    }
}

fn respond(target: &str, files: Files) -> (&'static str, &'static str, String) {
    if let Some(path) = target.strip_prefix(&format!("/owner/repo/resolve/{COMMIT}/")) {
        let file = files.iter().find(|(name, ..)| *name == path);
        return file
            .map_or(("404 Not Found", "", String::new()), |(_, _, body, etag)| ("200 OK", *etag, body.to_string()));
    }
    match target {
        "/api/models/owner/repo/revision/main" => ("200 OK", "", format!("{{\"sha\": \"{COMMIT}\"}}")),
        _ if target.starts_with("/api/models/owner/repo/tree/") => {
            let file = |(path, size, ..): &(&str, u64, &str, &str)| {
                format!("{{\"type\": \"file\", \"oid\": \"1\", \"size\": {size}, \"path\": \"{path}\"}}")
            };
            let folder = "{\"type\": \"directory\", \"oid\": \"1\", \"path\": \"sub\"}".to_owned();
            let entries: Vec<String> = files.iter().map(file).chain([folder]).collect();
            ("200 OK", "", format!("[{}]", entries.join(",")))
        }
        _ => ("404 Not Found", "", "{\"error\": \"Repository not found\"}".to_owned()),
    }
}

/// A cache, and access to a server with these files.
fn access(files: Files) -> (tempfile::TempDir, Access) {
    let cache = tempfile::tempdir().unwrap();
    let access = Access { cache: cache.path().to_owned(), endpoint: Some(serve(files)), offline: false };
    (cache, access)
}

fn get(text: &str, access: &Access) -> Result<PathBuf, Error> {
    fetch(&text.parse().unwrap(), access, &mut |progress| assert!(progress.done <= progress.total))
}

#[test]
fn the_only_gguf_file_lands_in_the_cache_and_is_found_there() {
    let (cache, access) = access(&[("README.md", 2, "hi", "r"), ("sub/w.gguf", 3, "abc", ABC)]);
    let path = get("owner/repo", &access).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"abc");
    assert!(path.ends_with(format!("snapshots/{COMMIT}/sub/w.gguf")));
    assert!(!path.parent().unwrap().parent().unwrap().join("README.md").exists());
    let offline = Access { offline: true, endpoint: None, ..access };
    for text in ["owner/repo", "owner/repo/sub/w.gguf"] {
        assert_eq!(get(text, &offline).unwrap(), path);
        assert_eq!(cached(&text.parse().unwrap(), cache.path()).unwrap(), path);
    }
    assert!(matches!(get("owner/other", &offline), Err(Error::Offline { .. })));
}

#[test]
fn safetensors_land_in_one_folder() {
    let (_cache, access) = access(&[
        ("config.json", 2, "{}", "c"),
        ("model[1].safetensors", 1, "w", "w"),
        ("tokenizer.json", 2, "[]", "t"),
        ("pytorch_model.bin", 1, "p", "p"),
    ]);
    let folder = get("owner/repo", &access).unwrap();
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["config.json", "model[1].safetensors", "tokenizer.json"]);
}

#[test]
fn a_file_that_arrives_damaged_is_removed() {
    let (_cache, access) = access(&[("a.gguf", 4, "abc", "a"), ("b.gguf", 3, "abd", ABC)]);
    let message = |text: &str| get(text, &access).unwrap_err().to_string();
    insta::assert_snapshot!(message("owner/repo/a.gguf"), @"a.gguf from Hugging Face arrived damaged: it has 3 bytes, expected 4; it was removed again");
    assert!(message("owner/repo/b.gguf").contains(
        "its SHA-256 is a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, expected ba7816bf"
    ));
    let offline = Access { offline: true, ..access.clone() };
    assert!(matches!(get("owner/repo/a.gguf", &offline), Err(Error::Offline { .. })));
}

#[test]
fn what_is_not_there_is_said() {
    let (_cache, access) = access(&[("a.gguf", 3, "abc", "a"), ("b.gguf", 3, "abc", "a")]);
    let message = |text: &str| get(text, &access).unwrap_err().to_string();
    insta::assert_snapshot!(message("owner/repo"), @"owner/repo on Hugging Face holds no model that can be loaded: it has 2 .gguf files, expected the name of one of them: a.gguf, b.gguf");
    insta::assert_snapshot!(message("owner/repo/c.gguf"), @"owner/repo on Hugging Face holds no model that can be loaded: it has no file c.gguf");
    insta::assert_snapshot!(message("owner/missing"), @"cannot fetch owner/missing from Hugging Face");
}

#[test]
fn a_file_past_the_cache_lands_where_it_was_asked_for() {
    let (cache, access) = access(&[("sub/w.gguf", 3, "abc", "a")]);
    let folder = tempfile::tempdir().unwrap();
    let reference = "owner/repo/sub/w.gguf".parse().unwrap();
    for _ in 0..2 {
        let path = fetch_into(&reference, folder.path(), &access, &mut |_| ()).unwrap();
        assert!(path.starts_with(folder.path()));
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        fs::write(&path, "left behind by a killed transfer").unwrap();
    }
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
}
