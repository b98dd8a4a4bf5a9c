//! Rays from far away that come down on a surface so slowly that double precision cannot tell where they cross it:
//! their bounds must hold nevertheless.

use clearance_gjk::{Placed, RayHit, RayOptions, Status, cast_ray};
use clearance_math::{Pose, Ray, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::Pcg;

/// A ray that crosses a plane.
struct Slow {
    /// How high it starts above the plane, a number of which 1 + height has no rounding.
    height: Real,
    /// How far away it starts from the middle of the surface, along the plane.
    away: Real,
    /// How much height it loses for each unit of the way along the plane.
    slope: Real,
    /// A number from -0.3 to 0.3.
    beside: Real,
}

impl Slow {
    fn new(random: &mut Pcg, turn: usize) -> Self {
        let away = (10.0 as Real).powf(random.between(1.0, 5.5) as Real);
        let height = (1 + turn % 16) as Real * Real::EPSILON;
        Self {
            height,
            away,
            slope: height / (away + random.between(-0.9, 0.9) as Real),
            beside: random.between(-0.3, 0.3) as Real,
        }
    }

    /// Along z, down on the plane y = 1.
    fn on_face(&self) -> (Vec3, Vec3) {
        let origin = Vec3::new(self.beside, 1.0 + self.height, -self.away);
        (origin, Vec3::new(0.0, -self.slope, 1.0))
    }

    /// Along y, in on the plane x = 1.
    fn on_side(&self) -> (Vec3, Vec3) {
        let origin = Vec3::new(1.0 + self.height, -self.away, 0.0);
        (origin, Vec3::new(-self.slope, 1.0, 0.0))
    }
}

/// A shape with a surface in the plane that the rays cross, which reaches 0.9 around the middle at least.
struct Case {
    shape: Shape<Vec3>,
    ray: fn(&Slow) -> (Vec3, Vec3),
}

fn cases() -> [Case; 5] {
    let corners: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from_array([1, 2, 4].map(|bit| if k & bit == 0 { -1.0 } else { 1.0 })))
        .collect();
    let cylinder = || Shape::cylinder(1.0, 1.0).expect("valid");
    let case = |shape, ray| Case { shape, ray };
    [
        case(Shape::cuboid(Vec3::ONE).expect("valid"), Slow::on_face),
        case(Shape::hull(&corners).expect("valid"), Slow::on_face),
        case(cylinder(), Slow::on_face),
        case(cylinder(), Slow::on_side),
        case(Shape::capsule(1.0, 1.0).expect("valid"), Slow::on_side),
    ]
}

fn hit(shape: &Shape<Vec3>, origin: Vec3, direction: Vec3) -> RayHit<Vec3> {
    let ray = Ray::new(origin, direction).expect("a direction");
    let placed = Placed::new(shape, &Pose::IDENTITY);
    cast_ray(&ray, placed, RayOptions::default())
        .expect("valid")
        .expect("the ray hits")
}

#[track_caller]
fn check(hit: &RayHit<Vec3>, true_distance: f64) {
    let bounds = f64::from(hit.lower)..=f64::from(hit.upper);
    assert!(bounds.contains(&true_distance), "{true_distance}: {hit:?}");
}

#[test]
fn rays_that_cross_a_surface_slowly_have_bounds_that_hold() {
    let mut random = Pcg::new(331);
    for (number, case) in cases().iter().enumerate() {
        let (mut open, mut decided) = (0, 0);
        for turn in 0..2_000 {
            let slow = Slow::new(&mut random, turn);
            // Where the ray crosses the plane, in units of its direction, which is as long as one.
            let crossing = f64::from(slow.height) / f64::from(slow.slope);
            if (crossing - f64::from(slow.away)).abs() > 0.9 {
                continue;
            }
            let (origin, direction) = (case.ray)(&slow);
            let hit = hit(&case.shape, origin, direction);
            check(&hit, crossing * f64::from(slow.slope).hypot(1.0));
            open += u32::from(hit.status == Status::IterationLimit);
            decided += u32::from(hit.status == Status::Exact);
        }
        assert!(open > 400 && decided > 10, "{number}: {open} {decided}");
    }
}

/// Found by a search against rational arithmetic, which tells the true distances.
#[test]
fn rays_along_thin_and_slanted_surfaces_have_bounds_that_hold() {
    let segment = Shape::segment(-Vec3::Y, Vec3::Y).expect("valid");
    let beside = hit(
        &segment,
        Vec3::new(1.0005e-9, -1e3, 0.0),
        Vec3::new(-1e-12, 1.0, 0.0),
    );
    check(&beside, 1_000.500_02);
    let cone = Shape::cone(1.0, 1.0).expect("valid");
    let origin = Vec3::new(4_327_352.0, -8_654_703.0, -0.043_273_52);
    check(
        &hit(&cone, origin, Vec3::new(-1.0, 2.0, 1e-8)),
        9_676_253.231_8,
    );
    let cylinder = Shape::cylinder(1.0, 1.0).expect("valid");
    let pose = Pose::from_translation(-Vec3::X);
    let origin = Vec3::new(1.040_811_6e-15, -0.093_205_33, 0.0);
    let ray = Ray::new(origin, Vec3::new(-1.156_523_1e-15, 1.0, 0.0)).expect("a direction");
    let within = cast_ray(&ray, Placed::new(&cylinder, &pose), RayOptions::default());
    check(&within.expect("valid").expect("the ray hits"), 0.8999);
    let floor = Shape::half_space(Vec3::Y).expect("valid");
    let origin = Vec3::new(6_633.835_4, 8.700_188e-11, 0.0);
    check(
        &hit(&floor, origin, Vec3::new(1.0, -1.458_584_5e-17, 0.0)),
        5_964_815.96,
    );
}

/// A ray that is exactly parallel to a surface crosses it nowhere: nothing is left open.
#[test]
fn rays_that_run_in_a_surface_are_exact() {
    let slow = Slow {
        height: 0.0,
        away: 100.0,
        slope: 0.0,
        beside: 0.25,
    };
    for case in cases() {
        let (origin, direction) = (case.ray)(&slow);
        let hit = hit(&case.shape, origin, direction);
        assert_eq!(hit.status, Status::Exact, "{:?}", case.shape);
        assert!(hit.upper - hit.lower < 1e-3, "{hit:?}");
    }
}

#[test]
fn a_ray_that_starts_on_the_ground_is_exact() {
    let floor = Shape::half_space(Vec3::Y).expect("valid");
    for x in [0.0, 5.0, -3e4] {
        let hit = hit(&floor, Vec3::new(x, 0.0, 0.0), -Vec3::Y);
        assert_eq!((hit.distance, hit.status), (0.0, Status::Exact));
    }
}
