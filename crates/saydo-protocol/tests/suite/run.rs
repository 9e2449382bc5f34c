//! Plans, runs and scores of every protocol on small data of our own, with models that say what they are told.

use saydo::answering::samples::{Summary, run};
use saydo::record::Ledger;
use saydo_encode::Tokens;
use saydo_function::Settings;
use saydo_model::{Model, PromptLimit, Reply, Request, Score, ScoreRequest, ScriptedModel};
use saydo_protocol::plan::{Examples, Options as PlanOptions};
use saydo_protocol::record::{Opened, data_fingerprint, ledger_path};
use saydo_protocol::score::Options;
use saydo_protocol::{
    Answerer, Baseline, Contamination, Length, NamedDecoding, Plan, Protocol, Record, Scores, compare, harness, score,
    table,
};
use saydo_task::dataset::Dataset;
use saydo_task::seen::{Seen, Trace};
use saydo_task::{Ablation, Example, Instance, Task};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

fn tasks(path: &str) -> Vec<Task> {
    let dataset = Dataset::load(&Path::new(FIXTURES).join(path)).expect("fixtures load");
    dataset.tasks.into_iter().map(|located| located.task).collect()
}

fn plan(protocol: Protocol, tasks: Vec<Task>, change: impl FnOnce(&mut PlanOptions<'_>)) -> Plan {
    let settings = Settings { chat: false, ..Settings::default() };
    let mut options = PlanOptions::new(&settings, "test");
    change(&mut options);
    Plan::new(protocol, tasks, &options).expect("a plan")
}

/// Two tasks of four instances each, too few to lend examples.
fn small_plan() -> Plan {
    let change = |options: &mut PlanOptions<'_>| options.layouts = vec!["ni-prompt".into()];
    plan(Protocol::NaturalInstructions, tasks("natural-instructions/tasks"), change)
}

fn model(model: impl Model + 'static) -> Answerer {
    Answerer::Model { model: Arc::new(model), settings: Settings { chat: false, ..Settings::default() } }
}

fn record(plan: &Plan) -> Record {
    Record {
        version: "0".into(),
        protocol: plan.protocol,
        model: "m".into(),
        fingerprint: "test".into(),
        data: vec!["d".into()],
        data_fingerprint: data_fingerprint(plan),
        layouts: plan.layouts.clone(),
        decodings: plan.decodings.clone(),
        chat: false,
        ablation: None,
        seed: 0,
        tasks: plan.tasks.len(),
        samples: plan.samples.len(),
        begun: 0,
        settings: serde_json::Value::Null,
    }
}

/// Records and answers a plan in a folder.
fn answered(folder: &Path, plan: &Plan, answerer: &Answerer, stop: &AtomicBool) -> Summary {
    record(plan).save(folder, plan).expect("the folder is writable");
    let mut ledger = Ledger::open(&ledger_path(folder), &[]).expect("a ledger");
    run(plan, answerer, &mut ledger, false, stop, &mut |_| {}).expect("a run")
}

fn scored(plan: &Plan, answerer: &Answerer) -> Scores {
    let folder = tempfile::tempdir().expect("a scratch folder");
    answered(folder.path(), plan, answerer, &AtomicBool::new(false));
    let opened = Opened::load(folder.path()).expect("what was recorded reads back");
    score(&opened.plan, &opened.cells, &Options::default()).expect("scores")
}

fn mean(scores: &Scores, metric: &str) -> f64 {
    scores.rows.iter().find(|row| row.by == "all" && row.metric == metric).expect("a row").mean
}

/// A model that stops the run after so many replies.
struct Stopping {
    inner: ScriptedModel,
    stop: Arc<AtomicBool>,
    left: AtomicUsize,
}

impl Model for Stopping {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.inner.generate_each(requests, &mut |index, reply| {
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.stop.store(true, Ordering::Relaxed);
            }
            done(index, reply);
        })
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, saydo_model::Error>),
    ) -> Result<(), saydo_model::Error> {
        self.inner.score_each(requests, done)
    }
}

#[test]
fn a_run_that_is_stopped_goes_on_and_asks_nothing_twice() {
    let plan = small_plan();
    let all = plan.samples.len();
    assert!(all > 3, "{all}");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let stop = Arc::new(AtomicBool::new(false));
    let said = |prompt: &str| prompt.len().to_string();
    let stopping = Stopping { inner: ScriptedModel::new(said), stop: Arc::clone(&stop), left: 2.into() };
    let first = answered(folder.path(), &plan, &model(stopping), &stop);
    assert_eq!((first.new, first.is_interrupted), (2, true));
    let second = answered(folder.path(), &plan, &model(ScriptedModel::new(said)), &AtomicBool::new(false));
    assert_eq!((second.found, second.new, second.is_interrupted), (2, all - 2, false));
    let replies = |folder: &Path| -> Vec<_> {
        let opened = Opened::load(folder).expect("what was recorded reads back");
        opened.cells.into_iter().map(|cell| cell.expect("a reply").answer).collect()
    };
    let whole = tempfile::tempdir().expect("a scratch folder");
    answered(whole.path(), &plan, &model(ScriptedModel::new(said)), &AtomicBool::new(false));
    assert_eq!(replies(folder.path()), replies(whole.path()));
}

#[test]
fn a_torn_ledger_and_a_record_of_something_else_are_told_apart() {
    let plan = small_plan();
    let folder = tempfile::tempdir().expect("a scratch folder");
    answered(folder.path(), &plan, &Answerer::Baseline(Baseline::CopyInput), &AtomicBool::new(false));
    let ledger = ledger_path(folder.path());
    let bytes = std::fs::read(&ledger).expect("the ledger is there");
    std::fs::write(&ledger, &bytes[..bytes.len() - 5]).expect("the folder is writable");
    let opened = Opened::load(folder.path()).expect("a torn line counts for nothing");
    assert_eq!(opened.cells.iter().filter(|cell| cell.is_none()).count(), 1);
    std::fs::write(folder.path().join("samples.jsonl"), "{}\n").expect("the folder is writable");
    let error = Opened::load(folder.path()).expect_err("no sample").to_string();
    assert!(error.contains("samples.jsonl:1: "), "{error}");
    let error = Opened::load(&folder.path().join("none")).expect_err("no run").to_string();
    assert!(error.ends_with("holds no evaluation, expected an eval.json in it"), "{error}");
}

#[test]
fn gold_replies_score_one_under_every_protocol() {
    let zest = plan(Protocol::Zest, tasks("zest/dev.jsonl"), |_| {});
    let gold_of = |plan: &Plan| {
        let plan = plan.clone();
        let prompts: std::collections::HashMap<String, String> = plan
            .samples
            .iter()
            .map(|sample| {
                let instance = &plan.tasks[sample.task].instances[sample.instance];
                (plan.prompt(sample), instance.gold[0].clone())
            })
            .collect();
        model(ScriptedModel::new(move |prompt| prompts[prompt].clone()))
    };
    let scores = scored(&zest, &gold_of(&zest));
    assert!(mean(&scores, "f1") > 0.99, "{:?}", scores.rows[0]);
    let ni = plan(Protocol::NaturalInstructions, tasks("natural-instructions/tasks"), |options| {
        options.layouts = vec!["ni-prompt".into(), "none".into()];
    });
    let scores = scored(&ni, &gold_of(&ni));
    assert_eq!(mean(&scores, "rougeL"), 1.0);
    let layouts: Vec<&str> = scores.rows.iter().filter(|row| row.by == "all").map(|row| row.layout.as_str()).collect();
    assert_eq!(layouts, ["ni-prompt", "ni-prompt", "none", "none"]);
    let sni = plan(Protocol::SuperNaturalInstructions, tasks("tasks/super-natural-instructions"), |_| {});
    let scores = scored(&sni, &gold_of(&sni));
    assert_eq!(mean(&scores, "exact_match"), 1.0);
}

/// Two tasks of nine instances: one with two examples, of which one is an instance too, and one without any.
fn lenders() -> Vec<Task> {
    let instance = |number: usize| Instance {
        outputs: vec![format!("answer {number}")],
        ..Instance::unlabelled(format!("the thing with the number {number}"))
    };
    let example =
        |input: &str| Example { input: input.to_owned(), output: "shown".to_owned(), reason: None, suggestion: None };
    let bare = Task {
        id: "bare".to_owned(),
        definition: Some("Name it.".to_owned()),
        instances: (0..9).map(instance).collect(),
        ..Task::default()
    };
    let mut rich = Task { id: "rich".to_owned(), definition: Some("Say it.".to_owned()), ..bare.clone() };
    rich.positive = vec![example("the first example"), example("the second example")];
    rich.instances[7].input = "The FIRST  example".to_owned();
    vec![bare, rich]
}

#[test]
fn what_a_prompt_shows_is_never_scored() {
    let layouts = ["ni-full", "ni-examples", "tk-instruct", "zest-t5", "zest-bart"].map(str::to_owned).to_vec();
    let protocols =
        [Protocol::Zest, Protocol::Labelled, Protocol::NaturalInstructions, Protocol::SuperNaturalInstructions];
    for protocol in protocols {
        for examples in [Examples::OfLayout, Examples::Count(1), Examples::Count(3)] {
            let plan = plan(protocol, lenders(), |options| {
                (options.layouts, options.examples) = (layouts.clone(), examples);
                options.decodings = vec![NamedDecoding::beam(Length::Tokens(8))];
            });
            let normalized = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
            for sample in &plan.samples {
                let input = normalized(&plan.tasks[sample.task].instances[sample.instance].input);
                let prefix = normalized(&plan.prefixes[sample.prefix]);
                assert!(!prefix.contains(&input), "{protocol} {examples:?}: {input:?} is shown in {prefix:?}");
            }
            assert!(plan.samples.iter().any(|sample| sample.examples > 0), "{protocol} {examples:?} shows examples");
            assert!(plan.samples.iter().any(|sample| sample.task == 1), "{protocol} {examples:?}");
        }
    }
}

#[test]
fn examples_of_zest_are_its_first_instances_for_functions_too() {
    let of = |decodings: Vec<NamedDecoding>| {
        plan(Protocol::Zest, tasks("zest/dev.jsonl"), |options| {
            (options.examples, options.decodings, options.limit) = (Examples::Count(2), decodings, Some(1));
        })
    };
    let whole = plan(Protocol::Zest, tasks("zest/dev.jsonl"), |_| {});
    let [first, second, third] = [0, 1, 2].map(|number| whole.tasks[0].instances[number].clone());
    let free = of(Vec::new());
    let prompt = free.prompt(&free.samples[0]);
    let question = &whole.tasks[0].description;
    let shown = [&first, &second].map(|one| format!("zest context: {}\n\n{}\n\nzest", one.input, one.gold[0]));
    assert!(shown.iter().all(|text| prompt.contains(text)), "{prompt}");
    assert!(prompt.ends_with(&format!("zest question: {question}?\n\nzest context: {}\n\n", third.input)), "{prompt}");
    assert_eq!(free.tasks[0].instances.len(), 1, "the limit counts what is scored");
    let held = of(vec![NamedDecoding::constrained()]);
    assert_eq!(held.tasks[0].instances[0].input, third.input);
    let examples: Vec<&str> = held.sources[0].positive.iter().map(|example| example.input.as_str()).collect();
    assert_eq!(examples, [&first.input, &second.input]);
}

#[test]
fn a_prompt_that_the_model_cannot_read_lacks_something_else_than_its_input() {
    let tokens = Tokens {
        count: &|text| text.split_whitespace().count(),
        truncate: &|text, most| text.split_whitespace().take(most).collect::<Vec<_>>().join(" "),
    };
    let of = |limit| {
        plan(Protocol::NaturalInstructions, lenders(), |options| {
            (options.max_prompt, options.tokens) = (Some(limit), tokens);
        })
    };
    let (roomy, tight) = (of(PromptLimit::Prompt(2000)), of(PromptLimit::WithReply(16 + 12)));
    assert!(roomy.samples.iter().all(|sample| sample.dropped.is_nothing()));
    for sample in &tight.samples {
        let prompt = tight.prompt(sample);
        let input = &tight.tasks[sample.task].instances[sample.instance].input;
        assert!(prompt.ends_with(&format!("{input}\noutput:")), "{prompt}");
        assert!((tokens.count)(&prompt) <= 12 && sample.dropped.examples > 0, "{prompt}");
    }
    let scripted = ScriptedModel::new(|_| "x".to_owned());
    let notes = scored(&tight, &model(scripted)).notes;
    assert!(notes.iter().any(|note| note.contains("prompts lack examples")), "{notes:?}");
}

#[test]
fn samples_that_the_model_learned_are_marked_in_every_row_and_table() {
    let all = tasks("natural-instructions/tasks");
    let mut seen = Seen::default();
    seen.add(&Trace::of(&all[0], "something else"));
    let seen: &'static Seen = Box::leak(Box::new(seen));
    let plan = plan(Protocol::NaturalInstructions, all.clone(), |options| {
        (options.layouts, options.seen) = (vec!["ni-prompt".into()], Some(seen));
    });
    let found = Contamination::of(&plan).expect("a task was learned");
    assert_eq!((&found.tasks, found.samples), (&vec![all[0].id.clone()], plan.tasks[0].instances.len()));
    assert_eq!(data_fingerprint(&plan), data_fingerprint(&small_plan()), "the data are the same");
    let scores = scored(&plan, &model(ScriptedModel::new(|_| "x".to_owned())));
    assert_eq!(scores.seen, found.samples);
    for table in table::tables(&scores) {
        assert!(table.note.contains("were learned in training"), "{}", table.title);
        for row in &table.rows {
            assert_eq!(row[0].ends_with(table::SEEN), row[0] != all[1].id, "{}: {row:?}", table.title);
        }
    }
}

#[test]
fn held_answers_come_from_the_function_that_run_applies() {
    let mut dogs = tasks("zest/dev.jsonl");
    dogs.truncate(1);
    let plan = plan(Protocol::Zest, dogs, |options| options.decodings = vec![NamedDecoding::constrained()]);
    assert_eq!(plan.layouts, ["saydo"]);
    let scripted =
        ScriptedModel::new(|_| String::new()).with_log_prob(|_, text| if text == "Yes" { -0.1 } else { -3.0 });
    let scores = scored(&plan, &model(scripted));
    assert!(scores.samples.iter().all(|sample| sample.reply.is_some() && sample.metrics[0].is_some()));
    assert!(plan.tasks[0].kind.is_some());
}

#[test]
fn an_ablation_takes_its_part_away_and_nothing_else() {
    let without = |ablation| plan(Protocol::Zest, tasks("zest/dev.jsonl"), |options| options.ablation = Some(ablation));
    let whole = plan(Protocol::Zest, tasks("zest/dev.jsonl"), |_| {});
    let question = without(Ablation::QuestionOnly);
    let context = without(Ablation::ContextOnly);
    let (input, asked) = (&whole.tasks[0].instances[0].input, &whole.tasks[0].description);
    let prompts = [&question, &context].map(|plan| plan.prompt(&plan.samples[0]));
    assert!(prompts[0].contains(asked.as_str()) && !prompts[0].contains(input.as_str()));
    assert!(!prompts[1].contains(asked.as_str()) && prompts[1].contains(input.as_str()));
}

#[test]
fn failed_replies_count_as_wrong_and_are_counted_apart() {
    struct Failing;
    impl Model for Failing {
        fn generate_each(
            &self,
            requests: &mut dyn Iterator<Item = Request>,
            done: &mut dyn FnMut(usize, Result<Reply, saydo_model::Error>),
        ) -> Result<(), saydo_model::Error> {
            for (index, _) in requests.enumerate() {
                done(index, Err(saydo_model::Error::Server("it is busy".into())));
            }
            Ok(())
        }
        fn score_each(
            &self,
            _: &mut dyn Iterator<Item = ScoreRequest>,
            _: &mut dyn FnMut(usize, Result<Vec<Score>, saydo_model::Error>),
        ) -> Result<(), saydo_model::Error> {
            Ok(())
        }
    }
    for plan in [small_plan(), plan(Protocol::Zest, tasks("zest/dev.jsonl"), |_| {})] {
        let protocol = plan.protocol;
        let scores = scored(&plan, &model(Failing));
        assert_eq!((scores.failed, scores.missing), (plan.samples.len(), 0));
        assert_eq!(mean(&scores, protocol.metrics()[0]), 0.0, "{protocol}");
        assert_eq!(scores.samples[0].error.as_deref(), Some("it is busy"));
    }
}

#[test]
fn two_runs_are_compared_sample_by_sample() {
    let plan = small_plan();
    let open = |baseline| {
        let folder = tempfile::tempdir().expect("a scratch folder");
        answered(folder.path(), &plan, &Answerer::Baseline(baseline), &AtomicBool::new(false));
        let opened = Opened::load(folder.path()).expect("what was recorded reads back");
        let scores = score(&opened.plan, &opened.cells, &Options::default()).expect("scores");
        (opened, scores)
    };
    let (copy, majority) = (open(Baseline::CopyInput), open(Baseline::Majority));
    let same = compare::compare((&copy.0, &copy.1), (&copy.0, &copy.1), 0).expect("they have all in common");
    assert_eq!((same[0].difference, same[0].p_value, same[0].better), (0.0, 1.0, 0));
    let there = compare::compare((&copy.0, &copy.1), (&majority.0, &majority.1), 0).expect("they pair");
    let back = compare::compare((&majority.0, &majority.1), (&copy.0, &copy.1), 0).expect("they pair");
    assert_eq!(there[0].samples, plan.samples.len());
    assert!((there[0].difference + back[0].difference).abs() < 1e-12);
    assert_eq!((there[0].better, there[0].worse), (back[0].worse, back[0].better));
}

#[test]
fn files_of_the_harness_have_the_fields_its_users_know() {
    let plan = small_plan();
    let folder = tempfile::tempdir().expect("a scratch folder");
    answered(folder.path(), &plan, &Answerer::Baseline(Baseline::CopyInput), &AtomicBool::new(false));
    let opened = Opened::load(folder.path()).expect("what was recorded reads back");
    let scores = score(&opened.plan, &opened.cells, &Options::default()).expect("scores");
    let path = harness::write_results(&opened, &scores, "2026-01-02T03-04-05").expect("the folder is writable");
    let results: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("it was written")).expect("it is JSON");
    assert!(results["results"]["capitals"]["rougeL,none"].is_f64(), "{results}");
    assert!(results["results"]["capitals"]["rougeL_stderr,none"].is_f64());
    for key in ["configs", "versions", "n-shot", "higher_is_better", "n-samples", "config"] {
        assert!(results[key].is_object(), "{key}");
    }
    assert_eq!(harness::write_samples(&opened, &scores, "d").expect("the folder is writable"), plan.tasks.len());
    let lines = std::fs::read_to_string(folder.path().join("samples_capitals_d.jsonl")).expect("it was written");
    let sample: serde_json::Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("it is JSON");
    for key in ["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash"] {
        assert!(!sample[key].is_null(), "{key}");
    }
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_of_a_record_leaves_the_old_or_the_new_one_or_says_so() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let new = small_plan();
    // Half of the samples and another task's name: a mixture of both plans would be sound, and wrong.
    let mut old = new.clone();
    old.samples.truncate(new.samples.len() / 2);
    old.tasks[0].id = "another".to_owned();
    let save = |folder: &Path, plan: &Plan| record(plan).save(folder, plan);
    let after = |folder: &Path, trial: &Trial<saydo_protocol::Error>| {
        match Opened::load(folder) {
            Ok(found) => {
                let is = |plan: &Plan| found.plan.tasks == plan.tasks && found.plan.samples == plan.samples;
                assert!(is(&old) || is(&new), "{trial}: a mixture");
                assert!(trial.outcome.is_err() || is(&new), "{trial}: it said that it had written");
            }
            Err(error) => {
                let said = error.to_string();
                assert!(trial.outcome.is_err() && said.contains("run the same evaluation again"), "{trial}: {said}");
            }
        }
        save(folder, &new).expect("the next one goes well");
        assert_eq!(Opened::load(folder).expect("it reads back").plan.samples, new.samples, "{trial}");
    };
    let before = |folder: &Path| save(folder, &old).expect("the folder is writable");
    let points = at_every_step("eval record", scratch.path(), before, |folder| save(folder, &new), after);
    assert!(points >= 16, "{points}");
}
