# SPDX-License-Identifier: Apache-2.0
"""--target-opset to an earlier opset. ONNX Runtime, which has both, is the judge."""

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node
from test_opset_rules import convert, one, refused, sameInRuntime

INTS = np.int64


def ints(name, *values):
    return m.const(name, np.array(values, INTS))


def attributesOf(model, op):
    [found] = [each for each in model.graph.node if each.op_type == op]
    return {each.name: helper.get_attribute_value(each) for each in found.attribute}


MOVED = {
    "squeeze": (one("Squeeze", 21, (2, 1, 4), [ints("axes", 1)]), 11, "Squeeze", {"axes": [1]}),
    "unsqueeze-negative": (one("Unsqueeze", 21, (2, 3), [ints("axes", -1)]), 9, "Unsqueeze", {"axes": [2]}),
    "reduce-sum": (one("ReduceSum", 21, constants=[ints("axes", 1, -1)], keepdims=0), 9, "ReduceSum", {"axes": [1, 3], "keepdims": 0}),
    "reduce-mean": (one("ReduceMean", 18, constants=[ints("axes", 2)]), 13, "ReduceMean", {"axes": [2]}),
    "reduce-all": (one("ReduceMax", 20, constants=[m.const("axes", np.zeros(0, INTS))], keepdims=0), 13, "ReduceMax", {"keepdims": 0}),
    "split": (one("Split", 13, constants=[ints("s", 1, 2)], outputs=("y", "z"), axis=1), 11, "Split", {"axis": 1, "split": [1, 2]}),
    "split-parts": (one("Split", 18, outputs=("y", "z"), axis=3, num_outputs=2), 11, "Split", {"axis": 3, "split": [3, 3]}),
    "slice": (one("Slice", 13, constants=[ints("s", 1), ints("e", -1), ints("a", 3)]), 9, "Slice", {"starts": [1], "ends": [-1], "axes": [3]}),
    "pad": (one("Pad", 13, constants=[ints("p", 0, 1, 0, 0, 0, 0, 0, 2), m.const("v", np.float32(0.5))]), 10, "Pad", None),
    "pad-axes": (one("Pad", 21, constants=[ints("p", 1, 2), m.const("v", np.float32(0.5)), ints("a", -1)], inputs=["x", "p", "v", "a"]), 10, "Pad", None),
    "clip": (one("Clip", 13, constants=[m.const("a", np.float32(-0.5)), m.const("b", np.float32(0.25))]), 10, "Clip", {"min": -0.5, "max": 0.25}),
    "top-k": (m.model([node("TopK", ["x", "k"], ["y", "i"], axis=-1)], [m.info("x", (2, 3, 4, 6))], [m.info("y", (2, 3, 4, 2))], [ints("k", 2)], opset=11, ir=8), 9, "TopK", {"axis": -1, "k": 2}),
    "dropout": (one("Dropout", 13, constants=[m.const("r", np.float32(0.25))]), 10, "Dropout", {"ratio": 0.25}),
    "softmax-last": (one("Softmax", 13), 11, "Softmax", {"axis": -1}),
    "concat-negative": (one("Concat", 13, inputs=["x", "x"], axis=-1), 9, "Concat", {"axis": 3}),
    "reshape": (one("Reshape", 21, constants=[ints("s", 6, -1)], allowzero=1), 13, "Reshape", {}),
    "pool": (one("AveragePool", 22, kernel_shape=[2, 2], dilations=[1, 1]), 11, "AveragePool", {"kernel_shape": [2, 2]}),
    "grid": (one("GridSample", 20, (1, 2, 4, 6), [m.const("g", np.random.default_rng(3).uniform(-1, 1, (1, 3, 3, 2)).astype(np.float32))]), 16, "GridSample", None),
}


@pytest.mark.parametrize("name", MOVED)
def test_inputs_become_attributes(folder, name):
    """What became an input is an attribute again, and other defaults are spelled."""
    source, target, op, attributes = MOVED[name]
    shape = tuple(each.dim_value for each in source.graph.input[0].type.tensor_type.shape.dim)
    result = sameInRuntime(folder, source, target, shape)
    assert {each.domain: each.version for each in result.opset_import}[""] == target
    assert attributes is None or attributesOf(result, op) == attributes


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax", "Hardmax"])
@pytest.mark.parametrize("axis", [0, 1, -2])
def test_softmax_of_another_axis(folder, op, axis):
    """Before opset 13 it took all axes from there on: the axis is moved to the end and back."""
    result = sameInRuntime(folder, one(op, 13, axis=axis), 11)
    assert [each.op_type for each in result.graph.node] == ["Transpose", op, "Transpose"]


def test_part_of_a_shape(folder):
    infos = [m.info("x", ("n", "c", 4, 6))], [m.info("y", (2,), TensorProto.INT64)]
    source = m.model([node("Shape", ["x"], ["y"], start=0, end=-2)], *infos, opset=15, ir=8)
    assert [each.op_type for each in sameInRuntime(folder, source, 11).graph.node] == ["Shape", "Slice"]


def test_only_types_are_more(folder):
    """Sub 13 -> 7, Identity 16 -> 1, Reshape 19 -> 5: the file of the issue, which was refused."""
    nodes = [node("Sub", ["x", "x"], ["a"]), node("Identity", ["a"], ["b"]), node("Reshape", ["b", "s"], ["y"])]
    source = m.model(nodes, [m.info("x")], [m.info("y", (3, 2))], [ints("s", 3, 2)], opset=19, ir=8)
    result = sameInRuntime(folder, source, 7, (2, 3))
    assert [each.op_type for each in result.graph.node] == ["Sub", "Identity", "Reshape"]


FUNCTIONS = {
    "Gelu": (one("Gelu", 20), 13),
    "LayerNormalization": (one("LayerNormalization", 17, constants=[m.const("w", np.float32([1, 2, 3, 4, 5, 6]))]), 11),
    "GroupNormalization": (one("GroupNormalization", 21, (2, 4, 3), [m.const("s", np.float32([1, 2, 3, 4])), m.const("b", np.float32([0, 1, 0, 1]))], result=(2, 4, 3), num_groups=2), 17),
    "RMSNormalization": (one("RMSNormalization", 23, constants=[m.const("w", np.float32([1, 2, 3, 4, 5, 6]))]), 17),
    "HardSwish": (one("HardSwish", 14), 11),
    "Mish": (one("Mish", 18), 13),
    "Celu": (one("Celu", 12), 10),
    "GreaterOrEqual": (one("GreaterOrEqual", 16, inputs=["x", "x"], result=(2, 3, 4, 6)), 11),
}


@pytest.mark.parametrize("op", FUNCTIONS)
def test_functions(folder, op):
    """An operator that is newer becomes the function by which ONNX defines it, which is said if its floats round otherwise."""
    source, target = FUNCTIONS[op]
    if op == "GreaterOrEqual":
        source.graph.output[0].type.tensor_type.elem_type = TensorProto.BOOL
    shape = tuple(each.dim_value for each in source.graph.input[0].type.tensor_type.shape.dim)
    result = sameInRuntime(folder, source, target, shape)
    assert op not in [each.op_type for each in result.graph.node]
    done = t.run(folder / "in.onnx", "-o", folder / "verified.onnx", f"--target-opset={target}", "--verify")
    assert done.code == 0, done.err
    assert (f"floats may differ in the last digits: {op} 1" in done.err) == (op != "GreaterOrEqual"), done.err


def test_numbers_in_constant_nodes(folder):
    """Before opset 12 a Constant holds a tensor and nothing else."""
    nodes = [node("Constant", [], ["s"], value_ints=[3, 2]), node("Constant", [], ["c"], value_float=2.0)]
    nodes += [node("Reshape", ["x", "s"], ["r"]), node("Mul", ["r", "c"], ["y"])]
    source = m.model(nodes, [m.info("x")], [m.info("y", (3, 2))], opset=13, ir=8)
    sameInRuntime(folder, source, 11, (2, 3))
    sameInRuntime(folder, source, 12, (2, 3))
    assert "value_ints" in str(onnx.load(folder / "out.onnx")), "opset 12 has them: nothing to change"


def viewOf(ir, **texts):
    """A Reshape to a constant of a node."""
    shape = numpy_helper.from_array(np.int64([3, 2]), "t")
    constant = node("Constant", [], ["s"], value=shape, **texts)
    return m.model([constant, node("Reshape", ["x", "s"], ["y"])], [m.info("x")], [m.info("y", (3, 2))], opset=11, ir=ir)


def test_types_of_constant_nodes(folder):
    """Constant of opset 8 has floats only: an integer becomes an initializer, with the texts of its node."""
    source = viewOf(8, doc_string="of a view")
    entry = source.graph.node[0].metadata_props.add()
    entry.key, entry.value = "from", "view.py"
    result = sameInRuntime(folder, source, 8, (2, 3))
    (shape,) = result.graph.initializer
    assert [each.op_type for each in result.graph.node] == ["Reshape"] and (shape.name, shape.doc_string) == ("s", "of a view")
    assert [(each.key, each.value) for each in shape.metadata_props] == [("from", "view.py")]
    assert [each.op_type for each in sameInRuntime(folder, source, 9, (2, 3)).graph.node] == ["Constant", "Reshape"]


@pytest.mark.parametrize("flags", [["--target-opset=8"], ["--target-opset=8", "-O0"], ["--target-opset=9"]])
def test_types_with_constants_as_nodes(folder, flags):
    """--constants=nodes makes none that Constant of the opset does not have: neither held nodes nor folded values."""
    source = viewOf(8)
    source.graph.node.extend([node("Shape", ["y"], ["k"])])
    source.graph.output.append(m.info("k", (2,), TensorProto.INT64))
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--constants=nodes", *flags)
    onnx.checker.check_model(str(out), full_check=True)
    result = onnx.load(out)
    assert bool(result.graph.initializer) == (flags != ["--target-opset=9"])
    t.expectSameBytes(t.fold(out, folder / "again.onnx", "--constants=nodes", *flags), out, "again")


def test_constants_that_have_no_place(folder):
    """Functions have no initializers, and before IR version 4 these are inputs."""
    problem = "constant 's': Constant of opset 8 has no i64"
    refused(folder, viewOf(3), 8, problem)
    function = helper.make_function("local", "F", ["x"], ["y"], list(viewOf(8).graph.node), [helper.make_opsetid("", 11)])
    source = m.model([node("F", ["x"], ["y"], domain="local")], [m.info("x")], [m.info("y", (3, 2))], opset=11, ir=8, domains=[("local", 1)])
    source.functions.append(function)
    refused(folder, source, 8, problem)
    convert(folder, source, 9)
    unsqueezed = m.model([node("ReduceSum", ["x"], ["y"], axes=[0])], [m.info("x")], [m.info("y", (1, 3))], opset=11, ir=3)
    convert(folder, unsqueezed, 8)


def test_bodies_and_functions(folder):
    """Nodes in branches, loops and functions of the model are converted as the others are."""
    branch = helper.make_graph([node("Squeeze", ["x", "axes"], ["s"]), node("Neg", ["s"], ["t"])], "then", [], [m.info("t", None)])
    other = helper.make_graph([node("Squeeze", ["x", "axes"], ["e"])], "else", [], [m.info("e", None)])
    nodes = [node("If", ["c"], ["y"], then_branch=branch, else_branch=other)]
    inputs = [m.info("x", (1, 3)), m.info("c", (), TensorProto.BOOL)]
    source = m.model(nodes, inputs, [m.info("y", (3,))], [ints("axes", 0)], opset=21, ir=8)
    out = convert(folder, source, 11)
    for condition in (True, False):
        feeds = [{"x": np.float32([[1, -2, 3]]), "c": np.array(condition)}]
        compare.expectAgreement(compare.outputs(out, feeds)[0], compare.outputs(folder / "in.onnx", feeds)[0], "converted")


def parameter(op, opset, **attributes):
    function = helper.make_function("local", "F", ["a"], ["b"], [node(op, ["a"], ["b"], **attributes)], [helper.make_opsetid("", opset)])
    source = m.model([node("F", ["x"], ["y"], domain="local")], [m.info("x")], [m.info("y")], opset=opset, ir=8, domains=[("local", 1)])
    source.functions.append(function)
    return source


REFUSED = {
    "no operator": (one("Trilu", 14, (3, 4)), 13, "node 'n' (Trilu): has version 14, opset 13 has no such operator: no function defines it for its types"),
    "no constant": (
        m.model([node("Squeeze", ["x", "a"], ["y"], name="n")], [m.info("x", (1, 3)), m.info("a", (1,), TensorProto.INT64)], [m.info("y", (3,))], opset=13),
        11,
        "node 'n' (Squeeze): has version 13, opset 11 has version 11: input #1 would be the attribute 'axes', and is not a constant of its kind",
    ),
    "type": (one("Max", 12, inputs=["x", "x"], kind=TensorProto.INT32), 11, "input #0 has a type that Max-8 does not take, or that is not known"),
    "attribute": (one("ArgMax", 13, select_last_index=1, result=(1, 3, 4, 6)), 11, "attribute 'select_last_index' did not exist, and is not at its default"),
    "mode": (one("Pad", 19, constants=[ints("p", 0, 0, 0, 1, 0, 0, 0, 1)], mode="wrap"), 18, "attribute 'mode' is 'wrap', which did not exist"),
    "zero": (one("Reshape", 14, (0, 3), [ints("s", 3, 0)], allowzero=1, result=(3, 0)), 13, "attribute 'allowzero' is 1"),
    "steps": (one("Slice", 10, constants=[ints("s", 0), ints("e", 9), ints("a", 3), ints("d", 2)]), 9, "input #4, the steps, is not constant and 1"),
    "broadcast": (one("Add", 7, constants=[m.const("w", np.float32([1]))]), 6, "the shapes of its inputs are not known to be equal"),
    "one-hot": (
        m.model(
            [node("OneHot", ["x", "d", "v"], ["y"], name="n")],
            [m.info("x", (3,), TensorProto.INT64)],
            [m.info("y", (3, 4))],
            [m.const("d", np.int64(4)), m.const("v", np.float32([0, 1]))],
            opset=11,
            ir=8,
        ),
        9,
        "input #0, the indices, is not constant, or one of it is negative",
    ),
    "resize": (
        one("Resize", 11, constants=[m.const("r", np.zeros(0, np.float32)), m.const("s", np.float32([1, 1, 2, 2]))], mode="nearest"),
        10,
        "node 'n' (Resize): has version 11, opset 10 has version 10: the same node there would mean something else",
    ),
    "unknown type": (parameter("Max", 12), 11, "input #0 has a type that Max-8 does not take, or that is not known"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(folder, name):
    """With node, both versions and the reason; nothing is written."""
    source, target, problem = REFUSED[name]
    if name == "attribute":
        source.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    refused(folder, source, target, problem)


# ONNX Runtime's own kernel leaves -inf out of the output of scores that are masked; the test's data agree with the function.
RUNTIME_DIFFERS = ["with_past_and_present_qk_matmul_bias_3d_mask_causal", "with_past_and_present_qk_matmul_bias_4d_mask_causal"]


def withConstants(path):
    """The model with its small inputs but the first as initializers, and the data of the others."""
    model, feeds = onnx.load(path), {}
    for i, value in enumerate(list(model.graph.input)):
        data = onnx.load_tensor(path.parent / f"test_data_set_0/input_{i}.pb")
        array = numpy_helper.to_array(data)
        if i and array.size <= 16 and array.ndim <= 1 and data.data_type in (TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT):
            data.name = value.name
            model.graph.initializer.append(data)
            model.graph.input.remove(value)
        else:
            feeds[value.name] = array
    model.ir_version = min(model.ir_version, 10)
    return model, feeds


def runOf(model, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, feeds)


def attempt(run, *arguments):
    try:
        return run(*arguments)
    except Exception:  # of ONNX Runtime: it lacks a kernel; of ONNX: a sequence is no tensor
        return None


def isValid(model):
    try:
        onnx.checker.check_model(model, full_check=True)
        return True
    except Exception:  # a constant contradicts a declared shape
        return False


def nodeTests():
    paths = [path for path in sorted((t.TEST_DATA / "node").glob("*/model.onnx")) if not any(each in str(path) for each in RUNTIME_DIFFERS)]
    return paths if t.options.long else paths[::23]


@pytest.mark.parametrize("target", [21, 17, 13, 11, 9])
def test_node_tests(folder, target):
    """Each of ONNX's node tests is refused with a reason, or is valid, and the same in ONNX Runtime."""
    counts = {"refused": 0, "equal": 0}
    for path in nodeTests():
        made = attempt(withConstants, path)
        opset = max([each.version for each in onnx.load(path).opset_import if not each.domain], default=0)
        want = attempt(runOf, *made) if made and opset > target else None
        if want is None or not isValid(made[0]):
            continue
        onnx.save(made[0], folder / "in.onnx")
        done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "-O0", "--quiet", f"--target-opset={target}")
        if done.code:
            assert done.code == 1 and f"to {target}: node" in done.err, f"{path}: {done}"
            counts["refused"] += 1
            continue
        result = onnx.load(folder / "out.onnx")
        onnx.checker.check_model(result, full_check=True)
        got = attempt(runOf, result, made[1])
        if got is None:
            continue  # it has no kernel of that version
        counts["equal"] += 1
        for a, b in zip(got, want, strict=True):
            if isinstance(b, np.ndarray) and b.dtype.kind == "f":
                np.testing.assert_allclose(a, b, rtol=2e-3 if b.dtype == np.float16 else 2e-5, atol=1e-3 if b.dtype == np.float16 else 1e-5, err_msg=str(path))
            elif isinstance(b, np.ndarray):
                assert a.dtype == b.dtype and np.array_equal(a, b), path
    print(f"  opset {target}: {counts}")
    assert counts["equal"] > (150 if t.options.long else 8)


@pytest.mark.parametrize("name", ["albert", "bert", "swin", "vit", "mobilenet", "lstm", "detector"])
def test_real_models(folder, name):
    """Down, and up again, computes the same."""
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    if not source.exists():
        pytest.skip(f"no {source}")
    down = t.fold(source, folder / "down.onnx", "--target-opset=13", "--verify=1")
    onnx.checker.check_model(str(down), full_check=True)
    up = t.fold(down, folder / "up.onnx", "--target-opset=21", "--verify=1")
    onnx.checker.check_model(str(up), full_check=True)
    t.expectSameBytes(t.fold(down, folder / "again.onnx"), down, "folded again")
