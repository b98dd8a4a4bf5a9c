//! Composites as plain numbers.
//!
//! | kind | numbers |
//! | --- | --- |
//! | mesh | number of vertices, their coordinates, three indices for each triangle |
//! | polyline | number of vertices, their coordinates, two indices for each segment |
//! | height field | number of columns, scale, heights |
//! | points | radius, coordinates |
//! | voxels of a list | 0, size, number of numbers without cells, these numbers, cells |
//! | voxels of a list, edited | 4, size, number of chunks, their places; the rest as of a list |
//! | voxels by chunks | 1, size; for each chunk its place and its bits |
//! | voxels with tiles | 2 more than these, number of tiles; of each the user's number, radius, kind, number of numbers, these; number of entries, these by fours; the same as without |
//! | compound | for each part its translation, rotation and encoding |
//! | one-way compound | normal, depth, and as a compound |
//! | with user data | how many numbers, these, kind, radius and numbers of the same without |
//!
//! One-sided ones have kinds of their own, and the bits of their depth in the place of the radius. So have those with an
//! inside: solid meshes and polygons.

use clearance_math::{Pose, Real, Rotation, Vector};

use super::{
    Composite, CompositeKind, Compound, CompoundPart, HeightField, Mesh, OneWay, PointCloud,
    Polyline, Voxels,
};
use crate::encoding::{
    FIRST_COMPOSITE, bits_of, halves, precise, precise_bits, refused, vector, vector_bits, whole,
};
use crate::{Shape, ShapeEncoding, ShapeError};

const MESH: u8 = FIRST_COMPOSITE;
const POLYLINE: u8 = FIRST_COMPOSITE + 1;
const HEIGHT_FIELD: u8 = FIRST_COMPOSITE + 2;
const COMPOUND: u8 = FIRST_COMPOSITE + 3;
/// Beyond the numbers of one-sided kinds.
const POINTS: u8 = FIRST_COMPOSITE + 16;
const VOXELS: u8 = FIRST_COMPOSITE + 17;

const ONE_WAY_COMPOUND: u8 = FIRST_COMPOSITE + 18;
const USER_DATA: u8 = FIRST_COMPOSITE + 19;

/// What is added to the number of a kind that is one-sided.
const ONE_SIDED: u8 = 4;

/// What is added to the number of a kind that has an inside.
const SOLID: u8 = 32;

impl<V: Vector> Composite<V> {
    /// The numbers of [`bits_of`].
    pub(crate) fn bits(&self) -> ShapeEncoding {
        let plain = self.bits_without_data();
        let Some(data) = &self.user_data else {
            return plain;
        };
        let mut numbers = vec![data.len() as u32];
        numbers.extend(data.iter().copied().flat_map(halves));
        numbers.push(plain.kind.into());
        numbers.extend(halves(plain.radius));
        numbers.extend(plain.numbers);
        ShapeEncoding {
            kind: USER_DATA,
            numbers,
            radius: 0,
        }
    }

    fn bits_without_data(&self) -> ShapeEncoding {
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
                let parts = compound.shapes().iter().flat_map(part_numbers);
                match compound.one_way() {
                    Some(OneWay { normal, depth }) => {
                        let mut numbers = vector_bits([normal]);
                        numbers.push(depth.to_bits());
                        numbers.extend(parts);
                        (ONE_WAY_COMPOUND, numbers)
                    }
                    None => (COMPOUND, parts.collect()),
                }
            }
        };
        match self
            .one_sided()
            .filter(|_| ![COMPOUND, ONE_WAY_COMPOUND, VOXELS].contains(&kind))
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
            check(&part.shape).map_err(|error| error.in_part(index))?;
        }
        Ok(())
    }

    pub(crate) fn from_encoding(encoding: &ShapeEncoding) -> Result<Self, ShapeError> {
        Self::nested(encoding, 1)
    }

    /// The depth of the recursion is that of the nesting of compounds, which the numbers may exceed.
    fn nested(encoding: &ShapeEncoding, depth_of_nesting: u8) -> Result<Self, ShapeError> {
        let numbers = &encoding.numbers;
        if encoding.kind == USER_DATA {
            if encoding.radius != 0 {
                return Err(refused("a composite has no radius"));
            }
            return with_user_data(numbers, depth_of_nesting);
        }
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
            COMPOUND | ONE_WAY_COMPOUND if depth.is_none() => {
                let compound = compound(numbers, kind == ONE_WAY_COMPOUND, depth_of_nesting)?;
                CompositeKind::Compound(compound)
            }
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
    let shape = bits_of(&part.shape);
    let mut numbers = precise_bits::<V>(part.pose.position());
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

fn with_user_data<V: Vector>(
    numbers: &[u32],
    depth_of_nesting: u8,
) -> Result<Composite<V>, ShapeError> {
    let too_few = || refused("user data of parts ends too early");
    let (&count, rest) = numbers.split_first().ok_or_else(too_few)?;
    let length = (count as usize).checked_mul(2);
    let (data, rest) = length
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(too_few)?;
    let (header, numbers) = rest.split_at_checked(3).ok_or_else(too_few)?;
    let is_plain = |&kind: &u8| kind >= FIRST_COMPOSITE && kind != USER_DATA && kind != VOXELS;
    let kind = u8::try_from(header[0]).ok().filter(is_plain);
    let plain = ShapeEncoding {
        kind: kind.ok_or_else(|| refused("what has user data of parts is of no kind that can"))?,
        numbers: numbers.to_vec(),
        radius: whole(&header[1..]),
    };
    let data: Vec<u64> = data.chunks_exact(2).map(whole).collect();
    Composite::nested(&plain, depth_of_nesting)?.with_user_data(&data)
}

/// Every level of nesting takes some numbers, so that its depth is checked before it is read.
fn compound<V: Vector>(
    numbers: &[u32],
    is_one_way: bool,
    depth: u8,
) -> Result<Compound<V>, ShapeError> {
    let too_few = || refused("a compound ends too early");
    if depth > super::MOST_NESTED {
        return Err(ShapeError::TooDeep {
            most: super::MOST_NESTED,
        });
    }
    let (mut parts, mut rest, mut one_way) = (Vec::new(), numbers, None);
    if is_one_way {
        let (side, after) = rest.split_at_checked(V::DIM + 1).ok_or_else(too_few)?;
        let depth = Real::from_bits(side[V::DIM]);
        let side = OneWay {
            normal: vector(&side[..V::DIM]),
            depth,
        };
        side.check()?;
        (one_way, rest) = (Some(side), after);
    }
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
        let encoding = ShapeEncoding {
            kind,
            numbers: own.to_vec(),
            radius: whole(&[low, high]),
        };
        let shape = if kind >= FIRST_COMPOSITE {
            Composite::nested(&encoding, depth + 1)?.into()
        } else {
            Shape::from_encoding(&encoding)?
        };
        parts.push(CompoundPart {
            shape,
            pose: Pose::new(precise::<V>(header), rotation),
        });
    }
    let compound = Compound::new(parts, one_way)?;
    let is_solid = !compound.solids.is_empty();
    if is_one_way && is_solid {
        return Err(ShapeError::SolidOnOneSide);
    }
    Ok(compound)
}
