//! A ray in the tree that a mesh has for rays.

use clearance_math::internal::lanes::{Select, Simd, SimdBase, apart, dispatch_widest, f32x16};
use clearance_math::tolerances::PART_BOX_RAY_ROUNDING;
use clearance_math::{PreciseVector, Real, Vector, tolerances};
use clearance_shapes::Mesh;
use clearance_shapes::internal::{blocks_of, ray_nodes_of};
use clearance_tree::LANES;
use clearance_tree::internal::{BLOCK, MOST_LIMIT, Search, WideLeaf, WideNode, nearest_first};

use super::RayInFrame;
use super::four::met_in_lanes;
use super::hits::{AtHand, Hits};
use super::sheared::Sheared;
use crate::parts::WideSlabs;

/// A line as the boxes of wide nodes are tested against it, in single precision. Places count from the base
/// of the line.
///
/// The rounding errors of places count only
/// within the ball around the composite, since boxes are met there or nowhere; they are at most a few units in the last
/// place of its radius, and the number of a lane in the last bits of a place changes it by fifteen. For them all places
/// of entry are counted from a point that is twice the slack ahead of the base.
struct NodePlanes {
    /// The coordinates of the base, moved so that the line enters early, and leaves late; those for entering are moved
    /// ahead along the line, too.
    slabs: WideSlabs,
    /// The place from which on the line is of interest, as places of entry are counted.
    start: Real,
    /// What boxes are grown by on every side, in units of length.
    slack: Real,
}

impl NodePlanes {
    /// `None` if the line is too large.
    fn new<P: PreciseVector>(line: &RayInFrame<P>) -> Option<Self> {
        // A line that does not pass the ball is no farther from the origin than its radius, up to rounding.
        let size = 2.5 * line.bounding_radius;
        if !(size + line.middle.abs() < tolerances::MOST_WIDE_SIZE) {
            return None;
        }
        let slack = size as Real * PART_BOX_RAY_ROUNDING;
        let ahead = slack + slack;
        let mut planes = Self {
            slabs: WideSlabs::default(),
            start: Self::start(line) - (slack + ahead),
            slack,
        };
        for k in 0..3 {
            let component = line.direction.component(k) as Real;
            let base = line.base.component(k) as Real;
            let slack = if component < 0.0 { -slack } else { slack };
            let ends = [base + slack + ahead * component, base - slack];
            let least = tolerances::PART_BOX_RAY_LEAST_COMPONENT as Real;
            planes.slabs.set(k, (component, least), ends);
        }
        Some(planes)
    }

    /// Where the ray starts, rounded down.
    fn start<P: PreciseVector>(line: &RayInFrame<P>) -> Real {
        let middle = line.middle as Real;
        -middle - middle.abs() * PART_BOX_RAY_ROUNDING
    }

    /// Lower bounds of the places where the line enters the boxes of a node; the greatest number where it
    /// does not enter them.
    #[inline(always)]
    fn entries<S: Simd>(&self, simd: S, node: &WideNode) -> f32x16<S> {
        let [near, far] = self.slabs.ends(simd, node, [self.start, MOST_LIMIT]);
        near.simd_gt(far)
            .select(f32x16::splat(simd, Real::MAX), near)
    }
}

struct RayDescent<'d, 'a, 'f, V: Vector> {
    mesh: &'d Mesh<V>,
    planes: &'d NodePlanes,
    sheared: &'d Sheared,
    /// Where the best triangle so far is.
    best: Option<AtHand>,
    hits: &'d mut Hits<'a, 'f, V>,
}

impl<V: Vector> Search for RayDescent<'_, '_, '_, V> {
    #[inline(always)]
    fn limit(&self) -> Real {
        let line = self.hits.parts.line;
        line.place(self.hits.limit(), self.planes.slack)
            .min(MOST_LIMIT)
    }

    #[inline(always)]
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, _limit: Real) -> f32x16<S> {
        self.planes.entries(simd, node)
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, leaf: WideLeaf<'_>) {
        let block = &blocks_of(self.mesh)[leaf.number as usize];
        let mut lanes = apart!(self.sheared.may_meet(simd, block));
        while lanes != 0 {
            let slot = lanes.trailing_zeros() as usize / LANES;
            lanes &= !(0b1111 << (slot * LANES));
            let group = block.group(slot);
            let met = met_in_lanes(simd, self.hits.parts.line, &group);
            if let Some(lane) = self.hits.take(&group, &met) {
                self.best = Some(AtHand {
                    number: group.parts[lane].known_number(),
                    group: leaf.number * BLOCK as u32 + slot as u32,
                    lane,
                });
            }
        }
    }
}

/// Visits the triangles in space whose boxes the ray enters, the nearest boxes first. False if it must be
/// done in another way.
pub(super) fn descend<V: Vector>(mesh: &Mesh<V>, hits: &mut Hits<V>) -> bool {
    let Some(planes) = NodePlanes::new(hits.parts.line) else {
        return false;
    };
    let mut descent = RayDescent {
        mesh,
        planes: &planes,
        sheared: &Sheared::new(hits.parts.line, planes.slack),
        best: None,
        hits,
    };
    dispatch_widest!(simd => nearest_first(simd, ray_nodes_of(mesh), &mut descent));
    hits.parts.at_hand = descent.best;
    true
}
