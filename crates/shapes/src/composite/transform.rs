//! Scaled and translated composites.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector, tolerances};

use super::vertices::is_mirrored;
use super::{
    Composite, CompositeKind, Compound, CompoundPart, HeightField, Mesh, OneWay, PointCloud,
    Polyline,
};
use crate::error::check_vector;
use crate::transform::{are_even, corners_of, product, sizes};
use crate::{Core, Requirement, Shape, ShapeError};

impl<V: Vector> Composite<V> {
    /// The composite scaled about the origin of its body.
    pub(crate) fn stretched(&self, factors: V) -> Result<Self, ShapeError> {
        let name = self.kind_name();
        let stretched = |point: V| {
            let product = product(point, factors);
            check_vector(name, "factors", product, Requirement::Finite).map(|()| product)
        };
        self.mapped(stretched, factors, |kind| match kind {
            CompositeKind::HeightField(field) => {
                let scale = stretched(field.scale())?;
                let heights = field.heights().to_vec();
                HeightField::new(heights, field.columns() as usize, scale)
                    .map(CompositeKind::HeightField)
            }
            CompositeKind::Voxels(voxels) => {
                let size = sizes(stretched(voxels.size())?);
                voxels.scaled(size, factors).map(CompositeKind::Voxels)
            }
            CompositeKind::Compound(compound) => {
                let parts = stretched_parts(compound.shapes(), &Pose::IDENTITY, factors)?;
                let one_way = compound.one_way().map(|side| side.scaled(factors));
                Compound::new(parts, one_way).map(CompositeKind::Compound)
            }
            _ => Err(ShapeError::CannotMove { kind: kind.name() }),
        })
    }

    /// The composite moved in the frame of its body.
    pub(crate) fn translated(&self, offset: V) -> Result<Self, ShapeError> {
        let name = self.kind_name();
        let moved = |point: V| {
            let sum = point + offset;
            check_vector(name, "offset", sum, Requirement::Finite).map(|()| sum)
        };
        self.mapped(moved, V::splat(1.0), |kind| match kind {
            CompositeKind::Compound(compound) => {
                let moved_part = |part: &CompoundPart<V>| {
                    let pose = part.pose.moved_by(offset);
                    check_position::<V>(name, "offset", pose.position())
                        .map(|()| CompoundPart::new(part.shape.clone(), pose))
                };
                let parts: Result<_, _> = compound.shapes().iter().map(moved_part).collect();
                Compound::new(parts?, compound.one_way()).map(CompositeKind::Compound)
            }
            _ => Err(ShapeError::CannotMove { kind: kind.name() }),
        })
    }

    /// Maps the vertices of a kind that has some, and leaves the other kinds to `others`. The factors say whether the map
    /// mirrors, and by how much it scales at most.
    fn mapped(
        &self,
        map: impl Fn(V) -> Result<V, ShapeError>,
        factors: V,
        others: impl Fn(&CompositeKind<V>) -> Result<CompositeKind<V>, ShapeError>,
    ) -> Result<Self, ShapeError> {
        // Where a mirror exchanges the sides of parts, their corners change places, so that the outer side stays the outer one.
        let all = |vertices: &[V]| vertices.iter().map(|&vertex| map(vertex)).collect();
        let kind = match self.kind() {
            CompositeKind::Mesh(mesh) => {
                let vertices: Result<_, _> = all(mesh.vertices());
                let mut triangles = mesh.triangles().to_vec();
                if is_mirrored(factors) {
                    for [_, second, third] in &mut triangles {
                        core::mem::swap(second, third);
                    }
                }
                CompositeKind::Mesh(Mesh::new(vertices?, triangles)?)
            }
            CompositeKind::Polyline(line) => {
                let vertices: Result<_, _> = all(line.vertices());
                let mut segments = line.segments().to_vec();
                if is_mirrored(factors) {
                    segments.iter_mut().for_each(|ends| ends.reverse());
                }
                CompositeKind::Polyline(Polyline::new(vertices?, segments)?)
            }
            CompositeKind::Points(cloud) => {
                if cloud.radius() > 0.0 && !are_even(factors) {
                    return Err(ShapeError::CannotStretch {
                        kind: "cloud of points with a radius",
                        valid: "equal but for their signs",
                    });
                }
                let points: Result<_, _> = all(cloud.points());
                let radius = cloud.radius() * factors.component(0).abs();
                CompositeKind::Points(PointCloud::new(points?, radius)?)
            }
            kind => others(kind)?,
        };
        let mapped = Self::new(kind).with_same_data(self.user_data.clone());
        let greatest = (0..V::DIM).fold(0.0, |most: Real, k| most.max(factors.component(k).abs()));
        if self.is_solid() {
            return mapped.with_inside();
        }
        match self.one_sided.filter(|_| mapped.one_sided.is_none()) {
            Some(depth) => mapped.with_one_side((depth * greatest).min(Real::MAX)),
            None => Ok(mapped),
        }
    }
}

/// Refuses a position beyond the range of single precision, which is then infinite.
fn check_position<V: Vector>(
    shape: &'static str,
    field: &'static str,
    position: V::Precise,
) -> Result<(), ShapeError> {
    let single = V::from_fn(|axis| position.component(axis) as Real);
    check_vector(shape, field, single, Requirement::Finite)
}

/// The parts of a compound at `outer` scaled along the axes of the frame that the compound is placed in.
fn stretched_parts<V: Vector>(
    parts: &[CompoundPart<V>],
    outer: &Pose<V>,
    factors: V,
) -> Result<Vec<CompoundPart<V>>, ShapeError> {
    let stretched = |(index, part): (usize, &CompoundPart<V>)| {
        let is_identity = *outer == Pose::IDENTITY;
        let pose = if is_identity {
            part.pose
        } else {
            *outer * part.pose
        };
        stretched_part(&part.shape, &pose, factors).map_err(|error| error.in_part(index))
    };
    parts.iter().enumerate().map(stretched).collect()
}

/// A shape p at a pose R p + t, scaled by S: it is the shape S' p at the pose R' p + S t, where S R = R' S'.
fn stretched_part<V: Vector>(
    shape: &Shape<V>,
    pose: &Pose<V>,
    factors: V,
) -> Result<CompoundPart<V>, ShapeError> {
    let position = pose.position().scaled_by(factors.to_precise());
    let name = shape.kind_name();
    check_position::<V>(name, "factors", position)?;
    let placed = |shape: Shape<V>, rotation: V::Rotation| {
        CompoundPart::new(shape, Pose::new(position, rotation))
    };
    if let Some(own) = along_own_axes(pose.rotation, factors) {
        return Ok(placed(shape.scaled_by(own)?, pose.rotation));
    }
    if are_even(factors) {
        let (rotation, own) = mirrored(pose.rotation, factors);
        return Ok(placed(shape.scaled_by(own)?, rotation));
    }
    let turn = pose.rotation.matrix();
    // S R = R (R^T S R).
    let map = |point: V| {
        let stretched = turn
            .apply(point.to_precise())
            .scaled_by(factors.to_precise());
        let mapped = V::from_precise(turn.apply_transposed(stretched));
        check_vector(name, "factors", mapped, Requirement::Finite).map(|()| mapped)
    };
    let unstretchable = || ShapeError::CannotStretch {
        kind: name,
        valid: "equal but for their signs unless it is turned by quarter turns in its compound",
    };
    match shape {
        Shape::Convex(convex) => {
            if let Some(corners) = corners_of(convex) {
                let corners: Result<Vec<V>, _> = corners.into_iter().map(map).collect();
                return Ok(placed(Shape::hull(&corners?)?, pose.rotation));
            }
            // However a ball is turned, it is the same.
            if matches!(convex.core(), Core::Point(center) if *center == V::ZERO) {
                return Ok(placed(shape.scaled_by(factors)?, V::Rotation::IDENTITY));
            }
            Err(unstretchable())
        }
        Shape::Composite(composite) => {
            if let CompositeKind::Compound(inner) = composite.kind() {
                let parts = stretched_parts(inner.shapes(), pose, factors)?;
                let turned = |side: OneWay<V>| OneWay {
                    normal: V::from_precise(turn.apply(side.normal.to_precise())),
                    ..side
                };
                let one_way = inner.one_way().map(|side| turned(side).scaled(factors));
                let compound = CompositeKind::Compound(Compound::new(parts, one_way)?);
                let user_data = composite.user_data.clone();
                return Ok(CompoundPart {
                    shape: Composite::new(compound).with_same_data(user_data).into(),
                    pose: Pose::IDENTITY,
                });
            }
            let mapped = composite.mapped(map, factors, |_| Err(unstretchable()))?;
            Ok(placed(mapped.into(), pose.rotation))
        }
        Shape::HalfSpace(_) => Err(unstretchable()),
    }
}

/// The factors along the axes of a turned shape that have the effect of `factors` along those of its frame; `None` if there
/// are none.
fn along_own_axes<V: Vector>(rotation: V::Rotation, factors: V) -> Option<V> {
    let turn = rotation.matrix();
    let mut own = factors;
    for k in 0..V::DIM {
        let axis = turn.column(k).abs();
        let mut longest = 0;
        for j in 1..V::DIM {
            if axis.component(j) > axis.component(longest) {
                longest = j;
            }
        }
        let factor = factors.component(longest);
        let is_along = |j| axis.component(j) <= tolerances::QUARTER_TURN;
        if !(0..V::DIM).all(|j| factors.component(j) == factor || is_along(j)) {
            return None;
        }
        own = own.with_component(k, factor);
    }
    Some(own)
}

/// R' and S' for factors that are equal but for their signs: S' mirrors along x if S mirrors, since shapes of revolution are
/// symmetric there, and what is left of S R is a rotation.
fn mirrored<V: Vector>(rotation: V::Rotation, factors: V) -> (V::Rotation, V) {
    let size = factors.component(0).abs();
    let negative = |k: usize| factors.component(k) < 0.0;
    let even = V::splat(size);
    let is_mirror = is_mirrored(factors);
    let own = if is_mirror {
        even.with_component(0, -size)
    } else {
        even
    };
    if const { V::DIM == 2 } {
        // diag(-1, 1) R diag(-1, 1) turns the other way; diag(1, -1) is the opposite of diag(-1, 1).
        let turned = if is_mirror {
            rotation.inverse()
        } else {
            rotation
        };
        return if negative(1) {
            (half_turn::<V>(0).after(turned), own)
        } else {
            (turned, own)
        };
    }
    // One sign alone, be it the positive or the negative one: S is a half turn about that axis, or the opposite of one.
    let alone = (0..V::DIM).find(|&k| (0..V::DIM).all(|j| j == k || negative(j) != negative(k)));
    let turned = alone.map_or(rotation, |axis| half_turn::<V>(axis).after(rotation));
    if is_mirror {
        (turned.after(half_turn::<V>(0)), own)
    } else {
        (turned, own)
    }
}

/// The rotation by half a turn, in space about an axis.
fn half_turn<V: Vector>(axis: usize) -> V::Rotation {
    let bits = if const { V::DIM == 2 } {
        let cos = (-1.0_f64).to_bits();
        [cos as u32, (cos >> 32) as u32, 0, 0]
    } else {
        let one = 1.0_f32.to_bits();
        [0, 1, 2, 3].map_each(|k| if k == axis { one } else { 0 })
    };
    V::Rotation::from_bits(bits).unwrap_or(V::Rotation::IDENTITY)
}
