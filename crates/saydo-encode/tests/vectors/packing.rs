//! The number of examples GPT-3 was given, which the released file names carry, found again by packing.

use super::{natural_instructions_task, shared};
use saydo_bpe::Gpt2;
use saydo_encode::{Layout, largest_num_examples, select_instances};
use saydo_task::source::Source;

/// GPT-3's window of 2048 tokens less the 16 it generated.
const MAX_TOKENS: usize = 2032;

#[test]
fn as_many_examples_fit_as_in_the_released_runs() {
    let Some(folder) = shared("data/natural-instructions-v1/tasks") else { return };
    let released = [
        ("subtask052_multirc_identify_bad_question", "ni-full", 3),
        ("subtask045_miscellaneous_sentence_paraphrasing", "ni-full-no-negative", 27),
        ("subtask003_mctaco_question_generation_event_duration", "ni-prompt-all-examples", 38),
        ("subtask040_qasc_question_generation", "ni-examples", 70),
    ];
    for (task, layout, num_examples) in released {
        let task = natural_instructions_task(&Source::load(&folder.join(format!("{task}.json"))).unwrap());
        let Layout::NaturalInstructions(layout) = Layout::named(layout).unwrap() else { panic!("{layout}") };
        let selected = select_instances(task.instances.len(), 100).unwrap();
        let count = |text: &str| Gpt2::shared().count(text);
        let found = largest_num_examples(&task, &layout.elements, &selected, MAX_TOKENS, &count).unwrap();
        assert_eq!(found, num_examples, "{}", task.id);
    }
}
