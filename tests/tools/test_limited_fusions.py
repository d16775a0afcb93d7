# SPDX-License-Identifier: Apache-2.0
"""Level 2 fused a BatchNormalization into a Conv although a limit kept the new weight from being computed: with a small
--max-result two nodes became nine, which ran each time, and a weight of 13 MB that three Convs share was multiplied in each run.
"""

import numpy as np
import onnx
import pytest

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

BEFORE = {"Conv": 1, "BatchNormalization": 1}


def normalized(layers=1, channels=4):
    """Convs of one weight, each with a BatchNormalization of its own."""
    random = np.random.default_rng(1)
    nodes, constants = [], [const("w", random.standard_normal((channels, channels, 3, 3)), np.float32)]
    value = "x"
    for i in range(layers):
        numbers = [f"{name}{i}" for name in "sbmv"]
        constants += [const(name, random.uniform(0.5, 1.5, channels), np.float32) for name in numbers]
        nodes.append(node("Conv", [value, "w"], [f"c{i}"], f"conv{i}", pads=[1] * 4))
        value = "y" if i == layers - 1 else f"n{i}"
        nodes.append(node("BatchNormalization", [f"c{i}", *numbers], [value], f"norm{i}"))
    shape = (1, channels, 6, 6)
    return m.model(nodes, [info("x", shape)], [info("y", shape)], constants, opset=17)


def folded(folder, model, *flags):
    onnx.save(model, folder / "model.onnx")
    result = t.runOk("-O2", *flags, "-o", folder / "out.onnx", folder / "model.onnx")
    feeds = [m.ones(model)]
    for got, want in zip(compare.outputs(folder / "out.onnx", feeds), compare.outputs(folder / "model.onnx", feeds)):
        compare.expectAgreement(got, want, f"folded with {flags}")
    return t.operatorCounts(onnx.load(folder / "out.onnx")), result.err


LIMITS = {  # the options, and what the message says
    "a result of 10 bytes": (["--max-result=10"], "needs a constant that is not computed (Add: the result has shape [4]"),
    "a result of 100 bytes": (["--max-result=100"], "needs a constant that is not computed (Mul: the result has shape [4, 4, 3, 3]"),
    "no time": (["--max-time=0"], "needs a constant that is not computed ("),
    "nodes that the user skips": (["--skip=op:Mul"], "needs a constant that is not computed (Mul: "),
}


@pytest.mark.parametrize("case", LIMITS)
def test_what_is_not_computed_is_not_fused(folder, case):
    flags, text = LIMITS[case]
    counts, err = folded(folder, normalized(), *flags)
    assert counts == BEFORE, counts
    assert "'norm0' (BatchNormalization) is kept: conv-batchnorm " + text in err, err


def test_a_weight_that_others_read(folder):
    """It would be there twice, or if that is too much be multiplied in each run."""
    counts, _ = folded(folder, normalized(layers=3, channels=200))
    assert counts == {"Conv": 3, "BatchNormalization": 3}, counts


@pytest.mark.parametrize("flags", ([], ["--max-result=1000"], ["--max-growth=0"], ["--skip=op:Relu"]), ids=str)
def test_within_the_limits(folder, flags):
    counts, err = folded(folder, normalized(), *flags)
    assert counts == {"Conv": 1} and "is kept" not in err, (counts, err)


def filled(layers, channels, copies=1):
    """Convs of weights that are a ConstantOfShape each, with a BatchNormalization each."""
    model = normalized(layers, channels)
    del model.graph.initializer[0]
    value = onnx.helper.make_tensor("", onnx.TensorProto.FLOAT, [1], [0.25])
    for i in range(layers):
        model.graph.node.insert(0, node("ConstantOfShape", ["shape"], [f"w{i}"], value=value))
    for i, conv in enumerate(one for one in model.graph.node if one.op_type == "Conv"):
        conv.input[1] = f"w{i}"
    model.graph.initializer.append(const("shape", [channels, channels, 3, 3], np.int64))
    return model


def test_weights_beyond_the_limit_are_not_fused(folder):
    """A fusion whose weight the limit on growth leaves out would compute it in each run: light_inception_v2 had 540 nodes more."""
    model = filled(layers=4, channels=200)  # 1.44 MB each
    before = {"ConstantOfShape": 4, "Conv": 4, "BatchNormalization": 4}
    counts, err = folded(folder, model)
    assert counts == before, "beyond the limit"
    assert "beyond the limit on growth" in err, "warning"
    again = t.fold(folder / "out.onnx", folder / "again.onnx", "-O2")
    t.expectSameBytes(again, folder / "out.onnx", "folded again")
    assert folded(folder, model, "--max-growth=unlimited")[0] == {"Conv": 4}, "without a limit"
    assert folded(folder, filled(layers=4, channels=40))[0] == {"Conv": 4}, "within the limit"


def test_shared_weights_within_the_limit(folder):
    """Small weights that several nodes read are scaled for each, as far as the limit goes; the second run does no more."""
    for limit, left in (("1M", 0), ("100K", 5)):
        counts, _ = folded(folder, normalized(layers=8, channels=40), f"--max-growth={limit}")  # 57.6 KB
        assert (left == 0) == (counts == {"Conv": 8}), f"with {limit}"
        again = t.fold(folder / "out.onnx", folder / "again.onnx", "-O2", f"--max-growth={limit}")
        t.expectSameBytes(again, folder / "out.onnx", f"folded again with {limit}")
