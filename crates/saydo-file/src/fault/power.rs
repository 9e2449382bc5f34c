//! What a power cut leaves of a folder: the bytes that files had when they were last synced, and the names that folders had.
//!
//! Files and folders are told apart by their inodes. Each one seen is held open, so that the system gives no number away twice.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;

/// What is on the disk for certain.
#[derive(Debug, Default)]
pub(super) struct Durable {
    root: u64,
    bytes: HashMap<u64, Vec<u8>>,
    names: HashMap<u64, BTreeMap<OsString, Node>>,
    held: Vec<File>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    inode: u64,
    is_folder: bool,
}

const READABLE: &str = "a test's scratch folder can be read";
const WRITABLE: &str = "a test's scratch folder can be written";

#[cfg(unix)]
fn inode(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).expect(READABLE))
}

#[cfg(not(unix))]
fn inode(_: &Path) -> u64 {
    unimplemented!("faults are injected on Unix only, where inodes tell files apart")
}

impl Durable {
    /// Everything that is there now.
    pub(super) fn of(root: &Path) -> Self {
        let mut durable = Self { root: inode(root), ..Self::default() };
        durable.add(root);
        durable
    }

    fn add(&mut self, folder: &Path) {
        self.synced_folder(folder);
        for entry in fs::read_dir(folder).expect(READABLE) {
            let path = entry.expect(READABLE).path();
            if path.is_dir() {
                self.add(&path);
            } else {
                self.synced(&path);
            }
        }
    }

    /// A name that may be new.
    pub(super) fn created(&mut self, path: &Path) {
        self.held.extend(File::open(path));
    }

    /// The bytes of a file reached the disk.
    pub(super) fn synced(&mut self, path: &Path) {
        self.bytes.insert(inode(path), fs::read(path).expect(READABLE));
        self.created(path);
    }

    /// The names in a folder reached the disk.
    pub(super) fn synced_folder(&mut self, folder: &Path) {
        let names = listing(folder);
        for name in names.keys() {
            self.created(&folder.join(name));
        }
        self.created(folder);
        self.names.insert(inode(folder), names);
    }

    /// Makes a folder what it is after a power cut, if nothing but what was synced survives.
    pub(super) fn restore_synced(self, root: &Path) {
        empty(root);
        self.write(root, self.root, &|inode| self.names.get(&inode).cloned().unwrap_or_default());
    }

    /// Makes a folder what it is after a power cut, if all names survive, but only those bytes that were synced.
    pub(super) fn restore_names(self, root: &Path) {
        let mut live = HashMap::new();
        all_names(root, &mut live);
        empty(root);
        self.write(root, self.root, &|inode| live.get(&inode).cloned().unwrap_or_default());
    }

    fn write(&self, folder: &Path, at: u64, names: &dyn Fn(u64) -> BTreeMap<OsString, Node>) {
        for (name, node) in names(at) {
            let path = folder.join(name);
            if node.is_folder {
                fs::create_dir(&path).expect(WRITABLE);
                self.write(&path, node.inode, names);
            } else {
                fs::write(&path, self.bytes.get(&node.inode).map_or(&[][..], Vec::as_slice)).expect(WRITABLE);
            }
        }
    }
}

fn listing(folder: &Path) -> BTreeMap<OsString, Node> {
    let entries = fs::read_dir(folder).expect(READABLE).map(|entry| entry.expect(READABLE));
    entries
        .map(|entry| {
            let path = entry.path();
            (entry.file_name(), Node { inode: inode(&path), is_folder: path.is_dir() })
        })
        .collect()
}

fn all_names(folder: &Path, into: &mut HashMap<u64, BTreeMap<OsString, Node>>) {
    let names = listing(folder);
    for (name, _) in names.iter().filter(|(_, node)| node.is_folder) {
        all_names(&folder.join(name), into);
    }
    into.insert(inode(folder), names);
}

fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).expect(READABLE) {
        let path = entry.expect(READABLE).path();
        if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.expect(WRITABLE);
    }
}
