//! Writes a building as a binary glTF file, for trying out and measuring clash checks: storeys of rooms with walls that touch slabs, pipes
//! through walls, stairs, bolts, and a few mistakes. Equal arguments give equal bytes.
//!
//! ```text
//! cargo run --release -p clearance-clash --example building -- 1000 building.glb
//! clearance clash building.glb -o report.jsonl
//! ```

use std::error::Error;
use std::f32::consts::TAU;
use std::fs::File;
use std::io::{BufWriter, Write};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

/// Where the building stands, in metres, as surveyors have it.
const SITE: [f32; 3] = [512_000.0, 0.0, -5_400_000.0];
/// The size of a room from wall to wall, and from slab to slab.
const ROOM: f32 = 6.0;
const STOREY: f32 = 3.0;
/// How thick walls and slabs are.
const WALL: f32 = 0.25;
/// How many parts a room has.
const PARTS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: building COUNT FILE [SEED]";
    let count: usize = arguments.next().ok_or(usage)?.parse()?;
    let path = arguments.next().ok_or(usage)?;
    let seed = arguments.next().map_or(Ok(1), |word| word.parse())?;
    let mut building = Building::new(seed);
    let rooms = count.div_ceil(PARTS);
    // As high as it is wide, about.
    let side = (rooms as f64).cbrt().ceil() as usize;
    for room in 0..rooms {
        let at = [room % side, room / (side * side), room / side % side];
        building.room(at.map(|k| k as f32));
    }
    building.parts.truncate(count);
    assert!(building.parts.iter().all(|part| part.triangles.len() >= 96));
    building.write(BufWriter::new(File::create(path)?))?;
    Ok(())
}

struct Part {
    name: String,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

struct Building {
    parts: Vec<Part>,
    random: Pcg64Mcg,
}

impl Building {
    fn new(seed: u64) -> Self {
        Self {
            parts: Vec::new(),
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    fn add(&mut self, name: String, mesh: Mesh) {
        let Mesh {
            vertices,
            triangles,
        } = mesh;
        self.parts.push(Part {
            name,
            vertices,
            triangles,
        });
    }

    /// A slab, two walls that stand on it, two pipes through the walls, stairs, and bolts on the slab.
    fn room(&mut self, place: [f32; 3]) {
        let [x, y, z] = [place[0] * ROOM, place[1] * STOREY, place[2] * ROOM];
        let named =
            |what: &str| format!("storey {}/room {} {}/{what}", place[1], place[0], place[2]);
        let slab = block([x, y - WALL, z], [ROOM, WALL, ROOM]);
        self.add(named("slab"), slab);
        let height = STOREY - WALL;
        self.add(named("wall x"), block([x, y, z], [ROOM, height, WALL]));
        let beside = block([x, y, z + WALL], [WALL, height, ROOM - WALL]);
        self.add(named("wall z"), beside);
        for (number, up) in [(1, 2.2), (2, 2.5)] {
            let along = self.random.random_range(1.0..ROOM - 1.0);
            let from = [x + along, y + up, z - 0.5];
            let pipe = Tube {
                from,
                axis: 2,
                length: 2.0,
                radius: 0.06,
            };
            self.add(named(&format!("pipe {number}")), pipe.mesh());
        }
        let base = [x + 1.5, y + 0.01, z + 1.0];
        self.add(named("stairs"), stairs(base));
        let used = 6;
        for number in used..PARTS {
            let [u, v] = [0, 1].map(|_| self.random.random_range(0.5..ROOM - 0.5));
            // One in twenty was placed too deep, all others stand on the slab.
            let is_wrong = self.random.next_u32().is_multiple_of(20);
            let sunk = if is_wrong { 0.02 } else { 0.0 };
            let from = [x + u, y - sunk, z + v];
            let bolt = Tube {
                from,
                axis: 1,
                length: 0.08,
                radius: 0.012,
            };
            self.add(named(&format!("bolt {number}")), bolt.mesh());
        }
    }

    fn write(&self, mut out: impl Write) -> Result<(), Box<dyn Error>> {
        let mut bytes = Vec::new();
        let (mut views, mut accessors) = (Vec::new(), Vec::new());
        let mut put = |part: Vec<u8>, accessor: Value| {
            views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": part.len()}));
            bytes.extend(part);
            accessors.push(accessor);
            accessors.len() - 1
        };
        let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
        for (number, part) in self.parts.iter().enumerate() {
            let (low, high) = bounds(&part.vertices);
            let flat = part.vertices.iter().flatten();
            let positions = put(
                flat.flat_map(|x| x.to_le_bytes()).collect(),
                json!({"bufferView": 2 * number, "componentType": 5126, "type": "VEC3",
                    "count": part.vertices.len(), "min": low, "max": high}),
            );
            let flat = part.triangles.iter().flatten();
            let indices = put(
                flat.flat_map(|x| x.to_le_bytes()).collect(),
                json!({"bufferView": 2 * number + 1, "componentType": 5125, "type": "SCALAR",
                    "count": 3 * part.triangles.len()}),
            );
            meshes.push(json!({"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}));
            nodes.push(json!({"name": part.name, "mesh": number}));
        }
        let children: Vec<usize> = (0..nodes.len()).collect();
        nodes.push(json!({"name": "building", "translation": SITE, "children": children}));
        let document = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [nodes.len() - 1]}],
            "nodes": nodes, "meshes": meshes, "accessors": accessors, "bufferViews": views,
            "buffers": [{"byteLength": bytes.len()}],
        });
        let mut text = serde_json::to_vec(&document)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let length = 12 + 8 + text.len() + 8 + bytes.len();
        out.write_all(b"glTF")?;
        for number in [2, u32::try_from(length)?, u32::try_from(text.len())?] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(b"JSON")?;
        out.write_all(&text)?;
        out.write_all(&u32::try_from(bytes.len())?.to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        out.write_all(&bytes)?;
        out.flush()?;
        Ok(())
    }
}

fn bounds(vertices: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    for vertex in vertices {
        for k in 0..3 {
            low[k] = low[k].min(vertex[k]);
            high[k] = high[k].max(vertex[k]);
        }
    }
    (low, high)
}

struct Mesh {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn quad(&mut self, corners: [u32; 4]) {
        let [a, b, c, d] = corners;
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A box from its least corner, each side of which is cut into nine rectangles: 108 triangles.
fn block(from: [f32; 3], size: [f32; 3]) -> Mesh {
    const CUTS: u32 = 3;
    let mut mesh = Mesh {
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for axis in 0..3 {
        for end in [0.0, 1.0] {
            let first = mesh.vertices.len() as u32;
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            for row in 0..=CUTS {
                for column in 0..=CUTS {
                    let mut share = [0.0; 3];
                    share[axis] = end;
                    share[u] = row as f32 / CUTS as f32;
                    share[v] = column as f32 / CUTS as f32;
                    mesh.vertices
                        .push([0, 1, 2].map(|k| from[k] + share[k] * size[k]));
                }
            }
            for row in 0..CUTS {
                for column in 0..CUTS {
                    let at = first + row * (CUTS + 1) + column;
                    let ring = [at, at + CUTS + 1, at + CUTS + 2, at + 1];
                    let [a, b, c, d] = ring;
                    mesh.quad(if end == 1.0 { ring } else { [d, c, b, a] });
                }
            }
        }
    }
    mesh
}

/// A closed cylinder: 96 triangles.
struct Tube {
    from: [f32; 3],
    axis: usize,
    length: f32,
    radius: f32,
}

impl Tube {
    fn mesh(&self) -> Mesh {
        const SIDES: u32 = 25;
        let mut mesh = Mesh {
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        for end in [0.0, self.length] {
            for side in 0..SIDES {
                let angle = TAU * side as f32 / SIDES as f32;
                let mut vertex = self.from;
                vertex[self.axis] += end;
                vertex[(self.axis + 1) % 3] += self.radius * angle.cos();
                vertex[(self.axis + 2) % 3] += self.radius * angle.sin();
                mesh.vertices.push(vertex);
            }
        }
        for side in 0..SIDES {
            let next = (side + 1) % SIDES;
            mesh.quad([side, next, SIDES + next, SIDES + side]);
        }
        for side in 1..SIDES - 1 {
            mesh.triangles.push([0, side + 1, side]);
            mesh.triangles.push([SIDES, SIDES + side, SIDES + side + 1]);
        }
        mesh
    }
}

/// A folded plate of six steps up along x: 100 triangles.
fn stairs([x, y, z]: [f32; 3]) -> Mesh {
    const STEPS: u32 = 6;
    let (run, rise, width, thickness) = (0.28, 0.17, 1.1, 0.05);
    let mut mesh = Mesh {
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for corner in 0..=2 * STEPS {
        let (out, up) = (corner.div_ceil(2) as f32, (corner / 2) as f32);
        for below in [0.0, thickness] {
            for across in [0.0, width] {
                let place = [
                    x + out * run + below,
                    y + thickness + up * rise - below,
                    z + across,
                ];
                mesh.vertices.push(place);
            }
        }
    }
    for step in 0..2 * STEPS {
        // The upper and the lower edge at both ends of the step.
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| 4 * step + k);
        let [e, f, g, h] = [0, 1, 2, 3].map(|k| 4 * step + 4 + k);
        mesh.quad([a, b, f, e]);
        mesh.quad([c, g, h, d]);
        mesh.quad([a, e, g, c]);
        mesh.quad([b, d, h, f]);
    }
    mesh.quad([0, 2, 3, 1]);
    let last = 8 * STEPS;
    mesh.quad([last, last + 1, last + 3, last + 2]);
    mesh
}
