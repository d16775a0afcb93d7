# SPDX-License-Identifier: Apache-2.0
"""What the report advises is possible, and it suffices: the command that it prints folds what was kept."""

import json
import shlex

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from bad_cases import put

node = helper.make_node


def info(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def tensor(name, values, kind=np.int64):
    return numpy_helper.from_array(np.array(values, kind), name)


def modelOf(nodes, inputs, outputs, initializers, ir=10):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=ir)


def groupsOf(folder, model, *flags):
    """The groups of kept nodes by their codes, and the reasons of nodes by their outputs."""
    path = put(folder, model.SerializeToString())
    result = t.runOk("--messages=json", "--report=json", "-o", folder / "out.onnx", *flags, path)
    report = next(one for one in map(json.loads, result.err.splitlines()) if one["kind"] == "report")["report"]
    groups = {one["code"]: one for one in report["groups"]}
    for one in groups.values():  # what the command has more than this run
        one["option"] = " ".join(word for word in one["command"].split() if word.startswith("--") and word not in flags)
    return groups, {one["outputs"][0]: one["reason"]["text"] for one in report["nodes"]}


def runCommand(command):
    words = shlex.split(command)
    assert words[0] == "onnx-fold"
    return t.runOk("--quiet", *words[1:])


def filled(shape, limit=()):
    """y = x + the sum of a constant of that shape."""
    nodes = [node("ConstantOfShape", ["s"], ["c"]), node("ReduceSum", ["c"], ["r"], keepdims=0), node("Add", ["x", "r"], ["y"])]
    return modelOf(nodes, [info("x", [2])], [info("y", [2])], [tensor("s", shape)])


def test_a_result_of_terabytes_has_no_remedy(folder):
    """16 TB had the advice --max-result=4G."""
    groups, _ = groupsOf(folder, filled([1 << 22, 1 << 20]))
    group = groups["result-limit"]
    assert not group["command"], f"{group}"
    assert "nothing to do" in group["remedy"], f"{group}"
    groups, _ = groupsOf(folder, filled([1 << 40, 1 << 40]))
    assert "nothing to do" in groups["result-limit"]["remedy"], "more bytes than a number has"


def test_the_limit_on_results_suffices(folder):
    """Also where it was raised before, but not enough: the advice was 4G again, whatever the node needs."""
    groups, _ = groupsOf(folder, filled([3 << 20]), "--max-result=1M")
    assert groups["result-limit"]["option"] == "--max-result=12M", f"{groups}"
    runCommand(groups["result-limit"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"]
    groups, _ = groupsOf(folder, filled([5 << 30]), "--max-result=8G")
    assert groups["result-limit"]["option"] == "--max-result=20G", f"{groups}"


def loopOf(trips):
    body = helper.make_graph(
        [node("Identity", ["ci"], ["co"]), node("Add", ["v", "v"], ["w"])],
        "b",
        [info("i", [], TensorProto.INT64), info("ci", [], TensorProto.BOOL), info("v", [])],
        [info("co", [], TensorProto.BOOL), info("w", [])],
    )
    nodes = [node("Loop", ["n", "", "z"], ["a"], name="loop", body=body), node("Add", ["x", "a"], ["y"])]
    return modelOf(nodes, [info("x", [2])], [info("y", [2])], [tensor("n", trips), tensor("z", 0.0, np.float32)])


def test_the_limit_on_trips_suffices(folder):
    groups, _ = groupsOf(folder, loopOf(300), "--max-trip-count=200")
    assert groups["trip-limit"]["option"] == "--max-trip-count=2010", f"{groups}"
    runCommand(groups["trip-limit"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"]


def test_the_limit_on_work_suffices(folder):
    """A limit that is above the usual advice already got that advice again."""
    a = numpy_helper.from_array(np.ones((200, 200), np.float32), "a")
    nodes = [node("MatMul", ["a", "a"], ["b"]), node("Add", ["x", "b"], ["y"])]
    model = modelOf(nodes, [info("x", [200, 200])], [info("y", [200, 200])], [a])
    groups, _ = groupsOf(folder, model, "--max-work=1000")
    runCommand(groups["work-limit"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"]
    option = groups["work-limit"]["option"]
    assert 1000 < int(option.partition("=")[2]) < 10**12, option


# ---- initializers that are inputs too --------------------------------------------------------------------------------------


def weights(ir=10, names=("w",), **more):
    """wt = transposed w, which is an initializer and an input; y = x wt; the batch of x is open."""
    nodes, last = [], "x"
    for name in names:
        nodes += [node("Transpose", [name], [name + "t"]), node("MatMul", [last, name + "t"], [name + "y"])]
        last = name + "y"
    nodes.append(node("Identity" if more.get("plain") else "Abs", [last], ["y"]))
    values = [numpy_helper.from_array(np.arange(9, dtype=np.float32).reshape(3, 3), name) for name in names]
    inputs = [info("x", ["n", 3])] + [info(name, [3, 3]) for name in names]
    return modelOf(nodes, inputs, [info("y", ["n", 3])], values, ir)


def test_an_overridable_initializer_is_named(folder):
    """The reason was "input #0 is not constant", and the advice to fix the batch of x, which changes nothing."""
    groups, reasons = groupsOf(folder, weights())
    assert reasons["wt"] == "depends on initializer 'w', which is an input too, so that a caller may give another value"
    assert reasons["wy"] == "input #0 is not constant"
    group = groups["input-not-constant"]
    assert group["option"] == "--bind=w" and "1 of these nodes" in group["remedy"], f"{group}"
    runCommand(group["command"])
    out = onnx.load(folder / "out.onnx")
    assert m.operators(out) == ["MatMul", "Abs"] and [one.name for one in out.graph.input] == ["x"]
    m.expectValue(out.graph, "wt", np.arange(9, dtype=np.float32).reshape(3, 3).T)
    feed = {"x": np.ones((2, 3), np.float32)}
    for got, want in zip(compare.outputs(folder / "out.onnx", [feed]), compare.outputs(folder / "model.onnx", [feed])):
        compare.expectAgreement(got, want, "folded model")


def test_many_overridable_initializers(folder):
    names = [f"w{i}" for i in range(6)]
    groups, _ = groupsOf(folder, weights(names=names))
    assert groups["input-not-constant"]["option"] == "--bind='*'", f"{groups}"
    runCommand(groups["input-not-constant"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["MatMul"] * 6 + ["Abs"]


def test_bind_without_a_value(folder):
    path = put(folder, weights(names=["w", "v"]).SerializeToString())
    t.runOk("--quiet", "--verify", "-o", folder / "out.onnx", "--bind=v", path)
    out = onnx.load(folder / "out.onnx")
    assert [one.name for one in out.graph.input] == ["x", "w"], "the other one stays an input"
    for text, says in (("x", "expected NAME=VALUE, or the name of an input that has an initializer"), ("ww", "such as 'w'"), ("[", "--bind is '['")):
        result = t.run(f"--bind={text}", "-o", folder / "none.onnx", path)
        assert result.code == 1 and says in result.err, str(result)
    t.runOk("--quiet", "-O0", "-o", folder / "out.onnx", "--bind=*", path)
    assert [one.name for one in onnx.load(folder / "out.onnx").graph.input] == ["x"]


def test_bound_initializers_stay_in_their_data_file(folder):
    """Their bytes are not moved into the model file; one that nothing reads any more goes."""
    onnx.save(weights(names=["w", "v"]), folder / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    t.runOk("--quiet", "-O0", "--skip=wt", "--skip=wy", "--bind=*", "-o", folder / "out.onnx", folder / "model.onnx")
    kept = {one.name: one for one in onnx.load(folder / "out.onnx", load_external_data=False).graph.initializer}
    assert sorted(kept) == ["vt", "w"], f"initializers {sorted(kept)}"
    assert kept["w"].data_location == TensorProto.EXTERNAL and kept["w"].external_data[0].value == "w.bin"


def test_open_dimensions_are_named_where_they_matter(folder):
    """A near miss: what is computed from the batch folds when the batch is fixed."""
    nodes = [node("Shape", ["x"], ["s"]), node("ReduceSum", ["s"], ["r"], keepdims=0), node("Cast", ["r"], ["f"], to=1), node("Add", ["x", "f"], ["y"])]
    model = modelOf(nodes, [info("x", ["n", 3])], [info("y", ["n", 3])], [])
    groups, _ = groupsOf(folder, model)
    assert groups["input-not-constant"]["option"] == "--dim=n:1", f"{groups}"
    runCommand(groups["input-not-constant"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"]
    model.graph.input[0].type.tensor_type.shape.dim[0].ClearField("dim_param")
    groups, _ = groupsOf(folder, model)
    assert shlex.split(groups["input-not-constant"]["command"])[-1] == "--input-shape=x:1,?", f"{groups}"
    runCommand(groups["input-not-constant"]["command"])
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"]
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "sequence"
    groups, _ = groupsOf(folder, model)
    assert groups["input-not-constant"]["option"] == "--dim=sequence:128", f"{groups}"
    # Without any: fixing the batch folds nothing.
    groups, _ = groupsOf(folder, modelOf([node("Abs", ["x"], ["y"])], [info("x", ["n", 3])], [info("y", ["n", 3])], []))
    assert not groups["input-not-constant"]["command"], f"{groups}"


def test_a_sequence_of_length_1_is_not_proposed(folder):
    """Every open dimension was to be fixed to 1, with which a language model is another one; one name had two sizes."""
    dims = {"ids": ["batch", "sequence_length"], "mask": ["batch", "past + 1"], "image": [None, 3, None, "height"], "x": ["sequence_length", "n"]}
    nodes = [node("Shape", [name], [f"{name}_shape"]) for name in dims]
    nodes += [node("ReduceSum", [f"{name}_shape"], [f"{name}_sum"], keepdims=0) for name in dims]
    model = modelOf(nodes, [info(name, shape) for name, shape in dims.items()], [info(f"{name}_sum", (), TensorProto.INT64) for name in dims], [])
    groups, _ = groupsOf(folder, model)
    wanted = ["--dim=batch:1", "--dim=sequence_length:128", "--dim=height:128", "--input-shape=image:1,?,128,?", "--dim=n:128"]
    assert shlex.split(groups["input-not-constant"]["option"]) == wanted, f"{groups}"
    assert "these sizes are examples" in groups["input-not-constant"]["remedy"]
    runCommand(groups["input-not-constant"]["command"])
