//! What a body touches: the parts of others, with the points and the normals of their contacts.

use clearance_gjk::SurfacePart;
use clearance_math::{Aabb, PreciseVector, Real, Vector, tolerances};

use crate::bodies::Bodies;
use crate::columns::bytes;
use crate::reserve::cut_down;
use crate::seams::Covered;
use crate::{Contact, Kind};

/// Fewer neighbours than this are all looked at.
const FEW: usize = 64;

/// A part of another body that the body touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour<V: Vector> {
    /// The place of the contact in the list.
    pub(super) contact: usize,
    slot: usize,
    part: u32,
    /// The contact point on the part's surface.
    pub(super) point: V::Precise,
    /// The normal from the part to the body.
    pub(super) normal: V::Precise,
    /// How deep the body is in the part; 0 if they are apart.
    pub(super) depth: f64,
    /// How far the part reaches from its middle.
    size: f64,
    /// The same of the body's own part that touches it.
    own_size: f64,
}

/// A neighbour that covers a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cover {
    /// The place of the neighbour.
    pub(super) by: usize,
    /// How near a point must be to it to count as lying on it.
    pub(super) touch: f64,
}

/// The neighbours of one body; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours<V: Vector> {
    list: Vec<Neighbour<V>>,
    /// Boxes around the parts and all points that they may cover.
    boxes: Vec<Aabb<V>>,
    /// Their places in the order of where their boxes begin along an axis; those without a beginning first. Empty if
    /// there are few.
    order: Vec<u32>,
    axis: usize,
    /// How many have no beginning or no end.
    endless: usize,
    /// The greatest length of the boxes along the axis.
    longest: Real,
}

/// The neighbours of a body among all bodies.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a, V: Vector> {
    neighbours: &'a Neighbours<V>,
    bodies: &'a Bodies<V>,
}

impl<V: Vector> Neighbours<V> {
    /// Becomes the neighbours of a body. `of_body` has its slot, again and again, each with the place of a contact.
    pub(super) fn fill(
        &mut self,
        bodies: &Bodies<V>,
        contacts: &[Contact<V>],
        of_body: &[(u32, u32)],
    ) {
        self.list.clear();
        self.boxes.clear();
        self.order.clear();
        if have_equal_normals(contacts, of_body) {
            return;
        }
        let mut own = None;
        for &(slot, place) in of_body {
            let place = place as usize;
            let seen = neighbour(bodies, &contacts[place], (slot, place), &mut own);
            if let Some((neighbour, bounds)) = seen {
                self.list.push(neighbour);
                self.boxes.push(bounds);
            }
        }
        if self.list.len() > FEW {
            self.sort();
        }
    }

    fn sort(&mut self) {
        let points = self.list.iter().map(|neighbour| neighbour.point);
        let (mut min, mut max) = (
            V::Precise::splat(f64::INFINITY),
            V::Precise::splat(f64::NEG_INFINITY),
        );
        for point in points {
            (min, max) = (min.min(point), max.max(point));
        }
        let spread = |axis: usize| (max - min).component(axis);
        let widest = (0..V::DIM).max_by(|&a, &b| spread(a).total_cmp(&spread(b)));
        self.axis = widest.unwrap_or(0);
        self.order.extend(0..self.list.len() as u32);
        let (boxes, axis) = (&self.boxes, self.axis);
        let is_bounded = |place: u32| {
            let bounds = &boxes[place as usize];
            bounds.min.component(axis).is_finite() && bounds.max.component(axis).is_finite()
        };
        self.order.sort_unstable_by(|&a, &b| {
            let begin = |place: u32| boxes[place as usize].min.component(axis);
            let begins = begin(a).total_cmp(&begin(b)).then(a.cmp(&b));
            is_bounded(a).cmp(&is_bounded(b)).then(begins)
        });
        self.endless = self.order.partition_point(|&place| !is_bounded(place));
        let lengths = self.order[self.endless..].iter().map(|&place| {
            let bounds = &boxes[place as usize];
            bounds.max.component(axis) - bounds.min.component(axis)
        });
        self.longest = lengths.fold(0.0, Real::max);
    }

    pub(super) fn among<'a>(&'a self, bodies: &'a Bodies<V>) -> Surroundings<'a, V> {
        Surroundings {
            neighbours: self,
            bodies,
        }
    }

    /// Gives memory back that is not needed for so many contacts.
    pub(super) fn cut_down(&mut self, contacts: usize) {
        cut_down(&mut self.list, contacts);
        cut_down(&mut self.boxes, contacts);
        cut_down(&mut self.order, contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.list) + bytes(&self.boxes) + bytes(&self.order)
    }
}

/// Whether all normals point in one direction: then none can be replaced by another one.
fn have_equal_normals<V: Vector>(contacts: &[Contact<V>], of_body: &[(u32, u32)]) -> bool {
    let normal = |&(slot, place): &(u32, u32)| {
        let contact = &contacts[place as usize];
        let normal = contact.separation.normal;
        if contact.a.index() == slot {
            normal
        } else {
            -normal
        }
    };
    let mut normals = of_body.iter().map(normal);
    let first = normals.next();
    normals.all(|normal| first == Some(normal))
}

/// The size of one part of the body, whose number comes first.
type OwnSize = Option<(u32, f64)>;

/// The other side of a contact as the body in `slot` sees it.
fn neighbour<V: Vector>(
    bodies: &Bodies<V>,
    contact: &Contact<V>,
    (slot, place): (u32, usize),
    own: &mut OwnSize,
) -> Option<(Neighbour<V>, Aabb<V>)> {
    let is_a = contact.a.index() == slot;
    let separation = if is_a {
        contact.separation
    } else {
        contact.separation.flipped()
    };
    let other = if is_a { contact.b } else { contact.a }.index() as usize;
    let own_size = match *own {
        Some((number, size)) if number == separation.part_a => size,
        _ => {
            let placed = bodies.placed(slot as usize)?;
            let size = SurfacePart::new(placed, separation.part_a)?.size();
            *own = Some((separation.part_a, size));
            size
        }
    };
    let part = SurfacePart::new(bodies.placed(other)?, separation.part_b)?;
    let depth = f64::from(-separation.distance).max(0.0);
    let (point, size) = (separation.point_b.to_precise(), part.size());
    // Twice as much, since the points that are looked at are others.
    let bounds = part.bounds_within(depth + 2.0 * touch(size, point));
    let neighbour = Neighbour {
        contact: place,
        slot: other,
        part: separation.part_b,
        point,
        normal: -separation.normal.to_precise(),
        depth,
        size,
        own_size,
    };
    Some((neighbour, bounds))
}

impl<'a, V: Vector> Surroundings<'a, V> {
    /// In the order of the contacts.
    pub(super) fn neighbours(&self) -> &'a [Neighbour<V>] {
        &self.neighbours.list
    }

    /// The part that the body touches in a contact.
    pub(super) fn part(&self, node: usize) -> Option<SurfacePart<'a, V>> {
        let Neighbour { slot, part, .. } = self.neighbours.list[node];
        SurfacePart::new(self.bodies.placed(slot)?, part)
    }

    /// What takes the place of a contact that another neighbour covers: for the body the contact with that one, and for
    /// the part that is covered, if its body moves, the contact that it has with that one, if there is any.
    pub(super) fn covered(&self, node: usize, by: usize, contacts: &[Contact<V>]) -> Covered {
        let [this, cover] = [node, by].map(|place| &self.neighbours.list[place]);
        let beside = || {
            let (a, b) = if this.slot < cover.slot {
                (this, cover)
            } else {
                (cover, this)
            };
            let key = (a.slot as u32, b.slot as u32, a.part, b.part);
            contacts.binary_search_by_key(&key, |contact| {
                let separation = &contact.separation;
                let [a, b] = [contact.a, contact.b].map(|id| id.index());
                (a, b, separation.part_a, separation.part_b)
            })
        };
        let is_moving = self.bodies.kind(this.slot) == Some(Kind::Moving);
        let beside = is_moving.then(beside).and_then(Result::ok);
        Covered {
            contact: this.contact as u32,
            instead: [cover.contact, beside.unwrap_or(cover.contact)].map(|place| place as u32),
        }
    }

    /// Visits the neighbours that cover a point of the surface of one of them: few in the order of the contacts, many in
    /// that of their places.
    ///
    /// A neighbour covers the point p with the normal n if it is at p, up to the `touch`, and if its surface
    /// leans towards the normal there: if the point of it that is nearest to p + r n is farther from that nearest
    /// to p than r sin(tilt). For a part that is convex, and flat around p, that is the projection of n onto the
    /// cone of all directions from p into the part. The length r is of the order of the smaller one of the part and
    /// the body.
    pub(super) fn for_each_that_covers(
        &self,
        point: V::Precise,
        node: usize,
        visit: &mut dyn FnMut(Cover),
    ) {
        let neighbours = self.neighbours;
        let this = &neighbours.list[node];
        let at = V::from_precise(point);
        let mut look = |by: usize| {
            if by != node
                && neighbours.boxes[by].contains_point(at)
                && let Some(touch) = self.covers(by, point, this)
            {
                visit(Cover { by, touch });
            }
        };
        if neighbours.order.is_empty() {
            (0..neighbours.list.len()).for_each(look);
            return;
        }
        let axis = neighbours.axis;
        let begin = |place: &u32| neighbours.boxes[*place as usize].min.component(axis);
        let (endless, bounded) = neighbours.order.split_at(neighbours.endless);
        let at = at.component(axis);
        let first = (at - neighbours.longest).next_down();
        let start = bounded.partition_point(|place| begin(place) < first);
        let end = bounded.partition_point(|place| begin(place) <= at);
        let near = endless.iter().chain(&bounded[start.min(end)..end]);
        near.for_each(|&place| look(place as usize));
    }

    /// How near the point must be to the neighbour to lie on it, if the neighbour covers the point.
    fn covers(&self, by: usize, point: V::Precise, this: &Neighbour<V>) -> Option<f64> {
        let neighbour = &self.neighbours.list[by];
        let difference = neighbour.normal - this.normal;
        if difference.dot(difference) <= tolerances::SEAM_EQUAL_NORMALS {
            return None;
        }
        let radius = neighbour.size.min(this.own_size);
        let touch = touch(radius, point);
        if !(radius > 0.0 && radius.is_finite()) {
            return None;
        }
        let part = self.part(by)?;
        // Where the body is in a triangle, the triangle stands for all that is behind it as deep.
        let behind = (neighbour.point - point).dot(neighbour.normal);
        let is_behind = behind > 0.0 && behind <= neighbour.depth + touch;
        let on_plane = is_behind.then(|| point + neighbour.normal * behind);
        let candidates = [Some(point), on_plane].into_iter().flatten();
        let mut touched = candidates.map(|at| (at, part.closest_point(at)));
        let (at, here) = touched.find(|(at, here)| (*here - *at).length() <= touch)?;
        let towards = part.closest_point(at + this.normal * radius);
        let leans = (towards - here).length() > tolerances::SEAM_TILT * radius;
        leans.then_some(touch)
    }
}

/// How near a point must be to a part of this size to count as lying on its surface.
fn touch<P: PreciseVector>(size: f64, point: P) -> f64 {
    tolerances::SEAM_TOUCH * size + tolerances::SEAM_ROUNDING * point.length()
}
