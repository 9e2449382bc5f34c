//! Progress on stderr: a bar with rate and time left on a terminal, one line per stage elsewhere.

use crate::output;
use crate::training::Training;
use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressStyle};
use saydo::job::Event;
use saydo_hub::{Progress, Stage};
use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
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

/// How long a wait may be before it is shown.
const SHOW_AFTER: Duration = Duration::from_secs(2);
/// The same where no bar can be drawn.
const PRINT_AFTER: Duration = Duration::from_secs(15);
/// How often a line is printed where no bar can be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(30);

/// A bar that counts something, with rate and time left; nothing where it cannot be drawn.
pub fn counter(unit: &str, count: usize) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{spinner}} [{{bar:24}}] {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("the template is well formed");
    ProgressBar::new(count as u64).with_style(style.progress_chars("=> "))
}

/// Says what is waited for, once that takes long, until it is dropped.
pub struct Waiting {
    over: Option<Sender<()>>,
    shown: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Waits for this.
    pub fn new(what: &str) -> Self {
        let (over, wait) = channel();
        let what = what.to_owned();
        let shown = std::thread::spawn(move || {
            let after = if stderr().is_terminal() { SHOW_AFTER } else { PRINT_AFTER };
            if wait.recv_timeout(after) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if !stderr().is_terminal() {
                return output::note(&format!("{what} …"));
            }
            let style =
                ProgressStyle::with_template("{spinner} {msg}, {elapsed}").expect("the template is well formed");
            let bar = ProgressBar::new_spinner().with_style(style).with_message(what).with_elapsed(after);
            bar.enable_steady_tick(Duration::from_millis(100));
            let _ = wait.recv();
            bar.finish_and_clear();
        });
        Self { over: Some(over), shown: Some(shown) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(shown) = self.shown.take() {
            let _ = shown.join();
        }
    }
}

/// Shows what a job says: notes; a bar with rate and time left, or a line now and then where no bar can be drawn.
pub struct Terminal {
    is_quiet: bool,
    counter: Option<Counter>,
    waiting: Option<Waiting>,
    training: Option<Training>,
}

/// A part of a job that counts.
struct Counter {
    bar: ProgressBar,
    unit: &'static str,
    all: usize,
    begun: Instant,
    shown: Instant,
}

impl Terminal {
    /// Shows nothing if it is quiet.
    pub fn new(is_quiet: bool) -> Self {
        Self { is_quiet, counter: None, waiting: None, training: None }
    }

    /// Shows an event.
    pub fn show(&mut self, event: Event<'_>) {
        if self.is_quiet {
            return;
        }
        self.waiting = None;
        match event {
            Event::Note(text) => {
                // A training says how it ended.
                self.training = None;
                self.note(text);
            }
            Event::Waiting(what) => self.waiting = Some(Waiting::new(what)),
            Event::Progress { unit, done, new, all } => self.count(unit, done, new, all),
            Event::Training { event, steps } => {
                self.training.get_or_insert_with(|| Training::new(steps)).show(event, steps)
            }
            _ => {}
        }
    }

    fn note(&self, text: &str) {
        match &self.counter {
            Some(counter) if !counter.bar.is_hidden() => counter.bar.println(text),
            _ => output::note(text),
        }
    }

    fn count(&mut self, unit: &'static str, done: usize, new: usize, all: usize) {
        if self.counter.as_ref().is_none_or(|counter| counter.unit != unit || counter.all != all) {
            let (bar, now) = (counter(unit, all), Instant::now());
            self.counter = Some(Counter { bar, unit, all, begun: now, shown: now });
        }
        let Some(counter) = &mut self.counter else { return };
        counter.bar.set_position(done as u64);
        if counter.bar.is_hidden() && counter.shown.elapsed() >= PRINT_EVERY {
            counter.shown = Instant::now();
            let rate = new as f64 / counter.begun.elapsed().as_secs_f64();
            output::note(&format!("{done} of {all} {unit}, {rate:.1} a second"));
        }
        if done == all {
            counter.bar.finish_and_clear();
            self.counter = None;
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(counter) = &self.counter {
            counter.bar.finish_and_clear();
        }
    }
}
