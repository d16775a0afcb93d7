# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: lists that are changed: elements replaced, appended and removed, also in loops and branches."""

import pytest

from test_dml_to_onnx import NotConverted, convert, expectSame, pytestmark, values

__all__ = ["pytestmark"]

CASES = [
    "l = list(x, 2)\nz = -x\nl[1] = z\nl[2] = 5\ny = as.matrix(l[1]) * as.scalar(l[2])",
    "l = list(a=x, b=2)\nz = x * 3\nl['a'] = z\nl['b'] = 7\ny = as.matrix(l['a']) + as.scalar(l['b'])",
    "l = list(a=x, b=2, c=x)\nl[1:2] = list(x * 2, x * 3)\ny = as.matrix(l['a']) - as.matrix(l['b']) * 5 + as.matrix(l['c'])",
    "l = list(a=x, b=2)\nm = list(p=-x, q=3)\nl[1:2] = m\ny = as.matrix(l['p']) * as.scalar(l['q'])",
    "l = list(a=x, b=2)\nl['b'] = list(x * 2)\ny = as.matrix(l['b']) + length(l)",
    "l = list()\nfor (i in 1:3) { z = x * i\nl = append(l, z) }\n[r, e] = remove(l, 2)\ny = as.matrix(r[2]) - as.matrix(e) * 5 + length(r) + length(l)",
    "l = list(a=x)\nm = list(b=2 * x, c=3)\nl = append(l, m['b'])\ny = as.matrix(l['b']) + length(l)",
    "l = list(x)\nl = append(l, list(x * 2))\ny = as.matrix(l[2]) + length(l)",
    "l = list(x, 1)\nfor (i in 1:nrow(x)) { z = as.matrix(l[1]) + i\nl[1] = z\nk = as.scalar(l[2]) * 2\nl[2] = k }\ny = as.matrix(l[1]) * as.scalar(l[2])",
    "l = list(x, x)\nz = x * 2\nif (sum(x) > 0) l[1] = z else l[2] = z\ny = as.matrix(l[1]) + as.matrix(l[2])",
    "queue = list(x)\ny = x\nk = 1\nwhile (length(queue) > 0) { [queue, e] = remove(queue, 1)\ny = y + as.matrix(e) * k\n"
    "if (k < 4) queue = append(queue, as.matrix(e) / 2)\nk = k + 1 }",
]


@pytest.mark.parametrize("fixed", [False, True], ids=["free", "fixed"])
@pytest.mark.parametrize("body", CASES, ids=range(len(CASES)))
def test_lists(folder, body, fixed):
    expectSame(folder, body, {"x": values(5, 4)}, ["y"], fixed=fixed)


@pytest.mark.parametrize("key", ["'b'", "2"])
def test_a_number_of_a_list_with_names(folder, key):
    """SystemDS 3.4.0 takes it for 0 beside a matrix (docs/upstream-bugs.md)."""
    start = "l = list(a=x, b=2.5)\n"
    expectSame(folder, f"{start}y = x * as.scalar(l[{key}])", {"x": values(5, 4)}, ["y"], instead=f"{start}y = x * as.double(as.scalar(l[{key}]))")



@pytest.mark.parametrize(
    "body, reason",
    [
        ("[r, e] = remove(list(x), 2)\ny = as.matrix(e)", "remove(): element 2 of a list of 1"),
        ("[r, e] = remove(x, 1)\ny = as.matrix(e)", "remove(): expected a list and a number that is known"),
        ("l = list(x, x)\nl['a'] = x\ny = as.matrix(l[1])", "the list has no element 'a'"),
        ("l = list(x, x)\nl[1:2] = list(x)\ny = as.matrix(l[1])", "1 elements for 2 of a list"),
        ("l = list(x, x)\nl[as.integer(sum(x))] = x\ny = as.matrix(l[1])", "an element of a list that is not known"),
    ],
)
def test_refusals(folder, body, reason):
    (folder / "a.dml").write_text(f"x = read($x)\n{body}\nwrite(y, $y)\n")
    with pytest.raises(NotConverted) as refusal:
        convert(folder / "a.dml")
    assert reason in str(refusal.value)
