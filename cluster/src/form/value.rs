//! From cells to the values of a table. They go through JSON, which cells are made of anyway; beside the model's work this
//! is little, and one path serves every type.

use super::Form;
use crate::Error;
use datafusion::arrow::array::{Array as _, ArrayRef, new_empty_array};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::error::DataFusionError;
use saydo::record::cell;
use saydo_corpus::{Cell, Status};
use saydo_task::{AnswerKind, AnswerSpec, FieldKind, Span};
use serde_json::{Map, Value, json};
use std::borrow::Borrow;
use std::sync::Arc;

/// What a row says where there was no text.
const NO_TEXT: &str = "there is no text";

/// The column of these cells; where there is none, an answer is null and a row says why.
pub(crate) fn array<C: Borrow<Cell>>(
    form: Form,
    spec: &AnswerSpec,
    model: &str,
    cells: &[Option<C>],
) -> Result<ArrayRef, Error> {
    let kind = form.data_type(spec);
    let value = |cell: &Option<C>| match cell {
        None if form.is_row => row(&cell::without_answer(Status::Failed, NO_TEXT.to_owned(), 0), model),
        None => Value::Null,
        Some(cell) if form.is_row => row(cell.borrow(), model),
        Some(cell) => answer(cell.borrow(), spec),
    };
    let values: Vec<Value> = cells.iter().map(value).collect();
    decode(kind, &values).map_err(|error| Error::Engine(DataFusionError::from(error)))
}

fn decode(kind: DataType, values: &[Value]) -> Result<ArrayRef, ArrowError> {
    if values.is_empty() {
        return Ok(new_empty_array(&kind));
    }
    let field = Arc::new(Field::new("answer", kind, true));
    let mut decoder = ReaderBuilder::new_with_field(field).with_batch_size(values.len()).build_decoder()?;
    decoder.serialize(values)?;
    let batch = decoder.flush()?.ok_or_else(|| ArrowError::JsonError("no values were decoded".to_owned()))?;
    debug_assert_eq!(batch.column(0).len(), values.len());
    Ok(Arc::clone(batch.column(0)))
}

/// The answer as a typed value; null for NA and where there is none.
fn answer(cell: &Cell, spec: &AnswerSpec) -> Value {
    match (&spec.kind, &cell.answer) {
        (_, Value::Null) => Value::Null,
        (AnswerKind::YesNo, answer) => yes_no(answer),
        (AnswerKind::Label(_) | AnswerKind::Text, answer) => answer.clone(),
        (AnswerKind::Spans, _) => cell.spans.iter().map(span).collect(),
        (AnswerKind::Records(fields), answer) => {
            let is_yes_no =
                |name: &str| fields.iter().any(|field| field.name == name && field.kind == FieldKind::YesNo);
            let entry = |(name, value): (&String, &Value)| {
                (name.clone(), if is_yes_no(name) { yes_no(value) } else { value.clone() })
            };
            let record = |record: &Map<String, Value>| Value::Object(record.iter().map(entry).collect());
            answer.as_array().into_iter().flatten().filter_map(Value::as_object).map(record).collect()
        }
    }
}

fn yes_no(answer: &Value) -> Value {
    match answer.as_str() {
        Some("yes") => Value::Bool(true),
        Some("no") => Value::Bool(false),
        _ => Value::Null,
    }
}

fn span(span: &Span) -> Value {
    json!({"start": span.start, "end": span.end, "text": span.text, "score": span.score})
}

/// The row as a run writes it.
fn row(cell: &Cell, model: &str) -> Value {
    json!({
        "status": cell.status.name(),
        "answer": cell.answer,
        "spans": cell.spans,
        "confidence": cell.confidence,
        "windows": cell.windows,
        "model": model,
        "ms": cell.ms,
        "error": cell.error,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;
    use datafusion::arrow::util::display::array_value_to_string;
    use saydo_task::Field as TaskField;

    fn cell(answer: Value, spans: Vec<Span>) -> Cell {
        let status = if answer.is_null() { Status::Na } else { Status::Ok };
        Cell {
            status,
            answer,
            spans,
            confidence: Some(0.5),
            windows: 1,
            ms: 3,
            error: None,
            ungrounded: 0,
            na_log_odds: None,
        }
    }

    fn shown(kind: AnswerKind, is_row: bool, cells: &[Option<Cell>]) -> Vec<String> {
        let form = Form { kind: Kind::Inferred, is_row };
        let array = array(form, &AnswerSpec { kind, na: None }, "m", cells).unwrap();
        (0..array.len()).map(|index| array_value_to_string(&array, index).unwrap()).collect()
    }

    #[test]
    fn answers_have_types_of_their_own() {
        let [yes, no, na] = [json!("yes"), json!("no"), Value::Null].map(|answer| Some(cell(answer, Vec::new())));
        assert_eq!(shown(AnswerKind::YesNo, false, &[yes, no, na, None]), ["true", "false", "", ""]);
        let span = Span { start: 3, end: 6, text: "dog".into(), label: None, record: None, score: Some(0.25) };
        let spans = shown(AnswerKind::Spans, false, &[Some(cell(json!(["dog"]), vec![span]))]);
        assert_eq!(spans, ["[{start: 3, end: 6, text: dog, score: 0.25}]"]);
        let field = |name: &str, kind| TaskField { name: name.into(), kind };
        let fields = vec![field("hike", FieldKind::Span), field("paved", FieldKind::YesNo)];
        let records = json!([{"hike": "Lower Fall", "paved": "yes"}, {"hike": "Upper Fall", "paved": null}]);
        let records = shown(AnswerKind::Records(fields), false, &[Some(cell(records, Vec::new()))]);
        assert_eq!(records, ["[{hike: Lower Fall, paved: true}, {hike: Upper Fall, paved: }]"]);
    }

    #[test]
    fn rows_say_what_a_run_writes() {
        let rows = shown(AnswerKind::YesNo, true, &[Some(cell(json!("yes"), Vec::new())), None]);
        assert_eq!(
            rows,
            [
                "{status: ok, answer: yes, spans: [], confidence: 0.5, windows: 1, model: m, ms: 3, error: }",
                "{status: failed, answer: , spans: [], confidence: , windows: 0, model: m, ms: 0, error: there is no text}"
            ]
        );
    }

    #[test]
    fn no_cells_are_an_empty_column() {
        assert_eq!(shown(AnswerKind::Spans, true, &[]), Vec::<String>::new());
    }
}
