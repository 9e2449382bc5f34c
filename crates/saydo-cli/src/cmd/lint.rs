//! `saydo lint`: every problem of task files, with its place.

use crate::failure::Verdict;
use crate::output;
use anyhow::Result;
use saydo_task::lint::{Options, lint_paths};
use saydo_task::problem::Code;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check task files: every problem with file, line and a hint
///
/// Exit code 1 if there are errors.
#[derive(clap::Args)]
pub struct Args {
    /// Task files, or folders of them
    #[arg(required_unless_present = "explain")]
    paths: Vec<PathBuf>,

    /// Max problems of one code listed per file
    #[arg(long, default_value_t = Options::default().max_per_code)]
    max_per_code: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    /// Explain all codes instead, as Markdown
    #[arg(long)]
    explain: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.explain {
        output::print(&explanation()?)?;
        return Ok(Verdict::Done);
    }
    let report = lint_paths(&args.paths, &Options { max_per_code: args.max_per_code });
    if args.json {
        output::print_json(&report.to_json())?;
    } else {
        output::print(&format!("{report}\n"))?;
    }
    Ok(if report.errors() == 0 { Verdict::Done } else { Verdict::No })
}

fn explanation() -> Result<String> {
    let mut page = String::from(
        "# Lint codes\n\nWhat `saydo lint` can find. A code never changes its meaning.\n\n\
         | Code | Severity | Meaning | What to do |\n| --- | --- | --- | --- |\n",
    );
    for code in Code::ALL {
        let severity = code.severity().name();
        writeln!(page, "| {} | {severity} | {} | {} |", code.id(), code.meaning(), code.hint())?;
    }
    Ok(page)
}
