//! Clash checks of files.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Ran, command, json, run, run_on, scratch};

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let path = scratch(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("created");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// An OBJ text with boxes, each named and from its least to its greatest corner.
fn boxes(parts: &[(String, [f64; 3], [f64; 3])]) -> String {
    let mut text = String::new();
    for (number, (name, low, high)) in parts.iter().enumerate() {
        text += &format!("o {name}\n");
        for k in 0..8 {
            let side = |axis: usize| {
                if k >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            };
            text += &format!("v {} {} {}\n", side(0), side(1), side(2));
        }
        for quad in [
            "1 5 7 3", "2 4 8 6", "1 2 6 5", "3 7 8 4", "1 3 4 2", "5 6 8 7",
        ] {
            let corners = quad
                .split(' ')
                .map(|word| word.parse::<usize>().expect("a number"));
            let corners: Vec<String> = corners
                .map(|corner| (corner + 8 * number).to_string())
                .collect();
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    text
}

/// A wall on a slab, a pipe through the wall, and one beside it.
fn room(root: &Path) -> PathBuf {
    let part = |name: &str, low, high| (name.to_owned(), low, high);
    let parts = [
        part("slab", [0.0, -0.25, 0.0], [6.0, 0.0, 6.0]),
        part("wall", [0.0, 0.0, 2.0], [6.0, 2.75, 2.25]),
        part("pipe 1", [1.0, 1.0, 1.0], [1.125, 1.125, 4.0]),
        part("pipe 2", [1.25, 1.0, 2.375], [1.375, 1.125, 4.0]),
    ];
    let path = root.join("room.obj");
    fs::write(&path, boxes(&parts)).expect("written");
    path
}

/// A wall of bricks that overlap, so many that a check of them takes several blocks.
fn bricks(root: &Path) -> PathBuf {
    let mut parts = Vec::new();
    for row in 0..40 {
        for column in 0..40 {
            let [x, y] = [column, row].map(f64::from);
            parts.push((
                format!("brick {row} {column}"),
                [x, y, 0.0],
                [x + 1.01, y + 1.01, 1.0],
            ));
        }
    }
    let path = root.join("bricks.obj");
    fs::write(&path, boxes(&parts)).expect("written");
    path
}

fn checked(input: &Path, output: &Path, arguments: &[&str]) -> Ran {
    let all = [&["clash", text(input), "-o", text(output)], arguments].concat();
    run(&all)
}

#[test]
fn a_room_is_checked_by_rules() {
    let root = folder("clash_room");
    let (room, report, rules) = (
        room(&root),
        root.join("report.jsonl"),
        root.join("rules.json"),
    );
    let all = checked(&room, &report, &[]);
    assert_eq!((all.code, all.err.as_str()), (1, ""), "{}", all.out);
    let lines = fs::read_to_string(&report).expect("written");
    let clashes: Vec<_> = lines
        .lines()
        .map(json)
        .filter(|line| line["type"] == "clash")
        .collect();
    let found: Vec<String> = clashes
        .iter()
        .map(|clash| {
            format!(
                "{} {} {} {}",
                clash["a"], clash["b"], clash["kind"], clash["distance"]
            )
        })
        .collect();
    let expected = [
        r#""pipe 1" "wall" "overlap" -1.125"#,
        r#""slab" "wall" "touch" 0.0"#,
    ];
    // The shortest way out of the wall is up: 2.75 - 1, or sideways: 1.125 - 0, or along the pipe: 2.25 - 1.
    assert_eq!(found, expected);
    fs::write(&rules, r#"{"rules": [
        {"between": ["pipe*", "wall"], "clearance": 0.25, "tolerance": 0.001, "name": "pipes keep off walls"},
        {"between": ["pump", "*"]}]}"#).expect("written");
    let refused = checked(&room, &report, &["--rules", text(&rules)]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .err
            .contains(r#"rule "pump, *" matches no pair of parts, and no part matches pump; "#),
        "{}",
        refused.err
    );
    let optional = fs::read_to_string(&rules)
        .expect("written")
        .replace(r#"["pump", "*"]"#, r#"["pump", "*"], "optional": true"#);
    fs::write(&rules, optional).expect("written");
    let by_rules = checked(&room, &report, &["--rules", text(&rules), "--json"]);
    let summary = json(&by_rules.out);
    assert_eq!(by_rules.code, 1);
    assert_eq!(
        (&summary["clashes"], &summary["faults"]),
        (&2.into(), &2.into())
    );
    assert_eq!(summary["rules"][0]["rule"], "pipes keep off walls");
    assert_eq!(summary["unmatched_patterns"], json(r#"["pump"]"#));
    let clean = checked(&room, &report, &["--tolerance", "2"]);
    assert_eq!(clean.code, 0, "{}", clean.out);
    assert!(
        clean.out.contains("touch") && clean.out.contains("not proven"),
        "{}",
        clean.out
    );
}

#[test]
fn a_clash_is_drawn_in_space_and_cut_through() {
    let root = folder("clash_drawn");
    let (room, report) = (room(&root), root.join("report.jsonl"));
    let drawn = |number: &[&str]| {
        let (png, svg) = (root.join("clash.png"), root.join("clash.svg"));
        let both = ["--png", text(&png), "--svg", text(&svg)];
        let ran = checked(&room, &report, &[&both[..], number].concat());
        assert_eq!((ran.code, ran.err.as_str()), (1, ""));
        (
            fs::read(png).expect("written"),
            fs::read_to_string(svg).expect("written"),
        )
    };
    let (png, svg) = drawn(&[]);
    assert!(png.starts_with(b"\x89PNG"));
    // The outlines of both parts, and a dot at each point.
    assert_eq!(svg.matches("<path fill=\"none\" d=").count(), 2, "{svg}");
    assert_eq!(svg.matches("<circle").count(), 2, "{svg}");
    // The pipe through the wall is the first clash, and the deepest.
    assert_eq!(drawn(&["--clash", "1"]), (png.clone(), svg.clone()));
    assert_ne!(drawn(&["--clash", "2"]), (png, svg));
    let none = checked(&room, &report, &["--clash", "3", "--png", "x.png"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("no clash 3 to draw"), "{}", none.err);
}

/// The clashes of a report.
fn clashes_of(report: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(report).expect("written");
    let clashes = lines.lines().map(json);
    clashes.filter(|line| line["type"] == "clash").collect()
}

/// A side of a pair line: the body of a scene whose shape has a name.
fn side(scene: &Value, name: &str) -> Value {
    let mut bodies = scene["bodies"].as_array().expect("a list").iter();
    let body = bodies.find(|body| body["shape"] == name).expect(name);
    json!({"shape": scene["shapes"][name], "pose": body["pose"]})
}

/// What the scene answers for each clash is between the bounds of the report. Names of parts have a prefix in the scene.
fn assert_same_distances(report: &Path, scene: &Path, prefixes: [&str; 2]) {
    let scene = json(&fs::read_to_string(scene).expect("written"));
    let clashes = clashes_of(report);
    let mut lines = String::new();
    for clash in &clashes {
        let [a, b] = [("a", prefixes[0]), ("b", prefixes[1])].map(|(key, prefix)| {
            let name = clash[key].as_str().expect("a name");
            side(&scene, &format!("{prefix}{name}"))
        });
        lines += &format!("{}\n", json!({"dimension": 3, "a": a, "b": b}));
    }
    let answers = run_on(&["query"], lines.as_bytes());
    assert_eq!((answers.code, answers.err.as_str()), (0, ""));
    for (clash, answer) in clashes.iter().zip(answers.out.lines()) {
        let [distance, lower, upper] =
            [&json(answer)["distance"], &clash["lower"], &clash["upper"]]
                .map(|number| number.as_f64().expect("a number"));
        assert!((lower..=upper).contains(&distance), "{clash}: {answer}");
    }
}

#[test]
fn the_scene_has_the_parts_that_clash_where_they_are() {
    let root = folder("clash_scene");
    let far = |x: f64| {
        let at = 1e6 + x;
        ([at, 0.0, 0.0], [at + 1.0, 1.0, 1.0])
    };
    let parts: Vec<_> = [
        ("far 1", 0.0),
        ("far 2", 0.75),
        ("far 3", 1.8125),
        ("lone", 9.0),
    ]
    .map(|(name, x)| (name.to_owned(), far(x).0, far(x).1))
    .into();
    let input = root.join("far.obj");
    fs::write(&input, boxes(&parts)).expect("written");
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let arguments = ["--clearance", "0.125", "--scene", text(&scene)];
    let ran = checked(&input, &report, &arguments);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(clashes_of(&report).len(), 2);
    assert_same_distances(&report, &scene, ["", ""]);
    let written = json(&fs::read_to_string(&scene).expect("written"));
    assert_eq!(written["bodies"].as_array().map(Vec::len), Some(3));
    for (name, low, high) in &parts[..3] {
        let side = side(&written, name);
        let numbers = |value: &Value| value.as_array().expect("a list").clone();
        let corners = numbers(&side["shape"]["vertices"]);
        for axis in 0..3 {
            let start = side["pose"]["translation"][axis]
                .as_f64()
                .expect("a number");
            let places: Vec<f64> = corners
                .iter()
                .map(|corner| start + corner[axis].as_f64().expect("a number"))
                .collect();
            assert_eq!(
                places.iter().copied().fold(f64::INFINITY, f64::min),
                low[axis]
            );
            assert_eq!(
                places.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                high[axis]
            );
        }
    }
    // All of the clashes are contacts of the scene, that of a gap as well.
    let contacts = run(&["run", text(&scene), "--frames", "1", "--contacts", "-"]);
    let contacts = &json(&contacts.out)["contacts"];
    assert_eq!(contacts.as_array().map(Vec::len), Some(2));
}

#[test]
fn the_scene_of_two_assemblies_says_which_one_a_part_is_of() {
    let root = folder("clash_scene_two");
    let room = room(&root);
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let arguments = [text(&room), "--scene", text(&scene)];
    assert_eq!(checked(&room, &report, &arguments).code, 1);
    assert_eq!(clashes_of(&report).len(), 8);
    assert_same_distances(&report, &scene, ["a/", "b/"]);
    // A table has the same scene, and so has what clashes with nothing.
    let (table, other) = (root.join("report.csv"), root.join("other.json"));
    assert_eq!(
        checked(&room, &table, &[text(&room), "--scene", text(&other)]).code,
        1
    );
    assert_eq!(
        fs::read(&other).expect("written"),
        fs::read(&scene).expect("written")
    );
    let lone = root.join("lone.obj");
    fs::write(&lone, boxes(&[("lone".to_owned(), [0.0; 3], [1.0; 3])])).expect("written");
    assert_eq!(checked(&lone, &report, &["--scene", text(&scene)]).code, 0);
    assert_eq!(run(&["check", text(&scene)]).code, 0);
}

#[test]
fn a_scene_that_cannot_have_all_parts_says_so() {
    let root = folder("clash_scene_large");
    // Pairs of cubes that overlap, the deepest last.
    let parts: Vec<_> = (0..5_010)
        .flat_map(|pair| {
            let (x, depth) = (4.0 * f64::from(pair), 0.1 + 1e-5 * f64::from(pair));
            [("left", x), ("right", x + 1.0 - depth)]
                .map(|(name, x)| (format!("{name} {pair}"), [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]))
        })
        .collect();
    let input = root.join("pairs.obj");
    fs::write(&input, boxes(&parts)).expect("written");
    let (report, scene) = (root.join("report.jsonl"), root.join("scene.json"));
    let ran = checked(&input, &report, &["--scene", text(&scene)]);
    assert!(
        ran.code == 1 && ran.err.contains("has the parts of 5000 of 5010 clashes"),
        "{}",
        ran.err
    );
    let written = json(&fs::read_to_string(&scene).expect("written"));
    let shapes = written["shapes"].as_object().expect("an object");
    assert_eq!(shapes.len(), 10_000);
    assert!(shapes.contains_key("left 5009") && !shapes.contains_key("left 9"));
}

#[test]
fn two_assemblies_and_a_table() {
    let root = folder("clash_two");
    let (room, report) = (room(&root), root.join("report.csv"));
    let ran = run(&["clash", text(&room), text(&room), "-o", text(&report)]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let table = fs::read_to_string(&report).expect("written");
    // Each part is there twice; those that touch or overlap do both ways.
    assert_eq!(table.matches(",duplicate,").count(), 4, "{table}");
    assert_eq!(table.lines().count(), 1 + 4 + 2 * 2, "{table}");
}

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
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    while !partial.exists() && child.try_wait().expect("asked").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    sent.expect("sent");
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
    assert!(
        ran.err.contains("--resume goes on with them"),
        "{}",
        ran.err
    );
    let again = checked(&input, &path, &[]);
    assert!(
        again.code == 2 && again.err.contains("go on with it by --resume"),
        "{}",
        again.err
    );
    assert_eq!(checked(&input, &path, &["--resume"]).code, 1);
    assert_eq!(
        fs::read(&path).expect("written"),
        fs::read(&whole).expect("written")
    );
}

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
    assert!(alone.err.contains("no pair was measured"), "{}", alone.err);
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
    let [root_name, room_name, rules_name, whole_name] =
        [&root, &room, &rules, &whole].map(|path| text(path));
    let before = fs::read(&room).expect("read");
    for (output, arguments, words) in [
        (room_name, &[][..], "choose a file that ends in .jsonl"),
        ("x.PNG", &["--png", "x.png"], "choose a file that ends in"),
        ("-", &[], "choose a file that ends in"),
        (root_name, &[], "is a directory"),
        (rules_name, &[], "choose a file that ends in .jsonl"),
        (text(&report), &["--png", text(&report)], "ends in .png"),
        (text(&report), &["--svg", "x.png"], "ends in .svg"),
        (text(&report), &["--clash", "1"], "--png <FILE>"),
        (text(&report), &["--scene", "x.obj"], "ends in .json"),
        (
            "x.json",
            &["--scene", "x.json"],
            "choose a file that ends in .jsonl",
        ),
        (
            text(&report),
            &["--rules", rules_name, "--scene", rules_name],
            "the check reads it",
        ),
        (
            text(&report),
            &["--rules", whole_name],
            "the check reads it",
        ),
    ] {
        let ran = checked(&room, Path::new(output), arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{output}");
        assert!(ran.err.contains(words), "{output}: {}", ran.err);
    }
    assert_eq!(fs::read(&room).expect("read"), before);
    // Before anything is measured.
    let picture = root.join("none/x.png");
    let ran = checked(&room, &report, &["--png", text(&picture)]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("cannot write") && ran.err.contains("none/x.png"),
        "{}",
        ran.err
    );
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
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("rules.json holds no valid rules: line 2") && ran.err.contains("betwen"),
        "{}",
        ran.err
    );
    fs::write(&rules, b"{\"rules\": [\xff").expect("written");
    let ran = checked(&room, &report, &["--rules", text(&rules)]);
    assert!(ran.err.contains("is not UTF-8 from byte 11"), "{}", ran.err);
    fs::write(root.join("bad.obj"), "v 0 0 nan\n").expect("written");
    let ran = checked(&root, &report, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("bad.obj: line 1") && ran.err.contains("--skip-invalid"),
        "{}",
        ran.err
    );
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
            &["clash", "no such folder", "-o", "x"][..],
            "no such folder: cannot be read",
        ),
        (&["clash", "x.ifc", "-o", "x"], "x.ifc"),
        (&["clash", text(&room)], "--output"),
        (
            &["clash", text(&room), "-o", "x", "--clearance", "-1"],
            "must be a length",
        ),
        (
            &["clash", text(&room), "-o", "x", "--threads", "0"],
            "from 1 to 1024",
        ),
        (
            &["clash", text(&room), "-o", "no/such/x"],
            "cannot write no/such/x",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn shards_of_any_scheduler_are_merged_to_the_report_of_one_run() {
    let root = folder("clash_shards");
    let room = room(&root);
    let report = root.join("report.jsonl");
    checked(&room, &report, &[]);
    let whole = fs::read(&report).expect("written");
    let names = ["1", "2", "3"].map(|number| root.join(format!("{number}.shard")));
    for (name, shard) in names.iter().zip(["1/3", "2/3", "3/3"]) {
        let ran = checked(&room, name, &["--shard", shard]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    let merged = root.join("merged.jsonl");
    let [one, two, three] = names.each_ref().map(|name| text(name));
    let ran = checked(&room, &merged, &["--merge", three, one, two]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(fs::read(&merged).expect("written"), whole);
    let ran = checked(&room, &merged, &["--merge", two, three]);
    assert!(
        ran.code == 2 && ran.err.contains("are in no shard"),
        "{}",
        ran.err
    );
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
        assert_eq!(
            checked(&room, &merged, &["--shard", wrong]).code,
            2,
            "{wrong}"
        );
    }
}

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
    assert!(ran.out.contains("known"), "{}", ran.out);
    assert_eq!(
        fs::read(&again).expect("written"),
        fs::read(&later).expect("written")
    );
    for (name, content) in [("no.bcf", &b"no zip"[..]), ("no.jsonl", b"no lines")] {
        let path = root.join(name);
        fs::write(&path, content).expect("written");
        let ran = checked(&room, &later, &["--since", text(&path)]);
        assert!(ran.code == 2 && ran.err.contains(name), "{}", ran.err);
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
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}");
        assert!(
            ran.err.contains("old.jsonl is no earlier report") && ran.err.contains(words),
            "{words}: {}",
            ran.err
        );
    }
}

#[cfg(unix)]
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
        let ran = checked(&room, &report, &[argument, path]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

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
    let ran = checked(&old, &report, &[]);
    assert!(
        ran.err.contains("has `asset.version` \"1.0\", must be 2.0"),
        "{}",
        ran.err
    );
}
