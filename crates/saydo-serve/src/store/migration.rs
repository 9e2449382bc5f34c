//! The tables, and how those of older versions become today's. Each step is run once, in one transaction.

use crate::Error;
use rusqlite::Connection;
use std::path::Path;

/// The steps in order; the file's `user_version` says how many were run. A step that was released never changes.
const STEPS: [&str; 1] = [include_str!("0001.sql")];

/// Brings the tables up to date.
pub(super) fn run(connection: &mut Connection, path: &Path) -> Result<(), Error> {
    let failed = |source| Error::Store { path: path.to_owned(), source };
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    let expected = STEPS.len() as i64;
    let Some(done) = usize::try_from(found).ok().filter(|done| *done <= STEPS.len()) else {
        return Err(Error::Newer { path: path.to_owned(), found, expected });
    };
    for (number, step) in STEPS.iter().enumerate().skip(done) {
        let migrate = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", number as i64 + 1)?;
            transaction.commit()
        };
        migrate(connection).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_once_and_newer_files_are_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection, Path::new("x.db")).unwrap();
        run(&mut connection, Path::new("x.db")).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = run(&mut connection, Path::new("x.db")).unwrap_err().to_string();
        assert_eq!(error, "the state in x.db is of version 99, expected at most 1; a newer Saydo wrote it");
    }
}
