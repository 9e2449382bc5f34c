//! Rows to fine-tune on, as other training programs read them: prompts with completions, or conversations.

use crate::{Error, parquet_io_error};
use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use saydo_file::Draft;
use serde_json::json;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

/// So many rows are held before they are encoded.
const BATCH_ROWS: usize = 1024;

/// What a model is given and what it should say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftRow {
    /// What it is given.
    pub prompt: String,
    /// What it should say, without white space around.
    pub output: String,
}

/// How rows are put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SftForm {
    /// `messages`: a turn of the user and one of the assistant.
    Chat,
    /// `prompt` and `completion`, which give the whole text when they are joined: a completion begins with a space unless
    /// its prompt ends in white space.
    PromptCompletion,
}

impl SftRow {
    /// The output as it follows the prompt.
    fn completion(&self) -> String {
        let space = if self.prompt.ends_with(char::is_whitespace) { "" } else { " " };
        format!("{space}{}", self.output)
    }
}

/// Writes rows as JSON Lines. The file appears when it is whole.
pub fn write_sft_jsonl(path: &Path, form: SftForm, rows: impl Iterator<Item = SftRow>) -> Result<usize, Error> {
    whole(path, |out| {
        let mut count = 0;
        for row in rows {
            let value = match form {
                SftForm::Chat => json!({ "messages": [
                    { "role": "user", "content": row.prompt },
                    { "role": "assistant", "content": row.output },
                ] }),
                SftForm::PromptCompletion => json!({ "prompt": row.prompt, "completion": row.completion() }),
            };
            writeln!(out, "{value}")?;
            count += 1;
        }
        Ok(count)
    })
}

/// Writes rows as a Parquet table. The file appears when it is whole.
pub fn write_sft_parquet(path: &Path, form: SftForm, rows: impl Iterator<Item = SftRow>) -> Result<usize, Error> {
    let mut rows = rows.peekable();
    whole(path, |file| {
        let schema = batch(form, &[])?.schema();
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).map_err(parquet_io_error)?;
        let mut count = 0;
        while rows.peek().is_some() {
            let some: Vec<SftRow> = rows.by_ref().take(BATCH_ROWS).collect();
            count += some.len();
            writer.write(&batch(form, &some)?).map_err(parquet_io_error)?;
        }
        writer.close().map_err(parquet_io_error)?;
        Ok(count)
    })
}

fn batch(form: SftForm, rows: &[SftRow]) -> io::Result<RecordBatch> {
    let columns: Vec<(&str, ArrayRef)> = match form {
        SftForm::PromptCompletion => {
            let (mut prompts, mut completions) = (StringBuilder::new(), StringBuilder::new());
            for row in rows {
                prompts.append_value(&row.prompt);
                completions.append_value(row.completion());
            }
            vec![("prompt", Arc::new(prompts.finish())), ("completion", Arc::new(completions.finish()))]
        }
        SftForm::Chat => {
            let fields = ["role", "content"].map(|name| Field::new(name, DataType::Utf8, false));
            let mut messages = ListBuilder::new(StructBuilder::from_fields(fields.to_vec(), 2 * rows.len()));
            for row in rows {
                for (role, content) in [("user", &row.prompt), ("assistant", &row.output)] {
                    for (place, text) in [role, content].into_iter().enumerate() {
                        let builder = messages.values().field_builder::<StringBuilder>(place);
                        builder.expect("both fields are texts").append_value(text);
                    }
                    messages.values().append(true);
                }
                messages.append(true);
            }
            vec![("messages", Arc::new(messages.finish()))]
        }
    };
    let columns = columns.into_iter().map(|(name, column)| (name, column, false));
    RecordBatch::try_from_iter_with_nullable(columns).map_err(io::Error::other)
}

fn whole<T>(path: &Path, write: impl FnOnce(&mut Draft) -> io::Result<T>) -> Result<T, Error> {
    let written = Draft::create(path).and_then(|mut draft| {
        let value = write(&mut draft)?;
        draft.commit()?;
        Ok(value)
    });
    written.map_err(|source| Error::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::fs::File;

    fn rows() -> Vec<SftRow> {
        let row = |prompt: &str, output: &str| SftRow { prompt: prompt.into(), output: output.into() };
        vec![row("Input: a \"b\"\nOutput:", "yes"), row("Frage: ü\n", "nein")]
    }

    #[test]
    fn lines_hold_prompts_and_completions_or_turns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        assert_eq!(write_sft_jsonl(&path, SftForm::PromptCompletion, rows().into_iter()).unwrap(), 2);
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = [
            r#"{"completion":" yes","prompt":"Input: a \"b\"\nOutput:"}"#,
            r#"{"completion":"nein","prompt":"Frage: ü\n"}"#,
        ];
        let values = |text: &str| {
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<serde_json::Value>>()
        };
        assert_eq!(values(&text), values(&expected.join("\n")));
        write_sft_jsonl(&path, SftForm::Chat, rows().into_iter().take(1)).unwrap();
        let line: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(line["messages"][0], json!({ "role": "user", "content": "Input: a \"b\"\nOutput:" }));
        assert_eq!(line["messages"][1], json!({ "role": "assistant", "content": "yes" }));
    }

    #[test]
    fn tables_read_back_with_the_same_columns() {
        let folder = tempfile::tempdir().unwrap();
        for (form, names) in
            [(SftForm::Chat, &["messages"][..]), (SftForm::PromptCompletion, &["prompt", "completion"])]
        {
            let path = folder.path().join("a.parquet");
            let many = || rows().into_iter().cycle().take(2500);
            assert_eq!(write_sft_parquet(&path, form, many()).unwrap(), 2500);
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap().build().unwrap();
            let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().unwrap();
            assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 2500);
            let schema = batches[0].schema();
            assert_eq!(schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), names);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_fault_at_any_step_leaves_the_old_or_the_new_rows() {
        use saydo_file::fault::{Trial, at_every_step};
        type Write = fn(&Path) -> Result<usize, Error>;
        let scratch = tempfile::tempdir().unwrap();
        let writers: [(&str, Write); 2] = [
            ("sft.jsonl", |path| write_sft_jsonl(path, SftForm::Chat, rows().into_iter())),
            ("sft.parquet", |path| write_sft_parquet(path, SftForm::Chat, rows().into_iter())),
        ];
        for (name, write) in writers {
            let whole = scratch.path().join(name);
            write(&whole).unwrap();
            let new = std::fs::read(&whole).unwrap();
            let after = |folder: &Path, trial: &Trial<Error>| {
                let found = std::fs::read(folder.join(name)).unwrap();
                assert!(found == b"before" || found == new, "{name}: {trial}");
                assert!(trial.outcome.is_err() || found == new, "{name}: {trial}: it said that it had written");
            };
            let before = |folder: &Path| std::fs::write(folder.join(name), "before").unwrap();
            let write = |folder: &Path| write(&folder.join(name)).map(|_| ());
            assert!(at_every_step(name, scratch.path(), before, write, after) >= 5);
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_that_names_the_file() {
        let error = write_sft_jsonl(Path::new("missing/a.jsonl"), SftForm::Chat, rows().into_iter()).unwrap_err();
        assert!(error.to_string().contains("missing/a.jsonl"), "{error}");
    }
}
