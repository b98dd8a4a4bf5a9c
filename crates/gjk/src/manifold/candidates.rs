//! Points that two parts of surfaces have in common, seen along the normal of the pair.

use arrayvec::ArrayVec;
use clearance_math::{DVec2, PreciseVector, tolerances};

use super::clip::{Common, MOST_COMMON, Place, clip};
use super::facing::{Facing, MOST_CORNERS};
use crate::measured::Measured;

/// A point that can become one of a manifold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<P> {
    /// Where it lies across the normal.
    pub(super) at: DVec2,
    pub(super) distance: f64,
    pub(super) on_a: P,
    pub(super) on_b: P,
    /// What it is on a and on b.
    pub(super) places: [Place; 2],
}

pub(super) type Candidates<P> = ArrayVec<Candidate<P>, MOST_COMMON>;

/// The points of the pair and directions across its normal.
struct View<P> {
    base: P,
    normal: P,
    right: P,
    /// Zero in the plane.
    up: P,
}

impl<P: PreciseVector> View<P> {
    fn new(pair: &Measured<P>) -> Self {
        let right = pair.normal.perpendicular();
        let up = pair.normal.in_space().cross(right.in_space());
        Self {
            base: pair.on_a,
            normal: pair.normal,
            right,
            up: P::from_space(up),
        }
    }

    fn across(&self, point: P) -> DVec2 {
        let apart = point - self.base;
        DVec2::new(apart.dot(self.right), apart.dot(self.up))
    }

    fn height(&self, point: P) -> f64 {
        self.normal.dot(point - self.base)
    }

    fn point(&self, at: DVec2, height: f64) -> P {
        self.base + self.right * at.x + self.up * at.y + self.normal * height
    }
}

/// A part of a surface as it is seen along the normal.
struct Seen<'a, P: PreciseVector> {
    facing: &'a Facing<P>,
    corners: ArrayVec<DVec2, MOST_CORNERS>,
    /// The height of its plane over the base, and how it rises.
    level: f64,
    rise: DVec2,
}

impl<'a, P: PreciseVector> Seen<'a, P> {
    fn new(facing: &'a Facing<P>, view: &View<P>) -> Self {
        let normal = facing.normal;
        // Parts that face each other have a normal along that of the pair.
        let along = normal.dot(view.normal);
        Self {
            facing,
            corners: facing
                .corners
                .iter()
                .map(|corner| view.across(corner.point))
                .collect(),
            level: normal.dot(facing.origin - view.base) / along,
            rise: -DVec2::new(normal.dot(view.right), normal.dot(view.up)) / along,
        }
    }

    fn height(&self, at: DVec2) -> f64 {
        self.level + self.rise.dot(at)
    }

    /// The greatest distance of a corner from the first one.
    fn extent(&self) -> f64 {
        let first = self.corners.first().copied().unwrap_or(DVec2::ZERO);
        let lengths = self.corners.iter().map(|corner| (*corner - first).length());
        lengths.fold(0.0, f64::max)
    }
}

/// The points that the two parts have in common, and how far apart they must be to count as two. There are none if
/// the parts do not face each other, or if one of them is a point.
pub(super) fn find<P: PreciseVector>(
    facing: [&Facing<P>; 2],
    pair: &Measured<P>,
) -> (Candidates<P>, f64) {
    let view = View::new(pair);
    let seen = facing.map(|facing| Seen::new(facing, &view));
    let finder = Finder {
        view: &view,
        seen: &seen,
    };
    // A half-space has no extent.
    let extents = [0, 1].map(|side| match seen[side].corners.len() {
        0 => f64::INFINITY,
        _ => seen[side].extent(),
    });
    let slack = tolerances::MANIFOLD_SLACK * extents[0].min(extents[1]);
    let counts = [0, 1].map(|side| seen[side].corners.len());
    let found = match counts {
        [0, 0] | [1, _] | [_, 1] => Candidates::new(),
        [0, count] => finder.corners(1, count),
        [count, 0] => finder.corners(0, count),
        [2, 2] => finder.lines(slack),
        [2, _] => finder.exchanged(&clip(&seen[0].corners, &seen[1].corners, slack), false),
        [_, 2] => finder.exchanged(&clip(&seen[1].corners, &seen[0].corners, slack), true),
        _ => finder.exchanged(&clip(&seen[0].corners, &seen[1].corners, slack), false),
    };
    (found, slack)
}

struct Finder<'a, P: PreciseVector> {
    view: &'a View<P>,
    seen: &'a [Seen<'a, P>; 2],
}

impl<P: PreciseVector> Finder<'_, P> {
    /// All corners of one part, over a half-space.
    fn corners(&self, side: usize, count: usize) -> Candidates<P> {
        let corner = |k: usize| {
            let mut places = [Place::Inside; 2];
            places[side] = Place::Corner(k);
            self.candidate(self.seen[side].corners[k], places)
        };
        (0..count).map(corner).collect()
    }

    /// The corners of a common part, of which b was cut if `is_exchanged`.
    fn exchanged(&self, common: &Common, is_exchanged: bool) -> Candidates<P> {
        let candidates = common.iter().map(|vertex| {
            let places = if is_exchanged {
                [vertex.on_cutter, vertex.on_cut]
            } else {
                [vertex.on_cut, vertex.on_cutter]
            };
            self.candidate(vertex.at, places)
        });
        candidates.collect()
    }

    /// The candidate at a place. A corner is kept as it is, to the last bit; other points lie in the planes.
    fn candidate(&self, at: DVec2, places: [Place; 2]) -> Candidate<P> {
        let [a, b] = self.seen;
        let normal = self.view.normal;
        let (on_a, on_b, distance);
        if let Place::Corner(k) = places[0] {
            on_a = a.facing.corners[k].point;
            distance = b.height(at) - self.view.height(on_a);
            on_b = on_a + normal * distance;
        } else if let Place::Corner(k) = places[1] {
            on_b = b.facing.corners[k].point;
            distance = self.view.height(on_b) - a.height(at);
            on_a = on_b - normal * distance;
        } else {
            let height = a.height(at);
            distance = b.height(at) - height;
            on_a = self.view.point(at, height);
            on_b = on_a + normal * distance;
        }
        Candidate {
            at,
            distance,
            on_a,
            on_b,
            places,
        }
    }

    /// The ends of the stretch along which two lines run beside each other. Lines that cross have none: the closest
    /// points of the pair are their contact.
    fn lines(&self, slack: f64) -> Candidates<P> {
        let [a, b] = self.seen;
        let along = a.corners[1] - a.corners[0];
        let length = along.length();
        if !(length > 0.0) {
            return Candidates::new();
        }
        let along = along / length;
        let at = |corner: DVec2| along.dot(corner - a.corners[0]);
        let ends_b = [at(b.corners[0]), at(b.corners[1])];
        let is_reversed = ends_b[1] < ends_b[0];
        let (low, high) = if is_reversed { (1, 0) } else { (0, 1) };
        // An end of a that is level with one of b is the corner of a.
        let starts = if ends_b[low] <= slack {
            (0.0, [Place::Corner(0), Place::Inside])
        } else {
            (ends_b[low], [Place::Inside, Place::Corner(low)])
        };
        let ends = if ends_b[high] >= length - slack {
            (length, [Place::Corner(1), Place::Inside])
        } else {
            (ends_b[high], [Place::Inside, Place::Corner(high)])
        };
        if starts.0 > ends.0 {
            return Candidates::new();
        }
        let beside = |(distance, places): (f64, [Place; 2])| {
            let share = (distance - ends_b[0]) / (ends_b[1] - ends_b[0]);
            let on_b = b.corners[0].lerp(b.corners[1], share);
            self.beside(a.corners[0] + along * distance, on_b, (places, slack))
        };
        match (beside(starts), beside(ends)) {
            (Some(start), Some(end)) => [start, end].into_iter().collect(),
            _ => Candidates::new(),
        }
    }

    /// The candidate at two places of lines that pass each other; `None` if they are too far apart there.
    ///
    /// The surfaces curve down from both lines, so the point lies between them, lower on the surface of each.
    fn beside(
        &self,
        on_a: DVec2,
        on_b: DVec2,
        (places, slack): ([Place; 2], f64),
    ) -> Option<Candidate<P>> {
        let apart = on_b - on_a;
        let offset = apart.length();
        if offset <= slack {
            let is_corner_of_b = matches!(places[1], Place::Corner(_));
            return Some(self.candidate(if is_corner_of_b { on_b } else { on_a }, places));
        }
        let [a, b] = self.seen;
        let radii = [a.facing.roundness, b.facing.roundness];
        let sum = radii[0] + radii[1];
        if !(offset <= tolerances::PARALLEL_OFFSET * sum) {
            return None;
        }
        let sine = offset / sum;
        let drop = 1.0 - (1.0 - sine * sine).sqrt();
        let at = on_a + apart * (radii[0] / sum);
        let height_a = a.height(on_a) - radii[0] * drop;
        let height_b = b.height(on_b) + radii[1] * drop;
        let distance = height_b - height_a;
        let on_a = self.view.point(at, height_a);
        Some(Candidate {
            at,
            distance,
            on_a,
            on_b: on_a + self.view.normal * distance,
            places,
        })
    }
}
