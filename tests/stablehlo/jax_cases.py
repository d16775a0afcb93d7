# SPDX-License-Identifier: Apache-2.0
"""Random operations of StableHLO, folded by stablehlo-fold and computed by XLA.

    jax_cases.py STABLEHLO_FOLD compare SEEDS [FIRST]    cases of each family for as many seeds from FIRST on (0); exit status 1 if
                                                 one differs
    jax_cases.py STABLEHLO_FOLD record FOLDER    the cases of seed 0, if none differs, and what they fold to: FOLDER/*.mlir.gz

It needs jax, which brings StableHLO's parser and XLA. Results are compared with XLA's for the CPU, which takes subnormal numbers
as 0, in units of the last place; each case says how many are permitted. Integers that XLA cannot divide (it ends the process) are
left out.
"""

import collections
import gzip
import pathlib
import re
import subprocess
import sys
import warnings

import jax
import ml_dtypes
import numpy as np
from jax._src import xla_bridge
from jax._src.lib import xla_client
from jaxlib import _jax

from jax_edges import NARROW, edges
from jax_indexing import programs
from jax_linear import extras
from jax_operations import CX, DT, IN, G, T, elementwise, moves, products, reductions

warnings.simplefilter("ignore")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)


def run(text, args=()):
    """The results of a module by XLA."""
    client = xla_bridge.get_backend("cpu")
    devices = _jax.DeviceList(tuple(client.local_devices()[:1]))
    executable = client.compile_and_load(text, devices, xla_client.CompileOptions())
    results = executable.execute_sharded([jax.device_put(np.asarray(a)) for a in args])
    return [np.asarray(r[0]) for r in results.disassemble_into_single_device_arrays()]


def fold(text):
    done = subprocess.run([sys.argv[1], "--passes=constprop,scrub", "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def lit(a, t):
    if a.size == 0:
        return "dense<> : " + T(a.shape, t)
    if t == "i1" or t in NARROW or t == "f4E2M1FN":

        def rec(x):
            if x.ndim > 0:
                return "[" + ", ".join(rec(y) for y in x) + "]"
            return str(bool(x)).lower() if t == "i1" else str(float(x)) if t == "f4E2M1FN" else str(int(x))

        return f"dense<{rec(a)}> : " + T(a.shape, t)
    return 'dense<"0x' + np.ascontiguousarray(a).tobytes().hex().upper() + '"> : ' + T(a.shape, t)


def complexUlps(got, want, t):
    """In units of the size of the number; the sign of a part that is 0 is half a unit."""
    finite = np.isfinite(got) & np.isfinite(want)
    worst = 0
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        signs = (g == 0) & (w == 0) & (np.signbit(g) != np.signbit(w))
        wrong = ~finite & (g != w) & ~(np.isnan(g) & np.isnan(w))
        worst = max(worst, 0.5 * signs.any(), 1e9 * wrong.any())
    with np.errstate(all="ignore"):
        e = np.where(finite, np.abs(got - want) / (np.abs(want) + 1e-30), 0)
    return max(worst, float(e.max(initial=0)) / (1.2e-7 if t == CX[0] else 2.2e-16))


def ulps(got, want, t):
    if t == "i1" or t in IN or t in NARROW:
        return 0 if np.array_equal(got, want) else 1e9
    if t in CX:
        return complexUlps(got, want, t)
    d = DT[t]
    eps = float(ml_dtypes.finfo(d).eps)
    tiny = float(ml_dtypes.finfo(d).tiny) if t != "f16" else 6.1e-5
    g = got.astype(np.float64)
    w = want.astype(np.float64)
    ok = (
        (g == w) & (np.signbit(g) == np.signbit(w))
        | (np.isnan(g) & np.isnan(w))
        | ((abs(g) <= tiny) & (abs(w) <= tiny) & ((g != 0) | (w != 0)))
    )
    if ok.all():
        return 0
    with np.errstate(all="ignore"):
        e = np.where(ok, 0, abs(g - w) / (eps * np.maximum(abs(w), tiny)))
    e = np.where(np.isnan(e) | (np.sign(g) == 0) & (np.sign(w) == 0) & ~ok, 1e9, e)
    return float(e.max())


def module(cases, folded):
    body = []
    calls = []
    rets = []
    tys = []
    margs = []
    vals = []
    for i, (name, text, args, types, results, tol) in enumerate(cases):
        if folded:
            b = "".join(
                f'    %{k} = "stablehlo.constant"() <{{value = {lit(a, t)}}}> : () -> {T(a.shape, t)}\n'
                for k, (a, t) in enumerate(zip(args, types))
            )
            sig = ""
        else:
            b = ""
            sig = ", ".join(f"%{k}: {T(a.shape, t)}" for k, (a, t) in enumerate(zip(args, types)))
        n = len(results)
        *before, text = text.split(";;")
        b += "".join(f"    {line}\n" for line in before)
        r = "%r" if n == 1 else f"%r:{n}"
        rs = ["%r"] if n == 1 else [f"%r#{j}" for j in range(n)]
        body.append(
            f"  func.func private @c{i}({sig}) -> ({', '.join(results)}) {{\n{b}    {r} = {text}\n    return {', '.join(rs)} : "
            f"{', '.join(results)}\n  }}\n"
        )
        if not folded:
            an = [f"%a{len(margs) + k}" for k in range(len(args))]
            margs += [T(a.shape, t) for a, t in zip(args, types)]
            vals += list(args)
            at = ", ".join(T(a.shape, t) for a, t in zip(args, types))
        else:
            an = []
            at = ""
        calls.append(f"    %v{i}{':%d' % n if n > 1 else ''} = call @c{i}({', '.join(an)}) : ({at}) -> ({', '.join(results)})\n")
        rets += [f"%v{i}"] if n == 1 else [f"%v{i}#{j}" for j in range(n)]
        tys += results
    head = ", ".join(f"%a{k}: {t}" for k, t in enumerate(margs))
    return "module {\n" + f"  func.func public @main({head}) -> ({', '.join(tys)}) {{\n" + "".join(
        calls
    ) + f"    return {', '.join(rets)} : {', '.join(tys)}\n  }}\n" + "".join(body) + "}\n", vals


def check(cases, verbose=True):
    t1, vals = module(cases, False)
    want = run(t1, vals)
    t2, _ = module(cases, True)
    out = fold(t2)
    got = run(out)
    parts = re.split(r"\n  func\.func ", out)
    left = {}
    for p in parts:
        m = re.match(r"private @c(\d+)\(", p)
        if m and re.search(r'= "(stablehlo|chlo)\.', p):
            left[int(m[1])] = 1
    k = 0
    stat = collections.defaultdict(lambda: [0, 0, 0, 0.0])
    bad = []
    for i, c in enumerate(cases):
        s = stat[c[0]]
        s[0] += 1
        if i in left:
            s[1] += 1
        for rt in c[4]:
            t = re.match(r"tensor<(?:\d+x)*(.*)>$", rt)[1]
            u = ulps(got[k], want[k], t)
            s[3] = max(s[3], u if u < 1e8 else 0)
            if u > c[5] * 1.01 and i not in left:
                s[2] += 1
                bad.append((i, c[0], u, rt, got[k], want[k]))
            k += 1
    return stat, bad


S = "stablehlo."


FAMILIES = {
    "elementwise": elementwise,
    "moves": moves,
    "reductions": reductions,
    "products": products,
    "extras": extras,
    "programs": programs,
    "edges": edges,
}


def cases(family, seed):
    generator = G(seed)
    FAMILIES[family](generator)
    return generator.cases


def compare(seeds, first):
    counts = collections.Counter()
    for seed in range(first, first + seeds):
        for family in FAMILIES:
            found = cases(family, seed)
            stat, bad = check(found)
            for count, left, wrong, _ in stat.values():
                counts.update(cases=count, left=left, wrong=wrong)
            for number, name, ulp, type_, got, want in bad:
                if not ulp <= found[number][5]:
                    print(family, seed, number, name, ulp, type_, np.ravel(got)[:8], np.ravel(want)[:8])
    print(dict(counts))
    return counts["wrong"]


def record(folder):
    for family in FAMILIES:
        if family == "edges":  # a megabyte
            continue
        found = cases(family, 0)
        stat, _ = check(found)
        assert not sum(wrong for _, _, wrong, _ in stat.values()), family
        text, _ = module(found, True)
        for name, content in (f"{family}.mlir.gz", text), (f"{family}.folded.mlir.gz", fold(text)):
            (folder / name).write_bytes(gzip.compress(content.encode(), mtime=0))


if __name__ == "__main__":
    if sys.argv[2] == "record":
        record(pathlib.Path(sys.argv[3]))
    else:
        sys.exit(bool(compare(int(sys.argv[3]), int((sys.argv + [0])[4]))))
