//! Prints what the suites of the package `peers` measured last as tables in Markdown: Clearance beside the
//! best of the others, two threads beside one, and the cost of a body as scenes grow. It is not in that
//! package, because it needs no other engine.
//!
//! ```text
//! cargo run -p clearance-benches --bin ratios
//! ```

#![allow(clippy::print_stdout, reason = "the tables are the output")]

use std::collections::BTreeMap;
use std::error::Error;

use clearance_benches::{Measurement, measurements, written};

/// What is compared: the beginning of the name of a measurement and the greatest ratio that is good
/// enough. The first that fits counts.
const TARGETS: [(&str, f64); 12] = [
    ("frames/balls", 1.0 / 2.0),
    ("frames/mixed", 1.0 / 3.0),
    ("frames/hulls", 1.0 / 3.0),
    ("frames/pile-", 1.0 / 3.0),
    ("frames/city", 1.0 / 3.0),
    ("frames", 1.0),
    ("broad/balls", 1.0),
    ("broad", 1.0 / 1.3),
    ("narrow-apart/hull", 1.0 / 1.5),
    ("narrow-apart", 1.0),
    ("narrow-overlapping", 1.0 / 3.0),
    ("narrow-intersects", 1.0),
];

/// Two threads beside one, and a body of the largest scene beside one of a scene of 10,000.
const THREADS_TARGET: f64 = 1.0 / 1.6;
const GROWTH_TARGET: f64 = 2.0;

/// Ten times as many fixed bodies, and the same that move.
const FIXED_TARGET: f64 = 1.2;

/// What is shown, but does not do all of the work: it loses contacts that the others find.
const INCOMPLETE: [&str; 1] = ["parry-axes"];

/// The measurements of one row, by who was measured.
struct Row {
    name: String,
    columns: Vec<(String, Measurement)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = rows(measurements()?);
    compared(&rows);
    threads(&rows);
    growth(&rows);
    Ok(())
}

/// Measurements that differ in what follows the last slash make a row.
fn rows(measurements: Vec<Measurement>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places = BTreeMap::new();
    for measurement in measurements {
        let Some((name, column)) = measurement.name.rsplit_once('/') else {
            continue;
        };
        let place = *places.entry(name.to_owned()).or_insert(rows.len());
        if place == rows.len() {
            rows.push(Row {
                name: name.to_owned(),
                columns: Vec::new(),
            });
        }
        rows[place].columns.push((column.to_owned(), measurement));
    }
    rows
}

impl Row {
    fn is_of(&self, group: &str) -> bool {
        self.name.split('/').next() == Some(group)
    }

    fn time(&self, column: &str) -> Option<f64> {
        let found = self.columns.iter().find(|(name, _)| name == column);
        found.map(|(_, measurement)| each(measurement))
    }
}

/// Nanoseconds of one pair, or of one frame.
fn each(measurement: &Measurement) -> f64 {
    match measurement.elements {
        Some(count) if measurement.name.starts_with("narrow") => measurement.time / count,
        _ => measurement.time,
    }
}

fn verdict(ratio: f64, target: f64) -> &'static str {
    if ratio <= target { "yes" } else { "no" }
}

fn compared(rows: &[Row]) {
    println!("| work | Clearance | best other | its time | ratio | target | met | all others |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | --- | --- |");
    for row in rows {
        let fits = |(beginning, _): &&(&str, f64)| row.name.starts_with(beginning);
        if let Some((_, target)) = TARGETS.iter().find(fits) {
            let Some(ours) = row.time("clearance") else {
                continue;
            };
            let others = row.columns.iter().filter(|(name, _)| name != "clearance");
            let mut times: Vec<(&str, f64)> =
                others.map(|(name, m)| (name.as_str(), each(m))).collect();
            times.sort_by(|a, b| a.1.total_cmp(&b.1));
            let is_other =
                |name: &str| !name.starts_with("clearance") && !INCOMPLETE.contains(&name);
            let Some(best) = times.iter().find(|(name, _)| is_other(name)) else {
                continue;
            };
            let ratio = ours / best.1;
            let all: Vec<String> = times
                .iter()
                .map(|(name, time)| format!("{name} {}", written(*time)))
                .collect();
            println!(
                "| {} | {} | {} | {} | {ratio:.2} | {target:.2} | {} | {} |",
                row.name,
                written(ours),
                best.0,
                written(best.1),
                verdict(ratio, *target),
                all.join(", "),
            );
        }
    }
}

fn threads(rows: &[Row]) {
    println!("\n| work | one thread | two | ratio | target | met |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for row in rows.iter().filter(|row| row.is_of("threads")) {
        if let (Some(one), Some(two)) = (row.time("1"), row.time("2")) {
            let (ratio, target) = (two / one, THREADS_TARGET);
            println!(
                "| {} | {} | {} | {ratio:.2} | {target:.2} | {} |",
                row.name,
                written(one),
                written(two),
                verdict(ratio, target),
            );
        }
    }
}

fn growth(rows: &[Row]) {
    println!("\n| work | bodies | a step | a body | ratio | target | met |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    for row in rows.iter().filter(|row| row.is_of("growth")) {
        // More fixed bodies are to cost nothing: there the whole step counts.
        let is_fixed = row.name.ends_with("fixed");
        let cost = |measurement: &Measurement| match measurement.elements {
            Some(count) if !is_fixed => measurement.time / count,
            _ => measurement.time,
        };
        // Of the smallest city, or of a scene of 10,000: with fewer all is in the caches.
        let is_measure = |(bodies, _): &&(String, Measurement)| is_fixed || bodies == "10000";
        let Some((_, measure)) = row.columns.iter().find(is_measure) else {
            continue;
        };
        let target = if is_fixed {
            FIXED_TARGET
        } else {
            GROWTH_TARGET
        };
        for (bodies, measurement) in &row.columns {
            let ratio = cost(measurement) / cost(measure);
            let each = measurement.elements.unwrap_or(1.0);
            println!(
                "| {} | {bodies} | {} | {} | {ratio:.2} | {target:.2} | {} |",
                row.name,
                written(measurement.time),
                written(measurement.time / each),
                verdict(ratio, target),
            );
        }
    }
}
