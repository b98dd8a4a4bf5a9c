//! How a world is set up.

use clearance_broadphase::Backend;
use clearance_gjk::DEFAULT_EFFORT;
use clearance_math::Real;

/// The most threads that a world can have: more are refused before any is started.
pub const MAX_THREADS: usize = 1024;

/// How a world is set up.
///
/// Write `..Options::default()`, as here: fields may be added in later versions.
///
/// ```
/// use clearance::dim2::Options;
///
/// let options = Options { margin: 0.2, ..Options::default() };
/// assert_eq!(options.threads, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Options {
    /// Pairs that are no farther apart than this are contacts: >= 0, in the caller's unit of length.
    ///
    /// 0.05 by default: five centimetres if the unit is the metre.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::encoding::margin"))]
    pub margin: Real,
    /// Whether every pair of bodies gives the contacts of its parts, too: see
    /// [`World::part_contacts`](crate::World::part_contacts). Off by default; a body can want them for
    /// its own pairs alone ([`Body::part_contacts`](crate::Body::part_contacts)).
    pub part_contacts: bool,
    /// Whether each step tells which part contacts are those of the surface that neighbouring parts and bodies make
    /// together, without the ghost contacts of its seams: see
    /// [`World::surface_contacts`](crate::World::surface_contacts). Then every pair gives its part contacts. Off by
    /// default.
    pub surface_contacts: bool,
    /// Whether each step finds the contact manifolds of all pairs together with their contacts, and keeps them while
    /// bodies are at rest: see [`World::manifolds`](crate::World::manifolds). Off by default; a body can want
    /// them for its own pairs alone ([`Body::manifolds`](crate::Body::manifolds)).
    pub manifolds: bool,
    /// The structure that finds overlapping bounding boxes; contacts do not depend on it. A tree by
    /// default.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::backend"))]
    pub backend: Backend,
    /// The number of threads that a step uses, with the one that calls: from 1 to [`MAX_THREADS`], 1 by default.
    /// Contacts do not depend on it. More threads than free processors make a step slower.
    ///
    /// More than one needs the cargo feature `parallel`, which is on by default.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::encoding::threads")
    )]
    pub threads: usize,
    /// How long a question about composites may search, for each pair of bodies of a step and for each body that a question
    /// to the world looks at: see [`Placed::with_effort`](clearance_gjk::Placed::with_effort). [`DEFAULT_EFFORT`] by
    /// default, which takes tens of milliseconds for most shapes. Contacts of pairs that reach it depend on
    /// it, and which body a question to the world finds first may then depend on what was asked before. Snapshots do not hold it.
    pub effort: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            margin: 0.05,
            part_contacts: false,
            surface_contacts: false,
            manifolds: false,
            backend: Backend::default(),
            threads: 1,
            effort: DEFAULT_EFFORT,
        }
    }
}
