//! Clash checks of files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Ran, command, json, run, scratch};

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
        let path = root.join(format!("{threads}.jsonl"));
        let ran = checked(&input, &path, &["--threads", threads]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        fs::read(path).expect("written")
    };
    let one = report("1");
    assert!(one.len() > 100_000);
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
    assert_eq!(checked(&input, &whole, &[]).code, 1);
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
    let ended = checked(&input, &path, &["--resume"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert_eq!(
        fs::read(&path).expect("written"),
        fs::read(&whole).expect("written")
    );
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
    let [root_name, room_name, rules_name] = [&root, &room, &rules].map(|path| text(path));
    let before = fs::read(&room).expect("read");
    for (output, arguments, words) in [
        (room_name, &[][..], "choose a file that ends in .jsonl"),
        ("x.PNG", &["--png", "x.png"], "choose a file that ends in"),
        ("-", &[], "choose a file that ends in"),
        (root_name, &[], "is a directory"),
        (rules_name, &["--rules", rules_name], "the check reads it"),
        (text(&report), &["--png", text(&report)], "ends in .png"),
        (text(&report), &["--svg", "x.png"], "ends in .svg"),
        (text(&report), &["--clash", "1"], "--png <FILE>"),
    ] {
        let ran = checked(&room, Path::new(output), arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{output}");
        assert!(ran.err.contains(words), "{output}: {}", ran.err);
    }
    assert_eq!(fs::read(&room).expect("read"), before);
    // A picture that cannot be written does not cost the summary.
    let picture = root.join("none/x.png");
    let ran = checked(&room, &report, &["--png", text(&picture)]);
    assert!(ran.code == 2 && ran.out.contains("clashes"), "{}", ran.out);
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
            "cannot write no/such/x.partial",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}
