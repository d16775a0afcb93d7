# SPDX-License-Identifier: Apache-2.0
"""Norms whose scale and bias are computed or inputs, and norms along several dimensions, are one node at -O2. Near misses stay."""

import numpy as np
import pytest

import onnxfold_models as m
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(49)
EPSILON = const("epsilon", np.float32(1e-5))
ROOT = [node("Add", ["v", "epsilon"], ["e"]), node("Sqrt", ["e"], ["s"])]


def values(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def layer(centre="axes"):
    return [node("ReduceMean", ["x", centre], ["m"]), node("Sub", ["x", "m"], ["d"]),
            node("Mul", ["d", "d"], ["q"]), node("ReduceMean", ["q", "axes"], ["v"]), *ROOT, node("Div", ["d", "s"], ["n"])]


def square():
    return [node("Mul", ["x", "x"], ["q"]), node("ReduceMean", ["q", "axes"], ["v"]), *ROOT, node("Div", ["x", "s"], ["n"])]


def expectLeft(folder, nodes, shape, scale, axes, left, bias=None, centre=None):
    """`scale` and `bias` are shapes of inputs."""
    inputs = {"x": shape, "scale": scale, **({"bias": bias} if bias else {})}
    last = [node("Mul", ["n", "scale"], ["t" if bias else "y"])] + ([node("Add", ["bias", "t"], ["y"])] if bias else [])
    tensors = [EPSILON, const("axes", np.int64(axes))] + ([const("centre", np.int64(centre))] if centre else [])
    source = m.model(nodes + last, [info(*one) for one in inputs.items()], [info("y", (None,) * len(shape))], tensors, opset=23, ir=11)
    feeds = [{name: values(*[{"n": 3, "k": 1}.get(dim, dim) for dim in dims]) for name, dims in inputs.items()}]
    out = m.folded(folder, source, "-O2", feeds=feeds)
    assert m.operators(out) == left, f"operators are {m.operators(out)}, expected {left}"
    return out


KEPT = ["ReduceMean", "Sub", "Mul", "ReduceMean", "Add", "Sqrt", "Div", "Mul"]


@pytest.mark.parametrize("axes, scale", [([-1], (8,)), ([2], (8,)), ([1, 2], (4, 8)), ([-1, -2], (4, 8)), ([1, -1], (4, 8)),
                                         ([0, 1, 2], ("n", 4, 8))])
def test_a_scale_that_is_an_input(folder, axes, scale):
    for nodes, name in ((layer(), "LayerNormalization"), (square(), "RMSNormalization")):
        out = expectLeft(folder, nodes, ("n", 4, 8), scale, axes, [name])
        assert out.graph.node[0].attribute[0].i == -len(axes)


@pytest.mark.parametrize("axes, scale", [([-1], (8,)), ([1, 2], (4, 8))])
def test_a_bias_that_is_an_input(folder, axes, scale):
    expectLeft(folder, layer(), ("n", 4, 8), scale, axes, ["LayerNormalization"], bias=scale)


def test_a_bias_of_another_shape_stays(folder):
    expectLeft(folder, layer(), ("n", 4, 8), (8,), [-1], ["LayerNormalization", "Add"], bias=(4, 8))
    expectLeft(folder, layer(), ("n", 4, 8), (4, 8), [1, 2], ["LayerNormalization", "Add"], bias=(8,))


@pytest.mark.parametrize("axes, scale", [([-1], (1,)), ([-1], (4, 8)), ([-1], (1, 8)), ([1, 2], (8,)), ([1], (8,)), ([0, 2], (4, 8))])
def test_other_scales_and_axes_stay(folder, axes, scale):
    """Runtimes want one scale for each place of the dimensions that are normalised."""
    expectLeft(folder, layer(), ("n", 4, 8), scale, axes, KEPT)


def test_a_scale_of_open_size_stays(folder):
    """It may be 1 in a run."""
    expectLeft(folder, layer(), ("n", 4, 8), ("k",), [-1], KEPT)
    expectLeft(folder, layer(), ("n", 4, "k"), ("k",), [-1], ["LayerNormalization"])


def test_a_mean_along_other_dimensions_stays(folder):
    left = ["ReduceMean", "Sub", "RMSNormalization"]
    expectLeft(folder, layer("centre"), ("n", 4, 8), (8,), [-1], left, centre=[1, 2])
