//! All pairs of parts within a distance.

use clearance_math::internal::lanes::Simd;
use clearance_math::{PreciseVector, Real, Vector, compile_once};
use clearance_shapes::TriangleGroup;
use clearance_tree::lanes;

use super::counted::SidedBox;
use super::cuboid::KeptFour;
use super::effort;
use super::effort::{Completeness, Effort};
use super::inside::has_inside;
use super::nearest_first::{PartPair, Visitor};
use super::of_all_parts::{NearestPart, Noted, OfAllParts};
use super::part_pair::MeasuredParts;
use super::sides::{Passed, Sides};
use super::solid::beside_origin;
use super::sort::sort_by_parts;
use crate::answer::{FourAnswers, Measured, Proximity, Separation};
use crate::convex::{Hinted, method};
use crate::manifold::{Manifold, fill_manifold};
use crate::pair::{Exchange, Placed, QueryError, Question, check};

/// Finds all pairs of parts of two placed shapes that are within `within` of each other, and puts
/// them into `contacts`, sorted by the numbers of the parts.
///
/// A shape that is no composite is its own part 0. Each entry is the answer of
/// [`proximity`](crate::proximity) for the two parts alone. What was in `contacts` before is
/// removed; its memory is used again.
///
/// Nothing is found for two half-spaces whose overlap is unbounded.
///
/// Cost: that of what is found, and of what has to be looked at beside it. Where most of what is looked at is no contact
/// the search ends at a limit ([`Placed::with_effort`]), and then the answer is not [`Completeness::Complete`].
///
/// # Errors
/// [`QueryError`] if a pose is not finite, if a rotation is not of unit length, or if `within` is
/// NaN.
///
/// ```
/// use clearance::dim2::{Placed, Pose, Separation, Shape, Vec2, contacts_into};
///
/// let corner = Shape::polyline([Vec2::Y * 4.0, Vec2::ZERO, Vec2::X * 4.0])?;
/// let (ball, pose) = (Shape::ball(1.0)?, Pose::from_translation(Vec2::splat(1.5)));
/// let (corner, ball) = (Placed::new(&corner, &Pose::IDENTITY), Placed::new(&ball, &pose));
/// let mut found = Vec::new();
/// contacts_into(corner, ball, 0.75, &mut found)?;
/// let parts: Vec<u32> = found.iter().map(|contact| contact.part_a).collect();
/// assert_eq!(parts, [0, 1]);
/// assert!(found.iter().all(|contact| contact.distance == 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_into<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
    contacts: &mut Vec<Separation<V>>,
) -> Result<Completeness, QueryError> {
    check(&a, &b, within)?;
    contacts.clear();
    Ok(add_contacts(a, b, within, contacts))
}

compile_once! {
    fn add_contacts<'a, 'f, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        within: Real,
        contacts: &'f mut Vec<Separation<V>>,
    ) -> Completeness {
        let of_all = search(a, b, within, &mut ContactSink::Listed(contacts));
        sort_by_parts(contacts);
        of_all.completeness
    }
}

compile_once! {
    /// Hands over what [`contacts_into`] finds, one by one, in an order that callers must not rely on.
    ///
    /// It does not check the poses, and needs no memory but the stack: the step of a world uses it.
    pub fn each_contact<'a, 'f, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        within: Real,
        found: &'f mut (dyn FnMut(Separation<V>) + 'f),
    ) -> OfAllParts {
        search(a, b, within, &mut ContactSink::HandedOver(found))
    }
}

compile_once! {
    /// As [`each_contact`], with the manifold of each contact, which is lent until the next one is made: its points are those
    /// of [`contact_manifold`](crate::contact_manifold) for the two parts, or along its normal where that was turned out of a
    /// solid.
    pub fn each_manifold<'a, 'f, V>(
        a: Placed<'a, V>,
        b: Placed<'a, V>,
        within: Real,
        found: &'f mut (dyn FnMut(&Manifold<V>) + 'f),
    ) -> OfAllParts {
        search(a, b, within, &mut ContactSink::WithManifolds { found, made: Manifold::none() })
    }
}

/// What becomes of the contacts that are found.
enum ContactSink<'f, V: Vector> {
    /// Written where they stay: a copy of what was just written waits for it.
    Listed(&'f mut Vec<Separation<V>>),
    HandedOver(&'f mut (dyn FnMut(Separation<V>) + 'f)),
    WithManifolds {
        found: &'f mut (dyn FnMut(&Manifold<V>) + 'f),
        /// Where each of them is made: a whole manifold takes longer to move than to make.
        made: Manifold<V>,
    },
}

impl<V: Vector> ContactSink<'_, V> {
    #[inline(always)]
    fn add(&mut self, contact: Separation<V>, fill: impl FnOnce(&mut Manifold<V>)) {
        match self {
            Self::Listed(contacts) => contacts.push(contact),
            Self::HandedOver(found) => found(contact),
            Self::WithManifolds { found, made } => {
                made.clear();
                fill(made);
                made.found().into_iter().for_each(found);
            }
        }
    }
}

fn search<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
    found: &mut ContactSink<V>,
) -> OfAllParts {
    if has_inside(&a) || has_inside(&b) {
        return beside_origin([a, b], |sides, origin| {
            search_beside(Some(origin), sides, within, found)
        });
    }
    search_beside(None, [a, b], within, found)
}

/// Searches shapes that were moved to an origin, from which their contacts are moved back.
fn search_beside<V: Vector>(
    origin: Option<V::Precise>,
    [a, b]: [Placed<V>; 2],
    within: Real,
    found: &mut ContactSink<V>,
) -> OfAllParts {
    let Some((sides, exchange)) = Sides::in_order(a, b) else {
        let near = method::measure(a, b, within).near();
        if let Some(near) = near.filter(|near| near.distance <= within) {
            let question = Question { a, b, within };
            let hinted = Hinted {
                question,
                hint: None,
            };
            found.add(near, |manifold| {
                manifold.fill_by(|room| fill_manifold(&hinted, room));
            });
        }
        return OfAllParts::without_nearest(Completeness::Complete);
    };
    let mut all = All {
        sides: &sides,
        within,
        limit: sides.limit(within),
        exchange,
        origin,
        found,
        effort: Effort::of(&a, &b),
        completeness: Completeness::Complete,
        noted: Noted::new([a, b]),
    };
    sides.descend(&mut all);
    OfAllParts {
        completeness: all.completeness,
        nearest: match all.completeness {
            Completeness::Complete if origin.is_none() => all.noted.nearest(&sides),
            _ => NearestPart::Unknown,
        },
    }
}

struct All<'a, 'f, 'g, V: Vector> {
    sides: &'a Sides<'a, V>,
    within: Real,
    /// It is asked for after each triangle, and never changes.
    limit: Real,
    exchange: Exchange,
    /// What contacts are moved by.
    origin: Option<V::Precise>,
    found: &'f mut ContactSink<'g, V>,
    effort: Effort,
    completeness: Completeness,
    noted: Noted,
}

impl<V: Vector> All<'_, '_, '_, V> {
    /// Hands over what [`Sides::measure`] answered, and kept.
    #[inline]
    fn hand_over(
        &mut self,
        answer: Result<Proximity<V>, Passed>,
        kept: Option<Measured<V::Precise>>,
    ) {
        self.noted.measured(&answer, self.sides, self.within);
        if let Ok(Proximity::Near(near)) = answer
            && near.distance <= self.within
        {
            let turned = self.sides.outward(&near);
            let (sides, exchange, origin) = (self.sides, self.exchange, self.origin);
            let mut contact = exchange.answer(turned.unwrap_or(near));
            if let Some(origin) = origin {
                contact = contact.moved_by(origin);
            }
            self.found.add(contact, |manifold| {
                let measured = MeasuredParts {
                    near,
                    precise: kept,
                    within: self.within,
                };
                sides.fill_parts(measured, turned, manifold);
                let manifold = exchange.answer(manifold);
                if let Some(origin) = origin {
                    manifold.move_by(origin);
                }
            });
        } else {
            self.effort.take(self.sides.effort_of(&answer));
        }
    }

    /// Takes the answers for some lanes of a group; what they leave unknown is measured here.
    #[inline(always)]
    fn take(&mut self, four: &FourAnswers, kept: &KeptFour, group: &TriangleGroup, which: u32) {
        for lane in lanes(which) {
            match four.of_lane::<V>(lane) {
                Some(Proximity::Near(near)) => {
                    let parts = PartPair::of_lane(group, lane);
                    let near = Separation {
                        part_a: parts.a,
                        ..near
                    };
                    let kept = kept.map(|kept| kept[lane].map(V::Precise::from_space));
                    self.hand_over(Ok(Proximity::Near(near)), kept);
                }
                Some(_) => self.take_farther(),
                None => self.visit_lane(group, lane),
            }
        }
    }

    /// A triangle that is out of range of a ball or a cuboid.
    #[inline(always)]
    fn take_farther(&mut self) {
        self.effort.take(effort::OF_FOUR);
        self.noted.farther();
    }

    /// The same without a kernel. It must count as much, or an answer would depend on the processor.
    fn visit_each(&mut self, group: &TriangleGroup, which: u32) {
        for lane in lanes(which) {
            self.visit_lane(group, lane);
        }
    }
}

impl<V: Vector> Visitor for All<'_, '_, '_, V> {
    const VISITS_ALL: bool = true;

    fn limit(&self) -> Real {
        if self.effort.is_used_up() {
            Real::NEG_INFINITY
        } else {
            self.limit
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
        self.noted.opened();
    }

    fn visit(&mut self, parts: PartPair) {
        let mut kept = None;
        let answer = self.sides.measure(parts, self.within, &mut kept);
        self.hand_over(answer, kept);
    }

    fn visit_lane(&mut self, group: &TriangleGroup, lane: usize) {
        let mut kept = None;
        let answer = self.sides.measure_lane(group, lane, self.within, &mut kept);
        let is_farther = matches!(answer, Ok(Proximity::Farther { .. }));
        if is_farther && self.sides.is_for_fours() {
            return self.take_farther();
        }
        self.hand_over(answer, kept);
    }

    #[inline(always)]
    fn visit_lanes<S: Simd>(&mut self, simd: S, group: &TriangleGroup, which: u32) {
        let of_four = if which.count_ones() > 1 {
            self.sides.measure_four(simd, group, self.within)
        } else {
            None
        };
        match of_four {
            Some(four) => self.take(&four, &KeptFour::default(), group, which),
            None => self.visit_each(group, which),
        }
    }

    #[inline]
    fn visit_at_once(&mut self, group: &TriangleGroup, which: u32) -> bool {
        if !self.sides.is_for_fours() {
            return false;
        }
        let mut kept = KeptFour::default();
        let wants_kept = matches!(self.found, ContactSink::WithManifolds { .. });
        let place = wants_kept.then_some(&mut kept);
        let of_four = (self.sides).measure_beside_cuboid(group, which, self.within, place);
        match of_four {
            Some(four) => self.take(&four, &kept, group, which),
            None => self.visit_each(group, which),
        }
        true
    }

    fn skip(&mut self, gap: Real) {
        if self.effort.is_used_up() && gap <= self.limit {
            self.completeness = Completeness::EffortLimit;
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;
    use clearance_math::{Pose, Quat, Vec3};
    use clearance_shapes::internal::group_of;
    use clearance_shapes::{CompositeKind, Shape, TriangleGroup};

    use super::*;
    use crate::test_numbers::{number, vector};

    /// What is found at the only group of a mesh, and the effort that is left, if a visitor looks at it in some way.
    fn found(
        [mesh, other]: [Placed<'_, Vec3>; 2],
        way: impl FnOnce(&mut All<'_, '_, '_, Vec3>, &TriangleGroup),
    ) -> (usize, String) {
        let Shape::Composite(composite) = mesh.shape else {
            panic!("a mesh is a composite");
        };
        let CompositeKind::Mesh(triangles) = composite.kind() else {
            panic!("it is a mesh");
        };
        let group = group_of(triangles, 0);
        let sides = Sides::new(mesh, other).expect("a composite");
        let mut list = Vec::new();
        let mut all = All {
            sides: &sides,
            within: 0.1,
            limit: sides.limit(0.1),
            exchange: Exchange::NONE,
            origin: None,
            found: &mut ContactSink::Listed(&mut list),
            effort: Effort::of(&mesh, &other),
            completeness: Completeness::Complete,
            noted: Noted::new([mesh, other]),
        };
        way(&mut all, &group);
        let left = all.effort;
        (list.len(), format!("{list:?} {left:?}"))
    }

    #[test]
    fn a_kernel_finds_and_counts_what_one_triangle_after_the_other_does() {
        let mut by_count = [0; 5];
        for k in 0..600 {
            let corners: Vec<Vec3> = (0..12).map(|salt| vector(k, 3 * salt)).collect();
            let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
            let mesh = Shape::mesh(&corners, triangles).expect("a mesh");
            let other = if k % 2 == 0 {
                Shape::ball(0.3).expect("a ball")
            } else {
                Shape::cuboid(Vec3::new(0.1, 0.2, 0.4)).expect("a box")
            };
            let turn = Quat::from_axis_angle(vector(k, 40).normalize(), 3.0 * number(k, 43));
            let pose = Pose::new(vector(k, 44) * 1.5, turn);
            let sides = [
                Placed::new(&mesh, &Pose::IDENTITY),
                Placed::new(&other, &pose),
            ];
            let by_kernel = found(sides, |all, group| {
                let lanes = group.occupied_lanes();
                if k % 4 == 0 {
                    dispatch!(simd => all.visit_lanes(simd, group, lanes));
                } else {
                    assert!(all.visit_at_once(group, lanes));
                }
            });
            let by_each = found(sides, |all, group| {
                all.visit_each(group, group.occupied_lanes());
            });
            assert_eq!(by_kernel, by_each, "{k}");
            by_count[by_each.0] += 1;
        }
        // None, some and all of the triangles are in range.
        assert!(by_count.iter().all(|&count| count > 2), "{by_count:?}");
    }
}
