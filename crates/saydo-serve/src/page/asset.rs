//! The files that pages load, found by name among those in the binary.

use crate::failure::{Answered, Failure};
use crate::input::Path;
use crate::secret;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

/// Name, media type, text.
const ASSETS: &[(&str, &str, &str)] = &[
    ("app.css", "text/css; charset=utf-8", include_str!("../../assets/app.css")),
    ("app.js", "text/javascript; charset=utf-8", include_str!("../../assets/app.js")),
    ("account.js", "text/javascript; charset=utf-8", include_str!("../../assets/account.js")),
    ("answer.js", "text/javascript; charset=utf-8", include_str!("../../assets/answer.js")),
    ("board.js", "text/javascript; charset=utf-8", include_str!("../../assets/board.js")),
    ("ranking.js", "text/javascript; charset=utf-8", include_str!("../../assets/ranking.js")),
    ("playground.js", "text/javascript; charset=utf-8", include_str!("../../assets/playground.js")),
    ("collection.js", "text/javascript; charset=utf-8", include_str!("../../assets/collection.js")),
    ("instructions.js", "text/javascript; charset=utf-8", include_str!("../../assets/instructions.js")),
    ("join.js", "text/javascript; charset=utf-8", include_str!("../../assets/join.js")),
    ("passage.js", "text/javascript; charset=utf-8", include_str!("../../assets/passage.js")),
    ("project.js", "text/javascript; charset=utf-8", include_str!("../../assets/project.js")),
    ("projects.js", "text/javascript; charset=utf-8", include_str!("../../assets/projects.js")),
    ("work.js", "text/javascript; charset=utf-8", include_str!("../../assets/work.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../assets/icon.svg")),
];

/// A file. Browsers keep it and ask whether it changed.
pub(super) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Answered<Response> {
    let Some((_, kind, text)) = ASSETS.iter().find(|(known, _, _)| *known == name) else {
        return Err(Failure::missing("file"));
    };
    let tag = format!("\"{}\"", &secret::hex(&Sha256::digest(text))[..16]);
    let fixed = [(header::CONTENT_TYPE, (*kind).to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let tag = [(header::ETAG, tag)];
    Ok(match known {
        true => (StatusCode::NOT_MODIFIED, tag, fixed).into_response(),
        false => (tag, fixed, *text).into_response(),
    })
}
