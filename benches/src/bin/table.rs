//! Prints what the suites measured last as a table in Markdown, read from criterion's files.
//!
//! ```text
//! cargo run -p clearance-benches --bin table
//! ```

#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// One measurement.
struct Row {
    name: String,
    /// Nanoseconds of one run, median.
    time: f64,
    /// How many pairs, directions or bodies one run goes through.
    elements: Option<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let mut rows = Vec::new();
    collect(&PathBuf::from(target).join("criterion"), &mut rows)?;
    rows.sort_by_cached_key(|row| padded(&row.name));
    println!("| measurement | a run | each |\n| --- | ---: | ---: |");
    for Row {
        name,
        time,
        elements,
    } in rows
    {
        let each = elements.map_or(String::new(), |count| written(time / count));
        println!("| {name} | {} | {each} |", written(time));
    }
    Ok(())
}

/// The name with its numbers filled up with zeros, so that they sort by value.
fn padded(name: &str) -> String {
    let words = name.split_inclusive(|c: char| !c.is_ascii_digit());
    words.map(|word| format!("{word:0>8}")).collect()
}

/// Finds the newest measurement in every folder below `folder`.
fn collect(folder: &Path, rows: &mut Vec<Row>) -> Result<(), Box<dyn Error>> {
    let newest = folder.join("new");
    if newest.join("estimates.json").is_file() {
        rows.push(row(&newest)?);
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, rows)?;
        }
    }
    Ok(())
}

fn row(folder: &Path) -> Result<Row, Box<dyn Error>> {
    let read = |name: &str| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_slice(&fs::read(folder.join(name))?)?)
    };
    let benchmark = read("benchmark.json")?;
    let time = &read("estimates.json")?["median"]["point_estimate"];
    Ok(Row {
        name: benchmark["full_id"].as_str().ok_or("no name")?.to_owned(),
        time: time.as_f64().ok_or("no median")?,
        elements: benchmark["throughput"]["Elements"].as_f64(),
    })
}

fn written(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e6 => format!("{:.2} µs", time / 1e3),
        time => format!("{:.2} ms", time / 1e6),
    }
}
