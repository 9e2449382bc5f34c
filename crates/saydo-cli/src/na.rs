//! What is known beforehand of how many documents say nothing.

/// The share of silent documents, if somebody knows it.
#[derive(Clone, Copy, clap::Args)]
pub struct NaArgs {
    /// Share of documents that are thought to hold no answer, such as 0.6: the line between an answer and NA moves by its
    /// log-odds (default: 0.5)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    na_share: Option<f64>,
}

impl NaArgs {
    /// What is added to the log-odds of NA.
    pub fn bias(self) -> f64 {
        self.na_share.map_or(0.0, |share| (share / (1.0 - share)).ln())
    }

    /// Whether a share was given.
    #[cfg(feature = "cluster")]
    pub fn is_given(self) -> bool {
        self.na_share.is_some()
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a share between 0 and 1".to_owned())?;
    match share > 0.0 && share < 1.0 {
        true => Ok(share),
        false => Err("expected a share between 0 and 1; what always or never says nothing needs no asking".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_moves_the_line_by_its_log_odds() {
        let bias = |na_share| NaArgs { na_share }.bias();
        assert_eq!((bias(None), bias(Some(0.5))), (0.0, 0.0));
        assert!((bias(Some(0.75)) - 3_f64.ln()).abs() < 1e-12 && bias(Some(0.2)) < 0.0);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        assert_eq!(share("0.62"), Ok(0.62));
        assert!(["0", "1", "-2", "NaN", "most"].iter().all(|text| share(text).is_err()));
    }
}
