//! Ghost contacts: those that a body has with the seams of a surface, where the surface itself has none.
//!
//! A floor of tiles, the triangles of a mesh, boxes side by side: a body that slides over them meets edges and side
//! faces that are not there for it, since the neighbour continues the surface. A contact of such a feature has
//! a normal that is no normal of the surface that all parts make together, and a solver that obeys it
//! trips the body up.
//!
//! What is looked at are the contacts of the parts of one body that moves, with whatever others. Each has a point of the
//! other part's surface and the normal from there to the body. Another part *covers* it if the point
//! lies on that part, too, and the normal leans into it ([`Neighbours::find_covers`]): a body that comes along
//! the normal would meet that part first. Where the contact's own part goes on beside the point and is not covered
//! there, it is a floor that meets a wall, and the contact stays; so is every one that nothing covers.
//! All others are settled in the order of their depths ([`outcome`]). A contact is left out only if one that stays
//! implies it: whoever is moved along that one's normal as far as it asks for is out of this part, too. Otherwise it is
//! measured along a direction that what covers it allows, and that contact takes its place.
//!
//! So the outcome is a function of the part contacts, the shapes and the poses. The idea
//! to ask for the normals of the surface as a whole is that of the "internal edges" and "voided features" of Bullet
//! (van den Bergen, "Smooth mesh contacts with GJK", 2010) and Jolt; those know the triangles of one mesh and
//! their shared vertices, while here the parts may belong to any bodies and need to share nothing but a place.

mod freed;
mod neighbours;
mod outcome;

use core::ops::Range;

use clearance_math::Vector;
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;

use crate::Contact;
use crate::bodies::Bodies;
use crate::report::parts::Surface;
use crate::reserve::{Need, bytes, cut_down};
use neighbours::{Cover, Neighbours, Observer};
use outcome::{Covered, Outcome, Scene};

/// What the search for ghost contacts needs; kept between steps for its memory.
#[derive(Clone, Default)]
pub(crate) struct SeamBuffers<V: Vector> {
    /// For each contact and each of its bodies that moves, the slot of the body and the place of the contact.
    of_bodies: Vec<(u32, u32)>,
    neighbours: Neighbours<V>,
    covers: Vec<Cover<V::Precise>>,
    covered: Vec<Covered>,
    outcome: Outcome<V>,
}

impl<V: Vector> SeamBuffers<V> {
    /// Says for each of the part contacts whether it is a ghost, and which of these have others in their places. Those
    /// at which `is_over` are of a time at which the bodies met on their ways, and are no ghosts.
    pub(crate) fn find(
        &mut self,
        bodies: &Bodies<V>,
        contacts: &[Contact<V>],
        is_over: impl Fn(&Contact<V>) -> bool,
        surface: &mut Surface<V>,
    ) {
        surface.clear();
        surface.ghosts.resize(contacts.len(), false);
        self.of_bodies.clear();
        for (place, contact) in (0..).zip(contacts) {
            if contact.is_unbounded() || is_over(contact) {
                continue;
            }
            let slots = [contact.a, contact.b].map_each(|id| id.index());
            let moving = slots
                .into_iter()
                .filter(|&slot| bodies.is_moving(slot as usize));
            self.of_bodies.extend(moving.map(|slot| (slot, place)));
        }
        self.of_bodies.sort_unstable();
        self.covers.clear();
        self.covered.clear();
        let mut first = 0;
        while let Some(&(slot, _)) = self.of_bodies.get(first) {
            let own = self.of_bodies[first..].partition_point(|&(other, _)| other == slot);
            self.look_around(bodies, contacts, first..first + own);
            first += own;
        }
        self.neighbours.clear();
        if !self.covered.is_empty() {
            heap_sort(&mut self.covered, |one, other| {
                let distances = one.distance.total_cmp(&other.distance);
                let key = |covered: &Covered| (covered.contact, covered.seen_from);
                distances.then(key(one).cmp(&key(other))).is_lt()
            });
            let scene = Scene {
                bodies,
                contacts,
                of_bodies: &self.of_bodies,
                covers: &self.covers,
                covered: &self.covered,
            };
            self.outcome.decide(&scene, surface);
        }
    }

    /// Notes which contacts of one body others cover.
    fn look_around(&mut self, bodies: &Bodies<V>, contacts: &[Contact<V>], own: Range<usize>) {
        let of_body = &self.of_bodies[own];
        if of_body.len() <= 1 {
            return;
        }
        let slot = of_body[0].0;
        let view = Observer {
            bodies,
            contacts,
            slot,
        };
        self.neighbours.fill(view, of_body);
        for (node, neighbour) in self.neighbours.list().iter().enumerate() {
            let first = self.covers.len();
            if self.neighbours.find_covers(node, &mut self.covers) {
                self.covered.push(Covered {
                    distance: contacts[neighbour.contact as usize].separation.distance,
                    contact: neighbour.contact,
                    seen_from: slot,
                    covers: first as u32..self.covers.len() as u32,
                });
            } else {
                self.covers.truncate(first);
            }
        }
    }

    /// How many parts cover how many contacts, as of the last search.
    pub(crate) fn covers(&self) -> usize {
        self.covers.len()
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.of_bodies, 2 * need.part_contacts);
        self.neighbours.cut_down(need.part_contacts);
        cut_down(&mut self.covers, need.covers);
        cut_down(&mut self.covered, 2 * need.part_contacts);
        self.outcome.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.of_bodies)
            + bytes(&self.covers)
            + bytes(&self.covered)
            + self.neighbours.memory()
            + self.outcome.memory()
    }
}
