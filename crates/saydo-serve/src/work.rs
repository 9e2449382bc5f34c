//! An annotator's work: being given an item, answering it, giving it back.

mod lease;
mod step;
mod submit;

pub(crate) use lease::Item;
pub(crate) use step::Step;

use crate::failure::{Answered, Failure};
use crate::identity::Visitor;
use crate::input::{Input, Path};
use crate::{Access, App, Route, collect, page};
use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::{Extension, Json};
use lease::Next;
use minijinja::context;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

pub(crate) fn routes() -> Vec<Route> {
    let answer = json!({
        "type": "object",
        "required": ["value"],
        "properties": {"value": {"type": "object", "description": "What the item's step asks for"}},
        "additionalProperties": false,
    });
    let only = Access::Annotator;
    vec![
        Route::page("/work", only, work_page),
        Route::api(Method::POST, "/v1/work/next", only, "The next item, kept for this annotator for a while", next),
        Route::api(Method::POST, "/v1/work/{item}", only, "Answers an item", answer_item).takes(answer),
        Route::api(Method::POST, "/v1/work/{item}/return", only, "Gives an item back without an answer", give_back),
        Route::api(
            Method::POST,
            "/v1/work/{item}/check",
            only,
            "How far a changed question is from its original",
            check_change,
        )
        .takes(json!({
            "type": "object", "required": ["question"], "additionalProperties": false,
            "properties": {"question": {"type": "string", "maxLength": 500}},
        })),
        Route::api(
            Method::GET,
            "/v1/work/{item}/suggestion",
            only,
            "What the model would answer, where the project allows it",
            suggestion,
        ),
    ]
}

async fn work_page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let id = visitor.annotator()?.project;
    let read = app
        .store()
        .read(move |db| Ok((crate::project::Project::load(db, id)?.name, collect::board::is_board(db, id)?)));
    let (name, is_board) = read.await?;
    if is_board {
        return Ok(Redirect::to("/board").into_response());
    }
    page::render(&app, &visitor, "work.html", context! { project => name })
}

async fn next(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Json<Value>> {
    let annotator = visitor.annotator()?.clone();
    let now = app.now();
    let until = now + i64::try_from(app.config().limits.lease.as_secs()).unwrap_or(i64::MAX / 2);
    let (next, done) = app
        .store()
        .write(move |db| Ok((lease::next(db, &annotator, now, until)?, lease::answered(db, annotator.id)?)))
        .await?;
    let (state, item) = match next {
        Next::Item(item) => ("work", json!(item)),
        Next::Waiting => ("waiting", Value::Null),
        Next::Done => ("done", Value::Null),
        Next::Unqualified => ("unqualified", Value::Null),
    };
    Ok(Json(json!({"state": state, "item": item, "answered": done})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    value: Value,
}

/// When this answers, the answer is on disk.
async fn answer_item(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(item): Path<i64>,
    Input(answer): Input<Answer>,
) -> Answered<Json<Value>> {
    let (annotator, now) = (visitor.annotator()?.clone(), app.now());
    let project = annotator.project;
    // What a question asks for is found out here: the one thread that writes has others waiting.
    let kind = match answer.value["question"].as_str() {
        Some(question) => Some(collect::kind_of(question).await?),
        None => None,
    };
    let answer = submit::Answer { value: answer.value, kind };
    let step = app.store().write(move |db| submit::submit(db, &annotator, item, answer, now)).await?;
    app.metrics().answers.fetch_add(1, Ordering::Relaxed);
    if matches!(step, Step::Judge | Step::Code) {
        // On its own: if the annotator leaves now, the judgements are still kept with the run.
        let finished = tokio::spawn(async move { collect::judge::finish(&app, project).await });
        finished.await.map_err(Failure::internal)?;
    }
    Ok(Json(json!({"kept": item})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    question: String,
}

async fn check_change(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(item): Path<i64>,
    Input(changed): Input<Changed>,
) -> Answered<Json<collect::Change>> {
    let annotator = visitor.annotator()?.clone();
    let reads_as = collect::kind_of(&changed.question).await?;
    let now = app.now();
    let change = app.store().read(move |db| {
        let item = submit::held(db, &annotator, item, now)?;
        collect::change(&item, &changed.question, reads_as)
    });
    Ok(Json(change.await?))
}

async fn give_back(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(item): Path<i64>,
) -> Answered<Json<Value>> {
    let (annotator, now) = (visitor.annotator()?.id, app.now());
    let returned = app.store().write(move |db| lease::give_back(db, annotator, item, now)).await?;
    if returned { Ok(Json(json!({"returned": item}))) } else { Err(Failure::missing("item in your hands")) }
}

/// What the model would say. Off unless the owner turned it on: people who see a suggestion agree with it.
async fn suggestion(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(item): Path<i64>,
) -> Answered<Json<Value>> {
    let annotator = visitor.annotator()?.clone();
    let now = app.now();
    let (task, passage) = app.store().read(move |db| submit::suggestible(db, &annotator, item, now)).await?;
    let (_, mut events) = app.engine(None)?.apply(task, vec![passage.into()]).await?;
    match events.recv().await {
        Some(crate::inference::Event::Cell(_, cell)) => Ok(Json(json!(cell))),
        Some(crate::inference::Event::Failed(failure)) => Err(failure),
        None => Err(Failure::internal("the model's thread dropped a request")),
    }
}
