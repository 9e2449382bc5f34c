//! Who asks: the owner, an annotator of one project, or nobody known.
//!
//! Without an owner's password the server listens on this machine only and whoever can reach it is the owner; then the
//! host that a browser names must be this machine's, or a page elsewhere could pose as ours (DNS rebinding). With one, the
//! owner has a session or sends a token, and annotators have a session from their link.
//!
//! A session comes before the place: who came through a link is an annotator on this machine, too, until they leave, and
//! nobody once the session is over. Only who brings no session at all is the owner by being here.
//!
//! A request that changes something and comes from a browser must carry the session's CSRF token and come from our page.

mod session;

pub(crate) use session::{end, sign_in, sign_out_cookie};

use crate::failure::{Answered, Failure};
use crate::{Access, App, secret};
use axum::http::{HeaderMap, Method, header};
use rusqlite::OptionalExtension as _;
use serde::Serialize;

/// Where a browser's token against forged requests stands.
const CSRF_HEADER: &str = "x-csrf-token";

/// Who asks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Visitor {
    /// What they may do.
    pub(crate) role: Role,
    /// The token that their browser sends with changes.
    pub(crate) csrf: String,
    #[serde(skip)]
    proof: Proof,
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

    /// Somebody with this role and no session.
    pub(crate) fn with_role(role: Role) -> Self {
        Self { role, csrf: String::new(), proof: Proof::None }
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
    let stranger = |failure| (failure, Visitor::with_role(Role::Stranger));
    if !app.needs_accounts() && !is_local_host(headers) {
        return Err(stranger(Failure::Forbidden("this server answers only to localhost".to_owned())));
    }
    let visitor = identify(app, headers).await.map_err(stranger)?;
    let genuine = if method.is_safe() { Ok(()) } else { check_origin(&visitor, headers) };
    match genuine.and_then(|()| visitor.may(access)) {
        Ok(()) => Ok(visitor),
        Err(failure) => Err((failure, visitor)),
    }
}

async fn identify(app: &App, headers: &HeaderMap) -> Answered<Visitor> {
    if let Some(token) = bearer(headers) {
        let hash = secret::hash(token);
        let known = app.store().read(move |db| {
            let mut statement = db.prepare_cached("SELECT 1 FROM api_token WHERE hash = ?1")?;
            Ok(statement.query_row([hash], |_| Ok(())).optional()?.is_some())
        });
        // Clients of OpenAI's API send some token even where none is asked for.
        if known.await? {
            return Ok(Visitor { role: Role::Owner, csrf: String::new(), proof: Proof::Token });
        }
    }
    if let Some((role, csrf)) = session::find(app, headers).await? {
        return Ok(Visitor { role, csrf, proof: Proof::Cookie });
    }
    Ok(match app.needs_accounts() || session::is_brought(headers) {
        true => Visitor { role: Role::Stranger, csrf: String::new(), proof: Proof::None },
        false => Visitor { role: Role::Owner, csrf: app.local_csrf().to_owned(), proof: Proof::Local },
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
