"""The examples of the documentation of functions."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

#: A small arm with the names of a Panda, for the book.
LINKS = {
    "panda_link0": '<cylinder radius="0.1" length="0.2"/>',
    "panda_link1": '<box size="0.1 0.1 0.3"/>',
    "panda_link2": '<box size="0.08 0.08 0.3"/>',
    "panda_hand": '<box size="0.1 0.05 0.05"/>',
    "panda_leftfinger": '<box size="0.02 0.02 0.08"/>',
    "panda_rightfinger": '<box size="0.02 0.02 0.08"/>',
}
JOINTS = [
    ("revolute", "panda_link0", "panda_link1", "0 0 0.3", "0 0 1", "-2.8 2.8"),
    ("revolute", "panda_link1", "panda_link2", "0 0 0.35", "0 1 0", "-2.8 2.8"),
    ("revolute", "panda_link2", "panda_hand", "0 0 0.3", "0 1 0", "-2.8 2.8"),
    ("prismatic", "panda_hand", "panda_leftfinger", "0.02 0 0.07", "1 0 0", "0 0.03"),
    ("prismatic", "panda_hand", "panda_rightfinger", "-0.02 0 0.07", "-1 0 0", "0 0.03"),
]


@pytest.mark.parametrize("name", ["_batches", "_paths", "_shape", "_srdf", "robot", "mujoco"])
def test_examples_say_what_is_so(name):
    if name == "mujoco":
        pytest.importorskip("mujoco")
    found = doctest.testmod(import_module(f"clearance.{name}"))
    assert found.attempted > 0
    assert found.failed == 0


def urdf():
    """The arm as a URDF file."""
    links = [f'<link name="{name}"><collision><geometry>{shape}</geometry></collision></link>' for name, shape in LINKS.items()]
    joints = []
    for number, (kind, parent, child, at, axis, limits) in enumerate(JOINTS):
        low, high = limits.split()
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        frame = f'<origin xyz="{at}"/><axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="1" velocity="1"/>'
        joints.append(f'<joint name="j{number}" type="{kind}">{ends}{frame}</joint>')
    return f'<robot name="arm">{"".join(links + joints)}</robot>'


def test_the_book_says_what_is_so(tmp_path, monkeypatch):
    pytest.importorskip("yourdfpy")
    book = Path(__file__).parents[3] / "docs/book/src/robots.md"
    (example,) = re.findall(r"```python\n(.*?)```", book.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "panda.urdf").write_text(urdf())
    pair = '<disable_collisions link1="panda_leftfinger" link2="panda_rightfinger" reason="Default"/>'
    state = '<group_state name="default" group="arm_and_hand"><joint name="j1" value="-0.785398"/></group_state>'
    (tmp_path / "panda.srdf").write_text(f'<robot name="arm">{pair}{state}</robot>')
    monkeypatch.chdir(tmp_path)
    said = {}
    exec(example, said)
    edges = said["edges"]
    assert 100 < edges.free.sum() < len(edges.free)
