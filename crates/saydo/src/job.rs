//! Whole jobs: typed settings in, typed reports out. They print nothing: what happens while a job works is told to a [`Watch`].

pub mod bench;
pub mod calibration;
pub mod check;
pub mod eval;
pub mod experiment;
pub mod labelled;
pub mod refine;
pub mod run;
pub mod train;
pub mod turking;

/// What a job says while it works.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Something that a user should know.
    Note(&'a str),
    /// What is done now, where nobody can say how far it is: until the next event.
    Waiting(&'a str),
    /// How far a part of the job is. The part is over when `done` is `all`.
    Progress {
        /// What is counted: `rows`, `samples`, `labels`.
        unit: &'static str,
        /// How many are done, those included that were recorded before.
        done: usize,
        /// How many of them are new.
        new: usize,
        /// How many there are.
        all: usize,
    },
    /// What happens in a training.
    Training {
        /// The event.
        event: &'a saydo_train::Event,
        /// How many updates the training has.
        steps: usize,
    },
}

/// Is told what a job does. `&mut |_| {}` watches nothing.
pub type Watch<'a> = dyn FnMut(Event<'_>) + 'a;

/// Tells a watch something that a user should know.
pub(crate) fn note(watch: &mut Watch<'_>, text: &str) {
    watch(Event::Note(text));
}
