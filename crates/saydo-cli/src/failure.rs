//! How a command ends: done, done but the answer is no, or could not run.

use std::io;
use std::process::ExitCode;

/// What a command that ran to its end has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Done,
    /// Done, but a check failed or a threshold was missed.
    No,
}

impl Verdict {
    /// 0 or 1.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Verdict::Done => ExitCode::SUCCESS,
            Verdict::No => ExitCode::from(1),
        }
    }
}

/// Why a command could not run, with what to do about it: for mistakes in the arguments.
#[derive(Debug)]
pub struct Hinted {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: &'static str,
}

impl std::fmt::Display for Hinted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

/// Prints why a command could not run, and gives exit code 2. A reader that closed the pipe had enough: that is quiet.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let is_closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  because: {cause}");
    }
    if let Some(hint) = hint(error) {
        eprintln!("  hint: {}", hint.replace('\n', "\n        "));
    }
    ExitCode::from(2)
}

/// What to do about it, where that is known.
fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<saydo::Error>() {
            return error.hint().or_else(|| match error {
                saydo::Error::Task(error) => task_hint(error),
                _ => None,
            });
        }
        let task = cause.downcast_ref::<saydo_task::Error>();
        let problem = cause.downcast_ref::<saydo_task::problem::Problem>();
        task.and_then(task_hint)
            .or_else(|| problem.map(|problem| problem.hint().to_owned()))
            .or_else(|| cause.downcast_ref::<saydo_hub::Error>().and_then(saydo_hub::Error::hint))
            .or_else(|| cause.downcast_ref::<Hinted>().map(|error| error.hint.to_owned()))
            .or_else(|| cause.downcast_ref::<saydo_corpus::Error>().and_then(saydo_corpus::Error::hint))
    })
}

fn task_hint(error: &saydo_task::Error) -> Option<String> {
    match error {
        saydo_task::Error::Invalid(problem) => Some(problem.hint().to_owned()),
        saydo_task::Error::Leaks { .. } => Some("shared texts can be allowed with --allow-shared-texts".to_owned()),
        saydo_task::Error::Exists { .. } => Some("--force replaces it".to_owned()),
        saydo_task::Error::Read { path, source } if source.kind() == io::ErrorKind::NotFound => {
            Some(format!("did you mean {}?", saydo::nearest::nearest_file(path)?.display()))
        }
        _ => None,
    }
}
