// Box3D as `pour.c` drives it.
#include "pour.h"
#include "box3d/box3d.h"
#include "box3d/collision.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int pose_length = 7;

static b3WorldId world;
static b3BodyId *bodies;
static int keeps;

void engine_start(int body_count, int keeps_contacts) {
    b3WorldDef definition = b3DefaultWorldDef();
    definition.enableSleep = false;
    definition.workerCount = 1;
    definition.gravity = (b3Vec3){0, -10, 0};
    world = b3CreateWorld(&definition);
    bodies = calloc(body_count, sizeof(b3BodyId));
    keeps = keeps_contacts;
}

static const void *made(const Shape *shape) {
    if (strcmp(shape->kind, "hull") == 0) {
        int count = shape->number_count / 3;
        return b3CreateHull((b3Vec3 *)shape->numbers, count, count);
    }
    b3MeshDef definition = {0};
    definition.vertices = (b3Vec3 *)shape->numbers;
    definition.vertexCount = shape->number_count / 3;
    definition.indices = shape->corners;
    definition.triangleCount = shape->corner_count / 3;
    definition.identifyEdges = true;
    return b3CreateMesh(&definition, NULL, 0);
}

static void add_shape(b3BodyId body, Shape *shape) {
    b3ShapeDef definition = b3DefaultShapeDef();
    const float *n = shape->numbers;
    if (strcmp(shape->kind, "ball") == 0) {
        b3CreateSphereShape(body, &definition, &(b3Sphere){{0, 0, 0}, n[0]});
    } else if (strcmp(shape->kind, "capsule") == 0) {
        b3CreateCapsuleShape(body, &definition, &(b3Capsule){{0, -n[0], 0}, {0, n[0], 0}, n[1]});
    } else if (strcmp(shape->kind, "cuboid") == 0) {
        b3BoxHull box = b3MakeBoxHull(n[0], n[1], n[2]);
        b3CreateHullShape(body, &definition, &box.base);
    } else {
        if (shape->made == NULL) shape->made = made(shape);
        if (shape->made == NULL) { fprintf(stderr, "Box3D refuses a %s\n", shape->kind); exit(1); }
        if (strcmp(shape->kind, "hull") == 0) b3CreateHullShape(body, &definition, shape->made);
        else b3CreateMeshShape(body, &definition, shape->made, (b3Vec3){1, 1, 1});
    }
}

void engine_add(int body, Shape *shape, int moves, const float *pose) {
    b3BodyDef definition = b3DefaultBodyDef();
    definition.type = moves ? b3_dynamicBody : b3_staticBody;
    definition.enableContactRecycling = keeps;
    definition.position.x = pose[0];
    definition.position.y = pose[1];
    definition.position.z = pose[2];
    definition.rotation = (b3Quat){{pose[3], pose[4], pose[5]}, pose[6]};
    bodies[body] = b3CreateBody(world, &definition);
    add_shape(bodies[body], shape);
}

void engine_pose(int body, float *pose) {
    b3Pos place = b3Body_GetPosition(bodies[body]);
    b3Quat turn = b3Body_GetRotation(bodies[body]);
    float numbers[7] = {place.x, place.y, place.z, turn.v.x, turn.v.y, turn.v.z, turn.s};
    memcpy(pose, numbers, sizeof numbers);
}

Cost engine_step(float seconds) {
    b3World_Step(world, seconds, 4);
    b3Profile profile = b3World_GetProfile(world);
    int kept = b3World_GetCounters(world).recycledContactCount;
    return (Cost){profile.pairs + profile.collide + profile.refit, profile.step, kept};
}
