//! Directions that what covers a contact allows.

use clearance_gjk::internal::SurfacePart;
use clearance_math::{PreciseVector, Vector, tolerances};

use super::neighbours::{Cover, MOST_STEPS, Neighbour};

/// How far a direction is followed to see whether it leads into a part, relative to the smaller one of the part and the
/// body: little, so that the surface is flat as far as that.
const LEANING_STEP: f64 = 1.0 / 64.0;

/// What covers a contact.
#[derive(Clone, Debug)]
pub(super) struct Obstacle<V: Vector> {
    part: SurfacePart<V>,
    /// The point of its surface there.
    at: V::Precise,
    /// How far a direction is followed from there.
    radius: f64,
    /// The normal of the face there that the part of the contact stands out of. A part that stands out of the face of
    /// another one, as a wall does of a floor, may push along that face. The surface of a part that does not is continued
    /// by the other one.
    face: Option<V::Precise>,
}

impl<V: Vector> Obstacle<V> {
    /// What covers `this`. `settled` is the normal of the neighbour's contact, if that is settled.
    pub(super) fn new(
        cover: &Cover<V::Precise>,
        by: Neighbour<V>,
        this: &Neighbour<V>,
        settled: Option<V>,
    ) -> Self {
        let settled = settled.map(V::to_precise);
        let along = settled.unwrap_or(by.normal);
        let face = by.part.face_towards(along).or(settled);
        let radius = LEANING_STEP * by.size_beside(this);
        let exposed = |normal: V::Precise| {
            let at = surface_point(&by, cover, normal);
            let from = this.part.closest_point(at);
            let nearest = this.part.closest_point(from + normal * radius);
            let stands_out = (nearest - from).length() > tolerances::SEAM_TILT * radius;
            stands_out.then_some((at, normal))
        };
        let at = surface_point(&by, cover, face.unwrap_or(along));
        let beyond = at + this.normal * (tolerances::SEAM_STEP * cover.touch);
        let way_out = || by.part.way_out(beyond);
        let exposed = (face.and_then(exposed)).or_else(|| way_out().and_then(exposed));
        Self {
            at: exposed.map_or(at, |(at, _)| at),
            face: exposed.map(|(_, normal)| normal),
            radius,
            part: by.part,
        }
    }

    /// What of a direction leads into the obstacle: the projection of the direction onto
    /// the cone of those that do.
    fn leaning(&self, direction: V::Precise) -> V::Precise {
        if let Some(normal) = self.face {
            return normal * direction.dot(normal).min(0.0);
        }
        let nearest = (self.part).closest_point(self.at + direction * self.radius);
        (nearest - self.at) / self.radius
    }
}

/// The normal nearest to that of a contact that leans into nothing which covers it: freed of what leans into one
/// after the other. `None` if they leave no direction. `own` is the body's own part in the contact.
pub(super) fn freed<V: Vector>(
    this: &Neighbour<V>,
    own: &SurfacePart<V>,
    obstacles: &[Obstacle<V>],
) -> Option<V::Precise> {
    let found = freed_of(this.normal, obstacles);
    // A triangle has two sides, and its edges do not tell which one the body is on.
    let depth = |normal: V::Precise| this.part.reach(normal) + own.reach(-normal);
    found.map(|normal| {
        if depth(-normal) < depth(normal) {
            -normal
        } else {
            normal
        }
    })
}

fn freed_of<V: Vector>(mut normal: V::Precise, obstacles: &[Obstacle<V>]) -> Option<V::Precise> {
    for _ in 0..MOST_STEPS {
        for obstacle in obstacles {
            normal -= obstacle.leaning(normal);
        }
    }
    let length = normal.length();
    if length.is_nan() || length <= tolerances::SEAM_TILT {
        return None;
    }
    let normal = normal / length;
    let leans = |obstacle: &Obstacle<V>| obstacle.leaning(normal).length() > tolerances::SEAM_TILT;
    (!obstacles.iter().any(leans)).then_some(normal)
}

/// The point of the surface of a neighbour at which it covers a contact: where that is inside of the part, it is moved out
/// of it as the body would be.
fn surface_point<V: Vector>(
    by: &Neighbour<V>,
    cover: &Cover<V::Precise>,
    normal: V::Precise,
) -> V::Precise {
    let above = by.part.reach(normal) - cover.at.dot(normal);
    if by.depth > 0.0 && above.is_finite() {
        let outside = cover.at + normal * above;
        let nearest = by.part.closest_point(outside);
        if (nearest - outside).length() <= cover.touch {
            return nearest;
        }
    }
    by.part.closest_point(cover.at)
}
