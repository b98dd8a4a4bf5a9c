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

