# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: Resize, GridSample, RoiAlign and Einsum on SystemDS: what node tests do not ask for."""

import numpy as np
import pytest

import onnxfold_systemds as systemds
from onnxfold_dml_single import RANDOM, finite, numbers, same

COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]


def resize(folder, x, target, batch=(), opset=19, oracle=systemds.onnxRuntime, **attributes):
    constants = {"s": np.float32(target)} if np.asarray(target).dtype.kind == "f" else {"n": np.int64(target)}
    order = ["x", "", "s"] if "s" in constants else ["x", "", "", "n"]
    same(folder, "Resize", {"x": x}, constants, opset=opset, batch=batch, oracle=oracle, order=order, **attributes)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_resize(folder, mode, coordinates):
    for scales in ([1.0, 1.0, 2.0, 1.5], [1.0, 1.0, 0.6, 1.0]):
        resize(folder, finite(2, 3, 5, 4), scales, mode=mode, coordinate_transformation_mode=coordinates)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_resize_of_a_batch(folder, mode):
    resize(folder, finite(3, 2, 4, 4), [1.0, 1.0, 2.0, 0.5], batch=["x"], mode=mode)


def test_resize_of_an_infinity(folder):
    """An infinity reaches the elements that it weighs in, and no others."""
    x = np.float32([[[0, np.inf, 4, 8, np.nan, 0]]])
    wanted = np.float32([[[0, np.inf, np.inf, np.inf, np.inf, 5, 7, np.nan, np.nan, np.nan, np.nan, 0]]])
    resize(folder, x, [1.0, 1.0, 2.0], mode="linear", oracle=lambda *_: [wanted])


def test_resize_antialiased(folder):
    for mode in ("linear", "cubic"):
        resize(folder, finite(1, 2, 9, 8), [1, 2, 4, 3], mode=mode, antialias=1, exclude_outside=1, oracle=systemds.reference)


def test_resize_with_an_empty_region(folder):
    """PyTorch's exporter for version 11 writes a constant without elements for what is left out."""
    constants = {"roi": np.zeros(0, np.float32), "s": np.float32([1, 1, 2, 2])}
    same(folder, "Resize", {"x": finite(2, 2, 3, 3)}, constants, opset=11, batch=["x"], mode="linear")


def test_resize_of_integers(folder):
    resize(folder, np.int32([[1, 2], [3, 4]]), [3, 5], mode="nearest", nearest_mode="ceil", oracle=systemds.reference)


def test_resize_of_three_dimensions(folder):
    resize(folder, finite(1, 2, 3, 4, 2), [1, 2, 5, 3, 4], mode="linear", oracle=systemds.reference)


def test_upsample(folder):
    same(folder, "Upsample", {"x": numbers(2, 2, 3, 2)}, {"s": np.float32([1, 1, 2, 3])}, opset=9, mode="nearest")
    same(folder, "Upsample", {"x": finite(2, 2, 3, 2)}, {"s": np.float32([1, 1, 2, 3])}, opset=9, mode="linear")


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("align", [0, 1])
def test_grid_sample(folder, mode, padding, align):
    """Positions far outside, too. A cubic position beyond the border is moved to it, as the reference evaluator has it, and
    not ONNX Runtime."""
    oracle = systemds.reference if (mode, padding) == ("cubic", "border") else systemds.onnxRuntime
    grid = RANDOM.uniform(-1.8, 1.8, (2, 3, 5, 2)).astype(np.float32)
    x = finite(2, 3, 4, 5)
    same(folder, "GridSample", {"x": x, "grid": grid}, oracle=oracle, mode=mode, padding_mode=padding, align_corners=align)


def test_grid_sample_of_a_batch(folder):
    grid = RANDOM.uniform(-1, 1, (3, 2, 2, 2)).astype(np.float32)
    same(folder, "GridSample", {"x": finite(3, 2, 4, 4), "grid": grid}, batch=["x", "grid"])


@pytest.mark.parametrize("half", ["half_pixel", "output_half_pixel"])
def test_roi_align(folder, half):
    rois = np.float32([[0, 0, 7, 5], [1.3, 2.2, 3.1, 9], [-3, -2, 1, 2], [6, 4, 6.2, 4.1]])
    inputs = {"x": finite(2, 3, 6, 8), "rois": rois, "i": np.int64([0, 1, 1, 0])}
    options = {"output_height": 2, "output_width": 3, "sampling_ratio": 2, "spatial_scale": 0.75}
    same(folder, "RoiAlign", inputs, coordinate_transformation_mode=half, **options)


def test_max_roi_pool(folder):
    rois = np.float32([[0, 0, 0, 7, 5], [1, 1, 2, 3, 5], [1, 6, 4, 7, 5]])
    same(folder, "MaxRoiPool", {"x": finite(2, 3, 6, 8), "rois": rois}, opset=1, pooled_shape=[2, 3], spatial_scale=1.0)


@pytest.mark.parametrize("strides, dilations, pads", [([1, 1], [1, 1], [0, 0, 0, 0]), ([2, 1], [1, 2], [1, 0, 1, 2])])
def test_col2im(folder, strides, dilations, pads):
    image, block = [5, 6], [2, 3]
    places = [(n + pads[i] + pads[i + 2] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1 for i, n in enumerate(image)]
    x = {"x": finite(2, 2 * 6, places[0] * places[1])}
    constants = {"image": np.int64(image), "block": np.int64(block)}
    same(folder, "Col2Im", x, constants, opset=18, strides=strides, dilations=dilations, pads=pads)


EQUATIONS = {
    "ij,jk->ik": [(2, 3), (3, 4)],
    "bij,bjk->bik": [(2, 3, 4), (2, 4, 5)],
    "bhqd,bhkd->bhqk": [(2, 2, 3, 4), (2, 2, 5, 4)],
    "i,j->ij": [(3,), (4,)],
    "ij,ij->": [(3, 4), (3, 4)],
    "ii->i": [(4, 4)],
    "iij->j": [(3, 3, 2)],
    "ijk->kj": [(2, 3, 4)],
    "...ij,...jk": [(2, 3, 4), (2, 4, 2)],
    "...i,...i->...": [(2, 3, 4), (1, 3, 4)],
    "a,ab,abc->abc": [(2,), (2, 3), (2, 3, 4)],
    "ab,cb,cd->ad": [(2, 3), (4, 3), (4, 5)],
    "bij,kj->bki": [(2, 3, 4), (5, 4)],
}


@pytest.mark.parametrize("equation", EQUATIONS)
def test_einsum(folder, equation):
    inputs = {name: finite(*shape) for name, shape in zip("abc", EQUATIONS[equation])}
    same(folder, "Einsum", inputs, equation=equation, shape=(2, 3) if equation == "...i,...i->..." else None)


@pytest.mark.parametrize("equation, shapes", [("bij,bjk->bik", [(3, 2, 4), (3, 4, 2)]), ("bi,ij->bj", [(3, 4), (4, 2)])])
def test_einsum_of_a_batch(folder, equation, shapes):
    batch = ["a", "b"] if shapes[1][0] == 3 else ["a"]
    same(folder, "Einsum", dict(zip("ab", (finite(*shape) for shape in shapes))), equation=equation, batch=batch)


def test_einsum_of_integers(folder):
    x, y = RANDOM.integers(-9, 9, (3, 4)), RANDOM.integers(-9, 9, (4, 2))
    same(folder, "Einsum", {"a": x.astype(np.int32), "b": y.astype(np.int32)}, equation="ij,jk->k", oracle=systemds.reference)
