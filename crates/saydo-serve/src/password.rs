//! The owner's password, hashed with Argon2id.

use crate::Error;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

/// Characters that a password needs at least.
const LEAST_CHARS: usize = 10;

/// The hash of a password, with its salt and cost.
pub(crate) fn hash(password: &str) -> Result<String, Error> {
    let found = password.chars().count();
    if found < LEAST_CHARS {
        return Err(Error::ShortPassword { found, expected: LEAST_CHARS });
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash.map_err(|error| Error::Hash(error.to_string()))?.to_string())
}

/// Whether this is the password; takes tens of milliseconds by design.
pub(crate) fn is_right(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_itself_is_right() {
        let hash = hash("correct horse").unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(is_right("correct horse", &hash));
        assert!(!is_right("correct hors", &hash));
        assert!(!is_right("correct horse", "not a hash"));
    }

    #[test]
    fn short_passwords_are_refused() {
        assert_eq!(hash("short").unwrap_err().to_string(), "the password has 5 characters, expected at least 10");
    }
}
