//! The broad phase alone: boxes set, overlapping pairs listed.

mod hand;
mod obvhs_join;
mod rapier_fat;

use std::error::Error;

use clearance_broadphase::{Backend, BodyKind, Key};
use clearance_math::{Aabb, Vec3};

use crate::Film;

pub use hand::{Ours, ParryTree};
pub use obvhs_join::Obvhs;
pub use rapier_fat::RapierBoxes;

/// A set of boxes that finds overlapping pairs.
pub trait Boxes {
    /// Sets the boxes of the moving bodies, lists every overlapping pair of which at least one
    /// moves, and says how many there are.
    fn frame(&mut self, boxes: &[Aabb<Vec3>]) -> usize;
}

/// A structure, and the way in which it is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// The tree of Clearance.
    Clearance,
    /// parry's tree, refitted.
    Parry,
    /// parry's tree, built anew.
    ParryRebuilt,
    /// obvhs's tree, refitted; the join is written by hand.
    Obvhs,
    /// obvhs's tree, built anew.
    ObvhsRebuilt,
    /// rapier's broad phase, which keeps boxes with room to move.
    Rapier,
    /// rstar's tree, loaded anew, and its join.
    Rstar,
}

impl Structure {
    /// All structures.
    pub const ALL: [Self; 7] = [
        Self::Clearance,
        Self::Parry,
        Self::ParryRebuilt,
        Self::Obvhs,
        Self::ObvhsRebuilt,
        Self::Rapier,
        Self::Rstar,
    ];

    /// The word for it in the names of measurements.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clearance => "clearance",
            Self::Parry => "parry",
            Self::ParryRebuilt => "parry-rebuilt",
            Self::Obvhs => "obvhs",
            Self::ObvhsRebuilt => "obvhs-rebuilt",
            Self::Rapier => "rapier",
            Self::Rstar => "rstar",
        }
    }

    /// The structure with all boxes of the first frame in it.
    #[must_use]
    pub fn start(self, film: &BoxFilm) -> Box<dyn Boxes> {
        match self {
            Self::Clearance => Box::new(Ours::new(film, Backend::Bvh)),
            Self::Rstar => Box::new(Ours::new(film, Backend::RTree)),
            Self::Parry => Box::new(ParryTree::new(film, crate::Upkeep::Refit)),
            Self::ParryRebuilt => Box::new(ParryTree::new(film, crate::Upkeep::Rebuild)),
            Self::Obvhs => Box::new(Obvhs::new(film, crate::Upkeep::Refit)),
            Self::ObvhsRebuilt => Box::new(Obvhs::new(film, crate::Upkeep::Rebuild)),
            Self::Rapier => Box::new(RapierBoxes::new(film)),
        }
    }
}

/// The boxes of a film, grown by half of the margin.
#[derive(Clone, Debug)]
pub struct BoxFilm {
    all: Vec<(Aabb<Vec3>, BodyKind)>,
    movers: Vec<Key>,
    frames: Vec<Vec<Aabb<Vec3>>>,
}

impl BoxFilm {
    /// The boxes of the bodies of `film`.
    ///
    /// # Errors
    /// A body without a shape.
    pub fn new(film: &Film<Vec3>) -> Result<Self, Box<dyn Error>> {
        let scene = film.scene();
        let shapes = scene.bodies.iter().map(|body| scene.shape_of(body));
        let shapes: Option<Vec<_>> = shapes.collect();
        let shapes = shapes.ok_or("a body without a shape")?;
        let reach = f64::from(0.5 * scene.margin);
        let bounds = |body: usize, pose: &_| shapes[body].bounds_within(pose, reach);
        let bodies = scene.bodies.iter().enumerate();
        let mut all: Vec<_> = bodies
            .map(|(number, body)| (bounds(number, &body.pose), BodyKind::Fixed))
            .collect();
        for &number in film.movers() {
            all[number as usize].1 = BodyKind::Moving;
        }
        let frame = |poses: &Vec<_>| {
            let poses = film.movers().iter().zip(poses);
            poses
                .map(|(&body, pose)| bounds(body as usize, pose))
                .collect()
        };
        Ok(Self {
            all,
            movers: film.movers().to_vec(),
            frames: film.frames().iter().map(frame).collect(),
        })
    }

    /// Every box at the start, and whether its body moves.
    #[must_use]
    pub fn all(&self) -> &[(Aabb<Vec3>, BodyKind)] {
        &self.all
    }

    /// The numbers of the boxes that move, ascending.
    #[must_use]
    pub fn movers(&self) -> &[Key] {
        &self.movers
    }

    /// The boxes that move, frame by frame.
    #[must_use]
    pub fn frames(&self) -> &[Vec<Aabb<Vec3>>] {
        &self.frames
    }

    /// The boxes of one mobility at the start, with their numbers.
    fn of(&self, mobility: BodyKind) -> impl Iterator<Item = (Key, &Aabb<Vec3>)> {
        let numbered = (0..).zip(&self.all);
        let chosen = numbered.filter(move |(_, (_, m))| *m == mobility);
        chosen.map(|(number, (bounds, _))| (number, bounds))
    }
}
