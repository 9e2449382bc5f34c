//! Replies as the files that the papers' evaluators read.
//!
//! | Protocol | File |
//! | --- | --- |
//! | ZEST | text, a line for each example in the order of the data |
//! | Natural Instructions | a folder with a file for each task: `{"predictions": [{"index", "output"}]}` |
//! | Super-NaturalInstructions | JSON Lines of `id` and `prediction` |

use crate::record::write_json;
use crate::score::reply;
use crate::{Error, GoldInstance, GoldTask, Plan, Protocol};
use saydo_corpus::Cell;
use serde_json::{Value, json};
use std::path::Path;

/// What stands for a reply that failed: evaluators want a line for every example, and this is wrong wherever an answer is.
const NO_REPLY: &str = "n/a";

/// Writes the replies to a plan's samples, one for each in their order, for the evaluator of its protocol. A plan with
/// several replies to an instance, or of another protocol, is refused.
pub fn write(plan: &Plan, replies: &[Option<Cell>], path: &Path) -> Result<(), Error> {
    let ways = plan.layouts.len() * plan.decodings.iter().map(|decoding| decoding.draws).sum::<usize>();
    if ways != 1 {
        return Err(Error::SeveralReplies { ways });
    }
    let texts: Vec<String> =
        replies.iter().map(|cell| cell.as_ref().and_then(reply).unwrap_or_else(|| NO_REPLY.to_owned())).collect();
    let samples = plan.samples.iter().zip(&texts).map(|(sample, text)| {
        let task = &plan.tasks[sample.task];
        (task, &task.instances[sample.instance], text.as_str())
    });
    match plan.protocol {
        Protocol::Zest => write_lines(path, samples.map(|(_, _, text)| zest_line(text))),
        Protocol::SuperNaturalInstructions => {
            let line = |(task, instance, text): (&GoldTask, &GoldInstance, &str)| {
                json!({ "id": instance_id(task, instance), "prediction": text.trim() }).to_string()
            };
            write_lines(path, samples.map(line))
        }
        Protocol::NaturalInstructions => {
            saydo_file::disk::create_folders(path).map_err(Error::file("write", path))?;
            let samples: Vec<_> = samples.collect();
            for own in samples.chunk_by(|a, b| a.0.id == b.0.id) {
                let row = |(_, instance, text): &(&GoldTask, &GoldInstance, &str)| {
                    let index = instance.id.as_deref().and_then(|id| id.parse().ok()).unwrap_or(instance.number);
                    json!({ "index": index, "output": text })
                };
                let rows: Vec<Value> = own.iter().map(row).collect();
                let name = format!("{}.json", crate::harness::file_name(&own[0].0.id));
                write_json(&path.join(name), &json!({ "predictions": rows }))?;
            }
            Ok(())
        }
        protocol @ (Protocol::Turking | Protocol::Labelled | Protocol::Reading) => Err(Error::NoEvaluator { protocol }),
    }
}

/// A reply on one line. The evaluator takes what stands in double quotes for a JSON string, so what begins so is written as one.
fn zest_line(text: &str) -> String {
    let text = text.replace(['\r', '\n'], " ");
    match text.trim() {
        "" => NO_REPLY.to_owned(),
        quoted if quoted.starts_with('"') => json!(quoted).to_string(),
        plain => plain.to_owned(),
    }
}

/// The instance's own id, or one of its task and number.
fn instance_id(task: &GoldTask, instance: &GoldInstance) -> String {
    instance.id.clone().unwrap_or_else(|| format!("{}-{}", task.id, instance.number))
}

fn write_lines(path: &Path, lines: impl Iterator<Item = String>) -> Result<(), Error> {
    let text: String = lines.map(|line| line + "\n").collect();
    saydo_file::write(path, text.as_bytes()).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zest::{PredictionFormat, Repairs, read_predictions};

    #[test]
    fn a_reply_comes_back_from_its_line_as_the_evaluator_reads_it() {
        let replies = ["yes", " two\nlines ", "\"quoted\" and more", "[{\"a\": \"b\"}]", "\n", "\""];
        let expected = ["yes", "two lines", "\"quoted\" and more", "[{\"a\": \"b\"}]", "n/a", "\""];
        let text: String = replies.iter().map(|reply| zest_line(reply) + "\n").collect();
        let read = read_predictions(&text, PredictionFormat::Text, Repairs::NONE).unwrap();
        let read: Vec<String> = read.into_iter().map(|prediction| prediction.text.unwrap()).collect();
        assert_eq!(read, expected);
    }
}
