//! How deep convex shapes and solids are in solids.

use std::borrow::Cow;

use clearance_gjk::{
    Interior, Placed, RayOptions, Separation, cast_ray, cast_ray_all_into, core_corners,
    point_proximity,
};
use clearance_math::{DVec3, Pose, PreciseVector, Ray, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use super::near;
use super::truth::{Bricks, Surfaces, in_frame_of, shortest_way_out};
use crate::common::{Kind, Pcg, in_both_dimensions, iterations};

in_both_dimensions!(
    polytopes_leave_a_solid_on_the_shortest_way,
    all_that_is_shallow_leaves_a_solid_on_a_shortest_way,
    solids_leave_solids_on_a_shortest_way,
);

/// The outline of a room, whose walls are 0.2 thick.
const ROOM: [Vec2; 8] = [
    Vec2::new(0.0, 0.0),
    Vec2::new(5.0, 0.0),
    Vec2::new(5.0, 3.0),
    Vec2::new(4.8, 3.0),
    Vec2::new(4.8, 0.2),
    Vec2::new(0.2, 0.2),
    Vec2::new(0.2, 3.0),
    Vec2::new(0.0, 3.0),
];

const ELL: [Vec2; 6] = [
    Vec2::new(0.0, 0.0),
    Vec2::new(3.0, 0.0),
    Vec2::new(3.0, 1.0),
    Vec2::new(1.0, 1.0),
    Vec2::new(1.0, 3.0),
    Vec2::new(0.0, 3.0),
];

/// A prism above an outline, from z = 0 on.
fn prism(outline: &[Vec2], height: Real) -> Shape<Vec3> {
    let count = outline.len() as u32;
    let vertices = [0.0, height]
        .into_iter()
        .flat_map(|z| outline.iter().map(move |v| v.extend(z)));
    let mut triangles = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        triangles.push([k, next, count + next]);
        triangles.push([k, count + next, count + k]);
    }
    for [a, b, c] in ears(outline) {
        triangles.push([a, c, b]);
        triangles.push([count + a, count + b, count + c]);
    }
    Shape::solid_mesh(vertices.collect::<Vec<_>>(), triangles).expect("closed")
}

/// Triangles of a simple counterclockwise polygon.
fn ears(outline: &[Vec2]) -> Vec<[u32; 3]> {
    let mut left: Vec<u32> = (0..outline.len() as u32).collect();
    let mut ears = Vec::new();
    while left.len() > 2 {
        let n = left.len();
        let ear = (0..n).find(|&k| {
            let [a, b, c] = [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
            let at = |k: u32| outline[k as usize].as_dvec2();
            let turn = |p: u32, q: u32, r: u32| (at(q) - at(p)).perp_dot(at(r) - at(p));
            turn(a, b, c) > 0.0
                && left
                    .iter()
                    .filter(|&&v| ![a, b, c].contains(&v))
                    .all(|&v| turn(a, b, v) < 0.0 || turn(b, c, v) < 0.0 || turn(c, a, v) < 0.0)
        });
        let k = ear.expect("a simple polygon");
        ears.push([left[(k + n - 1) % n], left[k], left[(k + 1) % n]]);
        left.remove(k);
    }
    ears
}

#[test]
fn in_a_concave_corner_all_walls_count_together() {
    let room = prism(&ROOM, 4.0);
    let ball = Shape::ball(0.5).unwrap();
    let place = Pose::from_translation(Vec3::new(0.6999, 0.6999, 2.0));
    let found = near((&room, &Pose::IDENTITY), (&ball, &place));
    assert!(
        (f64::from(found.distance) + 2e-4_f64.sqrt() * 1e-2).abs() < 1e-5,
        "{found:?}"
    );
    let flat = Shape::polygon(ROOM, &[]).unwrap();
    let disc = Shape::ball(0.5).unwrap();
    let place = Pose::from_translation(Vec2::new(0.6999, 0.6999));
    let found = near((&flat, &Pose::IDENTITY), (&disc, &place));
    assert!(
        (f64::from(found.distance) + 2e-4_f64.sqrt() * 1e-2).abs() < 1e-5,
        "{found:?}"
    );
}

#[test]
fn solids_that_touch_do_not_overlap() {
    let ell = prism(&ELL, 1.0);
    let cube = prism(
        &[
            Vec2::new(1.0, 1.0),
            Vec2::new(2.0, 1.0),
            Vec2::new(2.0, 2.0),
            Vec2::new(1.0, 2.0),
        ],
        1.0,
    );
    let found = near((&ell, &Pose::IDENTITY), (&cube, &Pose::IDENTITY));
    assert!(
        found.distance.abs() < 1e-5 && found.lower > -1e-4,
        "{found:?}"
    );
}

/// A shape that is to leave a solid: one convex shape, or the boxes of another solid, in its frame.
struct Leaver<'a, V: Vector> {
    parts: Vec<Body<'a, V>>,
    pose: Pose<V>,
}

/// A part of it, and where it is.
type Body<'a, V> = (Cow<'a, Shape<V>>, <V as Vector>::Precise);

fn box_of<V: Vector>([low, high]: [V::Precise; 2]) -> (Shape<V>, V::Precise) {
    let half = (high - low) * 0.5;
    (Shape::cuboid(V::from_precise(half)).unwrap(), low + half)
}

/// Whether a shape that is moved in the frame of the boxes overlaps one of them by more than rounding.
fn overlaps<V: Vector>(
    (boxes, pose): (&[[V::Precise; 2]], &Pose<V>),
    leaver: &Leaver<V>,
    way: V::Precise,
) -> bool {
    let at = |pose: &Pose<V>, place: V::Precise| {
        let place = RelativePose::from_pose(pose).transform_point(place);
        Pose::new(place, pose.rotation)
    };
    boxes.iter().any(|&brick| {
        let (brick, middle) = box_of::<V>(brick);
        let there = at(pose, middle);
        leaver.parts.iter().any(|(part, middle)| {
            let moved = at(&leaver.pose, *middle).moved_by(way);
            near((&brick, &there), (part, &moved)).distance < -1e-5
        })
    })
}

/// What the answer says is true: moved by a little more than its distance the shape is outside, and no shorter way leads there.
fn check_depth<V: Vector>(
    random: &mut Pcg,
    solid: (&[[V::Precise; 2]], &Pose<V>),
    leaver: &Leaver<V>,
    found: &Separation<V>,
) {
    let out = found.normal.to_precise() * (f64::from(-found.distance) + 3e-5);
    assert!(!overlaps(solid, leaver, out), "{found:?}");
    let least = f64::from(-found.upper);
    for k in 0..60 {
        let beside = if k % 2 == 0 { 0.2 } else { 1.0 };
        let way =
            (out.direction().unwrap() * (1.0 - beside)) + random.direction::<V::Precise>() * beside;
        let Some(way) = way.direction() else { continue };
        let way = way * (least - 1e-4).max(0.0);
        assert!(
            overlaps(solid, leaver, way) || least < 2e-4,
            "{way:?} {found:?}"
        );
    }
}

fn polytopes_leave_a_solid_on_the_shortest_way<V: Surfaces>() {
    let mut random = Pcg::new(4100);
    let mut seen = 0;
    while seen < iterations(60) {
        let bricks = Bricks::<V>::random(&mut random);
        let pose = Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let size = random.between(0.1, 0.6);
        let shape = V::shape(
            random.pick(&[Kind::Cuboid, Kind::Hull, Kind::Triangle]),
            &mut random,
            size,
        );
        let Shape::Convex(convex) = &shape else {
            panic!("convex")
        };
        let corners = core_corners(convex.core()).unwrap();
        let local = random.point::<V>(1.5) + V::splat(1.5);
        let center = RelativePose::from_pose(&pose).transform_point(local.to_precise());
        let place = Pose::new(V::from_precise(center), V::any_rotation(&mut random));
        let points = in_frame_of(&pose, (&place, &corners));
        let way = shortest_way_out::<V>(&bricks.boxes, &points);
        let depth = way.length();
        if depth == 0.0
            || depth > 0.5 * bricks.thinnest
            || convex.radius() > 0.0
            || corners.len() > 9
        {
            continue;
        }
        seen += 1;
        let found = near((&bricks.shape, &pose), (&shape, &place));
        assert!(f64::from(found.lower) <= -depth + 1e-6, "{depth} {found:?}");
        assert!(-depth - 1e-6 <= f64::from(found.upper), "{depth} {found:?}");
        assert!(found.upper - found.lower <= 5e-5, "{depth} {found:?}");
        assert!(
            (f64::from(found.distance) + depth).abs() < 5e-5,
            "{depth} {found:?}"
        );
    }
}

fn all_that_is_shallow_leaves_a_solid_on_a_shortest_way<V: Surfaces>() {
    let mut random = Pcg::new(4101);
    let kinds: Vec<Kind> = Kind::all::<V>()
        .filter(|&kind| kind != Kind::HalfSpace)
        .collect();
    let (mut seen, mut wide) = (0, 0);
    while seen < iterations(100) {
        let bricks = Bricks::<V>::random(&mut random);
        let pose = Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let size = random.log_between(0.02, 0.6);
        let shape = V::shape(random.pick(&kinds), &mut random, size);
        let local = random.point::<V>(1.5) + V::splat(1.5);
        let center = RelativePose::from_pose(&pose).transform_point(local.to_precise());
        let place = Pose::new(V::from_precise(center), V::any_rotation(&mut random));
        let found = near((&bricks.shape, &pose), (&shape, &place));
        if found.distance >= -1e-4 || f64::from(-found.distance) > 0.4 * bricks.thinnest {
            continue;
        }
        seen += 1;
        // Below a tenth of the walls bounds are always tight, and mostly where it is deeper.
        let is_wide = found.upper - found.lower > 1e-4;
        let is_shallow = f64::from(-found.distance) < 0.1 * bricks.thinnest;
        assert!(!(is_wide && is_shallow), "{shape:?} {found:?}");
        wide += usize::from(is_wide);
        let leaver = Leaver {
            parts: vec![(Cow::Borrowed(&shape), V::Precise::ZERO)],
            pose: place,
        };
        check_depth(&mut random, (&bricks.boxes, &pose), &leaver, &found);
    }
    assert!(wide * 20 <= seen, "{wide} of {seen}");
}

fn solids_leave_solids_on_a_shortest_way<V: Surfaces>() {
    let mut random = Pcg::new(4102);
    let (mut seen, mut wide) = (0, 0);
    while seen < iterations(20) {
        let [a, b] = [0; 2].map(|_| Bricks::<V>::random(&mut random));
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let place = Pose::new(random.point::<V>(3.5), V::any_rotation(&mut random));
        let found = near((&a.shape, &pose), (&b.shape, &place));
        if found.distance >= -1e-4 || f64::from(-found.distance) > 0.2 * a.thinnest.min(b.thinnest)
        {
            continue;
        }
        seen += 1;
        wide += usize::from(found.upper - found.lower > 1e-4);
        let parts = b.boxes.iter().map(|&brick| {
            let (shape, middle) = box_of::<V>(brick);
            (Cow::Owned(shape), middle)
        });
        let leaver = Leaver {
            parts: parts.collect(),
            pose: place,
        };
        check_depth(&mut random, (&a.boxes, &pose), &leaver, &found);
    }
    assert_eq!(wide, 0, "of {seen}");
}

#[test]
fn shells_that_overlap_are_one_solid() {
    type V = Vec3;
    let mut random = Pcg::new(4103);
    let (mut seen, mut inner, mut tight) = (0, 0, 0);
    for round in 0..iterations(150) {
        // On a coarse grid they share corners, edges and faces.
        let placed = |corner: V| match round % 2 {
            0 => corner.to_precise(),
            _ => (corner * 2.0).round().to_precise() * 0.5,
        };
        let boxes: Vec<[DVec3; 2]> = (0..2 + random.below(2))
            .map(|_| {
                let middle = random.point::<V>(0.8);
                let half = random.point::<V>(0.6) + V::splat(0.9);
                [middle - half, middle + half].map(placed)
            })
            .filter(|[low, high]| low.cmplt(*high).all())
            .collect();
        let Some(shape) = V::of_shells(&boxes) else {
            continue;
        };
        let solid = Placed::new(&shape, &Pose::IDENTITY);
        for _ in 0..5 {
            let point = random.point::<V>(1.5);
            let way = shortest_way_out::<V>(&boxes, &[point.to_precise()]);
            let found = point_proximity(point, solid, Real::INFINITY)
                .unwrap()
                .near()
                .unwrap();
            let depth = way.length();
            assert_eq!(found.distance < 0.0, depth > 0.0);
            if depth > 0.0 {
                seen += 1;
                let bounds = [found.lower, found.upper].map(f64::from);
                assert!(
                    bounds[0] - 1e-5 <= -depth && -depth <= bounds[1] + 1e-5,
                    "{depth} {found:?}"
                );
                tight += usize::from((f64::from(found.distance) + depth).abs() < 1e-5);
                let direction = V::from_precise(random.direction::<DVec3>());
                let ray = Ray::new(point, direction).unwrap();
                let hollow = RayOptions {
                    interior: Interior::Hollow,
                    ..RayOptions::default()
                };
                let hit = cast_ray(&ray, solid, hollow).unwrap().unwrap();
                inner += usize::from(boxes.len() > 1);
                let out = leaves_boxes::<V>(&boxes, point.to_precise(), direction.to_precise());
                assert!(
                    (f64::from(hit.distance) - out).abs() < 1e-4,
                    "{out} {hit:?}"
                );
            }
        }
    }
    assert!(seen > 100 && inner > 50, "{seen} {inner}");
    // Where walls of several shells nearly meet, the bounds of some are wide.
    assert!(tight * 20 > seen * 19, "{tight} of {seen}");
}

/// Where a ray that starts inside leaves the union of boxes.
fn leaves_boxes<V: Vector>(boxes: &[[V::Precise; 2]], from: V::Precise, ahead: V::Precise) -> f64 {
    let ahead = ahead / ahead.length();
    let mut at = 0.0;
    loop {
        let place = from + ahead * (at + 1e-9);
        let leaves = |[low, high]: &[V::Precise; 2]| {
            let is_in = (0..V::DIM)
                .all(|k| (low.component(k)..high.component(k)).contains(&place.component(k)));
            let ends = (0..V::DIM).map(|k| {
                let end = if ahead.component(k) > 0.0 { high } else { low };
                (end.component(k) - from.component(k)) / ahead.component(k)
            });
            is_in.then(|| ends.fold(f64::INFINITY, f64::min))
        };
        let next = boxes.iter().filter_map(leaves).fold(at, f64::max);
        if next <= at {
            return at;
        }
        at = next;
    }
}

#[test]
fn a_bridge_to_a_hole_is_no_surface() {
    let outline = [
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 4.0],
        [0.0, 4.0],
        [0.0, 2.0],
        [1.5, 2.0],
        [1.5, 2.5],
        [2.5, 2.5],
        [2.5, 1.5],
        [1.5, 1.5],
        [1.5, 2.0],
        [0.0, 2.0],
    ];
    let polygon = Shape::polygon(outline.map(Vec2::from_array), &[]).unwrap();
    let placed = Placed::new(&polygon, &Pose::IDENTITY);
    let near = point_proximity(Vec2::new(0.75, 1.99), placed, Real::INFINITY)
        .unwrap()
        .near()
        .unwrap();
    assert!((near.distance + 0.75).abs() < 1e-5, "{near:?}");
    let ray = Ray::new(Vec2::new(0.75, 1.0), Vec2::Y).unwrap();
    let hollow = RayOptions {
        interior: Interior::Hollow,
        ..RayOptions::default()
    };
    assert_eq!(
        cast_ray(&ray, placed, hollow).unwrap().unwrap().distance,
        3.0
    );
    let mut hits = Vec::new();
    cast_ray_all_into(&ray, placed, hollow, &mut hits).unwrap();
    assert_eq!(hits.len(), 1, "{hits:?}");
}
