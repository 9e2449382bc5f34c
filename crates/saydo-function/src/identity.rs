//! What an answer depends on, besides the model and the document, as a value that can be hashed and kept with a run.

use crate::{Confidence, Settings, Way, wording};
use saydo_task::{AnswerKind, AnswerSpec, Example, Field, FieldKind, Task};
use serde_json::{Value, json};

pub(crate) fn identity(task: &Task, spec: &AnswerSpec, settings: &Settings) -> Value {
    let layout = match settings.is_trained {
        true => json!({"name": "reading", "version": wording::LEARNED_VERSION, "evidence": settings.evidence}),
        false => json!({"name": "saydo", "version": version(settings.way), "chat": settings.chat}),
    };
    let mut identity = json!({
        "layout": layout,
        "way": settings.way.name(),
        "decoding": settings.decoding,
        "context_tokens": settings.window.context_tokens,
        "na_bias": settings.na_bias,
        "task": {
            "title": task.title,
            "definition": task.definition,
            "prompt": task.prompt,
            "things_to_avoid": task.things_to_avoid,
            "emphasis": task.emphasis,
            "positive": examples(&task.positive),
            "negative": examples(&task.negative),
            "answer": answer(spec),
        },
    });
    if settings.confidence != Confidence::default() {
        identity["confidence"] = json!(settings.confidence);
    }
    identity
}

fn version(way: Way) -> u32 {
    match way {
        Way::Constrained => wording::VERSION,
        Way::Free => wording::SERVED_VERSION,
    }
}

fn examples(examples: &[Example]) -> Value {
    let example = |example: &Example| json!([example.input, example.output, example.reason, example.suggestion]);
    examples.iter().map(example).collect()
}

fn answer(spec: &AnswerSpec) -> Value {
    let field = |field: &Field| match &field.kind {
        FieldKind::Label(labels) => json!([field.name, labels]),
        kind => json!([field.name, kind.name()]),
    };
    let parts = match &spec.kind {
        AnswerKind::Label(labels) => json!(labels),
        AnswerKind::Records(fields) => fields.iter().map(field).collect(),
        AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => Value::Null,
    };
    json!({"kind": spec.kind.name(), "parts": parts, "na": spec.allows_na()})
}
