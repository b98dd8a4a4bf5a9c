//! Where a cylinder touches another one, or a polytope, by Newton's method.
//!
//! Across a curved surface portals close in by a share of the way with each vertex, and an answer takes twenty of them.
//! But early on, the vertices of a portal tell what the cores will touch with: of a cylinder a point of a rim, a line along
//! its side, or a cap; of a polytope a corner or an edge. How such points move when the plane between the cores turns is
//! known:
//!
//! * Straight lines, such as those along the side of a cylinder and edges, stay in the plane. Two of them determine it.
//! * Otherwise turns of the plane move the points along rims. Newton's method finds the turn after which a point of
//!   the difference is on the way of the origin.
//!
//! Nothing is taken on trust: the planes through the vertices prove the time, as all of them do, and the points are
//! points of the cores. If the guess was wrong, portals go on, and the next guess is made from a smaller one.

use clearance_math::{DVec3, MapEach, PreciseVector};

use super::planes::{Planes, Stop, across};
use crate::cylinder_at::{CylinderAt, Cylinders};
use crate::difference::Minkowski;
use crate::vertex::Vertex;

/// The greatest number of vertices of one guess. Those that lead to an answer take four on average.
const MOST_VERTICES: usize = 6;

/// Newton's method goes on while each step is shorter than the one before by this factor.
const SHORTER: f64 = 0.7;

/// The squared cosine of the angle between the axis of a cylinder and the normal of a portal from which on it is guessed
/// that a cap is touched. With 0.95 and 0.9 as many vertices are needed, up to 3 %.
const CAP: f64 = 0.98;

/// Straight lines through the points where a plane touches a core, or both: their directions, of any length.
#[derive(Clone, Copy, Default)]
struct Lines {
    along: [DVec3; 2],
    count: usize,
}

impl Lines {
    fn of(lines: &[DVec3]) -> Self {
        let mut along = [DVec3::ZERO; 2];
        along[..lines.len()].copy_from_slice(lines);
        let count = lines.len();
        Self { along, count }
    }

    /// Those of a cylinder, as three of its points and the normal of a plane let guess.
    fn of_cylinder(
        cylinder: &CylinderAt,
        points: [DVec3; 3],
        outward: DVec3,
        with_caps: bool,
    ) -> Self {
        let is_above = points.map_each(|point| cylinder.seen(point).0 > 0.0);
        let along = cylinder.axis.dot(outward);
        if is_above != [is_above[0]; 3] {
            Self::of(&[cylinder.axis])
        } else if with_caps && along * along > CAP * outward.length_squared() {
            Self::of(&across(cylinder.axis))
        } else {
            Self::default()
        }
    }

    /// Those of a polytope: none of a corner, one of an edge. `None` for a face, which portals find themselves.
    fn of_polytope([a, b, c]: [DVec3; 3]) -> Option<Self> {
        match (a == b, b == c, c == a) {
            (true, true, _) => Some(Self::default()),
            (true, ..) | (_, true, _) => Some(Self::of(&[c - a])),
            (.., true) => Some(Self::of(&[b - a])),
            _ => None,
        }
    }

    /// The lines of both cores; `None` if they are more than determine a plane.
    fn joined(sides: &[Self; 2]) -> Option<Self> {
        let [a, b] = sides;
        match (a.count, b.count) {
            (_, 0) => Some(*a),
            (0, _) => Some(*b),
            (1, 1) => Some(Self::of(&[a.along[0], b.along[0]])),
            _ => None,
        }
    }
}

/// How a point on a rim moves when the plane that touches it there turns by a small vector that is added to its normal:
/// along the rim, as far as that vector is along it, times a factor.
#[derive(Clone, Copy, Default)]
struct Bend {
    rim: DVec3,
    factor: f64,
}

impl Bend {
    /// The normal points out of the cylinder.
    fn new(cylinder: &CylinderAt, point: DVec3, normal: DVec3) -> Self {
        let from_axis = cylinder.seen(point).1;
        Self {
            rim: cylinder.axis.cross(from_axis),
            factor: 1.0 / from_axis.dot(normal),
        }
    }

    fn moved(&self, turn: DVec3) -> DVec3 {
        self.rim * (self.factor * self.rim.dot(turn))
    }
}

/// A step of Newton's method.
struct Step {
    /// What is added to the normal of the plane.
    turn: DVec3,
    /// How far that moves the points along rims.
    length: f64,
    /// How far the points are moved along the lines.
    along: [f64; 2],
}

/// What two cores are guessed to touch with.
struct Touch<'c> {
    cylinders: &'c Cylinders,
    /// The points of each core in the portal from which it is guessed.
    points: [[DVec3; 3]; 2],
    sides: [Lines; 2],
    lines: Lines,
}

impl<'c> Touch<'c> {
    /// `None` where more lines than two would lie in the plane, and for a face.
    fn new(
        cylinders: &'c Cylinders,
        points: [[DVec3; 3]; 2],
        (outward, with_caps): (DVec3, bool),
    ) -> Option<Self> {
        let lines = |side: usize| match &cylinders[side] {
            Some(cylinder) => Some(Lines::of_cylinder(
                cylinder,
                points[side],
                outward,
                with_caps,
            )),
            None => Lines::of_polytope(points[side]),
        };
        let sides = [lines(0)?, lines(1)?];
        Some(Self {
            cylinders,
            points,
            sides,
            lines: Lines::joined(&sides)?,
        })
    }

    fn is_without_cap(&self) -> bool {
        self.sides.iter().all(|lines| lines.count < 2)
    }

    /// The normal, turned so that the lines are in the plane.
    fn normal_across_lines(&self, normal: DVec3) -> DVec3 {
        let [one, other] = self.lines.along;
        match self.lines.count {
            0 => normal,
            1 => normal - one * (one.dot(normal) / one.length_squared()),
            _ => {
                let across = one.cross(other);
                across * across.dot(normal).signum()
            }
        }
    }

    /// How the point of each core moves along a rim.
    fn bends<P: PreciseVector>(&self, vertex: &Vertex<P>, outward: DVec3) -> [Bend; 2] {
        let bend = |side: usize, point: P, normal| match &self.cylinders[side] {
            Some(cylinder) => Bend::new(cylinder, point.in_space(), normal),
            None => Bend::default(),
        };
        [
            bend(0, vertex.on_a, outward),
            bend(1, vertex.on_b, -outward),
        ]
    }

    /// The step that leads to where the point of the difference is on the way, if nothing bends more than at the vertex.
    fn step<P: PreciseVector>(&self, vertex: &Vertex<P>, outward: DVec3, velocity: DVec3) -> Step {
        let solved = |one: DVec3, other: DVec3| {
            let across = other.cross(velocity);
            let scale = -1.0 / one.dot(across);
            let point = vertex.point.in_space();
            [
                point.dot(across) * scale,
                point.dot(velocity.cross(one)) * scale,
            ]
        };
        let [one, other] = self.lines.along;
        if self.lines.count == 2 {
            return Step {
                turn: DVec3::ZERO,
                length: 0.0,
                along: solved(one, other),
            };
        }
        let [a, b] = self.bends(vertex, outward);
        if self.lines.count == 1 {
            let turn = outward.cross(one);
            let moved = a.moved(turn) + b.moved(turn);
            let [share, along] = solved(moved, one);
            return Step {
                turn: turn * share,
                length: moved.length() * share.abs(),
                along: [along, 0.0],
            };
        }
        let [of_a, of_b] = solved(a.rim, b.rim);
        let turn =
            b.rim.cross(outward) * (of_a / a.factor) + outward.cross(a.rim) * (of_b / b.factor);
        Step {
            turn: turn / outward.dot(a.rim.cross(b.rim)),
            length: a.rim.length() * of_a.abs() + b.rim.length() * of_b.abs(),
            along: [0.0; 2],
        }
    }

    /// The points that touch, if they are points of the cores.
    fn points_moved<P: PreciseVector>(
        &self,
        vertex: &Vertex<P>,
        along: [f64; 2],
    ) -> Option<(P, P)> {
        let [of_a, of_b] = self.sides.map_each(|lines| lines.count);
        let shift = |range: core::ops::Range<usize>| {
            range.fold(DVec3::ZERO, |sum, k| sum + self.lines.along[k] * along[k])
        };
        let (from_a, from_b) = (vertex.on_a.in_space(), vertex.on_b.in_space());
        let (on_a, on_b) = (from_a + shift(0..of_a), from_b - shift(of_a..of_a + of_b));
        let are_on_cores = self.is_on_core(0, from_a, on_a) && self.is_on_core(1, from_b, on_b);
        are_on_cores.then(|| (P::from_space(on_a), P::from_space(on_b)))
    }

    /// Whether a point of a core is still on it when it has been moved along lines.
    fn is_on_core(&self, side: usize, from: DVec3, to: DVec3) -> bool {
        let lines = &self.sides[side];
        match (&self.cylinders[side], lines.count) {
            (_, 0) => true,
            (Some(cylinder), 1) => cylinder.seen(to).0.abs() <= cylinder.half_height,
            (Some(cylinder), _) => cylinder.seen(to).1.length() <= cylinder.radius,
            (None, _) => {
                let ([start, ..], edge) = (self.points[side], lines.along[0]);
                let share = edge.dot(to - start) / edge.length_squared();
                self.points[side].contains(&from) && (0.0..=1.0).contains(&share)
            }
        }
    }
}

/// Guesses what two cores touch with, now and then.
pub(super) struct Guesses {
    cylinders: Cylinders,
    /// How many portals are passed over until the next guess, and after it.
    wait: usize,
    pause: usize,
    /// A cap is guessed once. After that, a rim is.
    with_caps: bool,
}

impl Guesses {
    pub(super) fn new(cylinders: Cylinders) -> Self {
        Self {
            cylinders,
            wait: 0,
            pause: 0,
            with_caps: true,
        }
    }

    /// Whether to guess at this portal: at the first, the third, the sixth, the tenth and so on.
    fn are_due(&mut self) -> bool {
        let is_due = self.wait == 0;
        if is_due {
            self.pause += 1;
            self.wait = self.pause;
        } else {
            self.wait -= 1;
        }
        is_due
    }

    /// Points of a and b that touch, if those of a portal and its normal let guess them.
    pub(super) fn touching<P: PreciseVector>(
        &mut self,
        (difference, planes): (&impl Minkowski<P>, &mut Planes<P>),
        portal: &[Vertex<P>; 3],
        outward: DVec3,
    ) -> Result<Option<(P, P)>, Stop<P>> {
        if !self.are_due() {
            return Ok(None);
        }
        let points = [
            portal.each_ref().map_each(|vertex| vertex.on_a.in_space()),
            portal.each_ref().map_each(|vertex| vertex.on_b.in_space()),
        ];
        let guess = (outward, self.with_caps);
        let touch = Touch::new(&self.cylinders, points, guess);
        self.with_caps &= touch.as_ref().is_some_and(Touch::is_without_cap);
        let Some(touch) = touch else {
            return Ok(None);
        };
        let mut outward = touch.normal_across_lines(outward);
        let mut longest = f64::INFINITY;
        for _ in 0..MOST_VERTICES {
            let vertex = difference.support(P::from_space(outward));
            planes.note(outward, &vertex)?;
            let step = touch.step(&vertex, outward, planes.velocity);
            if step.length <= 0.5 * planes.way.near {
                return Ok(touch.points_moved(&vertex, step.along));
            }
            if !(step.length < SHORTER * longest) {
                break;
            }
            longest = step.length;
            outward += step.turn;
            // A turn has no end where the points move the same way.
            if !outward.length_squared().is_finite() {
                break;
            }
        }
        Ok(None)
    }
}
