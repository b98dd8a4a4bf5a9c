"""Writes a C program that calls everything with arguments that may be wrong, chosen at random: hostile.py JSON CALLS > program.c

Handles are those of worlds, shapes and snapshots that are alive, freed, of another kind, or were made up; ids are right, stale, foreign or made up;
numbers are ordinary, huge, infinite or NaN; pointers are right, NULL or not aligned; sizes fit, are zero, or overflow. What C itself forbids is
left out: pointers to less memory than the call says.
"""

import json
import sys

HEAD = """\
#include <clearance/clearance.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that look random, the same in each run. */
static uint64_t state = 88172645463325252u;
static uint32_t dice(uint32_t sides) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % sides;
}

/* Room for whatever a call writes, and what it reads: 64 items of the largest struct. */
#define ROOM (64 * 1024)
static union { double aligned; unsigned char bytes[ROOM]; } rooms[8];
static unsigned next_room = 0;
static long counts[16];

static float real(void) {
    static const float odd[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.05f, 1e-30f, 3.4e38f, -3.4e38f};
    uint32_t k = dice(24);
    if (k < 8) return odd[k];
    if (k == 8) return NAN;
    if (k == 9) return INFINITY;
    if (k == 10) return -INFINITY;
    return (float)dice(1000) / 250.0f;
}

static size_t count(void) {
    static const size_t odd[] = {0, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 16};
    return dice(6) ? 1 + dice(4) : odd[dice(4)];
}

/* NULL, memory that is not aligned, or what was put into the room. */
static void *pointer(void *room) {
    uint32_t k = dice(24);
    return k == 0 ? NULL : k == 1 ? (void *)((unsigned char *)room + 1) : room;
}

static void *fresh(void) {
    unsigned char *room = rooms[next_room++ % 8].bytes;
    size_t k;
    switch (dice(3)) {
    case 0: memset(room, 0, ROOM); break;
    case 1: memset(room, 0xff, ROOM); break;
    default: for (k = 0; k < ROOM; k++) room[k] = (unsigned char)dice(256);
    }
    return room;
}

static int called = 0;
static unsigned char did[4096];

static void note(clr_status status) {
    if (status == CLR_OK) did[called] = 1;
    if (status < 0 || status > 10 || status == CLR_PANIC) {
        printf("status %d: %s\\n", (int)status, clr_last_error());
        exit(1);
    }
    counts[status]++;
}

static bool accepts(void *context, uint64_t body, uint64_t user_data, uint32_t part) {
    (void)context, (void)part;
    return ((body + user_data) & 1) == 0;
}

static bool may_meet(void *context, uint64_t a, uint64_t user_data_a, uint64_t b, uint64_t user_data_b) {
    (void)context, (void)user_data_a, (void)user_data_b;
    return ((a + b) & 3) != 0;
}

static uint64_t hashed(void *context, uint64_t user_data) {
    (void)context;
    return user_data * 3;
}

static void farthest(void *context, const double *direction, double *point) {
    (void)context;
    point[0] = direction[0] > 0.0 ? 0.5 : -0.5;
    point[1] = direction[1] > 0.0 ? 0.5 : -0.5;
}

static void support(void *context, const double *direction, double *point) {
    farthest(context, direction, point);
    point[2] = direction[2] > 0.0 ? 0.5 : -0.5;
}

static uint64_t tick(void) {
    static uint64_t now = 0;
    return now += 1000;
}

static clr_filter *filter(void) {
    static clr_filter one;
    static uint64_t some[4] = {1, 0, 77, UINT64_MAX};
    if (dice(2)) return NULL;
    one = clr_filter_default();
    if (dice(8) == 0) one.size = dice(100);
    if (dice(2)) one.accepts = accepts;
    if (dice(2)) one.accepts_part = accepts;
    one.groups.filter = dice(4) ? UINT32_MAX : dice(8);
    one.exclude = dice(2) ? some : NULL;
    one.exclude_count = dice(4) ? (one.exclude ? 4 : 0) : count();
    if (one.exclude_count > 4 && one.exclude_count < 100) one.exclude_count = 4;
    return &one;
}
"""

OF_DIM = """
#define MOST 24
static clrN_world *worlds_N[MOST];
static clrN_shape *shapes_N[MOST];
static clrN_snapshot *snapshots_N[MOST];
static uint64_t ids_N[MOST];

static clrN_world *world_N(void) {
    uint32_t k = dice(40);
    if (k == 0) return NULL;
    if (k == 1) return (clrN_world *)(uintptr_t)(((uint64_t)dice(UINT32_MAX) << 20) + dice(4096));
    if (k == 2) return (clrN_world *)(void *)shapes_N[dice(MOST)];
    return worlds_N[dice(MOST)];
}
static clrN_shape *shape_N(void) {
    uint32_t k = dice(40);
    if (k == 0) return NULL;
    if (k == 1) return (clrN_shape *)(uintptr_t)(((uint64_t)dice(UINT32_MAX) << 20) + dice(4096));
    if (k == 2) return (clrN_shape *)(void *)worlds_N[dice(MOST)];
    return shapes_N[dice(MOST)];
}
static clrN_snapshot *snapshot_N(void) {
    return dice(20) ? snapshots_N[dice(MOST)] : (clrN_snapshot *)(void *)shape_N();
}
static uint64_t id_N(void) {
    return dice(10) ? ids_N[dice(MOST)] : (uint64_t)dice(UINT32_MAX) << dice(32);
}
static clrN_pose pose_N(void) {
    clrN_pose pose = clrN_pose_identity();
    size_t k;
    for (k = 0; k < sizeof pose.position / sizeof *pose.position; k++) pose.position[k] = dice(30) ? (double)real() : (double)real() * 1e30;
    if (dice(20) == 0) pose.rotation[dice(2)] = real();
    return pose;
}
static clrN_body body_N(void) {
    clrN_body body = dice(2) ? clrN_body_fixed(shape_N()) : clrN_body_moving(shape_N());
    body.pose = pose_N();
    body.user_data = dice(3);
    body.velocity.linear[0] = real();
    body.swept = (uint8_t)dice(3);
    body.manifolds = (uint8_t)dice(2);
    if (dice(30) == 0) body.kind = (uint8_t)dice(256);
    if (dice(30) == 0) body.extra_margin = real();
    return body;
}
"""


class Writer:
    def __init__(self, interface):
        self.interface = interface
        self.structs = {one["name"]: one for one in interface["structs"]}
        self.floats = {"float", "double"}

    def value(self, kind, dim):
        """An expression of a type, or None if it is filled as bytes."""
        plain = {
            "float": "real()", "double": "(double)real()", "size_t": "count()", "uint64_t": f"id_{dim}()", "bool": "(bool)dice(2)",
            "uint32_t": "dice(5)", "uint8_t": "(uint8_t)dice(3)", "int32_t": "(int32_t)dice(7) - 3",
        }  # fmt: skip
        handles = {"world", "shape", "snapshot"}
        for name in handles:
            if kind.replace("const ", "") == f"clr{dim}_{name} *":
                return f"{name}_{dim}()"
        return plain.get(kind)

    def fill(self, struct, target, dim, depth=0):
        """Statements that put values into a struct."""
        special = {f"clr{dim}_pose": f"pose_{dim}()", f"clr{dim}_body": f"body_{dim}()"}
        if struct in special:
            return [f"{target} = {special[struct]};"]
        out = []
        for field in self.structs[struct]["fields"]:
            name, kind = f"{target}.{field['name']}", field["type"]
            if field["name"] == "size":
                out.append(f"{name} = dice(9) ? (uint32_t)sizeof({struct}) : dice(99);")
            elif field["name"] in ("capacity", "count") or field["name"].endswith("_count"):
                out.append(f"{name} = dice(30) ? dice(4) : SIZE_MAX / 2;")
            elif "count" in field:
                value = self.value(kind, dim) or "0"
                if field["name"] == "state":
                    continue
                out.extend(f"{name}[{k}] = {value};" for k in range(field["count"]))
            elif kind in self.structs:
                out += self.fill(kind, name, dim, depth + 1)
            elif kind == "void *":
                out.append(f"{name} = NULL;")
            elif kind.endswith("*") and self.value(kind, dim) is None:
                out.append(f"{name} = ({kind})pointer(fresh());" if depth == 0 else f"{name} = NULL;")
            elif kind == "clr_support":
                out.append(f"{name} = dice(5) ? {'farthest' if dim == 2 else 'support'} : NULL;")
            elif kind.startswith("clr_"):
                out.append(f"memset(&{name}, (int)dice(4), sizeof {name});")
            else:
                out.append(f"{name} = {self.value(kind, dim)};")
        return out

    def argument(self, one, dim, number, before):
        kind, name = one["type"], one["name"]
        local = f"a{number}"
        if name == "filter" and kind == "const clr_filter *":
            return [], "filter()"
        if kind == "clr_may_meet":
            return [], "dice(3) ? may_meet : NULL"
        if kind == "clr_hashed_data":
            return [], "dice(3) ? hashed : NULL"
        if kind == "clr_clock":
            return [], "dice(2) ? tick : NULL"
        if name.endswith("stride"):
            return [], "dice(8) ? 64 : dice(100)"
        if name in ("rows", "columns"):
            return [], "dice(9) ? 2 + dice(3) : count()"
        value = self.value(kind, dim)
        if value:
            return [], value
        if kind in self.structs:
            return [f"{kind} {local};", f"memset(&{local}, 0, sizeof {local});", *self.fill(kind, local, dim)], local
        if kind == "void *":
            return [], "NULL"
        if kind.startswith("clr_") and not kind.endswith("*"):
            return [], f"({kind})dice(12)"
        of = one["of"]
        lines = [f"void *{local} = fresh();"]
        if one["direction"] == "in":
            items = [f"(({of} *){local})[k]"]
            if of in self.structs:
                body = self.fill(of, items[0], dim)
            elif self.value(of, dim):
                body = [f"{items[0]} = {self.value(of, dim)};"]
            else:
                body = []
            # Each pointer in a struct takes a room of its own, of which there are not many.
            many = 64 if of not in self.structs else 1 if "fresh()" in " ".join(body) else 16
            if of == "size_t":
                body = [f"{items[0]} = dice(20) ? dice(5) : SIZE_MAX / 3;"]
            lines.append(f"for (k = 0; k < {many}; k++) {{ {' '.join(body)} }}")
        elif of in self.structs and of.endswith("_list"):
            lines += [line.replace("TARGET", f"(({of} *){local})[0]") for line in self.fill(of, "TARGET", dim)]
        return lines, f"pointer({local})"

    def call(self, function, number):
        dim = function["dim"] or 3
        name = function["name"]
        lines, args = [], []
        for k, one in enumerate(function["args"]):
            before, arg = self.argument(one, dim, k, args)
            lines += before
            args.append(arg)
        body = [f"static void call_{number}(void) {{", "    size_t k = 0;", *("    " + line for line in lines), "    (void)k;"]
        keeps = {f"clr{dim}_world *": "worlds", f"clr{dim}_shape *": "shapes", f"clr{dim}_snapshot *": "snapshots"}
        last = function["args"][-1] if function["args"] else {}
        invocation = f"{name}({', '.join(args)})"
        if function["result"] != "clr_status":
            body.append(f"    (void){invocation};")
        elif last.get("direction") == "out" and last["of"] in keeps:
            room = len(function["args"]) - 1
            table = keeps[last["of"]]
            end = {"worlds": "world_destroy", "shapes": "shape_release", "snapshots": "snapshot_destroy"}[table]
            body += [
                f"    void *made = a{room};",
                f"    clr_status status = {name}({', '.join([*args[:-1], 'made'])});",
                "    note(status);",
                "    if (status == CLR_OK) {",
                f"        uint32_t at = dice(MOST);",
                f"        while ({table}_{dim}[at] && clr{dim}_{end}({table}_{dim}[at]) == CLR_OK) continue;",
                f"        memcpy(&{table}_{dim}[at], made, sizeof {table}_{dim}[at]);",
                "    }",
            ]
        elif name.endswith("world_insert"):
            body += [
                f"    clr_status status = {invocation};",
                "    note(status);",
                f"    if (status == CLR_OK) memcpy(&ids_{dim}[dice(MOST)], a{len(function['args']) - 1}, sizeof(uint64_t));",
            ]
        else:
            body.append(f"    note({invocation});")
        return "\n".join([*body, "}", ""])


def main():
    interface = json.loads(open(sys.argv[1]).read())
    writer = Writer(interface)
    # Those that end the program's own things are called by the others.
    functions = [one for one in interface["functions"] if one["name"] != "clr_last_error"]
    print(HEAD)
    for dim in "23":
        print(OF_DIM.replace("clrN", f"clr{dim}").replace("_N", f"_{dim}"))
    for number, function in enumerate(functions):
        print(writer.call(function, number))
    print("typedef void (*call)(void);\nstatic const call calls[] = {")
    print(",\n".join(f"    call_{number}" for number in range(len(functions))))
    makers = [n for n, one in enumerate(functions) if one["name"].split("_")[-1] in ("create", "ball", "cuboid", "insert", "step", "hull")]
    print("};\nstatic const int makers[] = {" + ", ".join(map(str, makers)) + "};")
    names = [one["name"] if one["result"] == "clr_status" else "" for one in functions]
    print("static const char *const names[] = {" + ", ".join(f'"{name}"' for name in names) + "};")
    print(f"""
int main(void) {{
    long done;
    int k;
    for (done = 0; done < {sys.argv[2]}; done++) {{
        called = dice(3) ? (int)dice(sizeof calls / sizeof *calls) : makers[dice(sizeof makers / sizeof *makers)];
        calls[called]();
    }}
    for (k = 0; k < MOST; k++) {{""")
    for dim in "23":
        print(f"        clr{dim}_world_destroy(worlds_{dim}[k]);\n        clr{dim}_snapshot_destroy(snapshots_{dim}[k]);")
        print(f"        while (shapes_{dim}[k] && clr{dim}_shape_release(shapes_{dim}[k]) == CLR_OK) continue;")
    print("""    }
    for (k = 0; k < 11; k++) printf("%s %ld\\n", clr_status_name(k), counts[k]);
    for (k = 0; k < (int)(sizeof names / sizeof *names); k++) {
        if (!did[k] && names[k][0] != '\\0') printf("never: %s\\n", names[k]);
    }
    return counts[CLR_OK] == 0;
}""")


main()
