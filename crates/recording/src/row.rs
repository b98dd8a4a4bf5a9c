//! What a recording knows of a slot of the world: the bits of all properties of its body.

use clearance_math::Vector;
use clearance_world::{BodyKind, Groups};

/// Components of a position, zeros for a missing axis.
pub(crate) const POSITION_NUMBERS: usize = 3;
/// Words of a rotation.
pub(crate) const ROTATION_WORDS: usize = 4;
/// Words of a velocity: linear, then angular, both in space.
pub(crate) const VELOCITY_WORDS: usize = 6;

/// A slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Of its body, or of the next one if it is vacant.
    pub(crate) generation: u32,
    pub(crate) is_taken: bool,
    pub(crate) properties: Properties,
    pub(crate) motion: Motion,
}

/// What a step leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Properties {
    /// The number of the shape.
    pub(crate) shape: u32,
    pub(crate) kind: BodyKind,
    pub(crate) groups: Groups,
    /// The bits of the extra margin.
    pub(crate) extra_margin: u32,
    pub(crate) part_contacts: bool,
    pub(crate) manifolds: bool,
    pub(crate) is_swept: bool,
    pub(crate) user_data: u64,
}

/// Where a body is, and how fast it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Motion {
    /// The bits of numbers in double precision.
    pub(crate) position: [u64; POSITION_NUMBERS],
    pub(crate) rotation: [u32; ROTATION_WORDS],
    /// What rounding left over of the rotation.
    pub(crate) residual: [u32; ROTATION_WORDS],
    pub(crate) velocity: [u32; VELOCITY_WORDS],
}

impl Properties {
    /// Those that are not written.
    pub(crate) const USUAL: Self = Self {
        shape: 0,
        kind: BodyKind::Moving,
        groups: Groups::ALL,
        extra_margin: 0,
        part_contacts: false,
        manifolds: false,
        is_swept: false,
        user_data: 0,
    };
}

impl Motion {
    /// At rest at the origin.
    pub(crate) fn none(space: Space) -> Self {
        Self {
            position: [0; POSITION_NUMBERS],
            rotation: space.identity(),
            residual: [0; ROTATION_WORDS],
            velocity: [0; VELOCITY_WORDS],
        }
    }

    pub(crate) fn has_velocity(&self) -> bool {
        // Zeros of both signs are none.
        self.velocity.iter().any(|word| word << 1 != 0)
    }
}

impl Row {
    /// A slot without a body.
    pub(crate) fn vacant(generation: u32, space: Space) -> Self {
        Self {
            generation,
            is_taken: false,
            properties: Properties::USUAL,
            motion: Motion::none(space),
        }
    }

    /// What must be there for a body of this row to be in a step.
    pub(crate) fn moves(&self) -> bool {
        self.is_taken && self.properties.kind == BodyKind::Moving
    }
}

/// The number of dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Plane,
    Space,
}

impl Space {
    pub(crate) fn of<V: Vector>() -> Self {
        if V::DIM == 2 {
            Self::Plane
        } else {
            Self::Space
        }
    }

    pub(crate) fn of_dimension(dimension: u32) -> Option<Self> {
        match dimension {
            2 => Some(Self::Plane),
            3 => Some(Self::Space),
            _ => None,
        }
    }

    pub(crate) fn dimension(self) -> usize {
        match self {
            Self::Plane => 2,
            Self::Space => 3,
        }
    }

    /// The words of the velocity that count.
    pub(crate) fn angular_words(self) -> core::ops::Range<usize> {
        match self {
            Self::Plane => 5..6,
            Self::Space => 3..6,
        }
    }

    fn identity(self) -> [u32; ROTATION_WORDS] {
        let one = 1.0_f32.to_bits();
        match self {
            // The cosine as f64, its low half first, then the sine.
            Self::Plane => [0, (1.0_f64.to_bits() >> 32) as u32, 0, 0],
            Self::Space => [0, 0, 0, one],
        }
    }
}
