//! Dealing outputs out to judges.
//!
//! The paper gave each of ten annotators 50 of a task's 500 outputs. Its agreement of 98% needs outputs that two people
//! judged, and it does not say how many, so the share is an argument. Judges cannot tell which of theirs those are.

use super::{Entries, Entry, Sheet};
use crate::turking::Error;
use saydo_metrics::python::Random;
use saydo_task::turking::Kind;

/// How outputs are dealt out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The most outputs of one task that a judge gets.
    pub per_judge: usize,
    /// The share of each task's outputs that a second judge gets as well, from 0 to 1.
    pub overlap: f64,
    /// Fixes every draw.
    pub seed: u64,
}

impl Default for Plan {
    /// The paper's 50 outputs for each judge; one in ten judged twice.
    fn default() -> Self {
        Plan { per_judge: 50, overlap: 0.1, seed: 0 }
    }
}

/// A sheet for each judge, as many as are needed, called `judge-01` and so on.
///
/// Within a task the judges' loads differ by one or two at most, and the order is random. No judge gets an output twice.
/// The same arguments give the same sheets for good.
pub fn assign<'e>(entries: &'e Entries<'e>, plan: &Plan) -> Result<Vec<Sheet<'e>>, Error> {
    if plan.per_judge == 0 || !(0.0..=1.0).contains(&plan.overlap) {
        return Err(Error::BadPlan { per_judge: plan.per_judge, overlap: plan.overlap });
    }
    let mut sheets: Vec<Sheet<'e>> = Vec::new();
    for (stream, kind) in Kind::ALL.into_iter().enumerate() {
        let of_kind: Vec<&Entry<'e>> = entries.all().iter().filter(|entry| entry.kind() == kind).collect();
        let mut random = Random::seeded(mixed(plan.seed, stream));
        for (judge, own) in deal(of_kind.len(), plan, &mut random).into_iter().enumerate() {
            if judge == sheets.len() {
                sheets.push(Sheet { judge: format!("judge-{:02}", judge + 1), entries: Vec::new() });
            }
            sheets[judge].entries.extend(own.into_iter().map(|at| of_kind[at]));
        }
    }
    Ok(sheets)
}

/// A seed for each task, so that leaving one out does not change the others.
fn mixed(seed: u64, stream: usize) -> u32 {
    let word = seed.wrapping_mul(7).wrapping_add(stream as u64);
    (word ^ (word >> 32)) as u32
}

/// For each judge, which of `count` outputs are theirs.
fn deal(count: usize, plan: &Plan, random: &mut Random) -> Vec<Vec<usize>> {
    let twice = (plan.overlap * count as f64).round() as usize;
    let needed = (count + twice).div_ceil(plan.per_judge).max(1 + usize::from(twice > 0));
    let order = shuffled((0..count).collect(), random);
    let mut hands: Vec<Vec<usize>> = vec![Vec::new(); needed];
    // What each judge was given first and nobody has been given again.
    let mut open: Vec<Vec<usize>> = vec![Vec::new(); needed];
    for (turn, &at) in order.iter().enumerate() {
        hands[turn % needed].push(at);
        open[turn % needed].push(at);
    }
    for _ in 0..twice {
        let Some((judge, from)) = second_judge(&hands, &open) else { break };
        hands[judge].extend(open[from].pop());
    }
    hands.into_iter().map(|hand| shuffled(hand, random)).collect()
}

/// Who judges next, and whose output: the judge with the fewest, and of the others the one with most outputs left, the
/// next in turn among equals.
fn second_judge(hands: &[Vec<usize>], open: &[Vec<usize>]) -> Option<(usize, usize)> {
    let count = hands.len();
    let mut judges: Vec<usize> = (0..count).collect();
    judges.sort_by_key(|&judge| hands[judge].len());
    judges.into_iter().find_map(|judge| {
        let others = (1..count).map(|step| (judge + step) % count).rev();
        others.filter(|&other| !open[other].is_empty()).max_by_key(|&other| open[other].len()).map(|from| (judge, from))
    })
}

fn shuffled(mut places: Vec<usize>, random: &mut Random) -> Vec<usize> {
    for end in (1..places.len()).rev() {
        let with = random.choice_index(end + 1).expect("there is at least one place");
        places.swap(end, with);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::captions;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_papers_numbers_need_its_ten_judges() {
        let hands = deal(500, &Plan { overlap: 0.0, ..Plan::default() }, &mut Random::seeded(0));
        assert_eq!(hands.iter().map(Vec::len).collect::<Vec<_>>(), [50; 10]);
        let hands = deal(500, &Plan::default(), &mut Random::seeded(0));
        assert_eq!(hands.iter().map(Vec::len).collect::<Vec<_>>(), [50; 11]);
    }

    #[test]
    fn sheets_are_named_and_hold_every_output_of_each_task() {
        let (gold, outputs) = captions(3, &["a", "b"]);
        let entries = Entries::new(&gold, &outputs, |_| true).unwrap();
        let sheets = assign(&entries, &Plan { per_judge: 4, overlap: 0.5, seed: 1 }).unwrap();
        assert_eq!(
            sheets.iter().map(|sheet| sheet.judge.as_str()).collect::<Vec<_>>(),
            ["judge-01", "judge-02", "judge-03"]
        );
        let mut dealt: Vec<&str> =
            sheets.iter().flat_map(|sheet| &sheet.entries).map(|entry| entry.id.as_str()).collect();
        assert_eq!(dealt.len(), 6 + 3 + 2 + 1);
        dealt.sort_unstable();
        dealt.dedup();
        assert_eq!(dealt.len(), 8);
        assert_eq!(assign(&entries, &Plan { per_judge: 4, overlap: 0.5, seed: 1 }).unwrap(), sheets);
        assert_ne!(assign(&entries, &Plan { per_judge: 4, overlap: 0.5, seed: 2 }).unwrap(), sheets);
    }

    #[test]
    fn plans_that_cannot_be_kept_are_refused() {
        let (gold, outputs) = captions(1, &["a"]);
        let entries = Entries::open(&gold, &outputs).unwrap();
        let refused =
            |per_judge, overlap| assign(&entries, &Plan { per_judge, overlap, seed: 0 }).unwrap_err().to_string();
        assert_eq!(
            refused(0, 0.1),
            "0 outputs for each judge with an overlap of 0.1, expected at least 1 and an overlap from 0 to 1"
        );
        assert!(refused(50, f64::NAN).starts_with("50 outputs for each judge with an overlap of NaN"));
    }

    proptest! {
        #[test]
        fn nobody_judges_twice_and_nobody_has_too_much(
            count in 0..120_usize, per_judge in 1..40_usize, overlap in 0.0..=1.0_f64, seed in any::<u32>(),
        ) {
            let plan = Plan { per_judge, overlap, seed: 0 };
            let hands = deal(count, &plan, &mut Random::seeded(seed));
            let twice = (overlap * count as f64).round() as usize;
            prop_assert_eq!(hands.iter().map(Vec::len).sum::<usize>(), count + twice);
            let mut times = vec![0; count];
            for hand in &hands {
                prop_assert!(hand.len() <= per_judge, "{} of {per_judge}", hand.len());
                let mut own = hand.clone();
                own.sort_unstable();
                own.dedup();
                prop_assert_eq!(own.len(), hand.len());
                own.iter().for_each(|&at| times[at] += 1);
            }
            prop_assert!(times.iter().all(|n| (1..=2).contains(n)));
        }
    }
}
