//! Damaged records are refused.

use clearance_math::{Pose, Real, Vec2};
use clearance_shapes::Shape;

use crate::snapshot::record::{BodyRecord, Record, RemovedRecord, SlotRecord};
use crate::{Body, EventKind, Options, Snapshot, Velocity, World};

/// Three balls, each touching the next, and one that was removed after the step.
fn record() -> Record {
    let options = Options {
        part_contacts: true,
        manifolds: true,
        ..Options::default()
    };
    let mut world = World::<Vec2>::new(options).unwrap();
    let ids: Vec<_> = (0..4)
        .map(|k| {
            let pose = Pose::from_translation(Vec2::X * k as Real);
            let ball = Body::moving(Shape::ball(0.5).unwrap(), pose);
            let velocity = Velocity::new(Vec2::Y, 1.0);
            world.insert(ball.with_velocity(velocity)).unwrap()
        })
        .collect();
    world.step(0.0).unwrap();
    world.remove(ids[3]).unwrap();
    Record::try_from(&world.snapshot()).unwrap()
}

fn body(record: &mut Record) -> &mut BodyRecord {
    match &mut record.slots[1] {
        SlotRecord::Taken { body, .. } => body,
        _ => unreachable!("the slot is taken"),
    }
}

type Change = fn(&mut Record);

/// Each change leads to a refusal that says why, though the checksum is right.
fn refuse(changes: &[(Change, &str)]) {
    assert!(Snapshot::<Vec2>::try_from(record()).is_ok());
    for (change, reason) in changes {
        let mut record = record();
        change(&mut record);
        record.checksum = record.digest();
        let error = Snapshot::<Vec2>::try_from(record).unwrap_err().to_string();
        assert!(error.contains(reason), "{error:?} does not say {reason:?}");
    }
}

#[test]
fn bodies_that_cannot_be_are_refused_though_the_checksum_is_right() {
    refuse(&[
        (|r| r.margin = -1.0, "margin is -1"),
        (
            |r| {
                r.slots[3] = SlotRecord::Vacant {
                    generation: u32::MAX,
                }
            },
            "slots[3]: generation is 4294967295, must be at most 4194302",
        ),
        (
            |r| r.removed[0].id = [0, 0],
            "removed[0]: names body 0v0, which was not removed",
        ),
        (
            |r| {
                r.removed.push(RemovedRecord {
                    id: [3, 0],
                    ..r.removed[0]
                })
            },
            "removed[1]: names body 3v0 out of order",
        ),
        (
            |r| r.ignored = vec![[1, 3]],
            "ignored[0]: [1, 3] must be two slots with bodies",
        ),
        (
            |r| r.ignored = vec![[0, 1], [0, 1]],
            "ignored[1]: [0, 1] must be",
        ),
        (|r| r.ignored = vec![[1, 0]], "ignored[0]: [1, 0] must be"),
        (|r| r.ignored = vec![[1, 1]], "ignored[0]: [1, 1] must be"),
        (|r| r.shapes[0].kind = 9, "shapes[0]: encoding of a shape"),
        (|r| body(r).shape = 1, "slots[1]: there is no shape 1"),
        (|r| body(r).translation.push(0.0), "slots[1]: translation"),
        (
            |r| body(r).translation[0] = f64::NAN,
            "pose.translation[0] is NaN",
        ),
        (|r| body(r).rotation[1] ^= 1, "slots[1]: has length"),
        (
            |r| body(r).residual = Some([1.0_f32.to_bits(); 4]),
            "slots[1]: residual is not one of the pose",
        ),
        (
            |r| body(r).velocity = Some(vec![0.0]),
            "velocity has 1 numbers, must have 3",
        ),
        (
            |r| body(r).velocity = Some(vec![Real::INFINITY; 3]),
            "velocity.linear[0]",
        ),
        (
            |r| body(r).extra_margin = -1.0,
            "slots[1]: body 1v0: extra_margin is -1",
        ),
    ]);
}

#[test]
fn manifolds_that_cannot_be_are_refused_though_the_checksum_is_right() {
    refuse(&[
        (
            |r| r.manifolds[1].points.clear(),
            "manifolds[1]: has 0 points, must have from 1 to 2",
        ),
        (
            |r| r.manifolds[0].translations[1] = f64::NAN,
            "manifolds[0]: translations are",
        ),
        (
            |r| r.manifolds[0].rotations[1][1] ^= 1,
            "manifolds[0]: has length",
        ),
        (
            |r| r.manifolds[0].points[0].features[1][0] = 3,
            "manifolds[0]: kind of a feature is 3, must be from 0 to 2",
        ),
        (
            |r| r.manifolds[0].points[0].distance = Real::NAN.to_bits(),
            "manifolds[0]: distance of a point is NaN",
        ),
        (
            |r| r.manifolds[0].points[0].points.truncate(3),
            "manifolds[0]: points are",
        ),
        (
            |r| r.manifolds[0].points_before = [5, 0, 0, 0],
            "manifolds[0]: points_before is [5, 0, 0, 0], must be numbers from 0 to 4",
        ),
        (
            |r| r.manifolds[0].points_before = [0, 1, 0, 0],
            "manifold 0v0 1v0 goes on from",
        ),
        (|r| r.manifolds.swap(0, 1), "is out of order"),
        (
            |r| r.manifolds[0].contact.a = [9, 0],
            "manifolds[0]: names body 9v0, which never was",
        ),
        (
            |r| r.manifolds[0].contact.b = [2, 0],
            "manifold 0v0 2v0 is of no contact",
        ),
        (
            |r| r.points_before = vec![[0, 9, 0, 0]],
            "points_before[0]: points_before is [0, 9, 0, 0]",
        ),
    ]);
}

#[test]
fn contacts_that_cannot_be_are_refused_though_the_checksum_is_right() {
    refuse(&[
        (
            |r| r.contacts[0].a = [0, 7],
            "contacts[0]: names body 0v7, which never was",
        ),
        (
            |r| r.contacts[0].a = [9, 0],
            "contacts[0]: names body 9v0, which never was",
        ),
        (
            |r| {
                // The same two slots twice, with other bodies.
                let mut twin = record().contacts.remove(2);
                twin.b[1] = 1;
                r.slots[3] = SlotRecord::Vacant { generation: 2 };
                r.contacts.push(twin);
            },
            "contact 2v0 3v1 is out of order",
        ),
        (|r| r.contacts.swap(0, 1), "is out of order"),
        (
            |r| r.contacts[1].status = 4,
            "contacts[1]: status is 4, must be from 0 to 3",
        ),
        (
            |r| r.contacts[1].distances[1] = 1.0_f32.to_bits(),
            "distance is 0, must be from 1 to",
        ),
        (|r| r.contacts[1].normal.truncate(1), "must be one and two"),
        (|r| r.contacts[1].normal.push(0.0), "must be one and two"),
        (|r| r.contacts[1].points.truncate(3), "must be one and two"),
        (|r| r.contacts[1].points.push(0.0), "must be one and two"),
    ]);
}

#[test]
fn part_contacts_that_cannot_be_are_refused_though_the_checksum_is_right() {
    refuse(&[
        (
            |r| r.part_contacts[0].a = [9, 0],
            "part_contacts[0]: names body 9v0, which never was",
        ),
        (
            |r| r.part_contacts[1].points.truncate(3),
            "part_contacts[1]: normal and points are",
        ),
        (|r| r.part_contacts.swap(0, 1), "is out of order"),
        (
            |r| r.part_contacts.insert(0, record().part_contacts.remove(0)),
            "part contact 0v0 1v0 is out of order",
        ),
        (
            |r| r.part_contacts[0].b = [2, 0],
            "part contact 0v0 2v0 is of no contact",
        ),
    ]);
}

#[test]
fn impacts_that_cannot_be_are_refused_though_the_checksum_is_right() {
    let mut world = World::<Vec2>::new(Options::default()).unwrap();
    for k in 0..3 {
        let pose = Pose::from_translation(Vec2::X * (3 * k) as Real);
        let ball = Body::moving(Shape::ball(0.5).unwrap(), pose).with_swept();
        let velocity = Velocity::from_linear(Vec2::X * (k as Real * -100.0));
        world.insert(ball.with_velocity(velocity)).unwrap();
    }
    world.step(1.0).unwrap();
    let record = || Record::try_from(&world.snapshot()).unwrap();
    assert_eq!(record().impacts.len(), 3);
    assert!(Snapshot::<Vec2>::try_from(record()).is_ok());
    let changes: [(Change, &str); 6] = [
        (
            |r| r.impacts[0].contact.a = [9, 0],
            "impacts[0]: names body 9v0",
        ),
        (
            |r| r.impacts[1].contact.points.truncate(3),
            "impacts[1]: normal and points are",
        ),
        (
            |r| r.impacts[2].status = 99,
            "impacts[2]: status is 99, must be from 0 to",
        ),
        (|r| r.impacts.swap(0, 1), "is out of order"),
        (
            |r| r.impacts[0].times[0] = 2.0_f32.to_bits(),
            "impact 0v0 1v0 is at [0.0",
        ),
        (|r| r.contacts.clear(), "impact 0v0 1v0 is of no contact"),
    ];
    for (change, reason) in changes {
        let mut record = record();
        change(&mut record);
        record.transitions.clear();
        record.checksum = record.digest();
        let error = Snapshot::<Vec2>::try_from(record).unwrap_err().to_string();
        assert!(error.contains(reason), "{error:?} does not say {reason:?}");
    }
}

#[test]
fn transitions_and_departures_that_cannot_be_are_refused_though_the_checksum_is_right() {
    refuse(&[
        (
            |r| r.transitions[1].before = 3,
            "transitions[1]: nearness is 3, must be",
        ),
        (
            |r| r.transitions[1].before = 2,
            "contact 1 was as near before",
        ),
        (|r| r.transitions[2].contact = 9, "there is no contact 9"),
        (|r| r.transitions.swap(0, 1), "transitions are out of order"),
        (
            |r| {
                let mut gone = record().contacts.remove(2);
                gone.b = [3, 1];
                r.departures.push(gone);
            },
            "departures[0]: names body 3v1, which never was",
        ),
        (
            |r| r.departures.push(record().contacts.remove(0)),
            "0v0 1v0 is a contact and a departure",
        ),
    ]);
}

/// Whether the events fit the contacts is only seen when these are found again.
#[test]
fn events_that_cannot_be_are_forgotten_where_contacts_were_left_out() {
    refuse(&[(|r| r.lacks_contacts = true, "there are contacts")]);
    for place in [0, 7, u64::MAX] {
        let mut record = record();
        record.lacks_contacts = true;
        record.departures = core::mem::take(&mut record.contacts);
        record.part_contacts.clear();
        record.manifolds.clear();
        record.transitions[0].contact = place;
        record.checksum = record.digest();
        let snapshot = Snapshot::<Vec2>::try_from(record).unwrap();
        let mut world = World::new(Options::default()).unwrap();
        world.restore(&snapshot);
        world.validate().unwrap();
        assert_eq!(world.contacts().len(), 2);
        assert!(world.events().all(|event| event.kind == EventKind::Stayed));
    }
}
