# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: builtins that compare or cut numbers, of NaN, infinities, ties and fractions, give what SystemDS gives."""

import numpy as np
import pytest

from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, runModel

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

NAN, INF = np.nan, np.inf
COLUMNS = {
    "some": [3, NAN, 1, 3, NAN, INF, -INF, 0, 1],
    "first": [NAN, 2, 2, -1, INF, NAN, 5, -INF, INF],
    "infinite": [INF, 2, -INF, INF, 1, 0, 2, 1, -INF],
    "all": [NAN] * 9,
    "none": [3, 1, 2, 3, 1, 2, 5, -1, 0],
}
columns = pytest.mark.parametrize("kind", list(COLUMNS))
sizes = pytest.mark.parametrize("fixed", [False, True], ids=["free", "fixed"])


def column(kind):
    return np.float64(COLUMNS[kind]).reshape(-1, 1)


@sizes
@columns
def test_order_of_one_column(folder, kind, fixed):
    body = "y = order(target=x, by=1)\nz = order(target=x, decreasing=TRUE)"
    expectSame(folder, body, {"x": column(kind)}, ["y", "z"], fixed=fixed)


@columns
def test_order_of_rows(folder, kind):
    """SystemDS puts NaN anywhere here; in the model it is where one column has it."""
    x = np.hstack([np.arange(9.0).reshape(-1, 1), column(kind)])
    (folder / "a.dml").write_text(
        "x = read($x)\nup = order(target=x, by=2)\ndown = order(target=x, by=2, decreasing=TRUE)\n"
        "i = order(target=x, by=2, index.return=TRUE)\nj = order(target=x, by=2, decreasing=TRUE, index.return=TRUE)\n"
        + "".join(f"write({name}, ${name})\n" for name in ("up", "down", "i", "j")))
    up, down, i, j = runModel(convert(folder / "a.dml"), {"x": x})
    rising = np.lexsort((np.arange(9), x[:, 1]))  # NaN last, equal ones in their order
    isNan = np.isnan(x[:, 1])
    falling = np.lexsort((np.arange(9), -np.where(isNan, 0, x[:, 1]), ~isNan))
    np.testing.assert_array_equal(i[:, 0], rising + 1)
    np.testing.assert_array_equal(up, x[rising])
    np.testing.assert_array_equal(j[:, 0], falling + 1)
    np.testing.assert_array_equal(down, x[falling])


@sizes
@columns
def test_counts_of_distinct_values(folder, kind, fixed):
    """NaN is one value, and not the infinity as which it is ordered."""
    x = column(kind).reshape(3, 3)
    body = "y = rowCountDistinct(x)\nz = colCountDistinct(x)\nn = as.matrix(countDistinct(x))\nm = as.matrix(nrow(unique(x)))"
    expectSame(folder, body, {"x": x}, ["y", "z", "n", "m"], fixed=fixed)


@columns
def test_counts_along_a_direction(folder, kind):
    body = "y = countDistinct(x, dir='r')\nz = countDistinct(x, dir='c')\nn = as.matrix(countDistinct(x, dir='rc'))"
    expectSame(folder, body, {"x": column(kind).reshape(3, 3)}, ["y", "z", "n"])


@columns
def test_contains_a_number_that_is_computed(folder, kind):
    """It may be NaN."""
    body = "\n".join(f"y{i} = as.matrix(as.integer(contains(target=x, pattern=as.scalar(x[{i}, 1]) + k)))\nk = k * 2" for i in range(1, 10))
    expectSame(folder, "k = 0\n" + body, {"x": column(kind)}, [f"y{i}" for i in range(1, 10)])


@columns
def test_codes(folder, kind):
    body = '[y, m] = transformencode(target=as.frame(x), spec="{ids:true,recode:[1]}")'
    expectSame(folder, body, {"x": column(kind)}, ["y"], fixed=True)


BITS = [2.5, -2.5, 0.9999, -0.5, 1073741824, 2147483647, -2147483648, 5e9, -5e9, INF, -INF, NAN, 3, -7]


@pytest.mark.parametrize("places", ["1", "3", "31", "33", "-1", "2.9", "k"])
def test_bits_are_32_without_fractions(folder, places):
    """bitwShiftL() once shifted the fraction, too, and nothing was cut off."""
    body = f"y = bitwShiftL(x, {places})\nz = bitwShiftR(x, {places})\na = bitwAnd(x, {places})\nb = bitwOr(x, {places})\nc = bitwXor(x, {places})"
    k = np.arange(14.0).reshape(-1, 1) * 2.7
    expectSame(folder, body, {"x": np.float64(BITS).reshape(-1, 1), "k": k}, list("yzabc"), fixed=False)


INTEGERS = [(5_000_000_000, 1), (1024, 33), (-7, 63), (-5_000_000_000, 2), (2147483647, -1), (12, 0), (5 * 10**18, 63), (-5 * 10**18, 63)]


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("a, b", INTEGERS)
def test_bits_of_two_integers(folder, a, b, known):
    """Java keeps the lower 32 bits of integers, and shifts all 64 to the right; of numbers it takes the nearest of 32 bits."""
    operands = f"i = as.integer({float(a)})\nj = {b}\n" if known else "i = as.integer(as.scalar(x[1, 1]))\nj = as.integer(as.scalar(x[2, 1]))\n"
    names = {"y": "bitwShiftL", "z": "bitwShiftR", "a": "bitwAnd", "b": "bitwOr", "c": "bitwXor"}
    body = operands + "\n".join(f"{name} = matrix({function}(i, j), 1, 1) + 0 * sum(x)" for name, function in names.items())
    expectSame(folder, body, {"x": np.float64([[a], [b]])}, list(names), fixed=False)


def test_shifted_numbers_that_are_known(folder):
    """They are sizes, indices and trip counts."""
    body = "n = bitwShiftL(1, 1)\nl = list(x, 2 * x)\nl2 = as.matrix(l[n])\ny = l2 + matrix(1, bitwShiftR(8, 1), n)"
    expectSame(folder, body, {"x": np.arange(8.0).reshape(4, 2)}, ["y"], fixed=True)


def test_bits_of_known_integers(folder):
    """Two integers make one, whose text has no fraction."""
    body = ("l = list(k1=x, k2=2 * x)\nn = bitwAnd(3, 2)\ny = as.matrix(l[n]) + as.matrix(l['k' + bitwAnd(5, 3)])\n"
            "z = as.matrix(l['k' + bitwShiftR(8, 2)])")
    expectSame(folder, body, {"x": np.arange(8.0).reshape(4, 2)}, ["y", "z"], fixed=True)


def test_ends_of_the_normal_distribution(folder):
    """SystemDS has infinities there; they were NaN."""
    body = "s = as.scalar(x[1, 1])\ny = matrix(qnorm(target=s, sd=2), 1, 1)\nz = matrix(icdf(target=1 - s, dist='normal'), 1, 1)"
    _, got = expectSame(folder, body, {"x": np.zeros((1, 1))}, ["y", "z"])
    assert [one.item() for one in got] == [-np.inf, np.inf]


@pytest.mark.parametrize("known", [False, True])
def test_remainders_are_those_of_rounded_quotients(folder, known):
    """fmod(3, 0.6) is 1.1e-16, and SystemDS has 0: what is left of a quotient that it has rounded."""
    pairs = [(3, 0.6), (-3, 0.6), (0.7, 0.1), (5.5, -2), (-7, 3), (7, 0.5), (1 - 2**-53, 1), (4, 0.0), (0, 2.5)]
    x = np.float64(pairs)
    read = ("{}", "{}") if known else ("as.scalar(x[{i}, 1])", "as.scalar(x[{i}, 2])")
    rows = [[one.format(float(value), i=i + 1) for one, value in zip(read, pair)] for i, pair in enumerate(pairs)]
    of = {sign: "\n".join(f"{name}[{i + 1}, 1] = ({a}) {sign} ({b})" for i, (a, b) in enumerate(rows)) for sign, name in (("%%", "a"), ("%/%", "b"))}
    zeros = f"matrix(0, {len(pairs)}, 1)"
    body = f"y = x[, 1] %% x[, 2]\nz = x[, 1] %/% x[, 2]\na = {zeros}\nb = {zeros}\n{of['%%']}\n{of['%/%']}\na = a + 0 * sum(x)\nb = b + 0 * sum(x)"
    expectSame(folder, body, {"x": x}, list("yzab"), fixed=True)


def test_a_table_of_places_that_are_no_column(folder):
    """The matrix beside a column was taken for one, and four columns of it for four classes."""
    (folder / "a.dml").write_text("x = read($x)\ny = table(seq(1, nrow(x)), x, nrow(x), 4)\nwrite(y, $y)\n")
    model = convert(folder / "a.dml")
    assert runModel(model, {"x": np.float64([[2], [4]])})[0].tolist() == [[0, 1, 0, 0], [0, 0, 0, 1]]
    with pytest.raises(Exception, match="Reshape"):
        runModel(model, {"x": np.ones((2, 4))})


def test_bits_that_float32_does_not_have(folder):
    """Of numbers that are known, of an Int beside a matrix, and of two Ints."""
    body = ("n = as.integer(as.scalar(x[1, 1])) * 16777216 + 3\ny = bitwAnd(x, 1431655765)\nz = bitwAnd(x, n)\n"
            "a = matrix(bitwAnd(bitwOr(n, 4), 7), 1, 1) + 0 * sum(x)")
    x = np.float32([[5], [3], [7]])
    _, got = expectSame(folder, body, {"x": x}, ["y", "z", "a"], "--type=float32", fixed=False)
    assert [one.ravel().tolist() for one in got] == [[5, 1, 5], [1, 3, 3], [7]]


@pytest.mark.parametrize("name", ["bitwAnd", "bitwShiftL", "bitwShiftR"])
def test_bits_of_matrices_of_other_sizes(folder, name):
    x, z = np.ones((4, 3)), np.ones((4, 1))
    expectSame(folder, f"y = {name}(x, z)", {"x": x, "z": z}, ["y"], fixed=True)
    with pytest.raises(NotConverted, match=rf"{name}\(\): operands are 4 x 3 and 3 x 4"):
        expectSame(folder, f"y = {name}(x, t(x))", {"x": x}, ["y"], fixed=True)
