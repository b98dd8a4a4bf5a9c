"""Rows of answers are those that C has: the same fields at the same places."""

import json
from pathlib import Path

import pytest
from clearance._rows import Layouts

HEADER = Path(__file__).parents[2] / "c/include/clearance/clearance.json"
NAMES = {
    "separation": "distance", "contact": "body_contact", "event": "event", "cast_hit": "cast", "body_cast_hit": "body_cast",
    "ray_hit": "ray", "body_ray_hit": "body_ray", "body_near": "body_near",
}  # fmt: skip


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("in_c", "in_python"), NAMES.items())
def test_rows_have_the_layout_of_structs(dim, in_c, in_python):
    structs = {struct["name"]: struct for struct in json.loads(HEADER.read_text())["structs"]}
    struct = structs[f"clr{dim}_{in_c}"]
    fields = {field["name"]: field for field in struct["fields"] if not field["name"].startswith("reserved")}
    row = getattr(Layouts(dim), in_python)
    assert list(fields) == list(row.names)
    assert [fields[name]["offset"] for name in row.names] == [row.fields[name][1] for name in row.names]
    assert [fields[name]["size"] for name in row.names] == [row.fields[name][0].itemsize for name in row.names]
    assert struct["size"] == row.itemsize
