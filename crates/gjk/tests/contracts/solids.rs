//! Composites with an inside: the truth is how often a surface winds around a place, as the sum of its angles.

use clearance_gjk::{
    Cast, CastOptions, Interior, Leaving, Motion, Placed, Proximity, RayHit, RayOptions,
    Separation, cast_ray, cast_shapes, contacts, intersects, point_proximity, proximity, ray_hits,
};
use clearance_math::{
    DVec3, Pose, PreciseVector, Quat, Ray, Real, RelativePose, Vec2, Vec3, Vector,
};
use clearance_shapes::{Composite, CompositeKind, CompoundPart, Shape, ShapeError};

use crate::common::{Kind, Pcg, Space, in_both_dimensions, iterations};

in_both_dimensions!(
    a_point_is_inside_where_the_surface_winds_around_it,
    points_beside_edges_and_corners_have_the_sign_of_their_cell,
    what_lies_inside_overlaps_and_what_is_apart_does_not,
    the_bounds_of_an_overlap_are_true,
    convex_solids_answer_as_their_hulls,
    exchanging_the_sides_mirrors_the_answer,
    rays_from_inside_hit_at_once,
    casts_that_start_inside_meet_at_once,
    contacts_lead_out_of_a_solid,
    a_solid_is_one_in_a_compound,
    scaling_keeps_the_outer_side,
);

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

fn a_point_is_inside_where_the_surface_winds_around_it<V: Solids>() {
    let mut random = Pcg::new(4001);
    let mut seen = [0; 2];
    for _ in 0..iterations(60) {
        let shape = V::solid(&mut random);
        let facets = facets(&shape);
        let pose = Pose::new(random.point::<V>(5.0), V::any_rotation(&mut random));
        for _ in 0..20 {
            let local: V = random.point(1.5);
            let world = RelativePose::from_pose(&pose).transform_point(local.to_precise());
            let point = V::from_precise(world);
            let answer =
                point_proximity(point, Placed::new(&shape, &pose), Real::INFINITY).unwrap();
            let found = answer.near().unwrap();
            if found.distance.abs() < 1e-4 {
                continue;
            }
            let inside = winding::<V>(&facets, local.to_precise()) > 0.5;
            assert_eq!(found.distance < 0.0, inside, "{local:?} {found:?}");
            let way = found.position_b - point.to_precise();
            assert!((way.length() - f64::from(found.distance.abs())).abs() < 1e-5);
            assert!((way - found.normal.to_precise() * f64::from(found.distance)).length() < 1e-5);
            assert!(found.lower <= found.distance && found.distance <= found.upper);
            seen[usize::from(inside)] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

fn points_beside_edges_and_corners_have_the_sign_of_their_cell<V: Solids>() {
    let mut random = Pcg::new(4002);
    let side = 4;
    let mut asked = 0;
    for _ in 0..iterations(30) {
        // Stairs, which go down along x and z.
        let mut heights = [[side; 4]; 4];
        for x in 0..4_usize {
            for z in 0..4_usize {
                let before = [
                    (x > 0).then(|| heights[x - 1][z]),
                    (z > 0).then(|| heights[x][z - 1]),
                ];
                let before = before.into_iter().flatten().min().unwrap_or(side);
                heights[x][z] = before - i32::from(random.chance(0.4));
            }
        }
        let is_full = |[x, y, z]: [i32; 3]| y < heights[x as usize][z as usize];
        let Some(shape) = V::of_cells(side, &is_full) else {
            continue;
        };
        let winds = facets(&shape);
        // Middles of cells, and places in cells that are level with many edges and corners.
        for number in 0..512 {
            let eighth = |k: i32| (number / 8_i32.pow(k as u32) % 8) as Real * 0.5 + 0.25;
            let mut point = V::ZERO;
            for k in 0..V::DIM {
                point = point.with_component(k, eighth(k as i32));
            }
            let at = composite(&shape).winding(point.to_precise());
            let expected = winding::<V>(&winds, point.to_precise()).round() as i32;
            assert_eq!(at, expected, "{point:?}");
            asked += 1;
            // Where it is level with one axis' corners, and inside of cells along the others.
            for k in 0..V::DIM {
                let level = point.with_component(k, point.component(k).round());
                let origin = Pose::IDENTITY;
                let placed = Placed::new(&shape, &origin);
                let there = point_proximity(level, placed, Real::INFINITY)
                    .unwrap()
                    .near()
                    .unwrap();
                if there.distance.abs() > 1e-3 {
                    let off = winding::<V>(&winds, level.to_precise()).round() as i32;
                    assert_eq!(
                        composite(&shape).winding(level.to_precise()),
                        off,
                        "{level:?}"
                    );
                }
            }
        }
    }
    assert!(asked > 4000, "{asked}");
}

/// A convex shape near a solid, whose places are known.
fn convex_near<V: Solids>(random: &mut Pcg) -> (Shape<V>, Pose<V>) {
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

fn what_lies_inside_overlaps_and_what_is_apart_does_not<V: Solids>() {
    let mut random = Pcg::new(4003);
    let mut seen = [0; 3];
    for _ in 0..iterations(400) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = convex_near::<V>(&mut random);
        let found = near((&shape, &pose), (&other, &place));
        let Shape::Convex(convex) = &other else {
            continue;
        };
        let middle = RelativePose::between(&pose, &place).transform_point(convex.core_center());
        let inside = is_inside(&shape, middle);
        if inside {
            assert!(found.distance < 0.0, "{found:?}");
            seen[0] += 1;
        }
        let is_met = intersects(Placed::new(&shape, &pose), Placed::new(&other, &place)).unwrap();
        if found.upper < 0.0 || found.lower > 0.0 {
            assert_eq!(is_met, found.distance < 0.0, "{found:?}");
            seen[1 + usize::from(is_met)] += 1;
        }
        for within in [0.0, 0.1] {
            let asked = proximity(
                Placed::new(&shape, &pose),
                Placed::new(&other, &place),
                within,
            )
            .unwrap();
            match asked {
                Proximity::Near(near) => assert_eq!(near.distance, found.distance),
                Proximity::Farther { lower } => assert!(lower > within && lower <= found.upper),
                Proximity::Unbounded => panic!("no half-spaces"),
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

fn the_bounds_of_an_overlap_are_true<V: Solids>() {
    let mut random = Pcg::new(4004);
    let mut overlaps = 0;
    for round in 0..iterations(150) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = if round % 3 == 0 {
            (
                V::solid(&mut random),
                Pose::new(random.point::<V>(2.5), V::any_rotation(&mut random)),
            )
        } else {
            convex_near::<V>(&mut random)
        };
        let found = near((&shape, &pose), (&other, &place));
        assert!(
            found.lower <= found.distance && found.distance <= found.upper,
            "{found:?}"
        );
        if found.upper >= 0.0 {
            continue;
        }
        overlaps += 1;
        let is_met = |way: V::Precise| {
            let moved = Pose::new(V::from_precise(pose.position() + way), pose.rotation);
            intersects(Placed::new(&shape, &moved), Placed::new(&other, &place)).unwrap()
        };
        let normal = found.normal.to_precise();
        assert!(
            !is_met(normal * (f64::from(found.lower) * 1.00001 - 1e-5)),
            "{found:?}"
        );
        for _ in 0..20 {
            let way = random.direction::<V::Precise>();
            assert!(is_met(way * (0.999 * f64::from(-found.upper))), "{found:?}");
        }
        let between = (found.position_b - found.position_a) - normal * f64::from(found.distance);
        assert!(
            between.length() < 1e-3 + 0.01 * f64::from(found.distance.abs()),
            "{found:?}"
        );
    }
    assert!(overlaps > 50, "{overlaps}");
}

/// The hull of random points as a solid, and as a hull.
fn convex_solid<V: Solids>(random: &mut Pcg) -> (Shape<V>, Shape<V>) {
    let half: V = random.point::<V>(0.5);
    let half = (0..V::DIM).fold(half, |half, k| {
        half.with_component(k, half.component(k).abs() + 0.25)
    });
    let full = V::of_cells(1, &|_| true).expect("a box");
    let stretched = full.scaled_by(half).expect("positive factors");
    let corners: Vec<V> = facets(&stretched)
        .into_iter()
        .flatten()
        .map(|corner| V::from_precise(V::Precise::from_space(corner)))
        .collect();
    (stretched, Shape::hull(corners).expect("finite points"))
}

fn convex_solids_answer_as_their_hulls<V: Solids>() {
    let mut random = Pcg::new(4005);
    for _ in 0..iterations(200) {
        let (solid, hull) = convex_solid::<V>(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = convex_near::<V>(&mut random);
        let of_solid = near((&solid, &pose), (&other, &place));
        let of_hull = near((&hull, &pose), (&other, &place));
        // Solids are measured beside the origin, so that the last digits of points differ.
        let apart = [
            of_solid.position_a - of_hull.position_a,
            of_solid.position_b - of_hull.position_b,
        ];
        assert!(apart.iter().all(|way| way.length() < 1e-14), "{apart:?}");
        let expected = Separation {
            part_a: of_solid.part_a,
            position_a: of_solid.position_a,
            position_b: of_solid.position_b,
            ..of_hull
        };
        assert_eq!(format!("{of_solid:?}"), format!("{expected:?}"));
        assert!(of_solid.part_a < composite(&solid).part_count());
    }
}

fn exchanging_the_sides_mirrors_the_answer<V: Solids>() {
    let mut random = Pcg::new(4006);
    for round in 0..iterations(120) {
        let a = (
            V::solid(&mut random),
            Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random)),
        );
        let b = match round % 3 {
            0 => (
                V::solid(&mut random),
                Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random)),
            ),
            1 => (
                a.0.clone(),
                Pose::new(a.1.translation(), V::any_rotation(&mut random)),
            ),
            _ => convex_near::<V>(&mut random),
        };
        let (there, back) = (
            near((&a.0, &a.1), (&b.0, &b.1)),
            near((&b.0, &b.1), (&a.0, &a.1)),
        );
        assert_eq!(format!("{:?}", back.flipped()), format!("{there:?}"));
        let list = |a: &(Shape<V>, Pose<V>), b: &(Shape<V>, Pose<V>)| {
            let mut found = Vec::new();
            contacts(
                Placed::new(&a.0, &a.1),
                Placed::new(&b.0, &b.1),
                0.05,
                &mut found,
            )
            .unwrap();
            found
        };
        let mut back: Vec<_> = list(&b, &a).into_iter().map(Separation::flipped).collect();
        back.sort_by_key(|contact| (contact.part_a, contact.part_b));
        assert_eq!(format!("{back:?}"), format!("{:?}", list(&a, &b)));
    }
}

fn rays_from_inside_hit_at_once<V: Solids>() {
    let mut random = Pcg::new(4007);
    let mut inside = 0;
    for _ in 0..iterations(300) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let local: V = random.point(1.2);
        let origin =
            V::from_precise(RelativePose::from_pose(&pose).transform_point(local.to_precise()));
        let ray = Ray::new(origin, V::from_precise(random.direction())).unwrap();
        let placed = Placed::new(&shape, &pose);
        let distance = point_proximity(origin, placed, Real::INFINITY)
            .unwrap()
            .near()
            .unwrap()
            .distance;
        if distance.abs() < 1e-4 {
            continue;
        }
        let hit = cast_ray(&ray, placed, RayOptions::default()).unwrap();
        assert_eq!(
            ray_hits(&ray, placed, RayOptions::default()).unwrap(),
            hit.is_some()
        );
        let hollow = RayOptions {
            interior: Interior::Hollow,
            ..RayOptions::default()
        };
        let passing = cast_ray(&ray, placed, hollow).unwrap();
        if distance > 0.0 {
            assert_eq!(format!("{hit:?}"), format!("{passing:?}"));
            continue;
        }
        inside += 1;
        let hit = hit.expect("it starts inside");
        assert_eq!(
            (hit.distance, hit.normal, hit.part),
            (0.0, None, RayHit::<V>::NO_PART)
        );
        let passing = passing.expect("a closed surface is around it");
        assert!(
            passing.distance >= -distance - 1e-4 && passing.is_back_face,
            "{passing:?}"
        );
        assert!(passing.normal.unwrap().dot(ray.direction()) <= 0.0);
    }
    assert!(inside > 30, "{inside}");
}

fn casts_that_start_inside_meet_at_once<V: Solids>() {
    let solid = V::of_cells(4, &|_| true).expect("a block");
    let ball = Shape::ball(0.25).unwrap();
    let start = Pose::from_translation(V::splat(1.5));
    let motion = Motion::from_linear(V::axis(0) * 8.0);
    let place = Pose::IDENTITY;
    let still = Cast::resting(Placed::new(&solid, &place));
    let moving = Cast::new(Placed::new(&ball, &start), motion);
    let hit = cast_shapes(moving, still, CastOptions::default())
        .unwrap()
        .expect("it starts inside");
    assert_eq!(hit.time, 0.0);
    assert!(hit.separation.distance < -1.5, "{hit:?}");
    // What is inside leaves through the surface.
    for leaving in [Leaving::Pass, Leaving::Ignore] {
        let options = CastOptions {
            leaving,
            ..CastOptions::default()
        };
        assert!(
            cast_shapes(moving, still, options).unwrap().is_none(),
            "{leaving:?}"
        );
    }
    // From outside it meets the surface.
    let far = Pose::from_translation(V::splat(1.5) - V::axis(0) * 4.0);
    let moving = Cast::new(Placed::new(&ball, &far), motion);
    let hit = cast_shapes(moving, still, CastOptions::default())
        .unwrap()
        .expect("it is on the way");
    assert!((hit.time - 2.25 / 8.0).abs() < 1e-6, "{hit:?}");
}

fn contacts_lead_out_of_a_solid<V: Solids>() {
    let solid = V::of_cells(4, &|_| true).expect("a block");
    let ball = Shape::ball(0.5).unwrap();
    let origin = Pose::IDENTITY;
    let contacts_at = |place: Pose<V>| {
        let (a, b) = (Placed::new(&solid, &origin), Placed::new(&ball, &place));
        let mut found = Vec::new();
        contacts(a, b, 0.2, &mut found).unwrap();
        found
    };
    for (height, distance) in [(4.4, -0.1), (4.0, -0.5), (3.9, -0.6), (3.4, -1.1)] {
        let place = Pose::from_translation(V::splat(1.3).with_component(1, height));
        let found = contacts_at(place);
        assert!(!found.is_empty(), "{height}");
        for contact in &found {
            assert!(contact.normal.component(1) >= -1e-6, "{contact:?}");
        }
        let deepest = found
            .iter()
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
            .unwrap();
        assert!((deepest.distance - distance).abs() < 1e-5, "{deepest:?}");
        assert!(deepest.normal.component(1) > 0.999, "{deepest:?}");
    }
    // Above the middle of a face, faces beside it are within range at their edges; no contact with them is turned around.
    let place = Pose::from_translation(V::splat(0.3).with_component(1, 4.6));
    let found = contacts_at(place);
    assert!(
        found.iter().all(|contact| contact.distance > 0.0),
        "{found:?}"
    );
}

fn a_solid_is_one_in_a_compound<V: Solids>() {
    let mut random = Pcg::new(4008);
    let mut seen = [0; 2];
    for _ in 0..iterations(150) {
        let solid = V::solid(&mut random);
        let inner = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let ball = CompoundPart {
            shape: Shape::ball(0.25).unwrap(),
            pose: Pose::from_translation(V::axis(1) * 9.0),
        };
        let part = CompoundPart {
            shape: solid.clone(),
            pose: inner,
        };
        let compound = Shape::compound([ball, part]).unwrap();
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let (other, mut place) = convex_near::<V>(&mut random);
        place = Pose::new(
            (pose * inner).transform_point(place.translation()),
            place.rotation,
        );
        let together = near((&compound, &pose), (&other, &place));
        let alone = near((&solid, &(pose * inner)), (&other, &place));
        assert_eq!(
            together.distance < 0.0,
            alone.distance < 0.0,
            "{together:?} {alone:?}"
        );
        if alone.distance > 0.0 {
            assert!(
                (together.distance - alone.distance).abs() < 1e-4,
                "{together:?} {alone:?}"
            );
        } else {
            // The same depth, as far as either knows it.
            assert!(together.lower <= alone.upper + 1e-4 && alone.lower <= together.upper + 1e-4);
        }
        seen[usize::from(alone.distance < 0.0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

fn scaling_keeps_the_outer_side<V: Solids>() {
    let mut random = Pcg::new(4009);
    for _ in 0..iterations(40) {
        let solid = V::solid(&mut random);
        let mut factors: V = random.point(1.0);
        for k in 0..V::DIM {
            factors = factors.with_component(
                k,
                factors.component(k).signum() * 0.5 + factors.component(k),
            );
        }
        let Ok(scaled) = solid.scaled_by(factors) else {
            continue;
        };
        assert!(composite(&scaled).is_solid());
        let inside = V::ZERO;
        for _ in 0..10 {
            let point: V = inside + random.point::<V>(2.0);
            let image = point.to_precise().scaled_by(factors.to_precise());
            let distance =
                point_proximity(point, Placed::new(&solid, &Pose::IDENTITY), Real::INFINITY);
            if distance.unwrap().near().unwrap().distance.abs() > 1e-3 {
                let [one, other] = [(&solid, point.to_precise()), (&scaled, image)];
                assert_eq!(
                    is_inside(one.0, one.1),
                    composite(other.0).winding(other.1) > 0
                );
            }
        }
    }
}

const TETRAHEDRON: ([Vec3; 4], [[u32; 3]; 4]) = (
    [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
);

#[test]
fn what_is_no_solid_is_refused_with_the_triangles_at_fault() {
    let (corners, faces) = TETRAHEDRON;
    let refusal = |faces: &[[u32; 3]]| Shape::solid_mesh(corners, faces).unwrap_err();
    assert_eq!(
        refusal(&faces[..3]),
        ShapeError::NotClosed {
            list: "triangles",
            index: 0
        }
    );
    let turned = faces.map(|[a, b, c]| [a, c, b]);
    assert!(matches!(refusal(&turned), ShapeError::Volume { volume, .. } if volume < 0.0));
    let one_turned = [[0, 1, 2], faces[1], faces[2], faces[3]];
    assert_eq!(
        refusal(&one_turned),
        ShapeError::SidesInOneDirection { triangles: [0, 1] }
    );
    let flat = [[0, 1, 1], faces[1], faces[2], faces[3]];
    assert_eq!(refusal(&flat), ShapeError::FlatTriangle { index: 0 });
    // Corners at equal coordinates are one, zeros of either sign included.
    let soup: Vec<Vec3> = faces
        .iter()
        .flatten()
        .map(|&k| -(-corners[k as usize]))
        .collect();
    let own: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let soup = soup
        .iter()
        .enumerate()
        .map(|(k, &p)| if k % 2 == 0 { p } else { -p * -1.0 });
    assert!(Shape::solid_mesh(soup.collect::<Vec<_>>(), own).is_ok());
    let solid = Shape::solid_mesh(corners, faces).unwrap();
    assert_eq!(
        solid.clone().one_sided(0.1),
        Err(ShapeError::SolidOnOneSide)
    );
    assert!(Shape::<Vec3>::ball(1.0).unwrap().solid().is_err());
    assert_ne!(solid, Shape::mesh(corners, faces).unwrap());
    assert_eq!(
        Shape::from_encoding(&solid.to_encoding().unwrap()).unwrap(),
        solid
    );
}

#[test]
fn outlines_are_taken_as_they_are_but_for_crossings() {
    let square = [
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 0.0],
        [4.0, 2.0],
        [4.0, 4.0],
        [0.0, 4.0],
    ]
    .map(Vec2::from);
    let hole = vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]]
        .into_iter()
        .map(Vec2::from)
        .collect::<Vec<_>>();
    let is_in = |shape: &Shape<Vec2>, x: Real, y: Real| {
        composite(shape).winding(Vec2::new(x, y).to_precise()) > 0
    };
    for turned in 0..4 {
        let (mut outline, mut hole) = (square.to_vec(), hole.clone());
        if turned & 1 > 0 {
            outline.reverse();
        }
        if turned & 2 > 0 {
            hole.reverse();
        }
        let shape = Shape::polygon(outline, &[hole]).unwrap();
        assert!(
            is_in(&shape, 3.0, 3.0)
                && is_in(&shape, 0.5, 1.5)
                && !is_in(&shape, 1.5, 1.5)
                && !is_in(&shape, 5.0, 1.0)
        );
        assert_eq!(
            Shape::from_encoding(&shape.to_encoding().unwrap()).unwrap(),
            shape
        );
        assert_eq!(shape.kind_name(), "polygon");
    }
}

#[test]
fn outlines_that_cross_are_refused() {
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(Vec2::from);
    let hole = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]].map(Vec2::from);
    let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]].map(Vec2::from);
    let crossing = ShapeError::Crossing {
        sides: [0, 2],
        place: [1.0, 1.0],
    };
    assert_eq!(Shape::polygon(bow, &[]), Err(crossing));
    let eight = [
        [0.0, 0.0],
        [1.0, 1.0],
        [3.0, 3.0],
        [3.0, -1.0],
        [1.0, 1.0],
        [0.0, 2.0],
    ]
    .map(Vec2::from);
    assert!(matches!(
        Shape::polygon(eight, &[]),
        Err(ShapeError::WindsAgain { .. })
    ));
    let outside = hole.iter().map(|&corner| corner + Vec2::X * 9.0).collect();
    assert!(matches!(
        Shape::polygon(square, &[outside]),
        Err(ShapeError::WindsAgain { .. })
    ));
    assert_eq!(
        Shape::polygon(&square[..2], &[]),
        Err(ShapeError::RingTooShort { ring: 0, count: 2 })
    );
    let line = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
    assert!(matches!(
        Shape::polygon(line, &[]),
        Err(ShapeError::Volume { .. })
    ));
    let hostile = [Vec2::ZERO, Vec2::new(Real::NAN, 0.0), Vec2::ONE];
    assert!(Shape::polygon(hostile, &[]).is_err());
}

/// A comb, and the boxes that it is made of.
#[test]
fn a_polygon_answers_as_its_convex_pieces() {
    let mut random = Pcg::new(4010);
    let mut seen = [0; 2];
    for _ in 0..iterations(400) {
        let heights: Vec<i32> = (0..4).map(|_| random.below(4) as i32).collect();
        let comb = Vec2::of_cells(4, &|[x, y, _]| y < heights[x as usize]).unwrap();
        let tooth = |x: usize| {
            let half = 0.5 * (heights[x] as Real + 1.0);
            CompoundPart {
                shape: Shape::cuboid(Vec2::new(0.5, half)).unwrap(),
                pose: Pose::from_translation(Vec2::new(x as Real + 0.5, half - 1.0)),
            }
        };
        let pieces = Shape::compound((0..4).map(tooth).collect::<Vec<_>>()).unwrap();
        let pose = Pose::new(random.point::<Vec2>(1.0), Vec2::any_rotation(&mut random));
        let (other, mut place) = convex_near::<Vec2>(&mut random);
        place = place.moved_by(pose.transform_point(Vec2::new(2.0, 1.0)));
        let of_comb = near((&comb, &pose), (&other, &place));
        let of_pieces = near((&pieces, &pose), (&other, &place));
        if of_pieces.distance.abs() > 1e-5 {
            assert_eq!(
                of_comb.distance < 0.0,
                of_pieces.distance < 0.0,
                "{of_comb:?} {of_pieces:?}"
            );
        }
        if of_pieces.distance > 1e-5 {
            assert!(
                (of_comb.distance - of_pieces.distance).abs() < 1e-5,
                "{of_comb:?} {of_pieces:?}"
            );
        } else {
            // It must leave every piece, and no piece knows of the others.
            assert!(
                of_comb.lower <= of_pieces.upper + 1e-5,
                "{of_comb:?} {of_pieces:?}"
            );
        }
        seen[usize::from(of_comb.distance < 0.0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// What is far away is not said to be inside because there is much of it, or because little may be looked at.
#[test]
fn bounds_hold_however_many_pieces_and_however_little_effort() {
    let solid = Vec3::of_cells(3, &|[i, j, k]| i * j * k == 0).unwrap();
    let placed = Placed::new(&solid, &Pose::IDENTITY);
    let count = 300_000;
    let cloud: Vec<Vec3> = (0..count)
        .map(|k| Vec3::new(5.0, (k % 512) as Real * 0.01, (k / 512) as Real * 0.01))
        .collect();
    let cloud = Shape::points(&cloud, 0.0).unwrap();
    let beside = Placed::new(&cloud, &Pose::IDENTITY);
    let near = proximity(placed, beside, Real::INFINITY).unwrap();
    assert_eq!(near.near().unwrap().distance, 2.0);
    assert!(!intersects(placed, beside).unwrap());
    let point = Shape::segment(Vec3::ZERO, Vec3::ZERO).unwrap();
    for effort in 1..40 {
        let at = Pose::from_translation(Vec3::new(8.0, 0.5, 0.5));
        let near = proximity(
            placed.with_effort(effort),
            Placed::new(&point, &at),
            Real::INFINITY,
        );
        let near = near.unwrap().near().unwrap();
        assert!(near.lower <= 5.0 && near.upper >= 5.0, "{effort}: {near:?}");
    }
}

/// Members of compounds share what a question may take.
#[test]
fn two_crowds_of_solids_that_overlap_are_measured_in_bounded_time() {
    let angle = Vec3::of_cells(2, &|[i, j, _]| i * j == 0).unwrap();
    let parts = (0..100).map(|k| CompoundPart {
        shape: angle.clone(),
        pose: Pose::from_translation(Vec3::new(
            (k % 10) as Real * 3.0,
            (k / 10) as Real * 3.0,
            0.0,
        )),
    });
    let crowd = Shape::compound(parts.collect::<Vec<_>>()).unwrap();
    let pose = Pose::new(Vec3::splat(0.3), Quat::from_rotation_y(0.02));
    let [a, b] = [&Pose::IDENTITY, &pose].map(|pose| Placed::new(&crowd, pose));
    let near = proximity(a, b, Real::INFINITY).unwrap().near().unwrap();
    assert!(
        near.lower <= near.distance && near.distance <= near.upper && near.upper <= 0.0,
        "{near:?}"
    );
}

/// Moved as a whole to where single precision has few digits, shapes overlap as they do at the origin.
#[test]
fn depths_far_from_the_origin_have_the_bounds_of_those_beside_it() {
    let solid = Vec3::of_cells(3, &|[i, j, k]| i * j * k == 0).unwrap();
    let block = Shape::cuboid(Vec3::new(0.25, 0.5, 0.125)).unwrap();
    let depth = |offset: Vec3| {
        let [a, b] = [Vec3::ZERO, Vec3::new(1.5, 0.25, 2.75)]
            .map(|place| Pose::from_translation(place + offset));
        let near = proximity(
            Placed::new(&solid, &a),
            Placed::new(&block, &b),
            Real::INFINITY,
        );
        let near = near.unwrap().near().unwrap();
        (
            near.distance,
            near.lower,
            near.upper,
            near.normal,
            near.status,
        )
    };
    assert_eq!(
        depth(Vec3::new(1048576.0, 0.0, -65536.0)),
        depth(Vec3::ZERO)
    );
}

#[test]
fn a_solid_of_1e5_triangles_is_asked_as_fast_as_its_surface() {
    // A fine grid of cells: the line from a place meets few triangles.
    let side = 40;
    let solid = Vec3::of_cells(side, &|_| true).unwrap();
    let count = composite(&solid).part_count();
    assert!(count >= 12 * 40 * 40, "{count}");
    assert_eq!(composite(&solid).pieces().collect::<Vec<_>>(), [0]);
    let deep = point_proximity(
        Vec3::splat(20.5),
        Placed::new(&solid, &Pose::IDENTITY),
        Real::INFINITY,
    );
    assert_eq!(deep.unwrap().near().unwrap().distance, -19.5);
}
