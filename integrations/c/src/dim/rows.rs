//! The structs of C, and what they stand for.
//!
//! Answers have the layouts of the rows of the Python module (`integrations/python/src/rows.rs`), where they are the same thing.

use super::ConstShapeHandle;
use super::access::shape;
use super::only::{
    AngularNumbers, BODY_END, CAST_TAIL, DIM, IDENTITY, POINTS, RAY_END, RAY_TAIL, RotationNumbers,
    SHORTER_TAIL, TAIL, V, angular_numbers, angular_of, engine, pose_of, rotation_numbers,
};
use crate::border::{In, Out, Outcome, lists, rows, zero};
use crate::common::{BodyKind, DistanceStatus, EventKind, Groups, number_of, unknown};

/// Declares a row in which a separation follows on some fields, and others follow on it.
macro_rules! separation_rows {
    ($($(#[$about:meta])* struct $name:ident {
        before { $($before:ident: $kind_before:ty = $of_before:literal,)* }
        after { $($after:ident: $kind_after:ty = $of_after:literal,)* }
    })*) => {$(
        rows! {
            $(#[$about])*
            struct $name {
                $($before: $kind_before = $of_before,)*
                point_a: [f64; DIM] = "The point of a that is nearest to b, or deepest inside it, in the frame of the world.",
                point_b: [f64; DIM] = "The point of b that is nearest to a, or deepest inside it, in the frame of the world.",
                distance: f32 = "The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative.",
                lower: f32 = "The true signed distance is at least this.",
                upper: f32 = "The true signed distance is at most this.",
                normal: [f32; DIM] = "The unit vector from a to b, in the frame of the world: moving b along it increases the distance.",
                part_a: u32 = "The number of the part of a that is nearest; 0 if a is no composite.",
                part_b: u32 = "The number of the part of b that is nearest; 0 if b is no composite.",
                status: DistanceStatus = "How the distance was found.",
                $($after: $kind_after = $of_after,)*
            }
        }

        impl $name {
            /// With zeros for what is not of the separation.
            #[inline]
            pub(crate) fn of(near: &engine::Separation) -> Self {
                Self {
                    point_a: near.position_a.to_array(),
                    point_b: near.position_b.to_array(),
                    distance: near.distance,
                    lower: near.lower,
                    upper: near.upper,
                    normal: near.normal.to_array(),
                    part_a: near.part_a,
                    part_b: near.part_b,
                    status: DistanceStatus::of(near.status),
                    ..zero()
                }
            }

            /// Of what was not measured: distance, lower and upper bound.
            #[allow(dead_code)] // not of every row
            pub(crate) fn unmeasured([distance, lower, upper]: [f32; 3], status: DistanceStatus) -> Self {
                Self {
                    point_a: [f64::NAN; DIM],
                    point_b: [f64::NAN; DIM],
                    distance,
                    lower,
                    upper,
                    normal: [f32::NAN; DIM],
                    part_a: u32::MAX,
                    part_b: u32::MAX,
                    status,
                    ..zero()
                }
            }
        }
    )*};
}

/// Declares a row in which the hit of a cast follows on some fields.
macro_rules! cast_rows {
    ($($(#[$about:meta])* struct $name:ident {
        before { $($before:ident: $kind_before:ty = $of_before:literal,)* }
    })*) => {$(
        separation_rows! {
            $(#[$about])*
            struct $name {
                before { $($before: $kind_before = $of_before,)* }
                after {
                    hit: u8 = "1 if they meet; else 0, and the rest says nothing.",
                    time_status: DistanceStatus = "How the time was found.",
                    reserved: u8 = "Named so that there is no padding; zero.",
                    time: f32 = "When they meet, from 0 to 1.",
                    time_lower: f32 = "Before this time they are proven to be farther apart than asked.",
                    time_upper: f32 = "Not later than this they are as near as asked, up to a tolerance.",
                    reserved_end: [u8; CAST_TAIL] = "Named so that there is no padding; zero.",
                }
            }
        }

        impl $name {
            pub(crate) fn of_hit(hit: &engine::CastHit) -> Self {
                Self {
                    hit: 1,
                    time_status: DistanceStatus::of(hit.status),
                    time: hit.time,
                    time_lower: hit.time_lower,
                    time_upper: hit.time_upper,
                    ..Self::of(&hit.separation)
                }
            }

            /// Of shapes that do not meet.
            #[allow(dead_code)] // not of every row
            pub(crate) fn miss() -> Self {
                let far = f32::INFINITY;
                Self {
                    time_status: DistanceStatus::FARTHER,
                    time: far,
                    time_lower: far,
                    time_upper: far,
                    ..Self::unmeasured([far; 3], DistanceStatus::FARTHER)
                }
            }
        }
    )*};
}

/// Declares a row in which the hit of a ray follows on some fields.
macro_rules! ray_rows {
    ($($(#[$about:meta])* struct $name:ident {
        before { $($before:ident: $kind_before:ty = $of_before:literal,)* }
    })*) => {$(
        rows! {
            $(#[$about])*
            struct $name {
                $($before: $kind_before = $of_before,)*
                point: [f64; DIM] = "The place of the hit, in the frame of the world.",
                distance: f32 = "The length of the ray up to the hit, in units of length; infinite if nothing is hit.",
                lower: f32 = "The true distance is at least this.",
                upper: f32 = "If the ray truly hits, and does not only pass within rounding, the true distance is at most this.",
                normal: [f32; DIM] = "The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid \
                    shape.",
                part: u32 = "The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon.",
                hit: u8 = "1 if something is hit; else 0, and the rest says nothing.",
                is_back_face: u8 = "1 if the surface is hit from behind, else 0.",
                status: DistanceStatus = "How the distance was found.",
                reserved: [u8; RAY_TAIL] = "Named so that there is no padding; zero.",
            }
        }

        impl $name {
            #[inline]
            pub(crate) fn of(hit: &engine::RayHit) -> Self {
                let normal = hit.normal.unwrap_or(V::splat(f32::NAN));
                Self {
                    point: hit.position.to_array(),
                    distance: hit.distance,
                    lower: hit.lower,
                    upper: hit.upper,
                    normal: normal.to_array(),
                    part: hit.part,
                    hit: 1,
                    is_back_face: hit.is_back_face.into(),
                    status: DistanceStatus::of(hit.status),
                    ..zero()
                }
            }

            /// Of a ray that hits nothing.
            pub(crate) fn miss() -> Self {
                let far = f32::INFINITY;
                Self {
                    point: [f64::NAN; DIM],
                    distance: far,
                    lower: far,
                    upper: far,
                    normal: [f32::NAN; DIM],
                    part: u32::MAX,
                    status: DistanceStatus::FARTHER,
                    ..zero()
                }
            }
        }
    )*};
}

rows! {
    /// Where something is: it is turned about its origin, then moved. Start from `clrN_pose_identity`: a rotation of zeros is refused.
    struct Pose {
        position: [f64; DIM] = "Where its origin is, in units of length, in double precision.",
        rotation: RotationNumbers = "How it is turned. Space: a quaternion of unit length, x, y, z, w. The plane: the cosine and the sine of the \
            angle.",
    }

    /// How fast a body moves.
    struct Velocity {
        linear: [f32; DIM] = "The velocity of its origin, in units of length a second, in the frame of the world.",
        angular: AngularNumbers = "How fast it turns about its origin, in radians a second, counter-clockwise. Space: a vector along the axis.",
    }

    /// The description of a body. Start from `clrN_body_fixed` or `clrN_body_moving`.
    struct Body {
        shape: ConstShapeHandle = "Its shape, in the frame of the body. The world keeps what it needs, so the caller may release the shape after \
            the call.",
        pose: Pose = "Where it is.",
        user_data: u64 = "A number of the caller's. No answer depends on it, unless a function of the caller's reads it.",
        velocity: Velocity = "How fast it moves; kept, but not applied, while it is fixed.",
        groups: Groups = "Which bodies it can make contacts with.",
        extra_margin: f32 = "Added to the margin of the world for all of its contacts, in units of length, >= 0.",
        kind: BodyKind = "Whether a step moves it.",
        part_contacts: u8 = "Whether its pairs give the contacts of their parts, too: 0 or 1.",
        manifolds: u8 = "Whether steps find and keep the contact manifolds of its pairs: 0 or 1.",
        swept: u8 = "Whether a step looks at its whole way, so that it meets nothing unnoticed: 0 or 1.",
        residual: [u32; 4] = "What rounding left over of its pose, as the world gave it: zeros at first. Of another pose it is ignored.",
        reserved: [u8; BODY_END] = "Named so that there is no padding; zero.",
    }

    /// A shape at a pose.
    struct Placed {
        shape: ConstShapeHandle = "The shape.",
        pose: Pose = "Where it is.",
    }

    /// A ray.
    struct Ray {
        origin: [f64; DIM] = "Where it starts.",
        direction: [f32; DIM] = "Where it goes: of any length but zero.",
        reserved: [u8; RAY_END] = "Named so that there is no padding; zero.",
    }

    /// A shape in motion, from time 0 to time 1.
    struct Cast {
        shape: ConstShapeHandle = "The shape.",
        pose: Pose = "Where it is at time 0.",
        motion: Velocity = "How far its origin goes, and by how much it turns, until time 1.",
        reserved: [u8; BODY_END] = "Named so that there is no padding; zero.",
    }
}

separation_rows! {
    /// How far apart two shapes are. With the status `CLR_DISTANCE_FARTHER` only `lower` is known.
    struct Separation {
        before {}
        after {
            reserved: [u8; TAIL] = "Named so that there is no padding; zero.",
        }
    }

    /// Two bodies that are no farther apart than their margins allow.
    struct Contact {
        before {
            a: u64 = "The body with the smaller id.",
            b: u64 = "The body with the larger id.",
        }
        after {
            reserved: [u8; TAIL] = "Named so that there is no padding; zero.",
        }
    }

    /// What changed for two bodies in the last step, with the contact of that step, or of the one before if there is none any more.
    struct Event {
        before {
            a: u64 = "The body with the smaller id.",
            b: u64 = "The body with the larger id.",
            user_data_a: u64 = "The user data of a, also where that body was removed.",
            user_data_b: u64 = "The user data of b, also where that body was removed.",
        }
        after {
            kind: EventKind = "What changed.",
            reserved: [u8; SHORTER_TAIL] = "Named so that there is no padding; zero.",
        }
    }
}

cast_rows! {
    /// When and where two shapes in motion meet; of a world, a is the shape in motion, and b the body.
    struct CastHit {
        before {}
    }

    /// When and where a shape in motion (a) meets a body (b).
    struct BodyCastHit {
        before {
            body: u64 = "The body; 0 if none is met.",
        }
    }

    /// Where and when two bodies met within the last step, of which one is swept.
    struct Impact {
        before {
            a: u64 = "The body with the smaller id.",
            b: u64 = "The body with the larger id.",
        }
    }
}

separation_rows! {
    /// A body (b) that is near what was asked about (a).
    struct BodyNear {
        before {
            question: u64 = "The place of the question in the batch; 0 of a single question.",
            body: u64 = "The body.",
        }
        after {
            reserved: [u8; TAIL] = "Named so that there is no padding; zero.",
        }
    }
}

rows! {
    /// A point in which two shapes touch or face each other.
    struct ManifoldPoint {
        point_a: [f64; DIM] = "The point on the surface of a, in the frame of the world.",
        point_b: [f64; DIM] = "The point on the surface of b, in the frame of the world.",
        distance: f32 = "The signed distance of the surfaces here, along the normal, in units of length.",
        feature_a: u32 = "What the point is on a: equal numbers of one shape are one corner, edge or face.",
        feature_b: u32 = "What the point is on b.",
        before: i32 = "The place of the point of the step before that it goes on from; -1 if there is none.",
    }
}

separation_rows! {
    /// The points in which two bodies, or two parts of them, touch: what a solver needs. Their normal is `normal`.
    struct Manifold {
        before {
            a: u64 = "The body with the smaller id; 0 for two shapes without a world.",
            b: u64 = "The body with the larger id; 0 for two shapes without a world.",
        }
        after {
            point_count: u8 = "How many points there are.",
            reserved: [u8; SHORTER_TAIL] = "Named so that there is no padding; zero.",
            points: [ManifoldPoint; POINTS] = "The points, of which the first `point_count` count.",
        }
    }
}

ray_rows! {
    /// Where a ray hits a shape.
    struct RayHit {
        before {}
    }

    /// Where a ray hits a body.
    struct BodyRayHit {
        before {
            body: u64 = "The body; 0 if none is hit.",
        }
    }
}

rows! {
    /// A box with sides along the axes.
    struct Bounds {
        min: [f32; DIM] = "The corner with the least coordinates.",
        max: [f32; DIM] = "The corner with the greatest coordinates.",
    }

    /// Contacts that the library holds.
    struct Contacts {
        data: In<Contact> = "The first contact.",
        count: usize = "How many there are.",
    }

    /// Events that the library holds.
    struct Events {
        data: In<Event> = "The first event.",
        count: usize = "How many there are.",
    }

    /// Impacts that the library holds.
    struct Impacts {
        data: In<Impact> = "The first impact.",
        count: usize = "How many there are.",
    }

    /// Manifolds that the library holds.
    struct Manifolds {
        data: In<Manifold> = "The first manifold.",
        count: usize = "How many there are.",
    }
}

lists! {
    /// Room of the caller for contacts.
    struct ContactList of Contact;

    /// Room of the caller for impacts.
    struct ImpactList of Impact;

    /// Room of the caller for manifolds.
    struct ManifoldList of Manifold;

    /// Room of the caller for distances.
    struct SeparationList of Separation;

    /// Room of the caller for hits of rays.
    struct RayHitList of RayHit;

    /// Room of the caller for bodies that a ray hits.
    struct BodyRayHitList of BodyRayHit;

    /// Room of the caller for bodies that a shape in motion meets.
    struct BodyCastHitList of BodyCastHit;

    /// Room of the caller for bodies that are near.
    struct BodyNearList of BodyNear;
}

impl Bounds {
    pub(crate) fn of(bounds: &engine::Aabb) -> Self {
        Self {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        }
    }
}

impl Pose {
    pub(crate) const IDENTITY: Self = Self {
        position: [0.0; DIM],
        rotation: IDENTITY,
    };

    pub(crate) fn of(pose: &engine::Pose) -> Self {
        Self {
            position: pose.position().to_array(),
            rotation: rotation_numbers(pose.rotation),
        }
    }

    #[inline]
    pub(crate) fn read(&self) -> Outcome<engine::Pose> {
        pose_of(self.position, self.rotation)
    }
}

impl Velocity {
    pub(crate) fn of(velocity: &engine::Velocity) -> Self {
        Self {
            linear: velocity.linear.to_array(),
            angular: angular_numbers(velocity.angular),
        }
    }

    pub(crate) fn read(&self) -> engine::Velocity {
        engine::Velocity::new(V::from_array(self.linear), angular_of(self.angular))
    }
}

impl Body {
    pub(crate) fn of_shape(shape: ConstShapeHandle, kind: BodyKind) -> Self {
        Self {
            shape,
            pose: Pose::IDENTITY,
            groups: Groups::ALL,
            kind,
            ..zero()
        }
    }

    /// What a world says of a body; the shape is not said, since somebody would have to release it.
    pub(crate) fn of(body: &engine::BodyRef<'_>) -> Self {
        let groups = body.groups();
        Self {
            shape: ConstShapeHandle::NULL,
            pose: Pose::of(body.pose()),
            user_data: body.user_data(),
            velocity: Velocity::of(&body.velocity()),
            groups: Groups {
                memberships: groups.memberships,
                filter: groups.filter,
            },
            extra_margin: body.extra_margin(),
            kind: match body.kind() {
                engine::BodyKind::Fixed => BodyKind::FIXED,
                engine::BodyKind::Moving => BodyKind::MOVING,
            },
            part_contacts: body.wants_part_contacts().into(),
            manifolds: body.wants_manifolds().into(),
            swept: body.is_swept().into(),
            residual: body.residual().encode(),
            ..zero()
        }
    }

    pub(crate) fn read(&self) -> Outcome<engine::Body> {
        let pose = self.pose.read()?;
        let shape = shape(self.shape)?;
        Ok(engine::Body {
            residual: engine::PoseResidual::decode(self.residual),
            velocity: self.velocity.read(),
            kind: kind(self.kind)?,
            groups: self.groups.read(),
            extra_margin: self.extra_margin,
            part_contacts: self.part_contacts != 0,
            manifolds: self.manifolds != 0,
            swept: self.swept != 0,
            user_data: self.user_data,
            ..engine::Body::fixed(shape, pose)
        })
    }
}

/// The kind of a body by its code.
pub(crate) fn kind(kind: BodyKind) -> Outcome<engine::BodyKind> {
    match kind {
        BodyKind::FIXED => Ok(engine::BodyKind::Fixed),
        BodyKind::MOVING => Ok(engine::BodyKind::Moving),
        BodyKind(other) => Err(unknown("kind", other.into(), 1)),
    }
}

impl Contact {
    #[inline]
    pub(crate) fn of_bodies(contact: &engine::Contact) -> Self {
        Self {
            a: number_of(contact.a),
            b: number_of(contact.b),
            ..Self::of(&contact.separation)
        }
    }
}

impl Event {
    pub(crate) fn of_event(event: &engine::Event<'_>) -> Self {
        Self {
            a: number_of(event.contact.a),
            b: number_of(event.contact.b),
            user_data_a: event.user_data_a,
            user_data_b: event.user_data_b,
            kind: EventKind::of(event.kind),
            ..Self::of(&event.contact.separation)
        }
    }
}

impl Impact {
    pub(crate) fn of_impact(impact: &engine::Impact) -> Self {
        Self {
            a: number_of(impact.a),
            b: number_of(impact.b),
            ..Self::of_hit(&impact.hit)
        }
    }
}

impl Manifold {
    /// Of no bodies. The points go on from those of the step before that are named.
    pub(crate) fn of_points(manifold: &engine::Manifold, before: [Option<u8>; 4]) -> Self {
        let mut row = Self::of(&manifold.separation);
        let points = manifold.points();
        row.point_count = points.len() as u8;
        for ((into, point), before) in row.points.iter_mut().zip(points).zip(before) {
            *into = ManifoldPoint {
                point_a: point.position_a.to_array(),
                point_b: point.position_b.to_array(),
                distance: point.distance,
                feature_a: point.feature_a.id(),
                feature_b: point.feature_b.id(),
                before: before.map_or(-1, i32::from),
            };
        }
        row
    }

    pub(crate) fn of_bodies(found: &engine::BodyManifold) -> Self {
        Self {
            a: number_of(found.a),
            b: number_of(found.b),
            ..Self::of_points(&found.manifold, found.points_before)
        }
    }
}
