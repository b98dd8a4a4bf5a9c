//! Composites as plain numbers.
//!
//! | kind | numbers |
//! | --- | --- |
//! | mesh | number of vertices, their coordinates, three indices for each triangle |
//! | polyline | number of vertices, their coordinates, two indices for each segment |
//! | height field | number of columns, scale, heights |
//! | points | radius, coordinates |
//! | voxels of a list | 0, size, number of numbers without cells, these numbers, cells |
//! | voxels by chunks | 1, size; for each chunk its place and its bits |
//! | voxels with tiles | 2 or 3, number of tiles; of each the user's number, radius, kind, number of numbers, these; number of entries, these by fours; the same as without |
//! | compound | for each part its translation, rotation and encoding |
//!
//! One-sided ones have kinds of their own, and the bits of their depth in the place of the radius. So have those with an
//! inside: solid meshes and polygons.

use clearance_math::{Pose, PreciseVector, Real, Rotation, Vector};

use super::{
    Composite, CompositeKind, CompoundPart, HeightField, Mesh, PointCloud, Polyline, Voxels,
};
use crate::encoding::{FIRST_COMPOSITE, refused, vector, vector_bits};
use crate::{Shape, ShapeEncoding, ShapeError};

const MESH: u8 = FIRST_COMPOSITE;
const POLYLINE: u8 = FIRST_COMPOSITE + 1;
const HEIGHT_FIELD: u8 = FIRST_COMPOSITE + 2;
const COMPOUND: u8 = FIRST_COMPOSITE + 3;
/// Beyond the numbers of one-sided kinds.
const POINTS: u8 = FIRST_COMPOSITE + 16;
const VOXELS: u8 = FIRST_COMPOSITE + 17;

/// What is added to the number of a kind that is one-sided.
const ONE_SIDED: u8 = 4;

/// What is added to the number of a kind that has an inside.
const SOLID: u8 = 32;

impl<V: Vector> Composite<V> {
    /// The numbers of [`Shape::bits`].
    pub(crate) fn bits(&self) -> ShapeEncoding {
        let (kind, numbers) = match self.kind() {
            CompositeKind::Mesh(mesh) => (MESH, elements(mesh.vertices(), mesh.triangles())),
            CompositeKind::Polyline(line) => (POLYLINE, elements(line.vertices(), line.segments())),
            CompositeKind::HeightField(field) => {
                let mut numbers = vec![field.columns()];
                numbers.extend(vector_bits([field.scale()]));
                numbers.extend(field.heights().iter().map(|height| height.to_bits()));
                (HEIGHT_FIELD, numbers)
            }
            CompositeKind::Points(cloud) => {
                let mut numbers = vec![cloud.radius().to_bits()];
                numbers.extend(vector_bits(cloud.points().iter().copied()));
                (POINTS, numbers)
            }
            CompositeKind::Voxels(voxels) => (VOXELS, voxels.numbers()),
            CompositeKind::Compound(compound) => {
                let parts = compound.shapes().iter();
                (COMPOUND, parts.flat_map(part_numbers).collect())
            }
        };
        match self
            .one_sided()
            .filter(|_| kind != COMPOUND && kind != VOXELS)
        {
            Some(depth) => ShapeEncoding {
                kind: kind + ONE_SIDED,
                numbers,
                radius: depth.to_bits().into(),
            },
            None => ShapeEncoding {
                kind: if self.is_solid() { kind + SOLID } else { kind },
                numbers,
                radius: 0,
            },
        }
    }

    /// Checks the shapes of a compound; all others pass.
    pub(crate) fn check_parts(
        &self,
        check: impl Fn(&Shape<V>) -> Result<(), ShapeError>,
    ) -> Result<(), ShapeError> {
        let CompositeKind::Compound(compound) = self.kind() else {
            return Ok(());
        };
        for (index, part) in compound.shapes().iter().enumerate() {
            check(&part.shape).map_err(|error| ShapeError::Part {
                index,
                error: Box::new(error),
            })?;
        }
        Ok(())
    }

    pub(crate) fn from_encoding(encoding: &ShapeEncoding) -> Result<Self, ShapeError> {
        let numbers = &encoding.numbers;
        let solid = [MESH, POLYLINE]
            .into_iter()
            .find(|kind| kind + SOLID == encoding.kind);
        if let Some(kind) = solid {
            let surface = ShapeEncoding {
                kind,
                ..encoding.clone()
            };
            return Self::from_encoding(&surface)?.with_inside();
        }
        let (kind, depth) = match encoding.kind.checked_sub(ONE_SIDED) {
            Some(kind) if (FIRST_COMPOSITE..=COMPOUND).contains(&kind) => {
                (kind, Some(encoding.radius))
            }
            _ if encoding.radius != 0 => return Err(refused("a composite has no radius")),
            _ => (encoding.kind, None),
        };
        let kind = match kind {
            MESH if const { V::DIM == 3 } => {
                let (vertices, triangles) = from_elements(numbers)?;
                CompositeKind::Mesh(Mesh::new(vertices, triangles)?)
            }
            POLYLINE => {
                let (vertices, segments) = from_elements(numbers)?;
                CompositeKind::Polyline(Polyline::new(vertices, segments)?)
            }
            HEIGHT_FIELD if const { V::DIM == 3 } => {
                CompositeKind::HeightField(height_field(numbers)?)
            }
            POINTS => CompositeKind::Points(points(numbers)?),
            VOXELS => CompositeKind::Voxels(Voxels::from_numbers(numbers)?),
            COMPOUND if depth.is_none() => return compound(numbers),
            _ => return Err(refused("there is no such kind of composite")),
        };
        let depth = depth.map(u32::try_from).transpose();
        match depth.map_err(|_| refused("a depth is no number of single precision"))? {
            Some(depth) => Self::new(kind).with_one_side(Real::from_bits(depth)),
            None => Ok(Self::new(kind)),
        }
    }
}

fn elements<V: Vector, const CORNERS: usize>(
    vertices: &[V],
    elements: &[[u32; CORNERS]],
) -> Vec<u32> {
    let mut numbers = vec![vertices.len() as u32];
    numbers.extend(vector_bits(vertices.iter().copied()));
    numbers.extend(elements.as_flattened());
    numbers
}

/// Vertices, and the elements that use them.
type Elements<V, const CORNERS: usize> = (Vec<V>, Vec<[u32; CORNERS]>);

fn from_elements<V: Vector, const CORNERS: usize>(
    numbers: &[u32],
) -> Result<Elements<V, CORNERS>, ShapeError> {
    let too_few = || refused("a list of vertices ends too early");
    let (&count, numbers) = numbers.split_first().ok_or_else(too_few)?;
    let coordinates = (count as usize)
        .checked_mul(V::DIM)
        .filter(|&coordinates| coordinates <= numbers.len())
        .ok_or_else(too_few)?;
    let (coordinates, indices) = numbers.split_at(coordinates);
    let (elements, []) = indices.as_chunks::<CORNERS>() else {
        return Err(refused("an element has an index too few"));
    };
    let vertices = coordinates.chunks_exact(V::DIM).map(vector).collect();
    Ok((vertices, elements.to_vec()))
}

fn height_field<V: Vector>(numbers: &[u32]) -> Result<HeightField<V>, ShapeError> {
    let Some((header, heights)) = numbers.split_at_checked(1 + V::DIM) else {
        return Err(refused("a height field ends too early"));
    };
    let heights = heights.iter().map(|&bits| Real::from_bits(bits));
    HeightField::new(heights.collect(), header[0] as usize, vector(&header[1..]))
}

fn points<V: Vector>(numbers: &[u32]) -> Result<PointCloud<V>, ShapeError> {
    match numbers.split_first() {
        Some((&radius, coordinates)) if coordinates.len().is_multiple_of(V::DIM) => {
            let points = coordinates.chunks_exact(V::DIM).map(vector);
            PointCloud::new(points.collect(), Real::from_bits(radius))
        }
        _ => Err(refused("points are a radius and whole vectors")),
    }
}

fn part_numbers<V: Vector>(part: &CompoundPart<V>) -> Vec<u32> {
    let shape = part.shape.bits();
    let position = part.pose.position();
    let halves = |k: usize| {
        let bits = position.component(k).to_bits();
        [bits as u32, (bits >> 32) as u32]
    };
    let mut numbers: Vec<u32> = (0..V::DIM).flat_map(halves).collect();
    numbers.extend(part.pose.rotation.to_bits());
    numbers.extend([
        u32::from(shape.kind),
        shape.radius as u32,
        (shape.radius >> 32) as u32,
        shape.numbers.len() as u32,
    ]);
    numbers.extend(shape.numbers);
    numbers
}

/// The position at the start of the numbers of a part: of each component the low half and the high one.
fn position<V: Vector>(numbers: &[u32]) -> V::Precise {
    V::Precise::from_fn(|k| {
        let bits = u64::from(numbers[2 * k + 1]) << 32 | u64::from(numbers[2 * k]);
        f64::from_bits(bits)
    })
}

/// The depth of the recursion is that of the nesting, which the numbers may exceed: every level
/// takes some numbers, so that it is checked before it is read.
fn compound<V: Vector>(numbers: &[u32]) -> Result<Composite<V>, ShapeError> {
    nested_compound(numbers, 1)
}

fn nested_compound<V: Vector>(numbers: &[u32], depth: u8) -> Result<Composite<V>, ShapeError> {
    let too_few = || refused("a compound ends too early");
    let mut parts = Vec::new();
    let mut rest = numbers;
    while !rest.is_empty() {
        let (header, after) = rest.split_at_checked(2 * V::DIM + 8).ok_or_else(too_few)?;
        let [r0, r1, r2, r3, kind, low, high, count] = header[2 * V::DIM..] else {
            return Err(too_few());
        };
        let (own, after) = after.split_at_checked(count as usize).ok_or_else(too_few)?;
        rest = after;
        let rotation = V::Rotation::from_bits([r0, r1, r2, r3])
            .map_err(|error| refused(&error.to_string()))?;
        let kind = u8::try_from(kind).map_err(|_| refused("a part is of no kind"))?;
        if kind == COMPOUND && (low, high) != (0, 0) {
            return Err(refused("a composite has no radius"));
        }
        let shape = if kind == COMPOUND {
            if depth >= super::MOST_NESTED {
                return Err(ShapeError::TooDeep {
                    most: super::MOST_NESTED,
                });
            }
            nested_compound(own, depth + 1)?.into()
        } else {
            Shape::from_encoding(&ShapeEncoding {
                kind,
                numbers: own.to_vec(),
                radius: u64::from(high) << 32 | u64::from(low),
            })?
        };
        parts.push(CompoundPart {
            shape,
            pose: Pose::new(position::<V>(header), rotation),
        });
    }
    super::Compound::new(parts).map(|compound| Composite::new(CompositeKind::Compound(compound)))
}
