//! The contacts of bodies by measuring every pair.

use std::collections::BTreeMap;

use clearance_gjk::{Placed, Proximity, Separation, contacts, measure};
use clearance_math::{Real, Vector, round_nearest};
use clearance_world::{Body, BodyId, Contact, Kind};

/// A pair of bodies within range.
#[derive(Clone, Debug)]
pub(super) struct Pair<V> {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
    /// `None` for half-spaces that overlap without bound.
    separation: Option<Separation<V>>,
    /// Whether the bounds prove it and the boxes do not prove the contrary. If not, bodies that the
    /// narrow phase cannot tell apart may have been told apart by their boxes.
    is_certain: bool,
}

impl<V: Vector> Pair<V> {
    /// Whether a contact says of the pair what was measured, bit by bit.
    fn is(&self, contact: &Contact<V>) -> bool {
        let same = match &self.separation {
            Some(separation) => bits(separation) == bits(&contact.separation),
            None => contact.is_unbounded(),
        };
        (self.a, self.b) == (contact.a, contact.b) && same
    }
}

/// The numbers of an answer, bit by bit.
pub(super) fn bits<V: Vector>(separation: &Separation<V>) -> Vec<u32> {
    let Separation {
        distance,
        lower,
        upper,
        normal,
        point_a,
        point_b,
        part_a,
        part_b,
        status,
    } = *separation;
    let vectors = [normal, point_a, point_b];
    let components = vectors
        .iter()
        .flat_map(|v| (0..V::DIM).map(|k| v.component(k).to_bits()));
    let numbers = [distance, lower, upper].map(Real::to_bits);
    numbers
        .into_iter()
        .chain(components)
        .chain([part_a, part_b, status as u32])
        .collect()
}

/// Where the contacts are not those among `expected`, of which the uncertain ones may be missing.
pub(super) fn first_difference<V: Vector>(
    contacts: &[Contact<V>],
    expected: &[Pair<V>],
) -> Option<String> {
    let mut rest = contacts.iter().peekable();
    for pair in expected {
        let found = rest.next_if(|contact| pair.is(contact)).is_some();
        if !found && pair.is_certain {
            return Some(format!("{:?} in place of {pair:?}", rest.next()));
        }
    }
    rest.next()
        .map(|contact| format!("{contact:?}, which is none"))
}

/// Every pair that is `allowed`, whose groups and kinds allow it and whose distance is within its range, in
/// order.
pub(super) fn pairs_within_range<V: Vector>(
    bodies: &BTreeMap<BodyId, Body<V>>,
    margin: Real,
    allowed: impl Fn(BodyId, BodyId) -> bool,
) -> Vec<Pair<V>> {
    let mut found = Vec::new();
    for (&a, body_a) in bodies {
        for (&b, body_b) in bodies.range(a..).skip(1) {
            let can_pair = body_a.groups.pairs_with(body_b.groups)
                && (body_a.kind == Kind::Moving || body_b.kind == Kind::Moving);
            if !can_pair || !allowed(a, b) {
                continue;
            }
            let range = range(margin, body_a, body_b);
            let [placed_a, placed_b] =
                [body_a, body_b].map(|body| Placed::new(&body.shape, &body.pose));
            let (separation, is_certain) = match measure(placed_a, placed_b, range) {
                Proximity::Near(near) if near.distance <= range => {
                    let parted = are_parted(body_a, body_b, range);
                    (Some(near), near.upper <= range && !parted)
                }
                Proximity::Near(_) | Proximity::Farther { .. } => continue,
                Proximity::Unbounded => (None, true),
            };
            found.push(Pair {
                a,
                b,
                separation,
                is_certain,
            });
        }
    }
    found
}

/// A part contact as plain numbers: the bodies, and every bit of the rest.
pub(super) type PartContact = (BodyId, BodyId, Vec<u32>);

/// The part contacts of a pair: what the pair alone has.
pub(super) fn parts_of<V: Vector>(
    pair: &Pair<V>,
    a: &Body<V>,
    b: &Body<V>,
    margin: Real,
) -> Vec<PartContact> {
    let mut found = Vec::new();
    let range = range(margin, a, b);
    let [placed_a, placed_b] = [a, b].map(|body| Placed::new(&body.shape, &body.pose));
    let asked = contacts(placed_a, placed_b, range, &mut found);
    assert!(asked.is_ok(), "{asked:?}");
    let parts = found.iter();
    parts.map(|part| (pair.a, pair.b, bits(part))).collect()
}

/// The greatest distance of a contact of the two.
fn range<V: Vector>(margin: Real, a: &Body<V>, b: &Body<V>) -> Real {
    round_nearest(f64::from(margin) + f64::from(a.extra_margin) + f64::from(b.extra_margin))
}

/// Whether the boxes are farther apart than `range` along an axis.
fn are_parted<V: Vector>(a: &Body<V>, b: &Body<V>, range: Real) -> bool {
    let [a, b] = [a, b].map(|body| body.shape.bounds(&body.pose));
    (0..V::DIM).any(|k| {
        let [low, high] = [(&a, &b), (&b, &a)].map(|(one, other)| {
            f64::from(one.min.component(k)) - f64::from(other.max.component(k))
        });
        low.max(high) > f64::from(range)
    })
}
