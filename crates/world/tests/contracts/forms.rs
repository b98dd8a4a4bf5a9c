//! One convex shape in all its forms: primitive, hull, solid, compound, voxels.

use clearance_math::{DVec3, IVec2, IVec3, Pose, PreciseVector, Rotation, Vec2, Vec3, Vector};
use clearance_shapes::{Cells, CompoundPart, Shape};

use crate::crowd::Dimension;
use crate::random::Random;

/// The sides of a box: corner k is on the greater side along the axis i where bit i of k is set.
pub(crate) const SIDES_OF_BOX: [[u32; 4]; 6] = [
    [0, 1, 5, 4],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

/// Two triangles for each side.
pub(crate) fn halves_of(sides: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let halves = |&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]];
    sides.iter().flat_map(halves).collect()
}

/// Convex polytopes: boxes, and what is spanned by one corner to both sides along each axis.
pub(crate) trait Forms: Dimension {
    /// A solid with these corners: see [`corners_of_box`] and [`corners_of_cross`].
    fn solid_box(corners: &[Self]) -> Shape<Self>;
    fn solid_cross(corners: &[Self]) -> Shape<Self>;
    /// Four or eight cells of that size around the origin.
    fn cells(size: Self) -> Shape<Self>;
    /// The directions of the normals of the sides of a polytope, and those of its edges in space.
    fn sides(corners: &[DVec3]) -> (Vec<DVec3>, Vec<DVec3>);
}

impl Forms for Vec2 {
    fn solid_box(corners: &[Self]) -> Shape<Self> {
        Shape::polygon([0, 1, 3, 2].map(|k| corners[k]), &[]).unwrap()
    }

    fn solid_cross(corners: &[Self]) -> Shape<Self> {
        Shape::polygon([1, 3, 0, 2].map(|k| corners[k]), &[]).unwrap()
    }

    fn cells(size: Self) -> Shape<Self> {
        let mut cells = Cells::new();
        cells.set_box(IVec2::splat(-1), IVec2::ZERO, true).unwrap();
        Shape::voxels_of(size, cells).unwrap()
    }

    fn sides(corners: &[DVec3]) -> (Vec<DVec3>, Vec<DVec3>) {
        let mut normals = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for b in &corners[i + 1..] {
                let side = *b - *a;
                add_side(&mut normals, corners, *a, DVec3::new(side.y, -side.x, 0.0));
            }
        }
        (normals, Vec::new())
    }
}

impl Forms for Vec3 {
    fn solid_box(corners: &[Self]) -> Shape<Self> {
        Shape::solid_mesh(corners, halves_of(&SIDES_OF_BOX)).unwrap()
    }

    fn solid_cross(corners: &[Self]) -> Shape<Self> {
        let faces = (0..8_u32).map(|k| {
            let [x, y, z] = [k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2)];
            if k.count_ones() % 2 == 0 {
                [x, y, z]
            } else {
                [x, z, y]
            }
        });
        Shape::solid_mesh(corners, faces.collect::<Vec<_>>()).unwrap()
    }

    fn cells(size: Self) -> Shape<Self> {
        let mut cells = Cells::new();
        cells.set_box(IVec3::splat(-1), IVec3::ZERO, true).unwrap();
        Shape::voxels_of(size, cells).unwrap()
    }

    fn sides(corners: &[DVec3]) -> (Vec<DVec3>, Vec<DVec3>) {
        let mut normals = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate().skip(i + 1) {
                for c in &corners[j + 1..] {
                    add_side(&mut normals, corners, *a, (*b - *a).cross(*c - *a));
                }
            }
        }
        let mut edges = Vec::new();
        for (i, a) in normals.iter().enumerate() {
            for b in &normals[i + 1..] {
                let along = a.cross(*b);
                let is_on =
                    |corner: &&DVec3| [a, b].iter().all(|n| is_at_top(n, corners, **corner));
                if along.length() > 1e-9 && corners.iter().filter(is_on).count() > 1 {
                    edges.push(along.normalize());
                }
            }
        }
        (normals, edges)
    }
}

fn is_at_top(normal: &DVec3, corners: &[DVec3], corner: DVec3) -> bool {
    corners
        .iter()
        .all(|other| normal.dot(*other - corner) < 1e-6)
}

/// Adds the unit vectors along a direction for which nothing is above a corner.
fn add_side(normals: &mut Vec<DVec3>, corners: &[DVec3], corner: DVec3, direction: DVec3) {
    if direction.length() < 1e-9 {
        return;
    }
    for normal in [direction.normalize(), -direction.normalize()] {
        let is_known = normals.iter().any(|other| other.dot(normal) > 1.0 - 1e-9);
        if is_at_top(&normal, corners, corner) && !is_known {
            normals.push(normal);
        }
    }
}

/// The corners of a box around the origin.
pub(crate) fn corners_of_box<V: Vector>(half: V) -> Vec<V> {
    let corner =
        |bits: usize| V::from_fn(|axis| [-1.0, 1.0][bits >> axis & 1] * half.component(axis));
    (0..1 << V::DIM).map(corner).collect()
}

/// One corner to both sides along each axis, the upper one first, all somewhat beside it.
pub(crate) fn corners_of_cross<V: Vector>(half: V, random: &mut Random) -> Vec<V> {
    let corners = (0..2 * V::DIM).map(|k| {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let along = V::axis(k / 2) * (sign * half.component(k / 2));
        along + random.vector::<V>(-0.08, 0.08)
    });
    corners.collect()
}

/// A convex polytope in all its forms.
pub(crate) struct Form<V: Vector> {
    pub(crate) corners: Vec<V>,
    /// The first one is a hull.
    pub(crate) shapes: Vec<(&'static str, Shape<V>)>,
}

pub(crate) fn form<V: Forms>(half: V, is_box: bool, random: &mut Random) -> Form<V> {
    let part = |shape: Shape<V>, pose| CompoundPart::new(shape, pose);
    let corners = if is_box {
        corners_of_box(half)
    } else {
        corners_of_cross(half, random)
    };
    let hull = Shape::hull(&corners).unwrap();
    let solid = if is_box {
        V::solid_box(&corners)
    } else {
        V::solid_cross(&corners)
    };
    let alone = |shape: &Shape<V>| Shape::compound([part(shape.clone(), Pose::IDENTITY)]).unwrap();
    let mut shapes = vec![
        ("compound", alone(&hull)),
        ("compound of solid", alone(&solid)),
        ("hull", hull),
        ("solid", solid),
    ];
    if is_box {
        shapes.push(("cuboid", Shape::cuboid(half).unwrap()));
        shapes.push(("cells", V::cells(half)));
        let middle = V::axis(0) * (0.5 * half.component(0));
        let piece = Shape::cuboid(half.with_component(0, 0.5 * half.component(0))).unwrap();
        let halves = [-middle, middle].map(|at| part(piece.clone(), Pose::from_translation(at)));
        shapes.push(("halves", Shape::compound(halves).unwrap()));
    }
    shapes.swap(0, 2);
    Form { corners, shapes }
}

/// The corners of a polytope at a pose.
pub(crate) fn placed_corners<V: Vector>(corners: &[V], pose: &Pose<V>) -> Vec<DVec3> {
    let place = |corner: &V| pose.transform_position(corner.to_precise()).in_space();
    corners.iter().map(place).collect()
}

/// A body is free of another one if a translation leads beyond one of these planes: a unit normal, and how far.
pub(crate) type Planes = Vec<(DVec3, f64)>;

/// All planes along which two polytopes may touch: of the sides of both, and in space of an edge of each.
pub(crate) fn planes_between<V: Forms>(a: &[DVec3], b: &[DVec3]) -> Planes {
    let ((of_a, edges_a), (of_b, edges_b)) = (V::sides(a), V::sides(b));
    let mut normals: Vec<DVec3> = of_a.iter().map(|normal| -*normal).chain(of_b).collect();
    for edge in edges_a {
        for other in &edges_b {
            let normal = edge.cross(*other);
            if normal.length() > 1e-6 {
                normals.extend([normal.normalize(), -normal.normalize()]);
            }
        }
    }
    let reach = |points: &[DVec3], normal: DVec3| {
        let heights = points.iter().map(|point| normal.dot(*point));
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    let bound = |normal| (normal, reach(b, normal) + reach(a, -normal));
    normals.into_iter().map(bound).collect()
}

fn is_free(bodies: &[Planes], way: DVec3) -> bool {
    let is_beyond = |&(normal, bound): &(DVec3, f64)| normal.dot(way) >= bound - 1e-9;
    bodies.iter().all(|planes| planes.iter().any(is_beyond))
}

/// The length of the least translation that leads beyond one plane of each body: it leads to one plane, or to where two or
/// three of them meet.
pub(crate) fn least_way<V: Vector>(bodies: &[Planes]) -> f64 {
    let mut least = f64::INFINITY;
    let shorter = |way: DVec3, least: f64| {
        let length = way.length();
        if length < least && is_free(bodies, way) {
            length
        } else {
            least
        }
    };
    least = shorter(DVec3::ZERO, least);
    let all: Planes = bodies.concat();
    for (normal, bound) in &all {
        least = shorter(*normal * *bound, least);
    }
    for (i, (a, x)) in all.iter().enumerate() {
        for (j, (b, y)) in all[..i].iter().enumerate() {
            let cos = a.dot(*b);
            let square = 1.0 - cos * cos;
            if square < 1e-9 {
                continue;
            }
            let way = *a * ((x - cos * y) / square) + *b * ((y - cos * x) / square);
            // Where three planes meet is no nearer than where two of them do.
            if way.length() >= least {
                continue;
            }
            least = shorter(way, least);
            for (c, z) in all[..j].iter().filter(|_| V::DIM == 3) {
                let volume = a.dot(b.cross(*c));
                if volume.abs() > 1e-9 {
                    let sum = b.cross(*c) * *x + c.cross(*a) * *y + a.cross(*b) * *z;
                    least = shorter(sum / volume, least);
                }
            }
        }
    }
    least
}

/// A pose at a place, often not turned.
pub(crate) fn turned<V: Dimension>(at: V, random: &mut Random) -> Pose<V> {
    let rotation = if random.once_in(3) {
        V::Rotation::IDENTITY
    } else {
        V::rotation(random)
    };
    Pose::new(at, rotation)
}

/// Whether a body is free after a translation, but for so much.
pub(crate) fn is_free_by<V: Vector>(bodies: &[Planes], way: V, tolerance: f64) -> bool {
    let way = way.to_precise().in_space();
    let is_beyond = |&(normal, bound): &(DVec3, f64)| normal.dot(way) >= bound - tolerance;
    bodies.iter().all(|planes| planes.iter().any(is_beyond))
}
