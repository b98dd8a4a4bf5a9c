//! The order of a search by a ray: the child with the least measure of the node that was reached last.

use clearance_math::Real;
use clearance_math::internal::MapEach;
use glam::Vec4;
use smallvec::SmallVec;

use crate::internal::MOST_LIMIT;
use crate::{LANES, Node};

/// No measure is greater, so that the numbers of lanes raise none above [`MOST_LIMIT`].
const MOST_MEASURE: Real = Real::MAX / 4.0;

/// The bits of a measure that are replaced by the number of its lane.
const LANE_BITS: u32 = LANES as u32 - 1;

/// How many nodes wait without allocation: one for each level, also of trees that single boxes were added to.
const CAPACITY: usize = 64;

/// A node of which some lanes have not been visited.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Unvisited {
    /// The measures with the numbers of the lanes; infinite where visited.
    keys: Vec4,
    /// The least of them.
    least: Real,
    node: u32,
}

/// Visits leaves by increasing measure, as far as a depth-first search allows; returns the last limit.
///
/// `measures` gets a node and the limit, and returns measures for [`keys`]. `visit` gets the number of a leaf
/// and its measure, and returns the new limit, which only counts if it is smaller than before.
///
/// The least of four numbers takes fewer instructions than sorting them, none of which is a branch, and most
/// nodes have only one or two children of interest.
#[inline(always)]
pub(crate) fn least_first(
    nodes: &[Node],
    mut limit: Real,
    measures: impl Fn(&Node, Real) -> Vec4,
    visit: &mut impl FnMut(u32, Real) -> Real,
) -> Real {
    let Some(mut node) = nodes.first() else {
        return limit;
    };
    let mut pending = SmallVec::<[Unvisited; CAPACITY]>::new();
    let mut index = 0;
    let mut reach = reach_of(limit);
    let mut keys = measures(node, limit);
    let mut least = keys.min_element();
    loop {
        if least <= reach {
            let child = node.children[(least.to_bits() & LANE_BITS) as usize];
            keys = Vec4::select(keys.cmpeq(Vec4::splat(least)), Vec4::INFINITY, keys);
            let rest = keys.min_element();
            if child.is_leaf_or_empty() {
                let measure = Real::from_bits(least.to_bits() & !LANE_BITS);
                limit = limit.min(visit(child.known_number(), measure));
                reach = reach_of(limit);
                least = rest;
                continue;
            }
            if rest <= reach {
                pending.push(Unvisited {
                    keys,
                    least: rest,
                    node: index,
                });
            }
            index = child.known_index();
            node = &nodes[index as usize];
            keys = measures(node, limit);
            least = keys.min_element();
            continue;
        }
        let Some(next) = pending.pop() else {
            return limit;
        };
        Unvisited {
            keys,
            least,
            node: index,
        } = next;
        node = &nodes[index as usize];
    }
}

/// Up to which key lanes are visited: measures of zero have keys that are a little greater.
#[inline(always)]
pub(crate) fn reach_of(limit: Real) -> Real {
    if limit < 0.0 {
        limit
    } else {
        limit.clamp(Real::MIN_POSITIVE, MOST_LIMIT)
    }
}

/// The measures of the lanes of interest, each with the number of its lane in the last bits, so that no two
/// are equal; greater than every limit in the other lanes.
///
/// The number raises what is left of a measure by up to three units in the last place. None may be negative
/// or NaN.
#[inline(always)]
pub(crate) fn keys(are_of_interest: glam::BVec4A, measures: Vec4) -> Vec4 {
    let least = measures.min(Vec4::splat(MOST_MEASURE));
    let measures = Vec4::select(are_of_interest, least, Vec4::MAX);
    let [a, b, c, d] = measures.to_array().map_each(|x| x.to_bits() & !LANE_BITS);
    Vec4::from_array([a, b | 1, c | 2, d | 3].map_each(Real::from_bits))
}
