//! The outlines of shapes, with exact arcs where they are round.

use core::fmt::{Result, Write};

use clearance_gjk::core_corners;
use clearance_math::{DVec2, Matrix, Pose, RelativePose, Vec2, Vector};
use clearance_shapes::{CompositeKind, Convex, Core, Ellipsoid, Hull, Part, Shape, Voxels};

use super::number::{Pixels, Tenths};
use super::view::View;
use crate::voxels::{outline, rows, tiles};
use crate::{TessellationOptions, tessellate, tessellate_with};

/// A rounding radius below this, in pixels, is not seen.
const LEAST_RADIUS: f64 = 0.05;

/// Writes the elements of shapes.
pub(crate) struct Outline<'a> {
    out: &'a mut String,
    view: &'a View,
}

impl<'a> Outline<'a> {
    pub(crate) fn new(out: &'a mut String, view: &'a View) -> Self {
        Self { out, view }
    }

    pub(crate) fn shape(&mut self, shape: &Shape<Vec2>, pose: &Pose<Vec2>) -> Result {
        self.placed(shape, pose, &RelativePose::from_pose(pose))
    }

    /// `pose` is that of the body, `at` that of the shape.
    fn placed(
        &mut self,
        shape: &Shape<Vec2>,
        pose: &Pose<Vec2>,
        at: &RelativePose<DVec2>,
    ) -> Result {
        match shape {
            Shape::Convex(convex) => self.convex(convex, at),
            Shape::HalfSpace(half_space) => {
                let half_space_reach = self.view.reach(half_space, pose);
                let patch = tessellate_with(shape, &TessellationOptions { half_space_reach });
                let corners = patch.vertices.iter().map(|v| v.truncate().to_precise());
                let corners: Vec<DVec2> = corners.map(|v| at.transform_point(v)).collect();
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.pixels(corners[k]));
                writeln!(
                    self.out,
                    r#"<path stroke="none" d="M{a}L{b}L{c}L{d}Z"/><path d="M{a}L{b}"/>"#
                )
            }
            Shape::Composite(composite) => match composite.kind() {
                CompositeKind::Polyline(polyline) => self.polyline(
                    polyline
                        .segments()
                        .iter()
                        .map(|ends| ends.map(|end| polyline.vertices()[end as usize].to_precise())),
                    at,
                ),
                CompositeKind::Voxels(voxels) => {
                    self.voxels(voxels, at)?;
                    tiles(voxels).try_for_each(|part| self.part(composite.part(part), pose, at))
                }
                _ => composite
                    .part_numbers()
                    .try_for_each(|part| self.part(composite.part(part), pose, at)),
            },
        }
    }

    fn part(
        &mut self,
        part: Option<Part<Vec2>>,
        pose: &Pose<Vec2>,
        at: &RelativePose<DVec2>,
    ) -> Result {
        let Some(part) = part else {
            return Ok(());
        };
        let at = part.pose.map_or(*at, |inner| at.after(&inner));
        self.placed(&part.shape, pose, &at)
    }

    /// The area of the whole cells, and the sides that lie between no two of them.
    fn voxels(&mut self, voxels: &Voxels<Vec2>, at: &RelativePose<DVec2>) -> Result {
        self.out.write_str(r#"<path stroke="none" d=""#)?;
        for [low, high] in rows(voxels) {
            let corners = [
                low,
                Vec2::new(high.x, low.y),
                high,
                Vec2::new(low.x, high.y),
            ];
            for (corner, command) in corners.into_iter().zip(["M", "L", "L", "L"]) {
                let pixels = self.pixels(at.transform_point(corner.to_precise()));
                write!(self.out, "{command}{pixels}")?;
            }
            self.out.write_str("Z")?;
        }
        self.out.write_str("\"/>\n")?;
        let sides = outline(voxels).map(|ends| ends.map(|end| end.to_precise()));
        self.polyline(sides, at)
    }

    fn pixels(&self, point: DVec2) -> Pixels {
        Pixels(self.view.pixel(point))
    }

    fn convex(&mut self, convex: &Convex<Vec2>, at: &RelativePose<DVec2>) -> Result {
        let radius = convex.radius() * self.view.scale();
        match convex.core() {
            Core::Point(point) => {
                let [x, y] = self
                    .view
                    .pixel(at.transform_point(point.to_precise()))
                    .map(Tenths);
                let radius = Tenths(radius.max(1.0));
                writeln!(self.out, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#)
            }
            Core::Ellipsoid(ellipse) if convex.radius() == ellipse.inset() => {
                self.ellipse(ellipse, at)
            }
            core => match core_corners(core).map(|corners| Hull::from_points(&corners)) {
                Some(Ok(hull)) if radius > LEAST_RADIUS => self.swept(&hull, convex.radius(), at),
                Some(Ok(hull)) => {
                    let corners = hull.vertices().iter().map(|v| v.to_precise());
                    self.polygon(corners, at)
                }
                _ => {
                    let sampled = tessellate(&Shape::Convex(convex.clone()));
                    let corners = sampled.vertices.iter().map(|v| v.truncate().to_precise());
                    self.polygon(corners, at)
                }
            },
        }
    }

    fn ellipse(&mut self, ellipse: &Ellipsoid<Vec2>, at: &RelativePose<DVec2>) -> Result {
        let pixels = self.pixels(at.translation);
        let radii = ellipse.radii().to_precise() * self.view.scale();
        let (width, height) = (Tenths(radii.x), Tenths(radii.y));
        let along = at.rotation.column(0);
        let angle = Tenths(-libm::atan2(along.y, along.x).to_degrees());
        writeln!(
            self.out,
            r#"<ellipse rx="{width}" ry="{height}" transform="translate({pixels}) rotate({angle})"/>"#
        )
    }

    fn polygon(
        &mut self,
        corners: impl Iterator<Item = DVec2>,
        at: &RelativePose<DVec2>,
    ) -> Result {
        let mut command = 'M';
        self.out.write_str(r#"<path d=""#)?;
        for corner in corners {
            let pixels = self.pixels(at.transform_point(corner));
            write!(self.out, "{command}{pixels}")?;
            command = 'L';
        }
        self.out.write_str("Z\"/>\n")
    }

    /// The sides of a polygon moved outwards, joined by arcs.
    fn swept(&mut self, hull: &Hull<Vec2>, radius: f64, at: &RelativePose<DVec2>) -> Result {
        let corner = |vertex: u32| hull.vertices()[vertex as usize].to_precise();
        let arc = Tenths(radius * self.view.scale());
        let mut start = None;
        self.out.write_str(r#"<path d=""#)?;
        for side in hull.faces() {
            let [from, to] = [0, 1].map(|end| {
                let moved = corner(side.vertices[end]) + side.normal * radius;
                self.pixels(at.transform_point(moved))
            });
            match start {
                None => write!(self.out, "M{from}L{to}")?,
                Some(_) => write!(self.out, "A{arc} {arc} 0 0 0 {from}L{to}")?,
            }
            start = start.or(Some(from));
        }
        if let Some(start) = start {
            write!(self.out, "A{arc} {arc} 0 0 0 {start}")?;
        }
        self.out.write_str("Z\"/>\n")
    }

    fn polyline(
        &mut self,
        segments: impl Iterator<Item = [DVec2; 2]>,
        at: &RelativePose<DVec2>,
    ) -> Result {
        let mut last = None;
        self.out.write_str(r#"<path fill="none" d=""#)?;
        for [from, to] in segments {
            if last != Some(from) {
                let pixels = self.pixels(at.transform_point(from));
                write!(self.out, "M{pixels}")?;
            }
            let pixels = self.pixels(at.transform_point(to));
            write!(self.out, "L{pixels}")?;
            last = Some(to);
        }
        self.out.write_str("\"/>\n")
    }
}
