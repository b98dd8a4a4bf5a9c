//! Two polytopes in space: hulls of few corners and cuboids.
//!
//! All is told by the height of their difference over the origin along each direction, of which the least is sought: it is
//! the depth, or minus the distance. From the direction between their middles a [walk](walk) leads downhill over the
//! directions, along arcs on which a corner of the one and an edge of the other are farthest, to a face of the difference
//! below which the origin lies, or, where they are apart, to the corners or the edge and the corner that are nearest.
//!
//! Of shapes that are apart nothing is lower. Of shapes that overlap something may be, and mostly one face [proves](proof)
//! that nothing is. If it does not, the expanding polytope finds the deepest face.
//!
//! A [`Hint`] lets the walk begin where it last ended. Its answer counts where no walk and no search can end elsewhere;
//! else all is done without it. So answers are the same for any hint, but for the lower bound of pairs that are out of range.

mod apart;
mod difference;
mod face;
mod hint;
mod polytope;
mod proof;
mod walk;

use clearance_math::{DVec3, PreciseVector, Vector, tolerances};

use self::difference::{Features, PolytopeDifference};
use self::face::DifferenceFace;
pub use self::hint::{Hint, HintPlace};
use self::polytope::{CuboidRoom, farthest};
use self::proof::Shallow;
use self::walk::{At, End};
use crate::answer::{Measured, Outcome};
use crate::convex::CorePair;
use crate::search::Minkowski;

/// What is near of two polytopes, and certain.
enum Certain {
    /// A direction proves that they are farther apart than asked.
    Farther(f64),
    Apart(Measured<DVec3>),
    Overlapping(DifferenceFace),
}

/// Measures the cores of two polytopes in a's frame. `None` if one is no polytope of few corners. Where the walk proves
/// nothing, the answer is that of the search.
pub(crate) fn measure<V: Vector>(
    pair: &CorePair<'_, V>,
    search: impl FnOnce() -> Outcome<V::Precise>,
) -> Option<Outcome<V::Precise>> {
    let hint = pair.hint.filter(|hint| hint.is_set());
    if let Some(answer) = hint.and_then(|hint| by_hint(pair, hint)) {
        return Some(answer);
    }
    let first = FirstDirection::along_centers(pair)?;
    let lower = -first.height - first.rounding;
    Some(if lower > pair.within {
        Outcome::Farther { lower }
    } else {
        by_walk(pair, first, search)
    })
}

/// The direction from the middle of a to that of b.
#[derive(Clone, Copy)]
struct FirstDirection {
    normal: DVec3,
    /// The corners that are farthest along it.
    corners: [u16; 2],
    height: f64,
    rounding: f64,
}

impl FirstDirection {
    /// `None` if a core is no polytope of few corners.
    #[inline(always)]
    fn along_centers<V: Vector>(pair: &CorePair<'_, V>) -> Option<Self> {
        let &CorePair { a, b, b_in_a, .. } = pair;
        let cores = pair.difference();
        let normal = (-cores.start()).direction()?;
        let in_b = -b_in_a.inverse_transform_direction(normal);
        let (on_a, on_b) = (farthest(a, normal)?, farthest(b, in_b)?);
        Some(Self {
            normal: normal.in_space(),
            corners: [on_a.0, on_b.0],
            height: normal.dot(on_a.1 - b_in_a.transform_point(on_b.1)),
            rounding: cores.rounding(),
        })
    }
}

/// The answer where the hint leads; `None` if that is not certain, or not in range.
#[inline(never)]
fn by_hint<V: Vector>(pair: &CorePair<'_, V>, hint: Hint<'_>) -> Option<Outcome<V::Precise>> {
    let mut room = CuboidRoom::default();
    let difference = PolytopeDifference::of(pair, &mut room)?;
    let features = hint.get(&difference.polytopes);
    let found = features.and_then(|features| difference.again(features, pair));
    match found {
        Some(found) => Some(pair.answer(&difference, found)),
        None => {
            hint.clear();
            None
        }
    }
}

/// The answer where a walk from a direction leads, else that of the search.
#[inline(always)]
fn by_walk<V: Vector>(
    pair: &CorePair<'_, V>,
    start: FirstDirection,
    search: impl FnOnce() -> Outcome<V::Precise>,
) -> Outcome<V::Precise> {
    let shallow = Shallow::of(pair);
    let mut deepest = f64::INFINITY;
    if shallow.is_likely(start.height) {
        match walked(pair, start, shallow) {
            Walked::Answer(outcome) => return outcome,
            Walked::Deepest(height) => deepest = height,
        }
    }
    let outcome = search();
    match &outcome {
        Outcome::Near(near) if -near.distance < deepest && shallow.allows(-near.distance) => {
            settled(pair, near.normal).unwrap_or(outcome)
        }
        _ => outcome,
    }
}

/// What a walk leads to.
enum Walked<P> {
    Answer(Outcome<P>),
    /// Nothing is proven: only a face this deep or deeper was found, at infinity if there was none.
    Deepest(f64),
}

#[inline(never)]
fn walked<V: Vector>(
    pair: &CorePair<'_, V>,
    start: FirstDirection,
    shallow: Shallow,
) -> Walked<V::Precise> {
    let mut room = CuboidRoom::default();
    let Some(difference) = PolytopeDifference::of(pair, &mut room) else {
        return Walked::Deepest(f64::INFINITY);
    };
    let FirstDirection {
        normal, corners, ..
    } = start;
    match difference.walk(At::Corners { normal, corners }, pair.within) {
        Some(End::Farther { lower, features }) => {
            let found = (Certain::Farther(lower), features);
            return Walked::Answer(pair.answer(&difference, found));
        }
        Some(End::Near(features)) => {
            if let Some(nearest) = difference.nearest(features)
                && let Some(found) = difference.apart(&nearest, pair.within)
            {
                return Walked::Answer(pair.answer(&difference, (found, Some(features))));
            }
        }
        Some(End::Face(face)) => {
            if shallow.allows(face.height) && difference.is_deepest(&face, 0.0) {
                let found = (Certain::Overlapping(face), Some(face.features));
                return Walked::Answer(pair.answer(&difference, found));
            }
            return Walked::Deepest(face.height - tolerances::ONLY_FACE * difference.size);
        }
        None => {}
    }
    Walked::Deepest(f64::INFINITY)
}

/// What a hint would answer where a search ended, in place of the answer of the search: both have to be the same. `None` if
/// no hint counts there.
#[inline(never)]
fn settled<V: Vector>(pair: &CorePair<'_, V>, normal: V::Precise) -> Option<Outcome<V::Precise>> {
    let mut room = CuboidRoom::default();
    let difference = PolytopeDifference::of(pair, &mut room)?;
    let at = difference.corners_along(normal.in_space());
    match difference.certain(at, pair)? {
        (Certain::Farther(_), _) => None,
        found => Some(pair.answer(&difference, found)),
    }
}

impl<V: Vector> CorePair<'_, V> {
    #[inline(always)]
    fn answer(
        &self,
        difference: &PolytopeDifference<'_, V>,
        (found, features): (Certain, Option<Features>),
    ) -> Outcome<V::Precise> {
        if let Some((hint, features)) = self.hint.zip(features) {
            hint.set(features);
        }
        match found {
            Certain::Farther(lower) => Outcome::Farther { lower },
            Certain::Apart(near) => Outcome::Near(near.map(V::Precise::from_space)),
            Certain::Overlapping(face) => {
                let depth = difference.depth(&face).map(V::Precise::from_space);
                Outcome::Near(self.along_axis(depth))
            }
        }
    }
}

impl<V: Vector> PolytopeDifference<'_, V> {
    /// What is near, from what was near before; `None` if that tells nothing that is certain.
    #[inline(always)]
    fn again(
        &self,
        features: Features,
        pair: &CorePair<'_, V>,
    ) -> Option<(Certain, Option<Features>)> {
        let found = match features {
            Features::FaceCorner(_) | Features::Edges(_) => self.certain(At::Face(features), pair),
            Features::EdgeCorner(_) | Features::Corners(_) => {
                self.certain_apart(features, pair.within)
            }
        };
        found.filter(|(found, _)| self.is_off_the_border(found, pair.within))
    }

    /// Whether no walk and no search decides otherwise about what is in range.
    #[inline(always)]
    fn is_off_the_border(&self, found: &Certain, within: f64) -> bool {
        match found {
            Certain::Farther(lower) => {
                lower - tolerances::BORDER_OF_RANGE * (self.size + lower.abs()) > within
            }
            Certain::Apart(near) => near.upper <= within,
            Certain::Overlapping(face) => face.tilt + self.rounding - face.height <= within,
        }
    }

    /// What a walk finds, if each walk and each search ends there, and at which features.
    #[inline(always)]
    fn certain(&self, at: At, pair: &CorePair<'_, V>) -> Option<(Certain, Option<Features>)> {
        match self.walk(at, pair.within)? {
            End::Farther { lower, features } => Some((Certain::Farther(lower), features)),
            End::Near(features) => self.certain_apart(features, pair.within),
            End::Face(face) => {
                let is_certain =
                    Shallow::of(pair).allows(face.height) && self.is_only_deepest(&face);
                is_certain.then_some((Certain::Overlapping(face), Some(face.features)))
            }
        }
    }

    #[inline(always)]
    fn certain_apart(
        &self,
        features: Features,
        within: f64,
    ) -> Option<(Certain, Option<Features>)> {
        let nearest = self.nearest(features)?;
        let found = self.apart(&nearest, within)?;
        let is_certain = matches!(found, Certain::Farther(_))
            || self.is_distinct(nearest.isolation, nearest.inset);
        is_certain.then_some((found, Some(features)))
    }
}
