//! The table of results, written where the environment variable UPDATE_ACCURACY is set.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::harness::Record;

/// Tests run side by side; each adds its row.
static FILE: Mutex<()> = Mutex::new(());

const HEAD: &str = include_str!("head.md");

/// How many columns make a row's key: category, dimension and cores, after what is before the first.
const KEY_COLUMNS: usize = 4;

/// Replaces the row of a category, or adds it.
pub(crate) fn update(record: &Record) {
    if std::env::var_os("UPDATE_ACCURACY").is_none() {
        return;
    }
    let _guard = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ACCURACY.md");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let row = row(record);
    let mut rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !HEAD.contains(line) && key(line) != key(&row))
        .collect();
    rows.push(&row);
    rows.sort_unstable();
    let written = format!("{HEAD}{}\n", rows.join("\n"));
    std::fs::write(&path, written).expect("the table can be written");
}

fn key(line: &str) -> Vec<&str> {
    line.split('|').take(KEY_COLUMNS).collect()
}

fn row(record: &Record) -> String {
    let cells = [
        record.name.to_string(),
        format!("{}D", record.dimension),
        record.class.name().to_string(),
        record.pairs.to_string(),
        record.truth_name().to_string(),
        short(record.bracket.value),
        short(record.apart.value),
        short(record.overlapping.value),
        short(record.wrong_bound.value),
        short(record.quantile(0.5)),
        short(record.quantile(0.99)),
        short(record.quantile(0.999)),
        short(record.quantile(1.0)),
        statuses(record),
    ];
    format!("| {} |", cells.join(" | "))
}

/// Two digits; a dash for nothing.
fn short(value: f64) -> String {
    if value == 0.0 {
        "-".to_string()
    } else {
        format!("{value:.1e}")
    }
}

fn statuses(record: &Record) -> String {
    let shares = record
        .statuses
        .map(|count| format!("{:.2}", 100.0 * count as f64 / record.pairs as f64));
    shares.join(" / ")
}
