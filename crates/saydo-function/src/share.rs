//! How many documents of a corpus are silent, told by the documents themselves.
//!
//! Log-odds of NA are those for a corpus of which half is silent. Where nearly all documents look silent, one that looks a
//! little like an answer is more likely silent, too. The share that makes the scores of all documents likeliest is found
//! without labels (Saerens, Latinne and Decaestecker, 2002).

/// Documents of each kind that are thought in, so that a few that look alike do not make the rest impossible.
const THOUGHT_IN: f64 = 2.0;
/// Each round gets closer to the one share where it stands still; after so many nothing moves.
const ROUNDS: usize = 500;

/// The likeliest share of silent documents, given the log-odds of each to be silent; one half of none.
pub(crate) fn silent_share(na_log_odds: &[f64]) -> f64 {
    let mut share: f64 = 0.5;
    for _ in 0..ROUNDS {
        let shift = (share / (1.0 - share)).ln();
        let silent: f64 = na_log_odds.iter().map(|log_odds| 1.0 / (1.0 + (-log_odds - shift).exp())).sum();
        share = (silent + THOUGHT_IN) / (na_log_odds.len() as f64 + 2.0 * THOUGHT_IN);
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_nearly_all_look_silent_tell_that_nearly_all_are() {
        let mut log_odds = vec![1.5; 19];
        log_odds.push(-1.4);
        let share = silent_share(&log_odds);
        assert!(share > 0.8, "{share}");
        assert!(-1.4 + (share / (1.0 - share)).ln() > 0.0, "the one that hardly looks like an answer is silent, too");
        let answering: Vec<f64> = log_odds.iter().map(|log_odds| -log_odds).collect();
        assert!((silent_share(&answering) + share - 1.0).abs() < 1e-9, "both ways alike");
    }

    #[test]
    fn sure_documents_are_counted() {
        let log_odds: Vec<f64> = (0..100).map(|number| if number < 30 { -9.0 } else { 9.0 }).collect();
        assert!((silent_share(&log_odds) - 72.0 / 104.0).abs() < 1e-3);
    }

    #[test]
    fn documents_that_say_nothing_leave_the_line_where_it_is() {
        assert_eq!(silent_share(&[]), 0.5);
        assert!((silent_share(&[0.0; 40]) - 0.5).abs() < 1e-9);
        assert!(silent_share(&[f64::INFINITY, f64::NEG_INFINITY]).is_finite());
    }
}
