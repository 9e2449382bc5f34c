//! The thread that writes, and how it puts what waits into one transaction.

use crate::failure::{Answered, Failure};
use rusqlite::Connection;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Max pieces of work in one transaction.
const GROUP: usize = 64;

/// Work on the state, or the reason why it cannot be begun; gives what is to be called with the fate of the transaction.
type Work = Box<dyn FnOnce(Result<&Connection, Failure>) -> Acknowledge + Send>;
type Acknowledge = Box<dyn FnOnce(Result<(), Failure>) + Send>;

/// The way to the writing thread. It ends when this is dropped.
pub(super) struct Writer {
    sender: Sender<Work>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        std::thread::Builder::new().name("saydo-store".to_owned()).spawn(move || run(&connection, &receiver))?;
        Ok(Self { sender })
    }

    /// Has `work` done; `done` is called when it is on disk, or with the reason why it is not.
    pub(super) fn send<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answered<T> + Send + 'static,
        done: impl FnOnce(Answered<T>) + Send + 'static,
    ) {
        let work: Work = Box::new(move |connection| {
            let result = connection.and_then(|connection| guarded(connection, work));
            Box::new(move |committed| done(result.and_then(|value| committed.map(|()| value))))
        });
        // If the thread is gone, `done` is dropped with the work and whoever waits sees that.
        let _ = self.sender.send(work);
    }
}

/// Runs `work`; if it fails, nothing of it stays.
fn guarded<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Answered<T>) -> Answered<T> {
    connection.execute_batch("SAVEPOINT work")?;
    let result = work(connection);
    if connection.is_autocommit() {
        // SQLite rolled everything back by itself, as it does when the disk is full.
        return result.and(Err(Failure::Full));
    }
    let end = if result.is_ok() { "RELEASE work" } else { "ROLLBACK TO work; RELEASE work" };
    connection.execute_batch(end)?;
    result
}

fn run(connection: &Connection, receiver: &Receiver<Work>) {
    while let Ok(first) = receiver.recv() {
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            first(Err(Failure::from(error)))(Ok(()));
            continue;
        }
        let mut acknowledge = vec![first(Ok(connection))];
        while acknowledge.len() < GROUP && !connection.is_autocommit() {
            let Ok(work) = receiver.try_recv() else { break };
            acknowledge.push(work(Ok(connection)));
        }
        let committed = commit(connection);
        acknowledge.into_iter().for_each(|acknowledge| acknowledge(committed.clone()));
    }
}

fn commit(connection: &Connection) -> Result<(), Failure> {
    if connection.is_autocommit() {
        return Err(Failure::Full);
    }
    connection.execute_batch("COMMIT").map_err(|error| {
        let _ = connection.execute_batch("ROLLBACK");
        Failure::from(error)
    })
}
