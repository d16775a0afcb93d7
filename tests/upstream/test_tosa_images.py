# SPDX-License-Identifier: Apache-2.0
"""Convolutions, matmul, pooling and resize of tosa on constants, against their lowering by MLIR, as test_tosa_execution.py."""

import numpy as np
import onnxfold_testing as t
from onnxfold_upstream import Differential
from test_linalg_execution import numbers, rounds
from test_tosa_execution import addCase, shapeConstant, small, zeroPoint


def convolution(cases, rng, op, image, weights, out, filters, attributes, steps, element, accumulator):
    zeros = rng.integers(-128, 128, 2) if element == "i8" else ["0.0", "0.0"]
    extra, before = zip(*(zeroPoint(f"%z{i}", value, element) for i, value in enumerate(zeros)))
    result = "i32" if element == "i8" else "f32"
    inputs = [(image, element), (weights, element), ([filters], result)]
    values = {2: small(rng, [filters], -999, 999, "i32") if element == "i8" else numbers(rng, "f32", [filters], True)}
    if element == "f32":
        values |= {0: numbers(rng, "f32", image, True), 1: numbers(rng, "f32", weights, True)}
    addCase(
        cases,
        rng,
        op,
        inputs,
        (out, result),
        f"{attributes}, acc_type = {accumulator}",
        values=values,
        ulps=steps if element == "f32" else 0,
        extra=extra,
        before=before,
    )


def test_convolutions(folder):
    rng = np.random.default_rng(t.options.seed + 8)
    cases = Differential()
    for _ in range(rounds(2, 60)):
        n, c, f, kh, kw, m = (int(size) for size in rng.integers(1, 4, 6))
        sh, sw, dh, dw = (int(size) for size in rng.integers(1, 3, 4))
        pads = [int(p) for p in rng.integers(0, 2, 4)]
        oh, ow = (int(size) for size in rng.integers(2, 5, 2))
        h, w = (oh - 1) * sh + (kh - 1) * dh + 1 - pads[0] - pads[1], (ow - 1) * sw + (kw - 1) * dw + 1 - pads[
            2
        ] - pads[3]
        if h < 1 or w < 1:
            continue
        array = lambda values: f"array<i64: {', '.join(map(str, values))}>"
        attributes = f"pad = {array(pads)}, stride = {array([sh, sw])}, dilation = {array([dh, dw])}"
        for element, accumulator in (("f32", "f32"), ("i8", "i32")):
            convolution(
                cases,
                rng,
                "conv2d",
                [n, h, w, c],
                [f, kh, kw, c],
                [n, oh, ow, f],
                f,
                attributes,
                kh * kw * c + 2,
                element,
                accumulator,
            )
            convolution(
                cases,
                rng,
                "depthwise_conv2d",
                [n, h, w, c],
                [kh, kw, c, m],
                [n, oh, ow, c * m],
                c * m,
                attributes,
                kh * kw + 2,
                element,
                accumulator,
            )
            deep = f"pad = {array([0, 0, *pads])}, stride = {array([1, sh, sw])}, dilation = {array([1, dh, dw])}"
            convolution(
                cases,
                rng,
                "conv3d",
                [n, 3, h, w, c],
                [f, 2, kh, kw, c],
                [n, 2, oh, ow, f],
                f,
                deep,
                2 * kh * kw * c + 2,
                element,
                accumulator,
            )
    cases.run(folder)


def test_matmul(folder):
    rng = np.random.default_rng(t.options.seed + 9)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        b, m, k, n = (int(size) for size in rng.integers(1, 7, 4))
        for element, zeros in (("f32", ["0.0", "0.0"]), ("i8", rng.integers(-128, 128, 2))):
            extra, before = zip(*(zeroPoint(f"%z{i}", value, element) for i, value in enumerate(zeros)))
            values = {i: numbers(rng, element, shape, True) for i, shape in enumerate(([b, m, k], [b, k, n]))}
            addCase(
                cases,
                rng,
                "matmul",
                [([b, m, k], element), ([b, k, n], element)],
                ([b, m, n], "f32" if element == "f32" else "i32"),
                ulps=k + 1 if element == "f32" else 0,
                values=values,
                extra=extra,
                before=before,
            )
    cases.run(folder)


def test_pooling(folder):
    rng = np.random.default_rng(t.options.seed + 10)
    cases = Differential()
    for _ in range(rounds(3, 100)):
        n, c, kh, kw, oh, ow = (int(size) for size in rng.integers(1, 4, 6))
        sh, sw = (int(size) for size in rng.integers(1, 3, 2))
        pads = [int(rng.integers(0, kernel)) for kernel in (kh, kh, kw, kw)]
        h, w = (oh - 1) * sh + kh - pads[0] - pads[1], (ow - 1) * sw + kw - pads[2] - pads[3]
        if h < 1 or w < 1:
            continue
        array = lambda values: f"array<i64: {', '.join(map(str, values))}>"
        attributes = f"kernel = {array([kh, kw])}, pad = {array(pads)}, stride = {array([sh, sw])}"
        for element in ("f32", "i8"):
            addCase(
                cases,
                rng,
                "max_pool2d",
                [([n, h, w, c], element)],
                ([n, oh, ow, c], element),
                attributes + ", nan_mode = PROPAGATE",
            )
        for element, zeros in (("f32", ["0.0", "0.0"]), ("i8", rng.integers(-128, 128, 2))):
            extra, before = zip(*(zeroPoint(f"%z{i}", value, element) for i, value in enumerate(zeros)))
            x = numbers(rng, element, [n, h, w, c], True)
            addCase(
                cases,
                rng,
                "avg_pool2d",
                [([n, h, w, c], element)],
                ([n, oh, ow, c], element),
                f"{attributes}, acc_type = {'i32' if element == 'i8' else 'f32'}",
                ulps=kh * kw + 2 if element == "f32" else 0,
                values={0: x},
                extra=extra,
                before=before,
            )
    cases.run(folder)


def test_resize(folder):
    rng = np.random.default_rng(t.options.seed + 11)
    cases = Differential()
    for _ in range(rounds(6, 300)):
        n, c, h, w = (int(size) for size in rng.integers(1, 6, 4))
        scale = [int(v) for v in rng.integers(1, 5, 4)]
        offset = [int(rng.integers(-scale[0], 2)), int(rng.integers(-scale[2], 2))] if rng.integers(2) else [0, 1]
        border = [0, 0]
        out = []
        for d, size in enumerate((h, w)):
            room = (size - 1) * scale[2 * d] - offset[d]
            border[d] = -room % scale[2 * d + 1] if room >= 0 else -room
            out.append((room + border[d]) // scale[2 * d + 1] + 1)
        before = tuple(shapeConstant(name, values) for name, values in (("%s", scale), ("%o", offset), ("%b", border)))
        extra = (("%s", "!tosa.shape<4>"), ("%o", "!tosa.shape<2>"), ("%b", "!tosa.shape<2>"))
        for element, mode, result in (
            ("f32", "NEAREST_NEIGHBOR", "f32"),
            ("i8", "NEAREST_NEIGHBOR", "i8"),
            ("f32", "BILINEAR", "f32"),
            ("i8", "BILINEAR", "i32"),
        ):
            # The lowering of integers takes remainders of negative positions, where the specification rounds down.
            if (element, mode) == ("i8", "BILINEAR") and min(offset) < 0:
                continue
            x = numbers(rng, element, [n, h, w, c], positive=True)
            addCase(
                cases,
                rng,
                "resize",
                [([n, h, w, c], element)],
                ([n, *out, c], result),
                f"mode = {mode}",
                extra=extra,
                before=before,
                ulps=8 if (element, mode) == ("f32", "BILINEAR") else 0,
                values={0: x},
            )
    cases.run(folder)
