# SPDX-License-Identifier: Apache-2.0
"""Random factorisations, gradients of batch normalisation, and operations of CHLO in the generic form, for jax_cases.py."""

import numpy as np

from jax_operations import CX, DT, FL, IN, SI, UI, I, T

WIDE = ["f32", "f64"]


def definite(g, t, stack, n):
    """Hermitian matrices with eigenvalues near 1, so that results are exact but for the last bits."""
    a = g.r.normal(size=(*stack, n, n)) / 4
    if t in CX:
        a = a + 1j * g.r.normal(size=(*stack, n, n)) / 4
    a = a @ np.swapaxes(a, -1, -2).conj() + np.eye(n)
    lower = np.tril(a.astype(DT[t]), -1)
    diagonal = np.real(a).astype(DT[t]) * np.eye(n, dtype=DT[t])
    return lower + np.swapaxes(lower, -1, -2).conj() + diagonal


def matrices(g):
    for t in WIDE + CX:
        for lower in ("true", "false"):
            stack, n = g.shape(0, 2, 4), int(g.r.integers(1, 6))
            type_ = T((*stack, n, n), t)
            text = f'"stablehlo.cholesky"(%0) <{{lower = {lower}}}> : ({type_}) -> {type_}'
            g.add("cholesky", text, [definite(g, t, stack, n)], [t], [type_], 64)
        for side in ("true", "false"):
            for lower in ("true", "false"):
                for unit in ("true", "false"):
                    for how in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
                        stack, n, m = g.shape(0, 1, 4), int(g.r.integers(1, 6)), int(g.r.integers(1, 5))
                        a = definite(g, t, stack, n)
                        if unit == "true":
                            a = np.where(np.eye(n, dtype=bool), np.ones_like(a), a)
                        b = g.val(t, (*stack, n, m) if side == "true" else (*stack, m, n), "small")
                        text = (
                            f'"stablehlo.triangular_solve"(%0, %1) <{{left_side = {side}, lower = {lower}, transpose_a = '
                            f"#stablehlo<transpose {how}>, unit_diagonal = {unit}}}> : ({T(a.shape, t)}, {T(b.shape, t)}) -> "
                            f"{T(b.shape, t)}"
                        )
                        # Sums may cancel, so that an element has less bits than its terms.
                        g.add("triangular_solve", text, [a, b], [t, t], [T(b.shape, t)], 4096)
    for t in WIDE:
        for _ in range(4):
            shape = g.shape(1, 4)
            d = int(g.r.integers(0, len(shape)))
            one, all_ = T((shape[d],), t), T(shape, t)
            values = [g.val(t, shape, "small"), *(g.val(t, (shape[d],), "pos") for _ in range(3)), g.val(t, shape, "small")]
            text = (
                f'"stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{{epsilon = 0.01 : f32, feature_index = {d} : i64}}> : '
                f"({all_}, {one}, {one}, {one}, {all_}) -> ({all_}, {one}, {one})"
            )
            g.add("batch_norm_grad", text, values, [t] * 5, [all_, one, one], 1 << 16)


def unary(g):
    for name, types, kind, tolerance in (
        ("acos", WIDE, "unit", 64),
        ("acosh", WIDE, "pos", 64),
        ("asin", WIDE, "unit", 64),
        ("asinh", WIDE, "any", 64),
        ("atan", WIDE, "any", 64),
        ("atanh", WIDE, "unit", 64),
        ("cosh", FL, "any", 64),
        ("sinh", FL, "any", 64),
        ("tan", FL, "any", 64),
        ("erf", FL, "any", 64),
        ("erfc", FL, "small", 256),
        ("erf_inv", WIDE, "unit", 256),
        ("square", FL, "any", 0),
        ("conj", FL + CX, "any", 0),
    ):
        for t in types:
            shape = g.shape()
            text = f'"chlo.{name}"(%0) : ({T(shape, t)}) -> {T(shape, t)}'
            g.add("chlo." + name, text, [g.val(t, shape, kind)], [t], [T(shape, t)], tolerance)
    for name in ("is_inf", "is_neg_inf", "is_pos_inf"):
        for t in FL:
            shape = g.shape()
            text = f'"chlo.{name}"(%0) : ({T(shape, t)}) -> {T(shape, "i1")}'
            g.add("chlo." + name, text, [g.val(t, shape)], [t], [T(shape, "i1")], 0)


def special(g):
    """XLA's functions are off by 10^-6 of an f32 where a result is near 0, so that these are elsewhere."""
    for name, least, tolerance in (("lgamma", 3, 64), ("digamma", 2, 64), ("bessel_i1e", 0.1, 64)):
        for t in FL:
            shape = g.shape()
            text = f'"chlo.{name}"(%0) : ({T(shape, t)}) -> {T(shape, t)}'
            g.add("chlo." + name, text, [(abs(g.r.normal(size=shape)) * 9 + least).astype(DT[t])], [t], [T(shape, t)], tolerance)
    for name, types, kinds, tolerance in (
        ("next_after", FL, ("any", "any"), 0),
        ("zeta", WIDE, ("over1", "pos"), 64),
        ("polygamma", WIDE, ("order", "pos"), 256),
        ("mulhi", IN, ("any", "any"), 0),
    ):
        for t in types:
            for prefix in ("", "broadcast_") if name != "mulhi" else ("",):
                shape = g.shape()
                values = []
                for kind in kinds:
                    if kind == "over1":
                        values.append((abs(g.r.normal(size=shape)) * 3 + 1.1).astype(DT[t]))
                    elif kind == "order":
                        values.append(g.r.integers(0, 5, shape).astype(DT[t]))
                    else:
                        values.append(g.val(t, shape, kind))
                text = f'"chlo.{prefix}{name}"(%0, %1) : ({T(shape, t)}, {T(shape, t)}) -> {T(shape, t)}'
                g.add(f"chlo.{prefix}{name}", text, values, [t, t], [T(shape, t)], tolerance)


def broadcasts(g):
    def shapes():
        """Two that broadcast, and the numbers of the shorter one's dimensions in the result."""
        long = g.shape(1, 4, 4)
        first = int(g.r.integers(0, len(long) + 1))
        short = tuple(d if g.r.random() < 0.7 else 1 for d in long[first:])
        return long, short, list(range(first, len(long)))

    for name, types, kind, tolerance in (
        ("add", FL + IN, "any", 0),
        ("subtract", FL + IN, "any", 0),
        ("multiply", FL + IN, "any", 0),
        ("divide", FL, "pos", 1),
        ("maximum", FL + IN, "any", 0),
        ("minimum", FL + IN, "any", 0),
        ("power", WIDE, "pos", 16),
        ("remainder", IN, "nz", 0),
        ("atan2", FL, "small", 8),
        ("and", IN + ["i1"], "any", 0),
        ("or", IN + ["i1"], "any", 0),
        ("xor", IN + ["i1"], "any", 0),
        ("shift_left", IN, "small", 0),
        ("shift_right_arithmetic", IN, "small", 0),
        ("shift_right_logical", IN, "small", 0),
    ):
        for t in types:
            long, short, dims = shapes()
            attribute = f" <{{broadcast_dimensions = {I(dims)}}}>" if g.r.random() < 0.5 else ""
            pair = (long, short) if g.r.random() < 0.5 else (short, long)
            text = f'"chlo.broadcast_{name}"(%0, %1){attribute} : ({T(pair[0], t)}, {T(pair[1], t)}) -> {T(long, t)}'
            g.add("chlo.broadcast_" + name, text, [g.val(t, s, kind) for s in pair], [t, t], [T(long, t)], tolerance)
    for types, how in ((FL, "FLOAT"), (SI, "SIGNED"), (UI, "UNSIGNED")):
        for t in types:
            long, short, dims = shapes()
            text = (
                f'"chlo.broadcast_compare"(%0, %1) <{{broadcast_dimensions = {I(dims)}, comparison_direction = '
                f"#chlo<comparison_direction LE>, compare_type = #chlo<comparison_type {how}>}}> : ({T(long, t)}, {T(short, t)}) -> "
                f"{T(long, 'i1')}"
            )
            g.add("chlo.broadcast_compare", text, [g.val(t, long), g.val(t, short)], [t, t], [T(long, "i1")], 0)


def extras(g):
    matrices(g)
    unary(g)
    broadcasts(g)
    special(g)
