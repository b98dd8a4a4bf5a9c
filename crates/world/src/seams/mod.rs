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
//! All others are settled in the order of their depths ([`outcome`]). A contact is left out only if one that stays
//! implies it: whoever is moved along that one's normal as far as it asks for is out of this part, too. Otherwise it is
//! measured along a direction that what covers it allows, and that contact takes its place.
//!
//! So the outcome is a function of the part contacts, the shapes and the poses. The idea
//! to ask for the normals of the surface as a whole is that of the "internal edges" and "voided features" of Bullet
//! (van den Bergen, "Smooth mesh contacts with GJK", 2010) and Jolt; those know the triangles of one mesh and
//! their shared vertices, while here the parts may belong to any bodies and need to share nothing but a place.

mod neighbours;
mod outcome;

use core::ops::Range;

use clearance_math::{PreciseVector, Vector, tolerances};

use crate::bodies::Bodies;
use crate::columns::bytes;
use crate::report::Surface;
use crate::reserve::{Need, cut_down};
use crate::{Contact, Kind};
use neighbours::{Cover, Neighbour, Neighbours, Surroundings};
use outcome::{Outcome, Scene};

/// How often a point is moved away from what covers it: once for each of the walls of a corner.
const MOST_STEPS: usize = 3;

/// A contact that another one covers, as one of its bodies sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Covered {
    contact: u32,
    /// The slot of the body that sees it.
    seen_from: u32,
    /// The contact that covers it.
    by: u32,
}

/// A direction from a to b that what covers a contact allows, as one of its bodies sees it.
#[derive(Clone, Copy, Debug)]
struct Freed<V> {
    contact: u32,
    seen_from: u32,
    normal: V,
}

/// What the search for ghost contacts needs; kept between steps for its memory.
#[derive(Clone)]
pub(crate) struct SeamBuffers<V: Vector> {
    /// For each contact and each of its bodies that moves, the slot of the body and the place of the contact.
    of_bodies: Vec<(u32, u32)>,
    neighbours: Neighbours<V>,
    /// What covers the contacts of one body, and where those of each of its contacts end.
    covers: Vec<Cover<V::Precise>>,
    ends: Vec<usize>,
    /// The normals that they have or may have.
    normals: Vec<Option<V::Precise>>,
    /// Room for the faces that the part of one contact stands out of.
    faces: Vec<Option<V::Precise>>,
    covered: Vec<Covered>,
    freed: Vec<Freed<V>>,
    outcome: Outcome<V>,
}

impl<V: Vector> Default for SeamBuffers<V> {
    fn default() -> Self {
        Self {
            of_bodies: Vec::new(),
            neighbours: Neighbours::default(),
            covers: Vec::new(),
            ends: Vec::new(),
            normals: Vec::new(),
            faces: Vec::new(),
            covered: Vec::new(),
            freed: Vec::new(),
            outcome: Outcome::default(),
        }
    }
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
            let slots = [contact.a, contact.b].map(|id| id.index());
            let moving = slots.into_iter().filter(|&slot| is_moving(bodies, slot));
            self.of_bodies.extend(moving.map(|slot| (slot, place)));
        }
        self.of_bodies.sort_unstable();
        self.covered.clear();
        self.freed.clear();
        let mut first = 0;
        while let Some(&(slot, _)) = self.of_bodies.get(first) {
            let own = self.of_bodies[first..].partition_point(|&(other, _)| other == slot);
            self.look_around(bodies, contacts, first..first + own);
            first += own;
        }
        if !self.covered.is_empty() {
            self.covered.sort_unstable();
            self.covered.dedup();
            self.freed
                .sort_unstable_by_key(|freed| (freed.contact, freed.seen_from));
            let scene = Scene {
                bodies,
                contacts,
                of_bodies: &self.of_bodies,
                covered: &self.covered,
                freed: &self.freed,
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
        self.neighbours.fill(bodies, contacts, of_body);
        let around = self.neighbours.among(bodies);
        let place = |node: usize| around.neighbours()[node].contact;
        self.covers.clear();
        self.ends.clear();
        self.normals.clear();
        for node in 0..around.neighbours().len() {
            let first = self.covers.len();
            let is_covered = find_covers(around, node, &mut self.covers);
            if !is_covered {
                self.covers.truncate(first);
            }
            let normal = around.neighbours()[node].normal;
            self.normals.push((!is_covered).then_some(normal));
            self.ends.push(self.covers.len());
        }
        let ends = &self.ends;
        let covers_of =
            |node: usize| node.checked_sub(1).map_or(0, |before| ends[before])..ends[node];
        let covers = &self.covers;
        for is_second_time in [false, true] {
            for node in 0..ends.len() {
                let own = &covers[covers_of(node)];
                // The second time with what the first time brought. What nothing covers has its normal from the start.
                let is_new = |cover: &Cover<_>| !is_second_time || !covers_of(cover.by).is_empty();
                if own.iter().any(is_new) {
                    let freed = around.freed(node, own, &self.normals, &mut self.faces);
                    self.normals[node] = freed;
                }
            }
        }
        for node in 0..ends.len() {
            let covers = &covers[covers_of(node)];
            let contact = place(node) as u32;
            self.covered.extend(covers.iter().map(|cover| Covered {
                contact,
                seen_from: slot,
                by: place(cover.by) as u32,
            }));
            if !covers.is_empty()
                && let Some(normal) = self.normals[node]
            {
                let is_a = contacts[place(node)].a.index() == slot;
                self.freed.push(Freed {
                    contact,
                    seen_from: slot,
                    normal: V::from_precise(if is_a { -normal } else { normal }),
                });
            }
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
        cut_down(&mut self.covers, need.covers);
        cut_down(&mut self.ends, need.part_contacts);
        cut_down(&mut self.normals, need.part_contacts);
        cut_down(&mut self.faces, need.covers);
        cut_down(&mut self.covered, need.covers);
        cut_down(&mut self.freed, need.covers);
        self.outcome.cut_down(need);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        bytes(&self.of_bodies)
            + bytes(&self.covers)
            + bytes(&self.ends)
            + bytes(&self.normals)
            + bytes(&self.faces)
            + bytes(&self.covered)
            + bytes(&self.freed)
            + self.neighbours.memory()
            + self.outcome.memory()
    }
}

fn is_moving<V: Vector>(bodies: &Bodies<V>, slot: u32) -> bool {
    bodies.kind(slot as usize) == Some(Kind::Moving)
}

/// Finds what covers a contact of a body, and says whether it is covered. It is not, but one of the surface that all
/// parts make together, if no other part covers its point, or none a point of the same face beside it.
fn find_covers<V: Vector>(
    around: Surroundings<'_, V>,
    node: usize,
    covers: &mut Vec<Cover<V::Precise>>,
) -> bool {
    let Neighbour { point, normal, .. } = around.neighbours()[node];
    let mut at = point;
    for _ in 0..=MOST_STEPS {
        let first = covers.len();
        around.for_each_that_covers(at, node, &mut |cover| covers.push(cover));
        if covers.len() == first {
            return false;
        }
        let (mut away, mut touch) = (V::Precise::ZERO, 0.0_f64);
        for cover in &covers[first..] {
            touch = touch.max(cover.touch);
            // As far as it takes to come out of what covers it, and a little farther.
            let by = &around.neighbours()[cover.by];
            away += by.normal * (by.depth + tolerances::SEAM_STEP * cover.touch);
        }
        let Some(own) = around.part(node) else {
            return true;
        };
        // A point that was rounded may be inside of the part: from outside, the nearest point is on the surface.
        let outside = tolerances::SEAM_ROUNDING * at.length();
        let on_surface = own.closest_point(at + normal * outside);
        let beside = own.closest_point(on_surface + away);
        let (step, length) = (beside - on_surface, (beside - on_surface).length());
        let is_same_face = step.dot(normal).abs() <= tolerances::SEAM_TILT * length;
        if !(is_same_face && length > touch) {
            return true;
        }
        at = beside;
    }
    true
}
