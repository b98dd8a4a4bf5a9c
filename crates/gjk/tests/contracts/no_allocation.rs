//! Measuring a pair allocates nothing.

use crate::common::{Body, Pcg, Placement, Space, beside, body, in_both_dimensions, kind_pairs};
use clearance_gjk::{contact_manifold, intersects, measure};
use clearance_math::Real;

in_both_dimensions!(measuring_allocates_nothing);

fn measuring_allocates_nothing<V: Space>() {
    let mut random = Pcg::new(91);
    let mut pairs: Vec<(Body<V>, Body<V>)> = Vec::new();
    let making = allocation_counter::measure(|| {
        for (kind_a, kind_b) in kind_pairs::<V>() {
            for placement in Placement::ALL {
                let a = body::<V>(kind_a, &mut random, 1.0);
                let b = body::<V>(kind_b, &mut random, 1.0);
                let b = beside(&mut random, &a, &b, placement);
                pairs.push((a, b));
            }
        }
    });
    assert!(making.count_total > 0, "nothing is being counted");
    let mut near = 0;
    let counted = allocation_counter::measure(|| {
        for (a, b) in &pairs {
            let answer = measure(a.placed(), b.placed(), Real::INFINITY);
            let touch = intersects(a.placed(), b.placed()).expect("valid poses");
            let manifold = contact_manifold(a.placed(), b.placed(), Real::INFINITY);
            near += usize::from(touch || answer.near().is_some() || manifold.is_err());
        }
    });
    assert_eq!(counted.count_total, 0);
    assert_eq!(near, pairs.len());
}
