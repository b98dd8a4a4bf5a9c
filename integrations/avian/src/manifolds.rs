//! From Clearance's manifolds to those of Avian.

use avian3d::collision::contact_types::PackedFeatureId;
use avian3d::prelude::{ContactManifold, ContactPoint};
use bevy::prelude::*;
use clearance::dim3::{
    Body, Feature, Manifold, ManifoldPoint, Options, Placed, Question, Separation, Shape, World,
    contact_manifold,
};
use clearance::gjk::internal::{PartQuestion, part_manifold_along};

/// Normals that differ by less are one: the surface of a flat floor has a normal that is right up to this.
const SAME_NORMAL: f32 = 1e-3;

/// How near to each other points are one, in bounding radii of the smaller collider.
const SAME_POINT: f64 = 1e-3;

/// Codes of features have 30 bits; the last one says whose they are.
const CODE_BITS: u32 = 29;

/// Two colliders, and how far apart their contact points may be.
pub(crate) struct Pair<'a> {
    pub(crate) a: Placed<'a>,
    pub(crate) b: Placed<'a>,
    pub(crate) within: f32,
}

/// Replaces the contents of `found` by the manifolds of two colliders, one for each normal.
///
/// Parts of composites that touch with one normal, such as the triangles of a flat floor, give one manifold. Avian keeps four
/// points of it, and warm starts only pairs with at most four manifolds.
pub(crate) fn find(pair: &Pair<'_>, found: &mut Vec<ContactManifold>) -> Result {
    found.clear();
    let is_composite = |placed: &Placed<'_>| matches!(placed.shape, Shape::Composite(_));
    if is_composite(&pair.a) || is_composite(&pair.b) {
        return pair.of_surfaces(found);
    }
    if let Some(manifold) = contact_manifold(pair.a, pair.b, pair.within)? {
        pair.add(&manifold, |_| true, found);
    }
    Ok(())
}

impl Pair<'_> {
    /// A world of these two tells the contacts of the surface from the ghosts at its seams.
    fn of_surfaces(&self, found: &mut Vec<ContactManifold>) -> Result {
        let mut world = World::new(Options {
            margin: self.within,
            surface_contacts: true,
            manifolds: true,
            ..Options::default()
        })?;
        for placed in [&self.a, &self.b] {
            world.insert(Body::moving(placed.shape.clone(), *placed.pose))?;
        }
        world.step(0.0)?;
        let kept: Vec<_> = world.manifolds().collect();
        for kept in &kept {
            self.add(&kept.manifold, |_| true, found);
        }
        let normals: Vec<Vec3> = found.iter().map(|manifold| manifold.normal).collect();
        let parts = |separation: &Separation| (separation.part_a, separation.part_b);
        for contact in world.part_contacts() {
            let ghost = &contact.separation;
            let place =
                kept.binary_search_by_key(&parts(ghost), |kept| parts(&kept.manifold.separation));
            if place.is_err() {
                self.add_support(ghost, &normals, found);
            }
        }
        Ok(())
    }

    /// Adds the points of a part whose contact is a ghost, along that normal of the surface along which it is least deep.
    ///
    /// Without them a box that leans a little on a floor of triangles would rest on the triangle of its deepest corner alone, and
    /// tumble from corner to corner: a ghost says nothing new about how far apart bodies must be, but it does about where they
    /// touch.
    fn add_support(&self, ghost: &Separation, normals: &[Vec3], found: &mut Vec<ContactManifold>) {
        let question = Question {
            a: self.a,
            b: self.b,
            within: self.within,
        };
        let parts = PartQuestion {
            question,
            parts: [ghost.part_a, ghost.part_b],
            hint: None,
        };
        let along = |&normal: &Vec3| part_manifold_along(parts, normal);
        let depth = |manifold: &Manifold| manifold.separation.distance;
        let manifolds = normals.iter().filter_map(along);
        let Some(manifold) = manifolds.max_by(|p, q| depth(p).total_cmp(&depth(q))) else {
            return;
        };
        // Of parts that are beside each other along the normal, no point is on both.
        let is_on_both =
            |point: &ManifoldPoint| ghost.distance <= point.distance + self.least_gap();
        self.add(&manifold, is_on_both, found);
    }

    /// Adds points to the manifold with their normal, or a manifold for them.
    fn add(
        &self,
        manifold: &Manifold,
        counts: impl Fn(&ManifoldPoint) -> bool,
        found: &mut Vec<ContactManifold>,
    ) {
        let normal = manifold.normal();
        let points = manifold.points().iter().filter(|&point| counts(point));
        let points = points.map(|point| self.contact_point(manifold, point));
        let is_same = |other: &&mut ContactManifold| other.normal.distance(normal) < SAME_NORMAL;
        let Some(known) = found.iter_mut().find(is_same) else {
            found.push(ContactManifold::new(points, normal));
            return;
        };
        let gap = self.least_gap();
        for point in points {
            let is_near = |other: &ContactPoint| other.anchor1.distance(point.anchor1) < gap;
            if !known.points.iter().any(is_near) {
                known.points.push(point);
            }
        }
    }

    /// Points that are nearer to each other are one.
    fn least_gap(&self) -> f32 {
        let [a, b] = [&self.a, &self.b].map(|placed| placed.shape.bounding_radius());
        (SAME_POINT * a.min(b)) as f32
    }

    /// The point in the middle between both surfaces, as Avian wants it.
    fn contact_point(&self, manifold: &Manifold, point: &ManifoldPoint) -> ContactPoint {
        let middle = point.position_a.midpoint(point.position_b);
        let anchor = |placed: &Placed<'_>| (middle - placed.pose.position()).as_vec3();
        let parts = &manifold.separation;
        ContactPoint::new(
            anchor(&self.a),
            anchor(&self.b),
            middle.as_vec3(),
            -point.distance,
        )
        .with_feature_ids(
            packed(point.feature_a, parts.part_a),
            PackedFeatureId(packed(point.feature_b, parts.part_b).0 | 1 << CODE_BITS),
        )
    }
}

/// The feature of a part as one number.
///
/// Numbers of features fill the bits from below and those of parts from above, so that they meet only where both are large.
/// Points with equal features then only start with each other's impulses.
fn packed(feature: Feature, part: u32) -> PackedFeatureId {
    let code = |number: u32| {
        let part = part.reverse_bits() >> (u32::BITS - CODE_BITS);
        (number ^ part) & ((1 << CODE_BITS) - 1)
    };
    match feature {
        Feature::Corner(number) => PackedFeatureId::vertex(code(number)),
        Feature::Edge(number) => PackedFeatureId::edge(code(number)),
        Feature::Face(number) => PackedFeatureId::face(code(number)),
    }
}
