# SPDX-License-Identifier: Apache-2.0
"""Cast of floats to strings: what folds is what the reference evaluator and ONNX Runtime both write.

Integers were written as the evaluator writes them ("1.0"), and doubles with all digits, where ONNX Runtime writes "1" and eight.
"""

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import onnxfold_testing as t

TYPES = {
    "f16": (TensorProto.FLOAT16, np.float16),
    "f32": (TensorProto.FLOAT, np.float32),
    "f64": (TensorProto.DOUBLE, np.float64),
}
ALONE = {
    "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
    "f8E4M3FN": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
    "f8E5M2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2),
}
COUNT = 400


def model(kind, values, apart):
    """One Cast of all values, or one for each."""
    parts = [values[i : i + 1] for i in range(len(values))] if apart else [values]
    constants = [helper.make_tensor(f"x{i}", kind, part.shape, part.tobytes(), raw=True) for i, part in enumerate(parts)]
    nodes = [helper.make_node("Cast", [f"x{i}"], [f"y{i}"], to=TensorProto.STRING) for i in range(len(parts))]
    outputs = [helper.make_tensor_value_info(f"y{i}", TensorProto.STRING, part.shape) for i, part in enumerate(parts)]
    graph = helper.make_graph(nodes, "texts", [], outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def values(dtype, generator):
    """Extremes, zeros, NaN, infinities, integers, and numbers of every magnitude with few and with many digits."""
    least, most, digits = (float(x) for x in (np.finfo(dtype).tiny, np.finfo(dtype).max, np.finfo(dtype).eps))
    chosen = [0.0, -0.0, np.nan, np.inf, -np.inf, most, -most, least, np.finfo(dtype).smallest_subnormal, digits, 1 / 3, 0.1]
    borders = [1e-5, 9.9999e-5, 1e-4, 999.5, 1e3, 65504.0, 999999.5, 1e6, 1234567.5, 99999999.5, 1e8, 1e15, 1e16, 1e17]
    magnitudes = 10.0 ** generator.uniform(np.log10(least), np.log10(most), COUNT)
    near = 10.0 ** generator.uniform(-6, 9, COUNT)
    short = [float(f"{x:.3g}") for x in near]
    signs = generator.choice([-1, 1], 3 * COUNT)
    drawn = signs * np.concatenate([magnitudes, near, short])
    with np.errstate(over="ignore"):
        return np.concatenate([chosen, borders, np.arange(-12, 12), drawn]).astype(dtype)


def texts(found):
    return [str(x) for x in found]


@pytest.mark.parametrize("name", TYPES)
def test_what_folds_is_what_both_write(folder, name):
    kind, dtype = TYPES[name]
    x = values(dtype, np.random.default_rng(t.options.seed))
    whole = model(kind, x, apart=False).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    runtime = texts(onnxruntime.InferenceSession(whole, options, providers=["CPUExecutionProvider"]).run(None, {})[0])
    evaluator = texts(ReferenceEvaluator(whole).run(None, {})[0])
    path = folder / "model.onnx"
    onnx.save(model(kind, x, apart=True), path)
    t.runOk("-o", folder / "out.onnx", path)
    graph = onnx.load(folder / "out.onnx").graph
    folded = {one.name: one.string_data[0].decode() for one in graph.initializer if one.data_type == TensorProto.STRING}
    # Equal constants are one, and an output that is another one is its Identity.
    folded |= {node.output[0]: folded[node.input[0]] for node in graph.node if node.op_type == "Identity"}
    for i, (a, b) in enumerate(zip(runtime, evaluator)):
        assert folded.get(f"y{i}") == (a if a == b else None), f"{x[i]!r}: ONNX Runtime {a}, evaluator {b}"
    agree = sum(a == b for a, b in zip(runtime, evaluator))
    assert 0 < agree < len(x), "both kinds are there"


@pytest.mark.parametrize("name", ALONE)
def test_what_one_alone_writes_stays(folder, name):
    """The reference evaluator does not cast these types to strings."""
    kind, dtype = ALONE[name]
    path = folder / "model.onnx"
    onnx.save(model(kind, np.array([1.5]).astype(dtype), apart=False), path)
    report = t.foldWithReport(path, folder / "out.onnx")
    assert f"element [0] is a {name} whose text is not specified" in str(report)
