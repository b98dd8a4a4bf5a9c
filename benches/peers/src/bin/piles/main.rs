//! Pours piles with Box2D and Box3D, plays their films to Clearance, parry and rapier, and prints what their frames cost.
//!
//! `benches/peers/piles/run` compiles the programs that pour and calls this one with their folder. Words after it choose
//! piles by their names.

#![allow(clippy::print_stdout, reason = "the table is the output")]

mod pour;
mod scenes;

use core::fmt;
use core::ops::Range;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clearance_benches::{Film, FrameTimes};
use clearance_peers::{Compared, Peer};
use pour::Pour;
use scenes::Pile;

/// How often each pile is poured and each film is played. Of each frame the least time counts.
const PLAYS: usize = 3;

/// How many frames apart those of the last row are.
const STRIDE: usize = 10;

/// Who plays the films, in the order of the columns.
const PLAYERS: [Peer; 5] = [
    Peer::ClearanceManifolds,
    Peer::Clearance,
    Peer::ClearanceTwoThreads,
    Peer::Rapier,
    Peer::ParryManifolds,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("piles FOLDER [WORD]...")?);
    let words: Vec<String> = words.collect();
    println!(
        "| pile | frames | contacts | ours | without manifolds | on two threads | rapier | parry, manifolds | Box2D, Box3D | contacts kept | ours / Box | / kept |"
    );
    println!("| --- | ---{} |", " | ---:".repeat(10));
    for pile in scenes::in_space()? {
        rows(&pile, &folder, "space", &words)?;
    }
    for pile in scenes::in_the_plane()? {
        rows(&pile, &folder, "plane", &words)?;
    }
    Ok(())
}

/// Prints the rows of a pile, if it is chosen.
fn rows<V: Compared>(
    pile: &Pile<V>,
    folder: &Path,
    program: &str,
    words: &[String],
) -> Result<(), Box<dyn Error>> {
    if !words.is_empty() && !words.iter().any(|word| pile.name.contains(word)) {
        return Ok(());
    }
    let pour = Pour::new(pile, folder, program)?;
    let mut theirs = [(); 2].map(|()| FrameTimes::default());
    let mut whole = PLAYERS.map(|peer| Played::by(peer, 1));
    let mut apart = PLAYERS.map(|peer| Played::by(peer, STRIDE));
    for _ in 0..PLAYS {
        // Last without, so that the film is the one of an engine that keeps nothing.
        for (keeps, times) in [false, true].into_iter().zip(&mut theirs).rev() {
            times.take_smaller(&pour.times(keeps)?);
        }
        let film = pour.film(pile)?;
        for played in whole.iter_mut().chain(&mut apart) {
            played.play(&film)?;
        }
    }
    for phase in pile.phases {
        let row = Row::of(&whole, &phase.frames, Some(&theirs));
        println!("| {} | {} {row}", pile.name, phase.name);
    }
    // The first frame builds trees.
    let row = Row::of(&apart, &(1..pile.frame_count().div_ceil(STRIDE)), None);
    println!("| {} | one in {STRIDE} {row}", pile.name);
    Ok(())
}

/// What is printed of some frames: medians, in milliseconds.
struct Row {
    /// Their mean.
    contacts: usize,
    players: [Duration; PLAYERS.len()],
    /// Without and with contacts kept; `None` where the engines that pour have no such frames.
    theirs: Option<[Duration; 2]>,
}

impl Row {
    fn of(
        plays: &[Played; PLAYERS.len()],
        frames: &Range<usize>,
        theirs: Option<&[FrameTimes; 2]>,
    ) -> Self {
        let median = |times: &FrameTimes| times.part(frames.clone()).median();
        let counts = &plays[0].contacts[frames.clone()];
        Self {
            contacts: counts.iter().sum::<usize>() / counts.len(),
            players: plays.each_ref().map(|played| median(&played.times)),
            theirs: theirs.map(|theirs| theirs.each_ref().map(median)),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        write!(f, "| {}", self.contacts)?;
        for time in self.players.iter().chain(self.theirs.iter().flatten()) {
            write!(f, " | {:.2}", milliseconds(*time))?;
        }
        match &self.theirs {
            Some(theirs) => {
                for time in theirs {
                    let ratio = milliseconds(self.players[0]) / milliseconds(*time);
                    write!(f, " | {ratio:.2}")?;
                }
                f.write_str(" |")
            }
            None => f.write_str(" | | | | |"),
        }
    }
}

/// How an engine played a film.
struct Played {
    peer: Peer,
    stride: usize,
    times: FrameTimes,
    contacts: Vec<usize>,
}

impl Played {
    fn by(peer: Peer, stride: usize) -> Self {
        Self {
            peer,
            stride,
            times: FrameTimes::default(),
            contacts: Vec::new(),
        }
    }

    /// Plays a film from its first to its last frame in a new engine.
    fn play<V: Compared>(&mut self, film: &Film<V>) -> Result<(), Box<dyn Error>> {
        let mut engine = V::engine(self.peer, film)?;
        let mut times = FrameTimes::default();
        self.contacts.clear();
        for poses in film.frames().iter().step_by(self.stride) {
            let start = Instant::now();
            let contacts = engine.frame(poses)?;
            times.push(start.elapsed());
            self.contacts.push(contacts);
        }
        self.times.take_smaller(&times);
        Ok(())
    }
}
