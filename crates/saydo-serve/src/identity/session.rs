//! Sessions in cookies: made by a password or a link, kept as hashes.

use super::{Annotator, Role};
use crate::failure::Answered;
use crate::{App, secret};
use axum::http::{HeaderMap, header};
use rusqlite::{Connection, OptionalExtension as _, params};

const COOKIE: &str = "saydo_session";
/// How long a session lasts: thirty days.
const SECONDS: i64 = 30 * 86_400;

/// Begins a session of the owner or, with a number, of an annotator; gives the cookie.
pub(crate) fn sign_in(db: &Connection, annotator: Option<i64>, now: i64, https: bool) -> Answered<String> {
    let token = secret::token()?;
    db.execute("DELETE FROM session WHERE expires < ?1", [now])?;
    db.execute(
        "INSERT INTO session (hash, annotator, csrf, expires) VALUES (?1, ?2, ?3, ?4)",
        params![secret::hash(&token), annotator, secret::token()?, now + SECONDS],
    )?;
    Ok(cookie(&token, SECONDS, https))
}

/// Ends the session of these headers.
pub(crate) async fn end(app: &App, headers: &HeaderMap) -> Answered<()> {
    let Some(hash) = hash(headers) else { return Ok(()) };
    app.store().write(move |db| Ok(db.execute("DELETE FROM session WHERE hash = ?1", [hash]).map(|_| ())?)).await
}

/// The cookie that makes a browser forget its session.
pub(crate) fn sign_out_cookie(https: bool) -> String {
    cookie("", 0, https)
}

/// The hash of the session that these headers bring.
pub(super) fn hash(headers: &HeaderMap) -> Option<String> {
    token(headers).map(secret::hash)
}

/// Whose session it is, and its token against forged requests.
pub(super) fn find(db: &Connection, hash: &str, now: i64) -> Answered<Option<(Role, String)>> {
    let mut statement = db.prepare_cached(
        "SELECT s.csrf, s.annotator, a.project, a.name, a.active FROM session s
         LEFT JOIN annotator a ON a.id = s.annotator WHERE s.hash = ?1 AND s.expires > ?2",
    )?;
    let found = statement.query_row(params![hash, now], |row| {
        let role = match row.get::<_, Option<i64>>(1)? {
            None => Some(Role::Owner),
            Some(id) => {
                let annotator = Annotator { id, project: row.get(2)?, name: row.get(3)? };
                row.get::<_, bool>(4)?.then_some(Role::Annotator(annotator))
            }
        };
        Ok((role, row.get(0)?))
    });
    Ok(found.optional()?.and_then(|(role, csrf)| Some((role?, csrf))))
}

/// Whether a session is claimed, valid or not.
pub(super) fn is_brought(headers: &HeaderMap) -> bool {
    token(headers).is_some()
}

fn cookie(token: &str, seconds: i64, https: bool) -> String {
    let secure = if https { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(name, _)| *name == COOKIE).map(|(_, token)| token).filter(|token| token.len() == 64)
}
