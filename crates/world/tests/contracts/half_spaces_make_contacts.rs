//! Half-spaces: against bodies anywhere, against each other, and without bound.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, Options, Snapshot};

use crate::crowd::{BACKENDS, Dimension, world_of};

crate::in_both_dimensions!(
    a_floor_meets_bodies_anywhere,
    half_spaces_face_to_face,
    unbounded_overlap_is_a_contact_of_its_own,
);

fn half_space<V: Vector>(normal: V) -> Shape<V> {
    Shape::half_space(normal).unwrap()
}

fn options(backend: Backend) -> Options {
    Options {
        backend,
        margin: 0.5,
        ..Options::default()
    }
}

fn a_floor_meets_bodies_anywhere<V: Dimension>() {
    for backend in BACKENDS {
        let at = |x: Real, y: Real| Pose::from_translation(V::axis(0) * x + V::axis(1) * y);
        let ball = |pose| Body::moving(Shape::<V>::ball(1.0).unwrap(), pose);
        let slope = V::axis(0) * 0.6 + V::axis(1) * 0.8;
        let floor = Body::fixed(half_space(V::axis(1)), Pose::IDENTITY);
        let hill = Body::fixed(half_space(slope), at(1e6, 0.0));
        let bodies = [
            floor,
            hill,
            ball(at(-1e6, 1.25)),
            ball(at(2e5, 3.0)),
            ball(at(5.0, -3e6)),
        ];
        let (mut world, ids) = world_of(options(backend), bodies);
        world.step(0.0).unwrap();
        world.validate().unwrap();
        let found: Vec<_> = world.contacts().iter().map(|c| (c.a, c.b)).collect();
        let expected = [(0, 2), (0, 4), (1, 2), (1, 3), (1, 4)];
        assert_eq!(
            found,
            expected.map(|(a, b)| (ids[a], ids[b])),
            "{backend:?}"
        );
        assert_eq!(world.contacts()[0].distance(), 0.25);
    }
}

fn half_spaces_face_to_face<V: Dimension>() {
    let below = Body::fixed(half_space(V::axis(1)), Pose::IDENTITY);
    let up = Pose::from_translation(V::axis(1) * 0.25);
    let above = Body::moving(half_space(-V::axis(1)), up);
    let (mut world, _) = world_of(options(Backend::Bvh), [below, above]);
    world.step(0.0).unwrap();
    let contact = &world.contacts()[0];
    assert_eq!(contact.distance(), 0.25);
    assert!(!contact.is_unbounded());
}

fn unbounded_overlap_is_a_contact_of_its_own<V: Dimension>() {
    let below = Body::fixed(half_space(V::axis(1)), Pose::from_translation(V::axis(1)));
    let rounded = half_space(V::axis(0)).rounded(0.25).unwrap();
    let left = Body::moving(rounded, Pose::from_translation(V::axis(0) * 3.0));
    let left = left.with_part_contacts();
    let (mut world, ids) = world_of(options(Backend::Bvh), [below, left]);
    world.step(0.0).unwrap();
    let [contact] = world.contacts() else {
        panic!("one contact, not {}", world.contacts().len());
    };
    assert_eq!((contact.a, contact.b), (ids[0], ids[1]));
    assert!(contact.is_unbounded());
    assert_eq!(contact.distance(), Real::NEG_INFINITY);
    assert_eq!(contact.separation.normal, V::axis(1));
    assert_eq!(contact.separation.point_a(), V::axis(1));
    assert_eq!(contact.separation.point_b(), V::axis(0) * 3.25);
    // They are no composites, so their contact is all there is.
    assert_eq!(world.part_contacts(), world.contacts());
    world.validate().unwrap();
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let stored: Snapshot<V> = serde_json::from_str(&text).unwrap();
    assert_eq!(stored, world.snapshot());
}
