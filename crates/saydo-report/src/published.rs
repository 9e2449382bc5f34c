//! What the papers report, where the tables of a run do not have it beside them already.

mod natural_instructions;
mod zest;

use saydo_protocol::Protocol;
use saydo_protocol::table::Table;

/// The published tables of a protocol.
pub(crate) fn tables(protocol: Protocol) -> Vec<Table> {
    match protocol {
        Protocol::Zest => vec![zest::overall()],
        Protocol::NaturalInstructions => vec![natural_instructions::random_split(), natural_instructions::splits()],
        Protocol::SuperNaturalInstructions | Protocol::Turking | Protocol::Labelled | Protocol::Reading => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        for table in Protocol::ALL.into_iter().flat_map(tables) {
            assert!(table.rows.iter().all(|row| row.len() == table.header.len()), "{}", table.title);
        }
    }

    #[test]
    fn zest_has_its_ablations() {
        let table = &tables(Protocol::Zest)[0];
        let row = table.rows.iter().find(|row| row[0].contains("question only")).unwrap();
        assert_eq!(row[1..], ["dev", "12", "10", "7"]);
    }
}
