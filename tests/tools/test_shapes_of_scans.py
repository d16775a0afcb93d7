# SPDX-License-Identifier: Apache-2.0
"""Sizes in bodies of Scan and SequenceMap, and of loops over sequences.

Every model is run in ONNX Runtime for several sizes and numbers of iterations, before and after.
"""

import numpy as np
from onnx import helper

import onnxfold_models as m
from onnxfold_exact import cleaned
from onnxfold_loops import (
    F32,
    FEEDS,
    X,
    bodyAfter,
    bodyOf,
    check,
    loop,
    modelOf,
    named,
    sizes,
)
from onnxfold_models import const, info, node


def scanned(**attributes):
    """The sum of the rows so far, of x beside a state: y is the last one, rows are all."""
    inner = [node("Add", ["state", "row"], ["sum"]), *sizes("state", "b", 1), node("Add", ["sum", "sum"], ["each"])]
    inner += [node("Cast", ["b0"], ["f"], to=F32), node("Mul", ["each", "f"], ["more"])]
    body = m.graph(inner, named(["state", "row"]), named(["sum", "more"]), name="body")
    return node("Scan", ["start", "x"], ["y", "rows"], body=body, num_scan_inputs=1, **attributes)


def test_scans(folder):
    """As many slices as x has rows; states and slices have its columns, or the other way round."""
    for number, (axis, output) in enumerate([(0, 0), (0, 1), (1, 0), (-1, -1)]):
        first = axis == 0
        attributes = {"scan_input_axes": [axis], "scan_output_axes": [output]}
        nodes = [scanned(**attributes), *sizes("y", "a", 1), *sizes("rows", "c", 2), *sizes("x", "x", 2)]
        nodes += [node("Sub", [f"c{k}", f"x{l}"], [f"d{k}{l}"]) for k in (0, 1) for l in (0, 1)]
        start = np.zeros(4 if first else 3, np.float32)
        x = info("x", ("N", 4) if first else (3, "N"))
        model = modelOf(nodes, ["a0", "c0", "c1", "d00", "d01", "d10", "d11"], (x,))
        model.graph.initializer.append(const("start", start))
        place = folder / str(number)
        place.mkdir()
        feeds = [{"x": np.ones((n, 4) if first else (3, n), np.float32)} for n in (1, 2, 4)]
        out = cleaned(place, model, feeds=feeds).graph
        m.expectValue(out, "a0", start.size)
        # Number k of `rows` is the length, number k of x is.
        length = f"d{output % 2}{axis % 2}"
        m.expectValue(out, length, 0)
        m.expectValue(bodyAfter(out, "Scan"), "f", start.size)


def test_scans_of_batches(folder):
    """Version 8: a dimension for the batch, and then that of the length."""
    inner = [node("Add", ["state", "row"], ["sum"]), node("Relu", ["sum"], ["each"])]
    body = m.graph(inner, [info("state", (4,)), info("row", (4,))], [info("sum", (4,)), info("each", (4,))], name="body")
    scan = node("Scan", ["", "start", "x"], ["y", "rows"], body=body, num_scan_inputs=1)
    parts = []
    for value, prefix, rank in (("y", "a", 2), ("rows", "c", 3), ("x", "x", 3)):
        parts.append(node("Shape", [value], [f"{prefix}s"]))
        parts += [node("Gather", [f"{prefix}s", ["zero", "one", "two"][k]], [f"{prefix}{k}"]) for k in range(rank)]
    parts += [node("Sub", [f"c{k}", f"x{k}"], [f"d{k}"]) for k in (0, 1)]
    inputs = (info("start", ("B", 4)), info("x", ("B", "L", 4)))
    model = modelOf([scan, *parts], ["a1", "c2", "d0", "d1"], inputs, opset=8, ir=4)
    feeds = [{"start": np.ones((b, 4), np.float32), "x": np.ones((b, n, 4), np.float32)} for b in (1, 2) for n in (1, 3)]
    out = cleaned(folder, model, feeds=feeds).graph
    for name, value in (("a1", 4), ("c2", 4), ("d0", 0), ("d1", 0)):
        m.expectValue(out, name, value)


def test_sequences_that_are_mapped(folder):
    """Each tensor of a sequence of N x 4 is some size x 4; what is no sequence is whole in each run."""
    sequence = helper.make_tensor_sequence_value_info("parts", F32, (None, 4))
    inner = [*sizes("part", "b", 2), *sizes("whole", "w", 2), node("Add", ["b1", "w1"], ["e"])]
    inner += [node("Cast", ["e"], ["f"], to=F32), node("Cast", ["b0"], ["g"], to=F32), node("Add", ["f", "g"], ["h"])]
    body = m.graph(inner, [info("part", None), info("whole", None)], [info("h", None)], name="body")
    nodes = [node("SequenceMap", ["parts", "x"], ["each"], body=body), node("SequenceLength", ["each"], ["n"])]
    model = modelOf(nodes, ["n"], (X, sequence))
    feeds = [{"x": FEEDS[4]["x"], "parts": [np.ones((k, 4), np.float32) for k in (1, 3)]}]
    out = cleaned(folder, model, feeds=feeds).graph
    body = bodyAfter(out, "SequenceMap")
    m.expectValue(body, "f", 8)
    assert m.constantValue(body, "g") is None, "tensors of a sequence differ"


def test_sequences_that_go_round(folder):
    """A sequence that grows: what is read from it has the element type of what is put in."""
    inner = [
        node("SequenceInsert", ["s0", "x"], ["longer"]),
        node("SequenceAt", ["longer", "zero"], ["at"]),
        node("CastLike", ["one", "at"], ["like"]),
        node("Add", ["like", "half"], ["e"]),
    ]
    longer = m.sequenceInfo("longer")
    body = bodyOf(inner, [longer], ["e"], [m.sequenceInfo("s0")])
    nodes = [node("SequenceEmpty", [], ["none"]), loop(body, ["none"], ["all", "es"])]
    nodes += [node("SequenceLength", ["all"], ["n"]), node("Shape", ["es"], ["s"])]
    out, _ = check(folder, nodes, {"n": 0, "s": 1})
    m.expectValue(bodyAfter(out), "e", np.float32(1.5))
