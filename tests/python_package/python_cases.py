# SPDX-License-Identifier: Apache-2.0
"""Models that the tests of the Python package share."""

import numpy as np
import onnx

import onnxfold_models as m
from bad_cases import external, smallModel
from onnxfold_models import const, info, node

W = np.arange(6, dtype=np.float32).reshape(2, 3)


def simple():
    """y = x * (w + w): one Add folds, one Mul is kept."""
    nodes = [node("Add", ["w", "w"], ["v"], name="add"), node("Mul", ["x", "v"], ["y"], name="mul")]
    return m.model(nodes, [info("x", ("batch", 3))], [info("y", ("batch", 3))], [const("w", W[:1])])


def outOfOrder():
    """A model that is folded with a warning."""
    model = simple()
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def withExternalData(folder):
    """y = x * w + (w + w), with w in a file."""
    (folder / "weights.bin").write_bytes(W.tobytes())
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "w"], ["z"]), node("Add", ["z", "v"], ["y"])]
    return smallModel(nodes, [external("w", "weights.bin")])


def slow(side=900, count=60):
    """A model that is folded for many seconds: a chain of products of constants."""
    nodes = [node("MatMul", [f"w{i}", "w0"], [f"w{i + 1}"], name=f"product {i}") for i in range(count)]
    nodes.append(node("Add", ["x", f"w{count}"], ["y"]))
    weight = np.eye(side, dtype=np.float32)
    return m.model(nodes, [info("x", (side, side))], [info("y", (side, side))], [const("w0", weight)])


def save(folder, model, name="model.onnx"):
    onnx.save(model, folder / name)
    return folder / name


def operators(model):
    return [one.op_type for one in model.graph.node]
