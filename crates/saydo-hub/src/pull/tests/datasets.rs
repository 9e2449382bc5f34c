//! Pulling from a server on loopback that behaves, breaks off, refuses or lies.

use crate::catalog::{Catalog, Dataset, Format};
use crate::download::{Client, Transfer, download};
use crate::error::Error;
use crate::pull::dataset::wanted;
use crate::pull::{Mirror, Options, Origin, Pulled, pull};
use crate::store::{State, Store, Verification};
use crate::tests::fake_server::{Answer, Asked, FakeServer};
use crate::unpack::tests::{gzip, tar_gz, zip};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

const TEXT: &str = "{\"data\": \"the first line of a small dataset\"}\n";
const TAG: &str = "\"v1\"";

fn impatient() -> Transfer {
    Transfer { max_retries: 0, first_pause: Duration::ZERO, system_proxy: false, ..Transfer::default() }
}

struct Scratch {
    /// Removed at the end; none if somebody else does that.
    _home: Option<tempfile::TempDir>,
    store: Store,
    entry: Dataset,
    mirror: Option<Mirror>,
    force: bool,
    transfer: Transfer,
}

impl Scratch {
    /// A dataset of one file at these addresses.
    fn new(addresses: Vec<String>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let scratch = Self::at(home.path(), addresses);
        Self { _home: Some(home), ..scratch }
    }

    fn at(home: &Path, addresses: Vec<String>) -> Self {
        let entry = Dataset {
            name: "tiny".to_owned(),
            homepage: "https://example.org".to_owned(),
            addresses,
            file: "a.json".to_owned(),
            format: Format::File,
            bytes: None,
            sha256: None,
            max_bytes: 1000,
            strip: 0,
            keep: Vec::new(),
            expect: vec!["a.json".to_owned()],
            pass: "a.json".to_owned(),
            ..Catalog::built_in().datasets.pop().unwrap()
        };
        Self { store: Store::new(home), _home: None, entry, mirror: None, force: false, transfer: impatient() }
    }

    fn pull(&self) -> Result<Pulled, Error> {
        let origin = Origin::Addresses { mirror: self.mirror.clone(), transfer: self.transfer.clone() };
        let options = Options { accept_terms: false, force: self.force, origin };
        pull(&self.entry, &self.store, &options, &mut |_| ())
    }

    fn text(&self) -> Option<String> {
        fs::read_to_string(self.store.path(&self.entry).join("a.json")).ok()
    }

    /// How a pull fails: the message, what is below it, and the hint.
    fn failure(&self) -> String {
        let error = self.pull().unwrap_err();
        let source = std::error::Error::source(&error).unwrap();
        format!("{error}\n{source}\n{}", error.hint().unwrap())
    }
}

fn ranged(asked: &Asked, _: usize) -> Answer {
    Answer::ranged(TEXT.as_bytes(), TAG, asked)
}

fn ranges(server: &FakeServer) -> Vec<Option<String>> {
    server.asked().into_iter().map(|asked| asked.range).collect()
}

#[test]
fn every_format_is_fetched_unpacked_and_recorded() {
    let members = [("top/a.json", TEXT), ("top/b/c.json", "{}")];
    for (format, body, strip) in [
        (Format::Zip, zip(&members), 1),
        (Format::TarGz, tar_gz(&members), 1),
        (Format::Gz, gzip(TEXT.as_bytes()), 0),
        (Format::File, TEXT.into(), 0),
    ] {
        let bytes = body.len() as u64;
        let server = FakeServer::start(move |asked, _| Answer::ranged(&body, TAG, asked));
        let mut scratch = Scratch::new(vec![server.at("x")]);
        scratch.entry.format = format;
        scratch.entry.strip = strip;
        let path = scratch.store.path_to_pass(&scratch.entry);
        assert_eq!(scratch.pull().unwrap(), Pulled::Fetched(path.clone()), "{format:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), TEXT);
        assert!(!scratch.store.partial_folder(&scratch.entry).exists());
        let record = scratch.store.record(&scratch.entry).unwrap();
        assert_eq!((record.address, record.bytes, record.etag.unwrap()), (server.at("x"), bytes, TAG.to_owned()));
        assert_eq!(scratch.pull().unwrap(), Pulled::AlreadyThere(path));
        assert_eq!(server.asked().len(), 1, "what is there is not fetched again");
    }
}

#[test]
fn a_transfer_that_broke_off_goes_on_where_it_stopped() {
    let server = FakeServer::start(|asked, number| match number {
        0 => ranged(asked, 0).cut_after(10),
        _ => ranged(asked, number),
    });
    let scratch = Scratch::new(vec![server.at("a.json")]);
    let failure = scratch.failure().replace(&server.at(""), "SERVER/");
    insta::assert_snapshot!(failure, @r"
    cannot pull `tiny`, 10 bytes are there and kept
    the transfer from SERVER/a.json broke off: end of file before message length reached
    run it again to resume
    or pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Partial { bytes: 10 });
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), TEXT);
    let second = server.asked().remove(1);
    assert_eq!((second.range.unwrap(), second.if_range.unwrap()), ("bytes=10-".to_owned(), TAG.to_owned()));
}

#[test]
fn within_one_pull_a_broken_transfer_is_gone_on_with_too() {
    let server = FakeServer::start(|asked, number| match number {
        0 | 1 => ranged(asked, number).cut_after(10),
        2 => Answer::new(503, "later"),
        _ => ranged(asked, number),
    });
    let mut scratch = Scratch::new(vec![server.at("a.json")]);
    scratch.transfer.max_retries = 3;
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), TEXT);
    let expected = [None, Some("bytes=10-"), Some("bytes=20-"), Some("bytes=20-")];
    assert_eq!(ranges(&server), expected.map(|range| range.map(str::to_owned)));
}

#[test]
fn a_server_without_ranges_is_asked_for_everything_again() {
    let server = FakeServer::start(|_, number| {
        let answer = Answer::ok(TEXT).with("ETag", TAG);
        if number == 0 { answer.cut_after(10) } else { answer }
    });
    let scratch = Scratch::new(vec![server.at("a.json")]);
    assert!(scratch.pull().is_err());
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), TEXT);
    assert_eq!(ranges(&server), [None, Some("bytes=10-".to_owned())]);
}

#[test]
fn parts_of_different_files_are_never_joined() {
    // The file changes after the first attempt; the server says so by its tag, or has no tag at all.
    for tag in [Some(TAG), None] {
        let server = FakeServer::start(move |asked, number| match (number, tag) {
            (0, Some(tag)) => Answer::ok("{\"old\": \"a file that was there before\"}").with("ETag", tag).cut_after(10),
            (0, None) => Answer::ok("{\"old\": \"a file that was there before\"}").cut_after(10),
            _ => Answer::ranged(TEXT.as_bytes(), "\"v2\"", asked),
        });
        let scratch = Scratch::new(vec![server.at("a.json")]);
        assert!(scratch.pull().is_err());
        scratch.pull().unwrap();
        assert_eq!(scratch.text().unwrap(), TEXT);
        assert_eq!(ranges(&server), [None, tag.map(|_| "bytes=10-".to_owned())]);
    }
}

#[test]
fn a_server_that_goes_on_at_the_wrong_place_is_not_believed() {
    let server = FakeServer::start(|asked, number| match number {
        0 => ranged(asked, 0).cut_after(10),
        1 => Answer::new(206, &TEXT[5..]).with("Content-Range", format!("bytes 5-{}/{}", TEXT.len() - 1, TEXT.len())),
        2 => ranged(asked, 2).cut_after(10),
        3 => Answer::new(416, "").with("Content-Range", "bytes */5"),
        _ => ranged(asked, number),
    });
    let mut scratch = Scratch::new(vec![server.at("a.json")]);
    scratch.transfer.max_retries = 4;
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), TEXT);
    let expected = [None, Some("bytes=10-"), None, Some("bytes=10-"), None];
    assert_eq!(ranges(&server), expected.map(|range| range.map(str::to_owned)));
}

#[test]
fn a_pull_killed_after_the_transfer_does_not_fetch_again() {
    let server = FakeServer::start(ranged);
    let scratch = Scratch::new(vec![server.at("a.json")]);
    let folder = scratch.store.partial_folder(&scratch.entry);
    fs::create_dir_all(folder.join("unpacked")).unwrap();
    fs::write(folder.join("unpacked/a.json"), "half").unwrap();
    let (client, address) = (Client::new(&impatient(), None).unwrap(), server.at("a.json"));
    download(wanted(&scratch.entry, &address), &folder, &client, &mut |_, _| ()).unwrap();
    scratch.pull().unwrap();
    assert_eq!((scratch.text().unwrap().as_str(), server.asked().len()), (TEXT, 1));
    // Without its note that it is whole, the server says that nothing is missing.
    let again = Scratch::new(vec![server.at("a.json")]);
    let folder = again.store.partial_folder(&again.entry);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("download"), TEXT).unwrap();
    let origin = format!("{{\"address\": \"{}\", \"etag\": {TAG:?}}}", server.at("a.json"));
    fs::write(folder.join("download.json"), origin).unwrap();
    again.pull().unwrap();
    assert_eq!(again.text().unwrap(), TEXT);
    assert_eq!(ranges(&server), [None, Some(format!("bytes={}-", TEXT.len()))]);
}

#[test]
fn a_file_that_is_gone_says_that_the_address_may_have_moved() {
    let server = FakeServer::start(|_, _| Answer::new(404, "no such page"));
    let scratch = Scratch::new(vec![server.at("user/a.json?key=secret")]);
    insta::assert_snapshot!(scratch.failure().replace(&server.at(""), "SERVER/"), @r"
    cannot pull `tiny`
    SERVER/user/a.json answered 404 Not Found
    the address may have moved, https://example.org may say where to; pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent);
}

#[test]
fn nobody_there_says_what_to_do_without_network() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let scratch = Scratch::new(vec![format!("http://{address}/a.json")]);
    let failure = scratch.failure().replace(&address.to_string(), "HOST");
    let failure = failure.lines().map(|line| line.split(": ").next().unwrap()).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(failure, @r"
    cannot pull `tiny`
    cannot reach HOST
    pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
}

#[test]
fn the_next_address_is_tried_when_one_does_not_give_the_file() {
    let page = "<!doctype html><title>moved</title>";
    let server = FakeServer::start(move |asked, number| match asked.path.as_str() {
        "gone" => Answer::new(404, ""),
        "page" => Answer::ok(page),
        _ => ranged(asked, number),
    });
    let mut scratch = Scratch::new(vec![server.at("gone"), server.at("page"), server.at("a.json")]);
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), TEXT);
    scratch.entry.addresses.pop();
    scratch.force = true;
    insta::assert_snapshot!(scratch.failure().replace(&server.at(""), "SERVER/"), @r"
    cannot pull `tiny`
    none of 2 addresses gave it
        SERVER/gone answered 404 Not Found
        SERVER/page gave a web page, expected the data themselves; nothing was put in place
    https://example.org may say what changed; pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere
    ");
    assert_eq!(scratch.text().unwrap(), TEXT, "what was there stays");
}

#[test]
fn a_page_instead_of_an_archive_is_not_put_in_place() {
    let server = FakeServer::start(|_, _| Answer::ok("<html><body>Log in</body></html>").with("ETag", TAG));
    let mut scratch = Scratch::new(vec![server.at("a.zip")]);
    scratch.entry.format = Format::Zip;
    assert!(scratch.failure().contains("gave a web page, expected a zip archive; nothing was put in place"));
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent, "it is not resumed");
    assert!(scratch.pull().is_err());
    assert_eq!(ranges(&server), [None, None]);
}

#[test]
fn other_bytes_than_the_catalog_says_are_not_put_in_place() {
    let server = FakeServer::start(ranged);
    let mut scratch = Scratch::new(vec![server.at("a.json")]);
    scratch.entry.sha256 = Some("0".repeat(64));
    let failure = scratch.failure();
    assert!(failure.contains(&format!("expected {}; nothing was put in place", "0".repeat(64))), "{failure}");
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent);
}

#[test]
fn more_bytes_than_allowed_are_not_fetched() {
    for announced in [true, false] {
        let server = FakeServer::start(move |_, _| Answer { announced, ..Answer::ok(TEXT.repeat(100)) });
        let scratch = Scratch::new(vec![server.at("a.json")]);
        let failure = scratch.failure();
        assert!(failure.contains("a.json has more than 1000 bytes, the most that `tiny` may have"), "{failure}");
        assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent);
    }
}

#[test]
fn a_hostile_archive_leaves_nothing_behind() {
    let body = zip(&[("a.json", TEXT), ("../../escaped", "evil")]);
    let server = FakeServer::start(move |asked, _| Answer::ranged(&body, TAG, asked));
    let mut scratch = Scratch::new(vec![server.at("a.zip")]);
    scratch.entry.format = Format::Zip;
    assert!(scratch.failure().contains("`../../escaped` would lead out of the folder; nothing was put in place"));
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent);
    let left: Vec<_> = fs::read_dir(scratch.store.path(&scratch.entry).parent().unwrap())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, [".tiny.lock"]);
}

#[test]
fn redirects_are_followed_but_not_in_a_circle() {
    let server = FakeServer::start(|asked, number| match asked.path.as_str() {
        "a.json" => Answer::new(302, "").with("Location", "/b.json"),
        "round" => Answer::new(302, "").with("Location", "/round"),
        _ => ranged(asked, number),
    });
    let scratch = Scratch::new(vec![server.at("a.json")]);
    scratch.pull().unwrap();
    assert_eq!(scratch.store.record(&scratch.entry).unwrap().address, server.at("a.json"));
    let failure = Scratch::new(vec![server.at("round")]).failure();
    assert!(failure.contains("round leads elsewhere: more than 10 times"), "{failure}");
}

#[test]
fn a_mirror_takes_the_place_of_the_addresses() {
    let server = FakeServer::start(ranged);
    for (mirror, path) in [
        (Mirror::File(server.at("my/copy")), "my/copy"),
        (Mirror::Folder(server.at("mirror/")), "mirror/a.json"),
        (Mirror::Folder(server.at("mirror")), "mirror/a.json"),
    ] {
        let mut scratch = Scratch::new(vec!["http://127.0.0.1:1/never".to_owned()]);
        scratch.mirror = Some(mirror);
        scratch.pull().unwrap();
        assert_eq!(server.asked().pop().unwrap().path, path);
    }
    let mut scratch = Scratch::new(Vec::new());
    scratch.mirror = Some(Mirror::File("somewhere".to_owned()));
    assert!(scratch.failure().contains("`somewhere` is no address to fetch from"));
}

#[test]
fn force_fetches_again_and_damage_is_mended() {
    let server = FakeServer::start(|_, number| Answer::ok(format!("{{\"number\": {number}}}")));
    let mut scratch = Scratch::new(vec![server.at("a.json")]);
    scratch.pull().unwrap();
    fs::write(scratch.store.path(&scratch.entry).join("mine.txt"), "added").unwrap();
    fs::write(scratch.store.path(&scratch.entry).join("a.json"), "cut").unwrap();
    assert!(matches!(scratch.pull(), Ok(Pulled::Fetched(_))), "sizes tell that it is damaged");
    assert_eq!(scratch.text().unwrap(), "{\"number\": 1}");
    scratch.force = true;
    scratch.pull().unwrap();
    assert_eq!(scratch.text().unwrap(), "{\"number\": 2}");
}

#[test]
fn of_several_at_once_one_fetches_and_the_others_wait() {
    let server = FakeServer::start(ranged);
    let scratch = Scratch::new(vec![server.at("a.json")]);
    let outcomes: Vec<Pulled> = std::thread::scope(|scope| {
        let pulls: Vec<_> = (0..4).map(|_| scope.spawn(|| scratch.pull().unwrap())).collect();
        pulls.into_iter().map(|pull| pull.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Pulled::Fetched(_))).count(), 1);
    assert_eq!(server.asked().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_of_a_pull_leaves_the_old_or_the_new_dataset() {
    use saydo_file::fault::{Trial, at_every_step};
    const NEW: &str = "{\"data\": \"another\"}\n";
    let server = FakeServer::start(|asked, _| match asked.path.as_str() {
        "old" => Answer::ranged(TEXT.as_bytes(), TAG, asked),
        _ => Answer::ranged(NEW.as_bytes(), "\"v2\"", asked),
    });
    let home = tempfile::tempdir().unwrap();
    let pull = |folder: &Path, name: &str| {
        let mut scratch = Scratch::at(folder, vec![server.at(name)]);
        scratch.force = true;
        scratch.pull().map(|_| ())
    };
    let after = |folder: &Path, trial: &Trial<Error>| {
        let scratch = Scratch::at(folder, vec![server.at("new")]);
        let state = scratch.store.state(&scratch.entry).unwrap();
        assert!(matches!(state, State::Present { .. }), "{trial}: {state:?}");
        let found = scratch.text().unwrap();
        assert!(found == TEXT || found == NEW, "{trial}: {found:?}");
        assert!(trial.outcome.is_err() || found == NEW, "{trial}: it said that it had pulled");
        let verified = scratch.store.verify(&scratch.entry, &mut |_| ()).unwrap();
        assert!(matches!(verified, Verification::Good { .. }), "{trial}: {verified:?}");
        pull(folder, "new").unwrap();
        assert_eq!(scratch.text().unwrap(), NEW, "{trial}");
    };
    let before = |folder: &Path| pull(folder, "old").unwrap();
    let points = at_every_step("dataset pull", home.path(), before, |folder| pull(folder, "new"), after);
    assert!(points >= 10, "{points}");
}
