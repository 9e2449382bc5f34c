//! How well a number tells two kinds of rows apart, wherever a line is drawn.

/// The area under the receiver operating characteristic: the share of pairs of a positive and a negative row in which the
/// positive one has the greater score, ties counting half. None unless there are rows of both kinds.
///
/// ```
/// use saydo_protocol::reading::ranking::area_under_curve;
///
/// assert_eq!(area_under_curve(&[(0.9, true), (0.4, false), (0.4, true)]), Some(0.75));
/// assert_eq!(area_under_curve(&[(0.9, true)]), None);
/// ```
pub fn area_under_curve(rows: &[(f64, bool)]) -> Option<f64> {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positive = rows.iter().filter(|row| row.1).count();
    let negative = rows.len() - positive;
    if positive == 0 || negative == 0 {
        return None;
    }
    let (mut below, mut pairs) = (0, 0.0);
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        let positives = equal.iter().filter(|row| row.1).count();
        let negatives = equal.len() - positives;
        pairs += positives as f64 * (below as f64 + negatives as f64 / 2.0);
        below += negatives;
    }
    Some(pairs / (positive * negative) as f64)
}
