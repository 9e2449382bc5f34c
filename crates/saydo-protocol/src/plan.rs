//! Everything that is asked of a model under a protocol, laid out before the first reply.

pub(crate) mod builder;

pub use crate::reading::Source;

use crate::labelled::LabelledRow;
use crate::{Error, GoldInstance, GoldTask, Length, NamedDecoding, Protocol, Sample};
use saydo_encode::{Layout, Tokens};
use saydo_function::Settings;
use saydo_model::PromptLimit;
use saydo_task::reading::Style;
use saydo_task::seen::Seen;
use saydo_task::{Ablation, Task};
use std::str::FromStr;
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
    /// How functions ask the model, and whether prompts use its chat template.
    pub settings: &'a Settings,
    /// What tells the model from others.
    pub fingerprint: &'a str,
    /// What the model has learned; samples of it are marked.
    pub seen: Option<&'a Seen>,
}

impl<'a> Options<'a> {
    /// The protocol's own everything, for the model of this fingerprint; tokens are not counted.
    pub fn new(settings: &'a Settings, fingerprint: &'a str) -> Self {
        Self {
            layouts: Vec::new(),
            examples: Examples::OfLayout,
            max_prompt: None,
            limit: None,
            decodings: Vec::new(),
            unlabelled: false,
            ablation: None,
            seed: 0,
            tokens: Tokens::UNCOUNTED,
            settings,
            fingerprint,
            seen: None,
        }
    }
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

impl FromStr for Examples {
    type Err = &'static str;

    /// Reads a number, or `max`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "max" => Ok(Self::Most),
            _ => text.parse().map(Self::Count).map_err(|_| "expected a number, or max"),
        }
    }
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
        Protocol::Zest => vec![crate::zest::plan::own_decoding(&Layout::named(layout)?)],
        Protocol::NaturalInstructions => crate::natural_instructions::plan::decodings(),
        Protocol::SuperNaturalInstructions => crate::super_natural_instructions::plan::decodings(),
        Protocol::Turking => crate::turking::plan::decodings(0),
        Protocol::Labelled | Protocol::Reading => vec![NamedDecoding::constrained()],
    })
}

impl Plan {
    /// The plan of a protocol over tasks.
    pub fn new(protocol: Protocol, tasks: Vec<Task>, options: &Options<'_>) -> Result<Self, Error> {
        let tasks = match options.ablation {
            Some(ablation) => ablation.apply(tasks, options.decodings.iter().any(NamedDecoding::is_constrained)),
            None => tasks,
        };
        let plan = match protocol {
            Protocol::Zest => crate::zest::plan::plan(tasks, options)?,
            Protocol::NaturalInstructions => crate::natural_instructions::plan::plan(tasks, options)?,
            Protocol::SuperNaturalInstructions => crate::super_natural_instructions::plan::plan(tasks, options)?,
            Protocol::Turking => crate::turking::plan::plan(tasks, options)?,
            Protocol::Labelled => crate::zest::plan::plan_labelled(tasks, options)?,
            Protocol::Reading => {
                crate::reading::plan::plan(vec![Source::new("data", Style::Alternatives, tasks)], options)?
            }
        };
        plan.not_empty()
    }

    /// The plan of a user's own task on labelled rows.
    pub fn labelled(task: Task, rows: Vec<LabelledRow>, options: &Options<'_>) -> Result<Self, Error> {
        crate::labelled::plan::plan(task, rows, options)?.not_empty()
    }

    /// The plan of questions over texts, from one or several sources.
    pub fn reading(sources: Vec<Source>, options: &Options<'_>) -> Result<Self, Error> {
        crate::reading::plan::plan(sources, options)?.not_empty()
    }

    /// The plan that stored predictions of Natural Instructions follow: their tasks, encodings and instances.
    pub fn replayed(
        tasks: Vec<Task>,
        stored: &[crate::natural_instructions::Stored],
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        crate::natural_instructions::replayed::plan(tasks, stored, options)?.not_empty()
    }

    /// The task of a sample.
    pub fn task(&self, sample: &Sample) -> &GoldTask {
        &self.tasks[sample.task]
    }

    /// The instance of a sample.
    pub fn instance(&self, sample: &Sample) -> &GoldInstance {
        &self.task(sample).instances[sample.instance]
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
    pub(crate) fn layouts(&self, protocol: Protocol) -> Result<Vec<(String, Layout)>, Error> {
        let own = [default_layout(protocol).to_owned()];
        let names = if self.layouts.is_empty() { &own[..] } else { &self.layouts[..] };
        names.iter().map(|name| Ok((name.clone(), Layout::named(name)?))).collect()
    }

    /// Tokens of the longest prompt before replies under these decodings.
    pub(crate) fn max_prompt(&self, decodings: &[NamedDecoding]) -> Option<usize> {
        let reply = |decoding: &NamedDecoding| match decoding.length {
            Length::Tokens(tokens) | Length::BeyondResource(tokens) => tokens,
        };
        let longest = decodings.iter().map(reply).max().unwrap_or(0);
        self.max_prompt.map(|limit| limit.before(longest))
    }

    pub(crate) fn decodings(&self, own: impl FnOnce() -> Vec<NamedDecoding>) -> Vec<NamedDecoding> {
        if self.decodings.is_empty() { own() } else { self.decodings.clone() }
    }
}
