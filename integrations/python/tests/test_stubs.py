"""The stubs are those of the module, and the package is typed."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
PACKAGE = Path(__file__).parents[1]


def run(*words):
    done = subprocess.run([sys.executable, "-m", *words], cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_module():
    run("mypy.stubtest", "clearance._clearance")


def test_the_package_is_typed():
    run("mypy", "--strict", "-p", "clearance")
