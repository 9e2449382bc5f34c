//! Fetching from a server on this machine that answers as the hub does.

use super::*;
use crate::tests::fake_server::{Answer, Asked, FakeServer};
use saydo_file::digest;
use std::fs;
use std::time::Duration;

const COMMIT: &str = "0123456789012345678901234567890123456789";
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A repository `owner/repo`: path, what is listed as its size, what is sent, and its ETag.
type Files = &'static [(&'static str, u64, &'static str, &'static str)];

/// Answers as the hub does: the commit of a branch, its files in two pages, and the files. Large ones are stored under their
/// SHA-256, others under the name that git has for them.
fn respond(asked: &Asked, files: Files) -> Answer {
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    if let Some(path) = path.strip_prefix(&format!("owner/repo/resolve/{COMMIT}/")) {
        return match files.iter().find(|(name, ..)| *name == path) {
            Some((_, _, body, etag)) => Answer::ranged(body.as_bytes(), &format!("\"{etag}\""), asked),
            None => Answer::new(404, ""),
        };
    }
    let listed = |(path, size, _, etag): &(&str, u64, &str, &str)| {
        let lfs = if digest::is_sha256(etag) { format!(", \"lfs\": {{\"oid\": \"{etag}\"}}") } else { String::new() };
        let oid = digest::of(path).hex()[..40].to_owned();
        format!("{{\"type\": \"file\", \"oid\": \"{oid}\", \"size\": {size}, \"path\": \"{path}\"{lfs}}}")
    };
    let folder = "{\"type\": \"directory\", \"oid\": \"1\", \"path\": \"sub\"}".to_owned();
    let tree = format!("api/models/owner/repo/tree/{COMMIT}");
    match path {
        "api/models/owner/repo/revision/main" => Answer::ok(format!("{{\"sha\": \"{COMMIT}\"}}")),
        _ if path == tree && query.contains("cursor") => {
            Answer::ok(format!("[{}]", files[1..].iter().map(listed).chain([folder]).collect::<Vec<_>>().join(",")))
        }
        _ if path == tree => Answer::ok(format!("[{}]", listed(&files[0])))
            .with("Link", format!("</{tree}?recursive=true&cursor=1>; rel=\"next\"")),
        _ => Answer::new(404, "{\"error\": \"Repository not found\"}"),
    }
}

/// A server, a cache, and access to both.
struct Scratch {
    server: FakeServer,
    cache: tempfile::TempDir,
    access: Access,
}

impl Scratch {
    fn new(files: Files) -> Self {
        Self::with(move |asked, _| respond(asked, files))
    }

    fn with(script: impl Fn(&Asked, usize) -> Answer + Send + Sync + 'static) -> Self {
        let (server, cache) = (FakeServer::start(script), tempfile::tempdir().unwrap());
        let transfer =
            Transfer { max_retries: 0, first_pause: Duration::ZERO, system_proxy: false, ..Transfer::default() };
        let (endpoint, folder) = (Some(server.at("")), cache.path().to_owned());
        let access = Access { cache: folder, endpoint, token: None, offline: false, transfer };
        Self { server, cache, access }
    }

    fn offline(&self) -> Access {
        Access { offline: true, endpoint: None, ..self.access.clone() }
    }

    fn repository(&self) -> PathBuf {
        self.cache.path().join("models--owner--repo")
    }
}

fn get(text: &str, access: &Access) -> Result<PathBuf, Error> {
    fetch(&text.parse().unwrap(), access, &mut |progress| assert!(progress.done <= progress.total))
}

#[test]
fn the_only_gguf_file_lands_in_the_cache_and_is_found_there() {
    let scratch = Scratch::new(&[("README.md", 2, "hi", "r"), ("sub/w.gguf", 3, "abc", ABC)]);
    let path = get("owner/repo", &scratch.access).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"abc");
    assert!(path.ends_with(format!("snapshots/{COMMIT}/sub/w.gguf")));
    assert!(!path.parent().unwrap().parent().unwrap().join("README.md").exists());
    let offline = scratch.offline();
    for text in ["owner/repo", "owner/repo/sub/w.gguf"] {
        assert_eq!(get(text, &offline).unwrap(), path);
        assert_eq!(cached(&text.parse().unwrap(), scratch.cache.path()).unwrap(), path);
    }
    assert!(matches!(get("owner/other", &offline), Err(Error::Offline { .. })));
}

#[test]
fn safetensors_land_in_one_folder() {
    let scratch = Scratch::new(&[
        ("config.json", 2, "{}", "c"),
        ("model[1].safetensors", 1, "w", "w"),
        ("tokenizer.json", 2, "[]", "t"),
        ("pytorch_model.bin", 1, "p", "p"),
    ]);
    let folder = get("owner/repo", &scratch.access).unwrap();
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["config.json", "model[1].safetensors", "tokenizer.json"]);
}

#[test]
fn a_file_that_arrives_damaged_is_removed() {
    let scratch = Scratch::new(&[("a.gguf", 4, "abc", "a"), ("b.gguf", 3, "abd", ABC)]);
    let message = |text: &str| get(text, &scratch.access).unwrap_err().to_string();
    insta::assert_snapshot!(message("owner/repo/a.gguf"), @"a.gguf from Hugging Face arrived damaged: it has 3 bytes, expected 4; it was removed again");
    assert!(message("owner/repo/b.gguf").contains(
        "its SHA-256 is a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, expected ba7816bf"
    ));
    let offline = scratch.offline();
    assert!(matches!(get("owner/repo/a.gguf", &offline), Err(Error::Offline { .. })));
}

#[test]
fn what_is_not_there_is_said() {
    let scratch = Scratch::new(&[("a.gguf", 3, "abc", "a"), ("b.gguf", 3, "abc", "a")]);
    let message = |text: &str| get(text, &scratch.access).unwrap_err().to_string();
    insta::assert_snapshot!(message("owner/repo"), @"owner/repo on Hugging Face holds no model that can be loaded: it has 2 .gguf files, expected the name of one of them: a.gguf, b.gguf");
    insta::assert_snapshot!(message("owner/repo/c.gguf"), @"owner/repo on Hugging Face holds no model that can be loaded: it has no file c.gguf");
    insta::assert_snapshot!(message("owner/missing"), @"cannot fetch owner/missing from Hugging Face");
}

#[test]
fn a_file_past_the_cache_lands_where_it_was_asked_for() {
    let scratch = Scratch::new(&[("sub/w.gguf", 3, "abc", "a")]);
    let folder = tempfile::tempdir().unwrap();
    let reference = "owner/repo/sub/w.gguf".parse().unwrap();
    for _ in 0..2 {
        let path = fetch_into(&reference, folder.path(), &scratch.access, &mut |_| ()).unwrap();
        assert!(path.starts_with(folder.path()));
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        fs::write(&path, "left behind by a killed transfer").unwrap();
    }
    assert_eq!(fs::read_dir(scratch.cache.path()).unwrap().count(), 0);
}

#[test]
fn the_cache_is_laid_out_as_the_tools_of_hugging_face_do() {
    let scratch = Scratch::new(&[("README.md", 2, "hi", "r"), ("sub/w.gguf", 3, "abc", ABC)]);
    let path = get("owner/repo", &scratch.access).unwrap();
    assert_eq!(fs::read_to_string(scratch.repository().join("refs/main")).unwrap(), COMMIT);
    assert_eq!(fs::read(scratch.repository().join("blobs").join(ABC)).unwrap(), b"abc");
    #[cfg(unix)]
    assert_eq!(fs::read_link(&path).unwrap(), PathBuf::from(format!("../../../blobs/{ABC}")));
    assert_eq!(fs::read_dir(scratch.repository().join("partial")).unwrap().count(), 0);
}

#[test]
fn what_another_tool_has_fetched_is_not_fetched_again_unless_it_is_damaged() {
    let scratch = Scratch::new(&[("w.gguf", 3, "abc", ABC)]);
    fs::create_dir_all(scratch.repository().join("blobs")).unwrap();
    let blob = scratch.repository().join("blobs").join(ABC);
    let fetches = || scratch.server.asked().iter().filter(|asked| asked.path.contains("resolve")).count();
    for (content, expected) in [("abc", 0), ("abd", 1), ("ab", 2)] {
        fs::write(&blob, content).unwrap();
        let path = get("owner/repo", &scratch.access).unwrap();
        assert_eq!((fs::read(&path).unwrap(), fetches()), (b"abc".to_vec(), expected), "{content}");
    }
}

#[test]
fn a_transfer_that_broke_off_goes_on_where_it_stopped() {
    let scratch = Scratch::with(|asked, number| {
        let answer = respond(asked, &[("README.md", 2, "hi", "r"), ("w.gguf", 3, "abc", ABC)]);
        if number == 3 { answer.cut_after(2) } else { answer }
    });
    let error = get("owner/repo", &scratch.access).unwrap_err();
    assert_eq!(error.to_string(), "cannot fetch owner/repo from Hugging Face");
    assert!(matches!(&error, Error::HuggingFace { source, .. } if matches!(**source, Error::Broken { .. })));
    assert_eq!(fs::read(get("owner/repo", &scratch.access).unwrap()).unwrap(), b"abc");
    let ranges: Vec<String> = scratch.server.asked().into_iter().filter_map(|asked| asked.range).collect();
    assert_eq!(ranges, ["bytes=2-"]);
}

#[test]
fn the_token_is_shown_to_the_hub_and_to_nobody_else() {
    let other = FakeServer::start(|asked, _| Answer::ranged(b"abc", "\"other\"", asked));
    let elsewhere = other.at("stored").replace("127.0.0.1", "localhost");
    let scratch = Scratch::with(move |asked, _| match asked.path.contains("resolve") {
        true => Answer::new(302, "").with("Location", elsewhere.clone()),
        false => respond(asked, &[("w.gguf", 3, "abc", ABC)]),
    });
    let access = Access { token: Some(Token("secret".to_owned())), ..scratch.access.clone() };
    assert!(!format!("{access:?}").contains("secret"));
    assert_eq!(fs::read(get("owner/repo", &access).unwrap()).unwrap(), b"abc");
    assert!(scratch.server.asked().iter().all(|asked| asked.authorization.as_deref() == Some("Bearer secret")));
    assert_eq!(other.asked().len(), 1);
    assert_eq!(other.asked()[0].authorization, None);
}

#[test]
fn a_list_that_would_write_elsewhere_or_goes_on_elsewhere_is_not_followed() {
    let escaping = Scratch::with(|asked, _| match asked.path.contains("/tree/") {
        true => Answer::ok(
            "[{\"type\": \"file\", \"path\": \"../w.gguf\", \"size\": 3, \"oid\": \"1\"}, \
             {\"type\": \"file\", \"path\": \"w.gguf\", \"size\": 3, \"oid\": \"../../x\"}]",
        ),
        false => respond(asked, &[]),
    });
    let error = get("owner/repo", &escaping.access).unwrap_err();
    assert!(error.to_string().ends_with("it has neither .gguf nor .safetensors files"), "{error}");
    let leading = Scratch::with(|asked, _| match asked.path.contains("/tree/") {
        true => Answer::ok("[]").with("Link", "<http://other.invalid/x>; rel=\"next\""),
        false => respond(asked, &[]),
    });
    let error = get("owner/repo", &leading.access).unwrap_err();
    assert!(error.to_string().ends_with("its list of files goes on at other.invalid"), "{error}");
}
