//! Texts to answers: what was answered before is found again, the rest goes to the model, once for equal texts.

use crate::counter::{Counted, Counters, add};
use crate::form::Asked;
use crate::{Counts, Error, Store};
use saydo_corpus::{Cell, Status};
use saydo_function::{Function, Settings};
use saydo_model::Model;
use saydo_run::{Key, Keys, cell};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A model, and how functions ask it.
pub struct Source {
    /// The model.
    pub model: Arc<dyn Model>,
    /// As the user named it.
    pub name: String,
    /// What tells it from others: equal fingerprints mean equal replies.
    pub fingerprint: String,
    /// How functions ask it.
    pub settings: Settings,
}

/// Answers texts with one model, for every function that comes along. The model is there once in a process.
pub struct Answerer {
    source: Source,
    store: Option<Store>,
    counters: Arc<Counters>,
    prepared: Mutex<HashMap<Asked, Arc<Prepared>>>,
}

/// A function that is ready, with the keys of its answers.
struct Prepared {
    function: Function,
    keys: Keys,
}

impl Answerer {
    /// Answers with this model and keeps answers in this store; without one, answers are found again only within one
    /// call.
    pub fn new(source: Source, store: Option<Store>) -> Self {
        let counters = Arc::new(Counters::default());
        let model = Arc::new(Counted { model: source.model, counters: Arc::clone(&counters) });
        Self { source: Source { model, ..source }, store, counters, prepared: Mutex::default() }
    }

    /// The model as the user named it.
    pub fn model_name(&self) -> &str {
        &self.source.name
    }

    /// What has been done so far.
    pub fn counts(&self) -> Counts {
        self.counters.counts()
    }

    /// The answers to the texts, in their order; none where there is no text.
    pub(crate) fn answer(&self, asked: &Asked, texts: &[Option<&str>]) -> Result<Vec<Option<Arc<Cell>>>, Error> {
        let prepared = self.prepared(asked)?;
        if let Some(store) = &self.store {
            store.refresh()?;
        }
        let keys: Vec<Option<Key>> = texts.iter().map(|text| text.map(|text| prepared.keys.of(text))).collect();
        let mut cells: HashMap<Key, Option<Arc<Cell>>> = HashMap::new();
        let mut open: Vec<(Key, Arc<str>)> = Vec::new();
        for (key, text) in keys.iter().zip(texts).filter_map(|(key, text)| Some(((*key)?, (*text)?))) {
            cells.entry(key).or_insert_with(|| {
                let found = self.store.as_ref().and_then(|store| store.find(key));
                match &found {
                    Some(_) => add(&self.counters.found, 1),
                    None => open.push((key, Arc::from(text))),
                }
                found.map(Arc::new)
            });
        }
        for (key, cell) in self.compute(&prepared, &open)? {
            cells.insert(key, Some(Arc::new(cell)));
        }
        Ok(keys.iter().map(|key| key.as_ref().and_then(|key| cells.get(key).cloned().flatten())).collect())
    }

    /// Has the model answer. Every answer is kept as soon as it is known.
    fn compute(&self, prepared: &Prepared, open: &[(Key, Arc<str>)]) -> Result<Vec<(Key, Cell)>, Error> {
        let begun = RefCell::new(Vec::with_capacity(open.len()));
        let mut texts = open.iter().map(|(_, text)| {
            begun.borrow_mut().push(Instant::now());
            Arc::clone(text)
        });
        let mut cells = Vec::with_capacity(open.len());
        let mut kept = Ok(());
        prepared.function.apply_each(&mut texts, &mut |index, result| {
            let ms = begun.borrow()[index].elapsed().as_millis();
            let cell = cell::of(result, u64::try_from(ms).unwrap_or(u64::MAX));
            self.count(cell.status);
            if let (Some(store), Ok(())) = (&self.store, &kept) {
                kept = store.keep(open[index].0, &cell);
            }
            cells.push((open[index].0, cell));
        })?;
        kept?;
        if let Some(store) = &self.store {
            store.share(true)?;
        }
        Ok(cells)
    }

    fn count(&self, status: Status) {
        match status {
            Status::Ok | Status::Na => add(&self.counters.computed, 1),
            Status::Unparsable | Status::Failed => add(&self.counters.failed, 1),
        }
    }

    /// The function, made at its first use. Others wait meanwhile.
    fn prepared(&self, asked: &Asked) -> Result<Arc<Prepared>, Error> {
        let mut all = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = all.get(asked) {
            return Ok(Arc::clone(prepared));
        }
        let Source { model, fingerprint, settings, .. } = &self.source;
        let function = Function::new(asked.task()?, Arc::clone(model), settings.clone())?;
        let keys = Keys::new(&function.identity(), fingerprint);
        let prepared = Arc::new(Prepared { function, keys });
        all.insert(asked.clone(), Arc::clone(&prepared));
        Ok(prepared)
    }
}

impl fmt::Debug for Answerer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answerer").field("model", &self.source.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::form::Form;
    use saydo_model::ScriptedModel;

    /// A model that finds "Yes" likeliest, and says where it was asked to speak.
    pub(crate) fn source() -> Source {
        let model = ScriptedModel::new(|_| "trail".to_owned()).with_log_prob(|_, text| match text {
            "Yes" => -0.1,
            _ => -3.0,
        });
        Source {
            model: Arc::new(model),
            name: "scripted".into(),
            fingerprint: "scripted".into(),
            settings: Settings::default(),
        }
    }

    fn asked() -> Asked {
        Asked::new(Form::YES_NO, "Are dogs allowed?", &[])
    }

    #[test]
    fn equal_texts_are_asked_about_once_and_no_text_has_no_answer() {
        let answerer = Answerer::new(source(), None);
        let cells = answerer.answer(&asked(), &[Some("a dog"), None, Some("a dog"), Some("a cat")]).unwrap();
        assert_eq!(cells.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true, true]);
        assert_eq!(cells[0], cells[2]);
        assert_eq!(answerer.counts().computed, 2);
    }

    #[test]
    fn what_another_process_answered_is_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = |name| Some(Store::open(folder.path(), name, None).unwrap());
        let [first, second] = ["a", "b"].map(|name| Answerer::new(source(), store(name)));
        let texts: Vec<String> = (0..10).map(|number| format!("text {number}")).collect();
        let texts: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
        let cells = first.answer(&asked(), &texts[..6]).unwrap();
        let again = second.answer(&asked(), &texts).unwrap();
        assert_eq!(cells[..], again[..6]);
        assert_eq!((second.counts().found, second.counts().computed), (6, 4));
    }
}
