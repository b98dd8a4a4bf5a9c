//! The inputs under `corpus/`, replayed: those that fuzzing found worth keeping, and every crash.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use clearance_fuzzing::{TARGETS, Target};

fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.expect("a known target").1
}

/// The files of a target, by their names.
fn files(name: &str) -> BTreeMap<OsString, Vec<u8>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let entries = fs::read_dir(corpus.join(name)).expect("a folder");
    let entries = entries.map(|entry| entry.expect("a file"));
    entries
        .map(|entry| (entry.file_name(), fs::read(entry.path()).expect("readable")))
        .collect()
}

/// Runs the target on every file of its folder, and names the files that it fails for.
fn replay(name: &str) {
    let (target, files) = (target(name), files(name));
    assert!(!files.is_empty(), "no files of {name}");
    let fails = |data: &[u8]| catch_unwind(|| target(data)).is_err();
    let failed = files.iter().filter(|(_, data)| fails(data));
    let failed: Vec<_> = failed.map(|(file, _)| file).collect();
    assert!(failed.is_empty(), "{failed:?} of {name}");
}

#[test]
fn the_corpus_of_every_target_holds() {
    std::thread::scope(|scope| {
        for (name, _) in TARGETS {
            scope.spawn(move || replay(name));
        }
    });
}

/// Knuth's linear congruential generator; the upper bits are the random ones.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}

/// Files with a few bytes changed: what a fuzzer would begin with.
fn changed_files_hold(name: &str, count: usize) {
    let target = target(name);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for whole in files(name).into_values() {
        for _ in 0..count {
            let mut data = whole.clone();
            for _ in 0..1 + random.below(3) {
                let place = random.below(data.len().max(1));
                match data.get_mut(place) {
                    // A character of another place, so that a text may stay one of its format.
                    Some(byte) if random.below(2) == 0 => *byte = whole[random.below(whole.len())],
                    Some(byte) => *byte = random.below(256) as u8,
                    None => {}
                }
            }
            target(&data);
        }
    }
}

/// The target makes checksums that fit.
#[test]
fn changed_recordings_hold() {
    changed_files_hold("recording", 150);
}

#[test]
fn changed_pair_files_hold() {
    changed_files_hold("pair_file", 10);
}

#[test]
fn changed_scene_files_hold() {
    changed_files_hold("scene_file", 10);
}

/// Runs a target on inputs that no fuzzing chose.
fn on_random_bytes(name: &str, count: usize) {
    let target = target(name);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..count {
        let data: Vec<u8> = (0..500).map(|_| (random.next() >> 56) as u8).collect();
        target(&data);
    }
}

/// They reach every operation.
#[test]
fn random_operations_on_worlds_hold() {
    on_random_bytes("world", 2000);
}

#[test]
fn random_composites_hold() {
    on_random_bytes("composite", 4000);
}

#[test]
fn random_questions_to_worlds_hold() {
    on_random_bytes("questions", 2000);
}

#[test]
fn every_target_has_a_corpus_and_no_other_folder_is_there() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let entries = fs::read_dir(corpus).expect("the corpus");
    let mut folders: Vec<_> = entries
        .map(|entry| entry.expect("a folder").file_name())
        .collect();
    let mut targets = TARGETS.map(|(name, _)| OsString::from(name));
    folders.sort();
    targets.sort();
    assert_eq!(folders, targets);
}
