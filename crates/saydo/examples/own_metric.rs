//! A metric of one's own: rows are plain data, so a metric is a function over them.
//!
//! cargo run -p saydo --example own_metric

use saydo::{Document, Row};

/// The share of answers that are right, each counted by how sure the model was of it.
fn weighted_accuracy(rows: &[Row], gold: &[&str]) -> f64 {
    let weight = |row: &Row| row.cells[0].confidence.unwrap_or(1.0);
    let is_right = |(row, gold): &(&Row, &&str)| row.cells[0].answer == **gold;
    let right: f64 = rows.iter().zip(gold).filter(is_right).map(|(row, _)| weight(row)).sum();
    right / rows.iter().map(weight).sum::<f64>()
}

/// Scores a function on two labelled texts.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let labelled = [("Leashed dogs are welcome.", "yes"), ("Dogs must stay at home.", "no")];
    let documents = labelled.iter().enumerate().map(|(number, (text, _))| {
        Ok(Document { id: number.into(), source: format!("row {number}"), text: (*text).to_owned(), question: None })
    });
    let rows = saydo::open("scripted")?.function("Are dogs allowed?")?.over(documents).rows()?;
    let score = weighted_accuracy(&rows, &labelled.map(|(_, gold)| gold));
    assert!((0.0..=1.0).contains(&score));
    println!("weighted accuracy: {score:.2}");
    Ok(())
}
