//! Sheets for judges.

use super::Args;
use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result};
use saydo_protocol::turking::judgement::{Entries, Plan, assign};
use std::io::ErrorKind;
use std::path::Path;

/// Writes a sheet for each judge. Sheets that are there already, perhaps filled in, are not touched.
pub(super) fn run(args: &Args, entries: &Entries<'_>, folder: &Path) -> Result<Verdict> {
    let plan = Plan { per_judge: args.per_judge, overlap: args.overlap, seed: args.model.seed() };
    let sheets = assign(entries, &plan)?;
    saydo_file::disk::create_folders(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for sheet in &sheets {
        let (extension, text) = if args.json_lines { ("jsonl", sheet.json_lines()) } else { ("csv", sheet.csv()) };
        let path = folder.join(format!("{}.{extension}", sheet.judge));
        let written = if path.exists() {
            Err(ErrorKind::AlreadyExists.into())
        } else {
            saydo_file::write(&path, text.as_bytes())
        };
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    output::note(&format!(
        "{} sheets with {} outputs in {}; fill in `accurate` and `form_consistent` with yes or no, then: saydo judge {} \
         {}/*",
        sheets.len(),
        entries.all().len(),
        folder.display(),
        args.run.display(),
        folder.display()
    ));
    Ok(Verdict::Done)
}
