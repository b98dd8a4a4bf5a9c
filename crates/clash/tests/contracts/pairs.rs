//! Which pairs are measured: all that could be clashes, whatever the tree, the blocks and the threads.

use core::ops::ControlFlow;
use std::collections::HashSet;
use std::time::{Duration, Instant};

use clearance_clash::{Assembly, Check, Clash, Part, Rules};
use clearance_math::{DVec3, Pose, Quat, Vec3};
use clearance_shapes::Shape;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::common::{all_clashes, angle, box_of, check, cuboid, everything};

/// Boxes, angles, balls and turned cylinders about a site.
fn many(count: usize, seed: u64) -> Vec<Part> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut parts = Vec::new();
    for number in 0..count {
        let name = format!("{} {number}", ["box", "angle", "ball", "rod"][number % 4]);
        let at: [f64; 3] = [0, 1, 2].map(|_| 5e5 + random.random_range(0.0..5.0));
        let turned = [0, 1, 2, 3].map(|_| random.random_range(-1.0_f32..1.0));
        let pose = Pose::new(DVec3::from_array(at), Quat::from_array(turned).normalize());
        let size = random.random_range(0.2..1.0);
        parts.push(match number % 4 {
            0 => box_of(&name, at, at.map(|x| x + size)),
            1 => angle(&name, at),
            2 => Part::new(name, Shape::ball(size as f32).unwrap(), pose).unwrap(),
            _ => Part::new(name, Shape::cylinder(1.5, 0.1).unwrap(), pose).unwrap(),
        });
    }
    parts
}

/// Every pair by itself, without a tree: each is an assembly of its own.
fn one_by_one(parts: &[Part], rules: &Rules) -> Vec<Clash> {
    let mut found = Vec::new();
    for (a, first) in parts.iter().enumerate() {
        for (b, second) in parts.iter().enumerate().skip(a + 1) {
            let alone = |part: &Part| Assembly::new(vec![part.clone()]);
            let check = Check::between(alone(first), alone(second), rules.clone()).unwrap();
            for clash in all_clashes(&check) {
                let (a, b) = (a as u32, b as u32);
                found.push(Clash { a, b, ..clash });
            }
        }
    }
    found
}

#[test]
fn clashes_are_those_of_every_pair_by_itself() {
    for (seed, clearance) in [(1, 0.0), (2, 0.3), (3, 2.0)] {
        let rules = everything(clearance, 0.01);
        let check = check(many(48, seed), rules.clone());
        let expected = one_by_one(check.a().parts(), &rules);
        assert!(expected.len() > 10);
        assert_eq!(all_clashes(&check), expected);
    }
}

#[test]
fn two_assemblies_are_checked_across_only() {
    let (a, b) = (many(30, 4), many(20, 5));
    let rules = everything(0.2, 0.01);
    let across = Check::between(Assembly::new(a), Assembly::new(b), rules.clone()).unwrap();
    let mut expected = Vec::new();
    for (a, first) in across.a().parts().iter().enumerate() {
        for (b, second) in across.b().unwrap().parts().iter().enumerate() {
            let alone = |part: &Part| Assembly::new(vec![part.clone()]);
            let pair = Check::between(alone(first), alone(second), rules.clone()).unwrap();
            let (a, b) = (a as u32, b as u32);
            expected.extend(
                all_clashes(&pair)
                    .into_iter()
                    .map(|clash| Clash { a, b, ..clash }),
            );
        }
    }
    assert!(expected.len() > 10);
    assert_eq!(all_clashes(&across), expected);
}

#[test]
fn blocks_are_measured_alike_on_any_number_of_threads() {
    let check = check(many(400, 6), everything(1.0, 0.01));
    let blocks = check.blocks();
    assert!(blocks.len() > 4, "{}", blocks.len());
    let pairs: u32 = blocks.iter().map(|block| block.pairs).sum();
    assert!(pairs > 1000);
    assert!(blocks.windows(2).all(|pair| pair[0].last < pair[1].first));
    let expected = all_clashes(&check);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut found = Vec::new();
        let ended = check.measure_each(&blocks, &pool, |_, clashes| {
            found.extend(clashes);
            ControlFlow::<()>::Continue(())
        });
        assert!(ended.is_continue());
        assert_eq!(found, expected, "{threads} threads");
    }
    // In any order, and by another process that reads the same block.
    let mut backwards: Vec<Clash> = Vec::new();
    for block in blocks.iter().rev() {
        let text = serde_json::to_string(block).unwrap();
        let block = serde_json::from_str(&text).unwrap();
        backwards.splice(0..0, check.measure(&block));
    }
    assert_eq!(backwards, expected);
}

#[test]
fn parts_without_partners_and_empty_assemblies_have_no_blocks() {
    let nothing = check(Vec::new(), everything(1.0, 0.1));
    assert!(nothing.blocks().is_empty());
    let one = check(vec![box_of("a", [0.0; 3], [1.0; 3])], everything(1.0, 0.1));
    assert!(one.blocks().is_empty());
    let none = Check::between(
        Assembly::new(Vec::new()),
        Assembly::new(vec![box_of("a", [0.0; 3], [1.0; 3])]),
        everything(1.0, 0.1),
    );
    assert!(none.unwrap().blocks().is_empty());
}

#[test]
fn many_parts_of_one_name_are_numbered_at_once() {
    let bolt = |name| cuboid(name, [1.0; 3], [0.0; 3]);
    let mut parts = vec![bolt("bolt"); 20_000];
    parts.push(bolt("bolt#3"));
    let begin = Instant::now();
    let assembly = Assembly::new(parts);
    assert!(begin.elapsed() < Duration::from_secs(10));
    let names: HashSet<&str> = assembly.parts().iter().map(Part::name).collect();
    assert_eq!(names.len(), 20_001);
    let has = |name: &str| names.contains(name);
    // The one that had this name keeps it.
    assert!(has("bolt") && has("bolt#3") && has("bolt#20001") && !has("bolt#3#2"));
}

#[test]
fn half_spaces_and_poses_that_are_not_finite_are_refused() {
    let ground = Part::new(
        "ground",
        Shape::half_space(Vec3::Y).unwrap(),
        Pose::IDENTITY,
    );
    assert!(ground.unwrap_err().to_string().contains("no end"));
    let lost = Pose::from_translation(DVec3::new(f64::NAN, 0.0, 0.0));
    let lost = Part::new("lost", Shape::ball(1.0).unwrap(), lost).unwrap_err();
    assert!(
        lost.to_string().starts_with("pose.translation[0] is NaN"),
        "{lost}"
    );
}
