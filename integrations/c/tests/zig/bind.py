"""Makes a binding for Zig from the header as JSON: bind.py clearance.json > clearance.zig. A binding for another language is as long."""

import json
import re
import sys

PLAIN = {
    "uint8_t": "u8", "int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64", "size_t": "usize", "float": "f32", "double": "f64",
    "bool": "bool", "void": "void", "void *": "?*anyopaque", "const char *": "[*:0]const u8",
}  # fmt: skip


def kind(c):
    """The type in Zig of a type in C."""
    if c in PLAIN:
        return PLAIN[c]
    pointer = re.fullmatch(r"(const )?(.+?) ?(const )?\*", c)
    if not pointer:
        return c
    inner = pointer[2]
    opaque = re.fullmatch(r"clr\d_(world|shape|snapshot)", inner)
    const = "const " if pointer[1] or pointer[3] else ""
    return f"?*{const}{inner}" if opaque else f"[*c]{const}{kind(inner)}"


def argument(one):
    return f"{one['name']}: {kind(one['type'])}"


def main():
    interface = json.loads(open(sys.argv[1]).read())
    out = []
    for enum in interface["enums"]:
        out.append(f"pub const {enum['name']} = {PLAIN[enum['type']]};")
        out += [f"pub const {value['name']}: {enum['name']} = {value['value']};" for value in enum["values"]]
    out += [f"pub const {one['name']} = opaque {{}};" for one in interface["opaque"]]
    for one in interface["callbacks"]:
        args = ", ".join(map(argument, one["args"]))
        out.append(f"pub const {one['name']} = ?*const fn ({args}) callconv(.c) {kind(one['result'])};")
    for struct in interface["structs"]:
        fields = []
        for field in struct["fields"]:
            one = kind(field["type"])
            fields.append(f"    {field['name']}: {'[%d]' % field['count'] if 'count' in field else ''}{one},")
        out += [f"pub const {struct['name']} = extern struct {{", *fields, "};"]
        out.append(f"comptime {{ if (@sizeOf({struct['name']}) != {struct['size']}) unreachable; }}")
    for function in interface["functions"]:
        args = ", ".join(map(argument, function["args"]))
        out.append(f"pub extern fn {function['name']}({args}) {kind(function['result'])};")
    print("\n".join(out))


main()
