//! Which questions there are.

use crate::json::Document;
use crate::read::{Cursor, Read};

/// The name of a question, and the fields of its lines.
pub(crate) struct Ask {
    pub(crate) name: &'static str,
    /// All other fields are ignored.
    fields: &'static str,
}

impl Ask {
    /// The names of the fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.fields.split(' ')
    }
}

/// The questions that the lines of a kind of file may ask.
pub(crate) struct Asks {
    pub(crate) known: &'static [&'static Ask],
    /// The question of a line that does not say; `None` if each line has to.
    pub(crate) default: Option<&'static Ask>,
}

impl Asks {
    fn by_name(&self, name: &str) -> Option<&'static Ask> {
        self.known.iter().find(|ask| ask.name == name).copied()
    }

    /// What the line asks, as far as that is known; for messages about its other fields.
    pub(super) fn find(&self, document: &Document) -> Option<&'static Ask> {
        match document.find("ask") {
            Some(name) => self.by_name(&serde_json::from_str::<String>(name).ok()?),
            None => self.default,
        }
    }

    pub(super) fn read(&self, cursor: &Cursor) -> Read<&'static Ask> {
        let name = cursor.string()?;
        self.by_name(&name).ok_or_else(|| {
            let known: Vec<&str> = self.known.iter().map(|ask| ask.name).collect();
            let known = known.join(", ");
            cursor.refused(format!("unknown question {name:?}, known are {known}"))
        })
    }
}

/// The question of a line of a pair file that does not say.
const DISTANCE: &Ask = &Ask {
    name: "distance",
    fields: "id ask dimension a b",
};

/// The questions of pair files.
pub(crate) const OF_PAIRS: Asks = Asks {
    default: Some(DISTANCE),
    known: &[
        DISTANCE,
        &Ask {
            name: "contacts",
            fields: "id ask dimension a b within",
        },
        &Ask {
            name: "manifold",
            fields: "id ask dimension a b within",
        },
        &Ask {
            name: "ray",
            fields: "id ask dimension origin direction max_distance solid back_faces b",
        },
        &Ask {
            name: "point",
            fields: "id ask dimension point b",
        },
        &Ask {
            name: "cast",
            fields: "id ask dimension a b motion_a motion_b within",
        },
    ],
};

/// The questions to a scene.
pub(crate) const OF_SCENES: Asks = Asks {
    default: None,
    known: &[
        &Ask {
            name: "ray",
            fields: "id ask dimension origin direction max_distance solid back_faces all groups exclude",
        },
        &Ask {
            name: "cast",
            fields: "id ask dimension a motion_a within all groups exclude",
        },
        &Ask {
            name: "point",
            fields: "id ask dimension point within groups exclude",
        },
        &Ask {
            name: "overlap",
            fields: "id ask dimension a within groups exclude",
        },
        &Ask {
            name: "nearest",
            fields: "id ask dimension point a count within groups exclude",
        },
    ],
};
