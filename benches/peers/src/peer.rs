//! Who is compared, and on what.

use std::error::Error;

use clearance_benches::{AnyFilm, Film, FilmKind};
use clearance_scene::{FileVector, SceneKind};

use crate::Engine;

/// An engine, and the way in which it is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A world of Clearance, on one thread.
    Clearance,
    /// The same, with the manifolds of all contacts.
    ClearanceManifolds,
    /// The same as [`Peer::ClearanceManifolds`], on two threads.
    ClearanceTwoThreads,
    /// parry by hand: the tree refitted, each pair as `parry::query::contact` measures it.
    Parry,
    /// The same, but two cuboids by separating axes.
    ParryAxes,
    /// The same as [`Peer::Parry`], but the tree of the moving bodies is built anew in each frame.
    ParryRebuilt,
    /// The same as [`Peer::Parry`], but each pair gets its manifolds, found anew.
    ParryManifolds,
    /// rapier's collision pipeline.
    Rapier,
}

impl Peer {
    /// The word for it in the names of measurements; that of Clearance comes first in the alphabet.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clearance => "clearance",
            Self::ClearanceManifolds => "clearance-manifolds",
            Self::ClearanceTwoThreads => "clearance-two-threads",
            Self::Parry => "parry",
            Self::ParryAxes => "parry-axes",
            Self::ParryRebuilt => "parry-rebuilt",
            Self::ParryManifolds => "parry-manifolds",
            Self::Rapier => "rapier",
        }
    }

    /// Who is worth measuring on a film.
    #[must_use]
    pub fn on(film: FilmKind) -> Vec<Self> {
        // parry answers for voxels by manifolds only, as rapier asks it.
        if matches!(film, FilmKind::Generated(SceneKind::Voxels, _)) {
            return vec![Self::Clearance, Self::Rapier];
        }
        let mut peers = vec![Self::Clearance, Self::Parry];
        let has_no_cuboid_pairs = matches!(
            film,
            FilmKind::Generated(
                SceneKind::Balls | SceneKind::Balls2 | SceneKind::Sizes | SceneKind::Hulls,
                _
            )
        );
        if !has_no_cuboid_pairs {
            peers.push(Self::ParryAxes);
        }
        // Elsewhere bodies are slow, and a refitted tree stays good.
        if matches!(film, FilmKind::Generated(SceneKind::Sparse, _)) {
            peers.push(Self::ParryRebuilt);
        }
        peers.push(Self::Rapier);
        peers
    }
}

/// A dimension in which engines are compared.
pub trait Compared: FileVector {
    /// The engine with the bodies of the film in it.
    ///
    /// # Errors
    /// Something in the scene that the engine refuses or lacks.
    fn engine(peer: Peer, film: &Film<Self>) -> Result<Box<dyn Engine<Self>>, Box<dyn Error>>;

    /// The film if it is one of this dimension.
    fn take(film: AnyFilm) -> Option<Film<Self>>;
}

/// Records a film.
///
/// # Errors
/// A film of the other dimension, or one that cannot be recorded.
pub fn record<V: Compared>(kind: FilmKind) -> Result<Film<V>, Box<dyn Error>> {
    Ok(V::take(kind.record()?).ok_or("of the other dimension")?)
}
