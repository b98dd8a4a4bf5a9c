//! Bodies in the rooms of a mesh.

use clearance_math::{Aabb, DVec3, Vec3};
use clearance_shapes::{Shape, ShapeError};

use super::library::Library;
use super::random::Random;
use super::scatter::turning;
use super::wave::{Roughness, Waves};
use crate::scene::{Scene, SceneBody};

/// The length of the sides of most triangles, before they are displaced.
const CELL: f64 = 0.4;
/// The height of the hall in cells.
const HIGH: usize = 15;
/// The height of the walls within it.
const WALL: usize = 9;
/// The length of a room in cells.
const ROOM: f64 = 21.0;

const ROUGHNESS: Roughness = Roughness {
    length: 6.0,
    height: 0.5,
    octaves: 3,
};

/// A mesh, and mixed bodies that turn and fly about in it: a closed hall of rough rock, which walls that
/// do not reach its ceiling divide into rooms. 5,000 bodies have a mesh of 100,000 triangles; fewer or
/// more have as much space each.
pub(super) fn level(random: &mut Random, count: usize) -> Scene<Vec3> {
    let cells = 125.0 * (count as f64 / 5000.0).sqrt();
    let hall = Hall {
        cells: (cells.round() as usize).max(2),
        waves: [(); 3].map(|()| Waves::new(random, &ROUGHNESS)),
    };
    let library = Library::<Vec3>::mixed(random);
    let corner = hall.corner().as_vec3();
    let scatter = turning(library);
    let mut scene = scatter.place_in(random, count.saturating_sub(1), Aabb::new(-corner, corner));
    let mut level = Library::new();
    level.add("level", hall.shape());
    scene.shapes.extend(level.shapes);
    if count > 0 {
        scene.bodies.insert(0, SceneBody::fixed("level"));
    }
    scene
}

struct Hall {
    /// The length of each side.
    cells: usize,
    /// How far each place is displaced along each axis.
    waves: [Waves; 3],
}

impl Hall {
    /// The corner with the greatest coordinates.
    fn corner(&self) -> DVec3 {
        let half = 0.5 * CELL * self.cells as f64;
        DVec3::new(half, 0.5 * CELL * HIGH as f64, half)
    }

    fn shape(&self) -> Result<Shape<Vec3>, ShapeError> {
        let mut surface = Surface::default();
        for sheet in self.sheets() {
            surface.add(&sheet, &self.waves);
        }
        Shape::mesh(surface.vertices, surface.triangles)
    }

    fn sheets(&self) -> Vec<Sheet> {
        let (high, low) = (self.corner(), -self.corner());
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * (high - low));
        let floor = Sheet {
            corner: low,
            sides: [x, z],
            cells: [self.cells; 2],
        };
        let mut sheets = vec![floor.at(low), floor.at(low + y)];
        let rooms = (self.cells as f64 / ROOM).round().max(1.0) as usize;
        for wall in 0..=rooms {
            let height = if wall == 0 || wall == rooms {
                HIGH
            } else {
                WALL
            };
            let up = y * (height as f64 / HIGH as f64);
            let along = wall as f64 / rooms as f64;
            for (across, side) in [(x, z), (z, x)] {
                sheets.push(Sheet {
                    corner: low + across * along,
                    sides: [side, up],
                    cells: [self.cells, height],
                });
            }
        }
        sheets
    }
}

/// A parallelogram that is cut into cells of two triangles each.
struct Sheet {
    corner: DVec3,
    sides: [DVec3; 2],
    cells: [usize; 2],
}

impl Sheet {
    fn at(&self, corner: DVec3) -> Self {
        Self { corner, ..*self }
    }
}

#[derive(Default)]
struct Surface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Adds a sheet, displaced by waves. Sheets that meet are displaced alike, so that they still meet.
    fn add(&mut self, sheet: &Sheet, waves: &[Waves; 3]) {
        let first = self.vertices.len();
        let [columns, rows] = sheet.cells;
        for row in 0..=rows {
            for column in 0..=columns {
                let [a, b] = sheet.sides;
                let place = sheet.corner
                    + a * (column as f64 / columns as f64)
                    + b * (row as f64 / rows as f64);
                let [x, y, z] = waves.each_ref().map(|waves| waves.at(place));
                self.vertices.push((place + DVec3::new(x, y, z)).as_vec3());
            }
        }
        let vertex = |row: usize, column: usize| (first + row * (columns + 1) + column) as u32;
        for row in 0..rows {
            for column in 0..columns {
                let [a, b] = [vertex(row, column), vertex(row, column + 1)];
                let [c, d] = [vertex(row + 1, column), vertex(row + 1, column + 1)];
                self.triangles.extend([[a, c, d], [a, d, b]]);
            }
        }
    }
}
