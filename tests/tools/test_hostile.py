# SPDX-License-Identifier: Apache-2.0
"""Models from anywhere: files of other kinds, text forms, names with any bytes, odd orders, external data that lies.

What can be read is read, and folds as ONNX Runtime or numpy say; the rest gets exit 1 and a message that says what it is.
"""

import bz2
import gzip
import io
import lzma
import os
import tarfile

import numpy as np
import onnx
import onnx.parser
import onnx.printer
from google.protobuf import json_format, text_format
from onnx import TensorProto, helper, numpy_helper

import onnxfold_models as m
import onnxfold_testing as t
import onnxfold_wire as wire
from bad_cases import expectRefused, external, info, put, smallModel

WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3)
SUM = (WEIGHT + WEIGHT).astype(np.float32)  # of smallModel's Add


def node(operator, inputs, outputs, name="", **attributes):
    return helper.make_node(operator, inputs, outputs, name=name, **attributes)


def foldFile(path, out, *flags):
    """Folds; the model, and the warnings that the report holds."""
    report = t.foldWithReport(path, out, *flags)
    return onnx.load(out), report["warnings"]


def expectSmallModelFolded(model, what):
    assert m.operators(model) == ["Mul"], f"operators ({what})"
    m.expectValue(model.graph, "v", SUM)


# ---- files of other kinds ------------------------------------------------------------------------------------------------


def test_archives_and_other_files_are_named(folder):
    data = smallModel().SerializeToString()
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        entry = tarfile.TarInfo("model.onnx")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    for content, kind in (
        (gzip.compress(data), "gzip"),
        (bz2.compress(data), "bzip2"),
        (lzma.compress(data), "xz"),
        (tar.getvalue(), "tar"),
        (b"PK\x03\x04" + bytes(60), "zip"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs"),
        (b"<!DOCTYPE html><html>404</html>", "web page"),
        (b"\x89HDF\r\n\x1a\n" + bytes(60), "hdf5"),
        (b"\x1c\0\0\0TFL3" + bytes(60), "tensorflow lite"),
        (b"\x89PNG\r\n\x1a\n" + bytes(60), "png"),
        (bytes(4096), "zeros"),
    ):
        put(folder, content)
        result = expectRefused(folder, says=[kind], what=kind)
        assert len(result.err.strip().splitlines()) == 1, f"lines of the message ({kind})"


def test_text_forms_are_read(folder):
    """Protobuf text, JSON and ONNX text, as the onnx package writes them, fold into the binary form."""
    model = smallModel()
    forms = {
        "model.textproto": text_format.MessageToString(model),
        "comment.textproto": "# a comment first\n" + text_format.MessageToString(model),
        "model.json": json_format.MessageToJson(model),
        "snake.json": json_format.MessageToJson(model, preserving_proto_field_name=True, indent=0),
        "model.onnxtxt": onnx.printer.to_text(model),
        "misnamed.onnx": json_format.MessageToJson(model),
    }
    for name, text in forms.items():
        path = put(folder, text.encode(), name)
        before = t.fileState(path)
        out, warnings = foldFile(path, folder / "out.onnx")
        expectSmallModelFolded(out, name)
        assert any("binary" in one for one in warnings), f"{name}: no warning that the output is binary: {warnings}"
        assert t.fileState(path) == before, f"state of {name}"
        onnx.checker.check_model(out, full_check=True)


def test_text_is_never_replaced(folder):
    """The input is the text file, although what is folded is its binary form."""
    path = put(folder, json_format.MessageToJson(smallModel()).encode())
    os.link(path, folder / "hard.onnx")
    for out in ("model.onnx", "hard.onnx"):
        expectRefused(folder, "-o", folder / out, path, says=["input"], what=out)


def test_text_from_standard_input(folder):
    text = json_format.MessageToJson(smallModel()).encode()
    result = t.runOk("--quiet", "-", stdin=text)
    expectSmallModelFolded(onnx.load_model_from_string(result.out), "JSON on standard input")


def test_text_with_external_data(folder):
    (folder / "w.bin").write_bytes(WEIGHT.tobytes())
    model = smallModel(initializers=[external("w", "w.bin")])
    path = put(folder, text_format.MessageToString(model).encode(), "model.textproto")
    out, _ = foldFile(path, folder / "out.onnx")
    expectSmallModelFolded(out, "text with external data")


def test_broken_text_says_where(folder):
    good = text_format.MessageToString(smallModel())
    for content, words in (
        (good.replace("ir_version: 10", "ir_version: ten"), ["protobuf text", "line 1"]),
        (good.replace("op_type", "no_such_field", 1), ["protobuf text", "no_such_field"]),
        (json_format.MessageToJson(smallModel())[:-9], ["JSON"]),
        ('{"model": 1}\n', ["JSON", "model"]),
        ("<ir_version: 10, opset_import: [\"\" : 21]> g (float[2] x) => (float[2] y) { y = Neg(x ", ["ONNX text"]),
        ("<ir_version: 99999999999999999999>", ["ONNX text"]),
        ("{}", ["no graph"]),
    ):
        put(folder, content.encode())
        result = expectRefused(folder, names=("model.onnx", *words), what=content[:40])
        assert len(result.err.strip().splitlines()) == 1, f"lines of the message {result.err!r}"


def test_deep_text_is_refused(folder):
    """Parsers of text recurse: 100,000 open brackets must not end in a stack overflow."""
    for start, opened in (("{", '{"graph":'), ("graph {", "node { attribute { g {"), ("<", "<x: ["), ("<", "seq(")):
        put(folder, (start + opened * 100_000).encode())
        expectRefused(folder, says=["deep"], what=f"{opened} nested")


# ---- order and names -------------------------------------------------------------------------------------------------------


def chain(order, names=None):
    """y = x * (-(w + w)): three nodes in this order of the file."""
    nodes = [
        node("Add", ["w", "w"], ["a"], "first"),
        node("Neg", ["a"], ["b"], "second"),
        node("Mul", ["x", "b"], ["y"], "third"),
    ]
    for one, name in zip(nodes, names or ()):
        one.name = name
    return smallModel([nodes[place] for place in order])


def test_nodes_in_any_order_fold(folder):
    import itertools

    for order in itertools.permutations(range(3)):
        put(folder, chain(order))
        out, warnings = foldFile(folder / "model.onnx", folder / "out.onnx")
        assert m.operators(out) == ["Mul"], f"operators ({order})"
        m.expectValue(out.graph, "b", -SUM)
        assert any("topological" in one for one in warnings) == (order != (0, 1, 2)), f"a warning of order {order}: {warnings}"
        again = t.fold(folder / "out.onnx", folder / "again.onnx")
        t.expectSameBytes(again, folder / "out.onnx", f"order {order}, folded again")


def test_unsorted_nodes_that_stay_keep_their_places(folder):
    """Lossless: with nothing to fold an unsorted model is copied byte for byte, bodies and functions included."""
    body = helper.make_graph([node("Abs", ["p"], ["q"]), node("Neg", ["x"], ["p"])], "body", [], [info("q")])
    nodes = [
        node("Mul", ["x", "z"], ["y"], "late"),
        node("If", ["c"], ["z"], "if", then_branch=body, else_branch=body),
        node("Cast", ["x0"], ["c"], "cast", to=TensorProto.BOOL),
        node("ReduceMax", ["x"], ["x0"], "max", keepdims=0),
    ]
    data = smallModel(nodes, []).SerializeToString()
    put(folder, data)
    out, warnings = foldFile(folder / "model.onnx", folder / "out.onnx")
    assert (folder / "out.onnx").read_bytes() == data, "unsorted model"
    assert sum("topological" in one for one in warnings) == 3, f"warnings of the graph and two bodies: {warnings}"


def test_doubled_node_names_are_told(folder):
    put(folder, chain((0, 1, 2), ["same", "same", "same"]))
    out, warnings = foldFile(folder / "model.onnx", folder / "out.onnx")
    assert m.operators(out) == ["Mul"], "operators"
    assert any("2 nodes" in one and "'same'" in one for one in warnings), f"no warning of doubled names: {warnings}"
    put(folder, chain((0, 1, 2)))
    assert foldFile(folder / "model.onnx", folder / "out.onnx")[1] == [], "warnings of different names"
    put(folder, chain((0, 1, 2), ["", "", ""]))
    assert foldFile(folder / "model.onnx", folder / "out.onnx")[1] == [], "warnings of nodes without names"


def test_cycles_are_named(folder):
    """All nodes of the cycle, and none that only reads from it."""
    cycle = [
        node("Add", ["x", "c"], ["a"], "first"),
        node("Add", ["a", "w"], ["b"], "second"),
        node("Neg", ["b"], ["c"], "third"),
    ]
    reader = node("Mul", ["c", "x"], ["y"], "reader")
    for nodes in ([*cycle, reader], [reader, *cycle], [cycle[2], reader, cycle[0], cycle[1]]):
        put(folder, smallModel(nodes))
        result = expectRefused(folder, names=("3 nodes", "first", "second", "third"), says=["cycle"])
        assert "reader" not in result.err, f"the reader is no part of the cycle: {result.err}"
    put(folder, smallModel([node("Add", ["y", "w"], ["y"], "self")]))
    expectRefused(folder, names=("'self'", "'y'"), says=["itself"])
    ring = [node("Neg", [f"v{(i + 1) % 5000}"], [f"v{i}"], f"n{i}") for i in range(5000)]
    put(folder, smallModel([*ring, node("Neg", ["x"], ["y"])]))
    result = expectRefused(folder, names=("5000 nodes",), says=["cycle"])
    assert len(result.err) < 2000, f"the message has {len(result.err)} bytes"


def test_cycle_through_a_body(folder):
    body = helper.make_graph([node("Neg", ["y"], ["b"])], "body", [], [info("b")])
    nodes = [node("If", ["c"], ["y"], "if", then_branch=body, else_branch=body)]
    put(folder, smallModel(nodes, [numpy_helper.from_array(np.array(True), "c")]))
    expectRefused(folder, names=("'if'", "'y'"), says=["itself"])


def rawModel(names):
    """The small model as bytes; `names`: of the initializer, the folded value and the node that folds."""
    weight, value, name = names
    tensor = wire.number(1, 2) + wire.number(1, 3) + wire.number(2, 1) + wire.message(8, weight)
    add = wire.message(1, weight) * 2 + wire.message(2, value) + wire.message(3, name) + wire.message(4, "Add")
    mul = wire.message(1, "x") + wire.message(1, value) + wire.message(2, "y") + wire.message(4, "Mul")
    graph = wire.message(1, add) + wire.message(1, mul) + wire.message(5, tensor + wire.message(9, WEIGHT.tobytes()))
    graph += wire.message(11, info("x").SerializeToString()) + wire.message(12, info("y").SerializeToString())
    return wire.number(1, 10) + wire.message(7, graph) + wire.message(8, wire.message(1, "") + wire.number(2, 21))


NAMES = {
    "not_utf8": b"\xff\xfe\x80",
    "zero": b"a\0b",
    "newline": b"a\nkept Add-14 forged",
    "escape": b"\x1b[2J\xc2\x9b31m",
    "quotes": b"\"'\\%s{0}",
    "slashes": b"../../etc/passwd",
    "spaces": b"  ",
    "utf8": "größe/重み".encode(),
    "long": b"n" * 100_000,
}


def test_names_of_any_bytes(folder):
    for label, name in NAMES.items():
        names = (name + b"w", name + b"v", name)
        put(folder, rawModel(names))
        report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
        out = (folder / "out.onnx").read_bytes()
        graph = wire.first(out, 7)
        assert len(wire.every(graph, 1)) == 1, f"{label}: nodes left"
        made = [tensor for tensor in wire.every(graph, 5) if wire.first(tensor, 8) == names[1]]
        assert len(made) == 1, f"{label}: initializers of the name {names[1][:20]!r}"
        assert wire.first(made[0], 9) == SUM.tobytes(), f"{label}: value"
        assert [one["op"] for one in report["nodes"]] == ["Add", "Mul"], f"{label}: operators in the report"
        text = t.runOk("--report=text", "--check", "--only=none", folder / "model.onnx").err
        lines = [line for line in text.splitlines() if line.startswith("kept ")]
        assert len(lines) <= 2, f"{label}: a name makes lines of the report: {lines}"
        assert not any(
            ord(c) < 32 and c != "\n" or 0x7F <= ord(c) < 0xA0 for c in text
        ), f"{label}: control characters in {text!r}"


def test_messages_show_odd_names_on_one_line(folder):
    for label, name in NAMES.items():
        put(folder, rawModel((name + b"w", name + b"v", name)).replace(name + b"w", name + b"q", 1))
        result = expectRefused(folder, what=label)
        assert len(result.err.strip().splitlines()) == 1, f"{label}: lines of {result.err!r}"
        assert len(result.err) < 1200 and "\x1b" not in result.err, f"{label}: message {result.err[:2000]!r}"


def test_new_names_never_clash(folder):
    """Sibling bodies, outer scopes and functions may use the names that folding gives to constants."""
    weight = numpy_helper.from_array(WEIGHT, "w")

    def branch(operator):
        return helper.make_graph(
            [node("Add", ["w", "w"], ["v"]), node(operator, ["v"], ["r"]), node("Mul", ["x", "r"], ["out"])],
            "branch",
            [],
            [info("out")],
        )

    nodes = [
        node("ReduceMax", ["x"], ["top"], keepdims=0),
        node("Cast", ["top"], ["c"], to=TensorProto.BOOL),
        node("If", ["c"], ["z"], "if", then_branch=branch("Neg"), else_branch=branch("Abs")),
        node("Add", ["w", "w"], ["outer"]),
        node("Add", ["z", "outer"], ["y"]),
    ]
    path = put(folder, smallModel(nodes, [weight]))
    out = onnx.load(t.fold(path, folder / "out.onnx"))
    onnx.checker.check_model(out, full_check=True)
    branches = [one.g for one in out.graph.node[2].attribute]
    assert [graph.name for graph in branches] == ["branch", "branch"], "names of the bodies"
    values = [m.constantValue(graph, "r") for graph in branches]
    assert values[0] is not None and values[1] is not None, "the bodies have no constant 'r'"
    assert np.array_equal(values[0], -SUM) or np.array_equal(values[1], -SUM), "value of Neg"
    for graph in branches:
        names = [tensor.name for tensor in graph.initializer] + [name for one in graph.node for name in one.output]
        assert len(names) == len(set(names)), f"different names in {names}"
        assert not set(names) & {"x", "w", "outer", "z", "y"}, f"a body defines a name of the outer graph: {names}"


def test_value_infos_of_removed_values_go(folder):
    model = chain((0, 1, 2))
    model.graph.value_info.extend([info("a"), info("b"), info("nobody")])
    path = put(folder, model)
    out = onnx.load(t.fold(path, folder / "out.onnx"))
    assert [one.name for one in out.graph.value_info] == ["b", "nobody"], "value_info (b is a constant now)"


# ---- tensors that lie ------------------------------------------------------------------------------------------------------


def test_raw_and_typed_data_together(folder):
    """ONNX Runtime takes one, the checker none: the users are kept, with a warning (test_said_twice.py has more)."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(24), float_data=[1.0] * 6)
    path = put(folder, smallModel(initializers=[tensor]))
    result = t.run("-o", folder / "out.onnx", path)
    said = all(name in result.err for name in ("warning", "model.onnx", "'w'", "float_data", "raw_data"))
    assert result.code == 0 and said, result
    t.expectSameBytes(folder / "out.onnx", path, "model with values in two places")


def test_raw_data_longer_than_the_shape_is_not_computed_with(folder):
    """Runtimes refuse it: its users are kept, with a reason, and so are the bytes."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(28))
    path = put(folder, smallModel(initializers=[tensor]))
    t.fold(path, folder / "out.onnx")
    t.expectSameBytes(folder / "out.onnx", path, "model with too much raw_data")


def test_dims_whose_product_overflows(folder):
    """Also to 0, to the true size, and in operators that would compute with them."""
    for dims in ([2**32, 2**32], [2**33, 2**31, 3], [2**62, 4, 6], [2**63 - 1, 2**63 - 1, 2**63 - 1]):
        tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=bytes(24))
        put(folder, smallModel(initializers=[tensor]))
        expectRefused(folder, names=("model.onnx", "'w'"), what=f"dims {dims}")
    shape = numpy_helper.from_array(np.array([2**32, 2**32], np.int64), "s")
    nodes = [node("ConstantOfShape", ["s"], ["big"]), node("Shape", ["big"], ["y"])]
    path = put(folder, smallModel(nodes, [shape]))
    t.runOk("--quiet", "-o", folder / "out.onnx", path)


def test_overlapping_external_data(folder):
    """Tensors may share bytes of a data file: tied weights are stored so."""
    content = np.arange(16, dtype=np.float32)
    (folder / "w.bin").write_bytes(content.tobytes())
    tensors = [external("w", "w.bin", offset=0, length=24), external("u", "w.bin", offset=8, length=24)]
    nodes = [node("Add", ["w", "u"], ["v"]), node("Mul", ["x", "v"], ["y"])]
    path = put(folder, smallModel(nodes, tensors))
    out, _ = foldFile(path, folder / "out.onnx")
    m.expectValue(out.graph, "v", (content[:6] + content[2:8]).reshape(2, 3))


def test_hard_links_of_external_data(folder):
    """A file with another name elsewhere may be a secret; ONNX's own checker refuses it too."""
    home = folder / "home"
    home.mkdir()
    (folder / "secret.bin").write_bytes(bytes(24))
    os.link(folder / "secret.bin", home / "w.bin")
    put(home, smallModel(initializers=[external("w", "w.bin")]))
    expectRefused(home, names=("model.onnx", "'w'", "w.bin"), says=["hard link"])


def test_offsets_that_overflow(folder):
    (folder / "w.bin").write_bytes(bytes(64))
    for offset, length in ((2**64 - 24, 24), (2**63, 24), (41, 24), (64, 24), (0, 2**64 - 1)):
        put(folder, smallModel(initializers=[external("w", "w.bin", offset=offset, length=length)]))
        expectRefused(folder, names=("model.onnx", "'w'"), what=f"offset {offset}, length {length}")


# ---- newer than we are -----------------------------------------------------------------------------------------------------


def test_axes_beyond_any_rank(folder):
    """An axis of 2^31 was a negative one where ONNX's inference of LayerNormalization made an int of it: SIGSEGV."""
    axes = [2**31, -(2**31) - 1, 2**32 - 1, 2**32, 2**63 - 1, -(2**63), 1000, -1000]
    count = 0
    for schema in onnx.defs.get_all_schemas_with_history():
        about = schema.attributes.get("axis")
        if schema.domain or not about or about.type != onnx.defs.OpSchema.AttrType.INT or schema.deprecated:
            continue
        inputs = ["x"] * max(schema.min_input, min(schema.max_input, 3))
        results = max(schema.min_output, min(schema.max_output, 3))
        nodes = [node(schema.name, inputs, [f"{i}_{k}" for k in range(results)], axis=axis) for i, axis in enumerate(axes)]
        outputs = [helper.make_empty_tensor_value_info(f"{i}_0") for i in range(len(axes))]
        graph = helper.make_graph(nodes, "g", [info("x", (2, 3, 4))], outputs)
        opset = helper.make_opsetid("", schema.since_version)
        put(folder, helper.make_model(graph, opset_imports=[opset], ir_version=8))
        result = t.run("-o", folder / "out.onnx", folder / "model.onnx")
        assert result.code in (0, 1), f"{schema.name} of {schema.since_version}: {result}"
        count += 1
    assert count > 80, f"{count} operators with an axis"


def test_newer_ir_version(folder):
    """Fields of a later IR version are unknown fields: they are kept, and the rest folds."""
    model = smallModel()
    model.ir_version = 99
    path = put(folder, model.SerializeToString() + wire.message(77, "of the future"))
    out, warnings = foldFile(path, folder / "out.onnx")
    assert m.operators(out) == ["Mul"], "operators"
    assert any("IR version 99" in one for one in warnings), f"no warning of IR version 99: {warnings}"
    assert wire.message(77, "of the future") in (folder / "out.onnx").read_bytes(), "the unknown field is lost"


def test_newer_opset(folder):
    """Nodes of an opset that nobody knows yet are kept; functions and other domains of known ones fold."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]
    body = [
        helper.make_node("Constant", [], ["one"], value_float=1.0),
        helper.make_node("Add", ["one", "one"], ["two"]),
        helper.make_node("Mul", ["a", "two"], ["b"]),
    ]
    model = smallModel()
    model.opset_import[0].version = 99
    model.opset_import.extend([helper.make_opsetid("local", 1), helper.make_opsetid("ai.onnx.ml", 3)])
    model.functions.append(helper.make_function("local", "Twice", ["a"], ["b"], body, imports))
    model.graph.node.append(helper.make_node("Twice", ["x"], ["x2"], domain="local"))
    model.graph.node.append(helper.make_node("Binarizer", ["w"], ["binary"], domain="ai.onnx.ml", threshold=2.0))
    model.graph.output.extend([info("x2"), info("binary")])
    path = put(folder, model)
    out, warnings = foldFile(path, folder / "out.onnx")
    assert m.operators(out) == ["Add", "Mul", "Twice"], "operators of the graph"
    assert [one.op_type for one in out.functions[0].node] == ["Constant", "Mul"], "operators of the function"
    m.expectValue(out.graph, "binary", (WEIGHT > 2).astype(np.float32))
    assert any("opset 99" in one for one in warnings), f"no warning of opset 99: {warnings}"


def test_functions_that_call_each_other(folder):
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]

    def calls(name, other):
        body = [helper.make_node(other, ["a"], ["b"], domain="local")]
        return helper.make_function("local", name, ["a"], ["b"], body, imports)

    model = smallModel([helper.make_node("Ping", ["w"], ["v"], domain="local"), node("Mul", ["x", "v"], ["y"])])
    model.functions.extend([calls("Ping", "Pong"), calls("Pong", "Ping")])
    model.opset_import.append(helper.make_opsetid("local", 1))
    path = put(folder, model)
    t.fold(path, folder / "out.onnx")
    t.expectSameBytes(folder / "out.onnx", path, "functions that call each other")


def test_many_levels_of_bodies(folder):
    """As deep as is allowed folds at every level; one more is refused."""

    def nested(depth):
        graph = helper.make_graph([node("Add", ["w", "w"], ["r0"])], "g", [], [info("r0")])
        for level in range(1, depth):
            inner = node("If", ["c"], [f"r{level}"], f"if{level}", then_branch=graph, else_branch=graph)
            graph = helper.make_graph([inner], "g", [], [info(f"r{level}")])
            if level > 3:  # both branches would double at each level: else_branch is small
                other = helper.make_graph([node("Neg", ["w"], ["n"])], "n", [], [info("n")])
                inner.attribute[0].g.CopyFrom(other)
                graph = helper.make_graph([inner], "g", [], [info(f"r{level}")])
        model = smallModel([*graph.node, node("Mul", ["x", graph.output[0].name], ["y"])])
        model.graph.initializer.append(numpy_helper.from_array(np.array(True), "c"))
        return model

    path = put(folder, nested(30))
    out, _ = foldFile(path, folder / "out.onnx")
    assert m.operators(out) == ["Mul"], "operators of 30 levels"
    m.expectValue(out.graph, "r29", SUM)
