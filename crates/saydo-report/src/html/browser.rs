//! The frames that the page's script fills with instances: filters, the list, pages.

use super::selection::Selection;
use crate::Report;
use crate::number::count;

/// The browser of instances.
pub(super) fn section(report: &Report, selection: &Selection) -> String {
    let all: usize = report.runs.iter().map(|run| run.opened.plan.samples.len()).sum();
    let shown = selection.count();
    let cap = if shown < all {
        format!(
            "<p class=note>This page holds {} of {} samples, spread evenly, to stay small; the scores and plots above are \
             over all of them.</p>\n",
            count(shown),
            count(all)
        )
    } else {
        String::new()
    };
    format!("<section id=instances>\n<h2>Instances</h2>\n{cap}{}</section>\n", frame("samples", "instances"))
}

/// The browser of instances on which two runs differ.
pub(super) fn changes() -> String {
    format!("<h3>Instances side by side</h3>\n{}", frame("changes", "pairs of instances"))
}

fn frame(id: &str, what: &str) -> String {
    format!(
        "<noscript><p class=note>The {what} are listed by a script, which is switched off.</p></noscript>\n\
         <div class=browser id={id} hidden>\n\
         <form role=search aria-label=\"Filter {what}\"></form>\n\
         <p class=found role=status></p>\n<ol class=rows></ol>\n\
         <nav class=pages aria-label=\"Pages of {what}\"><button type=button>Previous</button> <span></span> \
         <button type=button>Next</button></nav>\n</div>\n"
    )
}
