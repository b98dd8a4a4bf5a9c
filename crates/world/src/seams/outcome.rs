//! What becomes of the contacts that others cover.

use clearance_gjk::{PartQuestion, Question, SurfacePart, part_manifold_along};
use clearance_math::{Real, Vector, tolerances};

use super::neighbours::{FEW, touch};
use super::{Covered, Freed, is_moving};
use crate::Contact;
use crate::bodies::Bodies;
use crate::columns::bytes;
use crate::report::Surface;
use crate::reserve::{Need, cut_down};

/// What is known about the contacts that are covered.
pub(super) struct Scene<'a, V: Vector> {
    pub(super) bodies: &'a Bodies<V>,
    pub(super) contacts: &'a [Contact<V>],
    /// By body and contact.
    pub(super) of_bodies: &'a [(u32, u32)],
    /// Sorted.
    pub(super) covered: &'a [Covered],
    /// By contact and body.
    pub(super) freed: &'a [Freed<V>],
}

/// A contact along a normal from a to b.
#[derive(Clone, Copy, Debug)]
struct Plane<V> {
    normal: V,
    distance: f64,
}

/// What is known of a contact so far.
#[derive(Clone, Copy, Debug)]
enum State<V> {
    /// It stays, as it was measured or along another normal.
    Stays(Plane<V>),
    /// It is covered, and its turn did not come yet.
    Open,
    IsLeftOut,
}

/// A contact that is covered, and what it becomes unless others imply it.
#[derive(Clone, Copy, Debug)]
struct Open<V> {
    contact: u32,
    plane: Plane<V>,
    is_measured_anew: bool,
    /// Whether what covers it leaves it a direction.
    has_direction: bool,
}

/// Tells which contacts are left out, and along which normals others are measured anew; kept for its memory.
#[derive(Clone, Debug)]
pub(super) struct Outcome<V> {
    /// By contact.
    states: Vec<State<V>>,
    open: Vec<Open<V>>,
}

impl<V> Default for Outcome<V> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl<V: Vector> Outcome<V> {
    /// Settles the contacts that are covered, the deepest first: each is left out if one that stays implies it, and
    /// stays otherwise.
    pub(super) fn decide(&mut self, scene: &Scene<'_, V>, surface: &mut Surface<V>) {
        let Self { states, open } = self;
        states.clear();
        states.extend(scene.contacts.iter().map(|contact| {
            State::Stays(Plane {
                normal: contact.separation.normal,
                distance: f64::from(contact.separation.distance),
            })
        }));
        for cover in scene.covered {
            states[cover.contact as usize] = State::Open;
        }
        open.clear();
        let of_contacts = || (scene.covered).chunk_by(|one, other| one.contact == other.contact);
        open.extend(of_contacts().filter_map(|covers| scene.open(covers)));
        open.sort_unstable_by(|one, other| {
            let distances = one.plane.distance.total_cmp(&other.plane.distance);
            distances.then(one.contact.cmp(&other.contact))
        });
        for open in &*open {
            let place = open.contact as usize;
            surface.ghosts[place] = scene.is_implied(open, states);
            if surface.ghosts[place] {
                states[place] = State::IsLeftOut;
                continue;
            }
            states[place] = State::Stays(open.plane);
            if open.is_measured_anew
                && let Some(contact) = scene.measured_along(place, open.plane.normal)
            {
                surface.ghosts[place] = true;
                surface.instead.push(contact);
            }
        }
        surface.instead.sort_unstable_by_key(Contact::key_of_parts);
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.states, need.part_contacts);
        cut_down(&mut self.open, need.covers);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.states) + bytes(&self.open)
    }
}

/// The two parts of a contact.
struct Sides<'a, V: Vector> {
    a: SurfacePart<'a, V>,
    b: SurfacePart<'a, V>,
}

impl<V: Vector> Sides<'_, V> {
    fn along(&self, normal: V) -> Plane<V> {
        let precise = normal.to_precise();
        Plane {
            normal,
            distance: self.a.distance_along(&self.b, precise),
        }
    }

    /// How far from a part counts as touching it.
    fn touch(&self, contact: &Contact<V>) -> f64 {
        let size = self.a.size().min(self.b.size());
        touch(size, contact.separation.point_a.to_precise())
    }
}

impl<V: Vector> Scene<'_, V> {
    fn sides(&self, contact: &Contact<V>) -> Option<Sides<'_, V>> {
        let part = |slot: u32, number| SurfacePart::new(self.bodies.placed(slot as usize)?, number);
        Some(Sides {
            a: part(contact.a.index(), contact.separation.part_a)?,
            b: part(contact.b.index(), contact.separation.part_b)?,
        })
    }

    /// What becomes of a contact unless others imply it. Where each of its bodies that move sees it covered, it is
    /// measured along a normal that what covers it allows. `covers` are its own.
    fn open(&self, covers: &[Covered]) -> Option<Open<V>> {
        let number = covers[0].contact;
        let contact = &self.contacts[number as usize];
        let sides = self.sides(contact)?;
        let as_measured = Open {
            contact: number,
            plane: Plane {
                normal: contact.separation.normal,
                distance: f64::from(contact.separation.distance),
            },
            is_measured_anew: false,
            has_direction: true,
        };
        let slots = [contact.a, contact.b].map(|id| id.index());
        let is_seen = |slot: &u32| covers.iter().any(|cover| cover.seen_from == *slot);
        let mut seeing = slots
            .into_iter()
            .filter(|&slot| is_moving(self.bodies, slot));
        if !seeing.all(|slot| is_seen(&slot)) {
            return Some(as_measured);
        }
        let freed = self.freed(number).iter();
        let planes = freed.map(|freed| sides.along(freed.normal));
        let best = planes.max_by(|p, q| p.distance.total_cmp(&q.distance));
        let Some(plane) = best else {
            return Some(Open {
                has_direction: false,
                ..as_measured
            });
        };
        // Parts that are apart may be told to overlap no deeper than the body is in what covers them.
        let distance = |cover: &Covered| self.contacts[cover.by as usize].separation.distance;
        let deepest = covers.iter().map(distance).fold(0.0, Real::min);
        let least = f64::from(deepest) - sides.touch(contact);
        let is_fit = as_measured.plane.distance <= 0.0 || plane.distance >= least;
        Some(Open {
            plane: if is_fit { plane } else { as_measured.plane },
            is_measured_anew: is_fit,
            ..as_measured
        })
    }

    fn freed(&self, contact: u32) -> &[Freed<V>] {
        let first = self.freed.partition_point(|freed| freed.contact < contact);
        let end = self.freed.partition_point(|freed| freed.contact <= contact);
        &self.freed[first..end]
    }

    /// The normal of the contact that covers another one, turned to point from a to b of that other one.
    fn seen_alike(&self, cover: &Covered, normal: V) -> V {
        let is_a = |contact: u32| {
            let contact = &self.contacts[contact as usize];
            contact.a.index() == cover.seen_from
        };
        if is_a(cover.contact) == is_a(cover.by) {
            normal
        } else {
            -normal
        }
    }

    /// Whether a contact that stays implies a covered one: whether a body that obeys the one and moves along its normal
    /// as far as it asks for is out of the part of the other, too.
    ///
    /// So is one for which what covers it leaves no direction, if its parts are apart.
    fn is_implied(&self, open: &Open<V>, states: &[State<V>]) -> bool {
        let number = open.contact;
        let contact = &self.contacts[number as usize];
        let Some(sides) = self.sides(contact) else {
            return false;
        };
        if !open.has_direction && open.plane.distance >= 0.0 {
            return true;
        }
        let mut slack = sides.touch(contact);
        if !open.has_direction {
            slack += tolerances::SEAM_TILT * sides.a.size().min(sides.b.size());
        }
        let mut last: Option<Plane<V>> = None;
        let mut implies = |cover: &Covered| {
            let State::Stays(plane) = states[cover.by as usize] else {
                return false;
            };
            let normal = self.seen_alike(cover, plane.normal);
            let along = match last {
                Some(last) if last.normal == normal => last,
                _ => sides.along(normal),
            };
            last = Some(along);
            along.distance >= plane.distance - slack
        };
        let first = self.covered.partition_point(|cover| cover.contact < number);
        let covers = self.covered[first..]
            .iter()
            .take_while(|cover| cover.contact == number);
        let mut seen_from = None;
        for cover in covers {
            if implies(cover) {
                return true;
            }
            if seen_from == Some(cover.seen_from) {
                continue;
            }
            seen_from = Some(cover.seen_from);
            let of_body = self.of_body(cover.seen_from);
            let is_implied =
                |&(_, by): &(u32, u32)| by != number && implies(&Covered { by, ..*cover });
            if of_body.len() <= FEW && of_body.iter().any(is_implied) {
                return true;
            }
        }
        false
    }

    fn of_body(&self, slot: u32) -> &[(u32, u32)] {
        let first = self.of_bodies.partition_point(|&(other, _)| other < slot);
        let end = self.of_bodies.partition_point(|&(other, _)| other <= slot);
        &self.of_bodies[first..end]
    }

    /// The contact at a place, measured along another normal.
    fn measured_along(&self, place: usize, normal: V) -> Option<Contact<V>> {
        let contact = self.contacts[place];
        let parts = [contact.separation.part_a, contact.separation.part_b];
        let question = Question {
            a: self.bodies.placed(contact.a.index() as usize)?,
            b: self.bodies.placed(contact.b.index() as usize)?,
            within: 0.0,
        };
        let manifold = part_manifold_along(PartQuestion { question, parts }, normal)?;
        let separation = manifold.separation;
        Some(Contact {
            separation,
            ..contact
        })
    }
}
