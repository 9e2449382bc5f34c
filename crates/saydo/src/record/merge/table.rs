//! CSV and TSV: one header, then a record of each part in turn.

use super::rows::Check;
use crate::Error;
use crate::record::write_whole;
use csv::{ByteRecord, Reader, ReaderBuilder, WriterBuilder};
use std::fs::File;
use std::path::{Path, PathBuf};

pub(super) fn merge(parts: &[PathBuf], out: &Path, delimiter: u8) -> Result<u64, Error> {
    let open = |path: &PathBuf| {
        let file = File::open(path).map_err(Error::read(path))?;
        Ok(ReaderBuilder::new().delimiter(delimiter).from_reader(file))
    };
    let mut readers = parts.iter().map(open).collect::<Result<Vec<Reader<File>>, Error>>()?;
    let header = same_header(&mut readers, parts)?;
    let column = |name: &str| header.iter().position(|field| field == name.as_bytes());
    let (id, source) = (column("id"), column("source"));
    let mut check = Check::new(parts);
    write_whole(out, |file| {
        let failed = |error: csv::Error| Error::write(out)(error.into());
        let mut writer = WriterBuilder::new().delimiter(delimiter).from_writer(file);
        writer.write_byte_record(&header).map_err(failed)?;
        let mut records = vec![ByteRecord::new(); parts.len()];
        loop {
            let mut lengths = Vec::with_capacity(parts.len());
            for ((reader, record), path) in readers.iter_mut().zip(&mut records).zip(parts) {
                let is_there = reader.read_byte_record(record).map_err(|error| Error::read(path)(error.into()))?;
                lengths.push(u64::from(is_there));
            }
            check.lengths(&lengths)?;
            if lengths.first() != Some(&1) {
                writer.flush().map_err(Error::write(out))?;
                return check.finish();
            }
            for (part, record) in records.iter().enumerate().filter(|(part, _)| lengths[*part] > 0) {
                let field = |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or_default();
                let text = |column| String::from_utf8_lossy(field(column)).into_owned();
                check.row(part, &text(id), &text(source))?;
                writer.write_byte_record(record).map_err(failed)?;
            }
        }
    })
}

fn same_header(readers: &mut [Reader<File>], parts: &[PathBuf]) -> Result<ByteRecord, Error> {
    let mut first: Option<ByteRecord> = None;
    for (reader, path) in readers.iter_mut().zip(parts) {
        let header = reader.byte_headers().map_err(|error| Error::read(path)(error.into()))?;
        match &first {
            Some(first) if first != header => return Err(Error::OtherColumns { part: path.clone() }),
            Some(_) => {}
            None => first = Some(header.clone()),
        }
    }
    Ok(first.unwrap_or_default())
}
