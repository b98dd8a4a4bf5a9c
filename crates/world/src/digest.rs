//! One number for many: equal for equal bits, on every platform.

use core::hash::Hasher;

use clearance_math::{PreciseVector, Real, Rotation, Vector, compile_once};
use clearance_shapes::Shape;
use twox_hash::XxHash64;

use crate::columns::Occupancy;
use crate::queries::BodyManifold;
use crate::{BodyId, BodyRef, Contact, Impact, World};

/// XXH64 (Collet, "xxHash", 2012) over the bits of numbers, low bytes first.
pub(crate) struct Digest(XxHash64);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(XxHash64::with_seed(0))
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.0.write(&word.to_le_bytes());
    }

    pub(crate) fn long(&mut self, long: u64) {
        self.0.write(&long.to_le_bytes());
    }

    pub(crate) fn number(&mut self, number: Real) {
        self.word(number.to_bits());
    }

    fn id(&mut self, id: BodyId) {
        self.word(id.index());
        self.word(id.generation());
    }

    fn impact<V: Vector>(&mut self, impact: &Impact<V>) {
        let Impact { a, b, hit } = *impact;
        let separation = hit.separation;
        self.contact(&Contact { a, b, separation });
        for number in [hit.time, hit.time_lower, hit.time_upper] {
            self.number(number);
        }
        self.word(hit.status as u32);
    }

    fn contact<V: Vector>(&mut self, contact: &Contact<V>) {
        let separation = &contact.separation;
        self.id(contact.a);
        self.id(contact.b);
        for number in [separation.distance, separation.lower, separation.upper] {
            self.number(number);
        }
        self.vector(separation.normal);
        self.position(separation.position_a);
        self.position(separation.position_b);
        self.word(separation.part_a);
        self.word(separation.part_b);
        self.word(separation.status as u32);
    }

    fn manifold<V: Vector>(&mut self, found: &BodyManifold<V>) {
        self.contact(&found.contact());
        // Counted, so that a point is not mistaken for a part of what follows.
        self.long(found.manifold.points().len() as u64);
        for point in found.manifold.points() {
            self.number(point.distance);
            self.position(point.position_a);
            self.position(point.position_b);
            self.word(point.feature_a.id());
            self.word(point.feature_b.id());
        }
    }

    fn vector<V: Vector>(&mut self, vector: V) {
        (0..V::DIM).for_each(|axis| self.number(vector.component(axis)));
    }

    fn position<P: PreciseVector>(&mut self, position: P) {
        (0..P::DIM).for_each(|axis| self.long(position.component(axis).to_bits()));
    }

    fn body<V: Vector>(&mut self, body: &BodyRef<'_, V>, user_data: u64) {
        // Counted, so that a vacant slot is not mistaken for a body.
        self.word(1 + body.kind() as u32);
        self.position(body.pose().position());
        let rotation = body.pose().rotation.to_bits();
        rotation.iter().for_each(|&bits| self.word(bits));
        body.residual()
            .encode()
            .iter()
            .for_each(|&bits| self.word(bits));
        self.vector(body.velocity().linear);
        let angular = V::Rotation::angular_in_space(body.velocity().angular);
        self.vector(angular);
        self.word(body.groups().memberships);
        self.word(body.groups().filter);
        self.number(body.extra_margin());
        let wishes = [
            u32::from(body.wants_part_contacts()),
            2 * u32::from(body.is_swept()),
            4 * u32::from(body.wants_manifolds()),
        ];
        self.word(wishes.iter().sum());
        self.long(user_data);
        self.shape(body.shape());
    }

    fn shape<V: Vector>(&mut self, shape: &Shape<V>) {
        self.0.write(shape.kind_name().as_bytes());
        self.long(shape.bounding_radius().to_bits());
        if let Shape::Composite(composite) = shape {
            self.word(composite.part_count());
        }
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0.finish()
    }
}

/// What counts in a digest, each part of it; lists begin with their length.
#[cfg(feature = "serde")]
pub(crate) trait Digested {
    fn digest_into(&self, digest: &mut Digest);
}

/// Makes numbers count by their bits.
#[cfg(feature = "serde")]
macro_rules! digested_numbers {
    ($($number:ty, $method:ident, $bits:expr;)+) => {
        $(impl Digested for $number {
            fn digest_into(&self, digest: &mut Digest) {
                digest.$method($bits(*self));
            }
        })+
    };
}

#[cfg(feature = "serde")]
digested_numbers! {
    bool, word, u32::from;
    u8, word, u32::from;
    u32, word, u32::from;
    u64, long, u64::from;
    f64, long, f64::to_bits;
    Real, number, Real::from;
}

/// Makes all fields of a struct count, one after the other: one that is not named is an error of the compiler.
#[cfg(feature = "serde")]
macro_rules! digested {
    ($record:ty: $($field:ident),+ $(; without $($other:ident),+)?) => {
        impl $crate::digest::Digested for $record {
            fn digest_into(&self, digest: &mut $crate::digest::Digest) {
                let Self { $($field,)+ $($($other: _,)+)? } = self;
                $($field.digest_into(digest);)+
            }
        }
    };
}
#[cfg(feature = "serde")]
pub(crate) use digested;

#[cfg(feature = "serde")]
impl<T: Digested> Digested for [T] {
    fn digest_into(&self, digest: &mut Digest) {
        digest.long(self.len() as u64);
        self.iter().for_each(|item| item.digest_into(digest));
    }
}

#[cfg(feature = "serde")]
impl<T: Digested> Digested for Vec<T> {
    fn digest_into(&self, digest: &mut Digest) {
        self[..].digest_into(digest);
    }
}

#[cfg(feature = "serde")]
impl<T: Digested, const N: usize> Digested for [T; N] {
    fn digest_into(&self, digest: &mut Digest) {
        self[..].digest_into(digest);
    }
}

#[cfg(feature = "serde")]
impl<T: Digested> Digested for Option<T> {
    fn digest_into(&self, digest: &mut Digest) {
        self.as_slice().digest_into(digest);
    }
}

impl<V: Vector> World<V> {
    /// A number made of every bit of the contacts: ids, distances, bounds, normals, points, parts, status;
    /// and of the contacts of parts, the surface contacts, the impacts and the manifolds of the step, if there are any.
    ///
    /// Equal contacts have equal hashes on every platform; different ones all but surely do not. So
    /// peers that simulate the same world can compare eight bytes a frame. The hash may change
    /// with a new version of the engine. Cost: one pass over the contacts.
    #[must_use]
    pub fn contacts_hash(&self) -> u64 {
        contacts_hash(self)
    }

    /// A number made of every bit that later steps depend on, and of the contacts ([`World::contacts_hash`]): of each body
    /// its id, pose with what rounding left over, velocity, kind, groups, margin, whether it wants part contacts and
    /// manifolds and is swept, and user data; the ids that are used up; the ignored pairs; margin and effort of the world. Of shapes only
    /// their kind, their size and their number of parts count; a filter of pairs does not.
    ///
    /// Worlds with equal contacts may differ in a lone body elsewhere, which this one sees: it is for peers that simulate
    /// the same world and want to know at the first frame that they drifted apart. The hash may change with a new version
    /// of the engine. Cost: one pass over the bodies and the contacts.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ball = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// let (contacts, state) = (world.contacts_hash(), world.state_hash());
    /// world.body_mut(ball)?.set_pose(Pose::from_translation(Vec2::X))?;
    /// assert!(world.contacts_hash() == contacts && world.state_hash() != state);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.state_hash_by(&|user_data| user_data)
    }

    /// The hash of the state where what `user_data` makes of each body's user data counts in its place: for peers whose user
    /// data differ though the rest must not, such as names of objects that each has its own of.
    #[must_use]
    pub fn state_hash_by(&self, user_data: &dyn Fn(u64) -> u64) -> u64 {
        state_hash(self, user_data)
    }
}

compile_once! {
    fn state_hash<'a, 'b, V>(world: &'a World<V>, user_data: &'b dyn Fn(u64) -> u64) -> u64 {
        let mut digest = Digest::new();
        digest.number(world.margin);
        digest.word(world.bodies.effort);
        let columns = &world.bodies.columns;
        digest.long(columns.generations.len() as u64);
        for (slot, &generation) in columns.generations.iter().enumerate() {
            digest.word(generation);
            digest.word(u32::from(
                columns.occupancies.get(slot) == Some(&Occupancy::Retired),
            ));
            if let Some(body) = BodyRef::new(&world.bodies, slot) {
                digest.body(&body, user_data(body.user_data()));
            }
        }
        for pair in world.ignored_pairs() {
            digest.id(pair.a);
            digest.id(pair.b);
        }
        digest.long(world.contacts_hash());
        digest.finish()
    }
}

compile_once! {
    fn contacts_hash<'a, V>(world: &'a World<V>) -> u64 {
        let mut digest = Digest::new();
        for contact in world.contacts() {
            digest.contact(contact);
        }
        // Their count first, so that they are not mistaken for more contacts.
        let parts = world.part_contacts();
        if !parts.is_empty() {
            digest.long(parts.len() as u64);
        }
        for contact in parts {
            digest.contact(contact);
        }
        for contact in world.surface_contacts() {
            digest.contact(contact);
        }
        for impact in world.impacts() {
            digest.impact(impact);
        }
        for found in world.manifolds() {
            digest.manifold(found);
        }
        digest.finish()
    }
}

#[cfg(test)]
mod tests {
    use clearance_gjk::{Separation, Status};
    use clearance_math::{DVec2, Vec2};

    use super::*;

    fn hash(change: impl FnOnce(&mut Contact<Vec2>)) -> u64 {
        let separation = Separation {
            distance: 0.5,
            lower: 0.25,
            upper: 0.75,
            normal: Vec2::X,
            position_a: DVec2::ZERO,
            position_b: DVec2::new(0.5, 0.0),
            part_a: 0,
            part_b: 0,
            status: Status::Exact,
        };
        let [a, b] = [1, 2].map(|slot| BodyId::from_parts(slot, 0));
        let mut contact = Contact { a, b, separation };
        change(&mut contact);
        let mut digest = Digest::new();
        digest.contact(&contact);
        digest.finish()
    }

    #[test]
    fn every_part_of_a_contact_counts() {
        let hashes = [
            hash(|_| {}),
            hash(|c| c.a = BodyId::from_parts(0, 0)),
            hash(|c| c.a = BodyId::from_parts(1, 1)),
            hash(|c| c.b = BodyId::from_parts(3, 0)),
            hash(|c| c.b = BodyId::from_parts(2, 1)),
            hash(|c| c.separation.distance = 0.625),
            hash(|c| c.separation.lower = 0.125),
            hash(|c| c.separation.upper = 0.875),
            hash(|c| c.separation.normal = Vec2::Y),
            hash(|c| c.separation.position_a = -DVec2::ZERO),
            hash(|c| c.separation.position_b = DVec2::X),
            hash(|c| c.separation.part_a = 1),
            hash(|c| c.separation.part_b = 1),
            hash(|c| c.separation.status = Status::Converged),
        ];
        for (place, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..place].contains(hash), "{place}");
        }
    }
}
