//! Which files a path, folder, pattern or address means.

use crate::Error;
use datafusion::catalog::Session;
use datafusion::common::DataFusionError;
use datafusion::datasource::listing::ListingTableUrl;
use futures::TryStreamExt as _;
use glob::Pattern;
use url::Url;

/// The addresses of all files that an address means, in the order of their names.
pub(super) async fn files(session: &dyn Session, address: &str) -> Result<Vec<ListingTableUrl>, Error> {
    let place = place(address)?;
    let store = session.runtime_env().object_store(&place)?;
    let mut listed = place.list_all_files(session, store.as_ref(), "").await?;
    let mut paths = Vec::new();
    while let Some(file) = listed.try_next().await? {
        // What is empty has no rows, and not even columns.
        if file.size > 0 {
            paths.push(file.location);
        }
    }
    paths.sort();
    let root = place.object_store();
    paths.iter().map(|path| file(root.as_ref(), path.as_ref())).collect()
}

/// An address with its pattern, if it has one. The engine itself finds patterns only in names of this machine's files.
fn place(address: &str) -> Result<ListingTableUrl, Error> {
    let is_pattern = |part: &str| part.contains(['*', '?', '[']);
    let Some((scheme, rest)) = address.split_once("://").filter(|(_, rest)| is_pattern(rest)) else {
        return Ok(ListingTableUrl::parse(address)?);
    };
    let parts: Vec<&str> = rest.split('/').collect();
    let first = parts.iter().position(|part| is_pattern(part)).unwrap_or(parts.len());
    let bad = |reason: String| Error::Engine(DataFusionError::Plan(format!("{address} is no address: {reason}")));
    let folder = format!("{scheme}://{}/", parts[..first].join("/"));
    let folder = Url::parse(&folder).map_err(|error| bad(error.to_string()))?;
    let pattern = Pattern::new(&parts[first..].join("/")).map_err(|error| bad(error.to_string()))?;
    Ok(ListingTableUrl::try_new(folder, Some(pattern))?)
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
    }
}
