//! Shapes of links in a configuration, and what of them is compared first.

use std::sync::Arc;

use clearance::gjk::{DEFAULT_EFFORT, Placed, Proximity, core_corners, intersects, measure};
use clearance::math::glam::{DAffine3, DMat3, DVec3, Vec3};
use clearance::math::{Pose, Real};
use clearance::shapes::{Composite, Shape};

/// By how much bounds are larger than what they bound, in parts of its farthest point: more than what the rounding of a rotation to single
/// precision moves that point, and what is computed of it.
const ROUNDING: f64 = 1e-6;

/// What is added to the cosines between axes of boxes: more than their rounding in double precision.
const PARALLEL: f64 = 1e-9;

/// A composite with more parts than this has no hull: to make it would take long.
const MOST_PARTS: u32 = 1 << 18;

/// The shape of a link, and what is around it.
pub(crate) struct LinkShape {
    shape: Shape<Vec3>,
    bounds: Option<Bounds>,
    /// The hull of a composite that is not convex.
    hull: Option<Shape<Vec3>>,
}

/// A box along the axes of the link, and the ball around it.
struct Bounds {
    center: DVec3,
    half: DVec3,
    radius: f64,
    /// How uncertain they are.
    slack: f64,
}

impl LinkShape {
    pub(crate) fn new(shape: Shape<Vec3>) -> Self {
        let hull = match &shape {
            Shape::Composite(composite) if composite.convex_hull().is_none() => hull_of(composite),
            _ => None,
        };
        let bounds = Bounds::of(&shape);
        Self {
            shape,
            bounds,
            hull,
        }
    }

    /// Whether parts of it count on one side only, so that its distance from others jumps where they pass through it.
    pub(crate) fn is_one_sided(&self) -> bool {
        matches!(&self.shape, Shape::Composite(composite) if composite.one_sided().is_some())
    }
}

/// The hull of the parts of a composite; `None` if one is curved, or if they are too many.
fn hull_of(composite: &Composite<Vec3>) -> Option<Shape<Vec3>> {
    if composite.part_count() > MOST_PARTS {
        return None;
    }
    let (mut corners, mut radius) = (Vec::new(), 0.0_f64);
    for number in composite.part_numbers() {
        let part = composite.part(number)?;
        let Shape::Convex(convex) = &*part.shape else {
            return None;
        };
        radius = radius.max(convex.radius());
        let own = core_corners(convex.core())?;
        match &part.pose {
            None => corners.extend(own),
            Some(pose) => {
                let placed = |corner: Vec3| pose.transform_point(corner.into()).as_vec3();
                corners.extend(own.into_iter().map(placed));
            }
        }
    }
    let hull = Shape::hull(&corners).ok()?;
    if radius > 0.0 {
        hull.rounded(radius as Real).ok()
    } else {
        Some(hull)
    }
}

impl Bounds {
    /// The bounds of a shape; `None` if it has no end.
    fn of(shape: &Shape<Vec3>) -> Option<Self> {
        let reach = shape.bounding_radius();
        if !reach.is_finite() {
            return None;
        }
        let [low, high] = shape.limits_within(&Pose::IDENTITY, 0.0);
        let slack = ROUNDING * reach;
        let half = (high - low) / 2.0 + DVec3::splat(slack);
        Some(Self {
            center: (low + high) / 2.0,
            half,
            radius: half.length(),
            slack,
        })
    }

    /// The way from the centre of the first to that of the second. Frames far away are told apart before anything is added to them.
    fn between([(a, frame_a), (b, frame_b)]: [(&Self, &DAffine3); 2]) -> DVec3 {
        let centers = frame_b.matrix3 * b.center - frame_a.matrix3 * a.center;
        frame_b.translation - frame_a.translation + centers
    }

    /// Whether two of them, at their frames, are farther apart than `by`.
    fn are_apart(sides: [(&Self, &DAffine3); 2], by: f64) -> bool {
        let between = Self::between(sides);
        let [(a, frame_a), (b, frame_b)] = sides;
        let reach = a.radius + b.radius + by;
        if between.length_squared() > reach * reach {
            return true;
        }
        let axes_a = frame_a.matrix3.transpose();
        let in_a = axes_a * between;
        let b_in_a = axes_a * frame_b.matrix3;
        boxes_are_apart([a.half + DVec3::splat(by), b.half], in_a, b_in_a)
    }
}

/// Whether a plane separates two boxes: across an axis of the first, in whose frame the second lies, one of that, or across an edge of each.
fn boxes_are_apart([half_a, half_b]: [DVec3; 2], offset: DVec3, turn: DMat3) -> bool {
    // Of parallel edges the cross product is what rounding leaves of it.
    let size = |axis: DVec3| axis.abs() + DVec3::splat(PARALLEL);
    let sizes = DMat3::from_cols(size(turn.x_axis), size(turn.y_axis), size(turn.z_axis));
    if (offset.abs() - half_a - sizes * half_b).max_element() > 0.0 {
        return true;
    }
    let in_b = turn.transpose() * offset;
    if (in_b.abs() - half_b - sizes.transpose() * half_a).max_element() > 0.0 {
        return true;
    }
    // The cross products of an axis of the second box with those of the first; `others` are the two other half extents of that box, each with
    // the axis that it counts along.
    let across = |axis_b: DVec3, size_b: DVec3, others: [(f64, DVec3); 2]| {
        let reach_a = DVec3::new(
            half_a.y * size_b.z + half_a.z * size_b.y,
            half_a.x * size_b.z + half_a.z * size_b.x,
            half_a.x * size_b.y + half_a.y * size_b.x,
        );
        let [(half_one, size_one), (half_other, size_other)] = others;
        let reach_b = size_one * half_one + size_other * half_other;
        (offset.cross(axis_b).abs() - reach_a - reach_b).max_element() > 0.0
    };
    let [x, y, z] = half_b.to_array();
    let [size_x, size_y, size_z] = [sizes.x_axis, sizes.y_axis, sizes.z_axis];
    across(turn.x_axis, size_x, [(y, size_z), (z, size_y)])
        || across(turn.y_axis, size_y, [(x, size_z), (z, size_x)])
        || across(turn.z_axis, size_z, [(x, size_y), (y, size_x)])
}

/// All links in a configuration.
pub(crate) struct PlacedLinks<'l> {
    shapes: &'l [Option<Arc<LinkShape>>],
    pub(crate) frames: Vec<DAffine3>,
    /// Those of links that were asked for.
    poses: Vec<Option<Pose<Vec3>>>,
}

/// What is known of the distance of two links.
pub(crate) enum Gap {
    /// It is more than was asked.
    More,
    /// It lies between these bounds.
    Between([f64; 2]),
}

impl<'l> PlacedLinks<'l> {
    pub(crate) fn new(shapes: &'l [Option<Arc<LinkShape>>]) -> Self {
        Self {
            shapes,
            frames: vec![DAffine3::IDENTITY; shapes.len()],
            poses: vec![None; shapes.len()],
        }
    }

    /// Moves the links to other frames.
    pub(crate) fn place(&mut self, write: impl FnOnce(&mut [DAffine3])) {
        write(&mut self.frames);
        self.poses.fill(None);
    }

    /// The pose of a link in single precision, as batches have it; the identity where it is none, which numbers that are too large make.
    fn pose(&mut self, link: usize) -> Pose<Vec3> {
        let frame = self.frames[link];
        *self.poses[link].get_or_insert_with(|| Pose::try_from(frame).unwrap_or(Pose::IDENTITY))
    }

    /// Whether both links are proven to be farther apart than `by`, without a look at their parts. Links without shapes are.
    fn are_surely_apart(&mut self, links: [usize; 2], by: f64) -> bool {
        let shapes = self.shapes;
        let [Some(a), Some(b)] = links.map(|link| shapes[link].as_ref()) else {
            return true;
        };
        let (Some(bounds_a), Some(bounds_b)) = (&a.bounds, &b.bounds) else {
            return false;
        };
        let [frame_a, frame_b] = links.map(|link| &self.frames[link]);
        Bounds::are_apart([(bounds_a, frame_a), (bounds_b, frame_b)], by)
            || self.gap_of_hulls(links, by).is_some_and(|gap| gap > by)
    }

    /// The signed distance of two links is at least this, by the balls around them.
    pub(crate) fn gap_of_balls(&self, links: [usize; 2]) -> f64 {
        let [Some(a), Some(b)] = links.map(|link| self.shapes[link].as_ref()) else {
            return f64::INFINITY;
        };
        let (Some(a), Some(b)) = (&a.bounds, &b.bounds) else {
            return f64::NEG_INFINITY;
        };
        let [frame_a, frame_b] = links.map(|link| &self.frames[link]);
        Bounds::between([(a, frame_a), (b, frame_b)]).length() - a.radius - b.radius
    }

    /// The same by their hulls, of which it may be less by what more than `within` is; `None` if both shapes are their own hulls, or if one
    /// has no end. What moves hulls apart does so with all that is in them, so it holds for depths, too.
    pub(crate) fn gap_of_hulls(&mut self, links: [usize; 2], within: f64) -> Option<f64> {
        let shapes = self.shapes;
        let [a, b] = [shapes[links[0]].as_ref()?, shapes[links[1]].as_ref()?];
        let slack = a.bounds.as_ref()?.slack + b.bounds.as_ref()?.slack;
        let hulls = match (&a.hull, &b.hull) {
            (None, None) => return None,
            (hull_a, hull_b) => [
                hull_a.as_ref().unwrap_or(&a.shape),
                hull_b.as_ref().unwrap_or(&b.shape),
            ],
        };
        let poses = links.map(|link| self.pose(link));
        let [a, b] = [0, 1].map(|side| Placed::new(hulls[side], &poses[side]));
        let lower = match measure(a, b, ((within + 2.0 * slack) as Real).next_up()) {
            Proximity::Near(near) => near.lower,
            Proximity::Farther { lower } | Proximity::Undecided { lower } => lower,
            Proximity::Unbounded => Real::NEG_INFINITY,
        };
        Some(f64::from(lower) - slack)
    }

    /// The distance of two links, which may be [`Proximity::Farther`] if it is more than `within`; `None` if one has no shape.
    pub(crate) fn distance(
        &mut self,
        links: [usize; 2],
        within: f64,
        effort: u32,
    ) -> Option<Proximity<Vec3>> {
        let shapes = self.shapes;
        let [a, b] = [shapes[links[0]].as_ref()?, shapes[links[1]].as_ref()?];
        let poses = links.map(|link| self.pose(link));
        let [a, b] = [(a, &poses[0]), (b, &poses[1])]
            .map(|(link, pose)| Placed::new(&link.shape, pose).with_effort(effort));
        Some(measure(a, b, (within as Real).next_up()))
    }

    /// What is known of the distance of two links, which is measured where it may be less than `by`.
    pub(crate) fn gap(&mut self, links: [usize; 2], by: f64) -> Gap {
        if self.are_surely_apart(links, by) {
            return Gap::More;
        }
        match self.distance(links, by, DEFAULT_EFFORT) {
            None | Some(Proximity::Farther { .. }) => Gap::More,
            Some(Proximity::Near(near)) => Gap::Between([near.lower.into(), near.upper.into()]),
            Some(Proximity::Undecided { lower }) => Gap::Between([lower.into(), f64::INFINITY]),
            Some(Proximity::Unbounded) => Gap::Between([f64::NEG_INFINITY; 2]),
        }
    }

    /// Whether two links have a point in common; with a margin, whether they are not proven to be farther apart than it.
    pub(crate) fn meet(&mut self, links: [usize; 2], margin: f64) -> bool {
        if margin > 0.0 {
            return match self.gap(links, margin) {
                Gap::More => false,
                Gap::Between([lower, _]) => lower <= margin,
            };
        }
        let [Some(a), Some(b)] = links.map(|link| self.shapes[link].as_ref()) else {
            return false;
        };
        if self.are_surely_apart(links, 0.0) {
            return false;
        }
        let poses = links.map(|link| self.pose(link));
        // Poses were checked, so nothing is refused.
        intersects(
            Placed::new(&a.shape, &poses[0]),
            Placed::new(&b.shape, &poses[1]),
        ) != Ok(false)
    }
}
