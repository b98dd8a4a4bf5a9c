//! The order in which the rays of a batch are answered.

use clearance::gjk::Placed;
use clearance::math::{PreciseVector, Ray, Vector};
use clearance::shapes::Shape;

/// Fewer rays, or rays at a smaller shape, in bytes, are answered in the order in which they are given: ordering them takes longer than
/// waiting for memory does.
const MANY: usize = 8192;
const LARGE: usize = 4_000_000;

/// Into how many cells a box is divided along each axis: for where rays enter it, and for where they leave it.
const CELLS: [u32; 2] = [8, 2];

/// How many keys there are at most: in space 8 and 2 along each of three axes.
const KEYS: usize = 1 << 12;

/// One ray in so many is compared with the next one.
const SAMPLE: usize = 64;

/// If fewer than one in so many comes another way than the next one, rays stay in the order in which they are given.
const FEW_APART: usize = 4;

/// Whether it may pay that a thread orders so many rays at a shape.
pub(crate) fn pays<V: Vector>(rays: usize, b: &Placed<'_, V>) -> bool {
    matches!(b.shape, Shape::Composite(composite) if rays >= MANY && composite.memory() >= LARGE)
}

/// The box of what rays are cast at. Rays that enter and leave it in the same cells mostly meet the same nodes and triangles, which stay in
/// the nearest cache if such rays follow on each other.
struct Passage<P> {
    low: P,
    high: P,
    /// One over the lengths of its sides.
    scale: P,
}

/// The numbers of rays at a shape, those of rays that come the same way beside each other. `None` if they may as well stay as they are.
pub(crate) fn order<V: Vector>(rays: &[Ray<V>], b: Placed<'_, V>) -> Option<Vec<u32>> {
    let bounds = b.shape.bounds(b.pose);
    let [low, high] = [bounds.min, bounds.max].map(Vector::to_precise);
    let scale = V::Precise::from_fn(|axis| 1.0 / (high - low).component(axis));
    let passage = Passage { low, high, scale };
    let neighbors = rays.windows(2).step_by(SAMPLE);
    let apart = neighbors.filter(|pair| passage.key(&pair[0]) != passage.key(&pair[1]));
    if apart.count() * FEW_APART * SAMPLE < rays.len() {
        return None;
    }
    let keys: Vec<u16> = rays.iter().map(|ray| passage.key(ray)).collect();
    Some(counted(&keys))
}

/// The places of keys, those of lesser keys first: a counting sort.
fn counted(keys: &[u16]) -> Vec<u32> {
    let mut places = [0; KEYS];
    keys.iter().for_each(|&key| places[usize::from(key)] += 1);
    let mut before = 0;
    for place in &mut places {
        (*place, before) = (before, before + *place);
    }
    let mut order = vec![0; keys.len()];
    for (number, &key) in (0..).zip(keys) {
        let place = &mut places[usize::from(key)];
        order[*place] = number;
        *place += 1;
    }
    order
}

impl<P: PreciseVector> Passage<P> {
    /// A number that is the same for rays that come the same way. No answer depends on it, so it need not be right where it rounds or
    /// overflows.
    fn key<V: Vector<Precise = P>>(&self, ray: &Ray<V>) -> u16 {
        let (origin, direction) = (ray.origin(), ray.direction().to_precise());
        let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
        for axis in 0..V::DIM {
            let inverse = 1.0 / direction.component(axis);
            let to = |corner: P| (corner - origin).component(axis) * inverse;
            let (one, other) = (to(self.low), to(self.high));
            enter = enter.max(one.min(other));
            leave = leave.min(one.max(other));
        }
        let mut key = 0;
        for (at, cells) in [enter, leave].into_iter().zip(CELLS) {
            let place = origin + direction * at - self.low;
            for axis in 0..V::DIM {
                let share = place.component(axis) * self.scale.component(axis);
                let cell = (share * f64::from(cells)) as u32;
                key = key * cells + cell.min(cells - 1);
            }
        }
        key as u16
    }
}
