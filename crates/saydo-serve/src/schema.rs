//! Schemas that several routes share. They say what the checks say, so that whoever reads the document knows beforehand what
//! will be refused.

use serde_json::{Value, json};

/// An object with these fields and no others.
pub(crate) fn object(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// Text with something to read in it, with a limited number of characters.
pub(crate) fn text(most: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": most, "pattern": "\\S"})
}

/// Text with something to read in it.
pub(crate) fn some_text() -> Value {
    json!({"type": "string", "minLength": 1, "pattern": "\\S"})
}

/// What answers look like.
pub(crate) fn answer() -> Value {
    let na = json!({"type": "boolean"});
    let plain = json!({"kind": {"enum": ["yes-no", "spans", "text"]}, "na": na});
    json!({"oneOf": [
        object(&["kind"], plain),
        object(&["kind", "labels"], json!({"kind": {"const": "label"}, "labels": labels(), "na": na})),
        object(&["kind", "fields"], json!({"kind": {"const": "records"}, "fields": fields(), "na": na})),
    ]})
}

fn labels() -> Value {
    let word = json!({"type": "string", "pattern": "^\\S(.*\\S)?$"});
    json!({"type": "array", "minItems": 2, "uniqueItems": true, "items": word})
}

/// The fields of records; no two of the same name, which no schema can say.
pub(crate) fn fields() -> Value {
    let plain = object(&["name", "kind"], json!({"name": some_text(), "kind": {"enum": ["span", "yes-no", "text"]}}));
    let label = json!({"name": some_text(), "kind": {"const": "label"}, "labels": labels()});
    let field = json!({"oneOf": [plain, object(&["name", "kind", "labels"], label)]});
    json!({"type": "array", "minItems": 1, "items": field})
}

/// The parts of a task in the making.
pub(crate) fn parts() -> Value {
    let text = json!({"type": "string"});
    let example = object(&[], json!({"input": text, "output": text, "reason": text, "suggestion": text}));
    let examples = json!({"type": "array", "items": example});
    let outputs = json!({"type": "array", "items": text});
    let instance = object(&[], json!({"input": text, "outputs": outputs}));
    object(
        &[],
        json!({
            "title": text, "definition": text, "prompt": text, "things_to_avoid": text, "emphasis": text,
            "positive": examples, "negative": examples, "answer": answer(),
            "instances": {"type": "array", "items": instance},
        }),
    )
}

/// An annotator's answer to a question about a passage.
pub(crate) fn given() -> Value {
    let place = json!({"type": "integer", "minimum": 0});
    let piece = object(&["start", "end", "text"], json!({"start": place, "end": place, "text": some_text()}));
    let pieces = json!({"type": "array", "minItems": 1, "maxItems": 50, "items": piece});
    let record = json!({"type": "object", "additionalProperties": {"type": ["string", "null"]}});
    let records = json!({"type": "array", "minItems": 1, "maxItems": 50, "items": record});
    json!({"oneOf": [
        object(&["is"], json!({"is": {"enum": ["yes", "no", "na"]}})),
        object(&["is", "text"], json!({"is": {"const": "text"}, "text": text(5000)})),
        object(&["is", "spans"], json!({"is": {"const": "spans"}, "spans": pieces})),
        object(&["is", "records"], json!({"is": {"const": "records"}, "records": records})),
    ]})
}
