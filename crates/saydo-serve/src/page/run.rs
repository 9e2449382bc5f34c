//! The runs of this machine and their reports.

use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::identity::Visitor;
use crate::input::Path;
use crate::runs::{self, Found};
use crate::{App, page};
use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse as _, Response};
use minijinja::value::Serde;
use minijinja::{Value, context};
use saydo_protocol::score::Options;
use saydo_report::{Report, Run, html};

/// Every run.
pub(super) async fn list(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let runs = runs::list(&app).await?;
    page::render(&app, &visitor, "runs.html", context! { runs => Value::from(Serde(runs)) })
}

/// A run over documents: its tasks and how it went.
pub(super) async fn one(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
) -> Answered<Response> {
    let found = runs::find(&app, name).await?;
    let detail = runs::detail(found).await?;
    page::render(&app, &visitor, "run.html", context! { run => Value::from(Serde(detail)) })
}

/// The report of a protocol's run: a page that stands alone and carries its own policy.
pub(super) async fn report(State(app): State<App>, Path(name): Path<String>) -> Answered<Response> {
    let found = runs::find(&app, name).await?;
    let written = compute(move || write(&found)).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, "base-uri 'none'; frame-ancestors 'none'")], Html(written)).into_response())
}

fn write(found: &Found) -> Answered<String> {
    let unreadable = |error: saydo_report::Error| Failure::bad(format!("there is no report of this run: {error}"));
    let run = Run::load(&found.folder, &Options::default()).map_err(unreadable)?;
    Ok(html::write(&Report::new(vec![run], 0).map_err(unreadable)?))
}
