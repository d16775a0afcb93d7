"""Operations that MLIR does not lower by passes of mlir-opt, against numpy: layouts, softmax, Fourier transforms."""

import re

import numpy as np
import onnxfold_testing as t
from onnxfold_dense import parseTensor, parseType
from onnxfold_upstream import fold
from test_linalg_execution import numbers, rounds, typeOf


def valueOf(text, type):
    if not text.startswith('dense<"0x'):
        return parseTensor(text, type)
    shape, dtype = parseType(type)
    return np.frombuffer(bytes.fromhex(text[len('dense<"0x') : -2]), dtype).reshape(shape)


def values(text):
    """The values of a folded function's constants, in their order."""
    return [valueOf(*found) for found in re.findall(r"(dense<.*?>) : (tensor<[^>]*>)", text)]


def packed(x, axes, tiles, order, fill):
    """linalg.pack as its documentation says it, one element after the other."""
    sizes = list(x.shape)
    for axis, tile in zip(axes, tiles, strict=True):
        sizes[axis] = -(-sizes[axis] // tile)
    result = np.full([*(sizes[d] for d in order), *tiles], fill, x.dtype)
    for index in np.ndindex(*x.shape):
        outer, inner = list(index), []
        for axis, tile in zip(axes, tiles, strict=True):
            inner.append(index[axis] % tile)
            outer[axis] = index[axis] // tile
        result[(*(outer[d] for d in order), *inner)] = x[index]
    return result


def test_pack_and_unpack(folder):
    rng = np.random.default_rng(t.options.seed)
    cases, expected = [], []
    for _ in range(rounds(10, 500)):
        element = str(rng.choice(["f32", "i8", "i32"]))
        shape = [int(size) for size in rng.integers(2, 9, rng.integers(1, 4))]
        axes = [int(d) for d in rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)]]
        tiles = [int(rng.integers(1, 5)) for _ in axes]
        order = [int(d) for d in rng.permutation(len(shape))]
        x, fill = numbers(rng, element, shape), numbers(rng, element, [])
        y = packed(x, axes, tiles, order, fill)
        layout = f"outer_dims_perm = {order} inner_dims_pos = {axes} inner_tiles = {tiles} into %e : "
        small, large = typeOf(shape, element), typeOf(y.shape, element)
        pad = f"%f = tensor.extract {{1}}[] : tensor<{element}>"
        cases.append(
            (
                f"linalg.pack {{0}} padding_value(%f : {element}) {layout}{small} -> {large}",
                [(x, element), (fill, element)],
                [large],
                0,
                (f"%e = tensor.empty() : {large}", pad),
            )
        )
        expected.append((y, element))
        cases.append(
            (
                f"linalg.unpack {{0}} {layout}{large} -> {small}",
                [(y, element)],
                [small],
                0,
                (f"%e = tensor.empty() : {small}",),
            )
        )
        expected.append((x, element))
    for case, text, (array, element) in zip(cases, fold(folder, "folded", cases), expected, strict=True):
        found = values(text)
        assert "linalg" not in text and len(found) == 1, (case, text)
        assert found[0].shape == array.shape and found[0].tobytes() == array.tobytes(), (case, found, array)


def checkClose(folder, cases, expected, bound):
    for case, text, arrays in zip(cases, fold(folder, "folded", cases), expected, strict=True):
        found = values(text)
        assert len(found) == len(arrays), (case[0], text)
        for ours, theirs in zip(found, arrays, strict=True):
            largest = max(np.abs(np.stack(arrays)).max(), 1e-30)
            assert np.abs(ours - theirs).max() <= bound * largest, (case[0], ours, theirs)


def test_softmax(folder):
    rng = np.random.default_rng(t.options.seed + 1)
    cases, expected = [], []
    for _ in range(rounds(5, 200)):
        shape = [int(size) for size in rng.integers(1, 7, rng.integers(1, 4))]
        axis = int(rng.integers(len(shape)))
        x = numbers(rng, "f32", shape)
        kind = typeOf(shape, "f32")
        cases.append(
            (
                f"linalg.softmax dimension({axis}) ins({{0}} : {kind}) outs(%e : {kind}) -> {kind}",
                [(x, "f32")],
                [kind],
                0,
                (f"%e = tensor.empty() : {kind}",),
            )
        )
        powers = np.exp(x.astype(np.float64) - x.max(axis=axis, keepdims=True))
        expected.append([powers / powers.sum(axis=axis, keepdims=True)])
    checkClose(folder, cases, expected, 2.0**-24)


def test_fourier(folder):
    rng = np.random.default_rng(t.options.seed + 2)
    cases, expected = [], []
    for _ in range(rounds(5, 100)):
        n = int(rng.integers(1, 3))
        h, w = (1 << int(k) for k in rng.integers(0, 5, 2))
        real, imaginary = numbers(rng, "f32", [n, h, w]), numbers(rng, "f32", [n, h, w])
        kind = typeOf([n, h, w], "f32")
        inverse = bool(rng.integers(2))
        both = real.astype(np.float64) + 1j * imaginary
        y = np.fft.ifft2(both) * (h * w) if inverse else np.fft.fft2(both)
        cases.append(
            (
                f"tosa.fft2d {{0}}, {{1}} {{{{inverse = {str(inverse).lower()}}}}} : ({kind}, {kind}) -> ({kind}, {kind})",
                [(real, "f32"), (imaginary, "f32")],
                [kind, kind],
                0,
                (),
            )
        )
        expected.append([y.real, y.imag])
        half = typeOf([n, h, w // 2 + 1], "f32")
        y = np.fft.rfft2(real.astype(np.float64))
        cases.append((f"tosa.rfft2d {{0}} : ({kind}) -> ({half}, {half})", [(real, "f32")], [half, half], 0, ()))
        expected.append([y.real, y.imag])
    checkClose(folder, cases, expected, 2.0**-23)


def transposed(x, w, bias, strides, outPad):
    """TRANSPOSE_CONV2D as the specification says it: each element of x times the weights, added where it stands."""
    (n, h, width, _), (filters, kh, kw, _) = x.shape, w.shape
    size = [(h - 1) * strides[0] + kh + outPad[0] + outPad[1], (width - 1) * strides[1] + kw + outPad[2] + outPad[3]]
    y = np.zeros([n, *size, filters], x.dtype) + bias
    for i, iy, ix, ky, kx in np.ndindex(n, h, width, kh, kw):
        oy, ox = iy * strides[0] + ky + outPad[0], ix * strides[1] + kx + outPad[2]
        if 0 <= oy < size[0] and 0 <= ox < size[1]:
            y[i, oy, ox] += w[:, ky, kx] @ x[i, iy, ix]
    return y


def test_transposed_convolution(folder):
    rng = np.random.default_rng(t.options.seed + 3)
    cases, expected = [], []
    for _ in range(rounds(6, 200)):
        n, h, width, c, filters, kh, kw = (int(size) for size in rng.integers(1, 4, 7))
        strides = [int(s) for s in rng.integers(1, 4, 2)]
        outPad = [int(rng.integers(-kernel + 1, 3)) for kernel in (kh, kh, kw, kw)]
        x, w = numbers(rng, "i8", [n, h, width, c]), numbers(rng, "i8", [filters, kh, kw, c])
        bias = rng.integers(-999, 999, filters).astype(np.int32)
        zeros = rng.integers(-128, 128, 2).astype(np.int8)
        y = transposed(x.astype(np.int64) - int(zeros[0]), w.astype(np.int64) - int(zeros[1]), bias, strides, outPad)
        if y.shape[1] < 1 or y.shape[2] < 1:
            continue
        kind = typeOf(y.shape, "i32")
        array = lambda items: f"array<i64: {', '.join(map(str, items))}>"
        cases.append(
            (
                f"tosa.transpose_conv2d {{0}}, {{1}}, {{2}}, {{3}}, {{4}} {{{{acc_type = i32, out_pad = {array(outPad)}, stride = {array(strides)}}}}} : "
                f"({typeOf(x.shape, 'i8')}, {typeOf(w.shape, 'i8')}, {typeOf([filters], 'i32')}, tensor<1xi8>, tensor<1xi8>) -> {kind}",
                [(x, "i8"), (w, "i8"), (bias, "i32"), (zeros[:1], "i8"), (zeros[1:], "i8")],
                [kind],
                0,
                (),
            )
        )
        expected.append([y])
    checkClose(folder, cases, expected, 0)
