//! From errors of the library to exceptions of the package, with message and hint.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::error::Error;

/// Which exception: a class of `saydo._errors`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anything else.
    Other,
    /// There is no such model, or it cannot be used.
    Model,
    /// A description or task file cannot be used.
    Task,
    /// Data cannot be read or written.
    Data,
}

/// The exception of this kind.
pub fn exception(py: Python<'_>, kind: Kind, message: &str, hint: Option<&str>) -> PyErr {
    static OTHER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static MODEL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static TASK: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (class, name) = match kind {
        Kind::Other => (&OTHER, "Error"),
        Kind::Model => (&MODEL, "ModelError"),
        Kind::Task => (&TASK, "TaskError"),
        Kind::Data => (&DATA, "DataError"),
    };
    match class.import(py, "saydo._errors", name).and_then(|class| class.call1((message, hint))) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// The exception of an error of this kind, what it is because of included.
pub fn of(py: Python<'_>, kind: Kind, error: &(dyn Error + 'static)) -> PyErr {
    exception(py, kind, &chain(error), hint(error).as_deref())
}

/// The exception of an error of the library.
pub fn of_library(py: Python<'_>, error: &saydo::Error) -> PyErr {
    of(py, kind(error), error)
}

/// The exception of an answer that failed.
pub fn of_function(py: Python<'_>, error: &saydo_function::Error) -> PyErr {
    of(py, if matches!(error, saydo_function::Error::Model(_)) { Kind::Model } else { Kind::Other }, error)
}

/// Bad arguments of a call.
pub fn of_arguments(py: Python<'_>, message: &str) -> PyErr {
    exception(py, Kind::Other, message, None)
}

fn kind(error: &saydo::Error) -> Kind {
    use saydo::Error as E;
    match error {
        E::NoTaskFile { .. } | E::EmptyTask | E::SeveralTasks { .. } | E::NoFunction { .. } | E::Task(_) => Kind::Task,
        E::Corpus(_) | E::Read { .. } | E::Write { .. } | E::Busy { .. } | E::Row(_) => Kind::Data,
        E::Function(error) if !matches!(error, saydo_function::Error::Model(_)) => Kind::Other,
        E::Function(_)
        | E::Hub(_)
        | E::Model(_)
        | E::Server(_)
        | E::LoadModel { .. }
        | E::NoServer { .. }
        | E::NoScript { .. }
        | E::NoEvidence { .. }
        | E::NotLocal { .. }
        | E::AdapterElsewhere { .. }
        | E::ShippedAdapter { .. }
        | E::BadTrained { .. }
        | E::OtherWording { .. }
        | E::NoThreads
        | E::Temperature { .. }
        | E::Timeout { .. } => Kind::Model,
        _ => Kind::Other,
    }
}

/// What to do about it, where one of the causes knows.
fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let found = match error.downcast_ref::<saydo_task::Error>() {
            Some(saydo_task::Error::Invalid(problem)) => Some(problem.hint().to_owned()),
            _ => error
                .downcast_ref::<saydo::Error>()
                .and_then(saydo::Error::hint)
                .or_else(|| error.downcast_ref::<saydo_corpus::Error>().and_then(saydo_corpus::Error::hint)),
        };
        if found.is_some() {
            return found;
        }
        cause = error.source();
    }
    None
}

/// An error and what it is because of, in one line.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
