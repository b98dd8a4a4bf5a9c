//! Prints how many contacts each engine finds in the scenes of the suite `frames`, and how far its
//! answers are from ours.
//!
//! ```text
//! cargo run --release -p clearance-peers --bin counts
//! ```

#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::collections::BTreeMap;
use std::error::Error;

use clearance_math::{Vec2, Vec3};
use clearance_peers::{Compared, FilmKind, Found, Peer, record};

/// How many frames are played before contacts are compared.
const FRAMES: usize = 12;

/// Distances that differ by more than this count as off: a thousandth of the size of most bodies.
const TOLERANCE: f32 = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    println!("| scene | engine | contacts | missing | added | off | worst |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for kind in FilmKind::ALL {
        if kind.is_in_the_plane() {
            rows::<Vec2>(kind)?;
        } else {
            rows::<Vec3>(kind)?;
        }
    }
    Ok(())
}

fn rows<V: Compared>(kind: FilmKind) -> Result<(), Box<dyn Error>> {
    let film = record::<V>(kind)?;
    let mut ours = BTreeMap::new();
    for peer in Peer::on(kind) {
        let mut engine = V::engine(peer, &film)?;
        for poses in film.frames().iter().take(FRAMES) {
            engine.frame(poses)?;
        }
        let found = engine.found();
        let scene = kind.name();
        if peer == Peer::Clearance {
            println!("| {scene} | clearance | {} | | | | |", found.len());
            ours = found.iter().map(|f| (f.pair, f.distance)).collect();
        } else {
            let difference = Difference::of(&found, &ours, film.scene().margin);
            println!("| {scene} | {} | {} {difference}", peer.name(), found.len());
        }
    }
    Ok(())
}

/// How the contacts of a peer differ from ours.
struct Difference {
    missing: usize,
    added: usize,
    off: usize,
    worst: f32,
}

impl Difference {
    /// Pairs right at the margin may be on either side of it: they are neither missing nor added.
    fn of(found: &[Found], ours: &BTreeMap<(u32, u32), f32>, margin: f32) -> Self {
        let theirs: BTreeMap<_, _> = found.iter().map(|f| (f.pair, f.distance)).collect();
        let is_inside = |distance: f32| distance < margin - TOLERANCE;
        let missing = ours
            .iter()
            .filter(|(pair, d)| is_inside(**d) && !theirs.contains_key(pair));
        let added = theirs
            .iter()
            .filter(|(pair, d)| is_inside(**d) && !ours.contains_key(pair));
        let differences = theirs.iter().filter_map(|(pair, theirs)| {
            let ours = ours.get(pair)?;
            Some((theirs - ours).abs())
        });
        Self {
            missing: missing.count(),
            added: added.count(),
            off: differences.clone().filter(|d| *d > TOLERANCE).count(),
            worst: differences.fold(0.0, f32::max),
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            missing,
            added,
            off,
            worst,
        } = self;
        write!(f, "| {missing} | {added} | {off} | {worst:.4} |")
    }
}
