//! What a file is, found out from what is in it.

use std::fs;
use std::io::Read;
use std::path::Path;

use clearance_clash::Header;
use clearance_recording::{AnyPlayer, OpenError, PlayerOptions};
use clearance_scene::{AnyScene, read_scene_with_files};
use serde_json::Value;

use crate::failure::Failure;
use crate::input;

/// What is looked at.
pub(super) enum Content {
    /// The page alone.
    Nothing,
    Scene(Box<AnyScene>),
    /// A scene of parts, which stand still, and the report of their clashes.
    Clashes {
        scene: Vec<u8>,
        report: Vec<u8>,
    },
    Recording(Vec<u8>),
    Pairs {
        text: String,
        count: usize,
    },
}

impl Content {
    /// Reads a scene and the report of its clashes.
    pub(super) fn read_clashes(scene: &Path, report: &Path) -> Result<Self, Failure> {
        input::valid_scene(scene)?;
        let read = |path| fs::read(path).map_err(|error| input::unreadable(path, error));
        let (scene, lines) = (read(scene)?, read(report)?);
        let first = lines.split(|&byte| byte == b'\n').next();
        if serde_json::from_slice::<Header>(first.unwrap_or_default()).is_err() {
            let name = input::name_of(report);
            return Err(Failure::NoClashReport { name });
        }
        Ok(Self::Clashes {
            scene,
            report: lines,
        })
    }

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let name = input::name_of(path);
        let mut bytes = Vec::new();
        input::open(path)?
            .read_to_end(&mut bytes)
            .map_err(|error| input::unreadable(path, error))?;
        let reason = match AnyPlayer::open(bytes.as_slice(), PlayerOptions::default()) {
            Ok(_) => return Ok(Self::Recording(bytes)),
            Err(OpenError::NotARecording { reason }) => reason,
            Err(error) => return Err(Failure::Recording { name, error }),
        };
        let text = String::from_utf8(bytes).map_err(|error| Failure::Unknown {
            name: name.clone(),
            reason,
            offset: error.utf8_error().valid_up_to(),
        })?;
        if text.trim().is_empty() {
            return Err(Failure::NothingToView { name });
        }
        if text.lines().any(is_pair) {
            let count = text.lines().filter(|line| !line.trim().is_empty()).count();
            return Ok(Self::Pairs { text, count });
        }
        let scene = read_scene_with_files(&text, &input::mesh_files(path));
        scene
            .map(|scene| Self::Scene(Box::new(scene)))
            .map_err(|problems| Failure::scene(name, &problems))
    }

    /// What the page loads: a file, and a report that belongs to it.
    pub(super) fn into_inputs(self) -> [Option<Vec<u8>>; 2] {
        match self {
            Self::Nothing | Self::Scene(_) => [None, None],
            Self::Clashes { scene, report } => [Some(scene), Some(report)],
            Self::Recording(bytes) => [Some(bytes), None],
            Self::Pairs { text, .. } => [Some(text.into_bytes()), None],
        }
    }
}

/// Whether a line has a pair, as opposed to a part of a scene.
fn is_pair(line: &str) -> bool {
    let object = serde_json::from_str::<Value>(line);
    object.is_ok_and(|object| object.get("a").is_some() && object.get("bodies").is_none())
}
