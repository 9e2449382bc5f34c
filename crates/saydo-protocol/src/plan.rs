//! Everything that is asked of a model under a protocol, laid out before the first reply.

mod ablation;
mod builder;
mod labelled;
mod natural_instructions;
mod reading;
mod replayed;
mod super_natural_instructions;
mod turking;
mod zest;

pub use ablation::Ablation;
pub use reading::Source;

use crate::{Error, GoldTask, Length, NamedDecoding, Protocol, Sample};
use saydo_encode::{Layout, Tokens};
use saydo_eval::labelled::LabelledRow;
use saydo_function::Settings;
use saydo_model::PromptLimit;
use saydo_task::Task;
use saydo_task::reading::Style;
use saydo_task::seen::Seen;
use std::sync::Arc;

/// The questions of a run, in the order they are asked.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The protocol.
    pub protocol: Protocol,
    /// The tasks that are evaluated, with their instances and gold.
    pub tasks: Vec<GoldTask>,
    /// The same tasks with all their parts, for functions and baselines.
    pub sources: Vec<Task>,
    /// The names of the layouts.
    pub layouts: Vec<String>,
    /// The decodings.
    pub decodings: Vec<NamedDecoding>,
    /// What prompts begin with, each once.
    pub prefixes: Vec<Arc<str>>,
    /// The questions.
    pub samples: Vec<Sample>,
    /// What a user should know about how the plan was made.
    pub notes: Vec<String>,
}

/// How a plan is made. What is left empty is the protocol's own.
pub struct Options<'a> {
    /// Layouts by name.
    pub layouts: Vec<String>,
    /// How many examples a prompt holds, under layouts that have any.
    pub examples: Examples,
    /// What the model reads, if it is known; a longer prompt is shortened by [`saydo_encode::FittingEncoder`].
    pub max_prompt: Option<PromptLimit>,
    /// Instances of each task.
    pub limit: Option<usize>,
    /// Decodings.
    pub decodings: Vec<NamedDecoding>,
    /// Whether instances without gold are asked, too, for predictions.
    pub unlabelled: bool,
    /// What is left out of the inputs.
    pub ablation: Option<Ablation>,
    /// Seed of everything random.
    pub seed: u64,
    /// What counts tokens.
    pub tokens: Tokens<'a>,
    /// How functions ask the model, and whether prompts are put as a turn of a conversation.
    pub settings: &'a Settings,
    /// What tells the model from others.
    pub fingerprint: &'a str,
    /// What the model has learned; samples of it are marked.
    pub seen: Option<&'a Seen>,
}

/// How many examples a prompt holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Examples {
    /// The layout's own number.
    #[default]
    OfLayout,
    /// So many.
    Count(usize),
    /// As many as the longest prompt holds.
    Most,
}

/// What prompts look like where nobody has chosen: the layout each paper reports.
pub fn default_layout(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Zest | Protocol::Labelled | Protocol::Reading => "zest-t5",
        Protocol::NaturalInstructions => "ni-full",
        Protocol::SuperNaturalInstructions => "tk-instruct",
        Protocol::Turking => "turking",
    }
}

/// The decodings of a paper for prompts in a layout, those of models drawn without a seed of their own.
pub fn own_decodings(protocol: Protocol, layout: &str) -> Result<Vec<NamedDecoding>, Error> {
    Ok(match protocol {
        Protocol::Zest => vec![zest::own_decoding(&Layout::named(layout)?)],
        Protocol::NaturalInstructions => natural_instructions::decodings(),
        Protocol::SuperNaturalInstructions => super_natural_instructions::decodings(),
        Protocol::Turking => turking::decodings(0),
        Protocol::Labelled | Protocol::Reading => vec![NamedDecoding::held()],
    })
}

impl Plan {
    /// The plan of a protocol over tasks.
    pub fn new(protocol: Protocol, tasks: Vec<Task>, options: &Options<'_>) -> Result<Self, Error> {
        let tasks = match options.ablation {
            Some(ablation) => ablation.apply(tasks, options.decodings.iter().any(NamedDecoding::is_held)),
            None => tasks,
        };
        let plan = match protocol {
            Protocol::Zest => zest::plan(tasks, options)?,
            Protocol::NaturalInstructions => natural_instructions::plan(tasks, options)?,
            Protocol::SuperNaturalInstructions => super_natural_instructions::plan(tasks, options)?,
            Protocol::Turking => turking::plan(tasks, options)?,
            Protocol::Labelled => zest::plan_labelled(tasks, options)?,
            Protocol::Reading => reading::plan(vec![Source::new("data", Style::Alternatives, tasks)], options)?,
        };
        plan.not_empty()
    }

    /// The plan of a user's own task on labelled rows.
    pub fn labelled(task: Task, rows: Vec<LabelledRow>, options: &Options<'_>) -> Result<Self, Error> {
        labelled::plan(task, rows, options)?.not_empty()
    }

    /// The plan of questions over texts, from one or several sources.
    pub fn reading(sources: Vec<Source>, options: &Options<'_>) -> Result<Self, Error> {
        reading::plan(sources, options)?.not_empty()
    }

    /// The plan that stored predictions of Natural Instructions follow: their tasks, encodings and instances.
    pub fn replayed(
        tasks: Vec<Task>,
        stored: &[saydo_eval::natural_instructions::Stored],
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        replayed::plan(tasks, stored, options)?.not_empty()
    }

    /// The whole prompt of a sample.
    pub fn prompt(&self, sample: &Sample) -> String {
        [&*self.prefixes[sample.prefix], &*sample.text].concat()
    }

    fn not_empty(self) -> Result<Self, Error> {
        if self.samples.is_empty() { Err(Error::NothingToAsk) } else { Ok(self) }
    }
}

impl Options<'_> {
    fn layouts(&self, protocol: Protocol) -> Result<Vec<(String, Layout)>, Error> {
        let own = [default_layout(protocol).to_owned()];
        let names = if self.layouts.is_empty() { &own[..] } else { &self.layouts[..] };
        names.iter().map(|name| Ok((name.clone(), Layout::named(name)?))).collect()
    }

    /// Tokens of the longest prompt before replies under these decodings.
    fn max_prompt(&self, decodings: &[NamedDecoding]) -> Option<usize> {
        let reply = |decoding: &NamedDecoding| match decoding.length {
            Length::Tokens(tokens) | Length::BeyondResource(tokens) => tokens,
        };
        let longest = decodings.iter().map(reply).max().unwrap_or(0);
        self.max_prompt.map(|limit| limit.before(longest))
    }

    fn decodings(&self, own: impl FnOnce() -> Vec<NamedDecoding>) -> Vec<NamedDecoding> {
        if self.decodings.is_empty() { own() } else { self.decodings.clone() }
    }
}
