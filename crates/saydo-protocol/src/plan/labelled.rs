//! A user's own task on labelled rows.

use super::{Options, Plan};
use crate::Error;
use saydo_eval::labelled::LabelledRow;
use saydo_task::{Instance, Task};

pub(super) fn plan(mut task: Task, rows: Vec<LabelledRow>, options: &Options<'_>) -> Result<Plan, Error> {
    let instance =
        |row: LabelledRow| Instance { id: Some(row.id), outputs: row.gold, ..Instance::unlabelled(row.text) };
    task.instances = rows.into_iter().map(instance).collect();
    super::zest::plan_labelled(vec![task], options)
}
