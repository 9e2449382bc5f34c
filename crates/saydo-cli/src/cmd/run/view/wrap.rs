//! Styled text broken into lines of a width, measured as terminals show it.

use super::Tone;
use console::measure_text_width;

/// How far the further lines of a paragraph are indented.
const INDENT: usize = 2;

/// A piece of text in one tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    tone: Tone,
    text: String,
}

impl Piece {
    /// The text in one line, without control characters: what a model or a file says must not steer the terminal.
    pub(super) fn new(tone: Tone, text: &str) -> Self {
        Self { tone, text: clean(text) }
    }

    /// Text of our own, spaces and all.
    pub(super) fn exact(tone: Tone, text: &str) -> Self {
        Self { tone, text: text.to_owned() }
    }
}

/// What is broken into lines together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph(Vec<Piece>);

impl Paragraph {
    pub(super) fn new(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self(pieces.into_iter().collect())
    }

    pub(super) fn plain(text: &str) -> Self {
        Self::new([Piece::new(Tone::Plain, text)])
    }

    /// Its width on one line.
    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|piece| width(&piece.text)).sum()
    }
}

/// A line, no wider than its column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line(Vec<Piece>);

impl Line {
    pub(super) fn new(pieces: Vec<Piece>) -> Self {
        Self(pieces)
    }

    pub(super) fn plain(text: &str) -> Self {
        Self(vec![Piece::exact(Tone::Plain, text)])
    }

    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|piece| width(&piece.text)).sum()
    }

    pub(super) fn extend(&mut self, other: &Line) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Adds spaces up to a width.
    pub(super) fn pad(&mut self, to: usize) {
        let missing = to.saturating_sub(self.width());
        self.0.push(Piece::exact(Tone::Plain, &" ".repeat(missing)));
    }

    /// The line with its end, and without the spaces before it.
    pub(super) fn render(&self, has_color: bool) -> String {
        let end = self.0.iter().rposition(|piece| !piece.text.trim_end().is_empty()).map_or(0, |last| last + 1);
        let mut out = String::new();
        for (place, piece) in self.0[..end].iter().enumerate() {
            let text = if place + 1 == end { piece.text.trim_end() } else { &piece.text };
            out += &piece.tone.style().force_styling(has_color && piece.tone != Tone::Plain).apply_to(text).to_string();
        }
        out.push('\n');
        out
    }
}

/// How many columns of a terminal a text takes.
pub(super) fn width(text: &str) -> usize {
    measure_text_width(text)
}

/// A text in one line, without control characters.
pub(super) fn clean(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, "")
}

/// The lines of a paragraph: broken at spaces where possible, within a word where it is longer than a line. Nothing is lost
/// but the spaces at which it is broken.
pub(super) fn wrap(paragraph: &Paragraph, columns: usize) -> Vec<Line> {
    let columns = columns.max(1);
    let indent = if columns > 4 * INDENT { INDENT } else { 0 };
    let mut lines = vec![Line::default()];
    for word in words(paragraph) {
        let needed: usize = word.iter().map(|piece| width(piece.text.trim_end())).sum();
        let line = lines.last().expect("there is a line");
        let start = if lines.len() > 1 { indent } else { 0 };
        if line.width() > start && line.width() + needed > columns {
            lines.push(indented(indent));
        }
        for Piece { tone, text } in word {
            for character in text.chars() {
                let taken = width(character.encode_utf8(&mut [0; 4]));
                let full = lines.last().is_some_and(|line| line.width() + taken > columns);
                if full && character == ' ' {
                    continue;
                }
                if full {
                    lines.push(indented(indent));
                }
                push(lines.last_mut().expect("there is a line"), tone, character);
            }
        }
    }
    lines
}

fn indented(columns: usize) -> Line {
    match columns {
        0 => Line::default(),
        columns => Line::plain(&" ".repeat(columns)),
    }
}

fn push(line: &mut Line, tone: Tone, character: char) {
    match line.0.last_mut() {
        Some(last) if last.tone == tone => last.text.push(character),
        _ => line.0.push(Piece::exact(tone, character.encode_utf8(&mut [0; 4]))),
    }
}

/// The words of a paragraph with the space behind each; a word may have pieces in several tones, and a path is several words.
fn words(paragraph: &Paragraph) -> Vec<Vec<Piece>> {
    let (mut words, mut word) = (Vec::new(), Vec::new());
    for Piece { tone, text } in &paragraph.0 {
        for part in text.split_inclusive([' ', '/']) {
            word.push(Piece::exact(*tone, part));
            if part.ends_with([' ', '/']) {
                words.push(std::mem::take(&mut word));
            }
        }
    }
    words.push(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, columns: usize) -> Vec<String> {
        wrap(&Paragraph::plain(text), columns).iter().map(|line| line.render(false).trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_within_words_that_are_too_long() {
        assert_eq!(lines("a short answer", 20), ["a short answer"]);
        assert_eq!(lines("an answer that is long", 12), ["an answer", "  that is", "  long"]);
        assert_eq!(lines("abcdefghijklmno", 10), ["abcdefghij", "  klmno"]);
        assert_eq!(lines("examples/parks/yosemite.md", 20), ["examples/parks/", "  yosemite.md"]);
        assert_eq!(lines("", 10), [""]);
    }

    #[test]
    fn nothing_is_lost_and_no_line_is_too_wide() {
        let text = "Fern Falls, 2.4 miles, 犬は禁止, wheelchair-accessible-for-the-first-half, and so on";
        for columns in 1..60 {
            let lines = lines(text, columns);
            let joined: String = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            assert_eq!(joined, text.replace(' ', ""), "at {columns}");
            // A character of two columns does not fit into one.
            assert!(lines.iter().all(|line| width(line) <= columns.max(2)), "at {columns}: {lines:?}");
        }
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(lines("a\n b\u{1b}[2J", 20), ["a b[2J"]);
    }
}
