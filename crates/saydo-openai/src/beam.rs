//! Beam search, which only vLLM offers. Others ignore the parameter and would pass off a greedy reply as the best beam.

use crate::Error;
use crate::field::Unusable;
use crate::served::Served;
use serde_json::Value;

/// Succeeds if the server is vLLM, by what its list of models says.
pub(crate) async fn check(served: &Served) -> Result<(), Error> {
    if *served.is_vllm.get_or_try_init(|| is_vllm(served)).await? {
        served.note("beam search is vLLM's own, which knows no early stopping".to_owned());
        return Ok(());
    }
    Err(Error::Unsupported {
        what: "beam search on a server other than vLLM".to_owned(),
        advice: "run the model locally, serve it with vLLM, or decode greedily".to_owned(),
    })
}

async fn is_vllm(served: &Served) -> Result<bool, Error> {
    let read = |answer: &Value| {
        let models = answer.get("data").and_then(Value::as_array).ok_or(Unusable::Lacks("data"))?;
        Ok(models.iter().any(|model| model.get("owned_by").is_some_and(|owner| owner == "vllm")))
    };
    match served.transport.ask(&served.address.endpoint("models"), None, read).await {
        Err(Error::Status { .. } | Error::Malformed { .. }) => Ok(false),
        found => found,
    }
}
