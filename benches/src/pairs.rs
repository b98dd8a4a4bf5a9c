//! Pairs of shapes beside each other.

use core::hint::black_box;
use std::error::Error;

use clearance_gjk::{Placed, measure};
use clearance_math::{Matrix, Pose, Quat, Real, RelativePose, Rotation, Vec3, Vector};
use clearance_shapes::{Core, Shape, Support};
use criterion::{Criterion, Throughput};

use crate::{Kind, Random, Space};

/// How many pairs one measurement runs through: too many for the processor to learn by heart.
const COUNT: usize = 256;

/// How the shapes of a pair stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// A gap of 1 % to 100 % of a unit.
    Apart,
    /// An overlap from the outermost twentieth down to near the middle.
    Overlapping,
}

/// Two shapes and where they are.
#[derive(Clone, Debug)]
pub struct Pair<V: Vector> {
    a: (Shape<V>, Pose<V>),
    b: (Shape<V>, Pose<V>),
}

impl<V: Vector> Pair<V> {
    /// The first shape at its pose.
    #[must_use]
    pub fn a(&self) -> Placed<'_, V> {
        Placed::new(&self.a.0, &self.a.1)
    }

    /// The second shape at its pose.
    #[must_use]
    pub fn b(&self) -> Placed<'_, V> {
        Placed::new(&self.b.0, &self.b.1)
    }
}

/// Pairs of the kinds, each shape made and turned anew.
///
/// # Errors
/// Those of [`Shape`].
pub fn pairs<V: Space>(
    (kind_a, kind_b): (Kind, Kind),
    placement: Placement,
) -> Result<Vec<Pair<V>>, Box<dyn Error>> {
    let mut random = Random::new(7);
    let mut pairs = Vec::with_capacity(COUNT);
    for _ in 0..COUNT {
        let a = (V::shape(kind_a, &mut random)?, turned(&mut random));
        let b = (V::shape(kind_b, &mut random)?, turned(&mut random));
        pairs.push(beside(&mut random, a, b, placement));
    }
    Ok(pairs)
}

/// Pairs of the kind in space, a face of the one on a face of the other, a hundredth of a unit deep.
///
/// # Errors
/// Those of [`Shape`].
pub fn resting_pairs(kind: Kind) -> Result<Vec<Pair<Vec3>>, Box<dyn Error>> {
    let mut random = Random::new(8);
    let mut pairs = Vec::with_capacity(COUNT);
    for _ in 0..COUNT {
        let a = (Vec3::shape(kind, &mut random)?, turned::<Vec3>(&mut random));
        let mut b = (Vec3::shape(kind, &mut random)?, turned::<Vec3>(&mut random));
        let normal = a.1.rotation * face_normal(&a.0);
        let level = Quat::from_rotation_arc(face_normal(&b.0), -normal);
        let turn = Quat::from_axis_angle(normal, random.between(-3.0, 3.0));
        b.1 = Pose::from_rotation((turn * level).normalize());
        let joined = farthest(&a, normal) - farthest(&b, -normal);
        let centred = center(&a) - center(&b);
        let place = centred + normal * (normal.dot(joined - centred) - 0.01);
        b.1 = Pose::new(place, b.1.rotation);
        pairs.push(Pair { a, b });
    }
    Ok(pairs)
}

/// The outward normal of a face in the frame of the body; of a capsule, one across its axis.
fn face_normal(shape: &Shape<Vec3>) -> Vec3 {
    match shape {
        Shape::Convex(convex) => match convex.core() {
            Core::Hull(hull) => hull.face(0).normal.as_vec3().normalize(),
            Core::Segment(_) => Vec3::X,
            _ => Vec3::Y,
        },
        Shape::HalfSpace(_) | Shape::Composite(_) => Vec3::Y,
    }
}

fn turned<V: Space>(random: &mut Random) -> Pose<V> {
    Pose::new(V::ZERO, V::rotation(random))
}

/// Puts b beside a in a random direction, pulled apart or pushed together.
fn beside<V: Space>(
    random: &mut Random,
    a: (Shape<V>, Pose<V>),
    mut b: (Shape<V>, Pose<V>),
    placement: Placement,
) -> Pair<V> {
    let normal = match &a.0 {
        Shape::HalfSpace(plane) => V::from_precise(a.1.rotation.matrix().apply(plane.normal())),
        _ => random.direction(),
    };
    let joined = farthest(&a, normal) - farthest(&b, -normal);
    let centred = center(&a) - center(&b);
    let place = match placement {
        Placement::Apart => {
            let gap = Real::powf(10.0, random.between(-2.0, 0.0));
            let pair = Pair { a, b };
            let clear = (joined - centred).dot(normal).max(0.0) + gap;
            return at_distance(pair, gap, (centred, normal * clear));
        }
        Placement::Overlapping => centred + (joined - centred) * random.between(0.05, 0.95),
    };
    b.1 = Pose::new(place, b.1.rotation);
    Pair { a, b }
}

/// Moves b away from `start`, by no more than `way`, until it is `gap` from a.
///
/// Nearest are then corners and faces, edges and edges, as it comes: not the two corners that are
/// farthest along the way, which a search finds at once.
fn at_distance<V: Space>(mut pair: Pair<V>, gap: Real, (start, way): (V, V)) -> Pair<V> {
    let (mut near, mut far) = (0.0, 1.0);
    for _ in 0..24 {
        let share = 0.5 * (near + far);
        pair.b.1 = Pose::new(start + way * share, pair.b.1.rotation);
        let separation = measure(pair.a(), pair.b(), Real::INFINITY).near();
        if separation.is_some_and(|found| found.distance >= gap) {
            far = share;
        } else {
            near = share;
        }
    }
    pair.b.1 = Pose::new(start + way * far, pair.b.1.rotation);
    pair
}

fn farthest<V: Vector>((shape, pose): &(Shape<V>, Pose<V>), direction: V) -> V {
    match shape {
        Shape::Convex(convex) => {
            let turn = pose.rotation.matrix();
            let inward = turn.apply_transposed(direction.to_precise());
            let point = convex.core().support(inward) + inward * convex.radius();
            V::from_precise(turn.apply(point))
        }
        Shape::HalfSpace(_) | Shape::Composite(_) => V::ZERO,
    }
}

fn center<V: Vector>((shape, pose): &(Shape<V>, Pose<V>)) -> V {
    match shape {
        Shape::Convex(convex) => {
            let place = RelativePose::from_pose(pose);
            V::from_precise(place.transform_point(convex.core_center()))
        }
        Shape::HalfSpace(_) | Shape::Composite(_) => V::ZERO,
    }
}

/// Measures what `ask` takes for each of the pairs; criterion shows it a pair as well.
///
/// # Errors
/// Those of [`Shape`].
pub fn bench_pairs<V: Space, R>(
    criterion: &mut Criterion,
    question: &str,
    (kinds, placement): (&[(Kind, Kind)], Placement),
    ask: impl Fn(&Pair<V>) -> R,
) -> Result<(), Box<dyn Error>> {
    let mut group = criterion.benchmark_group(format!("{question}/{}", V::NAME));
    group.throughput(Throughput::Elements(COUNT as u64));
    for &kinds in kinds {
        let pairs = pairs::<V>(kinds, placement)?;
        let name = format!("{}-{}", kinds.0.name(), kinds.1.name());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for pair in &pairs {
                    black_box(ask(black_box(pair)));
                }
            });
        });
    }
    group.finish();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PAIRS_IN_SPACE, PAIRS_IN_THE_PLANE};
    use clearance_gjk::proximity;
    use clearance_math::Vec2;

    fn check<V: Space>(kinds: &[(Kind, Kind)]) -> Result<(), Box<dyn Error>> {
        for &kinds in kinds {
            for pair in pairs::<V>(kinds, Placement::Apart)? {
                let answer = proximity(pair.a(), pair.b(), Real::INFINITY)?;
                let near = answer.near().ok_or("no range was asked for")?;
                assert!(near.distance > 0.009, "{kinds:?} {near:?}");
            }
            let mut overlapping = 0;
            for pair in pairs::<V>(kinds, Placement::Overlapping)? {
                let near = measure(pair.a(), pair.b(), 0.0).near();
                overlapping += usize::from(near.is_some_and(|near| near.distance < 0.0));
            }
            assert!(overlapping > COUNT * 9 / 10, "{kinds:?} {overlapping}");
        }
        Ok(())
    }

    #[test]
    fn pairs_stand_as_asked_for() -> Result<(), Box<dyn Error>> {
        check::<Vec2>(&PAIRS_IN_THE_PLANE)?;
        check::<Vec3>(&PAIRS_IN_SPACE)
    }
}
