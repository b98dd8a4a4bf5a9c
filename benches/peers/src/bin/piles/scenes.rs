//! The piles, before they fall.

use std::error::Error;
use std::ops::Range;

use clearance_benches::{Random, Space, empty_scene};
use clearance_math::{Pose, Real, Vec2, Vec3};
use clearance_scene::{BodyKind, BodyShape, FileVector, Scene, SceneBody};
use clearance_shapes::{Shape, ShapeError};

/// A shape, or why there is none.
type Built<V> = Result<Shape<V>, ShapeError>;

/// How many shapes the bodies of a pile share.
const SHAPES: usize = 16;

/// Contacts reach as far as those of Box2D and Box3D.
const MARGIN: Real = 0.02;

/// Half the width of the bin inside.
const HALF_IN_SPACE: Real = 12.0;
const HALF_IN_THE_PLANE: Real = 25.0;

/// A part of a film, by what the bodies do.
pub(crate) struct Phase {
    pub(crate) name: &'static str,
    pub(crate) frames: Range<usize>,
}

const fn phase(name: &'static str, frames: Range<usize>) -> Phase {
    Phase { name, frames }
}

const FALL_IN_SPACE: &[Phase] = &[
    phase("falling", 20..50),
    phase("piling up", 60..120),
    phase("nearly at rest", 140..200),
];
const FALL_IN_THE_PLANE: &[Phase] = &[
    phase("falling", 20..60),
    phase("piling up", 100..200),
    phase("nearly at rest", 320..400),
];
const STAND: &[Phase] = &[phase("nearly at rest", 100..200)];

/// A pile to be poured.
pub(crate) struct Pile<V: FileVector> {
    pub(crate) name: String,
    pub(crate) phases: &'static [Phase],
    pub(crate) scene: Scene<V>,
}

impl<V: FileVector> Pile<V> {
    fn new(name: String, phases: &'static [Phase]) -> Self {
        Self {
            name,
            phases,
            scene: empty_scene(MARGIN),
        }
    }

    /// How many frames are recorded.
    pub(crate) fn frame_count(&self) -> usize {
        self.phases.last().map_or(0, |phase| phase.frames.end)
    }

    /// How many bodies move.
    pub(crate) fn mover_count(&self) -> usize {
        let bodies = self.scene.bodies.iter();
        bodies.filter(|body| body.kind == BodyKind::Moving).count()
    }

    fn add_shape(&mut self, name: String, shape: Built<V>) -> Result<(), Box<dyn Error>> {
        self.scene.shapes.insert(name, shape?);
        Ok(())
    }

    fn add_body(&mut self, shape: &str, pose: Pose<V>, kind: BodyKind) {
        let body = SceneBody::new(BodyShape::Named(shape.to_owned()), pose);
        self.scene.bodies.push(SceneBody { kind, ..body });
    }

    /// A fixed cuboid.
    fn add_wall(&mut self, name: &str, middle: V, half_extents: V) -> Result<(), Box<dyn Error>> {
        self.add_shape(name.to_owned(), Shape::cuboid(half_extents))?;
        self.add_body(name, Pose::from_translation(middle), BodyKind::Fixed);
        Ok(())
    }
}

impl<V: FileVector + Space> Pile<V> {
    /// Adds a moving body at about each of the places, turned anyhow and of one of a few shapes.
    fn drop_bodies(
        &mut self,
        shape: impl Fn(usize, &mut Random) -> Built<V>,
        places: impl Iterator<Item = V>,
    ) -> Result<(), Box<dyn Error>> {
        let random = &mut Random::new(1);
        let names: Vec<_> = (0..SHAPES).map(|number| number.to_string()).collect();
        for (number, name) in names.iter().enumerate() {
            self.add_shape(name.clone(), shape(number, random))?;
        }
        for place in places {
            let place = place + random.vector::<V>() * 0.05;
            let name = &names[random.between(0.0, SHAPES as Real) as usize];
            self.add_body(
                name,
                Pose::new(place, V::rotation(random)),
                BodyKind::Moving,
            );
        }
        Ok(())
    }
}

/// What lies in a pile of space.
#[derive(Clone, Copy)]
enum Content {
    Hulls,
    Boxes,
    Mixture,
}

impl Content {
    fn shape(self, number: usize, random: &mut Random) -> Built<Vec3> {
        let kind = match self {
            Self::Hulls => return hull(32, random),
            Self::Boxes => 0,
            Self::Mixture => number % 4,
        };
        match kind {
            0 => Shape::cuboid(Vec3::from_array(
                [(); 3].map(|()| random.between(0.25, 0.5)),
            )),
            1 => Shape::ball(random.between(0.25, 0.5)),
            2 => Shape::capsule(random.between(0.25, 0.5), random.between(0.2, 0.4)),
            _ => hull(8 * (1 + number / 4), random),
        }
    }
}

/// The hull of so many points on a ball.
fn hull(points: usize, random: &mut Random) -> Built<Vec3> {
    let points = (0..points).map(|_| random.direction::<Vec3>() * 0.5);
    Shape::hull(points.collect::<Vec<_>>())
}

/// Piles of bodies that fall into a bin, whose floor is flat or a mesh.
pub(crate) fn in_space() -> Result<Vec<Pile<Vec3>>, Box<dyn Error>> {
    let contents = [
        ("hulls-2000", Content::Hulls),
        ("boxes-2000", Content::Boxes),
        ("mixture-2000", Content::Mixture),
    ];
    let mut piles = Vec::new();
    for (name, content) in contents {
        for floor in ["", "-on-mesh"] {
            let mut pile = Pile::new(format!("{name}{floor}"), FALL_IN_SPACE);
            if floor.is_empty() {
                let half_extents = Vec3::new(2.0 * HALF_IN_SPACE, 1.0, 2.0 * HALF_IN_SPACE);
                pile.add_wall("floor", -Vec3::Y, half_extents)?;
            } else {
                pile.add_shape("floor".to_owned(), bumps(&mut Random::new(2)))?;
                pile.add_body("floor", Pose::IDENTITY, BodyKind::Fixed);
            }
            pour_into_bin(&mut pile, content)?;
            piles.push(pile);
        }
    }
    Ok(piles)
}

/// A floor of 3,200 triangles with low bumps, somewhat wider than the bin.
fn bumps(random: &mut Random) -> Built<Vec3> {
    const CELLS: u32 = 40;
    let wide = HALF_IN_SPACE + 2.0;
    let at = |k: u32| (2.0 * k as Real / CELLS as Real - 1.0) * wide;
    let places = (0..=CELLS).flat_map(|z| (0..=CELLS).map(move |x| (x, z)));
    let vertices = places.map(|(x, z)| Vec3::new(at(x), random.between(0.0, 0.3), at(z)));
    let cells = (0..CELLS).flat_map(|z| (0..CELLS).map(move |x| z * (CELLS + 1) + x));
    let triangles = cells.flat_map(|corner| {
        let (right, far) = (corner + 1, corner + CELLS + 1);
        [[corner, far, right], [right, far, far + 1]]
    });
    Shape::mesh(vertices.collect::<Vec<_>>(), triangles.collect::<Vec<_>>())
}

fn pour_into_bin(pile: &mut Pile<Vec3>, content: Content) -> Result<(), Box<dyn Error>> {
    const COUNT: usize = 2000;
    const ROW: usize = 20;
    let (far, wide) = (HALF_IN_SPACE + 1.0, 2.0 * HALF_IN_SPACE);
    let (along_x, along_z) = (Vec3::new(wide, 40.0, 1.0), Vec3::new(1.0, 40.0, wide));
    pile.add_wall("left", Vec3::new(-far, 40.0, 0.0), along_z)?;
    pile.add_wall("right", Vec3::new(far, 40.0, 0.0), along_z)?;
    pile.add_wall("back", Vec3::new(0.0, 40.0, -far), along_x)?;
    pile.add_wall("front", Vec3::new(0.0, 40.0, far), along_x)?;
    let at = |place: usize| 1.15 * ((place % ROW) as Real - 0.5 * (ROW - 1) as Real);
    let places = (0..COUNT).map(|number| {
        let layer = (number / (ROW * ROW)) as Real;
        Vec3::new(at(number), 1.5 + 1.2 * layer, at(number / ROW))
    });
    pile.drop_bodies(|number, random| content.shape(number, random), places)
}

/// Polygons and boxes that fall between two walls, and a pyramid of boxes that stands.
pub(crate) fn in_the_plane() -> Result<Vec<Pile<Vec2>>, Box<dyn Error>> {
    let polygon = |number: usize, random: &mut Random| {
        let corners = 3 + number % 6;
        let turned = (0..corners).map(|k| (k as Real + random.between(0.0, 0.6)) / corners as Real);
        let points = turned.map(|turn| Vec2::from_angle(core::f32::consts::TAU * turn) * 0.5);
        Shape::hull(points.collect::<Vec<_>>())
    };
    let cuboid = |_, random: &mut Random| {
        Shape::cuboid(Vec2::new(
            random.between(0.25, 0.5),
            random.between(0.25, 0.5),
        ))
    };
    Ok(vec![
        between_walls("polygons2-4000", polygon)?,
        between_walls("boxes2-4000", cuboid)?,
        pyramid()?,
    ])
}

fn between_walls(
    name: &str,
    shape: impl Fn(usize, &mut Random) -> Built<Vec2>,
) -> Result<Pile<Vec2>, Box<dyn Error>> {
    const COUNT: usize = 4000;
    const ROW: usize = 44;
    let far = HALF_IN_THE_PLANE + 1.0;
    let mut pile = Pile::new(name.to_owned(), FALL_IN_THE_PLANE);
    pile.add_wall("floor", -Vec2::Y, Vec2::new(2.0 * far, 1.0))?;
    pile.add_wall("left", Vec2::new(-far, 200.0), Vec2::new(1.0, 200.0))?;
    pile.add_wall("right", Vec2::new(far, 200.0), Vec2::new(1.0, 200.0))?;
    let places = (0..COUNT).map(|number| {
        let column = (number % ROW) as Real - 0.5 * (ROW - 1) as Real;
        Vec2::new(1.1 * column, 0.7 + 1.1 * (number / ROW) as Real)
    });
    pile.drop_bodies(shape, places)?;
    Ok(pile)
}

/// A hundred rows of boxes, as in Box2D's own benchmark.
fn pyramid() -> Result<Pile<Vec2>, Box<dyn Error>> {
    const ROWS: usize = 100;
    let mut pile = Pile::new("pyramid2-5050".to_owned(), STAND);
    pile.add_wall("floor", -Vec2::Y, Vec2::new(ROWS as Real, 1.0))?;
    let half_extents = Vec2::splat(0.5);
    pile.add_shape("box".to_owned(), Shape::cuboid(half_extents))?;
    for row in 0..ROWS {
        for column in row..ROWS {
            let x = column as Real - 0.5 * (row + ROWS - 1) as Real;
            let pose = Pose::from_translation(Vec2::new(x, row as Real + 0.5));
            pile.add_body("box", pose, BodyKind::Moving);
        }
    }
    Ok(pile)
}
