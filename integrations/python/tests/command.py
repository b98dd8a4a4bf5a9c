"""Asks what lines of pair files ask through batches, and compares with the answers of the command, to the last bit.

``python tests/command.py FILE [COMMAND]`` does it for a file, with the answers of ``COMMAND query`` or of the module itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict

import numpy as np

import clearance
from clearance import Status, dim2, dim3

MODULES = {2: dim2, 3: dim3}


def _pose(side, dim):
    pose = side.get("pose", {})
    position = pose.get("translation", [0.0] * dim)
    if dim == 2:
        return [*position, pose.get("rotation", 0.0)]
    return [*position, *pose.get("rotation", [0.0, 0.0, 0.0, 1.0])]


def _motion(motion, dim):
    turn = (motion or {}).get("angular", 0.0 if dim == 2 else [0.0, 0.0, 0.0])
    return [*(motion or {}).get("linear", [0.0] * dim), *np.atleast_1d(turn)]


def _same(number, expected):
    """Whether a number of single precision is the one that the command wrote."""
    return np.isposinf(number) if expected is None else np.float32(number) == np.float32(expected)


def _separation_differs(row, answer, fields=("point_a", "point_b")):
    if answer.get("unbounded"):
        return None if row["status"] in (Status.UNBOUNDED,) or np.isneginf(row["distance"]) else "unbounded"
    for name in ("distance", "lower", "upper"):
        # A number that is not known is an infinite one; a lower bound is then minus infinity.
        if not _same(-row[name] if name == "lower" and answer[name] is None else row[name], answer[name]):
            return name
    for name in fields:
        if row[name].tolist() != answer[name]:
            return name
    if [np.float32(x) for x in answer["normal"]] != list(row["normal"]):
        return "normal"
    if Status(row["status"]).name.lower() != answer["status"]:
        return "status"
    for part in ("part_a", "part_b"):
        if part in answer and answer[part] != row[part]:
            return part
    return None


def _ray_differs(row, answer):
    if bool(row["hit"]) != answer["hit"]:
        return "hit"
    if not answer["hit"]:
        return None
    for name in ("distance", "lower", "upper"):
        if not _same(row[name], answer[name]):
            return name
    if row["point"].tolist() != answer["point"]:
        return "point"
    normal = [np.nan] * len(row["normal"]) if answer["normal"] is None else answer["normal"]
    if not np.array_equal(np.array(normal, np.float32), row["normal"], equal_nan=True):
        return "normal"
    part = -1 if answer["part_b"] is None else answer["part_b"]
    return None if row["part"] == part and Status(row["status"]).name.lower() == answer["status"] else "part_b"


def _cast_differs(row, answer):
    if bool(row["hit"]) != answer["hit"]:
        return "hit"
    if not answer["hit"]:
        return None
    for name in ("time", "time_lower", "time_upper"):
        if not _same(row[name], answer[name]):
            return name
    if Status(row["time_status"]).name.lower() != answer["time_status"]:
        return "time_status"
    return _separation_differs(row, answer)


def _ask(key, lines, folder):
    """The rows of the answers to lines that one batch can ask, and how they are compared."""
    ask, dim, options = key
    module, options = MODULES[dim], dict(options)
    shapes = {name: [module.Shape.from_record(json.dumps(line[name]["shape"]), folder=folder) for line in lines] for name in "ab" if name in lines[0]}
    poses = {name: [_pose(line[name], dim) for line in lines] for name in shapes}
    if ask == "distance":
        return module.distance(shapes["a"], shapes["b"], poses["a"], poses["b"]).rows, _separation_differs
    if ask == "point":
        rows = module.closest_points(shapes["b"], [line["point"] for line in lines], poses["b"]).rows
        return rows, lambda row, answer: _separation_differs(row, answer, ("point_b",))
    if ask == "ray":
        origins, directions = ([line[name] for line in lines] for name in ("origin", "direction"))
        return module.cast_rays(shapes["b"], origins, directions, poses["b"], **options).rows, _ray_differs
    if ask == "cast":
        motions = {f"motions_{name}": [_motion(line.get(f"motion_{name}"), dim) for line in lines] for name in "ab"}
        return module.cast_shapes(shapes["a"], shapes["b"], poses["a"], poses["b"], **motions, **options).rows, _cast_differs
    call = module.contacts if ask == "contacts" else module.manifolds
    found = call(shapes["a"], shapes["b"], poses["a"], poses["b"], **options).rows
    return [found[found["question"] == k] for k in range(len(lines))], _contacts_differ if ask == "contacts" else _points_differ


def _contacts_differ(rows, answer):
    if len(rows) != len(answer["contacts"]):
        return "count"
    found = (_separation_differs(row, one) for row, one in zip(rows, answer["contacts"]))
    return next((name for name in found if name), None)


def _points_differ(rows, answer):
    if len(rows) != len(answer["points"]):
        return "count"
    for row, point in zip(rows, answer["points"]):
        if not _same(row["distance"], point["distance"]) or [np.float32(x) for x in answer["normal"]] != list(row["normal"]):
            return "distance"
        if row["point_a"].tolist() != point["point_a"] or row["point_b"].tolist() != point["point_b"]:
            return "points"
        if (row["feature_a"], row["feature_b"]) != (point["feature_a"], point["feature_b"]):
            return "features"
    return None


def _key(line):
    ask = line.get("ask", "distance")
    names = {"ray": ("max_distance", "solid", "back_faces"), "point": (), "distance": ()}.get(ask, ("within",))
    return ask, line["dimension"], tuple((name, line[name]) for name in names if name in line)


def differences(texts, answers, folder):
    """How many lines were compared, and those whose answers differ with the field that does."""
    groups = defaultdict(list)
    for text, answer in zip(texts, answers):
        given = json.loads(answer)
        if "error" in given:
            continue
        line = json.loads(text)
        groups[_key(line)].append((line, given))
    compared, wrong = 0, []
    for key, pairs in groups.items():
        rows, differ = _ask(key, [line for line, _ in pairs], folder)
        for row, (line, answer) in zip(rows, pairs):
            compared += 1
            if name := differ(row, answer):
                wrong.append((line["id"], key[0], name))
    return compared, wrong


def main(path, command=None):
    folder = os.path.dirname(os.path.abspath(path))
    with open(path, "rb") as file:
        texts = [line for line in file.read().split(b"\n") if line.strip()]
    if command:
        done = subprocess.run([command, "query", path], capture_output=True, check=False)
        answers = done.stdout.decode().splitlines()
    else:
        answers = [clearance.query(text, folder=folder) for text in texts]
    compared, wrong = differences(texts, answers, folder)
    print(f"{path}: {len(texts)} lines, {compared} answers compared, {len(wrong)} differ {wrong[:9]}")
    return 1 if wrong or len(answers) != len(texts) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
