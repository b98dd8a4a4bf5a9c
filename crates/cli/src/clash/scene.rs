//! The scene of a report: the parts that clash, which the page shows and every command reads that takes a scene.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clearance_clash::{Check, Clash, Part};
use clearance_math::{Real, Vec3};
use clearance_scene::{BodyShape, Scene, SceneBody, ShapeInFile};

use crate::failure::Failure;

/// How much a scene holds at most.
struct Most {
    parts: usize,
    triangles: u64,
}

/// The engine of the page measures all contacts of a scene before it is shown, so that more would be a long wait.
const MOST: Most = Most {
    parts: 10_000,
    triangles: 300_000,
};

/// How far beyond the distance of a clash its parts are still a contact, relative to the size of the smaller one: a world measures
/// again, and may round otherwise.
const ROUNDING: f64 = 1e-6;

/// What of a clash decides whether its parts are in the scene.
#[derive(Clone, Copy)]
struct Ranked {
    is_allowed: bool,
    distance: Real,
    parts: [u32; 2],
    margin: Real,
}

impl Ranked {
    fn new(check: &Check, clash: &Clash) -> Self {
        let size = check.grouped(clash).size;
        Self {
            is_allowed: clash.is_allowed,
            distance: clash.distance,
            parts: [clash.a, clash.b],
            margin: 1.01 * clash.distance.max(0.0) + (ROUNDING * size) as Real,
        }
    }
}

/// The parts of the clashes that are in the scene.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ClashScene {
    /// Numbers of parts: those of the first assembly, and those of the second one. Without a second one all are in the first set.
    parts: [BTreeSet<u32>; 2],
    triangles: u64,
    margin: Real,
    /// How many clashes have both of their parts in the scene.
    clashes: u64,
    /// How many have not, since there would be too many parts or triangles.
    left_out: u64,
}

impl ClashScene {
    /// Chooses the parts of clashes: those of faults first, then those of what is allowed, the deepest clashes before the others.
    pub(crate) fn of(check: &Check, clashes: &[Clash]) -> Self {
        Self::chosen(check, clashes, &MOST)
    }

    fn chosen(check: &Check, clashes: &[Clash], most: &Most) -> Self {
        let ranked = clashes.iter().map(|clash| Ranked::new(check, clash));
        let mut ranked: Vec<Ranked> = ranked.collect();
        // The sort is stable: of equally deep clashes the first one in the report comes first.
        ranked.sort_by(|one, other| {
            let allowed = one.is_allowed.cmp(&other.is_allowed);
            allowed.then(one.distance.total_cmp(&other.distance))
        });
        let mut scene = Self::default();
        for clash in ranked {
            scene.add(check, clash, most);
        }
        scene
    }

    /// Adds the parts of a clash if there is room for them.
    fn add(&mut self, check: &Check, clash: Ranked, most: &Most) {
        let second = usize::from(check.b().is_some());
        let mut news: Vec<(usize, u32)> = [(0, clash.parts[0]), (second, clash.parts[1])].into();
        news.retain(|(side, number)| !self.parts[*side].contains(number));
        let more = news
            .iter()
            .map(|&(side, number)| u64::from(part_of(check, side, number).triangles()));
        let triangles = self.triangles + more.sum::<u64>();
        let count = self.parts.iter().map(BTreeSet::len).sum::<usize>() + news.len();
        if count > most.parts || triangles > most.triangles {
            self.left_out += 1;
            return;
        }
        for (side, number) in news {
            self.parts[side].insert(number);
        }
        self.triangles = triangles;
        self.margin = self.margin.max(clash.margin);
        self.clashes += 1;
    }

    /// Writes the scene to a file, and says on standard error what it leaves out.
    pub(crate) fn write(&self, check: &Check, path: &Path) -> Result<(), Failure> {
        let scene = self.scene(check);
        let write = || -> io::Result<()> {
            let mut out = BufWriter::new(File::create(path)?);
            scene.write(&mut out)?;
            out.flush()
        };
        write().map_err(|error| Failure::write(path, error))?;
        if self.left_out > 0 {
            let (shown, all) = (self.clashes, self.clashes + self.left_out);
            let Most { parts, triangles } = MOST;
            // If standard error is closed, the scene is still whole.
            let _ = writeln!(
                io::stderr(),
                "clearance: {} has the parts of {shown} of {all} clashes, faults and deep ones first: it can have {parts} parts and {triangles} triangles",
                path.display()
            );
        }
        Ok(())
    }

    /// The scene: a body at rest for each part, whose shape has the name of the part.
    fn scene(&self, check: &Check) -> Scene<Vec3> {
        let (mut shapes, mut bodies) = (BTreeMap::new(), Vec::new());
        for (side, numbers) in self.parts.iter().enumerate() {
            for &number in numbers {
                let part = part_of(check, side, number);
                // Files have no shapes of the program's own, which alone cannot be described.
                if ShapeInFile::of(part.shape()).is_none() {
                    continue;
                }
                let name = match check.b() {
                    Some(_) => format!("{}/{}", ["a", "b"][side], part.name()),
                    None => part.name().to_owned(),
                };
                let shape = BodyShape::Named(name.clone());
                bodies.push(SceneBody::new(shape, *part.pose()));
                shapes.insert(name, part.shape().clone());
            }
        }
        Scene {
            margin: self.margin,
            bounds: None,
            shapes,
            bodies,
            ignored_pairs: Vec::new(),
        }
    }
}

/// A part of the first assembly, of side 0, or of the second one, of side 1.
fn part_of(check: &Check, side: usize, number: u32) -> &Part {
    let assembly = match (side, check.b()) {
        (1, Some(b)) => b,
        _ => check.a(),
    };
    &assembly.parts()[number as usize]
}

#[cfg(test)]
mod tests {
    use clearance_clash::{Allowed, Assembly, Rules};
    use clearance_math::{DVec3, Pose};
    use clearance_shapes::Shape;

    use super::*;

    /// Cubes in a row: the first two overlap by 0.5, the next ones touch, and the last two overlap by 0.75.
    fn row() -> Check {
        let places = [0.0, 1.5, 3.5, 5.5, 6.75];
        let parts = places.iter().enumerate().map(|(number, &x)| {
            let pose = Pose::from_translation(DVec3::new(x, 0.0, 0.0));
            let shape = Shape::cuboid(Vec3::ONE).expect("valid");
            Part::new(format!("cube {number}"), shape, pose).expect("valid")
        });
        let rules = Rules::everything(Allowed::default());
        Check::within(Assembly::new(parts.collect()), rules).expect("valid")
    }

    fn chosen(most: &Most) -> ClashScene {
        let check = row();
        let blocks = check.blocks();
        let clashes: Vec<_> = blocks
            .iter()
            .flat_map(|block| check.measure(block))
            .collect();
        ClashScene::chosen(&check, &clashes, most)
    }

    #[test]
    fn the_deepest_faults_come_first() {
        let numbers = |parts, triangles| {
            let scene = chosen(&Most { parts, triangles });
            let [parts, _] = scene.parts;
            (Vec::from_iter(parts), scene.clashes, scene.left_out)
        };
        assert_eq!(numbers(5, 5), (vec![0, 1, 2, 3, 4], 4, 0));
        assert_eq!(numbers(2, 100), (vec![3, 4], 1, 3));
        assert_eq!(numbers(100, 4), (vec![0, 1, 3, 4], 2, 2));
        // One more is enough for a touch with one of them.
        assert_eq!(numbers(3, 100), (vec![2, 3, 4], 2, 2));
        assert_eq!(numbers(1, 100), (vec![], 0, 4));
    }
}
