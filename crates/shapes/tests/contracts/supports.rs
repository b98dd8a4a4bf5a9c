//! The farthest vertices of a hull, checked against the points that it was made of.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::hull::Hull;
use rand_pcg::Pcg64;

use crate::clouds::{many, unit};

/// Directions at random and where ties and near ties are.
fn directions<V: Vector>(rng: &mut Pcg64, hull: &Hull<V>) -> Vec<V::Precise> {
    let mut directions = many(200, |_| unit::<_, V>(rng));
    for k in 0..V::DIM {
        directions.extend([V::Precise::axis(k), -V::Precise::axis(k)]);
    }
    for face in hull.faces().step_by(1 + hull.faces().len() / 200) {
        directions.extend([face.normal, -face.normal]);
        directions.push(face.normal + unit::<_, V>(rng) * 1e-9);
    }
    for a in 0..hull.vertices().len() as u32 {
        let list = hull.neighbours(a);
        let position = |v: u32| hull.vertices()[v as usize].to_precise();
        let Some(along) = list
            .first()
            .and_then(|&b| (position(b) - position(a)).direction())
        else {
            continue;
        };
        let any = unit::<_, V>(rng);
        directions.push(any - along * any.dot(along));
    }
    directions
}

/// Whether the support of the hull is that of the points, up to the rounding of the products.
pub(crate) fn assert_supports<V: Vector>(
    name: &str,
    rng: &mut Pcg64,
    hull: &Hull<V>,
    points: &[V],
) {
    // Of any length: single precision does not do for all.
    const LENGTHS: [f64; 6] = [1.0, 1e-30, 1.0, 1e30, 1e-12, 1e12];
    for (direction, length) in directions(rng, hull)
        .into_iter()
        .zip(LENGTHS.into_iter().cycle())
    {
        let direction = direction * length;
        let product = |v: V::Precise| v.dot(direction);
        let best = points
            .iter()
            .map(|v| product(v.to_precise()))
            .fold(f64::MIN, f64::max);
        let terms = |v: &V| v.to_precise().abs().dot(direction.abs());
        let slack = 4.0 * f64::EPSILON * points.iter().map(terms).fold(0.0, f64::max);
        let found = product(hull.support(direction));
        assert!(
            (found - best).abs() <= slack,
            "{name}: {found} for {best} along {direction:?}"
        );
    }
}
