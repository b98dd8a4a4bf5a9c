//! What can be checked when a custom shape is made, and what it can be asked on its own.

use clearance_math::{DVec2, DVec3, Pose, Quat, Vec2, Vec3};

use super::*;
use crate::encoding::bits_of;
use crate::{Composite, CompoundPart, Shape};

/// An ellipse or ellipsoid that can be made to answer anything.
#[derive(Clone, Debug)]
struct Egg<P> {
    radii: P,
    center: P,
    bounding_radius: f64,
    /// The answer for directions of negative x, if it is not the right one.
    below: Option<P>,
    key: u32,
}

impl<P: PreciseVector> Egg<P> {
    fn new(radii: P) -> Self {
        let radius = (0..P::DIM).fold(0.0, |radius: f64, k| radius.max(radii.component(k)));
        Self {
            radii,
            center: P::ZERO,
            bounding_radius: radius,
            below: None,
            key: 7,
        }
    }
}

impl<P: PreciseVector> Support<P> for Egg<P> {
    fn support(&self, direction: P) -> P {
        assert!((direction.length() - 1.0).abs() < 1e-15, "{direction:?}");
        match self.below {
            Some(answer) if direction.component(0) < 0.0 => answer,
            _ => {
                let scaled = direction.scaled_by(self.radii);
                scaled.scaled_by(self.radii) / scaled.length()
            }
        }
    }

    fn center(&self) -> P {
        self.center
    }

    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}

impl<P: PreciseVector> CustomShape<P> for Egg<P> {
    fn key(&self) -> [u32; 8] {
        [self.key; 8]
    }
}

fn refusal(change: impl FnOnce(&mut Egg<DVec2>)) -> String {
    let mut egg = Egg::new(DVec2::new(2.0, 1.0));
    change(&mut egg);
    let refused = Shape::<Vec2>::custom(egg).unwrap_err().to_string();
    let reason = refused.strip_prefix("custom shape: ");
    reason.unwrap_or_else(|| panic!("{refused}")).to_owned()
}

#[test]
fn what_contradicts_itself_is_refused_by_name() {
    for bad in [f64::NAN, f64::INFINITY, -1.0, 1e300, 1e-60] {
        let refused = refusal(|egg| egg.bounding_radius = bad);
        let expected = format!("bounding_radius is {bad:?}, must be 0 or from 1.4");
        assert!(refused.starts_with(&expected), "{refused}");
        assert!(refused.ends_with(" to 3.4028234663852886e38"), "{refused}");
    }
    for bad in [DVec2::NAN, DVec2::new(0.0, 2.5), DVec2::INFINITY] {
        let refused = refusal(|egg| egg.center = bad);
        let expected = "must be within bounding_radius 2.0";
        assert!(refused.starts_with("center is [") && refused.ends_with(expected));
    }
    for bad in [DVec2::NAN, DVec2::NEG_INFINITY, DVec2::new(-2.1, 0.0)] {
        let refused = refusal(|egg| egg.below = Some(bad));
        assert!(
            refused.starts_with("support along [-1.0, 0.0] is ["),
            "{refused}"
        );
        assert!(
            refused.ends_with("must be within bounding_radius 2.0"),
            "{refused}"
        );
    }
    assert_eq!(
        refusal(|egg| egg.below = Some(DVec2::new(1.0, 0.0))),
        "support along [-1.0, 0.0] is [1.0, 0.0], but [0.0, 1.0] is another point and farther"
    );
    // The centre is outside of the shape.
    let outside = refusal(|egg| egg.center = DVec2::new(0.0, 1.5));
    assert!(
        outside.contains("but [0.0, 1.5] is another point"),
        "{outside}"
    );
    let no_size = Egg {
        bounding_radius: 0.0,
        ..Egg::new(DVec2::ONE)
    };
    assert!(Shape::<Vec2>::custom(no_size).is_err());
}

#[test]
fn the_box_is_that_of_the_ellipsoid() {
    let radii = Vec3::new(2.0, 1.0, 0.25);
    let known = Shape::ellipsoid(radii).unwrap();
    let own = Shape::<Vec3>::custom(Egg::new(radii.as_dvec3())).unwrap();
    for turn in 0..40 {
        let turn = Quat::from_scaled_axis(Vec3::new(0.1, 0.2, 0.3) * turn as f32);
        let pose = Pose::new(Vec3::new(3.0, -1.0, 0.5), turn);
        for (own, known) in [
            (own.clone(), known.clone()),
            (own.rounded(0.5).unwrap(), known.rounded(0.5).unwrap()),
        ] {
            let (own, known) = (own.bounds(&pose), known.bounds(&pose));
            assert!((own.min - known.min).length() < 1e-6 && (own.max - known.max).length() < 1e-6);
        }
    }
}

#[test]
fn whatever_it_answers_its_box_is_not_inside_out() {
    #[derive(Debug)]
    struct Liar(std::sync::atomic::AtomicBool);
    impl Support<DVec3> for Liar {
        fn support(&self, direction: DVec3) -> DVec3 {
            let is_honest = self.0.load(std::sync::atomic::Ordering::Relaxed);
            direction * if is_honest { 1.0 } else { -1.0 }
        }
        fn center(&self) -> DVec3 {
            DVec3::ZERO
        }
        fn bounding_radius(&self) -> f64 {
            1.0
        }
    }
    impl CustomShape<DVec3> for Liar {
        fn key(&self) -> [u32; 8] {
            self.0.store(false, std::sync::atomic::Ordering::Relaxed);
            [0; 8]
        }
    }
    let shape = Shape::<Vec3>::custom(Liar(true.into())).unwrap();
    let bounds = shape.bounds(&Pose::IDENTITY);
    assert!(bounds.min.cmple(bounds.max).all(), "{bounds:?}");
    let Shape::Convex(convex) = &shape else {
        panic!("convex");
    };
    for direction in [
        DVec3::ZERO,
        DVec3::NAN,
        DVec3::INFINITY,
        DVec3::splat(1e-310),
    ] {
        assert_eq!(convex.core().support(direction), DVec3::ZERO);
    }
}

#[test]
fn shapes_with_equal_keys_are_equal() {
    let egg = |key| {
        let radii = DVec2::new(2.0, f64::from(key));
        Shape::<Vec2>::custom(Egg {
            key,
            ..Egg::new(radii)
        })
        .unwrap()
    };
    assert_eq!(egg(1), egg(1));
    assert_ne!(egg(1), egg(2));
    assert_ne!(egg(1), egg(1).rounded(0.5).unwrap());
    assert_ne!(bits_of(&egg(1)), bits_of(&egg(2)));
    assert!(format!("{:?}", egg(1)).contains("Egg"));
}

#[test]
fn what_it_cannot_do_is_refused_by_name() {
    let own = Shape::<Vec2>::custom(Egg::new(DVec2::new(2.0, 1.0))).unwrap();
    let part = |shape: Shape<Vec2>| CompoundPart::new(shape, Pose::IDENTITY);
    let ball = Shape::ball(1.0).unwrap();
    let compound = Shape::compound(vec![part(ball), part(own.clone())]).unwrap();
    let nested = Shape::compound(vec![part(compound.clone())]).unwrap();
    let stored = "a custom shape cannot be stored, since it is code";
    for (shape, expected) in [
        (&own, stored.to_owned()),
        (&compound, format!("compound: parts[1]: {stored}")),
        (
            &nested,
            format!("compound: parts[0]: compound: parts[1]: {stored}"),
        ),
    ] {
        assert_eq!(shape.to_encoding().unwrap_err().to_string(), expected);
        assert!(Shape::<Vec2>::from_encoding(&bits_of(shape)).is_err());
        #[cfg(feature = "serde")]
        assert_eq!(
            serde_json::to_string(shape).unwrap_err().to_string(),
            expected
        );
    }
    for shape in [own.clone(), own.rounded(0.5).unwrap()] {
        let scaled = [shape.scaled(2.0), shape.scaled_by(Vec2::new(1.0, 2.0))];
        for refused in scaled {
            let expected = "a custom shape cannot be scaled, make one of the other size";
            assert_eq!(refused.unwrap_err().to_string(), expected);
        }
        assert_eq!(
            shape.translated(Vec2::X).unwrap_err().to_string(),
            "a custom shape cannot be moved in its body, move the pose of the body"
        );
    }
    // As a part of a compound it can be moved.
    assert!(compound.translated(Vec2::X).is_ok());
    assert!(matches!(compound, Shape::Composite(ref c) if Composite::part_count(c) == 2));
}
