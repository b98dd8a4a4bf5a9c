//! Polygons cut into triangles.

use clearance_math::{DVec3, Vec3, Vector};
use earcut::Earcut;

use super::lines::Wrong;

/// How many corners a polygon may have of which the fan is not good enough. To cut one takes time that grows
/// with the square of this number if it is made to.
const MOST_EARS: usize = 4096;

/// Cuts polygons into triangles.
pub(super) struct Triangulator<'v> {
    vertices: &'v [Vec3],
    ears: Earcut<f64>,
    /// The corners of the ears, three for each.
    found: Vec<usize>,
}

impl<'v> Triangulator<'v> {
    pub(super) fn new(vertices: &'v [Vec3]) -> Self {
        Self {
            vertices,
            ears: Earcut::new(),
            found: Vec::new(),
        }
    }

    /// Adds the triangles of a polygon; one of fewer than three corners has none.
    ///
    /// They are the fan around the first corner unless some triangle of it is turned over; then ears
    /// are cut off until nothing is left. An outline that crosses itself may have fewer triangles; if
    /// none is found, the fan is taken. Corners of triangles are in the order of the polygon, and
    /// triangles in the order of their corners, as those of the fan are.
    pub(super) fn triangulate(
        &mut self,
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), Wrong> {
        let normal = self
            .fan(corners)
            .fold(DVec3::ZERO, |sum, cross| sum + cross);
        let mut crosses = self.fan(corners);
        if corners.len() > 3 && crosses.any(|cross| cross.dot(normal) < 0.0) {
            drop(crosses);
            if corners.len() > MOST_EARS {
                let (corners, most) = (corners.len(), MOST_EARS);
                return Err(Wrong::TooManyCorners { corners, most });
            }
            self.cut_ears(corners, normal);
            let ears = self.found.as_chunks::<3>().0;
            triangles.extend(ears.iter().map(|ear| ear.map(|corner| corners[corner])));
            if !ears.is_empty() {
                return Ok(());
            }
        }
        let fan = corners.windows(2).skip(1);
        triangles.extend(fan.map(|pair| [corners[0], pair[0], pair[1]]));
        Ok(())
    }

    /// Twice the areas of the triangles of the fan around the first corner, as vectors along their normals.
    fn fan(&self, corners: &[u32]) -> impl Iterator<Item = DVec3> {
        let place = |corner: u32| self.vertices[corner as usize].to_precise();
        let first = corners.first().map_or(DVec3::ZERO, |&corner| place(corner));
        let pairs = corners.windows(2).skip(1);
        pairs.map(move |pair| (place(pair[0]) - first).cross(place(pair[1]) - first))
    }

    /// Finds the ears of a polygon, seen along the axis that its normal is nearest to, so that no
    /// coordinate is rounded.
    fn cut_ears(&mut self, corners: &[u32], normal: DVec3) {
        let size = normal.abs();
        let axis = if size.x >= size.y.max(size.z) {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let vertices = self.vertices;
        let seen = corners.iter().map(|&corner| {
            let place = vertices[corner as usize].to_precise();
            [place[(axis + 1) % 3], place[(axis + 2) % 3]]
        });
        self.ears.earcut(seen, &[], &mut self.found);
        let ears = self.found.as_chunks_mut::<3>().0;
        for ear in &mut *ears {
            ear.sort_unstable();
        }
        ears.sort_unstable();
    }
}
