# SPDX-License-Identifier: Apache-2.0
"""What ONNX leaves open and ONNX Runtime runs: folding keeps such a node, a compiled program must do something.

It does what ONNX Runtime does, also where the reference evaluator does something else: the text of truth values, an empty list of axes.
"""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_runs as runs
import onnxfold_testing as t
from onnxfold_models import const, info, model

pytestmark = pytest.mark.skipif(not runs.RUN.exists(), reason="onnx-run is not built")
node = onnx.helper.make_node
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
X = (np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7) / 4
INTEGERS = ("UINT8", "INT8", "UINT16", "INT16", "INT32", "UINT32", "INT64", "UINT64")
FAR = [-1, -1.5, -300, 255.9, 256, 300, 65536.5, 2**31, 2**31 + 300, -(2.0**31) - 4096, 2.0**32 + 4096, 2.0**63, 1e20, -1e20]
FAR += [np.inf, -np.inf, np.nan, 0, -0.0, 7]


def expectRunsAsThere(folder, source, feed):
    """All forms of the model, optimised and not, give what ONNX Runtime gives: its results, and those of the reference evaluator."""
    judge = runs.Judge(folder / "runs")
    case, why = judge.case("case", source, [feed])
    assert case, why
    for flags in (runs.OPTIONS[0], runs.OPTIONS[2]):
        assert not [str(one) for one in judge.failures([(case, form) for form in runs.FORMS], flags)]
    return case.expected, runs.referenceResults(source, [feed])


def expectRefused(folder, source, feed, text):
    """ONNX Runtime does not run it, and the program says why."""
    judge = runs.Judge(folder / "runs")
    assert judge.case("case", source, [feed])[0] is None
    data = judge.write(runs.Case("case", source, [feed], [{"y": np.float32(0)}]), "as it is")
    command = [runs.RUN, "--test-folders=-", "--no-cache", "--llvm-level=0"]
    done = subprocess.run(command, input=f"{data}\n", capture_output=True, text=True, timeout=600)
    assert done.returncode != 0 and text in done.stdout + done.stderr, done


def expectRuns(folder, source, feed, agrees=True):
    """So does the reference evaluator, unless it does not run."""
    expected, reference = expectRunsAsThere(folder, source, feed)
    assert bool(reference) == agrees and runs.areAllEqual(reference, expected)


@pytest.mark.parametrize("kind", ("FLOAT", "DOUBLE", "FLOAT16"))
def test_floats_out_of_the_range_of_an_integer(folder, kind):
    """Cast of 300 to u8 was refused, and a compiled one gave 255: i32 and i64 as x86 has them, of which the low bits are kept.
    Beyond both i32 and u32 a number becomes another u32 in the vectors of ONNX Runtime than behind them."""
    kind = getattr(TensorProto, kind)
    with np.errstate(over="ignore"):
        x = np.array(FAR).astype(onnx.helper.tensor_dtype_to_np_dtype(kind))
    wide = x.astype(np.float64)
    feed = {"x": x, "near": x[(wide >= -(2.0**31)) & (wide < 2.0**32)]}
    read = {name: "near" if name == "UINT32" else "x" for name in INTEGERS}
    nodes = [node("Cast", [read[name]], [name], to=getattr(TensorProto, name)) for name in INTEGERS]
    outputs = [info(name, feed[read[name]].shape, getattr(TensorProto, name)) for name in INTEGERS]
    expectRuns(folder, model(nodes, [info(name, value.shape, kind) for name, value in feed.items()], outputs), feed)


@pytest.mark.parametrize("narrow", ("INT4", "UINT4"))
def test_whole_floats_out_of_the_range_of_4_bits(folder, narrow):
    x = np.array([1e10, -1e10, np.inf, np.nan, 300, -129, 1000, 20, -3, 7], np.float32)
    nodes = [node("Cast", ["x"], ["narrow"], to=getattr(TensorProto, narrow)), node("Cast", ["narrow"], ["y"], to=TensorProto.INT8)]
    expectRuns(folder, model(nodes, [info("x", x.shape)], [info("y", x.shape, TensorProto.INT8)]), {"x": x})


def test_powers_out_of_range(folder):
    nodes = [node("Pow", ["x", "p"], ["y"])]
    source = model(nodes, [info("x", (4,), TensorProto.INT32)], [info("y", (4,), TensorProto.INT32)], [const("p", np.float32(9.0))])
    expectRuns(folder, source, {"x": np.int32([2, -3, 40, -90])})


@pytest.mark.parametrize("axes", ([1, 1], [1, -2], [0, 2, 0]))
@pytest.mark.parametrize("keeps", (0, 1))
@pytest.mark.parametrize("isConstant", (True, False))
def test_repeated_axes(folder, axes, keeps, isConstant):
    """Each axis is reduced once; the reference evaluator refuses them."""
    operators = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2", "ReduceProd")
    nodes = [node(name, ["x", "a"], [name], keepdims=keeps) for name in operators]
    shape = X.sum(axis=tuple({axis % 3 for axis in axes}), keepdims=bool(keeps)).shape
    axesOf = np.int64(axes)
    inputs = [info("x", X.shape)] + ([] if isConstant else [info("a", axesOf.shape, I64)])
    source = model(nodes, inputs, [info(name, shape) for name in operators], [const("a", axesOf)] if isConstant else [], opset=20)
    expectRuns(folder, source, {"x": X} if isConstant else {"x": X, "a": axesOf}, agrees=False)


def test_repeated_axes_to_squeeze(folder):
    x = np.arange(3, dtype=np.float32).reshape(1, 3, 1)
    for number, axes in enumerate(([0, 0], [2, -1, 0])):
        nodes, given = [node("Squeeze", ["x", "a"], ["y"])], np.int64(axes)
        output = info("y", (3, 1) if number == 0 else (3,))
        expectRuns(folder / str(number), model(nodes, [info("x", x.shape)], [output], [const("a", given)]), {"x": x}, agrees=False)


@pytest.mark.parametrize("equation, first, second", [
    ("ij,jk->ik", (3, 4), (1, 2)), ("ij,jk->ijk", (3, 4), (1, 2)), ("ij,jk->ijk", (3, 1), (4, 2)), ("ij,ij->ij", (1, 4), (3, 4)),
    ("bij,bjk->bik", (1, 3, 4), (5, 4, 2)), ("ij,ij", (1, 4), (3, 1)),
])  # fmt: skip
def test_labels_with_sizes_1_and_n(folder, equation, first, second):
    """ONNX's inference takes the first size of a label; both runtimes broadcast."""
    feed = {"a": np.arange(np.prod(first), dtype=np.float32).reshape(first), "b": np.arange(np.prod(second), dtype=np.float32).reshape(second) - 3}
    inputs = [info(name, value.shape) for name, value in feed.items()]
    output = onnx.helper.make_tensor_value_info("y", F32, None)
    expectRuns(folder, model([node("Einsum", ["a", "b"], ["y"], equation=equation)], inputs, [output]), feed)


@pytest.mark.parametrize("opset", (18, 21))
def test_one_scale_for_all_groups(folder, opset):
    """A scale or bias of shape [1] broadcasts in the body that the specification gives."""
    x = np.arange(32, dtype=np.float32).reshape(2, 4, 4) ** 1.5
    for scale, bias in ((1, 1), (1, 4 if opset == 21 else 2)):
        feed = {"x": x, "s": np.full(scale, 3, np.float32), "b": np.arange(bias, dtype=np.float32) + 1}
        inputs = [info(name, value.shape) for name, value in feed.items()]
        nodes = [node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2)]
        expectRuns(folder / str(bias), model(nodes, inputs, [info("y", x.shape)], opset=opset), feed)


@pytest.mark.parametrize("stash", (0, 10, 11))
def test_types_to_compute_in(folder, stash):
    """LayerNormalization's stash_type is the type of outputs that nobody reads, and of no effect on a result that is computed in double."""
    nodes = [node("LayerNormalization", ["x", "s"], ["y"], stash_type=stash)]
    source = model(nodes, [info("x", X.shape), info("s", (4,))], [info("y", X.shape)])
    expectRuns(folder, source, {"x": X, "s": np.float32([1, 2, 3, 4])}, agrees=False)


def test_truth_values_as_text(folder):
    source = model([node("Cast", ["x"], ["y"], to=TensorProto.STRING)], [info("x", (2,), TensorProto.BOOL)], [info("y", (2,), TensorProto.STRING)])
    feed = {"x": np.array([True, False])}
    expected, reference = expectRunsAsThere(folder, source, feed)
    assert reference[0]["y"].tolist() == ["True", "False"] and expected[0]["y"].tolist() == ["1", "0"]


def test_truth_values_as_text_are_kept(folder):
    """Folding decides nothing: the evaluator and ONNX Runtime differ."""
    values = const("c", np.array([True, False]))
    nodes = [node("Cast", ["c"], ["s"], to=TensorProto.STRING), node("Equal", ["s", "t"], ["y"])]
    source = model(nodes, [info("t", (2,), TensorProto.STRING)], [info("y", (2,), TensorProto.BOOL)], [values])
    onnx.save(source, folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    (kept,) = [one["reason"] for one in report["nodes"] if one["op"] == "Cast"]
    assert "ONNX Runtime writes 1 and 0, the reference evaluator True and False" in kept["text"], kept


@pytest.mark.parametrize("shape", ((1, 3, 1), (1, 1), (2, 3)), ids=str)
@pytest.mark.parametrize("given", ("input", "constant", "attribute"))
def test_an_empty_list_of_axes_to_squeeze(folder, shape, given):
    """It names all axes of size 1, or none: as an input the reference evaluator says none. The program stopped."""
    squeeze, output = node("Squeeze", ["x", "a"], ["s"]), onnx.helper.make_tensor_value_info("y", F32, None)
    feed, axes = {"x": np.arange(np.prod(shape), dtype=np.float32).reshape(shape)}, np.zeros(0, np.int64)
    inputs, constants = [info("x", shape)], []
    if given == "attribute":
        squeeze = node("Squeeze", ["x"], ["s"])
        squeeze.attribute.add(name="axes", type=onnx.AttributeProto.INTS)
    elif given == "constant":
        constants.append(const("a", axes))
    else:
        inputs.append(info("a", (0,), I64))
        feed["a"] = axes
    source = model([squeeze, node("Neg", ["s"], ["y"])], inputs, [output], constants, opset=11 if given == "attribute" else 18)
    expected, reference = expectRunsAsThere(folder, source, feed)
    assert expected[0]["y"].shape == tuple(size for size in shape if size != 1)
    assert reference[0]["y"].shape == (shape if given != "attribute" else expected[0]["y"].shape)


def test_moments_of_no_type(folder):
    """They were refused. ONNX Runtime takes the type that the model says, which for it can be f32 alone."""
    nodes = [node("LayerNormalization", ["x", "s"], ["y", "m"], stash_type=0)]
    outputs = [info("y", X.shape), info("m", (2, 3, 1))]
    source = model(nodes, [info("x", X.shape), info("s", (4,))], outputs)
    expectRuns(folder, source, {"x": X, "s": np.float32([1, 2, 3, 4])}, agrees=False)


@pytest.mark.parametrize("opset", (1, 9, 11))
def test_negative_indices_of_each_version(folder, opset):
    """Gather names them from version 11 on, and ran only there."""
    feed = {"x": X, "i": np.int64([[-1, 0], [-3, 2]])}
    nodes = [node("Gather", ["x", "i"], ["y"], axis=1)]
    source = model(nodes, [info("x", X.shape), info("i", (2, 2), I64)], [info("y", (2, 2, 2, 4))], opset=opset)
    expectRuns(folder, source, feed)


@pytest.mark.parametrize("kind", ("UINT8", "INT8", "UINT16", "INT16", "INT4", "UINT4"))
@pytest.mark.parametrize("zero", (0, 3))
def test_quantised_nan(folder, kind, zero):
    """It is the lowest integer, whatever the zero point is; it was refused."""
    x = np.float32([np.nan, 1, -2, -np.nan, 0, 100] + [np.nan] * 40)
    zeroPoint = onnx.helper.make_tensor("z", getattr(TensorProto, kind), (), [zero])
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("Cast", ["q"], ["y"], to=TensorProto.INT32)]
    source = model(nodes, [info("x", x.shape)], [info("y", x.shape, TensorProto.INT32)], [const("s", np.float32(0.5)), zeroPoint], opset=21)
    expected, _ = expectRunsAsThere(folder, source, {"x": x})
    assert expected[0]["y"][0] == {"INT8": -128, "INT16": -32768, "INT4": -8}.get(kind, 0)


def test_zero_by_a_scale_of_zero(folder):
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["y"])]
    constants = [const("s", np.float32([0, 2])), const("z", np.int8([7, 7]))]
    source = model(nodes, [info("x", (2, 2))], [info("y", (2, 2), TensorProto.INT8)], constants)
    expectRunsAsThere(folder, source, {"x": np.float32([[0, 0], [1, -3]])})


LOSSES = ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("more", ({}, {"ignore_index": -2}, {"ignore_index": 9}), ids=str)
@pytest.mark.parametrize("reduction", ("none", "mean"))
@pytest.mark.parametrize("weighted", (False, True))
def test_labels_from_the_last_class(folder, name, more, reduction, weighted):
    """Negative ones are no classes. The evaluator takes them so too, but not of weights."""
    labels = np.int64([0, -1, -3, 2, more.get("ignore_index", -2)])
    feed = {"x": np.linspace(-3, -1, 15, dtype=np.float32).reshape(5, 3) ** 3, "l": labels}
    nodes = [node(name, ["x", "l"] + ["w"] * weighted, ["y"], reduction=reduction, **more)]
    inputs = [info("x", (5, 3)), info("l", (5,), I64)]
    output = info("y", (5,) if reduction == "none" else ())
    expectRunsAsThere(folder, model(nodes, inputs, [output], [const("w", np.float32([1, 2, 4]))] * weighted, opset=13), feed)


@pytest.mark.parametrize("name", LOSSES)
def test_labels_that_are_no_classes(folder, name):
    """ONNX Runtime refuses them, and so does a program."""
    source = model([node(name, ["x", "l"], ["y"])], [info("x", (2, 3)), info("l", (2,), I64)], [info("y", ())], opset=13)
    for label in (3, -4):
        feed = {"x": np.zeros((2, 3), np.float32), "l": np.int64([0, label])}
        expectRefused(folder / str(label), source, feed, f"target [1] is {label}, there are 3 classes")


# the size of an image, of a window, the stride, pads
SMALL_IMAGES = ((1, 2, 2, 0, 0), (1, 3, 2, 0, 0), (2, 3, 2, 0, 0), (1, 2, 1, 0, 0), (1, 4, 2, 0, 0), (1, 3, 3, 0, 1), (1, 4, 3, 1, 0))


@pytest.mark.parametrize("up, opset", ((0, 11), (0, 22), (1, 11), (1, 22)))
@pytest.mark.parametrize("sizes", SMALL_IMAGES, ids=str)
def test_windows_larger_than_the_image(folder, up, opset, sizes):
    """ONNX Runtime has one window where less than a stride is missing, which it cuts off, and else none."""
    image, window, stride, before, after = sizes
    x = np.arange(1, 1 + 3 * image, dtype=np.float32).reshape(1, 1, image, 3)
    attributes = {"kernel_shape": [window, 1], "strides": [stride, 1], "pads": [before, 0, after, 0]}
    attributes |= {"ceil_mode": up} if up else {}
    nodes = [node(name, ["x"], [name], **attributes) for name in ("MaxPool", "AveragePool", "LpPool")[: 2 if up and opset < 18 else 3]]
    nodes.append(node("AveragePool", ["x"], ["with pads"], count_include_pad=1, **attributes))
    outputs = [onnx.helper.make_tensor_value_info(one.output[0], F32, None) for one in nodes]
    expectRunsAsThere(folder, model(nodes, [info("x", x.shape)], outputs, opset=opset), {"x": x})


@pytest.mark.parametrize("name", ("MaxPool", "AveragePool", "LpPool", "Conv"))
def test_windows_much_larger_than_the_image(folder, name):
    """Where ONNX Runtime has less than no window, it refuses, and so does a program."""
    feed, size = {"x": np.ones((1, 1, 1, 3), np.float32)}, 2 if name == "Conv" else 9
    if name == "Conv":
        feed["w"] = np.ones((1, 1, size, 1), np.float32)
    nodes = [node(name, list(feed), ["y"], kernel_shape=[size, 1], strides=[2, 1])]
    inputs = [info(key, value.shape) for key, value in feed.items()]
    source = model(nodes, inputs, [onnx.helper.make_tensor_value_info("y", F32, None)])
    expectRefused(folder, source, feed, f"a window of {size} does not fit into 1 padded elements")


@pytest.mark.parametrize("op", ("ArgMax", "ArgMin"))
def test_the_largest_of_none_for_no_result(folder, op):
    """The program stopped: along the axis there is nothing, but no element of the result asks for it."""
    x = np.zeros((0, 0, 2), np.float32)
    for keep, shape in enumerate(((0, 2), (0, 1, 2))):
        source = model([node(op, ["x"], ["y"], axis=1, keepdims=keep)], [info("x", x.shape)], [info("y", shape, I64)])
        expectRuns(folder / str(keep), source, {"x": x}, agrees=False)
    source = model([node(op, ["x"], ["y"], axis=1)], [info("x", (2, 0))], [info("y", (2, 1), I64)])
    expectRefused(folder, source, {"x": np.zeros((2, 0), np.float32)}, "there is nothing to choose along axis 1")


@pytest.mark.parametrize("opset", (13, 18))
def test_an_empty_list_of_parts(folder, opset):
    """As an input it is none to ONNX Runtime: the parts are equal. The program stopped. (A constant is refused there.)"""
    outputs = [onnx.helper.make_tensor_value_info(name, F32, None) for name in "yz"]
    source = model([node("Split", ["x", "s"], ["y", "z"])], [info("x", (4, 3)), info("s", (0,), I64)], outputs, opset=opset)
    feed = {"x": np.arange(12, dtype=np.float32).reshape(4, 3), "s": np.zeros(0, np.int64)}
    expectRunsAsThere(folder, source, feed)
    del source.graph.output[1]
    odd = feed | {"x": feed["x"][:3]}
    expectRefused(folder / "odd", runs.withoutShapes(source), odd, "split is [], there are 2 results")


@pytest.mark.parametrize("values", ([0, -0.0, 0], [], [1, np.inf, 0], [-2, np.inf]), ids=str)
def test_a_dynamic_scale_of_no_range(folder, values):
    """An image that is all 0 has no range, and the program stopped; so it did where the largest element is infinite."""
    kinds = {"y": TensorProto.UINT8, "s": F32, "z": TensorProto.UINT8}
    outputs = [onnx.helper.make_tensor_value_info(name, kind, None) for name, kind in kinds.items()]
    x = np.float32(values)
    expectRunsAsThere(folder, model([node("DynamicQuantizeLinear", ["x"], list("ysz"))], [info("x", x.shape)], outputs), {"x": x})


@pytest.mark.parametrize("kind", ("FLOAT", "DOUBLE", "INT32"))
def test_the_mean_of_no_elements(folder, kind):
    """It is 0, as their sum."""
    number = getattr(TensorProto, kind)
    x = np.zeros((0, 3), onnx.helper.tensor_dtype_to_np_dtype(number))
    mean, axes = node("ReduceMean", ["x", "a"], ["y"], keepdims=0), const("a", np.int64([0]))
    source = model([mean], [info("x", x.shape, number)], [info("y", (3,), number)], [axes])
    expectRunsAsThere(folder, source, {"x": x})


@pytest.mark.parametrize("onesided", (0, 1))
def test_a_signal_without_its_last_dimension(folder, onesided):
    """The text wants [batch, length, 1]; torch's exporter writes [batch, length], which was refused."""
    tensors = [const("step", np.int64(4)), const("length", np.int64(8)), const("window", np.hanning(8).astype(np.float32))]
    stft = node("STFT", ["x", "step", "window", "length"], ["y"], onesided=onesided)
    x = np.random.default_rng(7).standard_normal((2, 32)).astype(np.float32)
    source = model([stft], [info("x", (2, 32))], [onnx.helper.make_tensor_value_info("y", F32, None)], tensors, opset=17)
    expectRunsAsThere(folder, source, {"x": x})
    onnx.save(source, folder / "m.onnx")
    np.save(folder / "x.npy", x)
    t.runOk("--bind", f"x={folder / 'x.npy'}", folder / "m.onnx", "-o", folder / "o.onnx")
    assert [one.op_type for one in onnx.load(folder / "o.onnx").graph.node][-1] == "STFT", "folding keeps what the text does not have"


def test_one_name_for_two_sizes(folder):
    """Folding takes them for equal: the difference of the numbers of elements, 8 in ONNX Runtime, was 0 without a word."""
    nodes = [node("Size", ["x"], ["s"]), node("Size", ["z"], ["t"]), node("Sub", ["s", "t"], ["y"])]
    source = model(nodes, [info("x", ("n", 4)), info("z", ("n", 4))], [info("y", (), I64)])
    x, z = np.zeros((3, 4), np.float32), np.zeros((1, 4), np.float32)
    expectRuns(folder / "equal", source, {"x": x, "z": x})
    judge = runs.Judge(folder / "unequal")
    case, _ = judge.case("case", source, [{"x": x, "z": z}])
    failures = list(judge.failures([(case, "as it is")], runs.OPTIONS[2]))
    assert [one.kind for one in failures] == ["error"] and "dimension 'n' of the model has more than one size" in failures[0].text, failures
    assert not list(judge.failures([(case, "missing")], runs.OPTIONS[2]))
