# SPDX-License-Identifier: Apache-2.0
"""Window functions, Fourier transforms and MelWeightMatrix with random arguments, in every version and element type.

Expected values: windows by their sums of cosines in long double, transforms by numpy's in double, mel weights by the
reference evaluator. What ONNX Runtime runs of the same nodes is compared too. --long: twenty times as many.
"""

import functools

import ml_dtypes
import numpy as np
import pytest
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import onnxfold_compare as compare
import onnxfold_testing as t
from onnxfold_opsets import RandomCases
from onnxfold_types import dtypeOf, foldAll, typesOf, versions

FLOATS = [np.dtype(kind) for kind in (np.float16, np.float32, np.float64, ml_dtypes.bfloat16)]
PI = 4 * np.arctan(np.longdouble(1))


def asFloat(dtype):
    """(ulps, part of the largest): a tie in double may be none, and what cancels leaves as much as doubles do."""
    return (2, 1e-13) if dtype == np.float64 else (1, 1e-13)


class Maker(RandomCases):
    """Random cases (operator, inputs, attributes, expected, bounds); the same for the same seed."""

    def scalar(self, value):
        return np.array(value, self.random.choice([np.int32, np.int64]))

    def window(self, operator, dtype):
        size, periodic = self.integer(2, 40), self.integer(0, 1)
        angle = 2 * PI * np.arange(size) / (size if periodic else size - 1)
        a = {"Hann": (0.5, 0.5, 0), "Hamming": (25, 21, 0), "Blackman": (42, 50, 8)}[operator.removesuffix("Window")]
        want = (a[0] - a[1] * np.cos(angle) + a[2] * np.cos(2 * angle)) / np.longdouble(sum(a))
        want = np.where(abs(want - np.round(want)) < 1e-17, np.round(want), want)
        want = (np.trunc(want) if dtype.kind in "iu" else want.astype(np.float64)).astype(dtype)
        attributes = {"periodic": periodic, "output_datatype": helper.np_dtype_to_tensor_dtype(dtype)}
        return operator, [self.scalar(size)], attributes, want, (4, 0) if dtype == np.float64 else (0, 0)

    def signal(self, shape, dtype):
        return self.random.normal(0, 3, shape).astype(dtype)

    def length(self):
        return self.integer(1, 40) if self.random.random() < 0.8 else self.integer(41, 700)

    def dft(self, opset, dtype):
        inverse, oneSided = self.integer(0, 1), self.integer(0, 1)
        parts = 1 + inverse if oneSided else self.integer(1, 2)
        shape = [self.integer(1, 3) for _ in range(self.integer(1, 3))] + [parts]
        axis = self.integer(0, len(shape) - 2) if opset >= 20 or len(shape) == 2 else min(1, len(shape) - 2)
        shape[axis] = self.length() + (inverse and oneSided)
        x = self.signal(shape, dtype)
        n = self.length() if self.random.random() < 0.5 else None
        wide = x.astype(np.float64)
        signal = wide[..., 0] if parts == 1 else wide[..., 0] + 1j * wide[..., 1]
        function = {(0, 0): np.fft.fft, (0, 1): np.fft.rfft, (1, 0): np.fft.ifft, (1, 1): np.fft.irfft}[inverse, oneSided]
        y = function(signal, n, axis)
        want = y[..., None] if inverse and oneSided else np.stack([y.real, y.imag], -1)
        attributes = {"inverse": inverse, "onesided": oneSided}
        given = axis - len(shape) if self.random.random() < 0.5 else axis
        inputs = [x, None if n is None else self.scalar(n)]
        if opset >= 20:
            inputs.append(np.array(given))
        else:
            attributes["axis"] = given
        return "DFT", inputs, attributes, want.astype(dtype), asFloat(dtype)

    def stft(self, dtype):
        length, step, batch = self.length(), self.integer(1, 9), self.integer(1, 3)
        parts = self.integer(1, 2)
        x = self.signal([batch, length + self.integer(0, 30), parts], dtype)
        window = self.signal([length], dtype) if self.random.random() < 0.6 else None
        attributes = {} if parts == 1 and self.random.random() < 0.5 else {"onesided": int(parts == 1 and self.integer(0, 1))}
        wide = x.astype(np.float64)
        signal = wide[..., 0] if parts == 1 else wide[..., 0] + 1j * wide[..., 1]
        frames = np.lib.stride_tricks.sliding_window_view(signal, length, axis=1)[:, ::step]
        frames = frames * (1 if window is None else window.astype(np.float64))
        y = np.fft.fft(frames)
        if attributes.get("onesided", 1):
            y = y[..., : length // 2 + 1]
        give = window is None or self.random.random() < 0.5
        step = self.scalar(step)
        inputs = [x, step, window, np.array(length, step.dtype) if give else None]
        return "STFT", inputs, attributes, np.stack([y.real, y.imag], -1).astype(dtype), asFloat(dtype)

    def mel(self, dtype):
        """Edges that are far from whole bins: the evaluator's logarithms are not ours."""
        while True:
            bands, length, rate = self.integer(1, 12), self.integer(8, 300), self.integer(100, 40000)
            low, high = np.sort(self.random.uniform(0, rate / 2, 2))
            mels = 2595 * np.log10(1 + np.array([low, high]) / 700)
            edges = (mels[0] + np.arange(bands + 2) * (mels[1] - mels[0]) / (bands + 2)) / 2595
            edges = (length + 1) * 700 * (10**edges - 1) / rate
            if abs(edges - np.round(edges)).min() > 1e-6 and edges[-1] < length // 2:
                break
        inputs = [np.array(v, np.int64) for v in (bands, length, rate)] + [np.array(v) for v in (low, high)]
        attributes = {"output_datatype": helper.np_dtype_to_tensor_dtype(dtype)}
        case = ("MelWeightMatrix", inputs, attributes | {"output_datatype": TensorProto.DOUBLE}, None, None)
        want = evaluated(17, case, lambda model: ReferenceEvaluator(model).run(None, {}))
        return "MelWeightMatrix", inputs, attributes, want.astype(dtype), (0, 0)


def evaluated(opset, case, run):
    """What `run` makes of the first result of a model of one node; None if it refuses."""
    operator, inputs, attributes = case[:3]
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    nodes = [helper.make_node("Constant", [], [n], value=asTensor(x)) for n, x in zip(names, inputs) if n]
    nodes.append(helper.make_node(operator, names, ["y"], **attributes))
    graph = helper.make_graph(nodes, "g", [], [helper.make_empty_tensor_value_info("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    try:
        return run(model)[0]
    except Exception:  # not implemented for this type
        return None


def asTensor(x):
    return helper.make_tensor("", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape, x.tobytes(), raw=True)


def inRuntime(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {})


def check(folder, opset, cases):
    got = foldAll(opset, [(operator, inputs, attributes, 1) for operator, inputs, attributes, _, _ in cases], folder)
    problems = []
    for case, [y] in zip(cases, got):
        operator, inputs, attributes, want, bounds = case
        text = "does not fold" if y is None else compare.differenceText(y, want, *bounds)
        if not text and operator != "MelWeightMatrix" and y.dtype in (np.float32, np.float64):
            # It computes spectra of f32 in f32 (long ones with three digits), and inverse ones otherwise.
            other = None if attributes.get("inverse") else evaluated(opset, case, inRuntime)
            if other is not None and y.any():
                text = compare.differenceText(other.astype(np.float32), y.astype(np.float32), 0, 1e-3)
                text = text and f"ONNX Runtime: {text}"
        if text:
            problems.append(f"{operator} of {[x if x is None or x.size == 1 else x.shape for x in inputs]} {attributes}: {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10])


@functools.cache
def casesOf():
    """{(operator, opset): its cases}."""
    maker, count, made = Maker(t.options.seed), 100 if t.options.long else 5, {}
    for name in ("HannWindow", "HammingWindow", "BlackmanWindow", "MelWeightMatrix"):
        for opset, schema in versions(name):
            types = [dtypeOf(text) for c in schema.type_constraints[-1:] for text in c.allowed_type_strs]
            make = maker.window if name.endswith("Window") else lambda _, dtype: maker.mel(dtype)
            made[name, opset] = [make(name, dtype) for dtype in types for _ in range(count)]
    for name in ("DFT", "STFT"):
        for opset, schema in versions(name):
            make = (lambda dtype, o=opset: maker.dft(o, dtype)) if name == "DFT" else maker.stft
            made[name, opset] = [make(dtype) for dtype in typesOf(schema, 0) for _ in range(6 * count)]
    return made


OPERATORS = ("HannWindow", "HammingWindow", "BlackmanWindow", "MelWeightMatrix", "DFT", "STFT")
onnxruntime.set_default_logger_severity(4)


@pytest.mark.parametrize("operator, opset", [(name, opset) for name in OPERATORS for opset, _ in versions(name)])
def test_signals(operator, opset, folder):
    check(folder, opset, casesOf()[operator, opset])
