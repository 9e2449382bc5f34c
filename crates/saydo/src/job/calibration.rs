//! Where the threshold between an answer and NA is best, on labelled rows.

use super::Watch;
use super::labelled::Recorder;
use crate::answering::Detail;
use crate::{Error, Session};
use saydo_corpus::Status;
use saydo_function::Function;
use saydo_protocol::labelled::{
    Forced, LabelledRow, OperatingPoint, answer_text, best_point, operating_points, row_verdict,
};

/// Enough to keep every answer from being NA, and little enough to be taken off again without loss.
const NEVER_NA: f64 = -1e6;

/// The operating points of a function, and the best of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// From all NA to none.
    pub points: Vec<OperatingPoint>,
    /// The point with the best F1.
    pub best: OperatingPoint,
}

/// The function with the threshold where F1 on the rows is best, and the points it was chosen from.
pub fn calibrate(
    session: &Session,
    function: Function,
    rows: &[LabelledRow],
    recorder: &Recorder,
    watch: &mut Watch<'_>,
) -> Result<(Function, Calibration), Error> {
    if !function.spec().allows_na() {
        return Err(Error::NoNa);
    }
    let function = function.with_na_bias(NEVER_NA);
    let points = operating_points(&forced(session, &function, rows, recorder, watch)?);
    let best = best_point(&points).ok_or(Error::NoLabelledRows)?;
    Ok((function.with_na_bias(best.na_bias), Calibration { points, best }))
}

fn forced(
    session: &Session,
    function: &Function,
    rows: &[LabelledRow],
    recorder: &Recorder,
    watch: &mut Watch<'_>,
) -> Result<Vec<Forced>, Error> {
    let texts = rows.iter().map(|row| row.text.as_str());
    let cells = recorder.cells(session, function, texts, Detail::NaLogOdds, watch)?;
    let kind = &function.spec().kind;
    let mut forced = Vec::new();
    for (row, cell) in rows.iter().zip(cells) {
        // Rows without a reply say nothing about the threshold, nor do empty documents.
        let has_reply = matches!(cell.status, Status::Ok | Status::Na);
        if !has_reply || row.text.trim().is_empty() && cell.na_log_odds.is_none() {
            continue;
        }
        let na_log_odds = cell.na_log_odds.ok_or(Error::NoScores)?;
        let given = answer_text(&cell.answer);
        forced.push(Forced {
            na_log_odds: na_log_odds - NEVER_NA,
            answered: row_verdict(kind, &row.gold, Some(&given)),
            na: row_verdict(kind, &row.gold, Some("n/a")),
        });
    }
    Ok(forced)
}
