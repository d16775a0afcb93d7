# SPDX-License-Identifier: Apache-2.0
"""(x + 12582912) - 12582912 became x at -O2: it rounds x, as x * 2^100 / 2^100 limits it and casts to a narrower type do both.

Models with such tricks keep their nodes and their results, bit for bit, at -O1 and -O2. What is rewritten of seeded random
pairs of constants stays within the bound of its pattern: 2 ulp of the largest term of a sum, 3 ulp of a product.
"""

import numpy as np
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(t.options.seed)
DIGITS = {np.float16: 11, np.float32: 24, np.float64: 53}
MAGIC = {kind: 1.5 * 2.0 ** (digits - 1) for kind, digits in DIGITS.items()}


def values(kind=np.float32, count=200):
    """Halves and their neighbours, numbers of all sizes, and special ones."""
    halves = np.arange(-20, 21, dtype=kind) / kind(2)
    sizes = np.ldexp(RANDOM.uniform(1, 2, count), RANDOM.integers(-14, 15, count)) * RANDOM.choice([-1, 1], count)
    special = [0, -0.0, np.inf, -np.inf, np.nan, np.finfo(kind).max, np.finfo(kind).tiny]
    both = [halves, np.nextafter(halves, kind(9)), np.nextafter(halves, kind(-9)), sizes.astype(kind), np.array(special, kind)]
    return np.concatenate(both).astype(kind)


def stays(folder, nodes, x, left=None, **tensors):
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    model = m.model(nodes, [info("x", x.shape, kind)], [info("y", x.shape, kind)], [const(*one) for one in tensors.items()])
    for level in ("-O1", "-O2"):
        with np.errstate(all="ignore"):
            out = cleaned(folder, model, level, feeds=[{"x": x}])
        assert m.operators(out) == (left or [one.op_type for one in nodes]), level


@pytest.mark.parametrize("kind", DIGITS)
def test_sums(kind, folder):
    for scale in (1.0, 0.0625):
        c = kind(MAGIC[kind] * scale)
        for first, second, back in (("Add", "Sub", c), ("Sub", "Add", c), ("Add", "Add", -c)):
            stays(folder, [node(first, ["x", "c"], ["a"]), node(second, ["a", "d"], ["y"])], values(kind), c=c, d=back)
            stays(folder, [node(first, ["c", "x"][:: 1 if first == "Add" else -1], ["a"]), node(second, ["a", "d"], ["y"])], values(kind), c=c, d=back)


@pytest.mark.parametrize("kind", DIGITS)
def test_three_sums(kind, folder):
    """The constants cancel all together only, and beside another operand."""
    c = kind(MAGIC[kind])
    first, one = node("Add", ["x", "c"], ["a"]), {"c": c, "e": kind(1)}
    stays(folder, [first, node("Add", ["a", "e"], ["b"]), node("Sub", ["b", "d"], ["y"])], values(kind), d=kind(c + 1), **one)
    stays(folder, [first, node("Add", ["a", "x"], ["b"]), node("Sub", ["b", "c"], ["y"])], values(kind), c=c)


@pytest.mark.parametrize("kind", DIGITS)
def test_products(kind, folder):
    far = {np.float16: 12, np.float32: 100, np.float64: 1000}[kind]
    for k in (1, 3, far, -far):
        there, back = kind(2.0**k), kind(2.0**-k)
        for first, second, d in (("Mul", "Div", there), ("Div", "Mul", there), ("Mul", "Mul", back), ("Div", "Div", back)):
            stays(folder, [node(first, ["x", "c"], ["a"]), node(second, ["a", "d"], ["y"])], values(kind), c=there, d=d)


@pytest.mark.parametrize(
    "kinds",
    [
        (TensorProto.FLOAT, TensorProto.FLOAT16),
        (TensorProto.FLOAT, TensorProto.BFLOAT16),
        (TensorProto.FLOAT, TensorProto.INT32),
        (TensorProto.FLOAT, TensorProto.INT8),
        (TensorProto.FLOAT, TensorProto.BOOL),
        (TensorProto.DOUBLE, TensorProto.FLOAT),
        (TensorProto.INT64, TensorProto.FLOAT),
        (TensorProto.INT64, TensorProto.DOUBLE),
        (TensorProto.INT32, TensorProto.FLOAT),
        (TensorProto.INT32, TensorProto.FLOAT16),
    ],
)
def test_casts(kinds, folder):
    wide, narrow = kinds
    kind = helper.tensor_dtype_to_np_dtype(wide)
    x = RANDOM.integers(-100, 100, 64).astype(kind) if kind.kind == "i" else RANDOM.uniform(-100, 100, 64).astype(kind)
    if kind.kind == "i":
        x[:8] = [2**24 + 1, 2049, -2049, 2**31 - 1, -(2**31), 16777219, 33554435, 77]
    stays(folder, [node("Cast", ["x"], ["a"], to=narrow), node("Cast", ["a"], ["y"], to=wide)], x)


def linear(folder, nodes, left, **tensors):
    x = (RANDOM.standard_normal((1, 2, 5)) * 3).astype(np.float32)
    shape = (1, 2, 5) if "w" not in tensors or tensors["w"].ndim == 3 else (5, 2)
    model = m.model(nodes, [info("x", shape)], [info("y", (None,) * len(shape))], [const(*one) for one in tensors.items()])
    out = m.folded(folder, model, "-O2", feeds=[{"x": x.reshape(shape)}], runs=False)
    assert m.operators(out) == left


def test_addends_of_linear_operators(folder):
    """Conv, Gemm, MatMul and BatchNormalization do not take the number in, nor give it away."""
    c, w, one = np.float32([12582912.0, 12582912.0]), RANDOM.standard_normal((2, 2, 1)).astype(np.float32), np.ones(2, np.float32)
    zero, column = np.zeros(2, np.float32), np.float32([[12582912.0], [12582912.0]])
    conv = node("Conv", ["x", "w"], ["a"])
    linear(folder, [conv, node("Add", ["a", "c"], ["b"]), node("Sub", ["b", "c"], ["y"])], ["Conv", "Add", "Sub"], w=w, c=column)
    biased = node("Conv", ["x", "w", "c"], ["a"])
    linear(folder, [biased, node("Sub", ["a", "d"], ["y"])], ["Conv", "Sub"], w=w, c=c, d=column)
    linear(folder, [biased, node("Mul", ["a", "d"], ["y"])], ["Conv", "Mul"], w=w, c=c, d=np.float32(2))
    norm = node("BatchNormalization", ["a", "one", "beta", "mean", "one"], ["y"])
    for beta, mean, first in ((zero, c, biased), (c, c, conv), (c, zero, conv), (zero, c, conv)):
        tensors = {"w": w, "one": one, "beta": beta, "mean": mean}
        linear(folder, [first, norm], ["Conv", "BatchNormalization"], **tensors, **({"c": c} if first is biased else {}))
    flat, product = w[:, :, 0], node("MatMul", ["x", "w"], ["a"])
    linear(folder, [product, node("Add", ["a", "c"], ["b"]), node("Sub", ["b", "c"], ["y"])], ["MatMul", "Add", "Sub"], w=flat, c=c)
    gemm = node("Gemm", ["x", "w", "c"], ["a"])
    linear(folder, [gemm, node("Sub", ["a", "c"], ["y"])], ["Gemm", "Sub"], w=flat, c=c)


def test_addends_that_cancel(folder):
    """A bias of one channel that is taken away again rounds too, if it is much larger than the sums; ordinary ones are added."""
    w = RANDOM.standard_normal((2, 2, 1)).astype(np.float32)
    nodes = [node("Conv", ["x", "w", "c"], ["a"]), node("Sub", ["a", "d"], ["y"])]
    c, near = np.float32([4096.0, 0.5]), np.float32([[4095.5], [0.25]])
    linear(folder, nodes, ["Conv", "Sub"], w=w, c=c, d=np.float32([[4096.0], [0.25]]))
    linear(folder, nodes, ["Conv", "Sub"], w=w, c=c, d=near)
    linear(folder, nodes, ["Conv"], w=w, c=np.float32([0.5, -0.25]), d=np.float32([[0.375], [0.125]]))


def test_a_channel_that_cancels_by_chance(folder):
    """One of sixteen biases is about that of the next node: nobody rounds one channel of many."""
    w = RANDOM.standard_normal((16, 2, 1)).astype(np.float32)
    nodes = [node("Conv", ["x", "w", "c"], ["a"]), node("Sub", ["a", "d"], ["y"])]
    c = RANDOM.uniform(1, 2, 16).astype(np.float32)
    d = RANDOM.uniform(3, 4, (16, 1)).astype(np.float32)
    for count, left in ((1, ["Conv"]), (2, ["Conv", "Sub"])):
        d[:count, 0] = np.nextafter(c[:count], np.float32(9))
        linear(folder, nodes, left, w=w, c=c, d=d)


def test_einsum(folder):
    """Of constants that are infinite together with x no product is made."""
    nodes = [node("Einsum", ["x", "c", "d"], ["y"], equation="ab,b,b->ab")]
    for c, d, left in ((2.0**100, 2.0**-100, 3), (2.0, 0.5, 2)):
        model = m.model(nodes, [info("x", (3, 2))], [info("y", (3, 2))], [const("c", np.float32([c, c])), const("d", np.float32([d, d]))])
        out = m.folded(folder, model, "-O2")
        assert [len(one.input) for one in out.graph.node] == [left]


def ulp(value, kind):
    return np.spacing(np.maximum(np.abs(value), np.finfo(kind).tiny).astype(kind)).astype(np.longdouble)


@pytest.mark.parametrize("kind", DIGITS)
@pytest.mark.parametrize("operators", [("Add", "Sub"), ("Mul", "Div")])
def test_bounds(kind, operators, folder):
    """Pairs of constants of all signs and sizes, in one model; most are left, some become one node."""
    count, reach = (2000 if t.options.long else 200), {np.float16: 5, np.float32: 20, np.float64: 40}[kind]
    numbers = np.ldexp(RANDOM.uniform(1, 2, (count, 2)), RANDOM.integers(-reach, reach, (count, 2))) * RANDOM.choice([-1, 1], (count, 2))
    kinds = RANDOM.integers(0, 2, (count, 2))
    x = np.ldexp(RANDOM.uniform(1, 2, 100), RANDOM.integers(-4, 5, 100)).astype(kind) * RANDOM.choice([-1, 1], 100).astype(kind)
    nodes, outputs, tensors = [], [], []
    for i in range(count):
        tensors += [const(f"c{i}", numbers[i, 0], kind), const(f"d{i}", numbers[i, 1], kind)]
        nodes += [node(operators[kinds[i, 0]], ["x", f"c{i}"], [f"a{i}"]), node(operators[kinds[i, 1]], [f"a{i}", f"d{i}"], [f"y{i}"])]
        outputs.append(info(f"y{i}", x.shape, helper.np_dtype_to_tensor_dtype(np.dtype(kind))))
    model = m.model(nodes, [info("x", x.shape, outputs[0].type.tensor_type.elem_type)], outputs, tensors)
    out = m.folded(folder, model, "-O2", runs=False)
    made, changed = {one.output[0]: one for one in out.graph.node}, 0
    one = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}
    for i in range(count):
        last = made[f"y{i}"]
        if last.input[0] != "x":
            continue
        changed += 1
        c, d = (kind(number) for number in numbers[i])
        with np.errstate(all="ignore"):
            between = one[operators[kinds[i, 0]]](x, c)
            before = one[operators[kinds[i, 1]]](between, d)
            after = one[last.op_type](x, m.constantValue(out.graph, last.input[1]).astype(kind))
        isNormal = np.isfinite(before) & (np.abs(before) >= np.finfo(kind).tiny) & np.isfinite(between) & (np.abs(between) >= np.finfo(kind).tiny)
        largest = np.max([np.abs(x), np.full_like(x, np.abs(c)), np.full_like(x, np.abs(d)), np.abs(before)], axis=0)
        allowed = 2 * ulp(largest, kind) if operators[0] == "Add" else 3 * ulp(before, kind)
        error = np.abs(before.astype(np.longdouble) - after.astype(np.longdouble))
        assert (error <= allowed)[isNormal | (operators[0] == "Add")].all(), (kind, last.op_type, c, d)
    assert changed >= count // 20, "too few are rewritten to say anything"
