//! The papers' splits of the published tasks.

use super::load_data;
use saydo_conformance::outside;
use saydo_task::split::{LeakCheck, LeakKind, SharedTexts, Split, TaskLists, check_leaks};

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn published_natural_instructions() {
    let dataset = load_data("natural-instructions-v1");
    let split = Split::natural_instructions(&dataset).unwrap();
    // subtask002 is one of the twelve, and its file is not at hand.
    assert_eq!((split.unseen.len(), split.seen.len(), split.absent.len()), (11, 37, 13));
    let LeakCheck { leaks, shared_texts } = check_leaks(&split, &dataset);
    assert!(leaks.iter().all(|leak| matches!(leak.kind, LeakKind::SharedTexts(_))));
    assert_eq!((leaks.len(), shared_texts), (15, SharedTexts { instances: 1_061, with_output: 17 }));
    let qasc = Split::leave_one_dataset(&dataset, "QASC").unwrap();
    assert_eq!(qasc.unseen.len(), 7);
    assert!(qasc.without_leaks(&dataset, false).is_ok());
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn published_super_natural_instructions() {
    let dataset = load_data("super-natural-instructions");
    let lists = TaskLists::load(&outside("data/super-natural-instructions/splits"), "default").unwrap();
    assert_eq!((lists.train.len(), lists.test.len(), lists.excluded.len()), (756, 119, 738));
    let split = Split::by_lists(&dataset, &lists).unwrap();
    assert_eq!((split.seen.len(), split.unseen.len(), split.absent.len()), (679, 80, 116));
    assert!(split.without_leaks(&dataset, false).unwrap().shared_texts.is_none());
}
