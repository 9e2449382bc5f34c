//! What the owner of a project does: documents, steps, questions, decisions, exports.

use super::given::Given;
use super::question::{MOST_CHARS, NewQuestion, Question, checked, kind_of};
use super::{Asked, amti, board, errors, export, facts, generate, judge, mapping, near, part, passage, people, survey};
use crate::compute::compute;
use crate::draft::DraftField;
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::project::{Kind, Project};
use crate::schema::{self, object};
use crate::work::{Item, Step};
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, Method, header};
use axum::response::{IntoResponse as _, Response};
use rusqlite::{Connection, params};
use saydo_search::Document;
use saydo_task::Generalization;
use saydo_task::format::Format;
use serde::Deserialize;
use serde_json::{Value, json};

/// So many people may do a qualification item: everyone.
const EVERYONE: i64 = 1_000_000_000;
/// What can be exported, each of projects of one kind.
pub(crate) const EXPORTS: [&str; 9] =
    ["zest", "natural-instructions", "toml", "release", "amti", "judgements", "codes", "survey", "board"];
/// The header of an export that says how many pieces of answers cannot be told from several.
const AMBIGUOUS: &str = "saydo-ambiguous-pieces";

pub(crate) fn routes() -> Vec<Route> {
    let text = schema::some_text();
    let document = object(&["entity", "text"], json!({"entity": text, "text": text}));
    let documents = object(&["documents"], json!({"documents": {"type": "array", "minItems": 1, "items": document}}));
    let steps = object(
        &["step"],
        json!({
            "step": {"enum": ["base", "paraphrase", "flip", "compose", "structure"]},
            "count": {"type": "integer", "minimum": 1, "maximum": 1000},
        }),
    );
    let kind = json!({"enum": ["yes-no", "spans"]});
    let asked = json!({"type": "string", "pattern": "^\\s*\\S.*\\S\\s*$", "minLength": 3, "maxLength": MOST_CHARS});
    let question = object(&["domain", "text"], json!({"domain": text, "text": asked, "kind": kind}));
    let change = object(&[], json!({"text": asked, "dropped": {"type": "boolean"}}));
    let decision = object(&["value"], json!({"value": schema::given()}));
    let qualification = object(
        &["question", "passage", "value"],
        json!({"question": asked, "passage": text, "value": schema::given(), "fields": schema::fields()}),
    );
    let owner = Access::Owner;
    let (get, post) = (Method::GET, Method::POST);
    let mut routes = vec![
        Route::api(post.clone(), "/v1/projects/{id}/documents", owner, "Adds documents", add_documents)
            .takes(documents),
        Route::api(post.clone(), "/v1/projects/{id}/steps", owner, "Makes items of a writing step", begin_step)
            .takes(steps),
        Route::api(
            post.clone(),
            "/v1/projects/{id}/passages",
            owner,
            "Finds passages for questions without any",
            find_passages,
        ),
        Route::api(
            post.clone(),
            "/v1/projects/{id}/split",
            owner,
            "Splits the base questions into train, dev and test",
            split_questions,
        ),
        Route::api(
            get.clone(),
            "/v1/projects/{id}/questions",
            owner,
            "The questions of a project, their parts, and those that are nearly the same",
            questions,
        ),
        Route::api(post.clone(), "/v1/projects/{id}/questions", owner, "Adds a base question", add_question)
            .takes(question),
        Route::api(
            Method::PATCH,
            "/v1/projects/{id}/questions/{item}",
            owner,
            "Changes a question or puts it aside",
            change_question,
        )
        .takes(change),
        Route::api(
            post.clone(),
            "/v1/projects/{id}/qualification",
            owner,
            "Adds a qualification item",
            add_qualification,
        )
        .takes(qualification),
        Route::api(
            post.clone(),
            "/v1/projects/{id}/items/{item}/decision",
            owner,
            "Decides where annotators do not agree",
            decide,
        )
        .takes(decision),
        Route::api(get, "/v1/projects/{id}/export/{format}", owner, "What was collected, as an archive", download)
            .gives("application/zip"),
    ];
    routes.extend(amti::routes());
    routes.extend(board::routes());
    routes.extend(people::routes());
    routes.extend(mapping::routes());
    routes.extend(judge::routes());
    routes.extend(survey::routes());
    routes.extend(errors::routes());
    routes
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Documents {
    documents: Vec<OneDocument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneDocument {
    entity: String,
    text: String,
}

async fn add_documents(
    State(app): State<App>,
    Path(id): Path<i64>,
    Input(documents): Input<Documents>,
) -> Answered<Json<Value>> {
    let one = |one: OneDocument| Document { entity: one.entity, text: one.text };
    let documents: Vec<Document> = documents.documents.into_iter().map(one).collect();
    Ok(Json(json!({"kept": app.store().write(move |db| passage::keep(db, id, &documents)).await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    step: Step,
    #[serde(default = "one")]
    count: usize,
}

fn one() -> usize {
    1
}

async fn begin_step(State(app): State<App>, Path(id): Path<i64>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    if !(1..=1000).contains(&begin.count) {
        return Err(Failure::bad(format!("the count is {}, expected 1 to 1000", begin.count)));
    }
    let now = app.now();
    let made = app.store().write(move |db| {
        let project = of_kind(db, id, Kind::Zest)?;
        generate::generate(db, &project, begin.step, begin.count, now)
    });
    Ok(Json(json!(made.await?)))
}

fn of_kind(db: &Connection, id: i64, kind: Kind) -> Answered<Project> {
    let project = Project::load(db, id)?;
    match project.kind == kind {
        true => Ok(project),
        false => Err(Failure::Conflict("this project collects something else".to_owned())),
    }
}

async fn find_passages(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    Ok(Json(json!(passage::find(&app, id).await?)))
}

async fn questions(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let read = app.store().read(move |db| Ok((Project::load(db, id)?, Question::all(db, id)?)));
    let (project, questions) = read.await?;
    compute(move || {
        let split = part::deal(&questions, project.settings.seed);
        Ok(Json(json!({"near": near::near(&questions), "split": split, "questions": questions})))
    })
    .await
}

async fn split_questions(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let dealt = app.store().write(move |db| {
        let project = of_kind(db, id, Kind::Zest)?;
        part::assign(db, id, project.settings.seed)
    });
    Ok(Json(json!(dealt.await?)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    domain: String,
    text: String,
    kind: Option<String>,
}

async fn add_question(
    State(app): State<App>,
    Path(id): Path<i64>,
    Input(added): Input<Added>,
) -> Answered<Json<Value>> {
    let kind = match added.kind.as_deref() {
        None => kind_of(&added.text).await?,
        Some("yes-no") => "yes-no",
        Some("spans") => "spans",
        Some(other) => return Err(Failure::bad(format!("the kind is {other:?}, expected yes-no or spans"))),
    };
    let now = app.now();
    let kept = app.store().write(move |db| {
        let project = of_kind(db, id, Kind::Zest)?;
        if !project.settings.domains.contains(&added.domain) {
            return Err(Failure::bad(format!("{:?} is none of the project's domains", added.domain)));
        }
        let question = NewQuestion {
            project: id,
            generalization: Generalization::Base,
            domain: &added.domain,
            text: &added.text,
            kind,
            fields: &[],
            derives_from: &[],
            author: "owner",
        };
        question.insert(db, now)
    });
    Ok(Json(json!({"id": kept.await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    text: Option<String>,
    dropped: Option<bool>,
}

async fn change_question(
    State(app): State<App>,
    Path((id, question)): Path<(i64, i64)>,
    Input(change): Input<Change>,
) -> Answered<Json<Value>> {
    let changed = app.store().write(move |db| {
        let text = change.text.as_deref().map(checked).transpose()?;
        let update = "UPDATE question SET text = coalesce(?3, text), dropped = coalesce(?4, dropped)
            WHERE id = ?2 AND project = ?1";
        Ok(db.execute(update, params![id, question, text, change.dropped])?)
    });
    if changed.await? == 0 { Err(Failure::missing("question")) } else { Ok(Json(json!({"changed": question}))) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Qualification {
    question: String,
    passage: String,
    value: Value,
    #[serde(default)]
    fields: Vec<DraftField>,
}

async fn add_qualification(
    State(app): State<App>,
    Path(id): Path<i64>,
    Input(added): Input<Qualification>,
) -> Answered<Json<Value>> {
    let kind = if added.fields.is_empty() { kind_of(&added.question).await? } else { "records" };
    let now = app.now();
    let kept = app.store().write(move |db| {
        of_kind(db, id, Kind::Zest)?;
        let asked = Asked {
            question: checked(&added.question)?.to_owned(),
            kind: kind.to_owned(),
            fields: added.fields,
            entity: "qualification".to_owned(),
            passage: added.passage,
            suggestions: false,
        };
        let gold = Given::parse(added.value)?;
        gold.check(&asked)?;
        let payload = serde_json::to_value(asked).map_err(Failure::internal)?;
        let item = generate::insert(db, id, Step::Answer, None, &payload, EVERYONE, now)?;
        let gold = serde_json::to_string(&gold).map_err(Failure::internal)?;
        db.execute("UPDATE item SET gold = ?2 WHERE id = ?1", params![item, gold])?;
        Ok(item)
    });
    Ok(Json(json!({"item": kept.await?})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    value: Value,
}

async fn decide(
    State(app): State<App>,
    Path((id, item)): Path<(i64, i64)>,
    Input(decision): Input<Decision>,
) -> Answered<Json<Value>> {
    app.store()
        .write(move |db| {
            let found = Item::load(db, id, item)?;
            if found.step != Step::Answer {
                return Err(Failure::bad("only answers are decided"));
            }
            let given = Given::parse(decision.value)?;
            given.check(&Asked::of(&found.payload)?)?;
            let text = serde_json::to_string(&given).map_err(Failure::internal)?;
            db.execute("UPDATE item SET decided = ?2 WHERE id = ?1", params![item, text])?;
            Ok(())
        })
        .await?;
    Ok(Json(json!({"decided": item})))
}

async fn download(State(app): State<App>, Path((id, format)): Path<(i64, String)>) -> Answered<Response> {
    let name = format.clone();
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    let mut ambiguous = 0;
    let title = crate::draft::name(&project.name);
    let files = match (project.kind, format.as_str()) {
        (Kind::Judge, "codes") if project.settings.errors => errors::export(&app, id).await?,
        (Kind::Judge, "judgements") if !project.settings.errors => judge::export(&app, &project).await?,
        (Kind::Survey, "survey") => survey::export(&app, id).await?,
        (Kind::Zest, "amti") => app.store().read(move |db| amti::export(db, &Project::load(db, id)?)).await?,
        (Kind::Instructions, "natural-instructions") => app.store().read(move |db| mapping::export(db, id)).await?,
        (Kind::Board, "board") => board::export(&app, id).await?,
        (Kind::Zest, "zest" | "natural-instructions" | "toml" | "release") => {
            let seed = project.settings.seed;
            app.store().write(move |db| part::assign(db, id, seed)).await?;
            let loaded = project.clone();
            let gathered = app.store().read(move |db| {
                let collected = export::collected(db, id)?;
                let collection = facts::collection(db, &loaded, &collected)?;
                Ok((collected, collection))
            });
            let (collected, collection) = gathered.await?;
            ambiguous = collected.ambiguous;
            if collected.tasks.is_empty() {
                return Err(Failure::Conflict("no passage has all its answers yet".to_owned()));
            }
            compute(move || {
                Ok(match format.as_str() {
                    "release" => facts::release(&project, collected, collection)?,
                    "zest" => {
                        let text = format!("{:#}\n", json!(collection));
                        let how = ("collection.json".to_owned(), text.into_bytes());
                        export::zest(&collected).into_iter().chain([how]).collect()
                    }
                    "toml" => export::files(&collected, Format::Toml),
                    _ => export::files(&collected, Format::NaturalInstructions),
                })
            })
            .await?
        }
        _ => return Err(Failure::missing("export")),
    };
    let archive = compute(move || export::archive(&files)).await?;
    let disposition = format!("attachment; filename=\"{title}-{name}.zip\"");
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (HeaderName::from_static(AMBIGUOUS), ambiguous.to_string()),
    ];
    Ok((headers, archive).into_response())
}
