//! `saydo release`: a collected dataset as a folder to publish.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_file::StagedFolder;
use saydo_protocol::release::{Collection, PARTS, Release};
use saydo_task::dataset::Dataset;
use saydo_task::split::{FamilyReport, Split, TaskRef};
use saydo_task::{Generalization, Task};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Write a dataset as a folder to publish: parts, test answers apart, data card, training files, metadata
///
/// DATA is a folder with train.jsonl, dev.jsonl and test.jsonl, such as the unpacked ZEST export of saydo serve, or tasks in any
/// format, which are then split 50% test, 40% train, 10% dev by families. The folder holds ZEST's files, a row per passage
/// for Hugging Face datasets, the training files of T5 and BART, a data card, Croissant metadata and checksums. The answers
/// of the test part are in test-answers/ alone.
#[derive(clap::Args)]
pub struct Args {
    /// Folder with train.jsonl, dev.jsonl and test.jsonl, or task files to split
    data: PathBuf,

    /// Folder to write; must be new
    #[arg(long, short, value_name = "FOLDER")]
    output_path: PathBuf,

    /// Name of the dataset (default: the data's name)
    #[arg(long)]
    name: Option<String>,

    /// License: an SPDX identifier
    #[arg(long, value_name = "ID", default_value = "CC-BY-4.0")]
    license: String,

    /// File with the license's text (default: a reference to it)
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,

    /// Address of the dataset's home page
    #[arg(long, value_name = "URL")]
    homepage: Option<String>,

    /// How the data was collected (default: collection.json in DATA, if there is one)
    #[arg(long, value_name = "FILE")]
    collection: Option<PathBuf>,

    /// A known limit to name in the data card; repeatable
    #[arg(long, value_name = "TEXT")]
    limit: Vec<String>,

    /// Use this split file instead of splitting
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    split: Option<PathBuf>,

    /// Random seed of the split
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Print the statistics of the parts as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.output_path.exists() {
        bail!("{} exists already, expected a new folder; remove it or choose another name", args.output_path.display());
    }
    let release = release(&args)?;
    let files = release.files().with_context(|| format!("cannot release {}", args.data.display()))?;
    write(&args.output_path, &files).with_context(|| format!("cannot write {}", args.output_path.display()))?;
    if args.json {
        output::print_json(&release.statistics())?;
    }
    let [train, dev, test] = release.parts.each_ref().map(Vec::len);
    output::note(&format!(
        "{} files in {}: {train} train, {dev} dev and {test} test tasks; keep test-answers/ back for a hidden test set",
        files.len(),
        args.output_path.display()
    ));
    Ok(Verdict::Done)
}

fn release(args: &Args) -> Result<Release> {
    let named = args.data.file_stem().map(|name| name.to_string_lossy().into_owned());
    let license_text = args.license_file.as_deref().map(read).transpose()?;
    let beside = Some(args.data.join("collection.json")).filter(|path| path.is_file());
    let collection = args.collection.clone().or(beside).map(|path| load_collection(&path)).transpose()?;
    Ok(Release {
        name: args.name.clone().or(named).unwrap_or_default(),
        license: args.license.clone(),
        license_text,
        homepage: args.homepage.clone(),
        parts: parts(args)?,
        collection,
        limits: args.limit.clone(),
    })
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn load_collection(path: &Path) -> Result<Collection> {
    let text = read(path)?;
    serde_json::from_str(&text).with_context(|| format!("{} does not say how data was collected", path.display()))
}

/// The tasks of train, dev and test.
fn parts(args: &Args) -> Result<[Vec<Task>; 3]> {
    let files = PARTS.map(|part| args.data.join(format!("{part}.jsonl")));
    let is_split = args.data.is_dir() && files.iter().any(|file| file.is_file());
    match (&args.split, is_split) {
        (Some(path), _) => {
            let dataset = Dataset::load(&args.data)?;
            by_split(&dataset, &Split::load(path)?)
        }
        (None, true) => {
            let load = |file: &PathBuf| -> Result<Vec<Task>> {
                let located = if file.is_file() { Dataset::load(file)?.tasks } else { Vec::new() };
                Ok(located.into_iter().map(|located| located.task).collect())
            };
            let [train, dev, test] = &files;
            Ok([load(train)?, load(dev)?, load(test)?])
        }
        (None, false) => {
            let dataset = Dataset::load(&args.data)?;
            let families = FamilyReport::of(&dataset);
            if families.misses_shares() {
                output::note(&families.to_string());
            }
            by_split(&dataset, &Split::zest(&dataset, args.seed)?)
        }
    }
}

fn by_split(dataset: &Dataset, split: &Split) -> Result<[Vec<Task>; 3]> {
    let of = |tasks: &[TaskRef]| -> Vec<Task> {
        let ids: HashSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        let located = dataset.tasks.iter().filter(|located| ids.contains(located.task.id.as_str()));
        located.map(|located| with_type(located.task.clone())).collect()
    };
    let parts = [of(&split.seen), of(split.dev.as_deref().unwrap_or_default()), of(&split.unseen)];
    let listed = split.sides().map(|(_, tasks)| tasks.len()).sum::<usize>();
    let found: usize = parts.iter().map(Vec::len).sum();
    if found < listed {
        bail!("the split lists {listed} tasks, of which the data holds {found}; expected all of them");
    }
    Ok(parts)
}

/// The task with a type of generalization, which ZEST's scorer asks for: what derives from nothing is a base task.
fn with_type(mut task: Task) -> Task {
    if task.origin.derives_from.is_empty() {
        task.origin.generalization.get_or_insert(Generalization::Base);
    }
    task
}

fn write(folder: &Path, files: &[saydo_protocol::release::File]) -> std::io::Result<()> {
    let staged = StagedFolder::create(folder)?;
    for (name, bytes) in files {
        if let Some((inner, _)) = name.rsplit_once('/') {
            saydo_file::disk::create_folders(&staged.staging_path().join(inner))?;
        }
        staged.write(name, bytes)?;
    }
    for inner in files.iter().filter_map(|(name, _)| Some(name.rsplit_once('/')?.0)).collect::<HashSet<_>>() {
        saydo_file::disk::sync_folder(&staged.staging_path().join(inner))?;
    }
    staged.commit()
}
