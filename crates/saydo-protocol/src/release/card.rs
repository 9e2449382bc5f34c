//! The data card: how the data was collected and by whom, its splits, Table 2's statistics, agreement and known limits, with
//! the header that Hugging Face `datasets` reads.

use super::croissant::description;
use super::row::FIELDS;
use super::{Collection, PARTS, Release, StepFacts};
use crate::date::day;
use saydo_task::Generalization;
use saydo_task::describe::{Description, Group};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The card of a release.
pub(super) fn write(release: &Release, statistics: &BTreeMap<&'static str, Description>) -> String {
    let mut card = header(release, statistics);
    let _ = write!(card, "\n# {}\n\n{}\n", release.name, description(release));
    card += &files(release);
    card += &splits(statistics);
    card += &types(statistics);
    match &release.collection {
        Some(collection) => card += &collected(collection),
        None => card += "\n## How it was collected\n\nNot recorded: the data came without `collection.json`.\n",
    }
    card += &limits(release);
    let (license, homepage) = (&release.license, release.homepage.as_deref());
    let _ = write!(card, "\n## License\n\n{license}; see `LICENSE`.\n");
    if let Some(homepage) = homepage {
        let _ = write!(card, "\nHome page: <{homepage}>\n");
    }
    card
}

/// The YAML that `datasets` reads: where the rows of each part are, and their types.
fn header(release: &Release, statistics: &BTreeMap<&'static str, Description>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut text = format!(
        "---\npretty_name: {}\nlicense: {}\ntask_categories:\n- question-answering\ntags:\n- zest\n- croissant\nconfigs:\n\
         - config_name: default\n  data_files:\n",
        quoted(&release.name),
        release.license.to_lowercase()
    );
    for part in PARTS.into_iter().filter(|part| statistics.contains_key(part)) {
        let _ = write!(text, "  - split: {}\n    path: rows/{part}.jsonl\n", split_name(part));
    }
    text += "dataset_info:\n- config_name: default\n  features:\n";
    for (name, is_list, _) in FIELDS {
        let kind = if is_list { "sequence" } else { "dtype" };
        let _ = write!(text, "  - name: {name}\n    {kind}: string\n");
    }
    text + "---\n"
}

/// What `datasets` calls a part.
fn split_name(part: &str) -> &str {
    if part == "dev" { "validation" } else { part }
}

fn files(release: &Release) -> String {
    let dev = if release.parts[1].is_empty() { "" } else { ", `dev.jsonl`" };
    format!(
        "\n## Files\n\n\
         | File | Holds |\n| --- | --- |\n\
         | `train.jsonl`{dev}, `test_unanswered.jsonl` | the tasks in ZEST's format |\n\
         | `test-answers/test.jsonl` | the test tasks with answers: publish it only if the test set is not hidden |\n\
         | `rows/` | a row per task and passage: `datasets.load_dataset(\"FOLDER\")` |\n\
         | `t5/`, `bart/` | training files for T5 and BART |\n\
         | `croissant.json`, `statistics.json` | metadata and the numbers below |\n\
         | `checksums.sha256` | `sha256sum -c checksums.sha256` |\n\n\
         `saydo eval zest --data test-answers/test.jsonl -m MODEL` evaluates a model; `saydo score zest --gold \
         test-answers/test.jsonl --predictions FILE` scores predictions.\n"
    )
}

fn splits(statistics: &BTreeMap<&'static str, Description>) -> String {
    let mut text =
        "\n## Splits\n\nBase questions were split first; paraphrases, semantic flips, compositions and output \
                    structures were made inside a part, so that no family of tasks crosses parts.\n\n| |"
            .to_owned();
    let parts: Vec<(&str, &Group)> =
        PARTS.into_iter().filter_map(|part| Some((part, &statistics.get(part)?.overall))).collect();
    for (part, _) in &parts {
        let _ = write!(text, " {part} |");
    }
    text += "\n| --- |";
    parts.iter().for_each(|_| text += " ---: |");
    text += "\n";
    let mut row = |name: &str, value: &dyn Fn(&Group) -> String| {
        let _ = write!(text, "| {name} |");
        for (_, group) in &parts {
            let _ = write!(text, " {} |", value(group));
        }
        text += "\n";
    };
    row("(task, passage) pairs", &|group| group.instances.to_string());
    row("average passage length (words)", &|group| decimal(group.words.input, 0));
    row("tasks", &|group| group.tasks.to_string());
    row("average task length (words)", &|group| decimal(group.words.definition, 1));
    row("NA", &|group| decimal(group.na_share, 2));
    row("classification", &|group| decimal(group.classification_share, 2));
    text
}

/// Tasks of each type of generalization.
fn types(statistics: &BTreeMap<&'static str, Description>) -> String {
    let parts: Vec<(&str, &Description)> =
        PARTS.into_iter().filter_map(|part| Some((part, statistics.get(part)?))).collect();
    let count =
        |description: &Description, name: &str| description.by_generalization.get(name).map_or(0, |it| it.tasks);
    let kinds = Generalization::ALL.iter().filter(|kind| parts.iter().any(|(_, it)| count(it, kind.name()) > 0));
    let mut text = "\n| Tasks |".to_owned();
    parts.iter().for_each(|(part, _)| text += &format!(" {part} |"));
    text += "\n| --- |";
    parts.iter().for_each(|_| text += " ---: |");
    text += "\n";
    for kind in kinds {
        let _ = write!(text, "| {} |", kind.name());
        parts.iter().for_each(|(_, it)| text += &format!(" {} |", count(it, kind.name())));
        text += "\n";
    }
    text
}

fn collected(collection: &Collection) -> String {
    let mut text = "\n## How it was collected\n\n".to_owned();
    if let Some([first, last]) = collection.period {
        let _ = writeln!(text, "Collected from {} to {}.", day(first.max(0) as u64), day(last.max(0) as u64));
    }
    let [annotators, of_records] = collection.annotators;
    let _ = writeln!(
        text,
        "{} people wrote questions or answered them. Passages were found by search over {} documents: {} for each question \
         wanted, at most {:.0}% of all from one document; a paraphrase has the passages of its base question. {} annotators \
         answered each pair of question and passage, {} where answers are records. {}",
        collection.workers,
        collection.documents,
        collection.passages,
        100.0 * collection.entity_share,
        annotators,
        of_records,
        if collection.suggestions {
            "They could see a model's suggestion."
        } else {
            "They saw no suggestion of a model."
        },
    );
    match collection.qualification.as_slice() {
        [] => text += "Workers had to show no qualification.\n",
        shown => text += &format!("Workers had to show: {}.\n", shown.join("; ")),
    }
    text += "\nAnswers were combined by majority; for text of the passage, by the answer that the others contain, the shorter \
             preferred. `answers` lists the combined answer first, then the other annotators' pieces of text, any of which \
             counts as right; `all_answers` keeps what everybody said.\n";
    text += &steps(collection);
    let agreement = &collection.agreement;
    let _ = write!(
        text,
        "\n### Agreement\n\nOver {} pairs with two answers or more: {} of pairs of annotators agree; Cohen's kappa {}, Fleiss' \
         kappa {}, Krippendorff's alpha {}. The owner decided {} pairs on which they did not.\n",
        agreement.items,
        agreement.percent.map_or("–".to_owned(), |share| format!("{:.1}%", 100.0 * share)),
        decimal(agreement.cohen, 2),
        decimal(agreement.fleiss, 2),
        decimal(agreement.krippendorff, 2),
        collection.decided,
    );
    text
}

fn steps(collection: &Collection) -> String {
    let has_costs = collection.steps.iter().any(|step| step.cost.is_some());
    let mut text = "\n| Step | Items | Answers | People | Median time |".to_owned();
    text += if has_costs { " Cost (USD) |\n" } else { "\n" };
    text += "| --- | ---: | ---: | ---: | ---: |";
    text += if has_costs { " ---: |\n" } else { "\n" };
    for StepFacts { step, items, answers, workers, seconds, cost, .. } in &collection.steps {
        let time = seconds.map_or("–".to_owned(), |seconds| format!("{seconds} s"));
        let _ = write!(text, "| {step} | {items} | {answers} | {workers} | {time} |");
        text += &if has_costs { format!(" {} |\n", decimal(*cost, 2)) } else { "\n".to_owned() };
    }
    if let Some(cost) = collection.cost {
        let _ = write!(text, "\nIn all {cost:.2} USD, fees included.\n");
    }
    text
}

fn limits(release: &Release) -> String {
    let mut limits = release.limits.clone();
    if release.parts[1].is_empty() {
        limits.push("There is no dev part: too few base questions for one.".to_owned());
    }
    if let Some(collection) = &release.collection {
        let mut count = |count: usize, text: &str| {
            if count > 0 {
                limits.push(format!("{count} {text}"));
            }
        };
        count(collection.left_out, "pairs of question and passage lack answers or a decision and are left out.");
        count(collection.ambiguous, "pieces of answers hold a `|`, which stands between pieces in ZEST's format.");
        count(collection.near_duplicates, "pairs of questions of different families are nearly the same.");
    }
    let mut text = "\n## Known limits\n\n".to_owned();
    limits.iter().for_each(|limit| text += &format!("- {limit}\n"));
    if limits.is_empty() {
        text += "None is known.\n";
    }
    text
}

fn decimal(value: Option<f64>, places: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
}
