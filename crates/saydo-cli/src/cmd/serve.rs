//! `saydo serve`: the web page and the HTTP API.

mod token_file;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo::Session;
use saydo_serve::{App, Clock, Config, Engine, Limits, LocalOwner, Log, Store};
use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Serve a web page and an HTTP API: playground, runs, collection and judging
///
/// Listens on this machine only by default; any other address requires an owner's password first. Without a password, the
/// printed address carries the owner's token: open it in a browser, or send the token as a bearer token. Requests are logged
/// to stderr as JSON lines. Ctrl-C finishes the requests in flight.
#[derive(clap::Args)]
pub struct Args {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8008")]
    listen: SocketAddr,

    /// Folder of projects, answers and accounts (default: `serve` under the home folder)
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Another folder whose runs to show; repeatable
    #[arg(long, value_name = "FOLDER")]
    runs: Vec<PathBuf>,

    /// Another model to compare with the first; repeatable
    #[arg(long, value_name = "MODEL")]
    also_model: Vec<String>,

    /// Load no model, for collection and judging only
    #[arg(long, conflicts_with = "also_model")]
    no_model: bool,

    /// Read the owner's password from standard input, keep its hash, and exit; running servers use it at once
    #[arg(long)]
    set_password: bool,

    /// Copy the state in the data folder to this new file and exit; works while a server runs
    #[arg(long, value_name = "FILE", conflicts_with = "set_password")]
    backup: Option<PathBuf>,

    /// Browsers reach the server through an HTTPS proxy: cookies stay off plain HTTP (needs a password)
    #[arg(long)]
    https: bool,

    /// Trust X-Forwarded-For from this proxy on another machine; repeatable
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// Owner's token while there is no password (default: a new one at each start; prefer the variable or --token-file, as
    /// other users can see command lines)
    #[arg(long, value_name = "TOKEN", env = "SAYDO_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// File with the owner's token; created with a new token if missing
    #[arg(long, value_name = "FILE", conflicts_with = "no_token")]
    token_file: Option<PathBuf>,

    /// Without a password, make every user of this machine the owner
    #[arg(long)]
    no_token: bool,

    /// Max requests waiting for a model; more are refused
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue)]
    queue: usize,

    /// Log errors only
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let home = args.model.home().place()?;
    let data = args.data.clone().unwrap_or_else(|| home.server());
    if args.set_password {
        return set_password(data);
    }
    if let Some(file) = &args.backup {
        Store::backup(&data, file)?;
        output::note(&format!("the state in {} is copied to {}", data.display(), file.display()));
        return Ok(Verdict::Done);
    }
    let runs = std::iter::once(home.runs()).chain(args.runs.iter().cloned()).collect();
    let limits = Limits { queue: args.queue, ..Limits::default() };
    let (https, owner, proxies) = (args.https, owner(&args)?, args.proxy.clone());
    let config = Config { listen: args.listen, runs, https, owner, proxies, limits, ..Config::new(data) };
    let log = if args.quiet { Log::new(only_errors) } else { Log::stderr() };
    let app = App::new(config, engines(&args)?, Clock::system(), log)?;
    if let (Some(path), LocalOwner::NewToken, Some(token)) = (&args.token_file, &app.config().owner, app.token()) {
        token_file::write(path, token)?;
    }
    let stop = crate::stop::on_interrupt()?;
    let link = app.clone();
    saydo_serve::serve(app, &stop, |address| output::note(&format!("serving on {}", link.link(address))))?;
    Ok(Verdict::Done)
}

/// Who the owner is as long as there is no password.
fn owner(args: &Args) -> Result<LocalOwner> {
    if args.no_token {
        return Ok(LocalOwner::Anyone);
    }
    let token = match &args.token_file {
        Some(path) => token_file::read(path)?,
        None => args.token.clone(),
    };
    Ok(token.map_or(LocalOwner::NewToken, LocalOwner::Token))
}

fn engines(args: &Args) -> Result<Vec<Engine>> {
    if args.no_model {
        return Ok(Vec::new());
    }
    let further = args.also_model.iter().map(|name| args.model.with_model(name));
    let opened = std::iter::once(args.model.open()).chain(further.map(|model| model.open()));
    let start =
        |opened: Result<Session>| Engine::start(opened?, args.queue).context("cannot start a thread for the model");
    opened.map(start).collect()
}

fn set_password(data: PathBuf) -> Result<Verdict> {
    if std::io::stdin().is_terminal() {
        output::note("type the owner's password, then Enter (it is shown as you type)");
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("cannot read the password from standard input")?;
    let password = line.trim_end_matches(['\n', '\r']);
    if password.is_empty() {
        bail!("standard input holds no password, expected a line with it");
    }
    App::set_password(&Store::open(&data)?, password)?;
    output::note(&format!("the owner's password is set in {}", data.display()));
    Ok(Verdict::Done)
}

/// Prints a log line that reports an error.
fn only_errors(line: &str) {
    if line.contains("\"error\":") {
        eprintln!("{line}");
    }
}
