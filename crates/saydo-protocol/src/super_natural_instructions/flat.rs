//! The reference evaluator's result: flat keys in its order, each number rounded to four decimals.

use super::group::Groups;
use super::headline::Metric;
use super::input::Track;
use super::instance::InstanceScore;
use serde_json::{Map, Value};

/// Adds what the evaluator reports for one track. A key that comes again keeps its place and takes the later value.
pub(super) fn add_track(
    scores: &mut Map<String, Value>,
    track: Track,
    instances: &[InstanceScore],
    by_category: &Groups,
    by_task: &Groups,
) {
    let everyone: Vec<usize> = (0..instances.len()).collect();
    for metric in Metric::ALL {
        scores.insert(format!("{metric}_{track}_track"), round4(metric.mean(instances, &everyone)));
    }
    for (group, members) in by_category.iter().chain(by_task) {
        for metric in Metric::ALL {
            scores.insert(format!("{metric}_for_{group}_{track}_track"), round4(metric.mean(instances, members)));
        }
    }
}

/// Correct decimal rounding of the binary value, as Python's `round`.
fn round4(points: f64) -> Value {
    format!("{points:.4}").parse::<f64>().expect("a formatted number reads back").into()
}

#[cfg(test)]
mod tests {
    use super::round4;

    #[test]
    fn ties_are_those_of_the_binary_value() {
        // 0.00005 lies just above the tie in binary, 0.00015 just below, 2.00025 just below.
        assert_eq!(round4(0.00005), 0.0001);
        assert_eq!(round4(0.00015), 0.0001);
        assert_eq!(round4(2.00025), 2.0002);
        assert_eq!(round4(60.0).to_string(), "60.0");
    }
}
