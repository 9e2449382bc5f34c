//! A server with a model that is no model: it answers with the first name in the text, and with yes. For looking at the pages.
//!
//! cargo run -p saydo-serve --example serve -- FOLDER [RUNS]

use saydo::Session;
use saydo_model::ScriptedModel;
use saydo_serve::{App, Clock, Config, Engine, Log, serve};
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let data = folders.next().ok_or("expected a folder for the server's state")?;
    let model = ScriptedModel::new(|prompt| name(prompt).unwrap_or_else(|| "Not stated".to_owned()));
    let model = model.with_log_prob(|_, text| if text.trim() == "Yes" { -0.2 } else { -2.0 });
    let session = Session::new(Arc::new(model), "scripted", "scripted");
    let config = Config { listen: "127.0.0.1:0".parse()?, runs: folders.collect(), ..Config::new(data) };
    let engine = Engine::start(session, config.limits.queue)?;
    let app = App::new(config, vec![engine], Clock::system(), Log::new(|_| ()))?;
    let link = app.clone();
    serve(app, &Arc::default(), |address| eprintln!("serving on {}", link.link(address)))?;
    Ok(())
}

/// The first two words in a row that begin with capitals and stand within a sentence or at its start.
fn name(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['.', ',', ';', '"'])).collect();
    let is_name = |word: &str| {
        word.chars().count() > 2 && word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic)
    };
    let pair = words.windows(2).find(|pair| pair.iter().all(|word| is_name(word)))?;
    Some(pair.join(" "))
}
