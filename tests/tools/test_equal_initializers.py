# SPDX-License-Identifier: Apache-2.0
"""Initializers of equal type and bytes become one from -O1 on, and what is computed anew reads it too. They are kept apart where a
name is needed: by outputs, bodies, annotations, and --keep-initializer."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from external_cases import ALIGNMENT
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

SIDE = 64
RANDOM = np.random.default_rng(47)
W = RANDOM.standard_normal((SIDE, SIDE)).astype(np.float32)


def layers(*weights, nodes=(), **more):
    """x W0 + x W1 + ..."""
    products = [node("MatMul", ["x", f"w{i}"], [f"p{i}"]) for i in range(len(weights))]
    last = node("Sum", [f"p{i}" for i in range(len(weights))] + [one.output[0] for one in nodes], ["y"])
    constants = [const(f"w{i}", value) for i, value in enumerate(weights)]
    return m.model([*products, *nodes, last], [info("x", (SIDE, SIDE))], [info("y", (SIDE, SIDE))], constants, **more)


def test_copies_become_one(folder):
    """duplicated_weights.onnx: one weight, and one product of it."""
    out = cleaned(folder, layers(W, W, W, W))
    assert m.initializerNames(out) == ["w0"], "initializers"
    assert m.operators(out) == ["MatMul", "Sum"], "operators"
    assert list(out.graph.node[-1].input) == ["p0"] * 4, "inputs of Sum"


def test_report_and_switches(folder):
    source = layers(W, W)
    onnx.save(source, folder / "m.onnx")
    t.runOk(folder / "m.onnx", "-o", folder / "out.onnx", f"--report=json:{folder}/r.json")
    report = json.loads((folder / "r.json").read_text())
    assert {one["name"]: one["action"] for one in report["constants"]} == {"w0": "kept", "w1": "removed"}, "constants"
    for flags in (["--disable=equal-initializer,common-subexpression"], ["--skip=*"], ["-O0"]):
        out = m.folded(folder, source, *flags)
        assert m.initializerNames(out) == ["w0", "w1"], f"with {flags}"


def test_unequal_ones_are_kept(folder):
    """One element, the type, the shape, the sign of a zero and the bits of a NaN count."""
    near, zeros = W.copy(), np.zeros((SIDE, SIDE), np.float32)
    near[3, 5] += 1
    nan = np.full((SIDE, SIDE), 0x7FC00001, np.uint32).view(np.float32)
    source = layers(W, near, zeros, -zeros, np.full_like(W, np.nan), nan, W.reshape(1, SIDE, SIDE))
    source.graph.output[0].CopyFrom(info("y", (1, SIDE, SIDE)))
    out = m.folded(folder, source, runs=False)
    assert len(out.graph.initializer) == 7, "initializers"


def test_names_that_are_needed(folder):
    """A graph output keeps its initializer, which the others then read; a body what it reads."""
    body = m.graph([node("Add", ["x", "w2"], ["o"])], [], [info("o", (SIDE, SIDE))], name="then")
    other = m.graph([node("Identity", ["x"], ["o2"])], [], [info("o2", (SIDE, SIDE))], name="else")
    source = layers(W, W, W, W, nodes=[node("If", ["flag"], ["z"], then_branch=body, else_branch=other)])
    source.graph.input.append(info("flag", (), TensorProto.BOOL))
    source.graph.output.append(info("w1", (SIDE, SIDE)))
    out = cleaned(folder, source, feeds=[{"x": W, "flag": np.array(True)}, {"x": W, "flag": np.array(False)}])
    assert m.initializerNames(out) == ["w1", "w2"], "initializers"


def test_annotations_keep_names(folder):
    source = layers(W, W, W)
    annotation = source.graph.quantization_annotation.add(tensor_name="w1")
    pair = annotation.quant_parameter_tensor_names.add()
    pair.key, pair.value = "SCALE_TENSOR", "w2"
    out = m.folded(folder, source)
    assert m.initializerNames(out) == ["w1", "w2"], "initializers"


@pytest.mark.parametrize("kept", ["w0", "w1"])
def test_kept_initializers_stay_apart(folder, kept):
    """A runtime may replace what --keep-initializer names: neither old nor new values read it."""
    nodes = [node("Transpose", ["v"], ["vt"]), node("MatMul", ["x", "vt"], ["q"])]
    source = layers(W, W, W, nodes=nodes)
    source.graph.initializer.append(const("v", W.T.copy()))
    out = m.folded(folder, source, f"--keep-initializer={kept}")
    assert sorted(m.initializerNames(out)) == sorted({kept, "w0" if kept != "w0" else "w1"}), "initializers"
    readers = [one.output[0] for one in out.graph.node if kept in one.input]
    assert readers == [f"p{kept[1]}"], "readers of the kept one"


def test_new_values_equal_to_old_ones(folder):
    """A value that folds is not stored beside an equal initializer; as an output it replaces that."""
    source = layers(W, nodes=[node("Transpose", ["v"], ["vt"]), node("MatMul", ["x", "vt"], ["q"])])
    source.graph.initializer.append(const("v", W.T.copy()))
    out = cleaned(folder, source)
    assert m.initializerNames(out) == ["w0"], "initializers"
    source.graph.output.append(info("vt", (SIDE, SIDE)))
    out = cleaned(folder, source)
    assert m.initializerNames(out) == ["vt"], "initializers"


def test_inputs_with_defaults_are_kept(folder):
    """From IR version 4 on a caller may feed an initializer that is an input too."""
    source = layers(W, W, W)
    source.graph.input.append(info("w1", (SIDE, SIDE)))
    out = m.folded(folder, source, runs=False)
    assert m.initializerNames(out) == ["w0", "w1"], "initializers"


def test_external_data(folder):
    """One place in the data file."""
    source = layers(W, W, W, nodes=[node("MatMul", ["x", "vt"], ["r"])])
    source.graph.node.insert(0, node("Transpose", ["v"], ["vt"]))
    source.graph.initializer.append(const("v", (2 * W).T.copy()))
    onnx.save(source, folder / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=1024)
    out = t.fold(folder / "m.onnx", folder / "out.onnx", "--external-data")
    assert (folder / "out.onnx.data").stat().st_size == ALIGNMENT + W.nbytes, "size of the data file: two tensors"
    onnx.checker.check_model(str(out))
    kept = t.fold(folder / "m.onnx", folder / "kept.onnx")
    assert len(onnx.load(kept, load_external_data=False).graph.initializer) == 2, "initializers"


def test_equal_up_to_the_shape(folder):
    """Two folded values of one content and two shapes share a range of the data file."""
    nodes = [node("Neg", ["a"], ["an"]), node("Neg", ["b"], ["bn"]), node("Gather", ["an", "row"], ["p"]), node("Gather", ["bn", "row"], ["q"])]
    constants = [const("a", W), const("b", W.reshape(2 * SIDE, SIDE // 2))]
    outputs = [info("p", (2, SIDE)), info("q", (2, SIDE // 2))]
    source = m.model(nodes, [info("row", (2,), TensorProto.INT64)], outputs, constants)
    onnx.save(source, folder / "m.onnx")
    out = t.fold(folder / "m.onnx", folder / "out.onnx", "--external-data")
    assert (folder / "out.onnx.data").stat().st_size == W.nbytes, "size of the data file"
    for name, shape in (("an", (SIDE, SIDE)), ("bn", (2 * SIDE, SIDE // 2))):
        m.expectValue(onnx.load(out).graph, name, -W.reshape(shape))
