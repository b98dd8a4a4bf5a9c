//! The cells of a chunk in a box and on a line, found by counting instead of by boxes.

use clearance_math::internal::MapEach;
use clearance_math::tolerances::GRID_ROUNDING;
use clearance_math::{Real, Vector};

use super::Voxels;
use super::cells::Spot;
use super::chunk::{Block, interleaved};
use crate::composite::nodes::LineOfParts;

/// So many cells of a chunk are looked at one by one. Of more, the tree leaves out more that a box has in its corners.
const MOST_IN_BOX: u32 = 64;

impl<V: Vector> Voxels<V> {
    /// Calls `found` with the cells of a chunk that touch a box, until it says no: see
    /// [`PartTree::each_in_box`](crate::PartTree::each_in_box). False if they are many.
    pub(super) fn each_cell_in_box(
        &self,
        slot: u32,
        [low, high]: [[Real; 3]; 2],
        found: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        let (corner, block) = (self.cells.corner(slot), self.cells.block(slot));
        let (mut from, mut to) = ([0; 3], [0; 3]);
        for k in 0..V::DIM {
            let size = f64::from(self.size.component(k));
            let [low, high] = [low[k], high[k]].map_each(|at| f64::from(at) / size);
            let rounding = GRID_ROUNDING * (low.abs() + high.abs()) + self.beyond() / size;
            let corner = f64::from(corner[k]);
            let first = (low - rounding).ceil() - 1.0 - corner;
            let last = (high + rounding).floor() - corner;
            let first = first.max(block.low[k].into());
            let last = last.min(block.high[k].into());
            if !(first <= last) {
                return true;
            }
            (from[k], to[k]) = (first as u32, last as u32);
        }
        let count = |k: usize| to[k] - from[k] + 1;
        if (0..3).map(count).product::<u32>() > MOST_IN_BOX {
            return false;
        }
        let mut is_wanted = true;
        self.cells
            .chunk(slot)
            .each_between::<V>([from, to], |place| {
                is_wanted = is_wanted && found(self.number(Spot { slot, place }));
            });
        true
    }

    /// Calls `found` with the cells of a chunk on a line: see [`PartTree::each_on_line`](crate::PartTree::each_on_line).
    ///
    /// The line goes from layer to layer along the axis across which it passes the most cells. In a layer it passes few of
    /// them along each other axis; all that it may touch are looked at, so that none is missed by rounding.
    pub(super) fn each_cell_on_line(
        &self,
        slot: u32,
        line: &LineOfParts,
        found: &mut dyn FnMut(u32) -> Real,
    ) {
        let Some(walk) = LineInChunk::new(self, slot, line) else {
            return;
        };
        let chunk = self.cells.chunk(slot);
        let mut limit = f64::from(line.end);
        let [mut layer, last] = walk.layers;
        loop {
            if walk.times(layer)[0] > limit + walk.slack_along {
                return;
            }
            walk.each_place::<V>(layer, |place| {
                if chunk.contains(place) {
                    limit = found(self.number(Spot { slot, place })).into();
                }
            });
            if layer == last {
                return;
            }
            layer += (last - layer).signum();
        }
    }
}

/// A line as a chunk sees it: in cells from the first cell of the chunk.
struct LineInChunk {
    base: [f64; 3],
    direction: [f64; 3],
    /// The filled cells lie between these, both included.
    block: Block,
    /// The axis of the layers.
    main: usize,
    /// The first and the last layer that the line passes.
    layers: [i32; 2],
    /// The place from which on it is near the filled cells.
    from: f64,
    /// The place up to which it is.
    to: f64,
    /// How far beside a cell the line may pass along each axis and meet it all the same.
    slack: [f64; 3],
    /// The same along the line, in units of length.
    slack_along: f64,
}

impl LineInChunk {
    /// `None` if the line does not come near the filled cells.
    fn new<V: Vector>(voxels: &Voxels<V>, slot: u32, line: &LineOfParts) -> Option<Self> {
        let (corner, block) = (voxels.cells.corner(slot), voxels.cells.block(slot));
        if block.is_empty() {
            return None;
        }
        let size = [0, 1, 2].map_each(|k: usize| {
            if k < V::DIM {
                f64::from(voxels.size.component(k))
            } else {
                1.0
            }
        });
        let base = [0, 1, 2].map_each(|k: usize| line.base[k] / size[k] - f64::from(corner[k]));
        let direction = [0, 1, 2].map_each(|k: usize| line.direction[k] / size[k]);
        let speed = |axis: usize| direction[axis].abs();
        let main = (1..V::DIM).fold(0, |main, k| if speed(k) > speed(main) { k } else { main });
        // Where the line leaves a layer too late, it is farther along the other axes, too.
        let beside = f64::from(line.slack) + voxels.beyond();
        let slack = [0, 1, 2].map_each(|k: usize| {
            let late = beside / size[main] * (speed(k) / speed(main));
            let numbers = base[k].abs() + f64::from(corner[k]).abs() + f64::from(u8::MAX);
            beside / size[k] + late + GRID_ROUNDING * numbers
        });
        let [mut from, mut to] = [line.start, line.end].map_each(f64::from);
        for k in 0..V::DIM {
            let low = f64::from(block.low[k]) - slack[k] - base[k];
            let high = f64::from(block.high[k]) + 1.0 + slack[k] - base[k];
            if direction[k] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let times = [low / direction[k], high / direction[k]];
            from = from.max(times[0].min(times[1]));
            to = to.min(times[0].max(times[1]));
        }
        if !(from <= to) {
            return None;
        }
        let layer = |time: f64, beyond: f64| {
            let at = (base[main] + direction[main] * time + beyond).floor();
            at.clamp(block.low[main].into(), block.high[main].into()) as i32
        };
        let ahead = slack[main].copysign(direction[main]);
        Some(Self {
            base,
            direction,
            block,
            main,
            layers: [layer(from, -ahead), layer(to, ahead)],
            from,
            to,
            slack,
            slack_along: slack[main] / speed(main),
        })
    }

    /// The places at which the line enters and leaves a layer.
    #[inline]
    fn times(&self, layer: i32) -> [f64; 2] {
        let time =
            |plane: i32| (f64::from(plane) - self.base[self.main]) / self.direction[self.main];
        let [one, other] = [time(layer), time(layer + 1)];
        [one.min(other).max(self.from), one.max(other).min(self.to)]
    }

    /// Calls `found` with the places of the cells of a layer that the line may touch.
    #[inline]
    fn each_place<V: Vector>(&self, layer: i32, mut found: impl FnMut(u32)) {
        let times = self.times(layer);
        let cells = |axis: usize| {
            if axis == self.main || axis >= V::DIM {
                let only = if axis == self.main { layer } else { 0 };
                return only as u32..=only as u32;
            }
            let [one, other] = times.map_each(|time| self.base[axis] + self.direction[axis] * time);
            let first = (one.min(other) - self.slack[axis]).floor();
            let last = (one.max(other) + self.slack[axis]).floor();
            let first = first.max(self.block.low[axis].into());
            first as u32..=last.min(self.block.high[axis].into()) as u32
        };
        let [xs, ys, zs] = [0, 1, 2].map(cells);
        for z in zs {
            for y in ys.clone() {
                for x in xs.clone() {
                    found(interleaved::<V>([x, y, z]));
                }
            }
        }
    }
}
