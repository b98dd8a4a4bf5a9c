//! A machine that measures some blocks needs only the parts that they name.

use clearance_clash::{Assembly, Block, Check, Clash, Part, Rules};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::common::{angle, box_of};

const RULES: &str = r#"{"rules": [
    {"between": ["pipe*", "pipe*"], "clearance": 0.75, "name": "pipes"},
    {"between": ["*7", "*"], "ignore": true},
    {"between": ["*", "*"]}
]}"#;

fn rules() -> Rules {
    Rules::from_json(RULES).expect("valid rules")
}

/// Parts here and there in a cube; the last one is so large that the tolerance of the whole is far greater than that of most pairs.
fn parts(seed: u64) -> Vec<Part> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut parts = vec![box_of("slab", [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0])];
    for number in 0..150 {
        let at = [(); 3].map(|()| random.random_range(0.0..9.0));
        parts.push(if number % 3 == 0 {
            angle(&format!("bracket {number}"), at)
        } else {
            box_of(&format!("pipe {number}"), at, at.map(|x| x + 1.0))
        });
    }
    parts
}

/// The clashes of a block as a check of its own parts finds them, with the numbers of the whole.
fn measured_apart(whole: &Check, block: &Block) -> Vec<Clash> {
    let numbers = whole.parts_of(std::slice::from_ref(block));
    let some = |assembly: &Assembly, numbers: &[u32]| {
        let part = |&number: &u32| assembly.parts()[number as usize].clone();
        Assembly::new(numbers.iter().map(part).collect())
    };
    let a = some(whole.a(), &numbers[0]);
    let rules = rules().all_optional();
    let (own, second) = match whole.b() {
        Some(b) => {
            let b = some(b, &numbers[1]);
            (Check::between(a, b, rules), &numbers[1])
        }
        None => (Check::within(a, rules), &numbers[0]),
    };
    let place =
        |list: &[u32], number| list.binary_search(&number).expect("a part of the block") as u32;
    let pair = |[a, b]: [u32; 2]| [place(&numbers[0], a), place(second, b)];
    let renumbered = Block {
        first: pair(block.first),
        last: pair(block.last),
        ..*block
    };
    let mut clashes = own.expect("few parts").measure(&renumbered);
    for clash in &mut clashes {
        clash.a = numbers[0][clash.a as usize];
        clash.b = second[clash.b as usize];
    }
    clashes
}

/// Blocks of so few pairs that most leave out most parts.
fn small_blocks(check: &Check) -> Vec<Block> {
    let clashes = check
        .blocks()
        .into_iter()
        .flat_map(|block| check.measure(&block));
    let pairs: Vec<[u32; 2]> = clashes.map(|clash| [clash.a, clash.b]).collect();
    let block = |pairs: &[[u32; 2]]| Block {
        first: pairs[0],
        last: pairs[pairs.len() - 1],
        pairs: pairs.len() as u32,
        cost: 0,
    };
    pairs.chunks(7).map(block).collect()
}

fn assert_same(check: &Check) {
    let blocks = small_blocks(check);
    assert!(blocks.len() > 20);
    for block in &blocks {
        let found = check.measure(block);
        assert!(!found.is_empty());
        assert_eq!(measured_apart(check, block), found);
    }
    let some = check.parts_of(&blocks[..1]);
    assert!(some[0].len() < check.a().parts().len() / 2);
}

#[test]
fn parts_of_a_block_are_enough_within_an_assembly() {
    assert_same(&Check::within(Assembly::new(parts(1)), rules()).expect("few parts"));
}

#[test]
fn parts_of_a_block_are_enough_between_assemblies() {
    let [a, b] = [2, 3].map(|seed| Assembly::new(parts(seed)));
    assert_same(&Check::between(a, b, rules()).expect("few parts"));
}
