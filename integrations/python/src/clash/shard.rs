//! Shards: blocks that another machine measures, which gets the parts of these blocks only.
//!
//! Shapes are stored once, in groups of many. A shard names the groups that it needs. The machine that measures it makes the shapes of
//! its parts of the bytes of these groups, which it may share with others, and no more; it keeps them for its next shard.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clearance::math::glam::Vec3;
use clearance::shapes::Shape;
use clearance_clash::{Assembly, Block, Check, Clash, Part};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use super::check::{ClashCheck, measured, packed};
use super::rules::ClashRules;
use super::shapes::{Shapes, StoredPart};
use crate::classes::slice;
use crate::problem::refused;
use crate::workers::pool;

/// What a shape counts besides its triangles.
const WEIGHT_OF_SHAPE: u64 = 4;

/// The shapes of a check in groups, and which of them each part has.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct ClashStore {
    shapes: Vec<Shape<Vec3>>,
    /// The first shape of each group, and behind them how many shapes there are.
    firsts: Vec<u32>,
    /// The shape of each part of the first and of the second assembly.
    of_parts: [Vec<u32>; 2],
}

/// A shard without the shapes of its parts.
#[derive(Serialize, Deserialize)]
struct Shard {
    a: Side,
    b: Option<Side>,
    blocks: Vec<Block>,
    /// The first shape of each group that the shard needs.
    firsts: Vec<u32>,
}

/// Parts of a shard.
#[derive(Serialize, Deserialize)]
struct Side {
    /// Their numbers in their assembly.
    numbers: Vec<u32>,
    parts: Vec<StoredPart>,
}

impl ClashStore {
    /// The number of the group that has a shape.
    fn group_of(&self, shape: u32) -> u32 {
        self.firsts.partition_point(|&first| first <= shape) as u32 - 1
    }

    fn side(&self, (assembly, side): (&Assembly, usize), numbers: Vec<u32>) -> Side {
        let part = |&number: &u32| {
            let number = number as usize;
            StoredPart::new(&assembly.parts()[number], self.of_parts[side][number])
        };
        Side {
            parts: numbers.iter().map(part).collect(),
            numbers,
        }
    }
}

/// How many bytes a number takes.
const NUMBER: usize = size_of::<u64>();

/// The bytes of shapes: how many there are, where each ends, and the shapes themselves.
fn group_of_shapes(shapes: &[Shape<Vec3>]) -> PyResult<Vec<u8>> {
    let mut bytes = vec![0; NUMBER * (1 + shapes.len())];
    bytes[..NUMBER].copy_from_slice(&(shapes.len() as u64).to_le_bytes());
    for (number, shape) in shapes.iter().enumerate() {
        bytes = postcard::to_extend(shape, bytes).map_err(refused)?;
        let end = (bytes.len() as u64).to_le_bytes();
        bytes[NUMBER * (1 + number)..][..NUMBER].copy_from_slice(&end);
    }
    Ok(bytes)
}

/// The bytes of a shape in a group; `None` if the bytes are no group that has it.
fn bytes_in_group(group: &[u8], number: usize) -> Option<&[u8]> {
    let number_at = |place: usize| {
        let (bytes, _) = group.get(NUMBER * place..)?.split_first_chunk::<NUMBER>()?;
        usize::try_from(u64::from_le_bytes(*bytes)).ok()
    };
    let count = number_at(0).filter(|&count| number < count)?;
    let first = if number == 0 {
        NUMBER * (1 + count)
    } else {
        number_at(number)?
    };
    group.get(first..number_at(number + 1)?)
}

/// Shapes that a process has made of their bytes, for the next shard that has them.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct ClashShapes {
    /// How many triangles are kept at most.
    most: u64,
    kept: Mutex<KeptShapes>,
}

#[derive(Default)]
struct KeptShapes {
    triangles: u64,
    by_bytes: HashMap<Box<[u8]>, Shape<Vec3>>,
}

#[pymethods]
impl ClashShapes {
    #[new]
    #[pyo3(signature = (triangles, /))]
    fn new(triangles: u64) -> Self {
        Self {
            most: triangles,
            kept: Mutex::default(),
        }
    }

    fn __len__(&self) -> usize {
        self.lock().by_bytes.len()
    }
}

impl ClashShapes {
    fn lock(&self) -> MutexGuard<'_, KeptShapes> {
        // Whoever panics does not while it writes.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shape of these bytes; `None` if they are none. Where too many are kept, all others are forgotten.
    fn shape(&self, bytes: &[u8]) -> Option<Shape<Vec3>> {
        if let Some(shape) = self.lock().by_bytes.get(bytes) {
            return Some(shape.clone());
        }
        let shape: Shape<Vec3> = postcard::from_bytes(bytes).ok()?;
        let triangles = u64::from(crate::shapes::part_count(&shape));
        let mut kept = self.lock();
        if kept.triangles + triangles > self.most {
            *kept = KeptShapes::default();
        }
        kept.triangles += triangles;
        kept.by_bytes.insert(bytes.into(), shape.clone());
        Some(shape)
    }
}

#[pymethods]
impl ClashStore {
    #[new]
    #[pyo3(signature = (check, triangles, /))]
    fn new(check: &ClashCheck, triangles: u64) -> Self {
        let mut shapes = Shapes::default();
        let sides = [Some(check.check.a()), check.check.b()];
        let of_parts = sides.map(|assembly| {
            let parts = assembly.iter().flat_map(|assembly| assembly.parts());
            parts.map(|part| shapes.number_of(part)).collect()
        });
        let mut firsts = vec![0];
        let mut weight = 0;
        for (shape, number) in shapes.list.iter().zip(0..) {
            if weight >= triangles {
                firsts.push(number);
                weight = 0;
            }
            weight += WEIGHT_OF_SHAPE + u64::from(crate::shapes::part_count(shape));
        }
        firsts.push(shapes.list.len() as u32);
        Self {
            shapes: shapes.list,
            firsts,
            of_parts,
        }
    }

    fn __len__(&self) -> usize {
        self.firsts.len() - 1
    }

    #[pyo3(signature = (number, /))]
    fn group<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let Some(&[first, last]) = self.firsts.get(number..number + 2) else {
            let count = self.firsts.len() - 1;
            return Err(refused(format!(
                "number: is {number}, must be less than {count}"
            )));
        };
        let shapes = &self.shapes[first as usize..last as usize];
        let bytes = py.detach(|| group_of_shapes(shapes))?;
        Ok(PyArray1::from_vec(py, bytes))
    }

    /// The bytes of a shard of blocks, and the numbers of the groups that it needs.
    #[pyo3(signature = (check, blocks, /))]
    fn shard<'py>(
        &self,
        py: Python<'py>,
        check: &ClashCheck,
        blocks: (usize, usize),
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<u32>)> {
        let blocks = check.blocks_of(blocks)?;
        let check = &check.check;
        let (shard, groups) = py.detach(|| {
            let [of_a, of_b] = check.parts_of(blocks);
            let a = self.side((check.a(), 0), of_a);
            let b = check.b().map(|b| self.side((b, 1), of_b));
            let parts = [Some(&a), b.as_ref()].into_iter().flatten();
            let shapes = parts.flat_map(|side| &side.parts).map(|part| part.shape);
            let mut groups: Vec<u32> = shapes.map(|shape| self.group_of(shape)).collect();
            groups.sort_unstable();
            groups.dedup();
            let firsts = groups.iter().map(|&group| self.firsts[group as usize]);
            let shard = Shard {
                a,
                b,
                blocks: blocks.to_vec(),
                firsts: firsts.collect(),
            };
            let bytes = postcard::to_stdvec(&shard).map_err(refused)?;
            Ok::<_, PyErr>((bytes, groups))
        })?;
        Ok((PyBytes::new(py, &shard), groups))
    }
}

/// The clashes of the blocks of a shard, with the groups that it needs.
#[pyfunction]
#[pyo3(signature = (shard, rules, groups, shapes, /))]
pub(crate) fn measure_shard<'py>(
    py: Python<'py>,
    shard: &[u8],
    rules: &ClashRules,
    groups: Vec<PyReadonlyArray1<'py, u8>>,
    shapes: &ClashShapes,
) -> PyResult<Bound<'py, PyBytes>> {
    let groups = groups.iter().map(slice).collect::<PyResult<Vec<&[u8]>>>()?;
    let found = py.detach(|| {
        let shard: Shard = postcard::from_bytes(shard)
            .map_err(|error| refused(format!("shard: {error}; must be what `shard` returned")))?;
        if shard.firsts.len() != groups.len() {
            let (found, count) = (groups.len(), shard.firsts.len());
            return Err(refused(format!("groups: has {found}, must have {count}")));
        }
        packed(&shard.measure(rules, (&groups, shapes))?)
    })?;
    Ok(PyBytes::new(py, &found))
}

/// Shapes of groups.
struct Models<'g> {
    groups: &'g [&'g [u8]],
    firsts: Vec<u32>,
    kept: &'g ClashShapes,
}

impl Models<'_> {
    fn shape(&self, shape: u32) -> PyResult<Shape<Vec3>> {
        let place = self.firsts.partition_point(|&first| first <= shape);
        let read = place.checked_sub(1).and_then(|group| {
            let number = shape - self.firsts[group];
            let bytes = bytes_in_group(self.groups[group], number as usize)?;
            self.kept.shape(bytes)
        });
        read.ok_or_else(|| {
            refused(format!(
                "groups: have no shape {shape}, must be those of the shard"
            ))
        })
    }

    fn assembly(&self, parts: Vec<StoredPart>) -> PyResult<Assembly> {
        let parts = parts.into_iter().map(|part| {
            let shape = self.shape(part.shape)?;
            part.with(&shape)
        });
        Ok(Assembly::new(parts.collect::<PyResult<Vec<Part>>>()?))
    }
}

impl Shard {
    fn measure(
        self,
        rules: &ClashRules,
        (groups, kept): (&[&[u8]], &ClashShapes),
    ) -> PyResult<Vec<Vec<Clash>>> {
        let models = Models {
            groups,
            firsts: self.firsts,
            kept,
        };
        let a = models.assembly(self.a.parts)?;
        let rules = rules.rules.clone().all_optional();
        let (check, of_b) = match self.b {
            Some(b) => {
                let second = models.assembly(b.parts)?;
                (Check::between(a, second, rules), b.numbers)
            }
            None => (Check::within(a, rules), self.a.numbers.clone()),
        };
        let check = check.map_err(refused)?;
        let numbers = [self.a.numbers, of_b];
        let ranges = self.blocks.iter().map(|block| own_range(block, &numbers));
        let ranges: Option<Vec<Block>> = ranges.collect();
        let ranges = ranges.ok_or_else(|| refused("shard: lacks a part of its blocks"))?;
        // One thread, and this one waits for Ray to cancel the task.
        let pool = pool(Some(1))?;
        let found = measured(&check, &ranges, &pool)?.into_iter();
        Ok(found.map(|clashes| renumbered(clashes, &numbers)).collect())
    }
}

/// The block in the numbers of a shard, whose parts have these numbers in the whole.
fn own_range(block: &Block, numbers: &[Vec<u32>; 2]) -> Option<Block> {
    let place = |side: usize, number: u32| {
        let found = numbers[side].binary_search(&number);
        found.ok().map(|place| place as u32)
    };
    let pair = |[a, b]: [u32; 2]| Some([place(0, a)?, place(1, b)?]);
    Some(Block {
        first: pair(block.first)?,
        last: pair(block.last)?,
        ..*block
    })
}

/// Clashes in the numbers of the whole.
fn renumbered(mut clashes: Vec<Clash>, numbers: &[Vec<u32>; 2]) -> Vec<Clash> {
    for clash in &mut clashes {
        clash.a = numbers[0][clash.a as usize];
        clash.b = numbers[1][clash.b as usize];
    }
    clashes
}
