//! Which files of a repository make a model, if the user named none: the only GGUF file, or else safetensors with the
//! configuration and the tokenizer.

/// What must be beside safetensors.
const NEEDED: [&str; 2] = ["config.json", "tokenizer.json"];

/// What is taken along if it is there.
const WELCOME: [&str; 5] = [
    "tokenizer_config.json",
    "generation_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
    "model.safetensors.index.json",
];

/// How many names an error lists.
const LISTED: usize = 12;

/// The files of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    /// A single file is the model.
    File(String),
    /// A folder of these files is the model.
    Folder(Vec<String>),
}

/// Chooses among the paths of a repository. The error says what was found and what was expected.
pub(super) fn select(paths: &[String]) -> Result<Selection, String> {
    let mut gguf: Vec<&str> = paths.iter().map(String::as_str).filter(|path| path.ends_with(".gguf")).collect();
    if let [only] = gguf[..] {
        return Ok(Selection::File(only.to_owned()));
    }
    let mut files = safetensors(paths);
    let lacking = NEEDED.iter().find(|needed| !paths.iter().any(|path| path == *needed));
    match (files.is_empty(), lacking) {
        (false, None) => {
            let beside = NEEDED.iter().chain(&WELCOME).filter(|name| paths.iter().any(|path| path == *name));
            files.extend(beside.map(|name| (*name).to_owned()));
            Ok(Selection::Folder(files))
        }
        (false, Some(lacking)) => Err(format!("it has safetensors but no {lacking}")),
        (true, _) if gguf.is_empty() => Err("it has neither .gguf nor .safetensors files".to_owned()),
        (true, _) => {
            gguf.sort_unstable();
            let more = if gguf.len() > LISTED { ", …" } else { "" };
            let listed = gguf[..gguf.len().min(LISTED)].join(", ");
            Err(format!("it has {} .gguf files, expected the name of one of them: {listed}{more}", gguf.len()))
        }
    }
}

/// The weights at the top of the repository. Some hold them twice; `model*` is what the libraries load.
fn safetensors(paths: &[String]) -> Vec<String> {
    let all = || paths.iter().filter(|path| path.ends_with(".safetensors") && !path.contains('/'));
    let usual: Vec<String> = all().filter(|path| path.starts_with("model")).cloned().collect();
    if usual.is_empty() { all().cloned().collect() } else { usual }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(paths: &[&str]) -> Result<Selection, String> {
        super::select(&paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_only_gguf_file_is_the_model() {
        let selection = select(&["README.md", "sub/a.gguf", "config.json"]).unwrap();
        assert_eq!(selection, Selection::File("sub/a.gguf".to_owned()));
    }

    #[test]
    fn safetensors_come_with_what_belongs_to_them() {
        let paths = ["README.md", "config.json", "model.safetensors", "consolidated.safetensors", "tokenizer.json"];
        let selection = select(&[&paths[..], &["onnx/model.safetensors", "chat_template.jinja"]].concat()).unwrap();
        let files = ["model.safetensors", "config.json", "tokenizer.json", "chat_template.jinja"];
        assert_eq!(selection, Selection::Folder(files.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_is_no_model_says_why() {
        insta::assert_snapshot!(select(&["b.gguf", "a.gguf"]).unwrap_err(), @"it has 2 .gguf files, expected the name of one of them: a.gguf, b.gguf");
        insta::assert_snapshot!(select(&["model.safetensors", "config.json"]).unwrap_err(), @"it has safetensors but no tokenizer.json");
        insta::assert_snapshot!(select(&["README.md"]).unwrap_err(), @"it has neither .gguf nor .safetensors files");
    }
}
