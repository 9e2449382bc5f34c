//! The templates of pages and drawings.

use saydo_corpus::Templates;
use serde::Serialize;
use std::sync::LazyLock;

static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| {
    Templates::new(&[
        ("base.html", include_str!("html/templates/base.html")),
        ("page.html", include_str!("html/templates/page.html")),
        ("training.html", include_str!("html/templates/training.html")),
        ("table.html", include_str!("html/templates/table.html")),
        ("frame.html", include_str!("html/templates/frame.html")),
        ("figures.html", include_str!("html/templates/figures.html")),
        ("browser.html", include_str!("html/templates/browser.html")),
        ("chart.svg", include_str!("chart/chart.svg")),
        ("plot.svg", include_str!("plot/plot.svg")),
    ])
});

/// A template with its values.
pub(crate) fn render(name: &str, values: &impl Serialize) -> String {
    TEMPLATES.render(name, values)
}
