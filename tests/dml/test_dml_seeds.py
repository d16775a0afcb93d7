# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: random numbers with a seed are those of SystemDS, which is the oracle; others are refused where a result depends on
them."""

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
        ("rand(rows=4, cols=5)", "random numbers, on which a result depends"),
        ("rand(rows=4, cols=5, seed=-1)", "random numbers, on which a result depends"),  # SystemDS draws a seed
        ("rand(rows=nrow(x), cols=5, seed=3)", "random numbers, on which a result depends"),
        ("rand(rows=4, cols=5, pdf='poisson', seed=3)", "random numbers, on which a result depends"),
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
