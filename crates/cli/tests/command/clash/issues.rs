//! Issues of BCF, and what is compared with an earlier run.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use super::{boxes, checked, folder, room, text};
use crate::common::json;

/// Changes the files of a BCF file, and their names, as the program of somebody else would.
fn rewrite(path: &Path, change: impl Fn(String, String) -> Vec<(String, String)>) {
    let mut archive = zip::ZipArchive::new(fs::File::open(path).expect("there")).expect("a zip");
    let mut files = Vec::new();
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).expect("there");
        let mut content = String::new();
        file.read_to_string(&mut content).expect("text");
        files.extend(change(file.name().expect("a name").into_owned(), content));
    }
    let mut changed = zip::ZipWriter::new(fs::File::create(path).expect("created"));
    for (name, content) in files {
        let options = zip::write::SimpleFileOptions::default();
        changed.start_file(name, options).expect("started");
        changed.write_all(content.as_bytes()).expect("written");
    }
    changed.finish().expect("finished");
}

#[test]
fn issues_go_out_as_bcf_and_their_statuses_come_back() {
    let root = folder("clash_bcf");
    let room = room(&root);
    let (report, bcf) = (root.join("report.jsonl"), root.join("issues.bcf"));
    let ran = checked(&room, &report, &["--bcf", text(&bcf)]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    rewrite(&bcf, |name, content| {
        let closed = content.replace("TopicStatus=\"Open\"", "TopicStatus=\"Closed\"");
        vec![(name, closed)]
    });
    let later = root.join("later.jsonl");
    let next = root.join("next.bcf");
    let ran = checked(
        &room,
        &later,
        &["--since", text(&bcf), "--bcf", text(&next), "--json"],
    );
    let changes = &json(&ran.out)["changes"];
    assert_eq!(
        *changes,
        json(r#"{"new": 0, "known": 1, "moved": 0, "solved": 0}"#)
    );
    let lines = fs::read_to_string(&later).expect("written");
    let faults: Vec<_> = lines
        .lines()
        .map(json)
        .filter(|line| line["allowed"] == false)
        .collect();
    assert_eq!(
        (&faults[0]["change"], &faults[0]["status"]),
        (&"known".into(), &"Closed".into())
    );
    let again = root.join("again.jsonl");
    let ran = checked(&room, &again, &["--since", text(&next)]);
    ran.assert_out("known");
    assert_eq!(
        fs::read(&again).expect("written"),
        fs::read(&later).expect("written")
    );
    for (name, content) in [("no.bcf", &b"no zip"[..]), ("no.jsonl", b"no lines")] {
        let path = root.join(name);
        fs::write(&path, content).expect("written");
        checked(&room, &later, &["--since", text(&path)]).assert_refused(name);
    }
}

#[test]
fn issues_are_found_behind_views_of_reviewers_and_under_names_of_other_systems() {
    let root = folder("clash_bcf_views");
    let room = room(&root);
    let (report, bcf) = (root.join("report.jsonl"), root.join("issues.bcf"));
    let known = || {
        let ran = checked(&room, &report, &["--since", text(&bcf), "--json"]);
        (json(&ran.out)["changes"]["known"].clone(), ran.err)
    };
    let view = "<ViewPoint Guid=\"x\"><Viewpoint>other.bcfv</Viewpoint></ViewPoint>";
    let reviewed = |name: String, content: String| {
        let other = name.replace("viewpoint.bcfv", "other.bcfv");
        let content = content.replace("<Viewpoints>", &format!("<Viewpoints>{view}"));
        let odd = (
            other.clone(),
            "<VisualizationInfo><Lines><Line/>".to_owned(),
        );
        let added = (other != name).then_some(odd);
        added.into_iter().chain([(name, content)]).collect()
    };
    let renamed = |name: String, content: String| {
        let name = name.replace('/', "\\").replace("markup", "Markup");
        vec![(name, content)]
    };
    let named = |name: String, content: String| {
        let [name, content] = [name, content].map(|text| text.replace("viewpoint.bcfv", "a.bcfv"));
        vec![(name, content)]
    };
    checked(&room, &report, &["--bcf", text(&bcf)]);
    rewrite(&bcf, reviewed);
    assert_eq!(known(), (1.into(), String::new()));
    rewrite(&bcf, renamed);
    assert_eq!(known(), (1.into(), String::new()));
    rewrite(&bcf, named);
    assert_eq!(known(), (1.into(), String::new()));
    // Without our view nothing tells the parts.
    rewrite(&bcf, |name, content| {
        let is_ours = name.ends_with("a.bcfv");
        (!is_ours).then_some((name, content)).into_iter().collect()
    });
    let (known, warning) = known();
    assert_eq!(known, 0);
    assert!(
        warning.contains("issues.bcf: topics of the type Clash that were passed over: 1;"),
        "{warning}"
    );
}

#[test]
fn what_is_no_earlier_report_is_refused_with_its_line() {
    let root = folder("clash_since_refused");
    let room = room(&root);
    let (report, later) = (root.join("report.jsonl"), root.join("later.jsonl"));
    let shard = root.join("1.shard");
    checked(&room, &report, &[]);
    checked(&room, &shard, &["--shard", "1/2"]);
    let whole = fs::read_to_string(&report).expect("written");
    let header = whole.lines().next().expect("a header");
    let cut = whole.trim_end().rsplit_once('\n').expect("lines").0;
    let old = root.join("old.jsonl");
    for (content, words) in [
        (String::new(), "line 0 is the last, and must be the summary"),
        (cut.to_owned(), "is the last, and must be the summary"),
        (whole.replace(header, "{}"), "line 1 is no line of a report"),
        (
            whole.replace(&format!("{header}\n"), ""),
            "line 1 must be the header",
        ),
        (
            fs::read_to_string(&shard).expect("written"),
            "line 1 must be the header",
        ),
        (
            format!("{header}\n{{\"type\":\"clash\",\"allowed\":false}}\n"),
            "line 2 is no line of a report: missing field `a`;",
        ),
    ] {
        fs::write(&old, content).expect("written");
        let ran = checked(&room, &later, &["--since", text(&old)]);
        ran.assert_refused("old.jsonl is no earlier report");
        ran.assert_err(words);
    }
}

#[cfg(unix)]
#[test]
fn names_that_xml_cannot_have_are_replaced_in_issues() {
    let root = folder("clash_bcf_names");
    let (input, bcf) = (root.join("in.obj"), root.join("issues.bcf"));
    let part = |name: &str, low: f64| (name.to_owned(), [low; 3], [low + 1.0; 3]);
    fs::write(
        &input,
        boxes(&[part("a\u{1}", 0.0), part("b\u{fffe}", 0.5)]),
    )
    .expect("written");
    let ran = checked(&input, &root.join("report.jsonl"), &["--bcf", text(&bcf)]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let replaced = std::cell::Cell::new(0);
    rewrite(&bcf, |name, content| {
        assert!(!content.contains(['\u{1}', '\u{fffe}']), "{content}");
        replaced.set(replaced.get() + content.matches('\u{fffd}').count());
        vec![(name, content)]
    });
    assert!(replaced.get() > 0);
}

/// XML cannot say some characters that names of parts may have, so the fault of such a part was new in every run.
#[test]
fn parts_whose_names_xml_cannot_hold_are_known_again() {
    let root = folder("clash_bcf_names");
    let parts = [("a\u{1}", 0.0), ("b\u{ffff}", 0.5)]
        .map(|(name, x)| (name.to_owned(), [x; 3], [x + 1.0; 3]));
    let input = root.join("two.obj");
    fs::write(&input, boxes(&parts)).expect("written");
    let (first, bcf) = (root.join("first.jsonl"), root.join("first.bcf"));
    checked(&input, &first, &["--bcf", text(&bcf)]);
    let second = root.join("second.jsonl");
    for earlier in [&bcf, &first] {
        let ran = checked(&input, &second, &["--since", text(earlier), "--json"]);
        let changes = &json(&ran.out)["changes"];
        let wanted = json(r#"{"new": 0, "known": 1, "moved": 0, "solved": 0}"#);
        assert_eq!(*changes, wanted, "{}", ran.err);
    }
}
