//! Flags of commands, from a command line or from a list. Long ones accept `_` for `-`: users of other evaluation tools have
//! the underscores in their fingers.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use saydo::schema::names;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::ffi::OsString;

/// Lets clap read a command's arguments from a list.
#[derive(clap::Parser)]
pub struct Arguments<A: clap::Args> {
    /// The arguments.
    #[command(flatten)]
    pub args: A,
}

/// Reads the variants of an enum without data, by the names that files have for them.
pub(crate) fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    described(&[])
}

/// The same, with what the help says of each variant.
pub(crate) fn described<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    help: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    let value = |(number, name): (usize, &&'static str)| {
        let value = PossibleValue::new(*name);
        help.get(number).map_or(value.clone(), |help| value.help(*help))
    };
    let values: Vec<PossibleValue> = names::<T>().iter().enumerate().map(value).collect();
    PossibleValuesParser::new(values).try_map(|name| {
        let name: StrDeserializer<'_, Error> = name.as_str().into_deserializer();
        T::deserialize(name)
    })
}

/// The arguments with `_` turned into `-` in the names of long flags; values and everything after `--` stay.
pub fn with_hyphens(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut is_literal = false;
    arguments
        .map(|argument| {
            is_literal |= argument == "--";
            match argument.to_str() {
                Some(text) if !is_literal && text.starts_with("--") => hyphenated(text).into(),
                _ => argument,
            }
        })
        .collect()
}

fn hyphenated(flag: &str) -> String {
    match flag.split_once('=') {
        Some((name, value)) => format!("{}={value}", name.replace('_', "-")),
        None => flag.replace('_', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_hyphens;

    #[test]
    fn only_names_of_long_flags_change() {
        let given = ["saydo", "--num_examples=a_b", "--tasks_out", "a_b", "-x_y", "--", "--keep_me"];
        let changed = with_hyphens(given.into_iter().map(Into::into));
        assert_eq!(changed, ["saydo", "--num-examples=a_b", "--tasks-out", "a_b", "-x_y", "--", "--keep_me"]);
    }
}
