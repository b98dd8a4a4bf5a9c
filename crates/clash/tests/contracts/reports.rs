//! Reports: the same bytes however a run went.

use core::ops::Range;
use std::cell::Cell;
use std::fs;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clearance_clash::{
    Block, Check, Earlier, Grouped, Kind, ReportError, ReportOptions, ReportWriter, Rules,
    SourceOfParts, Sources, Summary, groups, groups_while, shard_of,
};
use clearance_math::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::common::{box_of, check, cuboid, everything, folder};

/// Boxes in a grid that touch, each with one that is too near.
fn grid(count: usize) -> Check {
    let mut parts = Vec::new();
    for number in 0..count {
        let [x, y] = [number % 20, number / 20].map(|k| k as f64);
        parts.push(box_of(
            &format!("box, {number}"),
            [x, y, 0.0],
            [x + 1.0, y + 1.0, 1.0],
        ));
        parts.push(cuboid(
            &format!("lid \"{number}\""),
            [0.3; 3],
            [x + 0.5, y + 0.5, 1.35],
        ));
    }
    check(parts, everything(0.1, 0.001))
}

fn sources() -> Sources {
    Sources {
        a: SourceOfParts {
            name: "grid".to_owned(),
            ..SourceOfParts::default()
        },
        ..Sources::default()
    }
}

/// Writes so many blocks of a report, or what is left and the end.
fn go_on(check: &Check, path: &Path, most: usize) -> Result<Option<Summary>, ReportError> {
    let (blocks, sources) = (check.blocks(), sources());
    let options = options_of((check, &blocks, &sources), path, None);
    let mut report = ReportWriter::start(options)?;
    for block in blocks[report.done()..].iter().take(most) {
        report.write(block, &check.measure(block))?;
    }
    if report.done() < blocks.len() {
        return Ok(None);
    }
    report.finish().map(Some)
}

#[test]
fn a_report_that_was_ended_at_any_block_or_byte_has_the_same_bytes() {
    let root = folder("clash_resume");
    let check = grid(800);
    let count = check.blocks().len();
    assert!(count >= 3, "{count}");
    let whole = root.join("whole.jsonl");
    let summary = go_on(&check, &whole, usize::MAX).unwrap().unwrap();
    assert!(summary.clashes > 500 && summary.groups > 1);
    let expected = fs::read(&whole).unwrap();
    let path = root.join("part.jsonl");
    let partial = root.join("part.jsonl.partial");
    for ended in 0..count {
        assert!(go_on(&check, &path, ended).unwrap().is_none());
        let length = fs::metadata(&partial).unwrap().len();
        // A process that is killed may leave part of a line, or lines of a block without its end.
        for lost in [0, 1, 100, 3000, length - 10] {
            let bytes = fs::read(&partial).unwrap();
            fs::write(
                &partial,
                &bytes[..bytes.len() - (lost as usize).min(bytes.len())],
            )
            .unwrap();
            go_on(&check, &path, 0).unwrap();
        }
        go_on(&check, &path, ended).unwrap();
        assert_eq!(
            go_on(&check, &path, usize::MAX).unwrap(),
            Some(summary.clone())
        );
        assert_eq!(fs::read(&path).unwrap(), expected, "ended after {ended}");
        assert!(!partial.exists());
    }
}

#[test]
fn a_partial_report_of_something_else_is_refused_and_kept() {
    let root = folder("clash_other");
    let path = root.join("report.jsonl");
    let partial = root.join("report.jsonl.partial");
    assert!(go_on(&grid(300), &path, 1).unwrap().is_none());
    let bytes = fs::read(&partial).unwrap();
    let other = go_on(&grid(299), &path, 1).unwrap_err().to_string();
    assert!(other.contains("the first assembly changed"), "{other}");
    let parts = grid(300).a().parts().to_vec();
    let rules = check(parts, everything(0.2, 0.001));
    let other = go_on(&rules, &path, 1).unwrap_err().to_string();
    assert!(other.contains("the rules changed"), "{other}");
    let (check, sources) = (grid(300), sources());
    let blocks = check.blocks();
    let again = ReportWriter::start(ReportOptions {
        resume: false,
        ..options_of((&check, &blocks, &sources), &path, None)
    });
    assert!(matches!(again, Err(ReportError::Unfinished { .. })));
    assert_eq!(fs::read(&partial).unwrap(), bytes);
    for text in ["no report\n", "no report"] {
        fs::write(&partial, text).unwrap();
        let other = go_on(&check, &path, 1).unwrap_err();
        assert!(matches!(other, ReportError::NoReport { .. }), "{other}");
        assert_eq!(fs::read_to_string(&partial).unwrap(), text);
    }
}

#[test]
fn a_partial_report_counts_up_to_what_is_not_of_this_check() {
    let root = folder("clash_mangled");
    let check = grid(300);
    let whole = root.join("whole.jsonl");
    go_on(&check, &whole, usize::MAX).unwrap();
    let path = root.join("report.jsonl");
    let partial = root.join("report.jsonl.partial");
    for (wanted, field, value) in [
        ("clash", "b", json!(4_000_000)),
        ("clash", "a", json!(4_000_000)),
        ("block", "last", json!([0, 1])),
    ] {
        assert!(go_on(&check, &path, 1).unwrap().is_none());
        let text = fs::read_to_string(&partial).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| line.parse().unwrap()).collect();
        let line = lines.iter_mut().find(|line| line["type"] == wanted);
        line.unwrap()[field] = value;
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&partial, text).unwrap();
        assert!(go_on(&check, &path, 0).unwrap().is_none());
        let left = fs::read_to_string(&partial).unwrap();
        assert_eq!(left.lines().count(), 1, "{wanted} {field}");
        go_on(&check, &path, usize::MAX).unwrap();
        assert_eq!(fs::read(&path).unwrap(), fs::read(&whole).unwrap());
    }
}

#[test]
fn a_report_replaces_reports_and_empty_files_but_nothing_else() {
    let root = folder("clash_replaces");
    let check = grid(30);
    let path = root.join("report.jsonl");
    for name in ["report.jsonl", "report.jsonl.whole", "report.jsonl.partial"] {
        let model = root.join(name);
        fs::write(&model, "v 0 0 0\nv 1 0 0\n").unwrap();
        let refused = go_on(&check, &path, usize::MAX).unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
        assert_eq!(fs::read(&model).unwrap(), b"v 0 0 0\nv 1 0 0\n");
        fs::remove_file(&model).unwrap();
    }
    fs::write(&path, "").unwrap();
    assert!(go_on(&check, &path, usize::MAX).unwrap().is_some());
    assert!(go_on(&check, &path, usize::MAX).unwrap().is_some());
    let table = root.join("report.csv");
    assert!(go_on(&check, &table, usize::MAX).unwrap().is_some());
    assert!(go_on(&check, &table, usize::MAX).unwrap().is_some());
}

#[cfg(unix)]
#[test]
fn a_report_goes_through_no_link() {
    let root = folder("clash_links");
    let check = grid(30);
    let target = root.join("target");
    for name in ["report.jsonl", "report.jsonl.whole", "report.jsonl.partial"] {
        fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, root.join(name)).unwrap();
        let refused = go_on(&check, &root.join("report.jsonl"), usize::MAX).unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
        assert_eq!(fs::read(&target).unwrap(), b"");
        fs::remove_file(root.join(name)).unwrap();
    }
}

#[test]
fn the_lines_of_a_report_are_valid_json_and_its_summary_counts_them() {
    let root = folder("clash_lines");
    let path = root.join("report.jsonl");
    let summary = go_on(&grid(40), &path, usize::MAX).unwrap().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["type"], "header");
    assert_eq!(lines[0]["a"]["parts"], 80);
    assert_eq!(lines[0]["unit"], "that of the files");
    assert_eq!(lines[0]["rules"], Value::Null);
    let last = lines.last().unwrap();
    assert_eq!(*last, serde_json::to_value(&summary).unwrap());
    let clashes = &lines[1..lines.len() - 1];
    assert_eq!(clashes.len() as u64, summary.clashes);
    for (number, line) in clashes.iter().enumerate() {
        assert_eq!(line["clash"], number + 1);
        assert!(line["group"].as_u64() <= line["clash"].as_u64());
        assert!(line["lower"].as_f64() <= line["upper"].as_f64());
    }
    let near = clashes
        .iter()
        .filter(|line| line["kind"] == "clearance")
        .count();
    assert_eq!(summary.kinds[Kind::Clearance as usize].clashes, near as u64);
    assert_eq!(summary.faults, summary.clashes, "a clearance is asked for");
}

#[test]
fn patterns_that_match_no_part_are_among_the_warnings_once() {
    let rules =
        r#"{"rules": [{"between": ["IfcWal/*", "*"], "optional": true}, {"between": ["*", "*"]}]}"#;
    let check = check(
        vec![cuboid("a", [1.0; 3], [0.0; 3])],
        Rules::from_json(rules).unwrap(),
    );
    let path = folder("clash_unmatched").join("report.jsonl");
    let summary = go_on(&check, &path, usize::MAX).unwrap().unwrap();
    assert_eq!(summary.unmatched_patterns, ["IfcWal/*"]);
    // Rules without a file are not none.
    let text = fs::read_to_string(&path).unwrap();
    let header: Value = text.lines().next().unwrap().parse().unwrap();
    assert_eq!(header["rules"], "of the program");
    let warning = "the pattern \"IfcWal/*\" matches no part";
    assert_eq!(summary.warnings, [warning]);
    assert_eq!(summary.to_string().matches(warning).count(), 1);
}

#[test]
fn lengths_of_gltf_are_metres() {
    let path = folder("clash_units").join("report.jsonl");
    let (check, mut sources) = (grid(2), sources());
    let blocks = check.blocks();
    for (name, unit) in [
        ("plan.GLB", "metre"),
        ("plan.gltf", "metre"),
        ("plan.obj", "that of the files"),
    ] {
        sources.a.name = name.to_owned();
        let options = options_of((&check, &blocks, &sources), &path, None);
        let mut report = ReportWriter::start(options).unwrap();
        for block in &blocks {
            report.write(block, &check.measure(block)).unwrap();
        }
        report.finish().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let header: Value = text.lines().next().unwrap().parse().unwrap();
        assert_eq!(header["unit"], unit, "{name}");
    }
}

#[test]
fn a_table_has_a_row_for_each_clash() {
    let root = folder("clash_csv");
    let path = root.join("report.csv");
    let summary = go_on(&grid(40), &path, usize::MAX).unwrap().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count() as u64, summary.clashes + 1);
    assert!(text.starts_with("clash,group,kind,inner,proven,allowed,a,b,"));
    // Names with a comma or quotes are in quotes.
    assert!(text.contains(r#","box, 0","lid ""0""","#), "{text}");
}

#[test]
fn what_is_told_to_stop_stops_and_can_be_resumed() {
    let root = folder("clash_stop");
    let check = grid(200);
    let (blocks, sources) = (check.blocks(), sources());
    let path = root.join("report.jsonl");
    let begin = || {
        let options = options_of((&check, &blocks, &sources), &path, None);
        ReportWriter::start(options).unwrap()
    };
    let mut left = 3;
    let three_pairs = || {
        left -= 1;
        left >= 0
    };
    assert!(check.measure_while(&blocks[0], three_pairs).is_none());
    let mut report = begin();
    let mut grouped = Vec::new();
    for block in &blocks {
        let found = check.measure_while(block, || true).unwrap();
        grouped.extend(found.iter().map(|clash| check.grouped(clash)));
        report.write(block, &found).unwrap();
    }
    assert!(grouped.len() > 100 && groups_while(&grouped, || false).is_none());
    // At any clash, while groups are sought and while lines are written.
    let asked = Cell::new(0);
    let count = |most: usize| {
        asked.set(0);
        begin().finish_while(|| {
            asked.set(asked.get() + 1);
            asked.get() <= most
        })
    };
    for most in [0, grouped.len() / 2, grouped.len() + 3, 2 * grouped.len()] {
        match count(most) {
            Err(ReportError::File { error, .. }) => {
                assert_eq!(error.kind(), ErrorKind::Interrupted);
            }
            other => panic!("{most}: {other:?}"),
        }
        assert!(!path.exists());
    }
    assert_eq!(count(usize::MAX).unwrap().clashes as usize, grouped.len());
    assert!(path.exists());
}

#[test]
fn clashes_that_are_near_each_other_on_a_part_are_a_group() {
    let at = |x: f64, parts, kind| Grouped {
        kind,
        parts,
        point: DVec3::new(x, 0.0, 0.0),
        size: 4.0,
    };
    let overlap = Kind::Overlap;
    let clashes = [
        at(0.0, [7, 1], overlap),
        at(10.0, [7, 2], overlap),
        at(0.5, [7, 3], Kind::Touch),
        at(1.0, [3, 7], overlap),
        // Near the fourth, but not the first: a chain.
        at(2.0, [7, 4], overlap),
        at(2.0, [8, 9], overlap),
    ];
    assert_eq!(groups(&clashes), [0, 1, 2, 0, 0, 5]);
    assert!(groups(&[]).is_empty());
}

/// The groups by their definition, pair by pair.
fn groups_by_pairs(clashes: &[Grouped]) -> Vec<u32> {
    let mut leaders: Vec<u32> = (0..clashes.len() as u32).collect();
    for (later, one) in clashes.iter().enumerate() {
        for (earlier, other) in clashes[..later].iter().enumerate() {
            let shares = one.parts.iter().any(|part| other.parts.contains(part));
            let near = (one.point - other.point).length() <= 0.25 * one.size.min(other.size);
            if one.kind == other.kind && shares && near {
                let [from, to] = [leaders[later], leaders[earlier]];
                let joined = |leader: &mut u32| {
                    if *leader == from || *leader == to {
                        *leader = from.min(to);
                    }
                };
                leaders.iter_mut().for_each(joined);
            }
        }
    }
    leaders
}

#[test]
fn groups_are_those_of_their_definition() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for spread in [0.0, 1.0, 20.0, 1e9] {
        let mut clash = |_| Grouped {
            kind: Kind::Overlap,
            parts: [random.random_range(0..3), random.random_range(3..40)],
            point: spread * DVec3::from_array([0, 1, 2].map(|_| random.random_range(-1.0..1.0))),
            size: f64::powi(4.0, random.random_range(-4..4)) * random.random_range(0.5..2.0),
        };
        let clashes: Vec<Grouped> = (0..400).map(&mut clash).collect();
        assert_eq!(groups(&clashes), groups_by_pairs(&clashes), "{spread}");
    }
}

#[test]
fn many_clashes_of_a_part_are_grouped_at_once() {
    // Bolts in a wall square to x, far from each other, and as many at one place.
    let bolt = |number: u32| Grouped {
        kind: Kind::Overlap,
        parts: [0, 1 + number],
        point: DVec3::new(0.0, f64::from(number % 200), f64::from(number / 200)),
        size: 1.0,
    };
    let begin = Instant::now();
    let wall: Vec<Grouped> = (0..40_000).map(bolt).collect();
    assert!(groups(&wall).into_iter().eq(0..40_000));
    let heap = |number| Grouped {
        point: 1e-6 * bolt(number).point,
        ..bolt(number)
    };
    let heap: Vec<Grouped> = (0..40_000).map(heap).collect();
    assert!(groups(&heap).into_iter().all(|leader| leader == 0));
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn a_digit_that_changed_in_a_partial_report_is_measured_again() {
    let root = folder("clash_digits");
    let check = grid(800);
    let path = root.join("report.jsonl");
    let partial = root.join("report.jsonl.partial");
    go_on(&check, &path, usize::MAX).unwrap();
    let expected = fs::read(&path).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(63);
    for _ in 0..20 {
        go_on(&check, &path, 2).unwrap();
        let mut bytes = fs::read(&partial).unwrap();
        let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let digits = (header..bytes.len()).filter(|&k| bytes[k].is_ascii_digit());
        let digits: Vec<usize> = digits.collect();
        let digit = digits[random.random_range(0..digits.len())];
        bytes[digit] = b'0' + (bytes[digit] - b'0' + random.random_range(1..10)) % 10;
        fs::write(&partial, bytes).unwrap();
        go_on(&check, &path, usize::MAX).unwrap();
        assert_eq!(fs::read(&path).unwrap(), expected, "byte {digit}");
    }
}

fn options_of<'r>(
    (check, blocks, sources): (&'r Check, &'r [Block], &'r Sources),
    path: &'r Path,
    shard: Option<Range<usize>>,
) -> ReportOptions<'r> {
    ReportOptions {
        check,
        blocks,
        sources,
        path,
        resume: true,
        since: None,
        shard,
    }
}

/// The files of all shards, each ended once behind its first block.
fn shards_of(
    (check, blocks, sources): (&Check, &[Block], &Sources),
    root: &Path,
    count: u64,
) -> Vec<PathBuf> {
    let mut next = 0;
    let mut paths = Vec::new();
    for number in 0..count {
        let range = shard_of(blocks, number, count);
        assert_eq!(range.start, next);
        next = range.end;
        let path = root.join(format!("{number}.shard"));
        for most in [1, usize::MAX] {
            let options = options_of((check, blocks, sources), &path, Some(range.clone()));
            let mut report = ReportWriter::start(options).unwrap();
            for block in blocks[report.done()..range.end].iter().take(most) {
                report.write(block, &check.measure(block)).unwrap();
            }
            if most > 1 {
                report.finish_shard().unwrap();
            }
        }
        paths.push(path);
    }
    assert_eq!(next, blocks.len());
    paths
}

#[test]
fn shards_are_merged_to_the_bytes_of_one_run() {
    let root = folder("clash_shards");
    let (check, sources) = (grid(800), sources());
    let blocks = check.blocks();
    let whole = root.join("whole.jsonl");
    go_on(&check, &whole, usize::MAX).unwrap();
    let path = root.join("merged.jsonl");
    let merged = |shards: &[PathBuf]| {
        let options = options_of((&check, &blocks, &sources), &path, None);
        let mut report = ReportWriter::start(options).unwrap();
        match report.merge(shards) {
            Ok(()) => report.finish().map(drop),
            Err(error) => {
                fs::remove_file(report.partial()).unwrap();
                Err(error)
            }
        }
    };
    // More shards than blocks as well.
    for count in [1, 2, 3, blocks.len() as u64 + 5] {
        let mut shards = shards_of((&check, &blocks, &sources), &root, count);
        shards.reverse();
        merged(&shards).unwrap();
        assert_eq!(
            fs::read(&path).unwrap(),
            fs::read(&whole).unwrap(),
            "{count}"
        );
        // The first shard of several has blocks.
        let first = shards.len() - 1;
        let missing = merged(&shards[..first]).unwrap_err();
        assert!(
            matches!(missing, ReportError::Missing { first: 0, .. }),
            "{missing}"
        );
        let text = fs::read_to_string(&shards[first]).unwrap();
        let damaged = text.replacen("\"distance\":0.", "\"distance\":1.", 1);
        assert!(damaged != text || count > 3);
        fs::write(&shards[first], damaged).unwrap();
        let refused = merged(&shards).map_err(|error| error.to_string());
        assert!(count > 3 || refused.unwrap_err().contains("measure the shard again"));
    }
    let other = merged_error(&grid(799), &root.join("0.shard"), &path);
    assert!(
        other.contains("the first assembly changed since"),
        "{other}"
    );
}

/// Why a file is no shard of a check.
fn merged_error(check: &Check, shard: &Path, path: &Path) -> String {
    let (blocks, sources) = (check.blocks(), sources());
    let options = options_of((check, &blocks, &sources), path, None);
    let mut report = ReportWriter::start(options).unwrap();
    report.merge(&[shard.to_owned()]).unwrap_err().to_string()
}

#[test]
fn faults_are_new_known_moved_or_solved_since_an_earlier_run() {
    let root = folder("clash_since");
    let places = |moved: f64, solved: f64, new: f64| {
        let wall = box_of("wall", [0.0; 3], [10.0, 1.0, 10.0]);
        let pipe = |name: &str, x: f64| box_of(name, [x, -1.0, 1.0], [x + 0.5, 2.0, 1.5]);
        let pipes = [
            ("moved", moved),
            ("same", 3.0),
            ("solved", solved),
            ("new", new),
        ];
        let pipes = pipes.map(|(name, x)| pipe(name, x));
        check(
            [vec![wall], pipes.to_vec()].concat(),
            everything(0.0, 0.001),
        )
    };
    let (before, after) = (places(1.0, 5.0, 20.0), places(7.0, 30.0, 8.0));
    let old = root.join("old.jsonl");
    go_on(&before, &old, usize::MAX).unwrap();
    let earlier = Earlier::from_report(BufReader::new(fs::File::open(&old).unwrap())).unwrap();
    let (blocks, sources) = (after.blocks(), sources());
    let path = root.join("new.jsonl");
    let mut report = ReportWriter::start(ReportOptions {
        since: Some(&earlier),
        ..options_of((&after, &blocks, &sources), &path, None)
    })
    .unwrap();
    for block in &blocks {
        report.write(block, &after.measure(block)).unwrap();
    }
    let changes = report.finish().unwrap().changes.unwrap();
    let counted = [changes.new, changes.known, changes.moved, changes.solved];
    assert_eq!(counted, [1; 4]);
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| line.parse::<Value>().unwrap());
    let named: Vec<String> = lines
        .filter(|line| line["type"] == "clash" || line["type"] == "solved")
        .map(|line| format!("{} {}", line["a"], line["change"]))
        .collect();
    let expected = [
        "\"moved\" \"moved\"",
        "\"new\" \"new\"",
        "\"same\" \"known\"",
        "\"solved\" null",
    ];
    assert_eq!(named, expected);
}
