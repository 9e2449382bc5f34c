//! One dataset of the catalog. Entries may come from a user's file, so every field is checked: paths
//! are joined to the dataset's folder.

use crate::error::Error;
use reqwest::Url;
use serde::Deserialize;

/// A dataset with a name: what it is, where its public home is, and what must be there once it was pulled.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dataset {
    /// What users call it: lower-case letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// What it is, in a few words.
    pub description: String,
    /// Its license.
    pub license: String,
    /// A page for people, to look at when an address does not work any more.
    pub homepage: String,
    /// Where the file is, one address after the other; the next is tried if one does not give it.
    pub addresses: Vec<String>,
    /// The file's name on a mirror. A dataset of a single file keeps this name, without `.gz` if that was unpacked.
    pub file: String,
    /// What the file is.
    pub format: Format,
    /// The file's size, where it is known.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// The file's SHA-256, where it is known, in lower-case hexadecimal digits.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Neither the file nor what is unpacked from it may have more bytes than this.
    pub max_bytes: u64,
    /// How many leading folders of each path in the archive are dropped.
    #[serde(default)]
    pub strip: usize,
    /// What of the archive is kept, after `strip`: files, and folders with a `/` at the end. Everything if empty.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Files that must be there afterwards, and not be empty.
    pub expect: Vec<String>,
    /// What to pass as `--data`: a path below the dataset's folder, or the folder itself if empty.
    #[serde(default)]
    pub pass: String,
}

/// What a fetched file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Format {
    /// A zip archive.
    #[serde(rename = "zip")]
    Zip,
    /// A tar archive in gzip.
    #[serde(rename = "tar.gz")]
    TarGz,
    /// One file in gzip.
    #[serde(rename = "gz")]
    Gz,
    /// The data as they are.
    #[serde(rename = "file")]
    File,
}

impl Dataset {
    /// Says what is wrong with its addresses and paths, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.addresses.is_empty() {
            return Err("it has no address, expected at least one".to_owned());
        }
        for address in &self.addresses {
            url(address).map_err(|error| error.to_string())?;
        }
        if self.expect.is_empty() {
            return Err("expect is empty, expected a file that must be there afterwards".to_owned());
        }
        if !is_inside(&self.file) || self.file.contains('/') {
            return Err(format!("file is `{}`, expected the name of a file", self.file));
        }
        let kept = self.keep.iter().map(|path| path.strip_suffix('/').unwrap_or(path));
        let pass = Some(self.pass.as_str()).filter(|path| !path.is_empty());
        match kept.chain(self.expect.iter().map(String::as_str)).chain(pass).find(|path| !is_inside(path)) {
            Some(path) => Err(format!("`{path}` is not a path below the dataset's folder")),
            None => Ok(()),
        }
    }

    /// Whether a path of the archive, after `strip`, is kept.
    pub(crate) fn keeps(&self, path: &str) -> bool {
        let is_meant = |kept: &String| match kept.ends_with('/') {
            true => path.starts_with(kept.as_str()),
            false => path == kept,
        };
        self.keep.is_empty() || self.keep.iter().any(is_meant)
    }
}

/// An address that can be fetched: `http` or `https`, with a host.
pub(crate) fn url(address: &str) -> Result<Url, Error> {
    let wrong = || Error::Address { address: address.to_owned() };
    let url = Url::parse(address).map_err(|_| wrong())?;
    if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
        return Err(wrong());
    }
    Ok(url)
}

/// Whether a path is plain and relative and stays below where it is joined to, on every system.
pub(crate) fn is_inside(path: &str) -> bool {
    let is_plain = |part: &str| !["", ".", ".."].contains(&part);
    !path.contains(['\\', ':', '\0']) && path.split('/').all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    const ENTRY: &str = r#"
        [[dataset]]
        name = "tiny"
        description = "A test"
        license = "MIT"
        homepage = "https://example.org"
        addresses = ["https://example.org/tiny.zip"]
        file = "tiny.zip"
        format = "zip"
        max-bytes = 1000
        keep = ["data/", "LICENSE"]
        expect = ["data/a.txt"]
        pass = "data"
    "#;

    fn problem(from: &str, to: &str) -> String {
        assert!(Catalog::parse(ENTRY, "test").is_ok());
        Catalog::parse(&ENTRY.replacen(from, to, 1), "test").unwrap_err().to_string()
    }

    #[test]
    fn names_and_paths_that_would_leave_the_folder_are_refused() {
        for name in ["../tiny", ".tiny", "a/b", "Tiny", "", "-t"] {
            let message = problem("name = \"tiny\"", &format!("name = \"{name}\""));
            assert!(message.contains("its name is not made of"), "{name}: {message}");
        }
        for path in ["../a", "/a", "a//b", "a/../b", "./a", "c:a", "a\\\\b", ""] {
            let message = problem("expect = [\"data/a.txt\"]", &format!("expect = [\"{path}\"]"));
            assert!(message.contains("is not a path below"), "{path}: {message}");
        }
        insta::assert_snapshot!(problem("tiny.zip\"\n        format", "a/tiny.zip\"\n        format"), @"catalog entry `tiny`: file is `a/tiny.zip`, expected the name of a file");
        insta::assert_snapshot!(problem("pass = \"data\"", "pass = \"..\""), @"catalog entry `tiny`: `..` is not a path below the dataset's folder");
    }

    #[test]
    fn addresses_and_sums_must_be_usable() {
        insta::assert_snapshot!(problem("https://example.org/tiny", "ftp://example.org/tiny"), @"catalog entry `tiny`: `ftp://example.org/tiny.zip` is no address to fetch from, expected one that starts with http:// or https://");
        insta::assert_snapshot!(problem("[\"https://example.org/tiny.zip\"]", "[]"), @"catalog entry `tiny`: it has no address, expected at least one");
        insta::assert_snapshot!(problem("max-bytes", "sha256 = \"AB\"\nmax-bytes"), @"catalog entry `tiny`: sha256 is `AB`, expected 64 lower-case hexadecimal digits");
        insta::assert_snapshot!(problem("[\"data/a.txt\"]", "[]"), @"catalog entry `tiny`: expect is empty, expected a file that must be there afterwards");
    }

    #[test]
    fn files_and_folders_to_keep_are_told_apart() {
        let entry = Catalog::parse(ENTRY, "test").unwrap().datasets.remove(0);
        assert!(entry.keeps("data/a.txt") && entry.keeps("data/b/c") && entry.keeps("LICENSE"));
        assert!(!entry.keeps("data") && !entry.keeps("LICENSE.txt") && !entry.keeps("other/data/a.txt"));
        assert!(Dataset { keep: Vec::new(), ..entry }.keeps("other"));
    }
}
