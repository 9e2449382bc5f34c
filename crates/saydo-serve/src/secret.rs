//! Unguessable tokens. The state keeps only their hashes: whoever reads it can use none of them.

use crate::failure::Failure;
use sha2::{Digest as _, Sha256};

/// 32 random bytes in 64 hexadecimal digits.
pub(crate) fn token() -> Result<String, Failure> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(Failure::internal)?;
    Ok(hex(&bytes))
}

/// The hash under which a token is kept. Tokens are random, so a plain hash is enough; passwords need more.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Whether two secrets are the same, in a time that tells nothing about where they differ.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |unlike, (a, b)| unlike | (a ^ b)) == 0
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert_eq!((a.len(), a == b, same(&a, &a), same(&a, &b)), (64, false, true, false));
        assert_ne!(hash(&a), a);
    }
}
