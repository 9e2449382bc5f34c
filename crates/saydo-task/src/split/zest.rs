//! ZEST's split: half of the base tasks to test, four tenths to train, one tenth to dev, and every derived task to the
//! part of its base (section 4 of the paper). Where tasks of a domain share their texts, whole domains are drawn instead.
//!
//! A composition has several bases, so tasks are first gathered into families: everything that is connected through
//! `derives_from`, by way of bases that are not in the dataset as well. Families are drawn whole.

use super::random::Random;
use super::{Kind, Split, refs, tasks};
use crate::dataset::Dataset;
use crate::{Error, Task};
use std::collections::{BTreeMap, HashMap};

/// Tenths of the base tasks for test (unseen), train (seen) and dev.
const TENTHS: [usize; 3] = [5, 4, 1];

impl Split {
    /// Draws test, train and dev tasks with ZEST's shares; the paper's own assignment comes with its files.
    ///
    /// Families are dealt out from the largest to the smallest, those of one size in random order, each to the part
    /// that lacks most: the shares are met as closely as whole families allow.
    pub fn zest(dataset: &Dataset, seed: u64) -> Result<Split, Error> {
        let mut sorted: Vec<&Task> = tasks(dataset).collect();
        sorted.sort_by(|a, b| a.id.cmp(&b.id));
        dealt(Kind::Zest { seed }, families(&sorted), Random::new(seed, "families"))
    }

    /// Draws whole domains with the same shares of tasks, so that no part shares a text with another. Tasks without a domain
    /// are one together.
    pub fn domains(dataset: &Dataset, seed: u64) -> Result<Split, Error> {
        let mut domains: BTreeMap<Option<&str>, Vec<&Task>> = BTreeMap::new();
        for task in tasks(dataset) {
            domains.entry(task.origin.domain.first().map(String::as_str)).or_default().push(task);
        }
        let families = domains.into_values().map(|tasks| Family { bases: tasks.len(), tasks }).collect();
        dealt(Kind::Domains { seed }, families, Random::new(seed, "domains"))
    }
}

/// The split that whole families make, in random order among those of one size.
fn dealt(kind: Kind, mut families: Vec<Family<'_>>, mut random: Random) -> Result<Split, Error> {
    random.shuffle(&mut families);
    families.sort_by_key(|family| std::cmp::Reverse(family.bases));
    let [unseen, seen, dev] = deal(families);
    let mut split = Split::new(kind, seen, unseen)?;
    split.dev = Some(refs(&dev));
    Ok(split)
}

/// Tasks that must stay together.
struct Family<'a> {
    tasks: Vec<&'a Task>,
    /// How many base tasks it has, those outside of the dataset included; at least one.
    bases: usize,
}

fn families<'a>(tasks: &[&'a Task]) -> Vec<Family<'a>> {
    let mut groups = Groups::default();
    for task in tasks {
        let own = groups.member(&task.id);
        for base in &task.origin.derives_from {
            let base = groups.member(base);
            groups.join(own, base);
        }
    }
    let mut families: BTreeMap<usize, Family<'a>> = BTreeMap::new();
    for task in tasks {
        let root = groups.root_of(&task.id);
        families.entry(root).or_insert(Family { tasks: Vec::new(), bases: 0 }).tasks.push(task);
    }
    let derived: HashMap<&str, bool> =
        tasks.iter().map(|task| (task.id.as_str(), !task.origin.derives_from.is_empty())).collect();
    for id in groups.ids() {
        if derived.get(id.as_str()) != Some(&true) {
            let root = groups.root_of(&id);
            families.get_mut(&root).expect("every group has a task of the dataset").bases += 1;
        }
    }
    // Tasks that derive from each other in a circle have no base.
    families.into_values().map(|family| Family { bases: family.bases.max(1), ..family }).collect()
}

/// Deals families to [test, train, dev].
fn deal(families: Vec<Family<'_>>) -> [Vec<&Task>; 3] {
    let total: usize = families.iter().map(|family| family.bases).sum();
    let mut parts: [Vec<&Task>; 3] = Default::default();
    let mut dealt = [0; 3];
    for family in families {
        // Ten times what a part lacks; the first of equals wins.
        let lacks = |part: &usize| (TENTHS[*part] * total) as i64 - (10 * dealt[*part]) as i64;
        let part = (0..3).rev().max_by_key(lacks).expect("there are three parts");
        dealt[part] += family.bases;
        parts[part].extend(family.tasks);
    }
    for part in &mut parts {
        part.sort_by(|a, b| a.id.cmp(&b.id));
    }
    parts
}

/// Disjoint sets of ids (union–find).
#[derive(Default)]
struct Groups {
    numbers: HashMap<String, usize>,
    parents: Vec<usize>,
}

impl Groups {
    fn member(&mut self, id: &str) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(id.to_owned()).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    fn root_of(&mut self, id: &str) -> usize {
        let number = self.member(id);
        self.root(number)
    }

    /// The smaller number becomes the root, so that roots do not depend on the order of joining.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }

    fn ids(&self) -> Vec<String> {
        self.numbers.keys().cloned().collect()
    }
}
