//! Pictures of worlds of the plane, as SVG.

mod legend;
mod number;
mod options;
mod outline;
mod view;

use core::fmt::{Result, Write};

use clearance_math::{Vec2, Vector};
use clearance_world::{BodyKind, Contact, World};

use crate::closeness::{Closeness, GapRange};
use legend::Legend;
use number::{Pixels, counted};
use outline::Outline;
use view::View;

pub use options::SvgOptions;

/// The length of the stroke that shows a normal, in pixels.
const NORMAL: f64 = 12.0;

/// An SVG image of a world of the plane: the outlines of its bodies, and the closest points of the
/// contacts of its last step, joined by lines whose colours tell gaps from overlaps, with their normals.
///
/// Equal worlds give equal bytes, on every platform.
///
/// ```
/// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
/// use clearance_render::{SvgOptions, svg};
///
/// let mut world = World::new(Options { margin: 0.5, ..Options::default() })?;
/// world.insert(Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY))?;
/// let above = Pose::from_translation(Vec2::new(0.0, 1.25));
/// world.insert(Body::moving(Shape::ball(1.0)?, above))?;
/// world.step(0.0)?;
/// let picture = svg(&world, &SvgOptions::default());
/// assert!(picture.starts_with("<svg") && picture.contains("1 contact"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn svg(world: &World<Vec2>, options: &SvgOptions) -> String {
    let mut out = String::new();
    let Ok(()) = write(&mut out, world, options) else {
        unreachable!("a string takes all that is written to it");
    };
    out
}

fn write(out: &mut String, world: &World<Vec2>, options: &SvgOptions) -> Result {
    let [width, height] = [options.width, options.height].map(|side| f64::from(side.max(1)));
    let gaps = GapRange::of(world);
    let legend = Legend::new(world, options, gaps);
    let below = if options.legend {
        legend.height(width)
    } else {
        0.0
    };
    let view = View::new(world, options, [width, (height - below).max(1.0)]);
    begin(out, world, [width, height])?;
    bodies(out, world, &view)?;
    if options.contacts {
        contacts(out, world, &view, gaps)?;
    }
    if options.legend {
        legend.write(out, &view, [width, height])?;
    }
    out.write_str("</svg>\n")
}

fn begin(out: &mut String, world: &World<Vec2>, [width, height]: [f64; 2]) -> Result {
    let (bodies, contacts) = (
        counted(world.len(), "body", "bodies"),
        counted(world.contacts().len(), "contact", "contacts"),
    );
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" stroke-linejoin="round" stroke-linecap="round">
<title>{bodies}, {contacts}</title>
<style>.f{{fill:#e4e1da;stroke:#858074}}.m{{fill:#c9d6e8;stroke:#4f6788}}.n{{stroke-width:.8}}.d{{stroke-width:5}}.k path{{fill:none;stroke-width:2}}.k .n{{stroke-width:.9}}.k .d{{stroke-width:5}}</style>
<rect width="{width}" height="{height}" fill="#fbfbf8"/>"##
    )
}

/// The outlines of the bodies in view: fixed ones first, under the others.
fn bodies(out: &mut String, world: &World<Vec2>, view: &View) -> Result {
    for (kind, class) in [(BodyKind::Fixed, 'f'), (BodyKind::Moving, 'm')] {
        writeln!(out, r#"<g class="{class}">"#)?;
        let of_kind = world.bodies().filter(|body| body.kind() == kind);
        for body in of_kind.filter(|body| view.shows(&body.bounds())) {
            Outline::new(out, view).shape(body.shape(), body.pose())?;
        }
        out.write_str("</g>\n")?;
    }
    Ok(())
}

/// The contacts of each colour as three paths: the lines between closest points, the normals, and the
/// points.
fn contacts(out: &mut String, world: &World<Vec2>, view: &View, gaps: GapRange) -> Result {
    for closeness in Closeness::ALL {
        let [mut lines, mut normals, mut points] = [(); 3].map(|()| String::new());
        let of_colour = |contact: &&Contact<Vec2>| gaps.closeness(contact.distance()) == closeness;
        for contact in world.contacts().iter().filter(of_colour) {
            let separation = &contact.separation;
            let ends = [separation.point_a(), separation.point_b()];
            if !ends
                .iter()
                .any(|point| view.window().contains_point(*point))
            {
                continue;
            }
            let [a, b] = ends.map(|point| Pixels(view.pixel(point.to_precise())));
            let normal = separation.normal.to_precise() * NORMAL;
            let tip = Pixels([b.0[0] + normal.x, b.0[1] - normal.y]);
            write!(lines, "M{a}L{b}")?;
            write!(normals, "M{b}L{tip}")?;
            write!(points, "M{a}h0M{b}h0")?;
        }
        if lines.is_empty() {
            continue;
        }
        let [red, green, blue] = closeness.colour();
        writeln!(
            out,
            r##"<g class="k" stroke="#{red:02x}{green:02x}{blue:02x}"><path d="{lines}"/><path class="n" d="{normals}"/><path class="d" d="{points}"/></g>"##
        )?;
    }
    Ok(())
}
