//! Steps of a check, each with the time it took.

use anyhow::{Context, Result};
use std::time::{Duration, Instant};

/// The steps that were taken so far.
#[derive(Default)]
pub struct Steps {
    taken: Vec<(String, Duration)>,
}

impl Steps {
    /// Takes a step and says how long it took. The first one that fails ends the check.
    pub fn take(&mut self, name: &str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        eprintln!("xtask: {name}");
        let begun = Instant::now();
        let result = step();
        let elapsed = begun.elapsed();
        eprintln!("xtask: {name}: {:.1} s", elapsed.as_secs_f64());
        self.taken.push((name.to_owned(), elapsed));
        result.with_context(|| format!("the check `{name}` failed"))
    }

    /// The table of all steps.
    pub fn table(&self) -> String {
        let total: Duration = self.taken.iter().map(|(_, elapsed)| *elapsed).sum();
        let row = |name: &str, elapsed: Duration| format!("{:>8.1} s  {name}\n", elapsed.as_secs_f64());
        let rows: String = self.taken.iter().map(|(name, elapsed)| row(name, *elapsed)).collect();
        rows + &row("in all", total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn a_failed_step_is_named_and_timed() {
        let mut steps = Steps::default();
        steps.take("first", || Ok(())).unwrap();
        let error = steps.take("second", || bail!("it broke")).unwrap_err();
        assert_eq!(format!("{error:#}"), "the check `second` failed: it broke");
        let table = steps.table();
        let names: Vec<&str> = table.lines().map(|line| line.split_once(" s  ").unwrap().1).collect();
        assert_eq!(names, ["first", "second", "in all"]);
    }
}
