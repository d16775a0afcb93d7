# SPDX-License-Identifier: Apache-2.0
"""--target-opset where the ONNX library's converter fails, or makes something that computes another value."""

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node


def convert(folder, source, target, *flags):
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "-O0", f"--target-opset={target}", *flags)
    onnx.checker.check_model(str(out), full_check=True)
    return out


def sameInRuntime(folder, source, target, shape=(2, 3, 4, 6), kind=np.float32):
    """ONNX Runtime, which has both opsets, computes the same from both."""
    out = convert(folder, source, target)
    feeds = [{"x": np.random.default_rng(t.options.seed).uniform(-2, 2, shape).astype(kind)}]
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(folder / "in.onnx", feeds), strict=True):
        compare.expectAgreement(got, want, "converted")
    return onnx.load(out)


def run(path, x):
    return list(compare.outputs(path, [{"x": x}])[0].values())


def refused(folder, source, target, problem):
    onnx.save(source, folder / "refused.onnx")
    done = t.run(folder / "refused.onnx", "-o", folder / "nothing.onnx", f"--target-opset={target}")
    assert done.code == 1 and not (folder / "nothing.onnx").exists()
    assert problem in done.err, done.err


def one(op, opset, shape=(2, 3, 4, 6), constants=(), inputs=None, kind=TensorProto.FLOAT, ir=8, outputs=("y",), result=None, **attributes):
    """A model of one node, `x` its first input."""
    names = inputs or ["x", *(each.name for each in constants)]
    infos = [m.info(name, result, kind) for name in outputs]
    model = m.model([node(op, names, list(outputs), name="n", **attributes)], [m.info("x", shape, kind)], infos, list(constants), opset=opset, ir=ir)
    return onnx.shape_inference.infer_shapes(model)


@pytest.mark.parametrize("axis", [0, 1, 2, 3, None])
def test_hardmax(folder, axis):
    """Before opset 13 it takes all axes from `axis` on together; the library keeps the node."""
    sameInRuntime(folder, one("Hardmax", 11, **({} if axis is None else {"axis": axis})), 13)


@pytest.mark.parametrize("target", [11, 13, 18, 21])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("scales", [[1, 1, 2, 3], [1, 1, 1.6, 1], [1, 1, 0.6, 0.5]])
def test_resize_of_opset_10(folder, mode, scales, target):
    """Coordinates of opset 10 are those that opset 11 calls asymmetric; the library leaves half_pixel."""
    sameInRuntime(folder, one("Resize", 10, constants=[m.const("s", np.float32(scales))], mode=mode), target)


@pytest.mark.parametrize("scales", [[1, 1, 2, 2], [1, 1, 1.5, 2.5]])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_upsample(folder, mode, scales):
    sameInRuntime(folder, one("Upsample", 9, constants=[m.const("s", np.float32(scales))], mode=mode), 21)


def test_resize_that_rounds_both_ways(folder):
    scales = m.const("s", np.float32([1, 1, 2, 0.5]))
    refused(folder, one("Resize", 10, constants=[scales]), 11, "node 'n' (Resize): some of its axes grow and others shrink, and later opsets round alike in all of them")
    source = m.model([node("Resize", ["x", "s"], ["y"], name="n")], [m.info("x"), m.info("s", (2,))], [m.info("y", None)], opset=10, ir=8)
    refused(folder, source, 11, "node 'n' (Resize): input #1, the scales, is not constant, and opset 11 rounds otherwise")


@pytest.mark.parametrize("target", [13, 18, 21])
def test_resize_with_sizes(folder, target):
    """Opset 11 has empty scales beside sizes, which ONNX Runtime refuses from opset 13 on."""
    constants = [m.const("roi", np.float32([])), m.const("none", np.float32([])), m.const("sizes", np.int64([2, 3, 7, 5]))]
    source = one("Resize", 11, constants=constants, mode="linear", coordinate_transformation_mode="half_pixel")
    result = sameInRuntime(folder, source, target)
    assert list(result.graph.node[0].input)[2] == "", "no scales"


def test_resize_of_tensorflow(folder):
    constants = [m.const("roi", np.float32([])), m.const("s", np.float32([1, 1, 2, 2]))]
    source = one("Resize", 11, constants=constants, coordinate_transformation_mode="tf_half_pixel_for_nn")
    refused(folder, source, 18, "node 'n' (Resize): attribute 'coordinate_transformation_mode' is 'tf_half_pixel_for_nn', which no opset from 18 on has")
    convert(folder, source, 17)


def test_group_normalization(folder):
    """From opset 21 on scale and bias are those of channels, not of groups: each is repeated."""
    scale, bias = np.float32([2, -1]), np.float32([0.5, 3])
    source = one("GroupNormalization", 18, (2, 6, 5), [m.const("s", scale), m.const("b", bias)], num_groups=2, epsilon=1e-3, result=(2, 6, 5))
    x = np.random.default_rng(t.options.seed).normal(size=(2, 6, 5)).astype(np.float32)
    groups = x.reshape(2, 2, 15)
    normal = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + 1e-3)
    expected = (normal * scale[:, None] + bias[:, None]).reshape(x.shape)
    for target in (21, 23):
        out = convert(folder, source, target, "--skip=*")
        [got] = run(out, x)
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    result = onnx.load(convert(folder, source, 21))
    assert m.operators(result) == ["GroupNormalization"], "constants fold"
    source.graph.node.insert(0, node("Unknown", ["x"], ["u"], domain="acme"))
    source.graph.node[1].input[0] = "u"
    source.opset_import.append(helper.make_opsetid("acme", 1))
    refused(folder, source, 21, "node 'n' (GroupNormalization): the type of its input is not known")


@pytest.mark.parametrize("shape, slope", [((2, 3), (3,)), ((2, 3, 4), (3,)), ((2, 3, 4, 3), (3,)), ((2, 3, 4, 3), (1,))])
def test_prelu(folder, shape, slope):
    """Before opset 7 a slope is one for each channel, which lies where broadcasting would not put it."""
    slopes = np.arange(1, 1 + np.prod(slope), dtype=np.float32).reshape(slope) / 4
    source = one("PRelu", 6, shape, [m.const("s", slopes)])
    x = np.random.default_rng(t.options.seed).uniform(-1, 1, shape).astype(np.float32)
    channels = slopes if slope == (1,) else slopes.reshape([3] + [1] * (len(shape) - 2))
    for target in (7, 13, 21):
        [got] = run(convert(folder, source, target), x)
        np.testing.assert_allclose(got, np.where(x < 0, channels * x, x), rtol=1e-6)


BROADCAST = {"Add": np.add, "Mul": np.multiply, "Sub": np.subtract, "Div": np.divide, "Greater": np.greater, "Less": np.less}


@pytest.mark.parametrize("target", [7, 13, 21])
@pytest.mark.parametrize("axis, shape", [(None, (4, 5)), (1, (3, 4)), (0, (2,)), (-2, (4,)), (1, (3, 4, 5)), (2, ())])
@pytest.mark.parametrize("op", BROADCAST)
def test_broadcast_along_an_axis(folder, op, axis, shape, target):
    """Before opset 7 `axis` says where the second operand lies. The library puts dimensions of one behind it, whatever `axis`
    says, and knows no comparisons."""
    b = (1 + np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)
    attributes = {} if axis is None else {"axis": axis}
    source = one(op, 6, (2, 3, 4, 5), [m.const("b", b)], broadcast=1, **attributes)
    source.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.BOOL if op in ("Greater", "Less") else TensorProto.FLOAT, (2, 3, 4, 5)))
    x = np.random.default_rng(t.options.seed).uniform(-2, 9, (2, 3, 4, 5)).astype(np.float32)
    behind = 0 if axis is None or not shape else 4 - len(shape) - (axis % 4)
    [got] = run(convert(folder, source, target), x)
    np.testing.assert_allclose(got, BROADCAST[op](x, b.reshape(shape + (1,) * behind)), rtol=1e-6)


def test_broadcast_that_cannot_be_placed(folder):
    source = m.model([node("Add", ["x", "b"], ["y"], broadcast=1, axis=1, name="n")], [m.info("x", None), m.info("b", (3,))], [m.info("y", None)], opset=6, ir=4)
    refused(folder, source, 7, "node 'n' (Add): attribute 'axis' says where its second input lies, whose rank, or that of the first, is not known")
    refused(folder, one("Add", 6, (2, 3), [m.const("b", np.ones((2, 3), np.float32))], broadcast=1, axis=1, ir=4), 7, "attribute 'axis' is 1 for inputs of 2 and 2 dimensions")


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE])
@pytest.mark.parametrize("bounds", [{}, {"min": -0.5}, {"max": 0.5}, {"min": -0.5, "max": 0.25}])
def test_clip_of_other_types(folder, kind, bounds):
    """The library's constants are of float32, whatever the node clips."""
    source = one("Clip", 6, (5, 7), kind=kind, **bounds)
    x = np.random.default_rng(t.options.seed).uniform(-1, 1, (5, 7)).astype(helper.tensor_dtype_to_np_dtype(kind))
    limits = (bounds.get("min", -np.inf), bounds.get("max", np.inf))
    for target in (12, 13, 21):  # ONNX Runtime clips float32 only in opset 11
        for flags in ((), ("--skip=*",)):
            [got] = run(convert(folder, source, target, *flags), x)
            np.testing.assert_array_equal(got, np.clip(x, *limits).astype(x.dtype))


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE])
def test_pad_of_other_types(folder, kind):
    source = one("Pad", 10, (2, 3), kind=kind, pads=[1, 0, 0, 2], value=1.5)
    x = np.ones((2, 3), helper.tensor_dtype_to_np_dtype(kind))
    for flags in ((), ("--skip=*",)):
        [got] = run(convert(folder, source, 13, *flags), x)
        np.testing.assert_array_equal(got, np.pad(x, [(1, 0), (0, 2)], constant_values=1.5))


def test_pad_that_reflects(folder):
    """A value that nothing reads is no attribute from opset 11 on."""
    source = one("Pad", 10, (3, 3), pads=[1, 0, 1, 0], mode="reflect", value=2.0)
    result = sameInRuntime(folder, source, 13, (3, 3))
    assert [each.name for each in result.graph.node[-1].attribute] == ["mode"]


def test_split_with_an_empty_input(folder):
    source = one("Split", 13, (4, 6), inputs=["x", ""], outputs=("y", "z"), axis=1)
    sameInRuntime(folder, source, 18, (4, 6))


def test_training_is_refused(folder):
    ones = [m.const(name, np.ones(3, np.float32)) for name in ("s", "b", "m", "v")]
    source = one("BatchNormalization", 9, constants=ones, outputs=("y", "mean", "var"))
    refused(folder, source, 14, "node 'n' (BatchNormalization): it trains (it has 3 outputs), which opset 14 says and computes otherwise")


def test_opset_5(folder):
    """Defaults of Selu were shorter, and Cast had words."""
    x = np.float32([[-1, 0.5, 2.75], [-0.25, 1, 3]])
    [got] = run(convert(folder, one("Selu", 5, (2, 3), ir=4, result=(2, 3)), 7), x)
    np.testing.assert_allclose(got, np.where(x > 0, 1.0507 * x, 1.0507 * (1.6732 * np.exp(x) - 1.6732)), rtol=1e-6)
    cast = one("Cast", 5, (2, 3), ir=4, result=(2, 3), to="INT32")
    cast.graph.output[0].CopyFrom(m.info("y", (2, 3), TensorProto.INT32))
    [got] = run(convert(folder, cast, 13), x)
    assert got.dtype == np.int32 and (got == x.astype(np.int32)).all()
    cast.graph.node[0].attribute[0].s = b"HALF"
    refused(folder, cast, 13, "attribute 'to' is 'HALF', expected a type of ONNX")


@pytest.mark.parametrize("op, gates", [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
def test_recurrent(folder, op, gates):
    random = np.random.default_rng(t.options.seed)
    weights = [m.const("w", random.normal(size=(1, gates * 4, 3)).astype(np.float32)), m.const("r", random.normal(size=(1, gates * 4, 4)).astype(np.float32))]
    outputs = ("y", "h")
    old, new = (one(op, opset, (5, 2, 3), weights, outputs=outputs, hidden_size=4, ir=4, **more) for opset, more in ((6, {"output_sequence": 1}), (7, {})))
    x = random.normal(size=(5, 2, 3)).astype(np.float32)
    onnx.save(new, folder / "new.onnx")
    [want] = compare.outputs(folder / "new.onnx", [{"x": x}])
    [got] = compare.outputs(convert(folder, old, 21), [{"x": x}])
    compare.expectAgreement(got, want, op)


def releases():
    """The stored node tests of older releases, each operator of an opset once (--long: all)."""
    seen = set()
    for path in sorted(t.TEST_RELEASES.glob("*/*/*/model.onnx")):
        model = onnx.load(path)
        opset = max([each.version for each in model.opset_import if each.domain in ("", "ai.onnx")], default=99)
        key = (opset, *sorted({(each.op_type, *sorted(a.name for a in each.attribute)) for each in model.graph.node}))
        if opset < 28 and (t.options.long or key not in seen):
            seen.add(key)
            yield path, opset


REFUSED = {
    "test_resize_downsample_sizes_nearest_tf_half_pixel_for_nn": "which no opset from 18 on has",
    "test_scan_sum": "of opset 8 has another meaning from opset 9 on",
}


# What their inputs must be, random ones never are: a shape of the result, texts that are numbers, sizes with the sum of another.
NOT_COMPARED = {
    "test_maxunpool_export_with_output_shape": "MaxUnpool 'y': output_shape is",
    **{f"test_{name}": "is 'a', expected a number" for name in ("cast_STRING_to_FLOAT", "castlike_STRING_to_FLOAT", "castlike_STRING_to_FLOAT_expanded")},
    "test_split_to_sequence_2": "SplitToSequence 'seq': axis 0 has size 3",
}


@pytest.mark.parametrize("target", [13, 18, 21, 23, 25, 28] if t.options.long else [28])
def test_stored_node_tests(folder, target):
    """Each computes the same before and after, by our kernels of both opsets, which the node tests hold; and none is refused
    but those that later opsets cannot say."""
    count = 0
    for path, opset in releases():
        if opset >= target:
            continue
        count += 1
        done = t.run(path, "-o", folder / "out.onnx", "-O0", "--skip=*", "--verify=1", "--quiet", f"--target-opset={target}")
        if path.parent.name in REFUSED:
            assert done.code == (0 if "tf_half" in path.parent.name and target < 18 else 1)
            assert done.code == 0 or REFUSED[path.parent.name] in done.err, done.err
        else:
            why = NOT_COMPARED.get(path.parent.name)
            assert done.code == (4 if why else 0) and (not why or why in done.err), f"{path}: {done}"
    print(f"  {count} node tests")
    assert count > 100
