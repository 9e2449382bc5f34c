//! A text with pieces of it marked, which may overlap.

use serde::Serialize;

/// A piece to mark, in characters.
pub struct Mark {
    /// Its first character.
    pub start: usize,
    /// The one after its last.
    pub end: usize,
    /// The number of its color.
    pub color: usize,
    /// What it is.
    pub title: String,
}

/// A piece of the text, marked or not.
#[derive(Serialize)]
pub struct Piece<'a> {
    text: &'a str,
    /// The color of the first of its marks; none if it has none.
    color: Option<usize>,
    is_shared: bool,
    /// What all its marks say.
    title: String,
}

/// The text in pieces. It is cut wherever a mark begins or ends, so that marks which overlap nest nowhere; where several
/// meet, the color is the first one's. Marks that are empty or begin behind the end are left out.
pub fn highlight<'a>(text: &'a str, marks: &[Mark]) -> Vec<Piece<'a>> {
    let mut cuts: Vec<usize> =
        marks.iter().filter(|mark| mark.start < mark.end).flat_map(|mark| [mark.start, mark.end]).collect();
    cuts.push(usize::MAX);
    cuts.sort_unstable();
    cuts.dedup();
    let (mut pieces, mut rest, mut at) = (Vec::new(), text, 0);
    for cut in cuts {
        let (piece, after) = rest.split_at(byte_of(rest, cut - at));
        if !piece.is_empty() {
            pieces.push(marked(piece, at, cut, marks));
        }
        (rest, at) = (after, cut);
    }
    pieces
}

/// Where the character of this number begins; the end if there are fewer.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

fn marked<'a>(text: &'a str, start: usize, end: usize, marks: &[Mark]) -> Piece<'a> {
    let here: Vec<&Mark> = marks.iter().filter(|mark| mark.start <= start && end <= mark.end).collect();
    let titles: Vec<&str> = here.iter().map(|mark| mark.title.as_str()).collect();
    Piece { text, color: here.first().map(|first| first.color), is_shared: here.len() > 1, title: titles.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::super::TEMPLATES;
    use super::*;
    use serde_json::json;

    fn mark(start: usize, end: usize, title: &str) -> Mark {
        Mark { start, end, color: 0, title: title.to_owned() }
    }

    fn highlight(text: &str, marks: &[Mark]) -> String {
        TEMPLATES.render("text.html", &json!({"text": {"pieces": super::highlight(text, marks)}}))
    }

    #[test]
    fn offsets_are_characters_in_any_script() {
        let marks = [mark(2, 4, "a"), mark(6, 7, "b")];
        insta::assert_snapshot!(highlight("🏞️滝は<美しい", &marks), @r#"🏞️<mark class="c0" title="a">滝は</mark>&lt;美<mark class="c0" title="b">し</mark>い"#);
    }

    #[test]
    fn overlapping_marks_are_cut_apart() {
        let marks = [mark(0, 4, "a"), mark(2, 6, "b")];
        insta::assert_snapshot!(highlight("abcdefg", &marks), @r#"<mark class="c0" title="a">ab</mark><mark class="c0 both" title="a; b">cd</mark><mark class="c0" title="b">ef</mark>g"#);
    }

    #[test]
    fn marks_outside_the_text_do_no_harm() {
        assert_eq!(highlight("ab", &[mark(5, 9, "x"), mark(1, 1, "y")]), "ab");
        insta::assert_snapshot!(highlight("ab", &[mark(1, 9, "x")]), @r#"a<mark class="c0" title="x">b</mark>"#);
    }
}
