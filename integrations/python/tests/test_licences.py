"""The notices of the libraries in the wheel are those of the versions that are locked."""

import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import clearance

PACKAGE = Path(__file__).parents[1]


def linked():
    """The names and versions of the libraries that are linked into the module."""
    tree = "cargo tree --locked --edges normal,no-proc-macro --target x86_64-unknown-linux-gnu --prefix none --format".split()
    rows = subprocess.run([*tree, "{p}"], cwd=PACKAGE, check=True, capture_output=True, text=True).stdout.splitlines()
    # Ours have a path behind the version.
    return {tuple(row.replace(" v", " ").split()[:2]) for row in rows if "(/" not in row}


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_the_notices_are_those_of_the_libraries():
    notices = (PACKAGE / "LICENSES-THIRD-PARTY").read_text()
    listed = set(re.findall(r"^([\w-]+) ([\d.]+): ", notices, re.MULTILINE))
    assert listed == linked()
    for name, _ in listed:
        assert re.search(rf"^-+\n(.*, )?{name}(,|$)", notices, re.MULTILINE), name


def test_the_wheel_has_its_version_and_the_notices():
    try:
        wheel = distribution("clearance")
    except PackageNotFoundError:
        pytest.skip("the module was not installed from a wheel")
    assert wheel.version == clearance.__version__
    assert any(str(file).endswith("LICENSES-THIRD-PARTY") for file in wheel.files)
