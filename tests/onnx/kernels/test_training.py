# SPDX-License-Identifier: Apache-2.0
"""Adagrad, Adam and Momentum on random tensors, one or several, of both element types, mixed too.

The oracle is the pseudo code of the operators in f64 (attributes are f32), rounded once; the reference evaluator, which
computes in the element type, must agree roughly. --long: twenty times as many.
"""

import numpy as np
import pytest
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import onnxfold_compare as compare
import onnxfold_testing as t

DOMAIN = "ai.onnx.preview.training"
STATES = {"Adagrad": 1, "Adam": 2, "Momentum": 1}


def adagrad(a, rate, count, x, g, h):
    r = rate / (1 + count * a.get("decay_factor", 0))
    g = a.get("norm_coefficient", 0) * x + g
    h = h + g * g
    return x - r * g / (np.sqrt(h) + a.get("epsilon", np.float32(1e-6))), h


def adam(a, rate, count, x, g, v, h):
    alpha, beta = (np.float64(a.get(name, np.float32(default))) for name, default in (("alpha", 0.9), ("beta", 0.999)))
    g = a.get("norm_coefficient", 0) * x + g
    v = alpha * v + (1 - alpha) * g
    h = beta * h + (1 - beta) * g * g
    r = rate * np.sqrt(1 - beta**count) / (1 - alpha**count) if count > 0 else rate
    new = x - r * v / (np.sqrt(h) + a.get("epsilon", np.float32(1e-6)))
    return (1 - a.get("norm_coefficient_post", 0)) * new, v, h


def momentum(a, rate, count, x, g, v):
    g = a["norm_coefficient"] * x + g
    v = a["alpha"] * v + (a["beta"] if count > 0 else 1) * g
    return x - rate * (g + a["alpha"] * v if a["mode"] == "nesterov" else v), v


ORACLES = {"Adagrad": adagrad, "Adam": adam, "Momentum": momentum}


def attributesOf(random, operator):
    part = lambda: float(np.float32(random.uniform(0.1, 0.9)))
    if operator == "Momentum":
        mode = str(random.choice(["standard", "nesterov"]))
        return {"alpha": part(), "beta": part(), "norm_coefficient": part(), "mode": mode}
    names = ["norm_coefficient", "epsilon"] + (["decay_factor"] if operator == "Adagrad" else [])
    names += ["alpha", "beta", "norm_coefficient_post"] if operator == "Adam" else []
    return {name: part() for name in names if random.random() < 0.5}


def make(random, operator):
    """(attributes, [R, T], a list of tuples: the tensors of one X)"""
    types = [np.float32, np.float64]
    tuples = []
    for _ in range(random.integers(1, 4)):
        shape = tuple(random.integers(0 if random.random() < 0.1 else 1, 4, random.integers(0, 4)))
        dtype = types[random.integers(2)]
        tensor = lambda size: np.asarray(random.standard_normal(size)).astype(dtype)
        gradient = shape[1:] if random.random() < 0.2 else shape  # broadcasts
        tuples.append([tensor(shape), tensor(gradient)] + [abs(tensor(shape)) for _ in range(STATES[operator])])
    rate = np.array(random.uniform(0.01, 1), types[random.integers(2)])
    return attributesOf(random, operator), [rate, np.array(random.integers(0, 5))], tuples


def columns(tuples):
    """First all X, then all G ..."""
    return [value for column in zip(*tuples) for value in column]


def checkOne(random, operator, folder):
    attributes, head, tuples = make(random, operator)
    inputs = head + columns(tuples)
    names = [f"i{i}" for i in range(len(inputs))]
    outputs = [f"o{i}" for i in range(len(tuples) * (1 + STATES[operator]))]
    node = helper.make_node(operator, names, outputs, domain=DOMAIN, **attributes)
    initializers = [numpy_helper.from_array(value, name) for value, name in zip(inputs, names)]
    graph = helper.make_graph([node], "g", [], [helper.make_empty_tensor_value_info(o) for o in outputs], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(DOMAIN, 1)])
    source, result = folder / "model.onnx", folder / "folded.onnx"
    source.write_bytes(model.SerializeToString())
    t.runOk(source, "-o", result, "-O0", "--max-growth=unlimited", "--quiet")
    folded = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(result).graph.initializer}
    rate, count = np.float64(head[0]), int(head[1])
    results = [ORACLES[operator](attributes, rate, count, *(v.astype(np.float64) for v in values)) for values in tuples]
    wanted = [np.asarray(value) for value in columns(results)]
    types = [values[0].dtype for values in tuples] * (1 + STATES[operator])
    mixed = len({str(value.dtype) for value in inputs if value.dtype.kind == "f"}) > 1
    reference = [] if mixed else ReferenceEvaluator(model).run(None, {})
    for i, (want, dtype) in enumerate(zip(wanted, types)):
        where = f"{operator} {attributes} {[v.shape for v in inputs]} output {i}"
        assert f"o{i}" in folded, f"{where}: does not fold"
        # A result in the middle of two floats may go either way.
        text = compare.differenceText(folded[f"o{i}"], want.astype(dtype), *((1, 0) if dtype == np.float32 else (4, 1e-13)))
        assert not text, f"{where}: {text}"
        if reference:
            text = compare.differenceText(folded[f"o{i}"], np.asarray(reference[i]).astype(dtype), 64, 1e-5)
            assert not text, f"{where}: reference evaluator: {text}"


@pytest.mark.parametrize("operator", ORACLES)
def test_training(operator, folder):
    random = np.random.default_rng(t.options.seed)
    for _ in range(600 if t.options.long else 30):
        checkOne(random, operator, folder)
