//! Bodies: flat triangles in the light of one lamp, with dark edges.

use clearance_math::{DVec3, PreciseVector, Real, RelativePose, Vec3};
use clearance_shapes::{HalfSpace, Shape};
use clearance_world::{BodyKind, BodyRef, World};

use super::camera::Projection;
use super::canvas::{Canvas, Colour, SAMPLES, mixed};
use super::segment::{self, Pen};
use crate::round_number::round_below;
use crate::{Tessellation, TessellationOptions, tessellate_with};

/// The direction to the lamp, not of unit length.
const LAMP: DVec3 = DVec3::new(0.35, 1.0, 0.6);

/// The colours of bodies that move, in turns.
const MOVING: [Colour; 6] = [
    [0x9d, 0xb8, 0xdb],
    [0xb9, 0xcf, 0xe6],
    [0x8f, 0xb5, 0xbf],
    [0xc3, 0xc9, 0xe0],
    [0xa9, 0xc8, 0xcf],
    [0xae, 0xb9, 0xd6],
];

const FIXED: Colour = [0xe6, 0xe2, 0xd8];

const BLACK: Colour = [0, 0, 0];

/// How much black there is in an edge, and in a triangle that the lamp does not reach.
const EDGE: f64 = 0.42;
const SHADE: f64 = 0.5;

/// How many lines of ground there are from the middle of the bodies to their end, about.
const GROUND_LINES: f64 = 6.0;

/// How far the ground that is drawn reaches beyond the bodies, relative to their radius.
const GROUND: f64 = 1.15;

pub(crate) fn draw(canvas: &mut Canvas, world: &World<Vec3>, view: &Projection) {
    for (number, body) in world.bodies().enumerate() {
        let colour = match body.kind() {
            BodyKind::Moving => MOVING[number % MOVING.len()],
            _ => FIXED,
        };
        Painter {
            canvas: &mut *canvas,
            view,
            pose: RelativePose::from_pose(body.pose()),
            colour,
        }
        .body(&body);
    }
}

/// Draws one body.
struct Painter<'a> {
    canvas: &'a mut Canvas,
    view: &'a Projection,
    pose: RelativePose<DVec3>,
    colour: Colour,
}

impl Painter<'_> {
    fn body(&mut self, body: &BodyRef<'_, Vec3>) {
        let mut options = TessellationOptions::default();
        if let Shape::HalfSpace(half_space) = body.shape() {
            options.half_space_reach = self.reach(half_space);
        }
        let found = tessellate_with(body.shape(), &options);
        self.surface(&found);
        if let Shape::HalfSpace(_) = body.shape() {
            self.ground(&found);
        }
    }

    /// How far a half-space is drawn: as far as there are bodies.
    fn reach(&self, half_space: &HalfSpace<Vec3>) -> Real {
        let middle = half_space.normal() * half_space.offset();
        let middle = self.pose.transform_point(middle);
        let normal = self.pose.transform_direction(half_space.normal());
        let away = self.view.center - middle;
        let along = away - normal * away.dot(normal);
        (along.length() + GROUND * self.view.radius) as Real
    }

    fn surface(&mut self, found: &Tessellation) {
        let placed = |vertex: &Vec3| self.pose.transform_point(vertex.as_dvec3());
        let corners: Vec<DVec3> = found.vertices.iter().map(placed).collect();
        for triangle in &found.triangles {
            let triangle = triangle.map(|index| corners[index as usize]);
            let [a, b, c] = triangle;
            let Some(normal) = (b - a).cross(c - a).direction() else {
                continue;
            };
            let light = self.view.facing(normal, a).dot(LAMP) / LAMP.length();
            let colour = mixed(self.colour, BLACK, SHADE * (0.5 - 0.5 * light));
            self.canvas.fill(&self.view.polygon(&triangle), colour);
        }
        let is_line = found.triangles.is_empty();
        for edge in &found.edges {
            let ends = edge.map(|index| corners[index as usize]);
            self.segment(ends, if is_line { 1.5 } else { 0.5 } * SAMPLES as f64);
        }
        if let [point] = corners[..] {
            self.segment([point; 2], 1.5 * SAMPLES as f64);
        }
    }

    fn segment(&mut self, ends: [DVec3; 2], half_width: f64) {
        let pen = Pen {
            colour: mixed(self.colour, BLACK, EDGE),
            half_width,
            share_behind: 0.0,
            slack: 2e-3,
        };
        if let Some(ends) = self.view.segment(ends) {
            segment::draw(self.canvas, ends, pen);
        }
    }

    /// Lines on a patch of ground, a round number of units apart, counted from its middle.
    fn ground(&mut self, found: &Tessellation) {
        let placed = |vertex: &Vec3| self.pose.transform_point(vertex.as_dvec3());
        let corners: Vec<DVec3> = found.vertices.iter().map(placed).collect();
        let [a, b, _, d] = corners[..] else { return };
        let middle = (b + d) * 0.5;
        let (x, y) = ((b - a) * 0.5, (d - a) * 0.5);
        let apart = round_below(self.view.radius / GROUND_LINES);
        let lines = libm::floor(x.length() / apart).min(100.0) as i32;
        for line in -lines..=lines {
            let share = f64::from(line) * apart / x.length();
            for (along, across) in [(x, y), (y, x)] {
                let start = middle + across * share;
                let pen = Pen {
                    colour: mixed(self.colour, BLACK, 0.12),
                    half_width: 0.5 * SAMPLES as f64,
                    share_behind: 0.0,
                    slack: 1e-4,
                };
                if let Some(ends) = self.view.segment([start - along, start + along]) {
                    segment::draw(self.canvas, ends, pen);
                }
            }
        }
    }
}
