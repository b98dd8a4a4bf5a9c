//! The second stage: what changed gets a new box, and the broad phase learns of it.

use clearance_broadphase::{AnyBroadPhase, BroadPhase, Mobility};
use clearance_math::{Aabb, Real, Vector, round_down, round_up};

use crate::Kind;
use crate::bodies::Bodies;
use crate::range::share;
use crate::threads::Threads;

/// Fills `boxes` with the grown boxes of the bodies that changed, in the order of the changes.
///
/// Each box grows by the body's [`share`] of the range, so that those of bodies within range overlap.
pub(crate) fn bound<V: Vector>(
    bodies: &Bodies<V>,
    margin: Real,
    threads: &Threads,
    boxes: &mut Vec<Aabb<V>>,
) {
    threads.map_into(bodies.changed(), boxes, |&slot| {
        let slot = slot as usize;
        bodies.placed(slot).map_or_else(Aabb::empty, |placed| {
            let bounds = placed.shape.bounds(placed.pose);
            grown(&bounds, share(margin, bodies.extra_margins[slot]))
        })
    });
}

/// The box with every side moved outwards by `distance`, rounded outwards.
fn grown<V: Vector>(bounds: &Aabb<V>, distance: f64) -> Aabb<V> {
    let mut grown = *bounds;
    for axis in 0..V::DIM {
        let low = f64::from(bounds.min.component(axis)) - distance;
        let high = f64::from(bounds.max.component(axis)) + distance;
        grown.min = grown.min.with_component(axis, round_down(low));
        grown.max = grown.max.with_component(axis, round_up(high));
    }
    grown
}

/// Tells the broad phase what changed: bodies that came, went, moved, or changed their kind.
pub(crate) fn update<V: Vector>(
    bodies: &mut Bodies<V>,
    boxes: &[Aabb<V>],
    broad_phase: &mut AnyBroadPhase<V>,
) {
    for (place, bounds) in boxes.iter().enumerate() {
        let key = bodies.changed()[place];
        let state = &mut bodies.states[key as usize];
        let kind = state.is_live.then_some(state.kind);
        match kind {
            None if state.in_broad_phase.is_none() => {}
            None => {
                broad_phase.remove(key);
            }
            known if known == state.in_broad_phase => {
                broad_phase.set_bounds(key, *bounds);
            }
            Some(kind) => broad_phase.insert(key, *bounds, mobility(kind)),
        }
        state.in_broad_phase = kind;
    }
    bodies.clear_changed();
    broad_phase.refresh();
}

fn mobility(kind: Kind) -> Mobility {
    match kind {
        Kind::Fixed => Mobility::Fixed,
        Kind::Moving => Mobility::Moving,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_math::Vec2;

    #[test]
    fn boxes_grow_by_no_less_than_asked() {
        let mut inexact = 0;
        for step in 0..200 {
            let at = 0.1 + step as Real * 0.37;
            let bounds = Aabb::new(Vec2::new(-at, at), Vec2::new(-0.05, 3.0 * at));
            let distance = 0.025 + f64::from(step) * 1e-3;
            let grown = grown(&bounds, distance);
            for axis in 0..2 {
                let low = f64::from(bounds.min[axis]) - distance;
                let high = f64::from(bounds.max[axis]) + distance;
                let (min, max) = (f64::from(grown.min[axis]), f64::from(grown.max[axis]));
                assert!(min <= low && high <= max);
                assert!(low - min < 1e-5 && max - high < 2e-5);
                inexact += usize::from(min < low) + usize::from(high < max);
            }
        }
        assert!(inexact > 400, "{inexact}");
        let whole = grown(&Aabb::<Vec2>::everything(), f64::from(Real::MAX));
        assert_eq!(whole, Aabb::everything());
    }
}
