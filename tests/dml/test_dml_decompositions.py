# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: eigen() has SystemDS's values and vectors, with their signs."""

import numpy as np
import pytest

from test_dml_to_onnx import TOOL, convert, expectSame, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")


def product(n):
    x = values(n, n, seed=n)
    return x @ x.T


def withZeros():
    x = values(6, 6)
    x = x + x.T
    x[0] = x[:, 0] = 0
    return x


MATRICES = {"one": np.array([[3.0]]), "two": product(2), "five": product(5), "twelve": product(12), "diagonal": np.diag([3.0, 1, 2]),
            "indefinite": values(4, 4) + values(4, 4).T, "zeros": withZeros(), "nothing": np.zeros((3, 3)), "rank one": np.ones((4, 4))}


@pytest.mark.parametrize("kind", MATRICES)
def test_eigen(folder, kind):
    names = ["v"] if kind in ("nothing", "rank one") else ["v", "w"]  # equal values have no vectors of their own
    expectSame(folder, "[v, w] = eigen(x)", {"x": MATRICES[kind]}, names, tolerance=1e-11)


def test_what_eigen_does_not_have(folder):
    """Values of a matrix that is not symmetric may be complex; a NaN ends the loops, too."""
    (folder / "a.dml").write_text("x = read($x)\n[v, w] = eigen(x)\nwrite(v, $v)\nwrite(w, $w)\n")
    model = convert(folder / "a.dml")
    for x in (values(4, 4), np.where(np.eye(4) > 0, np.nan, product(4))):
        assert all(np.isnan(one).all() for one in runModel(model, {"x": x}))
