//! One part of a corpus, for several machines or processes.

use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`: every document whose number, from 0, leaves `index - 1` when divided by `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Part `index` (from 1) of `count`; none if there is no such part.
    pub fn new(index: u64, count: u64) -> Option<Shard> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// Which part, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many parts.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the document with this number, from 0, is in this part.
    pub fn has(self, number: u64) -> bool {
        number % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        numbers
            .and_then(|(index, count)| Shard::new(index, count))
            .ok_or_else(|| format!("`{text}` is not a shard, expected a part and the number of parts, such as 2/8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_number_once() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        for number in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(number)).count(), 1);
        }
        assert!(shards[0].has(0));
        assert_eq!(shards[1].to_string(), "2/3");
    }

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        for text in ["", "2", "0/3", "4/3", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        insta::assert_snapshot!("9/8".parse::<Shard>().unwrap_err(), @"`9/8` is not a shard, expected a part and the number of parts, such as 2/8");
    }
}
