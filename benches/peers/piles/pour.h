// What `pour.c` asks of an engine: `plane.c` answers for Box2D, `space.c` for Box3D.
#pragma once

typedef struct Shape {
    char kind[16]; // ball, capsule, cuboid, hull or mesh
    int number_count;
    float *numbers; // radius; half length and radius; half extents; points
    int corner_count;
    int *corners; // three of each triangle of a mesh
    const void *made; // what the engine made of it, if it keeps that
} Shape;

typedef struct Cost {
    double contacts; // milliseconds for pairs, manifolds and the trees
    double step;
    int kept; // contacts that were not measured again
} Cost;

// Numbers of a pose: its translation, then its angle or its quaternion.
extern const int pose_length;

void engine_start(int body_count, int keeps_contacts);
void engine_add(int body, Shape *shape, int moves, const float *pose);
void engine_pose(int body, float *pose);
Cost engine_step(float seconds);
