//! Choosing among servers, with a clock that stands still unless it is moved.

use super::*;
use crate::address::Address;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

fn pool(servers: usize, bound: usize) -> (Pool, Arc<AtomicU64>) {
    let seconds = Arc::new(AtomicU64::new(0));
    let clock = Arc::clone(&seconds);
    let server = |index| Server::new(index, Address::parse(&format!("http://127.0.0.1:{}", index + 1)).unwrap());
    let servers = (0..servers).map(server).collect();
    (Pool::new(servers, bound, Arc::new(move || Duration::from_secs(clock.load(Ordering::SeqCst))), 1), seconds)
}

/// A place if there is one now.
fn now<'a>(pool: &'a Pool, tried: &[usize], probed: &Mutex<Vec<usize>>) -> Option<Place<'a>> {
    let probe = |index| probed.lock().unwrap().push(index);
    let waiting = pin!(pool.place(tried, &probe));
    match waiting.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(place) => Some(place),
        Poll::Pending => None,
    }
}

fn place<'a>(pool: &'a Pool, tried: &[usize]) -> Option<Place<'a>> {
    now(pool, tried, &Mutex::default())
}

#[test]
fn requests_go_where_most_room_is_and_wait_when_there_is_none() {
    let (pool, _) = pool(2, 2);
    let places: Vec<Place<'_>> = (0..4).map(|_| place(&pool, &[]).unwrap()).collect();
    let chosen: Vec<usize> = places.iter().map(|place| place.server.index).collect();
    assert_eq!(chosen, [0, 1, 0, 1]);
    assert!(place(&pool, &[]).is_none());
    drop(places);
    assert_eq!(place(&pool, &[0]).unwrap().server.index, 1, "not where it was tried");
}

#[test]
fn a_server_that_is_set_aside_gets_nothing_until_a_look_finds_it_back() {
    let (pool, seconds) = pool(2, 1);
    place(&pool, &[]).unwrap().failed(Blame::Absence);
    assert_eq!(place(&pool, &[]).unwrap().server.index, 1);
    assert!(!pool.has_other(&[1]));
    let probed = Mutex::default();
    let busy = now(&pool, &[], &probed).unwrap();
    assert!(now(&pool, &[], &probed).is_none(), "the other one is busy, and this one is not asked");
    assert_eq!(*probed.lock().unwrap(), [0; 0]);
    seconds.store(60, Ordering::SeqCst);
    assert!(now(&pool, &[], &probed).is_none());
    assert!(now(&pool, &[], &probed).is_none());
    assert_eq!(*probed.lock().unwrap(), [0], "looked at once");
    pool.probed(0, true);
    assert_eq!(place(&pool, &[]).unwrap().server.index, 0);
    drop(busy);
}

#[test]
fn if_all_are_set_aside_requests_find_out_themselves() {
    let (pool, _) = pool(2, 4);
    for index in [0, 1] {
        let place = place(&pool, &[1 - index]).unwrap();
        assert_eq!(place.server.index, index);
        place.failed(Blame::Absence);
    }
    let first = place(&pool, &[]).unwrap();
    assert_eq!(first.server.index, 0);
    first.succeeded();
    let tallies = pool.tallies();
    assert_eq!((tallies[0].answered, tallies[0].failed, tallies[1].set_aside), (1, 1, 1));
    assert!(pool.has_other(&[1]));
}

#[test]
fn a_freed_place_wakes_who_waits() {
    let (pool, _) = pool(1, 1);
    let taken = place(&pool, &[]).unwrap();
    let mut waiting = pin!(pool.place(&[], &|_| ()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(taken);
    assert!(waiting.as_mut().poll(&mut context).is_ready());
}
