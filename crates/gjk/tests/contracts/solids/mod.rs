//! Composites with an inside: the truth is how often a surface winds around a place, as the sum of its angles.

use clearance_gjk::{Placed, Separation, proximity};
use clearance_math::{DVec3, Pose, PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::{Composite, CompositeKind, Shape};

use crate::common::{Kind, Pcg, Space};

mod answers;
pub(crate) mod depth;
mod limits;
mod making;
mod truth;

/// Random solids, and cells of a grid as one.
pub(crate) trait Solids: Space {
    /// A star-shaped solid, at times with a cavity or a second piece.
    fn solid(random: &mut Pcg) -> Shape<Self>;
    /// The surface of some cells of side 1, by whether a cell is one of them.
    fn of_cells(side: i32, is_full: &dyn Fn([i32; 3]) -> bool) -> Option<Shape<Self>>;
}

impl Solids for Vec2 {
    fn solid(random: &mut Pcg) -> Shape<Self> {
        let ring = |random: &mut Pcg, center: Vec2, size: f64| {
            let count = 3 + random.below(12);
            let mut corners: Vec<Vec2> = (0..count)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / count as f64;
                    let reach = size * random.between(0.4, 1.0);
                    center + Vec2::new((angle.cos() * reach) as Real, (angle.sin() * reach) as Real)
                })
                .collect();
            if random.chance(0.5) {
                corners.reverse();
            }
            if random.chance(0.3) {
                corners.insert(1, corners[0]);
            }
            corners
        };
        let outline = ring(random, Vec2::ZERO, 2.0);
        let holes = if random.chance(0.5) {
            vec![ring(random, Vec2::ZERO, 0.3)]
        } else {
            Vec::new()
        };
        Shape::polygon(outline, &holes).expect("a star without crossings")
    }

    fn of_cells(side: i32, is_full: &dyn Fn([i32; 3]) -> bool) -> Option<Shape<Self>> {
        // Rows of cells as one outline: a comb, whose teeth are as high as the columns are full from below.
        let height = |x: i32| (0..side).take_while(|&y| is_full([x, y, 0])).count() as Real;
        let mut corners = vec![Vec2::new(side as Real, -1.0), Vec2::new(0.0, -1.0)];
        for x in 0..side {
            corners.extend([0, 1].map(|k| Vec2::new((x + k) as Real, height(x))));
        }
        Shape::polygon(corners, &[]).ok()
    }
}

impl Solids for Vec3 {
    fn solid(random: &mut Pcg) -> Shape<Self> {
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        add_star(
            random,
            (&mut vertices, &mut triangles),
            (Vec3::ZERO, 2.0, false),
        );
        match random.below(4) {
            0 => add_star(
                random,
                (&mut vertices, &mut triangles),
                (Vec3::ZERO, 0.3, true),
            ),
            1 => add_star(
                random,
                (&mut vertices, &mut triangles),
                (Vec3::X * 4.5, 1.0, false),
            ),
            _ => {}
        }
        Shape::solid_mesh(vertices, triangles).expect("closed")
    }

    fn of_cells(side: i32, is_full: &dyn Fn([i32; 3]) -> bool) -> Option<Shape<Self>> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let is_full = |cell: [i32; 3]| cell.iter().all(|k| (0..side).contains(k)) && is_full(cell);
        for number in 0..side * side * side {
            let cell = [number % side, number / side % side, number / side / side];
            for (axis, step) in [0, 1, 2]
                .into_iter()
                .flat_map(|axis| [(axis, -1), (axis, 1)])
            {
                let mut next = cell;
                next[axis] += step;
                if !is_full(cell) || is_full(next) {
                    continue;
                }
                let first = vertices.len() as u32;
                for [u, v] in [[0, 0], [1, 0], [1, 1], [0, 1]] {
                    let mut corner = cell;
                    corner[axis] += i32::from(step > 0);
                    corner[(axis + 1) % 3] += u;
                    corner[(axis + 2) % 3] += v;
                    vertices.push(Vec3::from_array(corner.map(|k| k as Real)));
                }
                let faces = if step > 0 {
                    [[0, 1, 2], [0, 2, 3]]
                } else {
                    [[0, 2, 1], [0, 3, 2]]
                };
                triangles.extend(faces.map(|face: [u32; 3]| face.map(|k| first + k)));
            }
        }
        Shape::solid_mesh(vertices, triangles).ok()
    }
}

/// Adds an icosahedron or octahedron-like star about a center.
fn add_star(
    random: &mut Pcg,
    (vertices, triangles): (&mut Vec<Vec3>, &mut Vec<[u32; 3]>),
    (center, size, is_cavity): (Vec3, f64, bool),
) {
    let (rows, columns) = (2 + random.below(5), 3 + random.below(6));
    let first = vertices.len() as u32;
    let mut place = |polar: f64, around: f64| {
        let reach = (size * random.between(0.4, 1.0)) as Real;
        let (s, c) = polar.sin_cos();
        center
            + Vec3::new(
                (s * around.cos()) as Real,
                c as Real,
                (s * around.sin()) as Real,
            ) * reach
    };
    vertices.push(place(0.0, 0.0));
    for row in 1..rows {
        for column in 0..columns {
            let around = std::f64::consts::TAU * column as f64 / columns as f64;
            vertices.push(place(
                std::f64::consts::PI * row as f64 / rows as f64,
                around,
            ));
        }
    }
    vertices.push(place(std::f64::consts::PI, 0.0));
    let at =
        |row: usize, column: usize| first + 1 + ((row - 1) * columns + column % columns) as u32;
    let last = vertices.len() as u32 - 1;
    let mut own = Vec::new();
    for column in 0..columns {
        own.push([first, at(1, column + 1), at(1, column)]);
        own.push([last, at(rows - 1, column), at(rows - 1, column + 1)]);
        for row in 1..rows - 1 {
            own.push([at(row, column), at(row, column + 1), at(row + 1, column)]);
            own.push([
                at(row, column + 1),
                at(row + 1, column + 1),
                at(row + 1, column),
            ]);
        }
    }
    triangles.extend(
        own.into_iter()
            .map(|[a, b, c]| if is_cavity { [a, c, b] } else { [a, b, c] }),
    );
}

fn composite<V: Vector>(shape: &Shape<V>) -> &Composite<V> {
    match shape {
        Shape::Composite(composite) => composite,
        _ => panic!("not a composite: {shape:?}"),
    }
}

/// The corners of the facets.
fn facets<V: Vector>(shape: &Shape<V>) -> Vec<[DVec3; 3]> {
    let precise = |corner: V| corner.to_precise().in_space();
    match composite(shape).kind() {
        CompositeKind::Mesh(mesh) => (0..mesh.triangles().len() as u32)
            .map(|k| mesh.corners(k).map(precise))
            .collect(),
        CompositeKind::Polyline(line) => (0..line.segments().len() as u32)
            .map(|k| {
                let [a, b] = line.ends(k).map(precise);
                [a, b, b]
            })
            .collect(),
        _ => panic!("no surface"),
    }
}

/// How often the surface winds around a point of its frame, as the sum of solid angles (van Oosterom and Strackee, 1983) or
/// angles.
fn winding<V: Vector>(facets: &[[DVec3; 3]], point: V::Precise) -> f64 {
    let point = point.in_space();
    let angle = |facet: &[DVec3; 3]| {
        let [a, b, c] = facet.map(|corner| corner - point);
        if V::DIM == 2 {
            return a.cross(b).z.atan2(a.dot(b)) / std::f64::consts::TAU;
        }
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        a.dot(b.cross(c)).atan2(below) / std::f64::consts::TAU
    };
    facets.iter().map(angle).sum()
}

fn is_inside<V: Vector>(shape: &Shape<V>, point: V::Precise) -> bool {
    winding::<V>(&facets(shape), point) > 0.5
}

fn near<V: Vector>(a: (&Shape<V>, &Pose<V>), b: (&Shape<V>, &Pose<V>)) -> Separation<V> {
    let answer = proximity(Placed::new(a.0, a.1), Placed::new(b.0, b.1), Real::INFINITY);
    answer.expect("valid poses").near().expect("no half-spaces")
}

/// A convex shape near a solid, whose places are known.
pub(crate) fn convex_near<V: Solids>(random: &mut Pcg) -> (Shape<V>, Pose<V>) {
    let kinds: Vec<Kind> = Kind::all::<V>()
        .filter(|&kind| kind != Kind::HalfSpace)
        .collect();
    let size = random.log_between(0.05, 1.0);
    let shape = V::shape(random.pick(&kinds), random, size);
    (
        shape,
        Pose::new(random.point::<V>(1.5), V::any_rotation(random)),
    )
}
