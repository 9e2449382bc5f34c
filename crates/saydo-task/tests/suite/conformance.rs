//! The Turking Test's templates against hashes of the paper's texts (`fixtures/conformance`).

use saydo_conformance::{Protocol, compare, json_lines, sha256};
use saydo_task::turking::{Ask, Condition, Kind, Ordinal};
use std::collections::BTreeMap;

/// Every template of ours by its name.
fn templates() -> BTreeMap<String, String> {
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::NounsUnderCondition);
    let plain = kinds.map(|kind| (kind.id().to_owned(), kind.template().to_owned()));
    let under = Condition::ALL.into_iter().map(|condition| {
        let (before, after) = Ask::NounsUnder(condition).frame(Ordinal::Words);
        (format!("{}-{}", Kind::NounsUnderCondition.id(), condition.key()), format!("{before}{{resource}}{after}"))
    });
    plain.chain(under).collect()
}

#[test]
fn templates_are_those_of_the_paper() {
    let (ours, rows) = (templates(), json_lines("turking/templates.jsonl"));
    assert_eq!(ours.len(), rows.len());
    compare(Protocol::Turking, rows, |row| {
        let name = row["template"].as_str().unwrap();
        assert_eq!(sha256(&ours[name]), row["sha256"].as_str().unwrap(), "{name}: {}", ours[name]);
    });
}
