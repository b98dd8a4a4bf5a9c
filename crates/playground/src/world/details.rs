//! Everything about a body or a contact, and which body is under the pointer.

use clearance_gjk::{Placed, RayOptions, Separation, crossing_segments_into};
use clearance_math::{Ray, Rotation};
use clearance_scene::{Pair, ShapeInFile, Side, status_name};
use clearance_world::{BodyId, BodyKind, Contact, Nearest};
use serde::Serialize;
use serde_json::value::RawValue;

use super::room::{Bounds, Room};
use crate::binary::{Binary, Span};
use crate::dimension::{Dimension, three, vector};
use crate::failure::Failure;
use crate::request::Aim;

/// The longest description of a shape that is sent, in bytes: nobody reads more, and a mesh may have a million
/// numbers.
const LONGEST_SHAPE: usize = 20_000;

/// The answer to `world.body`.
#[derive(Serialize)]
pub(crate) struct BodyDetails {
    index: usize,
    id: String,
    kind: &'static str,
    /// As in a scene file; none for a shape of the program's own, or a very large one.
    shape: Option<Box<RawValue>>,
    shape_kind: &'static str,
    translation: [f32; 3],
    rotation: [f32; 4],
    linear: [f32; 3],
    angular: [f32; 3],
    bounds: Bounds,
    swept: bool,
    extra_margin: f32,
    /// The places of its contacts in the frame.
    contacts: Vec<usize>,
}

pub(super) fn body<V: Dimension>(room: &Room<V>, index: usize) -> Result<BodyDetails, Failure> {
    let id = room.id_of(index)?;
    let body = room.world().body(id).map_err(Failure::of)?;
    let of_body = |contact: &Contact<V>| contact.a == id || contact.b == id;
    let contacts = room.world().contacts().iter().enumerate();
    let contacts = contacts.filter(|(_, contact)| of_body(contact));
    let velocity = body.velocity();
    let shape = ShapeInFile::of(body.shape())
        .and_then(|shape| serde_json::value::to_raw_value(&shape).ok())
        .filter(|text| text.get().len() <= LONGEST_SHAPE);
    Ok(BodyDetails {
        index,
        id: id.to_string(),
        kind: match body.kind() {
            BodyKind::Fixed => "fixed",
            BodyKind::Moving => "moving",
        },
        shape,
        shape_kind: body.shape().kind_name(),
        translation: three(body.pose().translation()),
        rotation: V::quaternion(body.pose().rotation),
        linear: three(velocity.linear),
        angular: V::Rotation::angular_in_space(velocity.angular).to_array(),
        bounds: Bounds::of(&body.bounds()),
        swept: body.is_swept(),
        extra_margin: body.extra_margin(),
        contacts: contacts.map(|(number, _)| number).collect(),
    })
}

/// The answer to `world.contact`.
#[derive(Serialize)]
pub(crate) struct ContactDetails {
    a: Option<usize>,
    b: Option<usize>,
    id_a: String,
    id_b: String,
    #[serde(flatten)]
    separation: SeparationDetails,
    /// The line that asks `clearance query` for this contact; none for shapes of the program's own.
    pair: Option<String>,
}

/// A distance with all that is known about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SeparationDetails {
    distance: f32,
    lower: f32,
    upper: f32,
    status: &'static str,
    point_a: [f32; 3],
    point_b: [f32; 3],
    normal: [f32; 3],
    part_a: u32,
    part_b: u32,
}

impl SeparationDetails {
    pub(crate) fn of<V: Dimension>(separation: &Separation<V>) -> Self {
        Self {
            distance: separation.distance,
            lower: separation.lower,
            upper: separation.upper,
            status: status_name(separation.status),
            point_a: three(separation.point_a()),
            point_b: three(separation.point_b()),
            normal: three(separation.normal),
            part_a: separation.part_a,
            part_b: separation.part_b,
        }
    }
}

pub(super) fn contact<V: Dimension>(
    room: &Room<V>,
    number: usize,
) -> Result<ContactDetails, Failure> {
    let contacts = room.world().contacts();
    let contact = contacts.get(number).ok_or_else(|| {
        let count = contacts.len();
        Failure::new(format!(
            "number is {number}, must be less than {count}, the number of contacts"
        ))
    })?;
    Ok(ContactDetails {
        a: room.layout.index_of(contact.a),
        b: room.layout.index_of(contact.b),
        id_a: contact.a.to_string(),
        id_b: contact.b.to_string(),
        separation: SeparationDetails::of(&contact.separation),
        pair: pair_line(room, contact),
    })
}

/// A contact, its bodies, and their numbers.
pub(crate) struct ContactOf {
    pub(crate) ids: [BodyId; 2],
    pub(crate) indices: [Option<usize>; 2],
    pub(crate) separation: SeparationDetails,
}

pub(super) fn all_contacts<V: Dimension>(room: &Room<V>) -> Vec<ContactOf> {
    let contact = |contact: &Contact<V>| ContactOf {
        ids: [contact.a, contact.b],
        indices: [contact.a, contact.b].map(|id| room.layout.index_of(id)),
        separation: SeparationDetails::of(&contact.separation),
    };
    room.world().contacts().iter().map(contact).collect()
}

fn pair_line<V: Dimension>(room: &Room<V>, contact: &Contact<V>) -> Option<String> {
    let side = |id: BodyId| {
        let body = room.world().body(id).ok()?;
        Some(Side {
            shape: body.shape().clone(),
            pose: *body.pose(),
        })
    };
    let (a, b) = (side(contact.a)?, side(contact.b)?);
    Pair { a, b }.to_line()
}

/// The answer to `world.crossing`.
#[derive(Serialize)]
pub(crate) struct Crossing {
    /// Six numbers for each segment of the curves: its ends.
    segments: Span,
}

pub(super) fn crossing<V: Dimension>(
    room: &Room<V>,
    bodies: [usize; 2],
    binary: &mut Binary,
) -> Result<Crossing, Failure> {
    let placed = |index| -> Result<Placed<'_, V>, Failure> {
        let body = room.world().body(room.id_of(index)?).map_err(Failure::of)?;
        Ok(body.placed())
    };
    let [a, b] = bodies.map(placed);
    let mut segments = Vec::new();
    // What is neither a mesh nor a height field is refused: no curve of it is drawn.
    let _ = crossing_segments_into(a?, b?, &mut segments);
    let ends = segments.iter().flat_map(|segment| segment.ends);
    Ok(Crossing {
        segments: binary.floats(ends.flat_map(|end| three(V::from_precise(end)))),
    })
}

/// The answer to `world.pick`.
#[derive(Serialize)]
pub(crate) struct Picked {
    body: Option<usize>,
    distance: Option<f32>,
    point: Option<[f32; 3]>,
}

pub(super) fn pick<V: Dimension>(room: &Room<V>, aim: &Aim) -> Result<Picked, Failure> {
    let found = match *aim {
        Aim::Ray { origin, direction } => hit(room, vector(origin), vector(direction))?,
        Aim::Point(point) => around(room, vector(point))?,
    };
    Ok(match found {
        Some((id, distance, point)) => Picked {
            body: room.layout.index_of(id),
            distance: Some(distance),
            point: Some(three(point)),
        },
        None => Picked {
            body: None,
            distance: None,
            point: None,
        },
    })
}

fn hit<V: Dimension>(
    room: &Room<V>,
    origin: V,
    direction: V,
) -> Result<Option<(BodyId, f32, V)>, Failure> {
    let ray = Ray::new(origin, direction).map_err(Failure::of)?;
    let hit = room.world().query().cast_ray(&ray, RayOptions::default());
    let hit = hit.map_err(Failure::of)?;
    Ok(hit.map(|hit| (hit.body, hit.hit.distance, hit.hit.point())))
}

/// The body that contains a point, the deepest one first.
fn around<V: Dimension>(room: &Room<V>, point: V) -> Result<Option<(BodyId, f32, V)>, Failure> {
    let nearest = Nearest {
        count: 1,
        within: 0.0,
    };
    let found = room.world().query().nearest_to_point(point, nearest);
    let found = found.map_err(Failure::of)?;
    let first = found.first();
    Ok(first.map(|near| (near.body, near.separation.distance, point)))
}
