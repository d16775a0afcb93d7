# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: operators that move values, on SystemDS: axes, batches, infinities and indices that node tests do not ask for."""

import numpy as np
import pytest

import onnxfold_systemds as systemds
from onnx.helper import make_node as node
from onnxfold_dml_single import RANDOM, finite, modelOf, numbers, same
from test_dml import model


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge", "wrap"])
def test_pad(folder, mode):
    pads = np.int64([0, 1, 2, 1, 0, 2, 1, 0])
    same(folder, "Pad", {"x": numbers(2, 3, 4, 3)}, {"pads": pads}, mode=mode)


def test_pad_negative_and_of_the_first_dimension(folder):
    same(folder, "Pad", {"x": numbers(3, 4, 3)}, {"pads": np.int64([2, -1, 1, 1, -2, 0]), "value": np.float32(7)})


def test_pad_of_a_batch(folder):
    same(folder, "Pad", {"x": numbers(3, 2, 3)}, {"pads": np.int64([0, 1, 1, 0, 0, 2])}, batch=["x"])


def test_pad_of_two_axes(folder):
    x, constants = numbers(3, 4, 3), {"pads": np.int64([1, 2, 0, 3]), "value": np.float32(np.inf), "axes": np.int64([-1, 0])}
    same(folder, "Pad", {"x": x}, constants)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_elements(folder, axis):
    index = RANDOM.integers(-3, 3, (3, 2, 3))
    same(folder, "GatherElements", {"x": numbers(3, 3, 3), "i": index}, axis=axis)


def test_gather_elements_of_a_batch(folder):
    same(folder, "GatherElements", {"x": numbers(4, 3, 5), "i": RANDOM.integers(-5, 5, (4, 3, 2))}, axis=2, batch=["x", "i"])


@pytest.mark.parametrize("batch, shape", [(0, (4, 2)), (0, (2, 3, 3)), (1, (2, 4, 1)), (1, (2, 2)), (2, (2, 3, 5, 1))])
def test_gather_nd(folder, batch, shape):
    low = np.array([2, 3, 4, 2][batch : batch + shape[-1]])
    index = RANDOM.integers(-low, low, shape)
    same(folder, "GatherND", {"x": numbers(2, 3, 4, 2), "i": index}, batch_dims=batch)


def test_gather_nd_of_a_batch(folder):
    same(folder, "GatherND", {"x": numbers(4, 3, 2), "i": RANDOM.integers(-3, 3, (4, 5, 1))}, batch_dims=1, batch=["x", "i"])


def test_gather_of_infinities(folder):
    """A product with a table of zeros and ones would turn an infinity that is not taken into NaN."""
    same(folder, "Gather", {"x": np.float32([[1, np.inf, 3], [np.nan, 5, 6]]), "i": np.int64([2, 0, 2])}, axis=1)
    same(folder, "Gather", {"x": np.float32([[1, np.inf, 3], [np.nan, 5, 6]]), "i": np.int64([[1], [-1]])}, axis=0)


def test_index_out_of_range_stops(folder):
    model = modelOf("Gather", {"x": finite(3), "i": np.int64([3])}, {}, {"y": "f4"}, 20, (), {})
    if systemds.process():
        with pytest.raises(RuntimeError, match="out of range"):
            systemds.runScript(folder, systemds.export(folder, model), [finite(3), np.int64([3])], systemds.process())


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_elements(folder, reduction, axis):
    index = np.int64([[0, 2, 1], [3, 0, -1]]) if reduction == "none" else np.int64([[0, 0, 0], [0, 2, -1]])
    index = index.T if axis == 1 else index
    x = numbers(4, 4)
    same(folder, "ScatterElements", {"x": x, "i": index, "u": finite(*index.shape)}, axis=axis, reduction=reduction)


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_scatter_nd(folder, reduction):
    index = np.int64([[0, -1], [1, 0], [0, 1]]) if reduction == "none" else np.int64([[0, -1], [1, 0], [0, 2]])
    same(folder, "ScatterND", {"x": numbers(2, 3, 4), "i": index, "u": finite(3, 4)}, reduction=reduction)


def test_scatter_wraps_around(folder):
    x = {"x": np.int8([100, 1, 2]), "i": np.int64([0, 0]), "u": np.int8([100, 1])}
    same(folder, "ScatterElements", x, oracle=systemds.reference, reduction="add")


@pytest.mark.parametrize("axis, largest", [(0, 1), (1, 0), (-1, 1)])
def test_top_k(folder, axis, largest):
    """Many equal values: the lowest index comes first."""
    x = RANDOM.integers(-2, 3, (4, 5, 6)).astype(np.float32)
    x[0, 0, 0], x[3, 4, 5] = np.inf, -np.inf
    same(folder, "TopK", {"x": x}, {"k": np.int64([3])}, {"v": "f4", "i": "i8"}, axis=axis, largest=largest)


def test_top_k_of_a_batch(folder):
    same(folder, "TopK", {"x": finite(3, 6)}, {"k": np.int64([6])}, {"v": "f4", "i": "i8"}, batch=["x"])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_one_hot(folder, axis):
    """Indices from -depth on; others have no on value, which may be an infinity."""
    constants = {"depth": np.int64(4), "values": np.float32([-np.inf, 2])}
    same(folder, "OneHot", {"i": np.int64([[0, 3, -1], [-4, 4, -5]])}, constants, {"y": "f4"}, axis=axis)


def test_one_hot_of_nothing(folder):
    same(folder, "OneHot", {"i": np.int64([9, -9])}, {"depth": np.int64(1), "values": np.int64([5, 2])})


@pytest.mark.parametrize("upper, k", [(0, 0), (1, 0), (1, 2), (0, -1), (1, -9), (0, 9)])
def test_trilu(folder, upper, k):
    same(folder, "Trilu", {"x": numbers(2, 3, 4, 5)}, {"k": np.int64(k)}, upper=upper)


def test_trilu_of_a_batch_and_a_k_of_the_run(folder):
    same(folder, "Trilu", {"x": numbers(3, 4, 4), "k": np.int64(1)}, batch=["x"])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_hardmax(folder, axis):
    x = RANDOM.integers(0, 3, (3, 4, 5)).astype(np.float32)
    x[0, 0, 0] = np.inf
    same(folder, "Hardmax", {"x": x}, axis=axis)
    same(folder, "Hardmax", {"x": x}, axis=axis, opset=11)


@pytest.mark.parametrize("reverse", [0, 1])
@pytest.mark.parametrize("exclusive", [0, 1])
def test_cumulative(folder, reverse, exclusive):
    for axis in (0, 2):
        x = finite(2, 3, 4)
        x[1, 1, 1] = np.inf
        options = {"oracle": systemds.reference, "reverse": reverse, "exclusive": exclusive}
        same(folder, "CumSum", {"x": x}, {"axis": np.int64(axis)}, **options)
        same(folder, "CumProd", {"x": x}, {"axis": np.int64(axis)}, opset=26, **options)


def test_reversed_sums_of_large_numbers(folder):
    """SystemDS made rev(cumsum(rev(x))) the difference of two sums, in which 1e18 takes the 1 away."""
    same(folder, "CumSum", {"x": np.float64([[1, 1e18, -1e18]])}, {"axis": np.int64(1)}, reverse=1, oracle=systemds.reference)


def test_cumulative_of_one(folder):
    same(folder, "CumSum", {"x": finite(3, 1)}, {"axis": np.int64(1)}, exclusive=1, batch=["x"])


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_depth_to_space(folder, mode):
    same(folder, "DepthToSpace", {"x": numbers(2, 12, 3, 2)}, blocksize=2, mode=mode, batch=["x"])


def test_space_to_depth(folder):
    same(folder, "SpaceToDepth", {"x": numbers(2, 3, 6, 4)}, blocksize=2, batch=["x"])


@pytest.mark.parametrize("batch, time", [(0, 1), (1, 0)])
def test_reverse_sequence(folder, batch, time):
    x = numbers(3, 3, 2)
    free = ["x", "lens"] if batch == 0 else []
    same(folder, "ReverseSequence", {"x": x, "lens": np.int64([1, 3, 2])}, batch=free, batch_axis=batch, time_axis=time)


@pytest.mark.parametrize("axis, shape", [({}, [2]), ({"axis": 1}, [3, 2]), ({"axis": 0}, [2, 4])])
def test_compress(folder, axis, shape):
    same(folder, "Compress", {"x": numbers(3, 4)}, {"c": np.array([False, True, True])}, shape=shape, **axis)


def test_center_crop_pad(folder):
    shape = {"shape": np.int64([2, 7, 4])}
    same(folder, "CenterCropPad", {"x": numbers(5, 4, 4)}, shape, oracle=systemds.reference)


@pytest.mark.parametrize("align", [0, 1])
@pytest.mark.parametrize("size", [[2, 3, 4, 5], [2, 1, 2, 3, 4]])
def test_affine_grid(folder, size, align):
    theta = finite(2, len(size) - 2, len(size) - 1)
    same(folder, "AffineGrid", {"theta": theta}, {"size": np.int64(size)}, align_corners=align, oracle=systemds.reference)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_tensor_scatter(folder, mode):
    start = np.int64([1, 2 if mode == "linear" else 3])
    inputs = {"x": numbers(2, 3, 4, 5), "u": finite(2, 3, 2, 5), "start": start}
    same(folder, "TensorScatter", inputs, opset=24, oracle=systemds.reference, mode=mode)


def test_max_unpool(folder):
    inputs = {"x": finite(1, 2, 2, 2), "i": np.int64([[[[5, 7], [13, 15]], [[16, 19], [24, 31]]]])}
    same(folder, "MaxUnpool", inputs, kernel_shape=[2, 2], strides=[2, 2])


def test_many_indices(folder):
    """So many that they are a constant of their own, and no slices."""
    index = RANDOM.integers(-30, 30, 40)
    for axis in (0, 1, 2):
        x = numbers(*(30 if i == axis else 2 for i in range(3)))
        same(folder, "Gather", {"x": x}, {"i": index}, axis=axis)
        same(folder, "Gather", {"x": x, "i": index}, axis=axis)


def test_slice_with_steps(folder):
    constants = {"starts": np.int64([-1, 1]), "ends": np.int64([-99, 99]), "axes": np.int64([2, 1]), "steps": np.int64([-2, 3])}
    same(folder, "Slice", {"x": numbers(3, 8, 25)}, constants, batch=["x"])


@pytest.mark.parametrize("perm", [(0, 3, 1, 2), (0, 2, 1, 3), (3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1)])
def test_transpose(folder, perm):
    batch = ["x"] if perm[0] == 0 else []
    same(folder, "Transpose", {"x": numbers(2, 3, 4, 5)}, perm=perm, batch=batch)


@pytest.mark.parametrize("batch", [[], ["x"]], ids=["fixed", "free"])
def test_transpose_of_many(folder, batch):
    """A hundred and more are no loop."""
    same(folder, "Transpose", {"x": numbers(130, 2, 3)}, perm=[0, 2, 1], batch=batch)


def test_expand_and_tile(folder):
    same(folder, "Expand", {"x": numbers(2, 1, 3, 1)}, {"shape": np.int64([2, 12, 3, 4])})
    same(folder, "Expand", {"x": numbers(3, 1, 4)}, {"shape": np.int64([1, 11, 4])}, batch=["x"])
    same(folder, "Tile", {"x": numbers(2, 3, 4)}, {"repeats": np.int64([2, 1, 3])})
    same(folder, "Tile", {"x": numbers(3, 2, 4)}, {"repeats": np.int64([1, 2, 3])}, batch=["x"])


def test_rows_repeated_by_the_batch(folder):
    """torch's repeat(x.shape[0], 1) computes how often, which follows from the sizes."""
    nodes = [node("Shape", ["x"], ["n"], start=0, end=1), node("Concat", ["n", "two"], ["r"], axis=0), node("Tile", ["c", "r"], ["t"]),
             node("Add", ["t", "x"], ["y"])]
    constants = {"two": np.int64([2]), "c": np.float32([[1, 2]])}
    systemds.expectSame(folder, model(nodes, [("x", ["N", 4])], [("y", ["N", 4])], constants), [numbers(3, 4)])


def test_split_with_an_unused_part(folder):
    """Inference does not know the size of a part that nobody reads. (ONNX Runtime crashes.)"""
    for axis, constants, options in ((0, {"s": np.int64([1, 4, 2])}, {}), (1, {}, {"num_outputs": 3})):
        x = numbers(7, 7)
        first, _, last = np.split(x, [1, 5] if axis == 0 else [3, 6], axis)
        outputs = {"a": "f4", "b": "f4"}
        same(folder, "Split", {"x": x}, constants, outputs, oracle=lambda *_: [first, last], axis=axis, named=["a", "", "b"], **options)


def test_refusals(folder):
    refused = lambda op, reason, inputs, batch=(), **attributes: systemds.expectRefused(
        folder, modelOf(op, inputs, {}, {"y": "f4"}, 20, batch, attributes), reason
    )
    x = {"x": finite(3, 4)}
    refused("Pad", "the pads are not constants", x | {"pads": np.int64([0, 0, 1, 1])}, shape=[4, 5])
    refused("TopK", "k is not a constant", x | {"k": np.int64([1])}, shape=[3, 1], named=["y", ""])
    refused("Hardmax", "free batch size", x, batch=["x"], axis=0)
    refused("GatherElements", "free batch size", x | {"i": np.int64([[1, 1, 1, 1]])}, batch=["x"], axis=0)
    refused("GatherND", "free batch size", x | {"i": np.int64([[1]])}, batch=["x"])
    refused("Trilu", "free batch size", x, batch=["x"])
