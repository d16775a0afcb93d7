# SPDX-License-Identifier: Apache-2.0
"""Structured operations of linalg, pack and unpack on constants, against MLIR's own execution of them.

Without sums of floats the results are the same bits. Sums of positive f32 are rounded once by us and at every step by
MLIR's loops, so they differ by at most half a unit in the last place for each step, and by one more.
"""

import numpy as np
import onnxfold_testing as t
import pytest
from onnxfold_upstream import Differential

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "i1": np.bool_,
}


def rounds(short, full):
    return full if t.options.long else short


def numbers(rng, element, shape, positive=False):
    """Random elements; floats of many sizes, unless they are to be added."""
    dtype = DTYPES[element]
    if element == "i1":
        return rng.integers(0, 2, shape).astype(bool)
    if element[0] == "i":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    if positive:
        return rng.uniform(0.5, 2, shape).astype(dtype)
    return (rng.standard_normal(shape) * 10.0 ** rng.integers(-2, 3, shape)).astype(dtype)


def typeOf(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def mapOf(numDims, results):
    dims = ", ".join(f"d{i}" for i in range(numDims))
    return f"affine_map<({dims}) -> ({', '.join(map(str, results))})>"


def generic(maps, kinds, inputs, outputs, body):
    """The text of a linalg.generic; inputs and outputs: (operand, type)."""
    kinds = ", ".join(f'"{kind}"' for kind in kinds)
    names = ["%x", "%y", "%z"][: len(inputs)] + ["%p", "%q"][: len(outputs)]
    element = [kind.rstrip(">").split("x")[-1].split("<")[-1] for _, kind in inputs + outputs]
    arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, element, strict=True))
    part = lambda operands: f"{', '.join(o for o, _ in operands)} : {', '.join(k for _, k in operands)}"
    ins = f"ins({part(inputs)}) " if inputs else ""
    results = ", ".join(kind for _, kind in outputs)
    return (
        f"linalg.generic {{{{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}}}} {ins}outs({part(outputs)}) {{{{\n"
        f"^bb0({arguments}):\n{body}\n}}}} -> {results if len(outputs) == 1 else '(' + results + ')'}"
    )


FLOAT_BODIES = [
    "%a = arith.mulf %x, %y : {e}\n%b = arith.addf %a, %x : {e}\n%c = arith.cmpf ogt, %b, %y : {e}\n"
    "%d = arith.select %c, %b, %y : {e}\nlinalg.yield %d : {e}",
    "%a = arith.subf %x, %y : {e}\n%b = arith.divf %a, %y : {e}\n%c = math.absf %b : {e}\n%d = math.sqrt %c : {e}\nlinalg.yield %d : {e}",
    "%a = arith.maximumf %x, %y : {e}\n%k = arith.constant 2.5 : {e}\n%b = arith.mulf %a, %k : {e}\n%c = arith.addf %b, %p : {e}\nlinalg.yield %c : {e}",
]
INTEGER_BODIES = [
    "%a = arith.muli %x, %y : {e}\n%b = arith.xori %a, %x : {e}\n%c = arith.cmpi ult, %b, %y : {e}\n"
    "%d = arith.select %c, %b, %y : {e}\nlinalg.yield %d : {e}",
    "%i = linalg.index 0 : index\n%j = arith.index_cast %i : index to {e}\n%a = arith.addi %x, %j : {e}\n"
    "%b = arith.minsi %a, %y : {e}\nlinalg.yield %b : {e}",
    "%a = arith.subi %x, %p : {e}\n%b = arith.maxui %a, %y : {e}\n%c = arith.andi %b, %x : {e}\nlinalg.yield %c : {e}",
]


def randomAccess(rng, sizes):
    """Indices of an operand: a projected permutation of the loops, and its shape."""
    kept = [int(d) for d in rng.permutation(len(sizes)) if rng.random() < 0.7]
    return [f"d{d}" for d in kept], [sizes[d] for d in kept]


def test_elementwise_bodies_of_any_maps(folder):
    rng = np.random.default_rng(t.options.seed)
    cases = Differential()
    for _ in range(rounds(24, 1000)):
        element = rng.choice(["f32", "f64", "i8", "i32", "i64"])
        sizes = [int(s) for s in rng.integers(1, 6, rng.integers(1, 5))]
        (xMap, xShape), (yMap, yShape) = randomAccess(rng, sizes), randomAccess(rng, sizes)
        order = [int(d) for d in rng.permutation(len(sizes))]
        outShape = [sizes[d] for d in order]
        maps = [mapOf(len(sizes), m) for m in (xMap, yMap, [f"d{d}" for d in order])]
        body = str(rng.choice(FLOAT_BODIES if element[0] == "f" else INTEGER_BODIES)).replace("{e}", element)
        out = typeOf(outShape, element)
        text = generic(
            maps,
            ["parallel"] * len(sizes),
            [("{0}", typeOf(xShape, element)), ("{1}", typeOf(yShape, element))],
            [("{2}", out)],
            body,
        )
        operands = [(numbers(rng, element, shape), element) for shape in (xShape, yShape, outShape)]
        cases.add(text, operands, [out])
    cases.run(folder)


COMBINATIONS = {
    "i": ["addi", "muli", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori"],
    "f": ["maximumf", "minimumf", "maxnumf", "minnumf", "addf", "mulf"],
}


def test_reductions_over_any_loops(folder):
    """Also those whose body is none of a monoid (a - p), which run in order."""
    rng = np.random.default_rng(t.options.seed + 1)
    cases = Differential()
    for _ in range(rounds(30, 1000)):
        element = str(rng.choice(["f32", "f64", "i1", "i8", "i16", "i32", "i64"]))
        name = str(rng.choice(COMBINATIONS[element[0]] + (["subf"] if element[0] == "f" else ["subi"])))
        sums = name in ("addf", "mulf", "subf")
        sizes = [int(s) for s in rng.integers(1, 6, rng.integers(1, 5))]
        reduced = [bool(rng.random() < 0.5) for _ in sizes]
        order = [int(d) for d in rng.permutation(len(sizes)) if not reduced[d]]
        outShape = [sizes[d] for d in order]
        maps = [mapOf(len(sizes), [f"d{d}" for d in range(len(sizes))]), mapOf(len(sizes), [f"d{d}" for d in order])]
        operands = ("%p, %x", "%x, %p")[int(rng.integers(2))]
        body = f"%a = arith.{name} {operands} : {element}\nlinalg.yield %a : {element}"
        kinds = ["reduction" if r else "parallel" for r in reduced]
        out = typeOf(outShape, element)
        text = generic(maps, kinds, [("{0}", typeOf(sizes, element))], [("{1}", out)], body)
        steps = int(np.prod([s for s, r in zip(sizes, reduced) if r]))
        values = [(numbers(rng, element, shape, positive=sums), element) for shape in (sizes, outShape)]
        ulps = steps // 2 + 1 if name in ("addf", "mulf") else 0
        cases.add(text, values, [out], ulps=ulps)
    cases.run(folder)


def test_index_of_the_largest_element(folder):
    """Two results, and a body with two accumulators: runs in order."""
    rng = np.random.default_rng(t.options.seed + 2)
    body = (
        "%i = linalg.index 1 : index\n%j = arith.index_cast %i : index to i32\n%c = arith.cmpf ogt, %x, %p : f32\n"
        "%v = arith.select %c, %x, %p : f32\n%n = arith.select %c, %j, %q : i32\nlinalg.yield %v, %n : f32, i32"
    )
    cases = Differential()
    for _ in range(rounds(3, 100)):
        rows, columns = (int(n) for n in rng.integers(1, 9, 2))
        maps = [mapOf(2, ["d0", "d1"]), mapOf(2, ["d0"]), mapOf(2, ["d0"])]
        value, index = typeOf([rows], "f32"), typeOf([rows], "i32")
        text = generic(
            maps,
            ["parallel", "reduction"],
            [("{0}", typeOf([rows, columns], "f32"))],
            [("{1}", value), ("{2}", index)],
            body,
        )
        operands = [
            (numbers(rng, "f32", [rows, columns]), "f32"),
            (np.full(rows, -np.inf, np.float32), "f32"),
            (np.zeros(rows, np.int32), "i32"),
        ]
        cases.add(text, operands, [value, index])
    cases.run(folder)


def named(op, shapes, out, attributes=""):
    ins = ", ".join(f"{{{i}}}" for i in range(len(shapes)))
    kinds = ", ".join(typeOf(*shape) for shape in shapes)
    return f"linalg.{op} {attributes} ins({ins} : {kinds}) outs({{{len(shapes)}}} : {typeOf(*out)}) -> {typeOf(*out)}"


def addNamed(cases, rng, op, inputs, out, element, outElement=None, attributes="", steps=1, positive=True, scalars=()):
    shapes = [(shape, element) for shape in inputs]
    outElement = outElement or element
    operands = [(numbers(rng, element, shape, positive), element) for shape in inputs]
    operands.append((numbers(rng, outElement, out, positive), outElement))
    ulps = steps // 2 + 2 if outElement[0] == "f" else 0
    cases.add(named(op, shapes, (out, outElement), attributes), operands, [typeOf(out, outElement)], ulps=ulps)


def test_products(folder):
    rng = np.random.default_rng(t.options.seed + 3)
    cases = Differential()
    for _ in range(rounds(2, 60)):
        b, m, n, k = (int(size) for size in rng.integers(1, 7, 4))
        for element in ("f32", "f64", "i8", "i32", "i64"):
            add = lambda op, inputs, out, steps=k: addNamed(cases, rng, op, inputs, out, element, steps=steps)
            add("matmul", [[m, k], [k, n]], [m, n])
            add("batch_matmul", [[b, m, k], [b, k, n]], [b, m, n])
            add("batch_reduce_matmul", [[b, m, k], [b, k, n]], [m, n], b * k)
            add("matvec", [[m, k], [k]], [m])
            add("vecmat", [[k], [k, n]], [n])
            add("batch_matvec", [[b, m, k], [b, k]], [b, m])
            add("batch_vecmat", [[b, k], [b, k, n]], [b, n])
            add("dot", [[k], [k]], [])
            add("mmt4d", [[m, k, 2, 3], [n, k, 4, 3]], [m, n, 2, 4], 3 * k)
            add("batch_mmt4d", [[b, m, k, 2, 3], [b, n, k, 4, 3]], [b, m, n, 2, 4], 3 * k)
        addNamed(cases, rng, "matmul", [[m, k], [k, n]], [m, n], "i8", "i32")
        addNamed(cases, rng, "matmul", [[m, k], [k, n]], [m, n], "f16", "f32", steps=k)
        maps = ", ".join(mapOf(3, m) for m in (["d2", "d0"], ["d1", "d2"], ["d0", "d1"]))
        addNamed(
            cases, rng, "contract", [[k, m], [n, k]], [m, n], "f32", attributes=f"indexing_maps = [{maps}]", steps=k
        )
    cases.run(folder)


def test_convolutions(folder):
    rng = np.random.default_rng(t.options.seed + 4)
    cases = Differential()
    for _ in range(rounds(1, 40)):
        n, c, f, kh, kw, oh, ow = (int(size) for size in rng.integers(1, 4, 7))
        sh, sw, dh, dw = (int(size) for size in rng.integers(1, 3, 4))
        h, w = (oh - 1) * sh + (kh - 1) * dh + 1 + int(rng.integers(0, sh)), (ow - 1) * sw + (kw - 1) * dw + 1
        both = f"{{{{dilations = dense<[{dh}, {dw}]> : tensor<2xi64>, strides = dense<[{sh}, {sw}]> : tensor<2xi64>}}}}"
        one = f"{{{{dilations = dense<{dh}> : tensor<1xi64>, strides = dense<{sh}> : tensor<1xi64>}}}}"
        for element in ("f32", "i32", "f64", "i8"):
            add = lambda op, inputs, out, steps, attributes="": addNamed(
                cases, rng, op, inputs, out, element, attributes=attributes, steps=steps
            )
            add("conv_1d", [[oh + kh - 1], [kh]], [oh], kh)
            add("conv_2d", [[oh + kh - 1, ow + kw - 1], [kh, kw]], [oh, ow], kh * kw)
            add("conv_1d_nwc_wcf", [[n, h, c], [kh, c, f]], [n, oh, f], kh * c, one)
            add("conv_1d_ncw_fcw", [[n, c, h], [f, c, kh]], [n, f, oh], kh * c, one)
            add("conv_2d_nhwc_hwcf", [[n, h, w, c], [kh, kw, c, f]], [n, oh, ow, f], kh * kw * c, both)
            add("conv_2d_nhwc_fhwc", [[n, h, w, c], [f, kh, kw, c]], [n, oh, ow, f], kh * kw * c, both)
            add("conv_2d_nchw_fchw", [[n, c, h, w], [f, c, kh, kw]], [n, f, oh, ow], kh * kw * c, both)
            add("conv_2d_ngchw_fgchw", [[n, 2, c, h, w], [f, 2, c, kh, kw]], [n, 2, f, oh, ow], kh * kw * c, both)
            add("depthwise_conv_2d_nhwc_hwc", [[n, h, w, c], [kh, kw, c]], [n, oh, ow, c], kh * kw, both)
            add("depthwise_conv_2d_nchw_chw", [[n, c, h, w], [c, kh, kw]], [n, c, oh, ow], kh * kw, both)
            add("depthwise_conv_2d_nhwc_hwcm", [[n, h, w, c], [kh, kw, c, f]], [n, oh, ow, c, f], kh * kw, both)
    cases.run(folder)


def test_pooling(folder):
    rng = np.random.default_rng(t.options.seed + 5)
    cases = Differential()
    for _ in range(rounds(1, 40)):
        n, c, kh, kw, oh, ow = (int(size) for size in rng.integers(1, 4, 6))
        sh, sw = (int(size) for size in rng.integers(1, 3, 2))
        h, w = (oh - 1) * sh + kh, (ow - 1) * sw + kw
        both = f"{{{{dilations = dense<1> : tensor<2xi64>, strides = dense<[{sh}, {sw}]> : tensor<2xi64>}}}}"
        for element in ("f32", "i32", "i8", "f64"):
            kinds = ["max", "min", "sum"] + (["max_unsigned", "min_unsigned"] if element[0] == "i" else [])
            for kind in kinds:
                steps = kh * kw if kind == "sum" else -4
                addNamed(
                    cases,
                    rng,
                    f"pooling_nhwc_{kind}",
                    [[n, h, w, c], [kh, kw]],
                    [n, oh, ow, c],
                    element,
                    attributes=both,
                    steps=steps,
                    positive=kind == "sum",
                )
            for kind in ("max", "sum"):
                steps = kh * kw if kind == "sum" else -4
                addNamed(
                    cases,
                    rng,
                    f"pooling_nchw_{kind}",
                    [[n, c, h, w], [kh, kw]],
                    [n, c, oh, ow],
                    element,
                    attributes=both,
                    steps=steps,
                    positive=kind == "sum",
                )
    cases.run(folder)


ELEMENTWISE = {
    "f32": [
        "add",
        "sub",
        "mul",
        "div",
        "max",
        "min",
        "abs",
        "ceil",
        "floor",
        "negf",
        "round",
        "sqrt",
        "square",
        "reciprocal",
    ],
    "i32": ["add", "sub", "mul", "max", "min"],
}
UNARY = {"abs", "ceil", "floor", "negf", "round", "sqrt", "square", "reciprocal", "exp", "log", "tanh", "erf", "rsqrt"}


def test_named_elementwise(folder):
    rng = np.random.default_rng(t.options.seed + 6)
    cases = Differential()
    for _ in range(rounds(1, 40)):
        shape = [int(size) for size in rng.integers(1, 7, rng.integers(1, 4))]
        for element, ops in ELEMENTWISE.items():
            for op in ops:
                addNamed(
                    cases, rng, op, [shape] * (1 if op in UNARY else 2), shape, element, steps=-4, positive=op == "sqrt"
                )
        for op in ("exp", "log", "tanh", "erf", "rsqrt"):
            addNamed(cases, rng, op, [shape], shape, "f32", steps=4)
        dims = [int(d) for d in rng.permutation(len(shape))]
        out = typeOf([shape[d] for d in dims], "f32")
        x = (numbers(rng, "f32", shape), "f32")
        empty = (f"%e = tensor.empty() : {out}",)
        cases.add(
            f"linalg.transpose ins({{0}} : {typeOf(shape, 'f32')}) outs(%e : {out}) permutation = {dims}",
            [x],
            [out],
            before=empty,
        )
        wide = typeOf([3, *shape], "f32")
        cases.add(
            f"linalg.broadcast ins({{0}} : {typeOf(shape, 'f32')}) outs(%e : {wide}) dimensions = [0]",
            [x],
            [wide],
            before=(f"%e = tensor.empty() : {wide}",),
        )
        cases.add(
            f"linalg.fill ins(%v : f32) outs(%e : {wide}) -> {wide}",
            [],
            [wide],
            before=(f"%e = tensor.empty() : {wide}", "%v = arith.constant 1.5 : f32"),
        )
        less = typeOf(shape[1:], "f32")
        cases.add(
            f"linalg.reduce {{{{ arith.maximumf }}}} ins({{0}} : {typeOf(shape, 'f32')}) outs({{1}} : {less}) dimensions = [0]",
            [x, (numbers(rng, "f32", shape[1:]), "f32")],
            [less],
        )
        cases.add(
            f"linalg.map {{{{ arith.mulf }}}} ins({{0}}, {{0}} : {typeOf(shape, 'f32')}, {typeOf(shape, 'f32')}) outs({{0}} : {typeOf(shape, 'f32')})",
            [x],
            [typeOf(shape, "f32")],
        )
    cases.run(folder)


def addWindows(cases, rng, op, inputs, out, element, dims, stride, dilation, steps, outElement=None, scalars=(), positive=True):
    """A convolution or pooling of `dims` dimensions; scalars: zero points, which are i32."""
    attributes = (f"{{{{dilations = dense<{dilation}> : tensor<{dims}xi64>, strides = dense<{stride}> : tensor<{dims}xi64>}}}}")
    outElement = outElement or element
    count = len(inputs) + len(scalars)
    names = ", ".join(f"{{{i}}}" for i in range(count))
    kinds = ", ".join([typeOf(shape, element) for shape in inputs] + ["i32"] * len(scalars))
    kind = typeOf(out, outElement)
    operands = [(numbers(rng, element, shape, positive), element) for shape in inputs]
    operands += [(np.array(value, np.int32), "!i32") for value in scalars]
    operands.append((numbers(rng, outElement, out, positive), outElement))
    text = f"linalg.{op} {attributes} ins({names} : {kinds}) outs({{{count}}} : {kind}) -> {kind}"
    cases.add(text, operands, [kind], ulps=steps // 2 + 2 if outElement[0] == "f" else 0)


def window(out, kernel, stride, dilation):
    return [(o - 1) * stride + (k - 1) * dilation + 1 for o, k in zip(out, kernel, strict=True)]


def test_other_layouts_of_convolutions(folder):
    """One and three dimensions, groups, and zero points."""
    rng = np.random.default_rng(t.options.seed + 7)
    cases = Differential()
    for _ in range(rounds(1, 40)):
        n, c, f, g, m = (int(size) for size in rng.integers(1, 4, 5))
        stride, dilation = (int(size) for size in rng.integers(1, 3, 2))
        out, kernel = ([int(size) for size in rng.integers(1, 4, 3)] for _ in range(2))
        image = window(out, kernel, stride, dilation)
        for element in ("f32", "i8"):
            def add(op, dims, inputs, result, steps, zeroPoints=False):
                wide = "i32" if zeroPoints else None
                scalars = [int(v) for v in rng.integers(-9, 9, 2)] if zeroPoints else ()
                if not zeroPoints or element == "i8":
                    addWindows(cases, rng, op, inputs, result, element, dims, stride, dilation, steps, wide, scalars)

            (w,), (k,), (o,) = image[:1], kernel[:1], out[:1]
            add("depthwise_conv_1d_ncw_cw", 1, [[n, c, w], [c, k]], [n, c, o], k)
            add("depthwise_conv_1d_nwc_wc", 1, [[n, w, c], [k, c]], [n, o, c], k)
            add("depthwise_conv_1d_nwc_wcm", 1, [[n, w, c], [k, c, m]], [n, o, c, m], k)
            h, k, o = image[:2], kernel[:2], out[:2]
            area = k[0] * k[1]
            add("conv_2d_ngchw_gfchw", 2, [[n, g, c, *h], [g, f, c, *k]], [n, g, f, *o], area * c)
            add("conv_2d_nhwgc_gfhwc", 2, [[n, *h, g, c], [g, f, *k, c]], [n, *o, g, f], area * c)
            add("conv_2d_ngchw_gfchw_q", 2, [[n, g, c, *h], [g, f, c, *k]], [n, g, f, *o], 0, True)
            add("conv_2d_nhwgc_gfhwc_q", 2, [[n, *h, g, c], [g, f, *k, c]], [n, *o, g, f], 0, True)
            add("conv_2d_nchw_fchw_q", 2, [[n, c, *h], [f, c, *k]], [n, f, *o], 0, True)
            add("conv_2d_nhwc_fhwc_q", 2, [[n, *h, c], [f, *k, c]], [n, *o, f], 0, True)
            add("conv_2d_nhwc_hwcf_q", 2, [[n, *h, c], [*k, c, f]], [n, *o, f], 0, True)
            add("depthwise_conv_2d_nhwc_hwc_q", 2, [[n, *h, c], [*k, c]], [n, *o, c], 0, True)
            add("depthwise_conv_2d_nhwc_hwcm_q", 2, [[n, *h, c], [*k, c, m]], [n, *o, c, m], 0, True)
            volume = area * kernel[2]
            add("conv_3d_ndhwc_dhwcf", 3, [[n, *image, c], [*kernel, c, f]], [n, *out, f], volume * c)
            add("conv_3d_ncdhw_fcdhw", 3, [[n, c, *image], [f, c, *kernel]], [n, f, *out], volume * c)
            add("conv_3d_ndhwc_dhwcf_q", 3, [[n, *image, c], [*kernel, c, f]], [n, *out, f], 0, True)
            add("depthwise_conv_3d_ncdhw_cdhw", 3, [[n, c, *image], [c, *kernel]], [n, c, *out], volume)
            add("depthwise_conv_3d_ndhwc_dhwc", 3, [[n, *image, c], [*kernel, c]], [n, *out, c], volume)
            add("depthwise_conv_3d_ndhwc_dhwcm", 3, [[n, *image, c], [*kernel, c, m]], [n, *out, c, m], volume)
            plain = window(out, kernel, 1, 1)
            addNamed(cases, rng, "conv_3d", [plain, kernel], out, element, steps=volume)
    cases.run(folder)


def test_other_layouts_of_pooling(folder):
    rng = np.random.default_rng(t.options.seed + 8)
    cases = Differential()
    for _ in range(rounds(1, 40)):
        n, c = (int(size) for size in rng.integers(1, 4, 2))
        stride, dilation = (int(size) for size in rng.integers(1, 3, 2))
        out, kernel = ([int(size) for size in rng.integers(1, 4, 3)] for _ in range(2))
        image = window(out, kernel, stride, dilation)
        for element in ("f32", "i8"):
            for kind in ("max", "min", "sum", "max_unsigned", "min_unsigned"):
                if "unsigned" in kind and element[0] == "f":
                    continue
                steps = int(np.prod(kernel)) if kind == "sum" else -4
                add = lambda op, dims, inputs, result: addWindows(cases, rng, op, inputs, result, element, dims, stride, dilation, steps,
                                                                  positive=kind == "sum")
                add(f"pooling_nwc_{kind}", 1, [[n, image[0], c], kernel[:1]], [n, out[0], c])
                if "unsigned" not in kind:
                    add(f"pooling_ndhwc_{kind}", 3, [[n, *image, c], kernel], [n, *out, c])
                if kind in ("max", "sum"):
                    add(f"pooling_ncw_{kind}", 1, [[n, c, image[0]], kernel[:1]], [n, c, out[0]])
    cases.run(folder)


def test_quantized_products(folder):
    rng = np.random.default_rng(t.options.seed + 9)
    cases = Differential()
    for _ in range(rounds(2, 60)):
        b, m, n, k = (int(size) for size in rng.integers(1, 7, 4))
        zeros = [(np.array(v, np.int32), "!i32") for v in rng.integers(-9, 9, 2)]
        for op, a, w, out in (("quantized_matmul", [m, k], [k, n], [m, n]), ("quantized_batch_matmul", [b, m, k], [b, k, n], [b, m, n])):
            kind = typeOf(out, "i32")
            text = (f"linalg.{op} ins({{0}}, {{1}}, {{2}}, {{3}} : {typeOf(a, 'i8')}, {typeOf(w, 'i8')}, i32, i32) outs({{4}} : {kind})"
                    f" -> {kind}")
            operands = [(numbers(rng, "i8", a), "i8"), (numbers(rng, "i8", w), "i8"), *zeros, (numbers(rng, "i32", out), "i32")]
            cases.add(text, operands, [kind])
    cases.run(folder)


def test_other_elementwise(folder):
    """powf, select, elementwise with broadcasting maps, unsigned division, copy, and the numbers of fill_rng_2d."""
    rng = np.random.default_rng(t.options.seed + 10)
    cases = Differential()
    for _ in range(rounds(2, 60)):
        rows, columns = (int(size) for size in rng.integers(1, 7, 2))
        shape, kind = [rows, columns], typeOf([rows, columns], "f32")
        addNamed(cases, rng, "powf", [shape, shape], shape, "f32", steps=4)
        addNamed(cases, rng, "copy", [shape], shape, "f32", steps=-4, positive=False)
        x, y, z = ((numbers(rng, "f32", shape), "f32") for _ in range(3))
        condition = (numbers(rng, "i1", shape), "i1")
        cases.add(f"linalg.select ins({{0}}, {{1}}, {{2}} : {typeOf(shape, 'i1')}, {kind}, {kind}) outs({{3}} : {kind}) -> {kind}",
                  [condition, x, y, z], [kind])
        integers = [(numbers(rng, "i32", shape), "i32") for _ in range(3)]
        integers[1] = (np.where(integers[1][0] == 0, 1, integers[1][0]).astype(np.int32), "i32")
        whole = typeOf(shape, "i32")
        cases.add(f"linalg.div_unsigned ins({{0}}, {{1}} : {whole}, {whole}) outs({{2}} : {whole}) -> {whole}", integers, [whole])
        row = (numbers(rng, "f32", [columns]), "f32")
        maps = ", ".join(mapOf(2, m) for m in (["d0", "d1"], ["d1"], ["d0", "d1"]))
        for op in ("add", "mul", "max_signed", "min_signed", "sub", "div"):
            cases.add(f"linalg.elementwise kind=#linalg.elementwise_kind<{op}> indexing_maps = [{maps}] "
                      f"ins({{0}}, {{1}} : {kind}, {typeOf([columns], 'f32')}) outs({{2}} : {kind}) -> {kind}", [x, row, z], [kind])
        seed = (np.array(rng.integers(0, 99), np.int32), "!i32")
        cases.add(f"linalg.fill_rng_2d ins(%low, %high, {{0}} : f64, f64, i32) outs({{1}} : {kind}) -> {kind}", [seed, x], [kind],
                  before=("%low = arith.constant -1.5 : f64", "%high = arith.constant 2.0 : f64"))
    cases.run(folder)
