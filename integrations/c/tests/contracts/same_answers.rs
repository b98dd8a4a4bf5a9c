//! Random worlds, built by the calls of C and by those of Rust side by side.
#![allow(unsafe_code)] // it calls as C does

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use clearance::dim3::{
    Body, BodyKind, DVec3, Nearest, Options, Pose, Ray, RayOptions, Separation, Shape,
    SlideOptions, SlidingBody, Vec3, Velocity, World,
};
use clearance_c::border::Status;
use clearance_c::common::{self, number_of};
use clearance_c::space::dim as c;

type Handle = *mut c_void;

// What `clearance.h` says, for what is called here.
unsafe extern "C" {
    fn clr3_world_create(options: *const c::Options, world: *mut Handle) -> Status;
    fn clr3_options_default() -> c::Options;
    fn clr3_world_destroy(world: Handle) -> Status;
    fn clr3_shape_ball(radius: f32, shape: *mut Handle) -> Status;
    fn clr3_shape_cuboid(half: *const f32, shape: *mut Handle) -> Status;
    fn clr3_shape_capsule(half_length: f32, radius: f32, shape: *mut Handle) -> Status;
    fn clr3_shape_hull(points: *const f32, count: usize, shape: *mut Handle) -> Status;
    fn clr3_shape_release(shape: Handle) -> Status;
    fn clr3_body_moving(shape: Handle) -> c::Body;
    fn clr3_world_insert(world: Handle, of: *const c::Body, count: usize, ids: *mut u64) -> Status;
    fn clr3_world_step(world: Handle, dt: f32) -> Status;
    fn clr3_world_contacts(world: Handle, contacts: *mut List<c::Contact>) -> Status;
    fn clr3_world_events(world: Handle, events: *mut List<c::Event>) -> Status;
    fn clr3_world_impacts(world: Handle, impacts: *mut List<c::Impact>) -> Status;
    fn clr3_world_manifolds(world: Handle, manifolds: *mut List<c::Manifold>) -> Status;
    fn clr3_world_state_hash(world: Handle, hash: *mut u64) -> Status;
    fn clr3_world_contacts_hash(world: Handle, hash: *mut u64) -> Status;
    fn clr3_world_cast_rays(
        world: Handle,
        rays: *const c::Ray,
        count: usize,
        options: *const common::RayOptions,
        filter: *const common::Filter,
        hits: *mut c::BodyRayHit,
    ) -> Status;
    fn clr3_world_nearest_to_point(
        world: Handle,
        point: *const f64,
        nearest: common::Nearest,
        filter: *const common::Filter,
        list: *mut Room<c::BodyNear>,
    ) -> Status;
    fn clr3_sliding_body_default(body: u64) -> c::SlidingBody;
    fn clr3_world_slide_body(
        world: Handle,
        sliding: *const c::SlidingBody,
        options: *const c::SlideOptions,
        filter: *const common::Filter,
        slide: *mut c::Slide,
        contacts: *mut c_void,
    ) -> Status;
}

#[repr(C)]
struct List<T> {
    data: *const T,
    count: usize,
}

#[repr(C)]
struct Room<T> {
    data: *mut T,
    capacity: usize,
    count: usize,
}

fn ok(status: Status) {
    assert_eq!(status, Status::OK);
}

/// What a call of C writes.
fn written<T>(call: impl FnOnce(*mut T) -> Status) -> T {
    let mut room = std::mem::MaybeUninit::uninit();
    ok(call(room.as_mut_ptr()));
    // SAFETY: the call said that it wrote it.
    unsafe { room.assume_init() }
}

/// What a world lends.
fn lent<T: Copy>(call: impl FnOnce(*mut List<T>) -> Status) -> Vec<T> {
    let List { data, count } = written(call);
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: the world holds so many until it changes.
    unsafe { std::slice::from_raw_parts(data, count) }.to_vec()
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn number(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * (self.next() % 4096) as f32 / 4096.0
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.number(-size, size)))
    }
}

/// A shape, made twice.
fn shape(dice: &mut Dice) -> (Shape, Handle) {
    let radius = dice.number(0.2, 0.9);
    // SAFETY: the pointers are to what the calls say.
    unsafe {
        match dice.next() % 4 {
            0 => {
                let made = written(|room| clr3_shape_ball(radius, room));
                (Shape::ball(radius).unwrap(), made)
            }
            1 => {
                let half = Vec3::new(radius, dice.number(0.2, 1.5), dice.number(0.2, 1.5));
                let numbers = half.to_array();
                let made = written(|room| clr3_shape_cuboid(numbers.as_ptr(), room));
                (Shape::cuboid(half).unwrap(), made)
            }
            2 => {
                let made = written(|room| clr3_shape_capsule(0.5, radius, room));
                (Shape::capsule(0.5, radius).unwrap(), made)
            }
            _ => {
                let points: Vec<Vec3> = (0..9).map(|_| dice.vector(1.0)).collect();
                let numbers = points.as_ptr().cast();
                let made = written(|room| clr3_shape_hull(numbers, 9, room));
                (Shape::hull(points).unwrap(), made)
            }
        }
    }
}

/// A world, made twice.
struct Twins {
    rust: World,
    c: Handle,
    shapes: Vec<(Shape, Handle)>,
    ids: Vec<u64>,
}

impl Twins {
    fn new(dice: &mut Dice) -> Self {
        // SAFETY: the pointers are to what the calls say.
        let c = unsafe {
            let mut options = clr3_options_default();
            (options.manifolds, options.margin) = (1, 0.2);
            written(|room| clr3_world_create(&raw const options, room))
        };
        let rust = World::new(Options {
            manifolds: true,
            margin: 0.2,
            ..Options::default()
        });
        let shapes = (0..12).map(|_| shape(dice)).collect();
        let mut twins = Self {
            rust: rust.unwrap(),
            c,
            shapes,
            ids: Vec::new(),
        };
        for _ in 0..80 {
            twins.insert(dice);
        }
        twins
    }

    fn insert(&mut self, dice: &mut Dice) {
        let (shape, handle) = &self.shapes[(dice.next() % 12) as usize];
        let place = dice.vector(5.0);
        let velocity = Velocity::new(dice.vector(2.0), dice.vector(1.0));
        let mut body = Body::moving(shape.clone(), Pose::from_translation(place));
        (body.velocity, body.user_data) = (velocity, dice.next());
        body.swept = dice.next().is_multiple_of(3);
        if dice.next().is_multiple_of(4) {
            body.kind = BodyKind::Fixed;
        }
        // SAFETY: the pointers are to what the calls say.
        let (id, written) = unsafe {
            let mut row = clr3_body_moving(*handle);
            row.pose.position = DVec3::from(place).to_array();
            row.velocity.linear = velocity.linear.to_array();
            row.velocity.angular = velocity.angular.to_array();
            (row.user_data, row.swept) = (body.user_data, body.swept.into());
            row.kind = match body.kind {
                BodyKind::Fixed => common::BodyKind::FIXED,
                BodyKind::Moving => common::BodyKind::MOVING,
            };
            let world = self.c;
            let id = written(|room| clr3_world_insert(world, &raw const row, 1, room));
            (self.rust.insert(body).unwrap(), id)
        };
        assert_eq!((written - 1) >> 12, id.to_bits() >> 12);
        self.ids.push(written);
    }

    /// The number in C of a body of the world in Rust: all but the mark of the world.
    fn assert_same_id(&self, in_c: u64, in_rust: clearance::BodyId) {
        assert_eq!((in_c - 1) >> 12, (number_of(in_rust) - 1) >> 12);
    }
}

macro_rules! assert_same_separation {
    ($row:expr, $near:expr) => {{
        let (row, near): (_, &Separation) = (&$row, &$near);
        let singles = [row.distance, row.lower, row.upper].map(f32::to_bits);
        assert_eq!(
            singles,
            [near.distance, near.lower, near.upper].map(f32::to_bits)
        );
        assert_eq!(row.normal, near.normal.to_array());
        assert_eq!(row.point_a, near.position_a.to_array());
        assert_eq!(row.point_b, near.position_b.to_array());
        assert_eq!((row.part_a, row.part_b), (near.part_a, near.part_b));
    }};
}

impl Twins {
    fn step(&mut self) {
        // SAFETY: the world is one.
        ok(unsafe { clr3_world_step(self.c, 1.0 / 16.0) });
        self.rust.step(1.0 / 16.0).unwrap();
        let world = self.c;
        // SAFETY: as above, and the pointers are to what the calls say.
        let (contacts, events, impacts, manifolds, hashes) = unsafe {
            (
                lent(|room| clr3_world_contacts(world, room)),
                lent(|room| clr3_world_events(world, room)),
                lent(|room| clr3_world_impacts(world, room)),
                lent(|room| clr3_world_manifolds(world, room)),
                [
                    written(|room| clr3_world_state_hash(world, room)),
                    written(|room| clr3_world_contacts_hash(world, room)),
                ],
            )
        };
        assert_eq!(hashes, [self.rust.state_hash(), self.rust.contacts_hash()]);
        assert_eq!(contacts.len(), self.rust.contacts().len());
        for (row, contact) in contacts.iter().zip(self.rust.contacts()) {
            self.assert_same_id(row.a, contact.a);
            self.assert_same_id(row.b, contact.b);
            assert_same_separation!(row, contact.separation);
        }
        assert_eq!(events.len(), self.rust.events().count());
        for (row, event) in events.iter().zip(self.rust.events()) {
            assert_eq!(row.kind, common::EventKind::of(event.kind));
            assert_eq!(
                (row.user_data_a, row.user_data_b),
                (event.user_data_a, event.user_data_b)
            );
        }
        assert_eq!(impacts.len(), self.rust.impacts().count());
        for (row, impact) in impacts.iter().zip(self.rust.impacts()) {
            assert_eq!(row.time.to_bits(), impact.hit.time.to_bits());
            assert_same_separation!(row, impact.hit.separation);
        }
        assert_eq!(manifolds.len(), self.rust.manifolds().count());
        for (row, found) in manifolds.iter().zip(self.rust.manifolds()) {
            let points = found.manifold.points();
            assert_eq!(usize::from(row.point_count), points.len());
            for (k, point) in points.iter().enumerate() {
                assert_eq!(row.points[k].point_a, point.position_a.to_array());
                assert_eq!(row.points[k].distance.to_bits(), point.distance.to_bits());
                assert_eq!(
                    row.points[k].before,
                    found.points_before[k].map_or(-1, i32::from)
                );
            }
        }
    }

    fn ask(&self, dice: &mut Dice) {
        let (start, way) = (dice.vector(8.0), dice.vector(1.0) + Vec3::X * 0.01);
        let rays = [c::Ray {
            origin: DVec3::from(start).to_array(),
            direction: way.to_array(),
            reserved: [0; 4],
        }];
        let world = self.c;
        // SAFETY: the pointers are to what the calls say.
        let hit: c::BodyRayHit = unsafe {
            written(|room| clr3_world_cast_rays(world, rays.as_ptr(), 1, null(), null(), room))
        };
        let ray = Ray::new(start, way).unwrap();
        let found = self
            .rust
            .query()
            .cast_ray(&ray, RayOptions::default())
            .unwrap();
        assert_eq!(hit.hit == 1, found.is_some());
        if let Some(found) = found {
            self.assert_same_id(hit.body, found.body);
            assert_eq!(
                (hit.distance.to_bits(), hit.part),
                (found.hit.distance.to_bits(), found.hit.part)
            );
            assert_eq!(hit.point, found.hit.position.to_array());
        }
        self.ask_for_the_nearest(dice);
        self.ask_where_a_body_slides(dice);
    }

    fn ask_for_the_nearest(&self, dice: &mut Dice) {
        let point = DVec3::from(dice.vector(8.0));
        let nearest = Nearest {
            count: 3,
            within: 4.0,
        };
        let mut found = Vec::new();
        self.rust
            .query()
            .nearest_to_point_into(point, nearest, &mut found)
            .unwrap();
        let mut rows = Vec::<c::BodyNear>::with_capacity(3);
        let mut room = Room {
            data: rows.as_mut_ptr(),
            capacity: 3,
            count: 0,
        };
        let (nearest, point) = (
            common::Nearest {
                count: 3,
                within: 4.0,
            },
            point.to_array(),
        );
        // SAFETY: the pointers are to what the call says, which then wrote so many.
        unsafe {
            ok(clr3_world_nearest_to_point(
                self.c,
                point.as_ptr(),
                nearest,
                null(),
                &raw mut room,
            ));
            rows.set_len(room.count);
        }
        assert_eq!(rows.len(), found.len());
        for (row, near) in rows.iter().zip(&found) {
            self.assert_same_id(row.body, near.body);
            assert_same_separation!(row, near.separation);
        }
    }

    fn ask_where_a_body_slides(&self, dice: &mut Dice) {
        let place = (dice.next() % self.ids.len() as u64) as usize;
        let motion = dice.vector(0.5);
        // SAFETY: the pointers are to what the calls say.
        let slide: c::Slide = unsafe {
            let mut sliding = clr3_sliding_body_default(self.ids[place]);
            sliding.motion = motion.to_array();
            written(|room| {
                clr3_world_slide_body(self.c, &raw const sliding, null(), null(), room, null_mut())
            })
        };
        let id = self.rust.bodies().ids().nth(place).unwrap();
        let asked = SlidingBody::new(id, motion);
        let options = SlideOptions::default();
        let found = self.rust.query().slide_body(asked, options).unwrap();
        assert_eq!(slide.pose.position, found.pose.position().to_array());
        assert_eq!(slide.ground.body != 0, found.ground.is_some());
    }
}

impl Drop for Twins {
    fn drop(&mut self) {
        // SAFETY: the handles are those that were made, and are not used again.
        unsafe {
            self.shapes
                .iter()
                .for_each(|(_, handle)| ok(clr3_shape_release(*handle)));
            ok(clr3_world_destroy(self.c));
        }
    }
}

#[test]
fn worlds_of_c_have_the_bits_of_worlds_of_rust() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3 {
        let mut twins = Twins::new(&mut dice);
        for _ in 0..8 {
            twins.step();
            for _ in 0..8 {
                twins.ask(&mut dice);
            }
        }
    }
}
