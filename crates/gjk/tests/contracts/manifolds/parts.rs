//! Manifolds of the parts of composites.

use clearance_gjk::{Manifold, contact_manifold, contact_manifolds_into, contacts_into};
use clearance_math::{Pose, PreciseVector, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{Body, Pcg, Space, in_both_dimensions, iterations, turned};
use crate::composite_shapes::squares;
use crate::solids::{Solids, convex_near};

in_both_dimensions!(points_lie_along_the_normals_that_lead_out_of_a_solid);

/// A grid of squares of two triangles each, bent a little.
fn terrain(random: &mut Pcg) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let height = |random: &mut Pcg| random.between(0.0, 0.1) as f32;
    let vertices = (0..25).map(|k| {
        let (x, z) = ((k % 5) as f32 - 2.0, (k / 5) as f32 - 2.0);
        Vec3::new(x, height(random), z)
    });
    (vertices.collect(), squares(4))
}

/// Each part has the manifold that its triangle would have alone, under the bits of its contact.
#[test]
fn a_mesh_has_the_manifolds_of_its_triangles() {
    let mut random = Pcg::new(571);
    let mut several = 0;
    for _ in 0..iterations(60) {
        let (vertices, triangles) = terrain(&mut random);
        let mesh = Shape::mesh(&vertices, &triangles).expect("valid");
        let mesh = Body::new(
            mesh,
            Pose::new(random.point::<Vec3>(1.0), turned::<Vec3>(&mut random)),
        );
        let half = Vec3::new(0.5, 0.5, 0.75);
        let shape = random.pick(&[0, 1, 2]);
        let shape = match shape {
            0 => Shape::cuboid(half),
            1 => Shape::capsule(0.5, 0.25),
            _ => Shape::ball(0.75),
        };
        let place = Pose::from_translation(random.point::<Vec3>(1.0) + Vec3::Y * 0.5);
        let other = Body::new(shape.expect("valid"), mesh.pose * place);
        let found = manifolds_of_contacts(&mesh, &other);
        for part in &found {
            let [p, q, r] = triangles[part.separation.part_a as usize];
            let [p, q, r] = [p, q, r].map(|index| vertices[index as usize]);
            let alone = Body::new(Shape::triangle(p, q, r).expect("valid"), mesh.pose);
            let alone = contact_manifold(alone.placed(), other.placed(), 0.05).expect("valid");
            let alone = alone.expect("in range");
            assert_eq!(part.points(), alone.points(), "{part:?}");
            several += usize::from(part.points().len() > 1);
        }
        let mut back = Vec::new();
        contact_manifolds_into(other.placed(), mesh.placed(), 0.05, &mut back).expect("valid");
        let flipped: Vec<_> = found.into_iter().map(Manifold::flipped).collect();
        assert_eq!(back, flipped);
    }
    assert!(several > 30, "only {several} of several points");
}

/// The manifolds of all parts, one for each contact.
fn manifolds_of_contacts<V: Vector>(a: &Body<V>, b: &Body<V>) -> Vec<Manifold<V>> {
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    contact_manifolds_into(a.placed(), b.placed(), 0.05, &mut found).expect("valid");
    contacts_into(a.placed(), b.placed(), 0.05, &mut expected).expect("valid");
    let separations: Vec<_> = found.iter().map(|part| part.separation).collect();
    assert_eq!(separations, expected);
    found
}

/// A part that is deep in a solid has another normal than its facet and it would have alone.
fn points_lie_along_the_normals_that_lead_out_of_a_solid<V: Solids>() {
    let mut random = Pcg::new(574);
    let mut turned_out = 0;
    for _ in 0..iterations(300) {
        let solid = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let solid = Body::new(solid, pose);
        let (other, place) = convex_near::<V>(&mut random);
        let other = Body::new(other, place);
        for part in manifolds_of_contacts(&solid, &other) {
            let normal = part.normal().to_precise();
            let mut least = f64::INFINITY;
            for point in part.points() {
                let distance = f64::from(point.distance);
                let beside = point.position_b - point.position_a - normal * distance;
                assert!(beside.length() < 1e-5, "{point:?} {part:?}");
                least = least.min(distance);
            }
            let depth = f64::from(part.separation.distance);
            assert!((least - depth).abs() < 1e-4, "{part:?}");
            turned_out += usize::from(depth < -0.1);
        }
    }
    assert!(turned_out > 50, "{turned_out}");
}

/// Capsules that are crossed, parallel and end to end.
#[test]
fn a_compound_of_bare_capsules_has_the_manifolds_of_the_capsules() {
    let capsule = Shape::capsule(0.5, 0.25).expect("valid");
    let part = CompoundPart::new(capsule.clone(), Pose::IDENTITY);
    let bare = Shape::compound(vec![part]).expect("valid");
    let mut random = Pcg::new(573);
    let mut several = 0;
    for _ in 0..iterations(3000) {
        // Along the axes, coordinates are zero or nearly so: there the rounding of a wrong way is seen.
        let mut quarters = || {
            let axis = random.pick(&[Vec3::X, Vec3::Y, Vec3::Z]);
            let turns = random.below(4) as f32 * core::f32::consts::FRAC_PI_2;
            let step = |random: &mut Pcg| random.below(9) as f32 * 0.25 - 1.0;
            let place = Vec3::new(step(&mut random), step(&mut random), step(&mut random));
            Pose::<Vec3>::new(place, clearance_math::Quat::from_axis_angle(axis, turns))
        };
        let (pose, other) = (quarters(), quarters());
        let other = Body::new(capsule.clone(), other);
        let (alone, bare) = (
            Body::new(capsule.clone(), pose),
            Body::new(bare.clone(), pose),
        );
        let alone = contact_manifold(alone.placed(), other.placed(), 0.05).expect("valid");
        let mut found = Vec::new();
        contact_manifolds_into(bare.placed(), other.placed(), 0.05, &mut found).expect("valid");
        assert_eq!(found.first(), alone.as_ref());
        several += usize::from(alone.is_some_and(|manifold| manifold.points().len() > 1));
    }
    assert!(several > 10, "only {several} of several points");
}

#[test]
fn the_parts_of_a_compound_have_manifolds_where_they_are() {
    let leg = Shape::cuboid(Vec3::new(0.1, 0.5, 0.1)).expect("valid");
    let at = |x: f32| Pose::from_translation(Vec3::new(x, 0.5, 0.0));
    let parts = [-1.0, 1.0].map(|x| CompoundPart::new(leg.clone(), at(x)));
    let trestle = Shape::compound(parts).expect("valid");
    let mut random = Pcg::new(572);
    let world = Pose::new(random.point::<Vec3>(3.0), Vec3::any_rotation(&mut random));
    let trestle = Body::new(trestle, world);
    let floor = Body::new(Shape::half_space(Vec3::Y).expect("valid"), world);
    let mut found = Vec::new();
    contact_manifolds_into(floor.placed(), trestle.placed(), 0.01, &mut found).expect("valid");
    assert_eq!(found.len(), 2);
    for (manifold, x) in found.iter().zip([-1.0, 1.0]) {
        assert_eq!(manifold.points().len(), 4);
        for point in manifold.points() {
            let local = world.inverse_transform_point(point.point_b());
            let expected = Vec3::new(
                0.1_f32.copysign(local.x - x),
                0.0,
                0.1_f32.copysign(local.z),
            );
            let off = (local - Vec3::new(x, 0.0, 0.0) - expected).length();
            assert!(off < 2e-6, "{local} {manifold:?}");
        }
    }
}
