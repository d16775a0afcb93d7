# SPDX-License-Identifier: Apache-2.0
"""RNN, GRU and LSTM with random attributes, inputs and outputs, in every version and element type.

The oracle is written from the text of the operators: one sequence and one time step at a time, in f64, rounded once. (The
reference evaluator ignores sequence_lens, clip, input_forget, activation_alpha and activation_beta.) What ONNX Runtime can
run (f32, from version 7, layout 0) is compared with it as well. --long: twenty times as many.
"""

from collections import Counter

import ml_dtypes
import numpy as np
import pytest

import onnxfold_compare as compare
import onnxfold_nodes as nodes
import onnxfold_oracles as oracles
import onnxfold_testing as t
from onnxfold_opsets import OpsetRuns, RandomCases

FLOATS = [np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)]
BF16 = np.dtype(ml_dtypes.bfloat16)
VERSIONS = {"RNN": (1, 7, 14, 22), "GRU": (1, 3, 7, 14, 22), "LSTM": (1, 7, 14, 22)}
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}

# name: (f(x, alpha, beta), default of alpha, default of beta); False: no such parameter, None: no default.
FUNCTIONS = {
    "Relu": (lambda x, a, b: np.maximum(x, 0), False, False),
    "Tanh": (lambda x, a, b: np.tanh(x), False, False),
    "Sigmoid": (lambda x, a, b: 1 / (1 + np.exp(-x)), False, False),
    "Affine": (lambda x, a, b: a * x + b, None, None),
    "LeakyRelu": (lambda x, a, b: np.where(x >= 0, x, a * x), 0.01, False),
    "ThresholdedRelu": (lambda x, a, b: np.where(x >= a, x, 0), 1.0, False),
    "ScaledTanh": (lambda x, a, b: a * np.tanh(b * x), None, None),
    "HardSigmoid": (lambda x, a, b: np.minimum(np.maximum(a * x + b, 0), 1), 0.2, 0.5),
    "Elu": (lambda x, a, b: np.where(x >= 0, x, a * np.expm1(x)), 1.0, False),
    "Softsign": (lambda x, a, b: x / (1 + np.abs(x)), False, False),
    "Softplus": (lambda x, a, b: np.logaddexp(0, x), False, False),
}


def rounded(value):
    """Attributes are f32."""
    return float(np.float32(value))


class Case:
    """One node: optional inputs and outputs are None where they are left out."""

    def __init__(self, opset, operator, inputs, attributes, outputs):
        self.opset, self.operator, self.inputs, self.attributes, self.outputs = opset, operator, inputs, attributes, outputs

    def __str__(self):
        shapes = [None if v is None else v.shape for v in self.inputs]
        return f"{self.operator}-{self.opset} of {self.inputs[0].dtype} {shapes} {self.attributes} outputs {self.outputs}"


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def chance(self, part):
        return self.random.random() < part

    def tensor(self, dtype, *shape):
        return (self.random.standard_normal(shape) * 0.8).astype(dtype)

    def activations(self, operator, directions):
        count = len(DEFAULTS[operator]) * directions
        names = [str(self.random.choice(list(FUNCTIONS))) for _ in range(count)]
        attributes = {"activations": names}
        for attribute, which in (("activation_alpha", 1), ("activation_beta", 2)):
            takers = [FUNCTIONS[name][which] for name in names if FUNCTIONS[name][which] is not False]
            given = len(takers)  # as many as there must be, or some more
            while given and takers[given - 1] is not None and self.chance(0.5):
                given -= 1
            if given:
                attributes[attribute] = [round(float(self.random.uniform(0.1, 0.9)), 2) for _ in range(given)]
        return attributes

    def make(self, operator, opset, dtype):
        steps, batch, size, hidden = self.integer(1, 5), self.integer(1, 3), self.integer(1, 4), self.integer(1, 5)
        if self.chance(0.1):  # more than one block of sequences, and of time steps
            steps, batch = self.integer(5, 9), self.integer(33, 70)
        direction = str(self.random.choice(["forward", "reverse", "bidirectional"]))
        directions = 2 if direction == "bidirectional" else 1
        attributes = {} if direction == "forward" and self.chance(0.5) else {"direction": direction}
        if self.chance(0.7):
            attributes["hidden_size"] = hidden
        if self.chance(0.5):
            attributes.update(self.activations(operator, directions))
        if self.chance(0.3):
            attributes["clip"] = round(float(self.random.uniform(0.05, 1)), 2)
        if operator == "GRU" and opset >= 3 and self.chance(0.5):
            attributes["linear_before_reset"] = 1
        if operator == "LSTM" and self.chance(0.3):
            attributes["input_forget"] = 1
        if opset >= 14 and self.chance(0.4):
            attributes["layout"] = 1
        batchFirst, width = attributes.get("layout", 0), GATES[operator] * hidden
        state = (batch, directions, hidden) if batchFirst else (directions, batch, hidden)
        lengths = self.random.integers(1, steps + 1, batch).astype(np.int32) if self.chance(0.5) else None
        maybe = lambda *shape: self.tensor(dtype, *shape) if self.chance(0.6) else None
        inputs = [
            self.tensor(dtype, *((batch, steps) if batchFirst else (steps, batch)), size),
            self.tensor(dtype, directions, width, size),
            self.tensor(dtype, directions, width, hidden),
            maybe(directions, 2 * width),
            lengths,
            maybe(*state),
        ]
        if operator == "LSTM":
            inputs += [maybe(*state), maybe(directions, 3 * hidden)]
        outputs = [self.chance(0.8), self.chance(0.8)] + [self.chance(0.7)] * (operator == "LSTM")
        if opset < 7 and outputs[0]:
            attributes["output_sequence"] = 1
        if not any(outputs) or (operator == "GRU" and opset == 1):
            outputs[1] = True
        return Case(opset, operator, inputs, attributes, outputs)


def cases(seed, count):
    maker = Maker(seed)
    for operator, versions in VERSIONS.items():
        for opset in versions:
            for dtype in FLOATS + [BF16] * (opset >= 22):
                for _ in range(count):
                    yield maker.make(operator, opset, dtype)


def functionsOf(case, directions):
    """For each direction the list of its functions of one argument."""
    clip = case.attributes.get("clip")
    alphas, betas = (list(case.attributes.get(f"activation_{name}", [])) for name in ("alpha", "beta"))
    result = []
    for name in case.attributes.get("activations", DEFAULTS[case.operator] * directions):
        f, alpha, beta = FUNCTIONS[name]
        a = None if alpha is False else rounded(alphas.pop(0) if alphas else alpha)
        b = None if beta is False else rounded(betas.pop(0) if betas else beta)
        limited = (lambda x: x) if clip is None else (lambda x: np.clip(x, -rounded(clip), rounded(clip)))
        result.append(lambda x, f=f, a=a, b=b: f(limited(x), a, b))
    each = len(DEFAULTS[case.operator])
    return [result[i * each : (i + 1) * each] for i in range(directions)]


def stepOf(case, f, W, R, Wb, Rb, P):
    """(x, h, c) -> (h, c): the equations."""
    gates = GATES[case.operator]
    W, R, Wb, Rb = (np.split(v, gates) for v in (W, R, Wb, Rb))

    def rnn(x, h, c):
        return f[0](x @ W[0].T + h @ R[0].T + Wb[0] + Rb[0]), c

    def gru(x, h, c):
        z = f[0](x @ W[0].T + h @ R[0].T + Wb[0] + Rb[0])
        r = f[0](x @ W[1].T + h @ R[1].T + Wb[1] + Rb[1])
        if case.attributes.get("linear_before_reset"):
            new = f[1](x @ W[2].T + r * (h @ R[2].T + Rb[2]) + Wb[2])
        else:
            new = f[1](x @ W[2].T + (r * h) @ R[2].T + Rb[2] + Wb[2])
        return (1 - z) * new + z * h, c

    def lstm(x, h, c):
        pi, po, pf = np.split(P, 3)
        i = f[0](x @ W[0].T + h @ R[0].T + pi * c + Wb[0] + Rb[0])
        forget = f[0](x @ W[2].T + h @ R[2].T + pf * c + Wb[2] + Rb[2])
        if case.attributes.get("input_forget"):
            forget = 1 - i
        c = forget * c + i * f[1](x @ W[3].T + h @ R[3].T + Wb[3] + Rb[3])
        o = f[0](x @ W[1].T + h @ R[1].T + po * c + Wb[1] + Rb[1])
        return o * f[2](c), c

    return {"RNN": rnn, "GRU": gru, "LSTM": lstm}[case.operator]


def oracle(case):
    """[Y, Y_h, Y_c] in f64."""
    values = [None if v is None else v.astype(np.float64) for v in case.inputs]
    values += [None] * (8 - len(values))
    x, w, r, b, lengths, h0, c0, p = values
    if case.attributes.get("layout"):
        x, h0, c0 = (None if v is None else v.swapaxes(0, 1) for v in (x, h0, c0))
    (steps, batch, _), (directions, width, hidden) = x.shape, r.shape
    y = np.zeros((steps, directions, batch, hidden))
    states = np.zeros((2, directions, batch, hidden))
    functions = functionsOf(case, directions)
    for d in range(directions):
        biases = np.zeros(2 * width) if b is None else b[d]
        peepholes = np.zeros(3 * hidden) if p is None else p[d]
        step = stepOf(case, functions[d], w[d], r[d], biases[:width], biases[width:], peepholes)
        for sequence in range(batch):
            length = steps if lengths is None else int(lengths[sequence])
            h = np.zeros(hidden) if h0 is None else h0[d, sequence]
            c = np.zeros(hidden) if c0 is None else c0[d, sequence]
            order = range(length)
            if d == 1 or case.attributes.get("direction") == "reverse":
                order = reversed(order)
            for time in order:
                h, c = step(x[time, sequence], h, c)
                y[time, d, sequence] = h
            states[:, d, sequence] = h, c
    if case.attributes.get("layout"):
        y, states = y.transpose(2, 0, 1, 3), states.swapaxes(1, 2)
    return [y, *states]


def isDisputed(case):
    """What stays: ONNX Runtime does not clip the input of LSTM's third function, and its ThresholdedRelu has another default
    and another result at alpha."""
    return (case.operator == "LSTM" and "clip" in case.attributes) or "ThresholdedRelu" in case.attributes.get("activations", [])


def runtimeHas(case):
    """Whether ONNX Runtime runs the case, and as the text has it."""
    return (
        case.opset >= 7
        and not isDisputed(case)
        and case.inputs[0].dtype == np.float32
        and not case.attributes.get("layout")
    )


def runtimeResults(case):
    """All results, or None where it has no such operator."""
    attributes = dict(case.attributes, hidden_size=case.inputs[2].shape[2])  # it asks for that
    try:
        return oracles.runtimeResults(min(case.opset, 14), case.operator, case.inputs, attributes, len(case.outputs))
    except Exception:  # not implemented
        return None


def referenceResults(case):
    """What the reference evaluator makes of cases without the attributes and inputs that it ignores, else None."""
    ignored = {"clip", "input_forget", "activations"} & set(case.attributes)
    if ignored or case.inputs[4] is not None or case.inputs[0].dtype not in (np.float32, np.float64):
        return None
    try:
        return oracles.referenceResults(max(case.opset, 14), case.operator, case.inputs, case.attributes, len(case.outputs))
    except Exception:  # an attribute of old versions
        return None


def differences(case, i, got, want, runtime):
    """What is wrong with output i."""
    if got is None:
        return "does not fold"
    # A result in the middle of two floats may go either way, as the sums are taken in another order.
    dtype = case.inputs[0].dtype
    text = compare.differenceText(got, want.astype(dtype), *((0, 1e-12) if dtype == np.float64 else (1, 1e-12)))
    reference = referenceResults(case)
    if not text and reference is not None:
        text = compare.differenceText(got, reference[i].astype(dtype), 8, 2e-6)
        text = text and f"reference evaluator: {text}"
    if not text and runtime is not None:
        text = compare.differenceText(got, runtime[i], 8, 2e-5)
        text = text and f"ONNX Runtime: {text}"
    return text


@np.errstate(all="ignore")  # some activation functions make states explode
def checkOpset(opset, mine, folder, compared):
    model = nodes.Model(folder, opset)
    for k, case in enumerate(mine):
        names = [f"y{k}_{i}" if used else "" for i, used in enumerate(case.outputs)]
        model.node(case.operator, ["" if v is None else v for v in case.inputs], outputs=names, **case.attributes)
    folded, _ = model.fold()
    problems = []
    for k, case in enumerate(mine):
        if isDisputed(case):
            problems += [f"{case} output {i} folds" for i, used in enumerate(case.outputs) if used and folded[f"y{k}_{i}"] is not None]
            continue
        wanted = oracle(case)
        runtime = runtimeResults(case) if runtimeHas(case) else None
        compared[case.operator] += runtime is not None
        if not all(np.abs(want).max() < 100 for want in wanted):
            runtime = None  # states that explode overflow in f32
        for i, used in enumerate(case.outputs):
            text = used and differences(case, i, folded[f"y{k}_{i}"], wanted[i], runtime)
            if text:
                problems.append(f"{case} output {i}: {text}")
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:10])


runs = OpsetRuns(VERSIONS, lambda: cases(t.options.seed, 160 if t.options.long else 8), opsetOf=lambda case: case.opset)


@pytest.mark.parametrize("opset", runs.opsets)
def test_opset(opset, folder):
    runs.run(opset, checkOpset, folder)


def test_runtime_took_part():
    runs.needAll()
    possible = Counter(case.operator for case in runs.everything() if runtimeHas(case))
    few = {name: f"{runs.counts[name]} of {count}" for name, count in possible.items() if runs.counts[name] < count // 2}
    assert not few, f"ONNX Runtime ran {few}"
