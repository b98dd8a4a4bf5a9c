"""Answers of batches are those of the command, to the last bit."""

import json
from pathlib import Path

import numpy as np
import pytest
from command import differences

import clearance

DATA = Path(__file__).parents[3] / "crates" / "gjk" / "tests" / "data"


def _texts(name):
    return (DATA / name).read_bytes().splitlines()


def _position(side, dim):
    return np.array(side.get("pose", {}).get("translation", [0.0] * dim))


def asks_of(pair):
    """The other questions that the two placed shapes of a line can be asked."""
    dim, a, b = pair["dimension"], pair["a"], pair["b"]
    start = _position(a, dim)
    way = _position(b, dim) - start
    common = {"id": pair["id"], "dimension": dim, "b": b}
    turn = 0.25 if dim == 2 else [0.25, -0.5, 0.125]
    motion = {"linear": np.float32(2.0 * way).tolist(), "angular": turn}
    within = float(np.float32(np.linalg.norm(way)))
    yield {**common, "a": a, "ask": "contacts", "within": within}
    yield {**common, "a": a, "ask": "cast", "motion_a": motion, "motion_b": {"linear": [0.125] * dim}, "within": 0.0625}
    yield {**common, "ask": "point", "point": start.tolist()}
    if way.any():
        for solid in (True, False):
            yield {**common, "ask": "ray", "origin": start.tolist(), "direction": np.float32(way).tolist(), "solid": solid}


def _compared(texts):
    answers = [clearance.query(text) for text in texts]
    compared, wrong = differences(texts, answers, str(DATA))
    assert wrong == []
    return compared, [json.loads(answer) for answer in answers]


@pytest.mark.parametrize("name", ["pairs.jsonl", "manifolds.jsonl"])
def test_batches_answer_as_the_command_does(name):
    compared, _ = _compared(_texts(name))
    assert compared > 100


@pytest.mark.parametrize("ask", ["contacts", "cast", "point", "ray"])
def test_batches_answer_other_questions_as_the_command_does(ask):
    pairs = (json.loads(text) for text in _texts("pairs.jsonl"))
    asks = [json.dumps(line) for pair in pairs for line in asks_of(pair) if line["ask"] == ask]
    compared, answers = _compared(asks)
    assert compared > 400
    # Something was there to be compared.
    found = [answer for answer in answers if answer.get("hit", True) and answer.get("contacts", True)]
    assert len(found) > 200


def test_a_number_that_differs_is_seen():
    texts = _texts("pairs.jsonl")[:20]
    answers = [json.loads(clearance.query(text)) for text in texts]
    for answer in answers:
        answer["lower"] = None
    _, wrong = differences(texts, map(json.dumps, answers), str(DATA))
    assert [name for _, _, name in wrong] == ["lower"] * 20
