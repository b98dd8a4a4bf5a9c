//! The name of a body.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU16, Ordering as MemoryOrdering};

use clearance_broadphase::MAX_KEY;

/// The name of a body in its world: a slot, and a generation that counts the bodies of that slot.
///
/// An id also remembers which world gave it out, so that other worlds refuse it. That memory takes
/// no part in comparing, ordering, hashing, printing or storing: two worlds that did the same have
/// equal ids, and so have the peers of a networked game. Clones of a world and worlds restored to
/// its snapshots accept the ids of the world that they come from. There are 4,095 marks for worlds: the world
/// made 4,095 worlds after another one has the same mark, and accepts its ids.
///
/// Ordered by slot, then generation. The id of a removed body never comes back, unless the world is
/// restored to a snapshot taken before the removal.
///
/// ```
/// use clearance::dim2::{Body, BodyId, Options, Pose, Shape, World, WorldError};
///
/// let ball = Body::moving(Shape::ball(0.5)?, Pose::IDENTITY);
/// let (mut level, mut menu) = (World::new(Options::default())?, World::new(Options::default())?);
/// let in_level = level.insert(ball.clone())?;
/// let in_menu = menu.insert(ball)?;
/// assert_eq!(in_level, in_menu);
/// assert_eq!(menu.remove(in_level), Err(WorldError::OtherWorld { id: in_level }));
/// // An id made of numbers belongs to no world in particular.
/// let stored = BodyId::from_parts(in_level.index(), in_level.generation());
/// assert!(level.contains(stored) && menu.contains(stored));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct BodyId {
    // Slot (30 bits), generation (22), world (12), from the highest bit down: contacts hold two ids
    // each, so an id is kept at eight bytes. Two halves, for the alignment of the contact.
    high: u32,
    low: u32,
}

/// Bits that say which world gave an id out.
const WORLD_BITS: u32 = 12;
/// Bits of a generation.
const GENERATION_BITS: u32 = 22;
/// Those of them that are in the lower half of an id.
const LOW_GENERATION_BITS: u32 = 32 - WORLD_BITS;
/// Those of them that are in the upper half of an id.
const HIGH_GENERATION_BITS: u32 = GENERATION_BITS - LOW_GENERATION_BITS;
const _: () = assert!(MAX_KEY >> (32 - HIGH_GENERATION_BITS) == 0);

/// The last generation of a slot. The number above it makes ids that no world gives out.
pub(crate) const MAX_GENERATION: u32 = (1 << GENERATION_BITS) - 2;

/// Which world gave an id out; zero for none in particular.
///
/// A process numbers its worlds in turn; after 4,095 of them the numbers come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorldTag(u16);

impl WorldTag {
    const ANY: Self = Self(0);
    const LAST: u16 = (1 << WORLD_BITS) - 1;

    /// The tag of a new world.
    ///
    /// This counter is all that worlds share. No answer depends on it, only whether ids of another
    /// world are recognised.
    pub(crate) fn next() -> Self {
        static COUNTER: AtomicU16 = AtomicU16::new(0);
        let next = |count| Some((count + 1) % Self::LAST);
        let count = COUNTER.fetch_update(MemoryOrdering::Relaxed, MemoryOrdering::Relaxed, next);
        let (Ok(count) | Err(count)) = count;
        Self(count + 1)
    }

    /// Whether the world with this tag accepts `id`: it gave the id out itself, or nobody did.
    #[inline]
    pub(crate) fn accepts(self, id: BodyId) -> bool {
        let tag = id.tag();
        tag == self || tag == Self::ANY
    }
}

impl BodyId {
    /// The id of body number `generation` of slot `index`, both counted from 0.
    ///
    /// For ids that were stored as numbers: every world accepts it if it has such a body
    /// ([`crate::World::contains`]). Numbers beyond those that worlds give out (2^30 slots, 2^22 - 1
    /// generations) make an id that is in no world.
    #[must_use]
    pub const fn from_parts(index: u32, generation: u32) -> Self {
        if index > MAX_KEY || generation > MAX_GENERATION {
            Self::new(MAX_KEY, MAX_GENERATION + 1, WorldTag::ANY)
        } else {
            Self::new(index, generation, WorldTag::ANY)
        }
    }

    #[inline]
    const fn new(index: u32, generation: u32, tag: WorldTag) -> Self {
        Self {
            high: index << HIGH_GENERATION_BITS | generation >> LOW_GENERATION_BITS,
            low: generation << WORLD_BITS | tag.0 as u32,
        }
    }

    /// The id that a world with this tag gives out. Both numbers must be in range.
    #[inline]
    pub(crate) const fn of_world(tag: WorldTag, index: u32, generation: u32) -> Self {
        Self::new(index, generation, tag)
    }

    /// An equal id, given out by the world with this tag.
    #[inline]
    pub(crate) const fn with_tag(self, tag: WorldTag) -> Self {
        Self::new(self.index(), self.generation(), tag)
    }

    #[inline]
    const fn tag(self) -> WorldTag {
        WorldTag((self.low & WorldTag::LAST as u32) as u16)
    }

    /// The slot, counted from 0; at most one body at a time lives in it.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.high >> HIGH_GENERATION_BITS
    }

    /// How many bodies lived in the slot before this one.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        let high = self.high & ((1 << HIGH_GENERATION_BITS) - 1);
        high << LOW_GENERATION_BITS | self.low >> WORLD_BITS
    }

    /// The id as one number, with the mark of its world: for handles of other languages. It sorts as ids do. Store or send
    /// [`index`](Self::index) and [`generation`](Self::generation) instead, which are equal in worlds that did the same.
    ///
    /// ```
    /// use clearance::dim2::{Body, BodyId, Options, Pose, Shape, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ball = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// assert!(world.contains(BodyId::from_bits(ball.to_bits())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.high as u64) << 32 | self.low as u64
    }

    /// The id of a number that [`to_bits`](Self::to_bits) gave. Other numbers make ids that no world has, or that may be those of
    /// another body.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            high: (bits >> 32) as u32,
            low: bits as u32,
        }
    }

    /// Slot and generation in one number, in the order of ids.
    #[inline]
    const fn name(self) -> u64 {
        self.to_bits() >> WORLD_BITS
    }
}

impl PartialEq for BodyId {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for BodyId {}

impl PartialOrd for BodyId {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BodyId {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(&other.name())
    }
}

impl Hash for BodyId {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// Slot and generation, as in `12v3`.
impl core::fmt::Display for BodyId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}v{}", self.index(), self.generation())
    }
}

/// Slot and generation, as in `BodyId(12v3)`.
impl core::fmt::Debug for BodyId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "BodyId({self})")
    }
}

/// Stored as slot and generation; an id that was read belongs to no world in particular.
#[cfg(feature = "serde")]
mod stored {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::BodyId;

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "BodyId", deny_unknown_fields)]
    struct Parts {
        index: u32,
        generation: u32,
    }

    impl Serialize for BodyId {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let (index, generation) = (self.index(), self.generation());
            Parts { index, generation }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for BodyId {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Parts { index, generation } = Parts::deserialize(deserializer)?;
            Ok(Self::from_parts(index, generation))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ordered_by_slot_then_generation_and_print_both() {
        let id = BodyId::from_parts(12, 3);
        assert_eq!(id.to_string(), "12v3");
        assert_eq!(format!("{id:?}"), "BodyId(12v3)");
        assert!(
            id < BodyId::from_parts(12, 4) && BodyId::from_parts(12, 4) < BodyId::from_parts(13, 0)
        );
    }

    #[test]
    fn ids_hold_every_slot_generation_and_world() {
        let tags = [1, 2, 777, WorldTag::LAST].map(WorldTag);
        for index in [0, 1, 12_345, MAX_KEY] {
            for generation in [0, 1, 1 << 20, MAX_GENERATION] {
                let plain = BodyId::from_parts(index, generation);
                for tag in tags {
                    let id = BodyId::of_world(tag, index, generation);
                    assert_eq!((id.index(), id.generation()), (index, generation));
                    assert_eq!((id, id.tag()), (plain, tag));
                    assert_eq!(plain.with_tag(tag).tag(), tag);
                    let accepting = tags.into_iter().filter(|tag| tag.accepts(id));
                    assert!(accepting.eq([tag]));
                    assert!(tag.accepts(plain));
                }
            }
        }
    }

    #[test]
    fn numbers_out_of_range_make_an_id_of_no_world() {
        let mut world = crate::World::<clearance_math::Vec2>::default();
        let ball = clearance_shapes::Shape::ball(0.5).unwrap();
        let ball = crate::Body::fixed(ball, clearance_math::Pose::IDENTITY);
        for _ in 0..3 {
            world.insert(ball.clone()).unwrap();
        }
        assert!(world.contains(BodyId::from_parts(0, 0)));
        for (index, generation) in [
            (MAX_KEY + 1, 0),
            (0, MAX_GENERATION + 1),
            (u32::MAX, u32::MAX),
        ] {
            let id = BodyId::from_parts(index, generation);
            assert!(id.generation() > MAX_GENERATION);
            assert!(!world.contains(id), "{id}");
        }
    }

    #[test]
    fn worlds_made_one_after_the_other_have_different_tags() {
        let tags: Vec<_> = (0..5000).map(|_| WorldTag::next()).collect();
        assert!(tags.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(
            tags.iter()
                .all(|&tag| tag != WorldTag::ANY && tag.0 <= WorldTag::LAST)
        );
    }
}
