//! The `clearance` command: answers questions about shapes and scenes, steps scenes, checks assemblies for clashes, draws and shows.

mod ask;
mod check;
mod clash;
mod failure;
mod generate;
mod hashes;
mod input;
mod interrupt;
mod lines;
mod number;
mod output;
mod output_file;
mod progress;
mod query;
mod render;
mod replay;
mod run;
mod run_outputs;
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use failure::{INTERRUPTED, Verdict};

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

  What a ray hits first in that scene:
    echo '{\"ask\": \"ray\", \"origin\": [0, 0, 0], \"direction\": [1, 0, 0]}' |
      clearance ask scene.json

  A picture of that scene after 60 frames:
    clearance render scene.json --frame 60 -o scene.png

  See it in the browser:
    clearance view scene.json --open

  Which parts of a building are where others are:
    clearance clash building.glb -o report.jsonl

  Record a run, and compute it again on another machine; the contacts have the same bits:
    clearance run scene.json --record run.clrec
    clearance replay run.clrec

`clearance COMMAND --help` explains each command.
docs/file-formats.md in the source code describes the files: shapes, poses, questions and scenes.";

/// Signed distances, closest points, normals and rays, for single pairs of shapes and for scenes of
/// moving bodies.
#[derive(Parser)]
#[command(name = "clearance", version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Query(query::Arguments),
    Ask(ask::Arguments),
    Run(run::Arguments),
    Render(render::Arguments),
    Replay(replay::Arguments),
    Generate(generate::Arguments),
    Check(check::Arguments),
    Clash(Box<clash::Arguments>),
    View(view::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Query(arguments) => query::execute(&arguments),
        Command::Ask(arguments) => ask::execute(&arguments),
        Command::Run(arguments) => run::execute(&arguments),
        Command::Render(arguments) => render::execute(&arguments),
        Command::Replay(arguments) => replay::execute(&arguments),
        Command::Generate(arguments) => generate::execute(&arguments),
        Command::Check(arguments) => check::execute(&arguments),
        Command::Clash(arguments) => clash::execute(&arguments),
        Command::View(arguments) => view::execute(&arguments),
    };
    match done {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Flawed) => ExitCode::from(1),
        Ok(Verdict::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(failure) => {
            failure.show();
            ExitCode::from(2)
        }
    }
}
