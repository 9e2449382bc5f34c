//! Who asks: the owner, an annotator of one project, or nobody known.
//!
//! Without an owner's password the server listens on this machine only. The owner is whoever shows the token that the
//! server printed when it started: in the address, which begins a session, or as a bearer token. Others who have an account
//! on the machine are nobody. The host that a browser names must be this machine's, or a page elsewhere could pose as ours
//! (DNS rebinding), and what came through a proxy is refused, since it may be anyone's. With a password, the owner has a
//! session or sends a token, and annotators have a session from their link.
//!
//! Where even the token was done without, whoever brings no session is the owner by being here. A session comes first: who
//! came through a link is an annotator until logout or the end of the session.
//!
//! A request that changes something and comes from a browser must carry the session's CSRF token and come from our page.

mod session;

pub(crate) use session::{end, sign_in, sign_out_cookie};

use crate::app::password_hash;
use crate::failure::{Answered, Failure};
use crate::{Access, App, secret};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use rusqlite::OptionalExtension as _;
use serde::Serialize;

/// Where a browser's token against forged requests stands.
const CSRF_HEADER: &str = "x-csrf-token";

/// Headers that proxies add. Not every proxy does, so that a request without them may have come through one as well.
const FORWARDING: [&str; 6] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// Who asks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Visitor {
    /// What they may do.
    pub(crate) role: Role,
    /// The token that their browser sends with changes.
    pub(crate) csrf: String,
    /// How the owner gets in here.
    pub(crate) entry: Entry,
    #[serde(skip)]
    proof: Proof,
}

/// How the owner gets in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Entry {
    /// With the password.
    Password,
    /// With the token that the server printed.
    Token,
    /// By being here.
    Open,
}

/// What somebody may do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub(crate) enum Role {
    /// Only what anyone may.
    Stranger,
    /// Work on one project.
    Annotator(Annotator),
    /// Everything but an annotator's work.
    Owner,
}

/// Somebody who works on a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Annotator {
    /// The number of the annotator.
    pub(crate) id: i64,
    /// The project.
    pub(crate) project: i64,
    /// What they are called.
    pub(crate) name: String,
}

/// How it is known who asks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Proof {
    /// A cookie, which a browser sends along whoever made it ask.
    Cookie,
    /// A token that no browser sends by itself.
    Token,
    /// They are on this machine, and that is all there is to know.
    Local,
    /// Nothing.
    None,
}

impl Visitor {
    /// The annotator; owners have none of an annotator's rights.
    pub(crate) fn annotator(&self) -> Answered<&Annotator> {
        match &self.role {
            Role::Annotator(annotator) => Ok(annotator),
            _ => Err(Failure::Forbidden("this is for annotators, who open their link".to_owned())),
        }
    }

    /// Nobody known; pages show no links to them.
    pub(crate) fn stranger(entry: Entry) -> Self {
        Self { role: Role::Stranger, csrf: String::new(), entry, proof: Proof::None }
    }

    /// The same browser with nothing of what its role is shown.
    pub(crate) fn without_role(self) -> Self {
        Self { role: Role::Stranger, ..self }
    }

    /// Whether it is the owner.
    pub(crate) fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }

    fn may(&self, access: Access) -> Answered<()> {
        let allowed = match access {
            Access::Anyone => true,
            Access::Annotator => matches!(self.role, Role::Annotator(_)),
            Access::Member => self.role != Role::Stranger,
            Access::Owner => self.role == Role::Owner,
        };
        match (allowed, &self.role) {
            (true, _) => Ok(()),
            (false, Role::Stranger) => Err(Failure::Unknown),
            (false, _) => Err(Failure::Forbidden(format!("this is for {}s only", access.name()))),
        }
    }
}

/// Finds out who asks, and whether they may. Whoever may not is told on a page that is theirs.
pub(crate) async fn admit(
    app: &App,
    access: Access,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Visitor, (Failure, Visitor)> {
    let visitor = match identify(app, headers).await {
        Ok(visitor) => visitor,
        // Whether the state is well must be said when it is not.
        Err(Failure::Internal(_)) if access == Access::Anyone => Visitor::stranger(Entry::Password),
        Err(failure) => return Err((failure, Visitor::stranger(Entry::Password))),
    };
    if let Err(failure) = check_place(visitor.entry, headers) {
        return Err((failure, Visitor::stranger(visitor.entry)));
    }
    let genuine = if method.is_safe() { Ok(()) } else { check_origin(&visitor, headers) };
    match genuine.and_then(|()| visitor.may(access)) {
        Ok(()) => Ok(visitor),
        Err(failure) => Err((failure, visitor)),
    }
}

/// Begins the owner's session for a page that is asked for with the token in its address, and sends the browser to the same
/// page without it; none if there is no token, or one that is none.
pub(crate) async fn enter_by_link(app: &App, uri: &Uri, headers: &HeaderMap) -> Option<Answered<Response>> {
    let query = uri.query()?;
    let is_token = |pair: &&str| pair.starts_with("token=");
    let token = query.split('&').find(is_token)?.trim_start_matches("token=").to_owned();
    let has_password = app.store().read(|db| Ok(password_hash(db)?.is_some())).await;
    let entry = has_password.map(|has_password| app.entry(has_password));
    if entry != Ok(Entry::Token) || !app.token().is_some_and(|own| secret::same(own, &token)) {
        return None;
    }
    if let Err(failure) = check_place(Entry::Token, headers) {
        return Some(Err(failure));
    }
    let rest = query.split('&').filter(|pair| !is_token(pair)).collect::<Vec<_>>().join("&");
    let path = uri.path();
    let place = if rest.is_empty() { path.to_owned() } else { format!("{path}?{rest}") };
    let now = app.now();
    let cookie = app.store().write(move |db| session::sign_in(db, None, now, false)).await;
    Some(cookie.map(|cookie| ([(header::SET_COOKIE, cookie)], Redirect::to(&place)).into_response()))
}

/// Refuses what cannot come from this machine where being on it is part of the proof.
fn check_place(entry: Entry, headers: &HeaderMap) -> Answered<()> {
    if entry == Entry::Password {
        return Ok(());
    }
    if !is_local_host(headers) {
        return Err(Failure::Forbidden("this server answers only to localhost".to_owned()));
    }
    if FORWARDING.iter().any(|name| headers.contains_key(*name)) {
        let reason = "this server has no owner's password, so it takes nothing that comes through a proxy; set one with \
                      `saydo serve --set-password`";
        return Err(Failure::Forbidden(reason.to_owned()));
    }
    Ok(())
}

async fn identify(app: &App, headers: &HeaderMap) -> Answered<Visitor> {
    let bearer = bearer(headers).map(str::to_owned);
    let hash = bearer.as_deref().map(secret::hash);
    let (session, now) = (session::hash(headers), app.now());
    let known = app.store().read(move |db| {
        let is_token = |hash: String| {
            let mut statement = db.prepare_cached("SELECT 1 FROM api_token WHERE hash = ?1")?;
            Answered::Ok(statement.query_row([hash], |_| Ok(())).optional()?.is_some())
        };
        let session = session.map(|hash| session::find(db, &hash, now)).transpose()?.flatten();
        Ok((password_hash(db)?.is_some(), hash.map(is_token).transpose()? == Some(true), session))
    });
    let (has_password, is_token, session) = known.await?;
    let entry = app.entry(has_password);
    let is_own_token = || match (entry, app.token(), &bearer) {
        (Entry::Token, Some(token), Some(bearer)) => secret::same(token, bearer),
        _ => false,
    };
    // Clients of OpenAI's API send some token even where none is asked for, so a wrong one is no more than none.
    if is_token || is_own_token() {
        return Ok(Visitor { role: Role::Owner, csrf: String::new(), entry, proof: Proof::Token });
    }
    if let Some((role, csrf)) = session {
        return Ok(Visitor { role, csrf, entry, proof: Proof::Cookie });
    }
    Ok(match entry == Entry::Open && !session::is_brought(headers) {
        false => Visitor::stranger(entry),
        true => Visitor { role: Role::Owner, csrf: app.local_csrf().to_owned(), entry, proof: Proof::Local },
    })
}

/// Refuses what a page elsewhere had a browser send.
fn check_origin(visitor: &Visitor, headers: &HeaderMap) -> Answered<()> {
    let forged = || Failure::Forbidden("the request did not come from this page; load the page again".to_owned());
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(origin) = text(header::ORIGIN) {
        let host = text(header::HOST).unwrap_or_default();
        let from = origin.split_once("://").map(|(_, host)| host);
        if from != Some(host) {
            return Err(forged());
        }
    }
    let is_browser = headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site");
    let needs_token = match visitor.proof {
        Proof::Cookie => true,
        // Every browser names the origin of a request that changes something; what names none is no browser.
        Proof::Local => is_browser,
        Proof::Token | Proof::None => false,
    };
    let sent = headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if needs_token && !secret::same(sent, &visitor.csrf) {
        return Err(forged());
    }
    Ok(())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Whether a request names this machine as its host. Without a host it is no browser's.
fn is_local_host(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST) else { return true };
    let Ok(host) = host.to_str() else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod roles;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machines_names_are_local() {
        let local = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            is_local_host(&headers)
        };
        assert!(
            ["localhost", "LOCALHOST:8008", "127.0.0.1:1", "[::1]:8008", "127.0.0.1"].iter().all(|host| local(host))
        );
        assert!(
            ["evil.example", "localhost.evil.example:8008", "10.0.0.1", "127.0.0.1.nip.io"]
                .iter()
                .all(|host| !local(host))
        );
    }
}
