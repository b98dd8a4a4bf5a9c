//! What no file can hold is refused before a byte is written.

use std::collections::BTreeMap;
use std::io;

use clearance_math::{DVec3, Pose, Vec3};
use clearance_scene::{AnyScene, BodyShape, Scene, SceneBody, ShapeInFile};
use clearance_shapes::{CompoundPart, CustomShape, Shape, Support};

/// A ball of the program's own.
#[derive(Debug)]
struct Egg;

impl Support<DVec3> for Egg {
    fn support(&self, direction: DVec3) -> DVec3 {
        direction.normalize_or_zero() * 0.5
    }

    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        0.5
    }
}

impl CustomShape<DVec3> for Egg {
    fn key(&self) -> [u32; 8] {
        [1; 8]
    }
}

fn compound_of(shape: &Shape<Vec3>) -> Shape<Vec3> {
    let part = CompoundPart::new(shape.clone(), Pose::IDENTITY);
    Shape::compound([part]).unwrap()
}

#[test]
fn a_scene_with_a_shape_of_the_programs_own_is_not_begun() {
    let (ball, egg) = (Shape::ball(0.5).unwrap(), Shape::custom(Egg).unwrap());
    let compound = compound_of(&compound_of(&egg));
    for shape in [&egg, &compound] {
        assert!(ShapeInFile::of(shape).is_none());
        let shapes = [("ball", &ball), ("egg", shape), ("fig", &ball)];
        let named = shapes.map(|(name, shape)| (name.to_owned(), shape.clone()));
        let named = scene(BTreeMap::from(named), &[&ball]);
        assert_is_refused(named, "shapes.egg: is or has a shape of the program's own");
        let own = scene(BTreeMap::new(), &[&ball, shape]);
        assert_is_refused(
            own,
            "bodies[1].shape: is or has a shape of the program's own",
        );
    }
}

fn scene(shapes: BTreeMap<String, Shape<Vec3>>, own: &[&Shape<Vec3>]) -> Scene<Vec3> {
    let own = own
        .iter()
        .map(|&shape| BodyShape::Own(Box::new(shape.clone())));
    Scene {
        margin: 0.0,
        bounds: None,
        shapes,
        bodies: own
            .map(|shape| SceneBody::new(shape, Pose::IDENTITY))
            .collect(),
        ignored_pairs: Vec::new(),
    }
}

fn assert_is_refused(scene: Scene<Vec3>, expected: &str) {
    let mut written = Vec::new();
    let error = AnyScene::Space(scene).write(&mut written).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(written.is_empty());
}
