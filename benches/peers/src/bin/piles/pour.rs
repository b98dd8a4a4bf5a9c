//! The programs that pour.

use core::fmt::Display;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clearance_benches::{Film, FrameTimes};
use clearance_math::{Pose, Real};
use clearance_scene::{BodyKind, BodyShape, FileVector, Scene};
use clearance_shapes::{CompositeKind, Core, Segment, Shape};

use crate::scenes::Pile;

/// A pile as a file that the programs read; beside it they write its film.
pub(crate) struct Pour {
    program: PathBuf,
    scene: PathBuf,
    film: PathBuf,
}

impl Pour {
    /// Writes the pile for the program of this name in the folder.
    ///
    /// # Errors
    /// A shape that the programs do not read; a file that cannot be written.
    pub(crate) fn new<V: FileVector>(
        pile: &Pile<V>,
        folder: &Path,
        program: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let pour = Self {
            program: folder.join(program),
            scene: folder.join("scene"),
            film: folder.join("film"),
        };
        fs::write(&pour.scene, text(pile)?)?;
        Ok(pour)
    }

    /// Pours the pile, and returns how long the contacts of each frame took.
    ///
    /// # Errors
    /// What the program says.
    pub(crate) fn times(&self, keeps: bool) -> Result<FrameTimes, Box<dyn Error>> {
        let mut command = Command::new(&self.program);
        command.arg(&self.scene).arg(u8::from(keeps).to_string());
        let output = command.arg(&self.film).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let mut times = FrameTimes::default();
        for line in str::from_utf8(&output.stdout)?.lines() {
            let contacts = line.split(' ').next().ok_or("a line without times")?;
            times.push(Duration::from_secs_f64(1e-3 * contacts.parse::<f64>()?));
        }
        Ok(times)
    }

    /// The film that the pile was poured to last.
    ///
    /// # Errors
    /// A film that is not of this pile.
    pub(crate) fn film<V: FileVector>(&self, pile: &Pile<V>) -> Result<Film<V>, Box<dyn Error>> {
        let numbers: Vec<Real> = fs::read(&self.film)?
            .chunks_exact(4)
            .map(|bytes| Real::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        let pose = |numbers: &[Real]| {
            let (place, rotation) = numbers.split_at(V::DIM);
            let place = V::from_fn(|k| place[k]);
            Ok(Pose::new(place, V::rotation_from_numbers(rotation)?))
        };
        let poses = numbers.chunks_exact(V::DIM + V::ROTATION_NUMBERS).map(pose);
        let poses = poses.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        let frames = poses.chunks(pile.mover_count()).map(<[_]>::to_vec);
        Ok(Film::of_frames(pile.scene.clone(), frames.collect()))
    }
}

/// The pile as `benches/peers/piles/pour.c` reads it.
fn text<V: FileVector>(pile: &Pile<V>) -> Result<String, Box<dyn Error>> {
    let scene: &Scene<V> = &pile.scene;
    let frames = pile.frame_count();
    let mut text = format!("{frames} {} {}\n", scene.shapes.len(), scene.bodies.len());
    for shape in scene.shapes.values() {
        let (numbers, corners) = numbers(shape)?;
        text += shape.kind_name();
        append(&mut text, [numbers.len()]);
        append(&mut text, numbers);
        append(&mut text, [corners.len()]);
        append(&mut text, corners);
        text.push('\n');
    }
    let number_of = |shape: &BodyShape<V>| match shape {
        BodyShape::Named(name) => scene.shapes.keys().position(|key| key == name),
        BodyShape::Own(_) => None,
    };
    for body in &scene.bodies {
        let moves = usize::from(body.kind == BodyKind::Moving);
        let shape = number_of(&body.shape).ok_or("a body whose shape has no name")?;
        let rotation = V::rotation_numbers(body.pose.rotation);
        append(&mut text, [moves, shape]);
        append(&mut text, components(body.pose.translation()));
        append(&mut text, rotation.as_slice());
        text.push('\n');
    }
    Ok(text)
}

fn append(text: &mut String, numbers: impl IntoIterator<Item: Display>) {
    text.extend(numbers.into_iter().map(|number| format!(" {number}")));
}

fn components<V: FileVector>(vector: V) -> impl Iterator<Item = Real> {
    (0..V::DIM).map(move |k| vector.component(k))
}

/// The numbers of a shape, and the corners of the triangles of a mesh.
fn numbers<V: FileVector>(shape: &Shape<V>) -> Result<(Vec<Real>, Vec<u32>), Box<dyn Error>> {
    let all = |points: &[V]| points.iter().flat_map(|&point| components(point)).collect();
    Ok(match shape {
        Shape::Convex(convex) => {
            let radius = convex.radius() as Real;
            // The name is another one for a shape that is rounded, and the programs place all at the origin and upright.
            match (convex.kind_name(), convex.core()) {
                ("ball", Core::Point(point)) if *point == V::ZERO => (vec![radius], vec![]),
                ("capsule", Core::Segment(ends)) if is_upright(ends) => {
                    (vec![ends.b.component(1).abs(), radius], vec![])
                }
                ("cuboid", Core::Cuboid(cuboid)) => (all(&[cuboid.half_extents]), vec![]),
                ("triangle", Core::Triangle(triangle)) => {
                    (all(&[triangle.a, triangle.b, triangle.c]), vec![])
                }
                ("hull", Core::Hull(hull)) => (all(hull.vertices()), vec![]),
                (name, _) => return Err(format!("a {name} that is not poured").into()),
            }
        }
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Mesh(mesh) => (all(mesh.vertices()), mesh.triangles().concat()),
            _ => return Err("a composite that is not poured".into()),
        },
        Shape::HalfSpace(_) => return Err("a half-space, which is not poured".into()),
    })
}

/// Whether the segment lies on the y axis with its middle at the origin.
fn is_upright<V: FileVector>(ends: &Segment<V>) -> bool {
    ends.a == -ends.b && ends.b == V::axis(1) * ends.b.component(1)
}
