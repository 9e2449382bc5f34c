//! Beam search, which only vLLM offers. Others ignore the parameter and would pass off a greedy reply as the best beam.

use crate::Error;
use crate::field::Unusable;
use crate::served::Served;
use crate::server::Server;
use crate::transport::Target;
use serde_json::Value;

/// Succeeds if every server that can be reached is vLLM, by what its list of models says.
pub(crate) async fn check(served: &Served) -> Result<(), Error> {
    let mut unreachable = None;
    let mut reached = 0;
    for server in served.servers() {
        match server.is_vllm.get_or_try_init(|| is_vllm(served, server)).await {
            Ok(true) => reached += 1,
            Ok(false) => return Err(unsupported()),
            Err(error) => unreachable = Some(error),
        }
    }
    match unreachable.filter(|_| reached == 0) {
        Some(error) => Err(error),
        None => {
            served.note("beam search is vLLM's own, which knows no early stopping".to_owned());
            Ok(())
        }
    }
}

async fn is_vllm(served: &Served, server: &Server) -> Result<bool, Error> {
    let read = |_: &Server, answer: &Value| {
        let models = answer.get("data").and_then(Value::as_array).ok_or(Unusable::Lacks("data"))?;
        Ok(models.iter().any(|model| model.get("owned_by").is_some_and(|owner| owner == "vllm")))
    };
    let target = Target::below("models").only(server, served.servers().len());
    match served.transport.ask(target, |_| None, read, |_, _| false).await {
        Err(Error::Status { .. } | Error::Malformed { .. }) => Ok(false),
        found => found,
    }
}

fn unsupported() -> Error {
    Error::Unsupported {
        what: "beam search on a server other than vLLM".to_owned(),
        advice: "run the model locally, serve it with vLLM, or decode greedily".to_owned(),
    }
}
