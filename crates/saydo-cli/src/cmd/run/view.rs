//! Rows as people read them on a terminal: answers in color by kind, confidence as a bar, evidence under its answer, long
//! texts wrapped and never cut.
//!
//! Nothing is said by color or bar alone: the words and the percentage stand beside them, so the table reads the same without.

mod cell;
mod wrap;

use cell::{bar, paragraphs};
use console::{Style, Term, colors_enabled};
use saydo_corpus::{Column, Row};
use wrap::{Line, Paragraph, Piece, wrap};

/// Columns of a terminal that does not tell its size.
const DEFAULT_WIDTH: usize = 100;
/// The narrowest terminal that is laid out for; on a narrower one, the terminal itself wraps.
const MIN_WIDTH: usize = 40;
/// The narrowest column of answers. With less space, each row becomes a block of lines.
const MIN_ANSWER_WIDTH: usize = 18;
/// Spaces between two columns.
const GAP: usize = 2;

/// What a piece of text is, for its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// Sources, headings, free text.
    Plain,
    /// What recedes: NA, names of fields, quotation marks.
    Dim,
    Yes,
    No,
    Label,
    /// A piece of the document.
    Span,
    /// The passage that supports an answer.
    Evidence,
    /// A row that failed.
    Fault,
    /// A bar that is nearly full, half full, or low.
    High,
    Medium,
    Low,
}

impl Tone {
    fn style(self) -> Style {
        let style = Style::new();
        match self {
            Tone::Plain => style,
            Tone::Dim => style.dim(),
            Tone::Yes | Tone::High => style.green(),
            Tone::No => style.magenta(),
            Tone::Label => style.cyan(),
            Tone::Span | Tone::Medium => style.yellow(),
            Tone::Evidence => style.italic(),
            Tone::Fault => style.red().bold(),
            Tone::Low => style.red(),
        }
    }
}

/// What the terminal can show.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// Its columns.
    pub(super) width: usize,
    /// Whether it takes colors, and the user wants them.
    pub(super) has_color: bool,
}

impl Look {
    /// That of standard output: `COLUMNS` sets the width, `NO_COLOR` turns colors off.
    pub(super) fn of_stdout() -> Self {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let size = || Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        let width = columns.or_else(size).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH);
        Self { width: width.max(MIN_WIDTH), has_color: colors_enabled() }
    }
}

/// The rows so far.
pub(super) struct View {
    columns: Vec<Column>,
    rows: Vec<Shown>,
    look: Look,
}

/// A row, ready to be laid out.
struct Shown {
    source: Paragraph,
    answers: Vec<Answer>,
}

struct Answer {
    text: Vec<Paragraph>,
    confidence: Vec<Piece>,
}

impl View {
    pub(super) fn new(columns: Vec<Column>, look: Look) -> Self {
        Self { columns, rows: Vec::new(), look }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &Row) {
        let answers = self.columns.iter().zip(&row.cells).map(|(column, cell)| Answer {
            text: paragraphs(&column.spec, cell),
            confidence: cell.confidence.map(bar).unwrap_or_default(),
        });
        let source = Paragraph::new([Piece::new(Tone::Plain, &row.source)]);
        self.rows.push(Shown { source, answers: answers.collect() });
    }

    /// The table as text, each line ended.
    pub(super) fn render(&self) -> String {
        let lines = self.table().unwrap_or_else(|| self.blocks());
        lines.iter().map(|line| line.render(self.look.has_color)).collect()
    }

    /// A line for each row, or more where an answer is long; none if the columns do not fit side by side.
    fn table(&self) -> Option<Vec<Line>> {
        let names = self.names();
        let natural = |column: usize| {
            let texts = self.rows.iter().flat_map(|row| &row.answers[column].text).map(Paragraph::width);
            texts.chain([wrap::width(&names[column])]).max().unwrap_or_default()
        };
        let longest_source = self.rows.iter().map(|row| row.source.width()).max().unwrap_or_default();
        let source = longest_source.clamp("source".len(), (self.look.width * 2 / 5).max("source".len()));
        let sure = self.sure_width();
        let fixed = source + names.len() * (GAP + GAP + sure);
        let widths = share(self.look.width.saturating_sub(fixed), (0..names.len()).map(natural).collect())?;

        let mut header = vec![(vec![Line::plain("source")], source)];
        for (name, width) in names.iter().zip(&widths) {
            header.push((wrap(&Paragraph::plain(name), *width), *width));
            header.push((vec![Line::plain("sure")], sure));
        }
        let mut lines = beside(header);
        lines.push(Line::plain(&"-".repeat(fixed + widths.iter().sum::<usize>())));
        for row in &self.rows {
            let mut cells = vec![(wrap(&row.source, source), source)];
            for (answer, width) in row.answers.iter().zip(&widths) {
                cells.push((answer.text.iter().flat_map(|text| wrap(text, *width)).collect(), *width));
                cells.push((vec![Line::new(answer.confidence.clone())], sure));
            }
            lines.extend(beside(cells));
        }
        Some(lines)
    }

    /// The source of each row, and below it a line or more for each answer.
    fn blocks(&self) -> Vec<Line> {
        let names = self.names();
        let longest = names.iter().map(|name| wrap::width(name)).max().unwrap_or_default();
        let (name, sure) = (longest.min(self.look.width / 4), self.sure_width());
        let text = self.look.width.saturating_sub(GAP + name + GAP + GAP + sure).max(MIN_ANSWER_WIDTH);
        let mut lines = Vec::new();
        for row in &self.rows {
            lines.extend(wrap(&row.source, self.look.width));
            for (column, answer) in names.iter().zip(&row.answers) {
                lines.extend(beside(vec![
                    (Vec::new(), 0),
                    (wrap(&Paragraph::new([Piece::new(Tone::Dim, column)]), name), name),
                    (answer.text.iter().flat_map(|paragraph| wrap(paragraph, text)).collect(), text),
                    (vec![Line::new(answer.confidence.clone())], sure),
                ]));
            }
        }
        lines
    }

    /// What stands above the answers of each task.
    fn names(&self) -> Vec<String> {
        match self.columns.as_slice() {
            [_] => vec!["answer".to_owned()],
            columns => columns.iter().map(|column| wrap::clean(&column.name)).collect(),
        }
    }

    fn sure_width(&self) -> usize {
        let bars =
            self.rows.iter().flat_map(|row| &row.answers).map(|answer| Line::new(answer.confidence.clone()).width());
        bars.max().unwrap_or_default().max("sure".len())
    }
}

/// Divides a width among columns: none gets more than it needs, and those that need more get equal parts of the rest. None if
/// one of them would be too narrow to read.
fn share(width: usize, needed: Vec<usize>) -> Option<Vec<usize>> {
    let (mut left, mut open) = (width, needed.len());
    let mut by_need: Vec<usize> = (0..needed.len()).collect();
    by_need.sort_by_key(|&column| needed[column]);
    let mut widths = vec![0; needed.len()];
    for column in by_need {
        let part = left / open;
        widths[column] = needed[column].min(part);
        if widths[column] < needed[column].min(MIN_ANSWER_WIDTH) {
            return None;
        }
        left -= widths[column];
        open -= 1;
    }
    Some(widths)
}

/// Cells side by side, each with the width of its column.
fn beside(cells: Vec<(Vec<Line>, usize)>) -> Vec<Line> {
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or_default();
    let line = |number: usize| {
        let mut all = Line::default();
        for (place, (lines, width)) in cells.iter().enumerate() {
            let start = all.width();
            if let Some(line) = lines.get(number) {
                all.extend(line);
            }
            if place + 1 < cells.len() {
                all.pad(start + width + GAP);
            }
        }
        all
    };
    (0..height).map(line).collect()
}

#[cfg(test)]
mod tests;
