//! What the page is told to open.

use serde_json::{Value, json};

use super::Arguments;
use super::content::Content;
use crate::input;

/// What the page opens, as it reads it at `/session.json`.
pub(super) struct Session(Value);

impl Session {
    pub(super) fn new(content: &Content, arguments: &Arguments) -> Self {
        let (open, kind) = match content {
            Content::Nothing => ("world", None),
            Content::Scene(_) => ("world", Some("scene")),
            Content::Recording(_) => ("world", Some("recording")),
            Content::Pairs { count: 1, .. } => ("stepper", Some("pairs")),
            Content::Pairs { .. } => ("accuracy", Some("pairs")),
        };
        let has_input = matches!(content, Content::Recording(_) | Content::Pairs { .. });
        let attached = arguments.attach.as_ref();
        let live = match content {
            Content::Scene(_) => Some("/live".to_owned()),
            _ => attached.map(|address| address.websocket()),
        };
        Self(json!({
            "open": open,
            "kind": kind,
            "name": arguments.file.as_deref().map(short_name),
            "input": has_input.then_some("/input"),
            "live": live,
        }))
    }

    pub(super) fn json(&self) -> String {
        self.0.to_string()
    }
}

/// The name of the file without its folders.
fn short_name(path: &std::path::Path) -> String {
    match path.file_name() {
        Some(name) if !input::is_standard(path) => name.to_string_lossy().into_owned(),
        _ => input::name_of(path),
    }
}
