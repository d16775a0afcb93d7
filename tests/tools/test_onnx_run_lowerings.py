# SPDX-License-Identifier: Apache-2.0
"""Operators that onnx-run compiles to loops of their own: reductions, Softmax, pooling, and what moves elements.

Each model runs on real inputs, with what is odd in them (NaN, infinities, -0, ties), and is compared with the reference
evaluator of ONNX or with numpy; --emit=mlir shows whether it became loops or is a call of the kernel. The short form does not
optimise, and takes fewer element types. ONNX's own node tests are in test_onnx_run.py.
"""

import itertools
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from onnxfold_runs import withoutShapes
from onnxfold_testing import TOOL, options

RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")


def onnxRun(*arguments):
    level = "--llvm-level=2" if options.long else "--llvm-level=0"
    command = [RUN, *map(str, arguments), "--no-cache", level]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def modelOf(node, values, opset, said=None, outputs=None, constants=()):
    """Of one node, or a list, on inputs of the types of `values`; those in `constants` are initializers."""
    nodes = node if isinstance(node, list) else [node]
    infos, initializers = [], []
    for name, value in values.items():
        if name in constants:
            initializers.append(numpy_helper.from_array(value, name))
            continue
        shape = said if said and not infos else value.shape
        infos.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), shape))
    kind = infos[0].type.tensor_type.elem_type
    results = [helper.make_tensor_value_info(name, (outputs or {}).get(name, kind), None) for node in nodes for name in node.output]
    graph = helper.make_graph(nodes, "g", infos, results, initializer=initializers)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    return onnx.shape_inference.infer_shapes(proto)


def runModel(folder, proto, values):
    onnx.save(proto, folder / "model.onnx")
    given = [info.name for info in proto.graph.input]
    for name in given:
        np.save(folder / f"{name}.npy", values[name])
    inputs = [f"--input={name}={folder}/{name}.npy" for name in given]
    return onnxRun(folder / "model.onnx", *inputs, f"--result-dir={folder}/out")


def expectResults(folder, proto, values, wanted, tolerance=0.0):
    """Runs the model, and compares each result with its wanted value."""
    done = runModel(folder, proto, values)
    assert done.returncode == 0, done.stderr
    for info, want in zip(proto.graph.output, wanted, strict=True):
        found = np.load(folder / f"out/{info.name}.npy")
        assert found.dtype == want.dtype and found.shape == want.shape, (found.dtype, found.shape, want.shape)
        if tolerance:
            np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(found, want)


def expectRun(folder, proto, values, wanted, isLoop, tolerance=0.0):
    """The same, and looks whether the program calls a kernel."""
    expectResults(folder, proto, values, wanted, tolerance)
    emitted = onnxRun(folder / "model.onnx", "--emit=mlir")
    assert ("sequence.kernel" not in emitted.stdout) == isLoop, emitted.stdout


def reference(proto, values):
    return ReferenceEvaluator(proto).run(None, {info.name: values[info.name] for info in proto.graph.input})


def randomOf(shape, dtype, isOdd=False):
    random = np.random.default_rng(options.seed)
    if np.dtype(dtype).kind != "f":
        return random.integers(-100, 100, shape).astype(dtype)
    value = random.standard_normal(shape).astype(dtype)
    if isOdd:
        flat = value.reshape(-1)
        odd = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], dtype)
        flat[random.integers(flat.size, size=5)] = odd
    return value


# ---- reductions --------------------------------------------------------------------------------------------------------

REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceSumSquare", "ReduceL1", "ReduceL2", "ReduceMax", "ReduceMin")
# shape, what the model says of it, axes (None: all), keepdims, and whether it becomes loops
AXES = (
    ([7, 33], None, [-1], 1, True), ([7, 33], None, [0], 0, True), ([3, 4, 5, 6], None, [1, 3], 0, True),
    ([3, 4, 5, 6], None, [2, 3], 1, True), ([3, 4, 5, 6], None, [0, 2], 1, True), ([3, 4, 5], None, None, 0, True),
    ([9], None, [0], 0, True), ([3, 4, 5], ["n", 4, 5], [-1], 1, True), ([3, 4, 5], ["n", 4, 5], [1], 0, True),
    ([], None, None, 1, False),
)  # fmt: skip


@pytest.mark.parametrize("op", REDUCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64], ids=lambda dtype: dtype.__name__)
def test_reductions(folder, op, dtype):
    integerLoops = ("ReduceSum", "ReduceMax", "ReduceMin")
    if dtype == np.int64 and op not in integerLoops and not options.long:
        pytest.skip("--long runs it")
    isShort = not options.long and (dtype != np.float32 or op not in ("ReduceMean", "ReduceMax"))
    for shape, said, axes, keep, isLoop in AXES[:2] if isShort else AXES:
        values = {"x": randomOf(shape, dtype)}
        if axes is not None:
            values["axes"] = np.int64(axes)
        node = helper.make_node(op, list(values), ["y"], keepdims=keep)
        proto = modelOf(node, values, 18, said, constants=["axes"])
        isLoop = isLoop and (dtype != np.int64 or op in integerLoops)
        wide = {**values, "x": values["x"].astype(np.float64)} if dtype == np.float32 else values
        want = reference(modelOf(node, wide, 18, constants=["axes"]), wide)[0].astype(dtype)
        expectRun(folder, proto, values, [np.asarray(want)], isLoop, 0 if dtype == np.int64 else 2e-6)


@pytest.mark.parametrize("op, f", [("ReduceMax", np.max), ("ReduceMin", np.min), ("ReduceSum", np.sum)])
def test_odd_values_in_reductions(folder, op, f):
    """NaN is handed on, of infinities too."""
    x = np.float32([[1, np.nan, 3], [np.inf, 2, -np.inf], [np.inf, 1, 2], [-np.inf, -np.inf, -np.inf]])
    for axis in (0, 1):
        values = {"x": x, "axes": np.int64([axis])}
        node = helper.make_node(op, ["x", "axes"], ["y"], keepdims=0)
        with np.errstate(invalid="ignore"):
            want = f(x, axis=axis)
        expectRun(folder, modelOf(node, values, 18, constants=["axes"]), values, [want], True)


def test_reductions_of_nothing(folder):
    """The sum of no elements is 0, and so is their mean, as in ONNX Runtime."""
    values = {"x": np.zeros((2, 0), np.float32), "axes": np.int64([1])}
    proto = modelOf(helper.make_node("ReduceSum", ["x", "axes"], ["y"]), values, 18, constants=["axes"])
    expectRun(folder, proto, values, [np.zeros((2, 1), np.float32)], True)
    proto = modelOf(helper.make_node("ReduceMean", ["x", "axes"], ["y"]), values, 18, constants=["axes"])
    expectRun(folder, proto, values, [np.zeros((2, 1), np.float32)], False)


@pytest.mark.parametrize("op, f", [("GlobalAveragePool", np.mean), ("GlobalMaxPool", np.max)])
def test_global_pooling(folder, op, f):
    x = randomOf([2, 3, 7, 9], np.float32)
    want = f(x.astype(np.float64), axis=(2, 3), keepdims=True).astype(np.float32)
    expectRun(folder, modelOf(helper.make_node(op, ["x"], ["y"]), {"x": x}, 18), {"x": x}, [want], True, 1e-6)


def test_axes_that_are_an_attribute(folder):
    """As they were before version 13; and noop_with_empty_axes, which leaves the tensor as it is."""
    x = randomOf([3, 4], np.float32)
    node = helper.make_node("ReduceMax", ["x"], ["y"], axes=[1], keepdims=0)
    expectRun(folder, modelOf(node, {"x": x}, 11), {"x": x}, [x.max(axis=1)], True)
    node = helper.make_node("ReduceSum", ["x"], ["y"], noop_with_empty_axes=1)
    expectRun(folder, modelOf(node, {"x": x}, 13), {"x": x}, [x], False)


# ---- Softmax -----------------------------------------------------------------------------------------------------------


def softmax(x, axis):
    x = x.astype(np.float64)
    with np.errstate(invalid="ignore"):
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return (powers / powers.sum(axis=axis, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    "shape, said, axis, opset, isLoop",
    [
        ([4, 33], None, -1, 13, True), ([4, 33], None, 1, 13, True), ([2, 3, 5, 17], ["n", 3, "m", 17], -1, 13, True),
        ([4, 9], None, 1, 11, True), ([9], None, 0, 13, True), ([4, 33], None, 0, 13, False), ([2, 3, 4], None, 1, 13, False),
    ],
    ids=str,
)  # fmt: skip
def test_softmax(folder, shape, said, axis, opset, isLoop):
    x = randomOf(shape, np.float32) * 10
    node = helper.make_node("Softmax", ["x"], ["y"], axis=axis)
    expectRun(folder, modelOf(node, {"x": x}, opset, said), {"x": x}, [softmax(x, axis)], isLoop, 1e-6)


def test_softmax_of_odd_values(folder):
    """NaN and infinity make NaN of their row; what is far below the largest is 0, and in between are the subnormal numbers."""
    rows = [[0, np.nan, 1], [np.inf, 0, 1], [-np.inf, 0, 1], [-np.inf] * 3, [0, -1e30, -200], [3e38, -3e38, 0], [0, -87.5, -103.2]]
    x = np.float32(rows)
    node = helper.make_node("Softmax", ["x"], ["y"])
    proto = modelOf(node, {"x": x}, 13)
    done = runModel(folder, proto, {"x": x})
    assert done.returncode == 0, done.stderr
    found = np.load(folder / "out/y.npy")
    np.testing.assert_allclose(found, softmax(x, -1), rtol=1e-6, atol=2.8e-45)
    assert found[6, 1] > 0 and found[6, 2] > 0


def test_exponential_of_softmax(folder):
    """Each power against numpy in double precision, from 0 to where it is 0: two units in the last place."""
    x = np.linspace(-105, 0, 20001, dtype=np.float32).reshape(-1, 1)
    x = np.concatenate([x, np.zeros_like(x)], axis=1)  # the largest of each row is 0
    proto = modelOf(helper.make_node("Softmax", ["x"], ["y"]), {"x": x}, 13)
    done = runModel(folder, proto, {"x": x})
    assert done.returncode == 0, done.stderr
    found, want = np.load(folder / "out/y.npy")[:, 0], softmax(x, -1)[:, 0]
    apart = np.abs(found.astype(np.float64) - want) / np.spacing(np.maximum(want, np.finfo(np.float32).tiny))
    assert apart.max() <= 4, (apart.max(), x[apart.argmax()])


# ---- pooling -----------------------------------------------------------------------------------------------------------

# shape, attributes, and whether it becomes loops
POOLINGS = (
    ([2, 3, 9, 11], {"kernel_shape": [3, 3]}, True),
    ([2, 3, 9, 11], {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, True),
    ([1, 2, 9, 10], {"kernel_shape": [2, 3], "strides": [3, 2], "pads": [0, 1, 1, 2]}, True),
    ([1, 2, 10, 10], {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, True),
    ([1, 2, 10, 10], {"kernel_shape": [3, 2], "dilations": [2, 3]}, True),
    ([1, 2, 10, 9], {"kernel_shape": [3, 2], "strides": [2, 2], "auto_pad": "SAME_UPPER"}, True),
    ([1, 2, 10, 9], {"kernel_shape": [3, 2], "strides": [2, 2], "auto_pad": "SAME_LOWER"}, True),
    ([1, 2, 10, 9], {"kernel_shape": [3, 2], "auto_pad": "VALID"}, True),
    ([2, 3, 20], {"kernel_shape": [5], "strides": [2]}, True),
    ([1, 2, 5, 6, 7], {"kernel_shape": [2, 3, 3], "pads": [1, 1, 1, 0, 1, 1]}, True),  # 18 taps: two bodies
    ([1, 1, 20, 20], {"kernel_shape": [9, 9]}, False),  # 81 taps
)  # fmt: skip


@pytest.mark.parametrize("shape, attributes, isLoop", POOLINGS, ids=str)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_pooling(folder, op, shape, attributes, isLoop):
    """Against ONNX Runtime, with and without padding that counts."""
    ort = pytest.importorskip("onnxruntime")
    x = randomOf(shape, np.float32)
    for further in ([{}] if op == "MaxPool" else [{}, {"count_include_pad": 1}]):
        node = helper.make_node(op, ["x"], ["y"], **attributes, **further)
        proto = modelOf(node, {"x": x}, 19)
        want = ort.InferenceSession(proto.SerializeToString()).run(None, {"x": x})
        isDisputed = op == "MaxPool" and attributes.get("auto_pad") == "SAME_LOWER"  # its sizes are not known
        expectRun(folder, proto, {"x": x}, want, isLoop and not isDisputed, 0 if op == "MaxPool" else 1e-6)


def test_odd_values_in_windows(folder):
    """NaN is the largest; -infinity is an element, and not padding."""
    x = np.full((1, 1, 4, 4), -np.inf, np.float32)
    x[0, 0, 0, 0], x[0, 0, 3, 3] = np.nan, 5
    node = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2])
    want = np.float32([[[[np.nan, -np.inf], [-np.inf, 5]]]])
    expectRun(folder, modelOf(node, {"x": x}, 12), {"x": x}, [want], True)


def test_pooling_of_small_integers_and_indices(folder):
    """i8 becomes loops, u8 and the places of the largest elements are the kernel's."""
    ort = pytest.importorskip("onnxruntime")
    for dtype, outputs, isLoop in ((np.int8, ["y"], True), (np.uint8, ["y"], False), (np.float32, ["y", "i"], False)):
        x = randomOf([1, 2, 6, 6], dtype)
        node = helper.make_node("MaxPool", ["x"], outputs, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        proto = modelOf(node, {"x": x}, 12, outputs={"i": TensorProto.INT64})
        want = ort.InferenceSession(proto.SerializeToString()).run(None, {"x": x})
        expectRun(folder, proto, {"x": x}, want, isLoop)


@pytest.mark.parametrize("shape", [[3, 4, 1, 2], [3, 4, 5, 1], [1, 4, 1, 1], [3, 4, 1, 5], [2, 4, 3, 1, 2]], ids=str)
def test_convolution_of_images_with_an_axis_of_one(folder, shape):
    """Wrong values, or a signal while it compiled: a window of one element lost the stride of such an axis, and of two axes of extent
    one MLIR dropped the other one. All are in one model."""
    rank = len(shape) - 2
    values, nodes = {"x": randomOf(shape, np.float32), "b": randomOf([4], np.float32)}, []
    for kernel, strides, pads, group in itertools.product(([1], [2, 1], [1, 2]), ([1], [2, 1], [1, 2]), (0, 1), (1, 4)):
        kernel, strides = ((list(one) * rank)[:rank] for one in (kernel, strides))
        if any(size + pads < one for size, one in zip(shape[2:], kernel)):
            continue
        weight = f"w{len(nodes)}"
        values[weight] = randomOf([4, 4 // group, *kernel], np.float32)
        attributes = {"strides": strides, "pads": [pads] * rank + [0] * rank, "group": group}
        nodes.append(helper.make_node("Conv", ["x", weight, "b"], [f"y{len(nodes)}"], **attributes))
    proto = modelOf(nodes, values, 18, constants=[name for name in values if name != "x"])
    expectRun(folder, proto, values, reference(proto, values), True, 1e-5)
    assert len(nodes) >= 8


@pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER"])
def test_convolution_that_pads_by_itself(folder, mode):
    """auto_pad of Conv was the kernel's."""
    ort = pytest.importorskip("onnxruntime")
    values = {"x": randomOf([1, 3, 8, 9], np.float32), "w": randomOf([4, 3, 3, 2], np.float32)}
    node = helper.make_node("Conv", ["x", "w"], ["y"], auto_pad=mode, strides=[2, 1])
    proto = modelOf(node, values, 11, constants=["w"])
    want = ort.InferenceSession(proto.SerializeToString()).run(None, {"x": values["x"]})
    expectRun(folder, proto, values, want, True, 1e-5)


# ---- elements at other places ------------------------------------------------------------------------------------------

KINDS = [np.float32, np.int64, np.bool_, np.uint8, np.complex64] if options.long else [np.float32, np.bool_, np.uint8]


def made(shape, dtype):
    return (randomOf(shape, np.float32) > 0).astype(dtype) if dtype == np.bool_ else randomOf(shape, np.float32).astype(dtype)


@pytest.mark.parametrize("dtype", KINDS, ids=lambda dtype: dtype.__name__)
def test_transpose(folder, dtype):
    cases = (
        ([2, 3, 5, 4], None, [0, 2, 1, 3], True), ([2, 3, 5, 4], ["n", 3, "m", 4], [2, 1, 0, 3], True), ([5, 7], None, None, True),
        ([50, 70], None, None, False), ([50, 7], ["n", 7], None, False), ([], None, None, True), ([0, 3], None, [1, 0], True),
    )  # fmt: skip
    for shape, said, perm, isLoop in cases:
        x = np.asarray(made(shape, dtype))
        node = helper.make_node("Transpose", ["x"], ["y"], **({"perm": perm} if perm else {}))
        expectRun(folder, modelOf(node, {"x": x}, 13, said), {"x": x}, [np.transpose(x, perm)], isLoop)


@pytest.mark.parametrize("dtype", KINDS, ids=lambda dtype: dtype.__name__)
def test_concat(folder, dtype):
    cases = ((-1, None, True), (0, None, False), (-1, [2, "n"], True), (-1, ["n", 3], False))
    for axis, said, fits in cases:
        a, b = made([2, 3], dtype), made([2, 5] if axis else [4, 3], dtype)
        node = helper.make_node("Concat", ["a", "b", "a"], ["y"], axis=axis)
        want = np.concatenate([a, b, a], axis=axis)
        isLoop = fits or (axis == 0 and said is None)
        expectRun(folder, modelOf(node, {"a": a, "b": b}, 13, said), {"a": a, "b": b}, [want], isLoop)


@pytest.mark.parametrize("count, isLoop", ((32, True), (33, False), (300, False)))
def test_concat_of_many(folder, count, isLoop):
    """MLIR analysed 300 slices for minutes."""
    values = {f"x{i}": made([1 + i % 2, 2], np.float32) for i in range(count)}
    node = helper.make_node("Concat", list(values), ["y"], axis=0)
    expectRun(folder, modelOf(node, values, 13), values, [np.concatenate(list(values.values()))], isLoop)


@pytest.mark.parametrize("dtype", KINDS, ids=lambda dtype: dtype.__name__)
def test_split(folder, dtype):
    x = made([2, 7], dtype)
    sizes = np.int64([1, 4, 2])
    outputs = ["a", "b", "c"]
    node = helper.make_node("Split", ["x", "sizes"], outputs, axis=-1)
    want = np.split(x, [1, 5], axis=1)
    values = {"x": x, "sizes": sizes}
    expectRun(folder, modelOf(node, values, 18, ["n", 7], constants=["sizes"]), values, want, True)
    expectRun(folder, modelOf(node, values, 18), values, want, False)  # sizes that only a run knows
    node = helper.make_node("Split", ["x"], outputs, axis=1, num_outputs=3)
    expectRun(folder, modelOf(node, {"x": x}, 18), {"x": x}, np.split(x, [3, 6], axis=1), True)
    node = helper.make_node("Split", ["x"], outputs, axis=1, split=[3, 3, 1])
    expectRun(folder, modelOf(node, {"x": x}, 11), {"x": x}, np.split(x, [3, 6], axis=1), True)
    node = helper.make_node("Split", ["x"], ["a", "b"], axis=0)
    expectRun(folder, modelOf(node, {"x": x}, 13), {"x": x}, np.split(x, 2, axis=0), True)


@pytest.mark.parametrize("dtype", KINDS, ids=lambda dtype: dtype.__name__)
def test_gather(folder, dtype):
    x = made([5, 4, 3], dtype)
    for axis, indices, said in ((0, [[0, -1], [3, -5]], None), (1, 2, None), (-1, [-1], ["n", "m", 3]), (2, [], None), (0, [1, 1], ["n", 4, 3])):
        for kind in (np.int64, np.int32) if options.long else (np.int64,):
            values = {"x": x, "i": np.asarray(indices, kind)}
            node = helper.make_node("Gather", ["x", "i"], ["y"], axis=axis)
            expectRun(folder, modelOf(node, values, 13, said), values, [np.take(x, values["i"].astype(int), axis=axis)], True)


@pytest.mark.parametrize("index", [5, -6, 2**40])
def test_index_out_of_range(folder, index):
    """The program stops and names the node; it was read before the tensor, or behind it."""
    values = {"x": np.float32([1, 2, 3, 4, 5]), "i": np.int64([0, index])}
    node = helper.make_node("Gather", ["x", "i"], ["y"], name="look-up")
    done = runModel(folder, modelOf(node, values, 13), values)
    assert done.returncode == 1 and "Gather 'look-up': an index is out of range" in done.stderr, done.stderr


@pytest.mark.parametrize("dtype", KINDS, ids=lambda dtype: dtype.__name__)
def test_pad(folder, dtype):
    x = made([2, 3], dtype)
    hasConstant = dtype not in (np.uint8, np.complex64)
    pads = np.int64([1, 0, 2, 3])
    values = {"x": x, "pads": pads}
    node = helper.make_node("Pad", ["x", "pads"], ["y"])
    want = np.pad(x, [(1, 2), (0, 3)])
    if dtype != np.complex64:
        expectRun(folder, modelOf(node, values, 13, constants=["pads"]), values, [want], hasConstant)
        expectRun(folder, modelOf(node, values, 13, ["n", 3], constants=["pads"]), values, [want], hasConstant)
    values = {"x": x, "pads": np.int64([2, 1]), "value": np.asarray(1, dtype), "axes": np.int64([-1])}
    node = helper.make_node("Pad", ["x", "pads", "value", "axes"], ["y"])
    want = np.pad(x, [(0, 0), (2, 1)], constant_values=1)
    if dtype != np.complex64:
        expectRun(folder, modelOf(node, values, 18, constants=["pads", "axes"]), values, [want], hasConstant)


def test_pads_of_the_kernel(folder):
    """Negative ones, other modes, and those that only a run knows."""
    x = randomOf([3, 4], np.float32)
    for pads, mode, constants, want in (
        ([0, -1, 0, 1], "constant", ["pads"], np.pad(x[:, 1:], [(0, 0), (0, 1)])),
        ([1, 0, 1, 2], "reflect", ["pads"], np.pad(x, [(1, 1), (0, 2)], mode="reflect")),
        ([1, 0, 1, 2], "constant", [], np.pad(x, [(1, 1), (0, 2)])),
    ):
        values = {"x": x, "pads": np.int64(pads)}
        node = helper.make_node("Pad", ["x", "pads"], ["y"], mode=mode)
        expectRun(folder, modelOf(node, values, 13, constants=constants), values, [want], False)
    node = helper.make_node("Pad", ["x"], ["y"], pads=[1, 0, 0, 2], value=2.5)
    want = np.pad(x, [(1, 0), (0, 2)], constant_values=2.5)
    expectRun(folder, modelOf(node, {"x": x}, 2), {"x": x}, [want], True)


# ---- in training mode --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape, said", [([2, 3, 4, 5], None), ([4, 3], ["n", 3])], ids=str)
def test_batch_normalization_that_trains(folder, shape, said):
    """It was refused as random: its results follow from the batch, all three of them."""
    random = np.random.default_rng(options.seed)
    x = random.standard_normal(shape).astype(np.float32)
    values = {"x": x} | {name: random.uniform(0.5, 2, 3).astype(np.float32) for name in ("scale", "b", "mean", "var")}
    outputs = ["y", "running_mean", "running_var"]
    node = helper.make_node("BatchNormalization", list(values), outputs, training_mode=1, momentum=0.7, epsilon=1e-3)
    proto = modelOf(node, values, 15, said)
    axes = tuple(axis for axis in range(x.ndim) if axis != 1)
    aligned = lambda vector: vector.reshape([1, 3] + [1] * (x.ndim - 2)).astype(np.float64)
    mean, var = x.mean(axis=axes, dtype=np.float64), x.var(axis=axes, dtype=np.float64)
    y = (x - aligned(mean)) / np.sqrt(aligned(var) + 1e-3) * aligned(values["scale"]) + aligned(values["b"])
    want = [y, values["mean"] * 0.7 + mean * 0.3, values["var"] * 0.7 + var * 0.3]
    expectRun(folder, proto, values, [value.astype(np.float32) for value in want], True, 1e-5)


# ---- what folding leaves, and ONNX Runtime runs ----------------------------------------------------------------------------


def runsAs(folder, op, values, want, opset=21, **attributes):
    """Without the outputs' element types being those of the first input."""
    node = helper.make_node(op, list(values), [f"y{i}" for i in range(len(want))], name="odd", **attributes)
    kinds = {name: helper.np_dtype_to_tensor_dtype(value.dtype) for name, value in zip(node.output, want)}
    expectResults(folder, modelOf(node, values, opset, outputs=kinds), values, want)


def test_what_runtimes_decide(folder):
    """The specification leaves these open, so folding keeps them; they were refused in the run too."""
    powers = {"x": np.int64([2, 1, -1, -1, 3, -3]), "n": np.int64([-3, -2, -3, -2, 2, 3])}
    runsAs(folder, "Pow", powers, [np.int64([0, 1, -1, 1, 9, -27])])
    runsAs(folder, "Pow", powers | {"x": powers["x"].astype(np.int32)}, [np.int32([0, 1, -1, 1, 9, -27])])
    runsAs(folder, "Celu", {"x": np.float32([-2, 0, 3])}, [np.float32([0, np.nan, np.nan])], alpha=0.0)
    twice = {"x": np.float32([1, 2, 3]), "at": np.int64([1, 1]), "u": np.float32([7, 8])}
    runsAs(folder, "ScatterElements", twice, [np.float32([1, 8, 3])])
    runsAs(folder, "ScatterND", twice | {"at": np.int64([[1], [1]])}, [np.float32([1, 8, 3])])
    none = [np.zeros([2, 0], np.float32), np.zeros([2, 0], np.int64)]
    runsAs(folder, "TopK", {"x": np.float32([[1, 2], [3, 4]]), "k": np.int64([0])}, none)


def test_a_shape_that_contradicts_the_model(folder):
    """The result has the shape that was computed, as in ONNX Runtime; where no rank can be inferred, the one that the model states
    holds. It had the shape that the model states, whatever the run computed; later the program stopped."""
    x = np.arange(6, dtype=np.float32)
    node = helper.make_node("Reshape", ["x", "s"], ["y"], name="shaper")
    proto = modelOf(node, {"x": x, "s": np.int64([2, 3])}, 18)
    del proto.graph.output[:]
    proto.graph.output.append(helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3]))
    for shape in ([2, -1], [3, 2], [-1, 3], [6, 1]):
        expectResults(folder, proto, {"x": x, "s": np.int64(shape)}, [x.reshape(shape)])
    proto.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "any"
    for shape in ([2, -1], [-1, 3], [3, 2], [6, 1]):
        expectResults(folder, proto, {"x": x, "s": np.int64(shape)}, [x.reshape(shape)])
    for wrong in ([-1, -1], [0, 3], [6]):
        done = runModel(folder, proto, {"x": x, "s": np.int64(wrong)})
        assert done.returncode == 1 and "Reshape 'shaper': " in done.stderr, (wrong, done.stdout + done.stderr)
        assert "result #0 is f32[6], but the model says" in done.stderr or wrong != [6], done.stderr


# ---- in training mode, without shapes --------------------------------------------------------------------------------------


def trainedBatch(x, values, epsilon, momentum):
    """y, what keeps running, and what a gradient reads, in double."""
    axes = tuple(axis for axis in range(x.ndim) if axis != 1)
    scale, b, mean, var = (values[name].astype(np.float64) for name in ("scale", "b", "mean", "var"))
    aligned = lambda vector: vector.reshape([1, -1] + [1] * (x.ndim - 2))
    batch, deviation = x.mean(axis=axes, dtype=np.float64), x.var(axis=axes, dtype=np.float64)
    inverse = 1 / np.sqrt(deviation + epsilon)
    y = (x - aligned(batch)) * aligned(inverse * scale) + aligned(b)
    return [y, mean * momentum + batch * (1 - momentum), var * momentum + deviation * (1 - momentum), batch, inverse]


@pytest.mark.parametrize("opset", (7, 9, 14, 15))
@pytest.mark.parametrize("dtype", (np.float32, np.float64, np.float16))
def test_batch_normalization_that_trains_without_shapes(folder, opset, dtype):
    """Only loops computed it: with open channels, before version 14, in f16 and without ranks it was refused in the run."""
    random = np.random.default_rng(options.seed)
    x = random.standard_normal([2, 3, 4]).astype(dtype)
    values = {"x": x} | {name: random.uniform(0.5, 2, 3).astype(dtype) for name in ("scale", "b", "mean", "var")}
    outputs = ["y", "running_mean", "running_var", "saved_mean", "saved_var"][: 5 if opset < 14 else 3]
    modes = {} if opset < 14 else {"training_mode": 1}
    node = helper.make_node("BatchNormalization", list(values), outputs, momentum=0.75, epsilon=0.125, **modes)
    want = [one.astype(dtype) for one in trainedBatch(x, values, 0.125, 0.75)][: len(outputs)]
    bound = 2e-3 if dtype == np.float16 else 1e-5
    for used in (len(outputs), 1):  # a result that nobody reads does not change the mode
        proto = modelOf(node, values, opset, [2, "c", 4])
        del proto.graph.output[used:]
        for form in (proto, withoutShapes(proto)):
            expectResults(folder, form, values, want[:used], bound)


def test_dropout(folder):
    """One that drops nothing runs, whether it trains or not; one that would is random, and stops the program."""
    x = randomOf([3, 4], np.float32)
    node = helper.make_node("Dropout", ["x", "ratio", "trains"], ["y", "mask"], name="drop")
    for ratio, trains in ((0.5, False), (0, True), (0.5, True)):
        values = {"x": x, "ratio": np.float32(ratio), "trains": np.bool_(trains)}
        values = {name: np.asarray(value) for name, value in values.items()}
        proto = modelOf(node, values, 13, outputs={"mask": TensorProto.BOOL})
        for form in (proto, withoutShapes(proto)):  # the kernel makes the mask of a tensor without rank
            if ratio and trains:
                done = runModel(folder, form, values)
                assert done.returncode == 1 and "Dropout 'drop': is in training mode, where it is random" in done.stderr, done.stderr
            else:
                expectRun(folder, form, values, [x, np.ones_like(x, bool)], form is proto)


def test_bfloat16_in_old_test_data(folder):
    """ONNX's test data before 1.19 has it as uint16: "input 'x' is u16[3], expected bf16[?]"."""
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)
    x = helper.make_tensor_value_info("x", TensorProto.BFLOAT16, [None])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])
    graph = helper.make_graph([node], "g", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=9), folder / "model.onnx")
    bits = numpy_helper.from_array(np.uint16([0x3F80, 0xC020, 0x7F80]), "x")
    (folder / "x.pb").write_bytes(bits.SerializeToString())
    done = onnxRun(folder / "model.onnx", f"--input=x={folder}/x.pb")
    assert done.stdout == "y: f32[3] [1, -2.5, inf]\n", done.stdout + done.stderr


EMPTY = {
    "Concat": ([[2, 3], [0, 3]], {}, {"axis": 0}), "Split": ([[2, 3]], {"parts": np.int64([2, 0])}, {"axis": 0}),
    "Slice": ([[0, 3]], {"first": np.int64([1]), "last": np.int64([3]), "axes": np.int64([1])}, {}),
    "Pad": ([[2, 0]], {"pads": np.int64([0, 2, 0, 0])}, {}), "MatMul": ([[0, 3], [3, 5]], {}, {}),
}  # fmt: skip


@pytest.mark.parametrize("op", EMPTY)
def test_slices_of_nothing_are_valid(folder, op):
    """--emit=mlir wrote a module that MLIR does not read: a slice began behind the last element."""
    shapes, constants, attributes = EMPTY[op]
    values = {f"x{i}": np.ones(shape, np.float32) for i, shape in enumerate(shapes)} | constants
    outputs = ["y", "z"] if op == "Split" else ["y"]
    proto = modelOf(helper.make_node(op, list(values), outputs, **attributes), values, 13, constants=list(constants))
    onnx.save(proto, folder / "model.onnx")
    emitted = onnxRun(folder / "model.onnx", "--emit=mlir", "--no-fold")
    assert "func.func @main_graph(" in emitted.stdout, emitted.stdout[:2000]
    done = runModel(folder, proto, values)
    assert done.returncode == 0, done.stderr


# Scans


def floats(name, shape=None):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def graphModel(nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def test_scan_of_a_tensor_without_rank(folder):
    """It was refused: "Scan of an input without rank" (random model 20262606)."""
    body = [helper.make_node("Add", ["a", "b"], ["c"]), helper.make_node("Identity", ["c"], ["d"])]
    graph = helper.make_graph(body, "body", [floats("a", []), floats("b", [])], [floats("c", []), floats("d", [])])
    nodes = [
        helper.make_node("SequenceConstruct", ["x", "pair"], ["list"]),
        helper.make_node("Constant", [], ["zero"], value_int=0),
        helper.make_node("SequenceAt", ["list", "zero"], ["any"]),
        helper.make_node("Floor", ["any"], ["f"]),
        helper.make_node("Scan", ["s", "f"], ["t", "y"], body=graph, num_scan_inputs=1),
    ]
    proto = graphModel(nodes, [floats("x", [None]), floats("pair", [1, 1]), floats("s", [])], [floats("t", []), floats("y", [None])])
    values = {"x": np.float32([1.5, 2, 3]), "pair": np.float32([[0]]), "s": np.float32(10)}
    expectRun(folder, proto, values, [np.float32(16), np.float32([11, 13, 16])], isLoop=False)


def test_a_scan_output_of_no_iteration(folder):
    """It was f32[0, 0, 0]: the body declares sizes that the value has only in the run."""
    go, number = (helper.make_tensor_value_info(name, type, []) for name, type in (("go", TensorProto.BOOL), ("i", TensorProto.INT64)))
    nodes = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["x"], ["e"])]
    outputs = [helper.make_tensor_value_info("on", TensorProto.BOOL, []), floats("e", [2, 3])]
    loop = helper.make_node("Loop", ["", "c"], ["y"], body=helper.make_graph(nodes, "body", [number, go], outputs))
    inputs = [floats("x", ["a", "b"]), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    proto = graphModel([loop], inputs, [floats("y", [None, None, None])])
    values = {"x": np.ones((2, 3), np.float32), "c": np.array(False)}
    expectRun(folder, proto, values, [np.zeros((0, 2, 3), np.float32)], isLoop=True)
