# SPDX-License-Identifier: Apache-2.0
"""diff: how two models differ in nodes and constants; matched by name, then by structure."""

import copy
import json
import random

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node


def sample():
    nodes = [
        node("MatMul", ["x", "w1"], ["h1"], name="first"),
        node("Relu", ["h1"], ["h2"], name="relu"),
        node("MatMul", ["h2", "w2"], ["h3"], name="second"),
        node("Concat", ["h3", "h1"], ["h4"], name="join", axis=1),
        node("Softmax", ["h4"], ["y"], name="last", axis=-1),
    ]
    weights = [const("w1", np.arange(16).reshape(4, 4), np.float32), const("w2", np.ones((4, 4)), np.float32)]
    return m.model(nodes, [info("x", (None, 4))], [info("y", (None, 8))], weights)


def diff(folder, a, b, *flags):
    for name, model in (("a", a), ("b", b)):
        if isinstance(model, onnx.ModelProto):
            onnx.save(model, folder / f"{name}.onnx")
    paths = [model if not isinstance(model, onnx.ModelProto) else folder / f"{name}.onnx" for name, model in (("a", a), ("b", b))]
    report = folder / "diff.json"
    result = t.run("diff", *paths, f"--report=json:{report}", *flags)
    assert result.code in (0, 2), result
    found = json.loads(report.read_text())
    assert found["changed"] == (result.code == 2), result
    return found


def counts(found):
    return tuple(found["difference"][name] for name in ("same", "changed", "removed", "added"))


def renamed(model, seed):
    """The same model with other names for all but inputs and outputs."""
    model = copy.deepcopy(model)
    keep = {one.name for one in (*model.graph.input, *model.graph.output)} | {""}
    draw = random.Random(seed)
    names = {}
    new = lambda name: name if name in keep else names.setdefault(name, f"v{draw.getrandbits(60)}")
    for one in model.graph.node:
        one.name = f"n{draw.getrandbits(60)}"
        one.input[:] = [new(name) for name in one.input]
        one.output[:] = [new(name) for name in one.output]
    for one in model.graph.initializer:
        one.name = new(one.name)
    del model.graph.value_info[:]
    return model


def test_equal_models(folder):
    found = diff(folder, sample(), sample())
    assert counts(found) == (5, 0, 0, 0) and not found["changed"]
    result = t.run("diff", folder / "a.onnx", folder / "b.onnx")
    assert result.code == 0 and "5 nodes are the same" in result.out.decode(), result


def test_renamed_models_are_equal(folder):
    found = diff(folder, sample(), renamed(sample(), 1))
    assert counts(found) == (5, 0, 0, 0) and found["difference"]["renamed"] == 5 and not found["changed"], found["difference"]
    for path in t.shippedModels():
        model = onnx.load(path)
        if any(one.attribute and any(a.HasField("g") for a in one.attribute) for one in model.graph.node) or model.functions:
            continue
        found = diff(folder, model, renamed(model, 2))
        assert counts(found)[1:] == (0, 0, 0) and not found["changed"], f"{path.name}: {found['difference']}"


def test_constants_differ_by_how_much(folder):
    other = sample()
    values = numpy_helper.to_array(other.graph.initializer[0]).copy()
    values[2, 1] += 0.5
    values[0, 0] -= 0.25
    other.graph.initializer[0].CopyFrom(numpy_helper.from_array(values, "w1"))
    for b in (other, renamed(other, 3)):
        found = diff(folder, sample(), b)
        (one,) = [c for c in found["constants"] if c["action"] == "changed"]
        assert one["name"] == "w1"
        assert one["difference"] == "2 of 16 elements differ, by at most 0.5: at [2, 1] 9.5, was 9"
        (changed,) = [n for n in found["nodes"] if n["action"] == "changed"]
        assert changed["name"] == "first" and "has other values" in changed["reason"]["text"], changed
        assert counts(found) == (4, 1, 0, 0)


def test_types_of_constants(folder):
    def one(value, kind):
        nodes = [node("Cast", ["c"], ["k"], to=TensorProto.FLOAT), node("Add", ["x", "k"], ["y"])]
        return m.model(nodes, [info("x", (2,))], [info("y", (2,))], [const("c", value, kind)])

    cases = [
        ([1, 2], np.int64, [1, 2 - 2**40], np.int64, "by at most 1.09951163e+12: at [1]"),
        ([1, 0], np.bool_, [1, 1], np.bool_, "1 of 2 elements differ"),
        ([1.5, 2], np.float16, [1.5, np.nan], np.float16, "by at most inf: at [1] nan, was 2"),
        ([1.0, 0.0], np.float32, [1.0, -0.0], np.float32, "1 of 2 elements differ, by at most 0"),
        ([1, 2], np.int32, [1, 2], np.int64, "i64[2], was i32[2]"),
        ([1, 2], np.int32, [[1, 2]], np.int32, "i32[1, 2], was i32[2]"),
        ([np.nan, 1], np.float32, [np.nan, 1], np.float32, None),
        ([1 + 2j, 0], np.complex64, [1 + 3j, 0], np.complex64, "other values of"),
    ]
    for a, kindA, b, kindB, expected in cases:
        found = diff(folder, one(a, kindA), one(b, kindB))
        texts = [c["difference"] for c in found["constants"] if c["action"] == "changed"]
        assert (texts == [] if expected is None else expected in texts[0]), f"{a} {b}: {texts}"


def test_what_changed_in_nodes(folder):
    other = sample()
    other.graph.node[3].attribute[0].i = -1
    found = diff(folder, sample(), other)
    (changed,) = [n for n in found["nodes"] if n["action"] == "changed"]
    assert changed["name"] == "join" and changed["reason"]["text"] == "attribute 'axis' is -1, was 1", changed
    other = sample()
    other.graph.node[1].op_type = "Tanh"
    found = diff(folder, sample(), other)
    assert [n["op"] for n in found["nodes"] if n["action"] == "removed"] == ["Relu"]
    assert [n["op"] for n in found["new_nodes"]] == ["Tanh"]
    other = sample()
    other.graph.node[3].input[:] = ["h1", "h3"]
    found = diff(folder, sample(), other)
    (changed,) = [n for n in found["nodes"] if n["action"] == "changed"]
    assert changed["reason"]["text"] == "input #0 is 'h1', was 'h3'; input #1 is 'h3', was 'h1'", changed


def test_an_inserted_node(folder):
    """What is behind it is matched all the same, under other names too."""
    other = sample()
    other.graph.node[2].input[0] = "clipped"
    other.graph.node.insert(2, node("Clip", ["h2"], ["clipped"], name="new"))
    for b in (other, renamed(other, 4)):
        found = diff(folder, sample(), b)
        assert [n["op"] for n in found["new_nodes"]] == ["Clip"], found["difference"]
        assert counts(found) == (4, 1, 0, 1)


def test_models_as_such(folder):
    other = sample()
    other.opset_import[0].version -= 2
    other.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 3
    other.graph.output[0].name = "z"
    other.graph.node[-1].output[0] = "z"
    texts = diff(folder, sample(), other)["difference"]["models"]
    assert any(text.startswith("the opset of ai.onnx is ") for text in texts), texts
    assert "input 'x' is tensor<3x4xf32>, was tensor<?x4xf32>" in texts
    assert "output 'y' is only in a" in texts and "output 'z' is only in b" in texts


def test_constant_nodes_are_constants(folder):
    """An initializer in one model may be a Constant node in the other."""
    other = sample()
    (w1,) = [one for one in other.graph.initializer if one.name == "w1"]
    other.graph.node.insert(0, node("Constant", [], ["w1"], value=w1))
    other.graph.initializer.remove(w1)
    found = diff(folder, sample(), other)
    assert not found["changed"] and counts(found) == (5, 0, 0, 0)


def test_bodies_and_functions(folder):
    def model(value, name):
        then = onnx.helper.make_graph([node("Mul", ["x", "w"], ["t"], name=name)], "then", [], [info("t")])
        other = onnx.helper.make_graph([node("Neg", ["x"], ["e"])], "else", [], [info("e")])
        nodes = [node("If", ["c"], ["y"], name="choice" + name, then_branch=then, else_branch=other)]
        inputs = [info("x"), info("c", (), TensorProto.BOOL)]
        return m.model(nodes, inputs, [info("y")], [const("w", [1.0, value], np.float32)])

    assert not diff(folder, model(2, "a"), model(2, "b"))["changed"]
    found = diff(folder, model(2, "a"), model(3, "b"))
    assert [n["op"] for n in found["nodes"] if n["action"] == "changed"] == ["Mul"], found["nodes"]


def test_folded_model(folder):
    """Of a model and its folded form, as of any two."""
    for path in t.shippedModels():
        t.fold(path, folder / "out.onnx")
        found = diff(folder, path, folder / "out.onnx")
        assert counts(found)[0] > 0 or not found["nodes"], path.name
        assert not diff(folder, path, path)["changed"], path.name


def test_command_line(folder):
    onnx.save(sample(), folder / "a.onnx")
    for arguments, text in (
        (["diff", "a.onnx"], "diff is given with 1 file, expected two"),
        (["diff", "a.onnx", "a.onnx", "-o", "out.onnx"], "-o is not an option of 'onnx-fold diff'"),
        (["--diff", "a.onnx", "a.onnx"], "expected 'onnx-fold diff'"),
        (["diff", "a.onnx", "missing.onnx"], "missing.onnx"),
        (["diff", "a.onnx", "a.onnx", "--report=json:a.onnx"], "a.onnx"),
        (["diff", "a.onnx", "a.onnx", "--report=model-explorer:x"], "Model Explorer"),
    ):
        result = t.run(*arguments, cwd=folder)
        assert result.code == 1 and text in result.err, result
    result = t.run("diff", "a.onnx", "a.onnx", "--report=json", cwd=folder)
    assert json.loads(result.out)["kind"] == "difference" and result.err == ""
    result = t.run("diff", "a.onnx", "a.onnx", "--report=html:d.html", "--quiet", cwd=folder)
    assert result.code == 0 and result.out == b"" and (folder / "d.html").stat().st_size > 10_000
    result = t.run("diff", "a.onnx", "a.onnx", "--messages=json", cwd=folder)
    assert json.loads(result.err.splitlines()[-1]) == {"kind": "end", "changed": False, "status": 0}
