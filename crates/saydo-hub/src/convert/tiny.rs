//! Tiny ONNX files, for tests.

/// Writes protobuf messages, for tests.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn varint(mut self, field: u64, value: i64) -> Self {
        self.number(field << 3);
        self.number(value as u64);
        self
    }

    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.number(field << 3 | 2);
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }
}

/// A tensor of signed bytes with the scale and zero point beside it, as quantized graphs have them.
pub(crate) fn quantized(graph: Writer, name: &str, shape: &[i64], values: &[i8], scale: f32) -> Writer {
    let bytes: Vec<u8> = values.iter().map(|value| *value as u8).collect();
    let graph = graph.bytes(5, &tensor_of(&format!("{name}_quantized"), 3, shape).bytes(9, &bytes).0);
    let scale = tensor_of(&format!("{name}_scale"), 1, &[]).bytes(4, &scale.to_le_bytes());
    let zero = tensor_of(&format!("{name}_zero_point"), 3, &[]).varint(5, 0);
    graph.bytes(5, &scale.0).bytes(5, &zero.0)
}

pub(crate) fn tensor_of(name: &str, kind: i64, shape: &[i64]) -> Writer {
    let shaped = shape.iter().fold(Writer::default(), |writer, dimension| writer.varint(1, *dimension));
    shaped.varint(2, kind).bytes(8, name.as_bytes())
}

pub(crate) fn node(kind: &str, name: &str, inputs: &[&str]) -> Writer {
    let node = inputs.iter().fold(Writer::default(), |writer, input| writer.bytes(1, input.as_bytes()));
    node.bytes(3, name.as_bytes()).bytes(4, kind.as_bytes())
}

pub(crate) fn file(graph: Writer) -> Vec<u8> {
    Writer::default().varint(1, 8).bytes(7, &graph.0).0
}

/// A graph with a table, a bias of distances and the matrices of one block.
pub(crate) fn graph(prefix: &str, table: &str) -> Writer {
    let graph = quantized(Writer::default(), table, &[3, 2], &[1, 2, 3, 4, 5, 6], 0.5);
    let bias = format!("{prefix}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    let graph = quantized(graph, &bias, &[4, 2], &[0; 8], 1.0);
    let norm = tensor_of(&format!("{prefix}.final_layer_norm.weight"), 1, &[2]).bytes(9, &[0; 8]);
    let graph = quantized(graph.bytes(5, &norm.0), "onnx::MatMul_1", &[2, 4], &[1, 2, 3, 4, 5, 6, 7, 8], 2.0);
    let graph = quantized(graph, "onnx::MatMul_2", &[2, 3], &[1, 2, 3, 4, 5, 6], 1.0);
    let path = prefix.replace('.', "/");
    let multiply =
        |at: &str, factor: &str| node("MatMulInteger", &format!("/{path}/{at}/MatMul_quant"), &["x", factor]);
    let q = multiply("block.0/layer.0/SelfAttention/q", "onnx::MatMul_1_quantized");
    graph.bytes(1, &q.0).bytes(1, &multiply("block.0/layer.1/DenseReluDense/wi_0", "onnx::MatMul_2_quantized").0)
}
