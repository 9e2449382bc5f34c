//! Logging in and out, tokens for programs.

use crate::failure::{Answered, Failure};
use crate::identity::{self, Visitor};
use crate::input::{Input, Path};
use crate::{Access, App, Route, middleware, page, schema, secret};
use axum::extract::{FromRequest as _, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use minijinja::context;
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Instant;

/// Characters of a token's name.
const MOST_NAME: usize = 100;

pub(super) fn routes() -> Vec<Route> {
    let password = schema::object(&["password"], json!({"password": {"type": "string", "minLength": 1}}));
    let name = schema::object(&["name"], json!({"name": schema::text(MOST_NAME)}));
    vec![
        Route::page("/login", Access::Anyone, login_page),
        Route::page("/account", Access::Owner, account_page),
        Route::api(Method::POST, "/v1/login", Access::Anyone, "Begins the owner's session", login).takes(password),
        Route::api(Method::POST, "/v1/logout", Access::Anyone, "Ends a session", logout),
        Route::api(Method::GET, "/v1/tokens", Access::Owner, "The tokens of programs", tokens),
        Route::api(Method::POST, "/v1/tokens", Access::Owner, "Makes a token for a program", make_token).takes(name),
        Route::api(Method::DELETE, "/v1/tokens/{id}", Access::Owner, "Takes a token back", drop_token),
    ]
}

async fn login_page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    if visitor.is_owner() {
        return Ok(Redirect::to("/").into_response());
    }
    page::render(&app, &visitor, "login.html", context! {})
}

async fn account_page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    page::render(&app, &visitor, "account.html", context! {})
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    password: String,
}

async fn login(State(app): State<App>, request: Request) -> Answered<Response> {
    app.attempt(middleware::client(&app, &request), Instant::now()).map_err(Failure::Busy)?;
    let Input(login) = Input::<Login>::from_request(request, &()).await?;
    if !app.is_owners(login.password).await? {
        return Err(Failure::Forbidden("wrong password or token".to_owned()));
    }
    let (now, https) = (app.now(), app.config().https);
    let cookie = app.store().write(move |db| identity::sign_in(db, None, now, https)).await?;
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({"role": "owner"}))).into_response())
}

async fn logout(State(app): State<App>, headers: HeaderMap) -> Answered<Response> {
    identity::end(&app, &headers).await?;
    let cookie = identity::sign_out_cookie(app.config().https);
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({"role": "stranger"}))).into_response())
}

async fn tokens(State(app): State<App>) -> Answered<Json<Value>> {
    let tokens = app.store().read(|db| {
        let mut statement = db.prepare_cached("SELECT id, name, created FROM api_token ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            let (id, name, created): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(json!({"id": id, "name": name, "created": created}))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(json!({"tokens": tokens.await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

/// The token is shown this once; its hash is kept.
async fn make_token(State(app): State<App>, Input(named): Input<Named>) -> Answered<Json<Value>> {
    let name = named.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MOST_NAME {
        return Err(Failure::bad(format!("expected a name of 1 to {MOST_NAME} characters")));
    }
    let (token, now) = (format!("saydo-{}", secret::token()?), app.now());
    let hash = secret::hash(&token);
    let insert = "INSERT INTO api_token (name, hash, created) VALUES (?1, ?2, ?3)";
    app.store().write(move |db| Ok(db.execute(insert, params![name, hash, now])?)).await?;
    Ok(Json(json!({"token": token})))
}

async fn drop_token(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let gone = app.store().write(move |db| Ok(db.execute("DELETE FROM api_token WHERE id = ?1", [id])?)).await?;
    if gone == 0 { Err(Failure::missing("token")) } else { Ok(Json(json!({"deleted": gone}))) }
}
