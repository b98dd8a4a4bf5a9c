//! Which pairs of bodies can make contacts, beyond what their groups say.

use clearance_math::Vector;

use crate::pair_filter::PairFilter;
use crate::queries::Filter;
use crate::stages::PairRules;
use crate::{BodyId, BodyPair, BodyRef, World, WorldError};

/// Changes show in [`World::contacts`] after the next step.
impl<V: Vector> World<V> {
    /// Lets two bodies make no contact, whatever their groups say: for links that a joint connects.
    ///
    /// This lasts until [`World::unignore_pair`], or until one of the bodies is removed; it is part of
    /// snapshots. To ignore a pair again changes nothing.
    ///
    /// ```
    /// use clearance::dim3::{Body, Options, Pose, Shape, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let link = Body::moving(Shape::capsule(0.5, 0.1)?, Pose::IDENTITY);
    /// let (upper_arm, forearm) = (world.insert(link.clone())?, world.insert(link)?);
    /// world.ignore_pair(upper_arm, forearm)?;
    /// world.step(0.0)?;
    /// assert!(world.contacts().is_empty() && world.is_ignored(forearm, upper_arm));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body that is not in this world; a body named twice.
    #[doc(alias("collision_exception"))]
    pub fn ignore_pair(&mut self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        let (a, b) = self.two_slots(a, b)?;
        if self.bodies.columns.ignored.insert(a, b) {
            self.bodies.mark_changed(a as usize);
        }
        Ok(())
    }

    /// Lets two bodies make contacts again: undoes [`World::ignore_pair`].
    ///
    /// Nothing changes if the pair was not ignored.
    ///
    /// # Errors
    /// A body that is not in this world; a body named twice.
    pub fn unignore_pair(&mut self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        let (a, b) = self.two_slots(a, b)?;
        if self.bodies.columns.ignored.remove(a, b) {
            self.bodies.mark_changed(a as usize);
        }
        Ok(())
    }

    /// Whether [`World::ignore_pair`] was called for two bodies, in whichever order; `false` if one of
    /// them is not in this world.
    #[must_use]
    pub fn is_ignored(&self, a: BodyId, b: BodyId) -> bool {
        let slots = self.two_slots(a, b);
        slots.is_ok_and(|(a, b)| self.bodies.columns.ignored.contains(a, b))
    }

    /// All pairs that [`World::ignore_pair`] was called for: the lesser id first, sorted.
    pub fn ignored_pairs(&self) -> impl Iterator<Item = BodyPair> {
        let id = |slot| self.bodies.id(slot as usize);
        let pairs = self.bodies.columns.ignored.pairs();
        pairs.map(move |(a, b)| BodyPair { a: id(a), b: id(b) })
    }

    /// Whether the bodies in two slots, which are not vacant, can make a contact: what groups, ignored pairs and the filter
    /// of pairs say.
    pub(crate) fn may_meet(&self, slot: usize, other: usize) -> bool {
        let rules = PairRules::new(&self.bodies, &self.pair_filter);
        let groups = |slot| BodyRef::new(&self.bodies, slot).map(|body| body.groups());
        let pair_by_groups = groups(slot).zip(groups(other));
        slot != other
            && pair_by_groups.is_some_and(|(one, other)| one.pairs_with(other))
            && rules.accept(slot.min(other) as u32, slot.max(other) as u32)
    }

    /// Asks with a filter that leaves what the body in a slot can make contacts with.
    pub(crate) fn with_filter_of(
        &self,
        slot: usize,
        filter: &Filter<'_, V>,
        ask: &mut dyn FnMut(&Filter<'_, V>),
    ) {
        let accepts = |other: BodyRef<'_, V>| {
            let other = self.bodies.slot(other.id());
            other.is_some_and(|other| self.may_meet(slot, other) && filter.accepts(self, other))
        };
        ask(&Filter {
            predicate: Some(&accepts),
            parts: filter.parts,
            ..Filter::ALL
        });
    }

    fn two_slots(&self, a: BodyId, b: BodyId) -> Result<(u32, u32), WorldError> {
        let [slot_a, slot_b] = [
            self.bodies.slot_or_refuse(a)?,
            self.bodies.slot_or_refuse(b)?,
        ];
        if slot_a == slot_b {
            return Err(WorldError::SameBody { id: a });
        }
        Ok((slot_a as u32, slot_b as u32))
    }

    /// Lets a function decide which pairs make contacts, among those that groups and ignored pairs
    /// leave: it returns whether the two bodies can make one.
    ///
    /// A step calls it, with the lesser id first, for the pairs that are near enough to be measured and of
    /// which a body changed since the last step: for a pile at rest it is not called at all. It must be
    /// pure: the answer may depend on the two bodies (all that a [`BodyRef`] shows, but for
    /// [`Body::residual`](crate::Body::residual)) and on nothing else, or else contacts depend on history. If it reads anything that can change
    /// (say, a table of alliances), call [`World::pair_filter_changed`] after each change.
    ///
    /// Clones of the world share it. It is not part of snapshots, since a function cannot be stored:
    /// [`World::restore`] leaves the filter of the world in place.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, World};
    ///
    /// // User data is the owner of a bullet: nobody is hit by what is their own.
    /// let mut world = World::new(Options::default())?;
    /// world.set_pair_filter(|a, b| a.user_data() != b.user_data());
    /// let ball = Body::moving(Shape::ball(0.5)?, Pose::IDENTITY);
    /// let player = world.insert(ball.clone().with_user_data(1))?;
    /// let own = world.insert(ball.clone().with_user_data(1))?;
    /// let hostile = world.insert(ball.with_user_data(2))?;
    /// world.step(0.0)?;
    /// assert!(world.contact_between(player, own).is_none());
    /// assert!(world.contact_between(player, hostile).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_pair_filter(
        &mut self,
        filter: impl Fn(BodyRef<'_, V>, BodyRef<'_, V>) -> bool + Send + Sync + 'static,
    ) {
        self.replace_filter(PairFilter::new(filter));
    }

    /// Lets groups and ignored pairs alone decide again: undoes [`World::set_pair_filter`].
    pub fn clear_pair_filter(&mut self) {
        if self.pair_filter.is_set() {
            self.replace_filter(PairFilter::NONE);
        }
    }

    /// Says that the function given to [`World::set_pair_filter`] answers differently than before,
    /// though the bodies are the same. Cost: the next step measures every pair.
    pub fn pair_filter_changed(&mut self) {
        if self.pair_filter.is_set() {
            self.replace_filter(self.pair_filter.renewed());
        }
    }

    fn replace_filter(&mut self, filter: PairFilter<V>) {
        self.pair_filter = filter;
        self.bodies.mark_all_changed();
    }

    /// Something changed that only a filter can see: it may decide differently now.
    pub(crate) fn filter_may_see(&mut self, slot: usize) {
        if self.pair_filter.is_set() {
            self.bodies.mark_changed(slot);
        }
    }
}
