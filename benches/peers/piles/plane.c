// Box2D as `pour.c` drives it.
#include "pour.h"
#include "box2d/box2d.h"
#include "box2d/collision.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int pose_length = 3;

static b2WorldId world;
static b2BodyId *bodies;
static int keeps;

void engine_start(int body_count, int keeps_contacts) {
    b2WorldDef definition = b2DefaultWorldDef();
    definition.enableSleep = false;
    definition.workerCount = 1;
    definition.gravity = (b2Vec2){0, -10};
    world = b2CreateWorld(&definition);
    bodies = calloc(body_count, sizeof(b2BodyId));
    keeps = keeps_contacts;
}

static void add_shape(b2BodyId body, const Shape *shape) {
    b2ShapeDef definition = b2DefaultShapeDef();
    const float *n = shape->numbers;
    if (strcmp(shape->kind, "ball") == 0) {
        b2CreateCircleShape(body, &definition, &(b2Circle){{0, 0}, n[0]});
    } else if (strcmp(shape->kind, "capsule") == 0) {
        b2CreateCapsuleShape(body, &definition, &(b2Capsule){{0, -n[0]}, {0, n[0]}, n[1]});
    } else if (strcmp(shape->kind, "cuboid") == 0) {
        b2Polygon box = b2MakeBox(n[0], n[1]);
        b2CreatePolygonShape(body, &definition, &box);
    } else {
        b2Hull hull = b2ComputeHull((const b2Vec2 *)n, shape->number_count / 2);
        if (hull.count == 0) { fprintf(stderr, "Box2D refuses a %s\n", shape->kind); exit(1); }
        b2Polygon polygon = b2MakePolygon(&hull, 0);
        b2CreatePolygonShape(body, &definition, &polygon);
    }
}

void engine_add(int body, Shape *shape, int moves, const float *pose) {
    b2BodyDef definition = b2DefaultBodyDef();
    definition.type = moves ? b2_dynamicBody : b2_staticBody;
    definition.enableContactRecycling = keeps;
    definition.position.x = pose[0];
    definition.position.y = pose[1];
    definition.rotation = b2MakeRot(pose[2]);
    bodies[body] = b2CreateBody(world, &definition);
    add_shape(bodies[body], shape);
}

void engine_pose(int body, float *pose) {
    b2Pos place = b2Body_GetPosition(bodies[body]);
    b2Rot turn = b2Body_GetRotation(bodies[body]);
    float numbers[3] = {place.x, place.y, atan2f(turn.s, turn.c)};
    memcpy(pose, numbers, sizeof numbers);
}

Cost engine_step(float seconds) {
    b2World_Step(world, seconds, 4);
    b2Profile profile = b2World_GetProfile(world);
    int kept = b2World_GetCounters(world).recycledContactCount;
    return (Cost){profile.pairs + profile.collide + profile.refit, profile.step, kept};
}
