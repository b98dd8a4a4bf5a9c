//! The impacts of swept bodies by casting every pair.

use std::collections::BTreeMap;

use clearance_gjk::{
    Cast, CastHit, CastOptions, Leaving, Motion, Placed, Separation, Status, hit_by_cast,
};
use clearance_math::{Real, Rotation, Vec3, Vector};
use clearance_world::{Body, BodyId, BodyKind, Impact, Velocity};

use super::measured::{Pair, bits};

/// An impact as plain numbers: the bodies, and every bit of the rest.
pub(super) type Met = (BodyId, BodyId, Vec<u64>);

/// What a step did to the bodies.
pub(super) struct Ways<'a, V: Vector> {
    pub(super) before: &'a BTreeMap<BodyId, Body<V>>,
    pub(super) after: &'a BTreeMap<BodyId, Body<V>>,
    /// The contacts that the step before told of.
    pub(super) told: &'a [Pair<V>],
    pub(super) dt: Real,
}

/// Where swept bodies met others.
#[derive(Clone, Debug, Default)]
pub(super) struct Impacts {
    pub(super) list: Vec<Met>,
    /// Whether one of the impacts may as well be none: of bodies so huge that rounding decides.
    pub(super) are_open: bool,
    /// Whether one is of bodies that overlapped before, and nobody was told: a world made anew was told.
    pub(super) are_news: bool,
}

/// How far apart the bounds of the distance of two bodies that met may be.
const OPEN: Real = 0.01;

impl<V: Vector> Ways<'_, V> {
    /// The impacts of all pairs that are `allowed`, in order. Pairs that met and do not touch at the end become contacts.
    pub(super) fn find_impacts(
        &self,
        contacts: &mut Vec<Pair<V>>,
        allowed: impl Fn(BodyId, BodyId) -> bool,
    ) -> Impacts {
        let mut impacts = Impacts::default();
        for &a in self.after.keys() {
            for &b in self.after.range(a..).skip(1).map(|(b, _)| b) {
                if !self.are_looked_at(a, b) || !allowed(a, b) {
                    continue;
                }
                let place = contacts.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b));
                let touch = place.is_ok_and(|place| contacts[place].is_touching());
                let news = self.news(a, b);
                impacts.are_news |= news.is_some();
                let Some(hit) = news.or_else(|| self.hit(a, b, touch)) else {
                    continue;
                };
                impacts.list.push((a, b, hit_bits(&hit)));
                impacts.are_open |= is_open(&hit);
                let contact = Pair::of_impact(a, b, at_impact(&hit));
                match place {
                    Ok(_) if touch => {}
                    Ok(place) => contacts[place] = contact,
                    Err(place) => contacts.insert(place, contact),
                }
            }
        }
        impacts
    }

    /// Whether a pair is cast: one of the bodies is swept, and one of them went a way.
    fn are_looked_at(&self, a: BodyId, b: BodyId) -> bool {
        let pair = [a, b].map(|id| &self.after[&id]);
        self.dt > 0.0
            && pair.iter().any(|body| body.swept)
            && pair.iter().any(|body| is_driven(body))
    }

    /// Where two bodies met, unless the contact at the end says it all: they touch, and they touched before. Of
    /// composites other parts than those that touched come first.
    fn hit(&self, a: BodyId, b: BodyId, touch: bool) -> Option<CastHit<V>> {
        let others = self.hit_by(a, b, Leaving::Ignore);
        others.or_else(|| self.hit_by(a, b, Leaving::Pass).filter(|_| !touch))
    }

    /// The hit of two bodies that overlapped before the step, of which the step before told nothing.
    fn news(&self, a: BodyId, b: BodyId) -> Option<CastHit<V>> {
        let is_pair = |pair: &&Pair<V>| (pair.a, pair.b) == (a, b) && pair.is_touching();
        if self.told.iter().any(|pair| is_pair(&pair)) {
            return None;
        }
        let hit = self.hit_by(a, b, Leaving::Hit);
        hit.filter(|hit| hit.time == 0.0 && hit.separation.upper < 0.0)
    }

    fn hit_by(&self, a: BodyId, b: BodyId, leaving: Leaving) -> Option<CastHit<V>> {
        let options = CastOptions {
            within: 0.0,
            leaving,
        };
        hit_by_cast(self.cast(a), self.cast(b), options, 1.0)
    }

    /// A body on its way, from time 0 before the step to time 1 after it.
    fn cast(&self, id: BodyId) -> Cast<'_, V> {
        let (before, after) = (&self.before[&id], &self.after[&id]);
        let placed = Placed::new(&after.shape, &before.pose);
        if !is_driven(after) {
            return Cast::resting(placed);
        }
        let [from, to] = [before, after].map(|body| body.pose.position());
        let turn = V::Rotation::angular_in_space(after.velocity.angular) * self.dt;
        let turn = turn.clamp(Vec3::splat(-Real::MAX), Vec3::splat(Real::MAX));
        let turn = V::Rotation::angular_from_space(turn);
        Cast::new(placed, Motion::new(V::from_precise(to - from), turn))
    }
}

fn is_driven<V: Vector>(body: &Body<V>) -> bool {
    body.kind == BodyKind::Moving && body.velocity != Velocity::default()
}

/// Whether rounding leaves it open that two bodies met. Half-spaces that overlap without bound did.
fn is_open<V: Vector>(hit: &CastHit<V>) -> bool {
    let Separation {
        distance,
        lower,
        upper,
        ..
    } = hit.separation;
    let is_wide = distance.is_finite() && upper - lower > OPEN;
    is_wide || hit.status == Status::IterationLimit
}

/// The contact of two bodies that met and are apart by the end of the step.
fn at_impact<V: Vector>(hit: &CastHit<V>) -> Separation<V> {
    let met = hit.separation;
    if met.distance <= 0.0 {
        return met;
    }
    Separation {
        distance: 0.0,
        lower: met.lower.min(0.0),
        ..met
    }
}

/// An impact of a world as plain numbers.
pub(super) fn met<V: Vector>(impact: &Impact<V>) -> Met {
    (impact.a, impact.b, hit_bits(&impact.hit))
}

fn hit_bits<V: Vector>(hit: &CastHit<V>) -> Vec<u64> {
    let times =
        [hit.time, hit.time_lower, hit.time_upper].map(|time: Real| u64::from(time.to_bits()));
    let mut numbers = bits(&hit.separation);
    numbers.extend(times);
    numbers.push(hit.status as u64);
    numbers
}
