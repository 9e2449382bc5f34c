//! Questions over documents to learn from, out of files.

use super::draw::generator;
use crate::reading::{Page, add_near_misses};
use crate::{Error, shuffle};
use saydo_task::dataset::Dataset;
use saydo_task::everyday;
use saydo_task::reading::{self, sets};
use saydo_task::source::Source;
use std::path::{Path, PathBuf};

/// A set without a single question that its text leaves open gets near misses: every so many questions, one.
const NEAR_MISS_EVERY: usize = 2;

/// The pages of each file, shuffled by the seed and cut off where its questions reach the cap. Texts that must stay
/// unseen are left out.
pub(super) fn pages(
    files: &[PathBuf],
    caps: &[usize],
    seed: u64,
    is_unseen: &dyn Fn(&str) -> bool,
) -> Result<Vec<Vec<Page>>, Error> {
    if caps.len() > 1 && caps.len() != files.len() {
        return Err(Error::Caps { caps: "--reading-cap", given: caps.len(), of: "--reading", files: files.len() });
    }
    let mut all = Vec::new();
    for (number, path) in files.iter().enumerate() {
        let mut pages = load(path)?;
        pages.retain(|page| !page.asked.is_empty() && !is_unseen(&page.document));
        if pages.iter().flat_map(|page| &page.asked).all(|asked| !asked.is_na()) {
            add_near_misses(&mut pages, NEAR_MISS_EVERY);
        }
        shuffle(&mut pages, &mut generator(&path.display().to_string(), 0, seed));
        let cap = caps.get(number).or(caps.last()).copied().unwrap_or(usize::MAX);
        let mut count = 0;
        pages.retain(|page| {
            let is_in = count < cap;
            count += page.asked.len();
            is_in
        });
        if pages.is_empty() {
            return Err(Error::NoQuestions { path: path.clone() });
        }
        all.push(pages);
    }
    Ok(all)
}

/// The pages of a file, or of a part of the data set that ships. What `saydo eval suite` asks is left out.
fn load(path: &Path) -> Result<Vec<Page>, Error> {
    let tasks = if path.to_str().is_some_and(everyday::is_name) {
        Dataset::load(path)?.tasks.into_iter().map(|located| located.task).collect()
    } else {
        sets::left(path, reading::read(&Source::load(path)?)?).tasks(&path.display().to_string())
    };
    Ok(Page::of_tasks(&tasks))
}
