"""Answers of batches are those of the command, to the last bit."""

from pathlib import Path

import pytest
from command import differences

import clearance

DATA = Path(__file__).parents[2] / "gjk" / "tests" / "data"


@pytest.mark.parametrize("name", ["pairs.jsonl", "manifolds.jsonl"])
def test_batches_answer_as_the_command_does(name):
    texts = (DATA / name).read_bytes().splitlines()
    answers = [clearance.query(text) for text in texts]
    compared, wrong = differences(texts, answers, str(DATA))
    assert compared > 100
    assert wrong == []
