# SPDX-License-Identifier: Apache-2.0
"""Random operations of StableHLO in the generic form, for jax_cases.py: name, text, operands, types, permitted error."""

import ml_dtypes
import numpy as np

DT = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "i1": np.bool_,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}
FL = ["f16", "bf16", "f32", "f64"]
SI = ["i8", "i16", "i32", "i64"]
UI = ["ui8", "ui16", "ui32", "ui64"]
IN = SI + UI
CX = ["complex<f32>", "complex<f64>"]
COMPLEX_FUNCTIONS = [
    *(f"stablehlo.{f}" for f in "exponential exponential_minus_one log log_plus_one logistic sine cosine tan tanh sqrt rsqrt sign".split()),
    *(f"chlo.{f}" for f in "acos acosh asin asinh atan atanh cosh sinh square".split()),
]


def T(shape, t):
    return "tensor<" + "".join(f"{d}x" for d in shape) + t + ">"


class G:
    def __init__(s, seed):
        s.r = np.random.default_rng(seed)
        s.cases = []

    def val(s, t, shape, kind="any"):
        n = int(np.prod(shape))
        d = DT[t]
        r = s.r
        if t == "i1":
            a = r.integers(0, 2, n).astype(bool)
        elif t in ("i4", "ui4") and kind == "nz":
            a = r.integers(1, 7, n).astype(d)
        elif t in ("i4", "ui4"):
            a = r.integers(-8 if t == "i4" else 0, 8 if t == "i4" else 16, n).astype(d)
        elif t in IN:
            ii = np.iinfo(d)
            a = r.integers(ii.min, ii.max, n, dtype=np.int64 if t != "ui64" else np.uint64, endpoint=True).astype(d)
            if kind == "nz":
                a = r.integers(1, 7, n).astype(d) * (1 if t in UI or r.random() < 0.5 else -3)
            elif kind == "small":
                a = r.integers(0 if t in UI else -5, 6, n).astype(d)
            else:
                edge = np.array([ii.min, ii.max, 0, 1, ii.min + 1], dtype=d)
                m = r.random(n) < 0.3
                a[m] = edge[r.integers(0, len(edge), m.sum())]
        elif t in CX:
            a = (r.normal(size=n) + 1j * r.normal(size=n)).astype(d)
        else:
            a = r.normal(size=n) * (3 if kind != "small" else 1)
            if kind == "pos":
                a = abs(a) + 0.01
            if kind == "unit":
                a = np.tanh(a) * 0.99
            a = a.astype(d)
            if kind == "any" and not t.startswith("f8"):
                edge = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -2.5], dtype=d)
                m = r.random(n) < 0.3
                a[m] = edge[r.integers(0, len(edge), m.sum())]
        return a.reshape(shape)

    def shape(s, lo=0, hi=3, top=5):
        return tuple(int(x) for x in s.r.integers(1, top, s.r.integers(lo, hi + 1)))

    def add(s, name, text, args, types, results, tol=1):
        s.cases.append((name, text, args, types, results, tol))


def elementwise(g, rep=1):
    for _ in range(rep):

        def un(op, types, kind="any", tol=0, out=None, attrs=""):
            for t in types:
                sh = g.shape()
                o = out or t
                g.add(op, f'"{op}"(%0){attrs} : ({T(sh, t)}) -> {T(sh, o)}', [g.val(t, sh, kind)], [t], [T(sh, o)], tol)

        def bi(op, types, kind="any", tol=0, out=None, attrs="", kind2=None):
            for t in types:
                sh = g.shape()
                o = out or t
                g.add(
                    op + (" " + attrs if "comparison" in attrs else ""),
                    f'"{op}"(%0, %1){attrs} : ({T(sh, t)}, {T(sh, t)}) -> {T(sh, o)}',
                    [g.val(t, sh, kind), g.val(t, sh, kind2 or kind)],
                    [t, t],
                    [T(sh, o)],
                    tol,
                )

        bi(S + "add", FL + IN + ["i1", "i4", "ui4"])
        bi(S + "add", CX, tol=4)
        bi(S + "subtract", FL + IN + ["i4", "ui4"])
        bi(S + "subtract", CX, tol=4)
        bi(S + "multiply", FL + IN + ["i1", "i4", "ui4"])
        bi(S + "multiply", CX, tol=8)
        bi(S + "divide", FL, tol=1)
        bi(S + "divide", IN + ["i4", "ui4"], kind2="nz")
        bi(S + "divide", CX, tol=16)
        bi(S + "remainder", IN + ["i4", "ui4"], kind2="nz")
        bi(S + "remainder", FL, kind="small", tol=2)
        bi(S + "maximum", FL + IN + ["i1", "i4"])
        bi(S + "minimum", FL + IN + ["i1", "ui4"])
        bi(S + "power", FL, kind="pos", kind2="small", tol=16)
        bi(S + "power", IN, kind="small")
        bi(S + "power", FL, tol=16)
        bi(S + "atan2", FL, tol=8)
        for o in ("and", "or", "xor"):
            bi(S + o, IN + ["i1", "i4", "ui4"])
        for o in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
            bi(S + o, IN)
            bi(S + o, IN + ["i4", "ui4"], kind2="small")
        un(S + "not", IN + ["i1", "i4", "ui4"])
        un(S + "popcnt", IN)
        un(S + "count_leading_zeros", IN + ["i4", "ui4"])
        un(S + "negate", FL + IN + ["i4"])
        un(S + "negate", CX)
        un(S + "abs", FL + SI + ["i4"])
        for c, f in zip(CX, ("f32", "f64")):
            un(S + "abs", [c], out=f, tol=4)
            un(S + "real", [c], out=f)
            un(S + "imag", [c], out=f)
        un(S + "sign", FL + SI)
        for o in ("ceil", "floor", "round_nearest_afz", "round_nearest_even"):
            un(S + o, FL)
        un(S + "sqrt", FL, tol=1)
        un(S + "rsqrt", FL, tol=4)
        un(S + "cbrt", FL, tol=8)
        for o in ("exponential", "exponential_minus_one", "log_plus_one", "logistic", "tanh", "sine", "cosine", "tan", "log"):
            un(S + o, FL, tol=64)
            un(S + o, FL, kind="pos", tol=64)
        for o in COMPLEX_FUNCTIONS:
            un(o, CX, tol=4096)  # XLA's sines of small numbers; ComplexFunctionsTest.cpp has exact ones
        bi(S + "power", CX, tol=256)
        un(S + "is_finite", FL, out="i1")
        for d in ("EQ", "NE", "GE", "GT", "LE", "LT"):
            for ts, k in ((FL, "FLOAT"), (FL, "TOTALORDER"), (SI + ["i4"], "SIGNED"), (UI + ["i1", "ui4"], "UNSIGNED")):
                bi(
                    S + "compare",
                    ts,
                    out="i1",
                    attrs=f" <{{comparison_direction = #stablehlo<comparison_direction {d}>, compare_type = "
                    f"#stablehlo<comparison_type {k}>}}>",
                )
        for d in ("EQ", "NE"):
            bi(
                S + "compare",
                CX,
                out="i1",
                attrs=f" <{{comparison_direction = #stablehlo<comparison_direction {d}>, compare_type = "
                f"#stablehlo<comparison_type FLOAT>}}>",
            )
        for f in ("f32", "f64"):
            sh = g.shape()
            c = f"complex<{f}>"
            g.add(
                "complex",
                f'"stablehlo.complex"(%0, %1) : ({T(sh, f)}, {T(sh, f)}) -> {T(sh, c)}',
                [g.val(f, sh), g.val(f, sh)],
                [f, f],
                [T(sh, c)],
                0,
            )
        for t in FL + IN + ["i1"] + CX:
            sh = g.shape()
            ps = sh if g.r.random() < 0.5 else ()
            g.add(
                "select",
                f'"stablehlo.select"(%0, %1, %2) : ({T(ps, "i1")}, {T(sh, t)}, {T(sh, t)}) -> {T(sh, t)}',
                [g.val("i1", ps), g.val(t, sh), g.val(t, sh)],
                ["i1", t, t],
                [T(sh, t)],
                0,
            )
        for t in FL + IN:
            sh = g.shape()
            ps = sh if g.r.random() < 0.5 else ()
            g.add(
                "clamp",
                f'"stablehlo.clamp"(%0, %1, %2) : ({T(ps, t)}, {T(sh, t)}, {T(ps, t)}) -> {T(sh, t)}',
                [g.val(t, ps, "small"), g.val(t, sh), g.val(t, ps, "small")],
                [t] * 3,
                [T(sh, t)],
                0,
            )
        for a in FL + IN + ["i1", "i4", "ui4", "f8E4M3FN", "f8E5M2"] + CX:
            for b in FL + IN + ["i1", "i4", "ui4", "f8E4M3FN", "f8E5M2"] + CX:
                sh = g.shape()
                if a == b:
                    continue
                x = g.val(a, sh, "small" if g.r.random() < 0.6 else "any")
                if a in CX and b in [*UI, "ui4"]:  # XLA's process ends by some negative numbers
                    x = abs(x).astype(x.dtype)
                g.add(
                    "convert",
                    f'"stablehlo.convert"(%0) : ({T(sh, a)}) -> {T(sh, b)}',
                    [x],
                    [a],
                    [T(sh, b)],
                    0,
                )
        for a, b, da, db in (
            ("f32", "i32", 0, 0),
            ("i64", "f64", 0, 0),
            ("bf16", "ui16", 0, 0),
            ("f32", "i8", 0, 4),
            ("i8", "f32", 4, 0),
            ("i64", "i16", 0, 4),
            ("ui16", "i32", 2, 0),
            ("i8", "ui8", 0, 0),
        ):
            sh = g.shape(0, 2)
            sa = sh + ((da,) if da else ())
            sb = sh + ((db,) if db else ())
            g.add(
                "bitcast_convert",
                f'"stablehlo.bitcast_convert"(%0) : ({T(sa, a)}) -> {T(sb, b)}',
                [g.val(a, sa, "small")],
                [a],
                [T(sb, b)],
                0,
            )
        for t in FL:
            for e, m in ((5, 10), (8, 7), (4, 3), (8, 23), (5, 2), (3, 0)):
                sh = g.shape()
                g.add(
                    "reduce_precision",
                    f'"stablehlo.reduce_precision"(%0) <{{exponent_bits = {e} : i32, mantissa_bits = {m} : i32}}> : '
                    f"({T(sh, t)}) -> {T(sh, t)}",
                    [g.val(t, sh)],
                    [t],
                    [T(sh, t)],
                    0,
                )


def I(l):
    return "array<i64" + (": " + ", ".join(map(str, l)) if len(l) else "") + ">"


def pads(p):
    return f"dense<{[list(map(int, x)) for x in p]}> : tensor<{len(p)}x2xi64>" if len(p) else "dense<> : tensor<0x2xi64>"


S = "stablehlo."


def moves(g):
    r = g.r
    ALL = FL + IN + ["i1", "i4", "ui4", "f8E4M3FN"] + CX
    for t in ALL:
        sh = g.shape()
        n = len(sh)
        perm = [int(x) for x in r.permutation(n)]

        def one(name, attrs, args, types, out, tol=0, ot=None, suffix=""):
            ops = ", ".join(f"%{k}" for k in range(len(args)))
            tt = ", ".join(T(a.shape, x) for a, x in zip(args, types))
            g.add(
                name,
                f'"{S}{name}"({ops}){" <{" + attrs + "}>" if attrs else ""}{suffix} : ({tt}) -> {T(out, ot or t)}',
                args,
                types,
                [T(out, ot or t)],
                tol,
            )

        x = g.val(t, sh)
        one("transpose", f"permutation = {I(perm)}", [x], [t], tuple(sh[p] for p in perm))
        big = g.shape(n, n + 2) if n < 3 else g.shape(3, 4)
        dims = sorted(int(d) for d in r.choice(len(big), min(n, len(big)), replace=False)) if len(big) else []
        bs = tuple(int(big[d]) if r.random() < 0.6 else 1 for d in dims)
        order = [int(i) for i in r.permutation(len(dims))]
        dd = [dims[i] for i in order]
        bb = tuple(bs[i] for i in order)
        one("broadcast_in_dim", f"broadcast_dimensions = {I(dd)}", [g.val(t, bb)], [t], big)
        one("reshape", "", [x], [t], (int(np.prod(sh)),))
        one("reshape", "", [x], [t], tuple(reversed(sh)))
        ds = [int(d) for d in r.choice(n, r.integers(0, n + 1), replace=False)] if n else []
        one("reverse", f"dimensions = {I(ds)}", [x], [t], sh)
        st = [int(r.integers(0, d + 1)) for d in sh]
        li = [int(r.integers(a, d + 1)) for a, d in zip(st, sh)]
        sp = [int(r.integers(1, 4)) for _ in sh]
        one(
            "slice",
            f"start_indices = {I(st)}, limit_indices = {I(li)}, strides = {I(sp)}",
            [x],
            [t],
            tuple(-(-(b - a) // s) for a, b, s in zip(st, li, sp)),
        )
        lo = [int(r.integers(-1, 3)) for _ in sh]
        hi = [int(r.integers(-1, 3)) for _ in sh]
        it = [int(r.integers(0, 3)) for _ in sh]
        out = [d + max(d - 1, 0) * i + a + b for d, i, a, b in zip(sh, it, lo, hi)]
        if all(o >= 0 for o in out) and t != "f8E4M3FN":
            one(
                "pad",
                f"edge_padding_low = {I(lo)}, edge_padding_high = {I(hi)}, interior_padding = {I(it)}",
                [x, g.val(t, ())],
                [t, t],
                tuple(out),
            )
        if n:
            ax = int(r.integers(0, n))
            k = int(r.integers(1, 4))
            parts = []
            for _ in range(k):
                q = list(sh)
                q[ax] = int(r.integers(0, 4))
                parts.append(g.val(t, tuple(q)))
            q = list(sh)
            q[ax] = sum(p.shape[ax] for p in parts)
            if q[ax]:
                one("concatenate", f"dimension = {ax} : i64", parts, [t] * k, tuple(q))
            it_ = ["i32", "i64", "ui8", "ui32"][r.integers(0, 4)]
            idx = [np.asarray(r.integers(-3 if it_[0] == "i" else 0, 6)).astype(DT[it_]) for _ in sh]
            sz = tuple(int(r.integers(1, d + 1)) for d in sh)
            if n:
                one("dynamic_slice", f"slice_sizes = {I(sz)}", [x] + idx, [t] + [it_] * n, sz)
            one("dynamic_update_slice", "", [x, g.val(t, sz)] + idx, [t, t] + [it_] * n, sh)
    for t in FL + IN + CX:
        sh = g.shape(1, 3)
        d = int(r.integers(0, len(sh)))
        g.add("iota", f'"stablehlo.iota"() <{{iota_dimension = {d} : i64}}> : () -> {T(sh, t)}', [], [], [T(sh, t)], 0)


def body(op, t):
    return (
        "({\n    ^bb0(%x: "
        + T((), t)
        + ", %y: "
        + T((), t)
        + f'):\n      %z = "stablehlo.{op}"(%x, %y) : ({T((), t)}, {T((), t)}) -> {T((), t)}\n      "stablehlo.return"(%z) : '
        f"({T((), t)}) -> ()\n    }})"
    )


def reductions(g):
    r = g.r
    for t, op, init, tol in (
        [(t, "add", 0, 40) for t in FL]
        + [(t, "multiply", 1, 60) for t in FL]
        + [(t, "maximum", -np.inf, 0) for t in FL]
        + [(t, "minimum", np.inf, 0) for t in FL]
        + [(t, "add", 0, 0) for t in IN]
        + [(t, "multiply", 1, 0) for t in IN]
        + [(t, o, i, 0) for t in IN for o, i in (("maximum", None), ("minimum", None), ("and", -1), ("or", 0), ("xor", 0))]
        + [("i1", "and", True, 0), ("i1", "or", False, 0), ("i1", "xor", False, 0)]
        + [(t, "add", 0, 40) for t in CX]
    ):
        if init is None:
            ii = np.iinfo(DT[t])
            init = ii.min if op == "maximum" else ii.max
        if init == -1 and t in UI:
            init = np.iinfo(DT[t]).max
        iv = np.asarray(init).astype(DT[t])
        sh = g.shape(0, 3, 7)
        n = len(sh)
        ds = sorted(int(d) for d in r.choice(n, r.integers(0, n + 1), replace=False)) if n else []
        kind = "pos" if op in ("add", "multiply") and t in FL else "any"
        x = g.val(t, sh, kind)
        out = tuple(d for i, d in enumerate(sh) if i not in ds)
        if t in ("f16", "bf16") and op in ("add", "multiply"):
            tol = 8
        g.add(
            "reduce " + op,
            f'"stablehlo.reduce"(%0, %1) <{{dimensions = {I(ds)}}}> {body(op, t)} : ({T(sh, t)}, {T((), t)}) -> {T(out, t)}',
            [x, iv],
            [t, t],
            [T(out, t)],
            tol,
        )
        sh = g.shape(1, 3, 7)
        n = len(sh)
        w = [int(r.integers(1, min(d, 3) + 1)) for d in sh]
        s = [int(r.integers(1, 3)) for _ in sh]
        bd = [int(r.integers(1, 3)) for _ in sh]
        wd = [int(r.integers(1, 3)) for _ in sh]
        p = [(int(r.integers(0, 2)), int(r.integers(0, 2))) for _ in sh]
        o = [(max(d - 1, 0) * b + 1 + a + c - ((ww - 1) * q + 1)) // ss + 1 for d, b, (a, c), ww, q, ss in zip(sh, bd, p, w, wd, s)]
        if all(k > 0 for k in o):
            x = g.val(t, sh, kind)
            if op in ("maximum", "minimum") and t in FL and r.random() < 0.5:
                x = np.where(np.isfinite(x.astype(np.float64)), x, np.zeros_like(x))
            g.add(
                "reduce_window " + op,
                f'"stablehlo.reduce_window"(%0, '
                f"%1) <{{window_dimensions = {I(w)}, window_strides = {I(s)}, base_dilations = {I(bd)}, window_dilations = {I(wd)}, "
                f"padding = {pads(p)}}}> {body(op, t)} : ({T(sh, t)}, {T((), t)}) -> {T(o, t)}",
                [x, iv],
                [t, t],
                [T(o, t)],
                tol,
            )
        if op in ("maximum", "add") and t in FL + ["i32"]:
            sh = g.shape(1, 3, 7)
            w = [int(r.integers(1, min(d, 3) + 1)) for d in sh]
            s = [int(r.integers(1, 3)) for _ in sh]
            p = [(int(r.integers(0, max(1, ww - 1) + 0)), 0) for ww in w]
            p = [(min(a, ww - 1), 0) for (a, _), ww in zip(p, w)]
            o = [(d + a - ww) // ss + 1 for d, (a, _), ww, ss in zip(sh, p, w, s)]
            cmp = (
                f'({{\n    ^bb0(%x: {T((), t)}, %y: {T((), t)}):\n      %z = "stablehlo.compare"(%x, %y) <{{comparison_direction = '
                f'#stablehlo<comparison_direction GE>}}> : ({T((), t)}, {T((), t)}) -> tensor<i1>\n      "stablehlo.return"(%z) : '
                f"(tensor<i1>) -> ()\n    }}, "
            )
            g.add(
                "select_and_scatter",
                f'"stablehlo.select_and_scatter"(%0, %1, '
                f"%2) <{{window_dimensions = {I(w)}, window_strides = {I(s)}, padding = {pads(p)}}}> {cmp + body('add', t)[1:]} : "
                f"({T(sh, t)}, {T(o, t)}, {T((), t)}) -> {T(sh, t)}",
                [g.val(t, sh, "small"), g.val(t, tuple(o), "pos"), np.zeros((), DT[t])],
                [t] * 3,
                [T(sh, t)],
                8,
            )


def products(g):
    r = g.r
    for ta, tb, to, tol in (
        [(t, t, t, 16) for t in FL]
        + [
            ("bf16", "bf16", "f32", 16),
            ("f16", "f16", "f32", 16),
            ("f32", "f32", "bf16", 4),
            ("i8", "i8", "i32", 0),
            ("ui8", "ui8", "i32", 0),
            ("f32", "bf16", "f32", 16),
        ]
        + [(t, t, t, 0) for t in IN]
        + [(t, t, t, 32) for t in CX]
    ):
        for _ in range(2):
            nb, nc, nl, nr = (int(r.integers(0, 3)) for _ in range(4))
            bs = [int(r.integers(1, 4)) for _ in range(nb)]
            cs = [int(r.integers(1, 5)) for _ in range(nc)]
            ls = [int(r.integers(1, 4)) for _ in range(nl)]
            rs = [int(r.integers(1, 4)) for _ in range(nr)]

            def mk(bs, cs, fs):
                lab = [("b", i) for i in range(nb)] + [("c", i) for i in range(nc)] + [("f", i) for i in range(len(fs))]
                siz = dict(zip(lab, bs + cs + fs))
                p = [lab[i] for i in r.permutation(len(lab))]
                k = 0
                q = []
                for a in p:
                    if a[0] == "f":
                        q.append(("f", k))
                        k += 1
                    else:
                        q.append(a)
                return [siz[a] for a in q], [q.index(("b", i)) for i in range(nb)], [q.index(("c", i)) for i in range(nc)]

            sa, ba, ca = mk(bs, cs, ls)
            sb, bb, cb = mk(bs, cs, rs)
            out = tuple(bs + ls + rs)
            a = g.val(ta, tuple(sa), "pos")
            b = g.val(tb, tuple(sb), "pos")
            g.add(
                "dot_general",
                f'"stablehlo.dot_general"(%0, '
                f"%1) <{{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {ba}, rhs_batching_dimensions = {bb}, "
                f"lhs_contracting_dimensions = {ca}, rhs_contracting_dimensions = {cb}>, precision_config = "
                f"[#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}}> : ({T(sa, ta)}, {T(sb, tb)}) -> {T(out, to)}",
                [a, b],
                [ta, tb],
                [T(out, to)],
                tol,
            )
        for _ in range(2):
            if ta in CX or ta != tb:
                continue
            if to in IN and to not in ("i32", "i8", "i64", "i16"):
                continue
            k = int(r.integers(0, 4))
            gr = int(r.integers(1, 3))
            bg = int(r.integers(1, 3)) if gr == 1 else 1
            ci = int(r.integers(1, 3))
            co = int(r.integers(1, 3))
            n = int(r.integers(1, 3)) * bg
            fin = ci * gr
            fout = co * gr * bg
            im = [int(r.integers(3, 7)) for _ in range(k)]
            ke = [int(r.integers(1, 4)) for _ in range(k)]
            st = [int(r.integers(1, 3)) for _ in range(k)]
            ld = [int(r.integers(1, 3)) for _ in range(k)]
            rd = [int(r.integers(1, 3)) for _ in range(k)]
            rv = [bool(r.integers(0, 2)) for _ in range(k)]
            p = [(int(r.integers(-1, 3)), int(r.integers(-1, 3))) for _ in range(k)]
            o = [((i - 1) * l + 1 + x + y - ((q - 1) * d + 1)) // s + 1 for i, l, (x, y), q, d, s in zip(im, ld, p, ke, rd, st)]
            if any((i - 1) * l + 1 + x + y < (q - 1) * d + 1 for i, l, (x, y), q, d in zip(im, ld, p, ke, rd)):
                continue

            def lay(first, siz):
                names = first + [str(i) for i in range(k)]
                pm = [int(i) for i in r.permutation(k + 2)]
                return "[" + ", ".join(names[i] for i in pm) + "]", tuple(siz[i] for i in pm)

            la, sa = lay(["b", "f"], [n, fin] + im)
            lk, sk = lay(["i", "o"], [ci, fout] + ke)
            lo, so = lay(["b", "f"], [n // bg, fout] + o)
            g.add(
                "convolution",
                f'"stablehlo.convolution"(%0, '
                f"%1) <{{batch_group_count = {bg} : i64, feature_group_count = {gr} : i64, dimension_numbers = "
                f"#stablehlo.conv<{la}x{lk}->{lo}>, lhs_dilation = {I(ld)}, rhs_dilation = {I(rd)}, window_strides = {I(st)}, "
                f"padding = {pads(p)}, window_reversal = array<i1{': ' + ', '.join(str(b).lower() for b in rv) if k else ''}>, "
                f"precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}}> : ({T(sa, ta)}, "
                f"{T(sk, tb)}) -> {T(so, to)}",
                [g.val(ta, sa, "pos" if ta in FL else "small"), g.val(tb, sk, "pos" if ta in FL else "small")],
                [ta, tb],
                [T(so, to)],
                max(tol, 0),
            )
