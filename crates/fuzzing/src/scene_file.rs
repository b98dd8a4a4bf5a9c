//! Scene files.

use clearance_math::{Matrix, Pose, PreciseVector, Rotation};
use clearance_scene::{
    AnyScene, BodyKind, BodyShape, ContactLine, FileVector, RunOptions, Scene, SceneRunner,
    read_scene,
};
use clearance_shapes::internal::bits_of;
use clearance_shapes::{Composite, CompositeKind, Shape};
use clearance_world::WorldError;

/// The most bodies that a scene is run with.
const MOST_BODIES: usize = 48;
/// How far a rotation may turn by being written as an angle of single precision and read again.
const ANGLE_ROUNDING: f64 = 3e-7;
/// How far a normal may move by being rounded to single precision.
const NORMAL_ROUNDING: f64 = 3e-7;

/// A text, taken as a scene file.
///
/// It is read, or refused with lines of the text; what was read is written and read again as it
/// was, and if it is small it runs for a few frames.
///
/// # Panics
/// If the engine breaks one of these promises, with the text.
pub fn scene_file(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match read_scene(text) {
        Ok(AnyScene::Plane(scene)) => check(&scene, AnyScene::into_plane, text),
        Ok(AnyScene::Space(scene)) => check(&scene, AnyScene::into_space, text),
        Err(problems) => {
            let lines = text.lines().count().max(1) as u32;
            assert!(
                !problems.list().is_empty(),
                "refused without a reason: {text}"
            );
            for problem in problems.list() {
                let placed = (1..=lines).contains(&problem.line) && !problem.text.is_empty();
                assert!(placed, "{problem:?} in {lines} lines: {text}");
            }
        }
    }
}

fn check<V: FileVector>(
    scene: &Scene<V>,
    of_dimension: fn(AnyScene) -> Option<Scene<V>>,
    text: &str,
) {
    let read = |text: &str| read_scene(text).ok().and_then(of_dimension);
    let first = written(scene);
    let Some(again) = read(&first) else {
        panic!("refused as written: {first}: {text}");
    };
    assert!(
        is_alike(scene, &again),
        "{again:?} read back, {scene:?} written: {text}"
    );
    let Some(third) = read(&written(&again)) else {
        panic!("refused as written again: {text}");
    };
    assert!(
        is_alike(&again, &third),
        "{third:?} read back, {again:?} written: {text}"
    );
    if scene.bodies.len() <= MOST_BODIES {
        run(scene, text);
    }
}

fn written<V: FileVector>(scene: &Scene<V>) -> String {
    let mut bytes = Vec::new();
    let done = scene.write(&mut bytes);
    assert!(done.is_ok(), "{done:?}: {scene:?}");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether two scenes are the same, up to what the format does not keep: the velocity of a fixed
/// body, and the last place of an angle.
fn is_alike<V: FileVector>(one: &Scene<V>, other: &Scene<V>) -> bool {
    let shapes = one.shapes.iter().zip(&other.shapes);
    let shapes = one.shapes.len() == other.shapes.len()
        && shapes
            .into_iter()
            .all(|(one, other)| one.0 == other.0 && is_alike_shape(one.1, other.1));
    let frame = one.margin == other.margin && one.bounds == other.bounds && shapes;
    let bodies = one.bodies.iter().zip(&other.bodies).all(|(one, other)| {
        let moves = one.kind == BodyKind::Fixed || one.velocity == other.velocity;
        let shapes = match (&one.shape, &other.shape) {
            (BodyShape::Own(one), BodyShape::Own(other)) => is_alike_shape(one, other),
            (one, other) => one == other,
        };
        shapes
            && one.kind == other.kind
            && one.groups == other.groups
            && one.extra_margin == other.extra_margin
            && moves
            && is_alike_pose(&one.pose, &other.pose)
    });
    frame && one.bodies.len() == other.bodies.len() && bodies
}

/// A file holds numbers of single precision: the normal of a half-space is rounded, and a sum of radii may be in its last bit.
fn is_alike_shape<V: FileVector>(one: &Shape<V>, other: &Shape<V>) -> bool {
    match (one, other) {
        (Shape::Composite(one), Shape::Composite(other)) => is_alike_composite(one, other),
        (Shape::HalfSpace(one), Shape::HalfSpace(other)) => {
            (one.normal() - other.normal()).length() <= NORMAL_ROUNDING
                && one.offset().to_bits().abs_diff(other.offset().to_bits()) <= 1
        }
        // Zeros of both signs are equal.
        (one, other) if one == other => true,
        (one, other) => {
            let (one, other) = (bits_of(one), bits_of(other));
            (one.kind, one.numbers) == (other.kind, other.numbers)
                && one.radius.abs_diff(other.radius) <= 1
        }
    }
}

fn is_alike_composite<V: FileVector>(one: &Composite<V>, other: &Composite<V>) -> bool {
    let kinds = (one.kind(), other.kind());
    let (CompositeKind::Compound(compound), CompositeKind::Compound(other_compound)) = kinds else {
        return one == other;
    };
    let (parts, other_parts) = (compound.shapes(), other_compound.shapes());
    one.user_data() == other.user_data()
        && compound.one_way() == other_compound.one_way()
        && parts.len() == other_parts.len()
        && parts.iter().zip(other_parts).all(|(one, other)| {
            is_alike_pose(&one.pose, &other.pose) && is_alike_shape(&one.shape, &other.shape)
        })
}

fn is_alike_pose<V: FileVector>(one: &Pose<V>, other: &Pose<V>) -> bool {
    let (one_turn, other_turn) = (one.rotation.matrix(), other.rotation.matrix());
    let turned = (0..V::DIM).map(|k| (one_turn.row(k) - other_turn.row(k)).length());
    let exact = V::DIM == 2 || one == other;
    one.translation() == other.translation()
        && exact
        && turned.fold(0.0, f64::max) <= ANGLE_ROUNDING
}

/// A few frames: nothing fails but a body that leaves the range of numbers.
fn run<V: FileVector>(scene: &Scene<V>, text: &str) {
    let mut runner = match SceneRunner::new(scene, RunOptions::default()) {
        Ok(runner) => runner,
        Err(error) => panic!("{error}: {text}"),
    };
    for frame in 0..3 {
        match runner.step(1.0 / 60.0) {
            Ok(()) => {}
            Err(WorldError::OutOfRange { .. }) => break,
            Err(error) => panic!("{error}: {text}"),
        }
        if let Err(complaint) = runner.world().validate() {
            panic!("{complaint}: {text}");
        }
        let world = runner.world();
        let line = serde_json::to_string(&ContactLine { frame, world });
        let read = line.map(|line| serde_json::from_str::<serde_json::Value>(&line).is_ok());
        assert!(matches!(read, Ok(true)), "contacts without JSON: {text}");
    }
}
