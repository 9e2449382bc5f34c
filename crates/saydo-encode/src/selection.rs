//! Which instances of a task are evaluated: the rule of the released Natural Instructions encoder.

use crate::{Error, Result};

/// The instances at the start of a task that are kept as further examples and never evaluated.
pub const RESERVED_INSTANCES: usize = 60;

/// The indices of `wanted` instances spread evenly over `instances`, the first 60 and the last left out.
///
/// Both errors are cases in which the released encoder stops. Choosing none always succeeds.
///
/// ```
/// assert_eq!(saydo_encode::select_instances(72, 3)?, [60, 64, 68]);
/// # Ok::<(), saydo_encode::Error>(())
/// ```
pub fn select_instances(instances: usize, wanted: usize) -> Result<Vec<usize>> {
    let step = match instances.saturating_sub(RESERVED_INSTANCES).checked_div(wanted) {
        None => return Ok(Vec::new()),
        Some(0) => return Err(Error::TooFewInstances { instances, wanted }),
        Some(step) => step,
    };
    let chosen: Vec<usize> = (RESERVED_INSTANCES..instances - 1).step_by(step).take(wanted).collect();
    if chosen.len() < wanted {
        return Err(Error::LastInstanceNeeded { instances, wanted });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn instances_are_spread_from_the_sixtieth_on() {
        assert_eq!(select_instances(400, 5).unwrap(), [60, 128, 196, 264, 332]);
        assert_eq!(select_instances(161, 100).unwrap(), (60..160).collect::<Vec<_>>());
        assert!(select_instances(10, 0).unwrap().is_empty());
    }

    #[test]
    fn too_few_instances_say_how_many_are_needed() {
        let error = |instances| select_instances(instances, 100).unwrap_err();
        insta::assert_snapshot!(error(159), @"cannot choose 100 of 159 instances: the first 60 are kept as examples, so at least 161 are needed");
        insta::assert_snapshot!(error(160), @"cannot choose 100 of 160 instances: the first 60 are kept as examples and the last is never taken, so one more is needed");
        assert_eq!(error(0), Error::TooFewInstances { instances: 0, wanted: 100 });
    }

    proptest! {
        #[test]
        fn chosen_instances_exist_and_are_not_reserved(instances in 0_usize..3000, wanted in 1_usize..200) {
            match select_instances(instances, wanted) {
                Ok(chosen) => {
                    prop_assert_eq!(chosen.len(), wanted);
                    prop_assert!(chosen.is_sorted_by(|a, b| a < b));
                    prop_assert!(chosen[0] == 60 && chosen[wanted - 1] < instances - 1);
                }
                Err(_) => prop_assert!(instances < RESERVED_INSTANCES + wanted + 1),
            }
        }
    }
}
