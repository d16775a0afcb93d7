# SPDX-License-Identifier: Apache-2.0
"""Scripts of many statements, for the benchmark of dml-to-onnx and the test of its growth."""

STATEMENTS = ("a{i} = max(a{j} %*% w + b, 0)", "a{i} = a{j} * {i}.5 - rowSums(a{j})", "a{i} = a{j}[, 2:4] %*% t(w[1:4, 2:4])",
              "if (ncol(a{j}) == 4) a{i} = exp(-abs(a{j})) else a{i} = a{j}")


def statements(path, count):
    """A chain, with branches that are known."""
    lines = ["a0 = read($x, cols=4)", "w = read($w, rows=4, cols=4)", "b = read($b, rows=1, cols=4)"]
    lines += [STATEMENTS[i % len(STATEMENTS)].format(i=i, j=i - 1) for i in range(1, count)]
    path.write_text("\n".join([*lines, f"y = a{count - 1}", "write(y, $y)"]) + "\n")
