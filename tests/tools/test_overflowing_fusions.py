# SPDX-License-Identifier: Apache-2.0
"""Level 2 computes new weights. Out of finite constants it made infinities (a scale of 3e38 by a weight of 10, a sum of two
addends of 2e38) or NaN (a negative variance), where the original computes a number as long as the data is small: nothing said so.
"""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

IMAGE, ROWS = (1, 3, 5, 5), (4, 3)


def constants(**values):
    return [const(name, value, np.float32) for name, value in values.items()]


def linear(kind, weight=1.0, bias=0.0):
    """The node that makes `c` of `x`, its constants, and the shapes of x and c."""
    if kind in ("Conv", "ConvTranspose"):
        shape = (2, 3, 1, 1) if kind == "Conv" else (3, 2, 1, 1)
        return node(kind, ["x", "w", "b"], ["c"]), constants(w=np.full(shape, weight), b=np.full(2, bias)), IMAGE, (1, 2, 5, 5)
    more = constants(w=np.full((3, 2), weight), b=np.full(2, bias))
    inputs = ["x", "w", "b"] if kind == "Gemm" else ["x", "w"]
    return node(kind, inputs, ["c"]), more[: len(inputs) - 1], ROWS, (4, 2)


def normalized(kind, weight=1.0, bias=0.0, scale=1.0, shift=0.0, mean=0.0, variance=1.0):
    first, more, before, after = linear(kind, weight, bias)
    values = {"s": scale, "t": shift, "m": mean, "v": variance}
    more += constants(**{name: np.full(2, value) for name, value in values.items()})
    norm = node("BatchNormalization", ["c", "s", "t", "m", "v"], ["y"], "second")
    return m.model([first, norm], [info("x", before)], [info("y", after)], more, opset=17, ir=8)


def followed(kind, operator, value, **more):
    first, all, before, after = linear(kind, **more)
    shape = (2, 1, 1) if len(after) == 4 else (2,)
    all += constants(k=np.full(shape, value))
    return m.model([first, node(operator, ["c", "k"], ["y"], "second")], [info("x", before)], [info("y", after)], all, opset=17, ir=8)


def chain(operator, first, second):
    nodes = [node(operator, ["x", "a"], ["c"]), node(operator, ["c", "b"], ["y"], "second")]
    return m.model(nodes, [info("x", (3,))], [info("y", (3,))], constants(a=first, b=second), opset=17, ir=8)


KINDS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
CASES = {
    **{f"norm-scale-{kind}": normalized(kind, weight=10, scale=3e38) for kind in KINDS},
    **{f"norm-shift-{kind}": normalized(kind, scale=3e38, mean=10) for kind in KINDS},
    "norm-sum": normalized("Conv", bias=2e38, mean=-2e38, scale=1e-3),
    "norm-negative-variance": normalized("Gemm", variance=-1),
    "norm-zero-deviation": normalized("Gemm", variance=-1e-5, scale=1),
    **{f"scale-{kind}": followed(kind, "Mul", 9e3, weight=1e37) for kind in KINDS},
    "scale-div": followed("Conv", "Div", 1e-4, weight=1e37),
    "scale-bias": followed("Gemm", "Mul", 9e3, bias=1e37),
    "shift-add": followed("Conv", "Add", 2e38, bias=2e38),
    "shift-sub": followed("Gemm", "Sub", -2e38, bias=2e38),
    "chain-add": chain("Add", 2e38, 2e38),
    "chain-mul": chain("Mul", 1e30, 1e30),
}


def constantsOf(model):
    found = [numpy_helper.to_array(one) for one in model.graph.initializer]
    return [one for one in found if one.dtype.kind == "f"]


def expectKept(folder, source):
    """What the tool says."""
    onnx.save(source, folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "-O2", "-o", folder / "out.onnx")
    out = onnx.load(folder / "out.onnx")
    assert all(np.isfinite(one).all() for one in constantsOf(out)), "constants"
    assert m.operators(out) == m.operators(source), "operators"
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx", "-O2"), folder / "out.onnx", "folded again")
    return result.err


@pytest.mark.parametrize("source", CASES.values(), ids=CASES.keys())
def test_no_infinity_is_written(folder, source):
    expectKept(folder, source)


def test_it_says_why(folder):
    told = expectKept(folder, CASES["norm-scale-Conv"])
    assert "node 'second' (BatchNormalization) is kept: conv-batchnorm would make an infinity or a NaN of finite constants" in told, told


NEAR = {
    "norm": normalized("Conv", weight=10, scale=3e37),
    "scale": followed("Gemm", "Mul", 9e3, weight=1e34),
    "infinite-before": normalized("Conv", weight=np.inf),
}


@pytest.mark.parametrize("source", NEAR.values(), ids=NEAR.keys())
def test_near_misses_are_fused(folder, source):
    """Large numbers that are finite, and an infinity that was one of the constants."""
    assert len(m.folded(folder, source, "-O2", runs=False).graph.node) == 1
