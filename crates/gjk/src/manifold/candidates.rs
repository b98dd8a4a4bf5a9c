//! Points that may become those of a manifold, seen along the normal of the pair, four to a block for SIMD lanes.

use arrayvec::ArrayVec;
use clearance_math::DVec2;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};

use super::facing::MOST_CORNERS;
use super::outline::{Four, Points};
use super::place::{Place, Places};

/// The most blocks of four: the corners of both parts, and where the stretches of sides begin and end.
pub(super) const MOST_BLOCKS: usize = 4 * MOST_CORNERS.div_ceil(LANES);

/// The distance of points that are not there.
pub(super) const NOWHERE: f64 = f64::INFINITY;

/// A plane over the one that is seen: its height at the base, and how it rises.
#[derive(Clone, Copy)]
pub(super) struct Slope {
    pub(super) level: f64,
    pub(super) rise: DVec2,
}

impl Slope {
    pub(super) fn height(&self, at: DVec2) -> f64 {
        self.level + self.rise.dot(at)
    }

    #[inline(always)]
    fn heights<S: Simd>(&self, [x, y]: Points<S>) -> f64x4<S> {
        x * self.rise.x + y * self.rise.y + self.level
    }

    /// How much higher another plane is.
    fn up_to(&self, other: &Self) -> Self {
        Self {
            level: other.level - self.level,
            rise: other.rise - self.rise,
        }
    }
}

/// Four points.
pub(super) struct FourCandidates {
    at: [Four; 2],
    /// How far apart the two surfaces are; [`NOWHERE`] in a lane without a point.
    distances: Four,
    /// The [`Places`] on the two parts.
    places: Four,
}

impl FourCandidates {
    #[inline(always)]
    pub(super) fn at<S: Simd>(&self, simd: S) -> Points<S> {
        let [x, y] = &self.at;
        [
            f64x4::load_array_ref(simd, x),
            f64x4::load_array_ref(simd, y),
        ]
    }

    #[inline(always)]
    pub(super) fn distances<S: Simd>(&self, simd: S) -> f64x4<S> {
        f64x4::load_array_ref(simd, &self.distances)
    }
}

/// How far apart things are.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The two shapes.
    pub(super) distance: f64,
    /// The two surfaces, where there is to be a point.
    pub(super) within: f64,
    /// Two points, at most, that count as one.
    pub(super) slack: f64,
}

/// All points that may become those of a manifold.
pub(super) struct Candidates {
    pub(super) blocks: ArrayVec<FourCandidates, MOST_BLOCKS>,
    /// The number of the closest points of the pair, if they are among the candidates.
    pub(super) closest: Option<usize>,
    /// How much higher the surface of b is than that of a.
    gap: Slope,
    pub(super) reach: Reach,
}

impl Candidates {
    #[inline(always)]
    pub(super) fn new([of_a, of_b]: [Slope; 2], reach: Reach) -> Self {
        Self {
            blocks: ArrayVec::new(),
            closest: None,
            gap: of_a.up_to(&of_b),
            reach,
        }
    }

    /// Adds those of four points that are there, where the surfaces are not too far apart, with their [`Places`].
    #[inline(always)]
    pub(super) fn push<S: Simd>(
        &mut self,
        at: Points<S>,
        are_there: mask64x4<S>,
        places: f64x4<S>,
    ) {
        let distances = self.gap.heights(at);
        let Reach {
            distance,
            within,
            slack,
        } = self.reach;
        let are_near = are_there & distances.simd_le(within.max(distance + slack));
        if are_near.to_bitmask() == 0 {
            return;
        }
        let nowhere = f64x4::splat(distances.simd, NOWHERE);
        // There is room for all that clipping can make.
        let _ = self.blocks.try_push(FourCandidates {
            at: [at[0].to_array(), at[1].to_array()],
            distances: are_near.select(distances, nowhere).to_array(),
            places: places.to_array(),
        });
    }

    #[inline(always)]
    pub(super) fn at(&self, point: usize) -> DVec2 {
        let [x, y] = &self.blocks[point / LANES].at;
        DVec2::new(x[point % LANES], y[point % LANES])
    }

    /// What a point is on the two parts.
    #[inline(always)]
    pub(super) fn places(&self, point: usize) -> Places {
        Places::of_lane(self.blocks[point / LANES].places[point % LANES])
    }

    #[inline(always)]
    pub(super) fn distance(&self, point: usize) -> f64 {
        self.blocks[point / LANES].distances[point % LANES]
    }

    /// All points, as their numbers.
    pub(super) fn points(&self) -> impl Iterator<Item = usize> {
        let all = 0..LANES * self.blocks.len();
        all.filter(|&point| self.distance(point) < NOWHERE)
    }

    /// Puts the closest points of the pair in the place of the candidate that is nearest to them, since curved rims and ends
    /// are deeper between their candidates.
    #[cold]
    pub(super) fn put_closest(&mut self) {
        let from_own = |&point: &usize| self.at(point).length_squared();
        let nearest = self
            .points()
            .min_by(|p, q| from_own(p).total_cmp(&from_own(q)));
        let point = nearest.unwrap_or_else(|| {
            self.blocks.push(FourCandidates {
                at: [[0.0; LANES]; 2],
                distances: [NOWHERE; LANES],
                places: [Places::of([Place::Inside; 2]).lane(); LANES],
            });
            LANES * (self.blocks.len() - 1)
        });
        let (block, lane) = (&mut self.blocks[point / LANES], point % LANES);
        (block.at[0][lane], block.at[1][lane]) = (0.0, 0.0);
        block.distances[lane] = self.reach.distance;
        self.closest = Some(point);
    }
}
