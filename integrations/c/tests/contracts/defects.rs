//! A panic does not come over the border, and who met one says so from then on.
#![allow(unsafe_code)] // it calls as C does

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use clearance_c::border::Status;
use clearance_c::callbacks::Context;
use clearance_c::common::{Filter, clr_filter_default, clr_last_error};
use clearance_c::space::dim as c;

type Handle = *mut c_void;

// What `clearance.h` says, for what is called here.
unsafe extern "C" {
    fn clr3_world_create(options: *const c::Options, world: *mut Handle) -> Status;
    fn clr3_world_destroy(world: Handle) -> Status;
    fn clr3_shape_ball(radius: f32, shape: *mut Handle) -> Status;
    fn clr3_shape_release(shape: Handle) -> Status;
    fn clr3_body_fixed(shape: Handle) -> c::Body;
    fn clr3_world_insert(world: Handle, of: *const c::Body, count: usize, ids: *mut u64) -> Status;
    fn clr3_world_step(world: Handle, dt: f32) -> Status;
    fn clr3_world_memory(world: Handle, bytes: *mut usize) -> Status;
    fn clr3_world_ray_hits_any(
        world: Handle,
        ray: *const c::Ray,
        options: *const c_void,
        filter: *const Filter,
        hits: *mut bool,
    ) -> Status;
}

extern "C-unwind" fn breaks(_: Context, _: u64, _: u64, _: u32) -> bool {
    panic!("as a defect of the engine would");
}

#[test]
fn a_world_that_met_a_panic_refuses_all_but_its_end() {
    // SAFETY: the pointers are to what the calls say.
    unsafe {
        let (mut world, mut ball, mut id) = (null_mut(), null_mut(), 0);
        assert_eq!(clr3_world_create(null(), &raw mut world), Status::OK);
        assert_eq!(clr3_shape_ball(0.5, &raw mut ball), Status::OK);
        let body = clr3_body_fixed(ball);
        let inserted = clr3_world_insert(world, &raw const body, 1, &raw mut id);
        assert_eq!(inserted, Status::OK);
        let ray = c::Ray {
            origin: [0.0, 5.0, 0.0],
            direction: [0.0, -1.0, 0.0],
            reserved: [0; 4],
        };
        let mut filter = clr_filter_default();
        filter.accepts = Some(breaks);
        let (mut hits, mut bytes) = (false, 0);
        let asked = clr3_world_ray_hits_any(
            world,
            &raw const ray,
            null(),
            &raw const filter,
            &raw mut hits,
        );
        assert_eq!(asked, Status::PANIC);
        assert_eq!(clr3_world_step(world, 0.0), Status::PANIC);
        assert_eq!(clr3_world_memory(world, &raw mut bytes), Status::PANIC);
        let sentence = CStr::from_ptr(clr_last_error()).to_str().unwrap();
        assert!(sentence.contains("refuses all calls"), "{sentence}");
        assert_eq!(clr3_world_destroy(world), Status::OK);
        assert_eq!(clr3_world_destroy(world), Status::HANDLE);
        assert_eq!(clr3_shape_release(ball), Status::OK);
    }
}
