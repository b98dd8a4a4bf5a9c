//! Composite shapes out of bytes.

use clearance_math::{Cell, Pose, Real, Vec2, Vec3};
use clearance_shapes::{CompoundPart, OneWay, Shape, Tile};

use crate::bytes::Bytes;
use crate::dimension::Dimension;
use crate::form::Form;

/// The most vertices of a mesh or polyline, and the most rows and columns of a height field.
const MOST_VERTICES: usize = 12;
const MOST_ROWS: usize = 4;
/// From which byte on a composite is a cloud of points: the others mean what they meant in stored inputs.
const CLOUDS: usize = 224;
/// The same of voxels.
const VOXELS: usize = 240;

/// A dimension with its composites.
pub(crate) trait Composites: Dimension {
    /// A composite of any kind, its lengths multiplied by `scale`, or `None` if it is refused.
    fn composite(bytes: &mut Bytes, scale: Real) -> Option<Shape<Self>>;
}

impl Composites for Vec2 {
    fn composite(bytes: &mut Bytes, scale: Real) -> Option<Shape<Self>> {
        match bytes.below(256) {
            VOXELS.. => voxels(bytes, scale),
            CLOUDS.. => cloud(bytes, scale),
            byte if byte % 2 == 0 => {
                let outline = vertices(bytes, scale);
                // Most outlines of random corners cross themselves, and are chains.
                Shape::polygon(&outline, &[])
                    .or_else(|_| Shape::polyline(outline))
                    .ok()
            }
            _ => compound(bytes, scale),
        }
    }
}

impl Composites for Vec3 {
    fn composite(bytes: &mut Bytes, scale: Real) -> Option<Shape<Self>> {
        match bytes.below(256) {
            VOXELS.. => voxels(bytes, scale),
            CLOUDS.. => cloud(bytes, scale),
            byte if byte % 4 == 0 => polyline(bytes, scale),
            byte if byte % 4 == 1 => compound(bytes, scale),
            byte if byte % 4 == 2 => height_field(bytes, scale),
            _ => mesh(bytes, scale),
        }
    }
}

/// A composite, or at times any other shape.
pub(crate) fn shape<V: Composites>(bytes: &mut Bytes, scale: Real) -> Option<Shape<V>> {
    if bytes.once_in(3) {
        Form::decode(bytes, scale).build()
    } else {
        V::composite(bytes, scale)
    }
}

fn vertices<V: Dimension>(bytes: &mut Bytes, scale: Real) -> Vec<V> {
    let count = 2 + bytes.below(MOST_VERTICES - 1);
    // One in a hundred may be any number; the rest are such that coincidences are frequent.
    let number = |bytes: &mut Bytes| match bytes.below(128) {
        0 => bytes.number(),
        1..=63 => bytes.lattice(),
        _ => 4.0 * bytes.fraction(),
    };
    (0..count)
        .map(|_| bytes.vector::<V>(number) * scale)
        .collect()
}

fn polyline<V: Dimension>(bytes: &mut Bytes, scale: Real) -> Option<Shape<V>> {
    Shape::polyline(vertices(bytes, scale)).ok()
}

fn cloud<V: Dimension>(bytes: &mut Bytes, scale: Real) -> Option<Shape<V>> {
    let radius = bytes.pick(&[0.0, 0.25, 1.0]) * scale;
    Shape::points(vertices(bytes, scale), radius).ok()
}

fn voxels<V: Dimension>(bytes: &mut Bytes, scale: Real) -> Option<Shape<V>> {
    let size = bytes.vector::<V>(|bytes| bytes.pick(&[0.25, 1.0, 0.3])) * scale;
    let count = 1 + bytes.below(MOST_VERTICES);
    // At times far away, and at times one twice, which is refused.
    let far = bytes.once_in(16);
    let cell = |_| {
        let at = [(); 3].map(|()| bytes.below(4) as i32 - 2);
        V::Cell::from_components(if far { at.map(|at| at << 29) } else { at })
    };
    let mut cells: Vec<V::Cell> = (0..count).map(cell).collect();
    if !bytes.once_in(16) {
        cells.sort_unstable_by_key(|cell| cell.components());
        cells.dedup();
    }
    let palette: Vec<_> = (0..bytes.below(3))
        .filter_map(|_| tile(bytes, size))
        .collect();
    let tiles = palette.len();
    let mut shape = Shape::tiles(size, &cells[..], palette).ok()?;
    for cell in cells {
        shape.set_tiles([cell], bytes.below(tiles + 1) as u8).ok()?;
    }
    Some(shape)
}

/// At times one that counts from one side only.
fn tile<V: Dimension>(bytes: &mut Bytes, size: V) -> Option<Tile<V>> {
    let corner = |bytes: &mut Bytes| bytes.vector::<V>(|bytes| bytes.pick(&[0.0, 0.5, 1.0]));
    let corners: Vec<V> = (0..2 + bytes.below(5)).map(|_| corner(bytes)).collect();
    let shape = Shape::hull(corners).ok()?.scaled_by(size).ok()?;
    let one_way = bytes.once_in(4).then(|| OneWay {
        normal: V::axis(bytes.below(V::DIM)) * bytes.pick(&[-1.0, 1.0]),
        depth: bytes.pick(&[0.0, 0.125, 1.0]),
    });
    Some(Tile {
        one_way,
        ..Tile::new(shape)
    })
}

fn mesh(bytes: &mut Bytes, scale: Real) -> Option<Shape<Vec3>> {
    let vertices = vertices(bytes, scale);
    let count = 1 + bytes.below(2 * MOST_VERTICES);
    // At times an index that belongs to no vertex, which is refused.
    let most = vertices.len() + usize::from(bytes.once_in(64));
    let triangle = |_| [(); 3].map(|()| bytes.below(most) as u32);
    let mut triangles: Vec<_> = (0..count).map(triangle).collect();
    if bytes.once_in(4) && vertices.len() >= 4 {
        // A closed surface: a tetrahedron, and perhaps one more on one of its faces.
        triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2]];
        let last = vertices.len() as u32 - 1;
        if last == 3 {
            triangles.push([2, 3, 0]);
        } else {
            triangles.extend([[2, 3, last], [3, 0, last], [0, 2, last]]);
        }
    }
    let mesh = Shape::mesh(vertices, triangles).ok()?;
    Some(mesh.clone().solid().unwrap_or(mesh))
}

fn height_field(bytes: &mut Bytes, scale: Real) -> Option<Shape<Vec3>> {
    let [rows, columns] = [(); 2].map(|()| 2 + bytes.below(MOST_ROWS - 1));
    let height = |_| match bytes.below(32) {
        0 => Real::NAN,
        1 => bytes.number(),
        _ => bytes.lattice(),
    };
    let heights: Vec<_> = (0..rows * columns).map(height).collect();
    let extents: Vec3 = bytes.vector(|bytes| bytes.lattice().abs() + 0.5);
    Shape::height_field(heights, columns, extents * scale).ok()
}

fn compound<V: Dimension>(bytes: &mut Bytes, scale: Real) -> Option<Shape<V>> {
    let count = 1 + bytes.below(4);
    let parts = (0..count).map(|_| {
        let shape = match bytes.below(4) {
            0 => polyline(bytes, scale)?,
            _ => Form::decode(bytes, scale).build()?,
        };
        let translation = bytes.vector::<V>(Bytes::lattice) * scale;
        let pose = Pose::new(translation, V::rotation(bytes));
        Some(CompoundPart { shape, pose })
    });
    Shape::compound(parts.collect::<Option<Vec<_>>>()?).ok()
}
