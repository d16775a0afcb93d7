# SPDX-License-Identifier: Apache-2.0
"""Random terms over the operators that rules rewrite: all sets of rules together keep their values in ONNX Runtime.

Errors grow along a term, so no bound of one rule is one of a term. What it loses in single precision anyway says how much: the rewritten
term is as close to the term in double precision as the original, up to a factor. A Swish of ONNX Runtime is right to some units of its operand
only, which a norm of small numbers makes large: what seems to lose more is computed by ONNX's reference, too. And the original may lose
nothing by chance where a norm is one of sums that cancel: there its losses at neighbours of the inputs count.
"""

import json
import pathlib
import random

import numpy as np
import onnx
import onnx.reference
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_oracles as oracles
import onnxfold_testing as t

FILES = pathlib.Path(__file__).parent / "rules"
SHAPE = (2, 4)
OPSET = 24
FACTOR = 64
NUMBERS = [0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 1 / 6, 1.702, 0.01, -1.0, 1e-5]


class Terms:
    """A graph of float tensors of one shape, some of which are outputs."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.nodes, self.constants, self.outputs = [], {}, []
        self.inputs = ["x0", "x1", "x2"]
        self.scales = ["s0", "s1"]
        self.kept = range(0)  # nodes that terms may read again

    def node(self, operator, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def number(self, value):
        # A near miss: another number, or one of another shape.
        if self.random.random() < 0.06:
            value = self.random.choice(NUMBERS)
        shape = (1,) if self.random.random() < 0.1 else ()
        name = f"c{len(self.constants)}"
        self.constants[name] = np.full(shape, value, np.float32)
        return name

    def axes(self):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.array([self.random.choice([-1, -1, 1, 0])], np.int64)
        return name

    def both(self, operator, a, b):
        return self.node(operator, *((a, b) if self.random.random() < 0.5 else (b, a)))

    def term(self, depth):
        if depth == 0 or self.random.random() < 0.1:
            return self.random.choice(self.inputs + [f"v{i}" for i in self.kept[-4:]])
        kind = self.random.choice(PATTERNS + PLAIN)
        return kind(self, self.term(depth - 1))

    def model(self):
        tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in self.inputs]
        tensors += [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE[1:]) for name in self.scales]
        results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self.outputs]
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, "terms", tensors, results, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)


def plain(operator):
    return lambda g, x: g.node(operator, x)


def binary(operator):
    return lambda g, x: g.both(operator, x, g.term(1) if g.random.random() < 0.5 else g.number(g.random.choice(NUMBERS)))


PLAIN = [plain(one) for one in ("Neg", "Abs", "Relu", "Sigmoid", "Tanh", "Exp")] + [binary(one) for one in ("Add", "Sub", "Mul", "Max", "Min")]


def softplus(g, x):
    return g.node("Log", g.both("Add", g.node("Exp", x), g.number(1.0)))


def stableSoftplus(g, x):
    return g.both("Add", g.node("Relu", x), softplus(g, g.node("Neg", g.node("Abs", x))))


def sigmoid(g, x):
    return g.node("Div", g.number(1.0), g.both("Add", g.node("Exp", g.node("Neg", x)), g.number(1.0)))


def gated(gate):
    return lambda g, x: g.both("Mul", x, gate(g, x))


def alpha(g, x):
    return g.node("Sigmoid", g.both("Mul", x, g.number(1.702)))


def clip(g, x):
    return g.both("Min", g.both("Max", x, g.number(0.0)), g.number(6.0))


def hardSigmoid(g, x):
    return g.node("Div", clip(g, g.both("Add", x, g.number(3.0))), g.number(6.0))


def gelu(g, x):
    erf = g.node("Erf", g.node("Div", x, g.number(1.4142135)))
    return g.both("Mul", g.both("Mul", x, g.both("Add", erf, g.number(1.0))), g.number(0.5))


def norm(isCentred, isScaled):
    def build(g, x):
        axes = g.axes()
        centred = g.node("Sub", x, g.node("ReduceMean", x, axes)) if isCentred else x
        square = g.both("Mul", centred, centred) if g.random.random() < 0.5 else g.node("Pow", centred, g.number(2.0))
        moved = g.both("Add", g.node("ReduceMean", square, axes), g.number(1e-5))
        normal = g.node("Div", centred, g.node("Sqrt", moved))
        return g.both("Mul", normal, g.random.choice(g.scales)) if isScaled else normal

    return build


def length(g, x):
    return g.both("Add", x, g.node("Sqrt", g.node("ReduceSum", g.both("Mul", x, x), g.axes())))


def logSum(g, x):
    axes = g.axes()
    most = g.node("ReduceMax", x, axes)
    sum = g.node("ReduceSum", g.node("Exp", g.node("Sub", x, most)), axes)
    return g.node("Sub", x, g.both("Add", g.node("Log", sum), most))


def logSoftmax(g, x):
    return g.node("Log", g.node("Softmax", x, axis=-1))


def leaky(g, x):
    return g.both("Max", x, g.both("Mul", x, g.number(0.01)))


PATTERNS = [softplus, stableSoftplus, sigmoid, clip, hardSigmoid, gelu, length, logSum, logSoftmax, leaky, gated(plain("Sigmoid"))]
PATTERNS += [gated(one) for one in (sigmoid, hardSigmoid, alpha, lambda g, x: g.node("Tanh", softplus(g, x)))]
PATTERNS += [norm(isCentred, isScaled) for isCentred in (False, True) for isScaled in (False, True)]


def terms(seed, number):
    g = Terms(seed)
    while len(g.outputs) < number:
        g.kept = range(len(g.nodes))
        made = g.term(g.random.randint(1, 3))
        if made.startswith("v") and made not in g.outputs:
            g.outputs.append(made)
    return g.model()


def inDouble(model):
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    for info in wide.graph.input:
        info.type.tensor_type.elem_type = TensorProto.DOUBLE
    for info in wide.graph.output:
        info.type.tensor_type.elem_type = TensorProto.DOUBLE
    for tensor in wide.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))
    return wide


def byReference(model, feeds):
    with np.errstate(all="ignore"):
        return onnx.reference.ReferenceEvaluator(model).run(None, feeds)


def lossesNearby(model, feeds):
    """What each term of the original loses at most where the inputs are moved by some units in the last place; infinite for NaN."""
    draw = np.random.default_rng(0)
    most = np.zeros(len(model.graph.output))
    for _ in range(8):
        moved = {name: value + np.spacing(value) * draw.integers(-FACTOR, FACTOR, value.shape) for name, value in feeds.items()}
        moved = {name: value.astype(np.float32) for name, value in moved.items()}
        exact = byReference(inDouble(model), {name: value.astype(np.float64) for name, value in moved.items()})
        with np.errstate(invalid="ignore"):
            losses = [np.max(np.abs(got - double), initial=0.0) for got, double in zip(oracles.runModel(model, moved), exact)]
        most = np.maximum(most, np.nan_to_num(losses, nan=np.inf))
    return most


def isApart(value, other, limit):
    return value.shape != other.shape or not np.max(np.abs(value - other), initial=0.0) <= limit


def compare(model, rewritten, feeds):
    """The terms that were compared, and those that lost more than the original."""
    exact = byReference(inDouble(model), {name: value.astype(np.float64) for name, value in feeds.items()})
    reference = nearby = None
    before, after = oracles.runModel(model, feeds), oracles.runModel(rewritten, feeds)
    compared, wrong = 0, []
    for i, (info, double, old, new) in enumerate(zip(model.graph.output, exact, before, after)):
        largest = np.max(np.abs(double), initial=1.0)
        if not np.isfinite(double).all() or not np.isfinite(old).all() or largest > 1e6:
            continue  # what overflows has no bound
        lost = np.max(np.abs(old - double), initial=0.0)
        if lost > 1e-3 * largest:
            continue  # nor what cancels
        compared += 1
        limit = FACTOR * (lost + np.spacing(np.float32(largest)))
        if isApart(new, double, limit):
            reference = reference or byReference(rewritten, feeds)
            if not isApart(reference[i], double, limit):
                continue
            nearby = lossesNearby(model, feeds) if nearby is None else nearby
            if isApart(new, double, FACTOR * nearby[i]) and np.isfinite(nearby[i]):
                wrong.append((info.name, double.tolist(), old.tolist(), new.tolist()))
    return compared, wrong


@pytest.fixture(scope="module")
def counts():
    """Of models, and of terms in each; the long form has a million."""
    return (4000, 250) if t.options.long else (40, 25)


def test_random_terms_keep_their_values(tmp_path, counts):
    count, perModel = counts
    draw = np.random.default_rng(t.options.seed)
    compared, fired = 0, set()
    for i in range(count):
        model = terms(t.options.seed + i, perModel)
        path, out = tmp_path / "terms.onnx", tmp_path / "out.onnx"
        onnx.save(model, path)
        rules = ["--rules=fusions", f"--rules={FILES / 'peers.rules'}", "--trust-rules"]
        result = t.runOk("-O2", *rules, "--report=json", "--quiet", "-o", out, path)
        fired |= {node["reason"]["text"] for node in json.loads(result.err)["nodes"] if "reason" in node}
        shapes = {one.name: [dim.dim_value for dim in one.type.tensor_type.shape.dim] for one in model.graph.input}
        feeds = {name: draw.uniform(-3, 3, shape).astype(np.float32) for name, shape in shapes.items()}
        some, wrong = compare(model, onnx.load(out), feeds)
        assert not wrong, (i, wrong[:2])
        compared += some
    print(f"{count * perModel} terms, {compared} compared; rewritten by {sorted(fired)}")
    assert compared >= count * perModel * 3 // 4
    assert {"swish", "softplus-parts", "layer-norm-parts", "rms-norm-parts", "reduce-l2", "swish-alpha"} <= fired, fired
