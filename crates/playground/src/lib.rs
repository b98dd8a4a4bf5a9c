//! The engine behind the playground, the page that shows what Clearance does.
//!
//! The page is WebAssembly around a [`Playground`]: it sends requests in JSON, some with bytes attached, and
//! gets answers in JSON, some with numbers attached. Nothing here knows of a browser, so that all of it is
//! tested natively. [`Request`] lists what can be asked.
//!
//! ```
//! use clearance_playground::Playground;
//! use core::time::Duration;
//!
//! let mut playground = Playground::new(|| Duration::ZERO);
//! let request = r#"{"do": "world.generate", "kind": "balls2", "count": 50, "seed": 1}"#;
//! let reply = playground.handle(request, &[]);
//! assert!(reply.json.starts_with(r#"{"ok":{"source":"scene","dimension":2,"bodies":50"#));
//! ```

mod accuracy;
mod binary;
mod compare;
mod dimension;
mod failure;
mod request;
mod stepper;
mod world;

use clearance_world::Clock;
use serde::Serialize;
use serde_json::value::RawValue;

use binary::Binary;
use compare::Compare;
use failure::Failure;
pub use request::Request;
use world::WorldRoom;

/// What the page has open: the world that it shows.
pub struct Playground {
    clock: Clock,
    world: Option<Box<dyn WorldRoom>>,
    /// Whether the next blocks that come open a world.
    awaits_blocks: bool,
    compare: Compare,
}

/// An answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// `{"ok": ...}` or `{"error": "..."}`.
    pub json: String,
    /// Numbers of four bytes each, little endian. The JSON says where in them something lies: the number of the first
    /// one, and how many there are.
    pub binary: Vec<u8>,
}

impl Playground {
    /// A playground without a world. `clock` times the steps.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            world: None,
            awaits_blocks: false,
            compare: Compare::default(),
        }
    }

    /// Answers a request, which is an object of JSON: see [`Request`].
    ///
    /// What cannot be answered gets an error that says why; what the page had open stays as it was.
    pub fn handle(&mut self, request: &str, attachment: &[u8]) -> Reply {
        let mut binary = Binary::default();
        let answer = serde_json::from_str(request)
            .map_err(|error| Failure::new(format!("request: {error}")))
            .and_then(|request| self.answer(request, attachment, &mut binary));
        match answer {
            Ok(json) => Reply {
                json: format!(r#"{{"ok":{json}}}"#),
                binary: binary.into_bytes(),
            },
            Err(failure) => Reply {
                json: serde_json::json!({ "error": failure.to_string() }).to_string(),
                binary: Vec::new(),
            },
        }
    }

    fn answer(
        &mut self,
        request: Request,
        attachment: &[u8],
        binary: &mut Binary,
    ) -> Result<Box<RawValue>, Failure> {
        match request {
            Request::Kinds {} => json(&world::Kinds::all()),
            Request::Generate { kind, count, seed } => {
                self.open(world::generate(&kind, count, seed, self.clock)?)
            }
            Request::Load { scene } => self.open(world::load(&scene, self.clock)?),
            Request::Play {} => self.open(world::play(attachment, self.clock)?),
            Request::Live {} => {
                self.awaits_blocks = true;
                json(&world::Loaded::nothing())
            }
            Request::Block { contacts } => self.take_blocks(attachment, contacts, binary),
            Request::CompareLoad { side } => {
                json(&self.compare.load(side, attachment, self.clock)?)
            }
            Request::CompareFind {} => json(&self.compare.find()?),
            Request::CompareShapes { side } => json(&self.compare.shapes(side, binary)?),
            Request::CompareFrame { side, frame } => {
                json(&self.compare.frame(side, frame, binary)?)
            }
            Request::Trace { line } => json(&stepper::trace(&line, binary)?),
            Request::Answers { text, first } => json(&accuracy::answers(&text, first, self.clock)),
            request => self.answer_world(request, binary),
        }
    }

    /// Answers what is asked of the world that is open.
    fn answer_world(
        &mut self,
        request: Request,
        binary: &mut Binary,
    ) -> Result<Box<RawValue>, Failure> {
        let world = self.world.as_mut().ok_or_else(Failure::no_world)?;
        match request {
            Request::Step {
                dt,
                count,
                contacts,
            } => {
                world.step(dt, count)?;
                json(&world.frame(contacts, binary))
            }
            Request::Fork {} => {
                world.fork()?;
                json(&world.loaded())
            }
            Request::Frame { contacts } => json(&world.frame(contacts, binary)),
            Request::Seek { frame, contacts } => {
                world.seek(frame)?;
                json(&world.frame(contacts, binary))
            }
            Request::Move {
                index,
                translation,
                rotation,
            } => {
                world.move_body(index, translation, rotation)?;
                json(&world.frame(true, binary))
            }
            Request::Shapes {} => json(&world.shapes(binary)),
            Request::Boxes { of, level } => json(&world.boxes(of, level, binary)),
            Request::Body { index } => json(&world.body(index)?),
            Request::Contact { number } => json(&world.contact(number)?),
            Request::Crossing { a, b } => json(&world.crossing([a, b], binary)?),
            Request::Pick {
                origin,
                direction,
                point,
            } => json(&world.pick(&request::Aim::new(origin, direction, point)?)?),
            Request::Save {} => json(&world.save()?),
            _ => Err(Failure::new("the request is not one to a world")),
        }
    }

    /// Plays the blocks of a live world. The first ones open it.
    fn take_blocks(
        &mut self,
        blocks: &[u8],
        contacts: bool,
        binary: &mut Binary,
    ) -> Result<Box<RawValue>, Failure> {
        if self.awaits_blocks {
            let mut world = world::follow(blocks, self.clock)?;
            let mut frame = world.frame(contacts, binary);
            frame.opened = Some(world.loaded());
            self.open(world)?;
            return json(&frame);
        }
        let world = self.world.as_mut().ok_or_else(Failure::no_world)?;
        world.push(blocks)?;
        json(&world.frame(contacts, binary))
    }

    fn open(&mut self, world: Box<dyn WorldRoom>) -> Result<Box<RawValue>, Failure> {
        let loaded = json(&world.loaded());
        self.world = Some(world);
        self.awaits_blocks = false;
        loaded
    }
}

fn json(value: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    serde_json::value::to_raw_value(value).map_err(|error| Failure::new(error.to_string()))
}
