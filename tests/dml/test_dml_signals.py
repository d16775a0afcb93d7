# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: Fourier transforms and rotary embeddings on SystemDS, against numpy, where the node tests do not look."""

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_systemds as systemds

RNG = np.random.default_rng(31)


def values(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def typed(array):
    return onnx.helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def expect(folder, node, inputs, wanted, constants=None, opset=20, free=False):
    infos = [m.info(name, ["batch", *x.shape[1:]] if free else x.shape, typed(x)) for name, x in inputs.items()]
    tensors = [m.const(name, array) for name, array in (constants or {}).items()]
    dims = ["batch", *wanted.shape[1:]] if free else wanted.shape
    model = m.model([node], infos, [m.info(node.output[0], dims, typed(wanted))], tensors, opset=opset)
    systemds.expectSame(folder, model, list(inputs.values()), [wanted])


def parts(z):
    return np.stack([z.real, z.imag], -1).astype(np.float32)


def numbers(x):
    return x[..., 0] + 1j * x[..., 1] if x.shape[-1] == 2 else x[..., 0]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("length", [None, 3, 7])
def test_dft(folder, count, axis, length):
    """Along any axis, of real and complex numbers, cut off and filled with zeros."""
    x = values(5, 4, 6, count)
    constants = {"axis": np.int64(axis)} | ({"n": np.int64(length)} if length else {})
    node = m.node("DFT", ["x", "n" if length else "", "axis"], ["y"])
    expect(folder, node, {"x": x}, parts(np.fft.fft(numbers(x), length, axis)), constants, free=axis > 0)


@pytest.mark.parametrize("length", [5, 6])
def test_half_and_inverse(folder, length):
    x = values(3, length, 1)
    half = parts(np.fft.rfft(x[..., 0]))
    expect(folder, m.node("DFT", ["x"], ["y"], onesided=1), {"x": x}, half, free=True)
    z = values(3, length, 2)
    expect(folder, m.node("DFT", ["x"], ["y"], inverse=1), {"x": z}, parts(np.fft.ifft(numbers(z))), free=True)
    bins = values(3, length // 2 + 1, 2)
    node = m.node("DFT", ["x", "n"], ["y"], inverse=1, onesided=1)
    wanted = np.fft.irfft(numbers(bins), length)[..., None].astype(np.float32)
    expect(folder, node, {"x": bins}, wanted, {"n": np.int64(length)})


@pytest.mark.parametrize("count, half", [(1, 1), (1, 0), (2, 0)])
@pytest.mark.parametrize("bound", [False, True])
def test_stft(folder, count, half, bound):
    """Frames that overlap, and a window that is an input."""
    x, window = values(3, 20, count), values(6)
    frames = np.stack([numbers(x)[:, i : i + 6] * window for i in range(0, 15, 4)], 1)
    wanted = parts(np.fft.rfft(frames) if half else np.fft.fft(frames))
    node = m.node("STFT", ["x", "step", "w", "n"], ["y"], onesided=half)
    constants = {"step": np.int64(4), "n": np.int64(6)}
    if bound:
        expect(folder, node, {"x": x}, wanted, {**constants, "w": window}, opset=17)
    else:
        expect(folder, node, {"x": x, "w": window}, wanted, constants, opset=17)
