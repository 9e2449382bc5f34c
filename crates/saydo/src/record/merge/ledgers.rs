//! Ledgers: all entries of the shards into the ledger of a whole run.

use crate::Error;
use crate::record::{Folder, Ledger, Record};
use saydo_corpus::Shard;
use std::path::{Path, PathBuf};

/// Joins the ledgers of runs of the same functions, which may be one folder with all its shards, into the ledger of the
/// run in `out`. Gives the number of answers there. Refuses runs of something else, shards that are missing, and shards
/// that are there twice.
pub fn merge_runs(folders: &[PathBuf], out: &Path) -> Result<u64, Error> {
    let runs = folders.iter().map(|folder| Folder::existing(folder)).collect::<Result<Vec<_>, _>>()?;
    let Some((_, record)) = runs.first() else { return Ok(0) };
    let mut ledgers: Vec<(Option<Shard>, PathBuf)> = Vec::new();
    for (folder, other) in &runs {
        same_run(folder, other, record)?;
        ledgers.extend(folder.ledgers()?);
    }
    all_there_once(&ledgers)?;
    let folder = Folder::open(out, record)?;
    let own = folder.ledger(None);
    let mut ledger = Ledger::open(&own, &[])?;
    for (_, path) in ledgers.iter().filter(|(_, path)| !is_same(path, &own)) {
        ledger.absorb(path)?;
    }
    ledger.sync()?;
    Ok(ledger.len() as u64)
}

fn same_run(folder: &Folder, found: &Record, expected: &Record) -> Result<(), Error> {
    match found.key == expected.key {
        true => Ok(()),
        false => Err(Error::OtherRun {
            folder: folder.path().to_owned(),
            found: found.describe(),
            expected: expected.describe(),
        }),
    }
}

fn all_there_once(ledgers: &[(Option<Shard>, PathBuf)]) -> Result<(), Error> {
    let shards: Vec<Shard> = ledgers.iter().filter_map(|(shard, _)| *shard).collect();
    for (position, shard) in shards.iter().enumerate() {
        if shards[..position].contains(shard) {
            return Err(Error::RepeatedShard { shard: shard.to_string() });
        }
        let has = |index: &u64| Shard::new(*index, shard.count()).is_some_and(|part| shards.contains(&part));
        let missing: Vec<u64> = (1..=shard.count()).filter(|index| !has(index)).collect();
        if !missing.is_empty() {
            return Err(Error::MissingShards { missing, count: shard.count() });
        }
    }
    Ok(())
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
