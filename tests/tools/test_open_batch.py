# SPDX-License-Identifier: Apache-2.0
"""--batch=open: what is exported for N samples takes any number, and each sample gets what it got before."""

import json

import numpy as np
import onnx
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

RNG = np.random.default_rng(45)


def weight(name, *shape):
    return numpy_helper.from_array(RNG.standard_normal(shape).astype(np.float32), name)


def session(path):
    options = ort.SessionOptions()
    options.log_severity_level = 3
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def numbers(shape, kind):
    if "int" in kind:
        return RNG.integers(0, 4, shape).astype(kind[7:-1])
    return RNG.standard_normal(shape).astype(np.float32 if kind == "tensor(float)" else np.float64)


def expectSamples(before, after, axes, close=False):
    """N samples as before; and 3 N samples are three runs of N."""
    old, new = session(before), session(after)
    runs = [{each.name: numbers(each.shape, each.type) for each in old.get_inputs()} for _ in range(3)]
    wanted = [old.run(None, feeds) for feeds in runs]
    check = (lambda got, want: np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)) if close else np.testing.assert_array_equal
    for got, want in zip(new.run(None, runs[0]), wanted[0], strict=True):
        check(got, want)
    all = {name: np.concatenate([feeds[name] for feeds in runs]) for name in runs[0]}
    for i, got in enumerate(new.run(None, all)):
        check(got, np.concatenate([want[i] for want in wanted], axes))


def opened(folder, source, *flags, axis=0):
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--batch=open", *flags)
    result = onnx.load(out)
    onnx.checker.check_model(result, full_check=True)
    for value in result.graph.input:
        assert value.type.tensor_type.shape.dim[0].dim_param == "batch"
    for value in result.graph.output:
        assert value.type.tensor_type.shape.dim[axis].dim_param == "batch"
    t.expectSameBytes(t.fold(out, folder / "again.onnx", "--batch=open", *flags), out, "opened again")
    expectSamples(folder / "in.onnx", out, axis, close=True)
    return result


def refused(folder, source, *words, flags=()):
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "no.onnx", "--batch=open", *flags)
    assert done.code == 1 and not (folder / "no.onnx").exists(), done
    for word in ("--batch=open", *words):
        assert word in done.err, done


def simple(nodes, initializers=(), shape=(1, 4), out=(1, 4), opset=17, kind=TensorProto.FLOAT, **more):
    return m.model(nodes, [m.info("x", shape)], [m.info("y", out, kind)], list(initializers), opset=opset, ir=8, **more)


def shape(name, *sizes):
    return m.const(name, list(sizes), np.int64)


def reshaped(*targets, first=(1, 12, 4)):
    """Reshapes with literal sizes, as exporters write them for attention."""
    nodes, constants, last = [], [], "x"
    for i, target in enumerate(targets):
        constants.append(shape(f"s{i}", *target))
        nodes.append(node("Reshape", [last, f"s{i}"], ["y" if i + 1 == len(targets) else f"r{i}"]))
        last = f"r{i}"
    return simple(nodes, constants, first, targets[-1])


@pytest.mark.parametrize("flags", [(), ("-O0",), ("-O2",), ("--shapes",)], ids=str)
@pytest.mark.parametrize("targets", [[(1, 48)], [(1, 12, 2, 2), (1, 12, 4)], [(12, 4), (1, 12, 4)], [(1, 1, 48)], [(1, -1, 2), (1, 4, 12)]], ids=str)
def test_reshape(folder, targets, flags):
    opened(folder, reshaped(*targets), *flags)


@pytest.mark.parametrize("targets", [[(2, 24)], [(2, 3, 4, 2), (2, 24)], [(6, 8), (2, 24)]], ids=str)
def test_reshape_of_two_samples(folder, targets):
    opened(folder, reshaped(*targets, first=(2, 12, 2)))


def test_attention(folder):
    """Heads are in the dimension of the samples, and leave it again."""
    nodes = [
        node("Reshape", ["x", "s0"], ["h"]),
        node("Transpose", ["h"], ["q"], perm=[0, 2, 1, 3]),
        node("Reshape", ["q", "s1"], ["b"]),
        node("Transpose", ["b"], ["k"], perm=[0, 2, 1]),
        node("MatMul", ["b", "k"], ["l"]),
        node("Softmax", ["l"], ["p"], axis=-1),
        node("MatMul", ["p", "b"], ["c"]),
        node("Reshape", ["c", "s2"], ["d"]),
        node("Transpose", ["d"], ["e"], perm=[0, 2, 1, 3]),
        node("Reshape", ["e", "s3"], ["y"]),
    ]
    targets = [shape("s0", 1, 5, 2, 4), shape("s1", 2, 5, 4), shape("s2", 1, 2, 5, 4), shape("s3", 1, 5, 8)]
    result = opened(folder, simple(nodes, targets, (1, 5, 8), (1, 5, 8)))
    assert len(result.graph.node) == len(nodes)


def test_sizes_that_are_computed(folder):
    """Shape, Gather and Concat make a target; a number that follows from the size stays what it was."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"], axis=0),
        node("Concat", ["n", "minus"], ["t"], axis=0),
        node("Reshape", ["x", "t"], ["r"]),
        node("Cast", ["n"], ["f"], to=TensorProto.FLOAT),
        node("Div", ["r", "f"], ["y"]),
    ]
    for flags in ((), ("-O0",)):
        opened(folder, simple(nodes, [shape("zero", 0), shape("minus", -1)], (2, 3, 4), (2, 12)), *flags)


def test_a_token_for_each_sample(folder):
    nodes = [node("Concat", ["c", "x"], ["a"], axis=1), node("Add", ["a", "p"], ["y"])]
    for size in (1, 2):
        token = numpy_helper.from_array(np.tile(RNG.standard_normal((1, 1, 4)), (size, 1, 1)).astype(np.float32), "c")
        opened(folder, simple(nodes, [token, weight("p", 1, 4, 4)], (size, 3, 4), (size, 4, 4)))


@pytest.mark.parametrize("op, gates", [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_recurrence(folder, op, gates):
    states = ["h", "h"] if op == "LSTM" else ["h"]
    nodes = [
        node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
        node(op, ["t", "w", "r", "", "", *states], ["o", "last"], hidden_size=3),
        node("Transpose", ["last"], ["y"], perm=[1, 0, 2]),
    ]
    opened(folder, simple(nodes, [weight("w", 1, gates * 3, 4), weight("r", 1, gates * 3, 3), weight("h", 1, 1, 3)], (1, 5, 4), (1, 1, 3)))


def test_convolutions(folder):
    nodes = [
        node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        node("BatchNormalization", ["c", "b", "b", "b", "v"], ["n"]),
        node("Resize", ["n", "", "", "sizes"], ["z"]),
        node("MaxPool", ["z"], ["p"], kernel_shape=[2, 2]),
        node("Slice", ["p", "from", "to"], ["i"]),
        node("GlobalAveragePool", ["i"], ["g"]),
        node("Flatten", ["g"], ["f"]),
        node("Gemm", ["f", "k", "b"], ["y"]),
    ]
    weights = [weight("w", 4, 3, 3, 3), weight("b", 4), m.const("v", [1, 2, 3, 4], np.float32), weight("k", 4, 4), shape("sizes", 1, 4, 8, 8)]
    opened(folder, simple(nodes, [*weights, shape("from", 0, 0), shape("to", 1, 4)], (1, 3, 4, 4), (1, 4)))


MIXING = {
    "Softmax": ([node("Softmax", ["x"], ["y"], axis=0)], [], "along the samples"),
    "ReduceSum": ([node("ReduceSum", ["x", "a"], ["y"])], [shape("a", 0)], "along the samples"),
    "ReduceMean": ([node("ReduceMean", ["x"], ["y"], axes=[-2])], [], "along the samples"),
    "ReduceMax": ([node("ReduceMax", ["x"], ["y"])], [], "all axes"),
    "CumSum": ([node("CumSum", ["x", "a"], ["y"])], [m.const("a", 0, np.int64)], "along the samples"),
    "MatMul": ([node("MatMul", ["w", "x"], ["y"])], [weight("w", 1, 1)], "adds up samples"),
    "Gemm": ([node("Gemm", ["x", "w"], ["y"], transA=1)], [weight("w", 1, 4)], "adds up samples"),
    "Gather": ([node("Gather", ["x", "a"], ["y"], axis=0)], [shape("a", 0)], "a part of the samples"),
    "Slice": ([node("Slice", ["x", "a", "b"], ["y"])], [shape("a", 0), shape("b", 0)], "a part of the samples"),
    "Tile": ([node("Tile", ["x", "a"], ["y"])], [shape("a", 2, 1)], "along the samples"),
    "Expand": ([node("Expand", ["x", "a"], ["y"])], [shape("a", 3, 4)], "along the samples"),
    "Concat": ([node("Concat", ["x", "x"], ["y"], axis=0)], [], "along the samples"),
    "Pad": ([node("Pad", ["x", "a"], ["y"])], [shape("a", 1, 0, 0, 0)], "adds to the samples"),
    "Squeeze": ([node("Squeeze", ["x", "a"], ["y"])], [shape("a", 0)], "takes away"),
    "NonZero": ([node("NonZero", ["x"], ["z"]), node("Cast", ["z"], ["y"], to=1)], [], "not known to compute"),
    "DynamicQuantizeLinear": ([node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), node("Mul", ["x", "s"], ["y"])], [], "with one scale"),
    "RandomNormalLike": ([node("RandomNormalLike", ["x"], ["y"])], [], "not known to compute"),
    "Add": ([node("Add", ["x", "w"], ["y"])], [weight("w", 3, 4)], "another value for each sample"),
}


@pytest.mark.parametrize("name", MIXING)
def test_mixing_is_refused(folder, name):
    nodes, initializers, why = MIXING[name]
    refused(folder, simple(nodes, initializers, out=None), f"({name})", why)


def test_products_of_samples_are_refused(folder):
    nodes = [node("Transpose", ["x"], ["t"]), node("MatMul", ["x", "t"], ["y"])]
    refused(folder, simple(nodes, out=(1, 1)), "(MatMul)", "with each other")


def test_training_is_refused(folder):
    """BatchNormalization over all samples."""
    nodes = [node("BatchNormalization", ["x", "b", "b", "b", "b"], ["y", "m", "v"], training_mode=1)]
    refused(folder, simple(nodes, [m.const("b", [1, 2, 3, 4], np.float32)]), "(BatchNormalization)", "training")


def test_samples_among_features_are_refused(folder):
    nodes = [node("Flatten", ["x"], ["f"], axis=0), node("MatMul", ["f", "w"], ["y"])]
    refused(folder, simple(nodes, [weight("w", 4, 4)]), "(MatMul)", "adds up samples")
    refused(folder, simple([node("Reshape", ["x", "s"], ["y"])], [shape("s", 4)], out=(4,)), "output 'y'", "4 elements of each")
    moved = [node("Transpose", ["x"], ["t"], perm=[1, 0, 2]), node("Reshape", ["t", "s"], ["r"]), node("MatMul", ["r", "w"], ["y"])]
    refused(folder, simple(moved, [shape("s", 3, 8), weight("w", 8, 4)], (2, 3, 4), (3, 4)), "(MatMul)", "adds up samples")
    refused(folder, simple([node("Reshape", ["x", "s"], ["y"])], [shape("s", 3, 2)], (2, 3), (3, 2)), "(Reshape)", "together")


def test_a_target_that_copies_another_dimension(folder):
    """-1 is found to be the samples, and 0 would copy them: it becomes 1."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[1, 0, 2]), node("Reshape", ["t", "s"], ["r"]), node("Softmax", ["r"], ["y"], axis=1)]
    opened(folder, simple(nodes, [shape("s", -1, 0, 4)], (1, 1, 4), (1, 1, 4)))


def test_attributes_of_old_operators(folder):
    """They cannot become relative: a start of -1 is the last sample of many."""
    for starts, ends in (([-1], [2**31 - 1]), ([0], [1])):
        nodes = [node("Slice", ["x"], ["y"], axes=[0], starts=starts, ends=ends)]
        refused(folder, simple(nodes, opset=9), "(Slice)", "attributes")
    nodes = [node("Slice", ["x", "a", "b"], ["y"])]
    opened(folder, simple(nodes, [shape("a", -1), shape("b", 1)], opset=17))
    opened(folder, simple([node("Slice", ["x"], ["y"], axes=[0], starts=[0], ends=[2**31 - 1])], opset=9))
    refused(folder, simple([node("Sum", ["x", "w"], ["y"])], [weight("w", 1, 4)], opset=7), "(Sum)", "--target-opset")
    opened(folder, simple([node("Sum", ["x", "w"], ["y"])], [weight("w", 1, 4)], opset=8))


def test_random_numbers_are_refused(folder):
    """All samples would get those of one."""
    nodes = [node("RandomNormal", [], ["r"], shape=[1, 4]), node("Add", ["x", "r"], ["y"])]
    refused(folder, simple(nodes), "(RandomNormal)", "random")


def test_a_slope_for_each_sample_is_refused(folder):
    nodes = [node("PRelu", ["w", "x"], ["y"])]
    refused(folder, simple(nodes, [weight("w", 1, 4)]), "(PRelu)", "other than #0")


def test_a_name_that_another_dimension_has(folder):
    nodes = [node("Relu", ["x"], ["y"])]
    source = m.model(nodes, [m.info("x", (1, "batch"))], [m.info("y", (1, "batch"))], opset=17, ir=8)
    refused(folder, source, "input 'x'", "dimension 1", "--batch=open:NAME")
    t.fold(folder / "in.onnx", folder / "out.onnx", "--batch=open:n")
    dims = onnx.load(folder / "out.onnx").graph.output[0].type.tensor_type.shape.dim
    assert [dim.dim_param for dim in dims] == ["n", "batch"]


def test_two_samples_with_their_own_constants_are_refused(folder):
    refused(folder, simple([node("Add", ["x", "w"], ["y"])], [weight("w", 2, 4)], (2, 4), (2, 4)), "(Add)", "another value")
    equal = numpy_helper.from_array(np.ones((2, 4), np.float32), "w")
    opened(folder, simple([node("Add", ["x", "w"], ["y"])], [equal], (2, 4), (2, 4)))


def test_an_output_of_sizes_is_refused(folder):
    refused(folder, simple([node("Shape", ["x"], ["y"])], out=(2,), kind=TensorProto.INT64), "output 'y'", "size of the batch")


def test_interface(folder):
    """The name of the dimension, value_info, inputs that are the same for all, and the report."""
    nodes = [node("Neg", ["x"], ["n"]), node("Mul", ["n", "k"], ["y"])]
    inputs = [m.info("x", (2, 4)), m.info("k", (4,))]
    source = m.model(nodes, inputs, [m.info("y", (2, 4))], opset=17, ir=8)
    source.graph.value_info.append(m.info("n", (2, 4)))
    onnx.save(source, folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--batch=open:n", "--quiet", f"--report=json:{folder / 'r.json'}")
    result = onnx.load(folder / "out.onnx")
    infos = [*result.graph.input, *result.graph.value_info, *result.graph.output]
    dims = [[dim.dim_param or dim.dim_value for dim in each.type.tensor_type.shape.dim] for each in infos]
    assert dims == [["n", 4], [4], ["n", 4], ["n", 4]]
    report = json.loads((folder / "r.json").read_text())["opened_batch"]
    assert report == {"dimension": "n", "size": 2, "inputs": ["x"], "outputs": ["y"], "nodes": []}
    done = t.run(folder / "in.onnx", "-o", folder / "no.onnx", "--batch=4")
    assert done.code == 1 and "open or open:NAME" in done.err


def test_the_example_of_the_manual(folder):
    command = "onnx-fold --batch=open -o any.onnx model.onnx"
    assert f"    {command}" in (t.ROOT / "docs/how-to.md").read_text()
    onnx.save(simple([node("Relu", ["x"], ["y"])]), folder / "model.onnx")
    t.runOk("--batch=open", "-o", folder / "any.onnx", folder / "model.onnx")
    expectSamples(folder / "model.onnx", folder / "any.onnx", 0)
