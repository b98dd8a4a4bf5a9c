//! What Avian asks a collider, against answers from elsewhere: corners, formulas, and the mass properties of Bevy's primitives.

use avian_clearance::Collider;
use avian3d::collision::collider::{ScalableCollider, SimpleCollider};
use avian3d::collision::contact_types::PackedFeatureId;
use avian3d::dynamics::rigid_body::mass_properties::bevy_heavy::{
    ComputeMassProperties3d, MassProperties3d,
};
use avian3d::prelude::{ColliderAabb, ContactManifold, ContactPoint};
use bevy::prelude::*;
use bevy::shape::{Capsule3d, Cone, Cuboid, Cylinder, Sphere};
use clearance::dim3::Shape;

const BOX: Vec3 = Vec3::new(0.5, 0.25, 1.0);

fn made(shape: Result<Shape, clearance::ShapeError>) -> Collider {
    shape.expect("the numbers make a shape").into()
}

fn cuboid(half_extents: Vec3) -> Collider {
    made(Shape::cuboid(half_extents))
}

/// A flat floor of squares of two triangles each, from -8 to 8.
fn floor() -> Collider {
    let side = || (-8..=8).map(|k| k as f32);
    let vertices: Vec<_> = side()
        .flat_map(|z| side().map(move |x| Vec3::new(x, 0.0, z)))
        .collect();
    let corners = (0..16).flat_map(|z| (0..16).map(move |x| z * 17 + x));
    let triangles: Vec<_> = corners
        .flat_map(|k| [[k, k + 17, k + 1], [k + 1, k + 17, k + 18]])
        .collect();
    made(Shape::mesh(vertices, triangles))
}

fn corners(half_extents: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|k| {
        let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        half_extents * Vec3::new(sign(0), sign(1), sign(2))
    })
}

fn is_inside(aabb: &ColliderAabb, point: Vec3) -> bool {
    point.cmpge(aabb.min).all() && point.cmple(aabb.max).all()
}

/// Poses that differ in all ways.
fn poses() -> impl Iterator<Item = (Vec3, Quat)> {
    (0..50).map(|k| {
        let k = k as f32;
        let position = Vec3::new(3.0 * k.sin(), k - 25.0, 100.0 * k.cos());
        (position, Quat::from_scaled_axis(Vec3::new(k, 0.3 * k, -k)))
    })
}

#[test]
fn boxes_enclose_shapes_and_no_more() {
    let (cuboid, ball) = (cuboid(BOX), made(Shape::ball(0.75)));
    for (position, rotation) in poses() {
        let aabb = cuboid.aabb(position, rotation, 0.125);
        let corners = corners(BOX).map(|corner| position + rotation * corner);
        let bounds = |choose: fn(Vec3, Vec3) -> Vec3| corners.into_iter().reduce(choose);
        let min = bounds(Vec3::min).expect("there are corners") - 0.125;
        let max = bounds(Vec3::max).expect("there are corners") + 0.125;
        assert!((aabb.min - min).abs().max_element() < 3e-5, "{aabb:?}");
        assert!((aabb.max - max).abs().max_element() < 3e-5, "{aabb:?}");
        let aabb = ball.aabb(position, rotation, 0.25);
        assert!(aabb.min.distance(position - 1.0) < 3e-5, "{aabb:?}");
        assert!(is_inside(&aabb, position + 1.0) && is_inside(&aabb, position - 1.0));
    }
}

#[test]
fn boxes_of_shapes_without_end_end() {
    let ground = made(Shape::half_space(Vec3::Y));
    let aabb = ground.aabb(Vec3::new(0.0, 2.0, 0.0), Quat::IDENTITY, 0.5);
    assert!((aabb.max.y - 2.5).abs() < 1e-5 && aabb.size().is_finite());
    assert!(is_inside(&aabb, Vec3::new(1e8, -1e8, -1e8)));
    assert!(ground.bounding_radius().is_finite());
    assert!(ground.max_distance_to_point(Vec3::ONE).is_finite());
}

#[test]
fn swept_boxes_enclose_what_turns_on_its_way() {
    let rod = made(Shape::capsule_from_endpoints(
        Vec3::ZERO,
        Vec3::X * 4.0,
        0.1,
    ));
    let mut would_stick_out = 0;
    for (position, rotation) in poses() {
        let turned = Quat::from_rotation_z(1.5) * rotation;
        let end = position + Vec3::new(0.5, -1.0, 0.25);
        let swept = rod.swept_aabb(position, rotation, end, turned, 0.0);
        let ends = rod
            .aabb(position, rotation, 0.0)
            .merged(rod.aabb(end, turned, 0.0));
        for k in 0..=64 {
            let t = k as f32 / 64.0;
            let tip = position.lerp(end, t) + rotation.slerp(turned, t) * (Vec3::X * 4.0);
            assert!(is_inside(&swept, tip), "{tip} of {swept:?}");
            would_stick_out += usize::from(!is_inside(&ends, tip));
        }
    }
    assert!(would_stick_out > 0, "both ends are not enough");
}

#[test]
fn sizes_reach_the_farthest_point_and_not_far_beyond() {
    let cuboid = cuboid(BOX);
    for point in [Vec3::ZERO, Vec3::X, Vec3::new(-1.0, 2.0, 0.5)] {
        let farthest = corners(BOX).map(|corner| corner.distance(point));
        let farthest = farthest.into_iter().fold(0.0, f32::max);
        let found = cuboid.max_distance_to_point(point);
        let most = point.length() + BOX.length() + 1e-5;
        assert!(found >= farthest && found < most, "{found}");
    }
    let ball = made(Shape::ball(0.5));
    assert!((ball.max_distance_to_point(Vec3::X * 2.0) - 2.5).abs() < 1e-6);
    assert!((ball.bounding_radius() - 0.5).abs() < 1e-6);
    assert!((ball.ccd_thickness() - 0.5).abs() < 1e-6);
}

fn assert_same_mass(ours: &Collider, theirs: MassProperties3d) {
    let found = ours.mass_properties(3.0);
    assert!((found.mass - theirs.mass).abs() < 1e-5 * theirs.mass);
    assert!(found.center_of_mass.distance(theirs.center_of_mass) < 1e-5);
    let [found, theirs] = [found, theirs].map(|p| p.angular_inertia_tensor().to_mat3());
    assert!(found.abs_diff_eq(theirs, 1e-4), "{found} {theirs}");
}

#[test]
fn masses_are_those_of_bevys_primitives() {
    let ball = Sphere::new(0.75).mass_properties(3.0);
    assert_same_mass(&made(Shape::ball(0.75)), ball);
    let brick = Cuboid::from_size(2.0 * BOX).mass_properties(3.0);
    assert_same_mass(&cuboid(BOX), brick);
    let capsule = Capsule3d::new(0.5, 2.0).mass_properties(3.0);
    assert_same_mass(&made(Shape::capsule(1.0, 0.5)), capsule);
    let cylinder = Cylinder::new(0.5, 2.0).mass_properties(3.0);
    assert_same_mass(&made(Shape::cylinder(1.0, 0.5)), cylinder);
    let cone = Cone::new(0.5, 2.0).mass_properties(3.0);
    assert_same_mass(&made(Shape::cone(1.0, 0.5)), cone);
    let (offset, turn) = (Vec3::new(1.0, -2.0, 3.0), Quat::from_rotation_z(0.5));
    let moved = corners(BOX).map(|corner| offset + turn * corner);
    let isometry = Isometry3d::new(offset, turn);
    assert_same_mass(&made(Shape::hull(moved)), brick.transformed_by(isometry));
}

#[test]
fn what_has_no_inside_has_no_mass() {
    for shape in [floor(), made(Shape::half_space(Vec3::Y))] {
        assert_eq!(shape.mass_properties(1.0), MassProperties3d::ZERO);
        assert_eq!(shape.mass(1.0), 0.0);
    }
}

fn manifolds(a: &Collider, b: &Collider, position_b: Vec3) -> Vec<ContactManifold> {
    turned_manifolds((a, b), position_b, Quat::IDENTITY)
}

/// Those of a collider at the origin and of another one, within 0.1.
fn turned_manifolds(
    (a, b): (&Collider, &Collider),
    position: Vec3,
    rotation: Quat,
) -> Vec<ContactManifold> {
    // What was there before must go.
    let mut found = vec![ContactManifold::new([], Vec3::X)];
    let (at, turn) = (Vec3::ZERO, Quat::IDENTITY);
    a.contact_manifolds(b, at, turn, position, rotation, 0.1, &mut found);
    found
}

fn features(point: &ContactPoint) -> (PackedFeatureId, PackedFeatureId) {
    (point.feature_id1, point.feature_id2)
}

fn assert_four_corners(found: &[ContactManifold], normal: Vec3, place: Vec3) {
    let [manifold] = found else {
        panic!("one normal, one manifold: {found:?}");
    };
    assert!(manifold.normal.distance(normal) < 1e-6);
    assert_eq!(manifold.points.len(), 4);
    for point in &manifold.points {
        assert!((point.penetration - 0.0625).abs() < 1e-6, "{point:?}");
        assert!(point.point.distance(point.anchor1) < 1e-6);
        assert!(point.point.distance(point.anchor2 + place) < 1e-6);
        let corner = (point.point - place).abs();
        let wanted = Vec3::new(0.5, 0.25 - 0.03125, 1.0);
        assert!(corner.distance(wanted) < 1e-6, "{point:?}");
    }
    let others = |point: &ContactPoint| {
        let same = |other: &&ContactPoint| features(other) == features(point);
        manifold.points.iter().filter(same).count()
    };
    assert!(manifold.points.iter().all(|point| others(point) == 1));
}

#[test]
fn a_box_rests_on_its_four_corners() {
    let (table, load) = (cuboid(Vec3::new(3.0, 0.5, 3.0)), cuboid(BOX));
    let above = Vec3::new(0.7, 0.6875, -0.3);
    assert_four_corners(&manifolds(&table, &load, above), Vec3::Y, above);
    let ground = made(Shape::half_space(Vec3::Y));
    let above = Vec3::new(0.7, 0.1875, -0.3);
    assert_four_corners(&manifolds(&ground, &load, above), Vec3::Y, above);
    // From below, as the other one.
    let ceiling = made(Shape::half_space(Vec3::NEG_Y));
    let below = Vec3::new(0.7, -0.1875, -0.3);
    assert_four_corners(&manifolds(&ceiling, &load, below), Vec3::NEG_Y, below);
}

#[test]
fn gaps_count_up_to_the_prediction_distance() {
    let ball = made(Shape::ball(0.5));
    let found = manifolds(&ball, &ball, Vec3::X * 1.0625);
    assert_eq!((found.len(), found[0].points.len()), (1, 1));
    assert_eq!(found[0].points[0].penetration, -0.0625);
    assert_eq!(manifolds(&ball, &ball, Vec3::X * 1.125), []);
    // Who is nowhere touches nobody.
    assert_eq!(manifolds(&ball, &ball, Vec3::NAN), []);
}

/// The point of a manifold with the same features.
fn same<'a>(point: &ContactPoint, found: &'a [ContactManifold]) -> Option<&'a ContactPoint> {
    let points = found.iter().flat_map(|manifold| &manifold.points);
    let mut same = points.filter(|other| features(other) == features(point));
    same.next().filter(|_| same.next().is_none())
}

#[test]
fn points_are_found_again_in_the_next_frame() {
    let table = cuboid(Vec3::new(3.0, 0.5, 3.0));
    let (floor, load) = (floor(), cuboid(BOX));
    let turn = Quat::from_scaled_axis(Vec3::new(1e-3, 0.01, -1e-3));
    for (ground, up) in [(&table, 0.74), (&floor, 0.24)] {
        let place = Vec3::new(0.66, up, 0.31);
        let before = manifolds(ground, &load, place);
        let moved = place + Vec3::new(2e-3, -1e-3, 3e-3);
        let now = turned_manifolds((ground, &load), moved, turn);
        assert_eq!((before.len(), now.len()), (1, 1));
        let corners = now[0].points.iter();
        let corners: Vec<_> = corners
            .filter(|point| point.feature_id2.is_vertex())
            .collect();
        assert_eq!(corners.len(), 4);
        for corner in corners {
            let old = same(corner, &before).expect("there is one like it");
            assert!(old.anchor2.distance(corner.anchor2) < 0.02, "{corner:?}");
        }
    }
}

#[test]
fn a_flat_floor_of_triangles_is_one_surface() {
    let (floor, load) = (floor(), cuboid(Vec3::new(1.3, 0.5, 1.3)));
    for k in 0..200 {
        let along = k as f32 * 0.0371 - 4.0;
        // Deep enough that sides of triangles are near the box.
        let place = Vec3::new(along, 0.45, 0.3 * along);
        let found = manifolds(&floor, &load, place);
        assert_eq!(found.len(), 1, "at {place}: {found:?}");
        assert!(found[0].normal.distance(Vec3::Y) < 1e-3, "{found:?}");
        // The four corners are among them, or others: a triangle that the box covers less wide than deep has none.
        for (x, z) in [(1.3, 1.3), (1.3, -1.3), (-1.3, 1.3), (-1.3, -1.3)] {
            let corner = Vec3::new(x, -0.475, z);
            let is_there = |point: &ContactPoint| point.anchor2.distance(corner) < 0.08;
            assert!(found[0].points.iter().any(is_there), "{corner}: {found:?}");
        }
    }
}

#[test]
fn scale_is_that_of_the_shape_or_refused() {
    let mut ball = made(Shape::ball(0.5));
    ball.set_scale(Vec3::new(1.0, 2.0, 3.0), 10);
    let egg = Shape::ellipsoid(Vec3::new(0.5, 1.0, 1.5)).expect("radii are positive");
    assert_eq!(
        (ball.shape(), ball.scale()),
        (&egg, Vec3::new(1.0, 2.0, 3.0))
    );
    ball.set_scale(Vec3::ONE, 10);
    assert_eq!(ball.shape(), ball.unscaled_shape());
    let mut capsule = made(Shape::capsule(1.0, 0.5));
    let before = capsule.shape().clone();
    capsule.set_scale(Vec3::new(1.0, 2.0, 1.0), 10);
    assert_eq!(capsule.shape(), &before);
    capsule.set_scale(Vec3::ZERO, 10);
    assert_eq!(capsule.shape(), &before);
    capsule.scale_by(Vec3::ONE, 10);
    capsule.set_scale(Vec3::splat(2.0), 10);
    let double = Shape::capsule(2.0, 1.0).expect("numbers are positive");
    assert_eq!(capsule.shape(), &double);
}
