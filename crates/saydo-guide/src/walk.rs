//! Finds the tokens that may come next: walks the vocabulary's tree and the machine side by side.

use crate::Error;
use crate::allowed::Allowed;
use crate::byte_set::ByteSet;
use crate::machine::{Machine, Thread};
use crate::trie::Trie;
use crate::vocabulary::Vocabulary;

/// Adds the tokens that may follow these threads.
pub(crate) fn allow(
    machine: &mut Machine,
    vocabulary: &Vocabulary,
    threads: &[Thread],
    allowed: &mut Allowed,
) -> Result<(), Error> {
    machine.begin();
    let mut rest = vec![];
    for thread in threads {
        if !allow_line(machine, vocabulary, thread, allowed)? {
            rest.push(*thread);
        }
    }
    walk(machine, vocabulary.trie(), rest, allowed)
}

/// Adds the tokens that may follow a thread that is in free text, and returns whether that could be done without walking
/// all: those that go on with it are known, and only those that leave it are tried. A token that is too long to go on
/// with it might still end it and go on with what follows, unless that cannot begin as free text does.
fn allow_line(
    machine: &mut Machine,
    vocabulary: &Vocabulary,
    thread: &Thread,
    allowed: &mut Allowed,
) -> Result<bool, Error> {
    let Some((escape, room)) = machine.open_line(thread) else { return Ok(false) };
    let tokens = vocabulary.line_tokens(escape);
    if tokens.exceed(room) && !machine.is_fenced(thread, escape) {
        return Ok(false);
    }
    tokens.allow(room, allowed);
    walk(machine, tokens.leaving(), vec![*thread], allowed)?;
    Ok(true)
}

/// The threads after these bytes; none if the bytes cannot come.
pub(crate) fn follow(machine: &mut Machine, threads: &[Thread], bytes: &[u8]) -> Result<Option<Vec<Thread>>, Error> {
    let mut threads = threads.to_vec();
    for &byte in bytes {
        let before = threads.len();
        if !machine.step(&mut threads, 0..before, byte)? {
            return Ok(None);
        }
        threads.drain(..before);
    }
    Ok(Some(threads))
}

/// Visits, depth first, the nodes that some thread can follow. The threads of the nodes still to visit lie in one
/// list, in the order of the visits reversed, so that it shrinks as the walk goes on.
fn walk(machine: &mut Machine, trie: &Trie, threads: Vec<Thread>, allowed: &mut Allowed) -> Result<(), Error> {
    let mut visits = vec![(Trie::ROOT, 0..threads.len())];
    let mut threads = threads;
    while let Some((node, range)) = visits.pop() {
        threads.truncate(range.end);
        let mut bytes = ByteSet::default();
        machine.next_bytes(&threads[range.clone()], &mut bytes);
        let mut visit = |child: u32| {
            let start = threads.len();
            if machine.step(&mut threads, range.clone(), trie.byte(child))? {
                trie.tokens(child).iter().for_each(|&token| allowed.insert(token));
                if !trie.children(child).is_empty() {
                    visits.push((child, start..threads.len()));
                }
            }
            Ok(())
        };
        let children = trie.children(node);
        if bytes.len() * 8 < children.len() {
            bytes.iter().filter_map(|byte| trie.child(node, byte)).try_for_each(&mut visit)?;
        } else {
            children.filter(|&child| bytes.contains(trie.byte(child))).try_for_each(&mut visit)?;
        }
    }
    Ok(())
}
