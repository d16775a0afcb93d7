# SPDX-License-Identifier: Apache-2.0
"""Kernels of com.microsoft against ONNX Runtime, on random inputs with edge values among them.

Floats may differ as ONNX Runtime's own rounding does (each case says by how much of the largest value), quantised results by
one where a rounding is a near tie: not in more than one of fifty elements.
"""

import functools

import numpy as np
import onnx
import onnx.numpy_helper
import onnxfold_testing as t
import onnxruntime as ort
import pytest
from onnx import helper

AUTOMATIC = [{"auto_pad": way} for way in ("SAME_UPPER", "SAME_LOWER", "VALID")]
EDGES = [0.0, -0.0, 1e-30, -1e-3, 30.0, -30.0, 80.0]


class Case:
    """An operator, its inputs (None: left out) and attributes; `tolerance` is relative to the largest value."""

    def __init__(self, op, inputs, attributes=None, results=1, tolerance=2e-6, domain="com.microsoft", opset=17):
        self.op, self.inputs, self.attributes, self.results = op, inputs, attributes or {}, results
        self.tolerance, self.domain, self.opset = tolerance, domain, opset

    def model(self):
        names = ["" if one is None else f"i{n}" for n, one in enumerate(self.inputs)]
        constants = [onnx.numpy_helper.from_array(np.asarray(one), name) for one, name in zip(self.inputs, names) if name]
        outputs = [f"r{n}" if wanted else "" for n, wanted in enumerate(self.wanted())]
        node = helper.make_node(self.op, names, outputs, name="it", domain=self.domain, **self.attributes)
        infos = [helper.make_empty_tensor_value_info(name) for name in outputs if name]
        graph = helper.make_graph([node], "g", [], infos, constants)
        imports = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=imports, ir_version=9)

    def wanted(self):
        return [True] * self.results if isinstance(self.results, int) else self.results


def ofRuntime(model):
    settings = ort.SessionOptions()
    settings.log_severity_level = 4
    settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(model.SerializeToString(), settings, ["CPUExecutionProvider"]).run(None, {})


class Maker:
    """Random inputs, the same for the same seed."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def floats(self, *shape, edges=False, dtype=np.float32):
        x = self.random.normal(0, 2, shape).astype(dtype)
        if edges:
            flat = x.reshape(-1)
            flat[: len(EDGES)] = np.array(EDGES, dtype)[: flat.size]
        return x

    def bytes(self, *shape, dtype=np.uint8):
        limits = np.iinfo(dtype)
        return self.random.integers(limits.min, limits.max + 1, shape).astype(dtype)

    def scale(self, *shape):
        return self.random.uniform(0.01, 0.1, shape).astype(np.float32)

    def zero(self, dtype=np.uint8):
        return dtype(self.random.integers(100, 127) if dtype == np.uint8 else self.random.integers(-20, 20))

    def quantised(self, *shape, dtype=np.uint8):
        return [self.bytes(*shape, dtype=dtype), self.scale(), self.zero(dtype)]

    def result(self, dtype=np.uint8):
        return [self.scale(), self.zero(dtype)]


def floatCases(m):
    x = m.floats(2, 3, 8, edges=True)
    yield Case("Gelu", [x])
    yield Case("BiasGelu", [x, m.floats(8)])
    yield Case("FastGelu", [x, m.floats(8)], tolerance=1e-5)
    yield Case("FastGelu", [x], tolerance=1e-5)
    yield Case("QuickGelu", [x], tolerance=1e-5)
    yield Case("QuickGelu", [x], {"alpha": -0.5}, tolerance=1e-5)
    yield Case("CDist", [m.floats(4, 3), m.floats(5, 3)], {"metric": "euclidean"}, tolerance=1e-4)
    yield Case("CDist", [m.floats(4, 3), m.floats(5, 3)], {"metric": "sqeuclidean"}, tolerance=1e-4)
    yield Case("CDist", [m.floats(4, 3, dtype=np.float64), m.floats(1, 3, dtype=np.float64)], tolerance=1e-12)
    for grid in ({}, {"mode": "nearest", "padding_mode": "border"}, {"mode": "bicubic", "align_corners": 1}):
        yield Case("GridSample", [m.floats(1, 2, 4, 5), m.random.uniform(-1, 1, (1, 3, 3, 2)).astype(np.float32)], grid, tolerance=1e-5)


def normalizationCases(m):
    x, skip = m.floats(2, 3, 8, edges=True), m.floats(2, 3, 8)
    for more in ([], [m.floats(8)], [m.floats(8), m.floats(8)], [None, m.floats(8)]):
        yield Case("SkipLayerNormalization", [x, skip, m.floats(8), *more], {"epsilon": 1e-3}, results=[True, False, False, True], tolerance=1e-5)
    yield Case("SkipLayerNormalization", [x, m.floats(1, 3, 8), m.floats(8), m.floats(8)], tolerance=1e-5)
    yield Case("SkipLayerNormalization", [x, m.floats(3, 8), m.floats(8), m.floats(8)], tolerance=1e-5)
    yield Case("SkipLayerNormalization", [m.floats(3, 8), m.floats(3, 8), m.floats(8)], tolerance=1e-5)
    yield Case("SkipSimplifiedLayerNormalization", [x, skip, m.floats(8)], results=[True, False, False, True], tolerance=1e-5)
    yield Case("SkipSimplifiedLayerNormalization", [x, skip, m.floats(8), m.floats(8)], {"epsilon": 0.1}, tolerance=1e-5)
    for axis in (-1, 1, 2):
        scale = m.floats(*x.shape[axis:])
        yield Case("SimplifiedLayerNormalization", [x, scale], {"axis": axis}, domain="", tolerance=1e-5)
        yield Case("LayerNormalization", [x, scale, scale], {"axis": axis}, domain="", opset=14, tolerance=1e-5)


def productCases(m):
    yield Case("FusedMatMul", [m.floats(2, 3, 8), m.floats(2, 8, 5)], {"alpha": 0.5}, tolerance=1e-5)
    yield Case("FusedMatMul", [m.floats(4, 1, 2, 3), m.floats(7, 3, 5)], tolerance=1e-5)
    for a in (0, 1):
        for b in (0, 1):
            left, right = m.floats(2, *((8, 3) if a else (3, 8))), m.floats(2, *((5, 8) if b else (8, 5)))
            yield Case("FusedMatMul", [left, right], {"transA": a, "transB": b, "alpha": -2.0}, tolerance=1e-5)
            yield Case("TransposeMatMul", [left, right], {"transA": a, "transB": b, "alpha": 3.0}, tolerance=1e-5)
            batchA = np.moveaxis(left, 0, 1)
            yield Case("FusedMatMul", [batchA, right], {"transA": a, "transB": b, "transBatchA": 1}, tolerance=1e-5)
            both = {"transA": a, "transB": b, "transBatchA": 1, "transBatchB": 1}
            yield Case("FusedMatMul", [batchA, np.moveaxis(right, 0, 1)], both, tolerance=1e-5)
    for activation in ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign"):
        yield Case("FusedGemm", [m.floats(2, 3), m.floats(4, 3), m.floats(4)], {"transB": 1, "activation": activation, "alpha": 0.5, "beta": 2.0}, tolerance=1e-5)
    yield Case("FusedGemm", [m.floats(2, 3), m.floats(3, 4)], {"activation": "LeakyRelu", "activation_alpha": 0.3}, tolerance=1e-5)
    yield Case("FusedGemm", [m.floats(3, 2), m.floats(3, 4)], {"activation": "HardSigmoid", "activation_alpha": 0.3, "activation_beta": 0.4, "transA": 1}, tolerance=1e-5)
    image, weights, bias, sums = m.floats(1, 2, 9, 8), m.floats(4, 2, 3, 3), m.floats(4), m.floats(1, 4, 5, 6)
    place = {"strides": [2, 1], "pads": [1, 0, 1, 0]}
    for activation in ({}, {"activation": "Relu"}, {"activation": "LeakyRelu", "activation_params": [0.1]}, {"activation": "Clip", "activation_params": [-1.0, 2.0]}, {"activation": "Tanh"}, {"activation": "HardSigmoid", "activation_params": [0.2, 0.5]}):
        yield Case("FusedConv", [image, weights, bias], {**place, **activation}, tolerance=1e-5)
    yield Case("FusedConv", [image, weights, bias, sums], {**place, "activation": "Relu"}, tolerance=1e-5)
    for bits in (2, 4, 8):
        for columns in (32, 48):
            blocks, a = (columns + 15) // 16, m.floats(2, 3, columns)
            b, scales = m.bytes(5, blocks, 2 * bits), m.scale(5, blocks).reshape(-1)
            attributes = {"K": columns, "N": 5, "bits": bits, "block_size": 16}
            zeros = m.bytes(5, (blocks * bits + 7) // 8)
            for more in ([], [zeros.reshape(-1)], [m.floats(5, blocks)], [None, None, m.floats(5)]):
                if bits < 8 or not more or more[0] is None or more[0].dtype == np.uint8:
                    yield Case("MatMulNBits", [a, b, scales, *more], attributes, tolerance=1e-5)


def movementCases(m):
    for k in ([], [np.int64(1)], [np.int64(-2)]):
        for upper in (0, 1):
            yield Case("Trilu", [m.floats(2, 3, 4), *k], {"upper": upper}, tolerance=0)
    yield Case("Trilu", [m.random.integers(0, 9, (3, 3))], tolerance=0)
    yield Case("Unique", [np.float32([2, 1, 2, -0.0, 0.0, 7, 1])], results=3, tolerance=0)
    for dtype in (np.int16, np.int32, np.int64, np.float32, np.float64):
        yield Case("Range", [dtype(2), dtype(9), dtype(3)], tolerance=0)
        yield Case("Range", [dtype(2), dtype(9)], tolerance=0)
        yield Case("Range", [dtype(5), dtype(-9), dtype(-4)], tolerance=0)
    pads = np.int64([0, 1, 0, 2])
    for more in ({}, {"mode": "reflect"}, {"mode": "edge"}):
        yield Case("Pad", [m.floats(3, 4), pads], more, tolerance=0)
    yield Case("Pad", [m.floats(3, 4), pads.reshape(1, 4), np.float32([7])], tolerance=0)
    for axis in (0, 1, 2, -1, -3):
        yield Case("ExpandDims", [m.floats(2, 3), np.int32(axis)], tolerance=0)
    yield Case("GatherND", [m.floats(2, 3, 4), m.random.integers(0, 2, (3, 2))], tolerance=0)
    yield Case("GatherND", [m.random.integers(0, 9, (2, 3)), np.int64([[1], [-1]])], tolerance=0)


def rotaryCases(m):
    angles = m.random.uniform(-3, 3, (9, 2))
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    places = np.int64([[0, 1, 2], [4, 6, 8]])
    for interleaved in (0, 1):
        yield Case("RotaryEmbedding", [m.floats(2, 3, 8), np.int64([2]), cos, sin], {"interleaved": interleaved}, tolerance=1e-5)
        yield Case("RotaryEmbedding", [m.floats(2, 3, 8), places, cos, sin], {"interleaved": interleaved}, tolerance=1e-5)
        yield Case("RotaryEmbedding", [m.floats(2, 2, 3, 4), places, cos, sin], {"interleaved": interleaved}, tolerance=1e-5)
        yield Case("RotaryEmbedding", [m.floats(2, 3, 16), places, cos, sin], {"num_heads": 2, "rotary_embedding_dim": 4, "interleaved": interleaved}, tolerance=1e-5)


def quantisedCases(m):
    for dtype in (np.uint8, np.int8):
        x, result = m.quantised(2, 3, 8, dtype=dtype), m.result(dtype)
        for other in (m.quantised(3, 1, dtype=dtype), m.quantised(2, 3, 8, dtype=dtype)):
            yield Case("QLinearAdd", [*x, *other, *result])
            yield Case("QLinearMul", [*x, *other, *result])
        yield Case("QLinearSigmoid", [*x, np.float32(1 / 256), dtype(0)])
        yield Case("QLinearLeakyRelu", [*x, *result])
        yield Case("QLinearLeakyRelu", [*x, *result], {"alpha": 0.3})
        for last in (0, 1):
            image = m.quantised(1, *((8, 7, 2) if last else (2, 8, 7)), dtype=dtype)
            pads = {"pads": [1, 0, 1, 1]}
            for more in ({}, pads, {**pads, "count_include_pad": 1}, {"ceil_mode": 1}, *AUTOMATIC, {**AUTOMATIC[0], "count_include_pad": 1}):
                yield Case("QLinearAveragePool", [*image, *result], {"kernel_shape": [3, 2], "strides": [2, 2], "channels_last": last, **more})
            yield Case("QLinearGlobalAveragePool", [*image, *result], {"channels_last": last})
        yield Case("QLinearConcat", [*result, *x, *m.quantised(2, 4, 8, dtype=dtype)], {"axis": 1})
        yield Case("QLinearConcat", [x[1], x[2], *x, *m.quantised(2, 3, 1, dtype=dtype)], {"axis": -1})
        yield Case("QLinearSoftmax", [*x, np.float32(1 / 256), dtype(0)], {"opset": 13})
        yield Case("QLinearSoftmax", [*x, np.float32(1 / 256), dtype(0)], {"opset": 13, "axis": 1})
        yield Case("QLinearSoftmax", [*x, np.float32(1 / 256), dtype(0)], {"opset": 11, "axis": 1})
        yield Case("QLinearWhere", [m.random.integers(0, 2, (2, 1, 8)).astype(bool), *x, *m.quantised(1, 3, 1, dtype=dtype), *result])
        for more in ({}, pads, {"ceil_mode": 1}, {"dilations": [1, 2]}, *AUTOMATIC):
            yield Case("NhwcMaxPool", [m.bytes(1, 8, 7, 2, dtype=dtype)], {"kernel_shape": [2, 2], "strides": [2, 1], **more})
        yield Case("QuantizeLinear", [m.floats(2, 3, 8), *m.result(dtype)])
        yield Case("QuantizeLinear", [m.floats(2, 3, 8), m.scale(3), np.full(3, 5, dtype)], {"axis": 1})
        yield Case("DequantizeLinear", x)
        yield Case("DequantizeLinear", [x[0], m.scale(8), np.full(8, 5, dtype)], {"axis": 2})
    image, weights = m.quantised(1, 2, 8, 8), [m.bytes(4, 2, 3, 3), m.scale(), m.zero()]
    wide = [np.float32(3), np.uint8(120)]
    yield Case("QLinearConv", [*image, *weights, *wide], {"pads": [1, 1, 1, 1]})
    yield Case("QLinearConv", [m.bytes(1, 8, 7, 2), *image[1:], *weights, *wide, m.random.integers(-99, 99, 4).astype(np.int32)], {"channels_last": 1})


def integerProductCases(m):
    a, b = m.quantised(2, 3, 8), m.bytes(8, 5)
    column, zeros, bias = m.scale(5), m.bytes(5), m.floats(5)
    for more in ([], [a[2]], [a[2], zeros], [a[2], m.zero(), bias], [None, None, bias]):
        yield Case("MatMulIntegerToFloat", [a[0], b, a[1], m.scale(), *more], tolerance=1e-5)
        yield Case("MatMulIntegerToFloat", [a[0], b, a[1], column, *more], tolerance=1e-5)
    x = m.floats(2, 3, 8)
    for more in ([], [m.zero()], [zeros, bias], [None, bias]):
        yield Case("DynamicQuantizeMatMul", [x, b, m.scale(), *more], tolerance=1e-5)
        yield Case("DynamicQuantizeMatMul", [x, b, column, *more], tolerance=1e-5)
    yield Case("MatMulInteger16", [m.bytes(3, 8, dtype=np.int16), m.bytes(8, 5, dtype=np.int16)], tolerance=0)
    left, right = m.quantised(2, 8), [m.bytes(8, 5), m.scale(5), zeros]
    c = m.random.integers(-999, 999, 5).astype(np.int32)
    yield Case("QGemm", [*left, *right], tolerance=1e-5)
    yield Case("QGemm", [*left, *right, c], {"alpha": 0.5}, tolerance=1e-5)
    yield Case("QGemm", [*left, *right, c, np.float32(2), np.uint8(120)])
    yield Case("QGemm", [left[0].T.copy(), *left[1:], right[0].T.copy(), np.float32(0.05), np.uint8(9), None, np.float32(2), np.uint8(120)], {"transA": 1, "transB": 1})
    for bits in (4, 8):
        packed, scales = m.bytes(6, 4 * bits), m.scale(6, 2)
        attributes = {"bits": bits, "block_size": 16, "quantize_axis": 1}
        for indices in (np.int32([1, 3]), np.int64([[5, 0], [2, 2]])):
            yield Case("GatherBlockQuantized", [packed, indices, scales], attributes, tolerance=1e-6)
            yield Case("GatherBlockQuantized", [packed, indices, scales, m.bytes(6, (2 * bits + 7) // 8)], attributes, tolerance=1e-6)


MAKERS = [floatCases, normalizationCases, productCases, movementCases, rotaryCases, quantisedCases, integerProductCases]


@functools.cache
def allCases():
    return [case for make in MAKERS for case in make(Maker(t.options.seed))]


def labelled():
    counts = {}
    for i, case in enumerate(allCases()):
        counts[case.op] = counts.get(case.op, 0) + 1
        yield pytest.param(i, id=f"{case.op}-{counts[case.op]}")


def expectAlike(case, got, want):
    assert got.dtype == want.dtype and got.shape == want.shape, f"{got.dtype}{got.shape}, expected {want.dtype}{want.shape}"
    if got.dtype.kind in "iu" and got.dtype.itemsize == 1:
        far = np.abs(got.astype(np.int32) - want.astype(np.int32))
        assert far.max(initial=0) <= 1 and np.count_nonzero(far) <= max(1, got.size / 50), f"{got}, expected {want}"
        return
    got, want = got.astype(np.float64), want.astype(np.float64)
    assert np.array_equal(np.isnan(got), np.isnan(want)), f"{got}, expected {want}"
    largest = np.abs(want[np.isfinite(want)]).max(initial=0)
    assert np.allclose(got, want, rtol=0, atol=case.tolerance * largest, equal_nan=True), f"{got}, expected {want}"


def foldedResults(folder, case):
    model = case.model()
    onnx.save(model, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--fold-quantization=all", "--max-growth=unlimited")
    folded = onnx.load(out)
    assert not folded.graph.node, f"{case.op} was not folded"
    constants = {one.name: onnx.numpy_helper.to_array(one) for one in folded.graph.initializer}
    return [constants[one.name] for one in model.graph.output]


@pytest.mark.parametrize("number", list(labelled()))
def test_values_are_those_of_the_runtime(folder, number):
    case = allCases()[number]
    for got, want in zip(foldedResults(folder, case), ofRuntime(case.model()), strict=True):
        expectAlike(case, got, np.asarray(want))


@pytest.mark.parametrize("axes, keepdims", [([1], 0), ([0, -1], 1)])
def test_mean_of_a_quantised_tensor(folder, axes, keepdims):
    """ONNX Runtime's CPU provider has no QLinearReduceMean: its formula."""
    m = Maker(t.options.seed)
    x, scale, zero = m.quantised(2, 3, 8)
    to, offset = m.result()
    case = Case("QLinearReduceMean", [x, scale, zero, to, offset], {"axes": axes, "keepdims": keepdims})
    mean = ((x.astype(np.float64) - zero) * scale).mean(axis=tuple(axes), keepdims=bool(keepdims))
    expectAlike(case, foldedResults(folder, case)[0], np.clip(np.rint(mean / to) + offset, 0, 255).astype(np.uint8))


def test_channels_last(folder):
    """ONNX Runtime's CPU provider has no NhwcFusedConv for f32: it is FusedConv with the channels elsewhere."""
    m = Maker(t.options.seed)
    image, more = m.floats(1, 8, 7, 2), [m.floats(4, 2, 3, 3), m.floats(4)]
    attributes = {"activation": "Relu", "pads": [0, 1, 0, 1]}
    [want] = ofRuntime(Case("FusedConv", [np.moveaxis(image, -1, 1), *more], attributes).model())
    case = Case("NhwcFusedConv", [image, *more], attributes, tolerance=1e-5)
    expectAlike(case, foldedResults(folder, case)[0], np.moveaxis(want, 1, -1))


def reasonOf(folder, case, *flags):
    onnx.save(case.model(), folder / "in.onnx")
    done = t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--report=text", "--quiet", *flags)
    assert onnx.load(folder / "out.onnx").graph.node, f"{case.op} was folded"
    return done.err


X = np.float32([[1, 2], [3, 4]])
B = np.uint8([[1, 2], [3, 4]])
S, Z = np.float32(0.5), np.uint8(0)
STAY = {
    "input-missing": (Case("FusedMatMul", [X]), "input #1 is missing"),
    "one-too-many": (Case("Gelu", [X, X]), "there are 2 inputs, expected at most 1"),
    "type": (Case("Gelu", [B]), "input #0 has element type u8, which the operator does not take"),
    "types-differ": (Case("BiasGelu", [X, np.float16([1, 2])]), "input #1 has element type f16, expected f32 as input #0"),
    "shapes": (Case("TransposeMatMul", [X, np.float32([[1, 2]])]), "do not multiply"),
    "batch": (Case("FusedMatMul", [X, X], {"transBatchA": 1}), "attribute 'transBatchA' is set"),
    "activation": (Case("FusedGemm", [X, X], {"activation": "LeakyRelu"}), "attribute 'activation' is 'LeakyRelu' with 0 parameters"),
    "metric": (Case("CDist", [X, X], {"metric": "cosine"}), "attribute 'metric' is 'cosine'"),
    "moments": (Case("SkipLayerNormalization", [X, X, X[0]], results=[True, True]), "mean and deviation are for training"),
    "nan": (Case("Unique", [np.float32([1, np.nan])], results=3), "there is a NaN"),
    "axis": (Case("ExpandDims", [X, np.int32(4)]), "the axis is 4, the result has rank 3"),
    "scale": (Case("QLinearAdd", [B, np.float32([1, 2]), Z, B, S, Z, S, Z]), "input #1 has shape [2], expected one element"),
    "no-scale": (Case("QLinearSigmoid", [B, S, Z, np.float32(np.nan), Z]), "divided by its scale is NaN"),
    "concat": (Case("QLinearConcat", [S, Z, B, S], {"axis": 0}), "three for each tensor"),
    "zeros": (Case("DynamicQuantizeMatMul", [0 * X, B, S]), "which gives no scale"),
    "bits": (Case("MatMulNBits", [np.ones((1, 16), np.float32), B, S], {"K": 16, "N": 1, "bits": 3, "block_size": 16}), "attributes 'bits'"),
    "index": (Case("GatherBlockQuantized", [np.ones((2, 16), np.uint8), np.int64([2]), np.ones((2, 1), np.float32)], {"bits": 8, "block_size": 16}), "outside"),
    "packed": (Case("RotaryEmbedding", [X.reshape(1, 1, 4), np.int64([0]), X, X], {"is_packed_batching": 1}), "not documented"),
}


@pytest.mark.parametrize("name", STAY)
def test_what_stays(folder, name):
    """Nodes that a runtime refuses, or of which nobody says what they compute; with the reason."""
    case, reason = STAY[name]
    found = reasonOf(folder, case)
    assert reason in found, found


def test_quantisation_of_constants(folder):
    """As that of the standard: kept with =none, and by default what is stored in compact form."""
    for case in (Case("DequantizeLinear", [B, S, Z]), Case("QuantizeLinear", [X, S, Z])):
        assert "tells the runtime to use integer kernels" in reasonOf(folder, case, "--fold-quantization=none")
    big = np.ones((64, 64), np.uint8)
    assert "would be stored as floats" in reasonOf(folder, Case("DequantizeLinear", [big, S, Z]))


def test_functions_and_versions(folder):
    """A function of the model is what it says, whatever its name; another version of the domain is unknown."""
    model = Case("Gelu", [X]).model()
    imports = [helper.make_opsetid("", 17)]
    model.functions.append(helper.make_function("com.microsoft", "Gelu", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])], imports))
    onnx.save(model, folder / "in.onnx")
    folded = onnx.load(t.fold(folder / "in.onnx", folder / "out.onnx"))
    assert np.array_equal(onnx.numpy_helper.to_array(folded.graph.initializer[0]), -X)
    model = Case("Gelu", [X]).model()
    model.opset_import[1].version = 2
    onnx.save(model, folder / "in.onnx")
    assert onnx.load(t.fold(folder / "in.onnx", folder / "out.onnx")).graph.node


def test_behind_inputs_nothing_changes(folder):
    """A node that reads an input is kept, with its constants."""
    nodes = [helper.make_node("FusedMatMul", ["x", "w"], ["y"], domain="com.microsoft")]
    infos = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2, 2]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], [onnx.numpy_helper.from_array(X, "w")])
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=9), folder / "in.onnx")
    t.expectSameBytes(t.fold(folder / "in.onnx", folder / "out.onnx"), folder / "in.onnx", "of a node that is kept")


def test_cached_values_are_those_of_the_operator(folder):
    """All are onnx.Custom inside: what is cached of one is not another's."""
    x = Maker(t.options.seed).floats(512, 512)
    for op in ("Gelu", "QuickGelu", "FastGelu"):
        onnx.save(Case(op, [x]).model(), folder / f"{op}.onnx")
        flags = ("--max-growth=unlimited",)
        plain = t.fold(folder / f"{op}.onnx", folder / "plain.onnx", *flags)
        cached = t.fold(folder / f"{op}.onnx", folder / "cached.onnx", *flags, f"--cache={folder / 'cache'}")
        t.expectSameBytes(cached, plain, f"{op} with a cache")
