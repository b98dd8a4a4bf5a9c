//! Assemblies: parts sorted by their names.

use core::hash::Hasher;
use std::collections::{HashMap, HashSet};

use clearance_shapes::Shape;
use clearance_shapes::internal::bits_of;
use twox_hash::XxHash64;

use crate::part::{Form, Part};

/// Named parts, sorted by their names.
///
/// ```
/// use clearance_clash::{Assembly, Part};
/// use clearance_math::{Pose, Vec3};
/// use clearance_shapes::Shape;
///
/// let bolt = || Part::new("bolt", Shape::cylinder(1.0, 0.2).unwrap(), Pose::IDENTITY);
/// let beam = Part::new("beam", Shape::cuboid(Vec3::ONE)?, Pose::IDENTITY)?;
/// let assembly = Assembly::new(vec![bolt()?, beam, bolt()?]);
/// let names: Vec<&str> = assembly.parts().iter().map(Part::name).collect();
/// assert_eq!(names, ["beam", "bolt", "bolt#2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    parts: Vec<Part>,
}

impl Assembly {
    /// The assembly of these parts. Of parts with equal names the second one gets `#2` behind its name, and so on.
    #[must_use]
    pub fn new(mut parts: Vec<Part>) -> Self {
        name_each_once(&mut parts);
        parts.sort_by(|one, other| one.name.cmp(&other.name));
        Self { parts }
    }

    /// The parts, sorted by their names, by the bytes of UTF-8.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A number that is equal for equal names, forms, shapes, poses and roundings, on every platform, and most likely not for others.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = XxHash64::with_seed(0);
        let mut last: Option<(&Shape<clearance_math::Vec3>, u64)> = None;
        for part in &self.parts {
            hasher.write(&(part.name.len() as u64).to_le_bytes());
            hasher.write(part.name.as_bytes());
            hasher.write(part.form().name().as_bytes());
            let shape = match last {
                Some((shape, number)) if is_shared(shape, part.shape()) => number,
                _ => fingerprint_of(part.shape()),
            };
            last = Some((part.shape(), shape));
            hasher.write(&shape.to_le_bytes());
            for number in part.pose().position().to_array() {
                hasher.write(&number.to_bits().to_le_bytes());
            }
            hasher.write(&part.rounding().to_bits().to_le_bytes());
            for number in part.pose().rotation.to_array() {
                hasher.write(&number.to_bits().to_le_bytes());
            }
        }
        hasher.finish()
    }

    /// How many parts have an inside.
    #[must_use]
    pub fn solids(&self) -> usize {
        let solids = self.parts.iter().filter(|part| *part.form() == Form::Solid);
        solids.count()
    }
}

fn is_shared(one: &Shape<clearance_math::Vec3>, other: &Shape<clearance_math::Vec3>) -> bool {
    matches!((one, other), (Shape::Composite(one), Shape::Composite(other)) if std::sync::Arc::ptr_eq(one, other))
}

fn fingerprint_of(shape: &Shape<clearance_math::Vec3>) -> u64 {
    let bits = bits_of(shape);
    let mut hasher = XxHash64::with_seed(bits.kind.into());
    hasher.write(&bits.radius.to_le_bytes());
    for number in bits.numbers {
        hasher.write(&number.to_le_bytes());
    }
    hasher.finish()
}

/// Gives parts whose names were there before other names, in the order of the list.
fn name_each_once(parts: &mut [Part]) {
    let given: HashSet<String> = parts.iter().map(|part| part.name.clone()).collect();
    if given.len() == parts.len() {
        return;
    }
    // The number that the last part of each name got. Numbered names differ from each other if they were not given.
    let mut last = HashMap::<String, usize>::new();
    for part in parts {
        let Some(number) = last.get_mut(&part.name) else {
            last.insert(part.name.clone(), 1);
            continue;
        };
        loop {
            *number += 1;
            let name = format!("{}#{number}", part.name);
            if !given.contains(&name) {
                part.name = name;
                break;
            }
        }
    }
}
