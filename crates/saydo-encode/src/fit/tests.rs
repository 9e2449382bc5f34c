use super::*;
use crate::tests::{WORDS, task_with};
use saydo_bpe::Gpt2;

const BPE: Tokens<'static> = Tokens {
    count: &|text| Gpt2::shared().count(text),
    truncate: &|text, max| {
        let tokens = Gpt2::shared().tokens(text);
        String::from_utf8_lossy(&tokens[..max.min(tokens.len())].concat()).into_owned()
    },
};

/// What stands behind the input, and cannot be dropped.
fn closing(layout: &Layout) -> &'static str {
    match layout {
        Layout::NaturalInstructions(_) => "\noutput:",
        Layout::ZestT5 { .. } => "\n\n",
        Layout::TkInstruct(_) => "\nOutput: ",
        Layout::Turking => "\n",
        Layout::ZestBart { .. } | Layout::Bare => "",
    }
}

/// Every named layout, and ZEST's with examples.
fn layouts() -> Vec<Layout> {
    let zest = [Layout::ZestT5 { num_examples: 3 }, Layout::ZestBart { num_examples: 3 }];
    Layout::names().iter().map(|named| named.layout()).chain(zest).collect()
}

#[test]
fn every_prompt_under_every_limit_ends_with_its_input() {
    let task = task_with(70);
    let input = "The quick fox met the lazy dog at dawn, and neither of them said a single word.";
    for tokens in [WORDS, BPE] {
        for layout in layouts() {
            for limit in 1..160 {
                let fitting = FittingEncoder::new(&task, &layout, Some(limit), tokens).unwrap();
                let (prompt, dropped) = fitting.prompt(input);
                let text = prompt.text();
                let said = format!("{layout:?} within {limit}: {text:?} {dropped:?}");
                let before = text.strip_suffix(closing(&layout)).unwrap_or_else(|| panic!("{said}"));
                assert_eq!(dropped.is_input_cut, prompt.is_cut, "{said}");
                if dropped.is_input_cut {
                    let words = input.split(' ').take_while(|word| before.contains(word)).count();
                    assert!(words < input.split(' ').count(), "{said}");
                } else {
                    assert!(before.ends_with(input), "{said}");
                    assert!((tokens.count)(&text) <= limit, "{said}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_dropped_without_a_limit_or_within_it() {
    let task = task_with(70);
    for layout in layouts().into_iter().filter(|layout| !matches!(layout, Layout::TkInstruct(_))) {
        for limit in [None, Some(2000)] {
            let (prompt, dropped) = FittingEncoder::new(&task, &layout, limit, WORDS).unwrap().prompt("A fox.");
            assert_eq!(prompt, Encoder::new(&task, &layout, WORDS).unwrap().prompt("A fox."));
            assert!(dropped.is_nothing(), "{layout:?}: {dropped:?}");
        }
    }
}

#[test]
fn examples_go_first_and_elements_in_their_order() {
    let task = task_with(2);
    let layout = Layout::named("ni-full").unwrap();
    let mut seen = Vec::new();
    for limit in (4..200).rev() {
        let (_, dropped) = FittingEncoder::new(&task, &layout, Some(limit), WORDS).unwrap().prompt("A fox.");
        if seen.last() != Some(&dropped) {
            seen.push(dropped);
        }
    }
    let names = ["Emphasis & Caution", "Things to Avoid", "Definition", "Prompt"];
    let without = |count: usize| Dropped {
        examples: 4,
        elements: names[..count].iter().map(|name| (*name).to_owned()).collect(),
        is_input_cut: false,
    };
    let fewer = |examples| Dropped { examples, ..Dropped::default() };
    let expected = [fewer(0), fewer(2), without(0), without(1), without(2), without(3), without(4)];
    assert_eq!(seen[..7], expected);
    assert!(seen[7].is_input_cut && seen.len() == 8);
}

#[test]
fn one_example_more_would_not_fit() {
    let task = task_with(70);
    let layout = Layout::named("ni-examples").unwrap().with_num_examples(40);
    for limit in 20..250 {
        let (prompt, dropped) = FittingEncoder::new(&task, &layout, Some(limit), WORDS).unwrap().prompt("A fox.");
        assert!((WORDS.count)(&prompt.text()) <= limit);
        if dropped.examples > 0 {
            let more = layout.clone().with_num_examples(41 - dropped.examples);
            let more = Encoder::new(&task, &more, WORDS).unwrap().prompt("A fox.");
            assert!((WORDS.count)(&more.text()) > limit);
        }
    }
}

#[test]
fn tk_instruct_keeps_the_input_where_the_released_code_cuts_it() {
    let task = task_with(1);
    let layout = Layout::named("tk-instruct").unwrap();
    let (prompt, dropped) = FittingEncoder::new(&task, &layout, Some(14), WORDS).unwrap().prompt("A fox ran.");
    assert_eq!(prompt.text(), "Now complete the following example -\nInput: A fox ran.\nOutput: ");
    assert_eq!((dropped.examples, dropped.elements, dropped.is_input_cut), (2, vec!["Definition".to_owned()], false));
}
