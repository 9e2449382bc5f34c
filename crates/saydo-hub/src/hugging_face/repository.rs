//! One commit of a repository on the hub: what it lists, and its files, which must have the size it lists, and large ones the
//! SHA-256 they are stored under.

use super::Access;
use super::cache::{add_to_snapshot, folder, lock_path};
use super::reference::Reference;
use super::selection::{Selection, select};
use crate::catalog::is_inside;
use crate::download::{Client, Wanted, download, url_below};
use crate::error::Error;
use crate::progress::{Progress, Stage, sparsely};
use crate::store::{Lock, remove_folder};
use reqwest::Url;
use saydo_file::{digest, disk};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

const ENDPOINT: &str = "https://huggingface.co";

/// The most bytes of one answer about a repository.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// The most pages of a repository's list of files; each has up to 1,000.
const MAX_PAGES: usize = 1000;

/// A repository at the commit that its revision stands for.
pub(super) struct Repository<'a> {
    reference: &'a Reference,
    access: &'a Access,
    client: Client,
    commit: String,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

/// A file or folder as the repository lists it.
#[derive(Deserialize)]
pub(super) struct Listed {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    oid: String,
    lfs: Option<Lfs>,
}

/// What is known of files that git itself does not hold.
#[derive(Deserialize)]
struct Lfs {
    oid: String,
}

impl Listed {
    /// What the hub calls these bytes: their SHA-256 if the file is a large one, else git's name for them.
    fn blob(&self) -> &str {
        self.lfs.as_ref().map_or(&self.oid, |lfs| &lfs.oid)
    }

    fn sha256(&self) -> Option<&str> {
        Some(self.blob()).filter(|name| digest::is_sha256(name))
    }

    /// What is wrong with a file that should be this one; a large one is read through.
    fn problem(&self, path: &Path, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Option<String>, Error> {
        let bytes = fs::metadata(path).map_err(Error::read(path))?.len();
        if bytes != self.size {
            return Ok(Some(format!("it has {bytes} bytes, expected {}", self.size)));
        }
        let Some(expected) = self.sha256() else { return Ok(None) };
        let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: self.size });
        let found = digest::of_file(path, &mut report).map_err(Error::read(path))?.hex();
        Ok((found != expected).then(|| format!("its SHA-256 is {found}, expected {expected}")))
    }
}

impl<'a> Repository<'a> {
    /// Asks which commit the revision stands for.
    pub(super) fn open(reference: &'a Reference, access: &'a Access) -> Result<Self, Error> {
        let client = Client::new(&access.transfer, access.token.as_ref())?;
        let mut repository = Self { reference, access, client, commit: String::new() };
        let revision = reference.revision.as_deref().unwrap_or("main");
        let (Revision { sha }, _) = repository.ask(&repository.about("revision", revision)?)?;
        if !is_hexadecimal(&sha) {
            return Err(repository.unusable(format!("`{sha}` is no commit")));
        }
        repository.commit = sha;
        Ok(repository)
    }

    fn endpoint(&self) -> &str {
        self.access.endpoint.as_deref().unwrap_or(ENDPOINT)
    }

    fn about(&self, what: &str, revision: &str) -> Result<Url, Error> {
        url_below(self.endpoint(), &format!("api/models/{}/{what}/{revision}", self.reference.repository()))
    }

    /// An answer, and the address of its next page.
    fn ask<T: DeserializeOwned>(&self, url: &Url) -> Result<(T, Option<Url>), Error> {
        let (text, next) = self.client.text(url, MAX_ANSWER_BYTES).map_err(self.failed())?;
        let answer =
            serde_json::from_slice(&text).map_err(|error| self.unusable(format!("its answer is odd: {error}")))?;
        Ok((answer, next))
    }

    fn failed(&self) -> impl FnOnce(Error) -> Error {
        let what = self.reference.to_string();
        |source| Error::HuggingFace { what, source: Box::new(source) }
    }

    fn unusable(&self, problem: String) -> Error {
        Error::Repository { repository: self.reference.repository(), problem }
    }

    /// Which files are wanted.
    pub(super) fn select(&self) -> Result<(Selection, Vec<Listed>), Error> {
        let mut listed = self.list()?;
        let paths: Vec<String> = listed.iter().map(|file| file.path.clone()).collect();
        let selection = match &self.reference.file {
            Some(file) if paths.contains(file) => Ok(Selection::File(file.clone())),
            Some(file) => Err(format!("it has no file {file}")),
            None => select(&paths),
        };
        let selection = selection.map_err(|problem| self.unusable(problem))?;
        listed.retain(|file| match &selection {
            Selection::File(wanted) => *wanted == file.path,
            Selection::Folder(wanted) => wanted.contains(&file.path),
        });
        Ok((selection, listed))
    }

    /// All files, page by page. Those whose names would leave a folder are left out.
    fn list(&self) -> Result<Vec<Listed>, Error> {
        let mut first = self.about("tree", &self.commit)?;
        first.set_query(Some("recursive=true"));
        let (mut next, mut listed) = (Some(first), Vec::new());
        for _ in 0..MAX_PAGES {
            let Some(page) = next else { break };
            // Nobody but the server that was asked is to see the token.
            if page.origin() != self.about("tree", &self.commit)?.origin() {
                return Err(
                    self.unusable(format!("its list of files goes on at {}", page.host_str().unwrap_or_default()))
                );
            }
            let (files, more): (Vec<Listed>, _) = self.ask(&page)?;
            listed.extend(files);
            next = more;
        }
        listed.retain(|file| file.kind == "file" && is_inside(&file.path) && is_hexadecimal(file.blob()));
        Ok(listed)
    }

    /// Fetches files into the cache. Returns the folder of the commit's files.
    pub(super) fn fetch(&self, listed: &[Listed], progress: &mut dyn FnMut(Progress<'_>)) -> Result<PathBuf, Error> {
        let folder = folder(self.reference, &self.access.cache);
        let snapshot = folder.join("snapshots").join(&self.commit);
        let total = listed.iter().map(|file| file.size).sum();
        let mut before = 0;
        for (i, file) in listed.iter().enumerate() {
            let stage = Stage::Fetching { what: &file.path, number: i + 1, of: listed.len() };
            let mut report = |now: Progress<'_>| {
                let stage = if now.stage == Stage::Checking { now.stage } else { stage };
                progress(Progress { stage, done: before + now.done.min(file.size), total });
            };
            self.keep(file, &folder, &snapshot.join(&file.path), &mut report)?;
            before += file.size;
        }
        let revision = self.reference.revision.as_deref().unwrap_or("main");
        if revision != self.commit {
            let path = folder.join("refs").join(revision);
            disk::create_folders(disk::folder_of(&path)).map_err(Error::write(&path))?;
            saydo_file::write(&path, self.commit.as_bytes()).map_err(Error::write(&path))?;
        }
        Ok(snapshot)
    }

    /// Sees to it that a file is in the cache and good.
    fn keep(
        &self,
        file: &Listed,
        folder: &Path,
        path: &Path,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), Error> {
        let lock = lock_path(self.reference, &self.access.cache, file.blob());
        disk::create_folders(disk::folder_of(&lock)).map_err(Error::write(&lock))?;
        let _lock = Lock::take(&lock)?;
        let blob = folder.join("blobs").join(file.blob());
        if path.exists() && file.problem(path, progress)?.is_none() {
            return Ok(());
        }
        if !blob.exists() || file.problem(&blob, progress)?.is_some() {
            let partial = folder.join("partial").join(file.blob());
            let fetched = self.download(file, &partial, progress)?;
            disk::create_folders(disk::folder_of(&blob)).map_err(Error::write(&blob))?;
            disk::publish(&fetched, &blob).map_err(Error::write(&blob))?;
            remove_folder(&partial)?;
        }
        add_to_snapshot(&blob, path, file.path.split('/').count() + 1).map_err(Error::write(path))
    }

    /// Fetches a file into a folder, which then holds nothing else. What arrives damaged is thrown away.
    pub(super) fn download(
        &self,
        file: &Listed,
        folder: &Path,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PathBuf, Error> {
        disk::create_folders(folder).map_err(Error::write(folder))?;
        let path = format!("{}/resolve/{}/{}", self.reference.repository(), self.commit, file.path);
        let (address, name) = (url_below(self.endpoint(), &path)?, self.reference.repository());
        let wanted = Wanted {
            address: address.as_str(),
            file: &file.path,
            name: &name,
            bytes: Some(file.size),
            max_bytes: file.size,
            is_sum_known: file.sha256().is_some(),
        };
        let stage = Stage::Fetching { what: &file.path, number: 1, of: 1 };
        let fetched =
            download(wanted, folder, &self.client, &mut sparsely(stage, progress)).map_err(self.failed())?.path;
        match file.problem(&fetched, progress)? {
            None => Ok(fetched),
            Some(problem) => {
                remove_folder(folder)?;
                Err(Error::Arrived { what: file.path.clone(), problem })
            }
        }
    }
}

/// Names of commits and blobs become names of files.
fn is_hexadecimal(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_hexdigit())
}
