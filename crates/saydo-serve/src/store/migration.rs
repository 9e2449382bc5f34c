//! The tables, and how those of older versions become today's. Each step is run once, in one transaction.

use crate::Error;
use rusqlite::Connection;
use std::path::Path;

/// The steps in order; the file's `user_version` says how many were run. A step that was released never changes.
const STEPS: [&str; 2] = [include_str!("0001.sql"), include_str!("0002.sql")];

/// Brings the tables up to date.
pub(super) fn run(connection: &mut Connection, path: &Path) -> Result<(), Error> {
    let failed = |source| Error::Store { path: path.to_owned(), source };
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    let expected = STEPS.len() as i64;
    let Some(done) = usize::try_from(found).ok().filter(|done| *done <= STEPS.len()) else {
        return Err(Error::Newer { path: path.to_owned(), found, expected });
    };
    if done == STEPS.len() {
        return Ok(());
    }
    // A table that is made anew must not take what refers to it along. This cannot be changed inside a transaction.
    connection.pragma_update(None, "foreign_keys", "off").map_err(failed)?;
    for (number, step) in STEPS.iter().enumerate().skip(done) {
        let migrate = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", number as i64 + 1)?;
            transaction.commit()
        };
        migrate(connection).map_err(failed)?;
    }
    connection.pragma_update(None, "foreign_keys", "on").map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_version_kept_is_there_after_every_step() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "foreign_keys", "on").unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let old = "INSERT INTO project VALUES (1, 'zest', 'P', '{}', 5);
            INSERT INTO annotator (id, project, name, hash, created) VALUES (2, 1, 'Ada', 'h', 5);
            INSERT INTO item (id, project, step, payload, wanted, answers, created) VALUES (3, 1, 'answer', '{}', 1, 1, 5);
            INSERT INTO answer (item, annotator, value, seconds, created) VALUES (3, 2, '{}', 7, 5);";
        connection.execute_batch(old).unwrap();
        run(&mut connection, Path::new("x.db")).unwrap();
        let count = |table: &str| {
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(["project", "annotator", "item", "answer"].map(count), [1, 1, 1, 1]);
        // References hold again, and what belongs to a project still goes with it.
        assert!(connection.execute("INSERT INTO document (project, entity, text) VALUES (9, 'e', 't')", []).is_err());
        connection.execute("DELETE FROM project", []).unwrap();
        assert_eq!(["annotator", "item", "answer"].map(count), [0, 0, 0]);
    }

    #[test]
    fn steps_run_once_and_newer_files_are_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection, Path::new("x.db")).unwrap();
        run(&mut connection, Path::new("x.db")).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = run(&mut connection, Path::new("x.db")).unwrap_err().to_string();
        assert_eq!(error, "the state in x.db is of version 99, expected at most 2; a newer Saydo wrote it");
    }
}
