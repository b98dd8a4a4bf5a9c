// Pours a pile: `pour SCENE KEEPS FILM`.
//
// The shapes and bodies of SCENE, which the program `piles` wrote, fall at 60 steps a second, on one thread and without
// sleep. Where KEEPS is 1, the engine keeps the contacts of bodies that hardly move. FILM gets the poses of the moving
// bodies before each step. For each step a line says how long its contacts and all of it took, and how many were kept.
#include "pour.h"
#include <stdio.h>
#include <stdlib.h>

static void *array(int count, size_t size) {
    void *items = calloc(count > 0 ? count : 1, size);
    if (items == NULL) { fprintf(stderr, "no memory\n"); exit(1); }
    return items;
}

static void expect(int found, int wanted) {
    if (found != wanted) { fprintf(stderr, "the scene is not as `piles` writes it\n"); exit(1); }
}

static int whole(FILE *scene) {
    int number;
    expect(fscanf(scene, "%d", &number), 1);
    return number;
}

static float *numbers(FILE *scene, int count) {
    float *items = array(count, sizeof(float));
    for (int i = 0; i < count; i++) expect(fscanf(scene, "%f", &items[i]), 1);
    return items;
}

static Shape shape(FILE *scene) {
    Shape shape = {0};
    expect(fscanf(scene, "%15s", shape.kind), 1);
    shape.number_count = whole(scene);
    shape.numbers = numbers(scene, shape.number_count);
    shape.corner_count = whole(scene);
    shape.corners = array(shape.corner_count, sizeof(int));
    for (int i = 0; i < shape.corner_count; i++) shape.corners[i] = whole(scene);
    return shape;
}

int main(int count, char **words) {
    FILE *scene = count == 4 ? fopen(words[1], "r") : NULL, *film = scene ? fopen(words[3], "wb") : NULL;
    if (film == NULL) { fprintf(stderr, "pour SCENE KEEPS FILM\n"); return 1; }
    int frame_count = whole(scene), shape_count = whole(scene), body_count = whole(scene), mover_count = 0;
    Shape *shapes = array(shape_count, sizeof(Shape));
    for (int i = 0; i < shape_count; i++) shapes[i] = shape(scene);
    int *movers = array(body_count, sizeof(int));
    engine_start(body_count, atoi(words[2]));
    for (int body = 0; body < body_count; body++) {
        int moves = whole(scene), of = whole(scene);
        expect(of >= 0 && of < shape_count, 1);
        float *pose = numbers(scene, pose_length);
        engine_add(body, &shapes[of], moves, pose);
        free(pose);
        if (moves) movers[mover_count++] = body;
    }
    for (int frame = 0; frame < frame_count; frame++) {
        for (int i = 0; i < mover_count; i++) {
            float pose[8];
            engine_pose(movers[i], pose);
            fwrite(pose, sizeof(float), pose_length, film);
        }
        Cost cost = engine_step(1.0f / 60.0f);
        printf("%.4f %.4f %d\n", cost.contacts, cost.step, cost.kept);
    }
    return fclose(film) == 0 ? 0 : 1;
}
