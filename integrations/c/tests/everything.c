/* What the other programs do not call, and what is refused while a world is in use. The file includes itself for each dimension. */
#ifndef DIM

#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(is_so)                                                                 \
    do {                                                                             \
        if (!(is_so)) {                                                              \
            printf("%s:%d: %s; %s\n", __FILE__, __LINE__, #is_so, clr_last_error()); \
            failures++;                                                              \
        }                                                                            \
    } while (0)
#define OK(call) CHECK((call) == CLR_OK)
#define REFUSED(call, status, words) CHECK((call) == (status) && strstr(clr_last_error(), words) != NULL)

static uint64_t double_of(void *context, uint64_t user_data) {
    (void)context;
    return 2 * user_data;
}

static bool differ(void *context, uint64_t a, uint64_t user_data_a, uint64_t b, uint64_t user_data_b) {
    (void)context, (void)a, (void)b;
    return user_data_a != user_data_b;
}

static uint64_t tick(void) {
    static uint64_t now = 0;
    return now += 1000000;
}

#define DIM 2
#define CLR(name) clr2_##name
#define IN(name) name##_in_plane
#include "everything.c"
#undef DIM
#undef CLR
#undef IN
#define DIM 3
#define CLR(name) clr3_##name
#define IN(name) name##_in_space
#include "everything.c"

static void only_in_space(void) {
    static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
        {2, 3, 7}, {2, 7, 6}, {1, 2, 6}, {1, 6, 5}, {0, 4, 7}, {0, 7, 3}};
    static const float flat[9] = {0}, dug[1] = {-1.0f}, scale[3] = {2.0f, 1.0f, 2.0f};
    clr3_shape *mesh = NULL, *solid = NULL, *welded = NULL, *field = NULL, *deep = NULL;
    clr3_height_block block = {1, 1, 1, 1, dug};
    clr3_placed placed;
    clr3_separation near;
    clr3_world *world = NULL;
    clr3_body body;
    uint64_t id;
    const double inside[3] = {0.5, 0.5, 0.25}, middle[3] = {0.0, 0.0, 0.0};
    uint32_t parts = 0;
    OK(clr3_shape_mesh(&corners[0][0], 8, &faces[0][0], 12, &mesh));
    OK(clr3_shape_mesh_welded(&corners[0][0], 8, &faces[0][0], 12, &welded));
    OK(clr3_shape_solid(mesh, &solid));
    OK(clr3_shape_part_count(mesh, &parts));
    CHECK(parts == 12);
    placed.shape = solid;
    placed.pose = clr3_pose_identity();
    OK(clr3_point_distance(inside, &placed, INFINITY, &near));
    CHECK(near.distance == -0.25f);
    OK(clr3_shape_height_field(flat, 3, 3, scale, &field));
    OK(clr3_shape_with_heights(field, &block, &deep));
    placed.shape = deep;
    OK(clr3_point_distance(middle, &placed, INFINITY, &near));
    CHECK(near.distance > 0.1f);
    OK(clr3_world_create(NULL, &world));
    body = clr3_body_fixed(field);
    OK(clr3_world_insert(world, &body, 1, &id));
    OK(clr3_world_set_heights(world, id, &block));
    block.row = 3;
    REFUSED(clr3_world_set_heights(world, id, &block), CLR_ARGUMENT, "row");
    OK(clr3_world_destroy(world));
    OK(clr3_shape_release(mesh));
    OK(clr3_shape_solid_mesh(&corners[0][0], 8, &faces[0][0], 12, &mesh));
    OK(clr3_shape_release(mesh));
    OK(clr3_shape_release(solid));
    OK(clr3_shape_release(welded));
    OK(clr3_shape_release(field));
    OK(clr3_shape_release(deep));
}

int main(void) {
    everything_in_plane();
    everything_in_space();
    only_in_space();
    return failures != 0;
}

#else

/* What a question that is under way may do with its world. */
struct IN(nested) { CLR(world) *world; clr_status asked, changed, ended; int calls; };

static bool IN(accept)(void *context, uint64_t body, uint64_t user_data, uint32_t part) {
    struct IN(nested) *nested = (struct IN(nested) *)context;
    CLR(pose) pose;
    (void)user_data, (void)part;
    nested->asked = CLR(world_poses)(nested->world, &body, 1, &pose);
    nested->changed = CLR(world_step)(nested->world, 0.0f);
    nested->ended = CLR(world_destroy)(nested->world);
    nested->calls++;
    return true;
}

static bool IN(ask_in_step)(void *context, uint64_t a, uint64_t user_data_a, uint64_t b, uint64_t user_data_b) {
    struct IN(nested) *nested = (struct IN(nested) *)context;
    CLR(pose) pose;
    (void)user_data_a, (void)b, (void)user_data_b;
    nested->asked = CLR(world_poses)(nested->world, &a, 1, &pose);
    nested->calls++;
    return true;
}

static void IN(octahedron)(void *context, const double *direction, double *point) {
    int k, most = 0;
    (void)context;
    for (k = 0; k < DIM; k++) {
        point[k] = 0.0;
        if (fabs(direction[k]) > fabs(direction[most])) most = k;
    }
    point[most] = direction[most] < 0.0 ? -1.0 : 1.0;
}

/* A shape of the program's that ends the world which asks for its points. */
static void IN(ending)(void *context, const double *direction, double *point) {
    struct IN(nested) *nested = (struct IN(nested) *)context;
    if (nested->world != NULL) {
        nested->ended = CLR(world_destroy)(nested->world);
        nested->calls++;
    }
    IN(octahedron)(NULL, direction, point);
}

static void IN(shapes_that_call)(CLR(world) *world) {
    struct IN(nested) nested;
    CLR(custom) custom;
    CLR(shape) *shape = NULL;
    CLR(placed) placed;
    CLR(body_near) near[4];
    CLR(body_near_list) list = {near, 4, 0};
    memset(&nested, 0, sizeof nested);
    memset(&custom, 0, sizeof custom);
    custom.support = IN(ending);
    custom.context = &nested;
    custom.bounding_radius = 1.0;
    custom.key[0] = 2;
    OK(CLR(shape_custom)(&custom, &shape));
    placed.shape = shape;
    placed.pose = CLR(pose_identity)();
    nested.world = world;
    OK(CLR(world_near_shape)(world, &placed, 9.0f, NULL, &list));
    CHECK(list.count > 0 && nested.calls > 0 && nested.ended == CLR_BUSY);
    OK(CLR(shape_release)(shape));
}

static void IN(shapes)(void) {
    const float up[DIM] = {0.0f, 1.0f};
    float half[DIM], size[DIM];
    float slope[DIM + 1][DIM] = {{0}};
    int32_t cells[3][DIM] = {{0}, {1}, {2}}, cell[DIM];
    static const uint64_t data[3] = {7, 8, 9};
    CLR(shape) *box = NULL, *own = NULL, *voxels = NULL, *dug = NULL, *tiles = NULL, *compound = NULL, *stored = NULL, *platform = NULL;
    CLR(custom) custom;
    CLR(tile) tile;
    CLR(tiles) of;
    CLR(cell_box) row;
    CLR(one_way) side;
    CLR(placed) parts[3];
    CLR(mass_properties) mass;
    CLR(separation) near[2];
    CLR(bounds) bounds;
    clr_bytes kind;
    clr_byte_list bytes = {NULL, 0, 0};
    uint32_t part = 0;
    uint64_t user_data = 0;
    bool filled = true;
    int k;
    for (k = 0; k < DIM; k++) {
        half[k] = 0.5f;
        size[k] = slope[k + 1][k] = 1.0f;
    }
    memset(&custom, 0, sizeof custom);
    custom.support = IN(octahedron);
    custom.bounding_radius = 1.0;
    custom.key[0] = 1;
    OK(CLR(shape_custom)(&custom, &own));
    OK(CLR(shape_bounds)(own, NULL, 0.0, &bounds));
    CHECK(fabsf(bounds.max[1] - 1.0f) < 1e-5f);
    REFUSED(CLR(shape_bounds)(own, NULL, -1.0, &bounds), CLR_ARGUMENT, "distance is -1");
    custom.support = NULL;
    REFUSED(CLR(shape_custom)(&custom, &own), CLR_NULL_POINTER, "support");
    OK(CLR(shape_cuboid)(half, &box));
    OK(CLR(shape_mass_properties)(box, 2.0f, &mass));
    CHECK(mass.mass == 2.0 && mass.volume == 1.0 && mass.inertia[0] > 0.0);

    OK(CLR(shape_voxels)(size, &cells[0][0], 3, &voxels));
    OK(CLR(shape_with_cells)(voxels, &cells[1][0], 1, false, &dug));
    OK(CLR(shape_has_cell)(dug, cells[1], &filled));
    CHECK(!filled);
    OK(CLR(shape_cell_of_part)(voxels, 2, cell));
    CHECK(memcmp(cell, cells[2], sizeof cell) == 0);
    OK(CLR(shape_part_of_cell)(voxels, cells[2], &part));
    CHECK(part == 2);
    memset(&tile, 0, sizeof tile);
    /* Half a cell, counted from its least corner. */
    OK(CLR(shape_hull)(&slope[0][0], DIM + 1, &stored));
    tile.shape = stored;
    tile.user_data = 5;
    memset(&of, 0, sizeof of);
    memset(&row, 0, sizeof row);
    row.high[0] = 9;
    row.filled = 1;
    of.boxes = &row;
    of.box_count = 1;
    of.palette = &tile;
    of.palette_count = 1;
    OK(CLR(shape_tiles)(size, &of, &tiles));
    OK(CLR(shape_release)(stored));
    OK(CLR(shape_release)(dug));
    OK(CLR(shape_with_tiles)(tiles, &cells[0][0], 2, 1, &dug));
    row.low[0] = INT32_MIN;
    row.high[0] = INT32_MAX;
    of.palette_count = 0;
    CHECK(CLR(shape_tiles)(size, &of, &stored) == CLR_ARGUMENT);

    for (k = 0; k < 3; k++) {
        parts[k].shape = box;
        parts[k].pose = CLR(pose_identity)();
        parts[k].pose.position[0] = k * 2.0;
    }
    OK(CLR(shape_compound)(parts, 3, &stored));
    OK(CLR(shape_with_part_user_data)(stored, data, 3, &compound));
    OK(CLR(shape_part_user_data)(compound, 2, &user_data));
    CHECK(user_data == 9);
    OK(CLR(shape_kind)(compound, &kind));
    CHECK(kind.count == 8 && memcmp(kind.data, "compound", 8) == 0);
    OK(CLR(shape_release)(stored));
    CHECK(CLR(shape_write)(compound, &bytes) == CLR_NO_ROOM);
    bytes.capacity = bytes.count;
    bytes.data = (uint8_t *)malloc(bytes.capacity);
    OK(CLR(shape_write)(compound, &bytes));
    OK(CLR(shape_read)(bytes.data, bytes.count, &stored));
    REFUSED(CLR(shape_read)(bytes.data + 1, bytes.count - 1, &stored), CLR_STORED, "must begin with");
    free(bytes.data);
    OK(CLR(shape_part_user_data)(stored, 1, &user_data));
    CHECK(user_data == 8);
    memset(&side, 0, sizeof side);
    memcpy(side.normal, up, sizeof up);
    OK(CLR(shape_one_way)(box, &side, &platform));

    OK(CLR(distances)(parts, &parts[1], 2, INFINITY, near));
    CHECK(near[0].distance == 1.0f && near[1].distance == 1.0f);
    parts[1].pose.position[0] = NAN;
    REFUSED(CLR(distances)(parts, &parts[1], 2, INFINITY, near), CLR_ARGUMENT, "pairs[0]");
    REFUSED(CLR(shape_scaled_by)(box, NULL, &dug), CLR_NULL_POINTER, "factors");
    OK(CLR(shape_release)(box));
    OK(CLR(shape_scaled_by)(compound, size, &box));
    OK(CLR(shape_release)(box));
    OK(CLR(shape_release)(own));
    OK(CLR(shape_release)(voxels));
    OK(CLR(shape_release)(dug));
    OK(CLR(shape_release)(tiles));
    OK(CLR(shape_release)(compound));
    OK(CLR(shape_release)(stored));
    OK(CLR(shape_release)(platform));
}

static void IN(everything)(void) {
    const float down[DIM] = {0.0f, -1.0f};
    float half[DIM];
    CLR(world) *world = NULL;
    CLR(shape) *box = NULL, *of_body = NULL;
    CLR(options) options = CLR(options_default)();
    CLR(contact) contact, contacts[4];
    CLR(contact_list) list = {contacts, 4, 0};
    CLR(impact) impact, impacts[4];
    CLR(impact_list) impact_list = {impacts, 4, 0};
    CLR(manifold) manifold, manifolds[4];
    CLR(manifold_list) manifold_list = {manifolds, 4, 0};
    CLR(separation) separations[4];
    CLR(separation_list) separation_list = {separations, 4, 0};
    CLR(sliding) sliding;
    CLR(slide) slide;
    CLR(cast) casts[2];
    CLR(body_cast_hit) hits[2];
    CLR(placed) placed[2];
    CLR(body) description;
    CLR(push_out) push_out;
    struct IN(nested) nested;
    struct { uint64_t id; CLR(pose) pose; char name[16]; } own[2];
    clr_filter filter = clr_filter_default();
    clr_profile profile;
    clr_body_pair pair;
    float normal[DIM];
    uint64_t ids[2], hash, other;
    bool is_so = false;
    int k;
    IN(shapes)();
    for (k = 0; k < DIM; k++) half[k] = 0.5f;
    options.part_contacts = options.surface_contacts = options.manifolds = 1;
    OK(CLR(world_create)(&options, &world));
    OK(CLR(shape_cuboid)(half, &box));
    memset(own, 0, sizeof own);
    for (k = 0; k < 2; k++) {
        description = CLR(body_moving)(box);
        description.swept = 1;
        description.user_data = (uint64_t)(5 + k);
        description.pose.position[0] = 3.0 * k;
        description.velocity.linear[0] = k ? -4.0f : 0.0f;
        OK(CLR(world_insert)(world, &description, 1, &ids[k]));
        own[k].pose = CLR(pose_identity)();
    }
    OK(CLR(world_step)(world, 0.51f));
    OK(CLR(world_impact)(world, ids[1], ids[0], &impact));
    CHECK(impact.hit == 1 && impact.a == ids[0]);
    OK(CLR(world_impacts_of)(world, ids[0], &impact_list));
    CHECK(impact_list.count == 1);
    OK(CLR(world_contact)(world, ids[1], ids[0], &contact));
    CHECK(contact.a == ids[0] && contact.distance < 0.0f);
    OK(CLR(world_part_contacts_between)(world, ids[0], ids[1], &list));
    CHECK(list.count == 1);
    OK(CLR(world_surface_contacts_between)(world, ids[0], ids[1], &list));
    OK(CLR(world_manifold)(world, ids[0], ids[1], &manifold));
    CHECK(manifold.point_count == 2 * DIM - 2 && manifold.b == ids[1]);
    OK(CLR(world_find_manifolds)(world, &manifold_list));
    CHECK(manifold_list.count == 1);
    OK(CLR(world_push_out)(world, ids[1], NULL, &push_out));
    CHECK(push_out.translation[0] > 0.03f);

    /* Poses that lie in structs of the program's. */
    own[0].id = ids[0];
    own[1].id = ids[1];
    own[1].pose.position[1] = 4.0;
    OK(CLR(world_set_poses_strided)(world, &own[0].id, sizeof own[0], &own[0].pose, sizeof own[0], 2));
    own[1].pose.position[1] = 0.0;
    OK(CLR(world_poses_strided)(world, ids, 2, &own[0].pose, sizeof own[0]));
    CHECK(own[1].pose.position[1] == 4.0);
    REFUSED(CLR(world_poses_strided)(world, ids, 2, &own[0].pose, 3), CLR_ARGUMENT, "stride");

    /* Shapes in motion. */
    for (k = 0; k < 2; k++) {
        memset(&casts[k], 0, sizeof casts[k]);
        casts[k].shape = box;
        casts[k].pose = CLR(pose_identity)();
        casts[k].pose.position[1] = k ? 9.0 : -9.0;
        casts[k].motion.linear[1] = k ? -8.0f : -1.0f;
        placed[k].shape = box;
        placed[k].pose = CLR(pose_identity)();
        placed[k].pose.position[1] = 1.0 * k;
    }
    OK(CLR(world_cast_shapes)(world, casts, 2, NULL, NULL, hits));
    CHECK(hits[0].hit == 0 && hits[0].body == 0 && hits[1].body == ids[1] && fabsf(hits[1].time - 0.5f) < 1e-5f);
    sliding = CLR(sliding_default)(box, placed[1].pose);
    sliding.motion[0] = 1.0f;
    OK(CLR(world_slide)(world, &sliding, NULL, NULL, &slide, NULL));
    CHECK(slide.pose.position[0] > 0.9);
    OK(CLR(contact_manifolds)(&placed[0], &placed[1], 0.1f, &manifold_list, &is_so));
    CHECK(is_so && manifold_list.count == 1 && manifolds[0].a == 0);
    OK(CLR(part_contacts)(&placed[0], &placed[1], 0.1f, &separation_list, NULL));
    OK(CLR(face_normal)(&placed[1], &separations[0], down, normal));
    CHECK(fabsf(fabsf(normal[1]) - 1.0f) < 1e-6f);

    /* What is told of bodies. */
    OK(CLR(world_bodies)(world, ids, 1, &description));
    CHECK(description.shape == NULL && description.user_data == 5 && description.swept == 1);
    OK(CLR(world_shape)(world, ids[0], &of_body));
    OK(CLR(shape_release)(of_body));
    other = clr_id_unmarked(ids[0]);
    CHECK(other != 0 && clr_id_equal(other, ids[0]) && clr_id_from_parts(clr_id_slot(other), clr_id_generation(other)) == other);
    OK(CLR(world_contains)(world, other, &is_so));
    CHECK(is_so);
    OK(CLR(world_state_hash_by)(world, double_of, NULL, &hash));
    OK(CLR(world_state_hash)(world, &other));
    CHECK(hash != other);
    REFUSED(CLR(world_contact)(world, ids[0], 0, &contact), CLR_BODY, "the id is 0");

    /* Rules of pairs, and a clock of the program's. */
    pair.a = ids[0];
    pair.b = ids[1];
    OK(CLR(world_ignore_pairs)(world, &pair, 1));
    OK(CLR(world_is_ignored)(world, ids[1], ids[0], &is_so));
    CHECK(is_so);
    OK(CLR(world_unignore_pairs)(world, &pair, 1));
    pair.b = ids[0];
    REFUSED(CLR(world_ignore_pairs)(world, &pair, 1), CLR_ARGUMENT, "pairs[0]");
    OK(CLR(world_options)(world, &options));
    options.threads = 2;
    options.margin = -1.0f;
    REFUSED(CLR(world_set_options)(world, &options), CLR_ARGUMENT, "margin is -1");
    OK(CLR(world_options)(world, &options));
    CHECK(options.threads == 1 && options.margin > 0.0f);
    OK(CLR(world_set_options)(world, &options));
    OK(CLR(world_set_pair_filter)(world, differ, NULL));
    OK(CLR(world_set_profiling_by)(world, tick));
    OK(CLR(world_step)(world, 0.0f));
    OK(CLR(world_profile)(world, &profile));
    CHECK(profile.measure > 0.0);

    /* While a question calls the program, the world may be asked and not be changed; while a step does, it may not even be asked. */
    memset(&nested, 0, sizeof nested);
    nested.world = world;
    filter.accepts = IN(accept);
    filter.context = &nested;
    OK(CLR(world_cast_shapes)(world, casts, 2, NULL, &filter, hits));
    CHECK(nested.calls > 0 && nested.asked == CLR_OK && nested.changed == CLR_BUSY && nested.ended == CLR_BUSY);
    IN(shapes_that_call)(world);
    nested.calls = 0;
    own[1].pose.position[1] = 1.0;
    OK(CLR(world_set_poses)(world, &ids[1], &own[1].pose, 1));
    OK(CLR(world_set_pair_filter)(world, IN(ask_in_step), &nested));
    OK(CLR(world_step)(world, 0.0f));
    CHECK(nested.calls > 0 && nested.asked == CLR_BUSY);
    filter.size = 1;
    REFUSED(CLR(world_cast_shapes)(world, casts, 2, NULL, &filter, hits), CLR_ARGUMENT, "filter.size");
    OK(CLR(world_validate)(world));
    OK(CLR(shape_release)(box));
    OK(CLR(world_destroy)(world));
}

#endif
