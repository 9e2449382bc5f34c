//! An executor's counters for Prometheus, at any path of a small HTTP server.

use crate::{Answerer, Counts, Error};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Serves the counters in the background, at the address that is given: port 0 stands for any that is free.
pub(crate) async fn serve(address: SocketAddr, answerer: Arc<Answerer>) -> Result<SocketAddr, Error> {
    let cannot = |error: std::io::Error| Error::Process {
        part: "server of counters",
        reason: format!("cannot listen on {address}: {error}"),
    };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => drop(tokio::spawn(answer(stream, Arc::clone(&answerer)))),
                // One connection that fails, or too many open files for a moment, must not end the counters for good.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    });
    Ok(bound)
}

/// Whatever is asked, the counters are the answer.
async fn answer(mut stream: TcpStream, answerer: Arc<Answerer>) {
    let mut request = [0; 1024];
    // Whoever hangs up before being answered needs none.
    if stream.read(&mut request).await.is_ok() {
        let body = text(answerer.counts());
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all((head + &body).as_bytes()).await;
    }
}

fn text(counts: Counts) -> String {
    let lines = [
        ("saydo_model_calls_total", "Requests that the model was given.", counts.model_calls),
        ("saydo_answers_computed_total", "Answers that the model gave.", counts.computed),
        ("saydo_answers_found_total", "Answers found again in the store.", counts.found),
        ("saydo_answers_failed_total", "Texts without an answer.", counts.failed),
    ];
    lines.map(|(name, help, value)| format!("# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}\n")).concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answerer::tests::session;

    #[test]
    fn counters_are_served_in_prometheus_words() {
        let answerer = Arc::new(Answerer::new(session(), None));
        let said = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let address = serve("127.0.0.1:0".parse().unwrap(), answerer).await.unwrap();
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").await.unwrap();
            let mut said = String::new();
            stream.read_to_string(&mut said).await.unwrap();
            said
        });
        assert!(said.starts_with("HTTP/1.1 200 OK"));
        assert!(said.contains("\nsaydo_answers_computed_total 0\n"));
    }
}
