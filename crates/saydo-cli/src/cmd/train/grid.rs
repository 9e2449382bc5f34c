//! Several learning rates, one training each, and which was best.

use crate::output;
use crate::table::Table;
use anyhow::Result;
use saydo::job::train::Report;

/// Prints what came of each rate; with several, which was best.
pub(super) fn print(report: &Report, as_json: bool) -> Result<()> {
    let (all, best) = (&report.trainings, report.best());
    if as_json {
        let best = best.map(|best| &best.result);
        return output::print_json(&serde_json::json!({ "trainings": all, "best": best }));
    }
    if all.len() == 1 {
        return Ok(());
    }
    let mut table = Table::new(&["lr", "dev", "at step", "steps", "loss", "folder"]).with_words(&[5]);
    for trained in all {
        table.row([
            trained.lr.to_string(),
            trained.best.map_or_else(String::new, |(_, score)| format!("{score:.1}")),
            trained.best.map_or_else(String::new, |(step, _)| step.to_string()),
            trained.steps.to_string(),
            trained.loss.map_or_else(String::new, |loss| format!("{loss:.3}")),
            trained.folder.display().to_string(),
        ]);
    }
    output::print(&table.render())?;
    match best {
        Some(best) => output::note(&format!("best: --lr {}, in {}", best.lr, best.result.display())),
        None => output::note("nothing was validated, so none is named best; see --dev-tasks and --validate-every"),
    }
    Ok(())
}
