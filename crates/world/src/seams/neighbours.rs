//! What a body touches: the parts of others, with the points and the normals of their contacts.

use clearance_gjk::SurfacePart;
use clearance_math::{Aabb, PreciseVector, Real, Vector, tolerances};

use crate::Contact;
use crate::bodies::Bodies;
use crate::columns::bytes;
use crate::reserve::cut_down;

/// Fewer neighbours than this are all looked at.
pub(super) const FEW: usize = 64;

/// How far a direction is followed to see whether it leads into a part, relative to the smaller one of the part and the
/// body: little, so that the surface is flat as far as that.
const LEANING_STEP: f64 = 1.0 / 64.0;

/// A part of another body that the body touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour<V: Vector> {
    /// The place of the contact in the list.
    pub(super) contact: usize,
    slot: usize,
    part: u32,
    /// The body itself, and which of its parts touches.
    own_slot: usize,
    own_part: u32,
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
pub(super) struct Cover<P> {
    /// The place of the neighbour.
    pub(super) by: usize,
    /// How near a point must be to it to count as lying on it.
    pub(super) touch: f64,
    /// The point of the neighbour's surface there.
    on_surface: P,
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
        own_slot: slot as usize,
        own_part: separation.part_a,
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
        visit: &mut dyn FnMut(Cover<V::Precise>),
    ) {
        let neighbours = self.neighbours;
        let this = &neighbours.list[node];
        let at = V::from_precise(point);
        let mut look = |by: usize| {
            if by != node
                && neighbours.boxes[by].contains_point(at)
                && let Some(cover) = self.covers(by, point, this)
            {
                visit(cover);
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

    /// How the neighbour covers the point, if it does.
    fn covers(
        &self,
        by: usize,
        point: V::Precise,
        this: &Neighbour<V>,
    ) -> Option<Cover<V::Precise>> {
        let neighbour = &self.neighbours.list[by];
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
        let on_surface = || {
            // A point inside of the part is moved out of it as the body would be.
            let above = part.reach(neighbour.normal) - at.dot(neighbour.normal);
            if neighbour.depth <= 0.0 || !above.is_finite() {
                return here;
            }
            let outside = at + neighbour.normal * above;
            let nearest = part.closest_point(outside);
            let is_above = (nearest - outside).length() <= touch;
            if is_above { nearest } else { here }
        };
        leans.then(|| Cover {
            by,
            touch,
            on_surface: on_surface(),
        })
    }

    /// The normal nearest to that of a contact that leans into nothing which covers it: freed of what leans into one
    /// after the other. `None` if they leave no direction. `faces` is room to work in.
    pub(super) fn freed(
        &self,
        node: usize,
        covers: &[Cover<V::Precise>],
        normals: &[Option<V::Precise>],
        faces: &mut Vec<Option<V::Precise>>,
    ) -> Option<V::Precise> {
        // Of what covers the contact, the faces that its part stands out of.
        let mut fill = |normal_of: &dyn Fn(usize) -> Option<V::Precise>| {
            faces.clear();
            faces.extend(covers.iter().map(|cover| {
                let face = normal_of(cover.by);
                face.filter(|&normal| self.stands_out(node, cover, normal))
            }));
            self.freed_of(node, covers, faces)
        };
        let freed = fill(&|by| normals[by]);
        if freed.is_some() || covers.iter().all(|cover| normals[cover.by].is_some()) {
            return freed;
        }
        // Where two cover each other, as a floor and a wall may, the faces that were met are known all the same.
        fill(&|by| {
            let measured = self.neighbours.list[by].normal;
            normals[by].or_else(|| self.part(by)?.face_towards(measured))
        })
    }

    /// The same with the faces that the part stands out of, one for each of what covers the contact.
    fn freed_of(
        &self,
        node: usize,
        covers: &[Cover<V::Precise>],
        faces: &[Option<V::Precise>],
    ) -> Option<V::Precise> {
        let leaning = |(cover, face): (&Cover<V::Precise>, &Option<V::Precise>),
                       direction: V::Precise| match *face {
            Some(normal) => normal * direction.dot(normal).min(0.0),
            None => self.leaning(cover, node, direction),
        };
        let mut normal = self.neighbours.list[node].normal;
        for _ in 0..super::MOST_STEPS {
            for cover in covers.iter().zip(faces) {
                normal -= leaning(cover, normal);
            }
        }
        let length = normal.length();
        if length.is_nan() || length <= tolerances::SEAM_TILT {
            return None;
        }
        let normal = normal / length;
        let leans = |cover| leaning(cover, normal).length() > tolerances::SEAM_TILT;
        if covers.iter().zip(faces).any(leans) {
            return None;
        }
        // A triangle has two sides, and its edges do not tell which one the body is on.
        let depth = |normal: V::Precise| {
            Some(self.part(node)?.reach(normal) + self.own(node)?.reach(-normal))
        };
        let is_behind = depth(-normal) < depth(normal);
        Some(if is_behind { -normal } else { normal })
    }

    /// The body's own part in a contact.
    fn own(&self, node: usize) -> Option<SurfacePart<'a, V>> {
        let Neighbour {
            own_slot, own_part, ..
        } = self.neighbours.list[node];
        SurfacePart::new(self.bodies.placed(own_slot)?, own_part)
    }

    /// Whether the part of a contact stands out of the face of a neighbour, as a wall does of a floor: then it may push
    /// along that face. The surface of a part that does not is continued by the neighbour.
    fn stands_out(&self, node: usize, cover: &Cover<V::Precise>, normal: V::Precise) -> bool {
        let Some(own) = self.part(node) else {
            return false;
        };
        let radius = self.leaning_radius(node, cover);
        let from = own.closest_point(cover.on_surface);
        let nearest = own.closest_point(from + normal * radius);
        (nearest - from).length() > tolerances::SEAM_TILT * radius
    }

    fn leaning_radius(&self, node: usize, cover: &Cover<V::Precise>) -> f64 {
        let Neighbour { own_size, .. } = self.neighbours.list[node];
        LEANING_STEP * self.neighbours.list[cover.by].size.min(own_size)
    }

    /// What of a direction leads into a neighbour from the point of its surface: the projection of the direction onto
    /// the cone of those that do.
    fn leaning(&self, cover: &Cover<V::Precise>, node: usize, direction: V::Precise) -> V::Precise {
        let radius = self.leaning_radius(node, cover);
        let Some(part) = self.part(cover.by) else {
            return V::Precise::ZERO;
        };
        let nearest = part.closest_point(cover.on_surface + direction * radius);
        (nearest - cover.on_surface) / radius
    }
}

/// How near a point must be to a part of this size to count as lying on its surface.
pub(super) fn touch<P: PreciseVector>(size: f64, point: P) -> f64 {
    tolerances::SEAM_TOUCH * size + tolerances::SEAM_ROUNDING * point.length()
}
