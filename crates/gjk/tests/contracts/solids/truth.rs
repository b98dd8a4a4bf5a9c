//! Solids that are unions of boxes, and how deep convex polytopes are inside: the nearest point outside of all differences of
//! a box and the polytope, among the feet on planes of their faces, on the lines of two and at the corners of three.

use clearance_math::{DVec3, Pose, PreciseVector, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::{CompositeKind, Shape};

use super::{Solids, composite};
use crate::common::Pcg;

/// How many cells a side has.
const SIDE: i32 = 3;

/// A solid of boxes.
pub(super) struct Bricks<V: Vector> {
    pub(super) shape: Shape<V>,
    /// The least and the greatest corner of each box; together they are the solid.
    pub(super) boxes: Vec<[V::Precise; 2]>,
    /// The least side of a box.
    pub(super) thinnest: f64,
}

/// The dimension's way to make a solid of a surface.
pub(super) trait Surfaces: Solids {
    fn with_vertices(shape: &Shape<Self>, map: &dyn Fn(Self) -> Self) -> Shape<Self>;
    /// The surfaces of boxes, each whole, as one solid.
    fn of_shells(boxes: &[[Self::Precise; 2]]) -> Option<Shape<Self>>;
    /// The lowest row that is always full.
    const FLOOR: i32;
}

impl Surfaces for Vec2 {
    fn with_vertices(shape: &Shape<Self>, map: &dyn Fn(Self) -> Self) -> Shape<Self> {
        let CompositeKind::Polyline(line) = composite(shape).kind() else {
            panic!("no polygon");
        };
        let vertices: Vec<Vec2> = line.vertices().iter().copied().map(map).collect();
        Shape::polygon(vertices, &[]).expect("stretched")
    }

    fn of_shells(_: &[[Self::Precise; 2]]) -> Option<Shape<Self>> {
        // Outlines that cross are refused.
        None
    }

    const FLOOR: i32 = -1;
}

impl Surfaces for Vec3 {
    fn with_vertices(shape: &Shape<Self>, map: &dyn Fn(Self) -> Self) -> Shape<Self> {
        let CompositeKind::Mesh(mesh) = composite(shape).kind() else {
            panic!("no mesh");
        };
        let vertices: Vec<Vec3> = mesh.vertices().iter().copied().map(map).collect();
        Shape::solid_mesh(vertices, mesh.triangles()).expect("stretched")
    }

    fn of_shells(boxes: &[[Self::Precise; 2]]) -> Option<Shape<Self>> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for ends in boxes {
            let first = vertices.len() as u32;
            vertices.extend((0..8).map(|code: usize| {
                Vec3::from_array([0, 1, 2].map(|k| ends[code >> k & 1].component(k) as Real))
            }));
            const QUADS: [[u32; 4]; 6] = [
                [0, 4, 6, 2],
                [1, 3, 7, 5],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 2, 3, 1],
                [4, 5, 7, 6],
            ];
            triangles.extend(QUADS.iter().flat_map(|[a, b, c, d]| {
                [[a, b, c], [a, c, d]].map(|face| face.map(|k| first + k))
            }));
        }
        Some(Shape::solid_mesh(vertices, triangles).expect("closed"))
    }

    const FLOOR: i32 = 0;
}

impl<V: Surfaces> Bricks<V> {
    /// A random solid of boxes with corners, edges, windows and notches.
    pub(super) fn random(random: &mut Pcg) -> Self {
        let sides: Vec<Vec<f64>> = (0..V::DIM)
            .map(|_| {
                let mut at = 0.0;
                (0..=SIDE)
                    .map(|_| {
                        at += random.between(0.5, 1.5);
                        f64::from(at as Real)
                    })
                    .collect()
            })
            .collect();
        let place = |axis: usize, k: i32| match usize::try_from(k) {
            Ok(k) => sides[axis][k],
            Err(_) => -1.0,
        };
        loop {
            let share = random.between(0.4, 0.8);
            let cells: Vec<bool> = (0..SIDE.pow(3)).map(|_| random.chance(share)).collect();
            let is_full = |[x, y, z]: [i32; 3]| cells[((z * SIDE + y) * SIDE + x) as usize];
            let Some(shape) = V::of_cells(SIDE, &is_full) else {
                continue;
            };
            let map = |vertex: V| {
                (0..V::DIM).fold(vertex, |vertex, k| {
                    let at = place(k, vertex.component(k).round() as i32);
                    vertex.with_component(k, at as Real)
                })
            };
            let shape = V::with_vertices(&shape, &map);
            let boxes = boxes_of::<V>(&is_full, &place);
            let thinnest = sides
                .iter()
                .flat_map(|side| side.windows(2).map(|w| w[1] - w[0]));
            return Self {
                shape,
                boxes,
                thinnest: thinnest.fold(f64::INFINITY, f64::min),
            };
        }
    }
}

/// The boxes of full cells, those beside each other along the first axis as one.
fn boxes_of<V: Surfaces>(
    is_full: &dyn Fn([i32; 3]) -> bool,
    place: &dyn Fn(usize, i32) -> f64,
) -> Vec<[V::Precise; 2]> {
    let mut boxes = Vec::new();
    if V::DIM == 2 {
        for x in 0..SIDE {
            let height = (0..SIDE).take_while(|&y| is_full([x, y, 0])).count() as i32;
            boxes.push([[x, V::FLOOR, 0], [x + 1, height, 0]]);
        }
    } else {
        for (y, z) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |z| (y, z))) {
            let mut x = 0;
            while x < SIDE {
                let end = (x..SIDE).find(|&k| !is_full([k, y, z])).unwrap_or(SIDE);
                if end > x {
                    boxes.push([[x, y, z], [end, y + 1, z + 1]]);
                }
                x = end + 1;
            }
        }
    }
    let corner = |cell: [i32; 3]| V::Precise::from_fn(|k| place(k, cell[k]));
    boxes.into_iter().map(|ends| ends.map(corner)).collect()
}

/// A half-space: points whose length along the normal is less than the offset.
type Side<P> = (P, f64);

/// The sides of the difference of a box and points: the translations of the points that overlap the box.
fn difference<P: PreciseVector>([low, high]: [P; 2], points: &[P]) -> Vec<Side<P>> {
    let corners = (0..1 << P::DIM).map(|code: usize| {
        P::from_fn(|k| if code >> k & 1 == 0 { low } else { high }.component(k))
    });
    let all: Vec<DVec3> = corners
        .flat_map(|corner| points.iter().map(move |&point| (corner - point).in_space()))
        .collect();
    let mut sides: Vec<Side<P>> = Vec::new();
    let mut add = |normal: DVec3| {
        let Some(normal) = normal.try_normalize() else {
            return;
        };
        for normal in [normal, -normal] {
            let offset = all
                .iter()
                .map(|point| point.dot(normal))
                .fold(f64::MIN, f64::max);
            let on: Vec<&DVec3> = all
                .iter()
                .filter(|point| point.dot(normal) > offset - 1e-9)
                .collect();
            let is_known = sides
                .iter()
                .any(|(known, _)| (known.in_space() - normal).length() < 1e-7);
            let spans = on.iter().any(|&&b| {
                on.iter().any(|&&c| {
                    let [b, c] = [b - *on[0], c - *on[0]];
                    if P::DIM == 2 {
                        b.length() > 1e-6
                    } else {
                        b.cross(c).length() > 1e-6
                    }
                })
            });
            if spans && !is_known {
                sides.push((P::from_space(normal), offset));
            }
        }
    };
    // Directions of edges of either; faces are spanned by two of them.
    let edges = |points: &[DVec3]| -> Vec<DVec3> {
        points
            .iter()
            .enumerate()
            .flat_map(|(k, a)| points[..k].iter().map(move |b| *a - *b))
            .collect()
    };
    let of_points: Vec<DVec3> = points.iter().map(|point| point.in_space()).collect();
    let mut directions = edges(&of_points);
    directions.extend((0..P::DIM).map(|k| P::axis(k).in_space()));
    if P::DIM == 2 {
        directions
            .iter()
            .for_each(|edge| add(DVec3::new(edge.y, -edge.x, 0.0)));
    } else {
        for (k, a) in directions.iter().enumerate() {
            directions[..k].iter().for_each(|b| add(a.cross(*b)));
        }
    }
    sides
}

/// The shortest translation of some points, in the frame of the solid, that takes their hull out of all boxes.
pub(super) fn shortest_way_out<V: Vector>(
    boxes: &[[V::Precise; 2]],
    points: &[V::Precise],
) -> V::Precise {
    let differences: Vec<Vec<Side<V::Precise>>> = boxes
        .iter()
        .map(|&brick| difference(brick, points))
        .collect();
    let is_out = |way: V::Precise| {
        differences.iter().all(|sides| {
            sides
                .iter()
                .any(|(normal, offset)| normal.dot(way) >= offset - 1e-9)
        })
    };
    if is_out(V::Precise::ZERO) {
        return V::Precise::ZERO;
    }
    let mut best = V::Precise::ZERO;
    let mut shortest = f64::INFINITY;
    let mut look_at = |way: Option<V::Precise>| {
        if let Some(way) = way
            && way.length() < shortest
            && is_out(way)
        {
            (best, shortest) = (way, way.length());
        }
        shortest
    };
    let mut sides: Vec<Side<V::Precise>> = differences.iter().flatten().copied().collect();
    sides.sort_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    for (normal, offset) in &sides {
        look_at(Some(*normal * *offset));
    }
    for (k, a) in sides.iter().enumerate() {
        if a.1.abs() > look_at(None) {
            break;
        }
        for (l, b) in sides[..k].iter().enumerate() {
            let on_both = on_all(&[*a, *b]);
            let least = look_at(on_both);
            if V::DIM == 2 || !on_both.is_some_and(|way| way.length() < least) {
                continue;
            }
            for c in &sides[..l] {
                look_at(on_all(&[*a, *b, *c]));
            }
        }
    }
    best
}

/// The point nearest to the origin that is on all planes.
fn on_all<P: PreciseVector>(planes: &[Side<P>]) -> Option<P> {
    let mut basis: Vec<P> = Vec::new();
    let mut point = P::ZERO;
    for (normal, offset) in planes {
        let across = basis
            .iter()
            .fold(*normal, |rest, axis| rest - *axis * axis.dot(*normal));
        let across = across.direction().filter(|_| across.length() > 1e-6)?;
        point += across * ((offset - normal.dot(point)) / across.dot(*normal));
        basis.push(across);
    }
    Some(point)
}

/// Corners of a shape in the frame of a solid.
pub(super) fn in_frame_of<V: Vector>(
    solid: &Pose<V>,
    (pose, corners): (&Pose<V>, &[V]),
) -> Vec<V::Precise> {
    let in_solid = RelativePose::between(solid, pose);
    let precise = corners.iter().map(|corner| corner.to_precise());
    precise
        .map(|corner| in_solid.transform_point(corner))
        .collect()
}
