//! The search for the first pair of parts that meets: each pair that is visited is cast, up to the best time so far.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, PreciseVector, Real, Vector, round_down, round_nearest, round_up};

use super::MovingSides;
use crate::answer::{Separation, Status};
use crate::pair::Exchange;
use crate::parts::effort::{Effort, OF_CASTING, OF_PASSING, of_measured};
use crate::parts::{
    PartPair, SidedBox, Visitor, measure as measure_at_rest, measure_all as measure_all_at_rest,
};
use crate::questions::cast::answer::CastHit;
use crate::questions::cast::pair::{Asked, Meeting, MovingPair, Stop};
use crate::questions::cast::sides::Cast;
use crate::questions::cast::straight::Straight;
use crate::search::Steps;

/// A pair of parts that meets, and what pairs are ordered by.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestMeeting<P> {
    time: Real,
    /// The distance at time 0 if they meet there: the deepest pair comes first.
    depth: Real,
    pub(super) parts: PartPair,
    pub(super) meeting: Meeting<P>,
}

impl<P> BestMeeting<P> {
    fn is_before(&self, other: &Self) -> bool {
        (self.time, self.depth, self.parts) < (other.time, other.depth, other.parts)
    }
}

/// The first pair so far.
pub(super) struct FirstMeeting<'s, 'a, V: Vector> {
    pub(super) sides: &'s MovingSides<'a, V>,
    until: Real,
    /// The stretch of time whose pairs are visited, if there are several.
    pub(super) stretch: Option<[f64; 2]>,
    pub(super) best: Option<BestMeeting<V::Precise>>,
    effort: Effort,
    /// Before this time nothing is met of what was left when the effort was used up.
    left: Real,
}

impl<'s, 'a, V: Vector> FirstMeeting<'s, 'a, V> {
    /// Before any pair was cast. Meetings after `until` are of no interest.
    pub(super) fn new(sides: &'s MovingSides<'a, V>, until: Real, effort: Effort) -> Self {
        Self {
            sides,
            until,
            stretch: None,
            best: None,
            effort,
            left: Real::INFINITY,
        }
    }

    /// Whether something that was left may be met before all that was found.
    pub(super) fn is_at_limit(&self) -> bool {
        self.left <= self.until.min(self.until_best())
    }

    /// Whether a pair is proven not to meet in the stretch. Other stretches may visit the pair again, and casting it
    /// from time 0 in each of them would take long.
    ///
    /// It looks at the whole stretch, whatever is of interest: a pair that passes very closely may count as met in one
    /// search and not in another, and which of them decides must not depend on what was met before.
    fn is_free_in_stretch(&mut self, pair: &MovingPair<V>, within: f64) -> bool {
        let Some([start, end]) = self.stretch else {
            return false;
        };
        let of_stretch = Asked {
            within,
            from: start,
            until: end,
            share: end - start,
        };
        let mut steps = Steps::counted();
        let is_free = pair.advance(of_stretch, &mut steps).is_none();
        self.effort.take(OF_CASTING.saturating_mul(steps.count));
        is_free
    }

    /// The time of the first meeting so far, or the end.
    fn until_best(&self) -> Real {
        self.best.map_or(self.until, |best| best.time)
    }

    /// The answer where something that was left may be met before all that was found: at that time, as far apart as both
    /// are then.
    pub(super) fn answer_at_limit(&self) -> Option<CastHit<V>> {
        let time = self.left;
        let poses = self.sides.poses_at(time.into());
        let [a, b] = [(&self.sides.a, &poses[0]), (&self.sides.b, &poses[1])]
            .map_each(|(cast, pose)| Effort::for_the_end(cast.placed.at(pose)));
        let counted = if a.is_selective() || b.is_selective() {
            measure_at_rest(a, b, Real::INFINITY).near()
        } else {
            None
        };
        let any = || measure_all_at_rest(a, b, Real::INFINITY).near();
        let separation = counted.or_else(any)?;
        // The rotations are rounded to single precision, and the distance, too.
        let radius = |cast: &Cast<'_, V>| Some(cast.placed.shape.bounding_radius());
        let radii =
            [&self.sides.a, &self.sides.b].map_each(|cast| radius(cast).filter(|r| r.is_finite()));
        let [place_a, place_b] = [&poses[0], &poses[1]].map_each(|pose| pose.position());
        let reach = (place_b - place_a).length() + radii.iter().flatten().sum::<f64>();
        let slack = 4.0 * f64::from(Real::EPSILON) * reach;
        let surely_met = self.best.filter(|best| best.meeting.converged);
        Some(CastHit {
            time,
            time_lower: time,
            time_upper: surely_met.map_or(1.0, |best| best.time.next_up().min(1.0)),
            separation: Separation {
                lower: round_down(f64::from(separation.lower) - slack),
                upper: if self.sides.is_selective && counted.is_none() {
                    // Perhaps these parts do not count.
                    Real::INFINITY
                } else {
                    round_up(f64::from(separation.upper) + slack)
                },
                ..separation
            },
            status: Status::IterationLimit,
        })
    }

    /// How deep two parts overlap that meet at the start.
    fn depth(
        &self,
        pair: &MovingPair<V>,
        found: Option<&Meeting<V::Precise>>,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Real {
        match found {
            Some(meeting) if meeting.time == 0.0 => {
                let hit = pair.answer(meeting, self.sides.options.within);
                hit.map_or(0.0, |hit| {
                    let of_depth = of_measured(hit.separation.status, hit.separation.distance);
                    steps.work(of_depth / OF_CASTING);
                    hit.separation.distance
                })
            }
            _ => 0.0,
        }
    }
}

impl<V: Vector> Visitor for FirstMeeting<'_, '_, V> {
    fn limit(&self) -> Real {
        if self.effort.is_used_up() {
            return Real::NEG_INFINITY;
        }
        self.until_best()
    }

    fn open(&mut self) {
        self.effort.take(1);
    }

    fn is_selective(&self) -> bool {
        self.sides.ends.is_some()
    }

    fn passes(&self, parts: &SidedBox) -> bool {
        let at_ends = self.sides.at_ends(|sides| parts.is_passed(sides));
        at_ends == Some([true, true])
    }

    fn visit(&mut self, parts: PartPair) {
        self.cast(parts);
    }

    fn skip(&mut self, time: Real) {
        if self.effort.is_used_up() {
            self.left = self.left.min(time.max(0.0));
        }
    }
}

impl<V: Vector> FirstMeeting<'_, '_, V> {
    /// Casts two parts. Returns the direction of a plane that may keep them apart until they meet, or all the time,
    /// from the part of a to that of b, in the frame of a, if one is known.
    pub(super) fn cast(&mut self, parts: PartPair) -> Option<V::Precise> {
        let sides = self.sides;
        if sides.are_passed(parts) {
            self.effort.take(OF_PASSING);
            return None;
        }
        self.effort.take(OF_CASTING);
        sides.with_pair(parts, |pair, exchange| {
            let normal = self.cast_in_order(pair, parts, exchange)?;
            let normal = sides.bodies.a.rotation(0.0).apply_transposed(normal);
            exchange.normal(normal).direction()
        })
    }

    /// Casts two parts in canonical order. Returns the direction of a plane that may keep them apart, if one is known, along
    /// the axes of the world.
    fn cast_in_order(
        &mut self,
        pair: &MovingPair<V>,
        parts: PartPair,
        exchange: Exchange,
    ) -> Option<V::Precise> {
        let sides = self.sides;
        // Not up to the limit: what is cast with the last of the effort is cast like all others.
        let asked = Asked::new(sides.options.within, self.until_best());
        let found = pair.meet_straight(&asked, &mut None);
        match found {
            Straight::Missed { normal } => return Some(normal),
            // What meets at the start, where parts may overlap, is left open.
            Straight::Met(meeting) if !sides.is_selective => {
                self.effort.take(OF_CASTING);
                return self.met(parts, meeting, 0.0);
            }
            _ => {}
        }
        if self.is_free_in_stretch(pair, asked.within) {
            return None;
        }
        let mut steps = Steps::counted();
        let found = pair.first_meeting(found, asked, sides.options.leaving, &mut steps);
        let depth = self.depth(pair, found.as_ref(), &mut steps);
        self.effort.take(OF_CASTING.saturating_mul(steps.count));
        let meeting = found?;
        let counts = sides.counts(pair, exchange, parts, &meeting);
        counts.then(|| self.met(parts, meeting, depth))?
    }

    /// Takes a meeting that counts. `depth` is the distance at time 0 if they meet there, else zero. Returns the direction of
    /// a plane between the parts, if one is known.
    fn met(
        &mut self,
        parts: PartPair,
        meeting: Meeting<V::Precise>,
        depth: Real,
    ) -> Option<V::Precise> {
        let found = BestMeeting {
            time: round_nearest(meeting.time),
            depth,
            parts,
            meeting,
        };
        if self.best.is_none_or(|best| found.is_before(&best)) {
            self.best = Some(found);
        }
        meeting.apart.map(|apart| apart.normal)
    }
}
