//! Parquet: equal blocks of each part at a time, their rows in turn.

use super::rows::Check;
use crate::Error;
use crate::record::write_whole;
use arrow_array::cast::AsArray as _;
use arrow_array::{RecordBatch, RecordBatchReader as _};
use arrow_select::interleave::interleave_record_batch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use saydo_corpus::parquet_io_error;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Rows of each part that are in memory at once.
const BLOCK: usize = 4096;

pub(super) fn merge(parts: &[PathBuf], out: &Path) -> Result<u64, Error> {
    let mut readers = parts.iter().map(|path| open(path)).collect::<Result<Vec<_>, Error>>()?;
    let Some(schema) = readers.first().map(|reader| reader.schema()) else { return Ok(0) };
    if let Some(other) = readers.iter().position(|reader| reader.schema() != schema) {
        return Err(Error::OtherColumns { part: parts[other].clone() });
    }
    let mut check = Check::new(parts);
    write_whole(out, |file| {
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = ArrowWriter::try_new(file, schema, Some(properties));
        let mut writer = writer.map_err(|error| Error::write(out)(parquet_io_error(error)))?;
        loop {
            let blocks = next_blocks(&mut readers, parts)?;
            let lengths: Vec<u64> = blocks.iter().map(|block| block.num_rows() as u64).collect();
            check.lengths(&lengths)?;
            if lengths.first().is_none_or(|length| *length == 0) {
                writer.close().map_err(|error| Error::write(out)(parquet_io_error(error)))?;
                return check.finish();
            }
            let turns = turns(&lengths);
            for (part, row) in &turns {
                let block = &blocks[*part];
                check.row(*part, &text(block, "id", *row), &text(block, "source", *row))?;
            }
            let blocks: Vec<&RecordBatch> = blocks.iter().collect();
            let joined = interleave_record_batch(&blocks, &turns).map_err(io::Error::other);
            let written = joined.and_then(|joined| writer.write(&joined).map_err(parquet_io_error));
            written.map_err(Error::write(out))?;
        }
    })
}

fn open(path: &Path) -> Result<ParquetRecordBatchReader, Error> {
    let file = File::open(path).map_err(Error::read(path))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file);
    let reader = reader.and_then(|builder| builder.with_batch_size(BLOCK).build());
    reader.map_err(|error| Error::read(path)(io::Error::other(error)))
}

/// The next block of every part, empty after the last.
fn next_blocks(readers: &mut [ParquetRecordBatchReader], parts: &[PathBuf]) -> Result<Vec<RecordBatch>, Error> {
    let next = |(reader, path): (&mut ParquetRecordBatchReader, &PathBuf)| match reader.next() {
        Some(block) => block.map_err(|error| Error::read(path)(io::Error::other(error))),
        None => Ok(RecordBatch::new_empty(reader.schema())),
    };
    readers.iter_mut().zip(parts).map(next).collect()
}

/// Part and row, a row of each part in turn.
fn turns(lengths: &[u64]) -> Vec<(usize, usize)> {
    let most = lengths.iter().copied().max().unwrap_or_default() as usize;
    let in_row =
        |row: usize| (0..lengths.len()).filter(move |part| (row as u64) < lengths[*part]).map(move |part| (part, row));
    (0..most).flat_map(in_row).collect()
}

/// A text of a row; empty if the column is not there or holds something else.
fn text(block: &RecordBatch, column: &str, row: usize) -> String {
    let column = block.column_by_name(column).and_then(|column| column.as_string_opt::<i32>());
    column.map(|column| column.value(row).to_owned()).unwrap_or_default()
}
