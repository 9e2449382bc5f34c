//! Progress on stderr: a bar with rate and time left on a terminal, a line now and then elsewhere.

use crate::output;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use saydo_corpus::Progress;
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

/// How often the bar is drawn.
const DRAW_EVERY: Duration = Duration::from_millis(100);
/// How often a line is printed where no bar can be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(15);
/// Parts of the bar.
const PARTS: u64 = 1000;

/// What a user sees of a run.
pub(super) struct Watch {
    progress: Progress,
    bar: Option<ProgressBar>,
    is_quiet: bool,
    shown: Instant,
    rows: u64,
    /// Since when rows are computed, how much was done by then, and how many rows were computed since. Reading back what
    /// is recorded is much faster and says nothing about what is left.
    computing: Option<(Instant, f64, u64)>,
}

impl Watch {
    pub(super) fn new(is_quiet: bool, progress: Progress) -> Self {
        let bar = (!is_quiet && stderr().is_terminal()).then(|| {
            let style =
                ProgressStyle::with_template("{spinner} [{bar:24}] {msg}").expect("the template is well formed");
            ProgressBar::new(PARTS).with_style(style.progress_chars("=> "))
        });
        Self { progress, bar, is_quiet, shown: Instant::now(), rows: 0, computing: None }
    }

    /// Counts a row that is out.
    pub(super) fn row(&mut self, is_new: bool) {
        self.rows += 1;
        if is_new {
            let share = self.share().unwrap_or_default();
            let computing = self.computing.get_or_insert_with(|| (Instant::now(), share, 0));
            computing.2 += 1;
        }
        let every = if self.bar.is_some() { DRAW_EVERY } else { PRINT_EVERY };
        if !self.is_quiet && self.shown.elapsed() >= every {
            self.shown = Instant::now();
            self.show();
        }
    }

    fn show(&self) {
        let share = self.share();
        let text = format!("{} rows{}", HumanCount(self.rows), self.rate(share));
        match &self.bar {
            Some(bar) => {
                bar.set_position((share.unwrap_or_default() * PARTS as f64) as u64);
                bar.set_message(text);
                bar.tick();
            }
            None => output::note(&text),
        }
    }

    /// How much of the work is done, as far as that can be told.
    fn share(&self) -> Option<f64> {
        let (done, all) = match (self.progress.documents_at_most(), self.progress.bytes_total()) {
            (Some(documents), _) => (self.rows, documents),
            (None, Some(bytes)) => (self.progress.bytes_read(), bytes),
            (None, None) => return None,
        };
        (all > 0).then(|| (done as f64 / all as f64).min(1.0))
    }

    /// Rows per second and the time left; empty as long as there is nothing to reckon with.
    fn rate(&self, share: Option<f64>) -> String {
        let Some((since, before, rows)) = self.computing else { return String::new() };
        let seconds = since.elapsed().as_secs_f64();
        if seconds < 0.5 {
            return String::new();
        }
        let rate = rows as f64 / seconds;
        let left = share.filter(|share| *share > before).map(|share| (1.0 - share) * seconds / (share - before));
        match left.and_then(|left| Duration::try_from_secs_f64(left).ok()) {
            Some(left) => format!(", {rate:.1} rows/s, {:#} left", HumanDuration(left)),
            None => format!(", {rate:.1} rows/s"),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
