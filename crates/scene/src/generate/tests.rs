//! Every kind: repeatable, and the same after a round trip through the file.

use std::sync::Arc;

use clearance_shapes::{Composite, CompositeKind, Shape};

use super::*;
use crate::{FileVector, RunOptions, Scene, SceneRunner, read_scene};

fn text(scene: &AnyScene) -> String {
    let mut bytes = Vec::new();
    scene.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_scene_reads_back_as_it_was() {
    for kind in SceneKind::ALL {
        for count in [0, 1, 2, 97] {
            let scene = generate(kind, count, 5);
            assert_eq!(scene.body_count(), count, "{kind}");
            let back = read_scene(&text(&scene)).unwrap();
            assert!(back == scene, "{kind} {count}");
        }
    }
}

#[test]
fn the_seed_decides() {
    for kind in SceneKind::ALL {
        assert_eq!(generate(kind, 40, 1), generate(kind, 40, 1));
        assert_ne!(generate(kind, 40, 1), generate(kind, 40, 2));
    }
}

/// Fails if scenes change: then benchmarks are no longer comparable with earlier ones.
///
/// A scene is written from its shapes. Of hulls it has the corners only, in the order of the engine; of meshes and voxels, the
/// numbers in the order of the shape. These orders may change the sums where the shapes are the same: only then may a sum be
/// taken anew, and after the shapes that both versions build were compared bit by bit.
#[test]
fn scenes_stay_the_same_from_version_to_version() {
    for (kind, expected) in EXPECTED {
        let sum = text(&generate(kind, 100, 1))
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
        assert_eq!(sum, expected, "{kind}: {sum:#018x}");
    }
}

const EXPECTED: [(SceneKind, u64); 15] = [
    (SceneKind::Balls, 0x1eea_1fab_823a_bf5c),
    (SceneKind::Mixed, 0x27c7_43ae_cfed_881d),
    (SceneKind::Hulls, 0x8bfa_29fd_c8e2_eefc),
    (SceneKind::Pile, 0x493e_4201_a179_da5d),
    (SceneKind::Sparse, 0x9ccc_da31_4973_ec33),
    (SceneKind::Sizes, 0x9c32_8b27_3a7d_94f7),
    (SceneKind::City, 0xa66f_5e58_9d0d_f271),
    (SceneKind::Terrain, 0xb990_31e3_3429_4dfe),
    (SceneKind::Level, 0x0cc0_da60_5211_626e),
    (SceneKind::Assembly, 0xfb70_a034_e4ee_0daf),
    (SceneKind::Balls2, 0x5419_4672_509f_ff32),
    (SceneKind::Mixed2, 0x7f32_6cbd_b027_e02f),
    (SceneKind::Pile2, 0xcd89_c072_6130_9348),
    (SceneKind::Voxels, 0x98e1_86fd_10ca_b8be),
    (SceneKind::Tiles2, 0x81fa_a25f_b1ed_3ee6),
];

#[test]
fn every_kind_runs_and_has_contacts() {
    fn contacts<V: FileVector>(scene: &Scene<V>) -> usize {
        let mut runner = SceneRunner::new(scene, RunOptions::default()).unwrap();
        for _ in 0..10 {
            runner.step(1.0 / 60.0).unwrap();
        }
        runner.world().contacts().len()
    }
    for kind in SceneKind::ALL {
        let count = match generate(kind, 300, 1) {
            AnyScene::Plane(scene) => contacts(&scene),
            AnyScene::Space(scene) => contacts(&scene),
        };
        let is_sparse = matches!(kind, SceneKind::Sparse | SceneKind::City);
        assert!(is_sparse || count > 100, "{kind}: {count}");
    }
}

#[test]
fn kinds_have_names() {
    for kind in SceneKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert!("ball".parse::<SceneKind>().is_err());
}

/// The composite of a name, in a scene of nominal size.
fn composite(kind: SceneKind, count: usize, name: &str) -> Arc<Composite<Vec3>> {
    let scene = generate(kind, count, 1).into_space().unwrap();
    assert_eq!(scene.bodies.len(), count);
    let Shape::Composite(composite) = &scene.shapes[name] else {
        panic!("{name} is a composite");
    };
    composite.clone()
}

#[test]
fn composites_have_the_size_that_they_are_known_for() {
    let ground = composite(SceneKind::Terrain, 2000, "ground");
    let CompositeKind::HeightField(field) = ground.kind() else {
        panic!("the ground is a height field");
    };
    assert_eq!((field.heights().len(), field.columns()), (256 * 256, 256));
    for (kind, count, name, expected) in [
        (SceneKind::Level, 5000, "level", 100_000),
        (SceneKind::Assembly, 500, "ring7", 1000),
    ] {
        assert_eq!(
            composite(kind, count, name).part_count(),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn bodies_share_their_composites_in_memory() {
    for kind in [SceneKind::Terrain, SceneKind::Level, SceneKind::Assembly] {
        let scene = generate(kind, 40, 1).into_space().unwrap();
        let runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
        let mut composites = 0;
        for (body, placed) in scene.bodies.iter().zip(runner.world().bodies()) {
            let shared = scene.shape_of(body).unwrap();
            if let (Shape::Composite(shared), Shape::Composite(own)) = (shared, placed.shape()) {
                assert!(Arc::ptr_eq(shared, own), "{kind}");
                composites += 1;
            }
        }
        let expected = if kind == SceneKind::Assembly { 40 } else { 1 };
        assert_eq!(composites, expected, "{kind}");
    }
}
