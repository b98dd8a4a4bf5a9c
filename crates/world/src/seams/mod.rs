//! Ghost contacts: those that a body has with the seams of a surface, where the surface itself has none.
//!
//! A floor of tiles, the triangles of a mesh, boxes side by side: a body that slides over them meets edges and side
//! faces that are not there for it, since the neighbour continues the surface. A contact of such a feature has
//! a normal that is no normal of the surface that all parts make together, and a solver that obeys it
//! trips the body up.
//!
//! What is looked at are the contacts of the parts of one body that moves, with whatever others. Each has a point of the
//! other part's surface and the normal from there to the body. Another part *covers* it if the point
//! lies on that part, too, and the normal leans into it ([`Surroundings::for_each_that_covers`]): a body that comes along
//! the normal would meet that part first. Where the contact's own part goes on beside the point and is not covered
//! there, it is a floor that meets a wall, and the contact stays; so is every one that nothing covers.
//! All others are ghosts if what takes their place stays, and not because of them ([`ghosts`]): two that cover each other
//! alone both stay.
//!
//! So the outcome is a function of the part contacts, the shapes and the poses. The idea
//! to ask for the normals of the surface as a whole is that of the "internal edges" and "voided features" of Bullet
//! (van den Bergen, "Smooth mesh contacts with GJK", 2010) and Jolt; those know the triangles of one mesh and
//! their shared vertices, while here the parts may belong to any bodies and need to share nothing but a place.

mod components;
mod ghosts;
mod neighbours;

use clearance_math::{PreciseVector, Vector, tolerances};

use crate::bodies::Bodies;
use crate::columns::bytes;
use crate::reserve::{Need, cut_down};
use crate::{Contact, Kind};
use ghosts::Ghosts;
use neighbours::{Neighbour, Neighbours, Surroundings};

/// How often a point is moved away from what covers it: once for each of the walls of a corner.
const MOST_STEPS: usize = 3;

/// A contact that another one covers, as one of its bodies sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Covered {
    contact: u32,
    /// The contacts that take its place.
    instead: [u32; 2],
}

/// What the search for ghost contacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct SeamBuffers<V: Vector> {
    /// For each contact and each of its bodies that moves, the slot of the body and the place of the contact.
    of_bodies: Vec<(u32, u32)>,
    neighbours: Neighbours<V>,
    covered: Vec<Covered>,
    ghosts: Ghosts,
}

impl<V: Vector> Default for SeamBuffers<V> {
    fn default() -> Self {
        Self {
            of_bodies: Vec::new(),
            neighbours: Neighbours::default(),
            covered: Vec::new(),
            ghosts: Ghosts::default(),
        }
    }
}

impl<V: Vector> SeamBuffers<V> {
    /// Says for each of the part contacts whether it is a ghost. Those at which `is_over` are of a time at which the
    /// bodies met on their ways, and are no ghosts.
    pub(crate) fn find(
        &mut self,
        bodies: &Bodies<V>,
        contacts: &[Contact<V>],
        is_over: impl Fn(&Contact<V>) -> bool,
        ghosts: &mut Vec<bool>,
    ) {
        ghosts.clear();
        ghosts.resize(contacts.len(), false);
        self.of_bodies.clear();
        for (place, contact) in (0..).zip(contacts) {
            if contact.is_unbounded() || is_over(contact) {
                continue;
            }
            let slots = [contact.a, contact.b].map(|id| id.index());
            let moving = slots.into_iter().filter(|&slot| is_moving(bodies, slot));
            self.of_bodies.extend(moving.map(|slot| (slot, place)));
        }
        self.of_bodies.sort_unstable();
        self.covered.clear();
        for of_body in self.of_bodies.chunk_by(|one, other| one.0 == other.0) {
            if of_body.len() > 1 {
                self.neighbours.fill(bodies, contacts, of_body);
                let around = self.neighbours.among(bodies);
                for node in 0..around.neighbours().len() {
                    find_covers(around, node, contacts, &mut self.covered);
                }
            }
        }
        if !self.covered.is_empty() {
            self.covered.sort_unstable();
            self.covered.dedup();
            self.ghosts.mark(&self.covered, ghosts);
        }
    }

    /// How many parts cover how many contacts, as of the last search.
    pub(crate) fn covers(&self) -> usize {
        self.covered.len()
    }

    /// Gives memory back that the last frames did not need.
    pub(crate) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.of_bodies, 2 * need.part_contacts);
        self.neighbours.cut_down(need.part_contacts);
        cut_down(&mut self.covered, need.covers);
        self.ghosts.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.of_bodies)
            + bytes(&self.covered)
            + self.neighbours.memory()
            + self.ghosts.memory()
    }
}

fn is_moving<V: Vector>(bodies: &Bodies<V>, slot: u32) -> bool {
    bodies.kind(slot as usize) == Some(Kind::Moving)
}

/// Notes what takes the place of a contact of a body, unless it is one of the surface that all parts make together: unless
/// no other part covers its point, or none covers a point of the same face beside it.
fn find_covers<V: Vector>(
    around: Surroundings<'_, V>,
    node: usize,
    contacts: &[Contact<V>],
    covered: &mut Vec<Covered>,
) {
    let Neighbour { point, normal, .. } = around.neighbours()[node];
    let first = covered.len();
    let mut at = point;
    for _ in 0..=MOST_STEPS {
        let mut away = V::Precise::ZERO;
        let mut touch = 0.0_f64;
        let mut is_covered = false;
        around.for_each_that_covers(at, node, &mut |cover| {
            is_covered = true;
            touch = touch.max(cover.touch);
            covered.push(around.covered(node, cover.by, contacts));
            // As far as it takes to come out of what covers it, and a little farther.
            let by = &around.neighbours()[cover.by];
            away += by.normal * (by.depth + tolerances::SEAM_STEP * cover.touch);
        });
        if !is_covered {
            covered.truncate(first);
            return;
        }
        let Some(own) = around.part(node) else {
            return;
        };
        // A point that was rounded may be inside of the part: from outside, the nearest point is on the surface.
        let outside = tolerances::SEAM_ROUNDING * at.length();
        let on_surface = own.closest_point(at + normal * outside);
        let beside = own.closest_point(on_surface + away);
        let (step, length) = (beside - on_surface, (beside - on_surface).length());
        let is_same_face = step.dot(normal).abs() <= tolerances::SEAM_TILT * length;
        if !(is_same_face && length > touch) {
            return;
        }
        at = beside;
    }
}
