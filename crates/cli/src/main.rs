//! The `clearance` command: distances of pair files, stepping of scene files.

mod check;
mod failure;
mod generate;
mod input;
mod output;
mod query;
mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  Step 10,000 bodies for 300 frames and print what it cost:
    clearance generate mixed --count 10000 > scene.json
    clearance run scene.json --frames 300

  The distance of two balls, 3 apart from centre to centre:
    echo '{\"id\": 1, \"dimension\": 3,
      \"a\": {\"shape\": {\"type\": \"ball\", \"radius\": 1}},
      \"b\": {\"shape\": {\"type\": \"ball\", \"radius\": 0.5},
            \"pose\": {\"translation\": [3, 0, 0]}}}' | tr -d '\\n' | clearance query

  `clearance COMMAND --help` says more about each command.";

/// Signed distances, closest points and normals of convex shapes, and of scenes of moving bodies.
#[derive(Parser)]
#[command(name = "clearance", version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Query(query::Arguments),
    Run(run::Arguments),
    Generate(generate::Arguments),
    Check(check::Arguments),
}

/// Whether everything that a command was given was fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// Some of it was not, and the output says what.
    Flawed,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Query(arguments) => query::execute(&arguments),
        Command::Run(arguments) => run::execute(&arguments),
        Command::Generate(arguments) => generate::execute(&arguments),
        Command::Check(arguments) => check::execute(&arguments),
    };
    match done {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Flawed) => ExitCode::from(1),
        Err(failure) => {
            failure.show();
            ExitCode::from(2)
        }
    }
}
