/*
 * Ten boxes stand on each other for a minute, in the plane and in space: examples/stack.rs in C. `check` compares what both print, so
 * that every bit of a minute is compared. The file includes itself for each dimension; the solver works in space.
 */
#ifndef DIM

#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector { double x, y, z; } vector;

static vector make(double x, double y, double z) { vector v; v.x = x; v.y = y; v.z = z; return v; }
static vector add(vector a, vector b) { return make(a.x + b.x, a.y + b.y, a.z + b.z); }
static vector sub(vector a, vector b) { return make(a.x - b.x, a.y - b.y, a.z - b.z); }
static vector scale(vector a, double by) { return make(a.x * by, a.y * by, a.z * by); }
static double dot(vector a, vector b) { return (a.x * b.x) + (a.y * b.y) + (a.z * b.z); }
static vector cross(vector a, vector b) {
    return make(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}
static double component(vector a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
static vector along_axis(int k) { return make(k == 0, k == 1, k == 2); }
static vector divide(vector a, double by) { return make(a.x / by, a.y / by, a.z / by); }
static vector unit(vector a) {
    const vector scaled = divide(a, fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)));
    return divide(scaled, sqrt(dot(scaled, scaled)));
}

#define FRAME (1.0 / 60.0)
#define GRAVITY 10.0
#define FRICTION 0.6
#define ITERATIONS 20
#define SLOP 0.005
#define MENDED 0.2
#define BOXES 10
#define MOST_TOUCHES 64

/* A body as the solver sees it. Boxes have sides of 1 and a mass of 1; the ground has an endless one. */
typedef struct load { double inverse_mass, inverse_inertia; vector linear, angular; } load;

static void push(load *of, vector arm, vector impulse) {
    of->linear = add(of->linear, scale(impulse, of->inverse_mass));
    of->angular = add(of->angular, scale(cross(arm, impulse), of->inverse_inertia));
}

/* A point of a manifold: between two bodies, along the normal and two tangents. */
typedef struct touch { size_t bodies[2]; vector arms[2], axes[3]; double target, impulses[3]; } touch;

static void apply(const touch *of, load *loads, vector impulse) {
    push(&loads[of->bodies[0]], of->arms[0], scale(impulse, -1.0));
    push(&loads[of->bodies[1]], of->arms[1], impulse);
}

/* Changes the impulses so that the point does not approach or slide, as far as they may. */
static void solve(touch *of, load *loads) {
    static const int order[3] = {1, 2, 0};
    int i, side;
    for (i = 0; i < 3; i++) {
        const int k = order[i];
        const vector axis = of->axes[k];
        const double most = FRICTION * of->impulses[0];
        double speed = 0.0, ease = 0.0, impulse;
        for (side = 0; side < 2; side++) {
            const load *body = &loads[of->bodies[side]];
            const vector arm = of->arms[side], turned = cross(arm, axis);
            speed += (side ? 1.0 : -1.0) * dot(add(body->linear, cross(body->angular, arm)), axis);
            ease += body->inverse_mass + dot(turned, turned) * body->inverse_inertia;
        }
        if (k == 0) {
            impulse = fmax(of->impulses[0] + (of->target - speed) / ease, 0.0);
        } else {
            impulse = of->impulses[k] - speed / ease;
            impulse = impulse < -most ? -most : impulse > most ? most : impulse;
        }
        apply(of, loads, scale(axis, impulse - of->impulses[k]));
        of->impulses[k] = impulse;
    }
}

static void ok(clr_status status) {
    if (status != CLR_OK) {
        printf("%s: %s\n", clr_status_name(status), clr_last_error());
        exit(1);
    }
}

#define DIM 2
#define CLR(name) clr2_##name
#define IN(name) name##_in_plane
#include "stack.c"
#undef DIM
#undef CLR
#undef IN
#define DIM 3
#define CLR(name) clr3_##name
#define IN(name) name##_in_space
#include "stack.c"

int main(void) {
    stack_in_plane();
    stack_in_space();
    return 0;
}

#else

static vector IN(lift)(const double numbers[DIM]) {
    return make((double)(float)numbers[0], (double)(float)numbers[1], DIM == 3 ? (double)(float)numbers[DIM - 1] : 0.0);
}

/* A unit vector perpendicular to another one, as the engine chooses it. */
static vector IN(perpendicular)(vector of) {
    int least = 0, k;
    vector along = unit(of);
    for (k = 1; k < DIM; k++) {
        if (fabs(component(of, k)) < fabs(component(of, least))) least = k;
    }
    return unit(sub(along_axis(least), scale(along, component(along, least))));
}

static size_t IN(touches)(const CLR(manifold) *found, const CLR(pose) *poses, touch *out) {
    const vector normal = make((double)found->normal[0], (double)found->normal[1], DIM == 3 ? (double)found->normal[DIM - 1] : 0.0);
    const vector side = IN(perpendicular)(normal);
    size_t k, i;
    for (k = 0; k < found->point_count; k++) {
        const CLR(manifold_point) *point = &found->points[k];
        const vector place = scale(add(IN(lift)(point->point_a), IN(lift)(point->point_b)), 0.5);
        const double distance = (double)point->distance;
        /* Nobody is removed, so the slots of the ids are the places in the list. */
        out[k].bodies[0] = clr_id_slot(found->a);
        out[k].bodies[1] = clr_id_slot(found->b);
        for (i = 0; i < 2; i++) out[k].arms[i] = sub(place, IN(lift)(poses[out[k].bodies[i]].position));
        out[k].axes[0] = normal;
        out[k].axes[1] = side;
        out[k].axes[2] = cross(normal, side);
        out[k].target = (MENDED * fmax(-distance - SLOP, 0.0) - fmax(distance, 0.0)) / FRAME;
    }
    return found->point_count;
}

static void IN(frame)(CLR(world) *world, const uint64_t *ids, load *loads) {
    static struct { uint64_t a, b; uint32_t part_a, part_b; touch touches[4]; } kept[MOST_TOUCHES], now[MOST_TOUCHES];
    static size_t kept_count = 0;
    CLR(manifolds) manifolds;
    CLR(pose) poses[BOXES + 1];
    CLR(velocity) velocities[BOXES + 1];
    size_t counts[MOST_TOUCHES], m, k, old;
    int i;
    if (loads == NULL) {
        kept_count = 0;
        return;
    }
    ok(CLR(world_step)(world, (float)FRAME));
    ok(CLR(world_poses)(world, ids, BOXES + 1, poses));
    ok(CLR(world_manifolds)(world, &manifolds));
    for (m = 0; m < manifolds.count; m++) {
        const CLR(manifold) *found = &manifolds.data[m];
        memset(now[m].touches, 0, sizeof now[m].touches);
        now[m].a = found->a;
        now[m].b = found->b;
        now[m].part_a = found->part_a;
        now[m].part_b = found->part_b;
        counts[m] = IN(touches)(found, poses, now[m].touches);
        for (old = 0; old < kept_count; old++) {
            if (kept[old].a == found->a && kept[old].b == found->b && kept[old].part_a == found->part_a && kept[old].part_b == found->part_b) {
                for (k = 0; k < counts[m]; k++) {
                    if (found->points[k].before >= 0) {
                        memcpy(now[m].touches[k].impulses, kept[old].touches[found->points[k].before].impulses, sizeof(double[3]));
                    }
                }
            }
        }
    }
    for (k = 1; k <= BOXES; k++) loads[k].linear.y -= GRAVITY * FRAME;
    for (m = 0; m < manifolds.count; m++) {
        for (k = 0; k < counts[m]; k++) {
            const touch *of = &now[m].touches[k];
            vector impulse = make(0.0, 0.0, 0.0);
            for (i = 0; i < 3; i++) impulse = add(impulse, scale(of->axes[i], of->impulses[i]));
            apply(of, loads, impulse);
        }
    }
    for (i = 0; i < ITERATIONS; i++) {
        for (m = 0; m < manifolds.count; m++) {
            for (k = 0; k < counts[m]; k++) solve(&now[m].touches[k], loads);
        }
    }
    kept_count = manifolds.count;
    memcpy(kept, now, sizeof kept);
    for (k = 1; k <= BOXES; k++) {
        const vector linear = loads[k].linear, angular = loads[k].angular;
        velocities[k].linear[0] = (float)linear.x;
        velocities[k].linear[1] = (float)linear.y;
#if DIM == 3
        velocities[k].linear[2] = (float)linear.z;
        velocities[k].angular[0] = (float)angular.x;
        velocities[k].angular[1] = (float)angular.y;
        velocities[k].angular[2] = (float)angular.z;
#else
        velocities[k].angular = (float)angular.z;
#endif
    }
    ok(CLR(world_set_velocities)(world, &ids[1], &velocities[1], BOXES));
}

static void IN(stack)(void) {
    CLR(options) options = CLR(options_default)();
    CLR(world) *world;
    CLR(shape) *shapes[2];
    CLR(body) bodies[BOXES + 1];
    CLR(pose) poses[2][BOXES + 1];
    uint64_t ids[BOXES + 1];
    load loads[BOXES + 1];
    float up[DIM] = {0.0f, 1.0f}, half[DIM];
    double energy = 0.0, drift = 0.0;
    int k, half_minute, frame;
    options.surface_contacts = 1;
    options.manifolds = 1;
    for (k = 0; k < DIM; k++) half[k] = 0.5f;
    ok(CLR(world_create)(&options, &world));
    ok(CLR(shape_half_space)(up, &shapes[0]));
    ok(CLR(shape_cuboid)(half, &shapes[1]));
    bodies[0] = CLR(body_fixed)(shapes[0]);
    memset(loads, 0, sizeof loads);
    for (k = 1; k <= BOXES; k++) {
        static const float asides[3] = {0.0f, 3e-3f, -2e-3f};
        const float aside = asides[(k - 1) % 3];
        bodies[k] = CLR(body_moving)(shapes[1]);
        bodies[k].pose.position[0] = (double)aside;
        bodies[k].pose.position[1] = (double)(0.5f + 1.002f * (float)(k - 1));
#if DIM == 3
        bodies[k].pose.rotation[1] = sinf(aside * 0.5f);
        bodies[k].pose.rotation[3] = cosf(aside * 0.5f);
#else
        ok(clr2_rotation_from_angle(aside, bodies[k].pose.rotation));
#endif
        loads[k].inverse_mass = 1.0;
        loads[k].inverse_inertia = 6.0;
    }
    ok(CLR(world_insert)(world, bodies, BOXES + 1, ids));
    IN(frame)(world, ids, NULL);
    for (half_minute = 0; half_minute < 2; half_minute++) {
        for (frame = 0; frame < 1800; frame++) IN(frame)(world, ids, loads);
        ok(CLR(world_poses)(world, ids, BOXES + 1, poses[half_minute]));
    }
    for (k = 0; k <= BOXES; k++) {
        const vector way = sub(IN(lift)(poses[0][k].position), IN(lift)(poses[1][k].position));
        drift = fmax(drift, sqrt(dot(way, way)));
        energy += 0.5 * dot(loads[k].linear, loads[k].linear) + dot(loads[k].angular, loads[k].angular) / 12.0;
    }
    printf("kinetic energy %.17g, drift in half a minute %.17g\n", energy, drift);
    ok(CLR(shape_release)(shapes[0]));
    ok(CLR(shape_release)(shapes[1]));
    ok(CLR(world_destroy)(world));
}

#endif
