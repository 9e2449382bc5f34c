//! Which quirks of the reference are repaired.
//!
//! There is one scorer. Wherever the reference does something odd, the code asks this set whether to do the same or the
//! repaired thing, so that any quirk can be switched alone and its effect on the score measured. Numbers and suggested
//! repairs: docs/scoring.md, "Strict and fixed".

use crate::{Mode, Quirk};

/// A set of repaired quirks.
///
/// ```
/// use saydo_protocol::Mode;
/// use saydo_protocol::zest::{Repairs, quirk};
///
/// assert!(!Repairs::from(Mode::Strict).has(quirk::ROUNDING));
/// assert!(Repairs::NONE.with(quirk::ROUNDING).has(quirk::ROUNDING));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repairs(u32);

/// The quirks of the ZEST reference scorer by name.
pub mod quirk {
    use crate::Quirk;

    /// Q1: every span score is rounded to two decimals. Repaired: full precision.
    pub const ROUNDING: Quirk = Quirk(1);
    /// Q2: unusual predictions abort the run. Repaired: such an instance scores 0 and is counted.
    pub const ABORTS: Quirk = Quirk(2);
    /// Q3: surplus prediction lines are ignored. Repaired: an error.
    pub const SURPLUS: Quirk = Quirk(3);
    /// Q4: one question is skipped. Repaired: it is scored. The question is defective, so fixed mode skips it too.
    pub const SKIPPED: Quirk = Quirk(4);
    /// Q5: a question with an unknown first word aborts the run. Repaired: its format is `unknown`.
    pub const FIRST_WORD: Quirk = Quirk(5);
    /// Q6: `5.5%` reads as 55. Repaired: punctuation around a number goes, the point inside it stays.
    pub const PERCENT: Quirk = Quirk(6);
    /// Q7: NA is only the exact text `n/a` or `na`. Repaired: any text that normalizes to `na`.
    pub const NOT_APPLICABLE: Quirk = Quirk(7);
    /// Q8: a random element of a predicted list is scored. Repaired: the list is several spans.
    pub const RANDOM_ELEMENT: Quirk = Quirk(8);
    /// Q9: objects are aligned greedily and in the wrong direction. Repaired: the best pairing.
    pub const ALIGNMENT: Quirk = Quirk(9);
    /// Q10: two empty objects score -1. Repaired: the pair is left out.
    pub const EMPTY_PAIR: Quirk = Quirk(10);
    /// Q11: alternatives of several fields are not combined. Repaired: all combinations.
    pub const COMBINATIONS: Quirk = Quirk(11);
    /// Q12: keys are compared by position. Repaired: by name.
    pub const KEY_ORDER: Quirk = Quirk(12);
    /// Q13: extra keys and objects cost nothing, missing keys cost too much. Repaired: extras are false positives,
    /// missing keys are NA.
    pub const EXTRAS: Quirk = Quirk(13);
    /// Q14: of several base tasks the last counts, and an unknown one after it aborts the run. Repaired: the least F1
    /// of all that are found.
    pub const BASES: Quirk = Quirk(14);
    /// Q15: percentages are cut off. Repaired: rounded to the nearest.
    pub const TRUNCATION: Quirk = Quirk(15);
    /// Q16: the mean is over tasks. Repaired: the mean over instances is reported beside it.
    pub const MEAN: Quirk = Quirk(16);
    /// Q19: a file without base tasks, or an unknown generalization type, aborts the run. Repaired: the other rows are
    /// reported, unpaired values with a warning.
    pub const NO_BASE: Quirk = Quirk(19);

    /// All of them, in order.
    pub const ALL: [Quirk; 17] = [
        ROUNDING,
        ABORTS,
        SURPLUS,
        SKIPPED,
        FIRST_WORD,
        PERCENT,
        NOT_APPLICABLE,
        RANDOM_ELEMENT,
        ALIGNMENT,
        EMPTY_PAIR,
        COMBINATIONS,
        KEY_ORDER,
        EXTRAS,
        BASES,
        TRUNCATION,
        MEAN,
        NO_BASE,
    ];

    /// What the reference does, in a few words for a report.
    pub fn summary(quirk: Quirk) -> &'static str {
        match quirk {
            ROUNDING => "span scores rounded to two decimals",
            ABORTS => "unusual predictions abort the run",
            SURPLUS => "surplus prediction lines ignored",
            SKIPPED => "one question always skipped",
            FIRST_WORD => "unknown first word of a question aborts the run",
            PERCENT => "5.5% read as 55",
            NOT_APPLICABLE => "only the exact n/a or na is NA",
            RANDOM_ELEMENT => "a random element of a predicted list is scored",
            ALIGNMENT => "objects aligned greedily, in the wrong direction",
            EMPTY_PAIR => "a pair of empty objects scores -1",
            COMBINATIONS => "alternatives of several fields not combined",
            KEY_ORDER => "keys compared by position",
            EXTRAS => "extra keys and objects cost nothing, missing keys too much",
            BASES => "the last base task found counts",
            TRUNCATION => "percentages cut off, not rounded",
            MEAN => "mean over tasks only",
            NO_BASE => "no base task or an unknown type aborts the run",
            _ => "not a quirk of this scorer",
        }
    }
}

impl Repairs {
    /// Nothing repaired: the reference as it is.
    pub const NONE: Repairs = Repairs(0);

    /// This set and one more quirk.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Repairs(self.0 | 1 << (quirk.0 % 32))
    }

    /// Whether the quirk is repaired.
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & 1 << (quirk.0 % 32) != 0
    }

    /// The repaired quirks, in order.
    pub fn quirks(self) -> impl Iterator<Item = Quirk> {
        quirk::ALL.into_iter().filter(move |quirk| self.has(*quirk))
    }
}

impl From<Mode> for Repairs {
    /// Strict repairs nothing; fixed repairs all but [`quirk::SKIPPED`].
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Strict => Repairs::NONE,
            Mode::Fixed => {
                quirk::ALL.into_iter().filter(|quirk| *quirk != quirk::SKIPPED).fold(Repairs::NONE, Repairs::with)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_mode_repairs_everything_but_the_skipped_question() {
        let fixed: Vec<u8> = Repairs::from(Mode::Fixed).quirks().map(|quirk| quirk.0).collect();
        assert_eq!(fixed, [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19]);
        assert_eq!(Repairs::from(Mode::Strict).quirks().count(), 0);
    }

    #[test]
    fn each_quirk_switches_alone_and_has_a_summary() {
        for quirk in quirk::ALL {
            assert_eq!(Repairs::NONE.with(quirk).quirks().collect::<Vec<_>>(), [quirk]);
            assert_ne!(quirk::summary(quirk), quirk::summary(Quirk(0)));
        }
    }
}
