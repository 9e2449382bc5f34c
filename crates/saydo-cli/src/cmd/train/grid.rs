//! Several learning rates, one training each, and which was best.

use crate::output;
use crate::table::Table;
use anyhow::Result;
use serde::Serialize;
use std::path::PathBuf;

/// How the training of one learning rate ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Trained {
    pub lr: f64,
    pub folder: PathBuf,
    /// How many tasks it learned from.
    pub tasks: usize,
    pub steps: usize,
    /// The best dev score and the step it was reached at; none without validation.
    pub best: Option<(usize, f64)>,
    /// The loss of the last update that was made now; none if there was nothing left to do.
    pub loss: Option<f32>,
    /// Where the adapter or model is.
    pub result: PathBuf,
}

/// Prints what came of each rate; with several, which was best.
pub(super) fn print(all: &[Trained], as_json: bool) -> Result<()> {
    let best = best(all);
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

/// The highest dev score, the first of equals; none where nothing was validated.
fn best(all: &[Trained]) -> Option<&Trained> {
    let scored = all.iter().filter_map(|trained| Some((trained, trained.best?.1)));
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(trained, _)| trained)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trained(lr: f64, best: Option<(usize, f64)>) -> Trained {
        let (folder, result) = (PathBuf::from("run"), PathBuf::from("run/best"));
        Trained { lr, folder, tasks: 3, steps: 10, best, loss: Some(1.0), result }
    }

    #[test]
    fn the_highest_dev_score_is_best_and_nothing_is_without_any() {
        let all = [trained(1e-5, Some((5, 30.0))), trained(2e-5, Some((9, 31.0))), trained(3e-5, Some((2, 31.0)))];
        assert_eq!(best(&all).map(|best| best.lr), Some(2e-5));
        assert_eq!(best(&[trained(1e-5, None)]), None);
    }
}
