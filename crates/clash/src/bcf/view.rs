//! What a topic shows: schema visinfo.xsd of BCF 3.0, whose order fields have here. Coordinates are those of the files, with z upwards.

use clearance_math::DVec3;
use serde::{Deserialize, Serialize};

use super::guid;
use crate::check::Check;
use crate::clash::Clash;
use crate::part::Part;

/// Where the camera looks from: to the front, to the right and down.
const AHEAD: DVec3 = DVec3::new(0.6, 0.48, -0.64);
/// How far away it is, in sizes of the smaller part.
const AWAY: f64 = 1.5;
/// Its vertical field of view in degrees.
const FIELD_OF_VIEW: f64 = 60.0;
/// The colours of both parts.
const COLOURS: [&str; 2] = ["E4572E", "2E86AB"];
/// How many characters the GUID of IFC has.
const IFC_GUID: usize = 22;
/// How many segments of the curve in which two parts cross are shown at most.
const MOST_SEGMENTS: usize = 1024;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct View {
    #[serde(rename = "@Guid", default)]
    guid: String,
    #[serde(default)]
    components: Components,
    #[serde(skip_deserializing)]
    perspective_camera: Option<Camera>,
    #[serde(default)]
    lines: Lines,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Components {
    #[serde(default)]
    selection: List,
    #[serde(skip_deserializing)]
    visibility: Visibility,
    #[serde(skip_deserializing)]
    coloring: Coloring,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct List {
    #[serde(default)]
    component: Vec<Component>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Component {
    #[serde(rename = "@IfcGuid", skip_serializing_if = "Option::is_none")]
    ifc_guid: Option<String>,
    authoring_tool_id: Option<String>,
}

#[derive(Serialize)]
struct Visibility {
    #[serde(rename = "@DefaultVisibility")]
    default: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { default: true }
    }
}

#[derive(Default, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Coloring {
    color: Vec<Color>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Color {
    #[serde(rename = "@Color")]
    color: &'static str,
    components: List,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Camera {
    camera_view_point: Point,
    camera_direction: Point,
    camera_up_vector: Point,
    field_of_view: f64,
    aspect_ratio: f64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Lines {
    #[serde(default)]
    line: Vec<ViewLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ViewLine {
    start_point: Point,
    end_point: Point,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    x: f64,
    y: f64,
    z: f64,
}

impl From<DVec3> for Point {
    fn from(place: DVec3) -> Self {
        let [x, y, z] = place.to_array();
        Self { x, y, z }
    }
}

impl From<Point> for DVec3 {
    fn from(Point { x, y, z }: Point) -> Self {
        Self::new(x, y, z)
    }
}

impl Component {
    fn new(part: &Part) -> Self {
        let last = part.name().rsplit('/').next().unwrap_or_default();
        let is_of_guid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let is_guid = last.len() == IFC_GUID && last.bytes().all(is_of_guid);
        Self {
            ifc_guid: is_guid.then(|| last.to_owned()),
            authoring_tool_id: Some(part.name().to_owned()),
        }
    }
}

impl View {
    /// The view of a clash: both parts in colour, a line between their points, and the curves in which their surfaces cross.
    pub(super) fn new(check: &Check, clash: &Clash, guid: String) -> Self {
        let parts = [check.part_a(clash), check.part_b(clash)];
        let components = parts.map(Component::new);
        let colored = |(color, component): (&'static str, &Component)| Color {
            color,
            components: List {
                component: vec![component.clone()],
            },
        };
        let coloring = COLOURS.into_iter().zip(&components).map(colored).collect();
        let [start, end] = [clash.point_a, clash.point_b].map(DVec3::from_array);
        let crossing = check.crossing_segments(clash).into_iter();
        let lines = core::iter::once([start, end]).chain(crossing.take(MOST_SEGMENTS));
        let line = |[start, end]: [DVec3; 2]| ViewLine {
            start_point: start.into(),
            end_point: end.into(),
        };
        let away = AWAY * check.grouped(clash).size.max(clash.distance.abs().into());
        let right = AHEAD.cross(DVec3::Z).normalize();
        Self {
            guid,
            components: Components {
                selection: List {
                    component: components.to_vec(),
                },
                visibility: Visibility::default(),
                coloring: Coloring { color: coloring },
            },
            perspective_camera: Some(Camera {
                camera_view_point: (0.5 * (start + end) - away * AHEAD).into(),
                camera_direction: AHEAD.into(),
                camera_up_vector: right.cross(AHEAD).into(),
                field_of_view: FIELD_OF_VIEW,
                aspect_ratio: 1.0,
            }),
            lines: Lines {
                line: lines.map(line).collect(),
            },
        }
    }

    /// Whether it has the GUID that [`View::new`] was given for the view of two parts.
    pub(super) fn is_of(&self, [a, b]: &[String; 2]) -> bool {
        self.guid.eq_ignore_ascii_case(&guid(["view", a, b]))
    }

    /// The names of the two parts, and the middle of the line between them; `None` if it is the view of something else.
    pub(super) fn clash(&self) -> Option<([String; 2], DVec3)> {
        let [a, b] = self.components.selection.component.as_slice() else {
            return None;
        };
        let names = [a.authoring_tool_id.clone()?, b.authoring_tool_id.clone()?];
        let line = self.lines.line.first()?;
        let [start, end] = [line.start_point, line.end_point].map(DVec3::from);
        Some((names, 0.5 * (start + end)))
    }
}
