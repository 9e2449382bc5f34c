//! How often one address may ask: a bucket of tokens for each that fills at a steady rate.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Addresses that are remembered; beyond that, those that asked least are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// Buckets by address.
pub(crate) struct Buckets {
    rate: f64,
    burst: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Buckets {
    /// So many requests in a second on average, so many at once.
    pub(crate) fn new(rate: f64, burst: f64) -> Self {
        Self { rate, burst, buckets: Mutex::default() }
    }

    /// Takes a token; if there is none, how many seconds to wait.
    pub(crate) fn take(&self, address: IpAddr, now: Instant) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_ADDRESSES {
            buckets.retain(|_, bucket| bucket.tokens < self.burst / 2.0);
        }
        let bucket = buckets.entry(address).or_insert(Bucket { tokens: self.burst, at: now });
        let since = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.tokens = (bucket.tokens + since * self.rate).min(self.burst);
        bucket.at = now;
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) / self.rate).ceil().max(1.0) as u64);
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let buckets = Buckets::new(0.5, 2.0);
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let start = Instant::now();
        assert_eq!([buckets.take(one, start), buckets.take(one, start)], [Ok(()), Ok(())]);
        assert_eq!((buckets.take(one, start), buckets.take(other, start)), (Err(2), Ok(())));
        assert_eq!(buckets.take(one, start + Duration::from_secs(2)), Ok(()));
    }
}
