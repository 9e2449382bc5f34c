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

/// How far ZEST's shares can be met: families of tasks stay together, and a composition joins those of its base tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyReport {
    /// How many base tasks there are, those that are only named as a base included.
    pub bases: usize,
    /// How many families they form.
    pub families: usize,
    /// How many base tasks the largest family has.
    pub largest: usize,
    /// Base tasks in train, dev and test.
    pub parts: [usize; 3],
}

impl FamilyReport {
    /// How [`Split::zest`] deals the families of a dataset.
    pub fn of(dataset: &Dataset) -> Self {
        let mut sorted: Vec<&Task> = tasks(dataset).collect();
        sorted.sort_by(|a, b| a.id.cmp(&b.id));
        let mut sizes: Vec<usize> = families(&sorted).iter().map(|family| family.bases).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let bases = sizes.iter().sum();
        let mut dealt = [0; 3];
        for size in &sizes {
            dealt[lacking(&dealt, bases)] += size;
        }
        let [test, train, dev] = dealt;
        Self { bases, families: sizes.len(), largest: sizes.first().copied().unwrap_or(0), parts: [train, dev, test] }
    }

    /// Whether a part misses its share of the base tasks by more than a twentieth of them, and by more than one task.
    pub fn misses_shares(&self) -> bool {
        let [train, dev, test] = self.parts;
        let off = |found: usize, tenths: usize| (10 * found).abs_diff(tenths * self.bases);
        [(test, TENTHS[0]), (train, TENTHS[1]), (dev, TENTHS[2])]
            .into_iter()
            .any(|(found, tenths)| off(found, tenths) > 10 && 2 * off(found, tenths) > self.bases)
    }
}

impl std::fmt::Display for FamilyReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { bases, families, largest, parts: [train, dev, test] } = self;
        write!(
            f,
            "{bases} base tasks form {families} families, the largest with {largest}: train, dev and test get {train}, {dev} \
             and {test} of them instead of 40%, 10% and 50%"
        )
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
        let part = lacking(&dealt, total);
        dealt[part] += family.bases;
        parts[part].extend(family.tasks);
    }
    for part in &mut parts {
        part.sort_by(|a, b| a.id.cmp(&b.id));
    }
    parts
}

/// The part that lacks most of its share; the first of equals.
fn lacking(dealt: &[usize; 3], total: usize) -> usize {
    let lacks = |part: &usize| (TENTHS[*part] * total) as i64 - (10 * dealt[*part]) as i64;
    (0..3).rev().max_by_key(lacks).expect("there are three parts")
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
