/*
 * Clearance, a collision engine, for C99 and C++17. Written by integrations/c/header from the sources: do not edit.
 *
 * Calls that begin with clr2_ are about the plane, those with clr3_ about space; positions are in double precision.
 *
 * Status. Calls return a clr_status. After any but CLR_OK nothing has changed, but for what a call says, and clr_last_error has the
 * sentence: what was wrong, where, and what would be right. Bad input is refused, whatever it is: NULL, sizes that overflow, NaN, codes
 * without a name, freed handles, ids of removed bodies or of other worlds.
 *
 * Ownership. Worlds, shapes and snapshots that a call makes belong to the caller, who ends them. Arrays that are passed in are read until
 * the call returns, and then belong to the caller alone. Structs { data, count } that a call fills are borrowed: the library holds the
 * array, and it is valid until the next call that changes the world.
 *
 * Arrays of vectors are lists of numbers, three for each vector, two in the plane; `count` counts the vectors. So are those of triangles.
 *
 * Lists whose length is not known before are written to an array of the caller's with room for `capacity` items; `count` becomes the number
 * there is. With CLR_NO_ROOM the first `capacity` are written, so NULL and 0 ask for the number alone.
 *
 * Ids. A body is a uint64_t; 0 is none. Ids sort as the bodies were inserted into free slots; clr_id_unmarked is for storing and sending.
 *
 * Threads. Any number of threads may ask a world at a time, while none changes it: a world behind a pointer to const is asked, else
 * changed. Different worlds have nothing in common. Shapes may be made, counted and read by any thread; a shape or a world is freed when no
 * call with its handle is under way. The sentence of clr_last_error is that of the calling thread.
 *
 * Functions of the program's that the library calls must not throw exceptions, and must not change the world that calls them.
 *
 * Units: lengths in any unit, angles in radians, times in seconds, axes right-handed. A distance is positive for a gap and minus the depth
 * for an overlap; normals point from a to b.
 *
 * Structs have no padding without a name; set what is named reserved to zero. A struct whose first field is `size` may grow: start from
 * the function for its defaults.
 */
#ifndef CLEARANCE_CLEARANCE_H
#define CLEARANCE_CLEARANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(CLR_SHARED)
#define CLR_API __declspec(dllimport)
#else
#define CLR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** No part, where a part is asked for. */
#define CLR_NO_PART UINT32_MAX

/** The version of this header, for clr_check_abi. */
#define CLR_ABI_VERSION 1u

/** What a call came to. After any but CLR_OK, clr_last_error has the sentence, and nothing else has changed. */
typedef int32_t clr_status;
enum {
    /** The call did what it says. */
    CLR_OK = 0,
    /** A pointer is NULL that must not be. */
    CLR_NULL_POINTER = 1,
    /** A number, a size, a code or a shape is not valid; or a pointer is not aligned. */
    CLR_ARGUMENT = 2,
    /** A world, a shape or a snapshot was destroyed, or never was one. */
    CLR_HANDLE = 3,
    /** An id is that of no body of the world: the body was removed, or is of another world. */
    CLR_BODY = 4,
    /** The array of the caller is too small. The call says how many items there are; as many as have room are written. */
    CLR_NO_ROOM = 5,
    /** There are too many worlds, shapes or bodies. */
    CLR_FULL = 6,
    /** The world is in use: a function that a question or a step calls may not change it, and one that a step calls may not ask it. */
    CLR_BUSY = 7,
    /** The bytes are not a snapshot or a shape of this version and dimension. */
    CLR_STORED = 8,
    /** The header that the program was compiled with is not that of the library. */
    CLR_ABI = 9,
    /** The library has a defect: please report it. The world that was called refuses all further calls with this status. */
    CLR_PANIC = 10
};

/** How a distance was found, and how precise it is. */
typedef uint8_t clr_distance_status;
enum {
    /** By a closed form: the bounds differ by rounding errors only. */
    CLR_DISTANCE_EXACT = 0,
    /** By iteration, until the bounds were close enough. */
    CLR_DISTANCE_CONVERGED = 1,
    /** By a search that had to stop early. The bounds hold, but are farther apart. */
    CLR_DISTANCE_ITERATION_LIMIT = 2,
    /** A number is beyond the range of single precision. The bounds hold; one of them may be infinite. */
    CLR_DISTANCE_SATURATED = 3,
    /** Not measured: proven to be farther apart than was asked, or nothing is hit. Only lower is known. */
    CLR_DISTANCE_FARTHER = 4,
    /** Two half-spaces whose overlap has no end. */
    CLR_DISTANCE_UNBOUNDED = 5
};

/** Whether a step moves a body. */
typedef uint8_t clr_body_kind;
enum {
    /** A step leaves it where it is: walls, floors. Two fixed bodies make no contact with each other. */
    CLR_BODY_FIXED = 0,
    /** A step moves it by its velocity: players, crates, platforms. */
    CLR_BODY_MOVING = 1
};

/** What changed for a pair of bodies in the last step. */
typedef uint8_t clr_event_kind;
enum {
    /** The bodies came within the margin. */
    CLR_EVENT_ENTERED = 0,
    /** They began to touch. */
    CLR_EVENT_BEGAN = 1,
    /** They touched before and still do. */
    CLR_EVENT_STAYED = 2,
    /** They no longer touch. */
    CLR_EVENT_ENDED = 3,
    /** They are no longer within the margin. */
    CLR_EVENT_LEFT = 4
};

/** How a ray treats the inside of shapes. */
typedef uint32_t clr_ray_interior;
enum {
    /** A ray that starts inside of a shape hits it at distance 0, without a normal. */
    CLR_INTERIOR_SOLID = 0,
    /** A ray that starts inside of a shape hits the place where it leaves the shape. */
    CLR_INTERIOR_HOLLOW = 1
};

/** Whether a ray hits surfaces from behind. */
typedef uint32_t clr_ray_back_faces;
enum {
    /** They are hit, and the hit says so. */
    CLR_BACK_FACES_HIT = 0,
    /** The ray passes through them. */
    CLR_BACK_FACES_PASS = 1
};

/** How a cast treats shapes that are within range at the start and move apart. */
typedef uint32_t clr_cast_leaving;
enum {
    /** They are hit at time 0, as all that are within range at the start. */
    CLR_LEAVING_HIT = 0,
    /** They are passed over, so that a shape can leave what it touches. */
    CLR_LEAVING_PASS = 1,
    /** They are never hit, whatever they do. */
    CLR_LEAVING_IGNORE = 2
};

/** What a shape does that meets something which it cannot walk on or climb. */
typedef uint32_t clr_slide_at_walls;
enum {
    /** It slides along. */
    CLR_AT_WALLS_SLIDE = 0,
    /** It stops, as one that follows a path or a grid should. */
    CLR_AT_WALLS_STOP = 1
};

/** The structure that finds overlapping boxes. Contacts do not depend on it. */
typedef uint32_t clr_backend;
enum {
    /** A tree: the fastest for nearly all scenes. */
    CLR_BACKEND_TREE = 0,
    /** Every box against every other, for a few dozen bodies, and for checking the tree. */
    CLR_BACKEND_BRUTE_FORCE = 1
};

/** Whether a question is about a body, or a part of one. The function may be called from several threads at a time. */
typedef bool (*clr_accepts)(void *context, uint64_t body, uint64_t user_data, uint32_t part);

/** Whether two bodies can make a contact. The function may be called from several threads at a time. */
typedef bool (*clr_may_meet)(void *context, uint64_t a, uint64_t user_data_a, uint64_t b, uint64_t user_data_b);

/**
 * The point of a convex shape of your own that is farthest along a direction, which need not be of unit length: three numbers each, two in
 * the plane. The function may be called from several threads at a time, and must give the same point for the same direction.
 */
typedef void (*clr_support)(void *context, const double *direction, double *point);

/** What stands for the user data of a body in a hash. */
typedef uint64_t (*clr_hashed_data)(void *context, uint64_t user_data);

/** A clock of C: nanoseconds since any moment. */
typedef uint64_t (*clr_clock)(void);

/** The groups of a body, one bit each. Two bodies can make a contact if each is a member of a group that the other one meets. */
typedef struct clr_groups {
    /** The groups that it is a member of: its layers. */
    uint32_t memberships;
    /** The groups that it meets: its mask. */
    uint32_t filter;
} clr_groups;

/** Two bodies; a has the smaller id. */
typedef struct clr_body_pair {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
} clr_body_pair;

/** What a ray may hit. Start from clr_ray_options_default. NULL in its place stands for the defaults. */
typedef struct clr_ray_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** The greatest distance of a hit, in units of length, >= 0; infinite at first. */
    float max_distance;
    /** How the inside of shapes is treated; solid at first. */
    clr_ray_interior interior;
    /** Whether surfaces are hit from behind; they are at first. */
    clr_ray_back_faces back_faces;
} clr_ray_options;

/** What counts as met by a shape in motion. Start from clr_cast_options_default. NULL in its place stands for the defaults. */
typedef struct clr_cast_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** The distance that counts as met, in units of length, >= 0; 0 at first. */
    float within;
    /** What happens to shapes that are within range at the start and move apart; they are hit at first. */
    clr_cast_leaving leaving;
} clr_cast_options;

/** Which bodies a question is about. Start from clr_filter_default, which is about all. NULL in its place stands for that. */
typedef struct clr_filter {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** Named so that there is no padding; zero. */
    uint32_t reserved;
    /** The groups of the question, as if a body with these groups asked. */
    clr_groups groups;
    /** Ids of bodies that are passed over, such as the one that asks. Other numbers pass over nothing. */
    const uint64_t *exclude;
    /** How many ids there are. */
    size_t exclude_count;
    /** Is called for each body that all else accepts, with part 0, and passes it over where it returns false. NULL accepts all. */
    clr_accepts accepts;
    /**
     * Is called for parts of composites, and passes a part over where it returns false. NULL accepts all. Parts that it refuses are
     * searched like others.
     */
    clr_accepts accepts_part;
    /** The first argument of both functions. */
    void *context;
} clr_filter;

/** Times and counts of the last step. Times are in seconds, and zero unless profiling is on. */
typedef struct clr_profile {
    /** Time spent on moving bodies by their velocities. */
    double move_bodies;
    /** Time spent on bounding boxes. */
    double bound;
    /** Time spent on finding pairs whose boxes overlap. */
    double pair;
    /** Time spent on measuring those pairs. */
    double measure;
    /** Time spent on assembling the contacts. */
    double report;
    /** How many bodies got a new bounding box. */
    uint64_t boxes_updated;
    /** How many pairs might be contacts: their boxes overlap, and their groups allow it. */
    uint64_t candidates;
    /** How many candidates were selected for measuring, since one of their bodies changed. */
    uint64_t selected;
    /** How many selected pairs were looked at on their ways, because one of their bodies is swept. */
    uint64_t swept;
    /** For how many of those it was left open whether they met, since the search ended at its effort. */
    uint64_t open_impacts;
    /** For how many selected pairs the search ended at its effort before it found any parts that count. */
    uint64_t undecided;
    /** How many of the candidates are contacts. */
    uint64_t contacts;
    /** How many contacts of parts there are. */
    uint64_t part_contacts;
    /** How many contact manifolds there are. */
    uint64_t manifolds;
    /** How many pairs were measured whose part contacts are not complete. */
    uint64_t incomplete_parts;
    /** How many contacts were measured by a closed form; zero unless profiling, as the next three. */
    uint64_t closed_form;
    /** How many contacts were measured by iteration, to the tolerance. */
    uint64_t iteration;
    /** How many contacts were measured by iteration that stopped at its limit. */
    uint64_t iteration_limit;
    /** How many contacts are beyond the range of single precision. */
    uint64_t saturated;
} clr_profile;

/** Bytes that the library holds. */
typedef struct clr_bytes {
    /** The first byte. */
    const uint8_t *data;
    /** How many there are. */
    size_t count;
} clr_bytes;

/** How many bodies to find, and how far away. */
typedef struct clr_nearest {
    /** The greatest number of bodies to find. */
    uint32_t count;
    /** The greatest signed distance, in units of length; it may be infinite. */
    float within;
} clr_nearest;

/** Room of the caller for ids. */
typedef struct clr_id_list {
    /** Where items are written; may be NULL if there is no room for any. */
    uint64_t *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr_id_list;

/** Room of the caller for bytes. */
typedef struct clr_byte_list {
    /** Where items are written; may be NULL if there is no room for any. */
    uint8_t *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr_byte_list;

/** Room of the caller for pairs of bodies. */
typedef struct clr_body_pair_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr_body_pair *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr_body_pair_list;

/**
 * The sentence of the last call of this thread that did not return CLR_OK: what was wrong, where, and what would be right. An empty text
 * if there was none. It is in UTF-8, belongs to the library, and is valid until the next call of this thread that is refused.
 */
CLR_API const char *clr_last_error(void);

/**
 * Compares what the program was compiled with with the library: pass CLR_ABI_VERSION and CLR_ABI_SIZES. CLR_ABI if header and library do
 * not belong together.
 */
CLR_API clr_status clr_check_abi(uint32_t version, uint64_t sizes);

/** The name of a status, such as "CLR_BODY"; "unknown" for other numbers. The text is constant. */
CLR_API const char *clr_status_name(clr_status status);

/** Rays of any length that hit all surfaces from both sides, and solid shapes from inside. */
CLR_API clr_ray_options clr_ray_options_default(void);

/** Casts that meet what they touch. */
CLR_API clr_cast_options clr_cast_options_default(void);

/** A filter that lets a question be about all bodies. */
CLR_API clr_filter clr_filter_default(void);

/**
 * The same id without the mark of its world: every world that has such a body accepts it. Store or send this one: two worlds that did the
 * same have equal unmarked ids, while marked ones of two worlds differ.
 */
CLR_API uint64_t clr_id_unmarked(uint64_t id);

/** The slot of an id, counted from 0: at most one body at a time lives in it, so it can be the place in an array of the caller's. */
CLR_API uint32_t clr_id_slot(uint64_t id);

/** How many bodies lived in the slot of an id before. */
CLR_API uint32_t clr_id_generation(uint64_t id);

/** The id of a slot and a generation, without the mark of a world, as clr_id_unmarked gives it. */
CLR_API uint64_t clr_id_from_parts(uint32_t slot, uint32_t generation);

/** Whether two ids are those of one body, whatever their marks. */
CLR_API bool clr_id_equal(uint64_t a, uint64_t b);

/** The version of the library as text, such as "0.1.0". The text is constant. */
CLR_API const char *clr_version(void);

/** Member of every group, meeting every group: the default of bodies and questions. */
CLR_API clr_groups clr_groups_all(void);

/* The plane. */

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr2_world clr2_world;

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr2_shape clr2_shape;

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr2_snapshot clr2_snapshot;

/** Where something is: it is turned about its origin, then moved. Start from clr2_pose_identity: a rotation of zeros is refused. */
typedef struct clr2_pose {
    /** Where its origin is, in units of length, in double precision. */
    double position[2];
    /** How it is turned. Space: a quaternion of unit length, x, y, z, w. The plane: the cosine and the sine of the angle. */
    double rotation[2];
} clr2_pose;

/** How fast a body moves. */
typedef struct clr2_velocity {
    /** The velocity of its origin, in units of length a second, in the frame of the world. */
    float linear[2];
    /** How fast it turns about its origin, in radians a second, counter-clockwise. Space: a vector along the axis. */
    float angular;
} clr2_velocity;

/** The description of a body. Start from clr2_body_fixed or clr2_body_moving. */
typedef struct clr2_body {
    /** Its shape, in the frame of the body. The world keeps what it needs, so the caller may release the shape after the call. */
    const clr2_shape *shape;
    /** Where it is. */
    clr2_pose pose;
    /** A number of the caller's. No answer depends on it, unless a function of the caller's reads it. */
    uint64_t user_data;
    /** How fast it moves; kept, but not applied, while it is fixed. */
    clr2_velocity velocity;
    /** Which bodies it can make contacts with. */
    clr_groups groups;
    /** Added to the margin of the world for all of its contacts, in units of length, >= 0. */
    float extra_margin;
    /** Whether a step moves it. */
    clr_body_kind kind;
    /** Whether its pairs give the contacts of their parts, too: 0 or 1. */
    uint8_t part_contacts;
    /** Whether steps find and keep the contact manifolds of its pairs: 0 or 1. */
    uint8_t manifolds;
    /** Whether a step looks at its whole way, so that it meets nothing unnoticed: 0 or 1. */
    uint8_t swept;
    /** What rounding left over of its pose, as the world gave it: zeros at first. Of another pose it is ignored. */
    uint32_t residual[4];
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr2_body;

/** A shape at a pose. */
typedef struct clr2_placed {
    /** The shape. */
    const clr2_shape *shape;
    /** Where it is. */
    clr2_pose pose;
} clr2_placed;

/** A ray. */
typedef struct clr2_ray {
    /** Where it starts. */
    double origin[2];
    /** Where it goes: of any length but zero. */
    float direction[2];
} clr2_ray;

/** A shape in motion, from time 0 to time 1. */
typedef struct clr2_cast {
    /** The shape. */
    const clr2_shape *shape;
    /** Where it is at time 0. */
    clr2_pose pose;
    /** How far its origin goes, and by how much it turns, until time 1. */
    clr2_velocity motion;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr2_cast;

/** How far apart two shapes are. With the status CLR_DISTANCE_FARTHER only lower is known. */
typedef struct clr2_separation {
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[3];
} clr2_separation;

/** Two bodies that are no farther apart than their margins allow. */
typedef struct clr2_contact {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[3];
} clr2_contact;

/** What changed for two bodies in the last step, with the contact of that step, or of the one before if there is none any more. */
typedef struct clr2_event {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The user data of a, also where that body was removed. */
    uint64_t user_data_a;
    /** The user data of b, also where that body was removed. */
    uint64_t user_data_b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** What changed. */
    clr_event_kind kind;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[2];
} clr2_event;

/** When and where two shapes in motion meet; of a world, a is the shape in motion, and b the body. */
typedef struct clr2_cast_hit {
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
    /** Named so that there is no padding; zero. */
    uint8_t reserved_end[4];
} clr2_cast_hit;

/** When and where a shape in motion (a) meets a body (b). */
typedef struct clr2_body_cast_hit {
    /** The body; 0 if none is met. */
    uint64_t body;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
    /** Named so that there is no padding; zero. */
    uint8_t reserved_end[4];
} clr2_body_cast_hit;

/** Where and when two bodies met within the last step, of which one is swept. */
typedef struct clr2_impact {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
    /** Named so that there is no padding; zero. */
    uint8_t reserved_end[4];
} clr2_impact;

/** A body (b) that is near what was asked about (a). */
typedef struct clr2_body_near {
    /** The place of the question in the batch; 0 of a single question. */
    uint64_t question;
    /** The body. */
    uint64_t body;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[3];
} clr2_body_near;

/** A point in which two shapes touch or face each other. */
typedef struct clr2_manifold_point {
    /** The point on the surface of a, in the frame of the world. */
    double point_a[2];
    /** The point on the surface of b, in the frame of the world. */
    double point_b[2];
    /** The signed distance of the surfaces here, along the normal, in units of length. */
    float distance;
    /** What the point is on a: equal numbers of one shape are one corner, edge or face. */
    uint32_t feature_a;
    /** What the point is on b. */
    uint32_t feature_b;
    /** The place of the point of the step before that it goes on from; -1 if there is none. */
    int32_t before;
} clr2_manifold_point;

/** The points in which two bodies, or two parts of them, touch: what a solver needs. Their normal is normal. */
typedef struct clr2_manifold {
    /** The body with the smaller id; 0 for two shapes without a world. */
    uint64_t a;
    /** The body with the larger id; 0 for two shapes without a world. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[2];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[2];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[2];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** How many points there are. */
    uint8_t point_count;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[2];
    /** The points, of which the first point_count count. */
    clr2_manifold_point points[2];
} clr2_manifold;

/** Where a ray hits a shape. */
typedef struct clr2_ray_hit {
    /** The place of the hit, in the frame of the world. */
    double point[2];
    /** The length of the ray up to the hit, in units of length; infinite if nothing is hit. */
    float distance;
    /** The true distance is at least this. */
    float lower;
    /** If the ray truly hits, and does not only pass within rounding, the true distance is at most this. */
    float upper;
    /** The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid shape. */
    float normal[2];
    /** The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon. */
    uint32_t part;
    /** 1 if something is hit; else 0, and the rest says nothing. */
    uint8_t hit;
    /** 1 if the surface is hit from behind, else 0. */
    uint8_t is_back_face;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[5];
} clr2_ray_hit;

/** Where a ray hits a body. */
typedef struct clr2_body_ray_hit {
    /** The body; 0 if none is hit. */
    uint64_t body;
    /** The place of the hit, in the frame of the world. */
    double point[2];
    /** The length of the ray up to the hit, in units of length; infinite if nothing is hit. */
    float distance;
    /** The true distance is at least this. */
    float lower;
    /** If the ray truly hits, and does not only pass within rounding, the true distance is at most this. */
    float upper;
    /** The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid shape. */
    float normal[2];
    /** The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon. */
    uint32_t part;
    /** 1 if something is hit; else 0, and the rest says nothing. */
    uint8_t hit;
    /** 1 if the surface is hit from behind, else 0. */
    uint8_t is_back_face;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[5];
} clr2_body_ray_hit;

/** A box with sides along the axes. */
typedef struct clr2_bounds {
    /** The corner with the least coordinates. */
    float min[2];
    /** The corner with the greatest coordinates. */
    float max[2];
} clr2_bounds;

/** Contacts that the library holds. */
typedef struct clr2_contacts {
    /** The first contact. */
    const clr2_contact *data;
    /** How many there are. */
    size_t count;
} clr2_contacts;

/** Events that the library holds. */
typedef struct clr2_events {
    /** The first event. */
    const clr2_event *data;
    /** How many there are. */
    size_t count;
} clr2_events;

/** Impacts that the library holds. */
typedef struct clr2_impacts {
    /** The first impact. */
    const clr2_impact *data;
    /** How many there are. */
    size_t count;
} clr2_impacts;

/** Manifolds that the library holds. */
typedef struct clr2_manifolds {
    /** The first manifold. */
    const clr2_manifold *data;
    /** How many there are. */
    size_t count;
} clr2_manifolds;

/** Room of the caller for contacts. */
typedef struct clr2_contact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_contact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_contact_list;

/** Room of the caller for impacts. */
typedef struct clr2_impact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_impact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_impact_list;

/** Room of the caller for manifolds. */
typedef struct clr2_manifold_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_manifold *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_manifold_list;

/** Room of the caller for distances. */
typedef struct clr2_separation_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_separation *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_separation_list;

/** Room of the caller for hits of rays. */
typedef struct clr2_ray_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_ray_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_ray_hit_list;

/** Room of the caller for bodies that a ray hits. */
typedef struct clr2_body_ray_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_body_ray_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_body_ray_hit_list;

/** Room of the caller for bodies that a shape in motion meets. */
typedef struct clr2_body_cast_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_body_cast_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_body_cast_hit_list;

/** Room of the caller for bodies that are near. */
typedef struct clr2_body_near_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_body_near *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_body_near_list;

/** How a world is set up. Start from clr2_options_default. */
typedef struct clr2_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** Pairs that are no farther apart than this are contacts, in units of length, >= 0; 0.05 at first. */
    float margin;
    /**
     * How many threads a step and a batch of questions use, with the one that calls: from 1, which it is at first. Answers do not depend
     * on it.
     */
    uint32_t threads;
    /** How long a question about composites may search; 262144 at first, which takes tens of milliseconds for most shapes. */
    uint32_t effort;
    /** The structure that finds overlapping boxes. */
    clr_backend backend;
    /** Whether every pair gives the contacts of its parts, too: 0 or 1; 0 at first. */
    uint8_t part_contacts;
    /** Whether steps tell the part contacts of a surface without those of its seams: 0 or 1; 0 at first. */
    uint8_t surface_contacts;
    /** Whether steps find the contact manifolds of all pairs: 0 or 1; 0 at first. */
    uint8_t manifolds;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
} clr2_options;

/** The side from which a shape or a tile counts. */
typedef struct clr2_one_way {
    /** The unit vector from the tile to that side, in the frame of the shape: up, for a platform. */
    float normal[2];
    /** How far what counts may reach below the end of the tile along the normal, in units of length, >= 0. */
    float depth;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr2_one_way;

/** A shape that cells of voxels can have instead of the whole cell. */
typedef struct clr2_tile {
    /** A convex shape within the cell, whose least corner is the origin. */
    const clr2_shape *shape;
    /** A number of the caller's. */
    uint64_t user_data;
    /** The side from which the tile counts, if is_one_way. */
    clr2_one_way side;
    /** Whether the tile counts from one side only: 0 or 1. */
    uint32_t is_one_way;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr2_tile;

/** A convex shape of your own, for clr2_shape_custom. */
typedef struct clr2_custom {
    /** The farthest point along a direction. */
    clr_support support;
    /** The first argument of the function. It must live as long as any shape that is made of this one. */
    void *context;
    /** A point within the shape. */
    double center[2];
    /** No point of the shape is farther from the origin of the body. */
    double bounding_radius;
    /** Equal for equal shapes, different for different ones. */
    uint32_t key[8];
} clr2_custom;

/** A block of cells. */
typedef struct clr2_cell_box {
    /** The cell with the least numbers. */
    int32_t low[2];
    /** The cell with the greatest numbers; it belongs to the block. */
    int32_t high[2];
    /** Whether the cells are filled, 1, or emptied, 0. */
    uint32_t filled;
} clr2_cell_box;

/** Cells of a grid, for clr2_shape_tiles. */
typedef struct clr2_tiles {
    /** Blocks of cells that are filled or emptied, one after the other, before the single cells. */
    const clr2_cell_box *boxes;
    /** How many blocks there are. */
    size_t box_count;
    /** The single cells. */
    const int32_t *cells;
    /** What each of them is filled with: k is tile k - 1 of the palette, and 0 the whole cell. NULL for whole cells. */
    const uint8_t *entries;
    /** How many single cells there are. */
    size_t cell_count;
    /** The palette. */
    const clr2_tile *palette;
    /** How many tiles it has. */
    size_t palette_count;
} clr2_tiles;

/** How heavy a shape is, and how its mass is spread, in the frame of the shape. */
typedef struct clr2_mass_properties {
    /** The volume; in the plane the area. */
    double volume;
    /** The mass: the volume times the density. */
    double mass;
    /** The point at which the mass is balanced. */
    double center_of_mass[2];
    /** The inertia about that point: in space a symmetric matrix, row by row; in the plane one number. */
    double inertia[1];
} clr2_mass_properties;

/** How a shape moves and slides. Start from clr2_slide_options_default. NULL in its place stands for the defaults. */
typedef struct clr2_slide_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** Where up is: of any length but zero; along y at first. Zeros for games that have no up: everything is a wall then. */
    float up[2];
    /** The greatest angle between up and the normal of a surface that can be walked on, in radians; 50 degrees at first. */
    float max_slope;
    /** How high a step can be climbed, in units of length, >= 0; 0.3 at first. */
    float step_height;
    /**
     * How far the foremost point must get beyond the edge of a step, in units of length; negative, as at first, for a quarter of the least
     * half extent of the shape.
     */
    float step_depth;
    /** How steep the contact of a round foot with an edge may be for the edge to carry it, in radians; 70 degrees at first. */
    float max_edge_slope;
    /** How far a shape that stands is drawn down to the ground, in units of length, >= 0; 0.3 at first. */
    float snap_distance;
    /** The gap that is kept from everything, in units of length; negative, as at first, for a fiftieth of the least half extent. */
    float skin;
    /** Whether it slides along walls or stops at them; it slides at first. */
    clr_slide_at_walls at_walls;
} clr2_slide_options;

/** The ground that a shape stands on: keep it for the next slide. */
typedef struct clr2_slide_ground {
    /** The body; 0 if the shape does not stand. */
    uint64_t body;
    /** The point of the ground that is nearest to the shape. */
    double point[2];
    /** The unit normal of the surface, out of the ground. */
    float normal[2];
    /** The velocity of the ground below the shape, in units of length a second. A shape that jumps off keeps it. */
    float velocity[2];
    /** The part of the shape of the body. */
    uint32_t part;
    /** How many bytes of state count. */
    uint32_t state_size;
    /** What the library remembers. */
    uint8_t state[120];
} clr2_slide_ground;

/** A shape that somebody steers. */
typedef struct clr2_sliding {
    /** The shape. */
    const clr2_shape *shape;
    /** Where it is. */
    clr2_pose pose;
    /** The ground of the answer before; of body 0 if it did not stand. */
    clr2_slide_ground ground;
    /** Where it is to go, in units of length. */
    float motion[2];
    /** How long the motion takes, in seconds; negative for as long as the last step. */
    float seconds;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr2_sliding;

/** A body of the world that somebody steers. */
typedef struct clr2_sliding_body {
    /** The body. */
    uint64_t body;
    /** Where it sets out, if has_start is 1; else it sets out where the world has it. */
    clr2_pose start;
    /** The ground of the answer before; of body 0 if it did not stand. */
    clr2_slide_ground ground;
    /** Where it is to go, in units of length. */
    float motion[2];
    /** How long the motion takes, in seconds; negative for as long as the last step. */
    float seconds;
    /** Whether start counts: 0 or 1. */
    uint32_t has_start;
} clr2_sliding_body;

/** What a shape that slides touched. */
typedef struct clr2_slide_contact {
    /** The body. */
    uint64_t body;
    /** The point of the body that is nearest to the shape. */
    double point[2];
    /** The unit normal from the body to the shape. */
    float normal[2];
    /** The signed distance, in units of length. */
    float distance;
    /** The part of the shape of the body. */
    uint32_t part;
    /** The part of the shape that slides. */
    uint32_t own_part;
    /** Whether the shape touches it at the end: 1; else it met the body on its way. */
    uint32_t at_end;
} clr2_slide_contact;

/** Room of the caller for what a shape that slides touched. */
typedef struct clr2_slide_contact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr2_slide_contact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr2_slide_contact_list;

/** Where a shape that slides went. */
typedef struct clr2_slide {
    /** Where it is now; it has not turned. */
    clr2_pose pose;
    /** The ground that it stands on; of body 0 if it does not stand. */
    clr2_slide_ground ground;
    /** How far it went, in units of length. */
    float motion[2];
    /** Whether it still overlaps something: 0 or 1. */
    uint8_t is_stuck;
    /** Whether there is no room for the gap that it keeps: 0 or 1. */
    uint8_t is_squeezed;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[2];
    /** Named so that there is no padding; zero. */
    uint8_t reserved_end[4];
} clr2_slide;

/** How a body gets out of what it overlaps. */
typedef struct clr2_push_out {
    /** How far it must go, in units of length; zeros if it overlaps nothing. */
    float translation[2];
    /** Whether it still overlaps something there, since no place nearby is free: 0 or 1. */
    uint32_t is_squeezed;
    /** How often the world was asked what it overlaps. */
    uint32_t rounds;
} clr2_push_out;

/** The options that a world has unless others are wanted. */
CLR_API clr2_options clr2_options_default(void);

/** Makes a world without bodies. NULL options are the defaults. It belongs to the caller, who ends it with clr2_world_destroy. */
CLR_API clr_status clr2_world_create(const clr2_options *options, clr2_world **world);

/**
 * Ends a world. Its handle, and all that was borrowed from it, must not be used any more; the library refuses the handle. NULL is CLR_OK.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_destroy(clr2_world *world);

/**
 * How a world is set up now.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_options(const clr2_world *world, clr2_options *options);

/**
 * Sets a world up anew, from the next step on, which measures every pair if anything but the threads differs. Start from
 * clr2_world_options. A refusal changes nothing.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_options(clr2_world *world, const clr2_options *options);

/** A circle or a sphere of radius > 0 about the origin of the body. */
CLR_API clr_status clr2_shape_ball(float radius, clr2_shape **shape);

/** A rectangle or a box about the origin of the body, by half the lengths of its sides, each > 0. */
CLR_API clr_status clr2_shape_cuboid(const float half_extents[2], clr2_shape **shape);

/** A capsule along the y axis of the body: all points within radius > 0 of the segment from -half_length to +half_length, >= 0. */
CLR_API clr_status clr2_shape_capsule(float half_length, float radius, clr2_shape **shape);

/** All points within radius > 0 of the segment from a to b. */
CLR_API clr_status clr2_shape_capsule_from_endpoints(const float a[2], const float b[2], float radius, clr2_shape **shape);

/** The convex hull of a ball of radius_top about y = +half_length and one of radius_bottom about y = -half_length. */
CLR_API clr_status clr2_shape_tapered_capsule(float half_length, float radius_top, float radius_bottom, clr2_shape **shape);

/** The segment from a to b. */
CLR_API clr_status clr2_shape_segment(const float a[2], const float b[2], clr2_shape **shape);

/** The filled triangle with three corners, in any order. */
CLR_API clr_status clr2_shape_triangle(const float a[2], const float b[2], const float c[2], clr2_shape **shape);

/** The convex hull of points, at least one, in any order. */
CLR_API clr_status clr2_shape_hull(const float *points, size_t count, clr2_shape **shape);

/** An ellipse or an ellipsoid about the origin of the body, by its half axes, each > 0. */
CLR_API clr_status clr2_shape_ellipsoid(const float radii[2], clr2_shape **shape);

/**
 * All points x with normal . x <= 0: everything below a line or a plane through the origin of the body. The normal must be of unit length
 * within 1e-3.
 */
CLR_API clr_status clr2_shape_half_space(const float normal[2], clr2_shape **shape);

/** The segments between points that follow on each other: part i goes from point i to point i + 1. */
CLR_API clr_status clr2_shape_polyline(const float *points, size_t count, clr2_shape **shape);

/** Segments between points: each has the numbers of its two points, counted from 0. */
CLR_API clr_status clr2_shape_polyline_of_segments(const float *points, size_t count, const uint32_t *segments, size_t segment_count,
    clr2_shape **shape);

/** A cloud of points: part i is a ball of radius > 0 about point i. */
CLR_API clr_status clr2_shape_points(const float *points, size_t count, float radius, clr2_shape **shape);

/**
 * Filled cells of a grid whose cells have the given size, each > 0: cell (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1) times
 * the size. Part i is cell i of the list.
 */
CLR_API clr_status clr2_shape_voxels(const float size[2], const int32_t *cells, size_t count, clr2_shape **shape);

/**
 * Filled cells of a grid, by blocks and single cells, which can have shapes of a palette: slopes, halves, and other convex shapes. For
 * large grids that are dug in.
 */
CLR_API clr_status clr2_shape_tiles(const float size[2], const clr2_tiles *tiles, clr2_shape **shape);

/** The union of placed shapes of any kind but half-spaces. The parts of the first shape come first. */
CLR_API clr_status clr2_shape_compound(const clr2_placed *parts, size_t count, clr2_shape **shape);

/** The union of the convex hulls of lists of points, such as a convex decomposition: the first list has counts[0] points, and so on. */
CLR_API clr_status clr2_shape_compound_of_hulls(const float points[2], const size_t *counts, size_t hull_count, clr2_shape **shape);

/**
 * A convex shape of your own. It can be rounded, be a part of a compound, and be asked every question, but neither scaled, moved nor
 * stored.
 */
CLR_API clr_status clr2_shape_custom(const clr2_custom *custom, clr2_shape **shape);

/** All points within radius > 0 of a shape that is no composite. */
CLR_API clr_status clr2_shape_rounded(const clr2_shape *from, float radius, clr2_shape **shape);

/** A shape that is scaled about its origin by a factor > 0. */
CLR_API clr_status clr2_shape_scaled(const clr2_shape *from, float factor, clr2_shape **shape);

/** A shape that is scaled along the axes of its body. */
CLR_API clr_status clr2_shape_scaled_by(const clr2_shape *from, const float factors[2], clr2_shape **shape);

/** A shape that is moved in the frame of its body. */
CLR_API clr_status clr2_shape_translated(const clr2_shape *from, const float offset[2], clr2_shape **shape);

/** A shape that is moved so that a point of it becomes the origin of the body, such as its centre of mass. */
CLR_API clr_status clr2_shape_with_origin_at(const clr2_shape *from, const float point[2], clr2_shape **shape);

/** A mesh, a height field or a polyline of the plane whose faces count on their outer sides only, down to a depth >= 0. */
CLR_API clr_status clr2_shape_one_sided(const clr2_shape *from, float depth, clr2_shape **shape);

/** A shape that counts as a whole for what lies beyond it on one side: a platform to jump through. */
CLR_API clr_status clr2_shape_one_way(const clr2_shape *from, const clr2_one_way *side, clr2_shape **shape);

/** A closed mesh or polyline of the plane with an inside. */
CLR_API clr_status clr2_shape_solid(const clr2_shape *from, clr2_shape **shape);

/** A composite with a number of the caller's for each part, or for each shape of a compound. */
CLR_API clr_status clr2_shape_with_part_user_data(const clr2_shape *from, const uint64_t *data, size_t count, clr2_shape **shape);

/** Voxels in which cells are filled or emptied. The shape that it is made of stays as it is, and shares what is not changed. */
CLR_API clr_status clr2_shape_with_cells(const clr2_shape *from, const int32_t *cells, size_t count, bool filled, clr2_shape **shape);

/** Tiles in which cells are filled with an entry of the palette: k is tile k - 1, and 0 the whole cell. */
CLR_API clr_status clr2_shape_with_tiles(const clr2_shape *from, const int32_t *cells, size_t count, uint8_t entry, clr2_shape **shape);

/** Counts one owner more, who releases the shape too. */
CLR_API clr_status clr2_shape_retain(clr2_shape *shape);

/** Counts one owner less; after the last the handle is refused. Bodies and shapes that were made of it keep what they need. NULL is CLR_OK. */
CLR_API clr_status clr2_shape_release(clr2_shape *shape);

/** The name of the kind of a shape, such as "ball" or "mesh": constant text that is not ended by a zero. */
CLR_API clr_status clr2_shape_kind(const clr2_shape *of, clr_bytes *name);

/** The smallest box along the axes around all points within distance >= 0 of a shape at a pose, rounded outwards; NULL is the identity. */
CLR_API clr_status clr2_shape_bounds(const clr2_shape *of, const clr2_pose *pose, double distance, clr2_bounds *bounds);

/** An upper bound of the distance of the points of a shape from its origin; infinite for a half-space. */
CLR_API clr_status clr2_shape_bounding_radius(const clr2_shape *of, double *radius);

/** The volume, mass, centre of mass and inertia of a shape of a density > 0. */
CLR_API clr_status clr2_shape_mass_properties(const clr2_shape *of, float density, clr2_mass_properties *properties);

/** How many parts a shape has: 1 if it is no composite. */
CLR_API clr_status clr2_shape_part_count(const clr2_shape *of, uint32_t *count);

/** The number of the caller's that a part has; 0 if it has none. */
CLR_API clr_status clr2_shape_part_user_data(const clr2_shape *of, uint32_t part, uint64_t *user_data);

/** The cell of a part of voxels. */
CLR_API clr_status clr2_shape_cell_of_part(const clr2_shape *of, uint32_t part, int32_t cell[2]);

/** The part of voxels that a cell is; CLR_NO_PART if it is empty. */
CLR_API clr_status clr2_shape_part_of_cell(const clr2_shape *of, const int32_t cell[2], uint32_t *part);

/** Whether a cell of voxels is filled. */
CLR_API clr_status clr2_shape_has_cell(const clr2_shape *of, const int32_t cell[2], bool *is_filled);

/** The bytes that a shape shares with those that were made of it. */
CLR_API clr_status clr2_shape_memory(const clr2_shape *of, size_t *bytes);

/** Writes a shape as bytes, which clr2_shape_read of the same version reads on any platform: hulls and trees need not be built again. */
CLR_API clr_status clr2_shape_write(const clr2_shape *of, clr_byte_list *list);

/** The shape of bytes; damaged ones are refused. */
CLR_API clr_status clr2_shape_read(const uint8_t *bytes, size_t count, clr2_shape **shape);

/** A pose at the origin, not turned. */
CLR_API clr2_pose clr2_pose_identity(void);

/**
 * The description of a body that steps leave where it is, at the origin until its pose is set. The shape is not counted: it must live
 * until the body is inserted.
 */
CLR_API clr2_body clr2_body_fixed(const clr2_shape *shape);

/** The description of a body that steps move by its velocity, all else as clr2_body_fixed. */
CLR_API clr2_body clr2_body_moving(const clr2_shape *shape);

/**
 * Inserts bodies, and writes the id of each to ids, which has room for count. If one is refused, none is inserted.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_insert(clr2_world *world, const clr2_body *bodies, size_t count, uint64_t *ids);

/**
 * Removes bodies, or none if one is not in the world.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_remove(clr2_world *world, const uint64_t *ids, size_t count);

/**
 * Puts bodies where they are to be, or none of them if one is refused: poses has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_poses(clr2_world *world, const uint64_t *ids, const clr2_pose *poses, size_t count);

/**
 * As clr2_world_set_poses, of ids and poses that lie in structs of the caller's: id_stride and pose_stride are the bytes from one to the
 * next.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_poses_strided(clr2_world *world, const uint64_t *ids, size_t id_stride, const clr2_pose *poses,
    size_t pose_stride, size_t count);

/**
 * Changes the velocities of bodies, or of none of them if one is refused: velocities has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_velocities(clr2_world *world, const uint64_t *ids, const clr2_velocity *velocities, size_t count);

/**
 * Gives bodies numbers of the caller's: user_data has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_user_data(clr2_world *world, const uint64_t *ids, const uint64_t *user_data, size_t count);

/**
 * Gives bodies another shape. The next step has the contacts.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_shape(clr2_world *world, const uint64_t *ids, size_t count, const clr2_shape *new_shape);

/**
 * Changes the groups of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_groups(clr2_world *world, const uint64_t *ids, size_t count, clr_groups groups);

/**
 * Makes bodies fixed or moving; their velocities are kept.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_kind(clr2_world *world, const uint64_t *ids, size_t count, clr_body_kind new_kind);

/**
 * Changes what is added to the margin of the world for the contacts of bodies, >= 0.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_extra_margin(clr2_world *world, const uint64_t *ids, size_t count, float extra);

/**
 * Changes whether the pairs of bodies give the contacts of their parts.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_part_contacts(clr2_world *world, const uint64_t *ids, size_t count, bool are_wanted);

/**
 * Changes whether steps find and keep the contact manifolds of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_manifolds(clr2_world *world, const uint64_t *ids, size_t count, bool are_wanted);

/**
 * Changes whether steps look at the whole ways of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_swept(clr2_world *world, const uint64_t *ids, size_t count, bool are_swept);

/**
 * Fills or empties cells of a body whose shape is voxels: digs and builds. The next step has the contacts and events. Snapshots and other
 * bodies with the same shape keep theirs.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_cells(clr2_world *world, uint64_t body, const int32_t *cells, size_t count, bool filled);

/**
 * Fills cells of a body whose shape is tiles with an entry of the palette: k is tile k - 1, and 0 the whole cell.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_tiles(clr2_world *world, uint64_t body, const int32_t *cells, size_t count, uint8_t entry);

/**
 * Writes where bodies are: poses has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_poses(const clr2_world *world, const uint64_t *ids, size_t count, clr2_pose *poses);

/**
 * As clr2_world_poses, to poses that lie in structs of the caller's, stride bytes from one to the next.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_poses_strided(const clr2_world *world, const uint64_t *ids, size_t count, clr2_pose *poses, size_t stride);

/**
 * Writes how fast bodies move: velocities has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_velocities(const clr2_world *world, const uint64_t *ids, size_t count, clr2_velocity *velocities);

/**
 * Writes the descriptions of bodies, with NULL for their shapes, of which clr2_world_shape tells: bodies has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_bodies(const clr2_world *world, const uint64_t *ids, size_t count, clr2_body *descriptions);

/**
 * Writes the boxes around bodies, in single precision, rounded outwards: bounds has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_bounds(const clr2_world *world, const uint64_t *ids, size_t count, clr2_bounds *bounds);

/**
 * The shape of a body, as a new handle that the caller must release.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_shape(const clr2_world *world, uint64_t body, clr2_shape **shape);

/**
 * Whether a body is in the world.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_contains(const clr2_world *world, uint64_t body, bool *is_in);

/**
 * The user data of a body, also of one that was removed and that events may still name.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_user_data(const clr2_world *world, uint64_t body, uint64_t *user_data);

/**
 * How many bodies there are.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_body_count(const clr2_world *world, size_t *count);

/**
 * The ids of all bodies, in order.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_ids(const clr2_world *world, clr_id_list *list);

/**
 * Removes all bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_clear(clr2_world *world);

/**
 * A frame: moves each moving body by its velocity for dt seconds, >= 0, and finds contacts and events.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_step(clr2_world *world, float dt);

/**
 * Brings what finds bodies up to date after many changes, so that the questions before the next step are fast. No answer depends on it.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_refresh(clr2_world *world);

/**
 * The pairs of bodies that the last step found within the margin, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_contacts(const clr2_world *world, clr2_contacts *contacts);

/**
 * The contacts of the last step that a body takes part in.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_contacts_of(const clr2_world *world, uint64_t body, clr2_contact_list *list);

/**
 * The contact of two bodies in the last step, in whichever order they are named. Its a and b are 0 if they made none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_contact(const clr2_world *world, uint64_t a, uint64_t b, clr2_contact *contact);

/**
 * The contacts of parts, such as the triangles of a mesh, of all pairs that want them: see part_contacts of options and bodies. Borrowed
 * until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_part_contacts(const clr2_world *world, clr2_contacts *contacts);

/**
 * The contacts of the parts of two bodies, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_part_contacts_between(const clr2_world *world, uint64_t a, uint64_t b, clr2_contact_list *list);

/**
 * Those of the part contacts that are of the surface which neighbouring parts and bodies make together, without those of its seams: see
 * surface_contacts of options. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_surface_contacts(const clr2_world *world, clr2_contacts *contacts);

/**
 * The surface contacts of two bodies, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_surface_contacts_between(const clr2_world *world, uint64_t a, uint64_t b, clr2_contact_list *list);

/**
 * What changed for pairs of bodies in the last step, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_events(const clr2_world *world, clr2_events *events);

/**
 * Where and when swept bodies met others within the last step, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_impacts(const clr2_world *world, clr2_impacts *impacts);

/**
 * The impacts of the last step that a body takes part in, in order of time.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_impacts_of(const clr2_world *world, uint64_t body, clr2_impact_list *list);

/**
 * The impact of two bodies in the last step, in whichever order they are named. Its hit is 0 if they made none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_impact(const clr2_world *world, uint64_t a, uint64_t b, clr2_impact *impact);

/**
 * The contact manifolds that the last step found, of the pairs that want them: see manifolds of options and bodies. Each point says which
 * one of the step before it goes on from. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_manifolds(const clr2_world *world, clr2_manifolds *manifolds);

/**
 * The contact manifolds of all contacts at the current poses, whether or not steps find them.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_find_manifolds(const clr2_world *world, clr2_manifold_list *list);

/**
 * The contact manifold of the contact that two bodies made in the last step, at their current poses. Its a and b are 0 if they made none,
 * or are not in range any more.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_manifold(const clr2_world *world, uint64_t a, uint64_t b, clr2_manifold *manifold);

/**
 * A number that is equal for equal contacts, on every platform and with any number of threads: to find out where two games part.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_contacts_hash(const clr2_world *world, uint64_t *hash);

/**
 * A number that is equal for equal worlds, with all that their futures depend on.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_state_hash(const clr2_world *world, uint64_t *hash);

/**
 * As clr2_world_state_hash, with what a function tells in place of the user data of each body: where peers give bodies other numbers.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_state_hash_by(const clr2_world *world, clr_hashed_data data, void *context, uint64_t *hash);

/**
 * Times and counts of the last step.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_profile(const clr2_world *world, clr_profile *profile);

/**
 * Switches the measuring of times on or off; it is off at first.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_profiling(clr2_world *world, bool is_profiling);

/**
 * Lets pairs of bodies make no contact, whatever their groups say, or of none of them if one is refused: for links that a joint connects.
 * It lasts until clr2_world_unignore_pairs, or until one of the two is removed.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_ignore_pairs(clr2_world *world, const clr_body_pair *pairs, size_t count);

/**
 * Lets pairs of bodies make contacts again; nothing changes for those that were not ignored.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_unignore_pairs(clr2_world *world, const clr_body_pair *pairs, size_t count);

/**
 * Whether a pair of bodies was told to make no contact, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_is_ignored(const clr2_world *world, uint64_t a, uint64_t b, bool *is_ignored);

/**
 * All pairs that were told to make no contact, sorted.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_ignored_pairs(const clr2_world *world, clr_body_pair_list *list);

/**
 * Lets a function decide which pairs make contacts, among those that groups and ignored pairs leave; NULL lets those alone decide. Steps
 * call it for pairs that are near and of which a body changed, with the lesser id first. Its answer must depend on nothing else than the
 * two bodies, or clr2_world_pair_filter_changed must be called. It is not part of snapshots. It must live as long as the world, and must
 * not call the world.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_pair_filter(clr2_world *world, clr_may_meet may_meet, void *context);

/**
 * Says that the function of clr2_world_set_pair_filter answers differently than before. The next step measures every pair.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_pair_filter_changed(clr2_world *world);

/**
 * Switches the measuring of times on, by a clock of the program's: nanoseconds since any moment. One clock serves all worlds; NULL is the
 * clock of the system.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_set_profiling_by(clr2_world *world, clr_clock clock);

/**
 * The bytes that a world holds.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_memory(const clr2_world *world, size_t *bytes);

/**
 * Looks for damage in a world: for tests. CLR_PANIC with what was found, if anything.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_validate(const clr2_world *world);

/**
 * The first body that a ray hits; of bodies hit at one distance, the one with the smallest id. The body of the hit is 0 if there is none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_ray(const clr2_world *world, const clr2_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr2_body_ray_hit *hit);

/**
 * All bodies that a ray hits, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_ray_all(const clr2_world *world, const clr2_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr2_body_ray_hit_list *list);

/**
 * All parts of bodies that a ray hits, such as each triangle of a mesh, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_ray_all_parts(const clr2_world *world, const clr2_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr2_body_ray_hit_list *list);

/**
 * Whether a ray hits any body: faster than to ask which.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_ray_hits_any(const clr2_world *world, const clr2_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, bool *hits);

/**
 * The first body that a shape in motion meets, while the bodies rest; of bodies met at one time, the one with the smallest id. The body of
 * the hit is 0 if there is none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_shape(const clr2_world *world, const clr2_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, clr2_body_cast_hit *hit);

/**
 * All bodies that a shape in motion meets, each for itself, in order of time.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_shape_all(const clr2_world *world, const clr2_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, clr2_body_cast_hit_list *list);

/**
 * Whether a shape in motion meets any body: faster than to ask which.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_meets_any(const clr2_world *world, const clr2_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, bool *meets);

/**
 * The bodies within a signed distance of a placed shape, sorted by id. With 0 for within these are the bodies that it overlaps or touches.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_near_shape(const clr2_world *world, const clr2_placed *placed, float within, const clr_filter *filter,
    clr2_body_near_list *list);

/**
 * The bodies within a signed distance of a point, sorted by id. With 0 for within these are the bodies that contain it.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_near_point(const clr2_world *world, const double point[2], float within, const clr_filter *filter,
    clr2_body_near_list *list);

/**
 * So many bodies that are nearest to a placed shape, the nearest first; those that overlap it have negative distances.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_nearest_to_shape(const clr2_world *world, const clr2_placed *placed, clr_nearest nearest,
    const clr_filter *filter, clr2_body_near_list *list);

/**
 * So many bodies that are nearest to a point, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_nearest_to_point(const clr2_world *world, const double point[2], clr_nearest nearest,
    const clr_filter *filter, clr2_body_near_list *list);

/**
 * The bodies whose bounding boxes overlap a box, sorted by id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_in_box(const clr2_world *world, const clr2_bounds *bounds, clr_id_list *list);

/**
 * The first body that each ray hits: hits has room for one for each ray.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_rays(const clr2_world *world, const clr2_ray *rays, size_t count, const clr_ray_options *options,
    const clr_filter *filter, clr2_body_ray_hit *hits);

/**
 * The first body that each shape in motion meets: hits has room for one for each cast.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_cast_shapes(const clr2_world *world, const clr2_cast *casts, size_t count, const clr_cast_options *options,
    const clr_filter *filter, clr2_body_cast_hit *hits);

/**
 * The bodies within a signed distance of each placed shape, sorted by question, which counts the shapes, and id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_near_shapes(const clr2_world *world, const clr2_placed *placed, size_t count, float within,
    const clr_filter *filter, clr2_body_near_list *list);

/**
 * The bodies within a signed distance of each point, sorted by question, which counts the points, and id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_near_points(const clr2_world *world, const double *points, size_t count, float within,
    const clr_filter *filter, clr2_body_near_list *list);

/**
 * So many bodies that are nearest to each placed shape, sorted by question, which counts the shapes, and distance.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_nearest_to_shapes(const clr2_world *world, const clr2_placed *placed, size_t count, clr_nearest nearest,
    const clr_filter *filter, clr2_body_near_list *list);

/**
 * So many bodies that are nearest to each point, sorted by question, which counts the points, and distance.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_nearest_to_points(const clr2_world *world, const double *points, size_t count, clr_nearest nearest,
    const clr_filter *filter, clr2_body_near_list *list);

/** The options that a slide has unless others are wanted. */
CLR_API clr2_slide_options clr2_slide_options_default(void);

/** A shape that is to go motion, that does not stand, and that takes as long as the last step. */
CLR_API clr2_sliding clr2_sliding_default(const clr2_shape *shape, clr2_pose pose);

/** A body that is to go motion from where it is, that does not stand, and that takes as long as the last step. */
CLR_API clr2_sliding_body clr2_sliding_body_default(uint64_t body);

/**
 * Moves a shape and lets it slide along what it meets, climb steps, and stand on ground that moves. Nothing in the world changes. What it
 * touched goes to contacts, which may be NULL.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_slide(const clr2_world *world, const clr2_sliding *sliding, const clr2_slide_options *options,
    const clr_filter *filter, clr2_slide *slide, clr2_slide_contact_list *contacts);

/**
 * As clr2_world_slide, of a body of the world: past what it cannot make contacts with, and past itself. Put the body where the answer
 * says.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_slide_body(const clr2_world *world, const clr2_sliding_body *sliding, const clr2_slide_options *options,
    const clr_filter *filter, clr2_slide *slide, clr2_slide_contact_list *contacts);

/**
 * The least translation that frees a body of all that it overlaps at once. Nothing in the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_push_out(const clr2_world *world, uint64_t body, const clr_filter *filter, clr2_push_out *push_out);

/**
 * How far apart two placed shapes are, if they are within within of each other, which may be infinite; else the status of the answer is
 * CLR_DISTANCE_FARTHER.
 */
CLR_API clr_status clr2_distance(const clr2_placed *a, const clr2_placed *b, float within, clr2_separation *separation);

/** How far apart the two shapes of each pair are: a, b and separations have count items. */
CLR_API clr_status clr2_distances(const clr2_placed *a, const clr2_placed *b, size_t count, float within, clr2_separation *separations);

/** Whether two placed shapes have a point in common: faster than to ask how far apart they are. */
CLR_API clr_status clr2_intersects(const clr2_placed *a, const clr2_placed *b, bool *result);

/**
 * All pairs of parts of two placed shapes that are within within of each other. is_complete is false where the search ended at its limit;
 * it may be NULL.
 */
CLR_API clr_status clr2_part_contacts(const clr2_placed *a, const clr2_placed *b, float within, clr2_separation_list *list,
    bool *is_complete);

/**
 * The contact manifolds of two placed shapes: one for convex shapes, else one for each pair of parts. is_complete is false where the
 * search ended at its limit; it may be NULL.
 */
CLR_API clr_status clr2_contact_manifolds(const clr2_placed *a, const clr2_placed *b, float within, clr2_manifold_list *list,
    bool *is_complete);

/** When and where two shapes in motion meet. The hit of the answer is 0 if they do not. */
CLR_API clr_status clr2_cast_shapes(const clr2_cast *a, const clr2_cast *b, const clr_cast_options *options, clr2_cast_hit *hit);

/** Where a ray hits a placed shape. The hit of the answer is 0 if it does not. */
CLR_API clr_status clr2_cast_ray(const clr2_ray *ray, const clr2_placed *placed, const clr_ray_options *options, clr2_ray_hit *hit);

/** All parts of a placed shape that a ray hits, the nearest first. */
CLR_API clr_status clr2_cast_ray_all(const clr2_ray *ray, const clr2_placed *placed, const clr_ray_options *options,
    clr2_ray_hit_list *list);

/** Whether a ray hits a placed shape. */
CLR_API clr_status clr2_ray_hits(const clr2_ray *ray, const clr2_placed *placed, const clr_ray_options *options, bool *hits);

/**
 * The outward normal of the face of b that looks against a direction most, at the point of an answer: on an edge or a corner that is not
 * the normal of the answer turned round. Of separation its point, normal and part of b count.
 */
CLR_API clr_status clr2_face_normal(const clr2_placed *b, const clr2_separation *separation, const float direction[2], float normal[2]);

/** How far a point (a) is from a placed shape (b), if they are within within of each other; negative inside. */
CLR_API clr_status clr2_point_distance(const double point[2], const clr2_placed *placed, float within, clr2_separation *separation);

/**
 * Keeps the state of a world: bodies, contacts, ids, user data. It belongs to the caller, who ends it with clr2_snapshot_destroy.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_snapshot(const clr2_world *world, clr2_snapshot **snapshot);

/**
 * As clr2_world_snapshot, without the contacts that follow from the bodies: smaller, and slower to return to.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_snapshot_without_contacts(const clr2_world *world, clr2_snapshot **snapshot);

/**
 * Replaces a snapshot by the state of a world, in its memory: for games that keep the last frames.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr2_world_snapshot_into(const clr2_world *world, clr2_snapshot *snapshot);

/**
 * Returns to a snapshot. All steps that follow have the bits that they had after it was taken; the functions that a world was given stay.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr2_world_restore(clr2_world *world, const clr2_snapshot *snapshot);

/** Writes a snapshot as bytes, which clr2_snapshot_read of the same version reads on any platform. */
CLR_API clr_status clr2_snapshot_write(const clr2_snapshot *snapshot, clr_byte_list *list);

/** The snapshot of bytes; damaged ones are refused. It belongs to the caller, who ends it with clr2_snapshot_destroy. */
CLR_API clr_status clr2_snapshot_read(const uint8_t *bytes, size_t count, clr2_snapshot **snapshot);

/** The bytes that a snapshot holds. */
CLR_API clr_status clr2_snapshot_memory(const clr2_snapshot *snapshot, size_t *bytes);

/** Ends a snapshot; the library refuses its handle then. NULL is CLR_OK. */
CLR_API clr_status clr2_snapshot_destroy(clr2_snapshot *snapshot);

/**
 * A filled polygon that need not be convex: its outline and then its holes, ring_count rings in all, of which the first has counts[0]
 * vertices, and so on. Rings may run either way round.
 */
CLR_API clr_status clr2_shape_polygon(const float vertices[2], const size_t *counts, size_t ring_count, clr2_shape **shape);

/** Writes the rotation by an angle in radians, counter-clockwise, with the same bits on every platform: for the rotation of a pose. */
CLR_API clr_status clr2_rotation_from_angle(float angle, double rotation[2]);

/** The angle of a rotation in radians, from -pi to pi, counter-clockwise. */
CLR_API clr_status clr2_rotation_angle(const double rotation[2], float *angle);

/* Space. */

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr3_world clr3_world;

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr3_shape clr3_shape;

/** Of its inside nothing is known; a value is a handle, not an address. */
typedef struct clr3_snapshot clr3_snapshot;

/** Where something is: it is turned about its origin, then moved. Start from clr3_pose_identity: a rotation of zeros is refused. */
typedef struct clr3_pose {
    /** Where its origin is, in units of length, in double precision. */
    double position[3];
    /** How it is turned. Space: a quaternion of unit length, x, y, z, w. The plane: the cosine and the sine of the angle. */
    float rotation[4];
} clr3_pose;

/** How fast a body moves. */
typedef struct clr3_velocity {
    /** The velocity of its origin, in units of length a second, in the frame of the world. */
    float linear[3];
    /** How fast it turns about its origin, in radians a second, counter-clockwise. Space: a vector along the axis. */
    float angular[3];
} clr3_velocity;

/** The description of a body. Start from clr3_body_fixed or clr3_body_moving. */
typedef struct clr3_body {
    /** Its shape, in the frame of the body. The world keeps what it needs, so the caller may release the shape after the call. */
    const clr3_shape *shape;
    /** Where it is. */
    clr3_pose pose;
    /** A number of the caller's. No answer depends on it, unless a function of the caller's reads it. */
    uint64_t user_data;
    /** How fast it moves; kept, but not applied, while it is fixed. */
    clr3_velocity velocity;
    /** Which bodies it can make contacts with. */
    clr_groups groups;
    /** Added to the margin of the world for all of its contacts, in units of length, >= 0. */
    float extra_margin;
    /** Whether a step moves it. */
    clr_body_kind kind;
    /** Whether its pairs give the contacts of their parts, too: 0 or 1. */
    uint8_t part_contacts;
    /** Whether steps find and keep the contact manifolds of its pairs: 0 or 1. */
    uint8_t manifolds;
    /** Whether a step looks at its whole way, so that it meets nothing unnoticed: 0 or 1. */
    uint8_t swept;
    /** What rounding left over of its pose, as the world gave it: zeros at first. Of another pose it is ignored. */
    uint32_t residual[4];
} clr3_body;

/** A shape at a pose. */
typedef struct clr3_placed {
    /** The shape. */
    const clr3_shape *shape;
    /** Where it is. */
    clr3_pose pose;
} clr3_placed;

/** A ray. */
typedef struct clr3_ray {
    /** Where it starts. */
    double origin[3];
    /** Where it goes: of any length but zero. */
    float direction[3];
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr3_ray;

/** A shape in motion, from time 0 to time 1. */
typedef struct clr3_cast {
    /** The shape. */
    const clr3_shape *shape;
    /** Where it is at time 0. */
    clr3_pose pose;
    /** How far its origin goes, and by how much it turns, until time 1. */
    clr3_velocity motion;
} clr3_cast;

/** How far apart two shapes are. With the status CLR_DISTANCE_FARTHER only lower is known. */
typedef struct clr3_separation {
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[7];
} clr3_separation;

/** Two bodies that are no farther apart than their margins allow. */
typedef struct clr3_contact {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[7];
} clr3_contact;

/** What changed for two bodies in the last step, with the contact of that step, or of the one before if there is none any more. */
typedef struct clr3_event {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The user data of a, also where that body was removed. */
    uint64_t user_data_a;
    /** The user data of b, also where that body was removed. */
    uint64_t user_data_b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** What changed. */
    clr_event_kind kind;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[6];
} clr3_event;

/** When and where two shapes in motion meet; of a world, a is the shape in motion, and b the body. */
typedef struct clr3_cast_hit {
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
} clr3_cast_hit;

/** When and where a shape in motion (a) meets a body (b). */
typedef struct clr3_body_cast_hit {
    /** The body; 0 if none is met. */
    uint64_t body;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
} clr3_body_cast_hit;

/** Where and when two bodies met within the last step, of which one is swept. */
typedef struct clr3_impact {
    /** The body with the smaller id. */
    uint64_t a;
    /** The body with the larger id. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** 1 if they meet; else 0, and the rest says nothing. */
    uint8_t hit;
    /** How the time was found. */
    clr_distance_status time_status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
    /** When they meet, from 0 to 1. */
    float time;
    /** Before this time they are proven to be farther apart than asked. */
    float time_lower;
    /** Not later than this they are as near as asked, up to a tolerance. */
    float time_upper;
} clr3_impact;

/** A body (b) that is near what was asked about (a). */
typedef struct clr3_body_near {
    /** The place of the question in the batch; 0 of a single question. */
    uint64_t question;
    /** The body. */
    uint64_t body;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[7];
} clr3_body_near;

/** A point in which two shapes touch or face each other. */
typedef struct clr3_manifold_point {
    /** The point on the surface of a, in the frame of the world. */
    double point_a[3];
    /** The point on the surface of b, in the frame of the world. */
    double point_b[3];
    /** The signed distance of the surfaces here, along the normal, in units of length. */
    float distance;
    /** What the point is on a: equal numbers of one shape are one corner, edge or face. */
    uint32_t feature_a;
    /** What the point is on b. */
    uint32_t feature_b;
    /** The place of the point of the step before that it goes on from; -1 if there is none. */
    int32_t before;
} clr3_manifold_point;

/** The points in which two bodies, or two parts of them, touch: what a solver needs. Their normal is normal. */
typedef struct clr3_manifold {
    /** The body with the smaller id; 0 for two shapes without a world. */
    uint64_t a;
    /** The body with the larger id; 0 for two shapes without a world. */
    uint64_t b;
    /** The point of a that is nearest to b, or deepest inside it, in the frame of the world. */
    double point_a[3];
    /** The point of b that is nearest to a, or deepest inside it, in the frame of the world. */
    double point_b[3];
    /** The signed distance, in units of length: the gap if positive, minus the depth of the overlap if negative. */
    float distance;
    /** The true signed distance is at least this. */
    float lower;
    /** The true signed distance is at most this. */
    float upper;
    /** The unit vector from a to b, in the frame of the world: moving b along it increases the distance. */
    float normal[3];
    /** The number of the part of a that is nearest; 0 if a is no composite. */
    uint32_t part_a;
    /** The number of the part of b that is nearest; 0 if b is no composite. */
    uint32_t part_b;
    /** How the distance was found. */
    clr_distance_status status;
    /** How many points there are. */
    uint8_t point_count;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[6];
    /** The points, of which the first point_count count. */
    clr3_manifold_point points[4];
} clr3_manifold;

/** Where a ray hits a shape. */
typedef struct clr3_ray_hit {
    /** The place of the hit, in the frame of the world. */
    double point[3];
    /** The length of the ray up to the hit, in units of length; infinite if nothing is hit. */
    float distance;
    /** The true distance is at least this. */
    float lower;
    /** If the ray truly hits, and does not only pass within rounding, the true distance is at most this. */
    float upper;
    /** The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid shape. */
    float normal[3];
    /** The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon. */
    uint32_t part;
    /** 1 if something is hit; else 0, and the rest says nothing. */
    uint8_t hit;
    /** 1 if the surface is hit from behind, else 0. */
    uint8_t is_back_face;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[1];
} clr3_ray_hit;

/** Where a ray hits a body. */
typedef struct clr3_body_ray_hit {
    /** The body; 0 if none is hit. */
    uint64_t body;
    /** The place of the hit, in the frame of the world. */
    double point[3];
    /** The length of the ray up to the hit, in units of length; infinite if nothing is hit. */
    float distance;
    /** The true distance is at least this. */
    float lower;
    /** If the ray truly hits, and does not only pass within rounding, the true distance is at most this. */
    float upper;
    /** The unit normal of the surface, on the side from which the ray comes; NaN where it starts inside of a solid shape. */
    float normal[3];
    /** The number of the part that is hit; 4294967295 where the ray starts inside of a solid mesh or a polygon. */
    uint32_t part;
    /** 1 if something is hit; else 0, and the rest says nothing. */
    uint8_t hit;
    /** 1 if the surface is hit from behind, else 0. */
    uint8_t is_back_face;
    /** How the distance was found. */
    clr_distance_status status;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[1];
} clr3_body_ray_hit;

/** A box with sides along the axes. */
typedef struct clr3_bounds {
    /** The corner with the least coordinates. */
    float min[3];
    /** The corner with the greatest coordinates. */
    float max[3];
} clr3_bounds;

/** Contacts that the library holds. */
typedef struct clr3_contacts {
    /** The first contact. */
    const clr3_contact *data;
    /** How many there are. */
    size_t count;
} clr3_contacts;

/** Events that the library holds. */
typedef struct clr3_events {
    /** The first event. */
    const clr3_event *data;
    /** How many there are. */
    size_t count;
} clr3_events;

/** Impacts that the library holds. */
typedef struct clr3_impacts {
    /** The first impact. */
    const clr3_impact *data;
    /** How many there are. */
    size_t count;
} clr3_impacts;

/** Manifolds that the library holds. */
typedef struct clr3_manifolds {
    /** The first manifold. */
    const clr3_manifold *data;
    /** How many there are. */
    size_t count;
} clr3_manifolds;

/** Room of the caller for contacts. */
typedef struct clr3_contact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_contact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_contact_list;

/** Room of the caller for impacts. */
typedef struct clr3_impact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_impact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_impact_list;

/** Room of the caller for manifolds. */
typedef struct clr3_manifold_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_manifold *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_manifold_list;

/** Room of the caller for distances. */
typedef struct clr3_separation_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_separation *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_separation_list;

/** Room of the caller for hits of rays. */
typedef struct clr3_ray_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_ray_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_ray_hit_list;

/** Room of the caller for bodies that a ray hits. */
typedef struct clr3_body_ray_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_body_ray_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_body_ray_hit_list;

/** Room of the caller for bodies that a shape in motion meets. */
typedef struct clr3_body_cast_hit_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_body_cast_hit *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_body_cast_hit_list;

/** Room of the caller for bodies that are near. */
typedef struct clr3_body_near_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_body_near *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_body_near_list;

/** How a world is set up. Start from clr3_options_default. */
typedef struct clr3_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** Pairs that are no farther apart than this are contacts, in units of length, >= 0; 0.05 at first. */
    float margin;
    /**
     * How many threads a step and a batch of questions use, with the one that calls: from 1, which it is at first. Answers do not depend
     * on it.
     */
    uint32_t threads;
    /** How long a question about composites may search; 262144 at first, which takes tens of milliseconds for most shapes. */
    uint32_t effort;
    /** The structure that finds overlapping boxes. */
    clr_backend backend;
    /** Whether every pair gives the contacts of its parts, too: 0 or 1; 0 at first. */
    uint8_t part_contacts;
    /** Whether steps tell the part contacts of a surface without those of its seams: 0 or 1; 0 at first. */
    uint8_t surface_contacts;
    /** Whether steps find the contact manifolds of all pairs: 0 or 1; 0 at first. */
    uint8_t manifolds;
    /** Named so that there is no padding; zero. */
    uint8_t reserved;
} clr3_options;

/** The side from which a shape or a tile counts. */
typedef struct clr3_one_way {
    /** The unit vector from the tile to that side, in the frame of the shape: up, for a platform. */
    float normal[3];
    /** How far what counts may reach below the end of the tile along the normal, in units of length, >= 0. */
    float depth;
} clr3_one_way;

/** A shape that cells of voxels can have instead of the whole cell. */
typedef struct clr3_tile {
    /** A convex shape within the cell, whose least corner is the origin. */
    const clr3_shape *shape;
    /** A number of the caller's. */
    uint64_t user_data;
    /** The side from which the tile counts, if is_one_way. */
    clr3_one_way side;
    /** Whether the tile counts from one side only: 0 or 1. */
    uint32_t is_one_way;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr3_tile;

/** A convex shape of your own, for clr3_shape_custom. */
typedef struct clr3_custom {
    /** The farthest point along a direction. */
    clr_support support;
    /** The first argument of the function. It must live as long as any shape that is made of this one. */
    void *context;
    /** A point within the shape. */
    double center[3];
    /** No point of the shape is farther from the origin of the body. */
    double bounding_radius;
    /** Equal for equal shapes, different for different ones. */
    uint32_t key[8];
} clr3_custom;

/** A block of cells. */
typedef struct clr3_cell_box {
    /** The cell with the least numbers. */
    int32_t low[3];
    /** The cell with the greatest numbers; it belongs to the block. */
    int32_t high[3];
    /** Whether the cells are filled, 1, or emptied, 0. */
    uint32_t filled;
} clr3_cell_box;

/** Cells of a grid, for clr3_shape_tiles. */
typedef struct clr3_tiles {
    /** Blocks of cells that are filled or emptied, one after the other, before the single cells. */
    const clr3_cell_box *boxes;
    /** How many blocks there are. */
    size_t box_count;
    /** The single cells. */
    const int32_t *cells;
    /** What each of them is filled with: k is tile k - 1 of the palette, and 0 the whole cell. NULL for whole cells. */
    const uint8_t *entries;
    /** How many single cells there are. */
    size_t cell_count;
    /** The palette. */
    const clr3_tile *palette;
    /** How many tiles it has. */
    size_t palette_count;
} clr3_tiles;

/** How heavy a shape is, and how its mass is spread, in the frame of the shape. */
typedef struct clr3_mass_properties {
    /** The volume; in the plane the area. */
    double volume;
    /** The mass: the volume times the density. */
    double mass;
    /** The point at which the mass is balanced. */
    double center_of_mass[3];
    /** The inertia about that point: in space a symmetric matrix, row by row; in the plane one number. */
    double inertia[9];
} clr3_mass_properties;

/** How a shape moves and slides. Start from clr3_slide_options_default. NULL in its place stands for the defaults. */
typedef struct clr3_slide_options {
    /** The size of this struct in bytes. */
    uint32_t size;
    /** Where up is: of any length but zero; along y at first. Zeros for games that have no up: everything is a wall then. */
    float up[3];
    /** The greatest angle between up and the normal of a surface that can be walked on, in radians; 50 degrees at first. */
    float max_slope;
    /** How high a step can be climbed, in units of length, >= 0; 0.3 at first. */
    float step_height;
    /**
     * How far the foremost point must get beyond the edge of a step, in units of length; negative, as at first, for a quarter of the least
     * half extent of the shape.
     */
    float step_depth;
    /** How steep the contact of a round foot with an edge may be for the edge to carry it, in radians; 70 degrees at first. */
    float max_edge_slope;
    /** How far a shape that stands is drawn down to the ground, in units of length, >= 0; 0.3 at first. */
    float snap_distance;
    /** The gap that is kept from everything, in units of length; negative, as at first, for a fiftieth of the least half extent. */
    float skin;
    /** Whether it slides along walls or stops at them; it slides at first. */
    clr_slide_at_walls at_walls;
} clr3_slide_options;

/** The ground that a shape stands on: keep it for the next slide. */
typedef struct clr3_slide_ground {
    /** The body; 0 if the shape does not stand. */
    uint64_t body;
    /** The point of the ground that is nearest to the shape. */
    double point[3];
    /** The unit normal of the surface, out of the ground. */
    float normal[3];
    /** The velocity of the ground below the shape, in units of length a second. A shape that jumps off keeps it. */
    float velocity[3];
    /** The part of the shape of the body. */
    uint32_t part;
    /** How many bytes of state count. */
    uint32_t state_size;
    /** What the library remembers. */
    uint8_t state[120];
} clr3_slide_ground;

/** A shape that somebody steers. */
typedef struct clr3_sliding {
    /** The shape. */
    const clr3_shape *shape;
    /** Where it is. */
    clr3_pose pose;
    /** The ground of the answer before; of body 0 if it did not stand. */
    clr3_slide_ground ground;
    /** Where it is to go, in units of length. */
    float motion[3];
    /** How long the motion takes, in seconds; negative for as long as the last step. */
    float seconds;
} clr3_sliding;

/** A body of the world that somebody steers. */
typedef struct clr3_sliding_body {
    /** The body. */
    uint64_t body;
    /** Where it sets out, if has_start is 1; else it sets out where the world has it. */
    clr3_pose start;
    /** The ground of the answer before; of body 0 if it did not stand. */
    clr3_slide_ground ground;
    /** Where it is to go, in units of length. */
    float motion[3];
    /** How long the motion takes, in seconds; negative for as long as the last step. */
    float seconds;
    /** Whether start counts: 0 or 1. */
    uint32_t has_start;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr3_sliding_body;

/** What a shape that slides touched. */
typedef struct clr3_slide_contact {
    /** The body. */
    uint64_t body;
    /** The point of the body that is nearest to the shape. */
    double point[3];
    /** The unit normal from the body to the shape. */
    float normal[3];
    /** The signed distance, in units of length. */
    float distance;
    /** The part of the shape of the body. */
    uint32_t part;
    /** The part of the shape that slides. */
    uint32_t own_part;
    /** Whether the shape touches it at the end: 1; else it met the body on its way. */
    uint32_t at_end;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[4];
} clr3_slide_contact;

/** Room of the caller for what a shape that slides touched. */
typedef struct clr3_slide_contact_list {
    /** Where items are written; may be NULL if there is no room for any. */
    clr3_slide_contact *data;
    /** For how many items there is room. */
    size_t capacity;
    /** How many items there are: the library writes it. */
    size_t count;
} clr3_slide_contact_list;

/** Where a shape that slides went. */
typedef struct clr3_slide {
    /** Where it is now; it has not turned. */
    clr3_pose pose;
    /** The ground that it stands on; of body 0 if it does not stand. */
    clr3_slide_ground ground;
    /** How far it went, in units of length. */
    float motion[3];
    /** Whether it still overlaps something: 0 or 1. */
    uint8_t is_stuck;
    /** Whether there is no room for the gap that it keeps: 0 or 1. */
    uint8_t is_squeezed;
    /** Named so that there is no padding; zero. */
    uint8_t reserved[2];
} clr3_slide;

/** How a body gets out of what it overlaps. */
typedef struct clr3_push_out {
    /** How far it must go, in units of length; zeros if it overlaps nothing. */
    float translation[3];
    /** Whether it still overlaps something there, since no place nearby is free: 0 or 1. */
    uint32_t is_squeezed;
    /** How often the world was asked what it overlaps. */
    uint32_t rounds;
} clr3_push_out;

/** A block of the heights of a height field. */
typedef struct clr3_height_block {
    /** The row of the field in which its first height is. */
    uint32_t row;
    /** The column of the field in which its first height is. */
    uint32_t column;
    /** How many heights each of its rows has. */
    uint32_t columns;
    /** How many rows it has. */
    uint32_t rows;
    /** The heights, row by row, before they are scaled. NaN stands for a missing height. */
    const float *heights;
} clr3_height_block;

/** The options that a world has unless others are wanted. */
CLR_API clr3_options clr3_options_default(void);

/** Makes a world without bodies. NULL options are the defaults. It belongs to the caller, who ends it with clr3_world_destroy. */
CLR_API clr_status clr3_world_create(const clr3_options *options, clr3_world **world);

/**
 * Ends a world. Its handle, and all that was borrowed from it, must not be used any more; the library refuses the handle. NULL is CLR_OK.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_destroy(clr3_world *world);

/**
 * How a world is set up now.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_options(const clr3_world *world, clr3_options *options);

/**
 * Sets a world up anew, from the next step on, which measures every pair if anything but the threads differs. Start from
 * clr3_world_options. A refusal changes nothing.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_options(clr3_world *world, const clr3_options *options);

/** A circle or a sphere of radius > 0 about the origin of the body. */
CLR_API clr_status clr3_shape_ball(float radius, clr3_shape **shape);

/** A rectangle or a box about the origin of the body, by half the lengths of its sides, each > 0. */
CLR_API clr_status clr3_shape_cuboid(const float half_extents[3], clr3_shape **shape);

/** A capsule along the y axis of the body: all points within radius > 0 of the segment from -half_length to +half_length, >= 0. */
CLR_API clr_status clr3_shape_capsule(float half_length, float radius, clr3_shape **shape);

/** All points within radius > 0 of the segment from a to b. */
CLR_API clr_status clr3_shape_capsule_from_endpoints(const float a[3], const float b[3], float radius, clr3_shape **shape);

/** The convex hull of a ball of radius_top about y = +half_length and one of radius_bottom about y = -half_length. */
CLR_API clr_status clr3_shape_tapered_capsule(float half_length, float radius_top, float radius_bottom, clr3_shape **shape);

/** The segment from a to b. */
CLR_API clr_status clr3_shape_segment(const float a[3], const float b[3], clr3_shape **shape);

/** The filled triangle with three corners, in any order. */
CLR_API clr_status clr3_shape_triangle(const float a[3], const float b[3], const float c[3], clr3_shape **shape);

/** The convex hull of points, at least one, in any order. */
CLR_API clr_status clr3_shape_hull(const float *points, size_t count, clr3_shape **shape);

/** An ellipse or an ellipsoid about the origin of the body, by its half axes, each > 0. */
CLR_API clr_status clr3_shape_ellipsoid(const float radii[3], clr3_shape **shape);

/**
 * All points x with normal . x <= 0: everything below a line or a plane through the origin of the body. The normal must be of unit length
 * within 1e-3.
 */
CLR_API clr_status clr3_shape_half_space(const float normal[3], clr3_shape **shape);

/** The segments between points that follow on each other: part i goes from point i to point i + 1. */
CLR_API clr_status clr3_shape_polyline(const float *points, size_t count, clr3_shape **shape);

/** Segments between points: each has the numbers of its two points, counted from 0. */
CLR_API clr_status clr3_shape_polyline_of_segments(const float *points, size_t count, const uint32_t *segments, size_t segment_count,
    clr3_shape **shape);

/** A cloud of points: part i is a ball of radius > 0 about point i. */
CLR_API clr_status clr3_shape_points(const float *points, size_t count, float radius, clr3_shape **shape);

/**
 * Filled cells of a grid whose cells have the given size, each > 0: cell (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1) times
 * the size. Part i is cell i of the list.
 */
CLR_API clr_status clr3_shape_voxels(const float size[3], const int32_t *cells, size_t count, clr3_shape **shape);

/**
 * Filled cells of a grid, by blocks and single cells, which can have shapes of a palette: slopes, halves, and other convex shapes. For
 * large grids that are dug in.
 */
CLR_API clr_status clr3_shape_tiles(const float size[3], const clr3_tiles *tiles, clr3_shape **shape);

/** The union of placed shapes of any kind but half-spaces. The parts of the first shape come first. */
CLR_API clr_status clr3_shape_compound(const clr3_placed *parts, size_t count, clr3_shape **shape);

/** The union of the convex hulls of lists of points, such as a convex decomposition: the first list has counts[0] points, and so on. */
CLR_API clr_status clr3_shape_compound_of_hulls(const float points[3], const size_t *counts, size_t hull_count, clr3_shape **shape);

/**
 * A convex shape of your own. It can be rounded, be a part of a compound, and be asked every question, but neither scaled, moved nor
 * stored.
 */
CLR_API clr_status clr3_shape_custom(const clr3_custom *custom, clr3_shape **shape);

/** All points within radius > 0 of a shape that is no composite. */
CLR_API clr_status clr3_shape_rounded(const clr3_shape *from, float radius, clr3_shape **shape);

/** A shape that is scaled about its origin by a factor > 0. */
CLR_API clr_status clr3_shape_scaled(const clr3_shape *from, float factor, clr3_shape **shape);

/** A shape that is scaled along the axes of its body. */
CLR_API clr_status clr3_shape_scaled_by(const clr3_shape *from, const float factors[3], clr3_shape **shape);

/** A shape that is moved in the frame of its body. */
CLR_API clr_status clr3_shape_translated(const clr3_shape *from, const float offset[3], clr3_shape **shape);

/** A shape that is moved so that a point of it becomes the origin of the body, such as its centre of mass. */
CLR_API clr_status clr3_shape_with_origin_at(const clr3_shape *from, const float point[3], clr3_shape **shape);

/** A mesh, a height field or a polyline of the plane whose faces count on their outer sides only, down to a depth >= 0. */
CLR_API clr_status clr3_shape_one_sided(const clr3_shape *from, float depth, clr3_shape **shape);

/** A shape that counts as a whole for what lies beyond it on one side: a platform to jump through. */
CLR_API clr_status clr3_shape_one_way(const clr3_shape *from, const clr3_one_way *side, clr3_shape **shape);

/** A closed mesh or polyline of the plane with an inside. */
CLR_API clr_status clr3_shape_solid(const clr3_shape *from, clr3_shape **shape);

/** A composite with a number of the caller's for each part, or for each shape of a compound. */
CLR_API clr_status clr3_shape_with_part_user_data(const clr3_shape *from, const uint64_t *data, size_t count, clr3_shape **shape);

/** Voxels in which cells are filled or emptied. The shape that it is made of stays as it is, and shares what is not changed. */
CLR_API clr_status clr3_shape_with_cells(const clr3_shape *from, const int32_t *cells, size_t count, bool filled, clr3_shape **shape);

/** Tiles in which cells are filled with an entry of the palette: k is tile k - 1, and 0 the whole cell. */
CLR_API clr_status clr3_shape_with_tiles(const clr3_shape *from, const int32_t *cells, size_t count, uint8_t entry, clr3_shape **shape);

/** Counts one owner more, who releases the shape too. */
CLR_API clr_status clr3_shape_retain(clr3_shape *shape);

/** Counts one owner less; after the last the handle is refused. Bodies and shapes that were made of it keep what they need. NULL is CLR_OK. */
CLR_API clr_status clr3_shape_release(clr3_shape *shape);

/** The name of the kind of a shape, such as "ball" or "mesh": constant text that is not ended by a zero. */
CLR_API clr_status clr3_shape_kind(const clr3_shape *of, clr_bytes *name);

/** The smallest box along the axes around all points within distance >= 0 of a shape at a pose, rounded outwards; NULL is the identity. */
CLR_API clr_status clr3_shape_bounds(const clr3_shape *of, const clr3_pose *pose, double distance, clr3_bounds *bounds);

/** An upper bound of the distance of the points of a shape from its origin; infinite for a half-space. */
CLR_API clr_status clr3_shape_bounding_radius(const clr3_shape *of, double *radius);

/** The volume, mass, centre of mass and inertia of a shape of a density > 0. */
CLR_API clr_status clr3_shape_mass_properties(const clr3_shape *of, float density, clr3_mass_properties *properties);

/** How many parts a shape has: 1 if it is no composite. */
CLR_API clr_status clr3_shape_part_count(const clr3_shape *of, uint32_t *count);

/** The number of the caller's that a part has; 0 if it has none. */
CLR_API clr_status clr3_shape_part_user_data(const clr3_shape *of, uint32_t part, uint64_t *user_data);

/** The cell of a part of voxels. */
CLR_API clr_status clr3_shape_cell_of_part(const clr3_shape *of, uint32_t part, int32_t cell[3]);

/** The part of voxels that a cell is; CLR_NO_PART if it is empty. */
CLR_API clr_status clr3_shape_part_of_cell(const clr3_shape *of, const int32_t cell[3], uint32_t *part);

/** Whether a cell of voxels is filled. */
CLR_API clr_status clr3_shape_has_cell(const clr3_shape *of, const int32_t cell[3], bool *is_filled);

/** The bytes that a shape shares with those that were made of it. */
CLR_API clr_status clr3_shape_memory(const clr3_shape *of, size_t *bytes);

/** Writes a shape as bytes, which clr3_shape_read of the same version reads on any platform: hulls and trees need not be built again. */
CLR_API clr_status clr3_shape_write(const clr3_shape *of, clr_byte_list *list);

/** The shape of bytes; damaged ones are refused. */
CLR_API clr_status clr3_shape_read(const uint8_t *bytes, size_t count, clr3_shape **shape);

/** A pose at the origin, not turned. */
CLR_API clr3_pose clr3_pose_identity(void);

/**
 * The description of a body that steps leave where it is, at the origin until its pose is set. The shape is not counted: it must live
 * until the body is inserted.
 */
CLR_API clr3_body clr3_body_fixed(const clr3_shape *shape);

/** The description of a body that steps move by its velocity, all else as clr3_body_fixed. */
CLR_API clr3_body clr3_body_moving(const clr3_shape *shape);

/**
 * Inserts bodies, and writes the id of each to ids, which has room for count. If one is refused, none is inserted.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_insert(clr3_world *world, const clr3_body *bodies, size_t count, uint64_t *ids);

/**
 * Removes bodies, or none if one is not in the world.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_remove(clr3_world *world, const uint64_t *ids, size_t count);

/**
 * Puts bodies where they are to be, or none of them if one is refused: poses has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_poses(clr3_world *world, const uint64_t *ids, const clr3_pose *poses, size_t count);

/**
 * As clr3_world_set_poses, of ids and poses that lie in structs of the caller's: id_stride and pose_stride are the bytes from one to the
 * next.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_poses_strided(clr3_world *world, const uint64_t *ids, size_t id_stride, const clr3_pose *poses,
    size_t pose_stride, size_t count);

/**
 * Changes the velocities of bodies, or of none of them if one is refused: velocities has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_velocities(clr3_world *world, const uint64_t *ids, const clr3_velocity *velocities, size_t count);

/**
 * Gives bodies numbers of the caller's: user_data has one for each id.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_user_data(clr3_world *world, const uint64_t *ids, const uint64_t *user_data, size_t count);

/**
 * Gives bodies another shape. The next step has the contacts.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_shape(clr3_world *world, const uint64_t *ids, size_t count, const clr3_shape *new_shape);

/**
 * Changes the groups of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_groups(clr3_world *world, const uint64_t *ids, size_t count, clr_groups groups);

/**
 * Makes bodies fixed or moving; their velocities are kept.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_kind(clr3_world *world, const uint64_t *ids, size_t count, clr_body_kind new_kind);

/**
 * Changes what is added to the margin of the world for the contacts of bodies, >= 0.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_extra_margin(clr3_world *world, const uint64_t *ids, size_t count, float extra);

/**
 * Changes whether the pairs of bodies give the contacts of their parts.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_part_contacts(clr3_world *world, const uint64_t *ids, size_t count, bool are_wanted);

/**
 * Changes whether steps find and keep the contact manifolds of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_manifolds(clr3_world *world, const uint64_t *ids, size_t count, bool are_wanted);

/**
 * Changes whether steps look at the whole ways of bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_swept(clr3_world *world, const uint64_t *ids, size_t count, bool are_swept);

/**
 * Fills or empties cells of a body whose shape is voxels: digs and builds. The next step has the contacts and events. Snapshots and other
 * bodies with the same shape keep theirs.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_cells(clr3_world *world, uint64_t body, const int32_t *cells, size_t count, bool filled);

/**
 * Fills cells of a body whose shape is tiles with an entry of the palette: k is tile k - 1, and 0 the whole cell.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_tiles(clr3_world *world, uint64_t body, const int32_t *cells, size_t count, uint8_t entry);

/**
 * Writes where bodies are: poses has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_poses(const clr3_world *world, const uint64_t *ids, size_t count, clr3_pose *poses);

/**
 * As clr3_world_poses, to poses that lie in structs of the caller's, stride bytes from one to the next.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_poses_strided(const clr3_world *world, const uint64_t *ids, size_t count, clr3_pose *poses, size_t stride);

/**
 * Writes how fast bodies move: velocities has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_velocities(const clr3_world *world, const uint64_t *ids, size_t count, clr3_velocity *velocities);

/**
 * Writes the descriptions of bodies, with NULL for their shapes, of which clr3_world_shape tells: bodies has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_bodies(const clr3_world *world, const uint64_t *ids, size_t count, clr3_body *descriptions);

/**
 * Writes the boxes around bodies, in single precision, rounded outwards: bounds has room for one for each id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_bounds(const clr3_world *world, const uint64_t *ids, size_t count, clr3_bounds *bounds);

/**
 * The shape of a body, as a new handle that the caller must release.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_shape(const clr3_world *world, uint64_t body, clr3_shape **shape);

/**
 * Whether a body is in the world.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_contains(const clr3_world *world, uint64_t body, bool *is_in);

/**
 * The user data of a body, also of one that was removed and that events may still name.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_user_data(const clr3_world *world, uint64_t body, uint64_t *user_data);

/**
 * How many bodies there are.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_body_count(const clr3_world *world, size_t *count);

/**
 * The ids of all bodies, in order.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_ids(const clr3_world *world, clr_id_list *list);

/**
 * Removes all bodies.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_clear(clr3_world *world);

/**
 * A frame: moves each moving body by its velocity for dt seconds, >= 0, and finds contacts and events.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_step(clr3_world *world, float dt);

/**
 * Brings what finds bodies up to date after many changes, so that the questions before the next step are fast. No answer depends on it.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_refresh(clr3_world *world);

/**
 * The pairs of bodies that the last step found within the margin, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_contacts(const clr3_world *world, clr3_contacts *contacts);

/**
 * The contacts of the last step that a body takes part in.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_contacts_of(const clr3_world *world, uint64_t body, clr3_contact_list *list);

/**
 * The contact of two bodies in the last step, in whichever order they are named. Its a and b are 0 if they made none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_contact(const clr3_world *world, uint64_t a, uint64_t b, clr3_contact *contact);

/**
 * The contacts of parts, such as the triangles of a mesh, of all pairs that want them: see part_contacts of options and bodies. Borrowed
 * until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_part_contacts(const clr3_world *world, clr3_contacts *contacts);

/**
 * The contacts of the parts of two bodies, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_part_contacts_between(const clr3_world *world, uint64_t a, uint64_t b, clr3_contact_list *list);

/**
 * Those of the part contacts that are of the surface which neighbouring parts and bodies make together, without those of its seams: see
 * surface_contacts of options. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_surface_contacts(const clr3_world *world, clr3_contacts *contacts);

/**
 * The surface contacts of two bodies, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_surface_contacts_between(const clr3_world *world, uint64_t a, uint64_t b, clr3_contact_list *list);

/**
 * What changed for pairs of bodies in the last step, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_events(const clr3_world *world, clr3_events *events);

/**
 * Where and when swept bodies met others within the last step, sorted by their ids. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_impacts(const clr3_world *world, clr3_impacts *impacts);

/**
 * The impacts of the last step that a body takes part in, in order of time.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_impacts_of(const clr3_world *world, uint64_t body, clr3_impact_list *list);

/**
 * The impact of two bodies in the last step, in whichever order they are named. Its hit is 0 if they made none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_impact(const clr3_world *world, uint64_t a, uint64_t b, clr3_impact *impact);

/**
 * The contact manifolds that the last step found, of the pairs that want them: see manifolds of options and bodies. Each point says which
 * one of the step before it goes on from. Borrowed until the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_manifolds(const clr3_world *world, clr3_manifolds *manifolds);

/**
 * The contact manifolds of all contacts at the current poses, whether or not steps find them.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_find_manifolds(const clr3_world *world, clr3_manifold_list *list);

/**
 * The contact manifold of the contact that two bodies made in the last step, at their current poses. Its a and b are 0 if they made none,
 * or are not in range any more.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_manifold(const clr3_world *world, uint64_t a, uint64_t b, clr3_manifold *manifold);

/**
 * A number that is equal for equal contacts, on every platform and with any number of threads: to find out where two games part.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_contacts_hash(const clr3_world *world, uint64_t *hash);

/**
 * A number that is equal for equal worlds, with all that their futures depend on.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_state_hash(const clr3_world *world, uint64_t *hash);

/**
 * As clr3_world_state_hash, with what a function tells in place of the user data of each body: where peers give bodies other numbers.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_state_hash_by(const clr3_world *world, clr_hashed_data data, void *context, uint64_t *hash);

/**
 * Times and counts of the last step.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_profile(const clr3_world *world, clr_profile *profile);

/**
 * Switches the measuring of times on or off; it is off at first.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_profiling(clr3_world *world, bool is_profiling);

/**
 * Lets pairs of bodies make no contact, whatever their groups say, or of none of them if one is refused: for links that a joint connects.
 * It lasts until clr3_world_unignore_pairs, or until one of the two is removed.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_ignore_pairs(clr3_world *world, const clr_body_pair *pairs, size_t count);

/**
 * Lets pairs of bodies make contacts again; nothing changes for those that were not ignored.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_unignore_pairs(clr3_world *world, const clr_body_pair *pairs, size_t count);

/**
 * Whether a pair of bodies was told to make no contact, in whichever order they are named.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_is_ignored(const clr3_world *world, uint64_t a, uint64_t b, bool *is_ignored);

/**
 * All pairs that were told to make no contact, sorted.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_ignored_pairs(const clr3_world *world, clr_body_pair_list *list);

/**
 * Lets a function decide which pairs make contacts, among those that groups and ignored pairs leave; NULL lets those alone decide. Steps
 * call it for pairs that are near and of which a body changed, with the lesser id first. Its answer must depend on nothing else than the
 * two bodies, or clr3_world_pair_filter_changed must be called. It is not part of snapshots. It must live as long as the world, and must
 * not call the world.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_pair_filter(clr3_world *world, clr_may_meet may_meet, void *context);

/**
 * Says that the function of clr3_world_set_pair_filter answers differently than before. The next step measures every pair.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_pair_filter_changed(clr3_world *world);

/**
 * Switches the measuring of times on, by a clock of the program's: nanoseconds since any moment. One clock serves all worlds; NULL is the
 * clock of the system.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_profiling_by(clr3_world *world, clr_clock clock);

/**
 * The bytes that a world holds.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_memory(const clr3_world *world, size_t *bytes);

/**
 * Looks for damage in a world: for tests. CLR_PANIC with what was found, if anything.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_validate(const clr3_world *world);

/**
 * The first body that a ray hits; of bodies hit at one distance, the one with the smallest id. The body of the hit is 0 if there is none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_ray(const clr3_world *world, const clr3_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr3_body_ray_hit *hit);

/**
 * All bodies that a ray hits, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_ray_all(const clr3_world *world, const clr3_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr3_body_ray_hit_list *list);

/**
 * All parts of bodies that a ray hits, such as each triangle of a mesh, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_ray_all_parts(const clr3_world *world, const clr3_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, clr3_body_ray_hit_list *list);

/**
 * Whether a ray hits any body: faster than to ask which.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_ray_hits_any(const clr3_world *world, const clr3_ray *ray, const clr_ray_options *options,
    const clr_filter *filter, bool *hits);

/**
 * The first body that a shape in motion meets, while the bodies rest; of bodies met at one time, the one with the smallest id. The body of
 * the hit is 0 if there is none.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_shape(const clr3_world *world, const clr3_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, clr3_body_cast_hit *hit);

/**
 * All bodies that a shape in motion meets, each for itself, in order of time.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_shape_all(const clr3_world *world, const clr3_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, clr3_body_cast_hit_list *list);

/**
 * Whether a shape in motion meets any body: faster than to ask which.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_meets_any(const clr3_world *world, const clr3_cast *cast, const clr_cast_options *options,
    const clr_filter *filter, bool *meets);

/**
 * The bodies within a signed distance of a placed shape, sorted by id. With 0 for within these are the bodies that it overlaps or touches.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_near_shape(const clr3_world *world, const clr3_placed *placed, float within, const clr_filter *filter,
    clr3_body_near_list *list);

/**
 * The bodies within a signed distance of a point, sorted by id. With 0 for within these are the bodies that contain it.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_near_point(const clr3_world *world, const double point[3], float within, const clr_filter *filter,
    clr3_body_near_list *list);

/**
 * So many bodies that are nearest to a placed shape, the nearest first; those that overlap it have negative distances.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_nearest_to_shape(const clr3_world *world, const clr3_placed *placed, clr_nearest nearest,
    const clr_filter *filter, clr3_body_near_list *list);

/**
 * So many bodies that are nearest to a point, the nearest first.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_nearest_to_point(const clr3_world *world, const double point[3], clr_nearest nearest,
    const clr_filter *filter, clr3_body_near_list *list);

/**
 * The bodies whose bounding boxes overlap a box, sorted by id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_in_box(const clr3_world *world, const clr3_bounds *bounds, clr_id_list *list);

/**
 * The first body that each ray hits: hits has room for one for each ray.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_rays(const clr3_world *world, const clr3_ray *rays, size_t count, const clr_ray_options *options,
    const clr_filter *filter, clr3_body_ray_hit *hits);

/**
 * The first body that each shape in motion meets: hits has room for one for each cast.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_cast_shapes(const clr3_world *world, const clr3_cast *casts, size_t count, const clr_cast_options *options,
    const clr_filter *filter, clr3_body_cast_hit *hits);

/**
 * The bodies within a signed distance of each placed shape, sorted by question, which counts the shapes, and id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_near_shapes(const clr3_world *world, const clr3_placed *placed, size_t count, float within,
    const clr_filter *filter, clr3_body_near_list *list);

/**
 * The bodies within a signed distance of each point, sorted by question, which counts the points, and id.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_near_points(const clr3_world *world, const double *points, size_t count, float within,
    const clr_filter *filter, clr3_body_near_list *list);

/**
 * So many bodies that are nearest to each placed shape, sorted by question, which counts the shapes, and distance.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_nearest_to_shapes(const clr3_world *world, const clr3_placed *placed, size_t count, clr_nearest nearest,
    const clr_filter *filter, clr3_body_near_list *list);

/**
 * So many bodies that are nearest to each point, sorted by question, which counts the points, and distance.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_nearest_to_points(const clr3_world *world, const double *points, size_t count, clr_nearest nearest,
    const clr_filter *filter, clr3_body_near_list *list);

/** The options that a slide has unless others are wanted. */
CLR_API clr3_slide_options clr3_slide_options_default(void);

/** A shape that is to go motion, that does not stand, and that takes as long as the last step. */
CLR_API clr3_sliding clr3_sliding_default(const clr3_shape *shape, clr3_pose pose);

/** A body that is to go motion from where it is, that does not stand, and that takes as long as the last step. */
CLR_API clr3_sliding_body clr3_sliding_body_default(uint64_t body);

/**
 * Moves a shape and lets it slide along what it meets, climb steps, and stand on ground that moves. Nothing in the world changes. What it
 * touched goes to contacts, which may be NULL.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_slide(const clr3_world *world, const clr3_sliding *sliding, const clr3_slide_options *options,
    const clr_filter *filter, clr3_slide *slide, clr3_slide_contact_list *contacts);

/**
 * As clr3_world_slide, of a body of the world: past what it cannot make contacts with, and past itself. Put the body where the answer
 * says.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_slide_body(const clr3_world *world, const clr3_sliding_body *sliding, const clr3_slide_options *options,
    const clr_filter *filter, clr3_slide *slide, clr3_slide_contact_list *contacts);

/**
 * The least translation that frees a body of all that it overlaps at once. Nothing in the world changes.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_push_out(const clr3_world *world, uint64_t body, const clr_filter *filter, clr3_push_out *push_out);

/**
 * How far apart two placed shapes are, if they are within within of each other, which may be infinite; else the status of the answer is
 * CLR_DISTANCE_FARTHER.
 */
CLR_API clr_status clr3_distance(const clr3_placed *a, const clr3_placed *b, float within, clr3_separation *separation);

/** How far apart the two shapes of each pair are: a, b and separations have count items. */
CLR_API clr_status clr3_distances(const clr3_placed *a, const clr3_placed *b, size_t count, float within, clr3_separation *separations);

/** Whether two placed shapes have a point in common: faster than to ask how far apart they are. */
CLR_API clr_status clr3_intersects(const clr3_placed *a, const clr3_placed *b, bool *result);

/**
 * All pairs of parts of two placed shapes that are within within of each other. is_complete is false where the search ended at its limit;
 * it may be NULL.
 */
CLR_API clr_status clr3_part_contacts(const clr3_placed *a, const clr3_placed *b, float within, clr3_separation_list *list,
    bool *is_complete);

/**
 * The contact manifolds of two placed shapes: one for convex shapes, else one for each pair of parts. is_complete is false where the
 * search ended at its limit; it may be NULL.
 */
CLR_API clr_status clr3_contact_manifolds(const clr3_placed *a, const clr3_placed *b, float within, clr3_manifold_list *list,
    bool *is_complete);

/** When and where two shapes in motion meet. The hit of the answer is 0 if they do not. */
CLR_API clr_status clr3_cast_shapes(const clr3_cast *a, const clr3_cast *b, const clr_cast_options *options, clr3_cast_hit *hit);

/** Where a ray hits a placed shape. The hit of the answer is 0 if it does not. */
CLR_API clr_status clr3_cast_ray(const clr3_ray *ray, const clr3_placed *placed, const clr_ray_options *options, clr3_ray_hit *hit);

/** All parts of a placed shape that a ray hits, the nearest first. */
CLR_API clr_status clr3_cast_ray_all(const clr3_ray *ray, const clr3_placed *placed, const clr_ray_options *options,
    clr3_ray_hit_list *list);

/** Whether a ray hits a placed shape. */
CLR_API clr_status clr3_ray_hits(const clr3_ray *ray, const clr3_placed *placed, const clr_ray_options *options, bool *hits);

/**
 * The outward normal of the face of b that looks against a direction most, at the point of an answer: on an edge or a corner that is not
 * the normal of the answer turned round. Of separation its point, normal and part of b count.
 */
CLR_API clr_status clr3_face_normal(const clr3_placed *b, const clr3_separation *separation, const float direction[3], float normal[3]);

/** How far a point (a) is from a placed shape (b), if they are within within of each other; negative inside. */
CLR_API clr_status clr3_point_distance(const double point[3], const clr3_placed *placed, float within, clr3_separation *separation);

/**
 * Keeps the state of a world: bodies, contacts, ids, user data. It belongs to the caller, who ends it with clr3_snapshot_destroy.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_snapshot(const clr3_world *world, clr3_snapshot **snapshot);

/**
 * As clr3_world_snapshot, without the contacts that follow from the bodies: smaller, and slower to return to.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_snapshot_without_contacts(const clr3_world *world, clr3_snapshot **snapshot);

/**
 * Replaces a snapshot by the state of a world, in its memory: for games that keep the last frames.
 * Asks: any number of threads at a time, while none changes the world.
 */
CLR_API clr_status clr3_world_snapshot_into(const clr3_world *world, clr3_snapshot *snapshot);

/**
 * Returns to a snapshot. All steps that follow have the bits that they had after it was taken; the functions that a world was given stay.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_restore(clr3_world *world, const clr3_snapshot *snapshot);

/** Writes a snapshot as bytes, which clr3_snapshot_read of the same version reads on any platform. */
CLR_API clr_status clr3_snapshot_write(const clr3_snapshot *snapshot, clr_byte_list *list);

/** The snapshot of bytes; damaged ones are refused. It belongs to the caller, who ends it with clr3_snapshot_destroy. */
CLR_API clr_status clr3_snapshot_read(const uint8_t *bytes, size_t count, clr3_snapshot **snapshot);

/** The bytes that a snapshot holds. */
CLR_API clr_status clr3_snapshot_memory(const clr3_snapshot *snapshot, size_t *bytes);

/** Ends a snapshot; the library refuses its handle then. NULL is CLR_OK. */
CLR_API clr_status clr3_snapshot_destroy(clr3_snapshot *snapshot);

/** A cylinder about the y axis of the body, centred on its origin. */
CLR_API clr_status clr3_shape_cylinder(float half_height, float radius, clr3_shape **shape);

/** A cone about the y axis of the body, with its base at y = -half_height and its tip at y = +half_height. */
CLR_API clr_status clr3_shape_cone(float half_height, float radius, clr3_shape **shape);

/** The convex hull of a disc of radius_top at y = +half_height and one of radius_bottom at y = -half_height, one of which may be 0. */
CLR_API clr_status clr3_shape_tapered_cylinder(float half_height, float radius_top, float radius_bottom, clr3_shape **shape);

/** A surface of triangles, each by the numbers of its three vertices, counted from 0; counter-clockwise, seen from its front. */
CLR_API clr_status clr3_shape_mesh(const float *vertices, size_t count, const uint32_t *triangles, size_t triangle_count,
    clr3_shape **shape);

/** A closed surface of triangles with an inside: a point within has a negative distance. */
CLR_API clr_status clr3_shape_solid_mesh(const float *vertices, size_t count, const uint32_t *triangles, size_t triangle_count,
    clr3_shape **shape);

/** A surface of triangles in which vertices at one place become one, as files that list each triangle's corners need. */
CLR_API clr_status clr3_shape_mesh_welded(const float *vertices, size_t count, const uint32_t *triangles, size_t triangle_count,
    clr3_shape **shape);

/** Ground by a grid of heights, row by row, scaled along the axes about the middle of the grid. NaN stands for a missing height. */
CLR_API clr_status clr3_shape_height_field(const float *heights, size_t rows, size_t columns, const float scale[3], clr3_shape **shape);

/** A height field in which a block of heights is changed. The shape that it is made of stays as it is. */
CLR_API clr_status clr3_shape_with_heights(const clr3_shape *from, const clr3_height_block *block, clr3_shape **new_shape);

/**
 * Changes a block of the heights of a body whose shape is a height field. The next step has the contacts and events. Snapshots and other
 * bodies with the same shape keep theirs.
 * Changes the world: one thread at a time, while no other asks.
 */
CLR_API clr_status clr3_world_set_heights(clr3_world *world, uint64_t body, const clr3_height_block *block);

/** Used by CLR_ABI_SIZES. */
#define CLR_FOLD(sizes, kind) ((uint64_t)(sizes) * 31u + sizeof(kind))

/** The sizes of all structs of this header in one number, for clr_check_abi. */
#define CLR_ABI_SIZES clr_abi_sizes()
static inline uint64_t clr_abi_sizes(void) {
    uint64_t sizes = 0;
    sizes = CLR_FOLD(sizes, clr_groups);
    sizes = CLR_FOLD(sizes, clr_body_pair);
    sizes = CLR_FOLD(sizes, clr_ray_options);
    sizes = CLR_FOLD(sizes, clr_cast_options);
    sizes = CLR_FOLD(sizes, clr_filter);
    sizes = CLR_FOLD(sizes, clr_profile);
    sizes = CLR_FOLD(sizes, clr_bytes);
    sizes = CLR_FOLD(sizes, clr_nearest);
    sizes = CLR_FOLD(sizes, clr_id_list);
    sizes = CLR_FOLD(sizes, clr_byte_list);
    sizes = CLR_FOLD(sizes, clr_body_pair_list);
    sizes = CLR_FOLD(sizes, clr2_pose);
    sizes = CLR_FOLD(sizes, clr2_velocity);
    sizes = CLR_FOLD(sizes, clr2_body);
    sizes = CLR_FOLD(sizes, clr2_placed);
    sizes = CLR_FOLD(sizes, clr2_ray);
    sizes = CLR_FOLD(sizes, clr2_cast);
    sizes = CLR_FOLD(sizes, clr2_separation);
    sizes = CLR_FOLD(sizes, clr2_contact);
    sizes = CLR_FOLD(sizes, clr2_event);
    sizes = CLR_FOLD(sizes, clr2_cast_hit);
    sizes = CLR_FOLD(sizes, clr2_body_cast_hit);
    sizes = CLR_FOLD(sizes, clr2_impact);
    sizes = CLR_FOLD(sizes, clr2_body_near);
    sizes = CLR_FOLD(sizes, clr2_manifold_point);
    sizes = CLR_FOLD(sizes, clr2_manifold);
    sizes = CLR_FOLD(sizes, clr2_ray_hit);
    sizes = CLR_FOLD(sizes, clr2_body_ray_hit);
    sizes = CLR_FOLD(sizes, clr2_bounds);
    sizes = CLR_FOLD(sizes, clr2_contacts);
    sizes = CLR_FOLD(sizes, clr2_events);
    sizes = CLR_FOLD(sizes, clr2_impacts);
    sizes = CLR_FOLD(sizes, clr2_manifolds);
    sizes = CLR_FOLD(sizes, clr2_contact_list);
    sizes = CLR_FOLD(sizes, clr2_impact_list);
    sizes = CLR_FOLD(sizes, clr2_manifold_list);
    sizes = CLR_FOLD(sizes, clr2_separation_list);
    sizes = CLR_FOLD(sizes, clr2_ray_hit_list);
    sizes = CLR_FOLD(sizes, clr2_body_ray_hit_list);
    sizes = CLR_FOLD(sizes, clr2_body_cast_hit_list);
    sizes = CLR_FOLD(sizes, clr2_body_near_list);
    sizes = CLR_FOLD(sizes, clr2_options);
    sizes = CLR_FOLD(sizes, clr2_one_way);
    sizes = CLR_FOLD(sizes, clr2_tile);
    sizes = CLR_FOLD(sizes, clr2_custom);
    sizes = CLR_FOLD(sizes, clr2_cell_box);
    sizes = CLR_FOLD(sizes, clr2_tiles);
    sizes = CLR_FOLD(sizes, clr2_mass_properties);
    sizes = CLR_FOLD(sizes, clr2_slide_options);
    sizes = CLR_FOLD(sizes, clr2_slide_ground);
    sizes = CLR_FOLD(sizes, clr2_sliding);
    sizes = CLR_FOLD(sizes, clr2_sliding_body);
    sizes = CLR_FOLD(sizes, clr2_slide_contact);
    sizes = CLR_FOLD(sizes, clr2_slide_contact_list);
    sizes = CLR_FOLD(sizes, clr2_slide);
    sizes = CLR_FOLD(sizes, clr2_push_out);
    sizes = CLR_FOLD(sizes, clr3_pose);
    sizes = CLR_FOLD(sizes, clr3_velocity);
    sizes = CLR_FOLD(sizes, clr3_body);
    sizes = CLR_FOLD(sizes, clr3_placed);
    sizes = CLR_FOLD(sizes, clr3_ray);
    sizes = CLR_FOLD(sizes, clr3_cast);
    sizes = CLR_FOLD(sizes, clr3_separation);
    sizes = CLR_FOLD(sizes, clr3_contact);
    sizes = CLR_FOLD(sizes, clr3_event);
    sizes = CLR_FOLD(sizes, clr3_cast_hit);
    sizes = CLR_FOLD(sizes, clr3_body_cast_hit);
    sizes = CLR_FOLD(sizes, clr3_impact);
    sizes = CLR_FOLD(sizes, clr3_body_near);
    sizes = CLR_FOLD(sizes, clr3_manifold_point);
    sizes = CLR_FOLD(sizes, clr3_manifold);
    sizes = CLR_FOLD(sizes, clr3_ray_hit);
    sizes = CLR_FOLD(sizes, clr3_body_ray_hit);
    sizes = CLR_FOLD(sizes, clr3_bounds);
    sizes = CLR_FOLD(sizes, clr3_contacts);
    sizes = CLR_FOLD(sizes, clr3_events);
    sizes = CLR_FOLD(sizes, clr3_impacts);
    sizes = CLR_FOLD(sizes, clr3_manifolds);
    sizes = CLR_FOLD(sizes, clr3_contact_list);
    sizes = CLR_FOLD(sizes, clr3_impact_list);
    sizes = CLR_FOLD(sizes, clr3_manifold_list);
    sizes = CLR_FOLD(sizes, clr3_separation_list);
    sizes = CLR_FOLD(sizes, clr3_ray_hit_list);
    sizes = CLR_FOLD(sizes, clr3_body_ray_hit_list);
    sizes = CLR_FOLD(sizes, clr3_body_cast_hit_list);
    sizes = CLR_FOLD(sizes, clr3_body_near_list);
    sizes = CLR_FOLD(sizes, clr3_options);
    sizes = CLR_FOLD(sizes, clr3_one_way);
    sizes = CLR_FOLD(sizes, clr3_tile);
    sizes = CLR_FOLD(sizes, clr3_custom);
    sizes = CLR_FOLD(sizes, clr3_cell_box);
    sizes = CLR_FOLD(sizes, clr3_tiles);
    sizes = CLR_FOLD(sizes, clr3_mass_properties);
    sizes = CLR_FOLD(sizes, clr3_slide_options);
    sizes = CLR_FOLD(sizes, clr3_slide_ground);
    sizes = CLR_FOLD(sizes, clr3_sliding);
    sizes = CLR_FOLD(sizes, clr3_sliding_body);
    sizes = CLR_FOLD(sizes, clr3_slide_contact);
    sizes = CLR_FOLD(sizes, clr3_slide_contact_list);
    sizes = CLR_FOLD(sizes, clr3_slide);
    sizes = CLR_FOLD(sizes, clr3_push_out);
    sizes = CLR_FOLD(sizes, clr3_height_block);
    return sizes;
}

#ifdef __cplusplus
}
#endif

#endif
