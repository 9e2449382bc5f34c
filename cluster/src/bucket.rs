//! Where tables lie: this machine's files, and buckets of object stores, opened when they are first named.
//!
//! Keys of object stores come from the environment of each process (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`, …). They never
//! travel with a plan.

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use url::{Position, Url};

/// An environment for the engine in which `s3://` addresses can be read and written. What does not fit into memory goes
/// to `scratch`, or the system's temporary folder.
pub(crate) fn environment(scratch: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
    let mut builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Buckets::default()));
    if let Some(scratch) = scratch {
        builder = builder.with_temp_file_path(scratch);
    }
    builder.build_arc()
}

#[derive(Debug, Default)]
struct Buckets {
    opened: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl Buckets {
    fn change<T>(&self, change: impl FnOnce(&mut HashMap<String, Arc<dyn ObjectStore>>) -> T) -> T {
        change(&mut self.opened.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ObjectStoreRegistry for Buckets {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.change(|opened| opened.insert(key(url), store))
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.change(|opened| {
            if let Some(store) = opened.get(&key(url)) {
                return Ok(Arc::clone(store));
            }
            let store = open(url)?;
            opened.insert(key(url), Arc::clone(&store));
            Ok(store)
        })
    }
}

fn key(url: &Url) -> String {
    url[..Position::BeforePath].to_owned()
}

/// The store that an address is in.
pub(crate) fn open(url: &Url) -> Result<Arc<dyn ObjectStore>> {
    match (url.scheme(), url.host_str()) {
        ("file", _) => Ok(Arc::new(LocalFileSystem::new())),
        ("s3", Some(bucket)) => {
            let store = AmazonS3Builder::from_env().with_bucket_name(bucket).build();
            Ok(Arc::new(store.map_err(|error| DataFusionError::ObjectStore(Box::new(error)))?))
        }
        (scheme, _) => {
            Err(DataFusionError::Plan(format!("`{scheme}://` cannot be opened, expected a file or s3://BUCKET/…")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_store_serves_a_bucket_and_unknown_schemes_are_refused() {
        let buckets = Buckets::default();
        let get = |address: &str| buckets.get_store(&Url::parse(address).unwrap());
        assert!(Arc::ptr_eq(&get("s3://a/x").unwrap(), &get("s3://a/y/z").unwrap()));
        assert!(!Arc::ptr_eq(&get("s3://a/x").unwrap(), &get("s3://b/x").unwrap()));
        assert!(get("ftp://a/x").unwrap_err().to_string().contains("`ftp://` cannot be opened"));
    }
}
