//! Answers to labelled rows, found again when the rows are tried again.

use crate::home::Home;
use crate::output;
use anyhow::Result;
use saydo::answering::{Detail, Memory, texts};
use saydo::record::{Folder, Ledger, Record, TaskRecord};
use saydo::{Error, Session};
use saydo_corpus::Cell;
use saydo_function::Function;
use serde_json::json;
use std::path::PathBuf;

/// Where the answers of a model to labelled rows are kept.
pub(crate) struct Kept<'a> {
    session: &'a Session,
    folder: PathBuf,
    is_anew: bool,
}

impl<'a> Kept<'a> {
    /// Below the home folder; if `is_anew`, what was kept before is put aside.
    pub(crate) fn new(session: &'a Session, home: &Home, is_anew: bool) -> Result<Self> {
        Ok(Self { session, folder: home.checks()?, is_anew })
    }

    /// The cell of each text, in their order. What failed before is tried again.
    pub(crate) fn answers<'t>(
        &self,
        function: &Function,
        rows: impl ExactSizeIterator<Item = &'t str>,
        detail: Detail,
    ) -> Result<Vec<Cell>> {
        let progress = crate::progress::rows(rows.len());
        let mut ledger = self.ledger(function)?;
        let mut memory = match &mut ledger {
            Some(ledger) => Memory::ledger(ledger, true),
            None => Memory::nothing(),
        };
        let cells = texts(function, &self.session.fingerprint, rows, detail, &mut memory, &mut || progress.inc(1))?;
        progress.finish_and_clear();
        Ok(cells)
    }

    /// None if another process is writing it.
    fn ledger(&self, function: &Function) -> Result<Option<Ledger>> {
        let name = function.task().definition.clone().unwrap_or_default();
        let task = TaskRecord { name, identity: function.identity() };
        let record = Record::new(&self.session.name, &self.session.fingerprint, vec![task], 0, json!({}));
        let path = Folder::open(&self.folder.join(record.folder_name()), &record)?.ledger(None);
        let opened = match self.is_anew {
            true => Ledger::set_aside(&path).and_then(|_| Ledger::open(&path, &[])),
            false => Ledger::open(&path, &[]),
        };
        match opened {
            Err(Error::Busy { ledger }) => {
                output::note(&format!("another process is writing {}; answers are not kept", ledger.display()));
                Ok(None)
            }
            opened => Ok(Some(opened?)),
        }
    }
}
