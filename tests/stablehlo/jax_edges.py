# SPDX-License-Identifier: Apache-2.0
"""Values at the edges of each type: all pairs of them in each operation, conversions between all types, and complex numbers.

Numbers that StableHLO leaves open are kept, and subnormal numbers, which XLA takes as 0, are left out where it computes with them.
"""

import ml_dtypes
import numpy as np

from jax_operations import COMPLEX_FUNCTIONS, CX, DT, FL, IN, SI, UI, S, T

SMALL = {
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "i2": ml_dtypes.int2,
    "ui2": ml_dtypes.uint2,
}
DT.update(SMALL)
NARROW = ["i4", "ui4", "i2", "ui2"]
FLOATS8 = ["f8E4M3FN", "f8E5M2", *(t for t in SMALL if t.startswith("f"))]


ARITHMETIC8 = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]


def edgesOf(g, t, count=None):
    """Numbers where functions and roundings of this type change, in random order."""
    d = DT[t]
    if t == "i1":
        values = np.array([False, True])
    elif t in NARROW or t in IN:
        limits = ml_dtypes.iinfo(d) if t in NARROW else np.iinfo(d)
        least, most = int(limits.min), int(limits.max)
        near = {least, least + 1, least // 2, -3, -2, -1, 0, 1, 2, 3, 7, most // 2, most // 2 + 1, most - 1, most}
        values = np.array(sorted(v for v in near if least <= v <= most), dtype=np.int64 if t != "ui64" else np.uint64).astype(d)
    elif t in CX:
        parts = edgesOf(g, "f32" if t == CX[0] else "f64").astype(np.float64)
        parts = parts[(abs(parts) < 1e6) & (abs(parts) > 1e-6) | (parts == 0)]
        values = (g.r.choice(parts, 40) + 1j * g.r.choice(parts, 40)).astype(d)
    elif t in FLOATS8:
        values = np.arange(1 << 4 if t == "f4E2M1FN" else 1 << 8).astype(np.uint8).view(d)
    else:
        info = ml_dtypes.finfo(d)
        most, least, eps = float(info.max), float(info.tiny) * 1.01, float(info.eps)
        sizes = [0, least, least * 4, eps / 4, eps / 2, eps, 1e-3, 0.1, 0.25, 0.5 - eps, 0.5, 1 - eps, 1, 1 + eps, 1.5, 2, 2.5, 3, np.pi]
        sizes += [np.e, 3.5, 7, 10, 11.1, 20, 40, 88.5, 89.5, 127.5, 128, 255.4, 2**15 - 1, 2**15, 65000, most / 4, most, np.inf]
        values = np.array([*sizes, *(-v for v in sizes), np.nan])
        with np.errstate(all="ignore"):
            values = values.astype(d)
    values = g.r.permutation(values)
    return values if count is None else values[:count]


def pairs(g, t):
    a, b = np.meshgrid(edgesOf(g, t), edgesOf(g, t))
    return a.ravel(), b.ravel()


def binary(g):
    def add(op, types, tolerance=0, keep=None, attributes="", result=None):
        for t in types:
            a, b = pairs(g, t)
            if keep is not None:
                wanted = keep(a.astype(np.int64) if t != "ui64" else a.astype(object), b.astype(np.int64) if t != "ui64" else b.astype(object), t)
                a, b = a[wanted], b[wanted]
            shape, out = a.shape, T(a.shape, result or t)
            text = f'"{op}"(%0, %1){attributes} : ({T(shape, t)}, {T(shape, t)}) -> {out}'
            g.add(op + " edges", text, [a, b], [t, t], [out], tolerance)

    def divides(a, b, t):
        least = int(ml_dtypes.iinfo(DT[t]).min) if t in NARROW else int(np.iinfo(DT[t]).min)
        return np.array((b != 0) & ~((b == -1) & (a == least)), bool)

    integers = IN + NARROW
    for op in ("add", "subtract", "multiply", "maximum", "minimum"):
        add(S + op, FL + ARITHMETIC8 + integers + (["i1"] if op != "subtract" else []))
    add(S + "divide", FL, 1)
    add(S + "divide", ARITHMETIC8)
    add(S + "divide", integers, keep=divides)
    add(S + "remainder", integers, keep=divides)
    add(S + "remainder", ["f32", "f64"])
    add(S + "power", ["f32", "f64"], 64)
    add(S + "power", integers, keep=lambda a, b, t: np.array((b >= 0) & (b < 64), bool))
    add(S + "atan2", FL, 8)
    add("chlo.next_after", FL)
    add("chlo.mulhi", IN)
    for op in ("and", "or", "xor"):
        add(S + op, [*integers, "i1"])
    for op in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
        add(S + op, integers)
    for direction in ("EQ", "NE", "GE", "GT", "LE", "LT"):
        kinds = [(FL + FLOATS8, "FLOAT"), (FL, "TOTALORDER"), ([*SI, "i4", "i2"], "SIGNED"), ([*UI, "i1", "ui4", "ui2"], "UNSIGNED")]
        for types, kind in kinds + ([(CX, "FLOAT")] if direction in ("EQ", "NE") else []):
            attributes = (
                f" <{{comparison_direction = #stablehlo<comparison_direction {direction}>, "
                f"compare_type = #stablehlo<comparison_type {kind}>}}>"
            )
            for t in types:
                count = 12 if t in FLOATS8 else None
                a, b = (v.ravel() for v in np.meshgrid(edgesOf(g, t, count), edgesOf(g, t, count)))
                text = f'"stablehlo.compare"(%0, %1){attributes} : ({T(a.shape, t)}, {T(a.shape, t)}) -> {T(a.shape, "i1")}'
                g.add(f"compare {kind} edges", text, [a, b], [t, t], [T(a.shape, "i1")], 0)


def unary(g):
    def add(op, types, tolerance=0, keep=None, result=None):
        for t in types:
            x = edgesOf(g, t)
            if keep is not None:
                with np.errstate(all="ignore"):
                    x = x[keep(x.astype(np.float64))]
            out = T(x.shape, result or t)
            g.add(op + " edges", f'"{op}"(%0) : ({T(x.shape, t)}) -> {out}', [x], [t], [out], tolerance)

    integers = IN + NARROW
    add(S + "negate", FL + ARITHMETIC8 + integers)
    add(S + "abs", FL + ARITHMETIC8 + SI + ["i4", "i2"])
    add(S + "sign", FL + ARITHMETIC8 + SI + ["i4", "i2"])
    add(S + "not", [*integers, "i1"])
    add(S + "popcnt", IN)  # XLA counts the bits of bytes
    add(S + "count_leading_zeros", integers)
    for op in ("ceil", "floor", "round_nearest_afz", "round_nearest_even"):
        add(S + op, FL + ARITHMETIC8)
    add(S + "is_finite", FL + ARITHMETIC8, result="i1")
    for op in ("sqrt", "rsqrt", "cbrt"):
        add(S + op, FL, 8)
        add(S + op, ARITHMETIC8, 1)
    for op in ("exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh"):
        add(S + op, FL, 64)
        add(S + op, ARITHMETIC8, 1)
    for op in ("sine", "cosine", "tan"):
        add(S + op, FL, 64, lambda x: abs(x) < 1e6)
        add(S + op, ARITHMETIC8, 1)
    for op in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "erf", "erfc", "tan"):
        add("chlo." + op, ["f32", "f64"], 256, lambda x: (abs(x) < 1e6) & ((abs(x) > 1e-30) | (x == 0)))
    add("chlo.square", FL)
    add("chlo.bessel_i1e", ["f32", "f64"], 64)
    add("chlo.erf_inv", ["f32", "f64"], 256)
    add("chlo.lgamma", ["f32", "f64"], 256, lambda x: (abs(x - 1.5) > 0.6) & (x > -0.5))
    add("chlo.digamma", ["f32", "f64"], 256, lambda x: (x > 2) & (x < 1e30))
    for op in ("is_inf", "is_pos_inf", "is_neg_inf"):
        add("chlo." + op, FL, result="i1")


def conversions(g):
    types = [*FL, *IN, "i1", *NARROW, *FLOATS8, *CX]
    for a in types:
        for b in types:
            if a == b or a in FLOATS8 and b in NARROW or a in NARROW and b in FLOATS8:
                continue
            if a == "f4E2M1FN" and b in IN:  # XLA's results of 6 are the largest integers
                continue
            x = edgesOf(g, a)
            if b in IN + NARROW and a in FL + FLOATS8 + CX:
                # Others than numbers of the type are left open.
                limits = ml_dtypes.iinfo(DT[b]) if b in NARROW else np.iinfo(DT[b])
                with np.errstate(all="ignore"):
                    real = x.real.astype(np.float64) if a in CX else x.astype(np.float64)
                    x = x[(np.trunc(real) >= float(limits.min)) & (np.trunc(real) < float(limits.max) + 1)]
            if (a, b) == ("f8E8M0FNU", "i1"):  # XLA takes the smallest one, a subnormal f32, for 0
                x = x[x.astype(np.float64) != 2.0**-127]
            if b == "f4E2M1FN":  # without a NaN
                x = x[x == x]
            g.add(f"convert {a} {b}", f'"stablehlo.convert"(%0) : ({T(x.shape, a)}) -> {T(x.shape, b)}', [x], [a], [T(x.shape, b)], 0)


def complexes(g):
    for c, f in zip(CX, ("f32", "f64")):
        x, y = edgesOf(g, c), edgesOf(g, c)
        both = T(x.shape, c)
        for op, tolerance in (("add", 4), ("subtract", 4), ("multiply", 8), ("divide", 16)):
            g.add(op + " complex", f'"stablehlo.{op}"(%0, %1) : ({both}, {both}) -> {both}', [x, y], [c, c], [both], tolerance)
        # XLA's angles and powers lose as many bits as they are large, and its sines those that they are small.
        sizes = abs(np.stack([x.real, x.imag]))
        near = ((sizes < 60) & ((sizes > 0.1) | (sizes == 0))).all(0)
        z, w = x[near], y[near]
        few = T(z.shape, c)
        for op in COMPLEX_FUNCTIONS:
            g.add(op + " complex", f'"{op}"(%0) : ({few}) -> {few}', [z], [c], [few], 64)
        g.add("power complex", f'"stablehlo.power"(%0, %1) : ({few}, {few}) -> {few}', [z, w / (1 + abs(w))], [c, c], [few], 256)
        g.add("negate complex", f'"stablehlo.negate"(%0) : ({both}) -> {both}', [x], [c], [both], 0)
        g.add("conj", f'"chlo.conj"(%0) : ({both}) -> {both}', [x], [c], [both], 0)
        for op, tolerance in (("abs", 4), ("real", 0), ("imag", 0)):
            g.add(op + " complex", f'"stablehlo.{op}"(%0) : ({both}) -> {T(x.shape, f)}', [x], [c], [T(x.shape, f)], tolerance)


def edges(g):
    binary(g)
    unary(g)
    conversions(g)
    complexes(g)
