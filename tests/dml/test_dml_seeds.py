# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: random numbers with a seed are those of SystemDS, which is the oracle; others are refused where a result depends on
them, or with --random drawn in each run."""

import numpy as np
import onnxruntime
import pytest

from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, operators, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

X = {"x": values(4, 5)}


@pytest.mark.parametrize(
    "numbers",
    [
        "rand(rows=4, cols=5, seed=7)",
        "rand(rows=nrow(x), cols=ncol(x), min=-2, max=3.5, seed=123456789012345)",
        "rand(rows=4, cols=5, pdf='normal', seed=-8)",
        "rand(rows=4, cols=5, min=1, max=1, sparsity=0.5, seed=3)",  # a mask of dropout
        "rand(rows=4, cols=5, pdf='normal', sparsity=0.7, seed=3)",
        "rand(rows=1003, cols=1002, seed=1)[999:1002, 997:1001]",  # four blocks have seeds of their own
        "matrix(1, 4, 1) %*% t(sample(10, 5, 42))",  # of a range that is no power of two
        "matrix(1, 4, 1) %*% t(sample(64, 5, FALSE, 42))",
        "matrix(1, 4, 1) %*% t(sample(2, 5, TRUE, 42))",
        "matrix(1, 4, 1) %*% t(sample(2147483647, 5, TRUE, 42))",
        "matrix(1, 4, 1) %*% t(sample(4194304, 5, 42))",
    ],
)
def test_seeded(folder, numbers):
    statement = f"r = {numbers}\ny = x * r" if "[" not in numbers else f"r = {numbers.split('[')[0]}\ny = x * r[{numbers.split('[')[1]}"
    model, _ = expectSame(folder, statement, X, ["y"], fixed=True)
    assert operators(model) == ["Mul"]


@pytest.mark.parametrize(
    "numbers, reason",
    [
        ("rand(rows=4, cols=5)", "random numbers, on which a result depends (--random draws them in each run)"),
        ("rand(rows=4, cols=5, seed=-1)", "random numbers, on which a result depends"),  # SystemDS draws a seed
        ("rand(rows=nrow(x), cols=5, seed=3)", "random numbers, on which a result depends"),
        ("rand(rows=4, cols=5, pdf='poisson', seed=3)", "random numbers that are neither uniform nor normal, on which a result depends"),
        ("rand(rows=4, cols=5, sparsity=0.1, seed=3)", "random numbers, on which a result depends"),  # as a sparse matrix
        ("sum(sample(4, 2))", "its numbers are random, unless sizes and a seed are known"),
        ("sum(sample(4, 2, TRUE))", "its numbers are random, unless sizes and a seed are known"),
        ("sum(sample(4, 5, 1))", "sample(): 5 of 4 numbers"),
        ("sum(sample(2147483647, 1, 42))", "sample(): a range of 2147483647 numbers that do not repeat, expected at most 4194304"),
        ("sum(sample(4194305, 1, 42))", "sample(): a range of 4194305 numbers that do not repeat, expected at most 4194304"),
    ],
)
def test_refused(folder, numbers, reason):
    script = folder / "a.dml"
    script.write_text(f"x = read($x)\ny = x * {numbers}\nwrite(y, $y)\n")
    with pytest.raises(NotConverted) as refusal:
        convert(script)
    assert reason in str(refusal.value)


# ---- --random ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers, reason", [("sample(3, 5)", "5 of 3 numbers"), ("sample(0, 1)", "1 of 0 numbers"), ("sample(3, -1)", "-1 of 3 numbers")])
def test_samples_that_cannot_be_drawn(folder, numbers, reason):
    """With --random they converted, and ONNX Runtime refused the model."""
    script = folder / "a.dml"
    script.write_text(f"x = read($x)\ny = x * sum({numbers})\nwrite(y, $y)\n")
    with pytest.raises(NotConverted, match=f"sample.*: {reason}"):
        convert(script, "--random")


def drawn(folder, body, *options, functions=""):
    """What two runs of one session make of y; x is 200 x 5. Sessions of one process begin with the same seed."""
    script = folder / "a.dml"
    script.write_text(f"{functions}x = read($x)\n{body}\nwrite(y, $y)\n")
    model = convert(script, "--random", *options)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = {"x": values(200, 5)} if model.graph.input else {}
    return [session.run(None, feed)[0] for _ in range(2)]


@pytest.mark.parametrize(
    "numbers, least, most, mean, deviation",
    [
        ("rand(rows=200, cols=50)", 0, 1, 0.5, 12**-0.5),
        ("rand(rows=nrow(x), cols=50, min=-1, max=3)", -1, 3, 1, 4 * 12**-0.5),
        ("rand(rows=200, cols=50, max=sum(x > -99) * 2, seed=-1)", 0, 2000, 1000, 2000 * 12**-0.5),
        ("rand(rows=nrow(x), cols=50, pdf='normal', min=5, max=9, seed=3)", -7, 7, 0, 1),  # SystemDS does not use min and max
        ("rand(rows=200, cols=50, min=1, max=1, sparsity=0.3)", 0, 1, 0.3, (0.3 * 0.7) ** 0.5),
        ("sample(7, 10000, TRUE)", 1, 7, 4, 2),
        ("sample(nrow(x) * 50, 10000)", 1, 10000, 5000.5, 10000 * 12**-0.5),
    ],
)
def test_drawn(folder, numbers, least, most, mean, deviation):
    first, second = drawn(folder, f"y = {numbers}")
    assert first.size == second.size == 10000 and (first != second).any()
    for one in (first, second):
        assert least <= one.min() and one.max() <= most
        assert abs(one.mean() - mean) <= deviation / 20 and abs(one.std() / deviation - 1) < 0.1


def test_samples_do_not_repeat(folder):
    for one in drawn(folder, "y = sample(12, 12)"):
        assert sorted(one[:, 0]) == list(range(1, 13))


@pytest.mark.parametrize(
    "body",
    [
        "y = cbind(rand(rows=200, cols=1), rand(rows=200, cols=1))",
        "y = matrix(0, 200, 100)\nfor (i in 1:ncol(y)) y[, i] = rand(rows=200, cols=1)",  # a Loop
        "[a, b] = two(x)\n[c, d] = two(x)\ny = cbind(a, b, c, d)",
        "y = cbind(f(x), f(x))",
    ],
)
def test_each_call_draws_others(folder, body):
    functions = ("f = function(matrix[double] x) return (matrix[double] y) { y = rand(rows=nrow(x), cols=1) }\n"
                 "two = function(matrix[double] x) return (matrix[double] y, matrix[double] z) { y = f(x); z = f(x) }\n")  # fmt: skip
    first, _ = drawn(folder, body, functions=functions)
    assert len(np.unique(first)) == first.size


def test_calls_of_scripts_draw_others(folder):
    """Equal calls of a builtin that is a script are translated once, unless it draws."""
    (folder / "builtin").mkdir()
    (folder / "builtin/drawn.dml").write_text("m_drawn = function(matrix[double] X) return (matrix[double] Y) { Y = rand(rows=nrow(X), cols=1) }\n")
    first, _ = drawn(folder, "y = cbind(drawn(x), drawn(x))", f"--scripts={folder}")
    assert len(np.unique(first)) == first.size


def test_poisson_stays_refused(folder):
    with pytest.raises(NotConverted, match="neither uniform nor normal"):
        drawn(folder, "y = rand(rows=4, cols=5, pdf='poisson')")
