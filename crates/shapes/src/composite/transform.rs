//! Scaled and translated composites.

use clearance_math::{Pose, Real, Vector};

use super::{Composite, CompositeKind, Compound, CompoundPart, HeightField, Mesh, Polyline};
use crate::error::check_vector;
use crate::transform::product;
use crate::{Requirement, ShapeError};

impl<V: Vector> Composite<V> {
    /// The composite scaled about the origin of its body. Compounds can only be scaled uniformly.
    pub(crate) fn stretched(&self, factors: V) -> Result<Self, ShapeError> {
        let stretched = |point: V| {
            let product = product(point, factors);
            check_vector("factors", product, Requirement::Finite).map(|()| product)
        };
        self.mapped(stretched, |kind| match kind {
            CompositeKind::HeightField(field) => {
                let scale = stretched(field.scale())?;
                let heights = field.heights().to_vec();
                HeightField::new(heights, field.columns() as usize, scale)
                    .map(CompositeKind::HeightField)
            }
            CompositeKind::Compound(compound) => {
                let factor = factors.component(0);
                if factors != V::splat(factor) {
                    let (kind, valid) = ("compound", "equal");
                    return Err(ShapeError::CannotStretch { kind, valid });
                }
                let scaled = |part: &CompoundPart<V>| scaled_part(part, factor);
                let parts: Result<_, _> = compound.shapes().iter().map(scaled).collect();
                Compound::new(parts?).map(CompositeKind::Compound)
            }
            _ => Err(ShapeError::CannotMove { kind: kind.name() }),
        })
    }

    /// The composite moved in the frame of its body.
    pub(crate) fn translated(&self, offset: V) -> Result<Self, ShapeError> {
        let moved = |point: V| {
            let sum = point + offset;
            check_vector("offset", sum, Requirement::Finite).map(|()| sum)
        };
        self.mapped(moved, |kind| match kind {
            CompositeKind::Compound(compound) => {
                let moved_part = |part: &CompoundPart<V>| {
                    moved(part.pose.translation).map(|translation| CompoundPart {
                        shape: part.shape.clone(),
                        pose: Pose::new(translation, part.pose.rotation),
                    })
                };
                let parts: Result<_, _> = compound.shapes().iter().map(moved_part).collect();
                Compound::new(parts?).map(CompositeKind::Compound)
            }
            _ => Err(ShapeError::CannotMove { kind: kind.name() }),
        })
    }

    /// Maps the vertices of a kind that has some, and leaves the other kinds to `others`.
    fn mapped(
        &self,
        map: impl Fn(V) -> Result<V, ShapeError>,
        others: impl Fn(&CompositeKind<V>) -> Result<CompositeKind<V>, ShapeError>,
    ) -> Result<Self, ShapeError> {
        let all = |vertices: &[V]| vertices.iter().map(|&vertex| map(vertex)).collect();
        let kind = match self.kind() {
            CompositeKind::Mesh(mesh) => {
                let vertices: Result<_, _> = all(mesh.vertices());
                CompositeKind::Mesh(Mesh::new(vertices?, mesh.triangles().to_vec())?)
            }
            CompositeKind::Polyline(line) => {
                let vertices: Result<_, _> = all(line.vertices());
                CompositeKind::Polyline(Polyline::new(vertices?, line.segments().to_vec())?)
            }
            kind => others(kind)?,
        };
        Ok(Self::new(kind))
    }
}

fn scaled_part<V: Vector>(
    part: &CompoundPart<V>,
    factor: Real,
) -> Result<CompoundPart<V>, ShapeError> {
    let translation = part.pose.translation * factor;
    check_vector("factors", translation, Requirement::Finite)?;
    Ok(CompoundPart {
        shape: part.shape.scaled(factor)?,
        pose: Pose::new(translation, part.pose.rotation),
    })
}
