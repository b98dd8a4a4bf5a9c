//! A shape on its way: what it meets, what is around it, and what of that is ground.

use clearance_gjk::internal::each_obstacle;
use clearance_gjk::{Cast, CastOptions, Leaving, Motion, Placed, RayOptions, Separation, measure};
use clearance_math::internal::heap_sort;
use clearance_math::{DVec3, Pose, PreciseVector, Ray, Real, Rotation, Vector, round_nearest};
use clearance_shapes::Shape;

use super::answer::SlideContact;
use super::rules::Rules;
use crate::{BodyId, BodyKind, Query};

/// The least height of the normal of the ground, as a cosine, for a place on it to be looked for straight below a shape.
const LEVEL_ENOUGH: f64 = 0.25;

/// How far the point of a ghost is above the plane that it belongs to, at most, relative to the skin.
const AT_PLANE: f64 = 1.0 / 64.0;

/// How many of the nearest things around a shape decide where it goes, at most: so the time that a slide takes grows with what
/// is around it, and not with the square of that. Whatever else is there still blocks it.
const MOST_AROUND: usize = 256;

/// A shape on its way.
pub(super) struct Mover<'a, V: Vector> {
    pub(super) query: Query<'a, V>,
    pub(super) shape: &'a Shape<V>,
    pub(super) rotation: V::Rotation,
    pub(super) rules: Rules<V::Precise>,
    /// Where it is.
    pub(super) at: V::Precise,
    /// Where it wants to go. The edge of a step that it walks towards is a wall.
    pub(super) wanted: V::Precise,
    /// How far its lowest point is below its origin.
    pub(super) depth_of_feet: f64,
    /// The distance at which it is blocked now.
    pub(super) within: f64,
    /// What it met on its way, and then what is around it.
    pub(super) contacts: &'a mut Vec<SlideContact<V>>,
    /// How many it met on its way.
    pub(super) met: usize,
    /// How many of what is around it are no ghosts: the first of them.
    pub(super) real: usize,
    /// From where it looked around.
    pub(super) looked_from: Option<V::Precise>,
    /// What rounding took off the way that the ground carried it.
    pub(super) lost: V::Precise,
}

/// Something near the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<V: Vector> {
    pub(super) body: BodyId,
    pub(super) part: u32,
    /// Of the shape.
    pub(super) own_part: u32,
    /// From the body to the shape.
    pub(super) normal: V::Precise,
    /// On the body.
    pub(super) point: V::Precise,
    /// The signed distance.
    pub(super) gap: f64,
}

/// How far a way leads.
pub(super) struct Leg<V: Vector> {
    /// The share of the way, from 0 to 1.
    pub(super) share: f64,
    /// What ends it.
    pub(super) touch: Option<Touch<V>>,
}

/// What something is for a shape that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Terrain {
    /// It can be walked on.
    Ground,
    /// The edge of something that can be walked on, with a contact that is too steep to be walked up, and that carries.
    Edge,
    /// A wall, or a slope that is too steep to be walked on.
    Steep,
    /// It leans over the shape: a ceiling, an overhanging wall.
    Above,
}

/// A unit vector in double precision: answers are rounded.
fn unit<V: Vector>(normal: V) -> V::Precise {
    let normal = normal.to_precise();
    normal.direction().unwrap_or(normal)
}

impl<V: Vector> Touch<V> {
    fn new(body: BodyId, seen: &Separation<V>) -> Self {
        Self {
            body,
            part: seen.part_b,
            own_part: seen.part_a,
            normal: unit(-seen.normal),
            point: seen.position_b,
            gap: f64::from(seen.distance),
        }
    }

    pub(super) fn of_contact(contact: &SlideContact<V>) -> Self {
        Self {
            body: contact.body,
            part: contact.part,
            own_part: contact.own_part,
            normal: unit(contact.normal),
            point: contact.position,
            gap: f64::from(contact.distance),
        }
    }

    fn contact(&self) -> SlideContact<V> {
        SlideContact {
            body: self.body,
            part: self.part,
            own_part: self.own_part,
            normal: V::from_precise(self.normal),
            position: self.point,
            distance: round_nearest(self.gap),
            at_end: false,
        }
    }
}

/// Puts what is near the shape in the order of bodies and parts, and ghosts behind it. Returns how many are none.
///
/// All of a convex shape is above the plane through the point of whatever is near it, by at least the gap. So it keeps that
/// gap from all that lies at the plane or below, and what is touched there is a ghost: it adds nothing but a normal that
/// no surface has. In a floor of triangles it is the edge of a neighbour, a little farther away than the floor. This holds
/// for each part of a compound. Nor does the same plane add anything when it comes again, as that of equal bodies at one place.
fn put_ghosts_last<V: Vector>(contacts: &mut [SlideContact<V>], near: f64) -> usize {
    let key = |contact: &SlideContact<V>| (contact.body, contact.part, contact.own_part);
    heap_sort(contacts, |a, b| {
        let nearer = a.distance.total_cmp(&b.distance);
        nearer.then_with(|| key(a).cmp(&key(b))).is_lt()
    });
    let mut real = 0;
    for place in 0..contacts.len() {
        let touch = Touch::of_contact(&contacts[place]);
        let hides = |other: &SlideContact<V>| {
            let other = Touch::of_contact(other);
            let way = touch.point - other.point;
            let is_of_part = other.own_part == touch.own_part;
            let is_below = other.gap > 0.0 && other.normal.dot(way) <= near;
            let is_same =
                (other.normal, other.gap) == (touch.normal, touch.gap) && way == V::Precise::ZERO;
            is_of_part && (is_below || is_same)
        };
        if !contacts[..real].iter().any(hides) {
            contacts.swap(real, place);
            real += 1;
        }
        if real == MOST_AROUND {
            break;
        }
    }
    heap_sort(&mut contacts[..real], |a, b| key(a) < key(b));
    real
}

impl<V: Vector> Mover<'_, V> {
    pub(super) fn pose(&self) -> Pose<V> {
        Pose::new(self.at, self.rotation)
    }

    /// Lets things come as near again as they may.
    pub(super) fn reset_range(&mut self) {
        self.look_around();
        self.within = self.rules.blocked().min(self.range_at(self.least_gap()));
    }

    /// How near things may come while one is at some distance already: a little nearer than that.
    ///
    /// A cast passes over what is within its range at the start and moves away, and that is judged by the normal, which
    /// is known roughly for curved shapes. So nothing shall be within range at the start. It also keeps a shape from
    /// being blocked by what it slides along.
    fn range_at(&self, gap: f64) -> f64 {
        (gap - self.rules.skin / 32.0).max(0.5 * gap).max(0.0)
    }

    /// Goes along a straight way until something blocks it.
    pub(super) fn advance(&mut self, way: V::Precise) -> Leg<V> {
        let linear = V::from_precise(way);
        let free = Leg {
            share: 1.0,
            touch: None,
        };
        if linear == V::ZERO {
            return free;
        }
        let pose = self.pose();
        let cast = Cast::new(Placed::new(self.shape, &pose), Motion::from_linear(linear));
        let options = CastOptions {
            within: round_nearest(self.within),
            leaving: Leaving::Pass,
        };
        let (from, linear) = (self.at, linear.to_precise());
        let Ok(hit) = self.query.cast_shape(cast, options) else {
            // Nothing is refused, since all numbers are finite; if it were, nothing would be proven.
            return Leg { share: 0.0, ..free };
        };
        let Some(found) = hit else {
            self.at = from + linear;
            return free;
        };
        let hit = found.hit;
        let share = f64::from(hit.time_lower.max(0.0));
        self.at = from + linear * share;
        let mut touch = Touch::new(found.body, &hit.separation);
        // It ends a little before it meets the body, and where rounding leads.
        let met_at = from + linear * f64::from(hit.time);
        touch.gap += touch.normal.dot(self.at - met_at);
        self.within = self.within.min(self.range_at(touch.gap));
        Leg {
            share,
            touch: Some(touch),
        }
    }

    /// Notes what the shape meets: each part once.
    pub(super) fn note(&mut self, touch: &Touch<V>) {
        let mut met = self.contacts[..self.met].iter();
        let key = (touch.body, touch.part, touch.own_part);
        if met.any(|other| (other.body, other.part, other.own_part) == key) {
            return;
        }
        self.contacts.truncate(self.met);
        self.contacts.push(touch.contact());
        self.met += 1;
        self.looked_from = None;
    }

    /// Looks for everything that is within reach: see [`Mover::around`].
    pub(super) fn look_around(&mut self) {
        if self.looked_from == Some(self.at) {
            return;
        }
        self.looked_from = Some(self.at);
        self.contacts.truncate(self.met);
        self.real = 0;
        let within = self.rules.reach();
        let (Query { world, filter }, pose) = (self.query, self.pose());
        // All of it, however long that takes: what is not listed would be passed through.
        let a = Placed::new(self.shape, &pose).with_effort(u32::MAX);
        let contacts = &mut *self.contacts;
        let range = round_nearest(within);
        world.for_each_within(a.shape.limits_within(a.pose, within), &mut |slot, b| {
            let body = world.bodies.id(slot);
            filter.ask((world, slot), b.with_effort(u32::MAX), |b| {
                each_obstacle(a, b, range, &mut |_, seen| {
                    contacts.push(Touch::new(body, &seen).contact());
                })
            });
        });
        self.real = put_ghosts_last(&mut contacts[self.met..], AT_PLANE * self.rules.skin);
    }

    /// What was found around the shape, in the order of bodies and parts, without ghosts.
    pub(super) fn around(&self) -> impl Iterator<Item = Touch<V>> + '_ {
        let real = &self.contacts[self.met..][..self.real];
        real.iter().map(Touch::of_contact)
    }

    /// What something is for the shape.
    pub(super) fn terrain(&self, touch: &Touch<V>) -> Terrain {
        let height = self.rules.up.dot(touch.normal);
        if height >= self.rules.cos {
            Terrain::Ground
        } else if height >= self.rules.edge_cos && self.carries(touch) {
            Terrain::Edge
        } else if height >= 0.0 {
            Terrain::Steep
        } else {
            Terrain::Above
        }
    }

    /// Whether the shape can stand on something: on the ground, or on an edge.
    pub(super) fn can_stand_on(&self, touch: &Touch<V>) -> bool {
        matches!(self.terrain(touch), Terrain::Ground | Terrain::Edge)
    }

    /// Whether something is an edge that carries, if its contact is not too steep: no higher above the feet than a step.
    fn carries(&self, touch: &Touch<V>) -> bool {
        let height = self.rules.rise(touch.point) - self.feet();
        height <= self.rules.highest_step() && self.upper_side(touch).is_some()
    }

    /// The normal of the surface behind an edge, if it can be walked on.
    ///
    /// A round shape touches the edge of a step from the side, though it is the upper side of the step that carries it.
    /// A ray looks for that side: it comes down a little behind the edge. What it meets may belong to another body, since
    /// what was touched may be the seam of two.
    pub(super) fn upper_side(&self, touch: &Touch<V>) -> Option<V::Precise> {
        let rules = &self.rules;
        let behind = -rules.level(touch.normal).direction()?;
        let beside = 0.5 * rules.skin;
        let above = beside * rules.tan.min(1e3) + 0.25 * rules.skin;
        let start = touch.point + behind * beside + rules.up * above;
        let ray = Ray::new(start, V::from_precise(-rules.up)).ok()?;
        let options = RayOptions {
            max_distance: round_nearest(2.0 * above),
            ..RayOptions::default()
        };
        let seen = self.query.cast_ray(&ray, options).ok()??;
        let normal = seen.hit.normal?.to_precise();
        (rules.rise(normal) >= rules.cos).then_some(normal)
    }

    /// Whether the shape stands where it is.
    pub(super) fn stands(&mut self) -> bool {
        self.look_around();
        self.ground().is_some()
    }

    /// The height of its lowest point.
    pub(super) fn feet(&self) -> f64 {
        self.rules.rise(self.at) - self.depth_of_feet
    }

    /// How far the shape reaches from its origin along a unit vector.
    pub(super) fn extent(&self, direction: V::Precise) -> f64 {
        let Ok(beyond) = Shape::half_space(V::from_precise(-direction)) else {
            return self.rules.radius;
        };
        let (here, there) = (Pose::new(V::ZERO, self.rotation), Pose::IDENTITY);
        let (a, b) = (Placed::new(self.shape, &here), Placed::new(&beyond, &there));
        let seen = measure(a, b, Real::INFINITY).near();
        seen.map_or(self.rules.radius, |seen| -f64::from(seen.distance))
    }

    /// The place of the ground below the origin of the shape, where the ground goes on as at the point that is touched.
    /// That point itself wanders: where a flat shape lies on flat ground, and under a round one where the ground tilts.
    pub(super) fn place_below(&self, ground: &Touch<V>, normal: V::Precise) -> V::Precise {
        let (at, up) = (self.at, self.rules.up);
        let apart = ground.point - at;
        let rise = self.rules.rise(normal);
        let below = if rise > LEVEL_ENOUGH {
            normal.dot(apart) / rise
        } else {
            up.dot(apart)
        };
        at + up * below
    }

    /// The velocity of the ground at a place.
    pub(super) fn velocity_of(&self, ground: &Touch<V>, place: V::Precise) -> V {
        let Ok(body) = self.query.world.body(ground.body) else {
            return V::ZERO;
        };
        if body.kind() == BodyKind::Fixed {
            return V::ZERO;
        }
        let (velocity, from) = (body.velocity(), body.pose().position());
        let turning: DVec3 = V::Rotation::angular_in_space(velocity.angular).into();
        let turning = turning.cross((place - from).in_space());
        V::from_precise(velocity.linear.to_precise() + V::Precise::from_space(turning))
    }
}
