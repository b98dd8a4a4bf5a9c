//! Ids, groups, velocities, options, events and contacts come back from storage, or are refused by name.

use core::fmt::Debug;

use clearance_math::{Pose, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, BodyKind, Contact, EventKind, Groups, Options, Velocity, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::compare::separation_bits;
use crate::crowd::{BACKENDS, Dimension, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    values_come_back_from_text_and_binary,
    contacts_come_back_and_their_bounds_hold_as_decimals,
);

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let bytes = postcard::to_allocvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value);
}

fn values_come_back_from_text_and_binary<V: Dimension>() {
    let mut random = Random::new(90);
    for _ in 0..50 {
        comes_back(&Velocity::<V>::new(
            random.vector(-9.0, 9.0),
            V::angular(&mut random),
        ));
    }
    for body in crowd::<V>(92, 60) {
        comes_back(&body.clone().with_user_data(u64::MAX));
        comes_back(&body.clone().with_part_contacts());
        comes_back(&body.clone().with_manifolds());
        comes_back(&body.with_swept());
    }
    comes_back(&Groups::member_of(5).meeting(9));
    for kind in [BodyKind::Fixed, BodyKind::Moving] {
        comes_back(&kind);
    }
    comes_back(&EventKind::Began);
    comes_back(&BodyId::from_parts(7, 3));
    for backend in BACKENDS {
        comes_back(&Options {
            margin: 0.3,
            part_contacts: true,
            surface_contacts: true,
            manifolds: true,
            backend,
            threads: 3,
            effort: 7,
        });
    }
}

fn contacts_come_back_and_their_bounds_hold_as_decimals<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(91, 200));
    let plane = Shape::half_space(V::axis(1)).unwrap();
    world.insert(Body::moving(plane, Pose::IDENTITY)).unwrap();
    world.step(0.0).unwrap();
    let mut unbounded = 0;
    for contact in world.contacts() {
        let text = serde_json::to_string(contact).unwrap();
        let read: Contact<V> = serde_json::from_str(&text).unwrap();
        assert_eq!(read.pair(), contact.pair());
        assert_eq!(
            separation_bits(&read.separation),
            separation_bits(&contact.separation)
        );
        let bytes = postcard::to_allocvec(contact).unwrap();
        assert_eq!(
            &postcard::from_bytes::<Contact<V>>(&bytes).unwrap(),
            contact
        );
        if contact.is_unbounded() {
            unbounded += 1;
            continue;
        }
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let number = |field: &str| -> f64 { value[field].as_str().unwrap().parse().unwrap() };
        assert_eq!(number("lower"), f64::from(contact.separation.lower));
        assert_eq!(number("upper"), f64::from(contact.separation.upper));
    }
    assert!(unbounded > 0 && world.contacts().len() > 100);
}

/// A contact written by another program: bounds between two numbers of single precision are rounded outwards.
#[test]
fn bounds_that_are_read_still_hold() {
    let text = |distance: f64, lower: f64, upper: f64| {
        format!(
            r#"{{"a": {{"index": 0, "generation": 0}}, "b": {{"index": 1, "generation": 0}},
                "distance": {distance:?}, "lower": {lower:?}, "upper": {upper:?}, "normal": [1, 0],
                "point_a": [0, 0], "point_b": [0, 0], "status": "exact"}}"#
        )
    };
    let mut rounded = 0;
    for scale in [1.0, 1e-30, 1e-46, 1e38] {
        for tenths in -33..=33 {
            let distance = f64::from(tenths) * 0.1 * scale;
            let read: Contact<Vec2> =
                serde_json::from_str(&text(distance, distance, distance)).unwrap();
            let separation = &read.separation;
            assert!(f64::from(separation.lower) <= distance, "{distance}");
            assert!(f64::from(separation.upper) >= distance, "{distance}");
            assert!(separation.lower.next_up() >= separation.upper);
            rounded += usize::from(separation.lower != separation.upper);
        }
    }
    assert!(rounded > 150, "{rounded}");
}

fn refused<T: DeserializeOwned + Debug>(text: &str, reason: &str) {
    let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
    assert!(
        error.contains(reason),
        "{text}: {error:?} does not say {reason:?}"
    );
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    refused::<Options>(r#"{"margin": -1}"#, "margin is -1, must be finite and >= 0");
    refused::<Options>(r#"{"threads": 0}"#, "threads is 0, must be at least 1");
    refused::<Options>(
        r#"{"threads": 1000000}"#,
        "threads is 1000000, must be from 1 to 1024",
    );
    refused::<Options>(r#"{"margn": 1}"#, "unknown field `margn`");
    refused::<Groups>(r#"{"memberships": 1}"#, "missing field `filter`");
    refused::<Velocity<Vec2>>(
        r#"{"linear": [1, 2, 3], "angular": [0]}"#,
        "linear has 3 numbers, must have 2",
    );
    refused::<Velocity<Vec3>>(
        r#"{"linear": [1, 2, 3], "angular": [0]}"#,
        "angular has 1 numbers, must have 3",
    );
    let endless = Velocity::<Vec2>::from_linear(Vec2::new(1.0, Real::INFINITY));
    let bytes = postcard::to_allocvec(&endless).unwrap();
    assert!(postcard::from_bytes::<Velocity<Vec2>>(&bytes).is_err());
    let mut world = World::<Vec2>::default();
    let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY);
    world.insert(ball.clone()).unwrap();
    world.insert(ball).unwrap();
    world.step(0.0).unwrap();
    let text = serde_json::to_string(&world.contacts()[0]).unwrap();
    let lower = format!(
        "\"lower\":\"{}\"",
        f64::from(world.contacts()[0].separation.lower)
    );
    for (part, other, reason) in [
        ("\"index\":1", "\"index\":0", "a is 0v0 and b is 0v0"),
        (
            lower.as_str(),
            "\"lower\":2.0",
            "distance is -1, must be from 2",
        ),
        (
            "\"point_a\":[",
            "\"point_a\":[\"1\",",
            "point_a has 3 numbers, must have 2",
        ),
    ] {
        let changed = text.replacen(part, other, 1);
        assert_ne!(changed, text, "{part}");
        refused::<Contact<Vec2>>(&changed, reason);
    }
    let body = Body::moving(Shape::<Vec2>::ball(0.5).unwrap(), Pose::IDENTITY);
    let text = serde_json::to_string(&body).unwrap();
    let changed = text.replacen("\"extra_margin\":0.0", "\"extra_margin\":-1.0", 1);
    refused::<Body<Vec2>>(&changed, "extra_margin is -1, must be finite and >= 0");
    let changed = text.replacen("\"kind\":\"moving\"", "\"kind\":\"floating\"", 1);
    refused::<Body<Vec2>>(&changed, "unknown variant `floating`");
    let options: Options = serde_json::from_str("{}").unwrap();
    assert_eq!(options, Options::default());
    assert_eq!(Real::default(), 0.0);
}
