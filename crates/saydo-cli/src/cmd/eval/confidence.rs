//! `--fit-confidence`: what an adapter's probabilities mean, kept beside it.

use super::Args;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_function::{Confidence, Trained};
use saydo_protocol::Protocol;
use saydo_protocol::reading::graded;
use saydo_protocol::record::Opened;

/// Fits the run's answers and writes what came out into the adapter's folder.
pub(super) fn fit(args: &Args, run: &Opened) -> Result<()> {
    let Some(folder) = args.model.adapter_folder() else {
        bail!("--fit-confidence writes into the adapter's folder, expected --adapter FOLDER");
    };
    if run.plan.protocol != Protocol::Reading {
        bail!("--fit-confidence takes the answers of functions, expected eval reading, everyday or suite");
    }
    let path = folder.join(Trained::FILE);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let trained: Trained = serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", path.display()))?;
    let answers = graded(&run.plan, &run.cells, &args.scoring());
    let trained = Trained { confidence: Confidence::fit(&answers), ..trained };
    let text = serde_json::to_string_pretty(&trained)? + "\n";
    saydo_file::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    output::note(&format!("fitted on {} answers; kept in {}", answers.len(), path.display()));
    Ok(())
}
