//! What a topic says in words: schema markup.xsd of BCF 3.0, whose order fields have here.

use serde::{Deserialize, Serialize};

use super::guid;
use crate::check::Check;
use crate::clash::Clash;

/// The status of what nobody has looked at.
pub(super) const OPEN: &str = "Open";
/// The name of the file with the view of a topic.
pub(super) const VIEW: &str = "viewpoint.bcfv";
const AUTHOR: &str = "clearance";
pub(super) const CLASH: &str = "Clash";

/// The file that says what the others are.
#[derive(Serialize)]
pub(super) struct Version {
    #[serde(rename = "@VersionId")]
    version: &'static str,
}

impl Default for Version {
    fn default() -> Self {
        Self { version: "3.0" }
    }
}

/// The words that topics use.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Extensions {
    topic_types: TopicTypes,
    topic_statuses: TopicStatuses,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct TopicTypes {
    topic_type: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct TopicStatuses {
    topic_status: Vec<String>,
}

impl Extensions {
    pub(super) fn of(mut statuses: Vec<String>) -> Self {
        statuses.extend([OPEN, "In Progress", "Resolved", "Closed"].map(str::to_owned));
        statuses.sort_unstable();
        statuses.dedup();
        Self {
            topic_types: TopicTypes { topic_type: CLASH },
            topic_statuses: TopicStatuses {
                topic_status: statuses,
            },
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Markup {
    pub(super) topic: Topic,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Topic {
    #[serde(rename = "@Guid", default)]
    guid: String,
    #[serde(rename = "@TopicType", default)]
    pub(super) sort: String,
    #[serde(rename = "@TopicStatus", default)]
    pub(super) status: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    creation_date: String,
    #[serde(default)]
    creation_author: String,
    #[serde(default)]
    description: String,
    #[serde(default, skip_deserializing)]
    comments: Comments,
    #[serde(default)]
    viewpoints: Viewpoints,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Comments {
    comment: Option<Comment>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Comment {
    #[serde(rename = "@Guid")]
    guid: String,
    date: String,
    author: String,
    comment: String,
    viewpoint: Named,
}

#[derive(Serialize)]
struct Named {
    #[serde(rename = "@Guid")]
    guid: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Viewpoints {
    #[serde(default)]
    view_point: Vec<ViewPoint>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ViewPoint {
    #[serde(rename = "@Guid", default)]
    guid: String,
    viewpoint: Option<String>,
}

impl Topic {
    /// The names of the files with its views.
    pub(super) fn views(&self) -> impl Iterator<Item = &str> {
        let views = self.viewpoints.view_point.iter();
        views.filter_map(|view| view.viewpoint.as_deref())
    }
}

/// What a topic has besides its clash.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'t> {
    pub(super) guid: &'t str,
    pub(super) status: &'t str,
    /// When the file is written.
    pub(super) date: &'t str,
}

impl Markup {
    /// The topic of a clash.
    pub(super) fn new(check: &Check, clash: &Clash, topic: Attributes<'_>) -> Self {
        let [a, b] = [check.part_a(clash), check.part_b(clash)].map(|part| part.name());
        let kind = clash.kind.name();
        let rule = clash.rule.and_then(|rule| check.rules().name(rule));
        let rule = rule.map_or_else(String::new, |rule| format!(" Rule: {rule}."));
        let (distance, lower, upper) = (clash.distance, clash.lower, clash.upper);
        let depth = match distance {
            ..0.0 => format!("{} deep", -distance),
            _ => format!("{distance} apart"),
        };
        let view = guid(["view", a, b]);
        Self {
            topic: Topic {
                guid: topic.guid.to_owned(),
                sort: CLASH.to_owned(),
                status: topic.status.to_owned(),
                title: format!("{kind}: {a} and {b}"),
                creation_date: topic.date.to_owned(),
                creation_author: AUTHOR.to_owned(),
                description: format!("{a} and {b}: {kind}, {depth}.{rule}"),
                comments: Comments {
                    comment: Some(Comment {
                        guid: guid(["comment", a, b]),
                        date: topic.date.to_owned(),
                        author: AUTHOR.to_owned(),
                        comment: format!(
                            "The distance is proven to be from {lower} to {upper}, negative where parts overlap."
                        ),
                        viewpoint: Named { guid: view.clone() },
                    }),
                },
                viewpoints: Viewpoints {
                    view_point: vec![ViewPoint {
                        guid: view,
                        viewpoint: Some(VIEW.to_owned()),
                    }],
                },
            },
        }
    }
}
