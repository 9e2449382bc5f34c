//! The loop between the caller and the tasks, without a server.

use super::*;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).build().unwrap()
}

fn unauthorized() -> Error {
    Error::Unauthorized { url: String::new(), key_given: false, message: String::new() }
}

#[test]
fn the_iterator_is_asked_again_after_it_had_nothing() {
    let mut asked = 0;
    // Something, nothing, something, then nothing for good.
    let mut requests = std::iter::from_fn(|| {
        asked += 1;
        (asked % 2 == 1 && asked < 4).then_some(asked)
    });
    let mut answered = Vec::new();
    let mut done = |index, result: Result<i32, _>| answered.push((index, result.unwrap()));
    dispatch(runtime().handle(), 2, &mut requests, &mut done, |request| async move { Ok(request) }).unwrap();
    assert_eq!(answered, [(0, 1), (1, 3)]);
}

#[test]
fn no_requests_need_no_answers() {
    let mut done = |_, _: Result<(), _>| panic!("nothing was asked");
    dispatch(runtime().handle(), 2, &mut std::iter::empty(), &mut done, |()| async { Ok(()) }).unwrap();
}

#[test]
fn a_task_that_panics_is_answered_all_the_same() {
    let mut answered = Vec::new();
    let mut done =
        |index, result: Result<(), saydo_model::Error>| answered.push((index, result.unwrap_err().to_string()));
    let work = |()| async { panic!("on purpose") };
    dispatch(runtime().handle(), 1, &mut std::iter::once(()), &mut done, work).unwrap();
    assert_eq!(answered, [(0, "the request was lost, because the task that held it panicked".to_owned())]);
}

#[test]
fn one_answer_of_use_keeps_a_call_alive() {
    // The second is answered after the first, which finds no hope; then the third is taken.
    let gate = Arc::new(tokio::sync::Notify::new());
    let mut answered = Vec::new();
    let mut done = |index, result: Result<(), _>| {
        answered.push((index, result.is_ok()));
        gate.notify_one();
    };
    let work = |number: usize| {
        let gate = Arc::clone(&gate);
        async move {
            if number == 1 {
                gate.notified().await;
            }
            if number == 0 { Err(unauthorized()) } else { Ok(()) }
        }
    };
    dispatch(runtime().handle(), 2, &mut (0..3), &mut done, work).unwrap();
    assert_eq!(answered, [(0, false), (1, true), (2, true)]);
}

#[test]
fn what_is_found_here_says_nothing_about_the_server() {
    let mut answered = 0;
    let work = |number: usize| async move {
        match number {
            0 => Err::<(), _>(Error::Unsupported { what: String::new(), advice: String::new() }),
            _ => Err(unauthorized()),
        }
    };
    let result = dispatch(runtime().handle(), 1, &mut (0..9), &mut |_, _| answered += 1, work);
    assert_eq!((result.is_err(), answered), (true, 2));
}

#[test]
fn a_server_that_goes_away_is_given_up_after_a_while() {
    let mut answered = 0;
    let work = |number: usize| async move { if number < 5 { Ok(()) } else { Err(unauthorized()) } };
    let result = dispatch(runtime().handle(), 1, &mut (0..1000), &mut |_, _| answered += 1, work);
    assert_eq!((result.is_err(), answered), (true, 5 + MAX_HOPELESS));
}
