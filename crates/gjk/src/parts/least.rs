//! The least distance of all pairs of parts.

use clearance_math::internal::lanes::Simd;
use clearance_math::{Real, Vector};
use clearance_shapes::TriangleGroup;
use clearance_tree::lanes;

use super::counted::SidedBox;
use super::effort::{Effort, OF_FOUR};
use super::nearest_first::{PartPair, Visitor};
use super::sides::{Passed, Sides};
use crate::answer::{FourAnswers, Proximity, Separation, Status};
use crate::pair::{Exchange, Placed};

/// Measures a pair in which at least one shape is a composite.
///
/// The answer is the least of those of all pairs of parts. Of several equally near or deep ones it is
/// the first: ordered by the part of the shape that comes last in the canonical order, which is a
/// composite, and then by the part of the other. That does not depend on which shape is called a, so
/// exchanging a and b mirrors the answer.
///
/// Where the effort of the question is used up first, the answer is the least so far, and its lower bound is that of all
/// that was left.
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    of_sides(&Sides::in_order(a, b), Effort::of(&a, &b), within)
}

/// [`measure`] for all parts, whether they count or not.
pub(crate) fn measure_all<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    let sides = Sides::in_order(a, b).map(|(sides, exchange)| (sides.of_all(), exchange));
    of_sides(&sides, Effort::of(&a, &b), within)
}

fn of_sides<V: Vector>(
    sides: &Option<(Sides<'_, V>, Exchange)>,
    effort: Effort,
    within: Real,
) -> Proximity<V> {
    let Some((sides, exchange)) = sides else {
        return Proximity::Unbounded;
    };
    let mut least = Least::new(sides, effort, within);
    sides.descend(&mut least);
    if least.nearest.best.is_none() && least.is_open(within) {
        if sides.is_selective {
            // Any two parts that count might take for ever to find.
            return Proximity::Undecided {
                lower: least.skipped,
            };
        }
        least.measure_any();
    }
    exchange.answer(least.answer())
}

/// Whether surfaces cross.
pub(super) enum Crossing<V: Vector> {
    /// They do not.
    None,
    /// These parts do.
    Found(Separation<V>),
    /// The effort of the question was used up before any were found.
    Open,
}

/// Looks for any two parts that cross.
pub(super) fn crossing<V: Vector>(a: Placed<V>, b: Placed<V>) -> Crossing<V> {
    let Some((sides, exchange)) = Sides::in_order(a, b) else {
        return Crossing::None;
    };
    let mut any = Least {
        is_any_enough: true,
        ..Least::new(&sides, Effort::of(&a, &b), 0.0)
    };
    sides.descend(&mut any);
    match any.nearest.best.filter(|near| near.distance <= 0.0) {
        Some(near) => Crossing::Found(exchange.answer(near)),
        None if any.is_open(0.0) => Crossing::Open,
        None => Crossing::None,
    }
}

/// The least answer so far.
struct Least<'a, V: Vector> {
    sides: &'a Sides<'a, V>,
    within: Real,
    effort: Effort,
    /// Whether the first two parts that are found within the range end the search.
    is_any_enough: bool,
    nearest: NearestParts<V>,
    /// The normal of the best pair, in the frame of a. Where two surfaces face each other, it separates most other pairs by
    /// at least as much.
    axis: Option<[Real; 3]>,
    /// The least distance that is proven for what was skipped, or measured to be beyond the range.
    skipped: Real,
}

/// The nearest two parts among those that were measured.
#[derive(Clone, Copy)]
pub(super) struct NearestParts<V: Vector> {
    pub(super) best: Option<Separation<V>>,
    /// The least lower bound of all.
    lower: Real,
}

impl<V: Vector> Default for NearestParts<V> {
    fn default() -> Self {
        Self {
            best: None,
            lower: Real::INFINITY,
        }
    }
}

impl<V: Vector> NearestParts<V> {
    /// Takes two parts that were measured, in the order of the sides. Whether they are the nearest ones so far.
    #[inline]
    pub(super) fn take(&mut self, near: &Separation<V>) -> bool {
        self.lower = self.lower.min(near.lower);
        let key = |near: &Separation<V>| (near.part_a, near.part_b);
        let is_better = self.best.is_none_or(|best| {
            near.distance < best.distance
                || (near.distance == best.distance && key(near) < key(&best))
        });
        if is_better {
            self.best = Some(*near);
        }
        is_better
    }

    /// The nearest ones, with a lower bound of all.
    pub(super) fn of_all(&self) -> Option<Separation<V>> {
        self.best.map(|best| Separation {
            lower: best.lower.min(self.lower),
            ..best
        })
    }
}

impl<'a, V: Vector> Least<'a, V> {
    fn new(sides: &'a Sides<'a, V>, effort: Effort, within: Real) -> Self {
        Self {
            sides,
            within,
            effort,
            is_any_enough: false,
            nearest: NearestParts::default(),
            axis: None,
            skipped: Real::INFINITY,
        }
    }

    fn range(&self) -> Real {
        let best = self.nearest.best;
        best.map_or(self.within, |best| best.distance.min(self.within))
    }

    /// Whether two parts were found that are enough.
    fn has_ended(&self) -> bool {
        let is_found = |near: Separation<V>| near.distance <= self.within;
        self.is_any_enough && self.nearest.best.is_some_and(is_found)
    }

    /// Whether parts were left, when the effort was used up, that may be as near as this.
    fn is_open(&self, distance: Real) -> bool {
        self.effort.is_used_up() && self.skipped <= distance
    }

    /// Measures some two parts, however far apart: they are an upper bound.
    fn measure_any(&mut self) {
        let skipped = self.skipped;
        self.within = Real::INFINITY;
        self.effort = Effort::unlimited();
        self.is_any_enough = true;
        self.sides.descend(self);
        // What was left before is all there is, and more is known of it.
        (self.skipped, self.effort) = (skipped, Effort::used_up());
    }

    fn answer(self) -> Proximity<V> {
        match self.nearest.of_all() {
            Some(best) if self.is_open(best.distance) => Proximity::Near(Separation {
                lower: best.lower.min(self.skipped),
                status: Status::IterationLimit,
                ..best
            }),
            Some(best) => Proximity::Near(best),
            None => Proximity::Farther {
                lower: self.skipped.max(self.within.next_up()),
            },
        }
    }
}

impl<V: Vector> Visitor for Least<'_, V> {
    fn limit(&self) -> Real {
        if self.has_ended() || self.effort.is_used_up() {
            Real::NEG_INFINITY
        } else {
            self.sides.limit(self.range())
        }
    }

    fn is_selective(&self) -> bool {
        self.sides.is_selective
    }

    fn passes(&self, parts: &SidedBox) -> bool {
        self.sides.passes(parts)
    }

    fn open(&mut self) {
        self.effort.take(1);
    }

    fn axis(&self) -> Option<[Real; 3]> {
        self.axis
    }

    fn visit(&mut self, parts: PartPair) {
        self.take(self.sides.measure(parts, self.range(), &mut None));
    }

    fn visit_lane(&mut self, group: &TriangleGroup, lane: usize) {
        let answer = self
            .sides
            .measure_lane(group, lane, self.range(), &mut None);
        self.take(answer);
    }

    #[inline(always)]
    fn visit_lanes<S: Simd>(&mut self, simd: S, group: &TriangleGroup, which: u32) {
        let within = self.range();
        // One is measured as fast alone.
        let four = if which.count_ones() > 1 {
            self.sides.measure_four(simd, group, within)
        } else {
            None
        };
        self.take_lanes(four.as_ref(), group, which, within);
    }

    fn visit_at_once(&mut self, group: &TriangleGroup, which: u32) -> bool {
        // One is measured as fast alone, and may spare the next.
        let is_one_enough = which.count_ones() < 2 || self.is_any_enough;
        if is_one_enough || !self.sides.is_for_fours_beside_cuboid() {
            return false;
        }
        let within = self.range();
        let four = (self.sides).measure_beside_cuboid(group, which, within, None);
        self.take_lanes(four.as_ref(), group, which, within);
        true
    }

    fn skip(&mut self, gap: Real) {
        let proven = self.sides.proven(gap);
        // Of numbers beyond all bounds nothing is known.
        self.skipped = if proven.is_nan() {
            Real::NEG_INFINITY
        } else {
            self.skipped.min(proven)
        };
    }
}

impl<V: Vector> Least<'_, V> {
    /// Takes the answers for some lanes of a group; what they leave unknown is measured here.
    ///
    /// All are measured within the range before the first of them: more may be measured than one by one, but the nearest is
    /// the same. Without a kernel, too, since all processors must count the same effort.
    #[inline]
    fn take_lanes(
        &mut self,
        four: Option<&FourAnswers>,
        group: &TriangleGroup,
        which: u32,
        within: Real,
    ) {
        for lane in lanes(which) {
            let answer = match four.and_then(|four| four.of_lane::<V>(lane)) {
                Some(Proximity::Near(near)) => Ok(Proximity::Near(Separation {
                    part_a: PartPair::of_lane(group, lane).a,
                    ..near
                })),
                Some(other) => Ok(other),
                None => self.sides.measure_lane(group, lane, within, &mut None),
            };
            if let Ok(Proximity::Farther { lower }) = answer {
                self.effort.take(OF_FOUR);
                self.skipped = self.skipped.min(lower);
            } else {
                self.take(answer);
                if self.has_ended() {
                    return;
                }
            }
        }
    }

    fn take(&mut self, answer: Result<Proximity<V>, Passed>) {
        self.effort.take(self.sides.effort_of(&answer));
        match answer {
            Ok(Proximity::Near(near)) => {
                if self.nearest.take(&near) {
                    self.axis = Some(self.sides.in_a(near.normal));
                }
            }
            Ok(Proximity::Farther { lower }) => self.skipped = self.skipped.min(lower),
            // Parts are convex, and at most one side is a half-space.
            Ok(Proximity::Unbounded | Proximity::Undecided { .. }) | Err(_) => {}
        }
    }
}
