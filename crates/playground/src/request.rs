//! What the page can ask.

use serde::Deserialize;

use crate::failure::Failure;

/// A request of the page. Bodies are numbered by their places in the order of their ids, counted from 0.
///
/// Vectors have three components, of which the plane ignores z; rotations are quaternions (x, y, z, w).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", deny_unknown_fields)]
pub enum Request {
    /// Which scenes can be generated.
    #[serde(rename = "world.kinds")]
    Kinds {},
    /// Opens a generated scene.
    #[serde(rename = "world.generate")]
    Generate {
        /// The name of the kind.
        kind: String,
        /// How many bodies.
        count: usize,
        /// Scenes with equal seeds are equal.
        seed: u64,
    },
    /// Opens a scene file.
    #[serde(rename = "world.load")]
    Load {
        /// The text of the file.
        scene: String,
    },
    /// Opens the recording that is attached.
    #[serde(rename = "world.play")]
    Play {},
    /// Follows a world that runs elsewhere: the first blocks of it that come open it.
    #[serde(rename = "world.live")]
    Live {},
    /// Plays the blocks that are attached.
    #[serde(rename = "world.block")]
    Block {
        /// Whether the answer has the contacts.
        #[serde(default = "yes")]
        contacts: bool,
    },
    /// Goes on with a recorded or live world here, by its velocities.
    #[serde(rename = "world.fork")]
    Fork {},
    /// Steps the world.
    #[serde(rename = "world.step")]
    Step {
        /// The length of a step in seconds.
        dt: f32,
        /// How many steps.
        count: u32,
        /// Whether the answer has the contacts.
        #[serde(default = "yes")]
        contacts: bool,
    },
    /// Asks for the present frame.
    #[serde(rename = "world.frame")]
    Frame {
        /// Whether the answer has the contacts.
        #[serde(default = "yes")]
        contacts: bool,
    },
    /// Goes to a frame that was, from which the world can go on.
    #[serde(rename = "world.seek")]
    Seek {
        /// The number of the frame.
        frame: u64,
        /// Whether the answer has the contacts.
        #[serde(default = "yes")]
        contacts: bool,
    },
    /// Asks for the shapes of all bodies as triangles and edges.
    #[serde(rename = "world.shapes")]
    Shapes {},
    /// Asks for boxes.
    #[serde(rename = "world.boxes")]
    Boxes {
        /// Whose boxes.
        of: BoxesOf,
        /// The level of the tree, counted from the root.
        #[serde(default)]
        level: usize,
    },
    /// Asks for everything about a body.
    #[serde(rename = "world.body")]
    Body {
        /// The number of the body.
        index: usize,
    },
    /// Asks for everything about a contact.
    #[serde(rename = "world.contact")]
    Contact {
        /// The place of the contact in the frame.
        number: usize,
    },
    /// Asks for the curves in which the surfaces of two bodies cross.
    #[serde(rename = "world.crossing")]
    Crossing {
        /// The number of one body.
        a: usize,
        /// The number of the other one.
        b: usize,
    },
    /// Asks which body is under the pointer.
    #[serde(rename = "world.pick")]
    Pick {
        /// Where a ray starts.
        #[serde(default)]
        origin: Option<[f32; 3]>,
        /// Where it goes.
        #[serde(default)]
        direction: Option<[f32; 3]>,
        /// Or a point, in the plane.
        #[serde(default)]
        point: Option<[f32; 3]>,
    },
    /// Moves a body, and measures its contacts again.
    #[serde(rename = "world.move")]
    Move {
        /// The number of the body.
        index: usize,
        /// Where its origin is to be.
        translation: [f32; 3],
        /// How it is to be turned; as it is if this is left out.
        #[serde(default)]
        rotation: Option<[f32; 4]>,
    },
    /// Asks for the present state as a scene file.
    #[serde(rename = "world.save")]
    Save {},
    /// Opens the recording that is attached as one of the two that are compared.
    #[serde(rename = "compare.load")]
    CompareLoad {
        /// Which of them.
        side: Side,
    },
    /// Asks for the first frame in which the two recordings differ.
    #[serde(rename = "compare.find")]
    CompareFind {},
    /// Asks for the shapes of a recording.
    #[serde(rename = "compare.shapes")]
    CompareShapes {
        /// Which of the two.
        side: Side,
    },
    /// Asks for a frame of a recording.
    #[serde(rename = "compare.frame")]
    CompareFrame {
        /// Which of the two.
        side: Side,
        /// The number of the frame.
        frame: u64,
    },
    /// Asks for every step of the search for an answer to a line of a pair file.
    #[serde(rename = "pair.trace")]
    Trace {
        /// The line.
        line: String,
    },
    /// Answers the lines of a pair file.
    #[serde(rename = "pair.answers")]
    Answers {
        /// The lines.
        text: String,
        /// The number of the first one.
        first: u64,
    },
}

/// One of two recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first one.
    Left,
    /// The second one.
    Right,
}

/// Whose boxes are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoxesOf {
    /// Those of the bodies.
    Bodies,
    /// Those of a level of the tree that finds pairs.
    Tree,
}

fn yes() -> bool {
    true
}

/// What the pointer points at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    Ray {
        origin: [f32; 3],
        direction: [f32; 3],
    },
    Point([f32; 3]),
}

impl Aim {
    pub(crate) fn new(
        origin: Option<[f32; 3]>,
        direction: Option<[f32; 3]>,
        point: Option<[f32; 3]>,
    ) -> Result<Self, Failure> {
        match (origin, direction, point) {
            (Some(origin), Some(direction), None) => Ok(Self::Ray { origin, direction }),
            (None, None, Some(point)) => Ok(Self::Point(point)),
            _ => Err(Failure::new(
                "world.pick needs either origin and direction, or point",
            )),
        }
    }
}
