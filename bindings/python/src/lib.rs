//! The extension module `saydo._saydo`: the library `saydo` for the Python package around it.
//!
//! Everything is computed here; the package gives it Python's types. A call that computes releases the interpreter and can
//! be interrupted ([`interrupt`]). Errors become exceptions with their hint ([`error`]).

mod arrow;
mod callable;
mod check;
mod error;
mod evaluate;
mod export;
mod function;
mod interrupt;
mod prompts;
mod rows;
mod score;
mod session;
mod texts;

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// The engine of the package `saydo`; private, use `saydo`.
#[pymodule]
fn _saydo(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("DEFAULT_MODEL", saydo::session::DEFAULT_MODEL)?;
    module.add_class::<session::Session>()?;
    module.add_class::<function::Function>()?;
    module.add_class::<rows::Rows>()?;
    module.add_function(wrap_pyfunction!(rows::run, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(score::score, module)?)?;
    module.add_function(wrap_pyfunction!(export::plan, module)?)?;
    module.add_function(wrap_pyfunction!(export::score_replies, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}

/// The program `saydo` with these arguments, its own name first; gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| saydo_cli::run(arguments.into_iter()));
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(2)
}
