//! What the last step found: the contacts and the events.

use clearance_math::{Vector, compile_once};

use crate::report::by_body::PlacesOfBody;
use crate::report::events::EventCursor;
use crate::{BodyId, Contact, Event, World};

impl<V: Vector> World<V> {
    /// The contacts that the last step found, sorted by (a, b), with a < b.
    ///
    /// A pair is a contact if its groups allow it, at least one of its bodies is of the kind
    /// [`Moving`](crate::BodyKind::Moving) (it may be at rest), and its signed distance is at most the margin of the world
    /// plus the extra margins of both bodies (equality counts; the sum is rounded to the nearest [`Real`](clearance_math::Real)). A pair that
    /// met on its way and is apart by the end has the contact of that time: see [`World::impacts`]. Contacts of a body
    /// that was removed since the step are left out; all other changes show after the next step.
    #[must_use]
    #[doc(alias("collisions", "contact_pairs", "narrow_phase"))]
    pub fn contacts(&self) -> &[Contact<V>] {
        present_contacts(self)
    }

    /// What changed for each pair in the last step, in the order of (a, b), and for each pair in the
    /// order of [`EventKind`](crate::EventKind).
    ///
    /// Every pair that [`Entered`](crate::EventKind::Entered) will report
    /// [`Left`](crate::EventKind::Left), and every pair that [`Began`](crate::EventKind::Began) will
    /// report [`Ended`](crate::EventKind::Ended), whatever the reason: bodies move apart, are teleported,
    /// or change shape, kind, groups or margin. If a body is removed, the next step reports it. Events
    /// follow from the contacts of the last two steps; they are computed while you iterate, without
    /// allocation.
    ///
    /// ```
    /// use clearance::dim2::{Body, EventKind, Options, Pose, Shape, Vec2, Velocity, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Body::fixed(Shape::cuboid(Vec2::ONE)?, Pose::IDENTITY);
    /// let ball = Body::moving(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(3.0, 0.0)))
    ///     .with_velocity(Velocity::from_linear(-Vec2::X));
    /// let (wall, ball) = (world.insert(wall)?, world.insert(ball)?);
    /// let mut events = Vec::new();
    /// for _ in 0..3 {
    ///     world.step(0.98)?;
    ///     events.extend(world.events().map(|event| event.kind));
    /// }
    /// world.remove(wall)?;
    /// world.step(0.0)?;
    /// events.extend(world.events().map(|event| event.kind));
    /// use EventKind::*;
    /// assert_eq!(events, [Entered, Began, Stayed, Ended, Left]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias(
        "collision_events",
        "trigger",
        "sensor",
        "on_collision_enter",
        "body_entered"
    ))]
    pub fn events(&self) -> impl Iterator<Item = Event<'_, V>> {
        EventIter::new(self)
    }

    /// The contacts of a body: those of [`World::contacts`] that name it, sorted by the other body.
    ///
    /// Empty if the body is not in this world. Cost: that of its contacts; the first call after a step in which pairs
    /// came or went sorts all contacts by body, which takes as long as looking at each of them three times.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let ids = [0.0, 0.9, 1.8, 2.7].map(|x| {
    ///     let pose = Pose::from_translation(Vec2::new(x, 0.0));
    ///     let ball = Shape::ball(0.5).map(|ball| Body::moving(ball, pose));
    ///     world.insert(ball.expect("the radius is positive")).expect("the world has space")
    /// });
    /// world.step(0.0)?;
    /// let neighbours = world.contacts_of(ids[2]).filter_map(|contact| contact.other(ids[2]));
    /// assert!(neighbours.eq([ids[1], ids[3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = &Contact<V>> {
        ContactIter::new(self, id)
    }

    /// The contact of two bodies, in whichever order they are named; `None` if they make none.
    ///
    /// Cost: a binary search.
    #[must_use]
    pub fn contact_between(&self, a: BodyId, b: BodyId) -> Option<&Contact<V>> {
        contact_of(self, a, b)
    }

    /// Whether neither of two bodies of the last step was removed since.
    pub(crate) fn has_both(&self, a: BodyId, b: BodyId) -> bool {
        !self.report.has_removals || (self.contains(a) && self.contains(b))
    }
}

compile_once! {
    fn present_contacts<'w, V>(world: &'w World<V>) -> &'w [Contact<V>] {
        world.report.present(|id| world.contains(id))
    }
}

compile_once! {
    fn contact_of<'w, V>(world: &'w World<V>, a: BodyId, b: BodyId) -> Option<&'w Contact<V>> {
        let [a, b] = [world.bodies.slot(a)?, world.bodies.slot(b)?];
        let contact = world.report.contact(a.min(b) as u32, a.max(b) as u32);
        contact.filter(|contact| world.has_both(contact.a, contact.b))
    }
}

/// The events of the last step.
struct EventIter<'w, V: Vector> {
    world: &'w World<V>,
    cursor: EventCursor,
}

impl<'w, V: Vector> EventIter<'w, V> {
    fn new(world: &'w World<V>) -> Self {
        let cursor = EventCursor::default();
        Self { world, cursor }
    }
}

impl<'w, V: Vector> Iterator for EventIter<'w, V> {
    type Item = Event<'w, V>;

    fn next(&mut self) -> Option<Event<'w, V>> {
        let (cursor, event) = next_event(self.world, self.cursor);
        self.cursor = cursor;
        event
    }
}

compile_once! {
    fn next_event<'w, V>(
        world: &'w World<V>,
        cursor: EventCursor,
    ) -> (EventCursor, Option<Event<'w, V>>) {
        let mut cursor = cursor;
        let user_data = |id| world.user_data(id).unwrap_or(0);
        let event = cursor.next(&world.report).map(|(kind, contact)| Event {
            kind,
            contact,
            user_data_a: user_data(contact.a),
            user_data_b: user_data(contact.b),
        });
        (cursor, event)
    }
}

/// The contacts of a body.
struct ContactIter<'w, V: Vector> {
    world: &'w World<V>,
    places: PlacesOfBody<'w>,
}

impl<'w, V: Vector> ContactIter<'w, V> {
    fn new(world: &'w World<V>, id: BodyId) -> Self {
        let places = places_of(world, id);
        Self { world, places }
    }
}

impl<'w, V: Vector> Iterator for ContactIter<'w, V> {
    type Item = &'w Contact<V>;

    fn next(&mut self) -> Option<&'w Contact<V>> {
        let (places, contact) = next_contact(self.world, core::mem::take(&mut self.places));
        self.places = places;
        contact
    }
}

compile_once! {
    fn places_of<'w, V>(world: &'w World<V>, id: BodyId) -> PlacesOfBody<'w> {
        let slot = world.bodies.slot(id);
        slot.map_or_else(PlacesOfBody::default, |slot| world.report.of_body(slot as u32))
    }
}

compile_once! {
    fn next_contact<'w, V>(
        world: &'w World<V>,
        places: PlacesOfBody<'w>,
    ) -> (PlacesOfBody<'w>, Option<&'w Contact<V>>) {
        let mut places = places;
        let contacts = &world.report.contacts;
        let contact = places.find_map(|place| {
            let contact = contacts.get(place);
            contact.filter(|contact| world.has_both(contact.a, contact.b))
        });
        (places, contact)
    }
}
