# SPDX-License-Identifier: Apache-2.0
"""Nodes over constants of which every result is looked at: what must come out, or why it must be kept.

    expectFolded(folder, "Mod", [i64(-7), i64(3)], i64(2))
    expectKept(folder, "Div", [i64(1), i64(0)], "undefined")
"""

import numpy as np
import onnx
from onnx import helper

import onnxfold_models as m
import onnxfold_testing as t


class Model:
    """Nodes over constants, of which every result is a graph output."""

    def __init__(self, folder, opset=21, ir=10):
        self.folder, self.opset, self.ir = folder, opset, ir
        self.nodes, self.constants, self.outputs = [], [], []

    def constant(self, value, dtype=None):
        self.constants.append(m.const(f"c{len(self.constants)}", value, dtype))
        return self.constants[-1].name

    def node(self, operator, inputs, results=1, outputs=None, **attributes):
        """Adds a node; inputs are names, or values that become constants. Returns its outputs."""
        names = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        outputs = outputs or [f"{operator}{len(self.nodes)}_{i}" for i in range(results)]
        self.nodes.append(helper.make_node(operator, names, outputs, name=f"n{len(self.nodes)}", **attributes))
        self.outputs += [name for name in outputs if name]
        return outputs if len(outputs) > 1 else outputs[0]

    def fold(self):
        """Folds; returns {output: array or None if it is no constant} and {node: reason code} of what is kept."""
        inputs = self.constants if self.ir < 4 else []
        model = m.model(
            self.nodes,
            [helper.make_tensor_value_info(one.name, one.data_type, one.dims) for one in inputs],
            [onnx.ValueInfoProto(name=name) for name in self.outputs],
            self.constants,
            opset=self.opset,
            ir=self.ir,
        )
        path = self.folder / "model.onnx"
        onnx.save(model, path)
        report = t.foldWithReport(path, self.folder / "out.onnx", "--max-growth=unlimited")
        folded = onnx.load(self.folder / "out.onnx")
        kept = {one["name"]: one["reason"]["code"] for one in report["nodes"] if one["action"] == "kept"}
        return {name: m.constantValue(folded.graph, name) for name in self.outputs}, kept


def expectArray(actual, expected, what="result"):
    """The same type, shape and bits (any NaN is any NaN)."""
    expected = np.asarray(expected)
    assert actual is not None, f"{what} did not fold"
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), f"type and shape of {what}"
    if expected.dtype == object:
        assert actual.tolist() == expected.tolist(), what
        return
    same = actual.tobytes() == expected.tobytes()
    if not same and expected.dtype.kind == "f":
        same = np.array_equal(np.isnan(actual), np.isnan(expected)) and (
            np.where(np.isnan(actual), 0, actual).tobytes() == np.where(np.isnan(expected), 0, expected).tobytes()
        )
    assert same, f"{what} is {actual!r}, expected {expected!r}"


def expectFolded(folder, operator, inputs, expected, opset=21, **attributes):
    """One node with one result, a list of them with as many."""
    many = expected if isinstance(expected, list) else [expected]
    model = Model(folder, opset)
    names = model.node(operator, inputs, len(many), **attributes)
    values, kept = model.fold()
    assert kept == {}, f"what is kept of {operator}"
    for name, one in zip(names if isinstance(names, list) else [names], many):
        expectArray(values[name], one, f"{operator} {name}")


def expectKept(folder, operator, inputs, reason, opset=21, results=1, **attributes):
    model = Model(folder, opset)
    model.node(operator, inputs, results, **attributes)
    _, kept = model.fold()
    assert kept == {"n0": reason}, f"reason for keeping {operator}"


def f32(*values):
    return np.array(values, np.float32)


def i64(*values):
    return np.array(values, np.int64)
