//! Between the caller's thread, where requests are pulled and answers given, and the tasks that talk to the server.

use crate::Error;
use std::future::Future;
use std::sync::mpsc::{self, Sender};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

/// Runs `work` on each request, at most `width` at once, and calls `done` with each result as it comes.
///
/// `requests` and `done` are used on this thread only. `requests` is asked again after each answer, even if it gave
/// `None` before. If the first answers are all hopeless ([`Error::is_hopeless`]), no more requests are taken; those
/// taken are still answered, and if none of them fares better, the call fails. The same holds for a server that was of use and
/// then gives no other answers than hopeless ones, [`MAX_HOPELESS`] in a row.
pub(crate) fn dispatch<R, T, F>(
    runtime: &Handle,
    width: usize,
    requests: &mut dyn Iterator<Item = R>,
    done: &mut dyn FnMut(usize, Result<T, saydo_model::Error>),
    work: impl Fn(R) -> F,
) -> Result<(), saydo_model::Error>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Error>> + Send + 'static,
{
    let (sender, answers) = mpsc::channel();
    // Dropped on the way out, even by a panic in `done`, the set ends what is still in flight.
    let mut tasks = JoinSet::new();
    let (mut taken, mut in_flight) = (0, 0);
    let mut hope = Hope::Unknown;
    loop {
        while in_flight < width && !matches!(hope, Hope::Lost(_)) {
            let Some(request) = requests.next() else { break };
            let (slot, future) = (Slot { index: taken, sender: Some(sender.clone()) }, work(request));
            tasks.spawn_on(async move { slot.fill(future.await) }, runtime);
            taken += 1;
            in_flight += 1;
        }
        if in_flight == 0 {
            return hope.into_result();
        }
        let (index, result) = answers.recv().expect("the sender held here keeps the channel open");
        in_flight -= 1;
        while tasks.try_join_next().is_some() {}
        hope.learn(&result);
        done(index, result.map_err(Into::into));
    }
}

/// Hopeless answers in a row after which a server that was of use is given up.
const MAX_HOPELESS: usize = 64;

/// Whether the server has been of use in this call.
enum Hope {
    Unknown,
    /// It has been, before so many hopeless answers.
    Justified(usize),
    Lost(Error),
}

impl Hope {
    fn learn<T>(&mut self, result: &Result<T, Error>) {
        match result {
            // Found without asking the server, so it says nothing about it.
            Err(Error::Unsupported { .. } | Error::Unwanted) => {}
            Err(error) if error.is_hopeless() => match self {
                Self::Justified(hopeless) if *hopeless + 1 < MAX_HOPELESS => *hopeless += 1,
                _ => *self = Self::Lost(error.clone()),
            },
            _ => *self = Self::Justified(0),
        }
    }

    fn into_result(self) -> Result<(), saydo_model::Error> {
        match self {
            Self::Lost(error) => Err(error.into()),
            Self::Unknown | Self::Justified(_) => Ok(()),
        }
    }
}

/// The place of one answer. Dropped empty, it is filled with an error, so that no request is left without answer.
struct Slot<T> {
    index: usize,
    sender: Option<Sender<(usize, Result<T, Error>)>>,
}

impl<T> Slot<T> {
    fn fill(mut self, result: Result<T, Error>) {
        self.send(result);
    }

    fn send(&mut self, result: Result<T, Error>) {
        if let Some(sender) = self.sender.take() {
            // Nobody listens any more if the call has ended by a panic; then nobody misses the answer.
            let _ = sender.send((self.index, result));
        }
    }
}

impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        self.send(Err(Error::Lost));
    }
}

#[cfg(test)]
mod tests;
