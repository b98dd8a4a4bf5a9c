//! `clearance replay`: computes the frames of a recording again.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use clearance_recording::{AnyPlayer, Damage, Difference, FoundIn, PairDifference, PlayerOptions};
use serde_json::{Value, json};

use crate::failure::{Failure, Verdict};
use crate::run::Stepping;
use crate::{input, output};

/// How many pairs that differ are printed as text.
const SHOWN_PAIRS: usize = 10;

const EXAMPLES: &str = "\
Examples:
  Record a run, and compute its frames again, on another machine for instance:
    clearance run scene.json --frames 600 --record run.clrec
    clearance replay run.clrec

  With threads, or with every box against every other; the contacts must be the same:
    clearance replay run.clrec --threads 4
    clearance replay run.clrec --backend brute

  In a script:
    clearance replay run.clrec --json | jq .difference.frame

A recording holds what the world was given, and a hash of the contacts of each frame. Where the
contacts that are computed differ from those that were recorded, the frame and the pairs of bodies
are printed, such as 4v0 and 17v0: slot 4 and slot 17, each the first body in its slot. The bodies
of a scene have the slots 0, 1, 2 and so on.

A recording that is damaged or cut off is played up to there, and the byte and the frame from which
on it cannot be read are printed. Bodies with shapes of the recorded program itself are shown as
boxes, and their pairs are not compared.

Exit code: 0 if all contacts are as they were recorded, 1 if not or if the recording is damaged, 2
if it cannot be read at all.
docs/file-formats.md in the source code describes recordings.";

/// Compute the frames of a recording again and print the first whose contacts differ.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A recording, or - for standard input
    recording: PathBuf,
    #[command(flatten)]
    stepping: Stepping,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of a recording that was played.
struct Replay {
    dimension: usize,
    bytes: usize,
    first: u64,
    last: u64,
    /// How many frames had contacts to compare with.
    compared: u64,
    difference: Option<Difference>,
    damage: Option<Damage>,
    /// The first body that was not where a keyframe has it, and the frame.
    drift: Option<clearance_recording::Drift>,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let name = input::name_of(&arguments.recording);
    let mut bytes = Vec::new();
    input::open(&arguments.recording)?
        .read_to_end(&mut bytes)
        .map_err(|error| input::unreadable(&arguments.recording, error))?;
    let length = bytes.len();
    let options = PlayerOptions {
        backend: arguments.stepping.backend.into(),
        threads: arguments.stepping.threads as usize,
        // It never goes back.
        kept_bytes: 0,
    };
    let player = AnyPlayer::open(bytes, options);
    let player = player.map_err(|error| Failure::Recording {
        name: name.clone(),
        error,
    })?;
    let replay = play(player, length);
    let is_fine = replay.difference.is_none() && replay.damage.is_none() && replay.drift.is_none();
    let written = if arguments.json {
        write_json(&replay, output::standard())
    } else {
        write_text(&name, &replay, output::standard())
    };
    match written {
        Ok(()) if is_fine => Ok(Verdict::Fine),
        Ok(()) => Ok(Verdict::Flawed),
        Err(error) => Failure::of_output(error),
    }
}

/// Plays all frames, up to the first that differs.
fn play(mut player: AnyPlayer, bytes: usize) -> Replay {
    let (dimension, first) = (player.dimension(), player.first());
    let mut compared = 0;
    let difference = loop {
        compared += u64::from(player.recorded_hash().is_some());
        if let Some(difference) = player.difference() {
            break Some(difference);
        }
        // Damage is kept by the player.
        if !player.advance().unwrap_or(false) {
            break None;
        }
    };
    Replay {
        dimension,
        bytes,
        first,
        last: player.last(),
        compared,
        difference,
        damage: player.damage().cloned(),
        drift: player.drift(),
    }
}

fn write_text(name: &str, replay: &Replay, mut out: impl Write) -> io::Result<()> {
    let Replay {
        dimension,
        bytes,
        first,
        last,
        compared,
        ..
    } = replay;
    let a_frame = *bytes as u64 / (last - first).max(1);
    writeln!(
        out,
        "{name}: {dimension}D, frames {first} to {last}, {bytes} bytes, {a_frame} a frame"
    )?;
    match &replay.difference {
        Some(difference) => write_difference(difference, &mut out)?,
        None => writeln!(
            out,
            "{compared} frames have the contacts that were recorded"
        )?,
    }
    if let Some(drift) = &replay.drift {
        let body = drift.body.map(|id| format!("body {id}"));
        let body = body.unwrap_or_else(|| "a body".to_owned());
        writeln!(out, "by frame {}, {body} is not where it was", drift.frame)?;
    }
    if let Some(damage) = &replay.damage {
        let Damage { byte, frame, what } = damage;
        writeln!(out, "damaged from byte {byte} on, at frame {frame}: {what}")?;
    }
    out.flush()
}

fn write_difference(difference: &Difference, out: &mut impl Write) -> io::Result<()> {
    let [recorded, computed] = difference.hashes;
    writeln!(
        out,
        "frame {}: the contacts differ: hash {recorded:016x} was recorded, {computed:016x} is computed",
        difference.frame
    )?;
    for PairDifference { a, b, found_in } in difference.pairs.iter().take(SHOWN_PAIRS) {
        let what = match found_in {
            FoundIn::Left => "had a contact, and have none",
            FoundIn::Right => "had no contact, and have one",
            FoundIn::Both => "have another contact",
        };
        writeln!(out, "  bodies {a} and {b} {what}")?;
    }
    match difference.pairs.len().saturating_sub(SHOWN_PAIRS) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more pairs"),
    }
}

fn write_json(replay: &Replay, mut out: impl Write) -> io::Result<()> {
    let damage = replay
        .damage
        .as_ref()
        .map(|damage| json!({"byte": damage.byte, "frame": damage.frame, "what": damage.what}));
    let drift = replay
        .drift
        .map(|drift| json!({"frame": drift.frame, "body": drift.body.map(|id| id.to_string())}));
    let value = json!({
        "dimension": replay.dimension,
        "bytes": replay.bytes,
        "first": replay.first,
        "last": replay.last,
        "compared": replay.compared,
        "difference": replay.difference.as_ref().map(difference_json),
        "drift": drift,
        "damage": damage,
    });
    writeln!(out, "{value}")?;
    out.flush()
}

fn difference_json(difference: &Difference) -> Value {
    // Hashes are strings, since many JSON readers round numbers of 64 bits.
    let [recorded, computed] = difference.hashes.map(|hash| format!("{hash:016x}"));
    let pair = |pair: &PairDifference| {
        let found_in = match pair.found_in {
            FoundIn::Left => "recording",
            FoundIn::Right => "replay",
            FoundIn::Both => "both",
        };
        json!({"a": pair.a.to_string(), "b": pair.b.to_string(), "found_in": found_in})
    };
    let pairs: Vec<Value> = difference.pairs.iter().map(pair).collect();
    json!({
        "frame": difference.frame,
        "recorded": recorded,
        "computed": computed,
        "pairs": pairs,
    })
}
