//! The OpenAPI document, made from the list of routes.

use crate::collect::EXPORTS;
use crate::{Access, Route};
use axum::Json;
use serde_json::{Map, Value, json};

/// The document of these routes.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes.iter().filter(|route| route.summary.is_some()) {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Saydo",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Descriptions as functions over text, runs, projects of annotators, and the model itself.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "saydo_session"},
            },
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {"error": {
                        "type": "object",
                        "required": ["message", "type"],
                        "properties": {"message": {"type": "string"}, "type": {"type": "string"}},
                    }},
                },
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let error = json!({
        "description": "Why not",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    });
    let given: Map<String, Value> =
        [route.gives].into_iter().chain(route.streams).map(|kind| (kind.to_owned(), json!({}))).collect();
    let mut operation = json!({
        "summary": route.summary,
        "description": format!("For: {}.", route.access.name()),
        "operationId": operation_id(route),
        "tags": [tag(route.path)],
        "parameters": parameters(route.path),
        "responses": {
            "200": {"description": "Done", "content": given},
            "4XX": error,
            "5XX": error,
        },
    });
    if route.access != Access::Anyone {
        operation["security"] = json!([{"token": []}, {"session": []}, {}]);
    }
    if let Some(body) = &route.body {
        operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": body}}});
    }
    operation
}

fn operation_id(route: &Route) -> String {
    let words = route.path.split(['/', '{', '}', '.']).filter(|word| !word.is_empty());
    std::iter::once(route.method.as_str().to_lowercase()).chain(words.map(str::to_owned)).collect::<Vec<_>>().join("_")
}

fn tag(path: &str) -> &str {
    path.trim_start_matches("/v1").split('/').find(|word| !word.is_empty()).unwrap_or("server")
}

/// Numbers are called `id` or `item`; everything else is text.
fn parameters(path: &str) -> Value {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let parameter = |name: &str| {
        let schema = match name {
            "id" | "item" | "annotator" => json!({"type": "integer", "minimum": 1, "maximum": i64::MAX}),
            "format" => json!({"enum": EXPORTS}),
            _ => json!({"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^/\\x00-\\x1f\\x7f]+$"}),
        };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    };
    names.map(parameter).collect()
}

/// `/openapi.json`.
pub(crate) async fn serve() -> Json<Value> {
    Json(document(&crate::routes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes;
    use std::collections::HashSet;

    #[test]
    fn every_route_of_the_api_is_in_the_document_under_a_name_of_its_own() {
        let routes = routes();
        let document = document(&routes);
        let mut names = HashSet::new();
        for route in routes.iter().filter(|route| route.summary.is_some()) {
            let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
            assert!(operation["summary"].is_string(), "{}", route.path);
            assert!(names.insert(operation["operationId"].as_str().unwrap().to_owned()), "{}", route.path);
        }
    }
}
