//! A description on a model, and its answers as Python values.

use crate::error;
use crate::interrupt::interruptible;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use saydo::record::cell::{self, EVIDENCE};
use saydo::task::{Named, resolve};
use saydo_corpus::{Cell, Status};
use saydo_function::Settings;
use saydo_model::Wanted;
use saydo_task::{AnswerKind, AnswerSpec, Example, Field, FieldKind, Span, are_labels};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A description on a model.
#[pyclass(frozen, module = "saydo._saydo")]
pub struct Function {
    /// The name of its column.
    pub name: String,
    /// The library's function.
    pub inner: Arc<saydo_function::Function>,
    /// The model, as it was named.
    pub model: String,
    /// What tells the model from others.
    pub fingerprint: String,
}

/// The kind of answer, as far as the caller says it.
pub struct Spec<'a> {
    /// `yes-no`, `label`, `spans`, `records` or `text`.
    pub kind: Option<&'a str>,
    /// The labels.
    pub labels: Option<Vec<String>>,
    /// The fields of records, each with `span`, `yes-no`, `text`, or labels with `|` between them.
    pub fields: Option<Vec<(String, String)>>,
}

impl Function {
    /// The functions of a description, a task file, or a folder of them.
    pub fn of_description(
        py: Python<'_>,
        session: &saydo::Session,
        description: &str,
        spec: Spec<'_>,
        examples: Vec<(String, String)>,
        evidence: bool,
    ) -> PyResult<Vec<Self>> {
        if evidence && !session.settings.is_trained {
            let message = format!("evidence needs a model that has learned to show it, and {} has not", session.name);
            return Err(error::exception(py, error::Kind::Model, &message, Some("leave evidence out")));
        }
        let spec = spec.resolve().map_err(|message| error::exception(py, error::Kind::Task, &message, None))?;
        let tasks = resolve(description).map_err(|error| error::of_library(py, &error))?;
        let settings = Settings { evidence, ..session.settings.clone() };
        let positive: Vec<Example> =
            examples.into_iter().map(|(input, output)| Example { input, output, ..Example::default() }).collect();
        let function = |Named { name, mut task }: Named| {
            task.instances.clear();
            task.positive.extend(positive.iter().cloned());
            task.answer = spec.clone().or(task.answer);
            let made = saydo_function::Function::new(task, Arc::clone(&session.model), settings.clone());
            let inner = made.map_err(|error| error::of(py, error::Kind::Task, &error))?;
            let (model, fingerprint) = (session.name.clone(), session.fingerprint.clone());
            Ok(Self { name, inner: Arc::new(inner), model, fingerprint })
        };
        tasks.into_iter().map(function).collect()
    }
}

#[pymethods]
impl Function {
    /// The name of its column.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What is asked.
    #[getter]
    fn definition(&self) -> Option<&str> {
        self.inner.task().definition.as_deref()
    }

    /// The kind of its answers.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.spec().kind.name()
    }

    /// The labels an answer can be; none for other kinds.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        match &self.inner.spec().kind {
            AnswerKind::YesNo => Some(vec!["yes".to_owned(), "no".to_owned()]),
            AnswerKind::Label(labels) => Some(labels.clone()),
            _ => None,
        }
    }

    /// The fields of its records with what they hold; none for other kinds.
    #[getter]
    fn fields(&self) -> Option<Vec<(String, String)>> {
        match &self.inner.spec().kind {
            AnswerKind::Records(fields) => {
                Some(fields.iter().map(|field| (field.name.clone(), field.kind.to_string())).collect())
            }
            _ => None,
        }
    }

    /// The answer to one text.
    fn answer<'py>(&self, py: Python<'py>, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let document: Arc<str> = Arc::from(text.to_str()?);
        let stop = Arc::new(AtomicBool::new(false));
        let work = || {
            let mut outcome = None;
            let stop = Arc::clone(&stop);
            let wanted = Wanted::new(move || !stop.load(Ordering::Relaxed));
            let mut documents = [(document, wanted)].into_iter();
            let applied = self.inner.apply_each_wanted(&mut documents, &mut |_, result| outcome = Some(result));
            applied.and_then(|()| outcome.expect("every document taken is answered"))
        };
        let outcome = interruptible(py, &stop, &mut |_| Ok(()), work)?;
        let outcome = outcome.map_err(|error| error::of_function(py, &error))?;
        answer(py, &cell::of(Ok(outcome), 0), self.inner.spec(), Some(text.as_any()))
    }
}

impl Spec<'_> {
    /// None if the words of the description are to say it.
    fn resolve(self) -> Result<Option<AnswerSpec>, String> {
        let labels = |labels: Vec<String>| match are_labels(&labels) {
            true => Ok(AnswerKind::Label(labels)),
            false => Err(format!("labels {labels:?}, expected at least two different ones")),
        };
        let kind = match self {
            Self { kind: None, labels: None, fields: None } => return Ok(None),
            Self { kind: None | Some("label"), labels: Some(names), fields: None } => labels(names)?,
            Self { kind: None | Some("records"), labels: None, fields: Some(fields) } if !fields.is_empty() => {
                AnswerKind::Records(fields.into_iter().map(field).collect::<Result<_, _>>()?)
            }
            Self { kind: Some("yes-no"), labels: None, fields: None } => AnswerKind::YesNo,
            Self { kind: Some("spans"), labels: None, fields: None } => AnswerKind::Spans,
            Self { kind: Some("text"), labels: None, fields: None } => AnswerKind::Text,
            Self { kind, labels, fields } => {
                return Err(format!(
                    "kind {kind:?} with {} labels and {} fields, expected yes-no, spans or text without either, label with \
                     labels, or records with fields",
                    labels.unwrap_or_default().len(),
                    fields.unwrap_or_default().len(),
                ));
            }
        };
        Ok(Some(AnswerSpec { kind, na: None }))
    }
}

fn field((name, kind): (String, String)) -> Result<Field, String> {
    let labels: Vec<String> = kind.split('|').map(|label| label.trim().to_owned()).collect();
    let kind = match FieldKind::named(&kind) {
        Some(kind) => kind,
        None if are_labels(&labels) => FieldKind::Label(labels),
        None => {
            let known = FieldKind::NAMED.map(|kind| kind.name()).join(", ");
            return Err(format!("field {name:?} holds {kind:?}, expected {known}, or labels with | between them"));
        }
    };
    Ok(Field { name, kind })
}

/// A cell as `saydo.Answer`, with the text it is about.
pub fn answer<'py>(
    py: Python<'py>,
    cell: &Cell,
    spec: &AnswerSpec,
    text: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static ANSWER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = ANSWER.import(py, "saydo._answer", "Answer")?;
    let of_label = |is_evidence: bool| {
        cell.spans.iter().filter(move |span| (span.label.as_deref() == Some(EVIDENCE)) == is_evidence)
    };
    let value = match cell.status {
        Status::Ok => value(py, &cell.answer, spec)?,
        Status::Na | Status::Unparsable | Status::Failed => py.None().into_bound(py),
    };
    let evidence = spans(py, of_label(true).map(|span| (span, false)))?;
    let spans = spans(py, of_label(false).map(|span| (span, true)))?;
    class.call1((value, cell.confidence, evidence, spans, cell.status.name(), &cell.error, text))
}

/// Pieces of the text as `saydo.Span`.
fn spans<'py, 'a>(py: Python<'py>, spans: impl Iterator<Item = (&'a Span, bool)>) -> PyResult<Bound<'py, PyList>> {
    static SPAN: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = SPAN.import(py, "saydo._answer", "Span")?;
    let list = PyList::empty(py);
    for (span, has_label) in spans {
        let label = span.label.as_deref().filter(|_| has_label);
        list.append(class.call1((span.start, span.end, &span.text, label, span.record, span.score))?)?;
    }
    Ok(list)
}

/// An answer's JSON: yes and no become `bool`, in fields of records too.
fn value<'py>(py: Python<'py>, answer: &Value, spec: &AnswerSpec) -> PyResult<Bound<'py, PyAny>> {
    match (&spec.kind, answer) {
        (AnswerKind::YesNo, Value::String(word)) => (word == "yes").into_bound_py_any(py),
        (AnswerKind::Records(fields), Value::Array(records)) => {
            let list = PyList::empty(py);
            for record in records {
                let dict = PyDict::new(py);
                for field in fields {
                    let value = match (&field.kind, record.get(&field.name)) {
                        (FieldKind::YesNo, Some(Value::String(word))) => (word == "yes").into_bound_py_any(py)?,
                        (_, Some(value)) => plain(py, value)?,
                        (_, None) => py.None().into_bound(py),
                    };
                    dict.set_item(&field.name, value)?;
                }
                list.append(dict)?;
            }
            Ok(list.into_any())
        }
        (_, answer) => plain(py, answer),
    }
}

/// JSON as Python's own types.
fn plain<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.into_bound_py_any(py),
            None => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| plain(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items).map(Bound::into_any)
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (name, value) in entries {
                dict.set_item(name, plain(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
