//! What an adapter's probabilities mean, kept beside it.

use super::{Settings, Watch, note};
use crate::Error;
use saydo_function::{Confidence, Trained};
use saydo_protocol::Protocol;
use saydo_protocol::reading::graded;
use saydo_protocol::record::Opened;

/// Fits the run's answers and writes what came out into the adapter's folder.
pub(super) fn fit(args: &Settings, run: &Opened, watch: &mut Watch<'_>) -> Result<(), Error> {
    let Some(folder) = args.model.adapter_folder() else {
        return Err(Error::unfit("--fit-confidence writes into the adapter's folder", "--adapter FOLDER"));
    };
    if run.plan.protocol != Protocol::Reading {
        let found = "--fit-confidence takes the answers of functions";
        return Err(Error::unfit(found, "eval reading, everyday or suite"));
    }
    let path = folder.join(Trained::FILE);
    let bytes = std::fs::read(&path).map_err(Error::read(&path))?;
    let trained: Trained =
        serde_json::from_slice(&bytes).map_err(|source| Error::BadTrained { path: path.clone(), source })?;
    let answers = graded(&run.plan, &run.cells, &args.scoring());
    let trained = Trained { confidence: Confidence::fit(&answers), ..trained };
    let text = serde_json::to_string_pretty(&trained).expect("numbers are JSON") + "\n";
    saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))?;
    note(watch, &format!("fitted on {} answers; kept in {}", answers.len(), path.display()));
    Ok(())
}
