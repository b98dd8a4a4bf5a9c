//! What a body touches: the parts of others, with the points and the normals of their contacts.

use clearance_gjk::internal::SurfacePart;
use clearance_math::{Aabb, PreciseVector, Vector, tolerances};
use clearance_tree::internal::nodes_mut;
use clearance_tree::{BuildScratch, BuildTools, Tree, Workers};

use crate::Contact;
use crate::bodies::Bodies;
use crate::reserve::{SPARE, bytes, cut_down, is_far_more};

/// So many neighbours are looked at one by one; of more, a tree tells which are near.
pub(super) const FEW: usize = 64;

/// How often a point is moved away from what covers it: once for each of the walls of a corner.
pub(super) const MOST_STEPS: usize = 3;

/// A part of another body that the body touches.
#[derive(Clone, Debug)]
pub(super) struct Neighbour<V: Vector> {
    /// The place of the contact in the list.
    pub(super) contact: u32,
    pub(super) part: SurfacePart<V>,
    /// The contact point on the part's surface, in the frame of who sees it.
    point: V::Precise,
    /// How far it may be from where it was meant to be.
    rounding: f64,
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
    /// The contact with that neighbour.
    pub(super) by: u32,
    /// The point, or that before it on the plane of the neighbour's contact.
    pub(super) at: P,
    /// How near a point must be to the neighbour to count as lying on it.
    pub(super) touch: f64,
}

/// The neighbours of one body; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours<V: Vector> {
    list: Vec<Neighbour<V>>,
    /// Boxes around the parts and all points that they may cover.
    boxes: Vec<Aabb<V>>,
    /// Those that are looked at one by one: all if they are few, and those without an end.
    one_by_one: Vec<u32>,
    /// All others.
    tree: Tree<V>,
    scratch: BuildScratch<V>,
}

/// A body that looks at its contacts.
#[derive(Clone, Copy)]
pub(super) struct Observer<'a, V: Vector> {
    pub(super) bodies: &'a Bodies<V>,
    pub(super) contacts: &'a [Contact<V>],
    pub(super) slot: u32,
}

impl<V: Vector> Neighbours<V> {
    /// Becomes the neighbours of a body. `of_body` has its slot, again and again, each with the place of a contact.
    pub(super) fn fill(&mut self, view: Observer<'_, V>, of_body: &[(u32, u32)]) {
        self.clear();
        if view.has_equal_normals(of_body) {
            return;
        }
        let mut own = None;
        let seen = of_body
            .iter()
            .filter_map(|&(_, contact)| view.neighbour(contact, &mut own));
        self.list.extend(seen);
        let are_few = self.list.len() <= FEW;
        for (place, neighbour) in (0..).zip(&self.list) {
            let bounds = neighbour.bounds();
            self.boxes.push(bounds);
            if are_few || !bounds.is_finite() {
                self.one_by_one.push(place);
            } else {
                self.scratch.add(place, bounds);
            }
        }
        self.tree.rebuild(BuildTools {
            scratch: &mut self.scratch,
            workers: &Workers::alone(),
        });
    }

    /// Forgets all, and with them the shapes that they hold.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.boxes.clear();
        self.one_by_one.clear();
        self.scratch.start(0);
    }

    /// In the order of the contacts.
    pub(super) fn list(&self) -> &[Neighbour<V>] {
        &self.list
    }

    /// Finds what covers a contact of the body, and says whether it is covered. It is not, but one of the surface that
    /// all parts make together, if no other part covers its point, or none a point of the same face beside it.
    pub(super) fn find_covers(&self, node: usize, covers: &mut Vec<Cover<V::Precise>>) -> bool {
        let this = &self.list[node];
        let normal = this.normal;
        let mut at = this.point;
        for _ in 0..=MOST_STEPS {
            let (mut away, mut touch) = (V::Precise::ZERO, 0.0_f64);
            let mut is_covered = false;
            self.for_each_at(at, &mut |place| {
                let by = &self.list[place];
                if place != node
                    && let Some(cover) = by.covers(at, this)
                {
                    is_covered = true;
                    touch = touch.max(cover.touch);
                    // As far as it takes to come out of what covers it, and a little farther.
                    away += by.normal * (by.depth + tolerances::SEAM_STEP * cover.touch);
                    covers.push(cover);
                }
            });
            if !is_covered {
                return false;
            }
            // A point that was rounded may be inside of the part: from outside, the nearest point is on the surface.
            let outside = this.rounding;
            let on_surface = this.part.closest_point(at + normal * outside);
            let beside = this.part.closest_point(on_surface + away);
            let (step, length) = (beside - on_surface, (beside - on_surface).length());
            let is_same_face = step.dot(normal).abs() <= tolerances::SEAM_TILT * length;
            if !(is_same_face && length > touch && this.is_of_face()) {
                return true;
            }
            at = beside;
        }
        true
    }

    /// Visits the places of the neighbours whose boxes hold a point.
    fn for_each_at(&self, point: V::Precise, visit: &mut dyn FnMut(usize)) {
        let at = V::from_precise(point);
        for &place in &self.one_by_one {
            if self.boxes[place as usize].contains_point(at) {
                visit(place as usize);
            }
        }
        (self.tree).query_box(&Aabb::new(at, at), &mut |place| visit(place as usize));
    }

    /// Gives memory back that is not needed for so many contacts.
    pub(super) fn cut_down(&mut self, contacts: usize) {
        if is_far_more(self.boxes.capacity(), contacts) {
            self.scratch.shrink_to(SPARE * contacts);
        }
        cut_down(&mut self.list, contacts);
        cut_down(&mut self.boxes, contacts);
        cut_down(&mut self.one_by_one, contacts);
        cut_down(nodes_mut(&mut self.tree), contacts);
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        bytes(&self.list)
            + bytes(&self.boxes)
            + bytes(&self.one_by_one)
            + self.tree.memory()
            + self.scratch.memory()
    }
}

/// The size of one part of the body, whose number comes first.
type OwnSize = Option<(u32, f64)>;

impl<V: Vector> Observer<'_, V> {
    /// Whether all normals point in one direction: then none can be replaced by another one.
    fn has_equal_normals(&self, of_body: &[(u32, u32)]) -> bool {
        let normal = |&(_, contact): &(u32, u32)| {
            self.turned(contact, self.contacts[contact as usize].separation.normal)
        };
        let mut normals = of_body.iter().map(normal);
        let first = normals.next();
        normals.all(|normal| first == Some(normal))
    }

    /// Whether the body is the first one of a contact.
    pub(super) fn is_a(&self, contact: u32) -> bool {
        self.contacts[contact as usize].a.index() == self.slot
    }

    /// A normal of a contact from a to b, turned to point to the body; and the other way round.
    pub(super) fn turned(&self, contact: u32, normal: V) -> V {
        if self.is_a(contact) { -normal } else { normal }
    }

    /// Where the body is: the origin of the frame in which it sees its neighbours.
    fn origin(&self) -> V::Precise {
        self.position(self.slot)
    }

    fn position(&self, slot: u32) -> V::Precise {
        self.bodies.columns.poses[slot as usize].position()
    }

    /// A part of a body, in the frame of this one.
    pub(super) fn part(&self, slot: u32, number: u32) -> Option<SurfacePart<V>> {
        SurfacePart::beside(self.bodies.placed(slot as usize)?, number, self.origin())
    }

    /// The other side of a contact of the body.
    pub(super) fn neighbour(&self, number: u32, own: &mut OwnSize) -> Option<Neighbour<V>> {
        let contact = &self.contacts[number as usize];
        let (separation, other) = if contact.a.index() == self.slot {
            (contact.separation, contact.b)
        } else {
            (contact.separation.flipped(), contact.a)
        };
        let own_size = match *own {
            Some((number, size)) if number == separation.part_a => size,
            _ => self.part(self.slot, separation.part_a)?.size(),
        };
        *own = Some((separation.part_a, own_size));
        let part = self.part(other.index(), separation.part_b)?;
        Some(Neighbour {
            contact: number,
            point: separation.position_b - self.origin(),
            rounding: rounding_of::<V>(self.position(other.index()), separation.position_b),
            normal: -separation.normal.to_precise(),
            depth: f64::from(-separation.distance).max(0.0),
            size: part.size(),
            own_size,
            part,
        })
    }
}

impl<V: Vector> Neighbour<V> {
    /// A box around the part and all points that it may cover.
    fn bounds(&self) -> Aabb<V> {
        // Twice as much, since the points that are looked at are others, and may be off by more.
        let touch = 2.0 * touch(self.size, f64::INFINITY);
        self.part.bounds_within(self.depth + touch)
    }

    /// Whether the normal is that of a face, or of a curved surface: an edge beside a face has others.
    fn is_of_face(&self) -> bool {
        let face = self.part.face_towards(self.normal);
        face.is_none_or(|face| (face - self.normal).length() <= tolerances::SEAM_TILT)
    }

    /// How the neighbour covers a point of the surface of another one, if it does.
    ///
    /// It covers the point p with the normal n if it is at p, up to the `touch`, and if its surface
    /// leans towards the normal there: if the point of it that is nearest to p + r n is farther from that nearest
    /// to p than r sin(tilt). For a part that is convex, and flat around p, that is the projection of n onto the
    /// cone of all directions from p into the part. The length r is of the order of the smaller one of the part and
    /// the body.
    fn covers(&self, point: V::Precise, other: &Self) -> Option<Cover<V::Precise>> {
        let radius = self.size_beside(other);
        let touch = touch(radius, self.rounding.max(other.rounding));
        if !(radius > 0.0 && radius.is_finite()) {
            return None;
        }
        // Where the body is in a triangle, the triangle stands for all that is behind it as deep.
        let behind = (self.point - point).dot(self.normal);
        let is_behind = behind > 0.0 && behind <= self.depth + touch;
        let on_plane = is_behind.then(|| point + self.normal * behind);
        let candidates = [Some(point), on_plane].into_iter().flatten();
        let mut touched = candidates.map(|at| (at, self.part.closest_point(at)));
        let (at, here) = touched.find(|(at, here)| (*here - *at).length() <= touch)?;
        let towards = self.part.closest_point(at + other.normal * radius);
        let leans = (towards - here).length() > tolerances::SEAM_TILT * radius;
        leans.then_some(Cover {
            by: self.contact,
            at,
            touch,
        })
    }

    /// The size of the smaller one of the part and the body's own part in another contact.
    pub(super) fn size_beside(&self, other: &Self) -> f64 {
        self.size.min(other.own_size)
    }
}

/// How near a point must be to a part of this size to count as lying on its surface, where both are off by `rounding`.
pub(super) fn touch(size: f64, rounding: f64) -> f64 {
    tolerances::SEAM_TOUCH * size + rounding.min(tolerances::SEAM_MOST_ROUNDING * size)
}

/// How far a point of a body may be from where it was meant to be: vertices are in single precision, and so are the
/// positions that most games give.
pub(super) fn rounding_of<V: Vector>(body: V::Precise, point: V::Precise) -> f64 {
    let is_single = V::from_precise(body).to_precise() == body;
    let given = if is_single { body.length() } else { 0.0 };
    tolerances::SEAM_ROUNDING * ((point - body).length() + given)
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use clearance_math::{Pose, Real, Vec3};
    use clearance_shapes::{CompoundPart, Shape};

    use super::*;
    use crate::{Body, Options, World};

    /// Balls on a grid of so many along each axis, every other one of them moved a little.
    fn balls(side: usize, moved: Real) -> Body<Vec3> {
        let ball = Shape::ball(0.6).unwrap();
        let part = |k: usize| {
            let at = Vec3::new(
                (k % side) as Real,
                (k / side % side) as Real,
                (k / side / side) as Real,
            );
            let wave = Vec3::new(at.y.sin(), at.z.sin(), at.x.sin()) * 0.3;
            CompoundPart {
                shape: ball.clone(),
                pose: Pose::from_translation(at + wave + Vec3::splat(moved)),
            }
        };
        let parts: Vec<_> = (0..side * side * side).map(part).collect();
        Body::moving(Shape::compound(parts).unwrap(), Pose::IDENTITY)
    }

    /// The neighbours of one of two bodies that overlap, and how many nodes are looked at to find those at one of their
    /// points, on average.
    fn nodes_looked_at(side: usize) -> (usize, usize) {
        let mut world = World::<Vec3>::new(Options {
            surface_contacts: true,
            ..Options::default()
        })
        .unwrap();
        let id = world.insert(balls(side, 0.0)).unwrap();
        world.insert(balls(side, 0.3)).unwrap();
        world.step(0.0).unwrap();
        let contacts = &world.report.parts.list;
        let view = Observer {
            bodies: &world.bodies,
            contacts,
            slot: id.index(),
        };
        let of_body: Vec<_> = (0..contacts.len() as u32).map(|k| (view.slot, k)).collect();
        let mut neighbours = Neighbours::default();
        neighbours.fill(view, &of_body);
        assert!(neighbours.one_by_one.is_empty());
        let looked_at = Cell::new(0);
        for neighbour in neighbours.list() {
            let at = Vec3::from_precise(neighbour.point);
            let all_lanes = |_: u32| {
                looked_at.set(looked_at.get() + 1);
                u32::MAX
            };
            (neighbours.tree).query_box_masked(&Aabb::new(at, at), &all_lanes, &mut |_| {});
        }
        let count = neighbours.list().len();
        (count, looked_at.get() / count)
    }

    #[test]
    fn what_covers_a_point_is_found_in_the_logarithm_of_the_neighbours() {
        let (few, nodes) = nodes_looked_at(4);
        let (many, more_nodes) = nodes_looked_at(14);
        assert!(many > 40 * few, "{few} {many}");
        assert!(more_nodes <= 2 * nodes, "{nodes} {more_nodes}");
    }
}
