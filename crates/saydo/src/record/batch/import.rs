//! From a file of results to the ledger and to rows.

use super::{Part, Results};
use crate::Error;
use crate::answering::{Finished, RowError, Summary};
use crate::record::{Key, Ledger, cell};
use saydo_corpus::{Cell, Document, Row, Status, Unreadable};
use saydo_model::{Reply, Request};
use serde_json::Value;

/// What came of a file of results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The rows that are complete.
    pub summary: Summary,
    /// Documents that still wait for a result.
    pub open: u64,
    /// Answers with results that no document asked for.
    pub unknown: u64,
    /// Lines that are no results of ours.
    pub foreign: u64,
}

/// How the reply is found in a line of results.
pub type ReadReply<'a> = &'a dyn Fn(&Request, &Value) -> Result<Reply, saydo_model::Error>;

/// Records the results of the documents' requests, and calls `each` with the rows that are complete, in the documents'
/// order. What failed before is replaced; what succeeded stays.
pub fn import(
    parts: &[Part<'_>],
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    ledger: &mut Ledger,
    model: &str,
    mut results: Results,
    read: ReadReply<'_>,
    each: &mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
) -> Result<Imported, Error> {
    let mut imported = Imported { summary: Summary::new(parts.len()), ..Imported::default() };
    for document in documents {
        let before = imported.summary.computed;
        let (document, cells) = match document {
            Ok(document) => {
                let computed = &mut imported.summary.computed;
                let cells = cells(parts, &document.text, ledger, &mut results, read, computed)?;
                (document, cells)
            }
            Err(unreadable) => {
                let cells = vec![Some(cell::unreadable(&unreadable)); parts.len()];
                let Unreadable { id, source, .. } = unreadable;
                (Document { id, source, text: String::new(), question: None }, cells)
            }
        };
        let is_new = imported.summary.computed > before;
        let Some(cells) = cells.into_iter().collect() else {
            imported.open += 1;
            continue;
        };
        let (id, source) = (document.id.clone(), document.source.clone());
        let row = Row { id, source, model: model.to_owned(), cells };
        imported.summary.add(&row);
        each(Finished { row: &row, document: &document, is_new }).map_err(Error::Row)?;
    }
    ledger.sync()?;
    Ok(Imported { unknown: results.left(), foreign: results.foreign, ..imported })
}

/// The cells of a document, those that are not known yet left out.
fn cells(
    parts: &[Part<'_>],
    text: &str,
    ledger: &mut Ledger,
    results: &mut Results,
    read: ReadReply<'_>,
    computed: &mut u64,
) -> Result<Vec<Option<Cell>>, Error> {
    let mut cells = Vec::with_capacity(parts.len());
    for part in parts {
        let key = part.keys.of(text);
        if matches!(ledger.status(key), Some(Status::Ok | Status::Na)) {
            results.forget(key);
        } else if let Some(cell) = result(part, key, text, results, read)? {
            ledger.record(key, &cell)?;
            *computed += 1;
        }
        cells.push(ledger.read(key));
    }
    Ok(cells)
}

/// What the results say of one document; none if they say nothing.
fn result(
    part: &Part<'_>,
    key: Key,
    text: &str,
    results: &mut Results,
    read: ReadReply<'_>,
) -> Result<Option<Cell>, Error> {
    let requests = (part.ask)(text);
    let Some(values) = results.take(key, requests.len())? else { return Ok(None) };
    let replies: Result<Vec<Reply>, _> =
        requests.iter().zip(&values).map(|(request, value)| read(request, value)).collect();
    let outcome = replies.map_err(saydo_function::Error::from).and_then(|replies| (part.read)(text, &replies));
    Ok(Some(cell::of(outcome, 0)))
}
