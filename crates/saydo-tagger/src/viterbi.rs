//! Finds the best sequence of tags. In whole numbers, so that every machine finds the same one.

use crate::Tag;

/// Scores of each tag for one token.
pub(crate) type Scores = [i64; Tag::COUNT];

/// Scores of a tag (column) after a tag (row); the last row stands for the start of the sentence.
pub(crate) type Transitions = [Scores; Tag::COUNT + 1];

/// The sequence of tag indices with the highest sum; the lower index wins a tie. Empty for no tokens.
pub(crate) fn best_path(emissions: &[Scores], transitions: &Transitions) -> Vec<usize> {
    let mut best = [0; Tag::COUNT];
    let mut came_from: Vec<[usize; Tag::COUNT]> = Vec::with_capacity(emissions.len());
    for (position, emission) in emissions.iter().enumerate() {
        let mut next = [0; Tag::COUNT];
        let mut from = [0; Tag::COUNT];
        for tag in 0..Tag::COUNT {
            let (previous, score) = match position {
                0 => (0, transitions[Tag::COUNT][tag]),
                _ => best_previous(&best, transitions, tag),
            };
            next[tag] = score + emission[tag];
            from[tag] = previous;
        }
        best = next;
        came_from.push(from);
    }
    walk_back(&best, &came_from)
}

fn best_previous(best: &Scores, transitions: &Transitions, tag: usize) -> (usize, i64) {
    let mut winner = (0, best[0] + transitions[0][tag]);
    for previous in 1..Tag::COUNT {
        let score = best[previous] + transitions[previous][tag];
        if score > winner.1 {
            winner = (previous, score);
        }
    }
    winner
}

fn walk_back(best: &Scores, came_from: &[[usize; Tag::COUNT]]) -> Vec<usize> {
    let mut tag = (1..Tag::COUNT).fold(0, |winner, tag| if best[tag] > best[winner] { tag } else { winner });
    let mut path = vec![0; came_from.len()];
    for (slot, from) in path.iter_mut().zip(came_from).rev() {
        *slot = tag;
        tag = from[tag];
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strong_transition_overrules_a_weak_emission() {
        let mut transitions = [[0; Tag::COUNT]; Tag::COUNT + 1];
        transitions[5][7] = 10;
        let mut emissions = [[0; Tag::COUNT]; 2];
        emissions[0][5] = 3;
        emissions[1][17] = 4;
        assert_eq!(best_path(&emissions, &transitions), [5, 7]);
        transitions[5][7] = 3;
        assert_eq!(best_path(&emissions, &transitions), [5, 17]);
    }

    #[test]
    fn no_tokens_have_no_tags_and_ties_go_to_the_lower_index() {
        let transitions = [[0; Tag::COUNT]; Tag::COUNT + 1];
        assert!(best_path(&[], &transitions).is_empty());
        assert_eq!(best_path(&[[0; Tag::COUNT]], &transitions), [0]);
    }
}
