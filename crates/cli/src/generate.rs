//! `clearance generate`: scenes made up.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use clearance_scene::SceneKind;

use crate::failure::Failure;
use crate::{Verdict, output};

const EXAMPLES: &str = "\
Examples:
  clearance generate mixed --count 10000 --seed 7 > mixed.json
  clearance generate pile2 --count 500 | clearance run - --frames 60

The same kind, count and seed give the same scene on every platform.";

/// Write a made-up scene to standard output.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What the scene is like
    kind: KindName,
    /// How many bodies, at most a hundred million: they are held in memory
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    count: u32,
    /// Another seed gives another scene of the same kind
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let scene =
        clearance_scene::generate(arguments.kind.0, arguments.count as usize, arguments.seed);
    let mut out = output::standard();
    match scene.write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(Verdict::Fine),
        Err(error) => Failure::of_output(error),
    }
}

/// A kind by its name on the command line.
#[derive(Clone, Copy)]
struct KindName(SceneKind);

impl ValueEnum for KindName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [KindName; SceneKind::ALL.len()] = {
            let mut names = [KindName(SceneKind::Balls); SceneKind::ALL.len()];
            let mut index = 0;
            while index < names.len() {
                names[index] = KindName(SceneKind::ALL[index]);
                index += 1;
            }
            names
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.summary()))
    }
}
