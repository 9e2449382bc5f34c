//! Everything that can be said of one output on its own.

use super::nouns::{NounSet, Overlap};
use super::pattern::{Pattern, patterns};
use super::{Form, Item, element, form, introduction};
use saydo_task::turking::Ask;

/// Whether an output is right, under each of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The whole output is the answer.
    pub exact: bool,
    /// Some prefix of the output is the answer.
    pub prefix: bool,
    /// What follows an introduction, if there is one, is the answer.
    pub introduction: bool,
    /// Both rules together, as in the paper: some prefix of what follows an introduction is the answer.
    pub lenient: bool,
}

/// What an output is like.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Right or wrong; none for the crowd's tasks.
    pub verdict: Option<Verdict>,
    /// How many nouns are right; none for other tasks.
    pub overlap: Option<Overlap>,
    /// The form; none for the tasks with gold.
    pub form: Option<Form>,
    /// The ways in which it went wrong.
    pub patterns: Vec<Pattern>,
}

impl Judgement {
    /// Whether the output is right under the paper's rules or, for the crowd's tasks, has the right form.
    pub fn is_good(&self) -> bool {
        self.verdict.is_some_and(|verdict| verdict.lenient) || self.form.is_some_and(|form| form.is_consistent)
    }
}

/// Judges one output.
pub fn judge(item: &Item, text: &str) -> Judgement {
    let ask = item.instruction.ask;
    let body = introduction::without(text, &item.instruction);
    let mut judgement = Judgement { verdict: None, overlap: None, form: form::form(body, ask), patterns: Vec::new() };
    for gold in item.gold.iter().filter(|_| ask.kind().has_gold()) {
        let (verdict, overlap) = compare(text, body, ask, gold);
        judgement.verdict = Some(judgement.verdict.map_or(verdict, |other| other.or(verdict)));
        judgement.overlap = judgement.overlap.filter(|other| overlap.is_none_or(|new| other.f1 >= new.f1)).or(overlap);
    }
    let is_forbidden = judgement.form.is_some_and(|form| form.is_forbidden);
    judgement.patterns = patterns(body, &item.instruction, judgement.is_good(), is_forbidden);
    judgement
}

fn compare(text: &str, body: &str, ask: Ask, gold: &str) -> (Verdict, Option<Overlap>) {
    let is_case_kept = match ask {
        Ask::NounsUnder(condition) => condition.case().is_some(),
        Ask::Nouns => false,
        _ => {
            let is_whole = |text: &str| element::is_whole(text, gold);
            return (verdict(text, body, is_whole, |text| element::is_prefix(text, gold)), None);
        }
    };
    let nouns = NounSet::new(gold, is_case_kept);
    let verdict = verdict(text, body, |text| nouns.is_whole(text), |text| nouns.is_prefix(text));
    (verdict, Some(nouns.overlap(body)))
}

fn verdict(text: &str, body: &str, is_whole: impl Fn(&str) -> bool, is_prefix: impl Fn(&str) -> bool) -> Verdict {
    let (exact, prefix) = (is_whole(text), is_prefix(text));
    let introduction = exact || is_whole(body);
    Verdict { exact, prefix: prefix || exact, introduction, lenient: prefix || introduction || is_prefix(body) }
}

impl Verdict {
    /// Right if either is, under each rule.
    fn or(self, other: Verdict) -> Verdict {
        Verdict {
            exact: self.exact || other.exact,
            prefix: self.prefix || other.prefix,
            introduction: self.introduction || other.introduction,
            lenient: self.lenient || other.lenient,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saydo_task::turking::{Condition, Instruction};

    fn item(ask: Ask, gold: &str) -> Item {
        let resource = "The cat sat on the mat.".to_owned();
        let gold = if ask.kind().has_gold() { vec![gold.to_owned()] } else { Vec::new() };
        Item { id: String::new(), instruction: Instruction { ask, resource }, gold }
    }

    fn rules(ask: Ask, gold: &str, text: &str) -> [bool; 4] {
        let Verdict { exact, prefix, introduction, lenient } = judge(&item(ask, gold), text).verdict.unwrap();
        [exact, prefix, introduction, lenient]
    }

    #[test]
    fn each_rule_allows_what_it_says() {
        let sixth = |text| rules(Ask::NthWord(6), "mat.", text);
        assert_eq!(sixth("mat"), [true; 4]);
        assert_eq!(sixth("mat\n\nWrite the"), [false, true, false, true]);
        assert_eq!(sixth("The sixth word is \"mat\"."), [false, false, true, true]);
        assert_eq!(sixth("The sixth word is mat, I think."), [false, false, false, true]);
        assert_eq!(sixth("The sixth word is on"), [false; 4]);
        assert_eq!(sixth(""), [false; 4]);
    }

    #[test]
    fn an_introduction_can_be_the_answer_by_its_first_word() {
        assert_eq!(rules(Ask::NthWord(1), "The", "The first word is The"), [false, true, true, true]);
        assert_eq!(rules(Ask::NthWord(1), "The", "The first word is cat"), [false, true, false, true]);
    }

    #[test]
    fn nouns_follow_the_same_rules() {
        let nouns = |text| rules(Ask::Nouns, "cat, mat", text);
        assert_eq!(nouns("mat and cat"), [true; 4]);
        assert_eq!(nouns("Nouns: cat, mat"), [false, false, true, true]);
        assert_eq!(nouns("The nouns are cat, mat. The verb is sat."), [false, false, false, true]);
        assert_eq!(nouns("cat, sat, mat"), [false; 4]);
        let overlap = judge(&item(Ask::Nouns, "cat, mat"), "Nouns: cat, sat").overlap.unwrap();
        assert_eq!((overlap.precision, overlap.recall), (0.5, 0.5));
    }

    #[test]
    fn case_is_kept_where_it_is_asked_for() {
        let lower_consonant = Ask::NounsUnder(Condition::ALL[0]);
        assert_eq!(rules(lower_consonant, "cat, mat", "cat, mat"), [true; 4]);
        assert_eq!(rules(lower_consonant, "cat, mat", "Cat, mat"), [false; 4]);
        let singular_consonant = Ask::NounsUnder(Condition::ALL[8]);
        assert_eq!(rules(singular_consonant, "cat, mat", "Cat, mat"), [true; 4]);
    }

    #[test]
    fn one_of_several_gold_answers_is_enough() {
        let mut item = item(Ask::Nouns, "cat, mat");
        item.gold.push("cat".to_owned());
        let judgement = judge(&item, "cat");
        assert!(judgement.verdict.unwrap().exact);
        assert_eq!(judgement.overlap.unwrap().f1, 1.0);
        assert!(!judge(&item, "mat").is_good());
    }

    #[test]
    fn crowd_tasks_have_a_form_and_no_verdict() {
        let judgement = judge(&item(Ask::Squad, ""), "Questions:\nWho sat? Where did it sit? What was it?");
        assert!(judgement.verdict.is_none() && judgement.overlap.is_none() && judgement.is_good());
    }

    proptest! {
        #[test]
        fn any_output_is_judged_and_rules_only_add(text in any::<String>(), gold in "[a-z, .]{1,9}") {
            for ask in [Ask::NthWord(2), Ask::NthCharacter(1), Ask::Nouns, Ask::NounsUnder(Condition::ALL[3]), Ask::Snli, Ask::NewsQa] {
                let judgement = judge(&item(ask, &gold), &text);
                if let Some(Verdict { exact, prefix, introduction, lenient }) = judgement.verdict {
                    prop_assert!((!exact || prefix && introduction) && (!(prefix || introduction) || lenient));
                }
                prop_assert!(judgement.verdict.is_some() != judgement.form.is_some());
            }
        }
    }
}
