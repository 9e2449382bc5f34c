//! How often one address may ask: a bucket of tokens for each that fills at a steady rate.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Addresses of one generation. Two are kept, so memory is bounded however many addresses ask.
const MOST_ADDRESSES: usize = 10_000;

/// Buckets by address.
pub(crate) struct Buckets {
    rate: f64,
    burst: f64,
    buckets: Mutex<Generations>,
}

/// Buckets that were used lately and those used before. When the first are too many, they become the second, and what was
/// there is forgotten: whoever keeps asking is carried over, whoever asked long ago is not.
#[derive(Default)]
struct Generations {
    recent: HashMap<IpAddr, Bucket>,
    earlier: HashMap<IpAddr, Bucket>,
}

#[derive(Clone, Copy)]
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
        let mut generations = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = generations.bucket(network(address), Bucket { tokens: self.burst, at: now });
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

impl Generations {
    fn bucket(&mut self, address: IpAddr, full: Bucket) -> &mut Bucket {
        if self.recent.len() >= MOST_ADDRESSES && !self.recent.contains_key(&address) {
            self.earlier = std::mem::take(&mut self.recent);
        }
        let earlier = &self.earlier;
        self.recent.entry(address).or_insert_with(|| earlier.get(&address).copied().unwrap_or(full))
    }
}

/// What counts as one address. Whoever has one IPv6 address usually has the whole network of 64 bits around it.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => IpAddr::V4(address),
            None => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        },
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

    #[test]
    fn any_number_of_addresses_takes_bounded_memory() {
        let buckets = Buckets::new(0.001, 4.0);
        let start = Instant::now();
        // Each asks often enough that its bucket is nearly empty, so none is worth less than another.
        for address in 0..50_000_u32 {
            for _ in 0..3 {
                assert_eq!(buckets.take(IpAddr::from(address.to_be_bytes()), start), Ok(()));
            }
        }
        let generations = buckets.buckets.lock().unwrap();
        assert!(generations.recent.len() + generations.earlier.len() <= 2 * MOST_ADDRESSES);
    }

    #[test]
    fn who_keeps_asking_is_not_forgotten() {
        let buckets = Buckets::new(0.001, 1.0);
        let (one, start) = (IpAddr::from([10, 0, 0, 1]), Instant::now());
        assert_eq!(buckets.take(one, start), Ok(()));
        for address in 0..u32::try_from(MOST_ADDRESSES).unwrap() {
            let _ = buckets.take(IpAddr::from(address.to_be_bytes()), start);
        }
        assert!(buckets.take(one, start).is_err());
    }

    #[test]
    fn the_addresses_of_one_network_share_a_bucket() {
        let buckets = Buckets::new(0.001, 1.0);
        let start = Instant::now();
        let take = |address: &str| buckets.take(address.parse().unwrap(), start).is_ok();
        assert!(take("2001:db8::1") && !take("2001:db8::2") && take("2001:db8:0:1::1"));
        assert!(take("192.0.2.1") && !take("::ffff:192.0.2.1"));
    }
}
