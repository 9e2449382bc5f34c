//! The page as a whole: what it may load, what it holds, and texts that try to be markup.

use super::*;
use crate::fixture::{self, HOSTILE};
use saydo_file::digest;

fn page(runs: Vec<Run>) -> String {
    write(&Report::new(runs, 0).unwrap())
}

#[test]
fn the_policy_knows_the_script() {
    assert_eq!(SCRIPT_HASH, format!("sha256-{}", base64(&digest::of(SCRIPT).bytes())));
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0_u32, |bits, place| bits << 8 | u32::from(group.get(place).copied().unwrap_or(0)));
        let digit = |place: usize| {
            if place > group.len() { '=' } else { DIGITS[(bits >> (18 - 6 * place)) as usize & 63] as char }
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[test]
fn texts_of_a_run_stay_texts() {
    let page = page(vec![fixture::hostile()]);
    assert!(!page.contains(HOSTILE));
    assert!(!page.contains("<img"), "an element came of a text");
    let scripts = page.matches("<script").count();
    assert_eq!((scripts, page.matches("</script>").count()), (2, 2));
    assert!(!page.contains('\u{2028}'));
    assert!(page.contains("\\u003c/script\\u003e"));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = page(vec![fixture::zest(&[])]);
    assert!(page.contains("default-src 'none'"));
    let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!without_namespace.contains("http://") && !without_namespace.contains("https://"));
    assert!(!page.contains(" src=") && !page.contains("url(h") && !page.contains("@import"));
}

#[test]
fn every_plot_has_words_and_values() {
    let page = page(vec![fixture::zest(&[])]);
    let plots = page.matches("<figure").count();
    assert_eq!(plots, 6);
    assert_eq!(page.matches("role=img aria-label=").count(), plots);
    assert_eq!(page.matches("<summary>Values</summary>").count(), plots);
}

#[test]
fn only_two_runs_have_a_difference() {
    let frame = "id=changes";
    assert!(!page(vec![fixture::zest(&[])]).contains(frame));
    assert!(page(vec![fixture::zest(&[]), fixture::zest(&[(0, "wrong")])]).contains(frame));
    assert!(!page(vec![fixture::zest(&[]), fixture::zest(&[]), fixture::zest(&[])]).contains(frame));
}
