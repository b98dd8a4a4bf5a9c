//! The proof that a face of the difference is the deepest.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Vector, tolerances};

use super::difference::PolytopeDifference;
use super::face::DifferenceFace;
use super::polytope::Inside;
use crate::convex::CorePair;
use crate::search::penetration::Depth;

/// How large the square of the height of a face can be for the proof to be tried, relative to that of the radius of the
/// ball inside and the number of faces. Measured with overlaps of hulls of 8 to 32 corners and of cuboids: beyond, fewer than
/// a third are proven.
const SHALLOW: f64 = 3.0;

/// How much of the height along the direction between the middles is mostly left at the deepest face of those pairs.
const LEFT: f64 = 0.7;

/// Up to which height a face may prove that it is the deepest. The deeper it is and the smaller the faces are, the less
/// likely that is: up to here it pays to try.
#[derive(Clone, Copy)]
pub(super) struct Shallow(f64);

impl Shallow {
    #[inline(always)]
    pub(super) fn of<V: Vector>(pair: &CorePair<V>) -> Self {
        let [a, b] = [pair.a, pair.b].map_each(|side| Inside::of(side.core()));
        let faces = (a.faces + b.faces) as f64;
        Self((a.radius + b.radius) * (SHALLOW / faces).sqrt())
    }

    /// Whether the depth is likely to be so little if the height along the direction between the middles is this.
    #[inline(always)]
    pub(super) fn is_likely(self, height: f64) -> bool {
        LEFT * height <= self.0
    }

    #[inline(always)]
    pub(super) fn allows(self, depth: f64) -> bool {
        depth <= self.0
    }
}

impl<V: Vector> PolytopeDifference<'_, V> {
    /// Whether no direction has less height than a face below which the origin lies, or hardly more: by a margin.
    ///
    /// Let f be the height of the face, n its normal, and r the inset of the foot p = f n: the disc of radius r around p
    /// is part of the difference. Along a direction at an angle x from n the disc reaches f cos x + r sin x, which is f or
    /// more up to x = 2 atan(r / f). All other directions are within an angle y = 2 atan(f / r) of -n. A ball of radius s
    /// within the difference, whose middle is at a height h along -n and at a distance d from the axis, reaches
    /// h cos y - d sin y + s or more along each of them, as long as y and the angle of its middle are no more than half a
    /// turn together. If that is more than f, nothing is lower.
    #[inline(always)]
    pub(super) fn is_deepest(&self, face: &DifferenceFace, margin: f64) -> bool {
        let &DifferenceFace {
            of,
            normal,
            height,
            inset,
            ..
        } = face;
        let error = self.rounding + face.tilt;
        if face.isolation <= 4.0 * self.rounding && self.height(of, normal) > height + error {
            return false;
        }
        let (squared, other) = (inset * inset, height * height);
        let cosine = (squared - other) / (squared + other);
        let sine = 2.0 * inset * height / (squared + other);
        let reaches = |point: DVec3, radius: f64| {
            let behind = -normal.dot(point);
            let beside = (point + normal * behind).length();
            let is_half_turn = beside * cosine + behind * sine >= 0.0;
            is_half_turn && behind * cosine - beside * sine + radius > height + error + margin
        };
        let (own, other) = (&self.polytopes[of], &self.polytopes[1 - of]);
        let middle = own.inner_ball.0 - self.other_in[of].transform_point(other.inner_ball.0);
        if reaches(middle, own.inner_ball.1 + other.inner_ball.1) {
            return true;
        }
        let farthest = own.support(-normal);
        let of_other = other.support(self.seen_from_other(of, -normal));
        reaches(
            own.corner(farthest) - self.corner_of_other(of, of_other),
            0.0,
        )
    }

    /// Whether each search for the deepest face finds this one, since no other one is nearly as deep, nearly in its plane,
    /// or nearly below the origin.
    ///
    /// What a search finds that is no deeper by [`tolerances::POLYTOPE_DEPTH_GAP`] has a normal so near that its foot is
    /// within the inset.
    pub(super) fn is_only_deepest(&self, face: &DifferenceFace) -> bool {
        self.is_distinct(face.isolation, face.inset)
            && self.is_deepest(face, tolerances::ONLY_FACE * self.size)
    }

    /// Whether rounding does not decide about the features that are nearest.
    #[inline(always)]
    pub(super) fn is_distinct(&self, isolation: f64, inset: f64) -> bool {
        let rounding = 4.0 * self.rounding;
        isolation >= tolerances::ONLY_CORNER * self.size + rounding
            && inset >= tolerances::ONLY_FOOT * self.size + rounding
    }

    /// The depth at the deepest face.
    #[inline(always)]
    pub(super) fn depth(&self, face: &DifferenceFace) -> Depth<DVec3> {
        let points = [face.point, face.point - face.normal * face.height];
        let (normal, [on_a, on_b]) = self.in_frame_of_a(face.of, face.normal, points);
        Depth {
            height: face.height + face.tilt,
            lower: face.height - face.tilt,
            normal,
            witnesses: Some((on_a, on_b)),
        }
    }
}
