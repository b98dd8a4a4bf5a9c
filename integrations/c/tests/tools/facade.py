"""Compares the header with what the facade can: each public call of worlds, bodies, snapshots and shapes, and each function and type of
`clearance::dim3`, is in `facade.txt`, with the name that it has in C, or with the reason why C lacks it. Run by `check`."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
CLASSES = {
    "crates/world/src": ["World", "Query", "BodyMut", "BodyRef", "Snapshot", "Contact", "Impact", "BodyManifold", "Event", "Body", "BodyId"],
    "crates/shapes/src": ["Shape", "Voxels", "Cells", "Tile", "MassProperties"],
}  # fmt: skip


def calls():
    """The public methods of the classes that are named above, without those that are hidden."""
    for folder, classes in CLASSES.items():
        for file in sorted((ROOT / folder).rglob("*.rs")):
            text = file.read_text()
            for name, body in re.findall(r"^impl(?:<[^>]*>)? (\w+)(?:<[^\n]*>)? \{\n(.*?)^\}\n", text, re.S | re.M):
                if name in classes:
                    for attributes, method in re.findall(r"((?:    #\[[^\n]*\n)*)    pub (?:const )?fn (\w+)", body):
                        if "doc(hidden)" not in attributes:
                            yield f"{name}::{method}"


def names():
    """The functions and types of the facade."""
    files = ("dim3.rs", "dimension.rs")
    text = "".join((ROOT / "crates/clearance/src" / file).read_text() for file in files)
    for group in re.findall(r"^pub use [\w:]+(?:::\{([^}]*)\}|::(\w+));", text, re.M):
        yield from filter(None, (name.strip() for part in group for name in part.split(",")))
    yield from re.findall(r"^pub type (\w+)", text, re.M)


def main():
    interface = json.loads((HERE.parents[1] / "include/clearance/clearance.json").read_text())
    known = {re.sub(r"^clr\d?_", "", one["name"]) for kind in ("functions", "structs", "enums", "callbacks", "opaque") for one in interface[kind]}
    table, wrong = {}, []
    for line in (HERE / "facade.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            call, sign, rest = line.split(" ", 2)
            table[call] = rest
            if sign == "=":
                wrong += [f"{call}: the header has no {name}" for name in rest.split(", ") if name not in known]
            elif sign != "-" or not rest:
                wrong.append(f"{line}: must be `CALL = NAMES` or `CALL - REASON`")
    public = set(calls()) | set(names())
    wrong += [f"{call} is not in facade.txt: add its name in C, or why C lacks it" for call in sorted(public - set(table))]
    wrong += [f"{call} is in facade.txt, and no public call" for call in sorted(set(table) - public)]
    if "--list" in sys.argv:
        print("\n".join(sorted(public)))
    elif wrong:
        sys.exit("\n".join(wrong))
    else:
        print(f"{len(public)} public calls and types have their place in C, or a reason")


main()
