//! What a model thinks of the outputs.

use super::Args;
use crate::output;
use anyhow::{Context, Result};
use saydo_model::Form;
use saydo_protocol::turking::Item;
use saydo_protocol::turking::judgement::{Entries, Question};
use saydo_protocol::turking::model_judge::{ModelJudgement, judge_each};

/// The judgement of each entry; none where the model failed.
pub(super) fn judge(args: &Args, entries: &Entries<'_>) -> Result<Vec<Option<ModelJudgement>>> {
    let session = args.model.open()?;
    let form = if session.settings.chat { Form::Chat { system: None } } else { Form::Plain };
    let outputs: Vec<(&Item, &str)> = entries.all().iter().map(|entry| (entry.item, entry.output)).collect();
    let mut judgements: Vec<Option<ModelJudgement>> = outputs.iter().map(|_| None).collect();
    let progress = crate::progress::counter("outputs", outputs.len());
    let mut failed = None;
    judge_each(&*session.model, &form, &outputs, &mut |index, judgement| {
        progress.inc(1);
        match judgement {
            Ok(judgement) => judgements[index] = Some(judgement),
            Err(error) => failed = Some(error),
        }
    })
    .with_context(|| format!("{} cannot judge", session.name))?;
    progress.finish_and_clear();
    if let Some(error) = failed {
        output::note(&format!("some outputs could not be judged: {error}"));
    }
    Ok(judgements)
}

/// Yes or no to a question, by the model's own line.
pub(super) fn answers(judgements: &[Option<ModelJudgement>], question: Question) -> Vec<Option<bool>> {
    judgements.iter().map(|one| one.as_ref().map(|judgement| judgement.answer(question).is_yes)).collect()
}
