//! Archives as honest and as hostile people make them.

use super::*;
use crate::Catalog;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use tar::{EntryType, Header};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn dataset(format: Format) -> Dataset {
    let zest = Catalog::built_in().datasets.remove(0);
    let file = match format {
        Format::Zip => "tiny.zip",
        Format::TarGz => "tiny.tar.gz",
        Format::Gz => "a.txt.gz",
        Format::File => "a.txt",
    };
    Dataset {
        file: file.to_owned(),
        format,
        strip: 1,
        keep: vec!["a.txt".to_owned(), "data/".to_owned()],
        expect: vec!["a.txt".to_owned()],
        max_bytes: 1000,
        ..zest
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zip archive; a member whose text begins with `-> ` is a link.
pub(crate) fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in members {
        match text.strip_prefix("-> ") {
            Some(target) => writer.add_symlink(*name, target, SimpleFileOptions::default()).unwrap(),
            None => {
                writer.start_file(*name, SimpleFileOptions::default()).unwrap();
                writer.write_all(text.as_bytes()).unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

/// A tar archive in gzip; links as in [`zip`], hard ones with `=> `.
pub(crate) fn tar_gz(members: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in members {
        let mut header = Header::new_gnu();
        // Written into the header as it is: the library's own ways refuse hostile names.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        let link = text.strip_prefix("-> ").map(|target| (EntryType::Symlink, target));
        let link = link.or_else(|| text.strip_prefix("=> ").map(|target| (EntryType::Link, target)));
        let text = if let Some((kind, target)) = link {
            header.set_entry_type(kind);
            header.set_link_name(target).unwrap();
            ""
        } else {
            header.set_entry_type(if name.ends_with('/') { EntryType::Directory } else { EntryType::Regular });
            text
        };
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, text.as_bytes()).unwrap();
    }
    gzip(&builder.into_inner().unwrap())
}

struct Unpacked {
    scratch: tempfile::TempDir,
    outcome: Result<Vec<FileRecord>, Error>,
}

impl Unpacked {
    fn paths(&self) -> Vec<&str> {
        self.outcome.as_ref().unwrap().iter().map(|file| file.path.as_str()).collect()
    }

    fn error(&self) -> String {
        self.outcome.as_ref().unwrap_err().to_string()
    }
}

fn unpacked(dataset: &Dataset, bytes: &[u8]) -> Unpacked {
    let scratch = tempfile::tempdir().unwrap();
    let (file, folder) = (scratch.path().join("download"), scratch.path().join("deep/unpacked"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(&file, bytes).unwrap();
    let outcome = unpack(dataset, &file, &folder, &mut |_, _| ());
    Unpacked { scratch, outcome }
}

const MEMBERS: [(&str, &str); 4] =
    [("top/data/b.txt", "bbb"), ("top/a.txt", "aa"), ("top/README", "no"), ("__MACOSX/top/a.txt", "x")];

#[test]
fn what_is_kept_loses_its_leading_folder_and_the_rest_is_left() {
    for (format, bytes) in [(Format::Zip, zip(&MEMBERS)), (Format::TarGz, tar_gz(&MEMBERS))] {
        let unpacked = unpacked(&dataset(format), &bytes);
        assert_eq!(unpacked.paths(), ["a.txt", "data/b.txt"]);
        let folder = unpacked.scratch.path().join("deep/unpacked");
        assert_eq!(fs::read_to_string(folder.join("data/b.txt")).unwrap(), "bbb");
        assert!(!folder.join("README").exists());
        let record = &unpacked.outcome.as_ref().unwrap()[0];
        assert_eq!(record.bytes, 2);
        assert_eq!(record.sha256, "961b6dd3ede3cb8ecbaacbd68de040cd78eb2ed5889130cceb4c49268ea4d506");
    }
}

#[test]
fn a_single_file_keeps_its_name_and_loses_its_gzip() {
    assert_eq!(unpacked(&dataset(Format::File), b"aa").paths(), ["a.txt"]);
    assert_eq!(unpacked(&dataset(Format::Gz), &gzip(b"aa")).paths(), ["a.txt"]);
}

#[test]
fn members_that_would_leave_the_folder_stop_everything() {
    for name in ["../a.txt", "top/../../a.txt", "/tmp/saydo-test-a.txt", "top/data/../../../a.txt", "..\\a.txt"] {
        let members = [("top/a.txt", "aa"), (name, "evil")];
        for (format, bytes) in [(Format::Zip, zip(&members)), (Format::TarGz, tar_gz(&members))] {
            let unpacked = unpacked(&dataset(format), &bytes);
            assert!(unpacked.error().contains("would lead out of the folder"), "{name}: {}", unpacked.error());
            let mut files = vec![unpacked.scratch.path().to_owned()];
            while let Some(path) = files.pop() {
                if path.is_dir() {
                    files.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()))
                } else {
                    assert_ne!(fs::read(&path).unwrap(), b"evil", "{}", path.display())
                }
            }
        }
    }
}

#[test]
fn links_are_refused_where_they_would_be_kept_and_ignored_elsewhere() {
    let refused =
        "cannot be unpacked: its member `top/data` is a link or a device, expected a file; nothing was put in place";
    for target in ["-> ..", "-> /etc"] {
        let members = [("top/a.txt", "aa"), ("top/data", target), ("top/data/b.txt", "evil")];
        let keeping = |format| Dataset { keep: Vec::new(), ..dataset(format) };
        assert_eq!(unpacked(&keeping(Format::Zip), &zip(&members)).error(), format!("tiny.zip {refused}"));
        assert_eq!(unpacked(&keeping(Format::TarGz), &tar_gz(&members)).error(), format!("tiny.tar.gz {refused}"));
        let members = [("top/a.txt", "aa"), ("top/README", target)];
        assert_eq!(unpacked(&dataset(Format::Zip), &zip(&members)).paths(), ["a.txt"]);
        assert_eq!(unpacked(&dataset(Format::TarGz), &tar_gz(&members)).paths(), ["a.txt"]);
    }
    let hard = tar_gz(&[("top/a.txt", "=> /etc/passwd")]);
    assert!(unpacked(&dataset(Format::TarGz), &hard).error().contains("`top/a.txt` is a link or a device"));
}

#[test]
fn what_unpacks_to_more_than_allowed_is_cut_short() {
    let large = "x".repeat(1001);
    let expected = "has more than 1000 bytes, the most that `zest` may have";
    for (format, bytes) in [
        (Format::Zip, zip(&[("top/a.txt", &large)])),
        (Format::TarGz, tar_gz(&[("top/a.txt", &large)])),
        (Format::TarGz, tar_gz(&[("top/a.txt", "aa"), ("top/left-out", &large)])),
        (Format::Gz, gzip(large.as_bytes())),
        (Format::File, large.clone().into_bytes()),
    ] {
        let error = unpacked(&dataset(format), &bytes).error();
        assert!(error.contains(expected), "{format:?}: {error}");
    }
}

#[test]
fn cut_off_and_damaged_archives_are_errors_and_never_panics() {
    for (format, bytes) in [(Format::Zip, zip(&MEMBERS)), (Format::TarGz, tar_gz(&MEMBERS))] {
        for cut in 0..bytes.len() {
            // A zip archive's directory stands at its end; of a tar archive, the last bytes are padding.
            let outcome = unpacked(&dataset(format), &bytes[..cut]).outcome;
            assert!(outcome.is_err() || cut + 64 > bytes.len(), "{format:?} cut at {cut}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x55;
            let _ = unpacked(&dataset(format), &damaged).outcome;
        }
    }
}

#[test]
fn an_archive_without_the_expected_file_is_no_dataset() {
    let other = zip(&[("top/data/b.txt", "bbb")]);
    insta::assert_snapshot!(unpacked(&dataset(Format::Zip), &other).error(), @"tiny.zip holds no `a.txt` with anything in it, as it should; nothing was put in place");
    let empty = tar_gz(&[("top/a.txt", "")]);
    assert!(unpacked(&dataset(Format::TarGz), &empty).error().contains("holds no `a.txt`"));
    let twice = tar_gz(&[("top/a.txt", "aa"), ("top/./a.txt", "bb")]);
    assert!(unpacked(&dataset(Format::TarGz), &twice).error().starts_with("cannot write"));
}
