# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: attention, recurrent cells and losses on SystemDS, where the node tests do not look."""

import numpy as np
import onnx
import pytest


import onnxfold_models as m
import onnxfold_systemds as systemds

RNG = np.random.default_rng(11)


def values(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def typed(array):
    return onnx.helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def expect(folder, node, inputs, wanted=None, constants=None, opset=21, free=False):
    """All outputs; `free`: dimension 0 of the inputs is the free batch size."""
    infos = [m.info(name, ["batch", *x.shape[1:]] if free else x.shape, typed(x)) for name, x in inputs.items()]
    results = [onnx.ValueInfoProto(name=name) for name in node.output if name]
    tensors = [m.const(name, array) for name, array in (constants or {}).items()]
    model = onnx.shape_inference.infer_shapes(m.model([node], infos, results, tensors, opset=opset))
    del model.graph.value_info[:]
    return systemds.expectSame(folder, model, list(inputs.values()), wanted)


# ---- attention ---------------------------------------------------------------------------------------------------------


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q, k, v, bias=0):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + bias) @ v


def test_attention_of_free_batch(folder):
    q, k, v = values(3, 4, 5, 8), values(3, 2, 6, 8), values(3, 2, 6, 7)
    node = m.node("Attention", ["q", "k", "v"], ["y"])
    expect(folder, node, {"q": q, "k": k, "v": v}, [attention(q, k, v)], opset=23, free=True)


def test_attention_sees_nothing(folder):
    """A query whose keys are all masked has zeros; a mask for each head, and causality."""
    q, k, v = values(2, 2, 3, 4), values(2, 2, 3, 4), values(2, 2, 3, 4)
    mask = RNG.random((1, 2, 3, 3)) > 0.4
    mask[0, 0, 1] = False
    mask[0, 1] |= np.eye(3, dtype=bool)
    node = m.node("Attention", ["q", "k", "v", "mask"], ["y"], is_causal=1)
    seen = mask & np.tril(np.ones((3, 3), bool))
    bias = np.where(seen, 0, -np.inf)
    blocked = ~seen.any(-1)[..., None]
    wanted = np.where(blocked, 0, attention(q, k, v, np.where(blocked, 0, bias)))
    expect(folder, node, {"q": q, "k": k, "v": v, "mask": mask}, [wanted], opset=23)


def test_attention_with_counts(folder):
    """nonpad_kv_seqlen: what is behind it is not seen, and the queries stand at its end; a mask that is too short."""
    q, k, v = values(2, 2, 3, 4), values(2, 2, 6, 4), values(2, 2, 6, 4)
    counts = np.int64([3, 5])
    mask = values(2, 1, 3, 5)
    node = m.node("Attention", ["q", "k", "v", "mask", "", "", "n"], ["y"], is_causal=1)
    keys, queries = np.arange(6), np.arange(3)[:, None]
    seen = keys <= queries + counts[:, None, None, None] - 3
    bias = np.where(seen & (keys < 5), np.pad(mask, [(0, 0)] * 3 + [(0, 1)]), -np.inf)
    expect(folder, node, {"q": q, "k": k, "v": v, "mask": mask, "n": counts}, [attention(q, k, v, bias)], opset=24)


# ---- recurrent cells ---------------------------------------------------------------------------------------------------

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STEPS, BATCH, INPUT, HIDDEN = 5, 3, 4, 2


def recurrent(op, directions, absent=(), **attributes):
    """The node, its inputs that vary, and its weights."""
    names = ["x", "w", "r", "b", "lens", "h", "c", "p"][: 8 if op == "LSTM" else 6]
    names = ["" if name in absent else name for name in names]
    results = ["y", "y_h", "y_c"][: 3 if op == "LSTM" else 2]
    if directions == 2:
        attributes["direction"] = "bidirectional"
    node = m.node(op, names, results, hidden_size=HIDDEN, **attributes)
    rows = GATES[op] * HIDDEN
    shapes = {
        "w": (directions, rows, INPUT), "r": (directions, rows, HIDDEN), "b": (directions, 2 * rows),
        "p": (directions, 3 * HIDDEN),
    }
    inputs = {"x": values(STEPS, BATCH, INPUT)}
    if "lens" not in absent:
        inputs["lens"] = np.int32([2, 5, 4])
    for state in ("h", "c"):
        if state in names:
            inputs[state] = values(directions, BATCH, HIDDEN)
    return node, inputs, {name: values(*shape) for name, shape in shapes.items() if name in names}


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("directions", [1, 2])
def test_recurrent(folder, op, directions):
    """Lengths, states, biases, peepholes, all outputs."""
    expect(folder, *split(recurrent(op, directions)))


def split(parts):
    node, inputs, constants = parts
    return node, inputs, None, constants


@pytest.mark.parametrize(
    "op, attributes",
    [
        ("RNN", {"direction": "reverse", "activations": ["Relu"]}),
        ("RNN", {"activations": ["LeakyRelu"], "activation_alpha": [0.3]}),
        ("RNN", {"activations": ["ScaledTanh"], "activation_alpha": [0.5], "activation_beta": [2.0], "clip": 0.7}),
        ("GRU", {"linear_before_reset": 1}),
        ("GRU", {"activations": ["HardSigmoid", "Softsign"], "activation_alpha": [0.3], "activation_beta": [0.4]}),
        ("GRU", {"activations": ["Sigmoid", "Affine"], "activation_alpha": [0.5], "activation_beta": [0.25], "clip": 1.5}),
        ("LSTM", {"input_forget": 1}),
        ("LSTM", {"direction": "reverse", "clip": 1.5}),
        ("LSTM", {"activations": ["Sigmoid", "Softplus", "Elu"], "activation_alpha": [0.6]}),
        ("LSTM", {"activations": ["Sigmoid", "ThresholdedRelu", "Tanh"], "activation_alpha": [0.2]}),
    ],
    ids=str,
)
def test_cell(folder, op, attributes):
    # ONNX Runtime does not limit the input of the last function of an LSTM, as the text has it: no large states.
    absent = ("lens", "c", "p") if "clip" in attributes else ("lens",)
    expect(folder, *split(recurrent(op, 1, absent, **attributes)))


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("directions", [1, 2])
def test_batch_first(folder, op, directions):
    """layout = 1 with a free batch size; ONNX Runtime has layout 0 only."""
    node, inputs, weights = recurrent(op, directions)
    feeds = {**inputs, **weights}
    infos = [m.info(name, feeds[name].shape, typed(feeds[name])) for name in node.input]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    y, *states = systemds.onnxRuntime(m.model([node], infos, outputs), feeds)
    wanted = [y.transpose(2, 0, 1, 3), *(state.transpose(1, 0, 2) for state in states)]
    first = {name: x if name == "lens" else x.transpose(1, 0, 2) for name, x in inputs.items()}
    node.attribute.append(onnx.helper.make_attribute("layout", 1))
    expect(folder, node, first, wanted, weights, free=True)


# ---- losses ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ignored", [None, 1, -7])
def test_loss(folder, op, reduction, weighted, ignored):
    """With a free batch size; ignored targets that are classes, or are none."""
    x = values(4, 3, 2)
    target = RNG.integers(0, 3, (4, 2))
    attributes = {"reduction": reduction}
    if ignored is not None:
        attributes["ignore_index"] = ignored
        target[1:3, 0] = ignored
    results = ["y", "log_prob"] if op[0] == "S" else ["y"]
    node = m.node(op, ["x", "t", "w"][: 2 + weighted], results, **attributes)
    constants = {"w": np.float32([0.5, 2, 0])} if weighted else {}
    expect(folder, node, {"x": x, "t": target}, None, constants, opset=13, free=True)


def test_loss_of_impossible_class(folder):
    """The picked logarithm is moved, not multiplied: 0 * -inf would be NaN."""
    x = np.log(np.float32([[0, 0.5, 0.5], [1, 0, 0]]))
    node = m.node("NegativeLogLikelihoodLoss", ["x", "t"], ["y"], reduction="none")
    expect(folder, node, {"x": x, "t": np.int64([0, 0])}, [np.float32([np.inf, 0])], opset=13)
    expect(folder, node, {"x": x, "t": np.int64([2, 1])}, [np.float32([np.log(2), np.inf])], opset=13)
