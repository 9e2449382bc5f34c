//! Whether the state can be read and written, as `/healthz` tells it. That takes a write and a look at the whole file, so
//! what was found is good for a while.

use super::Store;
use crate::failure::{Answered, Failure};
use rusqlite::params;
use std::sync::{Mutex, PoisonError};

/// Seconds for which a finding is good.
const WRITE_GOOD: i64 = 5;
const CHECK_GOOD: i64 = 60;

/// When something was found, and what.
type Found = (i64, Answered<()>);

/// What was found last.
#[derive(Default)]
pub(super) struct Health {
    write: Mutex<Option<Found>>,
    check: Mutex<Option<Found>>,
}

impl Store {
    /// How the state is, in a word; fails with what is wrong with it, if it cannot be used. On a full disk it can: whatever
    /// only reads goes on.
    pub(crate) async fn health(&self, now: i64) -> Answered<&'static str> {
        match self.check(now).await {
            Ok(()) => Ok("ok"),
            Err(Failure::Full) => Ok("full"),
            Err(failure) => Err(failure),
        }
    }

    async fn check(&self, now: i64) -> Answered<()> {
        let health = &self.inner.health;
        if let Some(known) = known(&health.write, now, WRITE_GOOD) {
            known?;
        } else {
            let insert = "INSERT OR REPLACE INTO setting (name, value) VALUES ('written', ?1)";
            let written = self.write(move |db| Ok(db.execute(insert, params![now.to_string()]).map(drop)?)).await;
            keep(&health.write, now, written.map_err(|failure| unwell(&failure, "cannot be written")))?;
        }
        if let Some(known) = known(&health.check, now, CHECK_GOOD) {
            return known;
        }
        let sound = self.read(|db| Ok(db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))?)).await;
        let sound = match sound {
            Ok(said) if said == "ok" => Ok(()),
            Ok(said) => Err(unwell(&Failure::internal(said), "is damaged; restore a backup")),
            Err(failure) => Err(unwell(&failure, "cannot be read")),
        };
        keep(&health.check, now, sound)
    }
}

fn unwell(failure: &Failure, what: &str) -> Failure {
    match failure {
        Failure::Full => Failure::Full,
        _ => Failure::Unwell(format!("the state {what}"), failure.reason()),
    }
}

fn known(place: &Mutex<Option<Found>>, now: i64, good: i64) -> Option<Answered<()>> {
    let place = place.lock().unwrap_or_else(PoisonError::into_inner);
    place.as_ref().filter(|(at, _)| (0..good).contains(&(now - at))).map(|(_, found)| found.clone())
}

fn keep(place: &Mutex<Option<Found>>, now: i64, found: Answered<()>) -> Answered<()> {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, found.clone()));
    found
}
