//! Trainings: what `saydo train` logged, as curves of loss, dev score and learning rate.
//!
//! A training that was killed and went on has some updates twice in its log, the same both times; the later ones count.

use crate::Error;
use crate::chart::{Chart, Estimate, Point, Series};
use crate::figure::Figure;
use crate::number::{count, points};
use crate::report::table;
use saydo_protocol::table::Table;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The most points of a curve: beyond that, each is the mean of several.
const MOST_POINTS: usize = 200;

/// One training.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    /// The name of its folder.
    pub name: String,
    /// Its updates by number.
    pub updates: BTreeMap<usize, Update>,
    /// Scores on the tasks held back, by update.
    pub dev: BTreeMap<usize, f64>,
    /// Its settings as they were written; null if there is no checkpoint yet.
    pub settings: Value,
}

/// One update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Update {
    /// The mean loss of its targets.
    pub loss: f64,
    /// The learning rate.
    pub rate: f64,
    /// Examples.
    pub examples: usize,
    /// Tokens that they have.
    pub tokens: usize,
    /// Seconds it took.
    pub seconds: f64,
}

impl Training {
    /// Whether a folder is one of `saydo train`.
    pub fn is_in(folder: &Path) -> bool {
        folder.join("log.jsonl").is_file() && folder.join("checkpoint").is_dir()
    }

    /// Reads the training in a folder. A line that was cut off by being killed is left out.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("log.jsonl");
        let log = std::fs::read_to_string(&path).map_err(|source| Error::Log { path, source })?;
        let state = std::fs::read_to_string(folder.join("checkpoint/state.json")).unwrap_or_default();
        let state: Value = serde_json::from_str(&state).unwrap_or_default();
        let name = folder.file_name().map_or_else(|| "training".into(), |name| name.to_string_lossy());
        Ok(Self::parse(&name, &log, state["settings"].clone()))
    }

    fn parse(name: &str, log: &str, settings: Value) -> Self {
        let (mut updates, mut dev) = (BTreeMap::new(), BTreeMap::new());
        for line in log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let number = |key: &str| line[key].as_f64().unwrap_or_default();
            let step = number("step") as usize;
            match line["event"].as_str() {
                Some("step") => {
                    let update = Update {
                        loss: number("loss"),
                        rate: number("rate"),
                        examples: number("examples") as usize,
                        tokens: number("tokens") as usize,
                        seconds: number("seconds"),
                    };
                    updates.insert(step, update);
                }
                Some("validated") => {
                    dev.insert(step, number("score"));
                }
                _ => {}
            }
        }
        Self { name: name.to_owned(), updates, dev, settings }
    }

    /// The best dev score, the first of equals, and its update.
    pub fn best(&self) -> Option<(usize, f64)> {
        let scores = self.dev.iter().map(|(step, score)| (*step, *score));
        scores.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The mean loss of the last tenth of updates; none without any.
    pub fn last_loss(&self) -> Option<f64> {
        let last: Vec<f64> =
            self.updates.values().rev().take(self.updates.len().div_ceil(10)).map(|update| update.loss).collect();
        saydo_metrics::mean::numpy_mean(&last)
    }

    fn curve(&self, value: impl Fn(&Update) -> f64) -> Series<Point> {
        let all: Vec<(f64, f64)> = self.updates.iter().map(|(step, update)| (*step as f64, value(update))).collect();
        let run = all.len().div_ceil(MOST_POINTS).max(1);
        let mean = |run: &[(f64, f64)]| {
            let sum = run.iter().map(|(_, y)| y).sum::<f64>();
            point(run[run.len() - 1].0, sum / run.len() as f64)
        };
        Series { name: self.name.clone(), values: all.chunks(run).map(mean).collect() }
    }
}

fn point(x: f64, value: f64) -> Point {
    Point { x, y: Estimate { value, interval: None } }
}

/// What the report of these trainings is called.
pub fn title(trainings: &[Training]) -> String {
    let names: Vec<&str> = trainings.iter().map(|training| training.name.as_str()).collect();
    format!("Training: {}", names.join(", "))
}

/// A row for each training.
pub fn summary(trainings: &[Training]) -> Table {
    let header = ["", "updates", "loss at the end", "best dev", "at update", "examples", "tokens", "hours"];
    let mut table = table("Trainings", header);
    table.note =
        "The loss at the end is the mean of the last tenth of updates; tokens count instructions anew for each \
                  example."
            .to_owned();
    for training in trainings {
        let sum = |of: fn(&Update) -> usize| count(training.updates.values().map(of).sum());
        let hours = training.updates.values().map(|update| update.seconds).sum::<f64>() / 3600.0;
        let best = training.best();
        table.rows.push(vec![
            training.name.clone(),
            count(training.updates.len()),
            training.last_loss().map_or_else(String::new, |loss| format!("{loss:.3}")),
            best.map_or_else(String::new, |(_, score)| points(score)),
            best.map_or_else(String::new, |(step, _)| count(step)),
            sum(|update| update.examples),
            sum(|update| update.tokens),
            format!("{hours:.2}"),
        ]);
    }
    table
}

/// The settings of each training, a column for each.
pub fn settings(trainings: &[Training]) -> Table {
    let header = [""].into_iter().chain(trainings.iter().map(|training| training.name.as_str()));
    let mut table = table("Settings", header);
    let first = trainings.iter().find_map(|training| training.settings.as_object());
    for key in first.into_iter().flat_map(|settings| settings.keys()) {
        let cells = trainings.iter().map(|training| match &training.settings[key] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            value => value.to_string(),
        });
        table.rows.push([key.replace('_', " ")].into_iter().chain(cells).collect());
    }
    table
}

/// The curves: loss, dev score if there is any, learning rate.
pub fn figures(trainings: &[Training]) -> Vec<Figure> {
    let curves = |title: &str, note: &str, measure: &str, value: fn(&Update) -> f64| Figure {
        title: title.to_owned(),
        note: note.to_owned(),
        chart: Chart::Curves {
            series: trainings.iter().map(|training| training.curve(value)).collect(),
            x: "update".to_owned(),
            measure: measure.to_owned(),
        },
    };
    let dev = |training: &Training| Series {
        name: training.name.clone(),
        values: training.dev.iter().map(|(step, score)| point(*step as f64, *score)).collect(),
    };
    let mut figures = vec![curves(
        "Loss over updates",
        "The mean loss of an update's output tokens; of long trainings each point is the mean of several updates.",
        "loss",
        |update| update.loss,
    )];
    if trainings.iter().any(|training| !training.dev.is_empty()) {
        figures.push(Figure {
            title: "Dev score over updates".to_owned(),
            note: "The score on tasks that are held back, which chooses the best checkpoint.".to_owned(),
            chart: Chart::Lines {
                series: trainings.iter().map(dev).collect(),
                x: "update".to_owned(),
                measure: "dev score".to_owned(),
            },
        });
    }
    figures.push(curves(
        "Learning rate over updates",
        "The rate after warm-up and schedule.",
        "learning rate",
        |update| update.rate,
    ));
    figures
}

/// The report as one value.
pub fn json(trainings: &[Training]) -> Value {
    let one = |training: &Training| {
        let last = training.updates.last_key_value().map(|(step, _)| *step);
        serde_json::json!({
            "name": training.name, "updates": last, "last_loss": training.last_loss(), "best": training.best(),
            "settings": training.settings,
        })
    };
    let figures: Vec<Table> = figures(trainings).iter().map(Figure::table).collect();
    serde_json::json!({
        "title": title(trainings), "trainings": trainings.iter().map(one).collect::<Vec<_>>(), "figures": figures,
    })
}

/// The report as Markdown.
pub fn markdown(trainings: &[Training]) -> String {
    let mut out = format!("# {}\n", crate::markdown::one_line(&title(trainings)));
    for table in [summary(trainings), settings(trainings)]
        .iter()
        .chain(&figures(trainings).iter().map(Figure::table).collect::<Vec<_>>())
    {
        crate::markdown::push(&mut out, table);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn training() -> Training {
        let mut log = String::new();
        for step in 1..=450 {
            let loss = 4.0 / f64::from(step);
            log += &format!(
                "{}\n",
                json!({"event": "step", "step": step, "loss": loss, "rate": 1e-4, "examples": 2, "tokens": 30, "seconds": 8.0})
            );
        }
        log += &format!("{}\n", json!({"event": "validated", "step": 200, "score": 31.5, "is_best": true}));
        log += &format!("{}\n", json!({"event": "validated", "step": 400, "score": 30.0, "is_best": false}));
        // An update that is there twice, and a line that was cut off.
        log += "{\"event\":\"step\",\"step\":450,\"loss\":7.0,\"rate\":0.0001,\"examples\":2,\"tokens\":30,\"seconds\":8.0}\n{\"event\":\"st";
        Training::parse("run", &log, json!({"rate": 1e-4, "warm_up": 20}))
    }

    #[test]
    fn a_log_becomes_updates_scores_and_curves() {
        let training = training();
        assert_eq!(
            (training.updates.len(), training.updates[&450].loss, training.best()),
            (450, 7.0, Some((200, 31.5)))
        );
        let figures = figures(&[training]);
        let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
        assert_eq!(titles, ["Loss over updates", "Dev score over updates", "Learning rate over updates"]);
        for figure in &figures {
            assert!(figure.chart.svg("").is_some_and(|svg| svg.contains("<svg")), "{}", figure.title);
        }
        let Chart::Curves { series, .. } = &figures[0].chart else { panic!("curves") };
        assert_eq!((series[0].values.len(), series[0].values[0].x), (150, 3.0));
        assert!((series[0].values[0].y.value - 4.0 * (1.0 + 0.5 + 1.0 / 3.0) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn it_is_written_as_a_page_as_markdown_and_as_json() {
        let all = [training()];
        let page = crate::html::training(&all);
        assert!(page.starts_with("<!doctype html>") && page.contains("Training: run") && page.contains("<svg"));
        assert!(page.contains("default-src 'none'") && !page.contains("<script"));
        let text = markdown(&all);
        assert!(text.contains("| run | 450 |") && text.contains("warm up"), "{text}");
        assert_eq!(json(&all)["trainings"][0]["best"], json!([200, 31.5]));
    }

    #[test]
    fn a_training_without_validation_has_no_dev_curve() {
        let mut training = training();
        training.dev.clear();
        assert_eq!(figures(&[training.clone()]).len(), 2);
        assert_eq!(training.best(), None);
    }
}
