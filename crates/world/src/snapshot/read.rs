//! From a record to a snapshot that could have been taken: every field is checked.

use clearance_gjk::{Separation, Status};
use clearance_math::{Pose, Real, Rotation, Vec3, Vector};
use clearance_shapes::{Shape, ShapeError, ShapeWords};

use super::Snapshot;
use super::record::{BodyRecord, ContactRecord, FORMAT, Record, ShapeRecord, SlotRecord, VERSION};
use crate::columns::{Columns, Occupancy};
use crate::error::check_body;
use crate::event::Nearness;
use crate::report::{Departure, Report};
use crate::world::check_margin;
use crate::{Body, BodyId, Contact, Groups, Kind, Velocity, WorldError};

/// Why a stored snapshot was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum SnapshotError {
    #[error("format is {found:?}, must be {FORMAT:?}")]
    Format { found: String },
    #[error("version is {found}, must be {VERSION}")]
    Version { found: u32 },
    #[error("dimension is {found}, must be {expected}")]
    Dimension { found: u32, expected: usize },
    #[error("the snapshot is damaged: its checksum is {found:#x}, must be {expected:#x}")]
    Checksum { found: u64, expected: u64 },
    #[error("{0}")]
    Margin(WorldError),
    #[error("shapes[{place}]: {error}")]
    Shape { place: usize, error: ShapeError },
    #[error("slots[{slot}]: {reason}")]
    Slot { slot: usize, reason: String },
    #[error("{list}[{place}]: {reason}")]
    Contact {
        list: &'static str,
        place: usize,
        reason: String,
    },
    #[error("{0}")]
    Order(String),
}

impl<V: Vector> TryFrom<Record> for Snapshot<V> {
    type Error = SnapshotError;

    fn try_from(record: Record) -> Result<Self, SnapshotError> {
        check_header::<V>(&record)?;
        let margin = check_margin(record.margin).map_err(SnapshotError::Margin)?;
        let shapes = shapes(&record.shapes)?;
        let columns = columns(&record.slots, &shapes)?;
        let report = report(&record, &columns)?;
        Ok(Self {
            margin,
            columns,
            report,
        })
    }
}

fn check_header<V: Vector>(record: &Record) -> Result<(), SnapshotError> {
    if record.format != FORMAT {
        let found = record.format.clone();
        return Err(SnapshotError::Format { found });
    }
    if record.version != VERSION {
        let found = record.version;
        return Err(SnapshotError::Version { found });
    }
    if record.dimension as usize != V::DIM {
        return Err(SnapshotError::Dimension {
            found: record.dimension,
            expected: V::DIM,
        });
    }
    let (found, expected) = (record.checksum, record.digest());
    if found == expected {
        Ok(())
    } else {
        Err(SnapshotError::Checksum { found, expected })
    }
}

fn shapes<V: Vector>(records: &[ShapeRecord]) -> Result<Vec<Shape<V>>, SnapshotError> {
    let shape = |(place, record): (usize, &ShapeRecord)| {
        let words = ShapeWords {
            kind: record.kind,
            numbers: record.numbers.clone(),
            radius: record.radius,
        };
        Shape::from_words(&words).map_err(|error| SnapshotError::Shape { place, error })
    };
    records.iter().enumerate().map(shape).collect()
}

fn columns<V: Vector>(
    slots: &[SlotRecord],
    shapes: &[Shape<V>],
) -> Result<Columns<V>, SnapshotError> {
    let mut columns = Columns::new();
    if slots.len() > clearance_broadphase::MAX_KEY as usize + 1 {
        return Err(SnapshotError::Slot {
            slot: slots.len(),
            reason: WorldError::Full.to_string(),
        });
    }
    for (slot, record) in slots.iter().enumerate() {
        columns.push();
        columns.generations[slot] = match record {
            SlotRecord::Vacant { generation } => *generation,
            SlotRecord::Retired { generation } => {
                columns.occupancies[slot] = Occupancy::Retired;
                *generation
            }
            SlotRecord::Taken { generation, body } => {
                let body = body_of(body, shapes);
                let body = body.map_err(|reason| SnapshotError::Slot { slot, reason })?;
                columns.set(slot, body);
                *generation
            }
        };
    }
    Ok(columns)
}

fn body_of<V: Vector>(record: &BodyRecord, shapes: &[Shape<V>]) -> Result<Body<V>, String> {
    let shape = shapes.get(record.shape as usize);
    let shape = shape.ok_or_else(|| format!("there is no shape {}", record.shape))?;
    let translation =
        vector(&record.translation).ok_or("translation has not one number an axis")?;
    let rotation = V::Rotation::from_words(record.rotation).map_err(|e| e.to_string())?;
    let body = Body {
        shape: shape.clone(),
        pose: Pose::new(translation, rotation),
        velocity: velocity(record.velocity.as_deref())?,
        kind: if record.is_moving {
            Kind::Moving
        } else {
            Kind::Fixed
        },
        groups: record
            .groups
            .map_or(Groups::ALL, |[memberships, filter]| Groups {
                memberships,
                filter,
            }),
        extra_margin: record.extra_margin,
    };
    check_body(body).map_err(|error| error.to_string())
}

fn velocity<V: Vector>(numbers: Option<&[Real]>) -> Result<Velocity<V>, String> {
    let Some(numbers) = numbers else {
        return Ok(Velocity::default());
    };
    let first = super::first_angular::<V>();
    let count = V::DIM + 3 - first;
    if numbers.len() != count {
        return Err(format!(
            "velocity has {} numbers, must have {count}",
            numbers.len()
        ));
    }
    let (linear, angular) = numbers.split_at(V::DIM);
    let mut in_space = Vec3::ZERO;
    for (axis, &number) in (first..3).zip(angular) {
        in_space[axis] = number;
    }
    let linear = vector(linear).ok_or("velocity is cut short")?;
    Ok(Velocity::new(
        linear,
        V::Rotation::angular_from_space(in_space),
    ))
}

fn vector<V: Vector>(numbers: &[Real]) -> Option<V> {
    let components = numbers.iter().zip(0..V::DIM);
    (numbers.len() == V::DIM).then(|| {
        components.fold(V::ZERO, |vector, (&number, axis)| {
            vector.with_component(axis, number)
        })
    })
}

fn report<V: Vector>(record: &Record, columns: &Columns<V>) -> Result<Report<V>, SnapshotError> {
    let mut report = Report::new();
    for departure in checked("contacts", &record.contacts, |read| present(columns, read))? {
        report.contacts.push(departure.contact);
        report.before.push(departure.before);
    }
    report.departures = checked("departures", &record.departures, |read| gone(columns, read))?;
    report.validate().map_err(SnapshotError::Order)?;
    Ok(report)
}

/// The pairs of a list, each of which passes `check`, or the first that does not.
fn checked<V: Vector>(
    list: &'static str,
    records: &[ContactRecord],
    check: impl Fn(&Departure<V>) -> Result<(), String>,
) -> Result<Vec<Departure<V>>, SnapshotError> {
    let pair = |(place, record): (usize, &ContactRecord)| {
        let read = contact_of(record).and_then(|read| check(&read).map(|()| read));
        read.map_err(|reason| SnapshotError::Contact {
            list,
            place,
            reason,
        })
    };
    records.iter().enumerate().map(pair).collect()
}

/// Whether a pair can be a contact: both bodies are there.
fn present<V: Vector>(columns: &Columns<V>, pair: &Departure<V>) -> Result<(), String> {
    for id in [pair.contact.a, pair.contact.b] {
        if tenancy(columns, id) != Tenancy::Present {
            return Err(format!("names body {id}, which is not there"));
        }
    }
    agrees(pair.now, Nearness::of(&pair.contact))
}

/// Whether a pair can be a departure: it left in the last step, or a body was removed after it.
fn gone<V: Vector>(columns: &Columns<V>, pair: &Departure<V>) -> Result<(), String> {
    let ids = [pair.contact.a, pair.contact.b];
    let tenancies = ids.map(|id| tenancy(columns, id));
    if let Some(place) = tenancies.iter().position(|t| *t == Tenancy::Unheard) {
        return Err(format!("names body {}, which never was", ids[place]));
    }
    if pair.now == Nearness::OutOfRange {
        agrees(pair.before, Nearness::of(&pair.contact))
    } else if tenancies.contains(&Tenancy::Past) {
        agrees(pair.now, Nearness::of(&pair.contact))
    } else {
        let [a, b] = ids;
        Err(format!(
            "says neither that {a} {b} left nor that one was removed"
        ))
    }
}

fn agrees(nearness: Nearness, expected: Nearness) -> Result<(), String> {
    if nearness == expected {
        Ok(())
    } else {
        Err(format!(
            "nearness is {nearness:?}, must be {expected:?} by the distance"
        ))
    }
}

/// What is known of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tenancy {
    /// Its body lives.
    Present,
    /// Its body was removed.
    Past,
    /// It has not been given out.
    Unheard,
}

fn tenancy<V: Vector>(columns: &Columns<V>, id: BodyId) -> Tenancy {
    let slot = id.index() as usize;
    let Some(occupancy) = columns.occupancies.get(slot) else {
        // The slot was added for it, and is gone since the world came back to an older state.
        return Tenancy::Unheard;
    };
    let generation = columns.generations[slot];
    match occupancy {
        Occupancy::Taken(_) if id.generation() == generation => Tenancy::Present,
        Occupancy::Retired if id.generation() == generation => Tenancy::Past,
        _ if id.generation() < generation => Tenancy::Past,
        _ => Tenancy::Unheard,
    }
}

fn contact_of<V: Vector>(record: &ContactRecord) -> Result<Departure<V>, String> {
    let [distance, lower, upper] = record.distances.map(Real::from_bits);
    if !(lower <= distance && distance <= upper) {
        return Err(format!(
            "distance is {distance}, must be from {lower} to {upper}"
        ));
    }
    let not_vectors = || {
        format!(
            "vectors are {:?}, must be three finite ones",
            record.vectors
        )
    };
    let mut vectors = record.vectors.chunks(V::DIM).map(vector::<V>);
    let mut next = || {
        let vector = vectors.next().flatten().ok_or_else(not_vectors)?;
        let is_finite = vector.is_finite();
        is_finite.then_some(vector).ok_or_else(not_vectors)
    };
    let separation = Separation {
        distance,
        lower,
        upper,
        normal: next()?,
        point_a: next()?,
        point_b: next()?,
        status: status(record.status)
            .ok_or_else(|| format!("status is {}, must be from 0 to 2", record.status))?,
    };
    if record.vectors.len() != 3 * V::DIM {
        return Err(not_vectors());
    }
    let id = |[index, generation]: [u32; 2]| BodyId::from_parts(index, generation);
    let [before, now] = record.nearness.map(nearness);
    match (before, now) {
        (Some(before), Some(now)) => Ok(Departure {
            contact: Contact {
                a: id(record.a),
                b: id(record.b),
                separation,
            },
            before,
            now,
        }),
        _ => Err(format!(
            "nearness is {:?}, must be from 0 to 2",
            record.nearness
        )),
    }
}

fn status(number: u8) -> Option<Status> {
    let all = [Status::Exact, Status::Converged, Status::Limited];
    all.into_iter().find(|&status| status as u8 == number)
}

fn nearness(number: u8) -> Option<Nearness> {
    let all = [Nearness::OutOfRange, Nearness::InRange, Nearness::Touching];
    all.into_iter().find(|&nearness| nearness as u8 == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, World};
    use clearance_math::Vec2;

    /// Three balls, each touching the next, and one that was removed after the step.
    fn record() -> Record {
        let mut world = World::<Vec2>::new(Options::default()).unwrap();
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
        Record::from(&world.snapshot())
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
            (|r| r.shapes[0].kind = 9, "shapes[0]: words of a shape"),
            (|r| body(r).shape = 1, "slots[1]: there is no shape 1"),
            (|r| body(r).translation.push(0.0), "slots[1]: translation"),
            (
                |r| body(r).translation[0] = Real::NAN,
                "pose.translation[0] is NaN",
            ),
            (|r| body(r).rotation[1] ^= 1, "slots[1]: has length"),
            (
                |r| body(r).velocity = Some(vec![0.0]),
                "velocity has 1 numbers, must have 3",
            ),
            (
                |r| body(r).velocity = Some(vec![Real::INFINITY; 3]),
                "velocity.linear[0]",
            ),
            (|r| body(r).extra_margin = -1.0, "extra_margin is -1"),
        ]);
    }

    #[test]
    fn contacts_that_cannot_be_are_refused_though_the_checksum_is_right() {
        refuse(&[
            (
                |r| r.contacts[0].a = [0, 7],
                "contacts[0]: names body 0v7, which is not there",
            ),
            (
                |r| r.contacts[0].a = [9, 0],
                "contacts[0]: names body 9v0, which is not there",
            ),
            (|r| r.contacts.swap(0, 1), "is out of order"),
            (
                |r| r.contacts[1].status = 3,
                "contacts[1]: status is 3, must be",
            ),
            (
                |r| r.contacts[1].nearness[0] = 3,
                "nearness is [3, 2], must be",
            ),
            (
                |r| r.contacts[1].nearness[1] = 1,
                "nearness is InRange, must be Touching",
            ),
            (
                |r| r.contacts[1].distances[1] = 1.0_f32.to_bits(),
                "distance is 0, must be from 1 to",
            ),
            (|r| r.contacts[1].vectors.truncate(3), "must be three"),
            (|r| r.contacts[1].vectors.push(0.0), "must be three"),
        ]);
    }

    #[test]
    fn departures_that_cannot_be_are_refused_though_the_checksum_is_right() {
        refuse(&[
            (
                |r| r.departures[0].b = [2, 0],
                "departures[0]: says neither",
            ),
            (
                |r| r.departures[0].b = [3, 1],
                "departures[0]: names body 3v1, which never was",
            ),
            (
                |r| {
                    let mut twin = record().contacts.remove(0);
                    twin.nearness = [2, 0];
                    r.departures.insert(0, twin);
                },
                "0v0 1v0 is a contact and a departure",
            ),
        ]);
    }
}
