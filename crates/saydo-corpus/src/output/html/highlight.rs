//! A text with pieces of it marked, which may overlap.

use crate::escape::push_escaped;

/// A piece to mark, in characters.
pub struct Mark {
    /// Its first character.
    pub start: usize,
    /// The one after its last.
    pub end: usize,
    /// The class of its color.
    pub class: String,
    /// What it is, already escaped.
    pub title: String,
}

/// The text as HTML. It is cut wherever a mark begins or ends, so that marks which overlap nest nowhere; where several
/// meet, the color is the first one's. Marks that are empty or begin behind the end are left out.
pub fn highlight(text: &str, marks: &[Mark]) -> String {
    let mut cuts: Vec<usize> =
        marks.iter().filter(|mark| mark.start < mark.end).flat_map(|mark| [mark.start, mark.end]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut out = String::with_capacity(text.len() * 9 / 8);
    let mut rest = text;
    let mut at = 0;
    for cut in cuts {
        let (piece, after) = rest.split_at(byte_of(rest, cut - at));
        push_piece(&mut out, piece, at, cut, marks);
        (rest, at) = (after, cut);
    }
    push_escaped(&mut out, rest);
    out
}

/// Where the character of this number begins; the end if there are fewer.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

fn push_piece(out: &mut String, piece: &str, start: usize, end: usize, marks: &[Mark]) {
    if piece.is_empty() {
        return;
    }
    let here: Vec<&Mark> = marks.iter().filter(|mark| mark.start <= start && end <= mark.end).collect();
    let Some(first) = here.first() else { return push_escaped(out, piece) };
    let titles = here.iter().map(|mark| mark.title.as_str()).collect::<Vec<_>>().join("; ");
    let several = if here.len() > 1 { " both" } else { "" };
    out.push_str(&format!("<mark class=\"{}{several}\" title=\"{titles}\">", first.class));
    push_escaped(out, piece);
    out.push_str("</mark>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(start: usize, end: usize, title: &str) -> Mark {
        Mark { start, end, class: "c0".to_owned(), title: title.to_owned() }
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
