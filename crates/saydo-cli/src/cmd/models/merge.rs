//! `saydo models merge`: an adapter becomes part of its model.

use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo::session::{DEFAULT_MODEL, seen_by_weights};
use saydo_hub::{Source, resolve};
use saydo_model::adapter::Adapter;
use saydo_task::seen::Seen;
use std::path::PathBuf;

/// Merge an adapter into a model's weights: a safetensors folder that needs no adapter
///
/// saydo models merge --model smollm2-135m --adapter runs/ni/best -o merged, then --model merged. The folder is Hugging Face's:
/// config.json, the tokenizer's files and model.safetensors, in 32 bits.
#[derive(clap::Args)]
pub struct Args {
    /// Model: a name of the catalog, a path, or hf:owner/repo[/file]
    #[arg(long, short, default_value = DEFAULT_MODEL, env = "SAYDO_MODEL")]
    model: String,

    /// Folder of the adapter (PEFT's layout)
    #[arg(long, value_name = "FOLDER")]
    adapter: PathBuf,

    /// Folder to write, which must not hold a model yet
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,
}

pub fn run(args: &Args, home: &Home) -> Result<Verdict> {
    let path = match Source::parse(&args.model, &home.catalog()?)? {
        Source::OpenAi { name } => bail!("openai:{name} runs on a server, expected a model that runs here"),
        source => resolve(&source, &home.store()?, &saydo::environment::hugging_face()?.cache)?,
    };
    if args.output_path.join("model.safetensors").exists() {
        bail!("{} holds a model already, expected a new folder", args.output_path.display());
    }
    let adapter = Adapter::load(&args.adapter)?;
    let mut seen = seen_by_weights(&path)?;
    seen.inherit(Seen::load(&args.adapter)?.as_ref());
    seen.save(&args.output_path)?;
    adapter
        .merge(&path, &args.output_path)
        .with_context(|| format!("cannot merge {} into {}", args.adapter.display(), args.model))?;
    output::note(&format!("the merged model is in {}", args.output_path.display()));
    Ok(Verdict::Done)
}
