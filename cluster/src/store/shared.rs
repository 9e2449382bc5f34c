//! Answers shared through an object store, for processes that see no common folder: each puts pieces of its own ledger
//! there, and keeps the pieces of others as files beside its own.

use crate::{Error, bucket};
use futures::TryStreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt as _};
use std::fs::File;
use std::future::Future;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// How long answers may wait until others can see them.
const PUT_EVERY: Duration = Duration::from_secs(2);

/// The place in an object store, and how far this process has come with it.
#[derive(Debug)]
pub(super) struct Shared {
    address: String,
    objects: Arc<dyn ObjectStore>,
    prefix: ObjectPath,
    /// What this process's pieces are called, before their number.
    name: String,
    pieces: u32,
    /// Bytes of the ledger that are there.
    put_bytes: u64,
    put_at: Instant,
    /// Taken only when dropped.
    runtime: Option<Runtime>,
}

impl Shared {
    /// The place at this address (`s3://bucket/answers`), for a process of this name.
    pub(super) fn open(address: &str, name: &str) -> Result<Self, Error> {
        let unusable = |reason: String| Error::Share { address: address.to_owned(), reason };
        let url = Url::parse(address).map_err(|error| unusable(error.to_string()))?;
        let objects = bucket::open(&url).map_err(|error| unusable(error.strip_backtrace()))?;
        let prefix = ObjectPath::from_url_path(url.path()).map_err(|error| unusable(error.to_string()))?;
        // A process that is started again continues its ledger, but its pieces must not take the places of earlier ones.
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Ok(Self {
            address: address.to_owned(),
            objects,
            prefix,
            name: format!("{name}-{started}"),
            pieces: 0,
            put_bytes: 0,
            put_at: Instant::now(),
            runtime: Some(runtime.map_err(|error| unusable(error.to_string()))?),
        })
    }

    /// Puts what the ledger got since, if it is time or `is_urgent`.
    pub(super) fn put(&mut self, ledger: &Path, is_urgent: bool) -> Result<(), Error> {
        if !is_urgent && self.put_at.elapsed() < PUT_EVERY {
            return Ok(());
        }
        self.put_at = Instant::now();
        let piece = whole_lines(ledger, self.put_bytes).map_err(|error| self.unusable(&error))?;
        if piece.is_empty() {
            return Ok(());
        }
        let length = piece.len() as u64;
        let place = self.prefix.clone().join(format!("{}-{:06}.jsonl", self.name, self.pieces));
        let objects = Arc::clone(&self.objects);
        let put = self.wait(async move { objects.put(&place, piece.into()).await });
        put.map_err(|error| self.unusable(&error))?;
        (self.pieces, self.put_bytes) = (self.pieces + 1, self.put_bytes + length);
        Ok(())
    }

    /// Brings the pieces of others that are not in the folder yet.
    pub(super) fn take(&self, folder: &Path) -> Result<(), Error> {
        let (objects, prefix, own) = (Arc::clone(&self.objects), self.prefix.clone(), self.name.clone());
        let folder = folder.to_owned();
        let taken = self.wait(async move {
            let mut listed = objects.list(Some(&prefix));
            while let Some(object) = listed.try_next().await.map_err(|error| error.to_string())? {
                let name = object.location.filename().unwrap_or_default();
                let file = folder.join(format!("taken-{name}"));
                if !name.ends_with(".jsonl") || is_piece_of(name, &own) || file.exists() {
                    continue;
                }
                let bytes = objects.get(&object.location).await.map_err(|error| error.to_string())?;
                let bytes = bytes.bytes().await.map_err(|error| error.to_string())?;
                saydo_file::write(&file, &bytes).map_err(|error| error.to_string())?;
            }
            Ok::<(), String>(())
        });
        taken.map_err(|reason| Error::Share { address: self.address.clone(), reason })
    }

    fn unusable(&self, error: &dyn std::error::Error) -> Error {
        Error::Share { address: self.address.clone(), reason: error.to_string() }
    }

    /// Waits for async work on threads of its own: callers may be on a thread where waiting is not allowed otherwise.
    fn wait<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let (sender, receiver) = mpsc::channel();
        let runtime = self.runtime.as_ref().expect("the threads are there until this is dropped");
        runtime.spawn(async move { sender.send(work.await) });
        receiver.recv().expect("the work sends its result, and does not panic")
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Whether an object is a piece of the process with this name, and not of one whose name only begins like it: `worker-10`
/// is another than `worker-1`.
fn is_piece_of(object: &str, process: &str) -> bool {
    let number = object.strip_prefix(process).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".jsonl"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The whole lines of a file from a byte on.
fn whole_lines(path: &Path, from: u64) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    bytes.truncate(whole);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_processes_with_longer_names_are_those_of_others() {
        assert!(is_piece_of("worker-1-000000.jsonl", "worker-1"));
        for other in ["worker-10-000000.jsonl", "worker-1-a-000000.jsonl", "worker-1-000000", "worker-1.jsonl"] {
            assert!(!is_piece_of(other, "worker-1"), "{other}");
        }
    }
}
