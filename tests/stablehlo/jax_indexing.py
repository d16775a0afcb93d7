# SPDX-License-Identifier: Apache-2.0
"""Random gathers, scatters, sorts, transforms, bodies, and operations whose shapes are operands, for jax_cases.py.

Lines before the last ";;" of a text make what an operation needs as a constant.
"""

import numpy as np

from jax_operations import CX, DT, FL, IN, SI, UI, I, T, body

INDEX = ["i32", "i64", "ui32", "ui8"]


def indices(g, t, shape, limits):
    """Numbers of which some are outside of [0, limit), one limit for each vector's place (the last dimension)."""
    low = 0 if t in UI else -2
    columns = [g.r.integers(low, limit + 2, shape[:-1]) for limit in limits]
    return np.stack(columns, -1).astype(DT[t]) if columns else np.zeros(shape, DT[t])


class Slices:
    """Dimension numbers of a gather or scatter, and the shapes that fit them."""

    def __init__(self, g):
        r = g.r
        self.operand = tuple(int(d) for d in r.integers(1, 5, r.integers(1, 5)))
        n = len(self.operand)
        roles = r.choice(["batch", "drop", "keep", "keep"], n)
        self.batch = [d for d in range(n) if roles[d] == "batch"]
        self.drop = [d for d in range(n) if roles[d] == "drop"]
        self.sizes = [int(r.integers(1, self.operand[d] + 1)) if roles[d] == "keep" else 1 for d in range(n)]
        others = [d for d in range(n) if roles[d] != "batch"]
        chosen = [d for d in others if roles[d] == "drop" or r.random() < 0.6]
        # XLA's results are wrong if vectors are empty.
        self.map = [int(d) for d in r.permutation(chosen or others[:1])]
        dims = [self.operand[d] for d in self.batch] + [int(d) for d in r.integers(1, 4, r.integers(0, 3))]
        order = [int(i) for i in r.permutation(len(dims))]
        self.loop = [dims[i] for i in order]
        # Where the vectors are: anywhere, or nowhere if they have one element.
        self.vector = int(r.integers(0, len(dims) + 1))
        self.isImplied = len(self.map) == 1 and r.random() < 0.3
        if self.isImplied:
            self.vector = len(dims)
        places = [order.index(i) for i in range(len(self.batch))]
        self.indexBatch = [p if p < self.vector else p + 1 for p in places]
        windows = [self.sizes[d] for d in range(n) if roles[d] == "keep"]
        rank = len(dims) + len(windows)
        self.offsets = sorted(int(d) for d in r.choice(rank, len(windows), replace=False)) if rank else []
        window, loop = iter(windows), iter(self.loop)
        self.result = tuple(next(window) if d in self.offsets else next(loop) for d in range(rank))

    def starts(self, g, t):
        vectors = indices(g, t, (*self.loop, len(self.map)), [self.operand[d] for d in self.map])
        return vectors[..., 0] if self.isImplied else np.moveaxis(vectors, -1, self.vector)


def gathers(g):
    for t in [*FL, *IN, "i1", "i4", "f8E5M2", *CX] * 2:
        s = Slices(g)
        of = INDEX[g.r.integers(0, len(INDEX))]
        start = s.starts(g, of)
        numbers = (
            f"offset_dims = {s.offsets}, collapsed_slice_dims = {s.drop}, operand_batching_dims = {s.batch}, "
            f"start_indices_batching_dims = {s.indexBatch}, start_index_map = {s.map}, index_vector_dim = {s.vector}"
        )
        result = T(s.result, t)
        text = (
            f'"stablehlo.gather"(%0, %1) <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {I(s.sizes)}, '
            f"indices_are_sorted = false}}> : ({T(s.operand, t)}, {T(start.shape, of)}) -> {result}"
        )
        g.add("gather", text, [g.val(t, s.operand), start], [t, of], [result], 0)


def scatters(g):
    kinds = ["add", "multiply", "maximum", "minimum"]
    for t, op in (
        [(t, op) for t in FL + IN for op in kinds]
        + [(t, op) for t in [*IN, "i1"] for op in ("and", "or", "xor")]
        + [(t, "add") for t in CX]
        + [(t, None) for t in [*FL, *IN, "i1", *CX]]
    ):
        s = Slices(g)
        of = INDEX[g.r.integers(0, len(INDEX))]
        start = s.starts(g, of)
        numbers = (
            f"update_window_dims = {s.offsets}, inserted_window_dims = {s.drop}, input_batching_dims = {s.batch}, "
            f"scatter_indices_batching_dims = {s.indexBatch}, scatter_dims_to_operand_dims = {s.map}, index_vector_dim = {s.vector}"
        )
        one = T((), t)
        region = body(op, t) if op else f'({{\n    ^bb0(%x: {one}, %y: {one}):\n      "stablehlo.return"(%y) : ({one}) -> ()\n    }})'
        all_ = T(s.operand, t)
        text = (
            f'"stablehlo.scatter"(%0, %1, %2) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, indices_are_sorted = false, '
            f"unique_indices = false}}> {region} : ({all_}, {T(start.shape, of)}, {T(s.result, t)}) -> {all_}"
        )
        # XLA rounds each of several updates.
        kind, tolerance = ("pos", 16) if op in ("add", "multiply") and t in FL + CX else ("any", 0)
        g.add(f"scatter {op}", text, [g.val(t, s.operand, kind), start, g.val(t, s.result, kind)], [t, of, t], [all_], tolerance)


def sorts(g):
    for t in [*FL, *IN, "i1"]:
        for stable in ("true", "false"):
            shape = g.shape(1, 3, 9)
            d = int(g.r.integers(0, len(shape)))
            kind = "TOTALORDER" if t in FL else "SIGNED" if t in SI else "UNSIGNED"
            direction = ["LT", "GT"][g.r.integers(0, 2)]
            one, number = T((), t), T((), "i32")
            comparator = (
                f"({{\n    ^bb0(%a: {one}, %b: {one}, %c: {number}, %d: {number}):\n"
                f'      %z = "stablehlo.compare"(%a, %b) <{{comparison_direction = #stablehlo<comparison_direction {direction}>, '
                f"compare_type = #stablehlo<comparison_type {kind}>}}> : ({one}, {one}) -> tensor<i1>\n"
                f'      "stablehlo.return"(%z) : (tensor<i1>) -> ()\n    }})'
            )
            types = f"({T(shape, t)}, {T(shape, 'i32')})"
            text = f'"stablehlo.sort"(%0, %1) <{{dimension = {d} : i64, is_stable = {stable}}}> {comparator} : {types} -> {types}'
            x = g.val(t, shape)
            g.add("sort", text, [x, g.val("i32", shape)], [t, "i32"], [T(shape, t), T(shape, "i32")], 0)
    for t in FL + IN:
        shape = g.shape(1, 3, 9)
        k = int(g.r.integers(0, shape[-1] + 1))
        x = g.val(t, shape, "small" if g.r.random() < 0.5 else "any")
        x = np.where(x != x, np.ones_like(x), x) + (np.zeros_like(x) if t in FL else 0)
        result = (*shape[:-1], k)
        text = f'"chlo.top_k"(%0) <{{k = {k} : i64}}> : ({T(shape, t)}) -> ({T(result, t)}, {T(result, "i32")})'
        g.add("chlo.top_k", text, [x.astype(DT[t])], [t], [T(result, t), T(result, "i32")], 0)


def transforms(g):
    for part, t in zip(("f32", "f64"), CX):
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
            for _ in range(3):
                shape = g.shape(1, 4, 8)
                count = int(g.r.integers(1, min(3, len(shape)) + 1))
                half = (*shape[:-1], shape[-1] // 2 + 1)
                source = (shape, part) if kind == "RFFT" else (half, t) if kind == "IRFFT" else (shape, t)
                target = (half, t) if kind == "RFFT" else (shape, part) if kind == "IRFFT" else (shape, t)
                text = (
                    f'"stablehlo.fft"(%0) <{{fft_type = #stablehlo<fft_type {kind}>, fft_length = {I(shape[-count:])}}}> : '
                    f"({T(*source)}) -> {T(*target)}"
                )
                # Sums may cancel, so that an element has less bits than its terms.
                g.add(f"fft {kind}", text, [g.val(source[1], source[0], "small")], [source[1]], [T(*target)], 1 << 14)


def normalizations(g):
    for t in FL:
        for _ in range(2):
            shape = g.shape(1, 4, 6)
            d = int(g.r.integers(0, len(shape)))
            one, all_, attributes = T((shape[d],), t), T(shape, t), f"epsilon = 0.01 : f32, feature_index = {d} : i64"
            x, *features = g.val(t, shape, "small"), *(g.val(t, (shape[d],), "pos") for _ in range(4))
            tolerance = 64 if t in ("f16", "bf16") else 1 << 14
            text = f'"stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{{{attributes}}}> : ({all_}, {one}, {one}, {one}, {one}) -> {all_}'
            g.add("batch_norm_inference", text, [x, *features], [t] * 5, [all_], tolerance)
            # XLA's variance of few bits is another one, and that of few elements is not quite 0.
            if t in ("f16", "bf16") or x.size < 3 * shape[d]:
                continue
            text = f'"stablehlo.batch_norm_training"(%0, %1, %2) <{{{attributes}}}> : ({all_}, {one}, {one}) -> ({all_}, {one}, {one})'
            g.add("batch_norm_training", text, [x, *features[:2]], [t] * 3, [all_, one, one], tolerance)


def argumentOfLargest(t, of):
    """The body that JAX writes for argmax: of equal ones the first, and NaN is larger than all."""
    a, i, yes = T((), t), T((), of), "tensor<i1>"

    def compare(name, x, y, direction, type_):
        return (
            f'      %{name} = "stablehlo.compare"(%{x}, %{y}) <{{comparison_direction = #stablehlo<comparison_direction {direction}>}}> : '
            f"({type_}, {type_}) -> {yes}\n"
        )

    def logic(name, op, x, y):
        return f'      %{name} = "stablehlo.{op}"(%{x}, %{y}) : ({yes}, {yes}) -> {yes}\n'

    return (
        f"({{\n    ^bb0(%a: {a}, %i: {i}, %b: {a}, %j: {i}):\n"
        + compare("gt", "a", "b", "GT", a)
        + compare("ne", "a", "a", "NE", a)
        + logic("or", "or", "gt", "ne")
        + compare("eq", "a", "b", "EQ", a)
        + compare("lt", "i", "j", "LT", i)
        + logic("and", "and", "eq", "lt")
        + logic("first", "or", "or", "and")
        + f'      %v = "stablehlo.select"(%or, %a, %b) : ({yes}, {a}, {a}) -> {a}\n'
        + f'      %w = "stablehlo.select"(%first, %i, %j) : ({yes}, {i}, {i}) -> {i}\n'
        + f'      "stablehlo.return"(%v, %w) : ({a}, {i}) -> ()\n    }})'
    )


def bodies(g):
    for t in FL + IN:
        shape, of = g.shape(1, 3, 7), ["i32", "i64", "ui8"][g.r.integers(0, 3)]
        d = int(g.r.integers(0, len(shape)))
        result = shape[:d] + shape[d + 1 :]
        least = np.asarray(-np.inf if t in FL else np.iinfo(DT[t]).min).astype(DT[t])
        number = np.broadcast_to(np.arange(shape[d]).reshape([-1 if k == d else 1 for k in range(len(shape))]), shape).astype(DT[of])
        types = f"({T(shape, t)}, {T(shape, of)}, {T((), t)}, {T((), of)})"
        results = [T(result, t), T(result, of)]
        text = (
            f'"stablehlo.reduce"(%0, %1, %2, %3) <{{dimensions = {I([d])}}}> {argumentOfLargest(t, of)} : {types} -> '
            f"({', '.join(results)})"
        )
        g.add("reduce argmax", text, [g.val(t, shape), number, least, np.zeros((), DT[of])], [t, of, t, of], results, 0)
        shape, one = g.shape(), T((), t)
        text = (
            f'"stablehlo.map"(%0, %1) <{{dimensions = {I(range(len(shape)))}}}> ({{\n    ^bb0(%x: {one}, %y: {one}):\n'
            f'      %m = "stablehlo.maximum"(%x, %y) : ({one}, {one}) -> {one}\n'
            f'      %n = "stablehlo.negate"(%m) : ({one}) -> {one}\n'
            f'      "stablehlo.return"(%n) : ({one}) -> ()\n    }}) : ({T(shape, t)}, {T(shape, t)}) -> {T(shape, t)}'
        )
        g.add("map", text, [g.val(t, shape), g.val(t, shape)], [t, t], [T(shape, t)], 0)


def branches(g):
    """Branches and a loop, whose bodies use values from around them."""
    for t in FL + IN + CX:
        shape = g.shape()
        type_ = T(shape, t)

        def branch(op):
            return f'{{\n      %z = "stablehlo.{op}"(%1, %2) : ({type_}, {type_}) -> {type_}\n      "stablehlo.return"(%z) : ({type_}) -> ()\n    }}'

        values = [g.val(t, shape, "small"), g.val(t, shape, "small")]
        tolerance = 8 if t in CX else 1
        text = f'"stablehlo.if"(%0) ({branch("add")}, {branch("multiply")}) : (tensor<i1>) -> {type_}'
        g.add("if", text, [g.val("i1", ()), *values], ["i1", t, t], [type_], tolerance)
        number = np.asarray(g.r.integers(-2, 5)).astype(np.int32)
        text = f'"stablehlo.case"(%0) ({branch("subtract")}, {branch("add")}, {branch("multiply")}) : (tensor<i32>) -> {type_}'
        g.add("case", text, [number, *values], ["i32", t, t], [type_], tolerance)
        pair = f"(tensor<i32>, {type_})"
        text = (
            f'"stablehlo.while"(%0, %1) ({{\n    ^bb0(%i: tensor<i32>, %x: {type_}):\n'
            f'      %z = "stablehlo.compare"(%i, %3) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : '
            f'(tensor<i32>, tensor<i32>) -> tensor<i1>\n      "stablehlo.return"(%z) : (tensor<i1>) -> ()\n    }}, {{\n'
            f'    ^bb0(%i: tensor<i32>, %x: {type_}):\n      %k = "stablehlo.constant"() <{{value = dense<1> : tensor<i32>}}> : () -> tensor<i32>\n'
            f'      %j = "stablehlo.add"(%i, %k) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n'
            f'      %y = "stablehlo.subtract"(%2, %x) : ({type_}, {type_}) -> {type_}\n'
            f'      "stablehlo.return"(%j, %y) : {pair} -> ()\n    }}) : {pair} -> {pair}'
        )
        first, limit = (np.asarray(g.r.integers(0, 6)).astype(np.int32) for _ in range(2))
        g.add("while", text, [first, *values, limit], ["i32", t, t, "i32"], ["tensor<i32>", type_], tolerance)


def operandShapes(g):
    for t in [*FL, *IN, "i1", *CX]:

        def one(name, attributes, x, lists, result):
            """Lists are constants of XLA, which needs shapes before it runs."""
            of = ["i32", "i64"][g.r.integers(0, 2)]
            lines = [
                f'%k{k} = "stablehlo.constant"() <{{value = dense<{list(map(int, v))}> : tensor<{len(v)}x{of}>}}> : () -> tensor<{len(v)}x{of}>'
                if len(v)
                else f'%k{k} = "stablehlo.constant"() <{{value = dense<> : tensor<0x{of}>}}> : () -> tensor<0x{of}>'
                for k, v in enumerate(lists)
            ]
            operands = [f"%{k}" for k in range(len(x))] + [f"%k{k}" for k in range(len(lists))]
            types = [T(v.shape, t) for v in x] + [f"tensor<{len(v)}x{of}>" for v in lists]
            attributes = f" <{{{attributes}}}>" if attributes else ""
            text = f'"stablehlo.{name}"({", ".join(operands)}){attributes} : ({", ".join(types)}) -> {T(result, t)}'
            g.add(name, ";;".join([*lines, text]), x, [t] * len(x), [T(result, t)], 0)

        shape = g.shape(1, 3)
        x = g.val(t, shape)
        one("dynamic_broadcast_in_dim", f"broadcast_dimensions = {I(range(1, len(shape) + 1))}", [x], [(2, *shape)], (2, *shape))
        one("dynamic_reshape", "", [x], [(x.size, 1)], (x.size, 1))
        low, high, inner = ([int(v) for v in g.r.integers(0, 3, len(shape))] for _ in range(3))
        out = tuple(d + max(d - 1, 0) * i + a + b for d, i, a, b in zip(shape, inner, low, high))
        one("dynamic_pad", "", [x, g.val(t, ())], [low, high, inner], out)
        start = [int(g.r.integers(0, d + 1)) for d in shape]
        limit = [int(g.r.integers(a, d + 1)) for a, d in zip(start, shape)]
        step = [int(v) for v in g.r.integers(1, 4, len(shape))]
        one("real_dynamic_slice", "", [x], [start, limit, step], tuple(-(-(b - a) // s) for a, b, s in zip(start, limit, step)))
        if t != "i1" and t not in CX:
            one("dynamic_iota", f"iota_dimension = {len(shape) - 1} : i64", [], [shape], shape)
        one("broadcast", "broadcast_sizes = array<i64: 2, 1>", [x], [], (2, 1, *shape))
        size = f'"stablehlo.get_dimension_size"(%0) <{{dimension = 0 : i64}}> : ({T(shape, t)}) -> tensor<i32>'
        g.add("get_dimension_size", size, [x], [t], ["tensor<i32>"], 0)


def programs(g):
    gathers(g)
    scatters(g)
    sorts(g)
    transforms(g)
    normalizations(g)
    bodies(g)
    branches(g)
    operandShapes(g)
