# SPDX-License-Identifier: Apache-2.0
"""What ONNX leaves open and ONNX Runtime runs: folding keeps such a node, a compiled program must do something.

It does what ONNX Runtime does, also where the reference evaluator does something else: the text of truth values, an empty list of axes.
"""

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
