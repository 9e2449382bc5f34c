//! Follows a program byte by byte, in all the ways the text so far can be read at once.
//!
//! A [`Thread`] is one way to read the text: a place inside a leaf of the constraint, and a [`Frame`] that says what
//! comes after that leaf. Frames are kept once each and counted up as repeats go round, so nothing is ever expanded: a
//! repeat of a million items costs what a repeat of two does.

use crate::byte_set::ByteSet;
use crate::line::Line;
use crate::number::Number;
use crate::program::{Node, NodeId, Program};
use crate::strings::{Span, Strings};
use crate::{Error, Escape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many ways to read the text are followed at most.
const MAX_THREADS: usize = 256;
/// How many steps of threads one mask may take: some 50 times what a mask over a large vocabulary takes.
const MAX_STEPS: usize = 20_000_000;

type FrameId = u32;

/// What comes after the leaf, or the part, that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Frame {
    /// The end of the reply.
    End,
    /// The part of a sequence with this index.
    Part { node: NodeId, index: u32, parent: FrameId },
    /// What follows this many items of a repeat.
    Item { node: NodeId, count: usize, parent: FrameId },
    /// The item that follows a separator after this many items.
    Separator { node: NodeId, count: usize, parent: FrameId },
}

/// Where in a leaf a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// After everything: the reply is complete.
    End,
    Strings(NodeId, Span),
    Line(NodeId, Line),
    Number(Number),
}

/// One way to read the text so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    place: Place,
    frame: FrameId,
}

impl Thread {
    /// Whether the reply is complete on this reading.
    pub fn is_end(&self) -> bool {
        self.place == Place::End
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Work {
    Enter(NodeId, FrameId),
    Leave(FrameId),
}

/// A program with the frames that have come up so far.
#[derive(Clone)]
pub(crate) struct Machine {
    program: Arc<Program>,
    frames: Vec<Frame>,
    ids: FxHashMap<Frame, FrameId>,
    /// For each frame, the threads that follow it once they are known.
    after: Vec<Option<Arc<[Thread]>>>,
    steps: usize,
}

impl Machine {
    /// A machine and the threads before the first byte.
    pub fn new(program: Arc<Program>) -> (Machine, Vec<Thread>) {
        let root = program.root;
        let mut machine = Machine { program, frames: vec![], ids: FxHashMap::default(), after: vec![], steps: 0 };
        let end = machine.frame(Frame::End);
        let threads = machine.expand(Work::Enter(root, end));
        (machine, threads)
    }

    /// Starts to count steps anew.
    pub fn begin(&mut self) {
        self.steps = 0;
    }

    /// Appends to `out` the threads that follow those in `from` after one more byte, and returns whether there are any.
    pub fn step(&mut self, threads: &mut Vec<Thread>, from: std::ops::Range<usize>, byte: u8) -> Result<bool, Error> {
        let start = threads.len();
        for index in from {
            let Thread { place, frame } = threads[index];
            let Some((next, may_end)) = self.advance(place, byte) else { continue };
            if let Some(place) = next {
                self.add(threads, start, Thread { place, frame })?;
            }
            if may_end {
                for &thread in self.after(frame).iter() {
                    self.add(threads, start, thread)?;
                }
            }
        }
        Ok(threads.len() > start)
    }

    /// Adds the bytes that may come next; a few that may not can be among them.
    pub fn next_bytes(&self, threads: &[Thread], set: &mut ByteSet) {
        for thread in threads {
            match thread.place {
                Place::End => {}
                Place::Strings(node, span) => self.strings(node).next_bytes(span, set),
                Place::Line(node, line) => line.next_bytes(self.line(node).0, set),
                Place::Number(number) => number.next_bytes(set),
            }
        }
    }

    /// If the thread is in free text, between two characters: how it is escaped, and how many more may come.
    pub fn open_line(&self, thread: &Thread) -> Option<(Escape, usize)> {
        let Place::Line(node, line) = thread.place else { return None };
        let (max_chars, escape) = self.line(node);
        line.room(max_chars).map(|room| (escape, room))
    }

    /// Whether what comes after the part this thread is in always begins with a byte that free text written so cannot
    /// begin with.
    pub fn is_fenced(&mut self, thread: &Thread, escape: Escape) -> bool {
        let mut bytes = ByteSet::default();
        let after = self.after(thread.frame);
        self.next_bytes(&after, &mut bytes);
        !bytes.iter().any(|byte| Line::may_begin(byte, escape))
    }

    /// The place after one more byte if anything may follow there, and whether the leaf may end there; none if the byte
    /// cannot come.
    fn advance(&self, place: Place, byte: u8) -> Option<(Option<Place>, bool)> {
        match place {
            Place::End => None,
            Place::Strings(node, span) => {
                let strings = self.strings(node);
                let span = strings.narrow(span, byte)?;
                let next = strings.may_continue(span).then_some(Place::Strings(node, span));
                Some((next, strings.may_end(span)))
            }
            Place::Line(node, line) => {
                let (max_chars, escape) = self.line(node);
                let line = line.step(byte, max_chars, escape)?;
                Some((line.may_continue(max_chars).then_some(Place::Line(node, line)), line.may_end()))
            }
            Place::Number(number) => {
                let number = number.step(byte)?;
                Some((number.may_continue().then_some(Place::Number(number)), number.may_end()))
            }
        }
    }

    /// Adds a thread to those from `start` on, unless one that can do all it can do is there.
    fn add(&mut self, threads: &mut Vec<Thread>, start: usize, thread: Thread) -> Result<(), Error> {
        self.steps += 1 + threads.len() - start;
        for other in &mut threads[start..] {
            if other.place == thread.place
                && let Some(frame) = self.freer(other.frame, thread.frame)
            {
                other.frame = frame;
                return Ok(());
            }
        }
        if threads.len() - start == MAX_THREADS || self.steps > MAX_STEPS {
            return Err(Error::Ambiguous { most: MAX_THREADS });
        }
        threads.push(thread);
        Ok(())
    }

    /// Of two frames the one that allows all that the other does, if it can be told: of two counts of the same repeat
    /// that are both enough, the lower.
    fn freer(&self, a: FrameId, b: FrameId) -> Option<FrameId> {
        if a == b {
            return Some(a);
        }
        match (self.frames[a as usize], self.frames[b as usize]) {
            (Frame::Item { node, count, parent }, Frame::Item { node: node_b, count: count_b, parent: parent_b })
                if (node, parent) == (node_b, parent_b) && count.min(count_b) >= self.repeat(node).2 =>
            {
                Some(if count <= count_b { a } else { b })
            }
            _ => None,
        }
    }

    /// The threads that follow once the part before this frame has ended.
    fn after(&mut self, frame: FrameId) -> Arc<[Thread]> {
        if let Some(threads) = &self.after[frame as usize] {
            return threads.clone();
        }
        let threads: Arc<[Thread]> = self.expand(Work::Leave(frame)).into();
        self.after[frame as usize] = Some(threads.clone());
        threads
    }

    /// Goes on until every thread stands in a leaf.
    fn expand(&mut self, first: Work) -> Vec<Thread> {
        let mut threads = vec![];
        let mut seen = FxHashSet::default();
        let mut work = vec![first];
        while let Some(next) = work.pop() {
            if seen.insert(next) {
                match next {
                    Work::Enter(node, frame) => self.enter(node, frame, &mut work, &mut threads),
                    Work::Leave(frame) => self.leave(frame, &mut work, &mut threads),
                }
            }
        }
        threads
    }

    fn enter(&mut self, id: NodeId, frame: FrameId, work: &mut Vec<Work>, threads: &mut Vec<Thread>) {
        let program = self.program.clone();
        match program.node(id) {
            Node::Empty => work.push(Work::Leave(frame)),
            Node::Strings(strings) => threads.push(Thread { place: Place::Strings(id, strings.all()), frame }),
            Node::Line { .. } => threads.push(Thread { place: Place::Line(id, Line::START), frame }),
            Node::Number => threads.push(Thread { place: Place::Number(Number::Start), frame }),
            Node::OneOf(parts) => work.extend(parts.iter().map(|&part| Work::Enter(part, frame))),
            Node::Sequence(_) => {
                let first = self.frame(Frame::Part { node: id, index: 0, parent: frame });
                work.push(Work::Leave(first));
            }
            Node::Repeat { item, min, max, .. } => {
                if *min == 0 {
                    work.push(Work::Leave(frame));
                }
                if *max > 0 {
                    let first = self.frame(Frame::Item { node: id, count: 1, parent: frame });
                    work.push(Work::Enter(*item, first));
                }
            }
        }
    }

    fn leave(&mut self, frame: FrameId, work: &mut Vec<Work>, threads: &mut Vec<Thread>) {
        match self.frames[frame as usize] {
            Frame::End => threads.push(Thread { place: Place::End, frame }),
            Frame::Part { node, index, parent } => {
                let program = self.program.clone();
                let Node::Sequence(parts) = program.node(node) else { unreachable!("a part frame is of a sequence") };
                match parts.get(index as usize) {
                    None => work.push(Work::Leave(parent)),
                    Some(&part) => {
                        let next = self.frame(Frame::Part { node, index: index + 1, parent });
                        work.push(Work::Enter(part, next));
                    }
                }
            }
            Frame::Item { node, count, parent } => {
                let (_, separator, min, max) = self.repeat(node);
                if count >= min {
                    work.push(Work::Leave(parent));
                }
                if count < max {
                    let next = self.frame(Frame::Separator { node, count, parent });
                    work.push(Work::Enter(separator, next));
                }
            }
            Frame::Separator { node, count, parent } => {
                let (item, _, min, max) = self.repeat(node);
                // Without an upper bound there is nothing to count once there are enough.
                let count = if max == usize::MAX { (count + 1).min(min.max(1)) } else { count + 1 };
                let next = self.frame(Frame::Item { node, count, parent });
                work.push(Work::Enter(item, next));
            }
        }
    }

    fn frame(&mut self, frame: Frame) -> FrameId {
        *self.ids.entry(frame).or_insert_with(|| {
            self.frames.push(frame);
            self.after.push(None);
            self.frames.len() as FrameId - 1
        })
    }

    fn strings(&self, node: NodeId) -> &Strings {
        match self.program.node(node) {
            Node::Strings(strings) => strings,
            _ => unreachable!("the place is in a list of strings"),
        }
    }

    fn line(&self, node: NodeId) -> (usize, Escape) {
        match self.program.node(node) {
            Node::Line { max_chars, escape } => (*max_chars, *escape),
            _ => unreachable!("the place is in a line"),
        }
    }

    /// Item, separator, least and greatest count.
    fn repeat(&self, node: NodeId) -> (NodeId, NodeId, usize, usize) {
        match self.program.node(node) {
            Node::Repeat { item, separator, min, max } => (*item, *separator, *min, *max),
            _ => unreachable!("the frame is of a repeat"),
        }
    }
}
