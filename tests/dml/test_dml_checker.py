# SPDX-License-Identifier: Apache-2.0
"""The checker of scripts, which needs no Java: it finds each kind of mistake; else the checks of scripts would say nothing."""

import re

import pytest

import onnxfold_dml as dml

HELPERS = """
blocks = function(matrix[double] X, int n, int d) return (matrix[double] Y)
{
  Z = matrix(X, rows=nrow(X), cols=d)
  Y = matrix(0, rows=nrow(X), cols=n * d)
  for (i in seq(1, n, 1)) {
    Y[, (i - 1) * d + 1:(i - 1) * d + d] = Z
  }
}
two = function(matrix[double] X) return (matrix[double] Y, matrix[double] Z)
{
  Y = X
  Z = t(X)
}
"""
START = 'x_file = ifdef($x, "x.bin")\nx = read(x_file)    # x: float32 (2, 3, 4)\nn = read(x_file)    # n: float32 (batch, 4)\n'
GOOD = """
a = matrix(x, rows=6, cols=4)
b = a %*% t(n)
c = a + a[1, ] - a[, 2]
d = cbind(a, b[, 1])
e = matrix("1 2 3", rows=1, cols=3)
f = ifelse(a > 0, a, (a > 0) * 2)
for (i in seq(1, 6, 1)) {
  f[i, ] = a[6 - i + 1, ] * 2
}
g = blocks(x, 3, 12)
[p, q] = two(a)
r = p %*% q
k = 0
while (k < as.scalar(a[1, 1])) {
  k = k + 1
  g = cbind(g, x)
}
g = g[, 1:36]
m = matrix(1, rows=2, cols=4)
s = conv2d(n, m, input_shape=[nrow(n), 1, 2, 2], filter_shape=[2, 1, 2, 2], stride=[1, 1], padding=[1, 1])
s = bias_add(s, matrix(1, rows=2, cols=1))
u = outer(a[, 1], a[1, ], "+") + a[, 1:1]
v = matrix(rowSums(a), rows=2, cols=3)
w = table(seq(1, 6, 1), seq(1, 6, 1), 6, 8) %*% matrix(0, rows=8, cols=2)
write(w, x_file)
"""


def test_good_script():
    dml.check(HELPERS + START + GOOD)


@pytest.mark.parametrize(
    "text, mistake",
    [
        ("x = y", "a definition of y before its use"),
        ("_A = 1", "no token"),
        ("in = 1", "the name of a variable"),
        ("x = 1\nx = bias_add(x)", "2 to 2 arguments of bias_add"),
        ("x = nothing(1)", "0 to -1 arguments of nothing"),
        ("f = function(matrix[double] a) return (matrix[double] b)\n{\n  c = a\n}", "f to define ['b']"),
        ("x = 1\nif (x < 1) {\n  z = 1\n} else {\n  q = 1\n}\ny = z", "a definition of z"),
        ("x = 1\nwhile (x < 1) {\n  z = 1\n}\ny = z", "a definition of z"),
        ("y[1, 1] = 2", "a definition of y"),
        ("x = 1 +", "an expression"),
        ("f = function(int a, int a) return (int b)\n{\n  b = a\n}", "parameters of different names"),
    ],
)
def test_grammar_and_names(text, mistake):
    with pytest.raises(dml.Mistake, match=re.escape(mistake)):
        dml.check(text)


@pytest.mark.parametrize(
    "statement, mistake",
    [
        ("y = x %*% x", "a product of 2 x 12 and 2 x 12"),
        ("y = x %*% 3", "a matrix product with a scalar"),
        ("y = x + n", "operands of + are 2 x 12 and 7 x 4"),
        ("y = x[1, ] + x", "operands of + are 1 x 12 and 2 x 12"),
        ("y = x[, 1] * x[1, ]", "operands of * are 2 x 1 and 1 x 12"),
        ("y = max(x[1, ], x)", "operands of max are 1 x 12 and 2 x 12"),
        ("y = matrix(x, rows=5, cols=5)", "2 x 12 as a matrix of 5 x 5"),
        ("y = matrix(n, rows=nrow(n), cols=5)", "7 x 4 as a matrix of 7 x 5"),
        ('y = matrix("1 2 3", rows=2, cols=2)', "3 numbers as a matrix of 2 x 2"),
        ("y = x[3, ]", "rows 3:3 of x, which is 2 x 12"),
        ("y = x[, 1:13]", "columns 1:13 of x, which is 2 x 12"),
        ("y = x[0, ]", "rows 0:0 of x"),
        ("y = x[2:1, ]", "rows 2:1 of x are none"),
        ("k = 2\ny = k[1, 1]", "k is a scalar and is indexed"),
        ("x[1, 1:3] = n", "7 x 4 is assigned to 1 x 3 of x"),
        ("y = x\nfor (i in seq(1, 13, 1)) {\n  y[, i] = x[, 1]\n}", "columns 13:13 of y"),
        ("at = 0\nfor (i in seq(1, 4, 1)) {\n  at = at + 4\n  y = x[, at]\n}", "columns 16:16 of x"),
        ("if (x > 0) {\n  y = x\n}", "a condition is a matrix, 2 x 12"),
        ("while (x) {\n  y = x\n}", "a condition is a matrix"),
        ("y = as.scalar(x)", "as.scalar of 2 x 12"),
        ("y = as.scalar(sum(x))", "as.scalar of a scalar"),
        ("y = t(2)", "t() of a scalar"),
        ("y = cbind(x, n)", "cbind of 2 x 12, 7 x 4"),
        ("y = rbind(x, n)", "rbind of 2 x 12, 7 x 4"),
        ("y = ifelse(x > 0, x, x[1, ])", "ifelse of 2 x 12 with a branch of 1 x 12"),
        ("y = ifelse(x > 0, x, 0)", "ifelse of a matrix with a scalar"),
        ("y = blocks(2, 3, 4)", "X of blocks is 2, expected a matrix"),
        ("y = blocks(x, x, 4)", "n of blocks is 2 x 12, expected a scalar"),
        ("y = blocks(x, 3, 5)", "2 x 12 as a matrix of 2 x 5"),
        ("y = blocks(x)", "3 to 3 arguments of blocks"),
        ("[y, z, w] = two(x)", "2 results for 3 variables"),
        ('y = outer(x, x, "+")', "outer of 2 x 12 and 2 x 12"),
        ("y = bias_add(x, x[1, ])", "the bias is 1 x 12"),
        ("y = bias_add(x, matrix(1, rows=5, cols=1))", "a bias of 5 x 1 for 2 x 12"),
        ("y = table(x, x, 2, 2)", "table of 2 x 12 and 2 x 12"),
        ("y = max_pool(x, input_shape=[2, 3, 2, 3], pool_size=[2, 2], %s)", "the image is 2 x 12, expected 2 x 18"),
        ("y = max_pool(x, input_shape=[2, 3, 2, 2], pool_size=[3, 3], %s)", "a window of 3 in 2"),
        ("y = max_pool(x, input_shape=[2, 3, 2, 2], pool_size=3, %s)", "pool_size, expected a list of 2"),
        ("y = conv2d(x, n, input_shape=[2, 3, 2, 2], filter_shape=[7, 1, 2, 2], %s)", "3 channels of the image, 1 of the filter"),
        ("y = conv2d(x, n, input_shape=[2, 3, 2, 2], filter_shape=[4, 3, 2, 2], %s)", "the filter is 7 x 4, expected 4 x 12"),
        ("y = 2\nwrite(y, x_file)", "2 is written, expected a matrix"),
    ],
)
def test_sizes(statement, mistake):
    with pytest.raises(dml.Mistake, match=re.escape(mistake)):
        dml.check(HELPERS + START + statement.replace("%s", "stride=[1, 1], padding=[0, 0]"))


def test_size_of_an_output():
    script = "# output y: float32 (batch, 5)\n" + START + "y = n\nwrite(y, x_file)"
    with pytest.raises(dml.Mistake, match=re.escape("y is 7 x 4, expected the matrix of y: float32 (batch, 5)")):
        dml.check(script)


def test_line_of_a_mistake():
    with pytest.raises(dml.Mistake, match="^line 5: "):
        dml.check(START + "y = x\nz = x %*% y")


def test_what_is_not_known_is_not_checked():
    dml.check(START + "k = as.scalar(x[1, 1])\ny = x[, k]\nz = matrix(x, rows=k, cols=3)\nif (k > 1) {\n  z = x\n}\nw = z + n")
