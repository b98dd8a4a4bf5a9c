//! Shows the world of a running game in the browser.
//!
//! An [`Inspector`] is a small server inside of a game. The page that `clearance view --attach ADDRESS` opens
//! connects to it, and draws bodies and contacts while the game runs. It takes two lines:
//!
//! ```
//! use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
//! use clearance_inspect::Inspector;
//!
//! let mut world = World::new(Options::default())?;
//! world.insert(Body::moving(Shape::ball(0.5)?, Pose::from_translation(Vec2::new(0.0, 2.0))))?;
//!
//! let mut inspector = Inspector::listen("127.0.0.1:0")?;
//! println!("clearance view --attach {}", inspector.address());
//! for _ in 0..3 {
//!     world.step(1.0 / 60.0)?;
//!     inspector.frame(&world)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! While nobody looks, a frame costs the game one load of an atomic number. While somebody does, the frame is
//! encoded once, in the thread of the game, and handed to threads of the inspector, one for each viewer, which send
//! it. Neither the game nor another viewer waits for one that is too slow: it misses frames.
//!
//! A [`Broadcaster`] is the half of it that encodes, for programs that have a server of their own.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod broadcast;
mod error;
mod inspector;
mod options;
mod origin;
mod queue;
mod server;

pub use broadcast::{Broadcaster, Door, Viewer};
pub use error::InspectError;
pub use inspector::Inspector;
pub use options::InspectorOptions;
pub use origin::{is_loopback_host, is_loopback_origin};
