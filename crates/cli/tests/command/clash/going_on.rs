//! What a report does not depend on: threads, and runs that were ended.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{bricks, checked, folder, text};
use crate::common::command;
#[cfg(unix)]
use crate::common::{Ran, interrupt, spawn};

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let root = folder("clash_threads");
    let input = bricks(&root);
    let report = |threads: &str| {
        let [path, scene] =
            ["jsonl", "json"].map(|ending| root.join(format!("{threads}.{ending}")));
        let arguments = ["--threads", threads, "--scene", text(&scene)];
        let ran = checked(&input, &path, &arguments);
        assert_eq!((ran.code, ran.err.as_str()), (1, ""));
        [path, scene].map(|path| fs::read(path).expect("written"))
    };
    let one = report("1");
    assert!(one.iter().all(|bytes| bytes.len() > 100_000));
    assert_eq!(report("2"), one);
    assert_eq!(report("4"), one);
}

#[test]
fn a_killed_check_goes_on_where_it_was() {
    let root = folder("clash_killed");
    let (input, path, whole) = (
        bricks(&root),
        root.join("report.jsonl"),
        root.join("whole.jsonl"),
    );
    let [scene, whole_scene] = ["scene.json", "whole.json"].map(|name| root.join(name));
    assert_eq!(
        checked(&input, &whole, &["--scene", text(&whole_scene)]).code,
        1
    );
    let partial = root.join("report.jsonl.partial");
    let mut kills = 0;
    for attempt in 0..20_u64 {
        let arguments = [
            "clash",
            text(&input),
            "-o",
            text(&path),
            "--resume",
            "--threads",
            "1",
        ];
        let mut child = command(&arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("started");
        // Each attempt lives a little longer after it has begun to write.
        let begun = Instant::now();
        while !partial.exists() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(10 * attempt));
        if child.try_wait().expect("asked").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        kills += 1;
    }
    assert!(kills > 0);
    let ended = checked(&input, &path, &["--resume", "--scene", text(&scene)]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    for (written, expected) in [(&path, &whole), (&scene, &whole_scene)] {
        assert_eq!(
            fs::read(written).expect("written"),
            fs::read(expected).expect("written")
        );
    }
    assert!(!partial.exists());
}

/// Interrupts a command soon after it has begun a partial report.
#[cfg(unix)]
fn interrupted(arguments: &[&str], partial: &Path) -> Ran {
    let mut child = spawn(arguments);
    while !partial.exists() && child.try_wait().expect("asked").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    interrupt(&child);
    Ran::from(child.wait_with_output().expect("ended"))
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_ends_with_130_and_goes_on() {
    let root = folder("clash_interrupted");
    let (input, path, whole) = (
        bricks(&root),
        root.join("report.jsonl"),
        root.join("whole.jsonl"),
    );
    assert_eq!(checked(&input, &whole, &[]).code, 1);
    let arguments = ["clash", text(&input), "-o", text(&path), "--threads", "1"];
    let partial = root.join("report.jsonl.partial");
    // An interrupt may come too late.
    let ran = (0..50)
        .map(|_| interrupted(&arguments, &partial))
        .find(|ran| ran.code == 130)
        .expect("an interrupt in time");
    ran.assert_err("--resume goes on with them");
    let again = checked(&input, &path, &[]);
    again.assert_refused("go on with it by --resume");
    assert_eq!(checked(&input, &path, &["--resume"]).code, 1);
    assert_eq!(
        fs::read(&path).expect("written"),
        fs::read(&whole).expect("written")
    );
}
