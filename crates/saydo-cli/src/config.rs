//! `--config FILE`: flags out of a TOML file, for those that neither the command line nor the environment gives.
//!
//! Keys are the names of long flags. A table named like a command (`[run]`, `[score.zest]`) is for that command; keys above
//! all tables are for every command that has such a flag.

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The flag's name.
pub const FLAG: &str = "config";

/// The arguments, and behind them the flags of the file that `--config` names. Without that flag, the arguments alone.
pub fn expand(program: &Command, arguments: Vec<OsString>) -> Result<Vec<OsString>> {
    // Required arguments may stand in the file, and other mistakes are for the real parser to tell.
    let mut lenient = program.clone().ignore_errors(true);
    lenient.build();
    let Ok(matches) = lenient.try_get_matches_from_mut(&arguments) else { return Ok(arguments) };
    let Some(path) = named_file(&matches) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&path).map_err(|source| saydo::Error::Read { path: path.clone(), source })?;
    let file: Table = text.parse().with_context(|| format!("{} is not TOML", path.display()))?;
    check_keys(&lenient, &file, &path)?;
    let (mut command, mut given, mut tables) = (&lenient, &matches, vec![&file]);
    while let Some((name, inner)) = given.subcommand() {
        let Some(next) = command.find_subcommand(name) else { break };
        tables.extend(tables.last().and_then(|table| table.get(name)).and_then(Value::as_table));
        (command, given) = (next, inner);
    }
    let mut settings = Table::new();
    let own_table = tables.len() - 1;
    for (depth, table) in tables.iter().enumerate() {
        let flags = table.iter().filter(|(_, value)| !value.is_table());
        let flags = flags.filter(|(key, _)| depth == own_table || flag(command, key).is_some());
        settings.extend(flags.map(|(key, value)| (key.clone(), value.clone())));
    }
    let mut flags = Vec::new();
    for (key, value) in &settings {
        let Some(arg) = flag(command, key) else { continue };
        if !is_overridden(command, arg, given) {
            flags.extend(written(arg, key, value).with_context(|| format!("{}: `{key}`", path.display()))?);
        }
    }
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let mut all = arguments;
    all.splice(end..end, flags);
    Ok(all)
}

fn named_file(matches: &ArgMatches) -> Option<PathBuf> {
    let own = matches.try_get_one::<PathBuf>(FLAG).ok().flatten().cloned();
    own.or_else(|| matches.subcommand().and_then(|(_, inner)| named_file(inner)))
}

/// The flag of this name, or with it as an alias.
fn flag<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let is_it =
        |arg: &&Arg| arg.get_long() == Some(key) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&key));
    command.get_arguments().find(is_it).filter(|arg| arg.get_id() != FLAG && arg.get_id() != "help")
}

/// Every key is a flag: of the command whose table it stands in, or, above all tables, of any command.
fn check_keys(command: &Command, table: &Table, path: &Path) -> Result<()> {
    for (key, value) in table {
        let inner = command.find_subcommand(key).zip(value.as_table());
        if let Some((command, table)) = inner {
            check_keys(command, table, path)?;
        } else if value.is_table() {
            bail!("{}: [{key}] is not a command of {}", path.display(), command.get_bin_name().unwrap_or_default());
        } else if !has_flag(command, key) {
            let name = command.get_bin_name().unwrap_or_default();
            let known = command.get_arguments().filter_map(Arg::get_long);
            let hint = match saydo::nearest::nearest(key, known) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; `{name} --help` lists them"),
            };
            bail!("{}: `{key}` is not a flag of {name}{hint}", path.display());
        }
    }
    Ok(())
}

/// Whether the command or one below it has this flag.
fn has_flag(command: &Command, key: &str) -> bool {
    flag(command, key).is_some() || command.get_subcommands().any(|below| has_flag(below, key))
}

/// Whether the user gave the flag, or one that excludes it, on the command line or in the environment.
fn is_overridden(command: &Command, arg: &Arg, given: &ArgMatches) -> bool {
    let is_given = |arg: &Arg| {
        let source = given.value_source(arg.get_id().as_str());
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    let excludes = |other: &Arg| command.get_arg_conflicts_with(other).iter().any(|one| one.get_id() == arg.get_id());
    is_given(arg)
        || command.get_arg_conflicts_with(arg).into_iter().any(is_given)
        || command.get_arguments().any(|other| is_given(other) && excludes(other))
}

/// A flag with its value as arguments.
fn written(arg: &Arg, key: &str, value: &Value) -> Result<Vec<OsString>> {
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse | ArgAction::Count);
    Ok(match value {
        Value::Boolean(true) if is_switch => vec![format!("--{key}").into()],
        Value::Boolean(false) if is_switch => Vec::new(),
        _ if is_switch => bail!("expected true or false, found {value}"),
        Value::Array(values) => values.iter().map(|value| one(key, value)).collect::<Result<_>>()?,
        value => vec![one(key, value)?],
    })
}

fn one(key: &str, value: &Value) -> Result<OsString> {
    Ok(match value {
        Value::String(text) => format!("--{key}={text}").into(),
        Value::Integer(_) | Value::Float(_) => format!("--{key}={value}").into(),
        _ => bail!("expected a text, a number or a list of them, found {value}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn expanded(file: &str, words: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saydo.toml");
        std::fs::write(&path, file).unwrap();
        let mut arguments: Vec<OsString> = words.split(' ').map(Into::into).collect();
        arguments.push(format!("--config={}", path.display()).into());
        let expanded = expand(&crate::Cli::command(), arguments.clone())
            .map_err(|error| format!("{error:#}").replace(&path.display().to_string(), "FILE"))?;
        let added: Vec<String> = expanded[arguments.len()..].iter().map(|word| word.to_string_lossy().into()).collect();
        Ok(added.join(" "))
    }

    #[test]
    fn flags_of_the_file_stand_behind_those_of_the_user() {
        let file = "model = 'small'\nthreads = 2\n[run]\nevidence = true\nquiet = false\ntask = ['a', 'b']\n[check]\nworst = 3";
        assert_eq!(
            expanded(file, "saydo run -t x in.txt").unwrap(),
            "--model=small --threads=2 --evidence",
            "the task is given"
        );
        assert_eq!(
            expanded(file, "saydo run in.txt").unwrap(),
            "--model=small --threads=2 --evidence --task=a --task=b"
        );
        assert_eq!(expanded(file, "saydo check x -m other").unwrap(), "--threads=2 --worst=3");
        assert_eq!(expanded(file, "saydo lint x").unwrap(), "", "flags of other commands are theirs");
    }

    #[test]
    fn a_flag_that_the_user_excludes_is_left_out() {
        let file = "[train]\nepochs = 3\nlr = 1e-4";
        assert_eq!(expanded(file, "saydo train --data x -o y --steps 5").unwrap(), "--lr=0.0001");
        assert_eq!(expanded(file, "saydo train --data x -o y").unwrap(), "--epochs=3 --lr=0.0001");
    }

    #[test]
    fn flags_stand_before_what_is_taken_literally() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saydo.toml");
        std::fs::write(&path, "quiet = true").unwrap();
        let config = format!("--config={}", path.display());
        let arguments = ["saydo", "run", &config, "x", "--", "-in.txt"].map(OsString::from).to_vec();
        let expanded = expand(&crate::Cli::command(), arguments).unwrap();
        assert_eq!(expanded[3..], ["x", "--quiet", "--", "-in.txt"].map(OsString::from));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_file() {
        let message = |file: &str| expanded(file, "saydo run x in.txt").unwrap_err();
        assert_eq!(message("[run]\nmodle = 'x'"), "FILE: `modle` is not a flag of saydo run; did you mean `model`?");
        assert_eq!(message("[ran]\nmodel = 'x'"), "FILE: [ran] is not a command of saydo");
        assert_eq!(message("evidence = 'yes'"), "FILE: `evidence`: expected true or false, found \"yes\"");
        assert!(
            message("model = ").starts_with("FILE is not TOML: TOML parse error at line 1"),
            "{}",
            message("model = ")
        );
    }

    #[test]
    fn without_the_flag_nothing_changes() {
        let arguments = ["saydo", "run", "x", "in.txt"].map(OsString::from).to_vec();
        assert_eq!(expand(&crate::Cli::command(), arguments.clone()).unwrap(), arguments);
        assert!(
            expand(&crate::Cli::command(), ["saydo", "run", "-C", "absent.toml"].map(OsString::from).to_vec()).is_err()
        );
    }
}
