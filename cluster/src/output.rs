//! Where rows go: files by their name, or a writer.

use crate::Error;
use crate::table::{FileKind, address};
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::config::TableParquetOptions;
use datafusion::dataframe::{DataFrame, DataFrameWriteOptions};
use futures::TryStreamExt as _;
use std::io::{self, Write};
use std::path::Path;

/// Where rows go.
pub enum Target<'a> {
    /// A file, or a folder for Parquet files; an address of an object store in their place.
    Files(String),
    /// A table to look at.
    Table(&'a mut dyn Write),
    /// A line of JSON for each row, as soon as it is known.
    JsonLines(&'a mut dyn Write),
}

impl Target<'_> {
    /// Refuses files that cannot be written, before anything is computed.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Target::Files(name) = self else { return Ok(()) };
        let refused = |reason: &str| Err(Error::Output { name: name.clone(), reason: reason.to_owned() });
        let path = Path::new(name);
        match FileKind::of(name) {
            Some((_, compression)) if compression.is_compressed() => {
                refused("compressed output is not supported, except inside Parquet")
            }
            Some(_) if path.is_dir() => refused("it is a folder, expected a file"),
            None if !name.ends_with('/') && path.extension().is_some() => Err(Error::Format { name: name.clone() }),
            None if path.is_file() => refused("it is a file, expected a folder or a name with an extension"),
            None if path.read_dir().is_ok_and(|mut entries| entries.next().is_some()) => {
                refused("the folder is not empty, and old rows would stand among the new")
            }
            _ => Ok(()),
        }
    }

    /// Whether it is a file that holds plain values only.
    pub(crate) fn is_plain(&self) -> bool {
        let Target::Files(name) = self else { return false };
        matches!(FileKind::of(name), Some((FileKind::Csv | FileKind::Tsv, _)))
    }

    /// Runs the plan and writes its rows. Gives their number.
    pub(crate) async fn write(self, frame: DataFrame) -> Result<u64, Error> {
        let nested = frame.schema().fields().iter().find(|field| field.data_type().is_nested());
        match (nested.filter(|_| self.is_plain()), self) {
            (Some(field), Target::Files(name)) => {
                let reason = format!("column `{}` holds lists or records, expected .parquet or .jsonl", field.name());
                Err(Error::Output { name, reason })
            }
            (_, target) => target.write_rows(frame).await,
        }
    }

    async fn write_rows(self, frame: DataFrame) -> Result<u64, Error> {
        match self {
            Target::Files(name) => files(frame, &name).await,
            Target::Table(out) => {
                let batches = frame.collect().await?;
                let table = pretty_format_batches(&batches).map_err(datafusion::error::DataFusionError::from)?;
                writeln!(out, "{table}").map_err(cannot_print)?;
                Ok(batches.iter().map(|batch| batch.num_rows() as u64).sum())
            }
            Target::JsonLines(out) => {
                let mut rows = 0;
                let mut stream = frame.execute_stream().await?;
                while let Some(batch) = stream.try_next().await? {
                    let mut lines = LineDelimitedWriter::new(&mut *out);
                    lines.write(&batch).map_err(datafusion::error::DataFusionError::from)?;
                    lines.finish().map_err(datafusion::error::DataFusionError::from)?;
                    out.flush().map_err(cannot_print)?;
                    rows += batch.num_rows() as u64;
                }
                Ok(rows)
            }
        }
    }
}

fn cannot_print(error: io::Error) -> Error {
    Error::Output { name: "the rows".to_owned(), reason: error.to_string() }
}

async fn files(frame: DataFrame, name: &str) -> Result<u64, Error> {
    let kind = FileKind::of(name).map(|(kind, _)| kind);
    let options = DataFrameWriteOptions::new().with_single_file_output(kind.is_some());
    let address = match kind {
        Some(_) => address(name),
        None => format!("{}/", address(name).trim_end_matches('/')),
    };
    let counts = match kind {
        Some(FileKind::JsonLines) => frame.write_json(&address, options, None).await?,
        Some(FileKind::Csv) => frame.write_csv(&address, options, None).await?,
        Some(FileKind::Tsv) => {
            let csv = datafusion::config::CsvOptions::default().with_delimiter(b'\t').with_has_header(true);
            frame.write_csv(&address, options, Some(csv)).await?
        }
        Some(FileKind::Parquet) | None => {
            frame.write_parquet(&address, options, Some(TableParquetOptions::default())).await?
        }
    };
    Ok(counts.iter().map(written).sum())
}

/// The engine says how many rows it wrote in a table of one number.
fn written(batch: &datafusion::arrow::array::RecordBatch) -> u64 {
    use datafusion::arrow::array::AsArray as _;
    use datafusion::arrow::datatypes::UInt64Type;
    match batch.columns().first().and_then(|column| column.as_primitive_opt::<UInt64Type>()) {
        Some(counts) => counts.values().iter().sum(),
        None => 0,
    }
}
