//! The text of an HTML page, as a reader would see it: the title first, scripts and styles left out, a line for each
//! block.

use html5gum::{Token, Tokenizer};

/// Elements whose content is not text.
const DROPPED: [&str; 12] = [
    "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "head", "select", "canvas",
    "noframes",
];

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 40] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "title",
    "tr",
    "ul",
    "br",
];

/// Blocks with an empty line around them.
const PARAGRAPHS: [&str; 12] =
    ["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "pre", "title", "section"];

/// The text of a page. Whatever the input, there is a text; it may be empty.
pub fn extract(html: &str) -> String {
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new(html) {
        match token {
            Token::StartTag(tag) => page.start(&name(&tag.name), tag.self_closing),
            Token::EndTag(tag) => page.end(&name(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    page.finish()
}

fn name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[derive(Default)]
struct Page {
    title: String,
    in_title: bool,
    /// Open elements whose content is dropped, the outermost first.
    dropped: Vec<String>,
    preformatted: usize,
    out: String,
    /// Line breaks owed before the next text.
    breaks: usize,
    /// Whether a space is owed before the next text.
    space: bool,
}

impl Page {
    fn start(&mut self, name: &str, self_closing: bool) {
        match name {
            "title" if self.title.is_empty() && !self.dropped.iter().any(|open| open == "svg") => self.in_title = true,
            "body" => self.dropped.clear(),
            _ if DROPPED.contains(&name) && !self_closing => self.dropped.push(name.to_owned()),
            "pre" => self.preformatted += 1,
            "td" | "th" => self.space = true,
            "br" => self.breaks = (self.breaks + 1).min(2),
            _ => {}
        }
        self.block(name);
    }

    fn end(&mut self, name: &str) {
        if let Some(place) = self.dropped.iter().rposition(|open| open == name) {
            self.dropped.truncate(place);
        }
        match name {
            "title" => self.in_title = false,
            "pre" => self.preformatted = self.preformatted.saturating_sub(1),
            _ => {}
        }
        self.block(name);
    }

    fn block(&mut self, name: &str) {
        if self.dropped.is_empty() && name != "br" && BLOCKS.contains(&name) {
            self.breaks = self.breaks.max(if PARAGRAPHS.contains(&name) { 2 } else { 1 });
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.push_str(text);
        } else if self.dropped.is_empty() {
            for character in text.chars() {
                self.push(character);
            }
        }
    }

    fn push(&mut self, character: char) {
        let is_space = matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        if self.preformatted > 0 && (character == '\n' || (is_space && self.breaks == 0)) {
            self.settle();
            self.out.push(character);
        } else if is_space {
            self.space = true;
        } else {
            self.settle();
            self.out.push(character);
        }
    }

    /// Pays the breaks and the space that are owed.
    fn settle(&mut self) {
        if self.breaks > 0 && !self.out.is_empty() {
            self.out.extend(std::iter::repeat_n('\n', self.breaks));
        } else if self.space && !self.out.is_empty() && !self.out.ends_with(char::is_whitespace) {
            self.out.push(' ');
        }
        self.breaks = 0;
        self.space = false;
    }

    fn finish(self) -> String {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let body = self.out.trim_end();
        match (title.is_empty(), body.is_empty()) {
            (true, _) => body.to_owned(),
            (false, true) => title,
            (false, false) => format!("{title}\n\n{body}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_lines_and_spaces_are_joined() {
        let page = "<h1>Vernal\n  Fall</h1><p>A <b>steep</b> trail.<br>Wet &amp; cold&hellip;</p><ul><li>a<li>b</ul>";
        insta::assert_snapshot!(extract(page), @r"
        Vernal Fall

        A steep trail.
        Wet & cold…

        a
        b
        ");
    }

    #[test]
    fn the_title_comes_first_and_what_is_not_text_is_dropped() {
        let page = "<!doctype html><html><head><title> Parks &lt;1&gt; </title><style>p{}</style><meta name=x></head>
            <body><script>if (a < b) { '</p>' }</script><!-- no --><p>One</p><svg><title>icon</title></svg>
            <noscript>enable it</noscript><table><tr><th>Fall<th>Feet<tr><td>Vernal<td>317</table></body></html>";
        insta::assert_snapshot!(extract(page), @r"
        Parks <1>

        One

        Fall Feet
        Vernal 317
        ");
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        assert_eq!(extract("<p>a</p><pre>x\n  y\n\nz</pre><p>b"), "a\n\nx\n  y\n\nz\n\nb");
    }

    #[test]
    fn broken_pages_have_a_text_too() {
        assert_eq!(extract(""), "");
        assert_eq!(extract("plain & simple"), "plain & simple");
        assert_eq!(extract("<p>open <b>never closed"), "open never closed");
        assert_eq!(extract("<head><title>t</title><p>no body tag"), "t");
        assert_eq!(extract("</p></div>x<"), "x<");
    }
}
