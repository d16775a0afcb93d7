# SPDX-License-Identifier: Apache-2.0
"""--verify finds sizes and integers that a model takes and does not state: 48 real files, an object detector, detectors of
voices and attention models, were said to be verified although nothing was compared."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64 = TensorProto.INT64


def window(size=256):
    nodes = [node("Conv", ["x", "w"], ["c"], strides=[64]), node("Relu", ["c"], ["y"])]
    return [info("x", ("b", 1, "samples"))], nodes, [const("w", np.ones((2, 1, size)), np.float32)]


def multiples():
    """Pictures whose sides are multiples of 32."""
    nodes = [node("AveragePool", ["x"], ["p"], kernel_shape=[32, 32], strides=[32, 32]),
             node("Resize", ["p", "", "s"], ["r"], mode="nearest"), node("Add", ["r", "x"], ["y"])]
    return [info("x", ("b", 3, "h", "w"))], nodes, [const("s", [1, 1, 32, 32], np.float32)]


def product():
    return [info("x", ("n",))], [node("Reshape", ["x", "s"], ["y"])], [const("s", [24, 7], np.int64)]


def quotient():
    return [info("x", (1, "n", 7))], [node("Reshape", ["x", "s"], ["y"])], [const("s", [168], np.int64)]


def table():
    return [info("x", ("n", "k"))], [node("MatMul", ["x", "w"], ["y"])], [const("w", np.ones((77, 5)), np.float32)]


def equalLengths():
    nodes = [node("Mul", ["a", "b"], ["p"]), node("Add", ["p", "c"], ["y"])]
    return [info("a", ("l", 3)), info("b", ("m", 3)), info("c", ("n", 3))], nodes, []


def collisions():
    nodes = [node("ScatterND", ["x", "i", "u"], ["s"]), node("ScatterElements", ["s", "j", "v"], ["y"], axis=0)]
    return [info("x", (6, 4)), info("i", (6, 1), I64), info("u", (6, 4)), info("j", (5, 2), I64), info("v", (5, 2))], nodes, []


def rate():
    """One of two branches, by a number of the model; each wants a window of its own, in a body in a body."""
    def branch(name, size):
        inner = m.graph([node("Conv", ["u", f"{name}_w"], [f"{name}_c"])], [], [info(f"{name}_c", None)], name=f"{name}_inner")
        nodes = [node("If", ["yes"], [f"{name}_y"], then_branch=inner, else_branch=m.graph(
            [node("Identity", ["u"], [f"{name}_o"])], [], [info(f"{name}_o", None)], name=f"{name}_other"))]
        return m.graph(nodes, [], [info(f"{name}_y", None)], [const(f"{name}_w", np.ones((1, 1, size)), np.float32)], name=name)

    nodes = [node("Equal", ["sr", "k"], ["e"]), node("Unsqueeze", ["x", "one"], ["u"]),
             node("If", ["e"], ["y"], then_branch=branch("high", 256), else_branch=branch("low", 128))]
    constants = [const("k", 16000, np.int64), const("one", [1], np.int64), const("yes", True, np.bool_)]
    return [info("x", ("b", "n")), info("sr", (), I64)], nodes, constants


def rankless():
    return [info("x", None)], [node("Transpose", ["x"], ["y"], perm=[1, 0, 2])], []


@pytest.mark.parametrize("make", [window, multiples, product, quotient, table, equalLengths, collisions, rate, rankless])
def test_sizes_that_fit(folder, make):
    inputs, nodes, constants = make()
    source = m.model([*nodes, node("Identity", ["y"], ["z"])], inputs, [info("z", None)], constants)
    onnx.save(source, folder / "model.onnx")
    result = t.run("--verify", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 0 and "1 of 1 values agree in 3 trials" in result.err, f"{result}"
    assert "was not run" not in result.err, f"{result}"


def test_sizes_that_do_not_fit(folder):
    """The first line names the output and the node, in the words of the model."""
    inputs, nodes, constants = window()
    source = m.model(nodes, [info("x", (1, 1, 100))], [info("y", None)], constants)
    onnx.save(source, folder / "model.onnx")
    before = t.folderState(folder)
    output = ["-o", folder / "out.onnx"]
    for more in (output, ["--quiet", *output], ["--check"], ["compare", folder / "model.onnx"]):
        result = t.run("--verify", *more, folder / "model.onnx")
        assert result.code == 4, f"{result}"
        line = result.err.splitlines()[0]
        assert "model.onnx: not verified: output 'y' was not compared: it depends on Conv 'c': a window of 256 does not fit" in line
        assert "--verify-inputs" in line and "onnx." not in result.err.replace("model.onnx", ""), f"{result}"
        t.expectUnchanged(before, folder, f"an output that was not compared {more}")
    result = t.run("--verify", "--messages=json", "-o", folder / "out.onnx", folder / "model.onnx")
    messages = [json.loads(line) for line in result.err.splitlines()]
    assert [one["code"] for one in messages if one["kind"] == "error"] == ["not-verified"], f"{result}"
    assert messages[-1]["status"] == 4, f"{result}"


def test_several_models(folder):
    """One that cannot be verified, and one that can."""
    inputs, nodes, constants = window()
    (folder / "in").mkdir()
    onnx.save(m.model(nodes, [info("x", (1, 1, 100))], [info("y", None)], constants), folder / "in/a.onnx")
    onnx.save(m.model(nodes, inputs, [info("y", None)], constants), folder / "in/b.onnx")
    result = t.run("--verify", f"--output-dir={folder}/out", folder / "in/a.onnx", folder / "in/b.onnx")
    assert result.code == 4 and "not verified, not written" in result.err, f"{result}"
    assert [one.name for one in (folder / "out").iterdir()] == ["b.onnx"], "what was written"


def test_the_other_outputs_are_compared_all_the_same(folder):
    """An operator that refuses everything ends the search for its own output alone."""
    nodes = [node("Conv", ["x", "w"], ["c"]), node("Neg", ["x"], ["n"]), node("MatMul", ["z", "v"], ["p"])]
    constants = [const("w", np.ones((1, 1, 200)), np.float32), const("v", np.ones((99, 2)), np.float32)]
    source = m.model(nodes, [info("x", (1, 1, 100)), info("z", ("a", "b"))], [info("c", None), info("n", None), info("p", None)],
                     constants)
    onnx.save(source, folder / "model.onnx")
    report = folder / "report.json"
    result = t.run("--verify", f"--report=json:{report}", "-o", folder / "out.onnx", folder / "model.onnx")
    found = json.loads(report.read_text())["verify"]
    assert result.code == 4 and "output 'c' was not compared" in result.err, f"{result}"
    assert {one["name"] for one in found["compared"]} == {"output 'n'", "output 'p'"}, f"{found}"
    assert all(one["equal"] for one in found["compared"]) and not found["equal"] and not found["complete"], f"{found}"


def test_a_bound_that_follows_the_model(folder):
    """-O2 failed on good models of many layers: they move by as much themselves if an input moves in its last place."""
    nodes = [node("Mul", ["x", "a"], ["p"]), node("Mul", ["x", "b"], ["q"]), node("Sub", ["p", "q"], ["y"])]
    source = m.model(nodes, [info("x", ("n", 64))], [info("y", ("n", 64))], [const("a", 1000, np.float32), const("b", 999, np.float32)])
    other = m.model([node("Identity", ["x"], ["y"])], [info("x", ("n", 64))], [info("y", ("n", 64))])
    onnx.save(source, folder / "rough.onnx")
    onnx.save(other, folder / "exact.onnx")
    result = t.run("compare", "-O2", folder / "rough.onnx", folder / "exact.onnx")
    assert result.code == 0 and "differs within the bound" in result.err, f"{result}"
    assert " apart, and the model itself moves by " in result.err, f"{result}"
    result = t.run("compare", "-O2", folder / "exact.onnx", folder / "rough.onnx")
    assert result.code == 3 and " apart, and the model itself moves by " in result.err, f"{result}"


def layers(bias):
    """Three layers of MatMul and Add; the last bias takes away what the sums have without an input, and adds `bias`."""
    random = np.random.default_rng(1)
    weights = [random.normal(0, 1e-3, (5, 50)), random.normal(0, 1, (50, 50)), random.normal(0, 1, (50, 5))]
    biases = [random.uniform(0.5, 2, 50), random.normal(0, 1, 50)]
    biases.append(-(biases[0] @ weights[1] + biases[1]) @ weights[2] + bias)
    nodes, constants, last = [], [], "x"
    for k, (w, b) in enumerate(zip(weights, biases)):
        nodes += [node("MatMul", [last, f"w{k}"], [f"m{k}"]), node("Add", [f"m{k}", f"b{k}"], [f"a{k}"])]
        constants += [const(f"w{k}", w, np.float32), const(f"b{k}", b, np.float32)]
        last = f"a{k}"
    return m.model(nodes, [info("x", (1, 5))], [info("a2", (1, 5))], constants)


def test_a_bound_that_follows_sums_that_cancel(folder):
    """A network for aircraft: its inputs hardly move the sums, whose roundings Gemm changes, so -O2 was said to be wrong."""
    onnx.save(layers(0.01), folder / "model.onnx")
    result = t.run("-O2", "--verify", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 0 and "1 of 1 values agree" in result.err, f"{result}"
    assert [one.op_type for one in onnx.load(folder / "out.onnx").graph.node] == ["Gemm"] * 3
    onnx.save(layers(0.0102), folder / "other.onnx")
    result = t.run("compare", "-O2", folder / "model.onnx", folder / "other.onnx")
    assert result.code == 3 and " sums of products move by one unit in the last place" in result.err, f"{result}"


def test_sums_of_whole_numbers_do_not_move(folder):
    """Such a product is exact: a unit in its last place, cut off, would allow a difference of whole numbers."""
    one, two = (
        m.model(
            [node("MatMul", ["x", "w"], ["p"]), node("Floor", ["p"], ["q"]), node("Add", ["q", "c"], ["y"])],
            [info("x", (2, 3), onnx.TensorProto.FLOAT)], [info("y", (2, 3))],
            [const("w", np.eye(3) * 0, np.float32), const("c", c, np.float32)],
        )
        for c in (1, 2)
    )
    onnx.save(one, folder / "one.onnx")
    onnx.save(two, folder / "two.onnx")
    result = t.run("compare", "-O2", folder / "one.onnx", folder / "two.onnx")
    assert result.code == 3, f"{result}"


def test_the_node_to_blame_in_a_body_in_a_body(folder):
    """A Shape in an inner branch was blamed ("the rank of input #0 is not known") for a Conv in the branch around it."""
    def branch(name):
        inner = m.graph([node("Shape", [f"{name}_c"], [f"{name}_s"])], [], [info(f"{name}_s", None, I64)], name=f"{name}_inner")
        other = m.graph([node("Shape", ["x"], [f"{name}_o"])], [], [info(f"{name}_o", None, I64)], name=f"{name}_other")
        nodes = [node("Conv", ["x", "w"], [f"{name}_c"]),
                 node("If", ["yes"], [f"{name}_y"], then_branch=inner, else_branch=other)]
        return m.graph(nodes, [], [info(f"{name}_y", None, I64)], name=name)

    nodes = [node("Identity", ["x"], ["z"]), node("If", ["which"], ["y"], then_branch=branch("a"), else_branch=branch("b"))]
    inputs = [info("x", (1, 1, 100)), info("which", (), TensorProto.BOOL), info("yes", (), TensorProto.BOOL)]
    source = m.model(nodes, inputs, [info("y", None, I64), info("z", None)], [const("w", np.ones((1, 1, 200)), np.float32)])
    onnx.save(source, folder / "model.onnx")
    np.savez(folder / "in.npz", x=np.ones((1, 1, 100), np.float32), which=np.array(True), yes=np.array(True))
    result = t.run("--verify", f"--verify-inputs={folder}/in.npz", "-o", folder / "out.onnx", folder / "model.onnx")
    assert result.code == 4 and "If 'y': in its body, Conv: a window of 200 does not fit" in result.err.splitlines()[0], f"{result}"
    assert "rank of input" not in result.err, f"{result}"
