//! How long to wait before a request is sent again: exponential backoff with full jitter, and `Retry-After`.

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use saydo_random::mix;
use std::time::{Duration, SystemTime};

/// The longest pause before the first retry; it doubles with each.
const FIRST: Duration = Duration::from_millis(500);
/// The longest pause of our own.
const LONGEST: Duration = Duration::from_secs(30);
/// The longest pause a server can ask for; one that asks for more is tried again after this.
const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// The pause before retry number `retry` (from 0) of request `ticket`: at random below a bound that doubles with each
/// retry, but no less than the server asked for. The same arguments give the same pause.
pub(crate) fn pause(seed: u64, ticket: u64, retry: u32, asked: Option<Duration>) -> Duration {
    let bound = FIRST.saturating_mul(2_u32.saturating_pow(retry)).min(LONGEST);
    let jittered = bound.mul_f64(fraction(seed, ticket, retry));
    jittered.max(asked.unwrap_or_default().min(LONGEST_ASKED))
}

/// How long a server is left alone after so many setbacks (from 0) before somebody looks whether it is back: between
/// half of a bound that doubles and the whole of it.
pub(crate) fn respite(seed: u64, setbacks: u32) -> Duration {
    let bound = FIRST.saturating_mul(2_u32.saturating_pow(setbacks.saturating_add(1))).min(LONGEST);
    bound.mul_f64(0.5 + 0.5 * fraction(seed, 0, setbacks))
}

/// A number in [0, 1) from the arguments, by two rounds of SplitMix64's mixing function.
fn fraction(seed: u64, ticket: u64, retry: u32) -> f64 {
    let bits = mix(mix(seed ^ ticket.rotate_left(32)) ^ u64::from(retry));
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// How long the server asks to wait: seconds, or a date. A date is measured from the server's own clock if it says
/// what time it is, else from `now`; one in the past asks for nothing.
pub(crate) fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let value = text(RETRY_AFTER)?;
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let now = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn headers(fields: &[(HeaderName, &'static str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn pauses_fill_the_range_below_a_bound_that_doubles_to_30_seconds() {
        for (retry, bound) in [(0, 0.5), (1, 1.0), (3, 4.0), (5, 16.0), (6, 30.0), (40, 30.0)] {
            let pauses: Vec<f64> = (0..1000).map(|ticket| pause(7, ticket, retry, None).as_secs_f64()).collect();
            let mean = pauses.iter().sum::<f64>() / 1000.0;
            assert!(pauses.iter().all(|pause| (0.0..bound).contains(pause)));
            assert!((mean / bound - 0.5).abs() < 0.05, "mean {mean} of bound {bound}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_pauses() {
        let pauses = |seed| (0..9).map(|ticket| pause(seed, ticket, 2, None)).collect::<Vec<_>>();
        assert_eq!(pauses(1), pauses(1));
        assert_ne!(pauses(1), pauses(2));
    }

    #[test]
    fn what_the_server_asks_is_kept_up_to_a_minute() {
        assert_eq!(pause(0, 0, 0, Some(Duration::from_secs(9))), Duration::from_secs(9));
        assert_eq!(pause(0, 0, 0, Some(Duration::from_secs(3600))), Duration::from_secs(60));
    }

    #[test]
    fn reads_seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_770);
        let seconds = |fields: &[(HeaderName, &'static str)]| asked(&headers(fields), now).map(|asked| asked.as_secs());
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"; // 784,111,777 seconds after 1970
        assert_eq!(seconds(&[(RETRY_AFTER, "12")]), Some(12));
        assert_eq!(seconds(&[(RETRY_AFTER, date)]), Some(7));
        assert_eq!(seconds(&[(RETRY_AFTER, date), (DATE, "Sun, 06 Nov 1994 08:49:34 GMT")]), Some(3));
        assert_eq!(seconds(&[(RETRY_AFTER, date), (DATE, "Sun, 06 Nov 1994 08:50:00 GMT")]), Some(0));
        assert_eq!(seconds(&[(RETRY_AFTER, "soon")]), None);
        assert_eq!(seconds(&[]), None);
    }
}
