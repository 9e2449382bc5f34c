//! Which predicted object answers which gold object.
//!
//! The reference pairs greedily and then applies the permutation it found in the wrong direction (Q9), which is
//! harmless only where the permutation is its own inverse.

use saydo_metrics::{assignment::assign_max, mean::numpy_mean};

use super::super::answer_set::{answer_sets, predicted_set};
use super::super::error::{Fault, Reason, Side};
use super::super::normalize::Bag;
use super::super::repair::{Repairs, quirk};
use super::super::span::span_f1;
use super::Object;

/// For each gold object, in order, the index of the predicted object that is compared with it; and the mean score.
///
/// Both lists count as padded with empty objects to the longer length. Indices beyond the last predicted object stand
/// for the padding.
pub(super) fn align(gold: &[Object], predicted: &[Object], repairs: Repairs) -> Result<(Vec<usize>, f64), Fault> {
    let pairs = Pairs::new(gold, predicted, repairs)?;
    let order = if repairs.has(quirk::ALIGNMENT) { pairs.best_order() } else { pairs.greedy_order() };
    let scores: Vec<Option<f64>> = order.iter().enumerate().map(|(gold, &index)| pairs.score(gold, index)).collect();
    Ok((order, mean_score(scores, repairs)?))
}

/// A pair without anything to compare counts -1 in the reference (Q10), and an answer of nothing but such pairs is a
/// crash. Repaired, such pairs are left out.
fn mean_score(scores: Vec<Option<f64>>, repairs: Repairs) -> Result<f64, Fault> {
    if repairs.has(quirk::EMPTY_PAIR) {
        let scores: Vec<f64> = scores.into_iter().flatten().collect();
        return Ok(numpy_mean(&scores).unwrap_or(1.0));
    }
    let scores: Vec<f64> = scores.into_iter().map(|score| score.unwrap_or(-1.0)).collect();
    numpy_mean(&scores).filter(|mean| *mean > -1.0).ok_or(Side::Gold.fault(Reason::NothingToCompare))
}

/// All objects as bags of `key value` strings.
struct Pairs {
    /// The answer sets of each gold object.
    gold: Vec<Vec<Vec<Bag>>>,
    /// The one answer set of each predicted object.
    predicted: Vec<Vec<Bag>>,
    repairs: Repairs,
}

impl Pairs {
    fn new(gold: &[Object], predicted: &[Object], repairs: Repairs) -> Result<Self, Fault> {
        let bags = |set: Vec<String>| set.iter().map(|text| Bag::new(text, repairs)).collect::<Vec<_>>();
        let gold_bags =
            |object: &Object| Ok(answer_sets(object, Side::Gold, repairs)?.into_iter().map(bags).collect::<Vec<_>>());
        Ok(Pairs {
            gold: gold.iter().map(gold_bags).collect::<Result<_, Fault>>()?,
            predicted: predicted
                .iter()
                .map(|object| predicted_set(object, repairs).map(bags))
                .collect::<Result<_, Fault>>()?,
            repairs,
        })
    }

    /// The length both lists are padded to.
    fn length(&self) -> usize {
        self.gold.len().max(self.predicted.len())
    }

    /// The best score over the gold object's answer sets; none if there is nothing on either side.
    fn score(&self, gold: usize, predicted: usize) -> Option<f64> {
        let padding = [Vec::new()];
        let sets = self.gold.get(gold).map_or(padding.as_slice(), Vec::as_slice);
        let predicted = self.predicted.get(predicted).map_or([].as_slice(), Vec::as_slice);
        sets.iter().filter_map(|set| span_f1(predicted, set, self.repairs)).reduce(f64::max)
    }

    /// Each predicted object takes the first free gold object that scores 1, or else the best one. What it took is then
    /// read as if it were what the gold object at its own place had taken.
    fn greedy_order(&self) -> Vec<usize> {
        let mut free: Vec<usize> = (0..self.length()).collect();
        (0..self.length()).map(|predicted| free.remove(self.greedy_choice(&free, predicted))).collect()
    }

    /// The position in `free` of the gold object that the predicted one takes.
    fn greedy_choice(&self, free: &[usize], predicted: usize) -> usize {
        let (mut best, mut best_score) = (0, f64::NEG_INFINITY);
        for (position, &gold) in free.iter().enumerate() {
            let score = self.score(gold, predicted).unwrap_or(-1.0);
            if score == 1.0 {
                return position;
            }
            if score > best_score {
                (best, best_score) = (position, score);
            }
            // Padding stands at the end and is all alike.
            if gold >= self.gold.len() {
                break;
            }
        }
        best
    }

    /// The repair of Q9: the pairing of the highest total score. Predicted objects that are left go with the padding.
    fn best_order(&self) -> Vec<usize> {
        let weights: Vec<Vec<f64>> = (0..self.gold.len())
            .map(|gold| (0..self.predicted.len()).map(|predicted| self.score(gold, predicted).unwrap_or(0.0)).collect())
            .collect();
        let assigned = assign_max(&weights);
        let mut is_left = vec![true; self.predicted.len()];
        assigned.iter().flatten().for_each(|&predicted| is_left[predicted] = false);
        let left = (0..self.predicted.len()).filter(|&predicted| is_left[predicted]);
        let none = self.predicted.len();
        assigned.iter().map(|predicted| predicted.unwrap_or(none)).chain(left).collect()
    }
}
