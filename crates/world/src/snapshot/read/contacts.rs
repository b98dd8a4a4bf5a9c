//! The contacts of a stored snapshot.

use clearance_gjk::{CastHit, Separation, Status};
use clearance_math::{Real, Vector};

use super::bodies::{position, vector};
use crate::columns::{Columns, Occupancy};
use crate::event::Nearness;
use crate::report::lists::{Report, Transition};
use crate::snapshot::manifolds::manifolds;
use crate::snapshot::record::{
    ContactRecord, ImpactRecord, Record, RemovedRecord, SnapshotError, TransitionRecord,
};
use crate::user_data::RemovedBodies;
use crate::{BodyId, Contact, Impact};

/// The contacts and events of the last step.
pub(super) fn report<V: Vector>(
    record: &Record,
    columns: &Columns<V>,
) -> Result<Report<V>, SnapshotError> {
    let mut report = Report::default();
    report.contacts = contacts("contacts", &record.contacts, columns)?;
    report.departures = contacts("departures", &record.departures, columns)?;
    // Stored, though they could be measured anew: a world shows them before its next step, as it did.
    report.parts.list = contacts("part_contacts", &record.part_contacts, columns)?;
    let surface = &mut report.parts.surface;
    surface.ghosts.clone_from(&record.ghosts);
    surface.instead = contacts("instead_of_ghosts", &record.instead_of_ghosts, columns)?;
    report.impacts = impacts(&record.impacts, columns)?;
    report.manifolds = manifolds(&record.manifolds, &record.points_before, columns)?;
    report.manifolds.are_all = record.has_all_manifolds;
    report.transitions = transitions(&record.transitions)?;
    report.has_removals = (report.contacts.iter())
        .any(|contact| [contact.a, contact.b].map(|id| state(columns, id)) != [IdState::InUse; 2]);
    if record.lacks_contacts {
        check_lean(&report).map_err(SnapshotError::Order)?;
    } else {
        report.validate().map_err(SnapshotError::Order)?;
    }
    Ok(report)
}

/// Where contacts were left out, none may be there. Whether the changes fit them is seen when they are found again.
fn check_lean<V: Vector>(report: &Report<V>) -> Result<(), String> {
    let is_lean = report.contacts.is_empty()
        && report.parts.list.is_empty()
        && report.parts.surface.ghosts.is_empty()
        && report.parts.surface.instead.is_empty()
        && report.impacts.is_empty()
        && report.manifolds.len() == 0;
    let refusal = || "there are contacts, which were left out".to_owned();
    is_lean.then_some(()).ok_or_else(refusal)
}

/// The contacts of a list, or the first that cannot be one.
///
/// Their bodies are there, or were removed after the last step.
fn contacts<V: Vector>(
    list: &'static str,
    records: &[ContactRecord],
    columns: &Columns<V>,
) -> Result<Vec<Contact<V>>, SnapshotError> {
    let contact = |(place, record): (usize, &ContactRecord)| {
        contact_in(record, columns).map_err(|reason| SnapshotError::entry(list, place, reason))
    };
    records.iter().enumerate().map(contact).collect()
}

/// A contact whose bodies are there or were removed.
pub(in crate::snapshot) fn contact_in<V: Vector>(
    record: &ContactRecord,
    columns: &Columns<V>,
) -> Result<Contact<V>, String> {
    let contact = contact_of(record)?;
    let mut ids = [contact.a, contact.b].into_iter();
    match ids.find(|&id| state(columns, id) == IdState::NeverUsed) {
        Some(id) => Err(format!("names body {id}, which never was")),
        None => Ok(contact),
    }
}

fn impacts<V: Vector>(
    records: &[ImpactRecord],
    columns: &Columns<V>,
) -> Result<Vec<Impact<V>>, SnapshotError> {
    let impact = |(place, record): (usize, &ImpactRecord)| {
        let refusal = |reason| SnapshotError::entry("impacts", place, reason);
        let contact = contact_in(&record.contact, columns).map_err(refusal)?;
        let [time, time_lower, time_upper] = record.times.map(Real::from_bits);
        Ok(Impact {
            a: contact.a,
            b: contact.b,
            hit: CastHit {
                time,
                time_lower,
                time_upper,
                separation: contact.separation,
                status: status(record.status).map_err(refusal)?,
            },
        })
    };
    records.iter().enumerate().map(impact).collect()
}

fn transitions(records: &[TransitionRecord]) -> Result<Vec<Transition>, SnapshotError> {
    let transition = |(place, record): (usize, &TransitionRecord)| {
        let before = nearness(record.before).ok_or_else(|| {
            let reason = format!("nearness is {}, must be from 0 to 2", record.before);
            SnapshotError::entry("transitions", place, reason)
        })?;
        // A place beyond every list is refused with the other places that are wrong.
        let place = usize::try_from(record.contact).unwrap_or(usize::MAX);
        Ok(Transition { place, before })
    };
    records.iter().enumerate().map(transition).collect()
}

/// The bodies that are gone: they must be sorted, and their ids used up.
pub(super) fn removed<V: Vector>(
    records: &[RemovedRecord],
    columns: &Columns<V>,
) -> Result<RemovedBodies, SnapshotError> {
    let mut removed = RemovedBodies::default();
    let mut last = None;
    for (place, record) in records.iter().enumerate() {
        let id = BodyId::from_parts(record.id[0], record.id[1]);
        let reason = if state(columns, id) != IdState::Removed {
            format!("names body {id}, which was not removed")
        } else if last.is_some_and(|last| last >= id) {
            format!("names body {id} out of order")
        } else {
            let list = if record.before_step {
                &mut removed.before_step
            } else {
                &mut removed.since_step
            };
            list.insert(id, record.user_data);
            last = Some(id);
            continue;
        };
        return Err(SnapshotError::entry("removed", place, reason));
    }
    Ok(removed)
}

/// What is known of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdState {
    /// Its body is in the world.
    InUse,
    /// Its body was removed.
    Removed,
    /// No body has had it yet.
    NeverUsed,
}

fn state<V: Vector>(columns: &Columns<V>, id: BodyId) -> IdState {
    let slot = id.index() as usize;
    let Some(occupancy) = columns.occupancies.get(slot) else {
        // The world was restored to a state before there was such a slot.
        return IdState::NeverUsed;
    };
    let generation = columns.generations[slot];
    match occupancy {
        Occupancy::Taken(_) if id.generation() == generation => IdState::InUse,
        Occupancy::Retired if id.generation() == generation => IdState::Removed,
        _ if id.generation() < generation => IdState::Removed,
        _ => IdState::NeverUsed,
    }
}

fn contact_of<V: Vector>(record: &ContactRecord) -> Result<Contact<V>, String> {
    let [distance, lower, upper] = record.distances.map(Real::from_bits);
    if !(lower <= distance && distance <= upper) {
        return Err(format!(
            "distance is {distance}, must be from {lower} to {upper}"
        ));
    }
    let not_vectors = || {
        format!(
            "normal and points are {:?} and {:?}, must be one and two finite vectors",
            record.normal, record.points
        )
    };
    let numbers = record.normal.iter().map(|&number| number.into());
    let are_finite = (numbers.chain(record.points.iter().copied())).all(f64::is_finite);
    if !are_finite || record.points.len() != 2 * V::DIM {
        return Err(not_vectors());
    }
    let (on_a, on_b) = record.points.split_at(V::DIM);
    let separation = Separation {
        distance,
        lower,
        upper,
        normal: vector(&record.normal).ok_or_else(not_vectors)?,
        position_a: position::<V>(on_a).ok_or_else(not_vectors)?,
        position_b: position::<V>(on_b).ok_or_else(not_vectors)?,
        part_a: record.parts[0],
        part_b: record.parts[1],
        status: status(record.status)?,
    };
    let id = |[index, generation]: [u32; 2]| BodyId::from_parts(index, generation);
    Ok(Contact {
        a: id(record.a),
        b: id(record.b),
        separation,
    })
}

fn status(number: u8) -> Result<Status, String> {
    let mut all = Status::ALL.into_iter();
    let status = all.find(|&status| status as u8 == number);
    let last = Status::ALL.len() - 1;
    status.ok_or_else(|| format!("status is {number}, must be from 0 to {last}"))
}

fn nearness(number: u8) -> Option<Nearness> {
    let all = [Nearness::OutOfRange, Nearness::InRange, Nearness::Touching];
    all.into_iter().find(|&nearness| nearness as u8 == number)
}
