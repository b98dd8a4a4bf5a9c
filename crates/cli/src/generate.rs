//! `clearance generate`: scenes for tests and benchmarks.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use clearance_scene::SceneKind;

use crate::failure::{Failure, Verdict};
use crate::number::{any_whole, whole};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  clearance generate mixed --count 10000 --seed 7 > mixed.json
  clearance generate pile2 --count 500 | clearance run - --frames 60

Kind, count and seed decide the scene to the last bit, on every platform.";

/// Generate a random scene and write it to standard output.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What the scene is like
    kind: KindName,
    /// Number of bodies, at most 100,000,000, since all of them are held in memory
    #[arg(long, value_name = "N", default_value = "1000", allow_hyphen_values = true, value_parser = count)]
    count: u64,
    /// Each seed gives another scene of the kind
    #[arg(long, value_name = "S", default_value = "1", allow_hyphen_values = true, value_parser = any_whole)]
    seed: u64,
}

fn count(word: &str) -> Result<u64, String> {
    whole(word, 0..=100_000_000)
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
