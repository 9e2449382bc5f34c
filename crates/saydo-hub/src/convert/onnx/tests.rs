use super::*;
use crate::convert::tiny::{Writer, file, node, quantized, tensor_of};
use proptest::prelude::*;

fn sample() -> Vec<u8> {
    let graph = quantized(Writer::default(), "w", &[2, 2], &[1, -2, 3, -4], 0.5);
    let graph = graph.bytes(5, &tensor_of("norm", 1, &[2]).bytes(9, &[0, 0, 128, 63, 0, 0, 0, 64]).0);
    file(
        graph
            .bytes(1, &node("MatMulInteger", "/a/MatMul_quant", &["x", "w_quantized"]).0)
            .bytes(1, &node("Add", "/a/Add", &["x", "norm"]).0),
    )
}

#[test]
fn tensors_and_products_are_read() {
    let bytes = sample();
    let graph = Graph::parse(&bytes).unwrap();
    assert_eq!(graph.tensors["norm"], Tensor { shape: vec![2], values: Values::Floats(vec![1.0, 2.0]) });
    assert_eq!(graph.tensors["w_scale"], Tensor { shape: vec![], values: Values::Floats(vec![0.5]) });
    let expected: Vec<u8> = [1, -2, 3, -4_i8].iter().map(|value| *value as u8).collect();
    assert_eq!(graph.tensors["w_quantized"].values, Values::Signed(expected.into()));
    assert_eq!(graph.products, [Product { name: "/a/MatMul_quant", factor: "w_quantized" }]);
}

fn problem(tensor: Writer) -> String {
    Graph::parse(&file(Writer::default().bytes(5, &tensor.0))).unwrap_err().to_string()
}

#[test]
fn a_tensor_that_does_not_fit_its_shape_is_refused() {
    insta::assert_snapshot!(problem(tensor_of("w", 3, &[2, 3]).bytes(9, &[0; 5])), @"tensor `w` of shape [2, 3] has 5 bytes of values, expected 6");
    insta::assert_snapshot!(problem(tensor_of("w", 3, &[i64::MAX, 9]).bytes(9, &[0; 5])), @"tensor `w` of shape [9223372036854775807, 9] has 5 bytes of values, expected 18446744073709551615");
    insta::assert_snapshot!(problem(tensor_of("w", 3, &[-1]).bytes(9, &[0; 5])), @"tensor `w` has a dimension of -1");
    insta::assert_snapshot!(problem(tensor_of("w", 7, &[1]).bytes(9, &[0; 8])), @"tensor `w` has data type 7, expected 1 (float), 2 (uint8) or 3 (int8)");
    insta::assert_snapshot!(problem(tensor_of("w", 3, &[1]).varint(5, 128)), @"tensor `w` holds 128, which its type cannot hold");
    insta::assert_snapshot!(problem(tensor_of("w", 3, &[1]).varint(14, 1)), @"the values of tensor `w` are in another file, expected them inside");
    insta::assert_snapshot!(problem(tensor_of("w", 1, &[1]).bytes(4, &[0; 3])), @"byte 15: the file ends inside a field");
}

#[test]
fn a_malformed_message_is_an_error_that_says_where() {
    let message = |bytes: &[u8]| Graph::parse(bytes).unwrap_err().to_string();
    insta::assert_snapshot!(message(b""), @"it has no graph");
    insta::assert_snapshot!(message(&[0x3a, 5, 1]), @"byte 2: the file ends inside a field");
    insta::assert_snapshot!(message(&[0x38, 1]), @"byte 0: field 7 has wire type 0, expected a graph");
    insta::assert_snapshot!(message(&[0x3b]), @"byte 0: field 7 has wire type 3, expected 0, 1, 2 or 5");
    insta::assert_snapshot!(message(&[0x80; 12]), @"byte 0: a number has more than 64 bits");
    let named = Writer::default().bytes(3, &[0xff]);
    insta::assert_snapshot!(message(&file(Writer::default().bytes(1, &named.0))), @"byte 8: a name is not UTF-8");
    let twice = Writer::default().bytes(5, &tensor_of("w", 3, &[0]).bytes(9, &[]).0);
    let again = tensor_of("w", 3, &[0]).bytes(9, &[]).0;
    insta::assert_snapshot!(message(&file(twice.bytes(5, &again))), @"two tensors are named `w`");
}

#[test]
fn cut_off_and_damaged_files_never_panic() {
    let whole = sample();
    for cut in 0..whole.len() {
        assert!(Graph::parse(&whole[..cut]).is_err(), "cut at {cut}");
    }
    for place in 0..whole.len() {
        for change in [0x01, 0x55, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[place] ^= change;
            let _ = Graph::parse(&damaged);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_give_a_graph_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Graph::parse(&bytes);
        let _ = Graph::parse(&file(Writer(bytes)));
    }
}
