//! Shapes for rays, and rays that are aimed at what is difficult about them.

use clearance_math::{Pose, PreciseVector, Ray};

use crate::common::{Body, Kind, Pcg, Recipe, Solid, Space, turned};

/// What a ray is aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// A point near the shape.
    Anywhere,
    /// A farthest point of the shape: a corner, an edge, a rim, an apex.
    Extreme,
    /// A farthest point, along the surface there.
    Along,
    /// Anything, from inside or from the surface.
    FromWithin,
    /// Along an axis of the world, often with minus zero, through an extreme point.
    Axis,
}

pub(super) const AIMS: [Aim; 5] = [
    Aim::Anywhere,
    Aim::Extreme,
    Aim::Along,
    Aim::FromWithin,
    Aim::Axis,
];

pub(super) fn axis_of<P: PreciseVector>(random: &mut Pcg) -> P {
    let zero = random.pick(&[0.0, -0.0]);
    let sign = random.pick(&[1.0, -1.0]);
    P::splat(zero).with_component(random.below(P::DIM), sign)
}

pub(super) fn ray_at<V: Space>(random: &mut Pcg, body: &Body<V>, aim: Aim) -> Ray<V> {
    let place = body.pose.position();
    let reach = body.reach();
    let mut unit = random.direction::<V::Precise>();
    if random.chance(0.3) {
        unit = axis_of(random);
    }
    let extreme = body.support(unit);
    let target = match aim {
        Aim::Anywhere | Aim::FromWithin => place + random.vector::<V::Precise>() * reach,
        Aim::Extreme | Aim::Along | Aim::Axis => extreme,
    };
    let mut direction = random.direction::<V::Precise>();
    if aim == Aim::Along {
        direction = direction - unit * unit.dot(direction);
    }
    if aim == Aim::Axis {
        direction = axis_of(random);
    }
    let from = match aim {
        Aim::FromWithin if random.chance(0.5) => extreme,
        Aim::FromWithin => {
            let other = random.direction::<V::Precise>();
            body.support(other) * 0.5 + extreme * 0.5
        }
        _ => target - direction * (reach * random.log_between(0.1, 100.0)),
    };
    if aim == Aim::FromWithin {
        direction = target - from;
    }
    let direction = direction.direction().unwrap_or(V::Precise::axis(0));
    let mut given = V::from_precise(direction * random.log_between(1e-3, 1e3));
    if random.chance(0.2) {
        given = V::from_precise(direction * random.pick(&[1e-40, 1e-30, 1e30, 3e38]));
    }
    if given == V::ZERO {
        given = V::axis(0);
    }
    Ray::new(V::from_precise(from), given).expect("a valid ray")
}

pub(super) fn solid_of<V: Space>(kind: Kind, random: &mut Pcg) -> Solid<V> {
    let size: f64 = random.pick(&[1e-3, 1.0, 1.0, 1e3]);
    let place = random.pick(&[0.0, 1.0, 1e5]);
    let rotation = if random.chance(0.3) {
        V::quarter_turn(random)
    } else {
        turned::<V>(random)
    };
    let place = random.point::<V>(place * size.max(1.0));
    Solid::new(
        Recipe::random(kind, random, size),
        Pose::new(place, rotation),
    )
}
