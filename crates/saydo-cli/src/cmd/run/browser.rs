//! `--open`: the page of rows in the user's browser.

use crate::output;
use std::path::Path;

/// Opens a page. Rows are out by now, so a machine without a browser only gets a note.
pub(super) fn show(page: &Path) {
    // A browser takes a relative path for the name of a site.
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    match open::that_detached(&page) {
        Ok(()) => output::note(&format!("opened in the browser: {}", page.display())),
        Err(error) => output::note(&format!("cannot open a browser: {error}; the page is {}", page.display())),
    }
}
