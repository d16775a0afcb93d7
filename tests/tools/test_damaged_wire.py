# SPDX-License-Identifier: Apache-2.0
"""A file that protobuf cannot read is refused, and what is written can be read.

A model with a damaged byte in a part that is copied unread (the metadata of a node) was folded: "wire format was corrupt" said
protobuf of the input and of the output. The harness with a million damaged models is tests/fuzz/DamagedModelsTest.cpp; the
cases by message are in tests/onnx/io/WireCheckTest.cpp.
"""

import onnx
import pytest
from google.protobuf.message import DecodeError
from onnx import ModelProto, helper

import onnxfold_models as m
import onnxfold_testing as t
import onnxfold_wire as wire
from onnxfold_models import const, info, node

BAD = b"\x0e"  # wire type 6
SUM = wire.message(1, wire.message(1, "w") * 2 + wire.message(2, "y") + wire.message(4, "Add"))
W = wire.message(5, wire.number(1, 1) + wire.number(2, 1) + wire.message(8, "w") + wire.message(9, bytes(4)))
Y = wire.message(12, wire.message(1, "y") + wire.message(2, wire.message(1, wire.number(1, 1))))
VALUE = wire.message(13, wire.message(1, "v") + wire.message(2, wire.message(1, BAD)))
OTHER = wire.message(1, wire.message(2, "z") + wire.message(4, "Op") + wire.message(7, "com.example") + wire.message(9, BAD))
WHERE = {
    "graph.value_info[0].type.tensor_type": (VALUE, b""),
    "graph.node[1].metadata_props[0]": (OTHER, b""),
    "graph.quantization_annotation[0].quant_parameter_tensor_names[0]": (wire.message(14, wire.message(2, BAD)), b""),
    "functions[0].attribute_proto[0].tp": (b"", wire.message(25, wire.message(11, wire.message(14, BAD)))),
    "configuration[0]": (b"", wire.message(26, BAD)),
}


def written(folder, inGraph, inModel):
    path = folder / "model.onnx"
    graph = wire.message(2, "g") + SUM + W + Y + inGraph
    imports = wire.message(8, wire.number(2, 17))
    path.write_bytes(wire.number(1, 8) + wire.message(7, graph) + imports + inModel)
    return path


@pytest.mark.parametrize("where", WHERE)
def test_damage_is_refused(where, folder):
    path, out = written(folder, *WHERE[where]), folder / "out.onnx"
    with pytest.raises(DecodeError):
        ModelProto.FromString(path.read_bytes())
    for flags in ((), ("-O0",), ("--skip=*",), ("--check",)):
        result = t.run(*flags, "-o", out, path)
        assert result.code == 1 and f"model.onnx: {where} at byte " in result.err and not out.exists(), f"{flags}: {result}"


def test_unknown_fields_may_hold_anything(folder):
    """A near miss: protobuf does not look into a field that it does not know, nor into texts."""
    path = written(folder, wire.message(999, BAD) + wire.message(10, BAD), wire.message(999, BAD))
    ModelProto.FromString(t.fold(path, folder / "out.onnx").read_bytes())


def body(nodes, output):
    return m.graph(nodes, [], [info(output, None)], name=output)


def nested(depth):
    """If in If, so deep, around a node whose type becomes known."""
    inner = body([node("Neg", ["x"], ["n"]), node("Abs", ["n"], ["r"])], "r")
    for i in range(depth):
        other = body([node("Identity", ["x"], [f"o{i}"])], f"o{i}")
        inner = body([node("If", ["c"], [f"r{i}"], then_branch=inner, else_branch=other)], f"r{i}")
    return m.model([*inner.node], [info("x", (3,)), info("c", (), onnx.TensorProto.BOOL)], [info(inner.output[0].name, None)])


@pytest.mark.parametrize("depth", (5, 27, 28, 29, 30, 31))
def test_types_in_deep_bodies(depth, folder):
    """What --shapes adds may be nested more deeply than anything that was there."""
    model = nested(depth)
    onnx.save(model, folder / "model.onnx")
    for flags in (("--shapes",), ("-O0",), ("-O2", "--shapes")):
        out = t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        ModelProto.FromString(out.read_bytes())
        out.unlink()


def test_too_deep_bodies_are_refused(folder):
    """On the wire: no library makes them."""
    graph = b""
    for _ in range(34):
        graph = wire.message(1, wire.message(4, "If") + wire.message(5, wire.message(1, "g") + wire.message(6, graph)))
    path = written(folder, graph, b"")
    with pytest.raises(DecodeError):
        ModelProto.FromString(path.read_bytes())
    result = t.run("-o", folder / "out.onnx", path)
    assert result.code == 1 and "is more than 100 messages deep, which protobuf does not read" in result.err, result


def test_inlined_bodies_are_readable_or_refused(folder):
    """Functions with bodies in bodies: inlined, they are nested more deeply than in the input."""
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("f", 1)]

    def function(i, last):
        inner = body([node("Sqrt", ["k"], ["s"]), node("Add", ["a", "s"], ["t"])], "t")
        if not last:
            inner = body([node(f"F{i + 1}", ["a", "k", "c"], ["t"], domain="f")], "t")
        for depth in range(8):
            other = body([node("Identity", ["a"], [f"o{depth}"])], f"o{depth}")
            inner = body([node("If", ["c"], [f"r{depth}"], then_branch=inner, else_branch=other)], f"r{depth}")
        nodes = [*inner.node, node("Identity", [inner.output[0].name], ["b"])]
        return helper.make_function("f", f"F{i}", ["a", "k", "c"], ["b"], nodes, opsets)

    functions = [function(i, i == 4) for i in range(5)]
    inputs = [info("x", (3,)), info("c", (), onnx.TensorProto.BOOL)]
    call = node("F0", ["x", "k", "c"], ["y"], domain="f")
    model = m.model([call], inputs, [info("y", None)], [const("k", 4.0, "float32")], domains=[("f", 1)], functions=functions)
    onnx.save(model, folder / "model.onnx")
    for level in ("-O0", "-O1", "-O2"):
        out = folder / f"out{level}.onnx"
        result = t.run(level, "-o", out, folder / "model.onnx")
        assert result.code == 0 or "more than 100 messages deep" in result.err, result
        if result.code == 0:
            ModelProto.FromString(out.read_bytes())
        else:
            assert not out.exists(), level
        streamed = t.run(level, "-o", "-", folder / "model.onnx", apart=True)
        assert streamed.code == result.code and bool(streamed.out) == (result.code == 0), streamed
