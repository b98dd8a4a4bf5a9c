//! The contacts of bodies by measuring every pair.

use std::collections::BTreeMap;

use clearance_gjk::{Placed, Proximity, Separation, contacts_into, measure};
use clearance_math::{PreciseVector, Real, Vector, round_nearest};
use clearance_world::{Body, BodyId, BodyKind, Contact};

/// A pair of bodies within range.
#[derive(Clone, Debug)]
pub(super) struct Pair<V: Vector> {
    pub(super) a: BodyId,
    pub(super) b: BodyId,
    /// `None` for half-spaces that overlap without bound.
    separation: Option<Separation<V>>,
    /// Whether the bounds prove it and the boxes do not prove the contrary. If not, bodies that the
    /// narrow phase cannot tell apart may have been told apart by their boxes.
    is_certain: bool,
    /// Whether the bodies met on their ways, and this is where.
    is_impact: bool,
}

impl<V: Vector> Pair<V> {
    /// A pair that met and is apart by the end of the step.
    pub(super) fn of_impact(a: BodyId, b: BodyId, separation: Separation<V>) -> Self {
        Self {
            a,
            b,
            separation: Some(separation),
            is_certain: true,
            is_impact: true,
        }
    }

    /// Whether the bodies touch. Half-spaces that overlap without bound do.
    pub(super) fn is_touching(&self) -> bool {
        let separation = self.separation.as_ref();
        separation.is_none_or(|separation| separation.distance <= 0.0)
    }

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
pub(super) fn bits<V: Vector>(separation: &Separation<V>) -> Vec<u64> {
    let Separation {
        distance,
        lower,
        upper,
        normal,
        position_a,
        position_b,
        part_a,
        part_b,
        status,
    } = *separation;
    let vectors = [normal.to_precise(), position_a, position_b];
    let components = vectors
        .iter()
        .flat_map(|v| (0..V::DIM).map(|k| v.component(k).to_bits()));
    let numbers = [distance, lower, upper].map(|number: Real| number.to_bits().into());
    numbers
        .into_iter()
        .chain(components)
        .chain([part_a, part_b, status as u32].map(u64::from))
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

/// Whether the groups and the kinds of two bodies let them have a contact.
pub(super) fn can_pair<V: Vector>(a: &Body<V>, b: &Body<V>) -> bool {
    a.groups.pairs_with(b.groups) && (a.kind == BodyKind::Moving || b.kind == BodyKind::Moving)
}

/// Every pair that is `allowed` and whose distance is within its range, in order.
pub(super) fn pairs_within_range<V: Vector>(
    bodies: &BTreeMap<BodyId, Body<V>>,
    margin: Real,
    allowed: impl Fn(BodyId, BodyId) -> bool,
) -> Vec<Pair<V>> {
    let mut found = Vec::new();
    for (&a, body_a) in bodies {
        for (&b, body_b) in bodies.range(a..).skip(1) {
            if !allowed(a, b) {
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
                Proximity::Near(_) | Proximity::Farther { .. } | Proximity::Undecided { .. } => {
                    continue;
                }
                Proximity::Unbounded => (None, true),
            };
            found.push(Pair {
                a,
                b,
                separation,
                is_certain,
                is_impact: false,
            });
        }
    }
    found
}

/// A part contact as plain numbers: the bodies, and every bit of the rest.
pub(super) type PartContact = (BodyId, BodyId, Vec<u64>);

/// The part contacts of a pair: what the pair alone has, or where the bodies met.
pub(super) fn parts_of<V: Vector>(
    pair: &Pair<V>,
    a: &Body<V>,
    b: &Body<V>,
    margin: Real,
) -> Vec<PartContact> {
    if let Some(met) = pair.separation.as_ref().filter(|_| pair.is_impact) {
        let is_bounded = met.distance.is_finite();
        return Vec::from_iter(is_bounded.then(|| (pair.a, pair.b, bits(met))));
    }
    let mut found = Vec::new();
    let range = range(margin, a, b);
    let [placed_a, placed_b] = [a, b].map(|body| Placed::new(&body.shape, &body.pose));
    let asked = contacts_into(placed_a, placed_b, range, &mut found);
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
