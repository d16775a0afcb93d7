# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: loops that end by a flag, parameters outside of ifdef(), and what small functions of SystemDS's scripts need."""

import numpy as np
import pytest

from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, operators, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

# ---- loops that carry what their conditions read --------------------------------------------------------------------------

CONJUGATE_GRADIENT = """\
p = matrix(0, rows=ncol(X), cols=1)
r = -(t(X) %*% y)
d = -r
norm_r2 = sum(r^2)
norm_init = norm_r2
i = 0
continue = TRUE
while (i < 100 & continue) {
  q = t(X) %*% (X %*% d) + 0.01 * d
  alpha = norm_r2 / as.scalar(t(d) %*% q)
  p = p + alpha * d
  r = r + alpha * q
  old = norm_r2
  norm_r2 = sum(r^2)
  d = -r + (norm_r2 / old) * d
  i = i + 1
  if (norm_r2 < norm_init * 1e-9) { continue = FALSE }
}
print("iterations " + i)
"""

FLAGS = [
    "z = x\ngo = TRUE\nwhile (go) { z = z / 2\nif (sum(abs(z)) < 1) { go = FALSE } }",
    "z = x\nstop_it = 0\nwhile (stop_it == 0) { z = z / 2\nif (sum(abs(z)) < 1) { stop_it = 1 } }",
    "z = x\ngo = TRUE\ni = 0\nwhile (go & i < 7) { if (sum(abs(z)) < 3) { go = FALSE } else { z = z / 2 }\ni = i + 1 }\nz = z + i",
    "z = x\ngo = sum(x) > -1000\nwhile (go) { z = z / 2\nif (sum(abs(z)) < 1) go = FALSE }\nif (go) z = z + 100",
    "z = x\nlimit = 10\nwhile (sum(abs(z)) > limit) { z = z / 1.5\nif (max(z) < 1) { limit = 100 } }",
    "z = x\nouter_goes = TRUE\nwhile (outer_goes) { inner_goes = TRUE\nwhile (inner_goes) { z = z / 2\nif (sum(abs(z)) < 4) inner_goes = FALSE }\n"
    "z = z - 0.01\nif (sum(abs(z)) < 3.9) outer_goes = FALSE }",
]


@pytest.mark.parametrize("fixed", [False, True], ids=["free", "fixed"])
@pytest.mark.parametrize("body", FLAGS, ids=range(len(FLAGS)))
def test_flags(folder, body, fixed):
    model, _ = expectSame(folder, body, {"x": values(5, 4)}, ["z"], fixed=fixed)
    assert "Loop" in operators(model)


def test_conjugate_gradient(folder):
    x = values(30, 4)
    expectSame(folder, CONJUGATE_GRADIENT, {"X": x, "y": x @ np.float64([[1], [2], [-3], [0.5]])}, ["p"], tolerance=1e-9)


def test_loop_that_never_runs(folder):
    """docs/upstream-bugs.md: SystemDS 3.4.0 has 1.5 here."""
    (folder / "a.dml").write_text("x = read($x)\ns = 2.0\nn = 0.0\nk = 0\nwhile (k < 5 & (n < n)) { s = 1.0; k = k + 1 }\n"
                                  "for (i in 1:as.integer(n + 1)) { k = k + 1 }\ny = x * 0 + s + 0.5\nwrite(y, $y)\n")
    np.testing.assert_array_equal(runModel(convert(folder / "a.dml"), {"x": np.ones((1, 1))})[0], [[2.5]])


# ---- parameters ------------------------------------------------------------------------------------------------------------


def test_parameter_without_ifdef(folder):
    """Its value is needed where it is computed with, not as the name of a file."""
    (folder / "a.dml").write_text('x = read($X)\nd = $dir\ny = x * 2\nwrite(y, d + "/y")\n')
    np.testing.assert_array_equal(runModel(convert(folder / "a.dml"), {"x": np.ones((1, 2))})[0], [[2.0, 2.0]])
    (folder / "b.dml").write_text("x = read($X)\nk = $k\ny = x * k\nif ($on) y = -y\nwrite(y, $y)\n")
    for bound, wanted in ((["--bind=k=3", "--bind=on=TRUE"], -3), (["--bind=k=0.5", "--bind=on=FALSE"], 0.5)):
        np.testing.assert_array_equal(runModel(convert(folder / "b.dml", *bound), {"x": np.ones((1, 1))})[0], [[wanted]])


@pytest.mark.parametrize("text, place", [
    ("x = read($X)\ny = x * $k\nwrite(y, $y)", "2:7"), ("x = read($X)\ny = matrix($k, rows=1, cols=2)\nwrite(y, $y)", "2:5"),
    ("x = read($X)\nif ($k) x = -x\nwrite(x, $y)", "2:1"), ("x = read($X)\nfor (i in 1:$k) x = -x\nwrite(x, $y)", "2:1"),
    ("x = read($X)\nn = $k + 1\ny = x * n\nwrite(y, $y)", "3:7"), ("x = read($X)\ny = x * -$k\nwrite(y, $y)", "2:9"),
    ("f = function(double a) return (double b) { b = a }\nx = read($X)\ny = x * f($k)\nwrite(y, $y)", "3:9")])
def test_parameter_that_has_no_value(folder, text, place):
    (folder / "a.dml").write_text(text)
    with pytest.raises(NotConverted) as refusal:
        convert(folder / "a.dml")
    assert f"a.dml:{place}: '$k' has no value, expected --bind=k=VALUE" in str(refusal.value)


# ---- small functions -------------------------------------------------------------------------------------------------------

SMALL = [
    "p = matrix('0.25 0.5 0.75 0.99 0.01', rows=5, cols=1)\ny = quantile(x[, 1], p)\nz = quantile(x[1:4, 1], p)\ny = cbind(y, z)",
    "y = x * mean(x[, 1], abs(x[, 2])) + mean(x)",
    "w = Rand(rows=4, cols=2, min=1, max=1)\ny = x %*% w",
    "c = round(abs(x[, 1]) * 2) + 1\nn = seq(1, nrow(x))\ny = table(n, c, 1, nrow(x), 4, FALSE) + table(n, c, x[, 2], nrow(x), 4, TRUE)",
    "y = matrix(x, rows=ncol(x), cols=nrow(x), byrow=FALSE)\nz = matrix('1 2 3 4 5 6', rows=2, cols=3, byrow=FALSE)\ny = cbind(y[1:2, ], z)",
    "n = 3\nk = ifelse(n > 5, 1, n = ceil(n / 2);)\ny = x + k",
    "if (ncol(x) > 100) { stop('too wide'). }\ny = x",
]


@pytest.mark.parametrize("fixed", [False, True], ids=["free", "fixed"])
@pytest.mark.parametrize("body", SMALL, ids=range(len(SMALL)))
def test_small_functions(folder, body, fixed):
    expectSame(folder, body, {"x": values(5, 4)}, ["y"], fixed=fixed)


def test_lists(folder):
    """as.list() of a list in a list; a list that is a result is several outputs, by keys or places."""
    body = "m = list(list(matrix(1, 4, 2), matrix(0, 1, 2)), matrix(2, 2, 2))\na = as.list(m[1])\nw = as.matrix(a[1])\ny = x %*% w"
    expectSame(folder, body, {"x": values(5, 4)}, ["y"])
    (folder / "f.dml").write_text("f = function(matrix[double] X) return (list[unknown] g, int n) {\n"
                                  "  g = list(dW=X * 2, parts=list(X + 1, sum(X)))\n  n = 3\n}\n")
    model = convert(folder / "f.dml", "--function=f")
    assert [one.name for one in model.graph.output] == ["g_dW", "g_parts_1", "g_parts_2", "n"]
    x = values(2, 3)
    for got, wanted in zip(runModel(model, {"X": x}), [x * 2, x + 1, x.sum(), 3]):
        np.testing.assert_allclose(got, wanted)
    (folder / "f.dml").write_text("f = function(matrix[double] X) return (list[unknown] g, matrix[double] g_a) {\n"
                                  "  g = list(a=X, b=list())\n  g_a = X\n}\n")
    with pytest.raises(NotConverted, match="'g_b' is an empty list\\n.*two outputs are called 'g_a'"):
        convert(folder / "f.dml", "--function=f")


@pytest.mark.parametrize("text, reason", [
    ("y = unique(x)", "'y' has the order of a hash table"),
    ("y = paramserv(x)", "the function 'paramserv' has no translation: it trains on other machines"),
    ("y = table(x, t(x))", "table(): matrices of 5 x 4 and 4 x 5, expected one size"),
    ("y = removeEmpty(target=x, margin='rows', select=x > 0)", "removeEmpty(): select is 5 x 4, expected an element for each of 5 rows"),
    ("y = einsum('ij->ji', x[1, ])", "einsum(): a row, which SystemDS 3.4.0 takes for a column"),
])
def test_reasons(folder, text, reason):
    (folder / "a.dml").write_text(f"x = read($x)\n{text}\nwrite(y, $y)\n")
    with pytest.raises(NotConverted) as refusal:
        convert(folder / "a.dml", "--input-shape=x:5,4")
    assert reason in str(refusal.value)


def test_a_builtin_is_called_once_for_the_same_arguments(folder):
    """A script of SystemDS fits twenty models to the principal components of one matrix; folding took a minute."""
    body = "y = x * 0\nfor (i in 1:3) { [w, V] = eigen(t(x) %*% x)\ny = y + x %*% V * i }"
    model, _ = expectSame(folder, body, {"x": values(5, 4)}, ["y"], tolerance=1e-9)
    once = convert(folder / "script.dml")
    (folder / "once.dml").write_text((folder / "script.dml").read_text().replace("1:3", "1:1"))
    assert operators(once).count("Loop") == operators(convert(folder / "once.dml")).count("Loop") > 0


def test_eval_of_a_function_in_a_space(folder):
    (folder / "lib.dml").write_text("f = function(matrix[double] X, double by = 2) return (matrix[double] Y) { Y = X * by }\n")
    for name in ("l::f", "lib.dml::f"):
        (folder / "a.dml").write_text(f"source('lib.dml') as l\nx = read($x)\nn = 'f'\ny = eval('{name[:-1]}' + n, list(X=x, by=3))\nwrite(y, $y)\n")
        assert runModel(convert(folder / "a.dml"), {"x": np.ones((2, 2))})[0].tolist() == [[3, 3], [3, 3]]
    (folder / "a.dml").write_text("source('lib.dml') as l\nx = read($x)\ny = eval('m::f', x)\nwrite(y, $y)\n")
    with pytest.raises(NotConverted, match="eval\\(\\) of 'm::f', which is no function"):
        convert(folder / "a.dml")


def test_read_in_an_expression(folder):
    """Of a script of SystemDS; the input has the name of the variable. A variable may be written to two files."""
    (folder / "a.dml").write_text("x = read($x)\na = as.scalar(read($a))\nb = 2 * read($b) + 1\ny = x * a + b\nwrite(y, $y)\nwrite(y, $z)\n")
    model = convert(folder / "a.dml")
    assert [value.name for value in model.graph.input] == ["x", "a", "b"] and [value.name for value in model.graph.output] == ["y"]
    x = values(3, 2)
    np.testing.assert_allclose(runModel(model, {"x": x, "a": np.float64([[3]]), "b": x})[0], x * 3 + 2 * x + 1, rtol=1e-15)
    for body, reason in (("a = read($p) + read($q)", "'a' is read twice"), ("[a, b] = eigen(read($p))", "outside of an assignment to one variable"),
                         ("f = function(int n) return (matrix[double] a) { a = read($p) }\na = f(1)", "read() in a function, expected a parameter"),
                         ("a = sum(x)\nif (a > 1) a = sum(read($p))", "read() in a branch or a loop by values")):
        (folder / "a.dml").write_text(f"x = read($x)\n{body}\nwrite(a, $a)\n")
        with pytest.raises(NotConverted) as refusal:
            convert(folder / "a.dml")
        assert reason in str(refusal.value)
