//! What a type of settings can hold, as its `Deserialize` says: the names of a struct's fields, or of an enum's variants.
//!
//! Flags and experiment files so accept what the library's types do, without a second list of names.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The fields of a struct, or the variants of an enum, as files name them; none for other types.
pub fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It ends with an error as soon as the names are known.
    let _ = T::deserialize(Listener { names: &mut names });
    names
}

/// A deserializer that has no value and only listens to what it is asked for.
struct Listener<'a> {
    names: &'a mut &'static [&'static str],
}

impl Listener<'_> {
    fn end<T>() -> Result<T, Error> {
        Err(serde::de::Error::custom("there is no value"))
    }
}

impl<'de> Deserializer<'de> for Listener<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Self::end()
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.names = fields;
        Self::end()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.names = variants;
        Self::end()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_train::{DataSettings, Schedule};

    #[test]
    fn names_are_those_of_the_library() {
        assert_eq!(names::<Schedule>(), ["constant", "linear", "cosine"]);
        assert!(names::<DataSettings>().contains(&"per-task-cap"));
        assert_eq!(names::<Vec<u8>>(), [""; 0]);
    }
}
