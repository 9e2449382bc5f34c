//! `--export-batch` and `--import-batch`: the model is asked through files.

use super::{Args, note, plan, sink::Sink, summary, verdict};
use crate::failure::Verdict;
use anyhow::Result;
use saydo::job::run::Run;
use saydo::record::batch::{Results, export as export_batch, import as import_batch};
use saydo_corpus::Corpus;
use saydo_openai::Settings;
use std::path::Path;
use std::time::Instant;

/// Requests that OpenAI takes in one file.
const OPENAI_REQUESTS: u64 = 50_000;

/// Writes requests for what is not finished.
pub(super) fn export(args: &Args, run: &Run, mut corpus: Corpus, path: &Path) -> Result<Verdict> {
    let ledger = plan::ledger(args, run)?;
    let settings = settings(run);
    let line = |id: &str, request: &_| Ok(saydo_openai::batch::line(&settings, id, request)?);
    let exported = export_batch(&run.parts(), &mut corpus, &ledger, args.retry_errors, path, &line)?;
    let (requests, documents) = (exported.requests, exported.documents);
    note(args, &format!("{requests} requests for {documents} documents; {} are finished", exported.finished));
    if exported.unreadable > 0 {
        note(args, &format!("{} documents could not be read", exported.unreadable));
    }
    if requests > OPENAI_REQUESTS {
        note(
            args,
            &format!("OpenAI takes at most {OPENAI_REQUESTS} requests in a file; --limit or --shard split them"),
        );
    }
    note(args, &format!("output: {}\nrun: {}", path.display(), run.path().display()));
    Ok(Verdict::Done)
}

/// Records results and writes the rows that are complete.
pub(super) fn import(args: &Args, run: &Run, mut corpus: Corpus, path: &Path) -> Result<Verdict> {
    let results = Results::open(path)?;
    let mut ledger = plan::ledger(args, run)?;
    let mut sink = Sink::new(args, run)?;
    let settings = settings(run);
    let read = |request: &_, result: &_| Ok(saydo_openai::batch::reply(&settings, request, result)?);
    let begun = Instant::now();
    let model = &run.session.name;
    let imported = import_batch(&run.parts(), &mut corpus, &mut ledger, model, results, &read, &mut |finished| {
        sink.write(finished.document, finished.row)
    });
    let imported = match imported {
        Err(saydo::Error::Row(error)) => return Err(anyhow::Error::from_boxed(error)),
        imported => imported?,
    };
    sink.finish()?;
    if !args.quiet {
        let report = run.report(imported.summary.clone(), begun.elapsed());
        summary::print(args, run, &report, ledger.repair());
    }
    if imported.foreign + imported.unknown > 0 {
        let (unknown, foreign) = (imported.unknown, imported.foreign);
        note(args, &format!("{unknown} results belong to no document here, {foreign} lines are no results of ours"));
    }
    if imported.open > 0 {
        let open = imported.open;
        note(args, &format!("{open} documents have no result yet; --export-batch writes requests for them"));
        return Ok(Verdict::No);
    }
    Ok(verdict(&imported.summary))
}

/// How requests are written: as the served model would send them, or under the model's own name if it is not served.
fn settings(run: &Run) -> Settings {
    match &run.session.served {
        Some(served) => served.settings.clone(),
        None => Settings::new("http://127.0.0.1", &run.session.name),
    }
}
