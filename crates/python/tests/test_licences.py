"""The notices of the libraries in the wheel are those of the versions that are locked."""

import re
from importlib.metadata import distribution
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def test_the_notices_are_those_of_the_libraries():
    notices = (PACKAGE / "LICENSES-THIRD-PARTY").read_text()
    listed = set(re.findall(r"^([\w-]+) ([\d.]+): ", notices, re.MULTILINE))
    locked = set(re.findall(r'name = "([\w-]+)"\nversion = "([\d.]+)"\nsource', (PACKAGE / "Cargo.lock").read_text()))
    assert listed <= locked
    assert {name for name, _ in listed} > {"numpy", "pyo3", "rayon", "glam", "libm"}
    for name, _ in listed:
        assert re.search(rf"^-+\n(.*, )?{name}(,|$)", notices, re.MULTILINE), name


def test_the_wheel_has_the_notices():
    files = [str(file) for file in distribution("clearance").files]
    assert any(file.endswith("LICENSES-THIRD-PARTY") for file in files)
