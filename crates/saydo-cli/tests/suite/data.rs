//! `saydo data`, with a server on loopback in the place of the datasets' homes and a catalog of three tiny datasets.

pub mod server;

use crate::run::{Outcome, outcome_of};
use flate2::Compression;
use flate2::write::GzEncoder;
use server::Server;
use std::fs;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const TASK: &str = "{\"id\": \"a\", \"question\": \"Is this a small file?\"}\n";

struct Scratch {
    folder: tempfile::TempDir,
    server: Server,
}

impl Scratch {
    fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a scratch folder"), server: Server::start() };
        let members = [("tiny-1.0/tasks/a.json", TASK), ("tiny-1.0/tasks/b.json", "{}"), ("tiny-1.0/README", "no")];
        scratch.server.put("tiny.zip", zip(&members));
        scratch.server.put("tiny.tar.gz", tar_gz(&members));
        scratch.server.put("tiny.json", TASK);
        let mut catalog = String::new();
        for (name, format, rest) in [
            ("tiny-zip", "zip", "strip = 1\nkeep = [\"tasks/\"]\nexpect = [\"tasks/a.json\"]"),
            ("tiny-tar", "tar.gz", "strip = 1\nkeep = [\"tasks/\"]\nexpect = [\"tasks/a.json\"]\npass = \"tasks\""),
            ("tiny-file", "file", "expect = [\"tiny.json\"]\npass = \"tiny.json\""),
        ] {
            let file = if format == "file" { "tiny.json".to_owned() } else { format!("tiny.{format}") };
            let address = scratch.server.at(&file);
            catalog += &format!(
                "[[dataset]]\nname = \"{name}\"\ndescription = \"A test\"\nlicense = \"MIT\"\nhomepage = \
                 \"https://example.org\"\naddresses = [\"{address}\"]\nfile = \"{file}\"\nformat = \"{format}\"\n\
                 max-bytes = 100000\n{rest}\n"
            );
        }
        fs::write(scratch.path("catalog.toml"), catalog).expect("the scratch folder is writable");
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(["data", "--catalog", "catalog.toml"]).args(arguments).current_dir(self.folder.path());
        for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"] {
            command.env_remove(variable);
        }
        command.env_remove("SAYDO_DATA_MIRROR").env("SAYDO_HOME", self.path("home")).stdin(Stdio::null());
        command
    }

    /// The scratch folder is `FOLDER` in messages, the server `SERVER`.
    fn outcome(&self, command: &mut Command) -> Outcome {
        let mut outcome = outcome_of(command);
        let (folder, server) = (self.folder.path().to_str().expect("a plain path"), self.server.at(""));
        for text in [&mut outcome.stdout, &mut outcome.stderr] {
            *text = text.replace(folder, "FOLDER").replace(&server, "SERVER/");
        }
        outcome
    }

    fn data(&self, arguments: &[&str]) -> Outcome {
        self.outcome(&mut self.command(arguments))
    }

    /// The text of a task of a dataset, if it is in place.
    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path("home/data").join(path)).ok()
    }

    fn row(&self, name: &str) -> serde_json::Value {
        let list = self.data(&["list", "--json"]);
        let list: Vec<serde_json::Value> = serde_json::from_str(&list.stdout).expect("--json prints JSON");
        list.into_iter().find(|row| row["name"] == name).expect("the catalog has it")
    }

    fn wait_until(&self, what: impl Fn(&Self) -> bool) {
        for _ in 0..1200 {
            if what(self) {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("it did not come to pass; the server was asked for {:?}", self.server.asked());
    }

    fn bytes_kept(&self, name: &str) -> u64 {
        fs::metadata(self.path(&format!("home/data/{name}.partial/download"))).map_or(0, |file| file.len())
    }
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        if let Some(target) = text.strip_prefix("-> ") {
            writer.add_symlink(*name, target, SimpleFileOptions::default()).expect("a new archive");
            continue;
        }
        writer.start_file(*name, SimpleFileOptions::default()).expect("a new archive");
        writer.write_all(text.as_bytes()).expect("memory is writable");
    }
    writer.finish().expect("memory is writable").into_inner()
}

fn tar_gz(members: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, text) in members {
        let mut header = tar::Header::new_gnu();
        let link = text.strip_prefix("-> ");
        let text = if link.is_some() { "" } else { text };
        if let Some(target) = link {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_link_name(target).expect("a short name");
        }
        // Into the header as it is: the library's own way refuses hostile names.
        header.as_gnu_mut().expect("it was made as one").name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(text.len() as u64);
        header.set_cksum();
        builder.append(&header, text.as_bytes()).expect("memory is writable");
    }
    builder.into_inner().and_then(GzEncoder::finish).expect("memory is writable")
}

#[test]
fn what_is_pulled_is_listed_verified_and_removed() {
    let scratch = Scratch::new();
    let outcome = scratch.data(&["pull", "tiny-zip", "tiny-tar", "tiny-file"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    insta::assert_snapshot!(outcome.stdout, @r"
    FOLDER/home/data/tiny-zip
    FOLDER/home/data/tiny-tar/tasks
    FOLDER/home/data/tiny-file/tiny.json
    ");
    let notes: Vec<&str> = outcome.stderr.lines().filter(|line| line.starts_with("tiny-file")).collect();
    insta::assert_snapshot!(notes.join("\n"), @r"
    tiny-file: fetching tiny.json (0 B of 49 B)
    tiny-file: checking (49 B of 49 B)
    tiny-file: unpacking tiny.json
    tiny-file was fetched and checked, license: MIT; pass it as --data
    ");
    for path in ["tiny-zip/tasks/a.json", "tiny-tar/tasks/a.json", "tiny-file/tiny.json"] {
        assert_eq!(scratch.text(path).unwrap(), TASK, "{path}");
    }
    assert_eq!(scratch.text("tiny-zip/README"), None);
    let list = scratch.data(&["list"]).stdout;
    insta::assert_snapshot!(list.lines().skip(2).collect::<Vec<_>>().join("\n"), @r"
    zest                              CC BY 4.0                                absent
    natural-instructions              Apache-2.0                               absent
    natural-instructions-predictions  Apache-2.0                               absent
    super-natural-instructions        Apache-2.0; instances as each task says  absent
    glue-diagnostic                   none stated                              absent
    snli                              CC BY-SA 4.0                             absent
    squad                             CC BY-SA 4.0                             absent
    tiny-zip                          MIT                                      present  51 B  FOLDER/home/data/tiny-zip
    tiny-tar                          MIT                                      present  51 B  FOLDER/home/data/tiny-tar/tasks
    tiny-file                         MIT                                      present  49 B  FOLDER/home/data/tiny-file/tiny.json
    ");
    let outcome = scratch.data(&["pull", "tiny-zip"]);
    assert_eq!((outcome.code, &*outcome.stdout), (0, "FOLDER/home/data/tiny-zip\n"));
    insta::assert_snapshot!(outcome.stderr, @"tiny-zip is already there; pass it as --data");
    assert_eq!(scratch.server.asked().len(), 3);
    insta::assert_snapshot!(scratch.data(&["verify"]).stdout, @r"
    name       state  files  problem
    --------------------------------
    tiny-zip   good       2
    tiny-tar   good       2
    tiny-file  good       1
    ");
    assert!(scratch.data(&["rm", "tiny-zip"]).stderr.starts_with("tiny-zip removed, "));
    let outcome = scratch.data(&["rm", "tiny-zip"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: the dataset `tiny-zip` is not there yet, expected it at FOLDER/home/data/tiny-zip
      hint: saydo data pull tiny-zip, or pass --data PATH to a copy you have
    ");
}

#[test]
fn damage_is_found_and_mended() {
    let scratch = Scratch::new();
    assert_eq!(scratch.data(&["verify", "tiny-tar"]).code, 1, "it is absent");
    assert_eq!(scratch.data(&["verify"]).code, 0, "nothing is there");
    assert_eq!(scratch.data(&["pull", "tiny-tar"]).code, 0);
    fs::write(scratch.path("home/data/tiny-tar/tasks/b.json"), "[]").unwrap();
    let outcome = scratch.data(&["verify", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, &rows[0]["state"]), (1, &"damaged".into()));
    assert!(rows[0]["problems"][0].as_str().unwrap().starts_with("tasks/b.json has SHA-256 "));
    fs::remove_file(scratch.path("home/data/tiny-tar/tasks/a.json")).unwrap();
    assert_eq!(scratch.row("tiny-tar")["problem"], "tasks/a.json is missing");
    assert!(scratch.data(&["verify"]).stdout.contains("tasks/a.json is missing (and 1 more)"));
    assert_eq!(scratch.data(&["pull", "tiny-tar"]).code, 0, "a damaged one is fetched again");
    assert_eq!(scratch.data(&["verify", "tiny-tar"]).code, 0);
}

#[test]
fn a_transfer_that_broke_off_goes_on_where_it_stopped() {
    let scratch = Scratch::new();
    scratch.server.behavior().breaking.insert("tiny.json".to_owned());
    let outcome = scratch.data(&["pull", "tiny-file", "--max-retries", "0"]);
    assert_eq!(outcome.code, 2);
    let error = outcome.stderr.split_once("error: ").unwrap().1;
    insta::assert_snapshot!(error, @r"
    cannot pull `tiny-file`, 24 bytes are there and kept
      because: the transfer from SERVER/tiny.json broke off: end of file before message length reached
      hint: run it again to resume
            or pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
    assert_eq!(scratch.text("tiny-file/tiny.json"), None);
    let row = scratch.row("tiny-file");
    assert_eq!((&row["state"], &row["bytes_here"]), (&"partly pulled".into(), &24.into()));
    let outcome = scratch.data(&["pull", "tiny-file"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("tiny-file: fetching tiny.json (24 B of 49 B)"), "{}", outcome.stderr);
    assert_eq!(scratch.text("tiny-file/tiny.json").unwrap(), TASK);
    assert_eq!(scratch.server.asked(), ["/tiny.json", "/tiny.json from 24"]);
}

#[test]
fn without_ranges_it_starts_again_and_retries_by_itself() {
    let scratch = Scratch::new();
    scratch.server.behavior().breaking.insert("tiny.zip".to_owned());
    scratch.server.behavior().knows_no_ranges = true;
    let outcome = scratch.data(&["pull", "tiny-zip"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(scratch.text("tiny-zip/tasks/a.json").unwrap(), TASK);
    assert_eq!(scratch.server.asked().len(), 2);
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let scratch = Scratch::new();
    scratch.server.behavior().holding = true;
    let mut pull = scratch.command(&["pull", "tiny-file"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    scratch.wait_until(|scratch| scratch.bytes_kept("tiny-file") == 24);
    pull.kill().unwrap();
    pull.wait().unwrap();
    scratch.server.behavior().holding = false;
    assert_eq!(scratch.text("tiny-file/tiny.json"), None);
    assert_eq!(scratch.data(&["pull", "tiny-file"]).code, 0);
    assert_eq!(scratch.text("tiny-file/tiny.json").unwrap(), TASK);
    assert_eq!(scratch.server.asked(), ["/tiny.json", "/tiny.json from 24"]);
}

#[test]
fn of_two_at_once_one_fetches_and_the_other_waits() {
    let scratch = Scratch::new();
    scratch.server.behavior().holding = true;
    let mut first =
        scratch.command(&["pull", "tiny-file"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    scratch.wait_until(|scratch| scratch.bytes_kept("tiny-file") == 24);
    let mut second =
        scratch.command(&["pull", "tiny-file"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(second.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "tiny-file: waiting for another process that pulls it");
    assert_eq!(scratch.data(&["rm", "tiny-file"]).stderr, "error: `tiny-file` is being pulled by another process\n");
    scratch.server.behavior().holding = false;
    assert!(first.wait().unwrap().success());
    assert_eq!(lines.next().unwrap(), "tiny-file is already there; pass it as --data");
    assert!(second.wait().unwrap().success());
    assert_eq!(scratch.server.asked().len(), 1);
}

#[test]
fn an_address_that_moved_and_a_server_that_is_not_there_say_what_to_do() {
    let scratch = Scratch::new();
    scratch.server.behavior().files.clear();
    let outcome = scratch.data(&["pull", "tiny-zip"]);
    assert_eq!(outcome.code, 2);
    insta::assert_snapshot!(outcome.stderr, @r"
    error: cannot pull `tiny-zip`
      because: SERVER/tiny.zip answered 404 Not Found
      hint: the address may have moved, https://example.org may say where to; pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outcome = scratch.data(&["pull", "tiny-zip", "--mirror", &format!("http://{free}/tiny.zip")]);
    assert_eq!(outcome.code, 2);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(lines[1].starts_with(&format!("  because: cannot reach {free}: ")), "{}", outcome.stderr);
    insta::assert_snapshot!(lines[2], @"  hint: pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere");
}

#[test]
fn a_page_or_a_hostile_archive_is_not_put_in_place() {
    let scratch = Scratch::new();
    scratch.server.put("tiny.zip", "<!DOCTYPE html><html><body>Please log in</body></html>");
    let outcome = scratch.data(&["pull", "tiny-zip"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("SERVER/tiny.zip gave a web page, expected a zip archive; nothing was put in place")
    );
    for (member, text, problem) in [
        ("../../../escaped", "evil", "would lead out of the folder"),
        ("/tmp/saydo-test-escaped", "evil", "would lead out of the folder"),
        ("tiny-1.0/tasks/link", "-> /etc", "is a link or a device"),
    ] {
        let members = [("tiny-1.0/tasks/a.json", TASK), (member, text)];
        scratch.server.put("tiny.zip", zip(&members));
        scratch.server.put("tiny.tar.gz", tar_gz(&members));
        for name in ["tiny-zip", "tiny-tar"] {
            let outcome = scratch.data(&["pull", name]);
            assert_eq!(outcome.code, 2, "{member}");
            assert!(outcome.stderr.contains(&format!("its member `{member}` {problem}")), "{}", outcome.stderr);
            assert_eq!(scratch.row(name)["state"], "absent");
        }
    }
    assert!(!scratch.path("escaped").exists() && !scratch.path("home/escaped").exists());
}

#[test]
fn other_bytes_than_a_known_sum_says_are_refused_from_a_mirror_too() {
    let scratch = Scratch::new();
    let outcome = scratch.data(&["pull", "squad", "--mirror", &scratch.server.at("tiny.json")]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("expected 95aa6a52"), "{}", outcome.stderr);
    assert_eq!(scratch.text("squad/dev-v1.1.json"), None);
}

#[test]
fn mirrors_and_proxies_are_taken_from_the_environment() {
    let scratch = Scratch::new();
    scratch.server.put("mirror/tiny.json", TASK);
    let mut command = scratch.command(&["pull", "tiny-file"]);
    command.env("SAYDO_DATA_MIRROR", scratch.server.at("mirror"));
    assert_eq!(scratch.outcome(&mut command).code, 0);
    let mut command = scratch.command(&["pull", "--force", "tiny-file", "--mirror", "http://data.invalid/tiny.json"]);
    command.env("http_proxy", scratch.server.at(""));
    assert_eq!(scratch.outcome(&mut command).code, 0);
    assert_eq!(scratch.server.asked(), ["/mirror/tiny.json", "http://data.invalid/tiny.json"]);
}

#[test]
fn what_cannot_be_pulled_says_why() {
    let scratch = Scratch::new();
    let error = |arguments: &[&str]| {
        let outcome = scratch.data(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        outcome.stderr
    };
    insta::assert_snapshot!(error(&["pull", "squat"]), @"error: no dataset is named `squat`, expected squad");
    insta::assert_snapshot!(error(&["pull", "zest", "snli", "--mirror", "http://127.0.0.1/x"]), @"error: --mirror http://127.0.0.1/x is the address of one file, expected one that ends in `/` for 2 datasets");
    let outcome = error(&["pull", "tiny-file", "--mirror", "tiny.json"]);
    assert!(outcome.contains("`tiny.json` is no address to fetch from, expected one that starts with"), "{outcome}");
    fs::write(scratch.path("catalog.toml"), "[[dataset]]\nname = 5\n").unwrap();
    assert!(error(&["list"]).starts_with("error: cannot read the catalog catalog.toml\n  because: "));
}
