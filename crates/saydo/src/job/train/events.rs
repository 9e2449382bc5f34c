//! TensorBoard's event files: records of protocol buffers, each with its length and two checksums.
//!
//! A record is the length of its data (8 bytes), the masked CRC-32C of those, the data, and the masked CRC-32C of the data,
//! all little-endian. The data are an `Event`: wall time (field 1), step (2), and the file's version (3) or a summary (5)
//! whose values (1) have a tag (1) and a number (2).

use saydo_file::Appender;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file of events, to which numbers are added as they come.
pub(super) struct EventFile {
    file: Appender,
}

impl EventFile {
    /// A new file in a folder, which is made if it is not there. TensorBoard reads all files of a folder together.
    pub fn create(folder: &Path) -> io::Result<Self> {
        saydo_file::disk::create_folders(folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("events.out.tfevents.{:010}.{:09}.saydo", now.as_secs(), now.subsec_nanos());
        let mut file = Self { file: Appender::open(&folder.join(name))? };
        let mut event = field_double(1, now.as_secs_f64());
        event.extend(field_bytes(3, b"brain.Event:2"));
        file.file.append(&record(&event))?;
        Ok(file)
    }

    /// Adds numbers of a step.
    pub fn add(&mut self, step: usize, numbers: &[(&str, f64)]) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.file.append(&record(&event(now.as_secs_f64(), step, numbers)))
    }
}

fn event(wall_time: f64, step: usize, numbers: &[(&str, f64)]) -> Vec<u8> {
    let value = |(tag, number): &(&str, f64)| {
        let mut value = field_bytes(1, tag.as_bytes());
        value.push(2 << 3 | 5);
        value.extend((*number as f32).to_le_bytes());
        field_bytes(1, &value)
    };
    let summary: Vec<u8> = numbers.iter().flat_map(value).collect();
    let mut event = field_double(1, wall_time);
    event.push(2 << 3);
    event.extend(varint(step as u64));
    event.extend(field_bytes(5, &summary));
    event
}

fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked(crc32c(&length)).to_le_bytes());
    record.extend(data);
    record.extend(masked(crc32c(data)).to_le_bytes());
    record
}

/// Fields of eight bytes have the wire type 1, those of a counted run of bytes the wire type 2.
fn field_double(number: u8, value: f64) -> Vec<u8> {
    let mut field = vec![number << 3 | 1];
    field.extend(value.to_le_bytes());
    field
}

fn field_bytes(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    field.extend(varint(bytes.len() as u64));
    field.extend(bytes);
    field
}

/// Seven bits a byte, the lowest first, the eighth set while more follow.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// The checksum of Castagnoli's polynomial, reflected.
fn crc32c(bytes: &[u8]) -> u32 {
    let mut state = u32::MAX;
    for byte in bytes {
        state ^= u32::from(*byte);
        for _ in 0..8 {
            state = if state & 1 == 1 { state >> 1 ^ 0x82f6_3b78 } else { state >> 1 };
        }
    }
    !state
}

/// Turned and moved, so that a checksum of data that hold checksums is no trap.
fn masked(checksum: u32) -> u32 {
    checksum.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_castagnolis() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[]), 0);
    }

    #[test]
    fn an_event_is_a_protocol_buffer() {
        let event = event(1.5, 300, &[("loss", 2.0)]);
        let expected = [
            &[0x09][..],
            &1.5_f64.to_le_bytes(),
            &[0x10, 0xac, 0x02],
            // The summary of 13 bytes, in it a value of 11: tag and number.
            &[0x2a, 13, 0x0a, 11, 0x0a, 4],
            b"loss",
            &[0x15],
            &2.0_f32.to_le_bytes(),
        ]
        .concat();
        assert_eq!(event, expected);
    }

    #[test]
    fn a_record_has_its_length_and_two_checksums() {
        let record = record(b"123456789");
        assert_eq!(record.len(), 8 + 4 + 9 + 4);
        assert_eq!(record[..8], 9_u64.to_le_bytes());
        assert_eq!(record[21..], masked(0xe306_9283).to_le_bytes());
    }
}
