//! Competence: how many tasks are done well enough, C@T of the paper.
//!
//! Rules Z26 and Z28 of docs/metrics.md. A row of results is the mean of some tasks' values and the shares of them
//! that reach 0.75 and 0.90; rows keep the order in which they first appear.

use saydo_metrics::mean::numpy_mean;
use serde::{Serialize, Serializer};

/// The three numbers of a row, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Competence {
    /// The mean of the values.
    pub mean: f64,
    /// The share of values of 0.75 and more.
    #[serde(rename = "75")]
    pub at_75: f64,
    /// The share of values of 0.90 and more.
    #[serde(rename = "90")]
    pub at_90: f64,
}

impl Competence {
    /// The competence that values show; none without values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let share =
            |threshold: f64| values.iter().filter(|value| **value >= threshold).count() as f64 / values.len() as f64;
        Some(Competence { mean: numpy_mean(values)?, at_75: share(0.75), at_90: share(0.90) })
    }

    /// The unweighted mean of rows; none without rows.
    pub fn average<'a>(rows: impl Iterator<Item = &'a Competence> + Clone) -> Option<Self> {
        let column = |cell: fn(&Competence) -> f64| numpy_mean(&rows.clone().map(cell).collect::<Vec<_>>());
        Some(Competence {
            mean: column(|row| row.mean)?,
            at_75: column(|row| row.at_75)?,
            at_90: column(|row| row.at_90)?,
        })
    }

    /// The three numbers in the order of the table.
    pub fn cells(&self) -> [f64; 3] {
        [self.mean, self.at_75, self.at_90]
    }
}

/// Named rows in order; as JSON an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<T>(pub Vec<(String, T)>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows(Vec::new())
    }
}

impl<T> Rows<T> {
    /// The row of that name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(row, _)| row == name).map(|(_, value)| value)
    }

    /// The row of that name, added at the end if it is not there yet.
    pub fn entry(&mut self, name: &str) -> &mut T
    where
        T: Default,
    {
        let index = self.0.iter().position(|(row, _)| row == name).unwrap_or_else(|| {
            self.0.push((name.to_owned(), T::default()));
            self.0.len() - 1
        });
        &mut self.0[index].1
    }

    /// The same rows with other contents; rows for which there is none are left out.
    pub fn filter_map<U>(&self, convert: impl Fn(&T) -> Option<U>) -> Rows<U> {
        Rows(self.0.iter().filter_map(|(name, value)| Some((name.clone(), convert(value)?))).collect())
    }
}

impl<T: Serialize> Serialize for Rows<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_reached_exactly() {
        let competence = Competence::of(&[0.75, 0.9, 0.749_999_999_999_999_9, 1.0]).unwrap();
        assert_eq!((competence.at_75, competence.at_90), (0.75, 0.5));
        assert_eq!(Competence::of(&[]), None);
    }

    #[test]
    fn rows_keep_the_order_of_first_appearance() {
        let mut rows: Rows<Vec<f64>> = Rows::default();
        for (name, value) in [("b", 1.0), ("a", 0.5), ("b", 0.0)] {
            rows.entry(name).push(value);
        }
        let rows = rows.filter_map(|values| Competence::of(values));
        assert_eq!(
            serde_json::to_string(&rows).unwrap(),
            r#"{"b":{"mean":0.5,"75":0.5,"90":0.5},"a":{"mean":0.5,"75":0.0,"90":0.0}}"#
        );
        assert_eq!(Competence::average(rows.0.iter().map(|(_, row)| row)).unwrap().at_75, 0.25);
    }
}
