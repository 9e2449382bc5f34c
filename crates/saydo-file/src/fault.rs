//! Faults on purpose, for tests: a writer is run once for every step it takes and every way that step can fail.
//!
//! A test installs a fault for its own thread; without one, each step of [`crate::disk`] looks at one empty thread-local
//! value and goes on. A handle passed down to every writer would show where faults come from, but it would go through dozens
//! of signatures to reach the places that write, and only tests would ever pass anything but the real disk.
//!
//! Writers on other threads are not seen.

mod power;

use power::Durable;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// One step of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Making or opening a file, or making a folder.
    Create,
    /// Writing some bytes.
    Write,
    /// Changing a file's length.
    Truncate,
    /// Putting a file on the disk.
    Sync,
    /// Putting the names in a folder on the disk.
    SyncFolder,
    /// Renaming.
    Rename,
    /// Removing a file or folder.
    Remove,
}

/// How a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// There is no space: this step and all later ones that need any fail.
    Full,
    /// The device reports an error, once.
    Io,
    /// Half of the bytes are written, then there is no space. Only for [`Step::Write`].
    Torn,
    /// The process is killed: nothing happens any more.
    Kill,
    /// The power goes: only what was synced survives, both bytes and names.
    PowerCut,
    /// The power goes, and names had reached the disk before the bytes behind them: bytes survive only if they were synced.
    PowerCutNamesFirst,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 6] =
        [Fault::Full, Fault::Io, Fault::Torn, Fault::Kill, Fault::PowerCut, Fault::PowerCutNamesFirst];

    fn hits(self, step: Step) -> bool {
        match self {
            Fault::Torn => step == Step::Write,
            Fault::Full => !matches!(step, Step::Remove | Step::Truncate | Step::Rename),
            _ => true,
        }
    }

    /// Whether the process does not live on.
    pub fn is_end(self) -> bool {
        matches!(self, Fault::Kill | Fault::PowerCut | Fault::PowerCutNamesFirst)
    }

    fn error(self) -> io::Error {
        #[cfg(unix)]
        const NO_SPACE: i32 = 28;
        #[cfg(unix)]
        const DEVICE: i32 = 5;
        // ERROR_DISK_FULL and ERROR_IO_DEVICE.
        #[cfg(windows)]
        const NO_SPACE: i32 = 112;
        #[cfg(windows)]
        const DEVICE: i32 = 1117;
        match self {
            Fault::Full | Fault::Torn => io::Error::from_raw_os_error(NO_SPACE),
            Fault::Io => io::Error::from_raw_os_error(DEVICE),
            Fault::Kill | Fault::PowerCut | Fault::PowerCutNamesFirst => io::Error::other("the process has ended"),
        }
    }
}

pub(crate) enum Verdict {
    Go,
    Fail(io::Error),
    /// Half of the bytes go through.
    Tear(io::Error),
}

/// What is going to happen on this thread, and what happened so far.
struct Plan {
    /// The step that fails, counted from 0; none to count only.
    fault: Option<(usize, Fault)>,
    steps: Vec<(Step, PathBuf)>,
    durable: Durable,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// Takes the plan away again, also when a test panics.
struct Installed;

impl Installed {
    fn new(root: &Path, fault: Option<(usize, Fault)>) -> Self {
        let plan = Plan { fault, steps: Vec::new(), durable: Durable::of(root) };
        PLAN.with_borrow_mut(|current| {
            assert!(current.is_none(), "one fault at a time");
            *current = Some(plan);
        });
        Self
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        PLAN.take();
    }
}

pub(crate) fn verdict(step: Step, path: &Path) -> Verdict {
    PLAN.with_borrow_mut(|plan| {
        let Some(plan) = plan else { return Verdict::Go };
        let number = plan.steps.len();
        plan.steps.push((step, path.to_owned()));
        match plan.fault {
            Some((nth, fault)) if number == nth && fault == Fault::Torn => Verdict::Tear(fault.error()),
            Some((nth, fault)) if number == nth => Verdict::Fail(fault.error()),
            Some((nth, fault)) if number > nth && (fault.is_end() || fault == Fault::Full && fault.hits(step)) => {
                Verdict::Fail(fault.error())
            }
            _ => Verdict::Go,
        }
    })
}

pub(crate) fn check(step: Step, path: &Path) -> io::Result<()> {
    match verdict(step, path) {
        Verdict::Go => Ok(()),
        Verdict::Fail(error) | Verdict::Tear(error) => Err(error),
    }
}

pub(crate) fn created(path: &Path) {
    note(|durable| durable.created(path));
}

/// Whether a test watches, which then takes the file for synced: its disk is a model, and the real one need not work.
pub(crate) fn synced(path: &Path) -> bool {
    note(|durable| durable.synced(path))
}

/// The same for the names in a folder.
pub(crate) fn synced_folder(folder: &Path) -> bool {
    note(|durable| durable.synced_folder(folder))
}

fn note(note: impl FnOnce(&mut Durable)) -> bool {
    PLAN.with_borrow_mut(|plan| plan.as_mut().map(|plan| note(&mut plan.durable)).is_some())
}

/// One run of a writer with one fault.
#[derive(Debug)]
pub struct Trial<E> {
    /// How it failed.
    pub fault: Fault,
    /// Which step failed, counted from 0. One past the last if the power went right after the writer was done.
    pub point: usize,
    /// That step.
    pub step: Option<(Step, PathBuf)>,
    /// What the writer said.
    pub outcome: Result<(), E>,
}

impl<E> fmt::Display for Trial<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at step {}", self.fault, self.point)?;
        match &self.step {
            Some((step, path)) => write!(f, " ({step:?} {})", path.display()),
            None => f.write_str(" (after the last)"),
        }
    }
}

/// Runs a writer with a failure at every step it takes, in every way the step can fail, each time in a new folder below
/// `scratch`. `before` makes the state that the writer finds, `after` looks at what it left. Gives the number of steps, and
/// prints it with the writer's name.
///
/// A writer must take the same steps every time. Where the process or the power ends, the folder is as it would be found
/// afterwards.
///
/// # Panics
/// If the writer fails without a fault, or takes no step at all: then nothing would be tested.
pub fn at_every_step<E: fmt::Debug>(
    name: &str,
    scratch: &Path,
    before: impl Fn(&Path),
    write: impl Fn(&Path) -> Result<(), E>,
    after: impl Fn(&Path, &Trial<E>),
) -> usize {
    let mut number = 0;
    let mut run = |fault: Option<(usize, Fault)>| {
        let folder = scratch.join(format!("{name}-{number}"));
        number += 1;
        std::fs::create_dir_all(&folder).expect("the scratch folder can be written");
        without_disk(&folder, || before(&folder));
        let installed = Installed::new(&folder, fault);
        let outcome = write(&folder);
        let plan = PLAN.take().expect("it was installed above");
        drop(installed);
        match fault {
            Some((_, Fault::PowerCut)) => plan.durable.restore_synced(&folder),
            Some((_, Fault::PowerCutNamesFirst)) => plan.durable.restore_names(&folder),
            _ => {}
        }
        (folder, plan.steps, outcome)
    };
    let (_, steps, outcome) = run(None);
    outcome.expect("without a fault the writer writes");
    assert!(!steps.is_empty(), "{name}: no step was visited");
    let mut runs = 0;
    for point in 0..=steps.len() {
        for fault in Fault::ALL {
            let is_hit = steps.get(point).map_or(fault.is_end(), |(step, _)| fault.hits(*step));
            if !is_hit {
                continue;
            }
            let (folder, _, outcome) = run(Some((point, fault)));
            let trial = Trial { fault, point, step: steps.get(point).cloned(), outcome };
            without_disk(&folder, || after(&folder, &trial));
            let _ = std::fs::remove_dir_all(&folder);
            runs += 1;
        }
    }
    println!("{name}: {} injection points, {runs} runs", steps.len());
    steps.len()
}

/// Does not wait for the disk, which takes most of a test's time otherwise.
fn without_disk(folder: &Path, body: impl FnOnce()) {
    let _installed = Installed::new(folder, None);
    body();
}
