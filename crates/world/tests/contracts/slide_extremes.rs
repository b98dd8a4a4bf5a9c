//! Skins of any size.

use clearance_gjk::Placed;
use clearance_math::Real;
use clearance_shapes::Shape;
use clearance_world::{Body, World};

use crate::crowd::Dimension;
use crate::random::{Random, iterations};
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{Walker, gap, length, world_of};

crate::in_both_dimensions!(no_skin_moves_a_shape_far_for_nothing,);

/// A room of half-spaces, of blocks or of plates as thin as paper, 6 wide.
fn room<V: Dimension>(random: &mut Random) -> World<V> {
    let thickness = [None, Some(2.0), Some(1e-4)][random.below(3)];
    let mut bodies: Vec<Body<V>> = (0..2 * V::DIM)
        .map(|side| {
            let out = V::axis(side / 2) * [1.0, -1.0][side % 2];
            match thickness {
                None => fixed(Shape::half_space(-out).unwrap(), out * 3.0),
                Some(thickness) => {
                    let middle = out * (3.0 + 0.5 * thickness);
                    let half = V::splat(4.5).with_component(side / 2, 0.5 * thickness);
                    block(middle - half, middle + half)
                }
            }
        })
        .collect();
    let low = random.vector::<V>(-2.5, 2.0);
    bodies.push(block(low, low + V::splat(0.4)));
    world_of(bodies)
}

fn hero<V: Dimension>(random: &mut Random) -> Shape<V> {
    match random.below(3) {
        0 => Shape::ball(0.3).unwrap(),
        1 => Shape::cuboid(V::splat(0.25)).unwrap(),
        _ => Shape::capsule(0.2, 0.2).unwrap(),
    }
}

fn no_skin_moves_a_shape_far_for_nothing<V: Dimension>() {
    let mut random = Random::new(112);
    let mut failed = Vec::new();
    let count = iterations(300);
    for case in 0..count {
        let world = room::<V>(&mut random);
        let shape = hero::<V>(&mut random);
        let start = random.vector::<V>(-2.6, 2.6);
        let mut walker = Walker::new(&world, shape, start);
        let gap = |walker: &Walker<'_, V>| {
            gap(&world, Placed::new(&walker.shape, &walker.pose), |_| true)
        };
        let free = gap(&walker);
        if free < 0.0 {
            continue;
        }
        let skin = (10.0 as Real).powf(random.between(-2.0, 1.0));
        walker.options.skin = Some(skin);
        let mut gone = V::ZERO;
        for call in 0..4 {
            let slide = walker.go(V::ZERO);
            gone = gone + slide.motion;
            let length = length(gone);
            let missing = Real::max(skin - free, 0.0);
            // What stands on the ground within a quarter of the skin is drawn down to it.
            let drawn = 0.25 * skin + 1e-3;
            if slide.is_stuck || gap(&walker) <= 0.0 || length > 2.0 * missing + drawn {
                failed.push(format!(
                    "{case} {call}: skin {skin}, free {free}, went {length}, now free {}: {slide:?}",
                    gap(&walker)
                ));
            }
        }
    }
    let some = &failed[..failed.len().min(8)];
    assert!(failed.is_empty(), "{} of {count}: {some:#?}", failed.len());
}
