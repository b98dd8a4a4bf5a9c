//! Random composites of every kind.

use clearance_math::{Cell, Pose, Real, Vec2, Vec3};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{Kind, Pcg, Space};
use crate::solids::Solids;

/// What makes a random shape.
type Maker<V> = fn(&mut Pcg) -> Shape<V>;

/// Composites of every kind that the dimension has, and other shapes.
pub(crate) trait Composites: Space {
    fn composite(random: &mut Pcg) -> Shape<Self>;

    /// The kinds of composites, and what makes one of each.
    fn makers() -> Vec<(&'static str, Maker<Self>)>;
}

impl Composites for Vec2 {
    fn composite(random: &mut Pcg) -> Shape<Self> {
        match random.below(2) {
            0 => chain(random),
            _ => compound(random, 2),
        }
    }

    fn makers() -> Vec<(&'static str, Maker<Self>)> {
        vec![
            ("polyline", chain),
            ("points", cloud),
            ("voxels", voxels),
            ("compound", |random| compound(random, 2)),
            ("polygon", Self::solid),
        ]
    }
}

impl Composites for Vec3 {
    fn composite(random: &mut Pcg) -> Shape<Self> {
        match random.below(5) {
            0 => chain(random),
            1 => soup(random),
            2 => sheet(random),
            3 => terrain(random),
            _ => compound(random, 2),
        }
    }

    fn makers() -> Vec<(&'static str, Maker<Self>)> {
        vec![
            ("mesh", soup),
            ("height field", terrain),
            ("polyline", chain),
            ("points", cloud),
            ("voxels", voxels),
            ("compound", |random| compound(random, 2)),
            ("solid mesh", Self::solid),
        ]
    }
}

/// Points without any order, some of them twice, and the radius of zero.
fn cloud<V: Space>(random: &mut Pcg) -> Shape<V> {
    let mut points: Vec<V> = (0..1 + random.below(90))
        .map(|_| random.point(2.0))
        .collect();
    points.push(points[0]);
    let radius = random.pick(&[0.0, 0.125, 0.3]);
    Shape::points(points, radius).expect("a valid cloud")
}

/// A crowd of cells, or a few apart from each other.
fn voxels<V: Space>(random: &mut Pcg) -> Shape<V> {
    let size = random.pick(&[0.25, 0.5]);
    Shape::voxels(V::splat(size), cells::<V>(random)).expect("valid voxels")
}

/// Cells in no order, none twice.
pub(crate) fn cells<V: Space>(random: &mut Pcg) -> Vec<V::Cell> {
    let count = 1 + random.below(60);
    let far = random.chance(0.3);
    let mut at = [0; 3];
    let mut cells: Vec<V::Cell> = Vec::new();
    for _ in 0..count {
        if far {
            at = [(); 3].map(|()| random.below(40) as i32 - 20);
        } else {
            at[random.below(V::DIM)] += random.pick(&[-1, 1]);
        }
        let cell = V::Cell::from_components(at);
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    cells
}

fn chain<V: Space>(random: &mut Pcg) -> Shape<V> {
    let count = 2 + random.below(30);
    let mut at = V::ZERO;
    let vertices = (0..count).map(|_| {
        at = at + random.point::<V>(0.5);
        at
    });
    let mut vertices: Vec<V> = vertices.collect();
    if random.chance(0.2) {
        // A segment of length zero.
        vertices.push(at);
    }
    Shape::polyline(vertices).expect("finite vertices")
}

/// Triangles without any order, some of them without area.
fn soup(random: &mut Pcg) -> Shape<Vec3> {
    let count = 1 + random.below(40);
    let vertices: Vec<Vec3> = (0..count + 2).map(|_| random.point(2.0)).collect();
    let index = |random: &mut Pcg| random.below(vertices.len()) as u32;
    let triangles = (0..count).map(|_| [index(random), index(random), index(random)]);
    let triangles: Vec<_> = triangles.collect();
    Shape::mesh(vertices, triangles).expect("a valid mesh")
}

/// A grid of triangles that share vertices: many parts are equally near.
fn sheet(random: &mut Pcg) -> Shape<Vec3> {
    let side = 2 + random.below(6) as u32;
    let flat = random.chance(0.5);
    let vertices = (0..side * side).map(|k| {
        let y = if flat { 0.0 } else { random.between(-0.3, 0.3) };
        Vec3::new((k / side) as Real, y as Real, (k % side) as Real)
    });
    let vertices: Vec<_> = vertices.collect();
    Shape::mesh(vertices, squares(side - 1)).expect("a valid mesh")
}

/// The triangles of so many squares a side, two each, whose vertices are numbered row by row.
pub(crate) fn squares(side: u32) -> Vec<[u32; 3]> {
    let row = side + 1;
    let first = (0..side).flat_map(|r| (0..side).map(move |c| r * row + c));
    first
        .flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]])
        .collect()
}

/// Numbers that need no rounding, so that the bounds are those of the parts.
fn terrain(random: &mut Pcg) -> Shape<Vec3> {
    let [rows, columns] = [(); 2].map(|()| random.pick(&[2, 3, 5, 9]));
    let mut heights: Vec<Real> = (0..rows * columns)
        .map(|_| {
            let height = random.between(-0.5, 0.5) as Real;
            if random.chance(0.05) {
                Real::NAN
            } else {
                height
            }
        })
        .collect();
    heights[0] = 0.0;
    heights[1] = 0.5;
    heights[columns] = 0.0;
    heights[columns + 1] = 0.25;
    let scale = Vec3::from_array([(); 3].map(|()| random.pick(&[0.5, 1.0, 2.0, 4.0])));
    Shape::height_field(heights, columns, scale).expect("a valid field")
}

fn compound<V: Space>(random: &mut Pcg, depth: usize) -> Shape<V> {
    let parts = (0..1 + random.below(5)).map(|_| {
        let shape = match random.below(6) {
            0 if depth > 0 => compound(random, depth - 1),
            1 => chain(random),
            _ => convex(random),
        };
        let pose = if random.chance(0.2) {
            Pose::IDENTITY
        } else {
            Pose::new(random.point::<V>(1.0), V::any_rotation(random))
        };
        CompoundPart::new(shape, pose)
    });
    Shape::compound(parts.collect::<Vec<_>>()).expect("a valid compound")
}

pub(crate) fn convex<V: Space>(random: &mut Pcg) -> Shape<V> {
    let kinds: Vec<Kind> = Kind::bounded::<V>().collect();
    V::shape(random.pick(&kinds), random, 0.5)
}
