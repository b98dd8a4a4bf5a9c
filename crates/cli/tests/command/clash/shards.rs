//! Shards of any scheduler.

use std::fs;

use super::{checked, folder, room, text};

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
    ran.assert_refused("are in no shard");
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
        assert_eq!(
            checked(&room, &merged, &["--shard", wrong]).code,
            2,
            "{wrong}"
        );
    }
}
