# SPDX-License-Identifier: Apache-2.0
"""--fold-quantization=compute: constants are computed from quantised weights, which are kept compact for the runtime."""

import collections
import json

import ml_dtypes
import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node

COMPUTE = "--fold-quantization=compute"
W8 = np.arange(-6, 6, dtype=np.int8).reshape(3, 4)
BIG = (np.arange(64 * 64, dtype=np.int64) * 37 % 255 - 127).astype(np.int8).reshape(64, 64)
CONSTANTS = [m.const("s", np.float32(0.5)), m.const("z", np.int8(0)), m.const("t", np.float32(0.25)), m.const("two", np.float32(2))]


def modelOf(nodes, weight=W8, outputs=(), inputs=None, **more):
    rows = weight.shape[0]
    inputs = inputs or [m.info("x", (2, rows))]
    return m.model(nodes, inputs, outputs or [m.info("y", (2, None))], [m.const("w", weight), *CONSTANTS], **more)


def fold(folder, source, *flags, **how):
    """With `compute`; the file must not be larger."""
    result = m.folded(folder, source, COMPUTE, *flags, **how)
    before, after = ((folder / name).stat().st_size for name in ("model.onnx", "out.onnx"))
    assert after <= before, f"{after} bytes, expected at most {before}"
    return result


CHAIN = [
    node("DequantizeLinear", ["w", "s", "z"], ["d"]),
    node("QuantizeLinear", ["d", "t", "z"], ["q"]),
    node("DequantizeLinear", ["q", "t", "z"], ["e"]),
    node("MatMul", ["x", "e"], ["y"]),
]


def test_requantised(folder):
    """DQ -> Q -> DQ: the integers of the second scale, and one DequantizeLinear."""
    result = fold(folder, modelOf(CHAIN))
    assert m.operators(result) == ["DequantizeLinear", "MatMul"]
    m.expectValue(result.graph, "q", np.clip(np.rint(W8 * np.float32(0.5) / np.float32(0.25)), -128, 127).astype(np.int8))


def test_scaled_and_quantised(folder):
    """What stands between the two is computed."""
    nodes = [CHAIN[0], node("Mul", ["d", "two"], ["m"]), node("QuantizeLinear", ["m", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["e"]), CHAIN[3]]
    result = fold(folder, modelOf(nodes, BIG))
    assert m.operators(result) == ["DequantizeLinear", "MatMul"]
    m.expectValue(result.graph, "q", np.clip(BIG.astype(np.int32) * 2, -128, 127).astype(np.int8))


@pytest.mark.parametrize("between", [[], [node("Transpose", ["d"], ["e"])], [node("Transpose", ["d"], ["c"]), node("Mul", ["c", "two"], ["e"])]])
def test_weights_stay_compact(folder, between):
    """Of what a MatMul reads nothing becomes floats."""
    nodes = [CHAIN[0], *between, node("MatMul", ["x", "e" if between else "d"], ["y"])]
    result = fold(folder, modelOf(nodes, BIG))
    assert m.operators(result) == [one.op_type for one in nodes]
    done = t.run(folder / "model.onnx", "-o", folder / "again.onnx", COMPUTE, "--report=json", "--quiet")
    report = json.loads(done.err)
    kept = {one["op"]: one["reason"]["code"] for one in report["nodes"] if one["action"] == "kept"}
    assert kept["DequantizeLinear"] == "quantization" and kept.get("Transpose", "quantization") == "quantization", kept


def test_small_biases_stay(folder):
    """A bias of four integers is read by an integer kernel."""
    nodes = [node("DequantizeLinear", ["b", "s"], ["f"]), CHAIN[0], node("Gemm", ["x", "d", "f"], ["y"])]
    source = m.model(nodes, [m.info("x", (2, 3))], [m.info("y", (2, 4))], [m.const("w", W8), m.const("b", np.arange(4, dtype=np.int32)), *CONSTANTS])
    assert m.operators(fold(folder, source)) == ["DequantizeLinear", "DequantizeLinear", "Gemm"]


def test_statistics_of_weights(folder):
    """A number that is computed from a weight; the weight is erased if nothing else reads it."""
    top = node("ReduceMax", ["d"], ["top"], keepdims=0)
    result = fold(folder, modelOf([CHAIN[0], top, node("Mul", ["x", "top"], ["y"])], BIG))
    assert m.operators(result) == ["Mul"] and m.initializerNames(result) == ["top"]
    m.expectValue(result.graph, "top", np.float32(0.5) * BIG.max())
    both = [CHAIN[0], top, node("MatMul", ["x", "d"], ["v"]), node("Mul", ["v", "top"], ["y"])]
    result = fold(folder, modelOf(both, BIG))
    assert m.operators(result) == ["DequantizeLinear", "MatMul", "Mul"]


def test_shared_weight_is_not_stored_twice(folder):
    """Two chains from one weight would be two weights."""
    nodes = [
        CHAIN[0],
        *(node("QuantizeLinear", ["d", scale, "z"], ["q" + scale]) for scale in ("s", "t")),
        *(node("DequantizeLinear", ["q" + scale, scale, "z"], ["e" + scale]) for scale in ("s", "t")),
        *(node("MatMul", ["x", "e" + scale], ["y" + scale]) for scale in ("s", "t")),
    ]
    outputs = [m.info("ys", (2, 64)), m.info("yt", (2, 64))]
    result = fold(folder, modelOf(nodes, BIG, outputs), "--max-growth=unlimited")
    assert collections.Counter(m.operators(result))["QuantizeLinear"] == 2


def test_float_weights_become_integers(folder):
    """As with =weights."""
    weight = (BIG / np.float32(4)).astype(np.float32)
    nodes = [node("QuantizeLinear", ["w", "t", "z"], ["q"]), node("DequantizeLinear", ["q", "t", "z"], ["e"]), CHAIN[3]]
    result = fold(folder, modelOf(nodes, weight))
    assert m.operators(result) == ["DequantizeLinear", "MatMul"]
    m.expectValue(result.graph, "q", BIG)


@pytest.mark.parametrize("kind, dtype", [(TensorProto.INT4, ml_dtypes.int4), (TensorProto.UINT4, ml_dtypes.uint4)])
def test_four_bits_in_blocks(folder, kind, dtype):
    """Blocks of two along axis 0, scaled by two and quantised again; and the plain one, which is kept."""
    values = (np.arange(64 * 8) % 8).astype(dtype).reshape(64, 8)
    scales = np.full((32, 8), 0.5, np.float32)
    block = {"axis": 0, "block_size": 2}
    nodes = [
        node("DequantizeLinear", ["w4", "scales"], ["d"], **block),
        node("Mul", ["d", "two"], ["m"]),
        node("QuantizeLinear", ["m", "twice"], ["q"], output_dtype=kind, **block),
        node("DequantizeLinear", ["q", "twice"], ["e"], **block),
        node("MatMul", ["x", "e"], ["y"]),
        node("MatMul", ["x", "d"], ["v"]),
    ]
    weight = helper.make_tensor("w4", kind, (64, 8), values)
    constants = [weight, m.const("scales", scales), m.const("twice", scales * 2), *CONSTANTS]
    outputs = [m.info("y", (2, 8)), m.info("v", (2, 8))]
    whole = m.model(nodes, [m.info("x", (2, 64))], outputs, constants)
    result = fold(folder, whole, runs=False)
    assert m.operators(result) == ["DequantizeLinear", "Mul", "QuantizeLinear", "DequantizeLinear", "MatMul", "MatMul"], "the weight is read"
    alone = m.model(nodes[:5], [m.info("x", (2, 64))], outputs[:1], constants)
    result = fold(folder, alone, runs=False)
    assert m.operators(result) == ["DequantizeLinear", "MatMul"]
    [quantised] = [one for one in result.graph.initializer if one.name == "q"]
    assert quantised.data_type == kind and (onnx.numpy_helper.to_array(quantised) == values).all()


def operatorsAtRunTime(path, folder, kinds):
    """How often ONNX Runtime has operators of these beginnings after its own optimisation."""
    settings = ort.SessionOptions()
    settings.log_severity_level = 3
    settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    settings.optimized_model_filepath = str(folder / "optimized.onnx")
    ort.InferenceSession(str(path), settings, ["CPUExecutionProvider"])
    optimized = onnx.load(folder / "optimized.onnx", load_external_data=False)
    names = collections.Counter(one.op_type for one in optimized.graph.node)
    return {name: count for name, count in names.items() if name.startswith(kinds)}


@pytest.mark.parametrize("name, kinds, least", [("mobilenet_qdq", ("QLinear", "QGemm"), 10), ("bert_int8", ("Dequantize",), 3)])
def test_integer_kernels_of_exports(folder, name, kinds, least):
    """The runtime finds in the folded model what it found before: integer kernels, or weights of integers."""
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    before = operatorsAtRunTime(source, folder, kinds)
    assert sum(before.values()) >= least, before
    assert operatorsAtRunTime(t.fold(source, folder / "out.onnx", COMPUTE), folder, kinds) == before


def test_verification(folder):
    onnx.save(modelOf(CHAIN), folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", COMPUTE, "--verify", "--quiet")
    for got, want in zip(compare.outputs(folder / "out.onnx", [{"x": np.ones((2, 3), np.float32)}]), compare.outputs(folder / "in.onnx", [{"x": np.ones((2, 3), np.float32)}])):
        compare.expectAgreement(got, want, "folded model")
