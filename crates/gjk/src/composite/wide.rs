//! A ball in the wide tree of a mesh.

use clearance_math::lanes::{Simd, SimdBase, dispatch, f32x16, level};
use clearance_math::{DVec3, Real, Vector, round_nearest, round_up};
use clearance_shapes::{Mesh, TriangleGroup};
use clearance_tree::{MOST_LIMIT, Search, WideNode, lanes, nearest_first};
use glam::Vec4;

use super::four_triangles::in_lanes;
use super::nearest_first::Visitor;

/// Larger shapes are left to boxes whose gaps allow for squares that overflow.
const MOST_SIZE: Real = 1e18;

/// What a squared distance is reduced by: the rounding of three squares and their sum, and the number of the
/// lane.
const LOWERED: Real = 1.0 - 18.0 * Real::EPSILON;

/// A ball in the frame of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallInMesh<'a, V: Vector> {
    pub(super) mesh: &'a Mesh<V>,
    pub(super) center: DVec3,
    pub(super) radius: f64,
    /// No coordinate is greater.
    pub(super) size: Real,
}

struct Descent<'a, V: Vector, T> {
    ball: &'a BallInMesh<'a, V>,
    center: [Real; 3],
    /// The radius, rounded up.
    radius: Real,
    /// The limit of the visitor.
    limit: Real,
    visitor: &'a mut T,
}

/// Visits the triangles in space whose boxes are within the limit of the visitor, the nearest boxes first. False if
/// it must be done in another way.
pub(super) fn descend<V: Vector>(ball: &BallInMesh<'_, V>, visitor: &mut impl Visitor) -> bool {
    if !(ball.size < MOST_SIZE) {
        return false;
    }
    let mut descent = Descent {
        ball,
        center: ball.center.as_vec3().to_array(),
        radius: round_up(ball.radius),
        limit: visitor.limit(),
        visitor,
    };
    let nodes = ball.mesh.wide_nodes();
    let skipped = dispatch!(level(), simd => nearest_first(simd, nodes, &mut descent));
    if skipped <= MOST_LIMIT {
        visitor.skip(skipped.sqrt() * LOWERED - round_up(ball.radius));
    }
    true
}

/// Measures are squared distances of the centre.
impl<V: Vector, T: Visitor> Search for Descent<'_, V, T> {
    #[inline(always)]
    fn limit(&self) -> Real {
        let reach = self.limit + self.radius;
        if reach < 0.0 {
            return -1.0;
        }
        // Squares of tiny numbers vanish.
        (reach * reach / LOWERED + Real::MIN_POSITIVE).min(MOST_LIMIT)
    }

    #[inline(always)]
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, _limit: Real) -> f32x16<S> {
        let mut squared = f32x16::splat(simd, 0.0);
        for k in 0..3 {
            let low = f32x16::load_array_ref(simd, &node.planes[k][0]);
            let high = f32x16::load_array_ref(simd, &node.planes[k][1]);
            let center = f32x16::splat(simd, self.center[k]);
            let outside = (low - center).max(center - high).max(0.0);
            squared += outside * outside;
        }
        (squared * LOWERED).min(Real::MAX)
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, group: u32) {
        let group = self.ball.mesh.group_of(group);
        let least = least_distances(&group, self.center) - Vec4::splat(self.radius);
        let is_near = least.cmple(Vec4::splat(self.limit));
        if !is_near.all() {
            let farther = Vec4::select(is_near, Vec4::INFINITY, least);
            self.visitor.skip(farther.min_element());
        }
        let near = is_near.bitmask() & group.occupied_lanes();
        if near == 0 {
            return;
        }
        if !T::TAKES_OFFERS {
            self.visitor.visit_lanes(simd, &group, near);
            self.limit = self.visitor.limit();
            return;
        }
        let radius = Vec4::splat(round_nearest(self.ball.radius));
        let [gaps, most] = in_lanes(simd, &group, self.ball.center)
            .map(|distances| Vec4::from_array(distances.map(|distance| distance as Real)) - radius);
        for lane in lanes(near) {
            if gaps[lane] <= self.limit {
                self.visitor
                    .offer_lane(&group, lane, [gaps[lane], most[lane]]);
                self.limit = self.visitor.limit();
            } else {
                self.visitor.skip(gaps[lane]);
            }
        }
    }
}

/// Lower bounds of the distances of a point from the triangles of a group, up to rounding.
///
/// No point of a triangle is nearer, in any direction, than the nearest of its corners. In the direction of the
/// middle of the triangle this bound is the tighter the farther away and the smaller the triangle is.
#[inline(always)]
fn least_distances(group: &TriangleGroup, point: [Real; 3]) -> Vec4 {
    let mut squared = Vec4::ZERO;
    let mut along = [Vec4::ZERO; 3];
    let point = point.map(Vec4::splat);
    let mut middle = [Vec4::ZERO; 3];
    for k in 0..3 {
        let [a, b, c] = [0, 1, 2].map(|corner: usize| group.corners[corner][k] - point[k]);
        middle[k] = a + b + c;
        squared += middle[k] * middle[k];
        for (along, corner) in along.iter_mut().zip([a, b, c]) {
            *along += corner * middle[k];
        }
    }
    let least = along[0].min(along[1]).min(along[2]);
    let length = Vec4::new(
        squared.x.sqrt(),
        squared.y.sqrt(),
        squared.z.sqrt(),
        squared.w.sqrt(),
    );
    // Where the middle is too near for a direction, nothing is known.
    let is_clear = least.cmpgt(Vec4::ZERO) & squared.cmpgt(Vec4::splat(1e-30));
    Vec4::select(is_clear, least / length, Vec4::ZERO)
}
