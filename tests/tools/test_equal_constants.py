# SPDX-License-Identifier: Apache-2.0
"""Equal folded constants are written once, where nothing needs their names; in a data file they share their bytes."""

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from external_cases import ALIGNMENT, SIDE, WEIGHT, entries, expectOneFile, expectSameResults
from onnxfold_models import const, info, node


def test_equal_folded_constants_are_written_once(folder):
    """Three computations, one value: one initializer, which all nodes read. Equal old initializers are one, too."""
    source = m.model(
        [
            node("Transpose", ["w"], ["a"]),
            node("Transpose", ["v"], ["b"]),
            node("Transpose", ["w"], ["c"]),
            node("MatMul", ["x", "a"], ["p"]),
            node("MatMul", ["p", "b"], ["q"]),
            node("Where", ["flag", "c", "q"], ["r"]),
            node("MatMul", ["r", "w"], ["s"]),
            node("MatMul", ["s", "v"], ["y"]),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT), const("v", WEIGHT)],
    )
    source.graph.value_info.extend(info(name, (SIDE, SIDE)) for name in "abc")
    for flags in ((), ("--external-data",)):
        out = m.folded(folder, source, "--max-growth=unlimited", feeds=[m.ones(source)]) if not flags else None
        if flags:
            out = onnx.load(t.fold(folder / "model.onnx", folder / "ext.onnx", "--max-growth=unlimited", *flags))
        assert [one.name for one in out.graph.initializer] == ["w", "a"], "initializers"
        assert [one.name for one in out.graph.value_info if one.name in ("b", "c")] == [], "value infos"
        assert out.graph.node[1].input[1] == "a", "what reads the second value"
    data = [entries(one)["offset"] for one in onnx.load(folder / "ext.onnx", load_external_data=False).graph.initializer]
    assert len(set(data)) == 2, "places in the data file"


def test_equal_constants_with_names_that_matter(folder):
    """Graph outputs keep their names, and bodies what they read; in a data file equal values share their bytes."""
    body = m.graph([node("Add", ["x", "in_body"], ["o"])], [], [info("o", (SIDE, SIDE))], name="then")
    other = m.graph([node("Identity", ["x"], ["o2"])], [], [info("o2", (SIDE, SIDE))], name="else")
    source = m.model(
        [
            node("Neg", ["w"], ["first"]),
            node("Neg", ["w"], ["result"]),
            node("Neg", ["w"], ["in_body"]),
            node("Add", ["x", "first"], ["y"]),
            node("If", ["flag"], ["z"], then_branch=body, else_branch=other),
        ],
        [info("x", (SIDE, SIDE)), info("flag", (), TensorProto.BOOL)],
        [info("y", (SIDE, SIDE)), info("result", (SIDE, SIDE)), info("z", (SIDE, SIDE))],
        [const("w", WEIGHT)],
    )
    out = m.folded(folder, source, feeds=[m.ones(source)])
    assert [one.name for one in out.graph.initializer] == ["result", "in_body"], "initializers"
    assert list(out.graph.node[0].input) == ["x", "result"], "what the node reads that may read any of them"
    t.fold(folder / "model.onnx", folder / "ext.onnx", "--external-data")
    expectSameResults(folder / "ext.onnx", folder / "model.onnx", source)
    assert (folder / "ext.onnx.data").stat().st_size == WEIGHT.nbytes, "size of the data file"


def test_equal_constants_that_annotations_name(folder):
    """Quantisation parameters are found by name: neither the value nor its scale may be called something else."""
    source = m.model(
        [node("Neg", ["w"], [name]) for name in ("a", "b", "c")] + [node("Sum", ["x", "a", "b", "c"], ["y"])],
        [info("x", (SIDE, SIDE))],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT)],
    )
    annotation = source.graph.quantization_annotation.add(tensor_name="b")
    pair = annotation.quant_parameter_tensor_names.add()
    pair.key, pair.value = "SCALE_TENSOR", "c"
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    assert m.initializerNames(out) == ["a", "b", "c"], "initializers"
    assert list(out.graph.node[0].input) == ["x", "a", "b", "c"], "inputs of Sum"


def test_equal_constants_that_are_nodes(folder):
    """At IR version 3 folded values are Constant nodes, which are not merged; in a data file they share their bytes."""
    source = m.model(
        [node("Neg", ["w"], ["a"]), node("Neg", ["w"], ["b"]), node("Sum", ["x", "w", "a", "b"], ["y"])],
        [info("x", (SIDE, SIDE)), info("w", (SIDE, SIDE))],
        [info("y", (SIDE, SIDE))],
        [const("w", WEIGHT)],
        opset=8,
        ir=3,
    )
    onnx.save(source, folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--max-growth=1G", "--external-data")
    full = expectOneFile(out, "out.onnx.data")
    assert [one.op_type for one in full.graph.node] == ["Constant", "Constant", "Sum"], "nodes"
    for name in "ab":
        m.expectValue(full.graph, name, -WEIGHT)
    assert (folder / "out.onnx.data").stat().st_size == ALIGNMENT + WEIGHT.nbytes, "size of the data file"
    expectSameResults(out, folder / "model.onnx", m.model([], [info("x", (SIDE, SIDE))], []))


def test_constants_that_only_look_alike(folder):
    """Same type, same beginning, middle and end; and 0 and -0, two NaNs: different bytes are different values."""
    near = WEIGHT.copy()
    near[3, 5] += 1
    zeros = np.zeros((SIDE, SIDE), np.float32)
    nan = zeros.copy().view(np.uint32)
    nan[:] = 0x7FC00001
    values = [WEIGHT, near, zeros, -zeros, np.full_like(zeros, np.nan), nan.view(np.float32)]
    nodes, value = [], "x"
    for number in range(len(values)):
        nodes += [node("Transpose", [f"w{number}"], [f"t{number}"]), node("Add", [value, f"t{number}"], [f"y{number}"])]
        value = f"y{number}"
    source = m.model(
        nodes,
        [info("x", (SIDE, SIDE))],
        [info(value, (SIDE, SIDE))],
        [const(f"w{number}", one) for number, one in enumerate(values)],
    )
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--disable=plus-zero,plus-unseen-zero"))
    for number, one in enumerate(values):
        got = m.constantValue(out.graph, f"t{number}")
        assert got is not None, f"t{number} is not there"
        assert got.tobytes() == one.T.tobytes(), f"bytes of t{number}"


def test_stored_constants_of_other_shapes_share_bytes(folder):
    """Initializers that move to a data file: one range for equal bytes, whatever the shapes are; one element more is another."""
    near = WEIGHT.copy()
    near[SIDE // 3, 5] += 1
    flat = WEIGHT.reshape(1, -1)
    source = m.model(
        [
            node("MatMul", ["x", "w"], ["p"]),
            node("MatMul", ["p", "near"], ["q"]),
            node("Reshape", ["q", "s"], ["r"]),
            node("Mul", ["r", "flat"], ["y"]),
        ],
        [info("x", (SIDE, SIDE))],
        [info("y", (1, SIDE * SIDE))],
        [const("w", WEIGHT), const("near", near), const("flat", flat), const("s", [1, -1], np.int64)],
    )
    onnx.save(source, folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "ext.onnx", "--external-data")
    expectSameResults(folder / "ext.onnx", folder / "model.onnx", source)
    out = onnx.load(folder / "ext.onnx", load_external_data=False)
    places = {one.name: entries(one).get("offset") for one in out.graph.initializer}
    assert places["w"] == places["flat"] != places["near"], "places in the data file"
