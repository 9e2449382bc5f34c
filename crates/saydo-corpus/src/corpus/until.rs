//! Documents until someone wants no more, even while an input keeps us waiting.
//!
//! Opening or reading a pipe that nobody writes to waits without end, and no signal ends that. So the corpus is read in
//! a thread of its own, and whoever wants documents waits for that thread only as long as there is no call to stop.

use super::Corpus;
use crate::{Document, Unreadable};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often to look whether to stop, while nothing comes.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The documents of a corpus until a switch is set. They are read one ahead, in a thread of its own; after a stop that
/// thread may still wait for its input, and ends with the process.
pub struct Until {
    documents: Receiver<Result<Document, Unreadable>>,
    reader: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Until {
    pub(super) fn new(corpus: Corpus, stop: Arc<AtomicBool>) -> Until {
        let (sender, documents) = sync_channel(1);
        let reader = thread::spawn(move || {
            for document in corpus {
                // Nobody listens any more.
                if sender.send(document).is_err() {
                    return;
                }
            }
        });
        Until { documents, reader: Some(reader), stop }
    }

    /// A reader that fell over has not come to the end of the documents, and must not look as if it had.
    fn pass_on_a_panic(&mut self) {
        if let Some(reader) = self.reader.take_if(|reader| reader.is_finished())
            && let Err(panic) = reader.join()
        {
            resume_unwind(panic);
        }
    }
}

impl Iterator for Until {
    type Item = Result<Document, Unreadable>;

    /// None after the last document, and as soon as the switch is set.
    fn next(&mut self) -> Option<Self::Item> {
        while !self.stop.load(Ordering::Relaxed) {
            match self.documents.recv_timeout(LOOK_EVERY) {
                Ok(document) => return Some(document),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.pass_on_a_panic();
        None
    }
}

impl fmt::Debug for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Until").field("stop", &self.stop).finish_non_exhaustive()
    }
}
