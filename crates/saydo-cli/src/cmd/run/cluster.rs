//! The same run on a cluster: rows come back in any order, and are told apart by a column.

use super::Args;
use crate::failure::Verdict;
use crate::task::Named;
use anyhow::Result;

#[cfg(not(feature = "cluster"))]
pub(super) fn run(_args: &Args, _tasks: Vec<Named>, _inputs: Vec<String>) -> Result<Verdict> {
    crate::cluster::missing("`saydo run --cluster`")
}

#[cfg(feature = "cluster")]
pub(super) fn run(args: &Args, tasks: Vec<Named>, inputs: Vec<String>) -> Result<Verdict> {
    use super::note;
    use anyhow::bail;
    use saydo_cluster::{Job, JobTask, Target, run_job};

    let Some(place) = crate::cluster::place(&args.cluster)? else { bail!("no cluster was named") };
    if let Some(flag) = refused(args) {
        bail!("{flag} with --cluster, which has no order of documents and no run folder; leave it out");
    }
    let mut stdout = std::io::stdout().lock();
    let target = match &args.output_path {
        Some(path) => Target::Files(path.to_string_lossy().into_owned()),
        None => Target::JsonLines(&mut stdout),
    };
    let tasks = tasks.into_iter().map(|Named { name, task }| JobTask { name, task }).collect();
    let job = Job { tasks, inputs, text: args.column.clone(), id: args.id.clone(), place, target };
    let begun = std::time::Instant::now();
    let rows = run_job(job)?;
    note(args, &format!("{rows} rows in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(Verdict::Done)
}

/// A flag that means nothing on a cluster, if one was given.
#[cfg(feature = "cluster")]
fn refused(args: &Args) -> Option<&'static str> {
    let given = [
        (args.limit.is_some(), "--limit"),
        (args.calibrate.is_some(), "--calibrate"),
        (args.na.is_given(), "--na-share"),
        (args.run.is_some(), "--run"),
        (args.no_resume, "--no-resume"),
        (args.retry_errors, "--retry-errors"),
        (args.fail_on_error.is_some(), "--fail-on-error"),
        (args.shard.is_some(), "--shard"),
        (args.export_batch.is_some(), "--export-batch"),
        (args.import_batch.is_some(), "--import-batch"),
        (args.format.is_some(), "--format"),
    ];
    given.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
}
