//! From a snapshot to its record.

use std::collections::{BTreeMap, HashMap};

use clearance_math::internal::heap_sort;
use clearance_math::{PoseResidual, Real, Rotation, Vector};
use clearance_shapes::internal::address_of;
use clearance_shapes::{Shape, ShapeEncoding, ShapeError};

use super::Snapshot;
use super::manifolds::{ManifoldRecord, points_record};
use super::record::{
    BodyRecord, ContactRecord, FORMAT, ImpactRecord, Record, RemovedRecord, SlotRecord, StoreError,
    TransitionRecord, VERSION,
};
use crate::columns::Occupancy;
use crate::encoding::{components, position_components};
use crate::user_data::RemovedBodies;
use crate::{Body, BodyId, BodyKind, Contact, Groups, Impact, Subject, Velocity};

impl<V: Vector> TryFrom<&Snapshot<V>> for Record {
    type Error = StoreError;

    fn try_from(snapshot: &Snapshot<V>) -> Result<Self, StoreError> {
        let mut shapes = ShapeTable::default();
        let report = &snapshot.report;
        let mut record = Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            dimension: V::DIM as u32,
            checksum: 0,
            margin: snapshot.margin,
            wants_part_contacts: snapshot.wants_part_contacts,
            wants_surface_contacts: snapshot.wants_surface_contacts,
            wants_manifolds: snapshot.wants_manifolds,
            lacks_contacts: snapshot.lacks_contacts,
            // Slots that were left out are vacant; their generations are stored.
            slots: (0..snapshot.columns.generations.len())
                .map(|slot| slot_record(snapshot, slot, &mut shapes))
                .collect::<Result<_, _>>()?,
            shapes: shapes.records,
            removed: removed_records(&snapshot.columns.removed),
            ignored: snapshot
                .columns
                .ignored
                .pairs()
                .map(|(a, b)| [a, b])
                .collect(),
            contacts: report.contacts.iter().map(contact_record).collect(),
            transitions: report
                .transitions
                .iter()
                .map(|transition| TransitionRecord {
                    contact: transition.place as u64,
                    before: transition.before as u8,
                })
                .collect(),
            departures: report.departures.iter().map(contact_record).collect(),
            part_contacts: report.parts.list.iter().map(contact_record).collect(),
            ghosts: report.parts.surface.ghosts.clone(),
            instead_of_ghosts: (report.parts.surface.instead.iter())
                .map(contact_record)
                .collect(),
            impacts: report.impacts.iter().map(impact_record).collect(),
            has_all_manifolds: report.manifolds.are_all,
            manifolds: report.manifolds.iter().map(ManifoldRecord::of).collect(),
            points_before: (report.manifolds.points_before().iter())
                .map(points_record)
                .collect(),
        };
        record.checksum = record.digest();
        Ok(record)
    }
}

/// Each shape once, however many bodies have it.
#[derive(Default)]
struct ShapeTable {
    places: BTreeMap<ShapeEncoding, u32>,
    /// The places of composites by their addresses, so that one that many bodies share is encoded once.
    shared: HashMap<usize, u32>,
    records: Vec<ShapeEncoding>,
}

impl ShapeTable {
    fn place<V: Vector>(&mut self, shape: &Shape<V>) -> Result<u32, ShapeError> {
        let address = address_of(shape);
        if let Some(&known) = address.and_then(|address| self.shared.get(&address)) {
            return Ok(known);
        }
        let records = &mut self.records;
        let places = self.places.entry(shape.to_encoding()?);
        let place = *places.or_insert_with_key(|encoding| {
            records.push(encoding.clone());
            (records.len() - 1) as u32
        });
        self.shared.extend(address.map(|address| (address, place)));
        Ok(place)
    }
}

fn slot_record<V: Vector>(
    snapshot: &Snapshot<V>,
    slot: usize,
    shapes: &mut ShapeTable,
) -> Result<SlotRecord, StoreError> {
    let columns = &snapshot.columns;
    let generation = columns.generations[slot];
    Ok(match columns.body(slot) {
        Some(body) => SlotRecord::Taken {
            generation,
            body: body_record(&body, shapes).map_err(|error| {
                let body = Subject::Body(BodyId::from_parts(slot as u32, generation));
                StoreError { body, error }
            })?,
        },
        None if columns.occupancies.get(slot) == Some(&Occupancy::Retired) => {
            SlotRecord::Retired { generation }
        }
        None => SlotRecord::Vacant { generation },
    })
}

fn body_record<V: Vector>(
    body: &Body<V>,
    shapes: &mut ShapeTable,
) -> Result<BodyRecord, ShapeError> {
    let Groups {
        memberships,
        filter,
    } = body.groups;
    Ok(BodyRecord {
        shape: shapes.place(&body.shape)?,
        is_moving: body.kind == BodyKind::Moving,
        translation: position_components::<V>(body.pose.position()),
        rotation: body.pose.rotation.to_bits(),
        residual: residual(&body.residual),
        velocity: velocity(&body.velocity),
        groups: (body.groups != Groups::ALL).then_some([memberships, filter]),
        extra_margin: body.extra_margin,
        wants_part_contacts: body.part_contacts,
        wants_manifolds: body.manifolds,
        is_swept: body.swept,
        user_data: body.user_data,
    })
}

fn removed_records(removed: &RemovedBodies) -> Vec<RemovedRecord> {
    let lists = [(&removed.since_step, false), (&removed.before_step, true)];
    let records = lists.into_iter().flat_map(|(list, before_step)| {
        list.iter().map(move |(id, &user_data)| RemovedRecord {
            id: [id.index(), id.generation()],
            user_data,
            before_step,
        })
    });
    let mut records: Vec<_> = records.collect();
    heap_sort(&mut records, |one, other| one < other);
    records
}

/// The bits of a residual, unless all are zero.
fn residual<V: Vector>(residual: &PoseResidual<V>) -> Option<[u32; 4]> {
    let encoding = residual.encode();
    (encoding != [0; 4]).then_some(encoding)
}

/// The components, linear ones first; none at rest. In 2D only the last angular one counts.
fn velocity<V: Vector>(velocity: &Velocity<V>) -> Option<Vec<Real>> {
    let mut numbers = components(velocity.linear);
    let angular = V::Rotation::angular_in_space(velocity.angular).to_array();
    numbers.extend(&angular[super::first_angular::<V>()..]);
    let at_rest = numbers.iter().all(|number| number.to_bits() == 0);
    (!at_rest).then_some(numbers)
}

fn impact_record<V: Vector>(impact: &Impact<V>) -> ImpactRecord {
    let Impact { a, b, hit } = *impact;
    let separation = hit.separation;
    ImpactRecord {
        contact: contact_record(&Contact { a, b, separation }),
        times: [hit.time, hit.time_lower, hit.time_upper].map(Real::to_bits),
        status: hit.status as u8,
    }
}

pub(super) fn contact_record<V: Vector>(contact: &Contact<V>) -> ContactRecord {
    let s = &contact.separation;
    let words = |id: BodyId| [id.index(), id.generation()];
    ContactRecord {
        a: words(contact.a),
        b: words(contact.b),
        distances: [s.distance, s.lower, s.upper].map(Real::to_bits),
        normal: components(s.normal),
        points: [s.position_a, s.position_b]
            .into_iter()
            .flat_map(position_components::<V>)
            .collect(),
        parts: [s.part_a, s.part_b],
        status: s.status as u8,
    }
}
