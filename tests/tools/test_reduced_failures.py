# SPDX-License-Identifier: Apache-2.0
"""What the generators of random models find is made smaller before it is printed (onnxfold_reduced.py): shown with planted faults."""

import tempfile

import numpy as np
import onnx
import onnx.reference
import pytest

import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_models import const, info, node


def chain():
    """Twelve sums, a division in the middle, and a second output that has nothing to do with it."""
    nodes = [node("Add", [f"v{i}" if i else "x", "w"], [f"v{i + 1}"]) for i in range(6)]
    nodes += [node("Div", ["v6", "w"], ["q"]), node("Relu", ["x"], ["z"])]
    nodes += [node("Mul", [f"u{i}" if i else "q", "w"], [f"u{i + 1}"]) for i in range(6)]
    weights = [const("w", np.full(4, 2), np.float32)]
    return m.model(nodes, [info("x", ("rows", 4))], [info("u6", ("rows", 4)), info("z", ("rows", 4))], weights)


FEEDS = [{"x": np.zeros((rows, 4), np.float32)} for rows in (0, 1, 3)]


def brokenFold(folder):
    """Folds a model, with a planted fault: a quotient of sums is one too large."""

    def check(model, feeds):
        onnx.save(model, folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx")
        wrong = onnx.load(folder / "out.onnx")
        for one in wrong.graph.node:
            if one.op_type in ("Div", "Mul") and "Div" in m.operators(model):
                one.op_type = "Add"
        for feed in feeds:
            with np.errstate(all="ignore"):
                want = onnx.reference.ReferenceEvaluator(model).run(None, feed)
                got = onnx.reference.ReferenceEvaluator(wrong).run(None, feed)
            if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(got, want)):
                raise AssertionError("the folded model differs")
        return "equal"

    return check


@pytest.fixture(autouse=True)
def keptInFolder(folder, monkeypatch):
    """What is kept of a planted fault goes with the folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


def test_a_planted_fault(folder):
    with pytest.raises(AssertionError) as raised:
        reduced.check(chain(), FEEDS, brokenFold(folder))
    text = str(raised.value)
    assert "the folded model differs\nthe smallest model that fails, of 1 nodes" in text, text
    place = text.rpartition("kept in ")[2]
    small = onnx.load(f"{place}/model.onnx")
    assert m.operators(small) == ["Div"]
    with np.load(f"{place}/inputs0.npz") as inputs:
        assert set(inputs.files) == {one.name for one in small.graph.input}


def test_no_fault(folder):
    model = chain()
    del model.graph.node[6:7]
    model.graph.node[7].input[0] = "v6"
    assert reduced.check(model, FEEDS, brokenFold(folder)) == "equal"


def test_what_cannot_be_reduced(folder):
    """A fault that is there only once is printed with the model as it is."""
    calls = []

    def check(model, feeds):
        calls.append(model)
        if len(calls) == 1:
            raise AssertionError("only once")

    with pytest.raises(AssertionError, match="only once\nthe smallest model that fails, of 14 nodes"):
        reduced.check(chain(), FEEDS, check)
