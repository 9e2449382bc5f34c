//! A user's own task on labelled rows.

use crate::Error;
use crate::labelled::LabelledRow;
use crate::plan::{Options, Plan};
use saydo_task::{Instance, Task};

pub(crate) fn plan(mut task: Task, rows: Vec<LabelledRow>, options: &Options<'_>) -> Result<Plan, Error> {
    let instance =
        |row: LabelledRow| Instance { id: Some(row.id), outputs: row.gold, ..Instance::unlabelled(row.text) };
    task.instances = rows.into_iter().map(instance).collect();
    crate::zest::plan::plan_labelled(vec![task], options)
}
