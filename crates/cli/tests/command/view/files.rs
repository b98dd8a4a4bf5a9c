//! What is served, and how files are told apart.

use clearance_math::{Pose, Vec2};
use clearance_recording::{Encoder, EncoderOptions};
use clearance_shapes::Shape;
use clearance_world::{Body, Velocity, World};
use serde_json::json;

use super::served::{Served, scene_file, write_file};
use crate::common::run;

const PAIR: &str = concat!(
    r#"{"id": 1, "dimension": 3, "a": {"shape": {"type": "ball", "radius": 1}}, "#,
    r#""b": {"shape": {"type": "ball", "radius": 0.5}, "pose": {"translation": [3, 0, 0]}}}"#,
    "\n"
);

#[test]
fn without_a_file_the_page_alone_is_served() {
    let served = Served::new(&[]);
    let page = served.get("/");
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    assert!(page.text().contains("<title>"), "{}", page.text());
    assert_eq!(served.get("/index.html").body, page.body);
    let nothing = json!({"open": "world", "kind": null, "name": null, "input": null, "live": null, "report": null});
    assert_eq!(served.session(), nothing);
    for path in [
        "/input",
        "/no-such-file",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    assert_eq!(served.follow(None).map(drop), Err(404));
}

#[test]
fn every_file_of_the_page_is_served_with_its_type() {
    let served = Served::new(&[]);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    let mut folders = vec![std::path::PathBuf::from(root)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(root)
                .expect("inside")
                .to_str()
                .expect("UTF-8");
            if name == "session.json" {
                // For hosts that serve the folder as it is.
                continue;
            }
            let answer = served.get(&format!("/{name}"));
            assert_eq!(answer.status, 200, "{name}");
            assert_eq!(answer.body, std::fs::read(&path).expect("read"), "{name}");
            let kind = answer.header("content-type");
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("html") => assert_eq!(kind, "text/html; charset=utf-8"),
                Some("js") => assert_eq!(kind, "text/javascript; charset=utf-8"),
                Some("css") => assert_eq!(kind, "text/css; charset=utf-8"),
                Some("wasm") => assert_eq!(kind, "application/wasm"),
                Some("svg") => assert_eq!(kind, "image/svg+xml"),
                _ => assert_ne!(kind, "", "{name}"),
            }
        }
    }
}

#[test]
fn one_pair_opens_in_the_stepper_and_several_in_the_table() {
    for (test, text, open) in [
        ("pair.jsonl", PAIR.to_owned(), "stepper"),
        ("pairs.jsonl", PAIR.repeat(3), "accuracy"),
        // `clearance query` answers bad lines with what is wrong with them, and so does the page.
        ("flawed.jsonl", format!("nonsense\n\n{PAIR}"), "accuracy"),
    ] {
        let file = write_file(test, text.as_bytes());
        let served = Served::new(&[&file]);
        let name = format!("view-{test}");
        let expected = json!({"open": open, "kind": "pairs", "name": name, "input": "/input", "live": null, "report": null});
        assert_eq!(served.session(), expected);
        let input = served.get("/input");
        assert_eq!((input.status, input.text()), (200, text));
    }
}

#[test]
fn a_scene_is_told_from_pairs_by_its_bodies() {
    let one_line =
        r#"{"dimension": 2, "bodies": [{"shape": {"type": "ball", "radius": 1}, "a": 1}]}"#;
    let ran = run(&["view", &write_file("strange.json", one_line.as_bytes())]);
    ran.assert_refused("is not a valid scene: ");
    let served = Served::new(&[&scene_file("told.json", "balls2", "20")]);
    let session = served.session();
    assert_eq!(
        session,
        json!({"open": "world", "kind": "scene", "name": "view-told.json", "input": null, "live": "/live", "report": null})
    );
    assert_eq!(served.get("/input").status, 404);
}

#[test]
fn a_report_is_served_beside_the_scene_of_its_parts() {
    let scene = scene_file("clashes.json", "balls", "20");
    let header = r#"{"type":"header","format":"clearance clash report","version":1,"clearance":"0.1.0","unit":"m","#.to_owned()
        + r#""a":{"name":"x","parts":1,"solids":1,"triangles":1,"refused":0,"fingerprint":"0"},"b":null,"rules":null,"#
        + r#""rules_fingerprint":"0","pairs":0,"blocks":0}"#;
    let report = write_file("report.jsonl", format!("{header}\n").as_bytes());
    let served = Served::new(&[&scene, "--report", &report]);
    let expected = json!({"open": "world", "kind": "scene", "name": "view-clashes.json", "input": "/input", "live": null, "report": "/report"});
    assert_eq!(served.session(), expected);
    for (path, file) in [("/input", &scene), ("/report", &report)] {
        assert_eq!(served.get(path).body, std::fs::read(file).expect("read"));
    }
    drop(served);
    for (arguments, words) in [
        (
            ["view", &scene, "--report", &scene],
            "is not a report of clashes",
        ),
        (
            ["view", &report, "--report", &report],
            "is not a valid scene",
        ),
        (
            ["view", &scene, "--report", "none.jsonl"],
            "cannot read none.jsonl",
        ),
    ] {
        run(&arguments).assert_refused(words);
    }
    assert!(run(&["view", "--report", &report]).err.contains("FILE"));
    assert_eq!(Served::new(&[&scene]).get("/report").status, 404);
}

/// Twenty frames of a ball that falls.
fn recording() -> Vec<u8> {
    let mut world = World::<Vec2>::default();
    let ball = Shape::ball(0.5).expect("a radius");
    let fall = Velocity::from_linear(-Vec2::Y);
    let ball = Body::moving(ball, Pose::IDENTITY).with_velocity(fall);
    let _ = world.insert(ball).expect("valid");
    let mut encoder = Encoder::new(EncoderOptions::default());
    let mut bytes = Vec::new();
    for _ in 0..20 {
        world.step(0.02).expect("stepped");
        encoder.frame(&world, &mut bytes).expect("encoded");
    }
    bytes
}

#[test]
fn recordings_are_served_as_they_are_also_where_they_are_cut_off() {
    let whole = recording();
    let cut_off = whole[..whole.len() - 5].to_vec();
    for (test, bytes) in [("whole.clrec", whole), ("cut-off.clrec", cut_off)] {
        let served = Served::new(&[&write_file(test, &bytes)]);
        let name = format!("view-{test}");
        let expected = json!({"open": "world", "kind": "recording", "name": name, "input": "/input", "live": null, "report": null});
        assert_eq!(served.session(), expected);
        assert_eq!(served.get("/input").body, bytes);
    }
    let only_header = &recording()[..40];
    let ran = run(&["view", &write_file("header.clrec", only_header)]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn files_that_cannot_be_shown_end_with_2_and_one_sentence() {
    let not_a_scene = write_file("bad.json", br#"{"dimension": 2, "bodies": [1, 2]}"#);
    let not_utf8 = write_file("bad-bytes.json", b"{\"dimension\": \xff}");
    let empty = write_file("empty.jsonl", b" \n\n");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = listener.local_addr().expect("bound").port().to_string();
    for (arguments, what) in [
        (&["view", "no-such-file"][..], "cannot read no-such-file"),
        (&["view", &not_a_scene], "is not a valid scene: "),
        (&["view", &not_utf8], "not UTF-8 from byte 14 on"),
        (&["view", &empty], "is empty"),
        (&["view", "--port", &taken], "cannot listen at port "),
    ] {
        let ran = run(arguments);
        ran.assert_refused(what);
        assert!(ran.err.starts_with("clearance: "), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
}

#[test]
fn a_port_can_be_chosen() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("bound").port();
    drop(free);
    let served = Served::new(&["--port", &port.to_string()]);
    assert_eq!(served.address.port(), port);
    assert!(served.address.ip().is_loopback());
}

/// Presses Ctrl-C while a page follows a scene.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_0() {
    use super::served::WAIT;
    use crate::common::interrupt;
    use std::io::Read;

    let mut served = Served::new(&[&scene_file("ended.json", "balls2", "20")]);
    let mut socket = served.follow(None).expect("there is room");
    assert!(socket.read().expect("a frame").is_binary());
    interrupt(&served.child);
    let start = std::time::Instant::now();
    let status = loop {
        if let Some(status) = served.child.try_wait().expect("a child") {
            break status;
        }
        assert!(start.elapsed() < WAIT, "it ends");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(0));
    let mut err = String::new();
    let stderr = served.child.stderr.as_mut().expect("piped");
    stderr.read_to_string(&mut err).expect("UTF-8");
    assert_eq!(err, "");
}
