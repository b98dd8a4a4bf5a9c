//! Shapes as plain numbers, from which they can be restored bit for bit.

use std::sync::Arc;

use clearance_math::internal::MapEach;
use clearance_math::tolerances::{MOST_RADIUS, UNIT_ROUNDING};
use clearance_math::{PreciseVector, Real, Vector};

use crate::error::{check_number, check_vector};
use crate::{
    Composite, Cone, Convex, Core, CoreKind, Cuboid, Cylinder, Ellipsoid, HalfSpace, Hull,
    Requirement, Segment, Shape, ShapeError, Triangle,
};

/// A shape as plain numbers, from which storage can restore an equal shape bit for bit.
///
/// Snapshots contain shapes in this form. With the cargo feature `serde` it is also the serialized
/// form of [`Shape`].
///
/// ```
/// use clearance::dim2::{Shape, Vec2};
///
/// let shape = Shape::ellipsoid(Vec2::new(1.0, 2.0))?.rounded(0.1)?;
/// assert_eq!(Shape::from_encoding(&shape.to_encoding()?)?, shape);
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ShapeEncoding {
    /// The kind of the shape: 0 for a half-space, one plus the position of the core's kind in
    /// [`CoreKind`] for a convex shape, from 64 on for a composite.
    pub kind: u8,
    /// The bits of the core's coordinates and lengths as `f32`; for a composite, numbers of its parts. For a half-space, the bits of its
    /// normal as `f64`, each with its low half first.
    pub numbers: Vec<u32>,
    /// The bits of the rounding radius as `f64`, or of the offset of a half-space.
    pub radius: u64,
}

/// The number of [`ShapeEncoding::kind`] for the first kind of composite. The numbers before it are
/// left for convex kinds.
pub(crate) const FIRST_COMPOSITE: u8 = 64;

const HALF_SPACE: u8 = 0;

const KINDS: [CoreKind; 11] = [
    CoreKind::Point,
    CoreKind::Segment,
    CoreKind::Triangle,
    CoreKind::Cuboid,
    CoreKind::Hull,
    CoreKind::Cylinder,
    CoreKind::Cone,
    CoreKind::Ellipsoid,
    CoreKind::TaperedCapsule,
    CoreKind::TaperedCylinder,
    CoreKind::Custom,
];

impl<V: Vector> Shape<V> {
    /// The encoding of the shape.
    ///
    /// # Errors
    /// A shape of your own, alone or in a compound: see [`Shape::custom`]. An encoding cannot hold code.
    pub fn to_encoding(&self) -> Result<ShapeEncoding, ShapeError> {
        self.check_storable()?;
        Ok(bits_of(self))
    }

    fn check_storable(&self) -> Result<(), ShapeError> {
        match self {
            Self::Convex(convex) if convex.core().kind() == CoreKind::Custom => {
                Err(ShapeError::CannotStore)
            }
            Self::Composite(composite) => composite.check_parts(Self::check_storable),
            Self::Convex(_) | Self::HalfSpace(_) => Ok(()),
        }
    }

    /// The shape with the given encoding. Costs as much as [`Hull::from_points`] for a hull, as
    /// building it for a composite, and constant time otherwise.
    ///
    /// # Errors
    /// [`ShapeError`] if no shape of this dimension has the encoding.
    pub fn from_encoding(encoding: &ShapeEncoding) -> Result<Self, ShapeError> {
        if encoding.kind >= FIRST_COMPOSITE {
            return Composite::from_encoding(encoding).map(Self::from);
        }
        let radius = f64::from_bits(encoding.radius);
        if !(0.0..=MOST_RADIUS).contains(&radius) {
            return Err(ShapeError::Encoding {
                reason: format!("the radius is {radius}, must be from 0 to {MOST_RADIUS}"),
            });
        }
        if encoding.kind == HALF_SPACE {
            return half_space(&encoding.numbers, radius).map(Self::HalfSpace);
        }
        let kind = KINDS.get(usize::from(encoding.kind) - 1);
        let kind = *kind.ok_or_else(|| ShapeError::Encoding {
            reason: format!("the kind is {}, must be from 0 to 10", encoding.kind),
        })?;
        let core = core(kind, &encoding.numbers)?;
        let inset = match &core {
            Core::Ellipsoid(ellipsoid) => ellipsoid.inset(),
            Core::TaperedCapsule(capsule) => capsule.inset(),
            _ => 0.0,
        };
        if radius < inset {
            return Err(refused("the radius is less than the inset of the core"));
        }
        Ok(Self::Convex(Convex::new(core, radius)))
    }
}

/// What distinguishes shapes down to the sign of a zero: the encoding, with the key in the place of
/// a shape of your own.
#[must_use]
pub fn bits_of<V: Vector>(shape: &Shape<V>) -> ShapeEncoding {
    match shape {
        Shape::Convex(convex) => ShapeEncoding {
            kind: 1 + convex.core().kind() as u8,
            numbers: convex.core().numbers().collect(),
            radius: convex.radius().to_bits(),
        },
        Shape::Composite(composite) => composite.bits(),
        Shape::HalfSpace(half_space) => ShapeEncoding {
            kind: HALF_SPACE,
            numbers: precise_bits::<V>(half_space.normal()),
            radius: half_space.offset().to_bits(),
        },
    }
}

pub(crate) fn refused(reason: &str) -> ShapeError {
    ShapeError::Encoding {
        reason: reason.to_owned(),
    }
}

/// A number of 64 bits by its low half and its high one.
pub(crate) fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// The number whose halves come first.
pub(crate) fn whole(halves: &[u32]) -> u64 {
    u64::from(halves[1]) << 32 | u64::from(halves[0])
}

pub(crate) fn precise_bits<V: Vector>(vector: V::Precise) -> Vec<u32> {
    let component = |k| halves(vector.component(k).to_bits());
    (0..V::DIM).flat_map(component).collect()
}

/// The vector in double precision whose bits come first.
pub(crate) fn precise<V: Vector>(bits: &[u32]) -> V::Precise {
    V::Precise::from_fn(|k| f64::from_bits(whole(&bits[2 * k..])))
}

pub(crate) fn vector_bits<V: Vector>(vectors: impl IntoIterator<Item = V>) -> Vec<u32> {
    let bits = |vector: V| (0..V::DIM).map(move |k| vector.component(k).to_bits());
    vectors.into_iter().flat_map(bits).collect()
}

/// Decodes a core. The checks are those of the constructors of [`Shape`], which choose the simplest
/// kind.
fn core<V: Vector>(kind: CoreKind, numbers: &[u32]) -> Result<Core<V>, ShapeError> {
    match kind {
        CoreKind::Point => {
            let [point] = vectors("point", numbers, ["point"], Requirement::Finite)?;
            Ok(Core::Point(point))
        }
        CoreKind::Segment => {
            let [a, b] = vectors("segment", numbers, ["a", "b"], Requirement::Finite)?;
            if a == b {
                return Err(refused("the ends of a segment must differ"));
            }
            Ok(Core::Segment(Segment { a, b }))
        }
        CoreKind::Triangle => {
            let [a, b, c] = vectors("triangle", numbers, ["a", "b", "c"], Requirement::Finite)?;
            if a == b || b == c || a == c {
                return Err(refused("the corners of a triangle must differ"));
            }
            Ok(Core::Triangle(Triangle { a, b, c }))
        }
        CoreKind::Cuboid => {
            let [half_extents] =
                vectors("cuboid", numbers, ["half_extents"], Requirement::Positive)?;
            Ok(Core::Cuboid(Cuboid { half_extents }))
        }
        CoreKind::Ellipsoid => {
            let [radii] = vectors("ellipsoid", numbers, ["radii"], Requirement::Positive)?;
            Ok(Core::Ellipsoid(Ellipsoid::new(radii)))
        }
        CoreKind::Hull => hull(numbers),
        CoreKind::Custom => Err(refused("a custom shape cannot be stored, since it is code")),
        CoreKind::TaperedCapsule | CoreKind::TaperedCylinder => tapered(kind, numbers),
        CoreKind::Cylinder => round::<V>("cylinder", numbers).map(|(half_height, radius)| {
            Core::Cylinder(Cylinder {
                half_height,
                radius,
            })
        }),
        CoreKind::Cone => round::<V>("cone", numbers).map(|(half_height, radius)| {
            Core::Cone(Cone {
                half_height,
                radius,
            })
        }),
    }
}

/// Computes the hull again from its vertices, on which alone it depends.
fn hull<V: Vector>(numbers: &[u32]) -> Result<Core<V>, ShapeError> {
    let (chunks, rest) = (numbers.chunks_exact(V::DIM), numbers.len() % V::DIM);
    if rest != 0 {
        return Err(refused("a hull has a coordinate too many"));
    }
    let points: Vec<V> = chunks.map(vector).collect();
    let hull = Hull::from_points(&points)?;
    if hull.vertices().len() < 4 || hull.vertices() != points {
        return Err(refused("the points are not the vertices of a hull"));
    }
    Ok(Core::Hull(Arc::new(hull)))
}

fn vectors<V: Vector, const COUNT: usize>(
    shape: &'static str,
    numbers: &[u32],
    fields: [&'static str; COUNT],
    requirement: Requirement,
) -> Result<[V; COUNT], ShapeError> {
    if numbers.len() != COUNT * V::DIM {
        let (found, expected) = (numbers.len(), COUNT * V::DIM);
        return Err(ShapeError::Encoding {
            reason: format!("there are {found} coordinates, must be {expected}"),
        });
    }
    let mut vectors = [V::ZERO; COUNT];
    let chunks = numbers.chunks_exact(V::DIM).zip(fields);
    for (slot, (chunk, field)) in vectors.iter_mut().zip(chunks) {
        *slot = vector(chunk);
        check_vector(shape, field, *slot, requirement)?;
    }
    Ok(vectors)
}

pub(crate) fn vector<V: Vector>(bits: &[u32]) -> V {
    V::from_fn(|k| Real::from_bits(bits[k]))
}

fn round<V: Vector>(shape: &'static str, numbers: &[u32]) -> Result<(Real, Real), ShapeError> {
    match *numbers {
        [half_height, radius] if const { V::DIM == 3 } => {
            let (half_height, radius) = (Real::from_bits(half_height), Real::from_bits(radius));
            check_number(shape, "half_height", half_height, Requirement::Positive)?;
            check_number(shape, "radius", radius, Requirement::Positive)?;
            Ok((half_height, radius))
        }
        _ => Err(refused("cylinders and cones have two numbers, in 3D only")),
    }
}

/// The constructors of [`Shape`] check the numbers, and make another kind of some of them.
fn tapered<V: Vector>(kind: CoreKind, numbers: &[u32]) -> Result<Core<V>, ShapeError> {
    let &[length, top, bottom] = numbers else {
        return Err(refused("tapered shapes have three numbers"));
    };
    let [length, top, bottom] = [length, top, bottom].map_each(Real::from_bits);
    let shape = if kind == CoreKind::TaperedCapsule {
        Shape::<V>::tapered_capsule(length, top, bottom)?
    } else if const { V::DIM == 3 } {
        Shape::<V>::upright_tapered(length, top, bottom)?
    } else {
        return Err(refused("tapered cylinders exist in 3D only"));
    };
    match shape {
        Shape::Convex(convex) if convex.core().kind() == kind => Ok(convex.core().clone()),
        _ => Err(refused("the radii are those of a simpler shape")),
    }
}

fn half_space<V: Vector>(numbers: &[u32], offset: f64) -> Result<HalfSpace<V>, ShapeError> {
    if numbers.len() != 2 * V::DIM {
        return Err(refused("a normal has two numbers a component"));
    }
    let normal = precise::<V>(numbers);
    if (normal.length() - 1.0).abs() <= UNIT_ROUNDING {
        Ok(HalfSpace { normal, offset })
    } else {
        Err(refused("the normal must be of unit length"))
    }
}
