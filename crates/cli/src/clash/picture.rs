//! Pictures of a clash: both parts in space, or cut through in the plane of the clash, with the curves in which they cross.

use clearance_clash::{Check, Clash, Part};
use clearance_math::{Aabb, DVec3, Pose, Real, RelativePose, Vec2, Vec3};
use clearance_render::{Camera, ImageOptions, SvgOptions, png, svg, tessellate};
use clearance_scene::RunError;
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, Options, World, WorldError};

use crate::failure::Failure;

/// How much of the smaller part is in a picture to each side of the clash.
const SHOWN: f64 = 0.75;

/// How far away the camera is, in what is shown to each side.
const AWAY: f64 = 3.0;

/// The size of the dots at both points, in what is shown.
const DOT: f64 = 0.012;

/// How thick the curves are in which the parts cross, in what is shown.
const LINE: f64 = 0.004;

/// How many segments of them are drawn.
const MOST_SEGMENTS: usize = 10_000;

/// A clash with its parts.
pub(crate) struct ClashPicture<'c> {
    parts: [&'c Part; 2],
    points: [DVec3; 2],
    normal: DVec3,
    /// The middle between the points, which is the middle of the picture.
    middle: DVec3,
    /// What is shown to each side.
    reach: f64,
    distance: Real,
    /// The curves in which the parts cross, beside the middle.
    crossing: Vec<[DVec3; 2]>,
}

impl<'c> ClashPicture<'c> {
    pub(crate) fn new(check: &'c Check, clash: &Clash) -> Self {
        let parts = [check.part_a(clash), check.part_b(clash)];
        let points = [clash.point_a, clash.point_b].map(DVec3::from_array);
        let distance = clash.distance;
        let middle = 0.5 * (points[0] + points[1]);
        let mut crossing = check.crossing_segments(clash);
        crossing.truncate(MOST_SEGMENTS);
        crossing
            .as_flattened_mut()
            .iter_mut()
            .for_each(|end| *end -= middle);
        Self {
            parts,
            points,
            normal: Vec3::from_array(clash.normal).as_dvec3(),
            middle,
            reach: SHOWN * parts[0].diagonal().min(parts[1].diagonal()) + f64::from(distance.abs()),
            distance,
            crossing,
        }
    }

    /// Both parts in space as a PNG file, the first one light and the second one blue, seen across the way out.
    pub(crate) fn png(&self) -> Result<Vec<u8>, Failure> {
        let beside = self.normal.any_orthonormal_vector();
        let from = 0.8 * beside + 0.4 * self.normal + DVec3::new(0.1, 0.7, 0.2);
        let camera = Camera {
            from: (from * AWAY * self.reach).as_vec3(),
            towards: Vec3::ZERO,
        };
        let options = ImageOptions {
            camera: Some(camera),
            ..ImageOptions::default()
        };
        let mut world = self.world().map_err(RunError::World)?;
        if let Some(curves) = self.curves() {
            // After the step, so that they meet nothing.
            let curves = Body::fixed(curves, Pose::IDENTITY);
            world.insert(curves).map_err(RunError::World)?;
        }
        Ok(png(&world, &options)?)
    }

    /// The curves in which the parts cross, so thick that they are seen; `None` if there are none.
    fn curves(&self) -> Option<Shape<Vec3>> {
        let thick = (LINE * self.reach) as Real;
        let piece = |[from, to]: &[DVec3; 2]| {
            let shape = Shape::capsule_from_endpoints(from.as_vec3(), to.as_vec3(), thick).ok()?;
            let pose = Pose::IDENTITY;
            Some(CompoundPart { shape, pose })
        };
        let pieces: Vec<_> = self.crossing.iter().filter_map(piece).collect();
        Shape::compound(pieces).ok()
    }

    fn world(&self) -> Result<World<Vec3>, WorldError> {
        let mut world = World::new(Options {
            // The world measures again, and may round otherwise.
            margin: self.distance.max(0.0) * 1.01,
            ..Options::default()
        })?;
        let [a, b] = self.parts.map(|part| {
            let pose = part.pose().moved_by(-self.middle);
            (part.shape().clone(), pose)
        });
        world.insert(Body::fixed(a.0, a.1))?;
        world.insert(Body::moving(b.0, b.1))?;
        world.step(0.0)?;
        Ok(world)
    }

    /// A cut through both parts and the clash as an SVG file, square to the axis that the way out is least along, with dots at both points and
    /// the curves in which the parts cross, seen along that axis.
    pub(crate) fn svg(&self) -> Result<Vec<u8>, Failure> {
        let steep = self.normal.abs();
        let axis = (0..3).fold(
            1,
            |least, k| if steep[k] < steep[least] { k } else { least },
        );
        let [u, v] = match axis {
            0 => [2, 1],
            1 => [0, 2],
            _ => [0, 1],
        };
        let flat = |place: DVec3| Vec2::new(place[u] as Real, place[v] as Real);
        let mut world = World::<Vec2>::new(Options::default()).map_err(RunError::World)?;
        let cuts = self.parts.map(|part| self.cut(part, axis));
        let curves = self.crossing.as_flattened().to_vec();
        for (number, places) in cuts.into_iter().chain([curves]).enumerate() {
            let places: Vec<Vec2> = places.into_iter().map(flat).collect();
            let ends = (0..places.len() as u32 / 2).map(|k| [2 * k, 2 * k + 1]);
            let Ok(outline) = Shape::polyline_of_segments(places, ends.collect::<Vec<_>>()) else {
                // The plane passes beside the part, or the parts do not cross.
                continue;
            };
            let body = match number {
                0 => Body::fixed(outline, Pose::IDENTITY),
                _ => Body::moving(outline, Pose::IDENTITY),
            };
            world.insert(body).map_err(RunError::World)?;
        }
        let reach = self.reach as Real;
        for point in self.points {
            let Ok(dot) = Shape::ball((DOT * self.reach) as Real) else {
                continue;
            };
            let place = Pose::from_translation(flat(point - self.middle));
            let dot = Body::moving(dot, place);
            world.insert(dot).map_err(RunError::World)?;
        }
        let options = SvgOptions {
            window: Some(Aabb::new(Vec2::splat(-reach), Vec2::splat(reach))),
            contacts: false,
            ..SvgOptions::default()
        };
        Ok(svg(&world, &options).into_bytes())
    }

    /// Where triangles of a part cross the plane through the middle that is square to an axis: two ends for each, beside the middle.
    fn cut(&self, part: &Part, axis: usize) -> Vec<DVec3> {
        let found = tessellate(part.shape());
        let pose = RelativePose::from_pose(&part.pose().moved_by(-self.middle));
        let places: Vec<DVec3> = found
            .vertices
            .iter()
            .map(|vertex| pose.transform_point(vertex.as_dvec3()))
            .collect();
        let mut ends = Vec::new();
        for corners in &found.triangles {
            let [a, b, c] = corners.map(|corner| places[corner as usize]);
            // The plane crosses two sides, or none.
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (below, above) = (from[axis], to[axis]);
                if (below < 0.0) != (above < 0.0) {
                    ends.push(from + (to - from) * (below / (below - above)));
                }
            }
        }
        ends
    }
}
