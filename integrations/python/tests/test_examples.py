"""The examples of the documentation of functions."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["_batches", "_paths", "_shape", "_srdf", "robot", "mujoco"])
def test_examples_say_what_is_so(name):
    if name == "mujoco":
        pytest.importorskip("mujoco")
    found = doctest.testmod(import_module(f"clearance.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
