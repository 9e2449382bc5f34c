//! Texts to answers: what was answered before is found again, the rest goes to the model, once for equal texts.

use crate::counter::{Counted, Counters, add};
use crate::form::Asked;
use crate::{Counts, Error, Store};
use saydo::Session;
use saydo::answering::{self, Detail, Memory};
use saydo_corpus::{Cell, Status};
use saydo_function::Function;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers texts with one model, for every function that comes along. The model is there once in a process.
pub struct Answerer {
    session: Session,
    store: Option<Store>,
    counters: Arc<Counters>,
    functions: Mutex<HashMap<Asked, Arc<Function>>>,
}

impl Answerer {
    /// Answers with this model and keeps answers in this store; without one, answers are found again only within one
    /// call.
    pub fn new(session: Session, store: Option<Store>) -> Self {
        let counters = Arc::new(Counters::default());
        let model = Arc::new(Counted { model: session.model, counters: Arc::clone(&counters) });
        Self { session: Session { model, ..session }, store, counters, functions: Mutex::default() }
    }

    /// The model as the user named it.
    pub fn model_name(&self) -> &str {
        &self.session.name
    }

    /// What has been done so far.
    pub fn counts(&self) -> Counts {
        self.counters.counts()
    }

    /// The answers to the texts, in their order; none where there is no text. Every answer is kept as soon as it is known.
    pub(crate) fn answer(&self, asked: &Asked, texts: &[Option<&str>]) -> Result<Vec<Option<Cell>>, Error> {
        let function = self.function(asked)?;
        if let Some(store) = &self.store {
            store.refresh()?;
        }
        let mut kept = Ok(());
        let find = |key| {
            let found = self.store.as_ref().and_then(|store| store.find(key));
            add(&self.counters.found, u64::from(found.is_some()));
            found
        };
        let keep = |key, cell: &Cell| {
            self.count(cell.status);
            if let (Some(store), Ok(())) = (&self.store, &kept) {
                kept = store.keep(key, cell);
            }
            Ok(())
        };
        let given = texts.iter().filter_map(|text| *text);
        let mut memory = Memory::new(find, keep);
        let cells = answering::texts(&function, &self.session.fingerprint, given, Detail::Row, &mut memory, &mut || ());
        drop(memory);
        let mut cells = cells?.into_iter();
        kept?;
        if let Some(store) = &self.store {
            store.share(true)?;
        }
        Ok(texts.iter().map(|text| text.and_then(|_| cells.next())).collect())
    }

    fn count(&self, status: Status) {
        match status {
            Status::Ok | Status::Na => add(&self.counters.computed, 1),
            Status::Unparsable | Status::Failed => add(&self.counters.failed, 1),
        }
    }

    /// The function, made at its first use. Others wait meanwhile.
    fn function(&self, asked: &Asked) -> Result<Arc<Function>, Error> {
        let mut all = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = all.get(asked) {
            return Ok(Arc::clone(function));
        }
        let Session { model, settings, .. } = &self.session;
        let function = Arc::new(Function::new(asked.task()?, Arc::clone(model), settings.clone())?);
        all.insert(asked.clone(), Arc::clone(&function));
        Ok(function)
    }
}

impl fmt::Debug for Answerer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answerer").field("model", &self.session.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::form::Form;
    use saydo_model::ScriptedModel;

    /// A model that finds "Yes" likeliest, and says where it was asked to speak.
    pub(crate) fn session() -> Session {
        let model = ScriptedModel::new(|_| "trail".to_owned()).with_log_prob(|_, text| match text {
            "Yes" => -0.1,
            _ => -3.0,
        });
        Session::new(Arc::new(model), "scripted", "scripted")
    }

    fn asked() -> Asked {
        Asked::new(Form::YES_NO, "Are dogs allowed?", &[])
    }

    #[test]
    fn equal_texts_are_asked_about_once_and_no_text_has_no_answer() {
        let answerer = Answerer::new(session(), None);
        let cells = answerer.answer(&asked(), &[Some("a dog"), None, Some("a dog"), Some("a cat")]).unwrap();
        assert_eq!(cells.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true, true]);
        assert_eq!(cells[0], cells[2]);
        assert_eq!(answerer.counts().computed, 2);
    }

    #[test]
    fn what_another_process_answered_is_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = |name| Some(Store::open(folder.path(), name, None).unwrap());
        let [first, second] = ["a", "b"].map(|name| Answerer::new(session(), store(name)));
        let texts: Vec<String> = (0..10).map(|number| format!("text {number}")).collect();
        let texts: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        let cells = first.answer(&asked(), &texts[..6]).unwrap();
        let again = second.answer(&asked(), &texts).unwrap();
        assert_eq!(cells[..], again[..6]);
        assert_eq!((second.counts().found, second.counts().computed), (6, 4));
    }
}
