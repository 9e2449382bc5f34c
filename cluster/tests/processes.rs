//! A cluster of processes on this machine: the rows it gives, and what is left of them when an executor is killed.

use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const QUESTION: &str = "Are dogs allowed on this trail?";
const ROWS: usize = 5_000;
/// Long enough for a machine that builds something else at the same time.
const PATIENCE: Duration = Duration::from_secs(300);

/// A scheduler and its executors. They end with it.
struct Cluster {
    folder: PathBuf,
    scheduler: Process,
    address: String,
    executors: Vec<Executor>,
}

struct Executor {
    process: Process,
    metrics: String,
}

/// A process that says on stderr where it listens. It ends with this.
struct Process {
    child: Child,
    log: PathBuf,
}

/// What a process left behind that ran to its end.
struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saydo-cluster"));
    command.current_dir(folder).env("SAYDO_HOME", folder.join("home")).stdin(Stdio::null());
    command
}

fn outcome_of(command: &mut Command) -> Outcome {
    let output = command.output().expect("the binary was built with the tests");
    let outcome = Outcome {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    };
    assert!(!outcome.stderr.contains("panicked"), "{command:?}: {}", outcome.stderr);
    outcome
}

impl Process {
    /// Starts it with stderr in a file of that name.
    fn start(folder: &Path, name: &str, arguments: &[&str]) -> Self {
        let log = folder.join(format!("{name}.log"));
        let stderr = fs::File::create(&log).expect("the scratch folder can be written");
        let child =
            program(folder).args(arguments).stderr(stderr).spawn().expect("the binary was built with the tests");
        Self { child, log }
    }

    /// What it says behind some words, as soon as it has said it. A process that ends before fails the test with all it
    /// said.
    fn says(&mut self, words: &str) -> String {
        let begun = Instant::now();
        loop {
            let said = fs::read_to_string(&self.log).unwrap_or_default();
            let mut lines = said.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')?.split_once(words));
            if let Some((_, behind)) = lines.next() {
                return behind.to_owned();
            }
            let ended = self.child.try_wait().expect("a child can be waited for");
            let is_late = begun.elapsed() > PATIENCE;
            assert!(ended.is_none() && !is_late, "{}: no `{words}`, {ended:?}: {said}", self.log.display());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Cluster {
    /// Starts a scheduler and so many executors, whose model takes its time.
    fn start(folder: &Path, executors: usize, model: &str) -> Self {
        let scheduler = ["scheduler", "--listen", "127.0.0.1:0", "--executor-timeout", "4"];
        let mut scheduler = Process::start(folder, "scheduler", &scheduler);
        let address = scheduler.says("scheduler listens on ");
        let start = |number: usize| {
            let name = format!("executor-{number}");
            let own = ["executor", "--scheduler", &address, "--name", &name, "--model", model];
            let common = ["--store", "answers", "--heartbeat", "1", "--metrics", "127.0.0.1:0", "--wait", "300"];
            Process::start(folder, &name, &[&own[..], &common].concat())
        };
        let processes: Vec<Process> = (0..executors).map(start).collect();
        let with_counters = |mut process: Process| {
            let address = process.says("counters at http://");
            Executor { process, metrics: address.trim_end_matches("/metrics").to_owned() }
        };
        let executors = processes.into_iter().map(with_counters).collect();
        Self { folder: folder.to_owned(), scheduler, address, executors }
    }

    /// The command that has the cluster answer the documents.
    fn job(&self, output: &str) -> Command {
        let mut command = program(&self.folder);
        let place = ["--scheduler", &self.address, "--partitions", "12"];
        command.args(["run", QUESTION, "docu*.jsonl", "-o", output]).args(place);
        command
    }
}

impl Executor {
    /// How many answers its model has given, by its own counter; none while it is not up.
    fn computed(&self) -> Option<u64> {
        self.counter("saydo_answers_computed_total")
    }

    fn counter(&self, name: &str) -> Option<u64> {
        let mut stream = TcpStream::connect(&self.metrics).ok()?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    }
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it has not come about");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Documents of a few hundred kilobytes, far below the size at which an engine would split them by itself.
fn documents(folder: &Path) {
    let mut lines = String::new();
    for number in 0..ROWS {
        writeln!(lines, r#"{{"id": {number}, "text": "Dogs may walk trail {number} on a leash."}}"#)
            .expect("strings grow");
    }
    fs::write(folder.join("documents.jsonl"), lines).expect("the scratch folder can be written");
}

/// Rows by id, without what differs from run to run: the time taken, and the place in the file, which an engine drops.
fn rows(path: &Path) -> BTreeMap<u64, Vec<Value>> {
    let text = fs::read_to_string(path).expect("rows were written");
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("rows are JSON");
        let parts = ["status", "answer", "spans", "confidence", "windows", "model", "error"];
        let values = parts.map(|part| row.get(part).cloned().unwrap_or_default()).to_vec();
        let before = rows.insert(row["id"].as_u64().expect("ids are numbers"), values);
        assert!(before.is_none(), "row {} is there twice", row["id"]);
    }
    rows
}

/// The rows that `saydo run` gives, in this process, with a model of the same name.
fn rows_of_one_process(folder: &Path, model: &str) -> BTreeMap<u64, Vec<Value>> {
    let (documents, output, home) = (folder.join("documents.jsonl"), folder.join("one.jsonl"), folder.join("home"));
    let words = ["saydo", "run", QUESTION, "--model", model].map(OsString::from);
    let flags = [documents.into(), "-o".into(), output.clone().into(), "--home".into(), home.into()];
    assert_eq!(saydo_cli::run(words.into_iter().chain(flags)), ExitCode::SUCCESS);
    rows(&output)
}

/// The keys of all answers that were kept, each as often as it was.
fn kept(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("answers")).expect("answers are kept");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let ledgers = paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let key = |line: &str| line.chars().take(42).collect::<String>();
    ledgers
        .flat_map(|path| {
            let text = fs::read_to_string(&path).expect("ledgers can be read");
            text.lines().map(key).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_executor_works_and_rows_equal_those_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    documents(folder.path());
    let cluster = Cluster::start(folder.path(), 3, "scripted:1");
    let outcome = outcome_of(&mut cluster.job("rows.jsonl"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("5000 rows"), "{}", outcome.stderr);
    let computed: Vec<u64> = cluster.executors.iter().map(|executor| executor.computed().unwrap()).collect();
    assert!(computed.iter().all(|count| *count > 0), "{computed:?}");
    assert_eq!(computed.iter().sum::<u64>(), ROWS as u64);
    let found = |executor: &Executor| executor.counter("saydo_answers_found_total").unwrap();
    assert_eq!(cluster.executors.iter().map(found).sum::<u64>(), 0, "the function was called more than once for a row");
    assert_eq!(rows(&folder.path().join("rows.jsonl")), rows_of_one_process(folder.path(), "scripted:1"));
}

#[test]
fn an_executor_that_is_killed_costs_no_row_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    documents(folder.path());
    let mut cluster = Cluster::start(folder.path(), 3, "scripted:2");
    let mut client = cluster.job("rows.jsonl").stderr(Stdio::piped()).spawn().unwrap();
    // Past its first piece, so that finished results go with it, and in the middle of another.
    until(|| cluster.executors[0].computed().is_some_and(|count| count > 600));
    cluster.executors[0].process.child.kill().unwrap();
    cluster.executors[0].process.child.wait().unwrap();
    let ended = client.wait().unwrap();
    assert!(ended.success(), "{ended}");
    assert_eq!(rows(&folder.path().join("rows.jsonl")), rows_of_one_process(folder.path(), "scripted:2"));
    let kept = kept(folder.path());
    let distinct: HashSet<&String> = kept.iter().collect();
    assert_eq!((kept.len(), distinct.len()), (ROWS, ROWS), "an answer was computed twice, or not kept");
    assert!(cluster.scheduler.child.try_wait().unwrap().is_none(), "the scheduler has ended");
}

#[test]
fn sql_runs_here_and_finds_answers_again() {
    let folder = tempfile::tempdir().unwrap();
    documents(folder.path());
    let query = format!("select id, saydo_yes_no('{QUESTION}', text) as dogs from 'documents.jsonl' where id < 20");
    let run = || outcome_of(program(folder.path()).args(["sql", &query, "--model", "scripted"]));
    let (first, second) = (run(), run());
    assert_eq!((first.code, second.code), (0, 0), "{} {}", first.stderr, second.stderr);
    assert_eq!(first.stdout.lines().count(), 20);
    assert_eq!(first.stdout, second.stdout);
    assert!(second.stderr.contains("0 answers computed, 20 found from before"), "{}", second.stderr);
}

#[test]
fn what_cannot_work_on_a_cluster_is_said_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    documents(folder.path());
    let said = |arguments: &[&str]| {
        let outcome = outcome_of(program(folder.path()).args(arguments));
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        outcome.stderr
    };
    let job = ["run", QUESTION, "documents.jsonl", "--scheduler", "127.0.0.1:1"];
    let with = |more: &[&str]| said(&[&job[..], more].concat());
    assert!(with(&["--shard", "1/2"]).contains("unexpected argument '--shard'"));
    assert!(with(&["--partitions", "0"]).contains("invalid value '0'"));
    assert!(with(&["--id", "number"]).contains("has no column `number`"));
    assert!(with(&["--column", "id"]).contains("id"));
    fs::write(folder.path().join("taken"), "").unwrap();
    assert!(with(&["-o", "taken"]).contains("expected a folder"));
    assert!(with(&["-o", "rows.jsonl"]).contains("127.0.0.1:1"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = said(&["scheduler", "--listen", &address]);
    assert!(message.contains(&format!("cannot listen on {address}")), "{message}");
    assert!(!message.contains("scheduler listens"), "{message}");
}
