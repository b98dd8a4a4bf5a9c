//! From where a picture is seen, and where in it a point is.

use clearance_math::{Aabb, DVec3, PreciseVector, Real, Vec3, Vector};
use clearance_world::World;

use super::canvas::{SAMPLES, Spot};
use super::picture::{Camera, ImageError, ImageOptions};
use crate::extent::{boxes, extent};

/// Half of the angle that the shorter side of a picture spans, as its tangent: 20 degrees.
const HALF_ANGLE: f64 = 0.363_970_234_266_202_4;

/// From where all bodies are seen, if nothing else is asked for.
const FROM: DVec3 = DVec3::new(0.35, 0.8, 1.0);

/// How much more than the bodies the picture shows.
const BORDER: f64 = 1.06;

/// What is nearer to the camera than this is not drawn, relative to the distance of what it looks at.
const NEAR: f64 = 0.01;

/// How often the place of the camera is halved: to a fraction of a pixel.
const BISECTIONS: u32 = 20;

/// A point as the camera sees it: to the right, up and away from it, in units of length.
pub(crate) type Seen = DVec3;

/// The map from space to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projection {
    from: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// The least depth that is drawn.
    near: f64,
    middle: [f64; 2],
    /// Samples that a unit of length takes at a depth of one.
    scale: f64,
    /// The middle of all bodies that are not infinite.
    pub(crate) center: DVec3,
    /// The radius of a ball around them.
    pub(crate) radius: f64,
}

impl Projection {
    pub(crate) fn new(world: &World<Vec3>, options: &ImageOptions) -> Result<Self, ImageError> {
        let bounds = extent(world);
        let [min, max] = [bounds.min, bounds.max].map(|corner| corner.to_precise());
        let size = [options.width, options.height].map(|side| f64::from(side) * SAMPLES as f64);
        let scale = 0.5 * size[0].min(size[1]) / HALF_ANGLE;
        let (from, towards) = match options.camera {
            Some(camera) => checked(camera)?,
            None => (FROM, DVec3::ZERO),
        };
        let forward = (towards - from)
            .direction()
            .ok_or(ImageError::NoDirection)?;
        let right = forward.cross(DVec3::Y).direction().unwrap_or(DVec3::X);
        let mut view = Self {
            from,
            right,
            up: right.cross(forward),
            forward,
            near: NEAR * (towards - from).length(),
            middle: size.map(|side| 0.5 * side),
            scale,
            center: (min + max) * 0.5,
            radius: (0.5 * (max - min).length()).max(f64::from(Real::MIN_POSITIVE)),
        };
        if options.camera.is_none() {
            view.step_back(world);
        }
        Ok(view)
    }

    /// Moves the camera as near as it sees all bodies, without turning it.
    ///
    /// A point is in the picture if it is neither above the plane through the camera and the upper border
    /// nor beyond one of the three others. The outermost points give the planes, and two planes the place
    /// of the camera between them.
    fn step_back(&mut self, world: &World<Vec3>) {
        self.from = self.center;
        let slopes = self.middle.map(|half| half / (self.scale * BORDER));
        let seen: Vec<Seen> = corners(world).map(|corner| self.seen(corner)).collect();
        let depths = [0, 1].map(|k| {
            let beyond = |seen: &Seen| seen[k] - slopes[k] * seen.z;
            let before = |seen: &Seen| seen[k] + slopes[k] * seen.z;
            let most = seen.iter().map(beyond).fold(f64::NEG_INFINITY, f64::max);
            let least = seen.iter().map(before).fold(f64::INFINITY, f64::min);
            (least - most) / (2.0 * slopes[k])
        });
        let depth = depths[0].min(depths[1]).min(-1e-3 * self.radius);
        let [right, up] = [0, 1].map(|k| balanced(&seen, k, depth));
        self.from += self.right * right + self.up * up + self.forward * depth;
        self.near = NEAR * depth.abs();
    }

    pub(crate) fn seen(&self, point: DVec3) -> Seen {
        let away = point - self.from;
        DVec3::new(
            away.dot(self.right),
            away.dot(self.up),
            away.dot(self.forward),
        )
    }

    /// Where in the picture a point is that is not nearer than allowed.
    fn spot(&self, seen: Seen) -> Spot {
        let nearness = 1.0 / seen.z;
        let zoom = self.scale * nearness;
        Spot {
            x: self.middle[0] + seen.x * zoom,
            y: self.middle[1] - seen.y * zoom,
            nearness,
        }
    }

    /// The length that takes a number of samples at a point.
    pub(crate) fn length_of(&self, samples: f64, point: DVec3) -> f64 {
        samples * self.seen(point).z.max(self.near) / self.scale
    }

    /// A unit vector turned towards the camera, if it points away from it.
    pub(crate) fn facing(&self, normal: DVec3, point: DVec3) -> DVec3 {
        if normal.dot(point - self.from) > 0.0 {
            -normal
        } else {
            normal
        }
    }

    /// A convex polygon without what is too near to the camera.
    pub(crate) fn polygon(&self, corners: &[DVec3]) -> Vec<Spot> {
        let seen: Vec<Seen> = corners.iter().map(|&corner| self.seen(corner)).collect();
        let mut kept = Vec::with_capacity(seen.len() + 1);
        for (&a, &b) in seen.iter().zip(seen.iter().cycle().skip(1)) {
            if a.z >= self.near {
                kept.push(self.spot(a));
            }
            if (a.z >= self.near) != (b.z >= self.near) {
                kept.push(self.spot(a + (b - a) * ((self.near - a.z) / (b.z - a.z))));
            }
        }
        kept
    }

    /// A segment without what is too near to the camera, or `None` if all of it is.
    pub(crate) fn segment(&self, ends: [DVec3; 2]) -> Option<[Spot; 2]> {
        match self.polygon(&ends)[..] {
            // Of a segment that is cut, the way back is cut at the same point.
            [a, b, ..] => Some([a, b]),
            _ => None,
        }
    }
}

fn checked(camera: Camera) -> Result<(DVec3, DVec3), ImageError> {
    for (field, point) in [("from", camera.from), ("towards", camera.towards)] {
        for axis in 0..3 {
            let value = point[axis];
            if !value.is_finite() {
                return Err(ImageError::Camera { field, axis, value });
            }
        }
    }
    Ok((camera.from.as_dvec3(), camera.towards.as_dvec3()))
}

/// Where along axis `k` a camera at a depth has as much to its one side as to its other.
fn balanced(seen: &[Seen], k: usize, depth: f64) -> f64 {
    let asides = || seen.iter().map(|seen| seen[k]);
    let mut low = asides().fold(f64::INFINITY, f64::min);
    let mut high = asides().fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        let angles = || {
            seen.iter()
                .map(|seen| (seen[k] - middle) / (seen.z - depth))
        };
        let most = angles().fold(f64::NEG_INFINITY, f64::max);
        let least = angles().fold(f64::INFINITY, f64::min);
        if most + least > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The corners of the boxes of all bodies that are not infinite, or of one around the origin if there are
/// none.
fn corners(world: &World<Vec3>) -> impl Iterator<Item = DVec3> {
    let mut boxes: Vec<Aabb<Vec3>> = boxes(world).collect();
    if boxes.is_empty() {
        boxes.push(extent(world));
    }
    boxes.into_iter().flat_map(|bounds| {
        let ends = [bounds.min, bounds.max].map(|corner| corner.to_precise());
        (0..8).map(move |signs: usize| {
            let end = |k: usize| ends[signs >> k & 1][k];
            DVec3::new(end(0), end(1), end(2))
        })
    })
}
