//! A folder of texts to a table: one row for each text, with the answer, its spans and how sure the model is.
//!
//! cargo run -p saydo --example folder_to_parquet

use saydo::{Corpus, CorpusOptions};

/// Writes the table into a scratch folder.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("falls.txt"), "Vernal Fall is reached by the Mist Trail.")?;
    std::fs::write(folder.path().join("dome.txt"), "Cables lead up Half Dome in summer.")?;

    let hikes = saydo::open("scripted")?.function("Which trails are named?")?;
    let corpus = Corpus::open(&[folder.path().display().to_string()], &CorpusOptions::default())?;
    let table = folder.path().join("hikes.parquet");
    let summary = hikes.over(corpus).recorded(folder.path().join("ledger.jsonl")).write(&table)?;

    assert_eq!((summary.rows, summary.rows_failed), (2, 0));
    println!("{} rows in {}", summary.rows, table.display());
    Ok(())
}
