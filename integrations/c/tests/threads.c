/* Four threads ask one world at a time: rays, what is near, contacts, which are made for the first who asks. All get the same answers. */
#define _POSIX_C_SOURCE 200112L
#include <clearance/clearance.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define BODIES 60

static clr3_world *world;
static clr3_shape *ball;

typedef struct asker {
    pthread_t thread;
    double sum;
    size_t contacts;
    bool failed;
} asker;

static void *ask(void *argument) {
    asker *own = (asker *)argument;
    clr3_contacts contacts = {NULL, 0};
    clr3_events events = {NULL, 0};
    clr3_ray ray;
    clr3_body_ray_hit hit;
    clr3_body_near near[BODIES];
    clr3_body_near_list list = {near, BODIES, 0};
    clr3_placed placed;
    clr_filter filter = clr_filter_default();
    int k;
    memset(&ray, 0, sizeof ray);
    ray.origin[1] = 9.0;
    ray.direction[1] = -1.0f;
    placed.shape = ball;
    placed.pose = clr3_pose_identity();
    for (k = 0; k < 200; k++) {
        own->failed |= clr3_world_contacts(world, &contacts) != CLR_OK;
        own->failed |= clr3_world_events(world, &events) != CLR_OK;
        ray.origin[0] = (double)(k % BODIES) * 0.9;
        own->failed |= clr3_world_cast_ray(world, &ray, NULL, k % 2 ? &filter : NULL, &hit) != CLR_OK;
        own->sum += hit.hit ? (double)hit.distance : 0.0;
        placed.pose.position[0] = ray.origin[0];
        own->failed |= clr3_world_near_shape(world, &placed, 0.5f, NULL, &list) != CLR_OK;
        own->sum += (double)list.count;
        /* What is wrong is told to the thread that did it. */
        own->failed |= clr3_world_near_shape(world, NULL, 0.5f, NULL, &list) != CLR_NULL_POINTER;
        own->failed |= strstr(clr_last_error(), "placed is NULL") == NULL;
    }
    own->contacts = contacts.count;
    return NULL;
}

int main(void) {
    static clr3_body bodies[BODIES];
    static uint64_t ids[BODIES];
    asker askers[THREADS];
    int k, wrong = 0;
    memset(askers, 0, sizeof askers);
    wrong += clr3_world_create(NULL, &world) != CLR_OK;
    wrong += clr3_shape_ball(0.5f, &ball) != CLR_OK;
    for (k = 0; k < BODIES; k++) {
        bodies[k] = clr3_body_moving(ball);
        bodies[k].pose.position[0] = (double)k * 0.9;
    }
    wrong += clr3_world_insert(world, bodies, BODIES, ids) != CLR_OK;
    wrong += clr3_world_step(world, 0.0f) != CLR_OK;
    for (k = 0; k < THREADS; k++) wrong += pthread_create(&askers[k].thread, NULL, ask, &askers[k]) != 0;
    for (k = 0; k < THREADS; k++) {
        pthread_join(askers[k].thread, NULL);
        wrong += askers[k].failed || askers[k].sum != askers[0].sum || askers[k].contacts != BODIES - 1;
    }
    wrong += clr3_shape_release(ball) != CLR_OK;
    wrong += clr3_world_destroy(world) != CLR_OK;
    return wrong != 0;
}
