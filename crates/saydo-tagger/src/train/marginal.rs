//! Probabilities of tags and of neighboring tags under the chain, by the forward-backward algorithm. Works on
//! exponentials scaled to sum to 1 at each token, which neither overflow nor vanish.

use crate::Tag;

const TAGS: usize = Tag::COUNT;
type Row = [f32; TAGS];

/// What the chain believes about one sentence.
pub(super) struct Marginals {
    /// Probability of each tag at each token.
    pub(super) tags: Vec<Row>,
    /// Expected number of transitions; the last row counts the first tag.
    pub(super) transitions: [Row; TAGS + 1],
}

/// Marginals of a sentence of at least one token.
pub(super) fn marginals(emissions: &[Row], transitions: &[Row; TAGS + 1]) -> Marginals {
    let steps = transitions.map(|row| row.map(f32::exp));
    let locals: Vec<Row> = emissions.iter().map(exponentials).collect();
    let forward = forward(&locals, &steps);
    let backward = backward(&locals, &steps);
    let tags: Vec<Row> = forward.iter().zip(&backward).map(|(f, b)| normal(product(f, b))).collect();
    let mut counts = [[0.0; TAGS]; TAGS + 1];
    counts[TAGS] = tags[0];
    for position in 1..locals.len() {
        let ahead = product(&locals[position], &backward[position]);
        add_pairs(&mut counts, &forward[position - 1], &steps, &ahead);
    }
    Marginals { tags, transitions: counts }
}

fn forward(locals: &[Row], steps: &[Row; TAGS + 1]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(locals.len());
    for local in locals {
        let reached = match rows.last() {
            None => steps[TAGS],
            Some(previous) => {
                let mut reached = [0.0; TAGS];
                for (mass, step) in previous.iter().zip(steps) {
                    for (sum, weight) in reached.iter_mut().zip(step) {
                        *sum += mass * weight;
                    }
                }
                reached
            }
        };
        rows.push(normal(product(&reached, local)));
    }
    rows
}

fn backward(locals: &[Row], steps: &[Row; TAGS + 1]) -> Vec<Row> {
    let mut rows = vec![[1.0; TAGS]; locals.len()];
    for position in (0..locals.len() - 1).rev() {
        let ahead = product(&locals[position + 1], &rows[position + 1]);
        let reach = |tag: usize| steps[tag].iter().zip(&ahead).map(|(a, b)| a * b).sum();
        rows[position] = normal(std::array::from_fn(reach));
    }
    rows
}

/// Adds the probability of each pair of tags at one place.
fn add_pairs(counts: &mut [Row; TAGS + 1], before: &Row, steps: &[Row; TAGS + 1], ahead: &Row) {
    let mut pairs = [[0.0; TAGS]; TAGS];
    let mut total = 0.0;
    for (pair, (mass, step)) in pairs.iter_mut().zip(before.iter().zip(steps)) {
        *pair = product(step, ahead).map(|weight| mass * weight);
        total += pair.iter().sum::<f32>();
    }
    for (count, pair) in counts.iter_mut().zip(&pairs) {
        for (sum, mass) in count.iter_mut().zip(pair) {
            *sum += mass / total;
        }
    }
}

/// Exponentials relative to the largest, which becomes 1.
fn exponentials(row: &Row) -> Row {
    let largest = row.iter().copied().fold(f32::MIN, f32::max);
    row.map(|score| (score - largest).exp())
}

fn product(a: &Row, b: &Row) -> Row {
    std::array::from_fn(|tag| a[tag] * b[tag])
}

fn normal(row: Row) -> Row {
    let total: f32 = row.iter().sum();
    row.map(|mass| mass / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Log of the sum over all sequences of three tokens.
    fn log_partition(emissions: &[Row; 3], transitions: &[Row; TAGS + 1]) -> f64 {
        let mut sum = 0.0;
        for a in 0..TAGS {
            for b in 0..TAGS {
                for c in 0..TAGS {
                    let score = transitions[TAGS][a] + transitions[a][b] + transitions[b][c];
                    sum += f64::from(score + emissions[0][a] + emissions[1][b] + emissions[2][c]).exp();
                }
            }
        }
        sum.ln()
    }

    fn sample() -> ([Row; 3], [Row; TAGS + 1]) {
        let wave = |seed: usize| (seed as f32 * 0.7).sin();
        let emissions = std::array::from_fn(|i| std::array::from_fn(|t| wave(i * 31 + t)));
        let transitions = std::array::from_fn(|a| std::array::from_fn(|b| wave(a * 17 + b + 5)));
        (emissions, transitions)
    }

    #[test]
    fn marginals_match_finite_differences_of_the_partition_sum() {
        const NUDGE: f32 = 0.01;
        let (emissions, transitions) = sample();
        let found = marginals(&emissions, &transitions);
        let (mut up, mut down) = (emissions, emissions);
        up[1][7] += NUDGE;
        down[1][7] -= NUDGE;
        let slope = (log_partition(&up, &transitions) - log_partition(&down, &transitions)) / f64::from(2.0 * NUDGE);
        assert!((slope - f64::from(found.tags[1][7])).abs() < 1e-4);
        let (mut up, mut down) = (transitions, transitions);
        up[3][7] += NUDGE;
        down[3][7] -= NUDGE;
        let slope = (log_partition(&emissions, &up) - log_partition(&emissions, &down)) / f64::from(2.0 * NUDGE);
        assert!((slope - f64::from(found.transitions[3][7])).abs() < 1e-4);
    }

    #[test]
    fn a_sentence_of_one_token_depends_on_start_and_emission() {
        let (emissions, transitions) = sample();
        let found = marginals(&emissions[..1], &transitions);
        assert!((found.tags[0].iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(found.transitions[TAGS], found.tags[0]);
        assert_eq!(found.transitions[0], [0.0; TAGS]);
    }
}
