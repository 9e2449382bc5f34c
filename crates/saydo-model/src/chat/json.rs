//! The `tojson` filter as Hugging Face defines it: Python's `json.dumps`, not made safe for HTML.

use minijinja::value::{Kwargs, Value};
use minijinja::{Error, ErrorKind};
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

pub(super) fn to_json(value: &Value, options: Kwargs) -> Result<String, Error> {
    let indent: Option<usize> = options.get("indent")?;
    options.assert_all_used()?;
    match indent {
        None => write(value, Spaced),
        Some(width) if width <= 16 => write(value, PrettyFormatter::with_indent(&[b' '; 16][..width])),
        Some(width) => {
            let message = format!("tojson got the indent {width}, expected 16 at most");
            Err(Error::new(ErrorKind::InvalidOperation, message))
        }
    }
}

fn write(value: &Value, formatter: impl Formatter) -> Result<String, Error> {
    let mut out = Vec::new();
    let failed = |error| Error::new(ErrorKind::BadSerialization, "cannot write the value as JSON").with_source(error);
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter)).map_err(failed)?;
    Ok(String::from_utf8(out).expect("JSON is written as UTF-8"))
}

/// One line with a space behind each comma and colon.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
