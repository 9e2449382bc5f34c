//! What is known or guessed beforehand of how many documents say nothing.

use anyhow::{Result, bail};
use saydo_function::Function;
use std::sync::Arc;

/// Documents that a share is estimated on, at most: enough to know it, few enough to be read twice.
pub const ESTIMATED_ON: usize = 100;

/// The share of silent documents, if somebody knows it or wants it to be estimated.
#[derive(Clone, Copy, clap::Args)]
pub struct NaArgs {
    /// Share of documents that are thought to hold no answer, such as 0.6: the line between an answer and NA moves by its
    /// log-odds; `auto` estimates it on the documents, up to 100 of them (default: 0.5)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    na_share: Option<Share>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Share {
    Known(f64),
    Estimated,
}

impl NaArgs {
    /// What is added to the log-odds of NA, as far as it is known without documents.
    pub fn bias(self) -> f64 {
        match self.na_share {
            Some(Share::Known(share)) => log_odds(share),
            Some(Share::Estimated) | None => 0.0,
        }
    }

    /// The function with its line where the documents put it, if that was asked for.
    pub fn estimated(
        self,
        function: Function,
        documents: impl FnOnce() -> Result<Vec<Arc<str>>>,
        say: impl FnOnce(&str),
    ) -> Result<Function> {
        if self.na_share != Some(Share::Estimated) {
            return Ok(function);
        }
        if !function.spec().allows_na() {
            bail!("--na-share auto estimates how often there is no answer, but the task has no NA");
        }
        let documents = documents()?;
        let Some(share) = function.silent_share(&documents)? else {
            say("no share is estimated: the model's scores do not tell which documents hold an answer");
            return Ok(function);
        };
        // In whole hundredths, so that another machine's last bits do not make another run of it.
        let share = ((share * 100.0).round() / 100.0).clamp(0.01, 0.99);
        say(&format!("estimated on {} documents: {:.0} of 100 hold no answer", documents.len(), share * 100.0));
        Ok(function.with_na_bias(log_odds(share)))
    }
}

fn log_odds(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}

fn share(text: &str) -> Result<Share, String> {
    if text == "auto" {
        return Ok(Share::Estimated);
    }
    let share: f64 = text.parse().map_err(|_| "expected a share between 0 and 1, or `auto`".to_owned())?;
    match share > 0.0 && share < 1.0 {
        true => Ok(Share::Known(share)),
        false => Err("expected a share between 0 and 1; what always or never says nothing needs no asking".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_function::Settings;
    use saydo_model::{Model, ScriptedModel};
    use saydo_task::Task;

    #[test]
    fn a_share_moves_the_line_by_its_log_odds() {
        let bias = |share: Option<f64>| NaArgs { na_share: share.map(Share::Known) }.bias();
        assert_eq!((bias(None), bias(Some(0.5))), (0.0, 0.0));
        assert!((bias(Some(0.75)) - 3_f64.ln()).abs() < 1e-12 && bias(Some(0.2)) < 0.0);
    }

    #[test]
    fn an_estimated_share_moves_the_line_of_the_function() {
        // It knows an answer by the word "dogs", and is not sure of "pets".
        let model: Arc<dyn Model> =
            Arc::new(ScriptedModel::new(|_| String::new()).with_log_prob(|prompt, continuation| {
                let text = prompt.split("\n\n").next().unwrap_or_default().to_lowercase();
                let answers = ["dogs", "sunday", "earned", "loss"].iter().any(|word| text.contains(word));
                let stated = if answers {
                    6.0
                } else if text.contains("pets") {
                    3.6
                } else {
                    0.0
                };
                match continuation {
                    "Not stated" | "No" => -3.0,
                    _ => stated - 6.0,
                }
            }));
        let task = Task { definition: Some("Are dogs allowed?".into()), ..Task::default() };
        let make = || Function::new(task.clone(), Arc::clone(&model), Settings::default()).unwrap();
        let documents = || {
            let mut documents: Vec<Arc<str>> = vec!["A long trail.".into(); 19];
            documents.push("All pets may come.".into());
            Ok(documents)
        };
        let before = make().apply("All pets may come.").unwrap();
        let said = std::cell::RefCell::new(String::new());
        let auto = NaArgs { na_share: Some(Share::Estimated) };
        let function = auto.estimated(make(), documents, |text| said.replace(text.to_owned()).clear()).unwrap();
        let after = function.apply("All pets may come.").unwrap();
        assert!(said.borrow().starts_with("estimated on 20 documents: "), "{}", said.borrow());
        assert!(after.na_log_odds > before.na_log_odds, "{before:?} {after:?}");
        let known = NaArgs { na_share: Some(Share::Known(0.9)) };
        let unasked =
            known.estimated(make(), || panic!("no documents are read"), |_| panic!("nothing is said")).unwrap();
        assert_eq!(unasked.apply("All pets may come.").unwrap(), before);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        assert_eq!((share("0.62"), share("auto")), (Ok(Share::Known(0.62)), Ok(Share::Estimated)));
        assert!(["0", "1", "-2", "NaN", "most"].iter().all(|text| share(text).is_err()));
    }
}
