//! The inputs under `corpus/`, replayed: those that fuzzing found worth keeping, and every crash.

use std::ffi::OsString;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use clearance_fuzzing::{TARGETS, Target};

/// Runs the target on every file of its folder, and names the files that it fails for.
fn replay(name: &str) {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    let target: Target = found.expect("a known target").1;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let mut failed = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let data = fs::read(&path).expect("a readable file");
        if catch_unwind(|| target(&data)).is_err() {
            failed.push(path.file_name().unwrap_or_default().to_owned());
        }
        count += 1;
    }
    assert!(failed.is_empty(), "{failed:?} of {}", folder.display());
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn the_corpus_of_pair_holds() {
    replay("pair");
}

#[test]
fn the_corpus_of_hull_holds() {
    replay("hull");
}

#[test]
fn the_corpus_of_pair_file_holds() {
    replay("pair_file");
}

#[test]
fn the_corpus_of_scene_file_holds() {
    replay("scene_file");
}

#[test]
fn the_corpus_of_world_holds() {
    replay("world");
}

#[test]
fn the_corpus_of_composite_holds() {
    replay("composite");
}

#[test]
fn the_corpus_of_questions_holds() {
    replay("questions");
}

#[test]
fn the_corpus_of_recording_holds() {
    replay("recording");
}

/// Recordings with a few bytes changed and checksums that fit: what a fuzzer would begin with.
#[test]
fn changed_recordings_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/recording");
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |end: usize| {
        state = (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
        (state >> 33) as usize % end
    };
    for entry in fs::read_dir(folder).expect("a folder") {
        let whole = fs::read(entry.expect("a file").path()).expect("a readable file");
        for _ in 0..150 {
            let mut data = whole.clone();
            for _ in 0..1 + random(3) {
                let place = random(data.len());
                data[place] = random(256) as u8;
            }
            clearance_fuzzing::recording(&data);
        }
    }
}

/// Runs a target on inputs that no fuzzing chose.
fn on_random_bytes(name: &str, count: usize) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let target: Target = target.expect("a known target").1;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..count {
        let data: Vec<u8> = (0..500)
            .map(|_| {
                // Knuth's constants; the upper bits are the random ones.
                state = (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
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
