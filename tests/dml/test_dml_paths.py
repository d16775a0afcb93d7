# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: variables that not every path assigns, numbers of loops that have ended, and distributions that ONNX does not
have. SystemDS is the oracle."""

import numpy as np
import pytest

from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

X = {"x": values(5, 4), "n": np.array([[3.0]])}
PATHS = [
    # Both branches of the same condition; a branch in each round; a value that an earlier round has left.
    "c = sum(x) > -100\nif (c) z = x[1:2, ]\ny = x\nif (c) y = z * 2",
    "if (sum(x) > -100) { z = x * 2; s = 3; b = TRUE; t = 'a' }\ny = z * s + as.double(b)\nif (t == 'a') y = -y",
    "c = sum(x) < -100\nif (c) y = -x else { z = x * 3; y = x }\nif (c) w = 1 else y = y + z",
    "y = x\nfor (i in 1:nrow(x)) { if (i %% 2 == 1) z = i * 10\ny[i, ] = x[i, ] * z }",
    "for (i in 1:nrow(x)) { if (as.scalar(x[i, 1]) == max(x[, 1])) { z = x[i, ]; k = i } }\ny = x - z + k",
    "y = x\ni = 0\nwhile (i < as.scalar(n)) { i = i + 1\nif (i == 1) l = list(a=x, b=i)\ny = y + as.matrix(l['a']) * as.scalar(l['b']) }",
    "y = x\nfor (i in 1:nrow(x)) { for (j in 1:ncol(x)) { if (j == 1) m = i\ny[i, j] = m + j } }",
    # Numbers of loops.
    "s = 0\nfor (i in 1:nrow(x)) s = s + i\ny = x * s + i",
    "for (i in seq(nrow(x), 2, -2)) s = i\ny = x * s + i",
    "i = 7\nfor (i in 1:as.integer(as.scalar(n))) s = i\ny = x * s + i",
    "i = 7\nparfor (i in 1:nrow(x)) { z = x[i, ] }\ni = i + 1\ny = x + i",
    # Patterns that are values.
    "y = replace(target=round(x), pattern=as.scalar(n) - 3, replacement=as.scalar(n)) + replace(target=x, pattern='NaN', replacement='Infinity')",
    "g = seq(1, nrow(x)) %/% 2 + 1\ny = x + aggregate(target=x[, 1], groups=g, fn='variance', ngroups=5)",
]


@pytest.mark.parametrize("body", PATHS, ids=range(len(PATHS)))
def test_paths(folder, body):
    expectSame(folder, body, X, ["y"])


@pytest.mark.parametrize(
    "body, reason",
    [
        # SystemDS refuses it before it runs.
        ("y = x\nfor (i in 1:nrow(x)) { y = y + z; z = i }", "'z' is not assigned in the first round"),
        ("if (sum(x) > 0) y = x", "'y' is assigned on one path only"),
        ("for (i in 1:nrow(x)) { if (as.scalar(x[i, 1]) > 0) y = x[i, ] }", "'y' is assigned on one path only"),
        ("y = x * icdf(target=0.3, dist='gamma', df=4)", "icdf(): the distribution 'gamma', expected normal, t, chisq, f or exp"),
        ("y = x * cdf(target=0.3, dist='chisq')", "cdf(): no number 'df'"),
        ("y = x * cdf(target=0.3, dist='cauchy')", "cdf(): the distribution 'cauchy', expected normal, t, chisq, f or exp"),
    ],
)
def test_refused(folder, body, reason):
    script = folder / "a.dml"
    script.write_text(f"x = read($x)\n{body}\nwrite(y, $y)\n")
    with pytest.raises(NotConverted) as refusal:
        convert(script)
    assert reason in str(refusal.value)


DISTRIBUTIONS = ["cdf(target=s, dist='t', df={0})", "pt(target=s, df={0}, lower.tail=FALSE)", "cdf(target=abs(s) * 3, dist='chisq', df={0})",
                 "pchisq(target=abs(s) * 30, df={0}, lower.tail=FALSE)", "pf(target=abs(s), df1={0}.5, df2=7)",
                 "cdf(target=abs(s) * 9, dist='f', df1=3, df2={0})", "pnorm(target=s, mean=1, sd={0}, lower.tail=FALSE)", "qnorm(target=p, mean={0}, sd=2)",
                 "qt(target=p, df={0})", "qchisq(target=p, df={0})", "qf(target=p, df1={0}, df2=7)", "icdf(target=p / 1000, dist='t', df=3)",
                 "icdf(target=p / 1000, dist='normal')", "icdf(target=1 - p / 1e9, dist='normal')", "pexp(target=abs(s), rate={0}, lower.tail=FALSE)"]


# Of SystemDS's quantiles, and of the Erf that runs the model.
TOLERANCE = {"qn": 1e-9, "ic": 1e-7, "qt": 1e-7, "qc": 1e-7, "qf": 1e-7, "pn": 1e-7}


# SystemDS has the mean of two values where the place of the first is below the count of values that are not zero.
COLUMNS = ([7, 8, 3, 1], [0, 0, 3, 1], [0, 0, 0, -1, 3, 1], [-4, -2, 0, 1, 3, 0], [5, 2, 9, 7, 1], [0, 0, 0, 2, 9])


@pytest.mark.parametrize("column", COLUMNS, ids=range(len(COLUMNS)))
def test_quantiles(folder, column):
    places = [0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, 1]
    lines = [f"q{i} = as.matrix(quantile(x, {p}))" for i, p in enumerate(places)]
    names = ", ".join(f"q{i}" for i in range(len(places)))
    body = "\n".join(lines) + f"\ny = cbind({names}, as.matrix(median(x)), as.matrix(interQuartileMean(x)))"
    expectSame(folder, body, {"x": np.array([column], float).T}, ["y"])


@pytest.mark.parametrize("call", DISTRIBUTIONS)
def test_distributions(folder, call):
    """Of numbers that are computed at once, and of such that the model computes."""
    numbers, lines = [-2.5, -0.3, 0.001, 0.7, 4.2], []
    for row, number in enumerate(numbers, 1):
        for s in (number, f"as.scalar(x[{row}, 1])"):
            lines.append(f"s = {s}\np = 1 / (1 + exp(-s))\ny{len(lines)} = as.matrix({call.format(row + 1)})")
    body = "\n".join(lines) + f"\ny = cbind({', '.join(f'y{i}' for i in range(len(lines)))})"
    expectSame(folder, body, {"x": np.array([numbers]).T}, ["y"], tolerance=TOLERANCE.get(call[:2], 1e-12))


QUANTILES = [("t", "df=1"), ("t", "df=30"), ("chisq", "df=1"), ("chisq", "df=40"), ("f", "df1=1, df2=1"), ("f", "df1=12, df2=5")]


@pytest.mark.parametrize("distribution, freedom", QUANTILES)
def test_quantiles_are_where_the_share_is_reached(folder, distribution, freedom):
    """To the last digits, also in the tails, where SystemDS stops at 1e-9."""
    shares = np.array([[1e-12, 1e-3, 0.2, 0.5, 0.8, 0.999]])
    lines = [f"q{i} = icdf(target=as.scalar(p[1, {i}]), dist='{distribution}', {freedom})" for i in range(1, 7)]
    back = ", ".join(f"as.matrix(cdf(target=q{i}, dist='{distribution}', {freedom}))" for i in range(1, 7))
    script = folder / "a.dml"
    script.write_text("\n".join(["p = read($p)", *lines, f"y = cbind({back})", "write(y, $y)", ""]))
    np.testing.assert_allclose(runModel(convert(script), {"p": shares})[0], shares, rtol=1e-11)


@pytest.mark.parametrize("distribution, first", [("t, df=3", -np.inf), ("chisq, df=3", 0), ("f, df1=2, df2=3", 0)])
def test_ends_of_distributions(folder, distribution, first):
    call = "icdf(target=as.scalar(p[1, {}]), dist='" + distribution.replace(",", "',", 1) + ")"
    script = folder / "a.dml"
    script.write_text(f"p = read($p)\ny = cbind(as.matrix({call.format(1)}), as.matrix({call.format(2)}))\nwrite(y, $y)\n")
    assert runModel(convert(script), {"p": np.array([[0.0, 1.0]])})[0].tolist() == [[first, np.inf]]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "numbers", [(10, 2, -3), (0, 2.6, 1), (0, 0.3, 0.1), (0.1, 0.3, 0.1), (0, 1, 0.1), (1, 2.7), (2.7, 1), (5, 5.9, 1), (-1, -2.9, -0.5), (7, 3), (3, 3, 2),
                (-1.4, -2.3, -0.1), (0, 0.29, 0.01), (0.29, 0, -0.01)]
)
def test_sequences_end_before_what_they_do_not_reach(folder, numbers, known):
    """Half a step was added to the end: seq(10, 2, -3) had a fourth number, 1, in a matrix of three rows. SystemDS counts by quotients,
    and takes one step more where that still reaches the end: seq(0, 0.29, 0.01) has 30 numbers."""
    read = [str(n) if known else f"as.scalar(p[1, {i}])" for i, n in enumerate(numbers, 1)]
    expectSame(folder, f"y = seq({', '.join(read)}) + 0 * sum(p)", {"p": np.array([numbers], float)}, ["y"], fixed=known)
