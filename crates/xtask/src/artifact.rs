//! What a release hands out: the program for this machine in an archive, and the SHA-256 of each file.

use crate::cargo::{Workspace, root};
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where artifacts are put.
pub const FOLDER: &str = "target/dist";

/// The file with the digests, as `sha256sum --check` reads them.
const SUMS: &str = "SHA256SUMS";

/// What stands beside the program in the archive.
const DOCUMENTS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-APACHE", "LICENSE-MIT"];

/// Shells with completions in the archive.
const SHELLS: [(&str, &str); 3] = [("bash", "saydo"), ("fish", "saydo.fish"), ("zsh", "_saydo")];

/// Builds the program, packs it, and writes the digests of all that lies in the folder; gives the archive.
pub fn make(version: &str) -> Result<PathBuf> {
    let main = Workspace::Main;
    main.cargo(&["build", "--release", "--locked", "--package", "saydo-cli"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let program = target.join("release").join(if cfg!(windows) { "saydo.exe" } else { "saydo" });
    let stage = target.join("dist-stage");
    if stage.exists() {
        std::fs::remove_dir_all(&stage).with_context(|| format!("removing {}", stage.display()))?;
    }
    let files = stage_files(&program, &stage)?;
    let name = name(version, &host()?);
    let folder = root().join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let archive = folder.join(format!("{name}.tar.gz"));
    std::fs::write(&archive, packed(&name, &files, time_of_commit()?)?)
        .with_context(|| format!("writing {}", archive.display()))?;
    write_sums(&folder)?;
    Ok(archive)
}

/// The name of an archive, without its extension.
pub fn name(version: &str, host: &str) -> String {
    format!("saydo-{version}-{host}")
}

/// The triple of this machine.
pub fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("running rustc")?;
    let text = String::from_utf8(output.stdout).context("rustc's version is UTF-8")?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned).context("rustc names no host")
}

/// The names in the archive with the files, in order. Completions and manual pages come from the program itself.
fn stage_files(program: &Path, stage: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = vec![("saydo".to_owned(), program.to_owned())];
    files.extend(DOCUMENTS.map(|name| (name.to_owned(), root().join(name))));
    let (completions, manuals) = (stage.join("completions"), stage.join("man"));
    for folder in [&completions, &manuals] {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    for (shell, file) in SHELLS {
        let script = output_of(Command::new(program).args(["completions", shell]))?;
        std::fs::write(completions.join(file), script).with_context(|| format!("writing {file}"))?;
        files.push((format!("completions/{file}"), completions.join(file)));
    }
    output_of(Command::new(program).args(["completions", "--man"]).arg(&manuals))?;
    for entry in std::fs::read_dir(&manuals).with_context(|| format!("reading {}", manuals.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((format!("man/{name}"), path));
    }
    files.sort();
    Ok(files)
}

fn output_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("running {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// The archive: the same files and time make the same bytes.
fn packed(name: &str, files: &[(String, PathBuf)], seconds: u64) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (inside, path) in files {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if inside == "saydo" { 0o755 } else { 0o644 });
        header.set_mtime(seconds);
        archive.append_data(&mut header, format!("{name}/{inside}"), &*bytes)?;
    }
    Ok(archive.into_inner()?.finish()?)
}

/// When what is packed was committed.
fn time_of_commit() -> Result<u64> {
    let output = Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()).output();
    let output = output.context("running git")?;
    String::from_utf8_lossy(&output.stdout).trim().parse().context("git names no time of the last commit")
}

/// Writes the digests of all archives and wheels in a folder.
pub fn write_sums(folder: &Path) -> Result<()> {
    let text = sums(folder)?;
    let path = folder.join(SUMS);
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

fn sums(folder: &Path) -> Result<String> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    let mut lines = String::new();
    for path in paths.iter().filter(|path| path.is_file() && !path.ends_with(SUMS)) {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(lines, "{digest}  {}", path.file_name().unwrap_or_default().to_string_lossy())?;
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn an_archive_holds_its_files_below_its_name_and_is_the_same_twice() {
        let scratch = tempfile::tempdir().unwrap();
        let files = ["saydo", "README.md"].map(|name| (name.to_owned(), scratch.path().join(name)));
        for (name, path) in &files {
            std::fs::write(path, format!("the text of {name}")).unwrap();
        }
        let bytes = packed("saydo-1.0.0-x", &files, 7).unwrap();
        assert_eq!(bytes, packed("saydo-1.0.0-x", &files, 7).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let found: Vec<(String, u32, String)> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let mut entry = entry.unwrap();
                let mut text = String::new();
                entry.read_to_string(&mut text).unwrap();
                (entry.path().unwrap().display().to_string(), entry.header().mode().unwrap(), text)
            })
            .collect();
        assert_eq!(
            found,
            [
                ("saydo-1.0.0-x/saydo".to_owned(), 0o755, "the text of saydo".to_owned()),
                ("saydo-1.0.0-x/README.md".to_owned(), 0o644, "the text of README.md".to_owned()),
            ]
        );
    }

    #[test]
    fn digests_are_those_of_sha256sum() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("b"), "").unwrap();
        std::fs::write(scratch.path().join("a"), "abc").unwrap();
        write_sums(scratch.path()).unwrap();
        let again = sums(scratch.path()).unwrap();
        assert_eq!(std::fs::read_to_string(scratch.path().join(SUMS)).unwrap(), again);
        assert_eq!(
            again,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
    }
}
