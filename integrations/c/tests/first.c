/* The example of the README, in space and in the plane: a can that falls onto a table, a ball that rolls to a wall. */
#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(is_so)                                                              \
    do {                                                                          \
        if (!(is_so)) {                                                           \
            printf("%s:%d: %s; %s\n", __FILE__, __LINE__, #is_so, clr_last_error()); \
            failures++;                                                           \
        }                                                                         \
    } while (0)

static void space(void) {
    clr3_options options = clr3_options_default();
    clr3_world *world = NULL;
    clr3_shape *ball = NULL, *ground = NULL;
    clr3_contacts contacts;
    clr3_body bodies[2];
    uint64_t ids[2];
    clr3_pose pose;
    const float up[3] = {0.0f, 1.0f, 0.0f};
    options.margin = 0.1f;
    CHECK(clr3_world_create(&options, &world) == CLR_OK);
    CHECK(clr3_shape_ball(0.5f, &ball) == CLR_OK);
    CHECK(clr3_shape_half_space(up, &ground) == CLR_OK);
    bodies[0] = clr3_body_fixed(ground);
    bodies[1] = clr3_body_moving(ball);
    bodies[1].pose.position[1] = 2.0;
    bodies[1].velocity.linear[1] = -1.0f;
    bodies[1].user_data = 7;
    CHECK(clr3_world_insert(world, bodies, 2, ids) == CLR_OK);
    CHECK(ids[0] != 0 && ids[1] != 0 && ids[0] < ids[1]);
    CHECK(clr3_shape_release(ball) == CLR_OK && clr3_shape_release(ground) == CLR_OK);
    CHECK(clr3_world_step(world, 1.4375f) == CLR_OK);
    CHECK(clr3_world_contacts(world, &contacts) == CLR_OK && contacts.count == 1);
    CHECK(contacts.data[0].a == ids[0] && contacts.data[0].b == ids[1]);
    CHECK(contacts.data[0].distance == 0.0625f && contacts.data[0].lower <= 0.0625f && contacts.data[0].upper >= 0.0625f);
    CHECK(contacts.data[0].normal[1] == 1.0f && contacts.data[0].point_b[1] == 0.0625);
    pose = clr3_pose_identity();
    pose.position[0] = 1e10;
    CHECK(clr3_world_set_poses(world, &ids[1], &pose, 1) == CLR_OK);
    CHECK(clr3_world_step(world, 0.0f) == CLR_OK);
    CHECK(clr3_world_contacts(world, &contacts) == CLR_OK && contacts.count == 1);
    CHECK(contacts.data[0].distance == -0.5f && contacts.data[0].point_a[0] == 1e10);
    pose.position[0] = NAN;
    CHECK(clr3_world_set_poses(world, &ids[1], &pose, 1) == CLR_ARGUMENT);
    CHECK(strstr(clr_last_error(), "translation[0] is NaN") != NULL);
    CHECK(clr3_world_remove(world, ids, 1) == CLR_OK);
    CHECK(clr3_world_remove(world, ids, 1) == CLR_BODY);
    CHECK(clr3_world_insert(world, bodies, 1, ids) == CLR_HANDLE);
    CHECK(clr3_world_destroy(world) == CLR_OK);
    CHECK(clr3_world_step(world, 0.0f) == CLR_HANDLE);
}

static void plane(void) {
    clr2_options options = clr2_options_default();
    clr2_world *world = NULL;
    clr2_shape *ball = NULL, *wall = NULL;
    clr2_contacts contacts;
    clr2_body bodies[2];
    uint64_t ids[2];
    const float right[2] = {1.0f, 0.0f};
    options.margin = 0.1f;
    CHECK(clr2_world_create(&options, &world) == CLR_OK);
    CHECK(clr2_shape_half_space(right, &wall) == CLR_OK);
    CHECK(clr2_shape_ball(0.5f, &ball) == CLR_OK);
    bodies[0] = clr2_body_fixed(wall);
    bodies[1] = clr2_body_moving(ball);
    bodies[1].pose.position[0] = 1.5;
    bodies[1].pose.position[1] = 3.0;
    bodies[1].velocity.linear[0] = -2.0f;
    CHECK(clr2_world_insert(world, bodies, 2, ids) == CLR_OK);
    CHECK(clr2_world_step(world, 0.46875f) == CLR_OK);
    CHECK(clr2_world_contacts(world, &contacts) == CLR_OK && contacts.count == 1);
    CHECK(contacts.data[0].distance == 0.0625f && contacts.data[0].normal[0] == 1.0f);
    CHECK(clr2_shape_release(ball) == CLR_OK && clr2_shape_release(wall) == CLR_OK);
    CHECK(clr2_shape_release(wall) == CLR_HANDLE);
    CHECK(clr2_world_destroy(world) == CLR_OK);
}

int main(void) {
    CHECK(clr_check_abi(CLR_ABI_VERSION, CLR_ABI_SIZES) == CLR_OK);
    CHECK(clr_check_abi(CLR_ABI_VERSION, 1) == CLR_ABI);
    space();
    plane();
    return failures != 0;
}
