//! What an answer depends on, as one number: equal keys mean that the answer need not be computed again.

use saydo_file::digest::Sum;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The first 16 bytes of the SHA-256 over a function, its model and a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; Key::BYTES]);

impl Key {
    /// The key of a set of functions on one model, in whatever order they are listed.
    pub fn of_set(identities: &[&Value], fingerprint: &str) -> Self {
        let mut parts: Vec<String> = identities.iter().map(|identity| identity.to_string()).collect();
        parts.sort();
        Keys::new(&Value::from(parts), fingerprint).of("")
    }

    const BYTES: usize = 16;
    /// Digits of a written key.
    pub const DIGITS: usize = 2 * Key::BYTES;

    fn of_sum(sum: Sum) -> Self {
        let digest = sum.bytes();
        let mut bytes = [0; Key::BYTES];
        bytes.copy_from_slice(&digest[..Key::BYTES]);
        Self(bytes)
    }

    /// Reads 32 lower-case hexadecimal digits; none if it is anything else.
    pub fn parse(digits: &[u8]) -> Option<Self> {
        let digits: &[u8; Key::DIGITS] = digits.try_into().ok()?;
        let mut bytes = [0; Key::BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = value(pair[0])? << 4 | value(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The key as 32 lower-case hexadecimal digits.
    pub fn digits(&self) -> [u8; Key::DIGITS] {
        let mut digits = [0; Key::DIGITS];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
            pair[1] = b"0123456789abcdef"[usize::from(byte & 15)];
        }
        digits
    }
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits().iter().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = Cow::<'de, str>::deserialize(deserializer)?;
        Key::parse(digits.as_bytes()).ok_or_else(|| D::Error::custom("expected the 32 digits of a key"))
    }
}

impl FromStr for Key {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::parse(text.as_bytes()).ok_or(())
    }
}

/// The keys of one function on one model: what they have in common is hashed once.
#[derive(Debug, Clone)]
pub struct Keys {
    sum: Sum,
}

impl Keys {
    /// The keys of the function with this identity on the model (with its adapter, if any) of this fingerprint.
    pub fn new(identity: &Value, fingerprint: &str) -> Self {
        let mut sum = Sum::default();
        // Lengths go first, so that no two lists of parts run together into the same bytes.
        for part in [identity.to_string().as_str(), fingerprint] {
            sum.update((part.len() as u64).to_le_bytes());
            sum.update(part);
        }
        Self { sum }
    }

    /// The key of a document.
    pub fn of(&self, text: &str) -> Key {
        let mut sum = self.sum.clone();
        sum.update(text);
        Key::of_sum(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_written_key_reads_back() {
        let key = Keys::new(&json!({"task": "t"}), "m").of("text");
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!(Key::parse(b"00"), None);
        assert_eq!(Key::parse(&key.to_string().to_uppercase().into_bytes()), None);
    }

    #[test]
    fn everything_an_answer_depends_on_changes_the_key() {
        let keys = [
            Keys::new(&json!("a"), "m").of("t"),
            Keys::new(&json!("b"), "m").of("t"),
            Keys::new(&json!("a"), "n").of("t"),
            Keys::new(&json!("a"), "m").of("u"),
            Keys::new(&json!("a"), "").of("mt"),
        ];
        let distinct: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn keys_stay_the_same_from_version_to_version() {
        // Finished runs could not be resumed otherwise.
        assert_eq!(Keys::new(&json!({"a": 1}), "m").of("text").to_string(), "5536b1d3a9b99fd1f3fb3ce271813e58");
    }

    #[test]
    fn the_order_of_functions_does_not_matter() {
        let (a, b) = (json!("a"), json!("b"));
        assert_eq!(Key::of_set(&[&a, &b], "m"), Key::of_set(&[&b, &a], "m"));
        assert_ne!(Key::of_set(&[&a, &b], "m"), Key::of_set(&[&a], "m"));
    }
}
