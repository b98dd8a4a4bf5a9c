//! The structs of C, and what they stand for.
//!
//! Answers have the layouts of the rows of the Python module (`integrations/python/src/rows.rs`), where they are the same thing.

use super::ConstShapeHandle;
use super::access::shape;
use super::only::{
    AngularNumbers, BODY_END, CAST_TAIL, DIM, IDENTITY, POINTS, RAY_END, RAY_TAIL, RotationNumbers,
    SHORTER_TAIL, TAIL, V, angular_numbers, angular_of, engine, pose_of, rotation_numbers,
};
use crate::border::{In, Out, Outcome, list, row, zero};
use crate::common::{BodyKind, DistanceStatus, EventKind, Groups, number_of, unknown};

/// Declares a row in which a separation follows on some fields, and others follow on it.
macro_rules! separation_row {
    ($(#[$about:meta])* pub struct $name:ident {
        before { $($(#[$of_before:meta])* pub $before:ident: $kind_before:ty,)* }
        after { $($(#[$of_after:meta])* pub $after:ident: $kind_after:ty,)* }
    }) => {
        row! {
            $(#[$about])*
            pub struct $name {
                $($(#[$of_before])* pub $before: $kind_before,)*
                /// The point of a that is nearest to b, or deepest inside it, in the frame of the world.
                pub point_a: [f64; DIM],
                /// The point of b that is nearest to a, or deepest inside it, in the frame of the world.
                pub point_b: [f64; DIM],
                /// The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative.
                pub distance: f32,
                /// The true signed distance is at least this.
                pub lower: f32,
                /// The true signed distance is at most this.
                pub upper: f32,
                /// The unit vector from a to b, in the frame of the world: moving b along it increases the distance.
                pub normal: [f32; DIM],
                /// The number of the part of a that is nearest; 0 if a is no composite.
                pub part_a: u32,
                /// The number of the part of b that is nearest; 0 if b is no composite.
                pub part_b: u32,
                /// How the distance was found.
                pub status: DistanceStatus,
                $($(#[$of_after])* pub $after: $kind_after,)*
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
    };
}

/// Declares a row in which the hit of a cast follows on some fields.
macro_rules! cast_row {
    ($(#[$about:meta])* pub struct $name:ident {
        before { $($(#[$of_before:meta])* pub $before:ident: $kind_before:ty,)* }
    }) => {
        separation_row! {
            $(#[$about])*
            pub struct $name {
                before { $($(#[$of_before])* pub $before: $kind_before,)* }
                after {
                    /// 1 if they meet; else 0, and the rest says nothing.
                    pub hit: u8,
                    /// How the time was found.
                    pub time_status: DistanceStatus,
                    /// Named so that there is no padding; zero.
                    pub reserved: u8,
                    /// When they meet, from 0 to 1.
                    pub time: f32,
                    /// Before this time they are proven to be farther apart than asked.
                    pub time_lower: f32,
                    /// Not later than this they are as near as asked, up to a tolerance.
                    pub time_upper: f32,
                    /// Named so that there is no padding; zero.
                    pub reserved_end: [u8; CAST_TAIL],
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
    };
}

/// Declares a row in which the hit of a ray follows on some fields.
macro_rules! ray_row {
    ($(#[$about:meta])* pub struct $name:ident {
        before { $($(#[$of_before:meta])* pub $before:ident: $kind_before:ty,)* }
    }) => {
        row! {
            $(#[$about])*
            pub struct $name {
                $($(#[$of_before])* pub $before: $kind_before,)*
                /// The place of the hit, in the frame of the world.
                pub point: [f64; DIM],
                /// The length of the ray up to the hit, in units of length; infinite if nothing is hit.
                pub distance: f32,
                /// The true distance is at least this.
                pub lower: f32,
                /// If the ray truly hits, and does not only pass within rounding, the true distance is at most this.
                pub upper: f32,
                /// The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid shape.
                pub normal: [f32; DIM],
                /// The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon.
                pub part: u32,
                /// 1 if something is hit; else 0, and the rest says nothing.
                pub hit: u8,
                /// 1 if the surface is hit from behind, else 0.
                pub is_back_face: u8,
                /// How the distance was found.
                pub status: DistanceStatus,
                /// Named so that there is no padding; zero.
                pub reserved: [u8; RAY_TAIL],
            }
        }

        impl $name {
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
    };
}

row! {
    /// Where something is: it is turned about its origin, then moved. Start from `clrN_pose_identity`: a rotation of zeros is refused.
    pub struct Pose {
        /// Where its origin is, in units of length, in double precision.
        pub position: [f64; DIM],
        /// How it is turned. Space: a quaternion of unit length, x, y, z, w. The plane: the cosine and the sine of the angle.
        pub rotation: RotationNumbers,
    }
}

row! {
    /// How fast a body moves.
    pub struct Velocity {
        /// The velocity of its origin, in units of length a second, in the frame of the world.
        pub linear: [f32; DIM],
        /// How fast it turns about its origin, in radians a second, counter-clockwise. Space: a vector along the axis.
        pub angular: AngularNumbers,
    }
}

row! {
    /// The description of a body. Start from `clrN_body_fixed` or `clrN_body_moving`.
    pub struct Body {
        /// Its shape, in the frame of the body. The world keeps what it needs, so the caller may release the shape after the call.
        pub shape: ConstShapeHandle,
        /// Where it is.
        pub pose: Pose,
        /// A number of the caller's. No answer depends on it, unless a function of the caller's reads it.
        pub user_data: u64,
        /// How fast it moves; kept, but not applied, while it is fixed.
        pub velocity: Velocity,
        /// Which bodies it can make contacts with.
        pub groups: Groups,
        /// Added to the margin of the world for all of its contacts, in units of length, >= 0.
        pub extra_margin: f32,
        /// Whether a step moves it.
        pub kind: BodyKind,
        /// Whether its pairs give the contacts of their parts, too: 0 or 1.
        pub part_contacts: u8,
        /// Whether steps find and keep the contact manifolds of its pairs: 0 or 1.
        pub manifolds: u8,
        /// Whether a step looks at its whole way, so that it meets nothing unnoticed: 0 or 1.
        pub swept: u8,
        /// What rounding left over of its pose, as the world gave it: zeros at first. Of another pose it is ignored.
        pub residual: [u32; 4],
        /// Named so that there is no padding; zero.
        pub reserved: [u8; BODY_END],
    }
}

row! {
    /// A shape at a pose.
    pub struct Placed {
        /// The shape.
        pub shape: ConstShapeHandle,
        /// Where it is.
        pub pose: Pose,
    }
}

row! {
    /// A ray.
    pub struct Ray {
        /// Where it starts.
        pub origin: [f64; DIM],
        /// Where it goes: of any length but zero.
        pub direction: [f32; DIM],
        /// Named so that there is no padding; zero.
        pub reserved: [u8; RAY_END],
    }
}

row! {
    /// A shape in motion, from time 0 to time 1.
    pub struct Cast {
        /// The shape.
        pub shape: ConstShapeHandle,
        /// Where it is at time 0.
        pub pose: Pose,
        /// How far its origin goes, and by how much it turns, until time 1.
        pub motion: Velocity,
        /// Named so that there is no padding; zero.
        pub reserved: [u8; BODY_END],
    }
}

separation_row! {
    /// How far apart two shapes are. With the status `CLR_DISTANCE_FARTHER` only `lower` is known.
    pub struct Separation {
        before {}
        after {
            /// Named so that there is no padding; zero.
            pub reserved: [u8; TAIL],
        }
    }
}

separation_row! {
    /// Two bodies that are no farther apart than their margins allow.
    pub struct Contact {
        before {
            /// The body with the smaller id.
            pub a: u64,
            /// The body with the larger id.
            pub b: u64,
        }
        after {
            /// Named so that there is no padding; zero.
            pub reserved: [u8; TAIL],
        }
    }
}

separation_row! {
    /// What changed for two bodies in the last step, with the contact of that step, or of the one before if there is none any more.
    pub struct Event {
        before {
            /// The body with the smaller id.
            pub a: u64,
            /// The body with the larger id.
            pub b: u64,
            /// The user data of a, also where that body was removed.
            pub user_data_a: u64,
            /// The user data of b, also where that body was removed.
            pub user_data_b: u64,
        }
        after {
            /// What changed.
            pub kind: EventKind,
            /// Named so that there is no padding; zero.
            pub reserved: [u8; SHORTER_TAIL],
        }
    }
}

cast_row! {
    /// When and where two shapes in motion meet; of a world, a is the shape in motion, and b the body.
    pub struct CastHit {
        before {}
    }
}

cast_row! {
    /// When and where a shape in motion (a) meets a body (b).
    pub struct BodyCastHit {
        before {
            /// The body; 0 if none is met.
            pub body: u64,
        }
    }
}

cast_row! {
    /// Where and when two bodies met within the last step, of which one is swept.
    pub struct Impact {
        before {
            /// The body with the smaller id.
            pub a: u64,
            /// The body with the larger id.
            pub b: u64,
        }
    }
}

separation_row! {
    /// A body (b) that is near what was asked about (a).
    pub struct BodyNear {
        before {
            /// The place of the question in the batch; 0 of a single question.
            pub question: u64,
            /// The body.
            pub body: u64,
        }
        after {
            /// Named so that there is no padding; zero.
            pub reserved: [u8; TAIL],
        }
    }
}

row! {
    /// A point in which two shapes touch or face each other.
    pub struct ManifoldPoint {
        /// The point on the surface of a, in the frame of the world.
        pub point_a: [f64; DIM],
        /// The point on the surface of b, in the frame of the world.
        pub point_b: [f64; DIM],
        /// The signed distance of the surfaces here, along the normal, in units of length.
        pub distance: f32,
        /// What the point is on a: equal numbers of one shape are one corner, edge or face.
        pub feature_a: u32,
        /// What the point is on b.
        pub feature_b: u32,
        /// The place of the point of the step before that it goes on from; -1 if there is none.
        pub before: i32,
    }
}

separation_row! {
    /// The points in which two bodies, or two parts of them, touch: what a solver needs. Their normal is `normal`.
    pub struct Manifold {
        before {
            /// The body with the smaller id; 0 for two shapes without a world.
            pub a: u64,
            /// The body with the larger id; 0 for two shapes without a world.
            pub b: u64,
        }
        after {
            /// How many points there are.
            pub point_count: u8,
            /// Named so that there is no padding; zero.
            pub reserved: [u8; SHORTER_TAIL],
            /// The points, of which the first `point_count` count.
            pub points: [ManifoldPoint; POINTS],
        }
    }
}

ray_row! {
    /// Where a ray hits a shape.
    pub struct RayHit {
        before {}
    }
}

ray_row! {
    /// Where a ray hits a body.
    pub struct BodyRayHit {
        before {
            /// The body; 0 if none is hit.
            pub body: u64,
        }
    }
}

row! {
    /// A box with sides along the axes.
    pub struct Bounds {
        /// The corner with the least coordinates.
        pub min: [f32; DIM],
        /// The corner with the greatest coordinates.
        pub max: [f32; DIM],
    }
}

row! {
    /// Contacts that the library holds.
    pub struct Contacts {
        /// The first contact.
        pub data: In<Contact>,
        /// How many there are.
        pub count: usize,
    }
}

row! {
    /// Events that the library holds.
    pub struct Events {
        /// The first event.
        pub data: In<Event>,
        /// How many there are.
        pub count: usize,
    }
}

row! {
    /// Impacts that the library holds.
    pub struct Impacts {
        /// The first impact.
        pub data: In<Impact>,
        /// How many there are.
        pub count: usize,
    }
}

row! {
    /// Manifolds that the library holds.
    pub struct Manifolds {
        /// The first manifold.
        pub data: In<Manifold>,
        /// How many there are.
        pub count: usize,
    }
}

list! {
    /// Room of the caller for contacts.
    pub struct ContactList of Contact
}

list! {
    /// Room of the caller for impacts.
    pub struct ImpactList of Impact
}

list! {
    /// Room of the caller for manifolds.
    pub struct ManifoldList of Manifold
}

list! {
    /// Room of the caller for distances.
    pub struct SeparationList of Separation
}

list! {
    /// Room of the caller for hits of rays.
    pub struct RayHitList of RayHit
}

list! {
    /// Room of the caller for bodies that a ray hits.
    pub struct BodyRayHitList of BodyRayHit
}

list! {
    /// Room of the caller for bodies that a shape in motion meets.
    pub struct BodyCastHitList of BodyCastHit
}

list! {
    /// Room of the caller for bodies that are near.
    pub struct BodyNearList of BodyNear
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
                engine::Kind::Fixed => BodyKind::FIXED,
                engine::Kind::Moving => BodyKind::MOVING,
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
pub(crate) fn kind(kind: BodyKind) -> Outcome<engine::Kind> {
    match kind {
        BodyKind::FIXED => Ok(engine::Kind::Fixed),
        BodyKind::MOVING => Ok(engine::Kind::Moving),
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
