//! The best one-to-one pairing of two lists, for span scores that match each predicted span with one gold span.
//!
//! Shortest augmenting paths with potentials (Jonker and Volgenant, 1987), cubic in the size. Among pairings of equal
//! weight the choice is that of `scipy.optimize.linear_sum_assignment`, which visits columns from the last to the first
//! and prefers a free one: the weights are then summed in the same order too, and sums agree to the last bit.

/// Larger weights than this could overflow when added up.
const MAX_WEIGHT: f64 = 1e200;

/// For each row its column in a pairing of maximal total weight; each column goes to one row at most.
///
/// As many rows as possible get a column, even at weight 0; the rest get `None`. Negative weights and those that are
/// not finite count as 0, and so do those missing from a row that is shorter than others.
///
/// ```
/// use saydo_metrics::assignment::assign_max;
///
/// let weights = [vec![0.9, 0.8], vec![0.8, 0.0], vec![0.1, 0.2]];
/// assert_eq!(assign_max(&weights), [Some(1), Some(0), None]); // 1.6, where taking 0.9 first would end at 1.1
/// ```
pub fn assign_max(weights: &[Vec<f64>]) -> Vec<Option<usize>> {
    let rows = weights.len();
    let columns = weights.iter().map(Vec::len).max().unwrap_or(0);
    let cost = |row: usize, column: usize| match weights[row].get(column) {
        Some(&weight) if weight > 0.0 && weight.is_finite() => -weight.min(MAX_WEIGHT),
        _ => 0.0,
    };
    let assigned = if rows <= columns {
        Solver::solve(rows, columns, cost)
    } else {
        inverse(&Solver::solve(columns, rows, |column, row| cost(row, column)), rows)
    };
    assigned.into_iter().zip(weights).map(|(column, row)| column.filter(|&column| column < row.len())).collect()
}

/// From the row of each column to the column of each row.
fn inverse(row_of: &[Option<usize>], rows: usize) -> Vec<Option<usize>> {
    let mut column_of = vec![None; rows];
    for (column, row) in row_of.iter().enumerate() {
        if let Some(row) = *row {
            column_of[row] = Some(column);
        }
    }
    column_of
}

/// A minimal-cost pairing in the making, with no more rows than columns.
struct Solver<C> {
    cost: C,
    /// The pairs so far, from both sides.
    column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
    row_potential: Vec<f64>,
    column_potential: Vec<f64>,
}

/// A shortest path from a new row to a free column.
struct Path {
    /// Length of the shortest path to each column.
    distance: Vec<f64>,
    /// The row from which each column is reached.
    from: Vec<usize>,
    /// Columns whose distance is final, in the order they became so; the last is free.
    reached: Vec<usize>,
}

impl<C: Fn(usize, usize) -> f64> Solver<C> {
    /// The column of each row in a pairing of minimal total cost.
    fn solve(rows: usize, columns: usize, cost: C) -> Vec<Option<usize>> {
        let mut solver = Self {
            cost,
            column_of: vec![None; rows],
            row_of: vec![None; columns],
            row_potential: vec![0.0; rows],
            column_potential: vec![0.0; columns],
        };
        for row in 0..rows {
            let path = solver.shortest_path(row);
            solver.raise_potentials(row, &path);
            solver.augment(&path);
        }
        solver.column_of
    }

    /// Dijkstra's search over reduced costs, which are never negative.
    fn shortest_path(&self, start: usize) -> Path {
        let columns = self.row_of.len();
        let mut path = Path { distance: vec![f64::INFINITY; columns], from: vec![start; columns], reached: Vec::new() };
        let mut open: Vec<usize> = (0..columns).rev().collect();
        let (mut row, mut travelled) = (start, 0.0);
        loop {
            for &column in &open {
                let distance =
                    travelled + (self.cost)(row, column) - self.row_potential[row] - self.column_potential[column];
                if distance < path.distance[column] {
                    path.distance[column] = distance;
                    path.from[column] = row;
                }
            }
            let column = open.swap_remove(self.nearest(&open, &path.distance));
            travelled = path.distance[column];
            path.reached.push(column);
            match self.row_of[column] {
                Some(next) => row = next,
                None => return path,
            }
        }
    }

    /// The position of the nearest open column; of several, the last free one, or else the first.
    fn nearest(&self, open: &[usize], distance: &[f64]) -> usize {
        let mut best = 0;
        for (position, &column) in open.iter().enumerate().skip(1) {
            let lowest = distance[open[best]];
            if distance[column] < lowest || (distance[column] == lowest && self.row_of[column].is_none()) {
                best = position;
            }
        }
        best
    }

    /// Keeps reduced costs at zero along the path and never negative elsewhere.
    fn raise_potentials(&mut self, start: usize, path: &Path) {
        let Some((&end, passed)) = path.reached.split_last() else { return };
        let length = path.distance[end];
        self.row_potential[start] += length;
        for &column in passed {
            let slack = length - path.distance[column];
            self.column_potential[column] -= slack;
            if let Some(row) = self.row_of[column] {
                self.row_potential[row] += slack;
            }
        }
    }

    /// Shifts each row on the path to the column after it, from the free end back to the new row.
    fn augment(&mut self, path: &Path) {
        let mut free = path.reached.last().copied();
        while let Some(column) = free {
            let row = path.from[column];
            self.row_of[column] = Some(row);
            free = self.column_of[row].replace(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(weights: &[Vec<f64>], assigned: &[Option<usize>]) -> f64 {
        weights.iter().zip(assigned).filter_map(|(row, column)| column.map(|column| row[column])).sum()
    }

    /// The best total over all pairings, tried one by one.
    fn best_total(weights: &[Vec<f64>], taken: u32) -> f64 {
        let Some((row, rest)) = weights.split_first() else { return 0.0 };
        let free = (0..row.len()).filter(|column| taken & (1 << column) == 0);
        let paired = free.map(|column| row[column] + best_total(rest, taken | 1 << column));
        paired.fold(best_total(rest, taken), f64::max)
    }

    fn is_one_to_one(assigned: &[Option<usize>]) -> bool {
        let mut columns: Vec<usize> = assigned.iter().flatten().copied().collect();
        columns.sort_unstable();
        columns.is_sorted_by(|a, b| a < b)
    }

    fn matrix(max: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
        // Quarters make many ties.
        let weight = prop_oneof![(0..5_u8).prop_map(|quarters| f64::from(quarters) / 4.0), 0.0..1.0];
        (0..=max, 0..=max).prop_flat_map(move |(rows, columns)| {
            prop::collection::vec(prop::collection::vec(weight.clone(), columns), rows)
        })
    }

    #[test]
    fn a_greedy_first_pick_is_undone() {
        assert_eq!(assign_max(&[vec![1.0, 0.9], vec![0.9, 0.0]]), [Some(1), Some(0)]);
    }

    #[test]
    fn ties_are_broken_as_scipy_breaks_them() {
        assert_eq!(assign_max(&vec![vec![1.0; 3]; 3]), [Some(0), Some(1), Some(2)]);
        assert_eq!(assign_max(&vec![vec![1.0; 2]; 3]), [Some(0), Some(1), None]);
        let mixed = [vec![0.5, 0.5, 1.0], vec![0.5, 1.0, 1.0], vec![0.0, 0.5, 0.5]];
        assert_eq!(assign_max(&mixed), [Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn surplus_rows_stay_alone() {
        assert_eq!(assign_max(&[vec![0.1], vec![0.5], vec![0.2]]), [None, Some(0), None]);
        assert_eq!(assign_max(&[vec![0.1, 0.5, 0.2]]), [Some(1)]);
    }

    #[test]
    fn empty_and_odd_matrices_are_answered() {
        assert!(assign_max(&[]).is_empty());
        assert_eq!(assign_max(&[vec![], vec![]]), [None, None]);
        assert_eq!(assign_max(&[vec![0.5], vec![0.9, 0.8]]), [Some(0), Some(1)]);
        let odd = [vec![f64::NAN, f64::INFINITY, 0.1], vec![-1.0, f64::MAX, f64::MAX]];
        assert_eq!(assign_max(&odd)[0], Some(2));
    }

    proptest! {
        #[test]
        fn no_other_pairing_weighs_more(weights in matrix(6)) {
            let assigned = assign_max(&weights);
            prop_assert!(is_one_to_one(&assigned));
            prop_assert!((total(&weights, &assigned) - best_total(&weights, 0)).abs() < 1e-12);
        }

        #[test]
        fn as_many_rows_as_possible_are_paired(weights in matrix(9)) {
            let columns = weights.first().map_or(0, Vec::len);
            prop_assert_eq!(assign_max(&weights).iter().flatten().count(), columns.min(weights.len()));
        }

        #[test]
        fn any_numbers_are_answered(weights in prop::collection::vec(prop::collection::vec(any::<f64>(), 0..6), 0..6)) {
            let assigned = assign_max(&weights);
            prop_assert_eq!(assigned.len(), weights.len());
            prop_assert!(is_one_to_one(&assigned));
        }
    }
}
