//! `saydo split`: which tasks are seen and which unseen.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Result, bail};
use saydo_task::dataset::Dataset;
use saydo_task::split::{FamilyReport, Leak, LeakKind, Side, Split, TaskLists, TaskRef, check_leaks, verify};
use std::path::PathBuf;

/// Split tasks into seen and unseen, without leaks between them
///
/// A split file lists the tasks of both sides with their fingerprints. The same task on both sides is always an error. So
/// are shared texts, unless --allow-shared-texts is given; the papers' own splits have some, which are listed and recorded.
/// saydo train never learns from an instance with an unseen text.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("kind").required(true))]
pub struct Args {
    /// Task file or folder
    data: PathBuf,

    /// Hold out N random tasks per category
    #[arg(long, value_name = "N", group = "kind")]
    random: Option<usize>,

    /// Hold out a category
    #[arg(long, value_name = "NAME", group = "kind")]
    leave_one_category: Option<String>,

    /// Hold out a source dataset
    #[arg(long, value_name = "NAME", group = "kind")]
    leave_one_dataset: Option<String>,

    /// Hold out a task
    #[arg(long, value_name = "ID", group = "kind")]
    leave_one_task: Option<String>,

    /// 50% test, 40% train, 10% dev; derived tasks stay with their base task
    #[arg(long, group = "kind")]
    zest: bool,

    /// 50% test, 40% train, 10% dev by whole domains, so that sides share no text (for the dataset everyday)
    #[arg(long, group = "kind")]
    domains: bool,

    /// Published lists: a folder with TRACK/train_tasks.txt and TRACK/test_tasks.txt
    #[arg(long, value_name = "FOLDER", group = "kind")]
    lists: Option<PathBuf>,

    /// A paper's split
    #[arg(long, value_enum, group = "kind")]
    preset: Option<Preset>,

    /// Check an existing split file against the data instead of making one
    #[arg(long, value_name = "FILE", group = "kind")]
    verify: Option<PathBuf>,

    /// Track of the published lists
    #[arg(long, default_value = "default")]
    track: String,

    /// Keep only the first K seen tasks
    #[arg(long, value_name = "K", conflicts_with = "random_k")]
    first_k: Option<usize>,

    /// Keep only K random seen tasks
    #[arg(long, value_name = "K")]
    random_k: Option<usize>,

    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Allow texts that appear on both sides, and record how many
    #[arg(long)]
    allow_shared_texts: bool,

    /// Drop seen tasks that share a text with an unseen task
    #[arg(long, conflicts_with = "allow_shared_texts")]
    strict: bool,

    /// File to write (default: standard output)
    #[arg(long, short)]
    output_path: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Preset {
    /// The 12 evaluation tasks of the Natural Instructions paper
    NaturalInstructions,
}

pub fn run(args: Args) -> Result<Verdict> {
    let dataset = Dataset::load(&args.data)?;
    if let Some(path) = &args.verify {
        return check(&Split::load(path)?, &dataset, args.allow_shared_texts);
    }
    let mut split = cut_down(make(&args, &dataset)?, &args)?;
    if args.strict {
        leave_sharers_out(&mut split, &dataset)?;
    } else if args.is_papers() {
        list_shared_texts(&split, &dataset);
    }
    let split = split.without_leaks(&dataset, args.allow_shared_texts || args.is_papers())?;
    match &args.output_path {
        Some(path) => split.save(path, args.force)?,
        None => output::print_json(&split)?,
    }
    output::note(&summary(&split));
    Ok(Verdict::Done)
}

impl Args {
    /// Whether the split is made as one of the papers did.
    fn is_papers(&self) -> bool {
        let held_out = [&self.leave_one_category, &self.leave_one_dataset, &self.leave_one_task];
        self.preset.is_some() || self.zest || self.lists.is_some() || held_out.iter().any(|name| name.is_some())
    }
}

/// Pairs of tasks that are listed one by one.
const LISTED: usize = 10;

fn list_shared_texts(split: &Split, dataset: &Dataset) {
    let check = check_leaks(split, dataset);
    let shared: Vec<&Leak> = check.leaks.iter().filter(|leak| matches!(leak.kind, LeakKind::SharedTexts(_))).collect();
    shared.iter().take(LISTED).for_each(|leak| output::note(&leak.to_string()));
    if shared.len() > LISTED {
        output::note(&format!("and {} more pairs of tasks that share texts", shared.len() - LISTED));
    }
    if !shared.is_empty() {
        output::note("saydo train leaves these instances out; --strict leaves the tasks out");
    }
}

/// Moves seen tasks that share a text with a later side to those on no side.
fn leave_sharers_out(split: &mut Split, dataset: &Dataset) -> Result<()> {
    let check = check_leaks(split, dataset);
    let shares = |id: &str| {
        let is_it =
            |leak: &Leak| matches!(leak.kind, LeakKind::SharedTexts(_)) && leak.from == (Side::Seen, id.to_owned());
        check.leaks.iter().any(is_it)
    };
    let (sharing, kept): (Vec<TaskRef>, Vec<TaskRef>) = split.seen.drain(..).partition(|task| shares(&task.id));
    if kept.is_empty() {
        bail!("every seen task shares a text with an unseen one, expected some that do not; remove --strict");
    }
    split.seen = kept;
    split.left_out.extend(sharing.into_iter().map(|task| task.id));
    split.left_out.sort();
    Ok(())
}

fn make(args: &Args, dataset: &Dataset) -> Result<Split> {
    if let Some(per_category) = args.random {
        return Ok(Split::random(dataset, per_category, args.seed)?);
    }
    if let Some(category) = &args.leave_one_category {
        return Ok(Split::leave_one_category(dataset, category)?);
    }
    if let Some(source) = &args.leave_one_dataset {
        return Ok(Split::leave_one_dataset(dataset, source)?);
    }
    if let Some(task) = &args.leave_one_task {
        return Ok(Split::leave_one_task(dataset, task)?);
    }
    if let Some(folder) = &args.lists {
        return Ok(Split::by_lists(dataset, &TaskLists::load(folder, &args.track)?)?);
    }
    if let Some(Preset::NaturalInstructions) = args.preset {
        return Ok(Split::natural_instructions(dataset)?);
    }
    if args.zest {
        let families = FamilyReport::of(dataset);
        if families.misses_shares() {
            output::note(&format!("{families}; split the base tasks before composing, or leave compositions out"));
        }
        return Ok(Split::zest(dataset, args.seed)?);
    }
    if args.domains {
        return Ok(Split::domains(dataset, args.seed)?);
    }
    bail!("no kind of split given, expected one of the flags listed in --help")
}

fn cut_down(split: Split, args: &Args) -> Result<Split> {
    Ok(match (args.first_k, args.random_k) {
        (Some(count), _) => split.with_first_seen(count)?,
        (None, Some(count)) => split.with_random_seen(count, args.seed)?,
        (None, None) => split,
    })
}

fn check(split: &Split, dataset: &Dataset, allow_shared_texts: bool) -> Result<Verdict> {
    let mismatches = verify(split, dataset);
    for mismatch in &mismatches {
        output::note(&mismatch.to_string());
    }
    split.clone().without_leaks(dataset, allow_shared_texts || split.shared_texts.is_some())?;
    output::note(&summary(split));
    Ok(if mismatches.is_empty() { Verdict::Done } else { Verdict::No })
}

fn summary(split: &Split) -> String {
    let mut text = format!("{} seen, {} unseen tasks", split.seen.len(), split.unseen.len());
    if let Some(dev) = &split.dev {
        text += &format!(", {} dev", dev.len());
    }
    if !split.absent.is_empty() {
        text += &format!("; {} listed tasks are not in the data", split.absent.len());
    }
    if !split.left_out.is_empty() {
        text += &format!("; {} tasks of the data are on no side", split.left_out.len());
    }
    text
}
