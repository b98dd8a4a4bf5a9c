//! A ball that falls onto the ground, by the binding that `bind.py` makes.
const std = @import("std");
const c = @import("clearance.zig");

fn ok(status: c.clr_status) !void {
    if (status != c.CLR_OK) {
        std.debug.print("{s}\n", .{c.clr_last_error()});
        return error.Refused;
    }
}

pub fn main() !void {
    var world: ?*c.clr3_world = null;
    const options = c.clr3_options_default();
    try ok(c.clr3_world_create(&options, @ptrCast(&world)));
    defer _ = c.clr3_world_destroy(world);
    var shapes: [2]?*c.clr3_shape = .{ null, null };
    const up = [3]f32{ 0, 1, 0 };
    try ok(c.clr3_shape_half_space(@ptrCast(&up), @ptrCast(&shapes[0])));
    try ok(c.clr3_shape_ball(0.5, @ptrCast(&shapes[1])));
    var bodies = [2]c.clr3_body{ c.clr3_body_fixed(shapes[0]), c.clr3_body_moving(shapes[1]) };
    defer for (shapes) |shape| {
        _ = c.clr3_shape_release(shape);
    };
    bodies[1].pose.position[1] = 2;
    bodies[1].velocity.linear[1] = -1;
    var ids: [2]u64 = undefined;
    try ok(c.clr3_world_insert(world, &bodies, 2, &ids));
    var frames: u32 = 0;
    var contacts: c.clr3_contacts = undefined;
    while (true) : (frames += 1) {
        try ok(c.clr3_world_step(world, 1.0 / 64.0));
        try ok(c.clr3_world_contacts(world, &contacts));
        if (contacts.count > 0 and contacts.data[0].distance <= 0) break;
    }
    if (contacts.data[0].a != ids[0] or contacts.data[0].b != ids[1] or frames != 95) return error.Wrong;
    std.debug.print("touches after {d} frames\n", .{frames + 1});
}
