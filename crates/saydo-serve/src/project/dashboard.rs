//! Where a project stands: progress, people, agreement, what waits for a decision.

use super::{Kind, Project};
use crate::collect::{self, AnsweredItem};
use crate::failure::Answered;
use crate::input::Path;
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::Connection;
use saydo_metrics::agreement::{cohen_kappa, fleiss_kappa, krippendorff_alpha, percent_agreement};
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
    Ok(Json(body))
}

fn of_project(db: &Connection, project: &Project) -> Answered<Value> {
    let items = collect::answered_items(db, project.id)?;
    let disputed: Vec<&AnsweredItem> = items.iter().filter(|item| item.is_disputed()).collect();
    let documents = "SELECT count(*) FROM document WHERE project = ?1";
    let mut body = json!({
        "project": project,
        "steps": steps(db, project.id)?,
        "annotators": annotators(db, project)?,
        "documents": db.query_row(documents, [project.id], |row| row.get::<_, i64>(0))?,
        "agreement": agreement(&items),
        "disputed": disputed.len(),
        "disputes": disputed.iter().take(MOST_DISPUTED).collect::<Vec<_>>(),
    });
    if project.kind == Kind::Survey {
        body["survey"] = json!(collect::survey::tally(db, project.id)?);
    }
    Ok(body)
}

/// Items, answers and time of each step.
fn steps(db: &Connection, project: i64) -> Answered<Vec<Value>> {
    let query = "SELECT step, count(*), sum(wanted), sum(answers), sum(answers >= wanted) FROM item
        WHERE project = ?1 AND gold IS NULL GROUP BY step ORDER BY min(id)";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project], |row| {
        let step: String = row.get(0)?;
        let counts: [i64; 4] = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
        Ok((step, counts))
    })?;
    let mut steps = Vec::new();
    for row in rows {
        let (step, [items, wanted, answers, complete]) = row?;
        let seconds = median(db, "i.project = ?1 AND i.step = ?2", (project, &step))?;
        steps.push(json!({
            "step": step, "items": items, "wanted": wanted, "answers": answers, "complete": complete, "seconds": seconds,
        }));
    }
    Ok(steps)
}

/// The median of seconds for an item among the answers that meet a condition.
fn median(db: &Connection, condition: &str, parameters: impl rusqlite::Params) -> Answered<Option<i64>> {
    let query =
        format!("SELECT a.seconds FROM answer a JOIN item i ON i.id = a.item WHERE {condition} ORDER BY a.seconds");
    let mut statement = db.prepare_cached(&query)?;
    let times = statement.query_map(parameters, |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    Ok(times.get(times.len() / 2).copied())
}

fn annotators(db: &Connection, project: &Project) -> Answered<Vec<Value>> {
    let query = "SELECT n.id, n.name, n.active, n.seat, (SELECT count(*) FROM answer a WHERE a.annotator = n.id)
        FROM annotator n WHERE n.project = ?1 ORDER BY n.id";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project.id], |row| {
        let (id, name, active, seat, answers): (i64, String, bool, Option<i64>, i64) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        Ok((id, json!({"id": id, "name": name, "active": active, "sheet": seat, "answers": answers})))
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
fn agreement(items: &[AnsweredItem]) -> Value {
    let labels: Vec<Vec<String>> = items.iter().map(AnsweredItem::labels).filter(|labels| labels.len() > 1).collect();
    json!({
        "items": labels.len(),
        "percent": percent_agreement(&labels),
        "cohen": cohen(items),
        "fleiss": fleiss_kappa(&labels),
        "krippendorff": krippendorff_alpha(&labels),
    })
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
