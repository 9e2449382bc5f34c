//! What is learned from, and what is held back: from files of tasks and of questions over documents to examples.

mod draw;
mod exercise;
mod mixture;
mod own_labels;
mod pages;
mod settings;
mod upper_bound;

pub use mixture::{Mixture, SamplingRate};
pub use own_labels::{OwnLabels, with_own_labels};
pub use settings::{DataSettings, SeenTasks};

use crate::{Error, Example, Room, shuffle};
use pages::Questions;
use saydo_encode::{Dropped, Layout};
use saydo_file::digest::Sum;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::natural_instructions::{EVALUATION_TASKS, subtask_number};
use saydo_task::seen::normalized;
use saydo_task::split::{Split, TaskRef, fingerprint};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use upper_bound::Parts;

/// Examples to learn from, and tasks to validate on.
pub struct Data {
    /// How many tasks are learned from.
    pub seen: usize,
    /// What is learned from.
    pub examples: Vec<Example>,
    /// The tasks that are held back.
    pub dev: Vec<Task>,
    /// What was left out because it stands among the unseen tasks.
    pub leaks: Leaks,
    /// The labels of the bundles whose tasks ask for one.
    pub labels: LabelSets,
    /// What prompts lack because the model does not read that much, by how many of them.
    pub lacking: BTreeMap<String, usize>,
    /// How often each source is learned from, where there are several.
    pub rates: Vec<SamplingRate>,
    /// What tells the data from others.
    pub fingerprint: String,
}

/// Labels by the number of a bundle, which is its examples' `task`.
pub type LabelSets = HashMap<usize, Vec<String>>;

/// How tasks become examples.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    /// Instances of a task that come together.
    pub bundle: usize,
    /// The layout in which the untrained model gives the probabilities to keep on tasks with labels, if not the training layout.
    pub told: Option<&'a str>,
    /// How long prompts may be.
    pub room: Room<'a>,
}

/// What was left out because it must stay unseen.
pub struct Leaks {
    /// Tasks.
    pub tasks: usize,
    /// Instances of other tasks.
    pub instances: usize,
}

impl Data {
    /// Loads tasks and makes examples of them.
    pub fn load(settings: &DataSettings, seed: u64, making: Making<'_>) -> Result<Self, Error> {
        let mut layouts = settings.layout.iter().map(|name| Layout::named(name)).collect::<Result<Vec<_>, _>>()?;
        if layouts.is_empty() {
            layouts.push(Layout::named(DataSettings::LAYOUT)?);
        }
        let told = making.told.map(Layout::named).transpose()?;
        let num_caps = settings.per_task_cap.len();
        if num_caps > 1 && num_caps != settings.data.len() {
            return Err(Error::Caps {
                caps: "--per-task-cap",
                given: num_caps,
                of: "--data",
                files: settings.data.len(),
            });
        }
        let mut tasks = Vec::new();
        let (mut caps, mut sources) = (HashMap::new(), HashMap::new());
        for (number, path) in settings.data.iter().enumerate() {
            let loaded = tasks_of(path)?;
            let cap = settings.per_task_cap.get(number).or(settings.per_task_cap.last()).copied().unwrap_or(usize::MAX);
            caps.extend(loaded.iter().map(|task| (task.id.clone(), cap)));
            sources.extend(loaded.iter().map(|task| (task.id.clone(), number)));
            tasks.extend(loaded);
        }
        let mut reading = settings.reading.iter().map(|path| Questions::load(path)).collect::<Result<Vec<_>, _>>()?;
        let mut unseen = settings.unseen.iter().map(|path| tasks_of(path)).collect::<Result<Vec<_>, _>>()?.concat();
        let mut dev_side = Vec::new();
        // What is evaluated is never learned from, nor are its inputs elsewhere: what the split says, or else the paper's tasks.
        if let Some(id) = &settings.upper_bound {
            let Parts { learned, dev, measured } = upper_bound::parts(&tasks, id)?;
            (tasks, dev_side) = (vec![learned], vec![dev]);
            unseen.push(measured);
        } else if let Some(split) = &settings.split {
            let asked = reading.iter().flat_map(|questions| questions.tasks().iter().cloned()).collect();
            let all = [tasks.clone(), asked].concat();
            let Split { seen, dev, unseen: held_out, .. } = Split::named(split, &all)?;
            unseen.extend(named(&all, &held_out));
            dev_side = named(&tasks, dev.as_deref().unwrap_or_default());
            // Nothing validates on questions over documents, but the dev side is no less unseen.
            unseen.extend(
                named(&all, dev.as_deref().unwrap_or_default()).into_iter().filter(|task| !dev_side.contains(task)),
            );
            tasks = named(&tasks, &seen);
            reading.iter_mut().for_each(|questions| questions.keep(&seen));
        } else {
            let is_evaluated =
                |task: &&Task| subtask_number(&task.id).is_some_and(|number| EVALUATION_TASKS.contains(&number));
            unseen.extend(tasks.iter().filter(is_evaluated).cloned());
        }
        tasks.retain(|task| task.instances.iter().any(|instance| !instance.outputs.is_empty()));
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        let leaks = leave_out(&mut tasks, &[&unseen[..], &dev_side].concat());
        let dev = if settings.data.is_empty() {
            Vec::new()
        } else if dev_side.is_empty() {
            let count = settings.dev_tasks.unwrap_or(DataSettings::DEV_TASKS);
            if tasks.len() <= count {
                return Err(Error::TooFewTasks { tasks: tasks.len(), held_back: count });
            }
            held_back(&mut tasks, count)
        } else {
            let count = settings.dev_tasks.unwrap_or(usize::MAX).min(dev_side.len());
            held_back(&mut dev_side, count)
        };
        keep_seen(settings, &mut tasks, &mut reading, seed)?;
        let (tasks, dev) = match settings.ablation {
            Some(ablation) => (ablation.apply(tasks, false), ablation.apply(dev, false)),
            None => (tasks, dev),
        };
        let (examples, labels, fingerprint) = (Vec::new(), LabelSets::new(), String::new());
        let (lacking, rates) = (BTreeMap::new(), Vec::new());
        let asked: usize = reading.iter().map(|questions| questions.tasks().len()).sum();
        let mut data = Self { seen: tasks.len() + asked, examples, dev, leaks, labels, lacking, rates, fingerprint };
        // Of each example, which of the sources it is of: those of tasks first, then those of questions.
        let mut origins: Vec<usize> = Vec::new();
        for task in &tasks {
            let cap = caps[&task.id].min(label_cap(task, settings.label_cap));
            data.add_bundles(task, (&layouts, told.as_ref()), cap, settings.draw_examples.then_some(seed), making)?;
            let taken = task.instances.len().min(cap);
            for task in settings.exercises.iter().flat_map(|most| exercise::exercises(task, taken, *most, seed)) {
                data.add_bundles(&task, (&layouts, None), usize::MAX, None, making)?;
            }
            origins.resize(data.examples.len(), sources[&task.id]);
        }
        let texts: Vec<String> =
            unseen.iter().flat_map(|task| &task.instances).map(|one| normalized(&one.input)).collect();
        let is_unseen = |passage: &str| {
            let passage = normalized(passage);
            texts.iter().any(|text| text.contains(&passage))
        };
        let of_files = pages::pages(reading, &settings.reading_cap, seed, settings.ablation, &is_unseen)?;
        for (number, pages) in of_files.into_iter().enumerate() {
            for page in pages {
                data.examples.extend(page.examples(data.next_number()));
            }
            origins.resize(data.examples.len(), settings.data.len() + number);
        }
        data.mix(settings, origins, seed);
        data.fingerprint = digest(&data.examples);
        Ok(data)
    }

    /// The instances of a task, bundle by bundle: each with a layout in turn and, with a seed to draw by, examples of its
    /// own. With labels, each also in the layout of the probabilities to keep.
    fn add_bundles(
        &mut self,
        task: &Task,
        (layouts, told): (&[Layout], Option<&Layout>),
        cap: usize,
        drawn: Option<u64>,
        making: Making<'_>,
    ) -> Result<(), Error> {
        let bundles = task.instances.len().min(cap).div_ceil(making.bundle.max(1));
        let labels = draw::labels(task);
        let told = told.filter(|_| labels.is_some());
        for bundle in 0..bundles {
            let number = self.next_number();
            let layout = &layouts[number % layouts.len()];
            let task = match drawn {
                Some(seed) => &draw::with_drawn_examples(task, num_examples(layout), bundle, seed),
                None => task,
            };
            let instances = chosen(task, layout, cap, drawn.is_some());
            let mut own: Vec<usize> = instances.into_iter().skip(bundle).step_by(bundles).collect();
            let shown = told.map_or_else(Vec::new, |told| borrowed(task, told));
            own.retain(|instance| !shown.contains(instance));
            if own.is_empty() {
                // Its number goes to the next bundle, which may be of a task without labels.
                continue;
            }
            let made = Example::of_task(number, task, &own, layout, making.room)?;
            for (what, count) in Dropped::tally(made.iter().map(|(_, dropped)| dropped)) {
                *self.lacking.entry(what).or_default() += count;
            }
            let mut examples: Vec<Example> = made.into_iter().map(|(example, _)| example).collect();
            if let Some(told) = told {
                for (example, (more, _)) in
                    examples.iter_mut().zip(Example::of_task(number, task, &own, told, making.room)?)
                {
                    example.told = Some(more.prompt);
                }
            }
            self.examples.extend(examples);
            if let Some(labels) = &labels {
                self.labels.insert(number, labels.clone());
            }
        }
        Ok(())
    }

    /// Mixes the sources as the settings say, and notes how often each is learned from.
    fn mix(&mut self, settings: &DataSettings, mut origins: Vec<usize>, seed: u64) {
        let before = origins.clone();
        if settings.mixture == Mixture::Equal {
            mixture::equalize(&mut self.examples, &mut origins, &mut self.labels, seed);
        }
        let names: Vec<String> =
            settings.data.iter().chain(&settings.reading).map(|path| path.display().to_string()).collect();
        if names.len() > 1 {
            self.rates = mixture::rates(names, &before, &origins);
        }
    }

    fn next_number(&self) -> usize {
        self.examples.last().map_or(0, |example| example.task + 1)
    }
}

/// What tells these examples from others.
pub fn digest(examples: &[Example]) -> String {
    let mut state = Sum::default();
    for example in examples {
        state.update(format!("{} {:?}\n{}\n", example.task, example.prompt, example.output));
        if let Some(told) = &example.told {
            state.update(format!("{told:?}\n"));
        }
    }
    state.hex()
}

/// How many instances a task may have because it asks for labels.
fn label_cap(task: &Task, cap: Option<usize>) -> usize {
    cap.filter(|_| draw::labels(task).is_some()).unwrap_or(usize::MAX)
}

/// How many examples a layout shows.
fn num_examples(layout: &Layout) -> usize {
    match layout {
        Layout::NaturalInstructions(layout) => layout.num_examples,
        _ => 2,
    }
}

fn tasks_of(path: &Path) -> Result<Vec<Task>, Error> {
    Ok(Dataset::load(path)?.tasks.into_iter().map(|located| located.task).collect())
}

/// Takes out every task that stands among the unseen ones too, by id or by content, and every instance whose input is
/// one of theirs. What was taken out is told.
fn leave_out(tasks: &mut Vec<Task>, unseen: &[Task]) -> Leaks {
    let ids: HashSet<&str> = unseen.iter().map(|task| &*task.id).collect();
    let prints: HashSet<String> = unseen.iter().map(fingerprint).collect();
    let texts: HashSet<String> =
        unseen.iter().flat_map(|task| &task.instances).map(|instance| normalized(&instance.input)).collect();
    let before = tasks.len();
    tasks.retain(|task| !ids.contains(&*task.id) && !prints.contains(&fingerprint(task)));
    let mut leaks = Leaks { tasks: before - tasks.len(), instances: 0 };
    for task in tasks.iter_mut() {
        let before = task.instances.len();
        task.instances.retain(|instance| !texts.contains(&normalized(&instance.input)));
        leaks.instances += before - task.instances.len();
    }
    tasks.retain(|task| !task.instances.is_empty());
    leaks
}

/// The tasks that a side of a split names.
fn named(tasks: &[Task], side: &[TaskRef]) -> Vec<Task> {
    let ids: HashSet<&str> = side.iter().map(|task| &*task.id).collect();
    tasks.iter().filter(|task| ids.contains(&*task.id)).cloned().collect()
}

/// Takes so many tasks out, spread evenly over the ids, so that every kind has its chance.
fn held_back(tasks: &mut Vec<Task>, count: usize) -> Vec<Task> {
    let all = tasks.len();
    let places: Vec<usize> = (0..count).map(|i| (2 * i + 1) * all / (2 * count)).collect();
    let mut dev = Vec::new();
    for place in places.into_iter().rev() {
        dev.push(tasks.remove(place));
    }
    dev.reverse();
    dev
}

/// Keeps as many tasks as are asked for, those of `--data` and those of `--reading` alike: those that come first when all
/// are shuffled. Of those of `--reading`, as many instances as a cap for all says.
fn keep_seen(
    settings: &DataSettings,
    tasks: &mut Vec<Task>,
    reading: &mut [Questions],
    seed: u64,
) -> Result<(), Error> {
    let asked = reading.iter().flat_map(Questions::tasks).map(|task| task.id.clone());
    let mut ids: Vec<String> = tasks.iter().map(|task| task.id.clone()).chain(asked).collect();
    if let SeenTasks::Some(count) = settings.seen_tasks {
        if !(1..=ids.len()).contains(&count) {
            return Err(Error::SeenTasks { wanted: count, tasks: ids.len() });
        }
        shuffle(&mut ids, &mut draw::generator("seen tasks", 0, seed));
        ids.truncate(count);
    }
    let ids: HashSet<String> = ids.into_iter().collect();
    tasks.retain(|task| ids.contains(&task.id));
    let cap = match settings.per_task_cap[..] {
        [cap] => cap,
        _ => usize::MAX,
    };
    reading.iter_mut().for_each(|questions| questions.keep_some(&ids, cap));
    Ok(())
}

/// Instances that a prompt in a layout shows as examples.
fn borrowed(task: &Task, layout: &Layout) -> Vec<usize> {
    match layout {
        Layout::NaturalInstructions(layout) => layout.borrowed_instances(task),
        _ => Vec::new(),
    }
}

/// Instances spread over the task, those that the prompt borrows as examples left out; labels balanced, if asked for.
pub fn chosen(task: &Task, layout: &Layout, cap: usize, is_balanced: bool) -> Vec<usize> {
    let borrowed = borrowed(task, layout);
    let all: Vec<usize> = (0..task.instances.len()).filter(|instance| !borrowed.contains(instance)).collect();
    let spread =
        |all: &[usize], count: usize| -> Vec<usize> { (0..count).map(|i| all[i * all.len() / count]).collect() };
    let taken = all.len().min(cap);
    if !is_balanced {
        return spread(&all, taken);
    }
    // Enough to find rare labels among them.
    let mut balanced = draw::balanced(task, spread(&all, all.len().min(20 * cap)));
    balanced.truncate(taken);
    balanced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_whose_instances_are_all_shown_leaves_no_labels_behind() {
        let instance = |number: usize| {
            let outputs = vec![["yes", "no"][number % 2].to_owned()];
            saydo_task::Instance { input: format!("question {number}"), outputs, ..Default::default() }
        };
        let task = Task { instances: (0..12).map(instance).collect(), ..Task::default() };
        let (layouts, told) = ([Layout::named("ni-no-examples").unwrap()], Layout::named("ni-full").unwrap());
        let added = |cap: usize| {
            let (examples, labels, fingerprint) = (Vec::new(), LabelSets::new(), String::new());
            let leaks = Leaks { tasks: 0, instances: 0 };
            let (dev, lacking, rates) = (Vec::new(), BTreeMap::new(), Vec::new());
            let mut data = Data { seen: 1, examples, dev, leaks, labels, lacking, rates, fingerprint };
            let making = Making { bundle: 8, told: None, room: Room::UNBOUNDED };
            data.add_bundles(&task, (&layouts, Some(&told)), cap, None, making).unwrap();
            (data.examples.len(), data.labels.len())
        };
        assert_eq!((added(1), added(12)), ((0, 0), (10, 2)));
    }

    #[test]
    fn more_seen_tasks_have_fewer_among_them() {
        let all: Vec<Task> = (0..9).map(|number| Task { id: format!("t{number}"), ..Task::default() }).collect();
        let some = |count: usize| {
            let mut tasks = all.clone();
            let settings = DataSettings { seen_tasks: SeenTasks::Some(count), ..DataSettings::default() };
            let kept = keep_seen(&settings, &mut tasks, &mut [], 3);
            kept.map(|()| tasks.into_iter().map(|task| task.id).collect::<Vec<_>>())
        };
        let (few, more) = (some(3).unwrap(), some(6).unwrap());
        assert!(few.iter().all(|id| more.contains(id)) && few.is_sorted() && more.is_sorted());
        assert_eq!((few.len(), more.len(), some(9).unwrap().len()), (3, 6, 9));
        assert_eq!(some(0).unwrap_err().to_string(), "--seen-tasks is 0, expected 1 to 9");
        assert_eq!(some(10).unwrap_err().to_string(), "--seen-tasks is 10, expected 1 to 9");
    }

    fn everyday(settings: DataSettings) -> Result<Data, Error> {
        let settings = DataSettings { reading: vec!["everyday".into()], split: Some("domains".into()), ..settings };
        let making = Making { bundle: 8, told: None, room: Room::UNBOUNDED };
        Data::load(&settings, 0, making)
    }

    #[test]
    fn questions_over_documents_have_sides_and_unseen_documents_are_not_learned_from() {
        let tasks = tasks_of(Path::new("everyday")).unwrap();
        let split = Split::named("domains", &tasks).unwrap();
        let data = everyday(DataSettings::default()).unwrap();
        assert_eq!(data.seen, split.seen.len());
        let side = |refs: &[TaskRef]| named(&tasks, refs);
        let texts = |tasks: Vec<Task>| -> HashSet<String> {
            tasks.into_iter().flat_map(|task| task.instances).map(|one| one.input).collect()
        };
        let (seen, unseen, dev) =
            (texts(side(&split.seen)), texts(side(&split.unseen)), texts(side(&split.dev.unwrap())));
        let is_of = |texts: &HashSet<String>, example: &Example| {
            texts.iter().any(|text| example.prompt.whole().contains(text.as_str()))
        };
        for example in data.examples.iter().step_by(97) {
            assert!(is_of(&seen, example) && !is_of(&unseen, example) && !is_of(&dev, example));
        }
    }

    #[test]
    fn fewer_tasks_and_fewer_documents_of_each_are_learned_from() {
        let few = everyday(DataSettings { seen_tasks: SeenTasks::Some(20), ..DataSettings::default() }).unwrap();
        assert_eq!((few.seen, few.examples.len()), (20, 20 * 24));
        let short = DataSettings { seen_tasks: SeenTasks::Some(20), per_task_cap: vec![3], ..DataSettings::default() };
        assert_eq!(everyday(short).unwrap().examples.len(), 20 * 3);
        let message = everyday(DataSettings { seen_tasks: SeenTasks::Some(5000), ..DataSettings::default() });
        assert!(message.err().expect("an error").to_string().contains("--seen-tasks is 5000, expected 1 to"));
    }

    #[test]
    fn questions_or_documents_are_taken_away_before_they_are_learned_from() {
        let prompt = |ablation| {
            let few =
                DataSettings { seen_tasks: SeenTasks::Some(2), ablation: Some(ablation), ..DataSettings::default() };
            everyday(few).unwrap().examples[0].prompt.whole()
        };
        let (question, context) =
            (prompt(saydo_task::Ablation::QuestionOnly), prompt(saydo_task::Ablation::ContextOnly));
        assert!(question.starts_with("Text: (The passage is left out.)\n\nQuestion: "), "{question}");
        assert!(context.contains("Question: Answer the question about this passage."), "{context}");
    }
}
