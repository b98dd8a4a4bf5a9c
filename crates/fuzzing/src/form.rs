//! Shapes by their definition: what the engine's shapes are compared with.

use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use crate::bytes::Bytes;
use crate::dimension::Dimension;

/// A shape by the numbers that it is made of, which need not be valid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form<V> {
    Ball(Real),
    Cuboid(V),
    Capsule(Real, Real),
    Segment(V, V),
    Triangle(V, V, V),
    Hull(Vec<V>),
    Ellipsoid(V),
    HalfSpace(V),
    Cylinder(Real, Real),
    Cone(Real, Real),
    /// Half its length, the radii at the top and at the bottom.
    TaperedCapsule(Real, [Real; 2]),
    /// Half its height, the radii at the top and at the bottom.
    TaperedCylinder(Real, [Real; 2]),
    Rounded(Box<Form<V>>, Real),
}

/// As many points as a hull is made of here: more would but make it slow.
const MOST_POINTS: usize = 14;

impl<V: Dimension> Form<V> {
    /// A shape of any kind, its lengths multiplied by `scale`.
    pub(crate) fn decode(bytes: &mut Bytes, scale: Real) -> Self {
        let kind = bytes.byte();
        let plain = Self::decode_plain(bytes, scale, usize::from(kind % 16));
        if kind >= 192 {
            Self::Rounded(Box::new(plain), bytes.length() * scale)
        } else {
            plain
        }
    }

    fn decode_plain(bytes: &mut Bytes, scale: Real, kind: usize) -> Self {
        let length = |bytes: &mut Bytes| bytes.length() * scale;
        let lengths = |bytes: &mut Bytes| bytes.vector(length);
        let point = |bytes: &mut Bytes| bytes.vector(|bytes| bytes.number() * scale);
        match kind {
            0 => Self::Ball(length(bytes)),
            1 | 2 => Self::Cuboid(lengths(bytes)),
            3 => Self::Capsule(bytes.number().abs() * scale, length(bytes)),
            4 => Self::Segment(point(bytes), point(bytes)),
            5 => Self::Triangle(point(bytes), point(bytes), point(bytes)),
            6..=8 => {
                let count = 1 + bytes.below(MOST_POINTS);
                Self::Hull(points(bytes, count, scale))
            }
            9 => Self::Ellipsoid(lengths(bytes)),
            10 => Self::TaperedCapsule(length(bytes), [(); 2].map(|()| length(bytes))),
            11 => Self::HalfSpace(normal(bytes)),
            12 if V::DIM == 3 => Self::Cylinder(length(bytes), length(bytes)),
            13 if V::DIM == 3 => {
                Self::TaperedCylinder(length(bytes), [(); 2].map(|()| length(bytes)))
            }
            14 | 15 if V::DIM == 3 => Self::Cone(length(bytes), length(bytes)),
            _ => {
                let (end, count) = (point(bytes), 2 + bytes.below(3));
                let mut corners = points(bytes, count, scale);
                corners.push(end);
                Self::Hull(corners)
            }
        }
    }

    /// The engine's shape, or `None` if it refuses the numbers.
    pub(crate) fn build(&self) -> Option<Shape<V>> {
        match self {
            Self::Ball(radius) => Shape::ball(*radius),
            Self::Cuboid(half_extents) => Shape::cuboid(*half_extents),
            Self::Capsule(half_length, radius) => Shape::capsule(*half_length, *radius),
            Self::Segment(a, b) => Shape::segment(*a, *b),
            Self::Triangle(a, b, c) => Shape::triangle(*a, *b, *c),
            Self::Hull(points) => Shape::hull(points),
            Self::Ellipsoid(radii) => Shape::ellipsoid(*radii),
            Self::HalfSpace(normal) => Shape::half_space(*normal),
            Self::Cylinder(half_height, radius) => Shape::cylinder(*half_height, *radius)
                .map(V::shape_of_space)
                .transpose()?,
            Self::Cone(half_height, radius) => Shape::cone(*half_height, *radius)
                .map(V::shape_of_space)
                .transpose()?,
            Self::TaperedCapsule(half_length, [top, bottom]) => {
                Shape::tapered_capsule(*half_length, *top, *bottom)
            }
            Self::TaperedCylinder(half_height, [top, bottom]) => {
                Shape::tapered_cylinder(*half_height, *top, *bottom)
                    .map(V::shape_of_space)
                    .transpose()?
            }
            Self::Rounded(inner, radius) => inner.build()?.rounded(*radius),
        }
        .ok()
    }

    /// A point of the shape farthest along a unit direction, from the definition of the shape
    /// alone; the foot of the origin on the boundary of a half-space.
    pub(crate) fn support(&self, unit: V::Precise) -> V::Precise {
        let upright = |half_height: Real| V::Precise::axis(1) * f64::from(half_height);
        match self {
            Self::Ball(radius) => unit * f64::from(*radius),
            Self::Cuboid(half_extents) => signed(half_extents.to_precise(), unit),
            Self::Capsule(half_length, radius) => {
                let end = f64::from(*half_length).copysign(unit.component(1));
                V::Precise::axis(1) * end + unit * f64::from(*radius)
            }
            Self::Segment(a, b) => farthest(&[*a, *b], unit),
            Self::Triangle(a, b, c) => farthest(&[*a, *b, *c], unit),
            Self::Hull(points) => farthest(points, unit),
            Self::Ellipsoid(radii) => {
                let scaled = unit.scaled_by(radii.to_precise());
                let gradient = scaled.scaled_by(radii.to_precise());
                gradient / scaled.length()
            }
            Self::HalfSpace(_) => V::Precise::ZERO,
            Self::Cylinder(half_height, radius) => {
                rim(unit, *radius) + signed(upright(*half_height), unit)
            }
            Self::Cone(half_height, radius) => {
                let (apex, base) = (V::Precise::ZERO, rim(unit, *radius));
                farther_end(upright(*half_height), [apex, base], unit)
            }
            Self::TaperedCapsule(half_length, radii) => {
                let ends = radii.map(|radius| unit * f64::from(radius));
                farther_end(upright(*half_length), ends, unit)
            }
            Self::TaperedCylinder(half_height, radii) => farther_end(
                upright(*half_height),
                radii.map(|radius| rim(unit, radius)),
                unit,
            ),
            Self::Rounded(inner, radius) => inner.support(unit) + unit * f64::from(*radius),
        }
    }

    /// An upper bound of the distance of the shape's points from its origin; for a half-space that
    /// of its boundary.
    pub(crate) fn bounding_radius(&self) -> f64 {
        let pair = |a: Real, b: Real| f64::from(a) + f64::from(b);
        let greatest = |points: &[V]| {
            let lengths = points.iter().map(|point| point.to_precise().length());
            lengths.fold(0.0, f64::max)
        };
        match self {
            Self::Ball(radius) => f64::from(*radius),
            Self::Cuboid(v) | Self::Ellipsoid(v) => v.to_precise().length(),
            Self::Capsule(a, b) | Self::Cylinder(a, b) | Self::Cone(a, b) => pair(*a, *b),
            Self::TaperedCapsule(a, [b, c]) | Self::TaperedCylinder(a, [b, c]) => {
                pair(*a, Real::max(*b, *c))
            }
            Self::Segment(a, b) => greatest(&[*a, *b]),
            Self::Triangle(a, b, c) => greatest(&[*a, *b, *c]),
            Self::Hull(points) => greatest(points),
            Self::HalfSpace(_) => 0.0,
            Self::Rounded(inner, radius) => inner.bounding_radius() + f64::from(*radius),
        }
    }

    /// Whether the depth of the shape in another is found by closing in on a curved surface.
    pub(crate) fn is_smooth(&self) -> bool {
        match self {
            Self::Ellipsoid(_)
            | Self::Cylinder(..)
            | Self::Cone(..)
            | Self::TaperedCapsule(..)
            | Self::TaperedCylinder(..) => true,
            Self::Rounded(inner, _) => inner.is_smooth(),
            _ => false,
        }
    }

    /// The outward normal of a half-space and how far its boundary is from the origin along it.
    pub(crate) fn plane(&self) -> Option<(V::Precise, f64)> {
        match self {
            Self::HalfSpace(normal) => Some((normal.to_precise().direction()?, 0.0)),
            Self::Rounded(inner, radius) => {
                let (normal, offset) = inner.plane()?;
                Some((normal, offset + f64::from(*radius)))
            }
            _ => None,
        }
    }
}

/// Points, many of them repeated, between others, in line with others, or a last place beside.
pub(crate) fn points<V: Vector>(bytes: &mut Bytes, count: usize, scale: Real) -> Vec<V> {
    let mut points: Vec<V> = Vec::with_capacity(count);
    while points.len() < count {
        let fresh = |bytes: &mut Bytes| bytes.vector(|bytes| bytes.number() * scale);
        let moderate = |bytes: &mut Bytes| bytes.vector(|bytes| bytes.lattice() * scale);
        let kind = bytes.below(16);
        let point = match kind {
            0..=2 => fresh(bytes),
            _ if points.len() < 2 || kind < 9 => moderate(bytes),
            _ => beside(bytes, &points),
        };
        points.push(point);
    }
    points
}

/// A point that is made from two that are there.
fn beside<V: Vector>(bytes: &mut Bytes, points: &[V]) -> V {
    let (a, b, c) = (bytes.pick(points), bytes.pick(points), bytes.pick(points));
    match bytes.below(5) {
        0 => a,
        1 => a + (b - a) * (Real::from(bytes.byte() as i8) / 8.0),
        2 => a + (b - c),
        3 => b.with_component(bytes.below(V::DIM), a.component(0)),
        _ => {
            let axis = bytes.below(V::DIM);
            let step = Real::from_bits(a.component(axis).to_bits().wrapping_add(1));
            a.with_component(axis, step)
        }
    }
}

/// A normal: mostly of unit length.
fn normal<V: Vector>(bytes: &mut Bytes) -> V {
    match bytes.below(8) {
        0..=2 => {
            let axis = V::axis(bytes.below(V::DIM));
            if bytes.once_in(2) { -axis } else { axis }
        }
        3..=6 => {
            let direction: V = bytes.vector(Bytes::lattice);
            let unit = direction.to_precise().direction();
            V::from_precise(unit.unwrap_or(V::Precise::axis(0)))
        }
        _ => bytes.vector(Bytes::number),
    }
}

/// The corner of a box that is farthest along a direction.
fn signed<P: PreciseVector>(corner: P, direction: P) -> P {
    P::from_fn(|k| corner.component(k).copysign(direction.component(k)))
}

fn farthest<V: Vector>(points: &[V], direction: V::Precise) -> V::Precise {
    let precise = points.iter().map(|point| point.to_precise());
    let higher = |best: V::Precise, next: V::Precise| {
        if next.dot(direction) > best.dot(direction) {
            next
        } else {
            best
        }
    };
    precise.reduce(higher).unwrap_or(V::Precise::ZERO)
}

/// The farther one of two points along a direction, the first carried to the upper end of an axis, the other to the lower.
fn farther_end<P: PreciseVector>(end: P, [top, bottom]: [P; 2], direction: P) -> P {
    let (top, bottom) = (top + end, bottom - end);
    if top.dot(direction) >= bottom.dot(direction) {
        top
    } else {
        bottom
    }
}

/// The point farthest along a direction of a disc about the y axis.
fn rim<P: PreciseVector>(direction: P, radius: Real) -> P {
    let across = direction.with_component(1, 0.0);
    across
        .direction()
        .map_or(P::ZERO, |unit| unit * f64::from(radius))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clearance_math::Vec3;
    use clearance_shapes::CoreKind;

    use super::*;

    #[test]
    fn every_core_is_made() {
        let mut made = BTreeSet::new();
        let mut random = 1_u32;
        for kind in (0..=255_u8).cycle().take(2048) {
            let bytes = core::iter::once(kind).chain((0..64).map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            }));
            let bytes: Vec<u8> = bytes.collect();
            let shape = Form::<Vec3>::decode(&mut Bytes::new(&bytes), 1.0).build();
            if let Some(Shape::Convex(convex)) = &shape {
                made.insert(convex.core().kind());
            }
        }
        // The last kind is that of custom shapes, which are code.
        assert_eq!(made.len(), CoreKind::Custom as usize, "{made:?}");
    }
}
