//! ZEST: the training files of T5 and BART.

use super::shared;
use saydo_encode::training_file::{bart_lines, bart_test_lines, t5_csv};
use saydo_metrics::python::Random;
use saydo_task::format::zest::read_records;
use saydo_task::source::Source;

#[test]
fn training_files_are_those_of_the_released_code() {
    let Some(folder) = shared("vectors/encodings/zest") else { return };
    let expected = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let records = read_records(&Source::load(&folder.join("input.jsonl")).unwrap()).unwrap();
    assert_eq!(t5_csv(&records), expected("t5_train.csv"));

    let mut random = Random::seeded(5);
    let mut choose = |n| random.choice_index(n);
    let train = bart_lines(&records, &mut choose).unwrap();
    assert_eq!(train.source, expected("bart_train.source"));
    assert_eq!(train.target, expected("bart_train.target"));
    let dev = bart_lines(&records, &mut choose).unwrap();
    assert_eq!(dev.target, expected("bart_val.target"));
    assert_eq!(bart_test_lines(&records).target, expected("bart_test.target"));
}
