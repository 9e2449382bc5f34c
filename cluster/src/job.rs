//! Tasks over tables on a cluster: the rows that `saydo run` gives, by way of one plan.
//!
//! The plan is scan, function, write. A table needs a column that tells its rows apart: rows come back in any order, and
//! what place a row had in its file is not known to the engine.

use crate::form::{Form, Kind};
use crate::session::{context, reach};
use crate::{Error, Place, Target, function, runtime, table};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Column;
use datafusion::datasource::TableProvider as _;
use datafusion::logical_expr::{Expr, lit};
use saydo_corpus::{Candidate, choose_text_column};
use saydo_task::Task;
use saydo_task::format::Format;
use std::sync::Arc;

/// A task and the name of its column.
pub struct JobTask {
    /// The name.
    pub name: String,
    /// The task.
    pub task: Task,
}

/// What to do.
pub struct Job<'a> {
    /// Tasks; with one, its parts are the columns of the rows, with several each has a column.
    pub tasks: Vec<JobTask>,
    /// Files, folders, patterns or addresses, all with the same columns.
    pub inputs: Vec<String>,
    /// The column that holds the text, if it is not to be guessed.
    pub text: Option<String>,
    /// The column that tells rows apart.
    pub id: String,
    /// Where it is done.
    pub place: Place,
    /// Where rows go.
    pub target: Target<'a>,
}

/// The parts of a row, as a run writes them.
const PARTS: [&str; 8] = ["status", "answer", "spans", "confidence", "windows", "model", "ms", "error"];

/// What the column of whole rows is called while they are whole.
const ROW: &str = "row";

/// Runs a job. Gives the number of rows.
pub fn run_job(job: Job<'_>) -> Result<u64, Error> {
    job.target.check()?;
    runtime::block_on(async {
        let context = context(&job.place).await?;
        let files = table::open(&context.state(), &job.inputs).await?;
        let schema = files.schema();
        let name = job.inputs.join(" ");
        let id = column(&name, &schema, &job.id, "name the column that tells rows apart with --id")?;
        let text = choose_text(&name, &schema, job.text.as_deref())?;
        let answer = function::of(Form { kind: Kind::TaskFile, is_row: true });
        let call = |task: &JobTask| answer.call(vec![lit(Format::Toml.write(&task.task).text), named(&text)]);
        let files = context.read_table(Arc::new(files))?;
        let frame = match job.tasks.as_slice() {
            [task] => {
                // Not by naming the parts of the row, for which the engine would call the function once for each part.
                let rows = files.select([named(&id), call(task).alias(ROW)])?.unnest_columns(&[ROW])?;
                // A table of plain text has no place for lists, and says so if answers are lists themselves.
                let parts = PARTS.iter().filter(|part| **part != "spans" || !job.target.is_plain());
                let part = |part: &&str| named(&format!("{ROW}.{part}")).alias(*part);
                rows.select([named(&id)].into_iter().chain(parts.map(part)).collect::<Vec<_>>())?
            }
            tasks => {
                let columns = tasks.iter().map(|task| call(task).alias(&task.name));
                files.select([named(&id)].into_iter().chain(columns).collect::<Vec<_>>())?
            }
        };
        reach(&job.place).await?;
        job.target.write(frame).await
    })
}

/// A column by its exact name; the engine would otherwise read dots and capitals in it.
fn named(name: &str) -> Expr {
    Expr::Column(Column::new_unqualified(name))
}

fn column(table: &str, schema: &Schema, name: &str, hint: &'static str) -> Result<String, Error> {
    match schema.field_with_name(name) {
        Ok(field) => Ok(field.name().clone()),
        Err(_) => Err(Error::Column {
            table: table.to_owned(),
            column: name.to_owned(),
            found: schema.fields().iter().map(|field| field.name().clone()).collect(),
            hint,
        }),
    }
}

/// The column that holds the text, by the rules of a run.
fn choose_text(table: &str, schema: &Schema, wanted: Option<&str>) -> Result<String, Error> {
    let candidate = |field: &Arc<Field>| {
        let is_text = matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        Candidate { name: field.name().clone(), other: (!is_text).then(|| field.data_type().to_string()) }
    };
    let columns: Vec<Candidate> = schema.fields().iter().map(candidate).collect();
    let place = choose_text_column(table, wanted, &columns).map_err(|error| Error::Task(error.to_string()))?;
    Ok(columns[place].name.clone())
}
