//! The depth of an overlap by brute force: directions all around, the best of them refined.

use clearance_math::{DVec3, PreciseVector, Vector};

use super::placing::{Body, height};
use super::random::Pcg;

/// The least translation found that separates two shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepest<P> {
    /// Its length: the true depth is not above it.
    pub(crate) depth: f64,
    /// Its direction.
    pub(crate) normal: P,
}

/// Directions all around, evenly: a circle, or the spiral of Vogel, "A better way to construct the
/// sunflower head" (1979), on the sphere.
pub(crate) fn directions<P: PreciseVector>(count: usize) -> impl Iterator<Item = P> {
    let golden = core::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |k| {
        let share = (k as f64 + 0.5) / count as f64;
        let vector = if P::DIM == 2 {
            let (sin, cos) = (share * core::f64::consts::TAU).sin_cos();
            DVec3::new(cos, sin, 0.0)
        } else {
            let (sin, cos) = (golden * k as f64).sin_cos();
            let y = 1.0 - 2.0 * share;
            let across = (1.0 - y * y).sqrt();
            DVec3::new(cos * across, y, sin * across)
        };
        P::from_space(vector)
    })
}

/// The depth of b in a: the least over `count` directions and those in `also`, the best few refined
/// by random steps that shrink where none of them helps.
pub(crate) fn deepest<V: Vector>(
    a: &Body<V>,
    b: &Body<V>,
    count: usize,
    also: &[V::Precise],
) -> Deepest<V::Precise> {
    let depth = |normal: V::Precise| -height(a, b, normal);
    let mut found: Vec<Deepest<V::Precise>> = directions(count)
        .chain(also.iter().copied())
        .map(|normal| Deepest {
            depth: depth(normal),
            normal,
        })
        .collect();
    found.sort_by(|x, y| x.depth.total_cmp(&y.depth));
    let mut starts: Vec<Deepest<V::Precise>> = Vec::new();
    for candidate in found {
        if starts.len() < 6 && starts.iter().all(|s| s.normal.dot(candidate.normal) < 0.99) {
            starts.push(candidate);
        }
    }
    let mut random = Pcg::new(count as u64);
    starts
        .into_iter()
        .map(|start| refined(&mut random, start, depth))
        .min_by(|x, y| x.depth.total_cmp(&y.depth))
        .expect("at least one direction")
}

fn refined<P: PreciseVector>(
    random: &mut Pcg,
    mut best: Deepest<P>,
    depth: impl Fn(P) -> f64,
) -> Deepest<P> {
    let mut step = 0.1;
    for _ in 0..200 {
        let mut better = false;
        for _ in 0..12 {
            let tried = best.normal + random.direction::<P>() * step;
            let normal = tried / tried.length();
            let tried = depth(normal);
            if tried < best.depth {
                best = Deepest {
                    depth: tried,
                    normal,
                };
                better = true;
            }
        }
        step *= if better { 1.2 } else { 0.5 };
        step = step.min(0.2);
    }
    best
}
