//! Where the boxes of bodies lie for the broad phase, which keeps them in single precision.
//!
//! Near the origin that is where they lie in the world. Farther out single precision is coarse: at 10^10 its steps are 1,024
//! long. So where many bodies are far out, each axis is cut into the *segments* in which bodies are, and the empty
//! stretches between them are left out: each segment is moved to beside the one before it.
//!
//! Along each axis this map never changes the order of two places, and brings no two farther apart but for rounding. So
//! boxes that overlap still do, and what is near stays near, wherever bodies go: nothing that must be found is missed,
//! however old the segments are. They are only made anew when they have become bad, with boxes of many bodies in one place. Which pairs are found in
//! vain depends on them, and no answer.

use clearance_broadphase::RayLine;
use clearance_math::internal::heap_sort;
use clearance_math::{Aabb, PreciseVector, Ray, Real, Vector, round_up, tolerances};

use crate::reserve::bytes;

/// Single precision is fine enough for boxes up to here, in units of length: its steps are 1/64 at most.
const FAR: f64 = 131_072.0;

/// Segments begin and end at whole numbers of this, 2^13, with room for bodies to move.
const STEP: f64 = 8192.0;

/// A stretch of an axis without a body is left out if it is longer than this.
const LEAST_GAP: f64 = 8.0 * STEP;

/// So many bodies may be where their boxes are coarse before segments are looked for.
const FEW: usize = 16;

/// Bodies farther out than this, 2^64, are in no segment: beyond, not all whole numbers of [`STEP`] are numbers.
const FARTHEST: f64 = (1_u128 << 64) as f64;

/// A stretch of an axis in which bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    low: f64,
    high: f64,
    /// Its places lie this much lower in the space of boxes.
    shift: f64,
}

/// The map from the world to the space of boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxSpace {
    /// The segments of each axis in order. Without any, boxes lie where they lie in the world.
    axes: [Vec<Segment>; 3],
    /// How often a body that changed had a coarse box, since the segments were chosen.
    outside: usize,
    /// How many of them are a reason to choose anew, beside [`FEW`]: more each time that this was in vain.
    patience: usize,
}

/// The part of a ray within which the map is straight.
pub(crate) struct Piece<V> {
    pub(crate) line: RayLine<V>,
    /// The parameters of the ray between which it lies.
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl<V> Piece<V> {
    /// The greatest parameter of its line, counted from its beginning, for one of the ray.
    #[inline]
    pub(crate) fn limit(&self, parameter: Real) -> Real {
        if self.from == 0.0 && self.to == f64::INFINITY {
            return parameter;
        }
        ((f64::from(parameter).min(self.to) - self.from) as Real).next_up()
    }
}

impl BoxSpace {
    /// Whether boxes lie where they lie in the world.
    #[inline]
    fn is_world(&self) -> bool {
        self.axes[0].is_empty()
    }

    /// The box of these limits.
    #[inline(always)]
    pub(crate) fn bounds<V: Vector>(&self, [low, high]: [V::Precise; 2]) -> Aabb<V> {
        if self.is_world() {
            return Aabb::rounded_outwards([low, high]);
        }
        // Axis by axis, so that the corners stay in registers where this branch is not taken.
        let place = |corner: V::Precise| {
            V::Precise::from_fn(|axis| mapped_to(&self.axes[axis], corner.component(axis)))
        };
        Aabb::rounded_outwards([place(low), place(high)])
    }

    /// Where a place of the world lies.
    pub(crate) fn place<V: Vector>(&self, place: V::Precise) -> V::Precise {
        if self.is_world() {
            return place;
        }
        V::Precise::from_fn(|axis| mapped_to(&self.axes[axis], place.component(axis)))
    }

    /// The box of the world for a box, as single precision knows it.
    pub(crate) fn box_in_world<V: Vector>(&self, bounds: &Aabb<V>) -> Aabb<V> {
        if self.is_world() {
            return *bounds;
        }
        let back = |corner: V| {
            V::Precise::from_fn(|axis| {
                let (segments, at) = (&self.axes[axis], f64::from(corner.component(axis)));
                let index = segments.partition_point(|segment| segment.high - segment.shift < at);
                at + segments[index.min(segments.len() - 1)].shift
            })
        };
        Aabb::rounded_outwards([back(bounds.min), back(bounds.max)])
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.axes.iter().map(bytes).sum()
    }

    /// Counts those of bodies that changed whose boxes are coarse, by their positions. Whether these have become so many that
    /// the segments should be chosen anew.
    pub(crate) fn has_become_bad<V: Vector>(
        &mut self,
        positions: impl Iterator<Item = V::Precise>,
    ) -> bool {
        self.outside += positions.filter(|place| !self.holds::<V>(*place)).count();
        self.outside > self.patience + FEW
    }

    /// Whether the box of a body at a place is not coarse: it is in segments along all axes.
    #[inline]
    fn holds<V: Vector>(&self, place: V::Precise) -> bool {
        if self.is_world() {
            return is_near::<V>(place);
        }
        (0..V::DIM).all(|axis| self.is_in_segment(axis, place.component(axis)))
    }

    fn is_in_segment(&self, axis: usize, at: f64) -> bool {
        let is_within = |segment: &Segment| segment.low <= at && at <= segment.high;
        self.axes[axis].iter().any(is_within)
    }

    /// Chooses segments for bodies at these positions.
    pub(crate) fn choose<V: Vector>(&mut self, positions: &[V::Precise]) {
        let patience = self.patience;
        *self = Self::default();
        if positions.iter().all(|place| is_near::<V>(*place)) {
            return;
        }
        for axis in 0..V::DIM {
            let mut places: Vec<f64> = positions.iter().map(|p| p.component(axis)).collect();
            heap_sort(&mut places, |a, b| a < b);
            self.axes[axis] = segments(&places);
        }
        let is_outside = |place: &V::Precise| !self.holds::<V>(*place);
        if positions.iter().any(is_outside) {
            self.patience = 2 * patience + positions.len();
        }
    }

    /// Visits the pieces of a ray in order, until `visit` says no. Bodies on several pieces are on each of them.
    ///
    /// Where the ray is in a stretch that was left out, it stands still along that axis.
    pub(crate) fn for_each_piece<V: Vector>(
        &self,
        ray: &Ray<V>,
        direction: V,
        visit: &mut dyn FnMut(&Piece<V>) -> bool,
    ) {
        if self.is_world() {
            let line = RayLine {
                direction,
                ..RayLine::of(ray, V::Precise::ZERO)
            };
            visit(&Piece {
                line,
                from: 0.0,
                to: f64::INFINITY,
            });
            return;
        }
        let mut bends = self.bends(ray.origin(), direction);
        bends.push(f64::INFINITY);
        let mut from = 0.0;
        for to in bends {
            if to > from {
                if !visit(&self.piece(ray.origin(), direction, [from, to])) {
                    return;
                }
                from = to;
            }
        }
    }

    /// The parameters at which a ray enters or leaves a segment of an axis, in order: also those beyond its end, since each
    /// piece lies where its middle does.
    fn bends<V: Vector>(&self, origin: V::Precise, direction: V) -> Vec<f64> {
        let mut bends = Vec::new();
        for axis in 0..V::DIM {
            let (start, speed) = (origin.component(axis), f64::from(direction.component(axis)));
            let ends = self.axes[axis].iter().flat_map(|s| [s.low, s.high]);
            let times = ends.map(|end| (end - start) / speed);
            bends.extend(times.filter(|time| *time > 0.0 && time.is_finite()));
        }
        heap_sort(&mut bends, |a, b| a < b);
        bends
    }

    fn piece<V: Vector>(&self, origin: V::Precise, direction: V, [from, to]: [f64; 2]) -> Piece<V> {
        let at = |time: f64| origin + direction.to_precise() * time;
        let middle = at(if to.is_finite() {
            0.5 * (from + to)
        } else {
            2.0 * from + 1.0
        });
        let along = (0..V::DIM).fold(direction, |along, axis| {
            if self.is_in_segment(axis, middle.component(axis)) {
                along
            } else {
                along.with_component(axis, 0.0)
            }
        });
        let exact = self.place::<V>(at(from));
        let single = V::from_precise(exact);
        let numbers = origin.length() + direction.to_precise().length() * from;
        let rounding = tolerances::DIFFERENCE_ROUNDING * numbers;
        let lost = (exact - single.to_precise()).length() + rounding;
        Piece {
            line: RayLine {
                origin: single,
                direction: along,
                start: 0.0,
                slack: round_up(lost),
            },
            from,
            to,
        }
    }
}

/// Whether single precision is fine enough for boxes at a place.
#[inline]
fn is_near<V: Vector>(place: V::Precise) -> bool {
    (0..V::DIM).all(|axis| place.component(axis).abs() <= FAR)
}

/// Where a coordinate lies in the space of boxes.
fn mapped_to(segments: &[Segment], at: f64) -> f64 {
    if at.is_infinite() {
        return at;
    }
    let index = segments.partition_point(|segment| segment.high < at);
    match segments.get(index).or(segments.last()) {
        Some(segment) => at.clamp(segment.low, segment.high) - segment.shift,
        None => at,
    }
}

/// The segments for sorted places, as few as have no long stretch without a place. The middle of all of them is at the
/// origin of the space of boxes, and each ends where the next one begins.
fn segments(places: &[f64]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for place in places {
        let place = place.clamp(-FARTHEST, FARTHEST);
        match segments.last_mut() {
            Some(last) if place - last.high <= LEAST_GAP => last.high = place,
            _ => segments.push(Segment {
                low: place,
                high: place,
                shift: 0.0,
            }),
        }
    }
    // Whole numbers, so that shifts are exact.
    for segment in &mut segments {
        segment.low = ((segment.low / STEP).floor() - 1.0) * STEP;
        segment.high = ((segment.high / STEP).ceil() + 1.0) * STEP;
    }
    let length: f64 = segments.iter().map(|s| s.high - s.low).sum();
    let mut next = -(0.5 * length / STEP).floor() * STEP;
    for segment in &mut segments {
        segment.shift = segment.low - next;
        next += segment.high - segment.low;
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_broadphase::{BodyKind, BroadPhase, BruteForce};
    use clearance_math::{DVec2, DVec3, Vec2, Vec3};

    /// Multiples of an irrational number cover their range evenly.
    struct Spread(f64);

    impl Spread {
        fn between(&mut self, low: f64, high: f64) -> f64 {
            self.0 = (self.0 + 0.618_033_988_749_895).fract();
            low + (high - low) * self.0
        }

        fn vector(&mut self, size: f64) -> DVec3 {
            let [x, y, z] = [1.0, 1.7, 2.3].map(|step| (step * self.between(0.0, 64.0)).fract());
            (DVec3::new(x, y, z) * 2.0 - 1.0) * size
        }
    }

    /// Bodies around a few places far apart, and one alone.
    fn places(random: &mut Spread) -> Vec<DVec3> {
        let centers = [0.0, 1e10, -3e9, 7e15, 1e25];
        let mut places = vec![DVec3::new(-5e20, 3e38, 0.0)];
        for number in 0..200 {
            let center = DVec3::new(
                centers[number % 5],
                centers[number / 5 % 3],
                centers[number / 15 % 4],
            );
            places.push(center + random.vector(1000.0));
        }
        places
    }

    #[test]
    fn the_map_keeps_the_order_of_places_and_brings_none_farther_apart() {
        let mut random = Spread(0.1);
        let places = places(&mut random);
        let mut space = BoxSpace::default();
        space.choose::<Vec3>(&places);
        assert!(!space.is_world());
        let mut tested: Vec<f64> = places.iter().flat_map(|place| place.to_array()).collect();
        tested.extend((0..2000).map(|_| random.between(-2e10, 2e10)));
        tested.extend(space.axes.iter().flatten().flat_map(|s| [s.low, s.high]));
        tested.extend([f64::NEG_INFINITY, f64::INFINITY, 1e38, -1e38]);
        tested.sort_by(f64::total_cmp);
        for axis in 0..3 {
            for pair in tested.windows(2) {
                let [first, second] = [pair[0], pair[1]].map(|at| mapped_to(&space.axes[axis], at));
                assert!(first <= second, "{pair:?} on axis {axis}");
                let rounding = f64::EPSILON * (first.abs() + second.abs());
                let apart = pair[1] - pair[0];
                assert!(
                    apart.is_infinite() || second - first <= apart + rounding,
                    "{pair:?}"
                );
            }
        }
        // All that is in a segment is where single precision is fine.
        for place in places.iter().filter(|place| space.holds::<Vec3>(**place)) {
            let mapped = space.place::<Vec3>(*place);
            assert!(mapped.abs().max_element() <= 16.0 * STEP, "{mapped}");
        }
    }

    #[test]
    fn near_the_origin_boxes_lie_where_they_lie_in_the_world() {
        let mut space = BoxSpace::default();
        let places = [DVec2::new(-9e4, 3.0), DVec2::new(1.0, 1e5)];
        space.choose::<Vec2>(&places);
        assert!(space.is_world() && !space.has_become_bad::<Vec2>(places.into_iter()));
        // However few come at a time.
        let far = DVec2::new(1e6, 0.0);
        assert!((0..FEW).all(|_| !space.has_become_bad::<Vec2>([far].into_iter())));
        assert!(space.has_become_bad::<Vec2>([far].into_iter()));
        space.choose::<Vec2>(&[far; 2]);
        assert!(!space.has_become_bad::<Vec2>([far; 2 * FEW].into_iter()));
        // What no segment can hold is not looked for again and again.
        let lost = [DVec2::new(1e30, 0.0); 20];
        assert!(space.has_become_bad::<Vec2>(lost.into_iter()));
        space.choose::<Vec2>(&lost);
        assert!(!space.has_become_bad::<Vec2>(lost.into_iter()));
    }

    /// A ray on its pieces enters the box of whatever it enters in the world, and not later than there.
    #[test]
    fn pieces_of_a_ray_miss_nothing() {
        let mut random = Spread(0.2);
        let places = places(&mut random);
        let mut space = BoxSpace::default();
        space.choose::<Vec3>(&places);
        let (mut met, mut bent) = (0, 0);
        for number in 0..4000 {
            let origin = places[number % places.len()] + random.vector(50.0);
            let target = places[random.between(0.0, places.len() as f64) as usize];
            let direction = Vec3::from_precise((target - origin).normalize_or(DVec3::X));
            let ray = Ray::<Vec3>::new(origin, direction).unwrap();
            let time = (target - origin).length();
            let at = ray.origin() + direction.as_dvec3() * time;
            let half = DVec3::splat(0.5 + 1e-6 * time);
            let bounds = space.bounds::<Vec3>([at - half, at + half]);
            let mut phase = BruteForce::new();
            phase.insert(0, bounds, BodyKind::Fixed);
            phase.refresh();
            let (mut pieces, mut entered) = (0, None);
            space.for_each_piece(&ray, direction, &mut |piece| {
                pieces += 1;
                let most = piece.limit(Real::MAX);
                phase.query_ray(&piece.line, most, &mut |_, found| {
                    entered.get_or_insert(piece.from + f64::from(found));
                    most
                });
                true
            });
            let entered = entered.unwrap_or_else(|| panic!("{ray:?} misses {at}"));
            assert!(entered <= time * (1.0 + 1e-6), "{entered} after {time}");
            met += 1;
            bent += usize::from(pieces > 1);
        }
        assert!(met == 4000 && bent > 1000, "{bent}");
    }
}
