//! Who is let in: how many connections there are, and which one goes when there are too many.
//!
//! A connection that has never asked for anything holds a place without any right to it, so it makes room for whoever comes
//! next; half-sent requests, however many, keep nobody out. When every place is taken by somebody who asked, a few more are
//! let in for `/healthz` alone, so that whoever watches the server learns that it is busy and not dead.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Places for `/healthz` alone.
const RESERVE: usize = 16;

/// Keeps the places.
pub(crate) struct Door {
    most: usize,
    /// How long whoever has not asked keeps their place when others want it.
    grace: Duration,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    next: u64,
    /// By number, so that whoever came first is first.
    visits: BTreeMap<u64, Arc<Visit>>,
    reserve: usize,
}

/// What is known of one connection.
pub(crate) struct Visit {
    since: Instant,
    has_asked: AtomicBool,
    leave: Notify,
}

/// A place; it is free again when this is dropped.
pub(crate) struct Place {
    door: Arc<Door>,
    number: u64,
    visit: Arc<Visit>,
    is_reserve: bool,
}

impl Door {
    pub(crate) fn new(most: usize, grace: Duration) -> Self {
        Self { most, grace, inside: Mutex::default() }
    }

    /// A place for a new connection; none if there is none left at all.
    pub(crate) fn enter(self: &Arc<Self>, now: Instant) -> Option<Place> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = inside.visits.len() >= self.most && !inside.send_off(now, self.grace);
        if is_full && inside.reserve >= RESERVE {
            return None;
        }
        let visit = Arc::new(Visit { since: now, has_asked: AtomicBool::new(false), leave: Notify::new() });
        inside.next += 1;
        let number = inside.next;
        if is_full {
            inside.reserve += 1;
        } else {
            inside.visits.insert(number, Arc::clone(&visit));
        }
        Some(Place { door: Arc::clone(self), number, visit, is_reserve: is_full })
    }
}

impl Inside {
    /// Sends the first one off that has had time to ask for something and has not, if there is one.
    fn send_off(&mut self, now: Instant, grace: Duration) -> bool {
        let is_silent = |visit: &Visit| !visit.has_asked() && now.saturating_duration_since(visit.since) >= grace;
        let silent = self.visits.iter().find(|(_, visit)| is_silent(visit));
        let Some(number) = silent.map(|(number, _)| *number) else { return false };
        if let Some(visit) = self.visits.remove(&number) {
            visit.leave.notify_one();
        }
        true
    }
}

impl Place {
    /// Whether it is for `/healthz` alone.
    pub(crate) fn is_reserve(&self) -> bool {
        self.is_reserve
    }

    /// The connection of this place.
    pub(crate) fn visit(&self) -> Arc<Visit> {
        Arc::clone(&self.visit)
    }
}

impl Visit {
    /// Notes that it asked for something.
    pub(crate) fn asked(&self) {
        self.has_asked.store(true, Ordering::Relaxed);
    }

    /// Whether it asked for something.
    pub(crate) fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Relaxed)
    }

    /// Waits until it has to go.
    pub(crate) async fn until_sent_off(&self) {
        self.leave.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.door.inside.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_reserve {
            inside.reserve -= 1;
        } else {
            inside.visits.remove(&self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_silent_make_room_and_those_who_asked_do_not() {
        let (start, grace) = (Instant::now(), Duration::from_secs(1));
        let door = Arc::new(Door::new(2, grace));
        let (first, second) = (door.enter(start).unwrap(), door.enter(start).unwrap());
        first.visit().asked();
        assert!(door.enter(start).unwrap().is_reserve(), "the second has time to ask");
        let later = start + grace;
        let third = door.enter(later).unwrap();
        assert!(!third.is_reserve(), "the second has made room");
        third.visit().asked();
        let beyond: Vec<Place> = std::iter::from_fn(|| door.enter(later)).collect();
        assert!(beyond.iter().all(Place::is_reserve));
        assert_eq!(beyond.len(), RESERVE);
        drop((first, second, beyond));
        assert!(!door.enter(later).unwrap().is_reserve(), "the first has gone");
        assert_eq!(door.inside.lock().unwrap().visits.len(), 1);
    }
}
