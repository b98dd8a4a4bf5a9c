//! Who is compared, and on what.

use std::error::Error;

use clearance_scene::{AnyScene, FileVector, Scene, SceneKind, generate};

use crate::{Engine, Film};

/// An engine, and the way in which it is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A world of Clearance, on one thread.
    Clearance,
    /// parry by hand: the tree refitted, each pair as `parry::query::contact` measures it.
    Parry,
    /// The same, but two cuboids by separating axes.
    ParryAxes,
    /// The same as [`Peer::Parry`], but the tree of the moving bodies is built anew in each frame.
    ParryRebuilt,
    /// rapier's collision pipeline.
    Rapier,
}

impl Peer {
    /// The word for it in the names of measurements; that of Clearance comes first in the alphabet.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clearance => "clearance",
            Self::Parry => "parry",
            Self::ParryAxes => "parry-axes",
            Self::ParryRebuilt => "parry-rebuilt",
            Self::Rapier => "rapier",
        }
    }

    /// Who is worth measuring on scenes of a kind.
    #[must_use]
    pub fn on(kind: SceneKind) -> Vec<Self> {
        let mut peers = vec![Self::Clearance, Self::Parry];
        let has_cuboid_pairs = match kind {
            SceneKind::Balls | SceneKind::Balls2 | SceneKind::Sizes | SceneKind::Hulls => false,
            SceneKind::Mixed
            | SceneKind::Mixed2
            | SceneKind::Pile
            | SceneKind::Pile2
            | SceneKind::City
            | SceneKind::Sparse => true,
        };
        if has_cuboid_pairs {
            peers.push(Self::ParryAxes);
        }
        // Elsewhere bodies are slow, and a refitted tree stays good.
        if kind == SceneKind::Sparse {
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

    /// The scene if it is one of this dimension.
    fn take(scene: AnyScene) -> Option<Scene<Self>>;
}

/// A film of the scene that `generate` makes.
///
/// # Errors
/// A kind of the other dimension.
pub fn record<V: Compared>(kind: SceneKind, count: usize) -> Result<Film<V>, Box<dyn Error>> {
    Film::record(V::take(generate(kind, count, 1)).ok_or("of the other dimension")?)
}
