//! Projects: what people work on together. A project has a kind, settings, items of work, and annotators with links.

mod annotator;
mod dashboard;
mod page;
mod pool;
mod settings;

pub(crate) use dashboard::{agreement, steps};
pub(crate) use settings::{Requirements, Settings};

use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::{Access, App, Route, schema};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a project collects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Questions, passages and answers, as ZEST was made.
    Zest,
    /// Judgements of the Turking Test's outputs.
    Judge,
    /// How necessary each element of an instruction is.
    Survey,
    /// Predictions for a hidden test set, ranked.
    Board,
    /// Answers of people to a test set, scored like a model's.
    People,
    /// Raw instructions, divided and mapped to the schema of Natural Instructions.
    Instructions,
}

impl Kind {
    const ALL: [Kind; 6] = [Kind::Zest, Kind::Judge, Kind::Survey, Kind::Board, Kind::People, Kind::Instructions];

    fn name(self) -> &'static str {
        match self {
            Kind::Zest => "zest",
            Kind::Judge => "judge",
            Kind::Survey => "survey",
            Kind::Board => "board",
            Kind::People => "people",
            Kind::Instructions => "instructions",
        }
    }
}

/// A project.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Project {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) created: i64,
}

impl Project {
    /// The project of this number.
    pub(crate) fn load(db: &Connection, id: i64) -> Answered<Self> {
        let query = "SELECT id, kind, name, settings, created FROM project WHERE id = ?1";
        let found = db.prepare_cached(query)?.query_row([id], parts).optional()?;
        found.ok_or_else(|| Failure::missing("project")).and_then(Self::of)
    }

    /// All projects, the newest first.
    pub(crate) fn all(db: &Connection) -> Answered<Vec<Self>> {
        let query = "SELECT id, kind, name, settings, created FROM project ORDER BY id DESC";
        let mut statement = db.prepare_cached(query)?;
        let rows = statement.query_map([], parts)?.collect::<Result<Vec<_>, _>>()?;
        rows.into_iter().map(Self::of).collect()
    }

    /// Keeps a new project and gives its number.
    pub(crate) fn insert(db: &Connection, kind: Kind, name: &str, settings: &Settings, now: i64) -> Answered<i64> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 {
            return Err(Failure::bad("expected a name of 1 to 200 characters"));
        }
        settings.check()?;
        let settings = serde_json::to_string(settings).map_err(Failure::internal)?;
        let insert = "INSERT INTO project (kind, name, settings, created) VALUES (?1, ?2, ?3, ?4)";
        db.execute(insert, params![kind.name(), name, settings, now])?;
        Ok(db.last_insert_rowid())
    }

    fn of((id, kind, name, settings, created): Parts) -> Answered<Self> {
        let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
        let kind = kind.ok_or_else(|| Failure::internal("a project of an unknown kind"))?;
        let settings = serde_json::from_str(&settings).map_err(Failure::internal)?;
        Ok(Self { id, kind, name, settings, created })
    }
}

type Parts = (i64, String, String, String, i64);

fn parts(row: &Row<'_>) -> rusqlite::Result<Parts> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
}

pub(crate) fn routes() -> Vec<Route> {
    let create = json!({
        "type": "object",
        "required": ["name", "kind"],
        "properties": {
            "name": schema::text(200),
            "kind": {"enum": ["zest"]},
            "settings": settings::schema(),
        },
        "additionalProperties": false,
    });
    let owner = Access::Owner;
    let mut routes = vec![
        Route::api(Method::GET, "/v1/projects", owner, "All projects", list),
        Route::api(Method::POST, "/v1/projects", owner, "Begins a project that collects questions and answers", begin)
            .takes(create),
        Route::api(Method::DELETE, "/v1/projects/{id}", owner, "Deletes a project with everything in it", delete),
        Route::api(Method::PUT, "/v1/projects/{id}/settings", owner, "Changes a project's settings", change)
            .takes(settings::schema()),
    ];
    routes.extend(annotator::routes());
    routes.extend(dashboard::routes());
    routes.extend(page::routes());
    routes.extend(pool::routes());
    routes
}

async fn list(State(app): State<App>) -> Answered<Json<Value>> {
    Ok(Json(json!({"projects": app.store().read(Project::all).await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    kind: Kind,
    #[serde(default)]
    settings: Settings,
}

async fn begin(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    if begin.kind != Kind::Zest {
        return Err(Failure::bad("this begins projects of kind zest; others begin at addresses of their own"));
    }
    let now = app.now();
    let insert = move |db: &Connection| Project::insert(db, begin.kind, &begin.name, &begin.settings, now);
    Ok(Json(json!({"id": app.store().write(insert).await?})))
}

async fn delete(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let gone = app.store().write(move |db| Ok(db.execute("DELETE FROM project WHERE id = ?1", [id])?)).await?;
    if gone == 0 { Err(Failure::missing("project")) } else { Ok(Json(json!({"deleted": gone}))) }
}

async fn change(
    State(app): State<App>,
    Path(id): Path<i64>,
    Input(settings): Input<Settings>,
) -> Answered<Json<Value>> {
    settings.check()?;
    let update = move |db: &Connection| {
        // The run and the leaderboard were chosen when the project began; they are what people judge and answer.
        let Settings { run, board, .. } = Project::load(db, id)?.settings;
        let settings = Settings { run, board, ..settings };
        let text = serde_json::to_string(&settings).map_err(Failure::internal)?;
        db.execute("UPDATE project SET settings = ?2 WHERE id = ?1", params![id, text])?;
        Ok(settings)
    };
    Ok(Json(json!(app.store().write(update).await?)))
}
