//! Which column holds the text.

use crate::Error;

/// Names that mean "the text", the best first.
const NAMES: [&str; 7] = ["text", "body", "content", "document", "input", "context", "passage"];

/// The column that becomes a document's id.
pub const ID: &str = "id";

/// A column there is to choose from.
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// What it holds if that is not text.
    pub other: Option<String>,
}

/// The number of the column that holds the text: the wanted one; or the first of the usual names; or the only one that
/// holds text, an `id` left aside.
pub fn choose(path: &str, wanted: Option<&str>, columns: &[Candidate]) -> Result<usize, Error> {
    let names = || columns.iter().map(|column| column.name.clone()).collect();
    let Some(wanted) = wanted else {
        let undecided = || Error::UndecidedColumn { path: path.to_owned(), columns: names() };
        return find(columns).ok_or_else(undecided);
    };
    let place = columns.iter().position(|column| column.name == wanted);
    let place =
        place.ok_or_else(|| Error::NoColumn { path: path.to_owned(), column: wanted.to_owned(), columns: names() })?;
    match &columns[place].other {
        None => Ok(place),
        Some(found) => Err(Error::NotText { path: path.to_owned(), column: wanted.to_owned(), found: found.clone() }),
    }
}

/// The number of the column that holds the questions. It is no candidate for the text from then on.
pub fn choose_question(path: &str, wanted: Option<&str>, columns: &mut [Candidate]) -> Result<Option<usize>, Error> {
    let Some(wanted) = wanted else { return Ok(None) };
    let place = choose(path, Some(wanted), columns)?;
    columns[place].other = Some("the questions".to_owned());
    Ok(Some(place))
}

fn find(columns: &[Candidate]) -> Option<usize> {
    let is_text = |column: &Candidate| column.other.is_none();
    let named = |name: &str| {
        let exact = columns.iter().position(|column| is_text(column) && column.name == name);
        exact.or_else(|| columns.iter().position(|column| is_text(column) && column.name.eq_ignore_ascii_case(name)))
    };
    let only = |with_id: bool| {
        let wanted = |column: &Candidate| is_text(column) && (with_id || column.name != ID);
        let mut found = (0..columns.len()).filter(|&place| wanted(&columns[place]));
        found.next().filter(|_| found.next().is_none())
    };
    NAMES.into_iter().find_map(named).or_else(|| only(false)).or_else(|| only(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: Option<&str>, columns: &[&str]) -> Result<String, Error> {
        let candidate = |name: &&str| match name.strip_prefix('#') {
            Some(name) => Candidate { name: name.to_owned(), other: Some("numbers".to_owned()) },
            None => Candidate { name: (*name).to_owned(), other: None },
        };
        let columns: Vec<Candidate> = columns.iter().map(candidate).collect();
        choose("t.csv", wanted, &columns).map(|place| columns[place].name.clone())
    }

    #[test]
    fn usual_names_come_first_and_then_the_only_text() {
        assert_eq!(chosen(None, &["title", "body", "text"]).unwrap(), "text");
        assert_eq!(chosen(None, &["title", "Body"]).unwrap(), "Body");
        assert_eq!(chosen(None, &["#text", "passage", "title"]).unwrap(), "passage");
        assert_eq!(chosen(None, &["id", "review", "#stars"]).unwrap(), "review");
        assert_eq!(chosen(None, &["id"]).unwrap(), "id");
        assert_eq!(chosen(Some("title"), &["title", "text"]).unwrap(), "title");
    }

    #[test]
    fn a_column_that_cannot_be_told_is_an_error_that_lists_them() {
        let shown = |error: Error| format!("{error}\n{}", error.hint().unwrap_or_default());
        insta::assert_snapshot!(shown(chosen(None, &["title", "review"]).unwrap_err()), @r"
        cannot tell which column of t.csv holds the text: title, review
        name the column that holds the text with --column NAME
        ");
        insta::assert_snapshot!(shown(chosen(Some("reviews"), &["title", "review"]).unwrap_err()), @r"
        t.csv has no column `reviews`, expected one of: title, review
        did you mean --column review?
        ");
        insta::assert_snapshot!(shown(chosen(Some("stars"), &["#stars", "review"]).unwrap_err()), @r"
        column `stars` of t.csv holds numbers, expected text
        name the column that holds the text with --column NAME
        ");
    }
}
