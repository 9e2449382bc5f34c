//! Answers to labelled rows, found again when the rows are tried again.

use super::{Event, Watch, note};
use crate::answering::{Detail, Memory, texts};
use crate::record::{Folder, Ledger, Record, TaskRecord};
use crate::{Error, Session};
use saydo_corpus::{Cell, Status};
use saydo_function::Function;
use saydo_protocol::labelled::{LabelledRow, answer_text};
use saydo_task::seen::Seen;
use serde_json::json;
use std::path::PathBuf;

/// Where answers to labelled rows are recorded and found again.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    /// The folder that has one for each function. Default: none; nothing is recorded.
    pub folder: Option<PathBuf>,
    /// Whether to start anew; what was recorded before is set aside. Default: no.
    pub is_anew: bool,
}

impl Recorder {
    /// The cell of each text, in their order. What failed before is tried again.
    pub fn cells<'t>(
        &self,
        session: &Session,
        function: &Function,
        rows: impl ExactSizeIterator<Item = &'t str>,
        detail: Detail,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Cell>, Error> {
        let (all, mut done) = (rows.len(), 0);
        let mut ledger = self.ledger(session, function, watch)?;
        let mut memory = match &mut ledger {
            Some(ledger) => Memory::ledger(ledger, true),
            None => Memory::nothing(),
        };
        texts(function, &session.fingerprint, rows, detail, &mut memory, &mut || {
            done += 1;
            watch(Event::Progress { unit: "rows", done, new: done, all });
        })
    }

    /// One answer for each row, as ZEST writes them; none where there was none.
    pub fn answers(
        &self,
        session: &Session,
        function: &Function,
        rows: &[LabelledRow],
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Option<String>>, Error> {
        let cells = self.cells(session, function, rows.iter().map(|row| row.text.as_str()), Detail::Row, watch)?;
        let given = |cell: Cell| match cell.status {
            Status::Ok | Status::Na => Some(answer_text(&cell.answer)),
            Status::Unparsable | Status::Failed => None,
        };
        Ok(cells.into_iter().map(given).collect())
    }

    /// None if nothing is recorded, or another process is writing it.
    fn ledger(&self, session: &Session, function: &Function, watch: &mut Watch<'_>) -> Result<Option<Ledger>, Error> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let name = function.task().definition.clone().unwrap_or_default();
        let task = TaskRecord { name, identity: function.identity() };
        let record = Record::new(&session.name, &session.fingerprint, vec![task], 0, json!({}));
        let path = Folder::open(&folder.join(record.folder_name()), &record)?.ledger(None);
        if self.is_anew {
            match Ledger::set_aside(&path) {
                Err(Error::Busy { .. }) => {}
                set_aside => drop(set_aside?),
            }
        }
        match Ledger::open(&path, &[]) {
            Err(Error::Busy { ledger }) => {
                note(watch, &format!("another process is writing {}; answers are not kept", ledger.display()));
                Ok(None)
            }
            opened => opened.map(Some),
        }
    }
}

/// Whether the model was trained on some of these rows, which is an error unless it is allowed.
pub(super) fn has_learned(rows: &[LabelledRow], name: &str, seen: &Seen, is_allowed: bool) -> Result<bool, Error> {
    let learned = rows.iter().filter(|row| seen.has_input(&row.text)).count();
    if learned > 0 && !is_allowed {
        return Err(Error::LearnedRows { learned, rows: rows.len(), name: name.to_owned() });
    }
    Ok(learned > 0)
}
