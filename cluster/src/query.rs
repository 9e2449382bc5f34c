//! SQL with our functions in it.

use crate::session::{context, reach};
use crate::{Error, Place, Target, runtime};

/// A query.
pub struct Query<'a> {
    /// The SQL. Names in quotes behind `from` are files, folders, patterns or addresses.
    pub sql: &'a str,
    /// Where it runs.
    pub place: Place,
    /// Where its rows go.
    pub target: Target<'a>,
}

/// Runs a query. Gives the number of its rows.
pub fn run_query(query: Query<'_>) -> Result<u64, Error> {
    query.target.check()?;
    runtime::block_on(async {
        let context = context(&query.place).await?;
        let frame = context.sql(query.sql).await?;
        reach(&query.place).await?;
        query.target.write(frame).await
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answerer;
    use crate::answerer::tests::session;
    use std::fs;
    use std::sync::Arc;

    fn rows(sql: &str) -> Result<String, Error> {
        let mut out = Vec::new();
        let place = Place::Here(Arc::new(Answerer::new(session(), None)));
        run_query(Query { sql, place, target: Target::JsonLines(&mut out) })?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn with_files(text: &str, query: impl Fn(&str) -> String) -> Result<String, Error> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.jsonl"), text).unwrap();
        fs::write(folder.path().join("b.jsonl"), "{\"id\": 9, \"body\": \"Nine.\"}\n").unwrap();
        rows(&query(&folder.path().join("*.jsonl").to_string_lossy()))
    }

    const TEXTS: &str = "{\"id\": 1, \"body\": \"Dogs may walk here.\"}\n{\"id\": 2, \"body\": null}\n";

    #[test]
    fn files_are_tables_and_answers_have_types() {
        let found = with_files(TEXTS, |files| {
            format!("select id, saydo_yes_no('Are dogs allowed?', body) as dogs from '{files}' order by id")
        });
        let found = found.unwrap();
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], r#"{"id":1,"dogs":true}"#);
        assert_eq!(lines[1], r#"{"id":2}"#);
    }

    #[test]
    fn parts_of_rows_can_be_named() {
        let found = with_files(TEXTS, |files| {
            format!(
                "select saydo_row('Are dogs allowed?', body)['status'] as status, \
                 saydo_row('Are dogs allowed?', body)['confidence'] > 0 as sure from '{files}' where id = 1"
            )
        });
        assert_eq!(found.unwrap(), "{\"status\":\"ok\",\"sure\":true}\n");
    }

    #[test]
    fn csv_that_cannot_hold_the_answers_is_refused_before_anything_is_computed() {
        let folder = tempfile::tempdir().unwrap();
        let answerer = Arc::new(Answerer::new(session(), None));
        let name = folder.path().join("rows.csv").to_string_lossy().into_owned();
        let query = |sql| {
            let place = Place::Here(Arc::clone(&answerer));
            run_query(Query { sql, place, target: Target::Files(name.clone()) })
        };
        let refused = query("select saydo_spans('Which trail?', 'A trail.') as trail").unwrap_err().to_string();
        assert!(refused.contains("column `trail` holds lists"), "{refused}");
        assert_eq!(answerer.counts().model_calls, 0);
        assert_eq!(query("select saydo_yes_no('Are dogs allowed?', 'Dogs may.') as dogs").unwrap(), 1);
        assert_eq!(fs::read_to_string(&name).unwrap(), "dogs\ntrue\n");
    }

    #[test]
    fn what_is_wrong_with_a_call_is_said() {
        let said = |call: &str| rows(&format!("select {call}")).unwrap_err().to_string();
        assert!(said("saydo_yes_no('Are dogs allowed?')").contains("expected saydo_yes_no('description', text)"));
        assert!(said("saydo_yes_no(a, 'x') from (values ('q')) as t(a)").contains("is not a text in quotes"));
        assert!(said("saydo_label('How is it?', 'x', 'good')").contains("expected at least two labels"));
        assert!(said("saydo_task('no task', 'x')").contains("not a task file"));
        assert_eq!(said("* from 'no-such/*.csv'"), "no-such/*.csv names no file");
        assert!(said("1 from").starts_with("the query does not read: "));
    }
}
