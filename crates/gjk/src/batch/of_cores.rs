//! Pairs of shapes whose cores are of one kind, in canonical order: what the kernels for many pairs take.

use core::cmp::Ordering;

use clearance_math::internal::lanes::Lanes;
use clearance_math::internal::map_lanes;
use clearance_math::{Pose, Real, Vector};
use clearance_shapes::{Convex, Core, Cuboid, Segment, Shape};

use crate::manifold::ManifoldQuestion;
use crate::pair::{Exchange, Placed, Question, canonical};

/// The core of a kind of shapes.
pub(super) trait OfKind<V: Vector> {
    /// `None` if the core is of another kind.
    fn of(core: &Core<V>) -> Option<&Self>;
}

impl<V: Vector> OfKind<V> for Cuboid<V> {
    #[inline(always)]
    fn of(core: &Core<V>) -> Option<&Self> {
        match core {
            Core::Cuboid(cuboid) => Some(cuboid),
            _ => None,
        }
    }
}

impl<V: Vector> OfKind<V> for Segment<V> {
    #[inline(always)]
    fn of(core: &Core<V>) -> Option<&Self> {
        match core {
            Core::Segment(segment) => Some(segment),
            _ => None,
        }
    }
}

/// A shape of the kind placed in the world, rounded or not.
pub(super) struct PlacedCore<'a, V: Vector, C> {
    // The core of `convex`.
    pub(super) core: &'a C,
    pub(super) convex: &'a Convex<V>,
    pub(super) pose: &'a Pose<V>,
}

impl<'a, V: Vector, C: OfKind<V>> PlacedCore<'a, V, C> {
    /// `None` for shapes of other kinds.
    #[inline]
    fn of(placed: Placed<'a, V>) -> Option<Self> {
        match placed.shape {
            Shape::Convex(convex) => Some(Self {
                core: C::of(convex.core())?,
                convex,
                pose: placed.pose,
            }),
            Shape::HalfSpace(_) | Shape::Composite(_) => None,
        }
    }

    /// The place of the body in the world.
    #[inline(always)]
    pub(super) fn origin(&self) -> V::Precise {
        self.pose.position()
    }
}

/// A pair of shapes of the kind in canonical order.
pub(super) struct OfCores<'a, V: Vector, C> {
    /// The place of its question in the block.
    pub(super) place: usize,
    pub(super) a: PlacedCore<'a, V, C>,
    pub(super) b: PlacedCore<'a, V, C>,
    pub(super) within: Real,
    /// The way back to the order of the question.
    pub(super) exchange: Exchange,
}

impl<'a, V: Vector, C: OfKind<V>> OfCores<'a, V, C> {
    /// `None` for pairs of other kinds, and for shapes at the same position, whose canonical order
    /// takes more work to find.
    #[inline]
    pub(super) fn new(place: usize, question: &Question<'a, V>) -> Option<Self> {
        let (a, b) = (PlacedCore::of(question.a)?, PlacedCore::of(question.b)?);
        let order = canonical::compare_precise(a.pose.position(), b.pose.position());
        let exchange = Exchange::by(order);
        // References are chosen one by one, in registers: both sides together would be copied in memory.
        let cores = exchange.sides([a.core, b.core]);
        let convex = exchange.sides([a.convex, b.convex]);
        let poses = exchange.sides([a.pose, b.pose]);
        let side = |k: usize| PlacedCore {
            core: cores[k],
            convex: convex[k],
            pose: poses[k],
        };
        (order != Ordering::Equal).then(|| Self {
            place,
            a: side(0),
            b: side(1),
            within: question.within,
            exchange,
        })
    }
}

impl<V: Vector, C> OfCores<'_, V, C> {
    /// What is asked about the manifold of the pair.
    #[inline(always)]
    pub(super) fn asked(&self) -> ManifoldQuestion {
        ManifoldQuestion {
            within: self.within,
            exchange: self.exchange,
        }
    }
}

/// A number for each pair.
#[inline(always)]
pub(super) fn of_lanes<F: Lanes<N>, T, const N: usize>(
    set: F::Set,
    pairs: &[&T; N],
    number: impl Fn(&T) -> f64,
) -> F {
    F::of_lanes(set, map_lanes(pairs, |pair| number(pair)))
}

/// A pair of cuboids in canonical order.
pub(super) type OfCuboids<'a, V> = OfCores<'a, V, Cuboid<V>>;

/// The least number of pairs for which the kernel is faster than single measurements.
const WORTHWHILE: usize = 3;

/// The pairs of a group, one for each lane, of which only the last group may have fewer: there the last pair fills the
/// lanes that are left over. `None` for so few that one after the other is faster.
#[inline(always)]
pub(super) fn in_lanes<T, const N: usize>(pairs: &[T]) -> Option<[&T; N]> {
    let last = pairs.last().filter(|_| pairs.len() >= WORTHWHILE)?;
    let mut lanes = [last; N];
    for (lane, pair) in lanes.iter_mut().zip(pairs) {
        *lane = pair;
    }
    Some(lanes)
}
