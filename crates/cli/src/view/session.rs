//! What the page is told to open, and what is served of it.

use std::path::Path;
use std::sync::mpsc::SyncSender;

use axum::body::Bytes;
use clearance_inspect::Door;
use serde_json::{Value, json};

use super::address::Attached;
use super::content::Content;
use super::pace::Order;
use crate::input;

/// What the page opens, as it reads it at `/session.json`.
pub(super) struct Session(Value);

impl Session {
    pub(super) fn new(content: &Content, file: Option<&Path>, attached: Option<&Attached>) -> Self {
        let (open, kind) = match content {
            Content::Nothing => ("world", None),
            Content::Scene(_) | Content::Clashes { .. } => ("world", Some("scene")),
            Content::Recording(_) => ("world", Some("recording")),
            Content::Pairs { count: 1, .. } => ("stepper", Some("pairs")),
            Content::Pairs { .. } => ("accuracy", Some("pairs")),
        };
        let has_input = !matches!(content, Content::Nothing | Content::Scene(_));
        let has_report = matches!(content, Content::Clashes { .. });
        let live = match content {
            Content::Scene(_) => Some("/live".to_owned()),
            _ => attached.map(|address| address.websocket()),
        };
        Self(json!({
            "open": open,
            "kind": kind,
            "name": file.map(short_name),
            "input": has_input.then_some("/input"),
            "live": live,
            "report": has_report.then_some("/report"),
        }))
    }
}

/// A scene that is stepped.
#[derive(Clone)]
pub(super) struct Live {
    pub(super) door: Door,
    pub(super) orders: SyncSender<Order>,
}

/// What is served besides the files of the page.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) session: Bytes,
    pub(super) input: Option<Bytes>,
    pub(super) report: Option<Bytes>,
    pub(super) live: Option<Live>,
}

impl Site {
    pub(super) fn new(session: &Session, content: Content, live: Option<Live>) -> Self {
        let [input, report] = content.into_inputs().map(|bytes| bytes.map(Bytes::from));
        Self {
            session: Bytes::from(session.0.to_string()),
            input,
            report,
            live,
        }
    }
}

/// The name of the file without its folders.
fn short_name(path: &Path) -> String {
    match path.file_name() {
        Some(name) if !input::is_standard(path) => name.to_string_lossy().into_owned(),
        _ => input::name_of(path),
    }
}
