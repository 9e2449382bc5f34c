//! What Prometheus reads: requests by route and status, how long they took, the queue, the rows.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram's buckets, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Counters of one server.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    /// Rows that the model gave.
    pub(crate) rows: AtomicU64,
    /// Answers of annotators that were kept.
    pub(crate) answers: AtomicU64,
}

#[derive(Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    sum: f64,
    count: u64,
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn request(&self, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        times.sum += seconds;
        times.count += 1;
    }

    /// Everything in Prometheus' text format; `waiting` are the requests that each model has waiting.
    pub(crate) fn text(&self, waiting: &[(String, usize)]) -> String {
        let mut out = String::from("# TYPE saydo_http_requests_total counter\n");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in requests.iter() {
            let _ =
                writeln!(out, "saydo_http_requests_total{{route=\"{}\",status=\"{status}\"}} {count}", label(route));
        }
        drop(requests);
        out.push_str("# TYPE saydo_http_request_seconds histogram\n");
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (route, times) in times.iter() {
            let route = label(route);
            for (bucket, bound) in times.buckets.iter().zip(BOUNDS) {
                let _ = writeln!(out, "saydo_http_request_seconds_bucket{{route=\"{route}\",le=\"{bound}\"}} {bucket}");
            }
            let (sum, count) = (times.sum, times.count);
            let _ = writeln!(out, "saydo_http_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "saydo_http_request_seconds_sum{{route=\"{route}\"}} {sum}");
            let _ = writeln!(out, "saydo_http_request_seconds_count{{route=\"{route}\"}} {count}");
        }
        drop(times);
        out.push_str("# TYPE saydo_queue_requests gauge\n");
        for (model, count) in waiting {
            let _ = writeln!(out, "saydo_queue_requests{{model=\"{}\"}} {count}", label(model));
        }
        for (name, counter) in [("saydo_rows_total", &self.rows), ("saydo_answers_total", &self.answers)] {
            let _ = writeln!(out, "# TYPE {name} counter\n{name} {}", counter.load(Ordering::Relaxed));
        }
        out
    }
}

fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_status() {
        let metrics = Metrics::default();
        metrics.request("GET /", 200, Duration::from_millis(3));
        metrics.request("GET /", 200, Duration::from_millis(300));
        let text = metrics.text(&[("a\"b".to_owned(), 2)]);
        assert!(text.contains("saydo_http_requests_total{route=\"GET /\",status=\"200\"} 2\n"), "{text}");
        assert!(text.contains("saydo_http_request_seconds_bucket{route=\"GET /\",le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("saydo_queue_requests{model=\"a\\\"b\"} 2\n"), "{text}");
    }
}
