//! Pages: templates that escape everything, and the files they use, all inside the binary.

mod asset;
mod playground;
mod reference;
mod run;

use crate::failure::{Answered, Failure};
use crate::identity::{Entry, Visitor};
use crate::{Access, App, Route};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

/// The templates by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("base.html", include_str!("../templates/base.html")),
    ("account.html", include_str!("../templates/account.html")),
    ("board.html", include_str!("../templates/board.html")),
    ("instructions.html", include_str!("../templates/instructions.html")),
    ("join.html", include_str!("../templates/join.html")),
    ("project.html", include_str!("../templates/project.html")),
    ("projects.html", include_str!("../templates/projects.html")),
    ("work.html", include_str!("../templates/work.html")),
    ("login.html", include_str!("../templates/login.html")),
    ("error.html", include_str!("../templates/error.html")),
    ("playground.html", include_str!("../templates/playground.html")),
    ("run.html", include_str!("../templates/run.html")),
    ("runs.html", include_str!("../templates/runs.html")),
    ("reference.html", include_str!("../templates/reference.html")),
];

/// The templates, read once.
pub(crate) struct Pages {
    templates: Environment<'static>,
}

impl Pages {
    pub(crate) fn new() -> Self {
        let mut templates = Environment::new();
        templates.add_filter("urlpath", url_path);
        for (name, text) in TEMPLATES {
            templates.add_template(name, text).expect("templates are tested");
        }
        Self { templates }
    }
}

/// A part of an address with everything but letters, digits and a few signs as percent codes.
fn url_path(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// The routes of pages and what they load.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::page("/", Access::Member, playground::page),
        Route::page("/runs", Access::Owner, run::list),
        Route::page("/runs/{name}", Access::Owner, run::one),
        Route::page("/runs/{name}/report", Access::Owner, run::report),
        Route::page("/api", Access::Member, reference::page),
        Route::page("/assets/{name}", Access::Anyone, asset::file),
    ]
}

/// A template with its values, for whoever asks.
pub(crate) fn render(app: &App, visitor: &Visitor, template: &str, values: Value) -> Answered<Response> {
    let template = app.pages().templates.get_template(template).map_err(Failure::internal)?;
    let values = context! {
        visitor => Value::from(Serde(visitor)),
        ..values
    };
    let text = template.render(values).map_err(|error| Failure::internal(format!("{error:#}")))?;
    Ok(Html(text).into_response())
}

/// A failure as a page; whoever is not known is sent to the door.
pub(crate) fn failure(app: &App, visitor: &Visitor, failure: &Failure, path: &str) -> Response {
    if *failure == Failure::Unknown && path != "/login" {
        return Redirect::to("/login").into_response();
    }
    let values = context! { status => failure.status().as_u16(), message => failure.message() };
    match render(app, visitor, "error.html", values) {
        Ok(mut response) => {
            *response.status_mut() = failure.status();
            response.extensions_mut().insert(failure.clone());
            response
        }
        Err(failure) => failure.into_response(),
    }
}

/// Nothing is there.
pub(crate) async fn not_found(State(app): State<App>, request: Request) -> Response {
    let nothing = Failure::missing("page");
    let accepts = request.headers().get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    match accepts.contains("text/html") {
        true => failure(&app, &Visitor::stranger(Entry::Password), &nothing, request.uri().path()),
        false => nothing.into_response(),
    }
}

/// Something is there, but not for this method.
pub(crate) async fn wrong_method() -> Response {
    let mut response = Failure::bad("this address takes other methods").into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_can_be_read_and_escape() {
        let pages = Pages::new();
        let page = pages.templates.get_template("error.html").unwrap();
        let visitor = Value::from(Serde(Visitor::stranger(Entry::Password)));
        let text = page.render(context! { visitor, status => 404, message => "<script>x</script>" }).unwrap();
        assert!(text.contains("&lt;script&gt;x&lt;"), "{text}");
    }
}
