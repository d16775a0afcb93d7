# SPDX-License-Identifier: Apache-2.0
"""Operations that MLIR does not lower by passes of mlir-opt, against numpy: layouts, softmax, Fourier, block-scaled numbers."""

import re

import ml_dtypes
import numpy as np
import onnxfold_testing as t
from onnxfold_dense import TYPES, parseTensor, parseType
from onnxfold_upstream import FOLD_OPT, fold, output
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
        if (h - 1) * strides[0] + kh + sum(outPad[:2]) < 1 or (width - 1) * strides[1] + kw + sum(outPad[2:]) < 1:
            continue
        y = transposed(x.astype(np.int64) - int(zeros[0]), w.astype(np.int64) - int(zeros[1]), bias, strides, outPad)
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


BLOCK = 32  # the only size that TOSA has


def blockScaled(rng, shape, element):
    """Random data and scales of blocks, with their values in double."""
    bits = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}.get(element, 8)
    data = rng.integers(0, 1 << bits, shape).astype(np.uint8)
    values = data.view(TYPES[element]).astype(np.float64)
    data = np.where(np.isfinite(values), data, 0).astype(np.uint8)
    exponents = rng.integers(-30, 30, [*shape[:-1], shape[-1] // BLOCK])
    values = data.view(TYPES[element]).astype(np.float64) * np.repeat(2.0**exponents, BLOCK, axis=-1)
    return data, (exponents + 127).astype(np.uint8), values


def test_block_scaled(folder):
    rng = np.random.default_rng(t.options.seed + 4)
    cases, expected = [], []
    for _ in range(rounds(1, 50)):
        for element in ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E5M2"):
            n, h, w, blocks = (int(size) for size in rng.integers(1, 4, 4))
            c, size = blocks * BLOCK, "{{block_size = BLOCK_SIZE_32}}"
            data, scale, values = blockScaled(rng, [n, h, c], element)
            kinds = [typeOf([n, h, c], element), typeOf([n, h, blocks], "f8E8M0FNU")]
            for wide, dtype in ("f32", np.float32), ("bf16", ml_dtypes.bfloat16):
                result = typeOf([n, h, c], wide)
                cases.append((f"tosa.cast_from_block_scaled {{0}}, {{1}} {size} : ({', '.join(kinds)}) -> {result}",
                              [(data, element), (scale, "f8E8M0FNU")], [result], 0, ()))
                expected.append([values.astype(dtype)])
            other, factors, rows = blockScaled(rng, [int(rng.choice([1, n])), w, c], element)
            kinds += [typeOf(other.shape, element), typeOf(factors.shape, "f8E8M0FNU")]
            result = typeOf([n, h, w], "f32")
            cases.append((f"tosa.matmul_t_block_scaled {{0}}, {{1}}, {{2}}, {{3}} {size} : ({', '.join(kinds)}) -> {result}",
                          [(data, element), (scale, "f8E8M0FNU"), (other, element), (factors, "f8E8M0FNU")], [result], 0, ()))
            expected.append([(values @ rows.transpose(0, 2, 1)).astype(np.float32)])
    for case, text, (wanted,) in zip(cases, fold(folder, "folded", cases), expected, strict=True):
        found = onlyValue(text)
        if "matmul" in case[0]:
            np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
        else:
            assert found.astype(np.float64).tobytes() == wanted.astype(np.float64).tobytes(), case[0]


def onlyValue(text):
    assert "tosa.cast" not in text and "tosa.matmul" not in text, text
    (found,) = values(text)
    return found


def ceilLog2(x):
    return int(np.ceil(np.log2(x)))


SHAPES = {  # of x and y, which are positive; results too
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x + y - y,
    "mul": lambda x, y: x * y,
    "max": max,
    "min": min,
    "div_ceil": lambda x, y: -(-x // y),
    "div_floor": lambda x, y: (x + y) // y,
    "mod": lambda x, y: (2 * y + 1) % (y + 1),
    "exp2": lambda x, y: 2**x,
    "log2_ceil": lambda x, y: ceilLog2(x + 1),
    "log2_floor": lambda x, y: int(np.floor(np.log2(x + 1))),
}


def test_shapes(folder):
    """Each operator on shapes, seen by the size of a tensor that is tiled as often as it says."""
    rng = np.random.default_rng(t.options.seed + 5)

    def constant(name, *sizes):
        values = f"values = dense<{list(map(int, sizes))}> : tensor<{len(sizes)}xindex>"
        return f"{name} = tosa.const_shape {{{values}}} : () -> !tosa.shape<{len(sizes)}>"

    pair, one = "!tosa.shape<2>", "!tosa.shape<1>"
    cases, expected = [], []
    for _ in range(rounds(1, 40)):
        for op, function in SHAPES.items():
            x, y = rng.integers(1, 6, (2, 2))
            operands = {"sub": (x + y, y), "div_floor": (x + y, y), "mod": (2 * y + 1, y + 1), "log2_ceil": (x + 1,),
                        "log2_floor": (x + 1,), "exp2": (x,)}.get(op, (x, y))
            names = ["%a", "%b"][: len(operands)]
            lines = [constant(name, *sizes) for name, sizes in zip(names, operands)]
            lines.append(f"%s = tosa.{op}_shape {', '.join(names)} : ({', '.join([pair] * len(names))}) -> {pair}")
            cases.append(lines)
            expected.append([function(int(u), int(v)) for u, v in zip(x, y)])
        x = rng.integers(1, 6, 4)
        cases.append([constant("%a", x[0]), constant("%b", x[1]), f"%s = tosa.concat_shape %a, %b : ({one}, {one}) -> {pair}"])
        expected.append(list(x[:2]))
        number = lambda name, n: f'{name} = "tosa.const"() <{{values = dense<{n}> : tensor<1xi32>}}> : () -> tensor<1xi32>'
        cases.append([constant("%a", *x), number("%b", 1), number("%c", 2),
                      f"%s = tosa.slice_shape %a, %b, %c : (!tosa.shape<4>, tensor<1xi32>, tensor<1xi32>) -> {pair}"])
        expected.append(list(x[1:3]))
    text = []
    for i, lines in enumerate(cases):
        body = "\n  ".join([*lines, '%x = "tosa.const"() <{values = dense<7> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>',
                            f"%r = tosa.tile %x, %s : (tensor<1x1xi32>, {pair}) -> tensor<?x?xi32>", "return %r : tensor<?x?xi32>"])
        text.append(f"func.func @f{i}() -> tensor<?x?xi32> {{\n  {body}\n}}\n")
    (folder / "in.mlir").write_text("".join(text))
    printed = output(FOLD_OPT, folder / "in.mlir", "--constprop", "--scrub")
    found = re.findall(r"dense<7> : tensor<(\d+)x(\d+)xi32>", printed)
    assert "tosa.tile" not in printed and [[int(n) for n in sizes] for sizes in found] == expected, printed
