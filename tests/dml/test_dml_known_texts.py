# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: what a known text decides (eval, a number that is compared with a word, the spec of an encoder), distinct values, of
which only the set is known, and results that not every path assigns. SystemDS is the oracle."""

import numpy as np
import pytest

import onnxfold_systemds as systemds
from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

FUNCTION = "scaled = function(matrix[double] x, double k = 2) return (matrix[double] y) { y = x * k }\n" \
           "total = function(matrix[double] x) return (double s) { s = sum(x) }\n"
SILENT = "silent = function(matrix[double] x) { print(sum(x)) }\n"
X = {"x": np.array([[3.0, 1], [2, 3], [1, 1], [7, 2]])}
BODIES = [
    "y = eval('scaled', list(x, 4))",
    "y = eval('scaled', list(k=5, x=x))",
    "y = x * sum(eval('total', x)) + nrow(eval('total', x))",
    # A number is no word; of NaN that is a question.
    "s = as.scalar(x[1, 1])\nif (s == 'L2') y = x else y = -x",
    "s = as.scalar(x[1, 1]) / 0\nif (s != 'NaN') y = x else y = -x\nt = 0 / as.scalar(x[1, 1] - 3)\nif (t == 'NaN') y = y * 2",
    # Texts that are numbers; they were put together by +.
    "y = x[as.integer('2'), ] * as.double('1.5') + as.double(as.logical('TRUE')) + as.integer('12')",
    "y = x * as.double(as.logical('FALSE')) - as.double('-1e2')",
    "y = x + as.integer(1e20) / 1e18 + as.integer(-1e20) / 1e17 + as.integer(-2.9)",
    # Distinct values.
    "y = order(target=unique(x)) + order(target=unique(x, dir='rc'))",
    "y = x * nrow(unique(x)) + length(unique(x[, 1]))",
    "y = order(target=unique(rbind(unique(x[, 1]), unique(x[, 2]))), decreasing=TRUE)",
    "[y, m] = transformencode(target=as.frame(x[, 2]), spec='{ids:true,recode:[1]}')",
    "F = as.frame(x)\ny = as.matrix(F) * nrow(F) + ncol(F)",
    "F = as.frame(x[1, 1])\ny = x * as.scalar(F)",
    "F = as.frame(x)\nG = F\nif (sum(x) > 0) G = F\ny = as.matrix(G)",
    "g = matrix('1 3 1 3', 4, 1)\ny = rbind(aggregate(target=x, groups=g, fn='mean', ngroups=4), aggregate(target=x, groups=g, fn='sum', "
    "ngroups=3), aggregate(target=x, groups=g, fn='variance', ngroups=3))",
]


@pytest.mark.parametrize("fixed", [False, True], ids=["free", "fixed"])
@pytest.mark.parametrize("body", BODIES)
def test_bodies(folder, body, fixed):
    expectSame(folder, body, X, ["y"], functions=FUNCTION, fixed=fixed)


@pytest.mark.parametrize("body", ["y = eval('scaled', x, 3)", "kind = 'sca'\ny = eval(kind + 'led', x, 3)"])
def test_an_evaluated_name(folder, body):
    """SystemDS 3.4.0 writes no file of what such a call gives, so it runs what is meant."""
    expectSame(folder, body, X, ["y"], functions=FUNCTION, instead="y = x * 3")


DISTINCT = {"NaN among others": ([np.nan, 3, 1, 1, 2, np.nan], 4, 4), "only NaN": ([np.nan, np.nan], 1, 1), "no NaN": ([2.0, 1, 2], 2, 2),
            "both zeros": ([0.0, -0.0, np.nan, np.nan], 2, 3)}


@pytest.mark.parametrize("name", DISTINCT)
def test_number_of_distinct_values(folder, name):
    """NaN is one value, beside which no other is lost. 0 and -0 are one in ONNX, as docs/dml.md says, and two in SystemDS."""
    x, ours, theirs = DISTINCT[name]
    body = "n = matrix(nrow(unique(x)), 1, 1)"
    _, (count,) = expectSame(folder, body, {"x": np.array([x])}, ["n"], instead=f"{body} - {theirs - ours}")
    assert count == ours


def test_arima(folder):
    """Its solver is a function that a text names."""
    scripts = f"--scripts={systemds.systemdsJar()}"
    if not systemds.systemdsJar():
        pytest.skip("SystemDS is not installed (tools/setup-systemds.sh)")
    expectSame(folder, "y = arima(X=x, p=1, q=1, max_func_invoc=10)", {"x": values(10, 1)}, ["y"], scripts, fixed=True, tolerance=1e-9)


@pytest.mark.parametrize(
    "body, reason",
    [
        ("y = unique(x)", "'y' has the order of a hash table"),
        ("y = order(target=unique(x, dir='r'))", "unique(): of each row or column, whose order is that of a hash table, expected dir=\"rc\""),
        ("y = x * as.double('a')", "as.double(): a text that is no number"),
        ("y = x * as.integer('' + sum(x) / 3)", "as.integer(): a text that depends on values"),
        ("y = unique(x) + 1", "unique() has the order of a hash table, which order() of one column takes away"),
        ("y = -unique(x)", "unique() has the order of a hash table"),
        ("u = unique(x)\ny = u[1, 1]", "unique() has the order of a hash table"),
        ("y = x\ny[1, 1] = unique(x)", "unique() has the order of a hash table"),
        ("y = cumsum(unique(x))", "unique() has the order of a hash table"),
        ("y = removeEmpty(target=unique(x), margin='rows')", "unique() has the order of a hash table"),
        ("y = order(target=unique(x), index.return=TRUE)", "order(): the order of a hash table, in more than one column or as indices"),
        ("if (sum(x) > 0) u = unique(x) else u = x[, 1]\ny = u * 2", "unique() has the order of a hash table"),
        ("y = eval('f' + sum(x), x)", "eval() of a name that is not known"),
        ("y = eval('nothing', x)", "eval() of 'nothing', which is no function"),
        ("y = eval('silent', x)", "a.dml:3:5: eval() of 'silent', which has no result"),
        ("s = sum(x)\nif (s == '4.0') y = x else y = -x", "a comparison of a text that depends on values"),
        ("s = sum(x)\nif (s == 'Infinity') y = x else y = -x", "a comparison of a text that depends on values"),
        ("[y, m] = transformencode(target=as.frame(x), spec='{ids:true,recode:[1]}')", "of numbers only the codes of one column"),
        ("[y, m] = transformencode(target=as.frame(x[, 1]), spec='{ids:true,bin:[1]}')", "of numbers only the codes of one column"),
        ("[z, m] = transformencode(target=as.frame(x[, 1]), spec='{ids:true,recode:[1]}')\ny = as.matrix(m)", "'m' is the frame of codes"),
        ("F = as.frame(x)\ny = F * 2", "an operator of a frame"),
        ("F = as.frame(x)\ny = as.scalar(F)", "as.scalar(): a frame of more than one element"),
        ("F = as.frame(x)\ny = as.double(F)", "as.double(): a frame of more than one element"),
        ("F = as.frame(x)\ny = as.integer(F)", "as.integer(): a frame of more than one element"),
        ("F = as.frame(x)\ny = as.logical(F)", "as.logical(): a frame of more than one element"),
        ("l = list(as.frame(x))\ny = as.scalar(l)", "as.scalar(): a frame of more than one element"),
        ("F = as.frame(x)\ny = matrix(F, 2, 4)", "matrix(): a frame, which as.matrix() makes a matrix"),
        ("y = x\ns = toString(target=x)", "toString() has no argument 'target'"),
        ("F = as.frame(x)\nif (sum(x) > 0) F = as.frame(x * 2)\ny = as.matrix(F)", "'F' is a frame that a branch or a loop assigns"),
        ("if (sum(x) > 0) F = as.frame(x * 2)\ny = as.matrix(F)", "'F' is a frame that a branch or a loop assigns"),
        ("if (sum(x) > 0) l = list(as.frame(x * 2))\ny = as.matrix(l[1])", "'y' is a frame that a branch or a loop assigns"),
        ("F = as.frame(x)\nfor (i in 1:as.integer(sum(x))) F = as.frame(x * i)\ny = as.matrix(F)", "'F' is a frame that a branch or a loop assigns"),
    ],
)
def test_refused(folder, body, reason):
    script = folder / "a.dml"
    script.write_text(f"{SILENT}x = read($x, rows=4, cols=2)\n{body}\nwrite(y, $y)\n")
    with pytest.raises(NotConverted) as refusal:
        convert(script)
    assert reason in str(refusal.value)


def test_a_result_of_one_path(folder):
    """SystemDS fails where a function does not assign its result, so who has one has not gone that way."""
    (folder / "a.dml").write_text("f = function(matrix[double] x) return (matrix[double] y) { if (sum(x) > 0) { y = x * 2 } }\n")
    x = np.abs(values(3, 2))
    (y,) = runModel(convert(folder / "a.dml", "--function=f"), {"x": x})
    np.testing.assert_array_equal(y, x * 2)
