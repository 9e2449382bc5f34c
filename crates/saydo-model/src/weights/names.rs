//! From the tensor names that architectures ask for to those in the files: GGUF's own for llama, qwen2 and gemma3, and
//! those of the first GPT-2 releases.

/// Names outside the layers.
const OUTER: [(&str, &str); 3] =
    [("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("lm_head", "output")];

/// Names inside a layer. Llama's "post attention" norm is the one before its feed-forward part, as GGUF says; Gemma's
/// is what it says, because Gemma has norms on both sides of each part.
const INNER: [(&str, &str); 12] = [
    ("input_layernorm", "attn_norm"),
    ("self_attn.q_proj", "attn_q"),
    ("self_attn.k_proj", "attn_k"),
    ("self_attn.v_proj", "attn_v"),
    ("self_attn.o_proj", "attn_output"),
    ("self_attn.q_norm", "attn_q_norm"),
    ("self_attn.k_norm", "attn_k_norm"),
    ("pre_feedforward_layernorm", "ffn_norm"),
    ("post_feedforward_layernorm", "post_ffw_norm"),
    ("mlp.gate_proj", "ffn_gate"),
    ("mlp.up_proj", "ffn_up"),
    ("mlp.down_proj", "ffn_down"),
];

/// The name of a tensor in a safetensors file: GPT-2's first releases lack the "transformer" in front.
pub(super) fn to_safetensors(name: &str, is_there: impl Fn(&str) -> bool) -> &str {
    match name.strip_prefix("transformer.") {
        Some(bare) if !is_there(name) && is_there(bare) => bare,
        _ => name,
    }
}

/// The GGUF name of a tensor; a name without counterpart stays as it is, and will not be found.
pub(super) fn to_gguf(architecture: &str, name: &str) -> String {
    translate(architecture, name).unwrap_or_else(|| name.to_owned())
}

fn translate(architecture: &str, name: &str) -> Option<String> {
    let (path, kind) = name.rsplit_once('.')?;
    if let Some((_, outer)) = OUTER.iter().find(|(from, _)| *from == path) {
        return Some(format!("{outer}.{kind}"));
    }
    let (layer, path) = path.strip_prefix("model.layers.")?.split_once('.')?;
    let inner = match (path, architecture) {
        ("post_attention_layernorm", "gemma3") => "post_attention_norm",
        ("post_attention_layernorm", _) => "ffn_norm",
        _ => INNER.iter().find(|(from, _)| *from == path)?.1,
    };
    Some(format!("blk.{layer}.{inner}.{kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_translated_and_unknown_ones_stay() {
        assert_eq!(to_gguf("llama", "model.embed_tokens.weight"), "token_embd.weight");
        assert_eq!(to_gguf("llama", "model.layers.12.self_attn.q_proj.bias"), "blk.12.attn_q.bias");
        assert_eq!(to_gguf("llama", "model.layers.0.mlp.down_proj.weight"), "blk.0.ffn_down.weight");
        assert_eq!(to_gguf("llama", "model.layers.1.post_attention_layernorm.weight"), "blk.1.ffn_norm.weight");
        assert_eq!(
            to_gguf("gemma3", "model.layers.1.post_attention_layernorm.weight"),
            "blk.1.post_attention_norm.weight"
        );
        assert_eq!(to_gguf("llama", "rope_freqs.weight"), "rope_freqs.weight");
    }
}
