//! Contacts: the closest points, the line between them, and the normal.

use clearance_math::Vec3;
use clearance_world::World;

use super::camera::Projection;
use super::canvas::{Canvas, SAMPLES};
use super::segment::{self, Pen};
use crate::closeness::GapRange;

/// The length of the stroke that shows a normal, in pixels.
const NORMAL: f64 = 12.0;

/// Half of the width of what is drawn, in pixels: the normal, the line and the points.
const NORMAL_WIDTH: f64 = 0.5;
const LINE_WIDTH: f64 = 1.0;
const POINT_WIDTH: f64 = 2.2;

/// How much of its colour a contact has that is behind a body.
const SHARE_BEHIND: f64 = 0.25;

/// Closest points lie on surfaces whose facets cut off some of what is round.
const SLACK: f64 = 0.01;

pub(crate) fn draw(canvas: &mut Canvas, world: &World<Vec3>, view: &Projection) {
    let gaps = GapRange::of(world);
    for contact in world.contacts() {
        let separation = &contact.separation;
        let [a, b] = [separation.position_a, separation.position_b];
        let stroke = view.length_of(NORMAL * SAMPLES as f64, b);
        let tip = b + separation.normal.as_dvec3() * stroke;
        let parts = [
            ([b, tip], NORMAL_WIDTH),
            ([a, b], LINE_WIDTH),
            ([a, a], POINT_WIDTH),
            ([b, b], POINT_WIDTH),
        ];
        for (ends, half_width) in parts {
            let pen = Pen {
                colour: gaps.closeness(contact.distance()).colour(),
                half_width: half_width * SAMPLES as f64,
                share_behind: SHARE_BEHIND,
                slack: SLACK,
            };
            if let Some(ends) = view.segment(ends) {
                segment::draw(canvas, ends, pen);
            }
        }
    }
}
