//! Progress on stderr: a bar with rate and time left on a terminal, one line per stage elsewhere.

use crate::output;
use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressStyle};
use saydo_hub::{Progress, Stage};
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

const TEMPLATE: &str = "{spinner} {prefix} [{bar:24}] {decimal_bytes:>9}/{decimal_total_bytes} {msg}";
/// Where nobody knows how much is to come.
const OPEN_TEMPLATE: &str = "{spinner} {prefix} {decimal_bytes:>9} {msg}";

/// What a user sees of a long job.
pub struct Meter {
    name: String,
    stage: String,
    begun: Option<Begun>,
    bar: Option<ProgressBar>,
}

/// Since when, and from where on, the rate is reckoned. Reading what is there is much faster than fetching, and fetching
/// comes in bursts, so the rate is the mean since the last change between the two.
struct Begun {
    is_checking: bool,
    at: Instant,
    done: u64,
}

impl Meter {
    /// Nothing is drawn before the first report.
    pub fn new(name: &str) -> Self {
        let bar = stderr().is_terminal().then(|| bar(name));
        Self { name: name.to_owned(), stage: String::new(), begun: None, bar }
    }

    /// Shows how far the job is.
    pub fn show(&mut self, progress: Progress<'_>) {
        let stage = describe(progress.stage);
        if let Some(bar) = &self.bar {
            let is_checking = progress.stage == Stage::Checking;
            if self.begun.as_ref().is_none_or(|begun| begun.is_checking != is_checking) {
                self.begun = Some(Begun { is_checking, at: Instant::now(), done: progress.done });
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            bar.set_style(style(if progress.total == 0 { OPEN_TEMPLATE } else { TEMPLATE }));
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            let rate = self.begun.as_ref().map(|begun| begun.rate(progress)).unwrap_or_default();
            bar.set_message(format!("{rate} {stage}"));
        } else if stage != self.stage {
            let (done, total) = (DecimalBytes(progress.done), DecimalBytes(progress.total));
            output::note(&match (progress.done, progress.total) {
                (0, 0) => format!("{}: {stage}", self.name),
                (_, 0) => format!("{}: {stage} ({done} so far)", self.name),
                _ => format!("{}: {stage} ({done} of {total})", self.name),
            });
        }
        self.stage = stage;
    }
}

impl Begun {
    /// Bytes per second and the time left; empty as long as there is nothing to reckon with.
    fn rate(&self, progress: Progress<'_>) -> String {
        let (seconds, done) = (self.at.elapsed().as_secs_f64(), progress.done.saturating_sub(self.done));
        if done == 0 || seconds < 0.5 {
            return String::new();
        }
        let rate = done as f64 / seconds;
        if progress.total == 0 {
            return format!("{}/s ", DecimalBytes(rate as u64));
        }
        let left = Duration::from_secs_f64(progress.total.saturating_sub(progress.done) as f64 / rate);
        format!("{}/s, {:#} left ", DecimalBytes(rate as u64), HumanDuration(left))
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(name: &str) -> ProgressBar {
    ProgressBar::new(0).with_style(style(TEMPLATE)).with_prefix(name.to_owned())
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed").progress_chars("=> ")
}

fn describe(stage: Stage<'_>) -> String {
    match stage {
        Stage::Waiting => "waiting for another process that pulls it".to_owned(),
        Stage::Checking => "checking".to_owned(),
        Stage::Fetching { what, of: 1, .. } => format!("fetching {what}"),
        Stage::Fetching { what, number, of } => format!("fetching {what}, {number} of {of}"),
        Stage::Unpacking { what } => format!("unpacking {what}"),
        Stage::Converting => "converting".to_owned(),
    }
}

/// A bar that counts rows, with rate and time left; nothing where it cannot be drawn.
pub fn rows(count: usize) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{spinner} [{bar:24}] {human_pos}/{human_len} rows, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(count as u64).with_style(style.progress_chars("=> "))
}
