//! Polygon and polygon of the plane: segments, triangles, rectangles and hulls among themselves.

use arrayvec::ArrayVec;
use clearance_math::{DVec2, Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core};

use crate::measured::Measured;

/// The most corners of a polygon measured here; a search takes fewer steps than a walk around more.
const MOST_CORNERS: usize = 32;

/// The corners of a convex polygon, counter-clockwise; of a segment both ends, of a point one.
type Corners = ArrayVec<DVec2, MOST_CORNERS>;

/// The signed distance of two polygons, by one walk around their difference.
///
/// The edges of the difference a - b are those of a and of -b, in the order of their directions (de
/// Berg and others, "Computational Geometry", 2008, section 13.3). Where the origin lies outside, the
/// nearest point of the edges that face it gives the distance, and the plane across the line to it,
/// compared with all corners, is the proof. Inside, the edge whose line is nearest is the way out:
/// the line is compared with all corners, too, and no other can be lower than it was found to be,
/// for any two corners show a support function too low, never too high.
///
/// `None` for other shapes, for flat triangles and hulls, and where rounding spoils the proof.
pub(crate) fn measure<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Measured<V::Precise>> {
    let (mut corners_a, mut corners_b) = (Corners::new(), Corners::new());
    let placed = Placement::new(b_in_a);
    let in_a = |corner: V| in_plane(corner.to_precise());
    add_corners(a.core(), in_a, &mut corners_a)?;
    add_corners(
        b.core(),
        |corner| placed.apply(in_a(corner)),
        &mut corners_b,
    )?;
    let size = a.core_reach() + b.core_reach();
    let rounding = tolerances::DIFFERENCE_ROUNDING * (size + b_in_a.translation.length());
    let found = walk(&corners_a, &corners_b);
    let flat = if found.is_apart {
        apart(&found, (&corners_a, &corners_b), rounding)
    } else {
        overlapping(&found, (&corners_a, &corners_b), (size, rounding))
    }?;
    Some(Measured {
        distance: flat.distance,
        lower: flat.lower,
        upper: flat.upper,
        normal: from_plane(flat.normal),
        on_a: from_plane(flat.on_a),
        on_b: from_plane(flat.on_b),
        status: flat.status,
    })
}

fn in_plane<P: PreciseVector>(vector: P) -> DVec2 {
    vector.in_space().truncate()
}

fn from_plane<P: PreciseVector>(vector: DVec2) -> P {
    P::from_space(vector.extend(0.0))
}

/// The pose of b in the plane.
struct Placement {
    columns: [DVec2; 2],
    translation: DVec2,
}

impl Placement {
    fn new<P: PreciseVector>(pose: &RelativePose<P>) -> Self {
        Self {
            columns: [0, 1].map(|k| in_plane(pose.rotation.column(k))),
            translation: in_plane(pose.translation),
        }
    }

    fn apply(&self, point: DVec2) -> DVec2 {
        self.columns[0] * point.x + self.columns[1] * point.y + self.translation
    }
}

/// Adds the placed corners of a polygon; `None` for a core that is none, has too many corners, or is
/// flat though it has more than two.
///
/// Into a list that stays where it is: handed on by value, its half kilobyte would be moved.
fn add_corners<V: Vector>(
    core: &Core<V>,
    place: impl Fn(V) -> DVec2,
    corners: &mut Corners,
) -> Option<()> {
    match core {
        Core::Point(point) => corners.push(place(*point)),
        Core::Segment(segment) => corners.extend([segment.a, segment.b].map(place)),
        Core::Triangle(triangle) => {
            let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(place);
            let (u, v) = (b - a, c - a);
            let area = u.perp_dot(v);
            if !(area * area > tolerances::THIN_TRIANGLE * u.length_squared() * v.length_squared())
            {
                return None;
            }
            corners.extend(if area > 0.0 { [a, b, c] } else { [a, c, b] });
        }
        Core::Cuboid(cuboid) => {
            let half = cuboid.half_extents;
            let (x, y) = (half.component(0), half.component(1));
            let signs = [(-x, -y), (x, -y), (x, y), (-x, y)];
            let corner = |(x, y)| place(half.with_component(0, x).with_component(1, y));
            corners.extend(signs.map(corner));
        }
        Core::Hull(hull) if hull.dimension() == 2 && hull.vertices().len() <= MOST_CORNERS => {
            corners.extend(hull.vertices().iter().map(|corner| place(*corner)));
        }
        _ => return None,
    }
    Some(())
}

/// An edge of the difference: an edge of one polygon and a corner of the other.
#[derive(Clone, Copy, Default)]
struct Edge {
    /// The corner of a or the first of its edge, and the last.
    on_a: [DVec2; 2],
    /// The same of b.
    on_b: [DVec2; 2],
    /// From its first point to its last.
    along: DVec2,
}

/// What a walk around the difference finds.
struct Found {
    is_apart: bool,
    /// If apart, the edge whose point is nearest the origin; else the edge whose line is.
    edge: Edge,
}

/// One way round the difference, edge by edge in the order of their directions.
fn walk(a: &Corners, b: &Corners) -> Found {
    let mut at_a = Place::new(a, lowest(a, 1.0), 1.0);
    let mut at_b = Place::new(b, lowest(b, -1.0), -1.0);
    let mut found = Found {
        is_apart: false,
        edge: Edge::default(),
    };
    // The squares of the least height of a line and of the least distance of an edge.
    let (mut least_height, mut least_distance) = (f64::INFINITY, f64::INFINITY);
    while at_a.edges_left + at_b.edges_left > 0 {
        let is_of_a =
            at_b.edges_left == 0 || at_a.edges_left > 0 && is_before(at_a.along, at_b.along);
        let (on_a, on_b) = (at_a.corner, at_b.corner);
        let along = if is_of_a { at_a.along } else { at_b.along };
        let first = on_a - on_b;
        // The height of the edge's line over the origin, times its length: negative if it is outside.
        let area = first.perp_dot(along);
        let squared_length = along.length_squared();
        if is_of_a {
            at_a.go_on(a, 1.0);
        } else {
            at_b.go_on(b, -1.0);
        }
        let edge = || Edge {
            on_a: [on_a, at_a.corner],
            on_b: [on_b, at_b.corner],
            along,
        };
        if area < 0.0 {
            found.is_apart = true;
            let part = (-first.dot(along) / squared_length).clamp(0.0, 1.0);
            let distance = (first + along * part).length_squared();
            if distance < least_distance {
                least_distance = distance;
                found.edge = edge();
            }
        } else if !found.is_apart && area * area < least_height * squared_length {
            least_height = area * area / squared_length;
            found.edge = edge();
        }
    }
    found
}

/// Where a walk around a polygon, or around its mirror image through the origin, has come to.
struct Place {
    index: usize,
    corner: DVec2,
    /// The edge that begins here, as an edge of the difference.
    along: DVec2,
    edges_left: usize,
}

impl Place {
    fn new(corners: &Corners, index: usize, sign: f64) -> Self {
        Self {
            index,
            corner: corners[index],
            along: (corners[next(corners, index)] - corners[index]) * sign,
            edges_left: if corners.len() < 2 { 0 } else { corners.len() },
        }
    }

    #[inline]
    fn go_on(&mut self, corners: &Corners, sign: f64) {
        self.index = next(corners, self.index);
        self.corner = corners[self.index];
        self.along = (corners[next(corners, self.index)] - self.corner) * sign;
        self.edges_left -= 1;
    }
}

#[inline]
fn next(corners: &Corners, index: usize) -> usize {
    if index + 1 < corners.len() {
        index + 1
    } else {
        0
    }
}

/// The lowest corner of a polygon times `sign`, the leftmost of equals: there the directions of edges
/// begin anew.
fn lowest(corners: &Corners, sign: f64) -> usize {
    let mut lowest = 0;
    for (index, corner) in corners.iter().enumerate() {
        let (corner, least) = (*corner * sign, corners[lowest] * sign);
        if corner.y < least.y || corner.y == least.y && corner.x < least.x {
            lowest = index;
        }
    }
    lowest
}

/// Whether the direction of u, as an angle from 0 to 2 pi, is less than that of v.
#[inline]
fn is_before(u: DVec2, v: DVec2) -> bool {
    let is_downward = |w: DVec2| (w.y < 0.0) | ((w.y == 0.0) & (w.x < 0.0));
    let (u_down, v_down) = (is_downward(u), is_downward(v));
    (!u_down & v_down) | ((u_down == v_down) & (u.perp_dot(v) > 0.0))
}

/// The gap between two polygons along a unit vector: how far they reach towards each other.
fn gap(a: &Corners, b: &Corners, normal: DVec2) -> f64 {
    // Not `f64::max`, whose rule for NaN takes three more instructions.
    let (mut highest_a, mut lowest_b) = (f64::NEG_INFINITY, f64::INFINITY);
    for corner in a {
        let height = normal.dot(*corner);
        highest_a = if height > highest_a {
            height
        } else {
            highest_a
        };
    }
    for corner in b {
        let height = normal.dot(*corner);
        lowest_b = if height < lowest_b { height } else { lowest_b };
    }
    lowest_b - highest_a
}

impl Edge {
    /// The points of a and b whose difference is the point of the edge nearest the origin, and whether
    /// it lies inside the edge.
    fn nearest_points(&self) -> ([DVec2; 2], bool) {
        let first = self.on_a[0] - self.on_b[0];
        let part = (-first.dot(self.along) / self.along.length_squared()).clamp(0.0, 1.0);
        let point = |[from, to]: [DVec2; 2]| from + (to - from) * part;
        (
            [point(self.on_a), point(self.on_b)],
            0.0 < part && part < 1.0,
        )
    }

    /// The unit normal that points out of the difference.
    fn outward(&self) -> DVec2 {
        DVec2::new(self.along.y, -self.along.x) / self.along.length()
    }
}

fn apart(found: &Found, (a, b): (&Corners, &Corners), rounding: f64) -> Option<Measured<DVec2>> {
    let ([on_a, on_b], is_inside) = found.edge.nearest_points();
    let distance = (on_b - on_a).length();
    let normal = if is_inside {
        found.edge.outward()
    } else {
        (on_b - on_a) / distance
    };
    let lower = gap(a, b, normal);
    let is_proven = distance - lower <= tolerances::CLOSED_FORM_GAP * distance + 2.0 * rounding;
    let (lower, rounding) = (lower - 3.0 * rounding, 3.0 * rounding);
    (is_proven && lower > 0.0).then(|| Measured {
        lower,
        ..Measured::exact(distance, normal, (on_a, on_b), rounding)
    })
}

fn overlapping(
    found: &Found,
    (a, b): (&Corners, &Corners),
    (size, rounding): (f64, f64),
) -> Option<Measured<DVec2>> {
    let ([on_a, on_b], _) = found.edge.nearest_points();
    let normal = found.edge.outward();
    let depth = normal.dot(found.edge.on_a[0] - found.edge.on_b[0]);
    let astray = (on_a - on_b - normal * depth).length();
    let is_proven = -gap(a, b, normal) - depth <= 2.0 * rounding;
    let is_way_out = astray <= tolerances::WITNESS_OFFSET * size;
    (is_proven && is_way_out).then(|| Measured::exact(-depth, normal, (on_a, on_b), 4.0 * rounding))
}
