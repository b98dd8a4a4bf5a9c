//! What criterion has written about measurements, read back.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The newest result of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Group, function and parameter, joined by slashes.
    pub name: String,
    /// Nanoseconds of one run, median.
    pub time: f64,
    /// How many pairs, directions or bodies one run goes through.
    pub elements: Option<f64>,
}

/// All measurements in the target folder, in the order of their names; numbers count by value.
///
/// # Errors
/// A folder that cannot be read, or a file that criterion has not written.
pub fn measurements() -> Result<Vec<Measurement>, Box<dyn Error>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let mut found = Vec::new();
    collect(&PathBuf::from(target).join("criterion"), &mut found)?;
    found.sort_by_cached_key(|measurement| padded(&measurement.name));
    Ok(found)
}

/// A time in the unit that suits it.
#[must_use]
pub fn written(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e6 => format!("{:.2} µs", time / 1e3),
        time => format!("{:.2} ms", time / 1e6),
    }
}

/// The name with its numbers filled up with zeros, so that they sort by value.
fn padded(name: &str) -> String {
    let words = name.split_inclusive(|c: char| !c.is_ascii_digit());
    words.map(|word| format!("{word:0>8}")).collect()
}

/// Finds the newest measurement in every folder below `folder`.
fn collect(folder: &Path, found: &mut Vec<Measurement>) -> Result<(), Box<dyn Error>> {
    let newest = folder.join("new");
    if newest.join("estimates.json").is_file() {
        found.push(measurement(&newest)?);
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        }
    }
    Ok(())
}

fn measurement(folder: &Path) -> Result<Measurement, Box<dyn Error>> {
    let read = |name: &str| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_slice(&fs::read(folder.join(name))?)?)
    };
    let benchmark = read("benchmark.json")?;
    let time = &read("estimates.json")?["median"]["point_estimate"];
    Ok(Measurement {
        name: benchmark["full_id"].as_str().ok_or("no name")?.to_owned(),
        time: time.as_f64().ok_or("no median")?,
        elements: benchmark["throughput"]["Elements"].as_f64(),
    })
}
