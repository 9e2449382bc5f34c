//! Where a project stands: progress, people, agreement, what waits for a decision.

use super::{Kind, Project, pool};
use crate::collect::{self, AnsweredItem};
use crate::failure::{Answered, Failure};
use crate::input::Path;
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::Connection;
use saydo_metrics::agreement::{cohen_kappa, fleiss_kappa, krippendorff_alpha, percent_agreement};
use saydo_protocol::release::{Agreement, StepFacts};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Disputed items that are listed at once.
const MOST_DISPUTED: usize = 50;

pub(super) fn routes() -> Vec<Route> {
    vec![Route::api(Method::GET, "/v1/projects/{id}", Access::Owner, "Where a project stands", show)]
}

async fn show(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let (project, mut body) = app
        .store()
        .read(move |db| {
            let project = Project::load(db, id)?;
            let body = of_project(db, &project)?;
            Ok((project, body))
        })
        .await?;
    if project.settings.errors {
        body["codes"] = json!(collect::errors::report(&app, &project).await?);
    } else if project.kind == Kind::Judge {
        body["judgements"] = json!(collect::judge::report(&app, &project).await?);
    }
    if project.kind == Kind::People {
        body["people"] = json!(collect::people::report(&app, &project).await?);
    }
    Ok(Json(body))
}

fn of_project(db: &Connection, project: &Project) -> Answered<Value> {
    let items = collect::answered_items(db, project.id)?;
    let disputed: Vec<&AnsweredItem> = items.iter().filter(|item| item.is_disputed()).collect();
    let steps = step_states(db, project)?;
    let documents = "SELECT count(*) FROM document WHERE project = ?1";
    let mut body = json!({
        "project": project,
        "cost": cost(db, project, &steps)?,
        "steps": steps,
        "annotators": annotators(db, project, &items)?,
        "documents": db.query_row(documents, [project.id], |row| row.get::<_, i64>(0))?,
        "agreement": agreement(&items),
        "disputed": disputed.len(),
        "disputes": disputed.iter().take(MOST_DISPUTED).collect::<Vec<_>>(),
    });
    if project.kind == Kind::Survey {
        body["survey"] = json!(collect::survey::tally(db, project.id)?);
    }
    if project.kind == Kind::Instructions {
        body["instructions"] = collect::mapping::report(db, project.id)?;
    }
    Ok(body)
}

/// Items, answers, people, time and cost of each step.
pub(crate) fn steps(db: &Connection, project: &Project) -> Answered<Vec<StepFacts>> {
    let query = "SELECT i.step, count(*), sum(i.answers), (SELECT count(DISTINCT a.annotator) FROM answer a
            JOIN item o ON o.id = a.item WHERE o.project = ?1 AND o.step = i.step AND o.gold IS NULL)
        FROM item i WHERE i.project = ?1 AND i.gold IS NULL GROUP BY i.step ORDER BY min(i.id)";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project.id], |row| {
        let counts: [i64; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
        Ok((row.get::<_, String>(0)?, counts))
    })?;
    let mut steps = Vec::new();
    for row in rows {
        let (step, counts) = row?;
        let [items, answers, workers] = counts.map(|count| usize::try_from(count).unwrap_or(0));
        let reward = project.settings.rewards.get(&step).copied();
        steps.push(StepFacts {
            seconds: median(db, "i.project = ?1 AND i.step = ?2 AND i.gold IS NULL", (project.id, &step))?,
            cost: reward.map(|reward| answers as f64 * reward * (1.0 + project.settings.fee)),
            reward,
            step,
            items,
            answers,
            workers,
        });
    }
    Ok(steps)
}

/// The same with what is still to come.
fn step_states(db: &Connection, project: &Project) -> Answered<Vec<Value>> {
    let stuck = stuck(db, project.id)?;
    let query = "SELECT coalesce(sum(wanted), 0), coalesce(sum(answers >= wanted), 0) FROM item
        WHERE project = ?1 AND step = ?2 AND gold IS NULL";
    let mut statement = db.prepare_cached(query)?;
    let mut states = Vec::new();
    for facts in steps(db, project)? {
        let (wanted, complete): (i64, i64) =
            statement.query_row((project.id, &facts.step), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut state = json!(facts);
        state["wanted"] = json!(wanted);
        state["complete"] = json!(complete);
        state["stuck"] = json!(stuck.get(&facts.step).copied().unwrap_or(0));
        state["forecast"] = json!(facts.reward.map(|reward| wanted as f64 * reward * (1.0 + project.settings.fee)));
        let hourly = facts.reward.zip(facts.seconds.filter(|seconds| *seconds > 0));
        state["hourly"] = json!(hourly.map(|(reward, seconds)| reward * 3600.0 / seconds as f64));
        states.push(state);
    }
    Ok(states)
}

/// Open items of each step that nobody in the pool can do: each has done them or wrote what they start from.
fn stuck(db: &Connection, project: i64) -> Answered<BTreeMap<String, i64>> {
    let query = "SELECT i.step, count(*) FROM item i WHERE i.project = ?1 AND i.gold IS NULL AND i.answers < i.wanted
        AND i.seat IS NULL AND EXISTS (SELECT 1 FROM annotator n WHERE n.project = ?1)
        AND NOT EXISTS (SELECT 1 FROM annotator n WHERE n.project = ?1 AND n.active AND n.pooled
            AND NOT EXISTS (SELECT 1 FROM answer a WHERE a.item = i.id AND a.annotator = n.id)
            AND NOT EXISTS (SELECT 1 FROM item_author w WHERE w.item = i.id AND w.annotator = n.id))
        GROUP BY i.step";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What everything has cost and will cost, where rewards are known; for each question, and for each passage to answer.
fn cost(db: &Connection, project: &Project, steps: &[Value]) -> Answered<Value> {
    let sum = |field: &str| steps.iter().filter_map(|step| step[field].as_f64()).reduce(|sum, cost| sum + cost);
    let count = |query: &str| Ok::<_, Failure>(db.query_row(query, [project.id], |row| row.get::<_, i64>(0))?);
    let tasks = count("SELECT count(*) FROM question WHERE project = ?1 AND NOT dropped")?;
    let rows = count("SELECT count(*) FROM item WHERE project = ?1 AND step = 'answer' AND gold IS NULL")?;
    let each = |count: i64| sum("forecast").filter(|_| count > 0).map(|cost| cost / count as f64);
    let worked = "SELECT coalesce(sum(a.seconds), 0) FROM answer a JOIN item i ON i.id = a.item WHERE i.project = ?1";
    Ok(json!({
        "spent": sum("cost"),
        "forecast": sum("forecast"),
        "per_task": each(tasks),
        "per_gold_row": each(rows),
        "tasks": tasks,
        "gold_rows": rows,
        "seconds": count(worked)?,
    }))
}

/// The median of seconds for an item among the answers that meet a condition.
fn median(db: &Connection, condition: &str, parameters: impl rusqlite::Params) -> Answered<Option<i64>> {
    let query =
        // A time of 0 was not measured: such answers came from elsewhere.
        format!("SELECT a.seconds FROM answer a JOIN item i ON i.id = a.item WHERE {condition} AND a.seconds > 0 ORDER BY a.seconds");
    let mut statement = db.prepare_cached(&query)?;
    let times = statement.query_map(parameters, |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    Ok(times.get(times.len() / 2).copied())
}

fn annotators(db: &Connection, project: &Project, items: &[AnsweredItem]) -> Answered<Vec<Value>> {
    let quality = pool::quality(items);
    let query =
        "SELECT n.id, n.name, n.active, n.seat, n.pooled, (SELECT count(*) FROM answer a WHERE a.annotator = n.id)
        FROM annotator n WHERE n.project = ?1 ORDER BY n.id";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project.id], |row| {
        let (id, name, active, seat): (i64, String, bool, Option<i64>) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let (pooled, answers): (bool, i64) = (row.get(4)?, row.get(5)?);
        let (right, judged) = quality.get(name.as_str()).copied().unwrap_or_default();
        let share = (judged > 0).then(|| right as f64 / judged as f64);
        Ok((
            id,
            json!({
                "id": id, "name": name, "active": active, "sheet": seat, "answers": answers, "pooled": pooled,
                "judged": judged, "quality": share,
            }),
        ))
    })?;
    let mut annotators = Vec::new();
    for row in rows {
        let (id, mut annotator) = row?;
        annotator["seconds"] = json!(median(db, "a.annotator = ?1", [id])?);
        annotator["qualified"] = json!(collect::is_qualified(db, project, id)?);
        annotators.push(annotator);
    }
    Ok(annotators)
}

/// How far annotators agree on answers, beyond chance.
pub(crate) fn agreement(items: &[AnsweredItem]) -> Agreement {
    let labels: Vec<Vec<String>> = items.iter().map(AnsweredItem::labels).filter(|labels| labels.len() > 1).collect();
    Agreement {
        items: labels.len(),
        percent: percent_agreement(&labels),
        cohen: cohen(items),
        fleiss: fleiss_kappa(&labels),
        krippendorff: krippendorff_alpha(&labels),
    }
}

/// Cohen's kappa of each two annotators with items in common, averaged over their items.
fn cohen(items: &[AnsweredItem]) -> Option<f64> {
    let mut pairs: BTreeMap<(&str, &str), Vec<(String, String)>> = BTreeMap::new();
    for item in items {
        for (place, (one, given)) in item.answers.iter().enumerate() {
            for (other, also) in &item.answers[place + 1..] {
                let (one, given, other, also) =
                    if one <= other { (one, given, other, also) } else { (other, also, one, given) };
                pairs.entry((one, other)).or_default().push((given.label(), also.label()));
            }
        }
    }
    let kappas: Vec<(f64, usize)> =
        pairs.values().filter_map(|labels| Some((cohen_kappa(labels)?, labels.len()))).collect();
    let total: usize = kappas.iter().map(|(_, count)| count).sum();
    (total > 0).then(|| kappas.iter().map(|(kappa, count)| kappa * *count as f64).sum::<f64>() / total as f64)
}
