//! Puts a plan together: every prefix once, and a key for every sample.

use super::{Options, Plan};
use crate::{Error, GoldTask, NamedDecoding, Protocol, Sample};
use saydo_corpus::Keys;
use saydo_encode::{Dropped, FittingEncoder, Layout, Prompt};
use saydo_function::Function;
use saydo_task::seen::normalized;
use saydo_task::{Ablation, Task};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) struct Builder<'a> {
    plan: Plan,
    places: HashMap<Arc<str>, usize>,
    /// For each decoding, and each of its draws. Held decoding has none here: its keys depend on the task.
    keys: Vec<Vec<Keys>>,
    /// Tokens of the longest prompt.
    pub max_prompt: Option<usize>,
    options: &'a Options<'a>,
}

/// Where a prompt comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct From {
    pub task: usize,
    pub instance: usize,
    pub layout: usize,
    pub examples: usize,
}

impl<'a> Builder<'a> {
    pub fn new(
        protocol: Protocol,
        layouts: Vec<String>,
        decodings: Vec<NamedDecoding>,
        options: &'a Options<'a>,
    ) -> Self {
        let max_prompt = options.max_prompt(&decodings);
        let keys = decodings.iter().map(|decoding| keys(decoding, options)).collect();
        let plan = Plan {
            protocol,
            tasks: Vec::new(),
            sources: Vec::new(),
            layouts,
            decodings,
            prefixes: Vec::new(),
            samples: Vec::new(),
            notes: Vec::new(),
        };
        Self { plan, places: HashMap::new(), keys, max_prompt, options }
    }

    /// Adds a task with the instances at these positions; gives its number.
    pub fn task(&mut self, task: Task, instances: &[usize]) -> usize {
        let mut gold = GoldTask::new(&task, instances);
        if self.plan.decodings.iter().any(NamedDecoding::is_constrained) {
            gold.kind = Some(saydo_function::infer::infer_task(&task).spec.kind.name().to_owned());
        }
        if let Some(seen) = self.options.seen {
            let by_rows = matches!(self.plan.protocol, Protocol::Labelled | Protocol::Reading);
            gold.mark(&task, seen, by_rows);
        }
        self.plan.tasks.push(gold);
        self.plan.sources.push(task);
        self.plan.tasks.len() - 1
    }

    /// The task that was added under a number.
    pub fn source(&self, task: usize) -> &Task {
        &self.plan.sources[task]
    }

    /// Adds the prompts of a task's evaluated instances in a layout, under some decodings. Every protocol's prompts are made
    /// here, so that what a prompt shows is never scored: instances whose input it gives away with an output are passed over.
    pub fn lay_out(
        &mut self,
        task: usize,
        (layout, laid_out): (usize, &Layout),
        decodings: &[usize],
    ) -> Result<(), Error> {
        let source = &self.plan.sources[task];
        let examples = laid_out.num_examples(source);
        let borrowed = laid_out.borrowed_instances(source);
        let shown: HashSet<String> = laid_out.shown_inputs(source).into_iter().map(normalized).collect();
        // Inputs that are left out are all alike, and give nothing away.
        let has_inputs = self.options.ablation != Some(Ablation::QuestionOnly);
        let encoder = FittingEncoder::new(source, laid_out, self.max_prompt, self.options.tokens)?;
        let mut prompts = Vec::new();
        for (place, instance) in self.plan.tasks[task].instances.iter().enumerate() {
            let is_shown = borrowed.contains(&instance.number)
                || has_inputs && shown.contains(&normalized(&source.instances[instance.number].input));
            if !is_shown {
                prompts.push((place, encoder.prompt(&source.instances[instance.number].input)));
            }
        }
        let passed_over = self.plan.tasks[task].instances.len() - prompts.len();
        if passed_over > 0 {
            let id = self.plan.tasks[task].id.clone();
            self.note(format!("{id}: {passed_over} instances that its prompts show as examples are not scored"));
        }
        for (instance, (prompt, dropped)) in prompts {
            let examples = examples.saturating_sub(dropped.examples);
            for decoding in decodings {
                self.prompt(From { task, instance, layout, examples }, &prompt, &dropped, *decoding);
            }
        }
        Ok(())
    }

    /// The input of one of a task's evaluated instances.
    pub fn instance_input(&self, task: usize, instance: usize) -> String {
        self.plan.tasks[task].instances[instance].input.clone()
    }

    /// Adds a prompt under all draws of a decoding.
    pub fn prompt(&mut self, from: From, prompt: &Prompt, dropped: &Dropped, decoding: usize) {
        let prefix = self.prefix(&prompt.prefix);
        let name = self.name(from);
        for (draw, keys) in self.keys[decoding].iter().enumerate() {
            let key = keys.of(&[&name, &*prompt.prefix, &prompt.suffix].concat());
            let From { task, instance, layout, examples } = from;
            let text = prompt.suffix.clone();
            let dropped = dropped.clone();
            self.plan.samples.push(Sample {
                key,
                task,
                instance,
                layout,
                examples,
                decoding,
                draw,
                prefix,
                text,
                dropped,
            });
        }
    }

    /// Adds every instance of a task for its function to answer.
    pub fn constrained(&mut self, task: usize, layout: usize, decoding: usize) {
        let identity = Function::identity_of(&self.plan.sources[task], self.options.settings);
        let keys = Keys::new(&identity, self.options.fingerprint);
        let prefix = self.prefix(&Arc::from(self.plan.tasks[task].description.as_str()));
        let source = &self.plan.sources[task];
        let examples = source.positive.iter().chain(&source.negative);
        let shown: HashSet<String> = examples.map(|example| normalized(&example.input)).collect();
        for instance in 0..self.plan.tasks[task].instances.len() {
            if shown.contains(&normalized(&self.plan.tasks[task].instances[instance].input)) {
                continue;
            }
            let from = From { task, instance, layout, examples: 0 };
            let text = self.plan.tasks[task].instances[instance].input.clone();
            let key = keys.of(&[&self.name(from), text.as_str()].concat());
            self.plan.samples.push(Sample {
                key,
                task,
                instance,
                layout,
                examples: 0,
                decoding,
                draw: 0,
                prefix,
                text,
                dropped: Dropped::default(),
            });
        }
    }

    pub fn note(&mut self, note: String) {
        self.plan.notes.push(note);
    }

    pub fn finish(self) -> Plan {
        self.plan
    }

    /// Two instances may have the same input, and two layouts the same prompt, and stored replies to them differ all the
    /// same: each has a key of its own.
    fn name(&self, from: From) -> String {
        let task = &self.plan.tasks[from.task];
        let number = task.instances[from.instance].number;
        format!("{}\n{number}\n{}\n{}\n", task.id, self.plan.layouts[from.layout], from.examples)
    }

    fn prefix(&mut self, prefix: &Arc<str>) -> usize {
        if let Some(place) = self.places.get(prefix) {
            return *place;
        }
        let place = self.plan.prefixes.len();
        self.plan.prefixes.push(Arc::clone(prefix));
        self.places.insert(Arc::clone(prefix), place);
        place
    }
}

fn keys(decoding: &NamedDecoding, options: &Options<'_>) -> Vec<Keys> {
    if decoding.is_constrained() {
        return Vec::new();
    }
    let key = |draw: usize| {
        let identity = json!({
            "form": if options.settings.chat { "chat" } else { "plain" },
            "strategy": decoding.strategy,
            "length": decoding.length,
            "stop": decoding.stop,
            "draw": draw,
        });
        Keys::new(&identity, options.fingerprint)
    };
    (0..decoding.draws).map(key).collect()
}
