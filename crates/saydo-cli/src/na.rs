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

    /// Whether a share was given.
    #[cfg(feature = "cluster")]
    pub fn is_given(self) -> bool {
        self.na_share.is_some()
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

    #[test]
    fn a_share_moves_the_line_by_its_log_odds() {
        let bias = |share: Option<f64>| NaArgs { na_share: share.map(Share::Known) }.bias();
        assert_eq!((bias(None), bias(Some(0.5))), (0.0, 0.0));
        assert!((bias(Some(0.75)) - 3_f64.ln()).abs() < 1e-12 && bias(Some(0.2)) < 0.0);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        assert_eq!((share("0.62"), share("auto")), (Ok(Share::Known(0.62)), Ok(Share::Estimated)));
        assert!(["0", "1", "-2", "NaN", "most"].iter().all(|text| share(text).is_err()));
    }
}
