# SPDX-License-Identifier: Apache-2.0
"""Operators of tosa on constants, against their lowering by MLIR (tosa-to-linalg, tosa-to-arith), run by mlir-runner.

Without sums of floats and transcendental functions the results are the same bits.
"""

import numpy as np
import onnxfold_testing as t
from onnxfold_upstream import Differential, dense
from test_linalg_execution import DTYPES, numbers, rounds, typeOf


def shapeConstant(name, values):
    values = [int(v) for v in values]
    return f"{name} = tosa.const_shape {{{{values = dense<{values}> : tensor<{len(values)}xindex>}}}} : () -> !tosa.shape<{len(values)}>"


def call(op, inputs, outputs, attributes="", extra=""):
    """op {attributes} of {0}, {1} ...; inputs: (shape, element) of each. extra: names and types of operands behind them."""
    names = ", ".join([f"{{{i}}}" for i in range(len(inputs))] + [name for name, _ in extra or ()])
    kinds = ", ".join([typeOf(*each) for each in inputs] + [kind for _, kind in extra or ()])
    results = ", ".join(typeOf(*each) for each in outputs)
    return f"tosa.{op} {names} {{{{{attributes}}}}} : ({kinds}) -> {results}"


def zeroPoint(name, value, element):
    """A zero point that the lowering knows; it takes no others. As `extra` and as a line for `before`."""
    return (name, f"tensor<1x{element}>"), f"{name} = arith.constant dense<{value}> : tensor<1x{element}>"


def addCase(cases, rng, op, inputs, output, attributes="", ulps=0, values=None, extra=(), before=()):
    operands = [
        (values[i] if values and values.get(i) is not None else numbers(rng, element, shape), element)
        for i, (shape, element) in enumerate(inputs)
    ]
    cases.add(call(op, inputs, [output], attributes, extra), operands, [typeOf(*output)], ulps=ulps, before=before)


def small(rng, shape, low, high, element):
    return rng.integers(low, high, shape, endpoint=True).astype(DTYPES[element])


def randomShape(rng, least=1):
    return [int(size) for size in rng.integers(1, 6, rng.integers(least, 4))]


def broadcastable(rng, shape):
    return [1 if rng.random() < 0.3 else size for size in shape]


def outOf(a, b):
    return [max(x, y) for x, y in zip(a, b, strict=True)]


def test_binary(folder):
    rng = np.random.default_rng(t.options.seed)
    cases = Differential()
    for _ in range(rounds(2, 100)):
        shape = randomShape(rng)
        a, b = broadcastable(rng, shape), broadcastable(rng, shape)
        out = outOf(a, b)
        for op in ("add", "sub", "maximum", "minimum"):
            attributes = "nan_mode = PROPAGATE" if op[0] == "m" else ""
            addCase(cases, rng, op, [(a, "f32"), (b, "f32")], (out, "f32"), attributes)
            values = {0: small(rng, a, -1000, 1000, "i32"), 1: small(rng, b, -1000, 1000, "i32")}
            addCase(cases, rng, op, [(a, "i32"), (b, "i32")], (out, "i32"), attributes, values=values)
        for op in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            for element in ("i8", "i16", "i32"):
                addCase(cases, rng, op, [(a, element), (b, element)], (out, element))
        for op in ("logical_and", "logical_or", "logical_xor"):
            addCase(cases, rng, op, [(a, "i1"), (b, "i1")], (out, "i1"))
        for op in ("equal", "greater", "greater_equal"):
            for element in ("f32", "i32"):
                values = {0: small(rng, a, -2, 2, element), 1: small(rng, b, -2, 2, element)}
                addCase(cases, rng, op, [(a, element), (b, element)], (out, "i1"), values=values)
        for op, element in (
            ("logical_left_shift", "i32"),
            ("logical_right_shift", "i32"),
            ("arithmetic_right_shift", "i32"),
            ("logical_left_shift", "i16"),
            ("logical_right_shift", "i16"),
            ("arithmetic_right_shift", "i8"),
        ):
            bits = int(element[1:])
            attributes = f"round = {str(bool(rng.integers(2))).lower()}" if op[0] == "a" else ""
            addCase(
                cases,
                rng,
                op,
                [(a, element), (b, element)],
                (out, element),
                attributes,
                values={1: small(rng, b, 0, bits - 1, element)},
            )
        divisors = small(rng, b, 1, 50, "i32") * rng.choice([-1, 1], b).astype(np.int32)
        addCase(cases, rng, "intdiv", [(a, "i32"), (b, "i32")], (out, "i32"), values={1: divisors})
        addCase(
            cases,
            rng,
            "pow",
            [(a, "f32"), (b, "f32")],
            (out, "f32"),
            ulps=4,
            values={0: numbers(rng, "f32", a, True), 1: numbers(rng, "f32", b, True)},
        )
        addCase(cases, rng, "select", [(a, "i1"), (b, "f32"), (out, "f32")], (out, "f32"))
    cases.run(folder)


def test_mul(folder):
    """With and without a shift, which rounds half up."""
    rng = np.random.default_rng(t.options.seed + 1)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        shape = randomShape(rng)
        by = int(rng.integers(1, 63))
        most = min(1 << 30, 1 << (30 + by) // 2)
        for element, out, shift in (("f32", "f32", 0), ("i8", "i32", 0), ("i16", "i32", 0), ("i32", "i32", by)):
            extra, before = zeroPoint("%n", shift, "i8")
            values = {i: small(rng, shape, -most, most, "i32") for i in range(2)} if element == "i32" else None
            addCase(
                cases, rng, "mul", [(shape, element)] * 2, (shape, out), values=values, extra=(extra,), before=(before,)
            )
    cases.run(folder)


def test_unary(folder):
    rng = np.random.default_rng(t.options.seed + 2)
    cases = Differential()
    for _ in range(rounds(2, 100)):
        shape = randomShape(rng)
        unary = lambda op, element="f32", ulps=0, values=None: addCase(
            cases, rng, op, [(shape, element)], (shape, element), ulps=ulps, values=values
        )
        for op in ("ceil", "floor", "reciprocal", "abs"):
            unary(op)
        for op in ("exp", "tanh", "erf", "sin", "cos"):
            unary(op, ulps=4)
        unary("sigmoid", ulps=8, values={0: rng.uniform(-8, 8, shape).astype(np.float32)})
        for op in ("log", "rsqrt"):
            unary(op, ulps=4, values={0: numbers(rng, "f32", shape, True)})
        unary("identity")
        unary("abs", "i32", values={0: small(rng, shape, -99, 99, "i32")})
        for element in ("i8", "i16", "i32"):
            unary("bitwise_not", element)
        unary("logical_not", "i1")
        unary("clz", "i32")
        low, high = sorted(int(v) for v in rng.integers(-100, 100, 2))
        addCase(cases, rng, "clamp", [(shape, "i8")], (shape, "i8"), f"min_val = {low} : i8, max_val = {high} : i8")
        addCase(
            cases,
            rng,
            "clamp",
            [(shape, "f32")],
            (shape, "f32"),
            f"min_val = {low}.5 : f32, max_val = {high + 1}.25 : f32",
        )
        for element in ("i8", "i16", "f32"):
            values = rng.integers(-128, 128, 2) if element == "i8" else ["0.0", "0.0"] if element == "f32" else [0, 0]
            extra, before = zip(*(zeroPoint(f"%z{i}", value, element) for i, value in enumerate(values)))
            addCase(cases, rng, "negate", [(shape, element)], (shape, element), extra=extra, before=before)
    cases.run(folder)


def test_cast(folder):
    rng = np.random.default_rng(t.options.seed + 3)
    cases = Differential()
    special = np.array(
        [
            0.5,
            1.5,
            -0.5,
            -2.5,
            126.5,
            127.5,
            128,
            -128.5,
            -129,
            3e9,
            -3e9,
            1e20,
            -1e20,
            np.inf,
            -np.inf,
            32767.5,
            2147483520.0,
        ],
        np.float32,
    )
    for element in ("i8", "i16", "i32"):
        addCase(cases, rng, "cast", [([len(special)], "f32")], ([len(special)], element), values={0: special})
    for _ in range(rounds(1, 50)):
        shape = randomShape(rng)
        for source in ("i1", "i8", "i16", "i32", "f32", "f16"):
            for target in ("i1", "i8", "i16", "i32", "f32", "f16"):
                if source != target:
                    addCase(cases, rng, "cast", [(shape, source)], (shape, target))
    cases.run(folder)


def test_reductions(folder):
    rng = np.random.default_rng(t.options.seed + 4)
    cases = Differential()
    for _ in range(rounds(3, 150)):
        shape = randomShape(rng)
        axis = int(rng.integers(len(shape)))
        out = [1 if d == axis else size for d, size in enumerate(shape)]
        attributes = f"axis = {axis} : i32"
        for op in ("reduce_max", "reduce_min"):
            for element in ("f32", "i32", "i8"):
                addCase(cases, rng, op, [(shape, element)], (out, element), attributes + ", nan_mode = PROPAGATE")
        for op in ("reduce_all", "reduce_any"):
            addCase(cases, rng, op, [(shape, "i1")], (out, "i1"), attributes)
        for op in ("reduce_sum", "reduce_product"):
            addCase(
                cases,
                rng,
                op,
                [(shape, "f32")],
                (out, "f32"),
                attributes,
                ulps=shape[axis],
                values={0: numbers(rng, "f32", shape, True)},
            )
        addCase(
            cases,
            rng,
            "reduce_sum",
            [(shape, "i32")],
            (out, "i32"),
            attributes,
            values={0: small(rng, shape, -999, 999, "i32")},
        )
        less = [size for d, size in enumerate(shape) if d != axis]
        for element in ("f32", "i8"):
            addCase(
                cases,
                rng,
                "argmax",
                [(shape, element)],
                (less, "i32"),
                attributes + ", nan_mode = PROPAGATE",
                values={0: small(rng, shape, -2, 2, element)},
            )
    cases.run(folder)


def test_data_movement(folder):
    rng = np.random.default_rng(t.options.seed + 5)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        shape = randomShape(rng)
        rank = len(shape)
        shapeOperand = lambda n: (("%s", f"!tosa.shape<{n}>"),)
        axis = int(rng.integers(rank))
        for element in ("f32", "i8", "i32"):
            double = [size * 2 if d == axis else size for d, size in enumerate(shape)]
            addCase(
                cases, rng, "concat", [(shape, element), (shape, element)], (double, element), f"axis = {axis} : i32"
            )
            addCase(cases, rng, "reverse", [(shape, element)], (shape, element), f"axis = {axis} : i32")
            perm = [int(d) for d in rng.permutation(rank)]
            addCase(
                cases,
                rng,
                "transpose",
                [(shape, element)],
                ([shape[d] for d in perm], element),
                f"perms = array<i32: {', '.join(map(str, perm))}>",
            )
            flat = [int(np.prod(shape))]
            addCase(
                cases,
                rng,
                "reshape",
                [(shape, element)],
                (flat, element),
                extra=shapeOperand(1),
                before=(shapeConstant("%s", flat),),
            )
            repeats = [int(n) for n in rng.integers(1, 4, rank)]
            addCase(
                cases,
                rng,
                "tile",
                [(shape, element)],
                ([s * r for s, r in zip(shape, repeats)], element),
                extra=shapeOperand(rank),
                before=(shapeConstant("%s", repeats),),
            )
            starts = [int(rng.integers(size)) for size in shape]
            sizes = [int(rng.integers(1, size - start + 1)) for start, size in zip(starts, shape)]
            addCase(
                cases,
                rng,
                "slice",
                [(shape, element)],
                (sizes, element),
                extra=(("%s", f"!tosa.shape<{rank}>"), ("%z", f"!tosa.shape<{rank}>")),
                before=(shapeConstant("%s", starts), shapeConstant("%z", sizes)),
            )
            counts = [int(n) for n in rng.integers(0, 3, 2 * rank)]
            out = [size + counts[2 * d] + counts[2 * d + 1] for d, size in enumerate(shape)]
            text = f"tosa.pad {{0}}, %s, {{1}} : ({typeOf(shape, element)}, !tosa.shape<{2 * rank}>, tensor<1x{element}>) -> {typeOf(out, element)}"
            cases.add(
                text,
                [(numbers(rng, element, shape), element), (numbers(rng, element, [1]), element)],
                [typeOf(out, element)],
                before=(shapeConstant("%s", counts),),
            )
    cases.run(folder)


def test_gather_scatter_table(folder):
    rng = np.random.default_rng(t.options.seed + 6)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        n, k, c = (int(size) for size in rng.integers(1, 6, 3))
        w = int(rng.integers(1, k + 1))
        for element in ("f32", "i8", "i32"):
            addCase(
                cases,
                rng,
                "gather",
                [([n, k, c], element), ([n, w], "i32")],
                ([n, w, c], element),
                values={1: small(rng, [n, w], 0, k - 1, "i32")},
            )
            indices = np.stack([rng.permutation(k)[:w] for _ in range(n)]).astype(np.int32)
            addCase(
                cases,
                rng,
                "scatter",
                [([n, k, c], element), ([n, w], "i32"), ([n, w, c], element)],
                ([n, k, c], element),
                values={1: indices},
            )
        shape = randomShape(rng)
        addCase(cases, rng, "table", [(shape, "i8"), ([256], "i8")], (shape, "i8"))
        table = np.cumsum(rng.integers(-60, 60, 513)).astype(np.int16)
        addCase(cases, rng, "table", [(shape, "i16"), ([513], "i16")], (shape, "i32"), values={1: table})
    cases.run(folder)


def test_rescale(folder):
    rng = np.random.default_rng(t.options.seed + 7)
    cases = Differential()
    for _ in range(rounds(10, 500)):
        shape = randomShape(rng)
        source, target = (str(rng.choice(["i8", "i16", "i32"])) for _ in range(2))
        perChannel, double = bool(rng.integers(2)), bool(rng.integers(2))
        wide = double or bool(rng.integers(2))
        count = shape[-1] if perChannel else 1
        multiplier = "i32" if wide else "i16"
        # The result fits 32 bits.
        bits = int(source[1:])
        shifts = rng.integers(
            max(2, bits - 1 + (31 if wide else 15) - 30), 63 if wide else 48, count, endpoint=False
        ).astype(np.int8)
        zeros = [int(rng.integers(-128, 128)) if e == "i8" else 0 for e in (source, target)]
        extra, before = zip(
            *(zeroPoint(f"%z{i}", zero, e) for i, (zero, e) in enumerate(zip(zeros, (source, target), strict=True)))
        )
        x = numbers(rng, source, shape)
        if source == "i32":
            x = x // 2
        attributes = (
            f"scale32 = {str(wide).lower()}, rounding_mode = {'DOUBLE_ROUND' if double else 'SINGLE_ROUND'}, per_channel = {str(perChannel).lower()}, "
            "input_unsigned = false, output_unsigned = false"
        )
        scales = small(rng, [count], 1, (1 << (31 if wide else 15)) - 1, multiplier)
        lines = (
            f"%m = arith.constant {dense(scales, multiplier)}",
            f"%n = arith.constant {dense(shifts, 'i8')}",
            *before,
        )
        extra = (("%m", f"tensor<{count}x{multiplier}>"), ("%n", f"tensor<{count}xi8>"), *extra)
        addCase(
            cases,
            rng,
            "rescale",
            [(shape, source)],
            (shape, target),
            attributes,
            values={0: x},
            extra=extra,
            before=lines,
        )
    cases.run(folder)


def test_apply_scale(folder):
    """What rescale is made of, where MLIR lowers it: on its own, as bodies of linalg have it."""
    rng = np.random.default_rng(t.options.seed + 14)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        shape = randomShape(rng)
        kind = typeOf(shape, "i32")
        for mode in ("SINGLE_ROUND", "DOUBLE_ROUND"):
            shifts = small(rng, shape, 31, 62, "i8")
            scales = small(rng, shape, 1, (1 << 31) - 1, "i32")
            x = numbers(rng, "i32", shape) // 2
            text = f"tosa.apply_scale {{0}}, {{1}}, {{2}} {{{{rounding_mode = {mode}}}}} : ({kind}, {kind}, {typeOf(shape, 'i8')}) -> {kind}"
            cases.add(text, [(x, "i32"), (scales, "i32"), (shifts, "i8")], [kind])
    cases.run(folder)


def withNans(rng, shape):
    """Among numbers NaNs and zeros: of one sign, as arith-expand, which the lowering uses, does not order them."""
    x = numbers(rng, "f32", shape)
    for value in (np.nan, 0.0):
        x[rng.random(shape) < 0.25] = value
    return x


def test_nan_modes(folder):
    rng = np.random.default_rng(t.options.seed + 12)
    cases = Differential()
    for _ in range(rounds(4, 200)):
        shape = randomShape(rng)
        axis = int(rng.integers(len(shape)))
        reduced = [1 if d == axis else size for d, size in enumerate(shape)]
        for mode in ("PROPAGATE", "IGNORE"):
            mode = f"nan_mode = {mode}"
            add = lambda op, inputs, out, attributes="": addCase(
                cases,
                rng,
                op,
                [(each, "f32") for each in inputs],
                (out, "f32"),
                f"{mode}{attributes}",
                values={i: withNans(rng, each) for i, each in enumerate(inputs)},
            )
            add("maximum", [shape, shape], shape)
            add("minimum", [shape, shape], shape)
            add("clamp", [shape], shape, ", min_val = -1.5 : f32, max_val = 0.5 : f32")
            add("reduce_max", [shape], reduced, f", axis = {axis} : i32")
            add("reduce_min", [shape], reduced, f", axis = {axis} : i32")
            image, out = [1, 4, 4, 2], [1, 3, 3, 2]
            window = ", kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>"
            x = withNans(rng, image)
            x[:, ::2, ::2] = np.nan_to_num(x[:, ::2, ::2])  # one in each window: windows of NaNs alone are kept
            addCase(cases, rng, "max_pool2d", [(image, "f32")], (out, "f32"), mode + window, values={0: x})
    cases.run(folder)


def test_f16(folder):
    """Computed in f32 and rounded once an operator: MLIR's execution of f16 does the same."""
    rng = np.random.default_rng(t.options.seed + 13)
    cases = Differential()
    for _ in range(rounds(3, 150)):
        shape = randomShape(rng)
        for op in ("add", "sub", "maximum", "minimum"):
            addCase(
                cases,
                rng,
                op,
                [(shape, "f16"), (shape, "f16")],
                (shape, "f16"),
                "nan_mode = PROPAGATE" if op[0] == "m" else "",
            )
        for op in ("abs", "ceil", "floor", "reciprocal"):
            addCase(cases, rng, op, [(shape, "f16")], (shape, "f16"))
        extra, before = zeroPoint("%n", 0, "i8")
        addCase(cases, rng, "mul", [(shape, "f16")] * 2, (shape, "f16"), extra=(extra,), before=(before,))
    cases.run(folder)
