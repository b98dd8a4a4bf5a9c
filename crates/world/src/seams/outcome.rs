//! What becomes of the contacts that others cover.

use core::ops::Range;

use clearance_gjk::Question;
use clearance_gjk::internal::{PartQuestion, SurfacePart, part_manifold_along};
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Real, Vector, tolerances};

use super::freed::{Obstacle, freed};
use super::neighbours::{Cover, FEW, Observer, rounding_of, touch};
use crate::Contact;
use crate::bodies::Bodies;
use crate::report::parts::Surface;
use crate::reserve::{Need, bytes, cut_down};

/// A contact that others cover, as one of its bodies sees it.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    pub(super) distance: Real,
    pub(super) contact: u32,
    /// The slot of the body that sees it.
    pub(super) seen_from: u32,
    /// The places of what covers it.
    pub(super) covers: Range<u32>,
}

/// What is known about the contacts that are covered.
pub(super) struct Scene<'a, V: Vector> {
    pub(super) bodies: &'a Bodies<V>,
    pub(super) contacts: &'a [Contact<V>],
    /// By body and contact.
    pub(super) of_bodies: &'a [(u32, u32)],
    pub(super) covers: &'a [Cover<V::Precise>],
    /// In the order in which they are settled; all that see one contact covered beside each other.
    pub(super) covered: &'a [Covered],
}

/// A contact along a normal from a to b.
#[derive(Clone, Copy, Debug)]
struct ContactAlong<V> {
    normal: V,
    distance: f64,
}

/// What is known of a contact so far.
#[derive(Clone, Copy, Debug)]
enum State<V> {
    /// It stays, as it was measured or along another normal.
    Stays(ContactAlong<V>),
    /// It is covered, and its turn did not come yet.
    Open,
    /// It is left out, since a contact with this normal implies it; `None` if what covers it leaves it no direction.
    IsLeftOut(Option<V>),
}

/// What becomes of a contact.
enum Fate<V> {
    StaysAsMeasured,
    StaysAlong(ContactAlong<V>),
    IsLeftOut(Option<V>),
}

/// Tells which contacts are left out, and along which normals others are measured anew; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome<V: Vector> {
    /// By contact.
    states: Vec<State<V>>,
    /// What covers one contact.
    obstacles: Vec<Obstacle<V>>,
}

impl<V: Vector> Outcome<V> {
    /// Settles the contacts that are covered, the deepest first: each is left out if one that stays implies it, and
    /// stays otherwise.
    pub(super) fn decide(&mut self, scene: &Scene<'_, V>, surface: &mut Surface<V>) {
        self.states.clear();
        let measured = scene.contacts.iter().map(ContactAlong::measured);
        self.states.extend(measured.map(State::Stays));
        for covered in scene.covered {
            self.states[covered.contact as usize] = State::Open;
        }
        let of_contacts = || (scene.covered).chunk_by(|one, other| one.contact == other.contact);
        for views in of_contacts() {
            if let Some(fate) = self.fate(scene, views) {
                self.settle(scene, views[0].contact, fate, surface);
            }
        }
        // Those for which what covers them leaves no direction, once all others are settled.
        for views in of_contacts() {
            if matches!(self.states[views[0].contact as usize], State::Open) {
                let fate = self.fate(scene, views);
                let fate = fate.unwrap_or_else(|| self.fate_without_direction(scene, views));
                self.settle(scene, views[0].contact, fate, surface);
            }
        }
        self.obstacles.clear();
        heap_sort(&mut surface.instead, |a, b| {
            a.key_of_parts() < b.key_of_parts()
        });
    }

    fn settle(
        &mut self,
        scene: &Scene<'_, V>,
        number: u32,
        fate: Fate<V>,
        surface: &mut Surface<V>,
    ) {
        let place = number as usize;
        let contact = &scene.contacts[place];
        let measured = State::Stays(ContactAlong::measured(contact));
        self.states[place] = match fate {
            Fate::StaysAsMeasured => measured,
            Fate::StaysAlong(plane) => match scene.measured_along(contact, plane.normal) {
                Some(contact) => {
                    surface.ghosts[place] = true;
                    surface.instead.push(contact);
                    State::Stays(plane)
                }
                None => measured,
            },
            Fate::IsLeftOut(by) => {
                surface.ghosts[place] = true;
                State::IsLeftOut(by)
            }
        };
    }

    /// What becomes of a contact. Where each of its bodies that move sees it covered, it is measured along a normal that
    /// what covers it allows, unless one that stays implies it. `None` if there is no such normal.
    fn fate(&mut self, scene: &Scene<'_, V>, views: &[Covered]) -> Option<Fate<V>> {
        let contact = &scene.contacts[views[0].contact as usize];
        let Some(sides) = scene.sides(contact) else {
            return Some(Fate::StaysAsMeasured);
        };
        let slack = sides.touch(contact);
        let distance_along = |normal| sides.along(normal).distance + slack;
        if let Some(normal) = scene.implied(views, &self.states, distance_along) {
            return Some(Fate::IsLeftOut(Some(normal)));
        }
        let slots = [contact.a, contact.b].map_each(|id| id.index());
        let is_seen = |slot: u32| views.iter().any(|view| view.seen_from == slot);
        if (slots.into_iter()).any(|slot| scene.bodies.is_moving(slot as usize) && !is_seen(slot)) {
            return Some(Fate::StaysAsMeasured);
        }
        let normals = views.iter().filter_map(|view| self.freed(scene, view));
        let planes = normals.map(|normal| sides.along(normal));
        let plane = planes.max_by(|p, q| p.distance.total_cmp(&q.distance))?;
        // Parts that are apart may be told to overlap no deeper than the body is in what covers them.
        let deepest = views.iter().flat_map(|view| scene.covers_of(view));
        let deepest = deepest.map(|cover| scene.contacts[cover.by as usize].separation.distance);
        let least = f64::from(deepest.fold(0.0, Real::min)) - slack;
        let is_fit = contact.separation.distance <= 0.0 || plane.distance >= least;
        Some(if is_fit {
            Fate::StaysAlong(plane)
        } else {
            Fate::StaysAsMeasured
        })
    }

    /// What becomes of a contact for which what covers it leaves no direction: what is apart is left out, and what is
    /// implied but for a tilt.
    fn fate_without_direction(&self, scene: &Scene<'_, V>, views: &[Covered]) -> Fate<V> {
        let contact = &scene.contacts[views[0].contact as usize];
        let Some(sides) = scene.sides(contact) else {
            return Fate::StaysAsMeasured;
        };
        let slack = sides.touch(contact) + tolerances::SEAM_TILT * sides.least_size();
        let distance_along = |normal| sides.near(normal) + slack;
        let implied = scene.implied(views, &self.states, distance_along);
        if implied.is_some() || contact.separation.distance >= 0.0 {
            Fate::IsLeftOut(implied)
        } else {
            Fate::StaysAsMeasured
        }
    }

    /// The direction from a to b that what covers a contact allows, as one of its bodies sees it.
    fn freed(&mut self, scene: &Scene<'_, V>, seen: &Covered) -> Option<V> {
        let view = scene.view(seen.seen_from);
        let mut own_size = None;
        let this = view.neighbour(seen.contact, &mut own_size)?;
        self.obstacles.clear();
        for cover in scene.covers_of(seen) {
            let by = view.neighbour(cover.by, &mut own_size)?;
            let settled = match self.states[cover.by as usize] {
                State::Stays(plane) => Some(plane.normal),
                State::IsLeftOut(normal) => normal,
                State::Open => None,
            };
            let settled = settled.map(|normal| view.turned(cover.by, normal));
            (self.obstacles).push(Obstacle::new(cover, by, &this, settled));
        }
        let separation = &scene.contacts[seen.contact as usize].separation;
        let own_part = if view.is_a(seen.contact) {
            separation.part_a
        } else {
            separation.part_b
        };
        let own = view.part(seen.seen_from, own_part)?;
        let normal = freed(&this, &own, &self.obstacles)?;
        Some(view.turned(seen.contact, V::from_precise(normal)))
    }

    /// Gives memory back that the last frames did not need.
    pub(super) fn cut_down(&mut self, need: &Need) {
        cut_down(&mut self.states, need.part_contacts);
        cut_down(&mut self.obstacles, need.covers);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.states) + bytes(&self.obstacles)
    }
}

impl<V: Vector> ContactAlong<V> {
    fn measured(contact: &Contact<V>) -> Self {
        Self {
            normal: contact.separation.normal,
            distance: f64::from(contact.separation.distance),
        }
    }
}

/// The two parts of a contact.
struct TwoParts<V: Vector> {
    a: SurfacePart<V>,
    b: SurfacePart<V>,
    /// Where the bodies are.
    bodies: [V::Precise; 2],
}

impl<V: Vector> TwoParts<V> {
    fn along(&self, normal: V) -> ContactAlong<V> {
        let precise = normal.to_precise();
        ContactAlong {
            normal,
            distance: self.a.distance_along(&self.b, precise),
        }
    }

    /// The greatest of the distances along a normal, and along those of faces that are tilted against it by no more than
    /// what counts as the same.
    fn near(&self, normal: V) -> f64 {
        let normal = normal.to_precise();
        let of_a = self.a.face_towards(normal);
        let of_b = self.b.face_towards(-normal).map(|face| -face);
        let is_near = |face: &V::Precise| (*face - normal).length() <= tolerances::SEAM_TILT;
        let faces = [of_a, of_b].into_iter().flatten().filter(is_near);
        let distances = faces.map(|face| self.a.distance_along(&self.b, face));
        distances.fold(self.a.distance_along(&self.b, normal), f64::max)
    }

    fn least_size(&self) -> f64 {
        self.a.size().min(self.b.size())
    }

    /// How far from a part counts as touching it.
    fn touch(&self, contact: &Contact<V>) -> f64 {
        let point = contact.separation.position_a;
        let rounding = self.bodies.map_each(|body| rounding_of::<V>(body, point));
        touch(self.least_size(), rounding[0].max(rounding[1]))
    }
}

impl<V: Vector> Scene<'_, V> {
    fn sides(&self, contact: &Contact<V>) -> Option<TwoParts<V>> {
        let slots = [contact.a, contact.b].map_each(|id| id.index() as usize);
        let bodies = slots.map_each(|slot| self.bodies.columns.poses[slot].position());
        // The frame of the parts is that of the same body, whichever has the smaller id.
        let [x, y] = bodies.map(|body| (0..V::DIM).map(move |axis| body.component(axis)));
        let origin = bodies[usize::from(y.lt(x))];
        let part = |slot: u32, number| {
            SurfacePart::beside(self.bodies.placed(slot as usize)?, number, origin)
        };
        Some(TwoParts {
            bodies,
            a: part(contact.a.index(), contact.separation.part_a)?,
            b: part(contact.b.index(), contact.separation.part_b)?,
        })
    }

    fn covers_of(&self, covered: &Covered) -> &[Cover<V::Precise>] {
        &self.covers[covered.covers.start as usize..covered.covers.end as usize]
    }

    fn view(&self, slot: u32) -> Observer<'_, V> {
        Observer {
            bodies: self.bodies,
            contacts: self.contacts,
            slot,
        }
    }

    /// The normal of a contact that stays and implies a covered one, from a to b of the covered one: a body that obeys the
    /// one and moves along its normal as far as it asks for is out of the part of the other, too. `distance_along` tells
    /// how far apart the parts of the covered one are along a normal.
    fn implied(
        &self,
        views: &[Covered],
        states: &[State<V>],
        distance_along: impl Fn(V) -> f64,
    ) -> Option<V> {
        let mut last: Option<(V, f64)> = None;
        let mut implies = |covered: &Covered, by: u32| {
            let State::Stays(plane) = states[by as usize] else {
                return None;
            };
            let view = self.view(covered.seen_from);
            let normal = view.turned(covered.contact, view.turned(by, plane.normal));
            let distance = match last {
                Some((of, distance)) if of == normal => distance,
                _ => distance_along(normal),
            };
            last = Some((normal, distance));
            (distance >= plane.distance).then_some(normal)
        };
        views.iter().find_map(|covered| {
            let of_body = self.of_body(covered.seen_from);
            let mut covers = self.covers_of(covered).iter().map(|cover| cover.by);
            if of_body.len() <= FEW {
                of_body.iter().find_map(|&(_, by)| implies(covered, by))
            } else {
                covers.find_map(|by| implies(covered, by))
            }
        })
    }

    fn of_body(&self, slot: u32) -> &[(u32, u32)] {
        let first = self.of_bodies.partition_point(|&(other, _)| other < slot);
        let end = self.of_bodies.partition_point(|&(other, _)| other <= slot);
        &self.of_bodies[first..end]
    }

    /// A contact measured along another normal.
    fn measured_along(&self, contact: &Contact<V>, normal: V) -> Option<Contact<V>> {
        let parts = [contact.separation.part_a, contact.separation.part_b];
        let question = Question {
            a: self.bodies.placed(contact.a.index() as usize)?,
            b: self.bodies.placed(contact.b.index() as usize)?,
            within: 0.0,
        };
        let manifold = part_manifold_along(
            PartQuestion {
                question,
                parts,
                hint: None,
            },
            normal,
        )?;
        Some(Contact {
            separation: manifold.separation,
            ..*contact
        })
    }
}
