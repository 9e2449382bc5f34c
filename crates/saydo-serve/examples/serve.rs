//! A server with a model that is no model: every answer is a word of the text. For looking at the pages.
//!
//! cargo run -p saydo-serve --example serve -- FOLDER [RUNS]

use saydo_function::{Aptitudes, Settings};
use saydo_model::ScriptedModel;
use saydo_serve::{App, Clock, Config, Engine, Loaded, Log, serve};
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let data = folders.next().ok_or("expected a folder for the server's state")?;
    let model = ScriptedModel::new(|prompt| prompt.split_whitespace().last().unwrap_or_default().to_owned());
    let loaded = Loaded {
        model: Arc::new(model.with_log_prob(|_, text| -(text.len() as f64) / 10.0)),
        name: "scripted".to_owned(),
        settings: Settings::default(),
        aptitudes: Aptitudes::default(),
    };
    let config = Config { listen: "127.0.0.1:0".parse()?, runs: folders.collect(), ..Config::new(data) };
    let engine = Engine::start(loaded, config.limits.queue)?;
    let app = App::new(config, vec![engine], Clock::system(), Log::new(|_| ()))?;
    serve(app, &Arc::default(), |address| eprintln!("serving on http://{address}"))?;
    Ok(())
}
