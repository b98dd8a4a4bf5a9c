/*
 * Two peers play one game: each keeps snapshots, goes back for late input and plays forwards again, and one of them loads what the other saved.
 * Their hashes are equal in each frame, on one thread and on two.
 */
#include <clearance/clearance.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODIES 40
#define FRAMES 60
#define RING 8
/* What the same game in Rust comes to: tests/contracts/twins.rs. */
#define EXPECTED 0x3f22d0a3344d7bfeull

static void ok(clr_status status) {
    if (status != CLR_OK) {
        printf("%s: %s\n", clr_status_name(status), clr_last_error());
        exit(1);
    }
}

typedef struct peer {
    clr2_world *world;
    uint64_t ids[BODIES];
    clr2_snapshot *ring[RING];
    uint64_t hashes[FRAMES];
} peer;

static void begin(peer *of, uint32_t threads) {
    const float half[2] = {0.5f, 0.25f};
    clr2_options options = clr2_options_default();
    clr2_shape *box;
    clr2_body bodies[BODIES];
    int k;
    options.threads = threads;
    ok(clr2_world_create(&options, &of->world));
    ok(clr2_shape_cuboid(half, &box));
    for (k = 0; k < BODIES; k++) {
        bodies[k] = clr2_body_moving(box);
        bodies[k].pose.position[0] = (double)((float)k * 0.9f);
        bodies[k].pose.position[1] = (double)(k % 3);
        bodies[k].user_data = (uint64_t)k;
    }
    ok(clr2_world_insert(of->world, bodies, BODIES, of->ids));
    ok(clr2_shape_release(box));
    for (k = 0; k < RING; k++) ok(clr2_world_snapshot(of->world, &of->ring[k]));
}

static void frame(peer *of, int number, float stick) {
    clr2_velocity velocity = {{0.0f, 0.0f}, 0.25f};
    velocity.linear[0] = stick;
    ok(clr2_world_snapshot_into(of->world, of->ring[number % RING]));
    ok(clr2_world_set_velocities(of->world, of->ids, &velocity, 1));
    ok(clr2_world_step(of->world, 1.0f / 60.0f));
    ok(clr2_world_state_hash(of->world, &of->hashes[number]));
}

static float input(int number) { return (float)(number / 20); }

static void end(peer *of) {
    int k;
    for (k = 0; k < RING; k++) ok(clr2_snapshot_destroy(of->ring[k]));
    ok(clr2_world_destroy(of->world));
}

int main(void) {
    static peer here, there;
    clr2_snapshot *loaded;
    clr_byte_list saved = {NULL, 0, 0};
    uint64_t hash, last;
    int number, again, wrong = 0;
    begin(&here, 1);
    begin(&there, 2);
    for (number = 0; number < FRAMES; number++) {
        frame(&here, number, input(number));
        /* The other one guesses that nothing changes, and is told five frames later. */
        frame(&there, number, number < 5 ? 0.0f : input(number - 5));
        if (number >= 5) {
            ok(clr2_world_restore(there.world, there.ring[(number - 5) % RING]));
            for (again = number - 5; again <= number; again++) frame(&there, again, input(again));
        }
        wrong += number >= 5 && here.hashes[number] != there.hashes[number];
        /* Ids of two worlds are equal without the marks of their worlds, and so refused without them only. */
        wrong += clr_id_unmarked(here.ids[number % BODIES]) != clr_id_unmarked(there.ids[number % BODIES]);
        wrong += clr2_world_shape(here.world, there.ids[0], NULL) != CLR_BODY;
    }
    last = here.hashes[FRAMES - 1];
    /* A saved game. */
    if (clr2_snapshot_write(here.ring[0], &saved) != CLR_NO_ROOM) wrong++;
    saved.capacity = saved.count;
    saved.data = (uint8_t *)malloc(saved.capacity);
    ok(clr2_snapshot_write(here.ring[0], &saved));
    ok(clr2_snapshot_read(saved.data, saved.count, &loaded));
    ok(clr2_world_restore(there.world, loaded));
    ok(clr2_world_restore(here.world, here.ring[0]));
    ok(clr2_world_state_hash(here.world, &hash));
    ok(clr2_world_state_hash(there.world, &there.hashes[0]));
    wrong += hash != there.hashes[0];
    ok(clr2_snapshot_destroy(loaded));
    /* A damaged one is refused whole, or is another one that is right. */
    if (clr2_snapshot_read(saved.data, saved.count - 1, &loaded) != CLR_STORED) wrong++;
    for (number = 0; number < (int)saved.count; number += 7) {
        saved.data[number] ^= (uint8_t)(0x55 >> number % 5);
        if (clr2_snapshot_read(saved.data, saved.count, &loaded) == CLR_OK) {
            ok(clr2_world_restore(there.world, loaded));
            if (clr2_world_step(there.world, 0.0f) == CLR_PANIC) wrong++;
            ok(clr2_snapshot_destroy(loaded));
        }
        saved.data[number] ^= (uint8_t)(0x55 >> number % 5);
    }
    free(saved.data);
    wrong += last != EXPECTED;
    printf("state after %d frames: %016llx\n", FRAMES, (unsigned long long)last);
    end(&here);
    end(&there);
    return wrong != 0;
}
