//! A few fields of large JSON objects, the rest read past.
//!
//! Published files are mostly text that scoring does not need. Serde's derived readers would do, but they also take a
//! list for an object; here only objects pass. Whatever is refused goes to the reader that knows Python's dialect and
//! says where an error stands, so nothing here needs a message.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// What is kept of an object.
pub(super) trait Keep<'de>: Default {
    /// Takes the value of a key that is to be kept and gives true; otherwise leaves it and gives false. Of a repeated
    /// key the last value counts, as in Python.
    fn keep<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error>;
}

/// The kept part of an object.
pub(super) struct Object<T>(pub(super) T);

/// Reads an object that fills the text; none if it is not strict JSON, or a kept value is of the wrong type.
pub(super) fn read<'de, T: Keep<'de>>(text: &'de str) -> Option<T> {
    serde_json::from_str::<Object<T>>(text).ok().map(|object| object.0)
}

impl<'de, T: Keep<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Keep<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut kept = T::default();
        // A key with an escape in it cannot be borrowed and is refused.
        while let Some(key) = map.next_key::<&'de str>()? {
            if !kept.keep(key, &mut map)? {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Object(kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Count(Option<usize>);

    impl<'de> Keep<'de> for Count {
        fn keep<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
            if key == "n" {
                self.0 = Some(map.next_value()?);
            }
            Ok(key == "n")
        }
    }

    #[test]
    fn kept_fields_are_read_and_others_read_past() {
        assert_eq!(read(r#"{"x": [{"n": 1}, "\ud800"], "n": 2, "n": 3}"#), Some(Count(Some(3))));
        assert_eq!(read("{}"), Some(Count(None)));
    }

    #[test]
    fn anything_else_is_left_to_the_other_reader() {
        for text in
            ["[2]", "2", "{\"n\": -1}", "{\"n\": null}", "{\"n\": 2.0}", "{\"x\": NaN}", "{\"\\u006e\": 1}", "{} {}"]
        {
            assert_eq!(read::<Count>(text), None, "{text}");
        }
    }
}
