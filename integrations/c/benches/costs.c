/*
 * What a frame of 10,000 bodies and a ray cost in C, to be compared with examples/costs.rs: the same scene in Rust. Takes the numbers of frames and
 * of rays, if other ones are wanted.
 */
#define _POSIX_C_SOURCE 199309L
#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COUNT 10000

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

int main(int argument_count, char **arguments) {
    static clr3_body bodies[COUNT];
    static clr3_pose poses[COUNT];
    static uint64_t ids[COUNT];
    clr3_world *world;
    clr3_shape *ball;
    clr3_contacts contacts = {NULL, 0};
    const size_t rounds = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : 100;
    const size_t rays = argument_count > 2 ? strtoul(arguments[2], NULL, 10) : 2000000;
    double least = INFINITY, of_ray, sum = 0.0, start;
    size_t k, round;
    ok(clr3_world_create(NULL, &world));
    ok(clr3_shape_ball(0.5f, &ball));
    for (k = 0; k < COUNT; k++) {
        bodies[k] = clr3_body_moving(ball);
        place(&bodies[k].pose, k, 0);
        poses[k] = bodies[k].pose;
    }
    ok(clr3_world_insert(world, bodies, COUNT, ids));
    for (round = 0; round < rounds; round++) {
        double frame = 0.0;
        for (k = 0; k < COUNT; k++) place(&poses[k], k, round);
        start = seconds();
        ok(clr3_world_set_poses(world, ids, poses, COUNT));
        ok(clr3_world_step(world, 0.0f));
        ok(clr3_world_contacts(world, &contacts));
        for (k = 0; k < contacts.count; k++) frame += (double)contacts.data[k].distance;
        least = fmin(least, seconds() - start);
        sum += frame;
    }
    start = seconds();
    for (k = 0; k < rays; k++) {
        clr3_ray ray = {{0.0, 3.0, 20.0}, {0.0f, -1.0f, 0.0f}, {0}};
        clr3_body_ray_hit hit;
        ray.origin[0] = 0.25 + (double)(k % 97);
        ok(clr3_world_cast_ray(world, &ray, NULL, NULL, &hit));
        if (hit.hit) sum += (double)hit.distance;
    }
    of_ray = (seconds() - start) / (double)rays;
    printf("C:    %.1f us a frame with %zu contacts, %.1f ns a ray (sum %.17g)\n", 1e6 * least, contacts.count, 1e9 * of_ray, sum);
    ok(clr3_shape_release(ball));
    return clr3_world_destroy(world);
}
