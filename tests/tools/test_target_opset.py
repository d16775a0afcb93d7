"""--target-opset: the result in a later opset, compared with the model in ONNX Runtime."""

import json

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node

INT64 = TensorProto.INT64


def opsetOf(model):
    return {one.domain or "ai.onnx": one.version for one in model.opset_import}


def converted(folder, source, target, *flags, feeds=None):
    """Folded and converted: valid, the same results, and the same bytes when it is done again. (Folded again it may get
    smaller: the Shape nodes that the converter adds fold then.)"""
    source = onnx.shape_inference.infer_shapes(source)  # the checker asks for shapes of outputs
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", f"--target-opset={target}", *flags)
    onnx.checker.check_model(str(out), full_check=True)
    again = t.fold(folder / "in.onnx", folder / "again.onnx", f"--target-opset={target}", *flags)
    t.expectSameBytes(again, out, "converted again")
    feeds = feeds or [m.ones(source)]
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(folder / "in.onnx", feeds), strict=True):
        compare.expectAgreement(got, want, "converted model")
    result = onnx.load(out)
    assert opsetOf(result)["ai.onnx"] == target
    return result


def refused(folder, source, target, problem):
    onnx.save(source, folder / "refused.onnx")
    done = t.run(folder / "refused.onnx", "-o", folder / "nothing.onnx", f"--target-opset={target}")
    assert done.code == 1 and not (folder / "nothing.onnx").exists()
    assert problem in done.err, done.err


CASES = {
    "same": (13, [node("Relu", ["x"], ["y"])], {}, ["Relu"]),
    "more-types": (11, [node("Add", ["x", "w"], ["y"])], {}, ["Add"]),
    "softmax": (11, [node("Softmax", ["x"], ["y"], axis=1)], {}, None),
    "softmax-last": (11, [node("Softmax", ["x"], ["y"], axis=2)], {}, None),
    "squeeze": (11, [node("Unsqueeze", ["x"], ["u"], axes=[0]), node("Neg", ["u"], ["n"]), node("Squeeze", ["n"], ["y"], axes=[0])], {}, ["Unsqueeze", "Neg", "Squeeze"]),
    "clip": (10, [node("Clip", ["x"], ["y"], min=0.0, max=0.5)], {}, ["Clip"]),
    "slice": (9, [node("Slice", ["x"], ["y"], starts=[0, 1], ends=[2, 3], axes=[0, 1])], {}, ["Slice"]),
    "pad": (10, [node("Pad", ["x"], ["y"], pads=[0, 1, 0, 0, 0, 2])], {}, ["Pad"]),
    "split": (11, [node("Split", ["x"], ["a", "b"], axis=1, split=[1, 2]), node("Concat", ["b", "a"], ["y"], axis=1)], {}, ["Split", "Concat"]),
    "reduce": (12, [node("ReduceSum", ["x"], ["s"], axes=[1]), node("ReduceMean", ["s"], ["y"], axes=[2], keepdims=0)], {}, ["ReduceSum", "ReduceMean"]),
    "reduce-all": (12, [node("ReduceSum", ["x"], ["y"], keepdims=0)], {}, ["ReduceSum"]),
    "dropout": (11, [node("Dropout", ["x"], ["d"], ratio=0.3), node("Neg", ["d"], ["y"])], {}, None),
    "top-k": (9, [node("TopK", ["x"], ["y", "i"], k=2)], {"i": INT64}, ["TopK"]),
    "upsample": (8, [node("Unsqueeze", ["x"], ["u"], axes=[0]), node("Upsample", ["u"], ["y"], scales=[1.0, 1.0, 2.0, 2.0], mode="nearest")], {}, None),
    "norm": (9, [node("BatchNormalization", ["x", "c", "c", "c", "c"], ["y"])], {}, ["BatchNormalization"]),
}  # fmt: skip


@pytest.mark.parametrize("target", [13, 17, 21, 23])
@pytest.mark.parametrize("name", CASES)
def test_operators(folder, name, target):
    opset, nodes, more, wanted = CASES[name]
    if opset > target:
        pytest.skip("downwards")
    outputs = [m.info("y", None), *(m.info(output, None, kind) for output, kind in more.items())]
    constants = [m.const("w", np.float32([1, 2, 4, 8])), m.const("c", np.float32([1, 2, 3]))]
    used = {read for one in nodes for read in one.input}
    constants = [one for one in constants if one.name in used]
    source = m.model(nodes, [m.info("x", (2, 3, 4))], outputs, constants, opset=opset, ir=8)
    feeds = [{"x": np.random.default_rng(t.options.seed).uniform(-1, 1, (2, 3, 4)).astype(np.float32)}]
    result = converted(folder, source, target, "-O0", feeds=feeds)
    if wanted is not None:
        assert m.operators(result) == wanted


def test_the_same_opset_is_the_same_model(folder):
    source = m.model([node("Add", ["x", "x"], ["y"])], [m.info("x")], [m.info("y")])
    onnx.save(source, folder / "in.onnx")
    t.expectSameBytes(t.fold(folder / "in.onnx", folder / "a.onnx", "--target-opset=21"), t.fold(folder / "in.onnx", folder / "b.onnx"), "of one opset")


def test_folding_comes_first(folder):
    """What folds at the old opset is not converted: a Clip of constants."""
    nodes = [node("Clip", ["w"], ["c"], min=0.0, max=1.0), node("Add", ["x", "c"], ["y"])]
    source = m.model(nodes, [m.info("x", (3,))], [m.info("y", (3,))], [m.const("w", np.float32([-1, 0.5, 2]))], opset=10, ir=8)
    result = converted(folder, source, 21)
    assert m.operators(result) == ["Add"]
    m.expectValue(result.graph, "c", np.float32([0, 0.5, 1]))


def test_bodies(folder):
    """Nodes of both branches, which read a value from outside."""
    branches = []
    for name, axes in (("t", [0]), ("e", [1])):
        nodes = [node("ReduceSum", ["x"], [name + "s"], axes=axes, keepdims=0), node("Unsqueeze", [name + "s"], [name + "y"], axes=axes)]
        branches.append(m.graph(nodes, [], [m.info(name + "y", None)], name=name))
    nodes = [
        node("ReduceSum", ["x"], ["sum"], keepdims=0),
        node("Greater", ["sum", "zero"], ["c"]),
        node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1]),
    ]
    source = m.model(nodes, [m.info("x", (3, 3))], [m.info("y", None)], [m.const("zero", np.float32(0))], opset=12, ir=8)
    feeds = [{"x": sign * np.arange(9, dtype=np.float32).reshape(3, 3)} for sign in (1, -1)]
    result = converted(folder, source, 18, feeds=feeds)
    [branch] = [one for one in result.graph.node if one.op_type == "If"]
    assert all(not one.attribute or one.attribute[0].name != "axes" for body in branch.attribute for one in body.g.node)


def test_functions(folder):
    """A function imports an opset of its own."""
    imports = [helper.make_opsetid("", 12)]
    function = helper.make_function("acme", "F", ["a"], ["b"], [node("Neg", ["a"], ["n"]), node("Squeeze", ["n"], ["b"], axes=[0])], imports)
    source = m.model([node("F", ["x"], ["y"], domain="acme")], [m.info("x", (1, 3))], [m.info("y", None)], opset=12, ir=8, domains=[("acme", 1)])
    source.functions.append(function)
    result = converted(folder, source, 17, "-O0")
    assert opsetOf(result.functions[0])["ai.onnx"] == 17


def test_large_weights_stay_where_they_are(folder):
    """External data is referred to, and not read."""
    weight = np.ones((64, 64), np.float32)
    source = m.model([node("MatMul", ["x", "w"], ["v"]), node("Softmax", ["v"], ["y"], axis=1)], [m.info("x", (2, 64))], [m.info("y", None)], [m.const("w", weight)], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx", save_as_external_data=True, location="in.data", size_threshold=0)
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--target-opset=18")
    [stored] = [one for one in onnx.load(out, load_external_data=False).graph.initializer if one.name == "w"]
    assert {one.key: one.value for one in stored.external_data}["location"] == "in.data"


@pytest.mark.parametrize("name", ["mobilenet", "bert", "detector", "lstm", "mobilenet_qdq", "bert_int8", "distilbert", "xlnet", "t5", "vit", "vit_fp16", "swin", "albert", "qwen2", "control_flow"])
def test_real_models(folder, name):
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    if not source.exists():
        pytest.skip(f"no {source}")
    specs = json.loads((source.parent / "inputs.json").read_text())[name]
    feeds = [compare.randomFeed(specs["inputs"] if isinstance(specs, dict) else specs, t.options.seed)]
    out = t.fold(source, folder / "out.onnx", "--target-opset=21")
    onnx.checker.check_model(str(out), full_check=True)
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(source, feeds), strict=True):
        compare.expectAgreement(got, want, name, tolerance=0.05 if "fp16" in name else 1e-4)


def test_verification(folder):
    """--verify runs what was written."""
    source = m.model([node("Softmax", ["x"], ["y"], axis=1)], [m.info("x", (2, 3, 4))], [m.info("y", None)], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--target-opset=17", "--verify", "--quiet")


def test_downwards(folder):
    """What is the same in both opsets, and nothing else; the node is named."""
    same = m.model([node("Relu", ["x"], ["y"], name="r")], [m.info("x")], [m.info("y")], opset=21, ir=8)
    converted(folder, same, 14)
    refused(folder, same, 13, "cannot be converted from opset 21 to 13: node 'r' (Relu): has version 14, opset 13 has version 13")
    new = m.model([node("Gelu", ["x"], ["y"])], [m.info("x")], [m.info("y")], opset=21, ir=8)
    refused(folder, new, 19, "node 'y' (Gelu): has version 20, opset 19 has no such operator")


def test_errors(folder):
    source = m.model([node("Relu", ["x"], ["y"])], [m.info("x")], [m.info("y")])
    newest = onnx.defs.onnx_opset_version()
    refused(folder, source, 1000, f"opset 1000 is not known, expected at most {newest}")
    refused(folder, source, -1, "--target-opset is '-1', expected a number above 0")
    custom = m.model([node("Gelu", ["x"], ["y"], name="g")], [m.info("x")], [m.info("y")], opset=17)
    refused(folder, custom, 21, "node 'g' (Gelu): is no operator of opset 17, and one of opset 21")
