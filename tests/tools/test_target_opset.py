# SPDX-License-Identifier: Apache-2.0
"""--target-opset: the result in another opset, compared with the model in ONNX Runtime."""

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
    """Folded and converted: valid, the same results, the same bytes when it is done again, and when the result is folded."""
    source = onnx.shape_inference.infer_shapes(source)  # the checker asks for shapes of outputs
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", f"--target-opset={target}", *flags)
    onnx.checker.check_model(str(out), full_check=True)
    again = t.fold(folder / "in.onnx", folder / "again.onnx", f"--target-opset={target}", *flags)
    t.expectSameBytes(again, out, "converted again")
    t.expectSameBytes(t.fold(out, folder / "twice.onnx", *flags), out, "folded again")
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


OLD = [node("Softmax", ["v"], ["soft"], axis=1), node("ReduceSum", ["soft"], ["sum"], axes=[1], keepdims=0), node("Unsqueeze", ["sum"], ["step"], axes=[1])]


def loopOf(nodes):
    """A Loop of three iterations, which no run unrolls; v [3, 4] is carried."""
    body = m.graph(
        [*nodes, node("Add", ["v", "step"], ["next"]), node("Identity", ["go"], ["on"])],
        [m.info("i", [], INT64), m.info("go", [], TensorProto.BOOL), m.info("v", (3, 4))],
        [m.info("on", [], TensorProto.BOOL), m.info("next", (3, 4)), m.info("sum", (3,))],
        name="body",
    )
    return [node("Loop", ["n", "", "x"], ["y", "sums"], body=body)]


def test_bodies_of_loops(folder):
    source = m.model(loopOf(OLD), [m.info("x", (3, 4)), m.info("n", [], INT64)], [m.info("y", (3, 4)), m.info("sums", (None, 3))], opset=12, ir=8)
    feeds = [{"x": np.arange(12, dtype=np.float32).reshape(3, 4), "n": np.array(count)} for count in (3, 1)]
    result = converted(folder, source, 18, feeds=feeds)
    [loop] = [one for one in result.graph.node if one.op_type == "Loop"]
    [body] = [one.g for one in loop.attribute if one.name == "body"]
    assert "Shape" not in [one.op_type for one in body.node], "what the conversion adds is folded in bodies too"


def test_bodies_of_scans(folder):
    body = m.graph([*OLD, node("Add", ["v", "step"], ["next"])], [m.info("v", (3, 4)), m.info("row", (4,))], [m.info("next", (3, 4)), m.info("sum", (3,))], name="body")
    nodes = [node("Scan", ["x", "rows"], ["y", "sums"], body=body, num_scan_inputs=1)]
    source = m.model(nodes, [m.info("x", (3, 4)), m.info("rows", (5, 4))], [m.info("y", (3, 4)), m.info("sums", (5, 3))], opset=12, ir=8)
    feeds = [{"x": np.arange(12, dtype=np.float32).reshape(3, 4), "rows": np.ones((5, 4), np.float32)}]
    converted(folder, source, 18, feeds=feeds)


def test_bodies_of_sequence_maps(folder):
    """From opset 17, where SequenceMap is, to one in which ReduceMean and Split have other versions."""
    body = m.graph(
        [node("ReduceMean", ["e"], ["mean"], axes=[0]), node("Split", ["mean"], ["a", "b"], axis=1), node("Sub", ["a", "b"], ["d"])],
        [m.info("e", (3, 4))], [m.info("d", (1, 2))], name="body",
    )  # fmt: skip
    nodes = [
        node("SequenceConstruct", ["x", "x"], ["s"]),
        node("SequenceMap", ["s"], ["mapped"], body=body),
        node("SequenceAt", ["mapped", "place"], ["y"]),
    ]
    source = m.model(nodes, [m.info("x", (3, 4)), m.info("place", [], INT64)], [m.info("y", (1, 2))], opset=17, ir=8)
    feeds = [{"x": np.arange(12, dtype=np.float32).reshape(3, 4) ** 2, "place": np.array(1)}]
    converted(folder, source, 20, feeds=feeds)


def test_bodies_in_functions(folder):
    """A Loop in a function, which has parameters."""
    imports = [helper.make_opsetid("", 12)]
    function = helper.make_function("acme", "Steps", ["x", "n"], ["y", "sums"], loopOf(OLD), imports)
    nodes = [node("Steps", ["x", "n"], ["y", "sums"], domain="acme"), node("Steps", ["y", "n"], ["z", "more"], domain="acme")]
    outputs = [m.info("z", (3, 4)), m.info("sums", (None, 3)), m.info("more", (None, 3))]
    source = m.model(nodes, [m.info("x", (3, 4)), m.info("n", [], INT64)], outputs, opset=12, ir=8, domains=[("acme", 1)])
    source.functions.append(function)
    result = converted(folder, source, 18, feeds=[{"x": np.arange(12, dtype=np.float32).reshape(3, 4), "n": np.array(2)}])
    assert opsetOf(result.functions[0])["ai.onnx"] == 18


@pytest.mark.parametrize("flags", [["--in-place"], ["--in-place", "--verify"], ["--external-data"], ["--outputs=soft"], ["--keep-initializer=w"]])
def test_with_other_options(folder, flags):
    """What is written is the converted and folded model, whatever else is asked for."""
    nodes = [node("MatMul", ["x", "w"], ["v"]), node("Softmax", ["v"], ["soft"], axis=0), node("Neg", ["soft"], ["y"])]
    source = m.model(nodes, [m.info("x", (2, 3))], [m.info("y", (2, 64))], [m.const("w", np.ones((3, 64), np.float32))], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx")
    out = folder / ("in.onnx" if "--in-place" in flags else "out.onnx")
    place = [] if "--in-place" in flags else ["-o", out]
    t.runOk(folder / "in.onnx", *place, *flags, "--target-opset=17", "--quiet")
    result = onnx.load(out)
    assert opsetOf(result)["ai.onnx"] == 17
    assert "Shape" not in m.operators(result) and "Reshape" in m.operators(result), m.operators(result)
    before = out.read_bytes()
    t.runOk(out, "--in-place", "--quiet")
    assert out.read_bytes() == before, "folded again"


def test_the_input_is_not_replaced(folder):
    """Although another model than the input is what is written in the end."""
    source = m.model([node("Softmax", ["x"], ["y"], axis=0)], [m.info("x")], [m.info("y")], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "in.onnx", "--target-opset=17", "--quiet")
    assert done.code == 1 and "in.onnx" in done.err and opsetOf(onnx.load(folder / "in.onnx"))["ai.onnx"] == 11


def test_the_table_counts_what_is_written(folder):
    """Of all operators, as they are in the file."""
    source = m.model([node("Softmax", ["x"], ["y"], axis=0)], [m.info("x")], [m.info("y")], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "--target-opset=17", "--report=json", "--quiet")
    after = {name: counts[1] for name, counts in json.loads(done.err)["ops"].items() if counts[1]}
    written = m.operators(onnx.load(folder / "out.onnx"))
    assert after == {name: written.count(name) for name in written}


def test_functions(folder):
    """A function imports an opset of its own."""
    imports = [helper.make_opsetid("", 12)]
    function = helper.make_function("acme", "F", ["a"], ["b"], [node("Neg", ["a"], ["n"]), node("Squeeze", ["n"], ["b"], axes=[0])], imports)
    source = m.model([node("F", ["x"], ["y"], domain="acme")], [m.info("x", (1, 3))], [m.info("y", None)], opset=12, ir=8, domains=[("acme", 1)])
    source.functions.append(function)
    result = converted(folder, source, 17, "-O0")
    assert opsetOf(result.functions[0])["ai.onnx"] == 17


def test_parameters_of_functions(folder):
    """A node whose attribute the call gives is not changed where opsets agree on it; else the error names it."""
    imports = [helper.make_opsetid("", 12)]

    def calling(op, inputs, attribute, kind, **call):
        inner = node(op, inputs, ["b"])
        inner.attribute.add(name=attribute, ref_attr_name="p", type=kind)
        function = helper.make_function("acme", "F", ["a", "c"], ["b"], [inner], imports, ["p"])
        source = m.model([node("F", ["x", "w"], ["y"], domain="acme", **call)], [m.info("x", (3, 3))], [m.info("y", (3, 3))], [m.const("w", np.eye(3, dtype=np.float32))], opset=12, ir=8, domains=[("acme", 1)])
        source.functions.append(function)
        return source

    kinds = onnx.AttributeProto
    for source in (calling("Gemm", ["a", "c"], "transA", kinds.INT, p=1), calling("LeakyRelu", ["a"], "alpha", kinds.FLOAT, p=0.3)):
        result = converted(folder, source, 21, "-O0", "--skip=*", feeds=[{"x": np.arange(-4, 5, dtype=np.float32).reshape(3, 3)}])
        assert opsetOf(result.functions[0])["ai.onnx"] == 21 and result.functions[0].node[0].attribute[0].ref_attr_name == "p"
    refused(folder, calling("Softmax", ["a"], "axis", kinds.INT, p=1), 13, "an attribute is a parameter of the function, and what opset 13 has for the node depends on it")


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
    out = t.fold(source, folder / "out.onnx", "--target-opset=21", "--verify=1")  # the same bits by our kernels
    onnx.checker.check_model(str(out), full_check=True)
    t.expectSameBytes(t.fold(out, folder / "again.onnx"), out, "folded again")
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(source, feeds), strict=True):
        compare.expectAgreement(got, want, name, tolerance=compare.TOLERANCE["float16"] if "fp16" in name else 1e-4)


LIGHT = [path.stem for path in t.lightModels() if t.options.long or "squeezenet" in path.stem or "shufflenet" in path.stem]


@pytest.mark.parametrize("name", LIGHT)
def test_light_models(folder, name):
    """Of opset 9; weights are computed by ConstantOfShape."""
    source = t.TEST_DATA / f"light/{name}.onnx"
    [value] = [each for each in onnx.load(source).graph.input if each.type.tensor_type.shape.dim[-1].dim_value == 224]
    shape = [each.dim_value for each in value.type.tensor_type.shape.dim]
    feeds = [{value.name: np.random.default_rng(t.options.seed).uniform(-1, 1, shape).astype(np.float32)}]
    out = t.fold(source, folder / "out.onnx", "--target-opset=21", "-O1")
    onnx.checker.check_model(str(out), full_check=True)
    for got, want in zip(compare.outputs(out, feeds, apart=True), compare.outputs(source, feeds, apart=True), strict=True):
        compare.expectAgreement(got, want, name, tolerance=1e-4)


def test_verification(folder):
    """--verify runs what was written."""
    source = m.model([node("Softmax", ["x"], ["y"], axis=1)], [m.info("x", (2, 3, 4))], [m.info("y", None)], opset=11, ir=8)
    onnx.save(source, folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--target-opset=17", "--verify", "--quiet")


@pytest.mark.parametrize("flags", [(), ("--convert=f32:f16",), ("-O0",)], ids=str)
def test_verification_with_custom_operators(folder, flags):
    """Custom operators are compared by what they read. Rewrites shift the numbers of nodes, and each was compared with another one."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[1, 0]), node("Transpose", ["t"], ["u"], perm=[1, 0]), node("Neg", ["u"], ["n"])]
    nodes += [node("Acme", ["n"], ["a"], domain="acme"), node("Reshape", ["x", "s"], ["r"]), node("Acme", ["r"], ["b"], domain="acme")]
    nodes += [node("Abs", ["x"], ["p"]), node("Acme", ["p"], ["c"], domain="acme")]
    outputs = [m.info("a", (2, 3)), m.info("b", (6,)), m.info("c", (2, 3))]
    source = m.model(nodes, [m.info("x", (2, 3))], outputs, [m.const("s", [6], np.int64)], opset=10, ir=7)
    source.opset_import.append(helper.make_opsetid("acme", 1))
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "--target-opset=21", "--verify", *flags)
    assert done.code == 0 and "6 of 6 values agree" in done.err, done


def test_one_hot_of_old_opsets(folder):
    """Its negative indices are out of range in opset 9, but --verify counts them from the end, as ONNX Runtime does."""
    values = [m.const("depth", np.int64(4)), m.const("values", np.float32([0, 1]))]
    nodes = [node("OneHot", ["x", "depth", "values"], ["y"])]
    source = m.model(nodes, [m.info("x", (3,), INT64)], [m.info("y", (3, 4))], values, opset=9, ir=7)
    feeds = [{"x": np.array([-1, 2, 9])}]
    converted(folder, source, 21, "--verify", feeds=feeds)
    nodes = [node("OneHot", ["i", "depth", "values"], ["h"]), node("Add", ["h", "x"], ["y"])]
    values.append(m.const("i", [-1], np.int64))
    onnx.save(m.model(nodes, [m.info("x", (1, 4))], [m.info("y", (1, 4))], values, opset=9, ir=7), folder / "fixed.onnx")
    folded = onnx.load(t.fold(folder / "fixed.onnx", folder / "fixed.out.onnx"))
    assert [each.op_type for each in folded.graph.node] == ["OneHot", "Add"]


def test_errors(folder):
    source = m.model([node("Relu", ["x"], ["y"])], [m.info("x")], [m.info("y")])
    newest = onnx.defs.onnx_opset_version()
    refused(folder, source, 1000, f"opset 1000 is not known, expected at most {newest}")
    refused(folder, source, -1, "--target-opset is '-1', expected a number above 0")
    custom = m.model([node("Gelu", ["x"], ["y"], name="g")], [m.info("x")], [m.info("y")], opset=17)
    refused(folder, custom, 21, "node 'g' (Gelu): is not an operator of opset 17, but one of opset 21")
