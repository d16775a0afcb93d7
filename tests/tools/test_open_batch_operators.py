# SPDX-License-Identifier: Apache-2.0
"""--batch=open: bodies, quantized products, Einsum, attention, and operators of com.microsoft and ai.onnx.ml. Each opened model gives
for three times the samples what three runs give, in ONNX Runtime; near misses are refused with the node and the reason."""

import numpy as np
import onnx
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node
from test_open_batch import expectSamples, refused, shape, simple, weight

F32, I64, U8 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8
SCALE, ZERO = m.const("s", 0.1, np.float32), m.const("z", 3, np.uint8)
THREE = m.const("n", 3, np.int64)
WEIGHTS8 = m.const("w", np.arange(12).reshape(4, 3), np.uint8)


def opened(folder, source, axis=0, domains=()):
    for domain, version in domains:
        source.opset_import.append(helper.make_opsetid(domain, version))
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--batch=open", "-O0")
    onnx.checker.check_model(str(out))
    t.expectSameBytes(t.fold(out, folder / "again.onnx", "--batch=open", "-O0"), out, "opened again")
    expectSamples(folder / "in.onnx", out, axis, close=True)
    return onnx.load(out)


def body(nodes, inputs, outputs):
    return m.graph(nodes, inputs, outputs, name="body")


def quantized(nodes, *weights, last=(1, 3), first=(1, 4)):
    """x, quantized, through the nodes from q to r, and back."""
    around = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), *nodes, node("DequantizeLinear", ["r", "s", "z"], ["y"])]
    return simple(around, [SCALE, ZERO, *weights], first, last, opset=19)


def ifOf(condition="c"):
    more = body([node("Add", ["x", "w"], ["t"])], [], [m.info("t", (1, 4))])
    less = body([node("Relu", ["x"], ["e"])], [], [m.info("e", (1, 4))])
    return simple([node("If", [condition], ["y"], then_branch=more, else_branch=less)], [weight("w", 4), m.const("c", True, bool)])


def loopOf(*nodes, carried="x", outputs=(), sizes=(1, 4)):
    inputs = [m.info("i", (), I64), m.info("go", (), TensorProto.BOOL), m.info("a", sizes)]
    inner = body([node("Identity", ["go"], ["on"]), *nodes], inputs, [m.info("on", (), TensorProto.BOOL), m.info("b", sizes), *outputs])
    results = ["y", *(f"o{i}" for i in range(len(outputs)))]
    return node("Loop", ["n", "", carried], results, body=inner)


def scanOf(first=(2, 3, 4), axis=1):
    inputs, outputs = ([m.info(name, (2, 4)) for name in names] for names in ("av", "bu"))
    inner = body([node("Add", ["a", "v"], ["b"]), node("Relu", ["b"], ["u"])], inputs, outputs)
    nodes = [node("ReduceMean", ["x"], ["h"], axes=[1], keepdims=0)]
    nodes += [node("Scan", ["h", "x"], ["last", "y"], body=inner, num_scan_inputs=1, scan_input_axes=[axis], scan_output_axes=[1])]
    return simple(nodes, [], first, first)


def attention(mask=None):
    nodes = [node("Add", ["x", "p"], ["k"]), node("Attention", ["x", "k", "x", *(["m"] if mask else [])], ["y"])]
    return simple(nodes, [weight("p", 2, 3, 4), *([weight("m", *mask)] if mask else [])], (1, 2, 3, 4), (1, 2, 3, 4), opset=23)


def einsum(equation, *operands, first=(2, 3, 4), last=(2, 3, 5)):
    nodes = [node("Einsum", ["x", *(name for name, _ in operands)], ["y"], equation=equation)]
    return simple(nodes, [weight(name, *sizes) for name, sizes in operands], first, last)


def convolved():
    kernel = m.const("w", np.arange(6).reshape(3, 2, 1, 1), np.uint8)
    nodes = [node("QLinearConv", ["q", "s", "z", "w", "s", "z", "s", "z"], ["r"])]
    return quantized(nodes, kernel, first=(1, 2, 3, 3), last=(1, 3, 3, 3))


def rotated():
    nodes = [node("RotaryEmbedding", ["x", "c", "d", "p"], ["y"])]
    weights = [weight("c", 8, 2), weight("d", 8, 2), m.const("p", [[0, 1, 2]], np.int64)]
    return simple(nodes, weights, (1, 2, 3, 4), (1, 2, 3, 4), opset=23)


CLASSES = node("ArgMax", ["x"], ["t"], axis=1, keepdims=0)


def classified(op, *inputs, constants=(), last=(1,), **attributes):
    return simple([CLASSES, node(op, list(inputs), ["y"], **attributes)], constants, out=last)


def productOfRows():
    scales = [m.const("t", [0.1, 0.2], np.float32), m.const("u", [1, 2], np.uint8)]
    nodes = [node("QLinearMatMul", ["q", "t", "u", "w", "s", "z", "s", "z"], ["r"])]
    return quantized(nodes, WEIGHTS8, *scales, first=(2, 4), last=(2, 3))


def maskOfSamples():
    nodes = [node("ReduceSum", ["x", "a"], ["r"], keepdims=0), node("Attention", ["x", "x", "x", "r"], ["y"])]
    return simple(nodes, [shape("a", 1)], (3, 2, 3, 3), (3, 2, 3, 3), opset=23)


def contrib(op, inputs, weights, first, last, **attributes):
    return simple([node(op, inputs, ["y"], domain="com.microsoft", **attributes)], weights, first, last)


OPENED = {
    "If": ifOf(),
    "Loop": simple([loopOf(node("Add", ["a", "w"], ["b"]))], [THREE, weight("w", 4)]),
    "Loop of an outer value": simple([loopOf(node("Add", ["a", "x"], ["b"]))], [THREE]),
    "Scan": scanOf(),
    "Einsum": einsum("bsd,de->bse", ("w", (4, 5))),
    "Einsum without a result": einsum("bsd,de", ("w", (4, 5))),
    "QLinearMatMul": quantized([node("QLinearMatMul", ["q", "s", "z", "w", "s", "z", "s", "z"], ["r"])], WEIGHTS8),
    "QLinearConv": convolved(),
    "MatMulInteger": quantized([node("MatMulInteger", ["q", "w", "z"], ["i"]), node("Cast", ["i"], ["r"], to=U8)], WEIGHTS8),
    "Attention": attention(),
    "Attention with a mask": attention((3, 3)),
    "RotaryEmbedding": rotated(),
    "CastLike": simple([node("CastLike", ["i", "x"], ["c"]), node("Mul", ["x", "c"], ["y"])], [m.const("i", [1, 2, 3, 4], np.int64)]),
    "OneHot": classified("OneHot", "t", "d", "v", constants=[m.const("d", 4, np.int64), m.const("v", [0, 1], np.float32)], last=(1, 4)),
    "Trilu": simple([node("Trilu", ["x"], ["y"])], [], (1, 3, 3), (1, 3, 3)),
    "NegativeLogLikelihoodLoss": classified("NegativeLogLikelihoodLoss", "x", "t", reduction="none"),
}
CONTRIB = {
    "SkipLayerNormalization": contrib("SkipLayerNormalization", ["x", "x", "g", "b"], [weight("g", 4), weight("b", 4)], (1, 3, 4), (1, 3, 4)),
    "Attention": contrib("Attention", ["x", "w", "b"], [weight("w", 4, 12), weight("b", 12)], (1, 3, 4), (1, 3, 4), num_heads=2),
    "MultiHeadAttention": contrib("MultiHeadAttention", ["x", "x", "x"], [], (1, 3, 4), (1, 3, 4), num_heads=2),
    "FusedConv": contrib("FusedConv", ["x", "w"], [weight("w", 3, 2, 1, 1)], (1, 2, 3, 3), (1, 3, 3, 3), activation="Relu"),
    "FusedMatMul": contrib("FusedMatMul", ["x", "w"], [weight("w", 3, 4)], (1, 4), (1, 3), transB=1),
    "Gelu": contrib("Gelu", ["x"], [], (1, 4), (1, 4)),
    "QLinearAdd": quantized([node("QLinearAdd", ["q", "s", "z", "q", "s", "z", "s", "z"], ["r"], domain="com.microsoft")], last=(1, 4)),
    "QLinearSigmoid": quantized([node("QLinearSigmoid", ["q", "s", "z", "s", "z"], ["r"], domain="com.microsoft")], last=(1, 4)),
}


@pytest.mark.parametrize("name", OPENED)
def test_opened(folder, name):
    opened(folder, OPENED[name])


@pytest.mark.parametrize("name", CONTRIB)
def test_of_onnx_runtime(folder, name):
    opened(folder, CONTRIB[name], domains=[("com.microsoft", 1)])


def test_rows_of_features(folder):
    """ai.onnx.ml has one row for each sample."""
    nodes = [node("Scaler", ["x"], ["a"], domain="ai.onnx.ml", offset=[1.0] * 4, scale=[2.0] * 4)]
    nodes += [node("Normalizer", ["a"], ["b"], domain="ai.onnx.ml", norm="L2")]
    nodes += [node("LinearRegressor", ["b"], ["y"], domain="ai.onnx.ml", coefficients=[1.0, 2.0, 3.0, 4.0])]
    opened(folder, simple(nodes, out=(1, 1)), domains=[("ai.onnx.ml", 1)])


def test_types_in_bodies(folder):
    """What a body states of its values is open, too, and a value of the same name elsewhere keeps its size."""
    more = body([node("Add", ["x", "w"], ["t"]), node("Relu", ["t"], ["u"])], [], [m.info("u", (1, 4))])
    more.value_info.append(m.info("t", (1, 4)))
    less = body([node("Relu", ["w"], ["t"]), node("Add", ["x", "t"], ["e"])], [], [m.info("e", (1, 4))])
    less.value_info.append(m.info("t", (1, 4)))
    branches = node("If", ["c"], ["y"], then_branch=more, else_branch=less)
    result = opened(folder, simple([branches], [weight("w", 1, 4), m.const("c", True, bool)]))
    bodies = {each.name: each.g for each in result.graph.node[0].attribute} if result.graph.node[0].op_type == "If" else {}
    for name, wanted in (("then_branch", "batch"), ("else_branch", "")):
        if name in bodies:
            assert bodies[name].value_info[0].type.tensor_type.shape.dim[0].dim_param == wanted
            assert bodies[name].output[0].type.tensor_type.shape.dim[0].dim_param == "batch"


def conditionOfSamples():
    nodes = [node("Cast", ["x"], ["k"], to=TensorProto.BOOL), *ifOf("k").graph.node]
    return simple(nodes, [weight("w", 4)], (1,), (1, 4))


REFUSED = {
    "condition": (conditionOfSamples(), "(If)", "condition"),
    "carried": (simple([loopOf(node("Add", ["a", "x"], ["b"]), carried="w")], [THREE, weight("w", 1, 4)]), "(Loop)", "carries"),
    "scanned": (scanOf((2, 2, 4), axis=0), "(Scan)", "along the samples"),
    "summed": (einsum("bsd,de->se", ("w", (4, 5)), last=(3, 5)), "(Einsum)", "adds up samples"),
    "own weights": (einsum("bsd,bde->bse", ("w", (2, 4, 5))), "(Einsum)", "another value"),
    "with each other": (simple([node("Einsum", ["x", "x"], ["y"], equation="bsd,cse->bc")], [], (2, 3, 4), (2, 2)), "(Einsum)", "with each other"),
    "scales of rows": (productOfRows(), "(QLinearMatMul)", "for rows"),
    "mask of samples": (maskOfSamples(), "(Attention)", "4-dimensional"),
    "loss": (classified("NegativeLogLikelihoodLoss", "x", "t", last=()), "(NegativeLogLikelihoodLoss)", "adds up"),
    "one scale": (
        simple([node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), node("Mul", ["x", "s"], ["y"])]),
        "(DynamicQuantizeLinear)",
        "one scale",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(folder, name):
    source, *words = REFUSED[name]
    refused(folder, source, *words, flags=("-O0",))


def withFunction(*nodes, values=()):
    """x through a function twice."""
    calls = [node("F", ["x"], ["t"], domain="local", name="first"), node("F", ["t"], ["y"], domain="local", name="second")]
    source = simple(calls, shape=(1, 6), out=(1, 6), domains=[("local", 1)])
    source.ir_version = 10
    source.functions.append(helper.make_function("local", "F", ["a"], ["b"], list(nodes), [helper.make_opsetid("", 17)]))
    source.functions[0].value_info.extend(values)
    return source


def test_functions(folder):
    """A function that computes each sample for itself stays as it is."""
    source = withFunction(node("Softmax", ["a"], ["s"]), node("Add", ["s", "a"], ["b"]))
    assert opened(folder, source).functions == source.functions


def test_functions_that_would_change_are_refused(folder):
    target = node("Constant", [], ["s"], value_ints=[1, 6])
    refused(folder, withFunction(target, node("Reshape", ["a", "s"], ["b"])), "node 'b' (Reshape)", "in a function", "--inline-functions")
    refused(folder, withFunction(node("Softmax", ["a"], ["b"], axis=0)), "node 'b' (Softmax)", "along the samples")
    refused(folder, withFunction(node("Relu", ["a"], ["r"]), node("Relu", ["r"], ["b"]), values=[m.info("r", (1, 6))]), "'r'", "states its size")
    refused(folder, withFunction(node("Shape", ["a"], ["h"]), node("Cast", ["h"], ["b"], to=F32)), "size of the batch")


def test_a_skip_of_another_rank_is_refused(folder):
    """Its leading size is that of the batch by chance."""
    source = contrib("SkipLayerNormalization", ["x", "k", "g"], [weight("g", 4)], (2, 2, 4), (2, 2, 4))
    source.graph.input.append(m.info("k", (2, 4)))
    source.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    refused(folder, source, "(SkipLayerNormalization)", "another value")
