//! Functions over a list of texts: cells in the order of the texts.

use super::{Asker, Memory, answer};
use crate::Error;
use crate::record::{Key, Keys, cell};
use saydo_corpus::Cell;
use saydo_function::{Function, Outcome, answer_each};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What is kept of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What stands in rows.
    Row,
    /// The log-odds of NA, too.
    NaLogOdds,
}

/// The cell of each text, in their order, from one function on the model of this fingerprint. `watch` is called for each text
/// that has one. Equal texts are asked about once, also where nothing is kept.
pub fn texts<'t>(
    function: &Function,
    fingerprint: &str,
    texts: impl IntoIterator<Item = &'t str>,
    detail: Detail,
    memory: &mut Memory<'_>,
    watch: &mut dyn FnMut(),
) -> Result<Vec<Cell>, Error> {
    let keys = Keys::new(&function.identity(), fingerprint);
    let mut open: VecDeque<(Vec<usize>, &str)> = VecDeque::new();
    let (mut known, mut count) = (HashMap::new(), 0);
    for (place, text) in texts.into_iter().enumerate() {
        let distinct = *known.entry(text).or_insert(open.len());
        match open.get_mut(distinct) {
            Some((places, _)) => places.push(place),
            None => open.push_back((vec![place], text)),
        }
        count += 1;
    }
    let mut list = List { function, keys, detail, cells: vec![None; count], open, watch };
    answer(&mut list, memory, |questions, done| answer_each(questions, done))?;
    memory.sync()?;
    Ok(list.cells.into_iter().map(|cell| cell.expect("every text has an answer at the end")).collect())
}

struct List<'a, 't> {
    function: &'a Function,
    keys: Keys,
    detail: Detail,
    /// Each distinct text that was not taken yet, and where it stands.
    open: VecDeque<(Vec<usize>, &'t str)>,
    cells: Vec<Option<Cell>>,
    watch: &'a mut dyn FnMut(),
}

impl<'a, 't> Asker for List<'a, 't> {
    type Tag = (Vec<usize>, &'t str);
    type Ask = (&'a Function, Arc<str>);

    fn next(&mut self) -> Option<(Key, Self::Tag)> {
        let (places, text) = self.open.pop_front()?;
        Some((self.keys.of(text), (places, text)))
    }

    fn ask(&mut self, (_, text): &Self::Tag) -> Result<Self::Ask, saydo_function::Error> {
        Ok((self.function, Arc::from(*text)))
    }

    fn fits(&self, (_, text): &Self::Tag, cell: &Cell) -> bool {
        cell::fits(cell, self.function.spec(), text)
    }

    fn cell(&self, result: Result<Outcome, saydo_function::Error>, ms: u64) -> Cell {
        let odds = result.as_ref().ok().and_then(|outcome| outcome.na_log_odds);
        Cell { na_log_odds: odds.filter(|_| self.detail == Detail::NaLogOdds), ..cell::of(result, ms) }
    }

    fn done(&mut self, (places, _): Self::Tag, cell: Cell, _is_new: bool) {
        for place in places {
            self.cells[place] = Some(cell.clone());
            (self.watch)();
        }
    }
}
