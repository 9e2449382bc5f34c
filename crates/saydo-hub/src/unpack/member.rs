//! Paths in archives: where a member goes, if it is kept, and which paths no honest archive has.

use crate::catalog::Dataset;

/// Where a member of an archive goes: nowhere if it is not kept, else a path below the dataset's folder. A path that
/// would lead out of the folder is an error even if the member is not kept: such an archive is not to be trusted.
pub(super) fn place(dataset: &Dataset, name: &str) -> Result<Option<String>, String> {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    if name.starts_with(['/', '\\']) || is_drive || name.split(['/', '\\']).any(|part| part == "..") {
        return Err(format!("its member `{}` would lead out of the folder", name.escape_default()));
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !["", "."].contains(part)).collect();
    let path = parts.get(dataset.strip..).unwrap_or_default().join("/");
    if path.is_empty() || !dataset.keeps(&path) {
        return Ok(None);
    }
    if !crate::catalog::is_inside(&path) {
        return Err(format!("its member `{}` has a name that not every system can write", name.escape_default()));
    }
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    fn dataset() -> Dataset {
        let zest = Catalog::built_in().datasets.remove(0);
        Dataset { strip: 1, keep: vec!["data/".to_owned(), "LICENSE".to_owned()], ..zest }
    }

    #[test]
    fn leading_folders_go_and_what_is_not_kept_goes_nowhere() {
        let place = |name: &str| place(&dataset(), name).unwrap();
        assert_eq!(place("top/data/a.json").unwrap(), "data/a.json");
        assert_eq!(place("./top//./LICENSE").unwrap(), "LICENSE");
        for name in ["top/other", "top", "LICENSE", "", "top/data/", "__MACOSX/top/data/a", "top/LICENSE/x"] {
            assert_eq!(place(name), None, "{name}");
        }
    }

    #[test]
    fn paths_that_lead_out_of_the_folder_are_refused_kept_or_not() {
        for name in ["../a", "top/../../a", "/etc/passwd", "top/data/..", "\\a", "top\\..\\a", "C:/a", "c:a"] {
            assert!(place(&dataset(), name).unwrap_err().contains("would lead out"), "{name}");
        }
        insta::assert_snapshot!(place(&dataset(), "top/data/a:b").unwrap_err(), @"its member `top/data/a:b` has a name that not every system can write");
        assert!(place(&dataset(), "top/data/a\\b").is_err() && place(&dataset(), "top/data/a\0b").is_err());
    }
}
