//! A plot as markup: its title, the drawing with its text alternative, what the colors stand for, and the values.

use super::table;
use crate::chart::Chart;
use crate::figure::Figure;
use saydo_corpus::escape_html as escape;

/// The figure with this number on the page.
pub(super) fn html(number: usize, figure: &Figure) -> String {
    let (title, note) = (escape(&figure.title), escape(&figure.note));
    let label = format!("role=img aria-label=\"{title}. The values are in the table below.\"");
    let Some(svg) = figure.chart.svg(&label) else { return String::new() };
    let wide = if matches!(figure.chart, Chart::Heat { .. }) { " class=broad" } else { "" };
    let values = table::frame(&format!("Values: {title}"), &figure.table());
    format!(
        "<figure{wide}>\n<figcaption id=f{number}>{title}</figcaption>\n\
         <div class=plot tabindex=0 role=group aria-labelledby=f{number}>{svg}</div>\n{}<p class=note>{note}</p>\n\
         <details class=table><summary>Values</summary>{values}</details>\n</figure>\n",
        legend(&figure.chart)
    )
}

fn legend(chart: &Chart) -> String {
    let names = chart.legend();
    if names.is_empty() {
        return String::new();
    }
    let item = |(color, name): &(usize, &str)| format!("<li><span class=\"key c{color}\"></span>{}</li>", escape(name));
    let items: String = names.iter().map(item).collect();
    format!("<ul class=legend aria-label=Colors>{items}</ul>\n")
}
