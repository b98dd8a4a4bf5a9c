//! The fourth stage: how far apart the pairs are.

use clearance_broadphase::Key;
use clearance_gjk::{
    Ball, Proximity, Question, Separation, measure_balls, measure_each, unbounded_separation,
};
use clearance_math::{PreciseVector, Real, Vector, tolerances};

use crate::Contact;
use crate::bodies::Bodies;
use crate::pair_key::PairKey;
use crate::range::range;
use crate::report::Found;
use crate::threads::{Chunk, Threads};

/// How many pairs are looked at at a time.
const BLOCK: usize = 256;

/// What decides whether a pair is a contact: the bodies and the margin; and who measures it.
#[derive(Clone, Copy)]
pub(crate) struct Measuring<'a, V: Vector> {
    pub(crate) bodies: &'a Bodies<V>,
    pub(crate) threads: &'a Threads,
    /// Whether all pairs are to have part contacts.
    pub(crate) wants_parts: bool,
    pub(crate) margin: Real,
    /// The range of bodies without extra margins.
    pub(crate) usual: Real,
}

impl<'a, V: Vector> Measuring<'a, V> {
    pub(crate) fn new(bodies: &'a Bodies<V>, threads: &'a Threads, margin: Real) -> Self {
        Self {
            bodies,
            threads,
            wants_parts: false,
            margin,
            usual: range(margin, 0.0, 0.0),
        }
    }

    /// Fills `found` with the contacts among `pairs`, in their order.
    ///
    /// Each pair is measured from its shapes and poses alone: neither earlier frames nor other pairs
    /// can change a bit of the answer.
    pub(crate) fn contacts(&self, pairs: &[(Key, Key)], found: &mut Found<V>) {
        let work = |pairs: Chunk<(Key, Key)>, found: &mut Vec<Contact<V>>| {
            let mut near = NearPairs::new();
            for pairs in pairs.items.chunks(BLOCK) {
                near.find(self, pairs);
                if near.are_balls {
                    self.contacts_of_balls(near.pairs(), found);
                } else {
                    self.contacts_of_any(near.pairs(), found);
                }
            }
        };
        self.threads.gather(pairs, found, work, PairKey::of);
    }

    fn contacts_of_any(&self, pairs: &[(Key, Key)], found: &mut Vec<Contact<V>>) {
        let ask = |&pair: &(Key, Key)| self.question(pair);
        measure_each(pairs, ask, |&pair, question, answer| {
            let separation = match *answer {
                Proximity::Near(near) if near.distance <= question.within => near,
                Proximity::Near(_) | Proximity::Farther { .. } => return,
                Proximity::Unbounded => unbounded_separation(question.a, question.b),
            };
            found.push(self.contact(pair, separation));
        });
    }

    /// [`Measuring::contacts_of_any`] for pairs of balls, whose shapes need not be read.
    fn contacts_of_balls(&self, pairs: &[(Key, Key)], found: &mut Vec<Contact<V>>) {
        let columns = &self.bodies.columns;
        let ball = |slot: usize| Ball {
            center: columns.poses[slot].translation,
            radius: columns.shapes.bounding_spheres()[slot].radius,
        };
        for &pair in pairs {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let within = self.range(a, b);
            match measure_balls(ball(a), ball(b), within) {
                Some(Proximity::Near(near)) if near.distance <= within => {
                    found.push(self.contact(pair, near));
                }
                Some(_) => {}
                None => self.contacts_of_any(&[pair], found),
            }
        }
    }

    #[inline(always)]
    fn contact(&self, (a, b): (Key, Key), separation: Separation<V>) -> Contact<V> {
        let [a, b] = [a, b].map(|slot| self.bodies.id(slot as usize));
        Contact { a, b, separation }
    }

    /// The range of two bodies.
    #[inline(always)]
    fn range(&self, a: usize, b: usize) -> Real {
        let extra_margins = &self.bodies.columns.extra_margins;
        if extra_margins.are_none() {
            self.usual
        } else {
            range(self.margin, extra_margins[a], extra_margins[b])
        }
    }

    /// What is to be measured of a pair: two shapes at their poses, up to the sum of their margins.
    #[inline]
    pub(super) fn question(&self, (a, b): (Key, Key)) -> Option<Question<'a, V>> {
        let (a, b) = (a as usize, b as usize);
        Some(Question {
            a: self.bodies.placed(a)?,
            b: self.bodies.placed(b)?,
            within: self.range(a, b),
        })
    }
}

/// The pairs of a block whose bounding spheres are within range, in order. The others are no contacts.
struct NearPairs {
    pairs: [(Key, Key); BLOCK],
    count: usize,
    /// Whether the shapes of all of them are balls around the origins of their bodies.
    are_balls: bool,
}

impl NearPairs {
    fn new() -> Self {
        Self {
            pairs: [(0, 0); BLOCK],
            count: 0,
            are_balls: true,
        }
    }

    fn pairs(&self) -> &[(Key, Key)] {
        &self.pairs[..self.count]
    }

    /// Finds them among at most [`BLOCK`] pairs.
    ///
    /// A sphere is around the origin of a body and has its bounding radius. A distance that is measured may be below
    /// the true one by rounding errors, relative to the size of the pair, and is then rounded to single precision:
    /// spheres that are out of range are so by more than both.
    ///
    /// Which spheres are near is unpredictable, so there is no branch: each pair is written, and the
    /// count only advances past those that are.
    fn find<V: Vector>(&mut self, measuring: &Measuring<V>, pairs: &[(Key, Key)]) {
        let columns = &measuring.bodies.columns;
        let spheres = columns.shapes.bounding_spheres();
        self.count = 0;
        self.are_balls = true;
        for &pair in pairs {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let [center_a, center_b] =
                [a, b].map(|slot| columns.poses[slot].translation.to_precise());
            let (sphere_a, sphere_b) = (spheres[a], spheres[b]);
            let radii = f64::from(sphere_a.radius) + f64::from(sphere_b.radius);
            let beyond = f64::from(measuring.range(a, b).next_up());
            let most = (radii + beyond) * (1.0 + tolerances::BOUNDING_SPHERE_SLACK);
            let is_near = (center_b - center_a).length_squared() <= most * most;
            self.pairs[self.count % BLOCK] = pair;
            self.count += usize::from(is_near);
            self.are_balls &= !is_near | sphere_a.is_ball & sphere_b.is_ball;
        }
    }
}
