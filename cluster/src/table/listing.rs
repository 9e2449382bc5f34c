//! Which files a path, folder, pattern or address means.

use crate::Error;
use datafusion::catalog::Session;
use datafusion::common::DataFusionError;
use datafusion::datasource::listing::ListingTableUrl;
use futures::{StreamExt as _, TryStreamExt as _};
use glob::{MatchOptions, Pattern};
use url::Url;

/// In patterns a star is part of one name: it does not reach into folders.
const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// The addresses of all files that an address means, in the order of their names. A folder means the files directly in it.
pub(super) async fn files(session: &dyn Session, address: &str) -> Result<Vec<ListingTableUrl>, Error> {
    let (folder, pattern) = split(address)?;
    let place = ListingTableUrl::parse(folder)?;
    let store = session.runtime_env().object_store(&place)?;
    let mut listed = match pattern {
        None => place.list_all_files(session, store.as_ref(), "").await?,
        Some(_) => store.list(Some(place.prefix())).map_err(DataFusionError::from).boxed(),
    };
    let mut paths = Vec::new();
    while let Some(file) = listed.try_next().await? {
        let name = file.location.as_ref().strip_prefix(place.prefix().as_ref()).unwrap_or_default();
        let is_meant = |pattern: &Pattern| pattern.matches_with(name.trim_start_matches('/'), MATCHING);
        // What is empty has no rows, and not even columns.
        if file.size > 0 && pattern.as_ref().is_none_or(is_meant) {
            paths.push(file.location);
        }
    }
    paths.sort();
    let root = place.object_store();
    paths.iter().map(|path| file(root.as_ref(), path.as_ref())).collect()
}

/// An address up to the first name that is a pattern, and the pattern from there on.
fn split(address: &str) -> Result<(String, Option<Pattern>), Error> {
    let parts: Vec<&str> = address.split('/').collect();
    let first = parts.iter().position(|part| part.contains(['*', '?', '[']));
    let Some(first) = first else { return Ok((address.to_owned(), None)) };
    let bad = |error| Error::Engine(DataFusionError::Plan(format!("{address} is no pattern: {error}")));
    let pattern = Pattern::new(&parts[first..].join("/")).map_err(|error| bad(error.to_string()))?;
    Ok((format!("{}/", parts[..first].join("/")), Some(pattern)))
}

/// The address of one file, whatever characters its name has.
fn file(root: &Url, path: &str) -> Result<ListingTableUrl, Error> {
    let mut url = root.clone();
    url.set_path(&path.replace('%', "%25"));
    Ok(ListingTableUrl::try_new(url, None)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::SessionContext;
    use std::fs;

    fn found(pattern: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.jsonl", "b [1].jsonl", "c%20.jsonl", "d.csv", "sub/e.jsonl"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}\n").unwrap();
        }
        fs::write(folder.path().join("empty.jsonl"), "").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let state = SessionContext::new().state();
        let address = format!("{}/{pattern}", folder.path().display());
        let both = [address.clone(), format!("file://{address}")];
        let [plain, with_scheme] = both.map(|address| runtime.block_on(files(&state, &address)).unwrap());
        assert_eq!(plain, with_scheme);
        plain.iter().map(|url| url.prefix().filename().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn patterns_folders_and_odd_names_are_listed() {
        assert_eq!(found("*.jsonl"), ["a.jsonl", "b [1].jsonl", "c%20.jsonl"]);
        assert_eq!(found("d.csv"), ["d.csv"]);
        assert_eq!(found(""), ["a.jsonl", "b [1].jsonl", "c%20.jsonl", "d.csv"], "those directly in the folder");
        assert_eq!(found("s*/*"), ["e.jsonl"]);
        assert_eq!(found("**/*.jsonl"), ["a.jsonl", "b [1].jsonl", "c%20.jsonl", "e.jsonl"]);
    }
}
