//! Robots: where links are, whether they meet, and whether they do anywhere on a path.
//!
//! | file | what |
//! | --- | --- |
//! | `linkage.rs` | joints, and the frames of links in a configuration |
//! | `links.rs` | shapes of links, and what of them is compared first: balls, boxes, hulls |
//! | `clearance.rs` | the least distance of all pairs |
//! | `paths.rs` | pieces of paths, until each is proven to be free or not |
//! | `class.rs` | the class for Python |

mod class;
mod clearance;
mod linkage;
mod links;
mod paths;

pub(crate) use class::{Cover, Linkage};
