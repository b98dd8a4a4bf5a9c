//! Generates scenes. Kind, count and seed decide the scene to the last bit, on every platform.
//!
//! Except in lattices and on terrain, bodies are placed uniformly at random, so that overlaps are as frequent in
//! the first frame as later. The density is chosen to give each body a wanted number of contacts.

mod assembly;
mod density;
mod lattice;
mod level;
mod library;
mod random;
mod scatter;
mod terrain;
mod voxels;
mod wave;

use core::fmt;
use core::str::FromStr;

use clearance_math::{Vec2, Vec3};

use crate::scene::AnyScene;
use library::Library;
use random::Random;
use scatter::{Scatter, balls, turning};

/// What a generated scene is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// Equal balls in space, about one and a half contacts each.
    Balls,
    /// Balls, cuboids, capsules, cylinders, cones and hulls in space, turning.
    Mixed,
    /// Hulls of 64 corners in space, turning.
    Hulls,
    /// Unit cubes stacked closely: six neighbours each within the margin.
    Pile,
    /// Small bodies far apart and fast: hardly any contacts.
    Sparse,
    /// Balls with radii from 0.05 to 20.
    Sizes,
    /// Nine fixed buildings on a grid for each body that flies between them.
    City,
    /// Mixed bodies on the ground of a height field: 256 x 256 heights for 2,000 bodies.
    Terrain,
    /// Mixed bodies in the rooms of a mesh: 100,000 triangles for 5,000 bodies.
    Level,
    /// Meshes of 1,000 triangles, close together.
    Assembly,
    /// Mixed bodies on a ground of voxels with caves: 96 x 96 columns for 2,000 bodies.
    Voxels,
    /// Equal balls in the plane.
    Balls2,
    /// Balls, cuboids, capsules, triangles and hulls in the plane, turning.
    Mixed2,
    /// Unit squares stacked closely in the plane.
    Pile2,
    /// Mixed bodies of the plane on a ground of tiles with caves: two columns for each.
    Tiles2,
}

impl SceneKind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Balls,
        Self::Mixed,
        Self::Hulls,
        Self::Pile,
        Self::Sparse,
        Self::Sizes,
        Self::City,
        Self::Terrain,
        Self::Level,
        Self::Assembly,
        Self::Voxels,
        Self::Balls2,
        Self::Mixed2,
        Self::Pile2,
        Self::Tiles2,
    ];

    /// The name of the kind on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Balls => "balls",
            Self::Mixed => "mixed",
            Self::Hulls => "hulls",
            Self::Pile => "pile",
            Self::Sparse => "sparse",
            Self::Sizes => "sizes",
            Self::City => "city",
            Self::Terrain => "terrain",
            Self::Level => "level",
            Self::Assembly => "assembly",
            Self::Balls2 => "balls2",
            Self::Mixed2 => "mixed2",
            Self::Pile2 => "pile2",
            Self::Voxels => "voxels",
            Self::Tiles2 => "tiles2",
        }
    }

    /// A description of one line.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Balls => "equal balls, about 1.5 contacts each",
            Self::Mixed => "balls, cuboids, capsules, cylinders, cones and hulls, turning",
            Self::Hulls => "hulls of 64 corners, turning",
            Self::Pile => "unit cubes stacked closely",
            Self::Sparse => "small bodies far apart and fast",
            Self::Sizes => "balls with radii from 0.05 to 20",
            Self::City => "nine fixed buildings for each body that flies between them",
            Self::Terrain => "mixed bodies on a height field, 256 x 256 for 2,000 of them",
            Self::Level => {
                "mixed bodies in the rooms of a mesh, 100,000 triangles for 5,000 of them"
            }
            Self::Assembly => "meshes of 1,000 triangles, close together",
            Self::Balls2 => "equal balls in 2D",
            Self::Mixed2 => "balls, cuboids, capsules, triangles and hulls in 2D, turning",
            Self::Pile2 => "unit squares stacked closely in 2D",
            Self::Voxels => "mixed bodies on voxels with caves, 96 x 96 columns for 2,000 of them",
            Self::Tiles2 => "mixed bodies on a map of tiles with caves in 2D",
        }
    }
}

impl fmt::Display for SceneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no kind of scene has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kind of scene is named {word:?}")]
pub struct UnknownSceneKind {
    /// The name that was given.
    pub word: String,
}

impl FromStr for SceneKind {
    type Err = UnknownSceneKind;

    fn from_str(word: &str) -> Result<Self, UnknownSceneKind> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == word);
        found.ok_or_else(|| UnknownSceneKind {
            word: word.to_owned(),
        })
    }
}

/// Generates a scene of `count` bodies. The ground of a terrain or of voxels and the mesh of a
/// level are the first of them.
///
/// ```
/// use clearance_scene::{SceneKind, generate};
///
/// let scene = generate(SceneKind::Mixed, 100, 7).into_space().unwrap();
/// assert_eq!(scene.bodies.len(), 100);
/// ```
#[must_use]
pub fn generate(kind: SceneKind, count: usize, seed: u64) -> AnyScene {
    let mut random = Random::new(kind.name(), seed);
    let random = &mut random;
    match kind {
        SceneKind::Balls => AnyScene::Space(balls(random, count)),
        SceneKind::Balls2 => AnyScene::Plane(balls(random, count)),
        SceneKind::Mixed => {
            let library = Library::<Vec3>::mixed(random);
            AnyScene::Space(turning(library).place(random, count))
        }
        SceneKind::Mixed2 => {
            let library = Library::<Vec2>::mixed(random);
            AnyScene::Plane(turning(library).place(random, count))
        }
        SceneKind::Hulls => {
            let library = Library::<Vec3>::hulls(random);
            AnyScene::Space(turning(library).place(random, count))
        }
        SceneKind::Sparse => {
            let scatter = Scatter {
                library: Library::<Vec3>::small(),
                contacts: 0.02,
                speed: 15.0,
                spin: 6.0,
            };
            AnyScene::Space(scatter.place(random, count))
        }
        SceneKind::Sizes => AnyScene::Space(scatter::balls_of_many_sizes(random, count)),
        SceneKind::Pile => AnyScene::Space(lattice::pile::<Vec3>(random, count)),
        SceneKind::Pile2 => AnyScene::Plane(lattice::pile::<Vec2>(random, count)),
        SceneKind::City => AnyScene::Space(lattice::city(random, count)),
        SceneKind::Voxels => {
            let library = Library::<Vec3>::mixed(random);
            AnyScene::Space(voxels::voxels(random, library, count))
        }
        SceneKind::Tiles2 => {
            let library = Library::<Vec2>::mixed(random);
            AnyScene::Plane(voxels::voxels(random, library, count))
        }
        SceneKind::Terrain => AnyScene::Space(terrain::terrain(random, count)),
        SceneKind::Level => AnyScene::Space(level::level(random, count)),
        SceneKind::Assembly => AnyScene::Space(assembly::assembly(random, count)),
    }
}

#[cfg(test)]
mod tests;
