//! Prints what the suites measured last as a table in Markdown, read from criterion's files.
//!
//! ```text
//! cargo run -p clearance-benches --bin table
//! ```

#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::error::Error;

use clearance_benches::{Measurement, measurements, written};

fn main() -> Result<(), Box<dyn Error>> {
    println!("| measurement | a run | each |\n| --- | ---: | ---: |");
    for Measurement {
        name,
        time,
        elements,
    } in measurements()?
    {
        let each = elements.map_or(String::new(), |count| written(time / count));
        println!("| {name} | {} | {each} |", written(time));
    }
    Ok(())
}
