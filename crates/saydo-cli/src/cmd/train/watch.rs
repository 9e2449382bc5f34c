//! Progress on stderr, and every event as a JSON line and for TensorBoard in the run's folder.

use super::events::EventFile;
use crate::output;
use anyhow::{Context, Result};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use saydo_file::{Appender, disk};
use saydo_train::Event;
use std::io::{IsTerminal as _, stderr};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a line is printed where no bar can be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(30);

pub(super) struct Watch {
    log: Appender,
    events: EventFile,
    bar: Option<ProgressBar>,
    shown: Instant,
    begun: Instant,
    done: usize,
    steps: usize,
    dev: Option<f64>,
    /// The loss of the latest update.
    pub loss: Option<f32>,
    /// Tokens of all updates, and how long they took.
    pub tokens: usize,
    pub taken: Duration,
}

impl Watch {
    pub fn new(folder: &Path, steps: usize) -> Result<Self> {
        disk::create_folders(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join("log.jsonl");
        let log = Appender::open(&path);
        let board = folder.join("tensorboard");
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} [{bar:24}] {pos}/{len} {msg}")
                .expect("the template is well formed");
            ProgressBar::new(steps as u64).with_style(style.progress_chars("=> "))
        });
        Ok(Self {
            log: log.with_context(|| format!("cannot write {}", path.display()))?,
            events: EventFile::create(&board).with_context(|| format!("cannot write into {}", board.display()))?,
            bar,
            shown: Instant::now(),
            begun: Instant::now(),
            done: 0,
            steps,
            dev: None,
            loss: None,
            tokens: 0,
            taken: Duration::ZERO,
        })
    }

    /// Shows and logs an event. A log that cannot be written stops nothing.
    pub fn show(&mut self, event: &Event) {
        let line = serde_json::to_string(event).expect("an event is JSON") + "\n";
        let _ = self.log.append(line.as_bytes());
        match event {
            Event::Step { step, loss, rate, gradient_norm, tokens, rows, seconds, .. } => {
                self.done += 1;
                self.loss = Some(*loss);
                self.tokens += tokens;
                self.taken += Duration::try_from_secs_f64(*seconds).unwrap_or_default();
                let numbers = [
                    ("train/loss", f64::from(*loss)),
                    ("train/learning_rate", *rate),
                    ("train/gradient_norm", *gradient_norm),
                    ("train/tokens_per_second", *tokens as f64 / seconds),
                ];
                let _ = self.events.add(*step, &numbers);
                let left = self.begun.elapsed().mul_f64((self.steps - step) as f64 / self.done as f64);
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
                        output::note(&format!("step {step} of {}: {text}", self.steps));
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
                let _ = self.events.add(*step, &[("dev/score", *score)]);
                let best = if *is_best { ", the best so far" } else { "" };
                let text = format!("step {step}: dev {score:.1}{best}");
                match &self.bar {
                    Some(bar) => bar.println(text),
                    None => output::note(&text),
                }
            }
        }
    }

    /// Takes the bar off.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
