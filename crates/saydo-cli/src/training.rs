//! How a training goes, on stderr: a bar with rate and time left on a terminal, a line now and then elsewhere.

use crate::output;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use saydo_train::Event;
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

/// How often a line is printed where no bar can be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(30);

/// What a user sees of a training.
pub struct Training {
    bar: Option<ProgressBar>,
    shown: Instant,
    begun: Instant,
    done: usize,
    dev: Option<f64>,
}

impl Training {
    /// A training of so many updates.
    pub fn new(steps: usize) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} [{bar:24}] {pos}/{len} {msg}")
                .expect("the template is well formed");
            ProgressBar::new(steps as u64).with_style(style.progress_chars("=> "))
        });
        Self { bar, shown: Instant::now(), begun: Instant::now(), done: 0, dev: None }
    }

    /// Shows an event.
    pub fn show(&mut self, event: &Event, steps: usize) {
        match event {
            Event::Step { step, loss, tokens, rows, seconds, .. } => {
                self.done += 1;
                let left = self.begun.elapsed().mul_f64((steps - step) as f64 / self.done as f64);
                let dev = self.dev.map_or_else(String::new, |dev| format!(", dev {dev:.1}"));
                let text = format!(
                    "loss {loss:.3}, {:.0} rows/s, {:.0} tokens/s{dev}, {:#} left",
                    *rows as f64 / seconds,
                    *tokens as f64 / seconds,
                    HumanDuration(left)
                );
                match &self.bar {
                    Some(bar) => {
                        bar.set_position(*step as u64);
                        bar.set_message(text);
                    }
                    None if self.shown.elapsed() >= PRINT_EVERY || self.done == 1 => {
                        self.shown = Instant::now();
                        output::note(&format!("step {step} of {steps}: {text}"));
                    }
                    None => {}
                }
            }
            Event::FellBack { step, path, reason } => {
                let what = format!("cannot read the checkpoint {}: {reason}", path.display());
                output::note(&format!("{what}; continuing from the previous one, at step {step}"));
            }
            Event::Validated { step, score, is_best } => {
                self.dev = Some(*score);
                let best = if *is_best { ", the best so far" } else { "" };
                let text = format!("step {step}: dev {score:.1}{best}");
                match &self.bar {
                    Some(bar) => bar.println(text),
                    None => output::note(&text),
                }
            }
        }
    }
}

impl Drop for Training {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
