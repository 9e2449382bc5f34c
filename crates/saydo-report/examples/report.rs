//! Writes the page of some runs: `cargo run -p saydo-report --example report -- page.html RUN…`.

use saydo_protocol::score::Options;
use saydo_report::{Report, Run, html};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let page = arguments.next().ok_or("expected the page to write, then folders of runs")?;
    // A run is read and scored; several of one protocol make a report.
    let runs = arguments.map(|folder| Run::load(Path::new(&folder), &Options::default())).collect::<Result<_, _>>()?;
    let report = Report::new(runs, 0)?;
    std::fs::write(page, html::write(&report))?;
    println!("{}: {} plots", report.title(), report.figures.len());
    Ok(())
}
