//! What the crate promises, a file a contract; in one program, for each takes long to compile.

#[path = "../accuracy/mod.rs"]
mod accuracy;
#[path = "../common/mod.rs"]
mod common;

mod batch;
mod casts;
mod closed_forms;
mod clouds;
mod composite_shapes;
mod composites;
mod conformance;
mod coverage;
mod coverage_casts;
mod coverage_manifolds;
mod coverage_questions;
mod crossings;
mod custom;
mod effort;
mod face_normals;
mod far_places;
mod hints;
mod holes;
mod hostile;
mod large_meshes;
mod largest_numbers;
mod manifolds;
mod many_sided_meshes;
mod minkowski;
mod no_allocation;
mod one_sided;
mod rays;
mod regressions;
mod simplex;
mod small_in_large;
mod solids;
mod surface_parts;
mod symmetry;
mod tiles;
mod total;
mod traces;
mod voxels;
mod watertight;
mod watertight_composites;
mod witness_points;
