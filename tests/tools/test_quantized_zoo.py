# SPDX-License-Identifier: Apache-2.0
"""Quantised exports of every kind keep ONNX Runtime's integer kernels: --fold-quantization=compute is the default.

The models are quantised here by onnxruntime.quantization: dynamic and static, as QDQ and as integer operators, 4, 8 and 16
bits, per tensor, per channel and in blocks. The kernels are those of the graph that ONNX Runtime optimises.
"""

import collections
import functools
import itertools
import json

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime as ort
import pytest
from onnx.helper import make_node as node
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

COMPUTE = "--fold-quantization=compute"
ROWS = 4


def weights(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(0, 0.5, shape).astype(np.float32)


def perceptron():
    """Gemm and MatMul, with a weight that is computed from another: transposed and scaled."""
    nodes = [
        node("Gemm", ["x", "w1", "b1"], ["g"], transB=1),
        node("Relu", ["g"], ["r"]),
        node("Transpose", ["w2"], ["w2t"], perm=[1, 0]),
        node("Mul", ["w2t", "half"], ["w2s"]),
        node("MatMul", ["r", "w2s"], ["h"]),
        node("Add", ["h", "b2"], ["a"]),
        node("Softmax", ["a"], ["y"], axis=-1),
    ]
    constants = [("w1", weights(64, 32)), ("b1", weights(64)), ("w2", weights(48, 64)), ("b2", weights(48)), ("half", np.float32(0.5))]
    return nodes, (ROWS, 32), constants


def convolutions():
    nodes = [
        node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
        node("Relu", ["c1"], ["r1"]),
        node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["p1", "w2", "b2"], ["c2"], pads=[1, 1, 1, 1], group=8),
        node("Add", ["c2", "p1"], ["s"]),
        node("GlobalAveragePool", ["s"], ["g"]),
        node("Flatten", ["g"], ["f"]),
        node("Gemm", ["f", "w3", "b3"], ["y"]),
    ]
    constants = [("w1", weights(8, 3, 3, 3)), ("b1", weights(8)), ("w2", weights(8, 1, 3, 3)), ("b2", weights(8, seed=1)), ("w3", weights(8, 16)), ("b3", weights(16))]
    return nodes, (ROWS, 3, 16, 16), constants


def attention():
    """One head: products of activations, and of activations and weights."""
    nodes = [node("MatMul", ["x", f"w{i}"], [f"p{i}"]) for i in range(3)]
    nodes += [
        node("Transpose", ["p1"], ["k"], perm=[0, 2, 1]),
        node("MatMul", ["p0", "k"], ["scores"]),
        node("Mul", ["scores", "scale"], ["scaled"]),
        node("Softmax", ["scaled"], ["shares"], axis=-1),
        node("MatMul", ["shares", "p2"], ["mixed"]),
        node("MatMul", ["mixed", "w3"], ["out"]),
        node("Add", ["out", "x"], ["sum"]),
        node("LayerNormalization", ["sum", "gamma", "beta"], ["y"]),
    ]
    constants = [(f"w{i}", weights(32, 32, seed=i)) for i in range(4)]
    return nodes, (ROWS, 6, 32), [*constants, ("scale", np.float32(0.17)), ("gamma", weights(32)), ("beta", weights(32, seed=1))]


MODELS = {"perceptron": perceptron, "convolutions": convolutions, "attention": attention}


def floatModel(name):
    nodes, shape, constants = MODELS[name]()
    source = m.model(nodes, [m.info("x", shape)], [m.info("y", None)], [m.const(*one) for one in constants])
    return onnx.shape_inference.infer_shapes(source), shape


class Reader(CalibrationDataReader):
    def __init__(self, shape):
        random = np.random.default_rng(t.options.seed)
        self.feeds = iter([{"x": random.normal(0, 1, shape).astype(np.float32)} for _ in range(4)])

    def get_next(self):
        return next(self.feeds, None)


def static(source, shape, path, **how):
    quantize_static(source, path, Reader(shape), **how)


def dynamic(source, shape, path, **how):
    quantize_dynamic(source, path, **how)


def blocks(source, shape, path, **how):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    quantizer = MatMulNBitsQuantizer(onnx.load(source), **how)
    quantizer.process()
    quantizer.model.save_model_to_file(str(path), False)


U8, I8, U16, I16, U4, I4 = (getattr(QuantType, name) for name in ("QUInt8", "QInt8", "QUInt16", "QInt16", "QUInt4", "QInt4"))
QDQ, QOP = QuantFormat.QDQ, QuantFormat.QOperator


def ways():
    """{name: (function, its arguments)}"""
    found = {}
    for kind, channels in itertools.product((U8, I8), (False, True)):
        found[f"dynamic-{kind}-{'channels' if channels else 'tensor'}"] = dynamic, {"weight_type": kind, "per_channel": channels}
    pairs = [(QDQ, a, w) for a, w in ((U8, U8), (U8, I8), (I8, I8), (U16, U8), (I16, I8), (U8, I4), (I16, I4), (U8, U4))]
    pairs += [(QOP, a, w) for a, w in ((U8, U8), (U8, I8), (I8, I8))]
    for (form, a, w), channels in itertools.product(pairs, (False, True)):
        how = {"quant_format": form, "activation_type": a, "weight_type": w, "per_channel": channels}
        found[f"{'qdq' if form == QDQ else 'qoperator'}-{a}-{w}-{'channels' if channels else 'tensor'}"] = static, how
    found["qdq-reduced"] = static, {"quant_format": QDQ, "activation_type": U8, "weight_type": I8, "reduce_range": True}
    symmetric = {"ActivationSymmetric": True, "WeightSymmetric": True}
    found["qdq-symmetric"] = static, {"quant_format": QDQ, "activation_type": I8, "weight_type": I8, "extra_options": symmetric}
    pairs = {"AddQDQPairToWeight": True}
    found["qdq-pairs-at-weights"] = static, {"quant_format": QDQ, "activation_type": U8, "weight_type": I8, "extra_options": pairs}
    found["qdq-dedicated-pairs"] = static, {"quant_format": QDQ, "activation_type": U8, "weight_type": I8, "extra_options": {"DedicatedQDQPair": True}}
    for form, symmetric, size in itertools.product((QDQ, QOP), (True, False), (16, 32)):
        how = {"block_size": size, "is_symmetric": symmetric, "quant_format": form}
        found[f"blocks-{'qdq' if form == QDQ else 'nbits'}-{'symmetric' if symmetric else 'zeros'}-{size}"] = blocks, how
    return found


WAYS = ways()
INTEGER = ("QLinear", "QGemm", "QAttention", "MatMulInteger", "MatMulNBits", "DynamicQuantize", "ConvInteger", "NhwcMaxPool")
# In these models it computes a weight from another one, which a runtime need not do.
OF_CONSTANTS = "QLinearMul"


def isInteger(op):
    return op.startswith(INTEGER) and op != OF_CONSTANTS


def kernels(path, folder, feed=None):
    """{operator: how many} of the graph that ONNX Runtime makes of a model, and its results."""
    settings = ort.SessionOptions()
    settings.log_severity_level = 4
    settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    settings.optimized_model_filepath = str(folder / "optimised.onnx")
    session = ort.InferenceSession(str(path), settings, ["CPUExecutionProvider"])
    if feed is None:
        [x] = session.get_inputs()
        feed = {"x": np.random.default_rng(t.options.seed).normal(0, 1, x.shape).astype(np.float32)}
    graph = onnx.load(folder / "optimised.onnx").graph
    return collections.Counter(one.op_type for one in graph.node), session.run(None, feed)


FLOATS = {"MatMul", "Gemm", "Conv", "FusedConv", "FusedMatMul", "FusedGemm", "DequantizeLinear", "QuantizeLinear"}


@functools.cache
def prepared():
    ort.set_default_logger_severity(4)


def quantised(folder, name, way):
    prepared()
    source, shape = floatModel(name)
    onnx.save(source, folder / "float.onnx")
    make, how = WAYS[way]
    make(str(folder / "float.onnx"), shape, str(folder / "in.onnx"), **how)
    return folder / "in.onnx"


def expectIntegerKernels(path, folder, *flags, feed=None):
    """A model that is folded has the kernels that it had, and the results; returns how many there are."""
    before, wanted = kernels(path, folder, feed)
    out = t.fold(path, folder / "out.onnx", *flags)
    after, results = kernels(out, folder, feed)
    fewer = {op: (count, after[op]) for op, count in before.items() if isInteger(op) and after[op] < count}
    assert not fewer, f"fewer kernels: {fewer}; all before: {dict(before)}, after: {dict(after)}"
    more = {op: (before[op], count) for op, count in after.items() if op in FLOATS and count > before[op]}
    assert not more, f"more float kernels: {more}"
    assert out.stat().st_size <= path.stat().st_size, "the model grew"
    for got, want in zip(results, wanted, strict=True):
        assert np.allclose(got, want, rtol=0, atol=0.02 * np.abs(want).max()), f"{got}, expected {want}"
    return before


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_integer_kernels_stay(folder, name, way):
    expectIntegerKernels(quantised(folder, name, way), folder, COMPUTE)


def test_the_zoo_has_integer_kernels(folder):
    """That there is something to lose. (In blocks only MatMul is quantised, and 4 bits of a convolution run as floats.)"""
    without = []
    for name, way in itertools.product(MODELS, WAYS):
        found, _ = kernels(quantised(folder, name, way), folder)
        if not any(isInteger(op) or op == "DequantizeLinear" for op in found):
            without.append((name, way))
    assert all(name != "attention" and way.startswith("blocks") for name, way in without), without


@pytest.mark.parametrize("flags", [[], [COMPUTE]])
@pytest.mark.parametrize("form", [QDQ, QOP])
def test_two_nodes_with_one_weight(folder, form, flags):
    """Equal DequantizeLinear nodes became one, and ONNX Runtime made no MatMulNBits of what two nodes read."""
    nodes = [node("MatMul", ["x", "w1"], ["a"]), node("Tanh", ["a"], ["b"]), node("MatMul", ["b", "w2"], ["y"])]
    weight = weights(32, 32)
    source = m.model(nodes, [m.info("x", (ROWS, 32))], [m.info("y", (ROWS, 32))], [m.const("w1", weight), m.const("w2", weight)])
    onnx.save(source, folder / "float.onnx")
    blocks(str(folder / "float.onnx"), None, str(folder / "in.onnx"), block_size=16, quant_format=form)
    assert expectIntegerKernels(folder / "in.onnx", folder, *flags)["MatMulNBits"] == 2


@pytest.mark.parametrize("name", ["mobilenet_qdq", "bert_int8"])
def test_real_models(folder, name):
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    if not source.exists():
        pytest.skip(f"no {source}")
    specs = json.loads((source.parent / "inputs.json").read_text())[name]
    feed = compare.randomFeed(specs["inputs"] if isinstance(specs, dict) else specs, t.options.seed)
    expectIntegerKernels(source, folder, COMPUTE, feed=feed)
