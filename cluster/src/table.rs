//! Files as tables: a path, pattern or address in quotes stands for a table, by what its name ends in.

mod listing;

use crate::Error;
use async_trait::async_trait;
use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::{Session, TableProvider, UrlTableFactory};
use datafusion::common::GetExt as _;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionContext;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// How many files are looked into for their columns.
const SCHEMA_FILES: usize = 20;

/// What files of a name hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Parquet,
    JsonLines,
    Csv,
    Tsv,
}

impl FileKind {
    /// By what the name ends in, compression aside.
    pub(crate) fn of(name: &str) -> Option<(FileKind, FileCompressionType)> {
        let name = name.to_ascii_lowercase();
        let compressions =
            [FileCompressionType::GZIP, FileCompressionType::BZIP2, FileCompressionType::XZ, FileCompressionType::ZSTD];
        let (stem, compression) = compressions
            .into_iter()
            .find_map(|compression| Some((name.strip_suffix(&compression.get_ext())?, compression)))
            .unwrap_or((&name, FileCompressionType::UNCOMPRESSED));
        let kind = match stem.rsplit_once('.')?.1 {
            "parquet" => FileKind::Parquet,
            "jsonl" | "ndjson" | "json" => FileKind::JsonLines,
            "csv" => FileKind::Csv,
            "tsv" => FileKind::Tsv,
            _ => return None,
        };
        Some((kind, compression))
    }

    fn format(self, compression: FileCompressionType) -> Arc<dyn FileFormat> {
        let csv = || CsvFormat::default().with_has_header(true).with_file_compression_type(compression);
        match self {
            FileKind::Parquet => Arc::new(ParquetFormat::default()),
            FileKind::JsonLines => Arc::new(JsonFormat::default().with_file_compression_type(compression)),
            FileKind::Csv => Arc::new(csv()),
            FileKind::Tsv => Arc::new(csv().with_delimiter(b'\t')),
        }
    }
}

/// The table of files, folders or patterns: all files of the first one's format.
///
/// Files are listed here, once. A pattern does not travel with a plan, so another process would list everything in the
/// folder.
pub(crate) async fn open(session: &dyn Session, names: &[String]) -> Result<ListingTable, Error> {
    let mut files = Vec::new();
    for name in names {
        let found = listing::files(session, &address(name)).await?;
        if found.is_empty() {
            return Err(Error::NoFiles { name: name.clone() });
        }
        files.extend(found);
    }
    let kind = files.iter().find_map(|file| FileKind::of(file.as_str()));
    let Some((kind, compression)) = kind else { return Err(Error::Format { name: names.join(" ") }) };
    files.retain(|file| FileKind::of(file.as_str()) == Some((kind, compression)));
    let options = ListingOptions::new(kind.format(compression)).with_file_extension("");
    let mut schemas = Vec::new();
    for file in files.iter().take(SCHEMA_FILES) {
        schemas.push(options.infer_schema(session, file).await?.as_ref().clone());
    }
    let schema = Schema::try_merge(schemas).map_err(DataFusionError::from)?;
    let config = ListingTableConfig::new_with_multi_paths(files).with_listing_options(options);
    Ok(ListingTable::try_new(config.with_schema(Arc::new(schema)))?)
}

/// Names of this machine's files become whole paths, since other processes have other working folders.
pub(crate) fn address(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    let whole = std::path::absolute(name).map_or_else(|_| name.to_owned(), |path| path.to_string_lossy().into_owned());
    // A folder is told from a file by its last character.
    if name.ends_with('/') || Path::new(name).is_dir() { format!("{}/", whole.trim_end_matches('/')) } else { whole }
}

/// Opens names in quotes as tables.
pub(crate) struct Files {
    /// Where schemas are inferred: the session as it was, which shares everything but the catalog with the new one.
    session: SessionContext,
}

impl Files {
    /// A session that opens names in quotes.
    pub(crate) fn in_session(context: SessionContext) -> SessionContext {
        use datafusion::catalog::DynamicFileCatalog;
        let state = context.state();
        let catalogs = Arc::clone(state.catalog_list());
        let catalogs = Arc::new(DynamicFileCatalog::new(catalogs, Arc::new(Files { session: context })));
        let state = SessionStateBuilder::new_from_existing(state).with_catalog_list(catalogs).build();
        SessionContext::new_with_state(state)
    }
}

#[async_trait]
impl UrlTableFactory for Files {
    async fn try_new(&self, url: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let is_name_of_files = url.contains(['/', '*']) || FileKind::of(url).is_some();
        if !is_name_of_files {
            return Ok(None);
        }
        Ok(Some(Arc::new(open(&self.session.state(), &[url.to_owned()]).await?)))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_files_hold() {
        let kind = |name| FileKind::of(name).map(|(kind, compression)| (kind, compression.is_compressed()));
        assert_eq!(kind("a/*.PARQUET"), Some((FileKind::Parquet, false)));
        assert_eq!(kind("s3://b/reviews.jsonl.gz"), Some((FileKind::JsonLines, true)));
        assert_eq!(kind("rows.tsv"), Some((FileKind::Tsv, false)));
        assert_eq!(kind("reviews"), None);
        assert_eq!(kind("reviews.docx"), None);
    }
}
