//! Instances grouped by category and by task, in the order the groups first come up.

use super::error::Error;
use super::input::{Reference, References};
use super::instance::InstanceScore;
use crate::Mode;
use rustc_hash::FxHashMap;
use saydo_metrics::python;

/// A name and the positions of its members among the instances of the track.
pub(super) type Groups = Vec<(String, Vec<usize>)>;

/// Groups by the category's name in lower case, its words joined by `_`.
pub(super) fn by_category(references: &References, instances: &[InstanceScore], mode: Mode) -> Result<Groups, Error> {
    let key = |reference: &Reference| reference.category.as_deref().map(category_key);
    by(references, instances, mode, "task_category", key)
}

/// Groups by task.
pub(super) fn by_task(references: &References, instances: &[InstanceScore], mode: Mode) -> Result<Groups, Error> {
    by(references, instances, mode, "task_id", |reference| reference.task.clone())
}

/// How a category is written in keys.
pub(super) fn category_key(category: &str) -> String {
    python::split_space(&python::lower(category)).collect::<Vec<_>>().join("_")
}

/// The reference evaluator looks at the first instance: without a group there, nothing is grouped; with one, every
/// other instance needs one too.
fn by(
    references: &References,
    instances: &[InstanceScore],
    mode: Mode,
    field: &'static str,
    key: impl Fn(&Reference) -> Option<String>,
) -> Result<Groups, Error> {
    let mut groups = Groups::new();
    let mut positions = FxHashMap::<String, usize>::default();
    for (i, instance) in instances.iter().enumerate() {
        let reference = &references.instances[instance.position];
        match key(reference) {
            Some(key) => {
                let position = *positions.entry(key).or_insert_with_key(|key| {
                    groups.push((key.clone(), Vec::new()));
                    groups.len() - 1
                });
                groups[position].1.push(i);
            }
            None if mode == Mode::Fixed => {}
            None if i == 0 => return Ok(Groups::new()),
            None => {
                return Err(Error::Ungrouped { place: reference.place.clone(), id: reference.id.clone(), field });
            }
        }
    }
    Ok(groups)
}
