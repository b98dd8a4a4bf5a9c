//! Files that are refused before anything is measured, and issues that are written whole or not at all.

use std::cell::Cell;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use clearance_clash::{BcfError, Earlier, Issues, OutputError, Outputs};

use crate::common::{box_of, check, everything, folder};

#[test]
fn files_that_would_be_lost_are_refused_under_whatever_name() {
    let root = folder("clash_outputs");
    let path = |name: &str| root.join(name);
    let (old, linked, new) = (path("old.bcf"), path("linked.bcf"), path("new.bcf"));
    fs::write(&old, "").unwrap();
    let _ = fs::remove_file(&linked);
    fs::hard_link(&old, &linked).unwrap();
    fs::create_dir_all(path("folder.bcf")).unwrap();
    let refused = |report: Option<&Path>, bcf: &Path, inputs: &[&Path]| {
        let outputs = Outputs {
            report,
            is_shard: false,
            bcf: Some(bcf),
            others: Vec::new(),
            inputs: inputs.to_vec(),
        };
        match outputs.refuse_wrong() {
            Ok(()) => "",
            Err(OutputError::File { .. }) => "file",
            Err(OutputError::Input { .. }) => "input",
            Err(OutputError::BcfName { .. } | OutputError::ReportName { .. }) => "name",
            Err(_) => "other",
        }
    };
    assert_eq!(refused(None, &new, &[&old]), "");
    assert_eq!(refused(Some(&path("report.jsonl")), &new, &[&old]), "");
    assert_eq!(refused(None, &linked, &[&old]), "input");
    // Neither is there yet.
    let around = path("folder.bcf/../new.bcf");
    let outputs = Outputs {
        bcf: Some(&new),
        others: vec![&around],
        ..Outputs::default()
    };
    let twice = outputs.refuse_wrong();
    assert!(matches!(twice, Err(OutputError::Twice { .. })));
    assert_eq!(
        refused(Some(&path("new")), &path("new.partial"), &[]),
        "name"
    );
    for model in [
        "plan.glb", "a.txt", "report", "last.bcf", "all.json", "1.shard",
    ] {
        assert_eq!(refused(Some(&path(model)), &new, &[]), "name", "{model}");
    }
    for report in ["a.JSONL", "a.csv"] {
        assert_eq!(refused(Some(&path(report)), &new, &[]), "", "{report}");
    }
    for (name, is_valid) in [("1.shard", true), ("1.jsonl", false), ("1.csv", false)] {
        let shard = Outputs {
            report: Some(&path(name)),
            is_shard: true,
            ..Outputs::default()
        };
        assert_eq!(shard.refuse_wrong().is_ok(), is_valid, "{name}");
    }
    assert_eq!(refused(None, &path("none/new.bcf"), &[]), "file");
    assert_eq!(refused(None, &path("old.bcf/new.bcf"), &[]), "file");
    assert_eq!(refused(None, &path("folder.bcf"), &[]), "file");
    assert_eq!(refused(None, &path("new.BCFZIP"), &[]), "");
}

#[test]
fn issues_that_were_interrupted_leave_the_file_that_is_there() {
    let root = folder("clash_issues_interrupted");
    let boxes = (0..5).map(|x| {
        let low = 0.5 * f64::from(x);
        box_of(&format!("box {x}"), [low, 0.0, 0.0], [low + 0.9, 1.0, 1.0])
    });
    let check = check(boxes.collect(), everything(0.0, 0.001));
    let blocks = check.blocks();
    let clashes: Vec<_> = blocks
        .iter()
        .flat_map(|block| check.measure(block))
        .collect();
    let issues = Issues {
        check: &check,
        clashes: &clashes,
        since: None,
    };
    let path = root.join("issues.BCF");
    issues.write_while(&path, || true).unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(Earlier::read(&path).unwrap().earlier.len(), 4);
    let asked = Cell::new(0);
    let goes_on = || asked.replace(asked.get() + 1) < 2;
    let ended = issues.write_while(&path, goes_on).unwrap_err();
    assert!(matches!(ended, BcfError::File(error) if error.kind() == ErrorKind::Interrupted));
    assert_eq!(asked.get(), 3);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
}
