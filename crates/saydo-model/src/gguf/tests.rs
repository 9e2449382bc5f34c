//! Files made here, whole and broken: one test per way to be wrong, and generated files that must read back equal.

use super::*;
use crate::quant::BlockType;
use proptest::collection::vec;
use proptest::prelude::*;

/// A small file with every kind of value and two tensors.
fn small() -> Vec<u8> {
    let (norm, weight) = ([1u8; 12], [2u8; 36]);
    let mut writer = GgufWriter::new();
    writer.set("general.architecture", Value::Text("llama"));
    writer.set("llama.block_count", Value::U32(30));
    writer.set("llama.rope.freq_base", Value::F32(1e5));
    writer.set("flag", Value::Bool(true));
    writer.set("deep", Value::I64(-5));
    writer.set_array("tokens", ValueType::Text, [Value::Text("a"), Value::Text("é"), Value::Text("")]).unwrap();
    writer.set_array("kinds", ValueType::I32, [Value::I32(1), Value::I32(-3)]).unwrap();
    writer.set_array("flags", ValueType::Bool, [Value::Bool(false)]).unwrap();
    writer.tensor("norm", &[3], BlockType::F32, &norm).unwrap();
    writer.tensor("weight", &[32, 2], BlockType::Q4_0, &weight).unwrap();
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    bytes
}

/// Bytes of a file written by hand.
#[derive(Clone)]
struct Raw(Vec<u8>);

impl Raw {
    fn new(tensors: u64, keys: u64) -> Self {
        Self(b"GGUF".to_vec()).u32(3).u64(tensors).u64(keys)
    }

    fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.0.extend((text.len() as u64).to_le_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn tensor(self, name: &str, shape: &[u64], id: u32, offset: u64) -> Self {
        let head = self.text(name).u32(shape.len() as u32);
        shape.iter().fold(head, |raw, size| raw.u64(*size)).u32(id).u64(offset)
    }

    /// Padding to the data, then `len` bytes of it.
    fn data(mut self, len: usize) -> Self {
        self.0.resize(self.0.len().next_multiple_of(32) + len, 0);
        self
    }

    fn error(&self) -> String {
        Gguf::parse(&self.0[..]).unwrap_err().to_string()
    }
}

#[test]
fn metadata_and_tensors_are_found() {
    let bytes = small();
    let gguf = Gguf::parse(&bytes[..]).unwrap();
    assert_eq!(gguf.version(), 3);
    assert_eq!(gguf.text("general.architecture"), Ok("llama"));
    assert_eq!(gguf.u32("llama.block_count"), Ok(30));
    assert_eq!(gguf.u64("llama.block_count"), Ok(30));
    assert_eq!(gguf.f32("llama.rope.freq_base"), Ok(1e5));
    assert_eq!(gguf.bool("flag"), Ok(true));
    assert_eq!(gguf.value("deep"), Some(Value::I64(-5)));
    assert_eq!(gguf.texts("tokens").unwrap().collect::<Vec<_>>(), ["a", "é", ""]);
    assert_eq!(gguf.i32s("kinds").unwrap().collect::<Vec<_>>(), [1, -3]);
    let keys: Vec<_> = gguf.metadata().map(|(key, _)| key).collect();
    assert_eq!(keys[..3], ["general.architecture", "llama.block_count", "llama.rope.freq_base"]);
    let weight = gguf.tensor("weight").unwrap();
    assert_eq!((&weight.shape[..], weight.block_type, weight.elements()), (&[32, 2][..], BlockType::Q4_0, 64));
    assert_eq!(gguf.data("norm").unwrap(), [1; 12]);
    assert_eq!(gguf.data("weight").unwrap(), [2; 36]);
    assert_eq!(gguf.tensors().len(), 2);
}

#[test]
fn a_key_that_is_missing_or_of_another_type_is_named() {
    let bytes = small();
    let gguf = Gguf::parse(&bytes[..]).unwrap();
    let messages = [
        gguf.u32("llama.vocab").unwrap_err(),
        gguf.u32("general.architecture").unwrap_err(),
        gguf.u32("deep").unwrap_err(),
        gguf.f32("llama.block_count").unwrap_err(),
        gguf.bool("tokens").unwrap_err(),
        gguf.text("flag").unwrap_err(),
        gguf.array("flag").unwrap_err(),
        gguf.texts("kinds").err().unwrap(),
        gguf.i32s("flag").err().unwrap(),
        gguf.data("output").unwrap_err(),
    ];
    let messages: Vec<_> = messages.iter().map(GgufError::to_string).collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    metadata key "llama.vocab" is missing, expected u32
    metadata key "general.architecture" holds text, expected u32
    metadata key "deep" holds the i64 -5, expected u32
    metadata key "llama.block_count" holds u32, expected f32
    metadata key "tokens" holds array, expected bool
    metadata key "flag" holds bool, expected text
    metadata key "flag" holds bool, expected array
    metadata key "kinds" holds array of i32, expected array of text
    metadata key "flag" holds bool, expected array of i32
    tensor "output" is missing
    "#);
    assert_eq!(gguf.when_present("llama.vocab", Gguf::u32), Ok(None));
    assert_eq!(gguf.when_present("llama.block_count", Gguf::u32), Ok(Some(30)));
    assert!(gguf.when_present("flag", Gguf::u32).is_err());
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    let bytes = small();
    // The padding behind the last tensor is not needed.
    let end = Gguf::parse(&bytes[..]).unwrap().tensors().iter().map(|tensor| tensor.range.end).max().unwrap();
    for len in 0..end {
        assert!(Gguf::parse(&bytes[..len]).is_err(), "cut at {len} of {end}");
    }
    assert!(Gguf::parse(&bytes[..end]).is_ok());
}

#[test]
fn heads_that_are_not_ours_are_refused() {
    let messages = [
        Raw(b"GGML\x03\0\0\0".to_vec()).error(),
        Raw(b"GG".to_vec()).error(),
        Raw(b"GGUF\x00\0\0\x03".to_vec()).error(),
        Raw(b"GGUF\x01\0\0\0".to_vec()).error(),
        Raw(b"GGUF\x03\0\0\0\x01".to_vec()).error(),
        Raw::new(u64::MAX, 0).error(),
        Raw::new(0, 1 << 60).error(),
        Raw::new(0, 70_000).bytes(&vec![0; 1 << 20]).error(),
        Raw::new(70_000, 0).bytes(&vec![0; 1 << 22]).error(),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the magic number is "GGML", expected "GGUF"
    the magic number needs 4 bytes at offset 0, found 2
    the version is 3 in big-endian byte order, expected 2 or 3 in little-endian byte order
    the version is 1, expected 2 or 3
    the tensor count needs 8 bytes at offset 8, found 1
    the tensor count is 18446744073709551615, expected at most 0, which is what the file can hold
    the metadata count is 1152921504606846976, expected at most 0, which is what the file can hold
    the metadata count is 70000, expected at most 65536
    the tensor count is 70000, expected at most 65536
    "#);
}

#[test]
fn metadata_that_is_malformed_is_refused_by_key() {
    let padding = [0; 32];
    let messages = [
        Raw::new(0, 1).text("k").u32(13).bytes(&padding).error(),
        Raw::new(0, 1).u64(u64::MAX).bytes(&padding).error(),
        Raw::new(0, 1).u64(2).bytes(b"\xff\xff").bytes(&padding).error(),
        Raw::new(0, 1).text("k").u32(8).u64(3).bytes(b"a\xc3\x28").bytes(&padding).error(),
        Raw::new(0, 1).text("k").u32(7).bytes(&[2]).error(),
        Raw::new(0, 1).text("k").u32(9).u32(4).u64(9).bytes(&padding).error(),
        Raw::new(0, 1).text("k").u32(9).u32(99).u64(9).bytes(&padding).error(),
        Raw::new(0, 1).text("k").u32(9).u32(8).u64(2).text("fine").u64(40).bytes(&padding).error(),
        Raw::new(0, 1).text("k").u32(9).u32(7).u64(2).bytes(&[1, 3]).error(),
        Raw::new(0, 2).text("k").u32(4).u32(1).text("k").u32(4).u32(1).error(),
        Raw::new(0, 1).text("general.alignment").u32(4).u32(24).error(),
        Raw::new(0, 1).text("general.alignment").u32(4).u32(0).error(),
        Raw::new(0, 1).text("general.alignment").u32(8).text("32").error(),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the type of metadata key "k" is 13, expected a value type from 0 to 12
    metadata key 0 needs 18446744073709551615 bytes at offset 32, found 32
    metadata key 0 is not UTF-8 after 0 of 2 bytes, expected UTF-8 text
    metadata key "k" is not UTF-8 after 1 of 3 bytes, expected UTF-8 text
    metadata key "k" is 2, expected 0 or 1 for a bool
    the length of metadata key "k" is 9, expected at most 8, which is what the file can hold
    the type of the elements of metadata key "k" is 99, expected a value type from 0 to 12
    element 1 of metadata key "k" needs 40 bytes at offset 69, found 32
    element 1 of metadata key "k" is 3, expected 0 or 1 for a bool
    metadata key 1 is "k", as metadata key 0, expected a new key
    metadata key "general.alignment" is 24, expected a power of two
    metadata key "general.alignment" is 0, expected a power of two
    metadata key "general.alignment" holds text, expected u32
    "#);
}

#[test]
fn arrays_of_arrays_are_read_up_to_a_depth() {
    let nested = Raw::new(0, 1).text("k").u32(9).u32(9).u64(2);
    let nested = nested.u32(4).u64(2).u32(7).u32(8).u32(8).u64(1).text("x");
    let gguf = Gguf::parse(&nested.0[..]).unwrap();
    let inner: Vec<Vec<Value<'_>>> = gguf
        .array("k")
        .unwrap()
        .iter()
        .map(|value| match value {
            Value::Array(array) => array.iter().collect(),
            _ => vec![],
        })
        .collect();
    assert_eq!(inner, [vec![Value::U32(7), Value::U32(8)], vec![Value::Text("x")]]);
    let deep = (0..5).fold(Raw::new(0, 1).text("k").u32(9), |raw, _| raw.u32(9).u64(1));
    let message = deep.u32(0).u64(0).error();
    assert!(
        message.ends_with("metadata key \"k\" is an array nested too deep, expected 4 levels at most"),
        "{message}"
    );
}

#[test]
fn tensors_that_are_malformed_are_refused_by_name() {
    let big = 1 << 40;
    let messages = [
        Raw::new(1, 0).tensor("t", &[], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[1, 1, 1, 1, 1], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4, 0], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4, big, big], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[1 << 62], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[u64::MAX / 2], 0, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4], 9999, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[33], 2, 0).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4], 0, 8).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4], 0, u64::MAX - 31).data(64).error(),
        Raw::new(1, 0).tensor("t", &[4], 0, 1 << 40).data(64).error(),
        Raw::new(1, 0).tensor("t", &[17], 0, 0).data(64).error(),
        Raw::new(2, 0).tensor("t", &[9], 0, 0).tensor("u", &[4], 0, 32).data(64).error(),
        Raw::new(2, 0).tensor("t", &[4], 0, 32).tensor("u", &[4], 0, 32).data(64).error(),
        Raw::new(2, 0).tensor("t", &[4], 0, 32).tensor("t", &[4], 0, 0).data(64).error(),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the number of dimensions of tensor "t" is 0, expected 1 to 4
    the number of dimensions of tensor "t" is 5, expected 1 to 4
    dimension 1 of tensor "t" is 0, expected a size above 0 that fits in memory
    the shape of tensor "t" is [4, 1099511627776, 1099511627776], expected a smaller one
    the shape of tensor "t" is [4611686018427387904], expected a smaller one
    the shape of tensor "t" is [9223372036854775807], expected a smaller one
    the type of tensor "t" is 9999, expected one we can compute with
    dimension 0 of tensor "t" is 33, expected a multiple of 32, the block size of Q4_0
    the offset of tensor "t" is 8, expected a multiple of the alignment 32
    the offset of tensor "t" is 18446744073709551584 after 64, expected room for its 16 bytes before the end at 128
    the offset of tensor "t" is 1099511627776 after 64, expected room for its 16 bytes before the end at 128
    the offset of tensor "t" is 0 after 64, expected room for its 68 bytes before the end at 128
    the start of tensor "u" is inside tensor "t", expected 132 or later
    the start of tensor "u" is inside tensor "t", expected 144 or later
    the name of tensor 1 is "t", as of tensor 0, expected a new name
    "#);
}

#[test]
fn a_file_may_have_its_own_alignment_or_no_tensors() {
    let aligned = Raw::new(1, 1).text("general.alignment").u32(4).u32(8).tensor("t", &[1], 0, 8);
    let start = aligned.0.len().next_multiple_of(8);
    let bytes = aligned.data(64).0;
    assert_eq!(Gguf::parse(&bytes[..]).unwrap().tensor("t").unwrap().range, start + 8..start + 12);
    let empty = Raw::new(0, 0).0;
    assert!(Gguf::parse(&empty[..]).unwrap().tensors().is_empty());
    let version_2 = Raw(b"GGUF".to_vec()).u32(2).u64(0).u64(0).0;
    assert_eq!(Gguf::parse(&version_2[..]).unwrap().version(), 2);
}

#[test]
fn opening_a_bad_file_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.gguf");
    std::fs::write(&path, b"not a model").unwrap();
    let error = Gguf::open(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot use {}", path.display()));
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, r#"the magic number is "not ", expected "GGUF""#);
    std::fs::write(&path, small()).unwrap();
    assert_eq!(Gguf::open(&path).unwrap().u32("llama.block_count"), Ok(30));
}

#[test]
fn the_writer_refuses_what_could_not_be_read() {
    let mut writer = GgufWriter::new();
    writer.tensor("t", &[1], BlockType::F32, &[0; 4]).unwrap();
    assert!(writer.tensor("t", &[1], BlockType::F32, &[0; 4]).is_err(), "a name twice");
    assert!(writer.tensor("u", &[2], BlockType::F32, &[0; 4]).is_err(), "too little data");
    assert!(writer.tensor("v", &[31], BlockType::Q4_0, &[0; 18]).is_err(), "half a block");
    assert!(writer.tensor("w", &[], BlockType::F32, &[]).is_err(), "no dimension");
    assert!(writer.tensor("x", &[1, 1, 1, 1, 1], BlockType::F32, &[0; 4]).is_err(), "five dimensions");
    assert!(writer.tensor("y", &[4, 0], BlockType::F32, &[]).is_err(), "no rows");
    assert_eq!(writer.set_array("k", ValueType::U8, [Value::U8(1), Value::I8(1)]), Err(Value::I8(1)));
    writer.set("k", Value::U8(1));
    writer.set("k", Value::U8(2));
    writer.set("general.alignment", Value::U32(4096));
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    let gguf = Gguf::parse(&bytes[..]).unwrap();
    assert_eq!(gguf.metadata().collect::<Vec<_>>(), [("k", Value::U8(2))]);
}

/// A value of any type but array, with a text that lives long enough.
fn scalar() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        any::<u8>().prop_map(Value::U8),
        any::<i8>().prop_map(Value::I8),
        any::<u16>().prop_map(Value::U16),
        any::<i16>().prop_map(Value::I16),
        any::<u32>().prop_map(Value::U32),
        any::<i32>().prop_map(Value::I32),
        (-1e30f32..1e30).prop_map(Value::F32),
        any::<bool>().prop_map(Value::Bool),
        proptest::sample::select(vec!["", "a", "日本\n", "\0"]).prop_map(Value::Text),
        any::<u64>().prop_map(Value::U64),
        any::<i64>().prop_map(Value::I64),
        (-1e300f64..1e300).prop_map(Value::F64),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal(
        scalars in vec(scalar(), 0..6),
        arrays in vec((scalar(), 0usize..5), 0..4),
        tensors in vec((1usize..4, 1usize..4), 0..4),
    ) {
        let data = [7u8; 3 * 3 * 18];
        let mut writer = GgufWriter::new();
        for (index, value) in scalars.iter().enumerate() {
            writer.set(&format!("s{index}"), *value);
        }
        for (index, (value, count)) in arrays.iter().enumerate() {
            writer.set_array(&format!("a{index}"), value.value_type(), std::iter::repeat_n(*value, *count)).unwrap();
        }
        for (index, (blocks, rows)) in tensors.iter().enumerate() {
            let data = &data[..blocks * rows * 18];
            writer.tensor(&format!("t{index}"), &[blocks * 32, *rows], BlockType::Q4_0, data).unwrap();
        }
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        let gguf = Gguf::parse(&bytes[..]).unwrap();
        for (index, value) in scalars.iter().enumerate() {
            prop_assert_eq!(gguf.value(&format!("s{index}")), Some(*value));
        }
        for (index, (value, count)) in arrays.iter().enumerate() {
            let array = gguf.array(&format!("a{index}")).unwrap();
            prop_assert_eq!(array.iter().collect::<Vec<_>>(), vec![*value; *count]);
        }
        for (index, (blocks, rows)) in tensors.iter().enumerate() {
            let name = format!("t{index}");
            prop_assert_eq!(&gguf.tensor(&name).unwrap().shape, &vec![blocks * 32, *rows]);
            prop_assert_eq!(gguf.data(&name).unwrap(), &data[..blocks * rows * 18]);
        }
        // A copy of everything is the same file.
        let mut copier = GgufWriter::new();
        for (key, value) in gguf.metadata() {
            copier.set(key, value);
        }
        for tensor in gguf.tensors() {
            copier.tensor(&tensor.name, &tensor.shape, tensor.block_type, gguf.data(&tensor.name).unwrap()).unwrap();
        }
        let mut copy = Vec::new();
        copier.write(&mut copy).unwrap();
        prop_assert_eq!(copy, bytes);
    }

    #[test]
    fn changed_bytes_never_panic(changes in vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = small();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read_all(&bytes);
    }

    #[test]
    fn any_bytes_behind_a_good_head_never_panic(tensors in 0u64..4, keys in 0u64..4, rest in vec(0u8..16, 0..400)) {
        read_all(&Raw::new(tensors, keys).bytes(&rest).0);
    }
}

/// Reads whatever can be read.
fn read_all(bytes: &[u8]) {
    let Ok(gguf) = Gguf::parse(bytes) else { return };
    for (_, value) in gguf.metadata() {
        if let Value::Array(array) = value {
            assert_eq!(array.iter().count(), array.len());
        }
    }
    for tensor in gguf.tensors() {
        assert_eq!(gguf.data(&tensor.name).unwrap().len(), tensor.range.len());
    }
}
