//! The instructions editor: what lint says of a task in the making, and the prompt that every layout makes of it.

use super::task::load;
use crate::compute::compute;
use crate::draft::{self, Draft};
use crate::failure::{Answered, Failure};
use crate::identity::Visitor;
use crate::input::{Input, Path};
use crate::{Access, App, Route, page, schema};
use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use axum::{Extension, Json};
use minijinja::context;
use saydo_encode::{EncodeOptions, Layout, NamedLayout, encode_task};
use saydo_task::format::Format;
use saydo_task::lint::{Options, lint_paths};
use saydo_task::{Instance, Task};
use serde::Deserialize;
use serde_json::{Value, json};

/// Examples in a prompt of Natural Instructions, if the task has as many.
const EXAMPLES: usize = 2;

pub(super) fn routes() -> Vec<Route> {
    let preview = schema::object(&["task"], json!({"task": schema::parts(), "input": {"type": "string"}}));
    let owner = Access::Owner;
    vec![
        Route::page("/instructions", owner, editor),
        Route::api(Method::POST, "/v1/preview", owner, "Lint, files and prompts of a task in the making", look)
            .takes(preview),
        Route::api(Method::GET, "/v1/tasks/{name}/parts", owner, "The parts of a kept task", parts),
    ]
}

async fn editor(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    page::render(&app, &visitor, "instructions.html", context! {})
}

async fn parts(State(app): State<App>, Path(name): Path<String>) -> Answered<Json<Value>> {
    Ok(Json(json!(Draft::of(&load(&app, name).await?))))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    task: Draft,
    #[serde(default)]
    input: String,
}

async fn look(Input(look): Input<Look>) -> Answered<Json<Value>> {
    compute(move || preview(look)).await.map(Json)
}

fn preview(look: Look) -> Answered<Value> {
    let task = look.task.task()?;
    let toml = Format::Toml.write(&task).text;
    let natural_instructions = Format::NaturalInstructions.write(&task);
    let prompts: Vec<Value> = Layout::names().iter().map(|layout| prompt(&task, layout, &look.input)).collect();
    Ok(json!({
        "name": if task.id.is_empty() { "task" } else { task.id.as_str() },
        "inferred": draft::inferred(&task),
        "problems": problems(&toml)?,
        "toml": toml,
        "natural_instructions": natural_instructions.text,
        "lost": natural_instructions.lost,
        "prompts": prompts,
    }))
}

/// What lint says of a task file. It reads files, so there is one for a moment.
fn problems(toml: &str) -> Answered<Value> {
    let folder = tempfile::tempdir().map_err(Failure::internal)?;
    let path = folder.path().join("task.toml");
    std::fs::write(&path, toml).map_err(Failure::internal)?;
    let mut report = lint_paths(&[path], &Options::default()).to_json();
    let mut problems = report["problems"].take();
    for problem in problems.as_array_mut().into_iter().flatten() {
        problem["file"] = json!("task.toml");
    }
    Ok(problems)
}

fn prompt(task: &Task, layout: &NamedLayout, input: &str) -> Value {
    let input = if input.trim().is_empty() { "(the input stands here)" } else { input };
    let task = Task { instances: vec![Instance::unlabelled(input)], ..task.clone() };
    let encoding = layout.layout();
    // Natural Instructions makes examples of instances where a task has too few; here the one instance is the input.
    let is_natural = matches!(encoding, Layout::NaturalInstructions(_));
    let num_examples = is_natural.then(|| task.positive.len().min(EXAMPLES));
    let made = encode_task(&task, &encoding, &EncodeOptions { num_examples, ..EncodeOptions::default() });
    let text = made.map(|prompts| prompts.first().map(|(_, prompt)| prompt.text()).unwrap_or_default());
    match text {
        Ok(text) => json!({"layout": layout.name, "description": layout.description, "text": text}),
        Err(error) => json!({"layout": layout.name, "description": layout.description, "error": error.to_string()}),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Server;
    use serde_json::json;

    #[test]
    fn every_layout_shows_its_prompt_and_lint_says_what_is_odd() {
        let server = Server::local();
        let task = json!({"title": "Dogs", "definition": "Are dogs allowed?", "prompt": "Answer yes or no.",
            "positive": [{"input": "Dogs may come.", "output": "yes", "reason": "It says so."}]});
        let got = server.post("/v1/preview", json!({"task": task, "input": "No dogs."}));
        assert_eq!(got.status, 200, "{}", got.text);
        let body = got.json();
        let prompts = body["prompts"].as_array().unwrap();
        assert_eq!(prompts.len(), saydo_encode::Layout::names().len());
        let (raw, others): (Vec<_>, Vec<_>) = prompts.iter().partition(|prompt| prompt["layout"] == "ni-raw");
        assert!(
            others.iter().all(|prompt| prompt["text"].as_str().is_some_and(|text| text.contains("No dogs."))),
            "{body}"
        );
        assert!(raw[0]["error"].as_str().unwrap().contains("has no raw instructions"), "{body}");
        let full = prompts.iter().find(|prompt| prompt["layout"] == "ni-full").unwrap();
        assert!(full["text"].as_str().unwrap().contains("Dogs may come."), "{full}");
        assert!(body["problems"].is_array() && body["toml"].as_str().unwrap().contains("Are dogs allowed?"));
        let empty = server.post("/v1/preview", json!({"task": {}})).json();
        assert!(!empty["problems"].as_array().unwrap().is_empty(), "{empty}");
        assert!(!empty["problems"].to_string().contains("/tmp"), "paths stay inside");
    }
}
