//! The shapes that the bodies of a scene share.

use clearance_math::{Aabb, Pose, PreciseVector, Real, Vec2, Vec3};
use clearance_shapes::{Shape, ShapeError};
use clearance_world::Velocity;

use super::random::Random;
use super::scatter::MARGIN;
use crate::FileVector;
use crate::scene::{Scene, SceneBody};

/// Named shapes in a fixed order.
pub(super) struct Library<V: FileVector> {
    pub(super) shapes: Vec<(String, Shape<V>)>,
}

impl<V: FileVector> Library<V> {
    pub(super) fn new() -> Self {
        Self { shapes: Vec::new() }
    }

    pub(super) fn add(&mut self, name: impl Into<String>, shape: Result<Shape<V>, ShapeError>) {
        // The generators use no number that a shape refuses; a shape less would do no harm.
        self.shapes.extend(shape.map(|shape| (name.into(), shape)));
    }

    /// A ground, and so many bodies with it that are of the shapes of the library and where `rolling` puts them.
    pub(super) fn bodies_on_ground(
        &self,
        random: &mut Random,
        count: usize,
        rolling: impl Fn(&mut Random, &Shape<V>) -> (Pose<V>, Velocity<V>),
    ) -> Vec<SceneBody<V>> {
        let mut bodies = Vec::with_capacity(count);
        if count > 0 {
            bodies.push(SceneBody::fixed("ground"));
        }
        bodies.extend((1..count).map(|_| {
            let (name, shape) = &self.shapes[random.index(self.shapes.len())];
            let (pose, velocity) = rolling(random, shape);
            SceneBody::moving(name, pose, velocity)
        }));
        bodies
    }

    /// The scene of bodies of these shapes within a box.
    pub(super) fn scene(self, bounds: Aabb<V>, bodies: Vec<SceneBody<V>>) -> Scene<V> {
        Scene {
            margin: MARGIN,
            bounds: Some(bounds.into()),
            shapes: self.shapes.into_iter().collect(),
            bodies,
            ignored_pairs: Vec::new(),
        }
    }

    pub(super) fn one_ball() -> Self {
        let mut library = Self::new();
        library.add("ball", Shape::ball(0.5));
        library
    }

    /// The types that exist in both dimensions.
    fn add_common(&mut self, random: &mut Random, k: usize) {
        let radius = size(random);
        self.add(format!("ball{k}"), Shape::ball(radius));
        let half_extents = random.inside(V::splat(0.3), V::splat(0.6));
        self.add(format!("cuboid{k}"), Shape::cuboid(half_extents));
        let capsule = Shape::capsule(size(random), random.between(0.15, 0.35) as Real);
        self.add(format!("capsule{k}"), capsule);
    }

    /// A hull all of whose points are corners: they lie on an ellipsoid.
    fn add_hull(&mut self, random: &mut Random, k: usize, corners: usize) {
        let radii = random.inside(V::splat(0.35), V::splat(0.65)).to_precise();
        let points = (0..corners)
            .map(|_| V::from_precise(random.direction::<V>().scaled_by(radii)))
            .collect::<Vec<_>>();
        self.add(format!("hull{k}"), Shape::hull(points));
    }
}

fn size(random: &mut Random) -> Real {
    random.between(0.3, 0.6) as Real
}

impl Library<Vec3> {
    pub(super) fn mixed(random: &mut Random) -> Self {
        let mut library = Self::new();
        for k in 0..4 {
            library.add_common(random, k);
            let cylinder = Shape::cylinder(size(random), size(random));
            library.add(format!("cylinder{k}"), cylinder);
            let cone = Shape::cone(size(random), size(random));
            library.add(format!("cone{k}"), cone);
        }
        for k in 0..8 {
            let corners = 8 + random.index(25);
            library.add_hull(random, k, corners);
        }
        library
    }

    pub(super) fn hulls(random: &mut Random) -> Self {
        let mut library = Self::new();
        for k in 0..16 {
            library.add_hull(random, k, 64);
        }
        library
    }

    pub(super) fn small() -> Self {
        let mut library = Self::new();
        library.add("ball", Shape::ball(0.1));
        let half_extents = Vec3::new(0.1, 0.06, 0.08);
        library.add("cuboid", Shape::cuboid(half_extents));
        let capsule = Shape::capsule(0.1, 0.05);
        library.add("capsule", capsule);
        library
    }
}

impl Library<Vec2> {
    pub(super) fn mixed(random: &mut Random) -> Self {
        let mut library = Self::new();
        for k in 0..4 {
            library.add_common(random, k);
            let [a, b, c] = triangle(random);
            library.add(format!("triangle{k}"), Shape::triangle(a, b, c));
        }
        for k in 0..8 {
            let corners = 5 + random.index(8);
            library.add_hull(random, k, corners);
        }
        library
    }
}

/// Corners on a circle, in order, mostly well apart.
fn triangle(random: &mut Random) -> [Vec2; 3] {
    let mut angles = [0.0; 3].map(|_: f64| random.between(0.0, core::f64::consts::TAU));
    angles.sort_by(f64::total_cmp);
    let mut apart = 0.0;
    angles.map(|angle| {
        let (sin, cos) = libm::sincos(angle + apart);
        apart += 0.7;
        Vec2::new((0.6 * cos) as Real, (0.6 * sin) as Real)
    })
}
