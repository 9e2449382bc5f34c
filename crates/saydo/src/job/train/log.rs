//! Every event of a training as a JSON line and for TensorBoard, in the folder of the training.

use super::events::EventFile;
use crate::Error;
use saydo_file::{Appender, disk};
use saydo_train::Event;
use std::path::Path;
use std::time::Duration;

pub(super) struct Log {
    lines: Appender,
    events: EventFile,
    /// The loss of the latest update.
    pub loss: Option<f32>,
    /// Tokens of all updates.
    pub tokens: usize,
    /// How long the updates took.
    pub taken: Duration,
}

impl Log {
    /// Goes on with the lines that are there.
    pub fn create(folder: &Path) -> Result<Self, Error> {
        disk::create_folders(folder).map_err(Error::write(folder))?;
        let (path, board) = (folder.join("log.jsonl"), folder.join("tensorboard"));
        let lines = Appender::open(&path).map_err(Error::write(&path))?;
        let events = EventFile::create(&board).map_err(Error::write(&board))?;
        Ok(Self { lines, events, loss: None, tokens: 0, taken: Duration::ZERO })
    }

    /// Logs an event. A log that cannot be written stops nothing.
    pub fn add(&mut self, event: &Event) {
        let line = serde_json::to_string(event).expect("an event is JSON") + "\n";
        let _ = self.lines.append(line.as_bytes());
        match event {
            Event::Step { step, loss, rate, gradient_norm, tokens, seconds, .. } => {
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
            }
            Event::Validated { step, score, .. } => {
                let _ = self.events.add(*step, &[("dev/score", *score)]);
            }
            Event::FellBack { .. } => {}
        }
    }
}
