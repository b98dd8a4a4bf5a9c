//! Runs that are recorded, and recordings that are computed again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, command, json, run, run_on, scratch};

fn scene(kind: &str, count: &str) -> String {
    run(&["generate", kind, "--count", count, "--seed", "5"]).out
}

/// Records a run of so many frames under this name.
fn record(name: &str, kind: &str, frames: &str) -> PathBuf {
    let path = scratch(name);
    let file = path.to_str().unwrap();
    let all = ["run", "-", "--frames", frames, "--record", file];
    let ran = run_on(&all, scene(kind, "120").as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.assert_out("frames a second");
    path
}

fn replay(path: &Path, options: &[&str]) -> Ran {
    run(&[&["replay", path.to_str().unwrap()], options].concat())
}

#[test]
fn contacts_are_computed_again_in_both_dimensions_with_any_backend() {
    for kind in ["mixed", "pile2", "level"] {
        let path = record(&format!("again-{kind}.clrec"), kind, "20");
        for options in [&[][..], &["--threads", "2"], &["--backend", "brute"]] {
            let ran = replay(&path, options);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
            ran.assert_out("frames 0 to 20");
            let all = "20 frames have the contacts that were recorded";
            ran.assert_out(all);
        }
        let table = json(&replay(&path, &["--json"]).out);
        let length = fs::metadata(&path).unwrap().len();
        assert_eq!(table["bytes"], length);
        assert_eq!(table["dimension"], if kind == "pile2" { 2 } else { 3 });
        assert_eq!(
            (&table["last"], &table["compared"]),
            (&20.into(), &20.into())
        );
        assert!(table["difference"].is_null() && table["damage"].is_null());
    }
}

#[test]
fn recordings_go_through_pipes() {
    let recorded = command(&["run", "-", "--frames", "5", "--record", "-"])
        .stdin(fs::File::open(written("pipe.json", &scene("mixed2", "50"))).unwrap())
        .output()
        .unwrap();
    assert!(recorded.status.success());
    assert!(
        String::from_utf8(recorded.stderr)
            .unwrap()
            .contains("frames a second")
    );
    let ran = run_on(&["replay", "-"], &recorded.stdout);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("standard input: 2D"), "{}", ran.out);
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, text).unwrap();
    path
}

/// The recording of a scene, with the hash of a contact of a frame changed as if it had been measured differently.
fn forged(path: &Path, frame: u8) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    let mut start = 0;
    loop {
        let length = u32::from_le_bytes(bytes[start + 1..start + 5].try_into().unwrap());
        let payload = start + 5..start + 5 + length as usize;
        if bytes[start] == b'F' && bytes[payload.start] == frame {
            // After the number and the flags: the hash of all, unless the length of the step comes first.
            assert_eq!(bytes[payload.start + 1] & 0b1111, 0b0101);
            bytes[payload.start + 2] ^= 1;
            // The last hash of a contact is the end of the block if nothing else changed.
            assert_eq!(bytes[payload.start + 1] & 0b110000, 0);
            bytes[payload.end - 1] ^= 1;
            let sum = twox_hash::XxHash64::oneshot(0, &bytes[start..payload.end]) as u32;
            bytes[payload.end..payload.end + 4].copy_from_slice(&sum.to_le_bytes());
            return bytes;
        }
        start = payload.end + 4;
    }
}

#[test]
fn the_first_frame_that_differs_is_named_with_its_pair() {
    let text = r#"{"dimension": 2, "bodies": [
        {"shape": {"type": "ball", "radius": 1}, "velocity": {"linear": [0.1, 0]}},
        {"shape": {"type": "ball", "radius": 2}},
        {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [9, 9]}}]}"#;
    let path = scratch("differs.clrec");
    let file = path.to_str().unwrap();
    let ran = run_on(
        &["run", "-", "--frames", "9", "--record", file],
        text.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let other = scratch("differs-forged.clrec");
    fs::write(&other, forged(&path, 6)).unwrap();
    let ran = replay(&other, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    ran.assert_out("frame 6: the contacts differ: hash ");
    ran.assert_out("bodies 0v0 and 1v0 have another contact");
    let ran = replay(&other, &["--json"]);
    let difference = &json(&ran.out)["difference"];
    assert_eq!((ran.code, &difference["frame"]), (1, &6.into()));
    let pair = serde_json::json!([{"a": "0v0", "b": "1v0", "found_in": "both"}]);
    assert_eq!(difference["pairs"], pair);
    let hashes = run_on(&["run", "-", "--frames", "6", "--hash"], text.as_bytes()).out;
    let last = hashes.lines().last().unwrap();
    assert_eq!(
        last,
        format!("6 {}", difference["computed"].as_str().unwrap())
    );
}

/// Puts a keyframe into the place of the last one in which every 1234.5 is another number.
fn displaced(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    let (mut start, mut last) = (0, None);
    while start < bytes.len() {
        let length = u32::from_le_bytes(bytes[start + 1..start + 5].try_into().unwrap());
        let end = start + 5 + length as usize;
        if bytes[start] == b'K' {
            last = Some(start..end);
        }
        start = end + 4;
    }
    let block = last.unwrap();
    let place = bytes[block.clone()]
        .windows(4)
        .position(|bytes| bytes == 1234.5_f32.to_le_bytes());
    bytes[block.start + place.unwrap()..][..4].copy_from_slice(&1235.5_f32.to_le_bytes());
    let sum = twox_hash::XxHash64::oneshot(0, &bytes[block.clone()]) as u32;
    bytes[block.end..block.end + 4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_body_that_is_elsewhere_is_a_flaw_although_all_contacts_are_the_same() {
    let text = r#"{"dimension": 2, "bodies": [
        {"shape": {"type": "ball", "radius": 1}, "velocity": {"linear": [0.001, 0]}},
        {"shape": {"type": "ball", "radius": 2}},
        {"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [1234.5, 9]}}]}"#;
    let path = scratch("drifts.clrec");
    let file = path.to_str().unwrap();
    let all = ["run", "-", "--frames", "700", "--record", file];
    let ran = run_on(&all, text.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let other = scratch("drifts-forged.clrec");
    fs::write(&other, displaced(&path)).unwrap();
    let ran = replay(&other, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{}", ran.out);
    ran.assert_out("frames have the contacts");
    ran.assert_out("body 2v0 is not where it was");
    let drift = &json(&replay(&other, &["--json"]).out)["drift"];
    assert_eq!(drift["body"], "2v0");
}

#[test]
fn damage_is_told_with_its_place() {
    let path = record("whole.clrec", "balls", "10");
    let whole = fs::read(&path).unwrap();
    let damaged = scratch("damaged.clrec");
    fs::write(&damaged, &whole[..whole.len() - 3]).unwrap();
    let ran = replay(&damaged, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    ran.assert_out("9 frames have the contacts");
    ran.assert_out("at frame 10: the last block is cut off");
    let damage = &json(&replay(&damaged, &["--json"]).out)["damage"];
    assert_eq!(damage["frame"], 10);
    assert_eq!(whole[damage["byte"].as_u64().unwrap() as usize], b'F');
}

#[test]
fn what_is_no_recording_is_refused() {
    let ran = run_on(&["replay", "-"], b"{\"dimension\": 3}");
    ran.assert_refused("this is not a recording");
    run(&["replay", "no/such/file"]).assert_refused("no/such/file");
}

#[test]
fn outputs_do_not_meet() {
    let scene = written("outputs.json", &scene("balls", "10"));
    let scene = scene.to_str().unwrap();
    let ran = run(&["run", scene, "--record", scene]);
    ran.assert_refused("it is the scene itself");
    let file = scratch("outputs.both");
    let file = file.to_str().unwrap();
    let ran = run(&["run", scene, "--record", file, "--contacts", file]);
    ran.assert_refused("choose two files");
    for options in [["--hash", "--contacts=-"], ["--record=-", "--contacts=-"]] {
        run(&[&["run", scene], &options[..]].concat()).assert_refused("to standard output");
    }
}

/// The fields of an object, and those of the objects in it, as far as there are any.
fn fields(value: &serde_json::Value) -> Vec<String> {
    let serde_json::Value::Object(members) = value else {
        return Vec::new();
    };
    let inside = members.iter().flat_map(|(key, value)| {
        let below = fields(value).into_iter();
        core::iter::once(key.clone()).chain(below.map(move |field| format!("{key}.{field}")))
    });
    inside.collect()
}

#[test]
fn the_json_of_replay_has_the_fields_of_the_formats_page() {
    let page = include_str!("../../../../docs/file-formats.md");
    let (_, block) = page.split_once("```json replay\n").unwrap();
    let shown = fields(&json(block.split("```").next().unwrap()));
    let path = record("fields.clrec", "mixed2", "3");
    let written = fields(&json(&replay(&path, &["--json"]).out));
    assert!(written.len() >= 6, "{written:?}");
    let is_shown = |field: &String| shown.contains(field);
    assert!(written.iter().all(is_shown), "{written:?} {shown:?}");
}
