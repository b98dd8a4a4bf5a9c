//! What is left out or refused.

use std::fs;
use std::path::Path;

use super::{boxes, checked, folder, room, text};
use crate::common::{json, run};

#[test]
fn what_was_left_out_is_no_success() {
    let root = folder("clash_left_out");
    let report = root.join("report.jsonl");
    fs::write(root.join("bad.obj"), "v 0 0 nan\n").expect("written");
    assert_eq!(checked(&root, &report, &["--skip-invalid"]).code, 1);
    let lone = boxes(&[("lone".to_owned(), [0.0; 3], [1.0; 3])]);
    fs::write(root.join("lone.obj"), lone).expect("written");
    assert_eq!(checked(&root, &report, &["--skip-invalid"]).code, 1);
    fs::remove_file(root.join("bad.obj")).expect("removed");
    let alone = checked(&root, &report, &["--skip-invalid"]);
    assert_eq!(alone.code, 0, "{}", alone.out);
    alone.assert_err("no pair was measured");
}

#[test]
fn files_that_are_read_are_not_written() {
    let root = folder("clash_overwritten");
    let (room, rules) = (room(&root), root.join("rules.json"));
    fs::write(&rules, r#"{"rules": []}"#).expect("written");
    let report = root.join("report.jsonl");
    // What becomes the report is under this name for a moment.
    let whole = root.join("report.jsonl.whole");
    fs::copy(&rules, &whole).expect("copied");
    let directory = root.join("directory.jsonl");
    fs::create_dir_all(&directory).expect("created");
    let [room_name, rules_name, whole_name] = [&room, &rules, &whole].map(|path| text(path));
    let before = fs::read(&room).expect("read");
    for (output, arguments, words) in [
        (room_name, &[][..], "choose a file that ends in .jsonl"),
        ("a.txt", &[], "ends in .jsonl for lines of JSON"),
        ("1.jsonl", &["--shard", "1/2"], "a file that ends in .shard"),
        ("-", &[], "choose a file that ends in"),
        (text(&directory), &[], "is a directory"),
        (rules_name, &[], "choose a file that ends in .jsonl"),
        (text(&report), &["--png", text(&report)], "ends in .png"),
        (text(&report), &["--svg", "x.png"], "ends in .svg"),
        (text(&report), &["--clash", "1"], "--png <FILE>"),
        (text(&report), &["--scene", "x.obj"], "ends in .json"),
        ("x.json", &["--scene", "x.json"], "ends in .jsonl"),
        (
            text(&report),
            &["--rules", rules_name, "--scene", rules_name],
            "the check reads it",
        ),
        (
            text(&report),
            &["--bcf", "x.bcf", "--since", "./x.bcf"],
            "cannot write to x.bcf: the check reads it",
        ),
        (text(&report), &["--bcf", "x.zip"], "ends in .bcf"),
        (text(&report), &["--rules", whole_name], "check reads it"),
    ] {
        checked(&room, Path::new(output), arguments).assert_refused(words);
    }
    assert_eq!(fs::read(&room).expect("read"), before);
    // Before anything is measured.
    let picture = root.join("none/x.png");
    let ran = checked(&room, &report, &["--png", text(&picture)]);
    ran.assert_refused("cannot write");
    ran.assert_err("none/x.png");
    assert!(!report.exists());
}

#[test]
fn what_cannot_be_checked_is_refused_by_name() {
    let root = folder("clash_refused");
    let (room, report, rules) = (
        room(&root),
        root.join("report.jsonl"),
        root.join("rules.json"),
    );
    fs::write(&rules, "{\"rules\": [\n{\"betwen\": []}]}").expect("written");
    let ran = checked(&room, &report, &["--rules", text(&rules)]);
    ran.assert_refused("rules.json holds no valid rules: line 2");
    ran.assert_err("betwen");
    fs::write(&rules, b"{\"rules\": [\xff").expect("written");
    let ran = checked(&room, &report, &["--rules", text(&rules)]);
    ran.assert_err("is not UTF-8 from byte 11");
    fs::write(root.join("bad.obj"), "v 0 0 nan\n").expect("written");
    let ran = checked(&root, &report, &[]);
    ran.assert_refused("bad.obj: line 1");
    ran.assert_err("--skip-invalid");
    let ran = checked(&root, &report, &["--skip-invalid"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines = fs::read_to_string(&report).expect("written");
    let refused = json(lines.lines().nth(1).expect("a second line"));
    assert_eq!(
        (&refused["type"], &refused["side"]),
        (&"refused".into(), &"a".into())
    );
    for (arguments, words) in [
        (
            &["clash", "no such folder", "-o", "x.jsonl"][..],
            "no such folder: cannot be read",
        ),
        (&["clash", "x.ifc", "-o", "x.jsonl"], "x.ifc"),
        (&["clash", text(&room)], "--output"),
        (
            &["clash", text(&room), "-o", "x.jsonl", "--clearance", "-1"],
            "must be a length",
        ),
        (
            &["clash", text(&room), "-o", "x.jsonl", "--threads", "0"],
            "from 1 to 1024",
        ),
        (
            &["clash", text(&room), "-o", "no/such/x.jsonl"],
            "cannot write no/such/x.jsonl",
        ),
    ] {
        run(arguments).assert_refused(words);
    }
}

#[test]
fn devices_that_never_end_are_not_read() {
    let root = folder("clash_devices");
    let room = room(&root);
    let report = root.join("report.jsonl");
    for (argument, path, words) in [
        ("--since", "/dev/zero", "cannot read /dev/zero: it is no"),
        ("--merge", "/dev/zero", "cannot read /dev/zero: it is no"),
        ("--merge", "no/such", "cannot read no/such: "),
    ] {
        checked(&room, &report, &[argument, path]).assert_refused(words);
    }
}

#[test]
fn a_byte_order_mark_is_passed_over_and_another_gltf_is_refused() {
    let root = folder("clash_marks");
    let (room, report, rules) = (
        room(&root),
        root.join("report.jsonl"),
        root.join("rules.json"),
    );
    fs::write(
        &rules,
        "\u{feff}{\"rules\": [{\"between\": [\"*\", \"*\"]}]}",
    )
    .expect("written");
    let ran = checked(&room, &report, &["--rules", text(&rules)]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let scene = root.join("scene.json");
    checked(&room, &report, &["--scene", text(&scene)]);
    let marked = format!("\u{feff}{}", fs::read_to_string(&scene).expect("written"));
    fs::write(&scene, marked).expect("written");
    assert_eq!(checked(&scene, &report, &[]).err, "");
    assert_eq!(run(&["check", text(&scene)]).code, 0);
    let old = root.join("old.gltf");
    fs::write(&old, r#"{"asset": {"version": "1.0"}}"#).expect("written");
    checked(&old, &report, &[]).assert_err("has `asset.version` \"1.0\", must be 2.0");
}
