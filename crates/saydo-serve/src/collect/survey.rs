//! The survey of Natural Instructions: how necessary people find each element of an instruction. The paper's own scale is not
//! known to us; ours has three steps.

use super::export::File;
use crate::draft::Draft;
use crate::failure::{Answered, Failure};
use crate::input::Input;
use crate::project::{Kind, Project, Settings};
use crate::work::{Item, Step};
use crate::{Access, App, Route, schema};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::Connection;
use saydo_task::format::natural_instructions::category_of;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What an element can be.
const RATINGS: [&str; 3] = ["necessary", "helpful", "unneeded"];

pub(super) fn routes() -> Vec<Route> {
    let begin = json!({
        "type": "object",
        "required": ["name", "tasks"],
        "properties": {
            "name": schema::text(200),
            "tasks": {"type": "array", "minItems": 1, "items": schema::text(100), "description": "Names of kept tasks"},
            "annotators": {"type": "integer", "minimum": 1, "maximum": 1000},
        },
        "additionalProperties": false,
    });
    vec![
        Route::api(Method::POST, "/v1/surveys", Access::Owner, "Begins a survey of instruction elements", begin_survey)
            .takes(begin),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    tasks: Vec<String>,
    annotators: Option<u32>,
}

/// An element of an instruction as it is shown.
#[derive(Debug, Serialize, Deserialize)]
struct Element {
    name: String,
    text: String,
}

async fn begin_survey(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let mut payloads = Vec::new();
    for name in &begin.tasks {
        let task = crate::api::load_task(&app, name.clone()).await?;
        let elements = elements(&Draft::of(&task));
        if elements.is_empty() {
            return Err(Failure::bad(format!("the task {name:?} has no elements to ask about")));
        }
        let category = category_of(&task).map(str::to_owned);
        payloads.push(json!({"task": name, "category": category, "elements": elements, "ratings": RATINGS}));
    }
    let now = app.now();
    let defaults = Settings::default();
    let settings = Settings { annotators: begin.annotators.unwrap_or(defaults.annotators), ..defaults };
    let kept = app.store().write(move |db| {
        let project = Project::insert(db, Kind::Survey, &begin.name, &settings, now)?;
        for payload in &payloads {
            let wanted = i64::from(settings.annotators);
            super::generate::insert(db, project, Step::Survey, None, payload, wanted, now)?;
        }
        Ok(project)
    });
    Ok(Json(json!({"id": kept.await?})))
}

fn elements(draft: &Draft) -> Vec<Element> {
    let examples = |examples: &[crate::draft::DraftExample]| {
        let one =
            |example: &crate::draft::DraftExample| format!("Input: {}\nOutput: {}", example.input, example.output);
        examples.iter().map(one).collect::<Vec<_>>().join("\n\n")
    };
    // Reasons and suggestions are elements of their own, as in the paper's Table 7.
    let parts = |part: &dyn Fn(&crate::draft::DraftExample) -> &String| {
        let of = |example: &crate::draft::DraftExample| {
            let text = part(example);
            (!text.trim().is_empty()).then(|| format!("Output: {}\n{text}", example.output))
        };
        draft.positive.iter().chain(&draft.negative).filter_map(of).collect::<Vec<_>>().join("\n\n")
    };
    let all = [
        ("Title", draft.title.clone()),
        ("Definition", draft.definition.clone()),
        ("Prompt", draft.prompt.clone()),
        ("Things to avoid", draft.things_to_avoid.clone()),
        ("Emphasis & caution", draft.emphasis.clone()),
        ("Positive examples", examples(&draft.positive)),
        ("Negative examples", examples(&draft.negative)),
        ("Reasons", parts(&|example| &example.reason)),
        ("Suggestions", parts(&|example| &example.suggestion)),
    ];
    let element = |(name, text): (&str, String)| Element { name: name.to_owned(), text };
    all.into_iter().filter(|(_, text)| !text.trim().is_empty()).map(element).collect()
}

/// The ratings as they are kept: one for each element that was shown.
pub(crate) fn checked(item: &Item, value: Value) -> Answered<Value> {
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        ratings: BTreeMap<String, String>,
    }
    let rated: Given =
        serde_json::from_value(value).map_err(|error| Failure::bad(format!("the ratings do not fit: {error}")))?;
    let shown: Vec<Element> = serde_json::from_value(item.payload["elements"].clone()).map_err(Failure::internal)?;
    let is_whole =
        shown.len() == rated.ratings.len() && shown.iter().all(|element| rated.ratings.contains_key(&element.name));
    if !is_whole || rated.ratings.values().any(|rating| !RATINGS.contains(&rating.as_str())) {
        return Err(Failure::bad(format!("expected one of {} for every element", RATINGS.join(", "))));
    }
    serde_json::to_value(rated).map_err(Failure::internal)
}

/// How often each element was called what.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Tally {
    necessary: usize,
    helpful: usize,
    unneeded: usize,
}

/// The ratings by element.
pub(crate) fn tally(db: &Connection, project: i64) -> Answered<BTreeMap<String, Tally>> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for Rated { ratings, .. } in rated(db, project)? {
        for (element, rating) in ratings {
            let tally = tallies.entry(element).or_default();
            match rating.as_str() {
                "necessary" => tally.necessary += 1,
                "helpful" => tally.helpful += 1,
                _ => tally.unneeded += 1,
            }
        }
    }
    Ok(tallies)
}

/// What one annotator said of one task.
struct Rated {
    annotator: String,
    task: String,
    category: Option<String>,
    ratings: BTreeMap<String, String>,
}

fn rated(db: &Connection, project: i64) -> Answered<Vec<Rated>> {
    let query = "SELECT n.name, i.payload, a.value FROM answer a JOIN item i ON i.id = a.item
        JOIN annotator n ON n.id = a.annotator WHERE i.project = ?1 ORDER BY a.id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let payload: Value = serde_json::from_str(&row.get::<_, String>(1)?).map_err(Failure::internal)?;
        let value: Value = serde_json::from_str(&row.get::<_, String>(2)?).map_err(Failure::internal)?;
        let ratings = serde_json::from_value(value["ratings"].clone()).map_err(Failure::internal)?;
        let text = |key: &str| payload[key].as_str().map(str::to_owned);
        let (task, category) = (text("task").unwrap_or_default(), text("category"));
        all.push(Rated { annotator: row.get(0)?, task, category, ratings });
    }
    Ok(all)
}

/// Every rating, a line of JSON each.
pub(super) async fn export(app: &App, project: i64) -> Answered<Vec<File>> {
    let all = app.store().read(move |db| rated(db, project)).await?;
    let line = |Rated { annotator, task, category, ratings }: &Rated| {
        let mut line = json!({"annotator": annotator, "task": task, "ratings": ratings});
        if let Some(category) = category {
            line["category"] = json!(category);
        }
        format!("{line}\n")
    };
    Ok(vec![("ratings.jsonl".to_owned(), all.iter().map(line).collect::<String>().into_bytes())])
}
