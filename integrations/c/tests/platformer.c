/*
 * A tile platformer without a picture: examples/platformer.rs in C. `check` compares what both print. Slopes, platforms to jump and to drop
 * through, a ladder, coins, and a lift that is jumped from.
 */
#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `@` is the hero, `=` the lift, `H` a ladder, `-` a platform to jump through, `o` a coin. */
static const char *const map[] = {
    "..................o.", "..............o.....", "...........H#####...", "...........H........",
    "..o........H........", ".---.......H........", "@....o./##\\H......=.", "####################",
};
/* For how many frames which keys are held: r walks to the right, u climbs, j jumps, d drops, n is none. */
static const struct { int frames; const char *keys; } script[] = {
    {10, "r"}, {1, "rj"}, {15, "r"}, {60, "n"}, {1, "d"}, {140, "r"}, {120, "u"}, {104, "r"}, {71, "n"}, {1, "j"}, {38, "n"}, {90, "n"},
};
static const float frame_time = 1.0f / 60.0f;

static void ok(clr_status status) {
    if (status != CLR_OK) {
        printf("%s: %s\n", clr_status_name(status), clr_last_error());
        exit(1);
    }
}

static bool held(const char *keys, char key) { return strchr(keys, key) != NULL; }

static uint64_t hero, lift;

static clr2_world *level(void) {
    const float low[2] = {-0.5f, -0.5f}, right[2] = {0.5f, -0.5f}, high[2] = {0.5f, 0.5f}, left[2] = {-0.5f, 0.5f};
    const float thin[2] = {0.5f, 0.1f}, narrow[2] = {0.1f, 0.5f};
    clr2_options options = clr2_options_default();
    clr2_world *world;
    size_t row, column;
    options.margin = 0.0f;
    ok(clr2_world_create(&options, &world));
    for (row = 0; row < sizeof map / sizeof *map; row++) {
        for (column = 0; map[row][column] != '\0'; column++) {
            const char sign = map[row][column];
            clr2_shape *shape = NULL;
            clr2_body body;
            uint64_t id;
            switch (sign) {
            case '#': ok(clr2_shape_cuboid(high, &shape)); break;
            case '/': ok(clr2_shape_triangle(low, right, high, &shape)); break;
            case '\\': ok(clr2_shape_triangle(low, right, left, &shape)); break;
            case '-': case '=': ok(clr2_shape_cuboid(thin, &shape)); break;
            case 'H': ok(clr2_shape_cuboid(narrow, &shape)); break;
            case 'o': ok(clr2_shape_ball(0.2f, &shape)); break;
            case '@': ok(clr2_shape_capsule(0.25f, 0.25f, &shape)); break;
            default: continue;
            }
            body = sign == '@' || sign == '=' ? clr2_body_moving(shape) : clr2_body_fixed(shape);
            body.pose.position[0] = (double)column;
            body.pose.position[1] = -(double)row;
            body.user_data = (uint64_t)(unsigned char)sign;
            ok(clr2_world_insert(world, &body, 1, &id));
            ok(clr2_shape_release(shape));
            if (sign == '@') hero = id;
            if (sign == '=') lift = id;
        }
    }
    return world;
}

/* Which bodies stop the hero: it jumps through platforms from below, and drops through them. */
struct meeting { const clr2_world *world; float feet; bool drops; };

static bool is_met(void *context, uint64_t body, uint64_t user_data, uint32_t part) {
    const struct meeting *meeting = (const struct meeting *)context;
    clr2_bounds bounds;
    (void)part;
    if (user_data == '-') {
        ok(clr2_world_bounds(meeting->world, &body, 1, &bounds));
        return !meeting->drops && bounds.max[1] <= meeting->feet;
    }
    return user_data != 0 && strchr("#/\\=", (int)user_data) != NULL;
}

/* The lift turns back at both ends of its way. */
static void drive(clr2_world *world) {
    clr2_pose pose;
    clr2_velocity velocity = {{0.0f, 0.0f}, 0.0f};
    float height;
    ok(clr2_world_poses(world, &lift, 1, &pose));
    height = (float)pose.position[1];
    if (height <= -6.0f || height > -3.0f) {
        velocity.linear[1] = height > -3.0f ? -3.0f : 3.0f;
        ok(clr2_world_set_velocities(world, &lift, &velocity, 1));
    }
}

/* What the hero touches: whether a ladder is there, and the coins, which it takes. */
static size_t touch(clr2_world *world, bool *is_at_ladder) {
    clr2_contact contacts[32];
    clr2_contact_list list = {contacts, 32, 0};
    uint64_t coins[32];
    size_t k, taken = 0;
    ok(clr2_world_contacts_of(world, hero, &list));
    *is_at_ladder = false;
    for (k = 0; k < list.count; k++) {
        const uint64_t other = contacts[k].a == hero ? contacts[k].b : contacts[k].a;
        uint64_t sign;
        if (contacts[k].distance > 0.0f) continue;
        ok(clr2_world_user_data(world, other, &sign));
        if (sign == 'H') *is_at_ladder = true;
        if (sign == 'o') coins[taken++] = other;
    }
    ok(clr2_world_remove(world, coins, taken));
    return taken;
}

int main(void) {
    const float fall = 20.0f * frame_time;
    clr2_world *world = level();
    clr2_slide slide;
    clr2_slide_ground ground;
    float rise = 0.0f, carried[2] = {0.0f, 0.0f}, top = -1e30f;
    size_t coins = 0, part;
    int frame;
    memset(&ground, 0, sizeof ground);
    for (part = 0; part < sizeof script / sizeof *script; part++) {
        const char *keys = script[part].keys;
        clr2_pose poses[2];
        uint64_t ids[2];
        for (frame = 0; frame < script[part].frames; frame++) {
            clr2_sliding_body walk = clr2_sliding_body_default(hero);
            clr_filter filter = clr_filter_default();
            struct meeting meeting;
            clr2_bounds bounds;
            bool is_at_ladder, stands;
            drive(world);
            ok(clr2_world_step(world, frame_time));
            coins += touch(world, &is_at_ladder);
            /* Who drops does not stand. */
            if (held(keys, 'd')) memset(&ground, 0, sizeof ground);
            stands = ground.body != 0;
            rise = held(keys, 'u') && is_at_ladder ? 3.0f : stands ? (held(keys, 'j') ? 10.0f : -fall) : rise - fall;
            /* Ground carries who stands on it; who has left it keeps its velocity. */
            walk.motion[0] = ((held(keys, 'r') ? 4.0f : 0.0f) + (stands ? 0.0f : carried[0])) * frame_time;
            walk.motion[1] = (rise + (stands ? 0.0f : carried[1])) * frame_time;
            walk.ground = ground;
            ok(clr2_world_bounds(world, &hero, 1, &bounds));
            meeting.world = world;
            meeting.feet = bounds.min[1];
            meeting.drops = held(keys, 'd');
            filter.accepts = is_met;
            filter.context = &meeting;
            ok(clr2_world_slide_body(world, &walk, NULL, &filter, &slide, NULL));
            /* A head that met a ceiling does not stick to it. */
            if (walk.motion[1] > 0.0f && slide.motion[1] < 0.5f * walk.motion[1]) {
                rise = carried[0] = carried[1] = 0.0f;
            }
            ground = slide.ground;
            if (ground.body != 0) memcpy(carried, ground.velocity, sizeof carried);
            ok(clr2_world_set_poses(world, &hero, &slide.pose, 1));
            top = fmaxf(top, (float)slide.pose.position[1]);
        }
        ids[0] = hero;
        ids[1] = lift;
        ok(clr2_world_poses(world, ids, 2, poses));
        printf("%3d frames of %-2s: at [%.3f, %.3f], %d coins, the lift at [%.3f, %.3f]\n", script[part].frames, keys,
            poses[0].position[0], poses[0].position[1], (int)coins, poses[1].position[0], poses[1].position[1]);
    }
    ok(clr2_world_destroy(world));
    return !(coins == 4 && fabsf(top + 3.3f - 4.33f) < 0.02f);
}
