# SPDX-License-Identifier: Apache-2.0
"""If, Loop and Scan of constants in every version and element type: their bodies are computed, only tensors are left.

Bodies move elements with Identity, which every version has for every type. --long: ten seeds.
"""

import numpy as np
from onnx import TensorProto, helper

import onnxfold_models as m
from onnxfold_types import dtypeOf, tableTests

I64, BOOL = TensorProto.INT64, TensorProto.BOOL


def kindOf(dtype):
    return helper.np_dtype_to_tensor_dtype(dtype)


def same(name, result):
    return helper.make_node("Identity", [name], [result])


def constant(name, value):
    return helper.make_node("Constant", [], [name], value=m.const(name, value))


def choice(maker, version, dtype):
    """Constants in the branches: which of them comes out."""
    yes, no, kind = maker.tensor(dtype, 2, 3), maker.tensor(dtype, 3), kindOf(dtype)
    branches = {
        name: m.graph([constant("c", value), same("c", "out")], [], [m.info("out", None, kind)], name=name)
        for name, value in (("then_branch", yes), ("else_branch", no))
    }
    for condition in (True, False):
        yield [np.array(condition)], branches, [yes if condition else no]


def loop(maker, version, dtype):
    """Two values that change places in each iteration, the first of which is collected."""
    kind = kindOf(dtype)
    a, b = maker.tensor(dtype, 2), maker.tensor(dtype, 2)
    inputs = [m.info("i", (), I64), m.info("c", (), BOOL), m.info("a", (2,), kind), m.info("b", (2,), kind)]
    nodes = [same("c", "c2"), same("b", "a2"), same("a", "b2"), same("a", "all")]
    outputs = [m.info("c2", (), BOOL), m.info("a2", (2,), kind), m.info("b2", (2,), kind), m.info("all", (2,), kind)]
    body = m.graph(nodes, inputs, outputs, name="body")
    for trips in (3, 2):
        last = [b, a] if trips % 2 else [a, b]
        collected = np.stack([b if k % 2 else a for k in range(trips)])
        yield [np.array(trips), np.array(True), a, b], {"body": body}, [*last, collected]
        yield [np.array(trips), None, a, b], {"body": body}, [*last, collected]
    yield [np.array(5), np.array(False), a, b], {"body": body}, [a, b, np.zeros((0, 2), dtype)]


def scan(maker, version, dtype):
    """The state becomes the element that is read; the state before it is collected."""
    kind = kindOf(dtype)
    state, rows = maker.tensor(dtype, 2), maker.tensor(dtype, 4, 2)
    nodes = [same("row", "state2"), same("state", "out")]
    inputs = [m.info("state", (2,), kind), m.info("row", (2,), kind)]
    body = m.graph(nodes, inputs, [m.info("state2", (2,), kind), m.info("out", (2,), kind)], name="body")
    forward = np.concatenate([state[None], rows[:-1]])
    backward = np.concatenate([state[None], rows[:0:-1]])
    if version == 8:  # with a batch
        yield [None, state[None], rows[None]], {"body": body, "num_scan_inputs": 1}, [rows[None, -1], forward[None]]
        reverse = {"body": body, "num_scan_inputs": 1, "directions": [1]}
        yield [None, state[None], rows[None]], reverse, [rows[None, 0], backward[None]]
        return
    yield [state, rows], {"body": body, "num_scan_inputs": 1}, [rows[-1], forward]
    reverse = {"body": body, "num_scan_inputs": 1, "scan_input_directions": [1], "scan_output_directions": [1]}
    yield [state, rows], reverse, [rows[0], backward[::-1]]
    columns = {"body": body, "num_scan_inputs": 1, "scan_input_axes": [1], "scan_output_axes": [1]}
    yield [state, np.stack(list(rows), 1)], columns, [rows[-1], np.stack(list(forward), 1)]


def elementTypes(operator, schema):
    texts = [text for c in schema.type_constraints if c.type_param_str == "V" for text in c.allowed_type_strs]
    return [dtypeOf(text) for text in texts if text.startswith("tensor(")]


OPERATORS = {"If": choice, "Loop": loop, "Scan": scan}
WRONG = {("runtime", "Loop"): "loses strings that the last iteration collects"}
test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, elementTypes, least=1000, wrong=WRONG
)
