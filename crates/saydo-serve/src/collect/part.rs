//! The part of each question: train, dev or test. Base questions are split before anything is made of them, and whatever is
//! made of them stays in their part, so that no family of tasks crosses parts (section 4 of the ZEST paper).
//!
//! Base questions are dealt as they come, domain by domain, each to the part that lacks most of its share; a question that
//! has a part keeps it. Questions that were joined before they were split, as in projects of older versions, are dealt as
//! one family, and [`Dealt`] says how many those are.

use super::given::random;
use super::question::Question;
use crate::failure::Answered;
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The parts in their order, each with its tenths of the base questions; of two that lack as much, the first is dealt to.
const TENTHS: [(&str, usize); 3] = [("test", 5), ("train", 4), ("dev", 1)];
/// A number of draws that no other draws of a project use.
const STREAM: u32 = 7_654_321;

/// Which question is in which part.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Dealt {
    /// The part of each question by its number.
    #[serde(skip)]
    pub(crate) parts: BTreeMap<i64, &'static str>,
    /// Base questions in train, dev and test that are not put aside.
    pub(crate) base: [usize; 3],
    /// All questions in train, dev and test that are not put aside.
    pub(crate) all: [usize; 3],
    /// Base questions without a part in families with several: compositions joined them before they were split.
    pub(crate) joined: usize,
    /// Derived questions in another part than what they were made from.
    pub(crate) crossing: usize,
}

/// Deals whatever has no part yet.
pub(crate) fn deal(questions: &[Question], seed: u32) -> Dealt {
    let families = families(questions);
    let mut dealt = Dealt::default();
    let mut counts = [0; 3];
    let known = |question: &Question| question.part.as_deref().and_then(named);
    let is_counted = |question: &&&Question| question.is_base() && !question.dropped;
    let mut open: Vec<Vec<&Question>> = Vec::new();
    for family in families {
        let parts: BTreeSet<&'static str> = family.iter().filter_map(|question| known(question)).collect();
        let bases = family.iter().filter(is_counted).count();
        match parts.first() {
            None => {
                dealt.joined += if bases > 1 { bases } else { 0 };
                open.push(family);
            }
            // What has no part goes where what it was made from is; the first part of several where that says nothing.
            Some(first) => {
                for question in &family {
                    let of_base = question.derives_from.iter().find_map(|base| dealt.parts.get(base).copied());
                    let part = known(question).or(of_base).unwrap_or(first);
                    dealt.parts.insert(question.id, part);
                    if is_counted(&question) {
                        counts[place(part)] += 1;
                    }
                }
            }
        }
    }
    let mut random = random(seed, STREAM.wrapping_add(counts.iter().sum::<usize>() as u32));
    for last in (1..open.len()).rev() {
        open.swap(last, random.choice_index(last + 1).unwrap_or(last));
    }
    open.sort_by_key(|family| {
        let bases = family.iter().filter(is_counted).count();
        (std::cmp::Reverse(bases), family.first().map(|question| question.domain.clone()))
    });
    for family in open {
        let bases = family.iter().filter(is_counted).count();
        let total: usize = counts.iter().sum::<usize>() + bases;
        let lacks = |place: &usize| (TENTHS[*place].1 * total) as i64 - (10 * counts[*place]) as i64;
        let at = (0..3).rev().max_by_key(lacks).expect("there are three parts");
        counts[at] += bases;
        dealt.parts.extend(family.iter().map(|question| (question.id, TENTHS[at].0)));
    }
    for question in questions.iter().filter(|question| !question.dropped) {
        let part = dealt.parts[&question.id];
        let at = super::export::PARTS.iter().position(|name| *name == part).expect("every part is listed");
        dealt.all[at] += 1;
        dealt.base[at] += usize::from(question.is_base());
        let elsewhere = |base: &i64| dealt.parts.get(base).is_some_and(|other| *other != part);
        dealt.crossing += usize::from(question.derives_from.iter().any(elsewhere));
    }
    dealt
}

/// Deals what has no part yet, and keeps it.
pub(crate) fn assign(db: &Connection, project: i64, seed: u32) -> Answered<Dealt> {
    let questions = Question::all(db, project)?;
    let dealt = deal(&questions, seed);
    let mut update = db.prepare_cached("UPDATE question SET part = ?2 WHERE id = ?1")?;
    for question in questions.iter().filter(|question| question.part.is_none()) {
        update.execute(params![question.id, dealt.parts[&question.id]])?;
    }
    Ok(dealt)
}

fn named(name: &str) -> Option<&'static str> {
    TENTHS.into_iter().map(|(part, _)| part).find(|part| *part == name)
}

fn place(part: &str) -> usize {
    TENTHS.into_iter().position(|(name, _)| name == part).expect("every part is listed")
}

/// Questions that are connected by what they were made from, the first of each family first.
pub(super) fn families(questions: &[Question]) -> Vec<Vec<&Question>> {
    let mut root: BTreeMap<i64, i64> = questions.iter().map(|question| (question.id, question.id)).collect();
    fn find(root: &BTreeMap<i64, i64>, mut id: i64) -> i64 {
        while root[&id] != id {
            id = root[&id];
        }
        id
    }
    for question in questions {
        for base in question.derives_from.iter().filter(|base| root.contains_key(base)).copied().collect::<Vec<_>>() {
            let (own, other) = (find(&root, question.id), find(&root, base));
            root.insert(own.max(other), own.min(other));
        }
    }
    let mut families: BTreeMap<i64, Vec<&Question>> = BTreeMap::new();
    questions.iter().for_each(|question| families.entry(find(&root, question.id)).or_default().push(question));
    families.into_values().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use saydo_task::Generalization;

    pub(crate) fn question(id: i64, bases: &[i64], part: Option<&str>) -> Question {
        let kind = if bases.is_empty() { Generalization::Base } else { Generalization::Composition };
        Question {
            id,
            generalization: kind.key().to_owned(),
            domain: "parks".to_owned(),
            text: format!("Question {id}?"),
            kind: "yes-no".to_owned(),
            fields: Vec::new(),
            derives_from: bases.to_vec(),
            author: "Ada".to_owned(),
            dropped: false,
            part: part.map(str::to_owned),
        }
    }

    #[test]
    fn base_questions_are_dealt_in_the_papers_shares() {
        for (count, expected) in
            [(1, [0, 0, 1]), (2, [1, 0, 1]), (10, [4, 1, 5]), (20, [8, 2, 10]), (100, [40, 10, 50])]
        {
            let questions: Vec<Question> = (0..count).map(|id| question(id, &[], None)).collect();
            assert_eq!(deal(&questions, 3).base, expected, "{count}");
        }
    }

    #[test]
    fn a_part_once_given_stays_and_newcomers_fill_up_the_rest() {
        let mut questions: Vec<Question> = (0..10).map(|id| question(id, &[], None)).collect();
        let first = deal(&questions, 0);
        questions.iter_mut().for_each(|one| one.part = Some(first.parts[&one.id].to_owned()));
        questions.extend((10..20).map(|id| question(id, &[], None)));
        let second = deal(&questions, 0);
        assert_eq!(second.base, [8, 2, 10]);
        assert!((0..10).all(|id| first.parts[&id] == second.parts[&id]));
    }

    #[test]
    fn a_hundred_base_questions_with_a_hundred_compositions_within_parts_keep_the_shares() {
        let mut questions: Vec<Question> = (0..100).map(|id| question(id, &[], None)).collect();
        let dealt = deal(&questions, 1);
        questions.iter_mut().for_each(|one| one.part = Some(dealt.parts[&one.id].to_owned()));
        for number in 0..100 {
            let part = dealt.parts[&number];
            let other = (0..100).find(|id| *id != number && dealt.parts[id] == part).unwrap();
            questions.push(question(100 + number, &[number, other], None));
        }
        let found = deal(&questions, 1);
        assert_eq!((found.base, found.all, found.crossing), ([40, 10, 50], [80, 20, 100], 0));
    }

    #[test]
    fn questions_that_were_joined_before_stay_together_and_are_counted() {
        let mut questions: Vec<Question> = (0..20).map(|id| question(id, &[], None)).collect();
        questions.extend((0..15).map(|number| question(20 + number, &[number, number + 1], None)));
        let dealt = deal(&questions, 0);
        assert_eq!((dealt.joined, dealt.crossing), (16, 0));
        assert_eq!(dealt.base.iter().sum::<usize>(), 20);
        // Parts that were given by hand and contradict what was composed are counted, too.
        let torn = [question(1, &[], Some("train")), question(2, &[], Some("test")), question(3, &[1, 2], None)];
        assert_eq!(deal(&torn, 0).crossing, 1);
    }
}
