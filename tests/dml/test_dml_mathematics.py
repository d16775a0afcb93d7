# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: elementary functions, bits, remainders, norms and determinants on SystemDS, where the node tests do not look."""

import math

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_systemds as systemds

SPECIAL = [0, -0.0, 1e-300, 1e-20, -1e-9, 0.3, -0.5, 0.99999, 1, -1, 1.5, -3, 7, 1e9, -1e200, np.inf, -np.inf, np.nan]


def typed(array):
    return onnx.helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def expect(folder, op, inputs, wanted, constants=(), opset=21, rtol=1e-12, atol=0, options=(), shapes=None, **attributes):
    """One node; the inputs whose numbers are in `constants` are such. `shapes`: of inputs, where they are not fixed."""
    names = [f"x{i}" for i in range(len(inputs))]
    node = m.node(op, names, ["y"], **attributes)
    shapes = shapes or [array.shape for array in inputs]
    infos = [m.info(names[i], shapes[i], typed(array)) for i, array in enumerate(inputs) if i not in constants]
    tensors = [m.const(names[i], inputs[i]) for i in constants]
    dims = ["batch", *wanted.shape[1:]] if "batch" in (shapes[0] or [])[:1] else wanted.shape
    model = m.model([node], infos, [m.info("y", dims, typed(wanted))], tensors, opset=opset)
    given = [array for i, array in enumerate(inputs) if i not in constants]
    return systemds.expectSame(folder, model, given, [wanted], options, rtol=rtol, atol=atol)


@pytest.mark.parametrize(
    "op, function", [("Erf", np.vectorize(math.erf)), ("Asinh", np.arcsinh), ("Acosh", np.arccosh), ("Atanh", np.arctanh)]
)
def test_function(folder, op, function):
    x = np.concatenate([SPECIAL, np.random.default_rng(1).normal(size=300) * 3])
    with np.errstate(all="ignore"):
        wanted = function(x)
    expect(folder, op, [x], wanted, opset=22 if op != "Erf" else 13)


def test_gelu(folder):
    x = np.concatenate([np.linspace(-9, 9, 60), [np.nan]])
    exact = 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    expect(folder, "Gelu", [x], exact, atol=1e-14)
    near = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    expect(folder, "Gelu", [x], near, atol=1e-14, approximate="tanh")


def test_mish(folder):
    x = np.concatenate([np.linspace(-800, 800, 33), np.linspace(-3, 3, 40), [np.inf, np.nan]])
    with np.errstate(all="ignore"):
        wanted = x * np.tanh(np.logaddexp(x, 0))
    expect(folder, "Mish", [x], wanted, opset=22)


@pytest.mark.parametrize("negative", [0, 1])
@pytest.mark.parametrize("positive", [0, 1])
def test_is_inf(folder, negative, positive):
    x = np.float32([[np.inf, -np.inf, np.nan], [3e38, 0, -1]])
    wanted = (x == np.inf) * bool(positive) + (x == -np.inf) * bool(negative) > 0
    expect(folder, "IsInf", [x], wanted, detect_negative=negative, detect_positive=positive)


def test_shrink(folder):
    x = np.float32([[-3, -1.5, -1, 0, np.nan], [1, 1.5, 2, np.inf, -np.inf]])
    wanted = np.where(x < -1.5, x + 1, np.where(x > 1.5, x - 1, 0)).astype(np.float32)
    expect(folder, "Shrink", [x], wanted, lambd=1.5, bias=1.0)
    x = np.int32([[-3, -2, 0], [2, 3, 4]])
    wanted = np.where(x < -2, x + 1, np.where(x > 2, x - 1, 0)).astype(np.int32)
    expect(folder, "Shrink", [x], wanted, lambd=2.0, bias=1.0)


# ---- remainders and powers ---------------------------------------------------------------------------------------------

DIVIDENDS = [5.3, -5.3, 1e17, 3e-7, 0, np.inf, 2, np.nan, 7, -7, 1e300, 0.3]
DIVISORS = [0.1, 0.7, 3, -1e-9, 2, 3, np.inf, 1, -np.inf, np.inf, 1e-300, 0.1]


@pytest.mark.parametrize("fmod", [0, 1])
def test_mod_of_floats(folder, fmod):
    """floor(x / y) * y is wrong where the quotient has more than 53 bits, or rounds up."""
    x, y = np.array(DIVIDENDS), np.array(DIVISORS)
    with np.errstate(all="ignore"):
        wanted = np.fmod(x, y) if fmod else np.mod(x, y)
    expect(folder, "Mod", [x, y], wanted, opset=13, fmod=fmod, rtol=0)


@pytest.mark.parametrize("type", [np.int8, np.int32, np.int64, np.uint16])
@pytest.mark.parametrize("fmod", [0, 1])
def test_mod_of_integers(folder, type, fmod):
    x = np.arange(-12, 12).reshape(2, 12).astype(type)
    y = np.array([[5], [7]], type)
    if np.issubdtype(type, np.signedinteger):
        y[1] = -7
    expect(folder, "Mod", [x, y], np.fmod(x, y) if fmod else np.mod(x, y), opset=13, fmod=fmod)


def test_mod_of_large_integers(folder):
    x = np.int64([2**53 - 1, -(2**53) + 1, 2**52 + 1, 2**53 - 3])
    y = np.int64([2**26 + 1, 3, 2**52, 2**53 - 2])
    expect(folder, "Mod", [x, y], np.mod(x, y), opset=13)
    expect(folder, "Div", [x, y], np.int64([int(a / b) if a < 0 else a // b for a, b in zip(x.tolist(), y.tolist())]))


def test_pow(folder):
    """Java's pow of 1 and NaN, and of 1 or -1 and infinity, is NaN."""
    x = np.array([[1, 1, -1, -1], [2, -2, 0, np.nan]])
    y = np.array([np.nan, np.inf, -np.inf, 0])
    with np.errstate(all="ignore"):
        expect(folder, "Pow", [x, y], x**y)
        expect(folder, "Pow", [x, np.array([3.0])], x**3.0, constants=[1])
        expect(folder, "Pow", [x[:1], y], x[:1] ** y, constants=[1])
    x = np.int32([[-3, 2], [7, 10]])
    expect(folder, "Pow", [x, np.int64([3])], x**3)


@pytest.mark.parametrize("type", [np.uint8, np.uint16, np.uint32, np.uint64])
@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_bit_shift(folder, type, direction):
    bits = np.dtype(type).itemsize * 8
    x = np.array([[1, 3, 200, 255]], type)
    y = np.array([[0], [1], [5], [bits - 1]], type)
    expect(folder, "BitShift", [x, y], x << y if direction == "LEFT" else x >> y, opset=11, direction=direction)
    out = np.array([[bits], [200]], type)
    expect(folder, "BitShift", [x, out], np.zeros((2, 4), type), opset=11, direction=direction)


@pytest.mark.parametrize("type", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_bits(folder, type):
    limits = np.iinfo(type)
    low, high = max(limits.min, -(2**53)), min(limits.max, 2**53 - 1)
    rng = np.random.default_rng(2)
    x = rng.integers(low, high, (3, 5), dtype=type, endpoint=True)
    y = rng.integers(low, high, (5,), dtype=type, endpoint=True)
    x[0, :3] = [low, high, 0]
    expect(folder, "BitwiseAnd", [x, y], x & y)
    expect(folder, "BitwiseOr", [x, y], x | y)
    expect(folder, "BitwiseXor", [y, x], x ^ y)
    if type is not np.uint64:
        expect(folder, "BitwiseNot", [x], ~x)


# ---- norms and determinants --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_lp_normalization(folder, p, axis):
    x = np.random.default_rng(3).normal(size=(3, 4, 2))
    x[:, 1, :], x[0], x[..., 1] = 0, 0, 0
    norm = np.linalg.norm(x, p, axis, keepdims=True)
    expect(folder, "LpNormalization", [x], x / np.where(norm == 0, 1, norm), opset=22, p=p, axis=axis, atol=1e-15)


@pytest.mark.parametrize("axes", [[0, 2, 3], [1], [0, 2], [3, 1], [2, 3]])
def test_mean_variance(folder, axes):
    x = np.random.default_rng(4).normal(size=(3, 4, 2, 5)).astype(np.float32)
    wide = x.astype(np.float64)
    axis = tuple(axes)
    wanted = (wide - wide.mean(axis, keepdims=True)) / (wide.std(axis, keepdims=True) + 1e-9)
    expect(folder, "MeanVarianceNormalization", [x], wanted.astype(np.float32), opset=13, axes=axes, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("opset", [18, 21])
@pytest.mark.parametrize("shape", [(2, 6, 3), (2, 4, 3, 2), (3, 4)])
def test_group_normalization(folder, opset, shape):
    """A free batch size, and more groups than one."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=shape).astype(np.float32)
    groups, channels = 2, shape[1]
    count = groups if opset == 18 else channels
    scale, bias = rng.normal(size=(2, count)).astype(np.float32)
    rows = x.astype(np.float64).reshape(shape[0], groups, -1)
    rows = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)
    column = lambda v: np.repeat(v, channels // count).reshape(-1, *[1] * (len(shape) - 2))
    wanted = (rows.reshape(shape) * column(scale) + column(bias)).astype(np.float32)
    shapes = [["batch", *shape[1:]], scale.shape, bias.shape]
    expect(
        folder, "GroupNormalization", [x, scale, bias], wanted, [1, 2], opset, 1e-5, 1e-6, shapes=shapes, num_groups=groups
    )


def test_mean_of_several(folder):
    rng = np.random.default_rng(6)
    inputs = [rng.normal(size=shape).astype(np.float32) for shape in ((3, 1, 2), (4, 1), (2,), ())]
    wanted = (inputs[0] + inputs[1] + inputs[2] + inputs[3]) / 4
    expect(folder, "Mean", inputs, wanted, rtol=1e-5, atol=1e-6)
    expect(folder, "Mean", inputs[:1], inputs[0])


def test_det(folder):
    """The builtin takes pivots below 1e-11 for zero."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(2, 4, 3, 3))
    x[0, 0] = np.diag([1e-12, 1e12, 3])
    x[0, 1] = [[0, 1, 2], [3, 0, 1], [1, 1, 0]]
    x[0, 2] = [[1, 2, 3], [2, 4, 6], [1, 1, 1]]
    x[0, 3] = np.nan
    wanted = np.linalg.det(x)
    wanted[0, 2] = 0
    expect(folder, "Det", [x], wanted, opset=22, atol=1e-14)
    expect(folder, "Det", [x], wanted, opset=22, atol=1e-14, shapes=[["batch", 4, 3, 3]])
    expect(folder, "Det", [np.array([[3.5]])], np.array(3.5), opset=22)


def test_sigmoid_alone(folder):
    """SystemDS 3.4.0 does not compile a function whose only statement is y = sigmoid(x)."""
    x = np.linspace(-3, 3, 6).reshape(2, 3)
    expect(folder, "Sigmoid", [x], 1 / (1 + np.exp(-x)))


DIFFERENCES = ["d = Sub (x, m) y = Neg (d)", "d = Sub (x, r) y = Sigmoid (d)", "d = Sub (x, m) y = Sub (r, d)", "d = Sub (x, r) y = Mul (d, k)",
               "d = Sub (x, m) e = Sub (x, d) y = Neg (e)", "d = Sub (x, r) e = Reshape (d, s) y = Neg (e)", "d = Sub (x, m) y = Mul (d, d)",
               "d = Sub (r, x) y = Neg (d)"]


@pytest.mark.parametrize("body", DIFFERENCES)
def test_negated_differences(folder, body):
    """SystemDS 3.4.0 makes y - x of -(x - y), and refuses it where y is a row or a column ("invalid binary broadcasting from left"),
    but not what is written as x + (-y)."""
    made = onnx.parser.parse_model(f'''<ir_version: 8, opset_import: ["": 17]> net (float[N,3] x) => (float[N,3] y)
        <float[3] r = {{1, 2, 3}}, float k = {{-1}}, int64[2] s = {{-1, 3}}> {{ m = ReduceMean <axes: ints = [1]> (x) {body} }}''')
    text = systemds.expectSame(folder, made, [np.random.default_rng(3).standard_normal((4, 3)).astype(np.float32)])
    assert ("+ (-" in text) == (body not in DIFFERENCES[-2:])
