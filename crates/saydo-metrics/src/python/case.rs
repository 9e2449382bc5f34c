//! Lower-casing as `str.lower`.
//!
//! Rust and Python share the algorithm (full mappings, final sigma), but Rust's tables are newer: capitals that came
//! after Unicode 14 have a lower case in Rust and none in Python 3.11.

/// Capitals that Rust can lower-case and Python 3.11 does not know.
const LATER_CAPITALS: [(char, char); 9] = [
    ('\u{1c89}', '\u{1c89}'),
    ('\u{a7cb}', '\u{a7cc}'),
    ('\u{a7ce}', '\u{a7ce}'),
    ('\u{a7d2}', '\u{a7d2}'),
    ('\u{a7d4}', '\u{a7d4}'),
    ('\u{a7da}', '\u{a7da}'),
    ('\u{a7dc}', '\u{a7dc}'),
    ('\u{10d50}', '\u{10d65}'),
    ('\u{16ea0}', '\u{16eb8}'),
];

/// The whole text in lower case, as `str.lower()` of Python 3.11.
///
/// ```
/// use saydo_metrics::python::lower;
///
/// assert_eq!(lower("ΟΔΟΣ ΣΑΣ"), "οδος σας"); // a final sigma has its own form
/// assert_eq!(lower("İ"), "i\u{307}");
/// ```
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // To Python a later capital is an unassigned character: kept as it is, and no neighbor a sigma takes note of.
    let mut lowered = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_later_capital) {
        match piece.char_indices().next_back().filter(|&(_, last)| is_later_capital(last)) {
            Some((at, last)) => {
                lowered.push_str(&piece[..at].to_lowercase());
                lowered.push(last);
            }
            None => lowered.push_str(&piece.to_lowercase()),
        }
    }
    lowered
}

fn is_later_capital(c: char) -> bool {
    c >= LATER_CAPITALS[0].0 && LATER_CAPITALS.iter().any(|&(first, last)| (first..=last).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a, a checksum that is quick to compute in any language.
    fn checksum(bytes: impl Iterator<Item = u8>) -> u64 {
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    }

    #[test]
    fn every_character_lowers_as_in_python_3_11() {
        let lowered = ('\0'..=char::MAX).flat_map(|c| lower(c.encode_utf8(&mut [0; 4])).into_bytes());
        assert_eq!(checksum(lowered), 0xc319_d02e_8283_b91e);
    }

    #[test]
    fn sigma_is_final_only_after_and_not_before_a_cased_letter() {
        assert_eq!(lower("ΑΣ ΣΑ ΑΣΑ Σ"), "ας σα ασα σ");
        assert_eq!(lower("ΑΣ\u{301}."), "ας\u{301}.");
    }

    #[test]
    fn a_capital_unknown_to_python_stays_and_ends_a_word() {
        assert_eq!(lower("É\u{a7cb}É"), "é\u{a7cb}é");
        assert_eq!(lower("ΑΣ\u{10d50}Α"), "ας\u{10d50}α");
    }
}
