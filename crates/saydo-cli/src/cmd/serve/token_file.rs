//! The file that holds the owner's token, for programs that cannot read what the server prints. Only its owner may read it.

use anyhow::{Context, Result, bail};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// The token in a file; none if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read the token file {}", path.display())),
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
        if mode & 0o077 != 0 {
            let path = path.display();
            bail!("other users can read the token file {path}; make it yours alone with `chmod 600 {path}`");
        }
    }
    Ok(Some(text.trim().to_owned()))
}

/// Writes a token to a file that is not there yet.
pub(super) fn write(path: &Path, token: &str) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        writeln!(file, "{token}")?;
        file.sync_all()
    });
    written.with_context(|| format!("cannot write the token file {}", path.display()))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_token_that_was_written_is_read_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        assert_eq!(read(&path).unwrap(), None);
        write(&path, "0123456789abcdef").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some("0123456789abcdef"));
        assert!(write(&path, "another").is_err(), "it is there already");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("chmod 600"), "{error}");
    }
}
