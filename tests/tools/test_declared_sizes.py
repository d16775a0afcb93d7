# SPDX-License-Identifier: Apache-2.0
"""Sizes that a model declares wrongly, and that nobody inferred. A model of Glow's tests (opset 1) declares another size of a Relu
than that of its input: Shape folded to it, and --verify said that the result differs, since it took the declared size for a fact.
"""

import re

import numpy as np
import onnx
import onnx.parser
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import info, node

SOURCE = (t.ROOT / "onnx/ir/FirstVersions.cpp").read_text()
FIRST = re.findall(r"\"(\w+)\"", re.search(r"names = \{(.*?)\};", SOURCE, re.S)[1])
OPERANDS = {name: 2 for name in ("Add", "Div", "Max", "Mean", "Min", "Mul", "PRelu", "Sub", "Sum")}
OPERANDS |= {"BatchNormalization": 5, "InstanceNormalization": 3}
ATTRIBUTES = {"BatchNormalization": {"consumed_inputs": [0, 0, 0, 1, 1]}, "Cast": {"to": "FLOAT"}}


def declaring(operator, opset=1):
    """Shape of its result, which is declared to be 2 x 7."""
    count = OPERANDS.get(operator, 1)
    shapes = [(2, 3)] + [(2, 3) if operator not in ("BatchNormalization", "InstanceNormalization") else (3,)] * (count - 1)
    inputs = [info(f"x{i}", shape) for i, shape in enumerate(shapes)]
    nodes = [node(operator, [one.name for one in inputs], ["y"], **ATTRIBUTES.get(operator, {})), node("Shape", ["y"], ["s"])]
    model = m.model(nodes, inputs, [info("s", (2,), onnx.TensorProto.INT64)], opset=opset, ir=7)
    model.graph.value_info.append(info("y", (2, 7)))
    return model


def folded(folder, model, *flags):
    onnx.save(model, folder / "model.onnx")
    result = t.run(*flags, "-o", folder / "out.onnx", folder / "model.onnx")
    return result, onnx.load(folder / "out.onnx") if result.code == 0 else None


def test_the_table_is_read():
    assert len(FIRST) >= 25 and set(OPERANDS) <= set(FIRST), FIRST


@pytest.mark.parametrize("operator", FIRST)
def test_first_versions(folder, operator):
    for opset in (9, 13) if operator == "MeanVarianceNormalization" else (1,):
        result, out = folded(folder, declaring(operator, opset), "-O0")
        assert "the model says that 'y' is tensor<2x7xf32>, inferred is tensor<2x3xf32>" in result.err, result
        assert np.array_equal(onnx.numpy_helper.to_array(out.graph.initializer[0]), [2, 3]), f"{operator} of opset {opset}"


def test_broadcasting_of_the_first_versions(folder):
    """The second operand is broadcast to the first one, also where it has more elements in a dimension."""
    model = declaring("Add")
    del model.graph.value_info[:]
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("broadcast", 1))
    model.graph.input[1].CopyFrom(info("x1", (3,)))
    _, out = folded(folder, model, "-O0")
    assert np.array_equal(onnx.numpy_helper.to_array(out.graph.initializer[0]), [2, 3])


INTERMEDIATE = """<ir_version: 7, opset_import: ["": 1]> g (float[2,2,2,2] x) => (float[2,2,2,1] y0, float[2,2,2,1] y1) {
    x1 = Relu (x)  y0 = Identity (x1)  y1 = Relu (x1)
}"""
JOINED = """<ir_version: 8, opset_import: ["": 18]> g (float[1,3] x) => (float[1,3] y) {
    n = Constant <value = int64[3] {1,1,1}> ()  parts = SplitToSequence <axis = 1> (x, n)
    y = ConcatFromSequence <axis = 1, new_axis = 1> (parts)
}"""
BELIEVED = """<ir_version: 7, opset_import: ["": 13]> g (float[2,2] x) => (int64[2] s) <float[2,3] r> {
    t = SequenceConstruct (x, x)  r = ConcatFromSequence <axis = 0> (t)  s = Shape (r)
}"""
EMPTY = """<ir_version: 8, opset_import: ["": 18]> g (float[2] x) => (float[2] y, float[n,2] all) {
    n = Constant <value = int64 {0}> ()  go = Constant <value = bool {1}> ()
    y, all = Loop (n, go, x) <body = b (int64 i, bool c, float[2] s) => (bool c2, float[2] s2, float[2] o) {
        c2 = Identity (c)  s2 = Neg (s)  o = Identity (s2)
    }>
}"""


@pytest.mark.parametrize("level", ("-O0", "-O1", "-O2"))
@pytest.mark.parametrize("text", (INTERMEDIATE, JOINED, EMPTY), ids=("a Relu", "a joined sequence", "a loop of no iteration"))
def test_what_is_computed_is_compared(folder, text, level):
    """It said 3 or 4. What a body declares is all that is known where it makes no iteration."""
    result, out = folded(folder, onnx.parser.parse_model(text), level, "--verify")
    assert out is not None and re.search(r"verify: (\d) of \1 values agree in 3 trials", result.err), result


def test_a_size_that_the_list_contradicts(folder):
    """-O0 took 2 x 3 from the model, and --verify compared that with itself."""
    result, out = folded(folder, onnx.parser.parse_model(BELIEVED), "-O0", "--verify")
    assert "the model says that 'r' is tensor<2x3xf32>, inferred is tensor<4x2xf32>" in result.err, result
    assert out is not None and "verify: 1 of 1 values agree" in result.err, result
