/* What a frame of 10,000 bodies and a ray cost in C, to be compared with examples/costs.rs: the same scene in Rust. */
#define _POSIX_C_SOURCE 199309L
#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COUNT 10000
#define ROUNDS 100
#define RAYS 100000

static void ok(clr_status status) {
    if (status != CLR_OK) {
        printf("%s\n", clr_last_error());
        exit(1);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Rows of balls that touch. Each frame moves all of them a little. */
static void place(clr3_pose *pose, size_t k, size_t round) {
    pose->position[0] = (double)(k % 100) * 1.01 + 0.01 * (double)(round % 7);
    pose->position[1] = 0.0;
    pose->position[2] = (double)(k / 100) * 1.02;
}

int main(void) {
    static clr3_body bodies[COUNT];
    static clr3_pose poses[COUNT];
    static uint64_t ids[COUNT];
    clr3_world *world;
    clr3_shape *ball;
    clr3_contacts contacts = {NULL, 0};
    double least = INFINITY, of_ray = INFINITY, sum = 0.0;
    size_t k, round;
    ok(clr3_world_create(NULL, &world));
    ok(clr3_shape_ball(0.5f, &ball));
    for (k = 0; k < COUNT; k++) {
        bodies[k] = clr3_body_moving(ball);
        place(&bodies[k].pose, k, 0);
        poses[k] = bodies[k].pose;
    }
    ok(clr3_world_insert(world, bodies, COUNT, ids));
    for (round = 0; round < ROUNDS; round++) {
        double start, frame = 0.0;
        for (k = 0; k < COUNT; k++) place(&poses[k], k, round);
        start = seconds();
        ok(clr3_world_set_poses(world, ids, poses, COUNT));
        ok(clr3_world_step(world, 0.0f));
        ok(clr3_world_contacts(world, &contacts));
        for (k = 0; k < contacts.count; k++) frame += (double)contacts.data[k].distance;
        least = fmin(least, seconds() - start);
        sum += frame;
    }
    for (round = 0; round < 20; round++) {
        const double start = seconds();
        for (k = 0; k < RAYS; k++) {
            clr3_ray ray = {{0.0, 3.0, 20.0}, {0.0f, -1.0f, 0.0f}, {0}};
            clr3_body_ray_hit hit;
            ray.origin[0] = 0.25 + (double)(k % 97);
            ok(clr3_world_cast_ray(world, &ray, NULL, NULL, &hit));
            if (hit.hit) sum += (double)hit.distance;
        }
        of_ray = fmin(of_ray, (seconds() - start) / RAYS);
    }
    printf("C:    %.1f us a frame with %zu contacts, %.1f ns a ray (sum %.17g)\n", 1e6 * least, contacts.count, 1e9 * of_ray, sum);
    ok(clr3_shape_release(ball));
    return clr3_world_destroy(world);
}
