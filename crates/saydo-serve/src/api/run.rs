//! `POST /v1/run`: a description or task over texts, rows as `saydo run` gives them; and what a description asks for.

use crate::compute::compute;
use crate::draft::{self, Draft, DraftAnswer};
use crate::failure::{Answered, Failure};
use crate::inference::Event;
use crate::input::Input;
use crate::{Access, App, Engine, Limits, Route, schema};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use saydo_corpus::{Cell, Column, JsonLines, Row};
use saydo_task::Task;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use tokio::sync::mpsc::UnboundedReceiver;

pub(super) fn routes() -> Vec<Route> {
    let texts =
        json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": Limits::default().texts});
    let run = json!({
        "type": "object",
        "required": ["texts"],
        "properties": {
            "description": {
                "type": "string", "minLength": 1, "maxLength": draft::MOST_CHARS, "pattern": "\\S",
                "description": "What to do, in plain words",
            },
            "task": {
                "description": "Instead of a description: the name of a saved task, or the parts of one",
                "oneOf": [{"type": "string", "minLength": 1, "maxLength": 100}, schema::parts()],
            },
            "answer": schema::answer(),
            "texts": texts,
            "model": {"type": "string"},
            "stream": {"type": "boolean", "description": "Rows as they come, a line of JSON each"},
        },
        "oneOf": [{"required": ["description"]}, {"required": ["task"]}],
        "additionalProperties": false,
    });
    let infer =
        schema::object(&["description"], json!({"description": {"type": "string", "maxLength": draft::MOST_CHARS}}));
    vec![
        Route::api(Method::POST, "/v1/run", Access::Owner, "Applies a description or task to texts", apply)
            .takes(run)
            .streams("application/x-ndjson"),
        Route::api(
            Method::POST,
            "/v1/infer",
            Access::Member,
            "The kind of answer that a description asks for",
            infer_kind,
        )
        .takes(infer),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    description: Option<String>,
    task: Option<Value>,
    answer: Option<DraftAnswer>,
    texts: Vec<String>,
    model: Option<String>,
    #[serde(default)]
    stream: bool,
}

async fn apply(State(app): State<App>, Input(ask): Input<Ask>) -> Answered<Response> {
    let most = app.config().limits.texts;
    if ask.texts.is_empty() || ask.texts.len() > most {
        return Err(Failure::bad(format!("{} texts, expected 1 to {most}", ask.texts.len())));
    }
    let engine = app.engine(ask.model.as_deref())?;
    let task = task(&app, ask.description, ask.task, ask.answer).await?;
    let name = task.title.clone().unwrap_or_else(|| task.id.clone());
    let count = ask.texts.len();
    let (spec, events) = engine.apply(task, ask.texts.into_iter().map(Into::into).collect()).await?;
    let rows = Rows::new(engine, Column { name, spec });
    if ask.stream {
        let lines = Lines { app: app.clone(), rows, events, left: count };
        return Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response());
    }
    let rows = collect(&app, &rows, events, count).await?;
    Ok(Json(json!({"model": engine.name(), "answer": DraftAnswer::of(&rows.1), "rows": rows.0})).into_response())
}

/// The task that a request means.
async fn task(
    app: &App,
    description: Option<String>,
    task: Option<Value>,
    answer: Option<DraftAnswer>,
) -> Answered<Task> {
    let mut task = match (description, task) {
        (Some(description), None) => Draft::describing(description)?.task()?,
        (None, Some(Value::String(name))) => super::task::load(app, name).await?,
        (None, Some(parts @ Value::Object(_))) => {
            let draft: Draft = serde_json::from_value(parts)
                .map_err(|error| Failure::bad(format!("the task does not fit: {error}")))?;
            draft.task()?
        }
        _ => return Err(Failure::bad("expected either a description, or a task by name or by its parts")),
    };
    // A task's own instances have no part in this: it meets other texts.
    task.instances.clear();
    if let Some(answer) = answer {
        task.answer = Some(answer.spec()?);
    }
    Ok(task)
}

/// What rows have in common.
struct Rows {
    model: String,
    column: Column,
}

impl Rows {
    fn new(engine: &Engine, column: Column) -> Self {
        Self { model: engine.name().to_owned(), column }
    }

    /// The row of a text as a line of JSON.
    fn line(&self, number: usize, cell: Cell) -> Vec<u8> {
        let (id, source) = (Value::from(number + 1), "request".to_owned());
        let row = Row { id, source, model: self.model.clone(), cells: vec![cell] };
        let mut lines = JsonLines::new(Vec::new(), std::slice::from_ref(&self.column));
        lines.write(&row).expect("memory takes every row");
        lines.into_inner()
    }
}

async fn collect(
    app: &App,
    rows: &Rows,
    mut events: UnboundedReceiver<Event>,
    count: usize,
) -> Answered<(Vec<Value>, saydo_task::AnswerSpec)> {
    let mut found: Vec<Option<Value>> = vec![None; count];
    for _ in 0..count {
        match events.recv().await {
            Some(Event::Cell(number, cell)) => {
                app.metrics().rows.fetch_add(1, Ordering::Relaxed);
                let row = serde_json::from_slice(&rows.line(number, cell)).map_err(Failure::internal)?;
                found[number] = Some(row);
            }
            Some(Event::Failed(failure)) => return Err(failure),
            None => return Err(Failure::internal("the model's thread dropped a request")),
        }
    }
    Ok((found.into_iter().flatten().collect(), rows.column.spec.clone()))
}

/// Rows as they come.
struct Lines {
    app: App,
    rows: Rows,
    events: UnboundedReceiver<Event>,
    left: usize,
}

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.events.poll_recv(context).map(|event| {
            self.left -= 1;
            Some(Ok(Bytes::from(match event? {
                Event::Cell(number, cell) => {
                    self.app.metrics().rows.fetch_add(1, Ordering::Relaxed);
                    self.rows.line(number, cell)
                }
                Event::Failed(failure) => {
                    self.left = 0;
                    format!("{}\n", json!({"error": {"message": failure.message()}})).into_bytes()
                }
            })))
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    description: String,
}

async fn infer_kind(Input(described): Input<Described>) -> Answered<Json<Value>> {
    let task = Draft::describing(described.description)?.task()?;
    Ok(Json(compute(move || Ok(draft::inferred(&task))).await?))
}
