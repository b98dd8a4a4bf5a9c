//! Where meshes cross each other and themselves, beside exact fractions and curves that are known.

use clearance_gjk::{
    Completeness, CrossingSegment, Placed, QueryError, Side, crossing_segments_into,
    self_crossings_into,
};
use clearance_math::{DVec3, Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::{Pcg, iterations};

type Whole = [i128; 3];
type WholeTriangle = [Whole; 3];
/// A point of fractions: three numerators and their denominator, which is positive, in lowest terms.
type Fractions = [i128; 4];

fn minus(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn normal([a, b, c]: WholeTriangle) -> Whole {
    cross(minus(b, a), minus(c, a))
}

fn lowest(point: Fractions) -> Fractions {
    let divisor = point.iter().fold(0i128, |divisor, &term| {
        let (mut a, mut b) = (divisor.abs(), term.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    point.map(|term| term / divisor)
}

/// What of a convex polygon lies where `normal . (point - origin) >= 0`.
fn clipped(polygon: &[Fractions], normal: Whole, origin: Whole) -> Vec<Fractions> {
    let side = |p: &Fractions| {
        (0..3)
            .map(|k| normal[k] * (p[k] - origin[k] * p[3]))
            .sum::<i128>()
    };
    let mut kept = Vec::new();
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        let (of_p, of_q) = (side(p), side(q));
        if of_p >= 0 {
            kept.push(*p);
        }
        if of_p.signum() * of_q.signum() < 0 {
            let between = [0, 1, 2, 3].map(|k| (p[k] * of_q - q[k] * of_p) * of_q.signum());
            kept.push(lowest(between));
        }
    }
    kept
}

/// The corners of what two triangles have in common.
fn common(a: WholeTriangle, b: WholeTriangle) -> Vec<Fractions> {
    let up = normal(b);
    let mut polygon = a.map(|[x, y, z]| [x, y, z, 1]).to_vec();
    for plane in [up, up.map(|term| -term)] {
        polygon = clipped(&polygon, plane, b[0]);
    }
    for k in 0..3 {
        let inwards = cross(up, minus(b[(k + 1) % 3], b[k]));
        polygon = clipped(&polygon, inwards, b[k]);
    }
    polygon.sort_unstable();
    polygon.dedup();
    polygon
}

fn are_in_one_plane(a: WholeTriangle, b: WholeTriangle) -> bool {
    let is_zero = |v: Whole| v == [0; 3];
    let up = normal(a);
    let height = |p: Whole| (0..3).map(|k| up[k] * (p[k] - a[0][k])).sum::<i128>();
    is_zero(cross(up, normal(b))) && height(b[0]) == 0
}

fn to_numbers(point: Fractions) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|k| point[k] as f64 / point[3] as f64))
}

/// A triangle with an area, and corners from a grid of some width.
fn triangle(random: &mut Pcg, width: usize) -> WholeTriangle {
    loop {
        let mut corner = || [(); 3].map(|()| random.below(width) as i128);
        let triangle = [corner(), corner(), corner()];
        if normal(triangle) != [0; 3] {
            return triangle;
        }
    }
}

fn mesh(triangles: &[WholeTriangle]) -> Shape<Vec3> {
    let corner = |corner: &Whole| Vec3::from_array(corner.map(|term| term as Real));
    let corners: Vec<Vec3> = triangles.iter().flatten().map(corner).collect();
    let numbers: Vec<[u32; 3]> = (0..triangles.len() as u32)
        .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
        .collect();
    Shape::mesh(&corners, numbers).expect("triangles with an area")
}

fn segments(a: Placed<'_, Vec3>, b: Placed<'_, Vec3>) -> Vec<CrossingSegment<Vec3>> {
    let mut found = Vec::new();
    let done = crossing_segments_into(a, b, &mut found).expect("two meshes");
    assert_eq!(done, Completeness::Complete);
    found
}

fn self_crossings_of(shape: &Shape<Vec3>) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    let done = self_crossings_into(Placed::new(shape, &Pose::IDENTITY), &mut found);
    assert_eq!(done, Ok(Completeness::Complete));
    found
}

#[test]
fn triangles_have_the_segment_that_fractions_say() {
    let mut random = Pcg::new(0x5e6);
    let mut counts = [0; 4];
    for _ in 0..iterations(4000) {
        let width = random.pick(&[3, 4, 8]);
        let [a, b] = [(); 2].map(|()| triangle(&mut random, width));
        // What touches in a few places of the grid is moved alike.
        let place = Pose::from_translation(Vec3::new(0.0, random.below(9) as Real * 64.0, 0.0));
        let shapes = [mesh(&[a]), mesh(&[b])];
        let [of_a, of_b] = shapes.each_ref().map(|shape| Placed::new(shape, &place));
        let found = segments(of_a, of_b);
        let truth = common(a, b);
        if are_in_one_plane(a, b) {
            assert!(found.is_empty(), "{a:?} {b:?}");
            counts[3] += 1;
            continue;
        }
        counts[truth.len()] += 1;
        if truth.len() < 2 {
            assert!(found.is_empty(), "{a:?} {b:?} {found:?}");
            continue;
        }
        let [one] = found.as_slice() else {
            panic!("{a:?} {b:?} {found:?} must be {truth:?}");
        };
        let mut ends = [truth[0], truth[1]].map(to_numbers);
        let [up_a, up_b] = [a, b].map(|t| DVec3::from_array(normal(t).map(|term| term as f64)));
        if up_a.cross(up_b).dot(ends[1] - ends[0]) < 0.0 {
            ends.reverse();
        }
        for (end, expected) in one.ends.into_iter().zip(ends) {
            let away = end - place.position() - expected;
            assert!(away.length() < 1e-12, "{a:?} {b:?} {one:?} {ends:?}");
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn a_mesh_crosses_itself_where_fractions_say() {
    let mut random = Pcg::new(0x5e1f);
    let (mut clean, mut crossing) = (0, 0);
    for _ in 0..iterations(300) {
        let width = random.pick(&[3, 5, 8]);
        let count = random.pick(&[2, 3, 12]);
        let triangles: Vec<_> = (0..count).map(|_| triangle(&mut random, width)).collect();
        let mut truth = Vec::new();
        for (a, b) in (0..count).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let (one, other) = (triangles[a], triangles[b]);
            let shared = one.iter().filter(|corner| other.contains(corner)).count();
            let is_edge_of_both = shared == 2 && common(one, other).len() == 2;
            let least = if are_in_one_plane(one, other) { 3 } else { 2 };
            if common(one, other).len() >= least && !is_edge_of_both {
                truth.push([a as u32, b as u32]);
            }
        }
        truth.sort_unstable();
        assert_eq!(self_crossings_of(&mesh(&triangles)), truth, "{triangles:?}");
        *if truth.is_empty() {
            &mut clean
        } else {
            &mut crossing
        } += 1;
    }
    assert!(clean > 20 && crossing > 20, "{clean} {crossing}");
}

/// A closed surface: a grid of so many places round the axis and round the tube, which has radius 1.
fn torus(radius: Real, counts: [u32; 2]) -> Shape<Vec3> {
    let [round, tube] = counts;
    let turn = |k: u32, count: u32| (k as Real / count as Real * core::f32::consts::TAU).sin_cos();
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..round {
        for j in 0..tube {
            let ((y, x), (up, out)) = (turn(i, round), turn(j, tube));
            corners.push(Vec3::new(x, y, 0.0) * (radius + out) + Vec3::Z * up);
            let at = |i: u32, j: u32| (i % round) * tube + j % tube;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Shape::mesh(&corners, triangles).expect("a torus")
}

fn any_pose(random: &mut Pcg, center: Vec3) -> Pose<Vec3> {
    let axis = random.direction::<DVec3>().as_vec3();
    let turn = Quat::from_axis_angle(axis.normalize(), random.between(0.0, 3.0) as Real);
    Pose::new(center + random.vector::<DVec3>().as_vec3() * 2.0, turn)
}

#[test]
fn closed_surfaces_cross_in_closed_curves_whichever_comes_first() {
    let mut random = Pcg::new(0xc105ed);
    let mut longest = 0;
    for _ in 0..iterations(30) {
        let shapes = [torus(2.0, [24, 12]), torus(1.5, [17, 9])];
        let far = Vec3::splat(random.pick(&[0.0, 1e3, 1e6]));
        let poses = [0, 1].map(|_| any_pose(&mut random, far));
        let [a, b] = [0, 1].map(|k| Placed::new(&shapes[k], &poses[k]));
        let found = segments(a, b);
        let ends = |k: usize| {
            let mut ends: Vec<[u64; 3]> = found
                .iter()
                .map(|one| one.ends[k].to_array().map(f64::to_bits))
                .collect();
            ends.sort_unstable();
            ends
        };
        assert_eq!(ends(0), ends(1), "each segment begins where one ends");
        longest = longest.max(found.len());
        let mut mirrored: Vec<_> = segments(b, a)
            .into_iter()
            .map(|one| CrossingSegment {
                part_a: one.part_b,
                part_b: one.part_a,
                ends: [one.ends[1], one.ends[0]],
            })
            .collect();
        mirrored.sort_unstable_by_key(|one| (one.part_a, one.part_b));
        assert_eq!(found, mirrored);
    }
    assert!(longest > 100, "{longest}");
}

fn length(segments: &[CrossingSegment<Vec3>]) -> f64 {
    let lengths = segments
        .iter()
        .map(|one| (one.ends[1] - one.ends[0]).length());
    lengths.sum()
}

/// The box from the origin to a corner.
fn cuboid(corner: Vec3) -> Shape<Vec3> {
    let corners: Vec<Vec3> = (0..8)
        .map(|k| corner * Vec3::new((k & 1) as Real, (k >> 1 & 1) as Real, (k >> 2) as Real))
        .collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles: Vec<[u32; 3]> = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    Shape::mesh(&corners, triangles).expect("a box")
}

#[test]
fn curves_are_as_long_as_those_of_boxes_and_of_a_circle() {
    let block = cuboid(Vec3::ONE);
    let corner = Pose::from_translation(Vec3::new(0.75, 0.5, 0.875));
    let [a, b] = [Pose::IDENTITY, corner].map(|pose| (block.clone(), pose));
    let found = segments(Placed::new(&a.0, &a.1), Placed::new(&b.0, &b.1));
    assert_eq!(length(&found), 2.0 * (0.25 + 0.5 + 0.125));
    // The boxes stand upon each other: the area that they share has an outline, which the sides of each have once.
    let upon = Pose::from_translation(Vec3::new(0.25, 0.5, 1.0));
    let found = segments(
        Placed::new(&block, &Pose::IDENTITY),
        Placed::new(&block, &upon),
    );
    assert!(
        found
            .iter()
            .all(|one| one.ends[0].z == 1.0 && one.ends[1].z == 1.0)
    );
    assert!(length(&found) >= 2.0 * (0.75 + 0.5), "{}", length(&found));
    // A plate across the axis cuts circles of radius 1 and 3 out of a torus, if the plate is just off its middle.
    let ring = torus(2.0, [200, 50]);
    let plate = cuboid(Vec3::new(20.0, 20.0, 5.0));
    let through = Pose::from_translation(Vec3::new(-10.0, -10.0, 0.01));
    let found = segments(
        Placed::new(&ring, &Pose::IDENTITY),
        Placed::new(&plate, &through),
    );
    let circles = core::f64::consts::TAU * 4.0;
    assert!(
        (length(&found) / circles - 1.0).abs() < 1e-3,
        "{}",
        length(&found)
    );
}

#[test]
fn only_a_torus_that_reaches_over_its_axis_crosses_itself() {
    assert_eq!(self_crossings_of(&torus(1.5, [60, 30])), [[0; 2]; 0]);
    assert_eq!(self_crossings_of(&cuboid(Vec3::ONE)), [[0; 2]; 0]);
    assert!(self_crossings_of(&torus(0.5, [61, 31])).len() > 60);
    let flat = Shape::height_field(vec![0.0; 2500], 50, Vec3::ONE).expect("a plane");
    assert_eq!(self_crossings_of(&flat), [[0; 2]; 0]);
}

#[test]
fn the_effort_ends_a_search_and_other_shapes_are_refused() {
    let ring = torus(2.0, [60, 30]);
    let turned = Pose::new(Vec3::X, Quat::from_axis_angle(Vec3::X, 1.0));
    let all = segments(
        Placed::new(&ring, &Pose::IDENTITY),
        Placed::new(&ring, &turned),
    );
    let [a, b] = [&Pose::IDENTITY, &turned].map(|pose| Placed::new(&ring, pose).with_effort(400));
    let mut some = vec![all[0]];
    assert_eq!(
        crossing_segments_into(a, b, &mut some),
        Ok(Completeness::EffortLimit)
    );
    assert!(some.len() < all.len() && some.iter().all(|one| all.contains(one)));

    // Triangles about one axis, all of which meet all others there.
    let fan: Vec<WholeTriangle> = (1..2000)
        .map(|k| [[0, 0, 0], [0, 0, 9], [9, k, 0]])
        .collect();
    let fan = mesh(&fan);
    let mut found = Vec::new();
    let done = self_crossings_into(
        Placed::new(&fan, &Pose::IDENTITY).with_effort(1),
        &mut found,
    );
    assert_eq!((done, found.len()), (Ok(Completeness::EffortLimit), 0));

    let ball = Shape::ball(1.0).expect("a ball");
    let ball = Placed::new(&ball, &Pose::IDENTITY);
    let refused = |side| Err::<Completeness, _>(QueryError::NoTriangles { side, kind: "ball" });
    assert_eq!(crossing_segments_into(a, ball, &mut some), refused(Side::B));
    assert_eq!(crossing_segments_into(ball, a, &mut some), refused(Side::A));
    assert_eq!(self_crossings_into(ball, &mut found), refused(Side::A));
    let message = "b.shape is a ball, must be a mesh or a height field";
    assert_eq!(refused(Side::B).unwrap_err().to_string(), message);
}
