# SPDX-License-Identifier: Apache-2.0
"""Operators that move elements, in every version and element type, strings and complex numbers included, bit for bit.

What comes out is the numpy formula of the operator's text applied to the positions of the elements: the elements themselves
are only looked up. --long: ten seeds of other values.
"""

import ml_dtypes
import numpy as np
from onnx import helper, numpy_helper

from onnxfold_types import dtypeOf, i64, tableTests, typesOf

I64, I32 = np.dtype(np.int64), np.dtype(np.int32)
FILL = -1  # a position that is not in the input: the fill value


def zero(dtype):
    return "" if dtype == object else np.zeros((), dtype)[()]


def picked(x, positions, fill=None):
    """The elements of x at these positions of its elements in order."""
    flat = x.reshape(-1)
    result = flat[np.where(positions == FILL, 0, positions)] if x.size else np.zeros(positions.shape, x.dtype)
    if fill is not None:
        result = np.where(positions == FILL, fill, result)
    return result.astype(x.dtype).reshape(positions.shape)


def moved(x, function):
    """What a movement of tensors of any element type makes of x."""
    return picked(x, function(np.arange(x.size).reshape(x.shape)))


# ---- operators: each yields (inputs, attributes, [expected results]) for one version and element type ------------------


def identity(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3)
    yield [x], {}, [x]


def reshape(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3, 2)
    for target, want in ((i64(3, -1), (3, 4)), (i64(0, 6), (2, 6)), (i64(-1), (12,))):
        if version == 1:
            yield [x], {"shape": target.tolist()}, [x.reshape(want)]
        else:
            yield [x, target], {}, [x.reshape(want)]
    if version >= 14:
        empty = maker.tensor(dtype, 0, 3)
        yield [empty, i64(3, 0)], {"allowzero": 1}, [empty.reshape(3, 0)]


def flatten(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3, 2)
    axes = {0: (1, 12), 1: (2, 6), 3: (12, 1)} | ({-1: (6, 2)} if version >= 11 else {})
    for axis, shape in axes.items():
        yield [x], {"axis": axis}, [x.reshape(shape)]
    yield [x], {}, [x.reshape(2, 6)]


def squeeze(maker, version, dtype):
    x = maker.tensor(dtype, 1, 3, 1, 2)
    # ONNX's type inference takes the axes of version 1 to be sorted.
    for axes, shape in ((i64(0), (3, 1, 2)), (i64(0, 2) if version == 1 else i64(2, 0), (3, 2)), (i64(-2), (1, 3, 2))):
        if axes.min() < 0 and version < 11:
            continue
        given = ([x], {"axes": axes.tolist()}) if version < 13 else ([x, axes], {})
        yield *given, [x.reshape(shape)]
    yield [x], {}, [x.reshape(3, 2)]


def unsqueeze(maker, version, dtype):
    x = maker.tensor(dtype, 3, 2)
    for axes, shape in ((i64(0), (1, 3, 2)), (i64(3, 1), (3, 1, 2, 1)), (i64(-1), (3, 2, 1))):
        if axes.min() < 0 and version < 11:
            continue
        given = ([x], {"axes": axes.tolist()}) if version < 13 else ([x, axes], {})
        yield *given, [x.reshape(shape)]


def transpose(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3, 4)
    yield [x], {}, [moved(x, lambda i: i.T)]
    yield [x], {"perm": [1, 2, 0]}, [moved(x, lambda i: i.transpose(1, 2, 0))]


def expand(maker, version, dtype):
    x = maker.tensor(dtype, 3, 1)
    yield [x, i64(2, 1, 4)], {}, [moved(x, lambda i: np.broadcast_to(i, (2, 3, 4)))]


def tile(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3)
    if version == 1:
        yield [x, np.array([3], dtype), np.array([1], dtype)], {}, [moved(x, lambda i: np.tile(i, (1, 3)))]
    else:
        yield [x, i64(2, 3)], {}, [moved(x, lambda i: np.tile(i, (2, 3)))]
        yield [x, i64(0, 3)], {}, [moved(x, lambda i: np.tile(i, (0, 3)))]


def concat(maker, version, dtype):
    parts = [maker.tensor(dtype, 2, n, 2) for n in (1, 0, 3)]
    attributes = [{"axis": 1}] + ([{}] if version == 1 else []) + ([{"axis": -2}] if version >= 11 else [])
    for given in attributes:
        yield parts, given, [np.concatenate(parts, 1)]


def split(maker, version, dtype):
    x = maker.tensor(dtype, 2, 5)
    sizes, parts = i64(1, 0, 4), [x[:, :1], x[:, 1:1], x[:, 1:]]
    if version == 1:
        yield [x, sizes.astype(dtype)], {"axis": 1}, parts
    if version < 13:
        yield [x], {"axis": 1, "split": sizes.tolist()}, parts
        yield [x], {"axis": 0}, [x[:1], x[1:]]
    else:
        yield [x, sizes], {"axis": -1}, parts
    if version >= 18:
        yield [x], {"axis": 1, "num_outputs": 3}, [x[:, :2], x[:, 2:4], x[:, 4:]]


def sliced(maker, version, dtype):
    x = maker.tensor(dtype, 4, 5)
    if version == 1:
        yield [x], {"starts": [1, -4], "ends": [3, 1000]}, [x[1:3, -4:]]
        yield [x], {"starts": [-2], "ends": [-1], "axes": [1]}, [x[:, -2:-1]]
        return
    for kind in (I32, I64):
        yield [x, *(np.array(v, kind) for v in ([-1], [-(2**31)], [1], [-2]))], {}, [x[:, ::-2]]
        yield [x, *(np.array(v, kind) for v in ([1, 0], [2**31 - 1, 3]))], {}, [x[1:, :3]]
    last = np.iinfo(np.int64)
    yield [x, i64(last.max), i64(last.min), i64(0), i64(-1)], {}, [x[::-1]]
    yield [x, i64(3), i64(1), i64(1)], {}, [x[:, 3:1]]


def gather(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    for kind in (I32, I64):
        at = np.array([[0, 2], [1, -1 if version >= 11 else 1]], kind)
        yield [x, at], {}, [x[at]]
        yield [x, at], {"axis": 1}, [x[:, at]]
    yield [x, np.array(2, I64)], {"axis": 1}, [x[:, 2]]
    yield [x, np.zeros((0, 2), I64)], {"axis": 1}, [x[:, :0].reshape(3, 0, 1).repeat(2, 2)]


def gatherElements(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    for kind in (I32, I64):
        at = np.array([[0, 1, 2], [-1, -3, 0]], kind)
        yield [x, at], {}, [moved(x, lambda i: np.take_along_axis(i[:, :3], at % 3, 0))]
        yield [x, at], {"axis": -1}, [moved(x, lambda i: np.take_along_axis(i[:2], at % 4, 1))]


def gatherND(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3, 4)
    at = i64([0, 1], [1, -1])
    yield [x, at], {}, [x[at[:, 0], at[:, 1]]]
    if version >= 12:
        batch = i64([[2]], [[0]])
        yield [x, batch], {"batch_dims": 1}, [np.stack([x[0, [2]], x[1, [0]]])]


def scatterElements(maker, version, dtype):
    x, updates = maker.tensor(dtype, 3, 4), maker.tensor(dtype, 2, 3)
    for kind in (I32, I64):
        at = np.array([[2, 0, 2 if version < 11 else -1], [0, 1, 1]], kind)
        want = x.copy()
        for i, j in np.ndindex(2, 3):
            want[at[i, j], j] = updates[i, j]
        yield [x, at, updates], {}, [want]


def scatterND(maker, version, dtype):
    x, updates = maker.tensor(dtype, 4, 3), maker.tensor(dtype, 2, 3)
    want = x.copy()
    want[3], want[1] = updates
    yield [x, i64([3], [-3]), updates], {}, [want]


def pad(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    counts = [1, 0, 2, 1]
    fill = maker.tensor(dtype, 1)[0] if dtype == object or version >= 11 else dtype.type(1.5)
    modes = ["constant", "reflect", "edge"] + (["wrap"] if version >= 19 else [])
    for mode in modes:
        around = [(1, 2), (0, 1)]
        more = {"constant_values": FILL} if mode == "constant" else {}
        positions = np.pad(np.arange(12).reshape(3, 4), around, mode, **more)
        want = picked(x, positions, fill)
        if version < 11:
            name = "paddings" if version == 1 else "pads"
            yield [x], {name: counts, "mode": mode, **({"value": 1.5} if mode == "constant" else {})}, [want]
        else:
            value = [np.array(fill, dtype)] if mode == "constant" else []
            yield [x, i64(*counts), *value], {"mode": mode}, [want]
    if version >= 11:
        cropped = picked(x, np.pad(np.arange(12).reshape(3, 4)[1:], [(0, 1), (0, 0)], constant_values=FILL), zero(dtype))
        yield [x, i64(-1, 0, 1, 0)], {}, [cropped]
    if version >= 18:
        for kind in (I32, I64):
            along = picked(x, np.pad(np.arange(12).reshape(3, 4), [(0, 0), (2, 0)], constant_values=FILL), zero(dtype))
            yield [x, i64(2, 0), None, np.array([-1], kind)], {}, [along]


def where(maker, version, dtype):
    condition, x, y = maker.tensor(bool, 2, 1, 3), maker.tensor(dtype, 4, 1), maker.tensor(dtype, 1)
    both = np.concatenate([x.reshape(-1), y])
    yield [condition, x, y], {}, [picked(both, np.where(condition, np.arange(4).reshape(4, 1), 4))]


def oneHot(maker, version, dtype):
    """`dtype` is that of the values."""
    values = maker.tensor(dtype, 2)
    for kind in (np.int32, np.int64, np.uint8, np.float32):
        at = np.array([[1, 0], [2, 5]], kind)
        if version >= 11 and kind in (np.int32, np.int64):
            at[0, 1] = -1
        hot = np.where((at.astype(np.int64) % 3 if kind in (np.int32, np.int64) else at)[..., None] == np.arange(3), 1, 0)
        hot = np.where((at >= 3)[..., None], 0, hot)
        yield [at, np.array(3, np.int64), values], {}, [picked(values, hot)]
        yield [at, np.array([3], np.float32), values], {"axis": 0}, [picked(values, np.moveaxis(hot, -1, 0))]
    if dtype == np.float32:
        at = np.array([1, 0, 2])
        want = picked(values, (at[:, None] == np.arange(3)).astype(int))
        for kind in "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64".split():
            for depth in "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64".split():
                yield [at.astype(kind), np.array(3, depth), values], {}, [want]


def compress(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    yield [x, np.array([True, False, True])], {"axis": 0}, [x[[0, 2]]]
    yield [x, np.array([False, True])], {"axis": 1}, [x[:, [1]]]
    yield [x, np.array([False, True, True])], {}, [x.reshape(-1)[[1, 2]]]


def depthToSpace(maker, version, dtype):
    x = maker.tensor(dtype, 1, 8, 2, 3)

    def dcr(i):
        return i.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 6)

    def crd(i):
        return i.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)

    yield [x], {"blocksize": 2}, [moved(x, dcr)]
    if version >= 11:
        yield [x], {"blocksize": 2, "mode": "CRD"}, [moved(x, crd)]


def spaceToDepth(maker, version, dtype):
    x = maker.tensor(dtype, 1, 2, 4, 6)
    yield [x], {"blocksize": 2}, [
        moved(x, lambda i: i.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3))
    ]


def reverseSequence(maker, version, dtype):
    x = maker.tensor(dtype, 4, 3)
    want = x.copy()
    for column, length in enumerate((4, 1, 2)):
        want[:length, column] = x[:length, column][::-1]
    yield [x, i64(4, 1, 2)], {}, [want]
    yield [moved(x, lambda i: i.T), i64(4, 1, 2)], {"batch_axis": 0, "time_axis": 1}, [moved(want, lambda i: i.T)]


def trilu(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3, 4)
    positions = np.arange(24).reshape(2, 3, 4)
    for upper in (0, 1):
        for k in (None, 0, 1, -1, 7):
            keep = (np.triu if upper else np.tril)(np.ones((3, 4), bool), k or 0)
            want = picked(x, np.where(keep, positions, FILL), zero(dtype))
            yield [x] + ([] if k is None else [np.array(k, I64)]), {"upper": upper}, [want]


def nonZero(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    x[1, 2] = zero(dtype)
    held = np.array([bool(v) for v in x.reshape(-1)]).reshape(3, 4) if dtype == object else x.astype(bool)
    yield [x], {}, [np.array(np.nonzero(held), np.int64)]


def dropout(maker, version, dtype):
    x = maker.tensor(dtype, 2, 3)
    mask = np.ones((2, 3), dtype if version < 10 else bool)
    if version < 12:
        results = [x, mask] if version < 7 else [x]  # the mask of versions 7 and 10 stays
        yield [x], {"ratio": 0.25, **({"is_test": 1} if version < 7 else {})}, results
        return
    for kind in (np.float16, np.float32, np.float64):
        yield [x, np.array(0.25, kind)], {}, [x, mask]
    yield [x, np.array(0.25, np.float32), np.array(False)], {}, [x, mask]
    yield [x], {}, [x, mask]


def tensorScatter(maker, version, dtype):
    x, update = maker.tensor(dtype, 2, 4, 3), maker.tensor(dtype, 2, 2, 3)
    want, around = x.copy(), x.copy()
    want[0, 1:3], want[1, 2:4] = update
    yield [x, update, i64(1, 2)], {}, [want]
    around[0, 3], around[0, 0], around[1, 0], around[1, 1] = update[0, 0], update[0, 1], update[1, 0], update[1, 1]
    yield [x, update, i64(3, 0)], {"mode": "circular"}, [around]


def enlarged(maker, version, dtype, resize=False):
    """Nearest neighbours: twice as high, three times as wide."""
    x = maker.tensor(dtype, 1, 1, 2, 3)
    want = moved(x, lambda i: i.repeat(2, 2).repeat(3, 3))
    scales = [1.0, 1.0, 2.0, 3.0]
    if resize and version >= 11:
        down = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        for roi in (np.float16, np.float32, np.float64):
            yield [x, np.zeros(0, roi), np.array(scales, np.float32)], down, [want]
        none = np.zeros(0, np.float32) if version == 11 else None
        yield [x, none, none, i64(1, 1, 4, 9)], down, [want]
    elif resize or version >= 9:
        yield [x, np.array(scales, np.float32)], {}, [want]
    else:
        yield [x], {"scales": scales} if version == 7 else {"height_scale": 2.0, "width_scale": 3.0}, [want]


def centerCropPad(maker, version, dtype):
    x = maker.tensor(dtype, 3, 6)
    cropped = picked(x, np.arange(18).reshape(3, 6)[:, 1:5])
    for kind in (I32, I64):
        yield [x, np.array([3, 4], kind)], {}, [cropped]
    padded = np.pad(np.arange(18).reshape(3, 6), [(1, 2), (0, 0)], constant_values=FILL)
    yield [x, i64(6)], {"axes": [0]}, [picked(x, padded, zero(dtype))]


def bitCast(maker, version, dtype):
    """To every type of the same width; of less than a byte only to the other ones of that width."""
    x = maker.tensor(dtype, 2, 3)
    width = 2 if "int2" in dtype.name else 4 if "int4" in dtype.name or "float4" in dtype.name else 8 * dtype.itemsize
    for target in BITS[width]:
        kind = np.dtype(getattr(ml_dtypes, target, None) or target)
        if width >= 8:
            want = x.view(kind)
        else:
            want = (x.view(np.uint8) & (2**width - 1)).astype(np.uint8)
            want = want.view(kind) if "float" in target or target[0] == "u" else (want << 8 - width).view(np.int8) >> 8 - width
            want = want.astype(kind) if "float" not in target else want
        yield [x], {"to": helper.np_dtype_to_tensor_dtype(kind)}, [want]


BITS = {
    2: ("uint2", "int2"),
    4: ("uint4", "int4", "float4_e2m1fn"),
    8: ("uint8", "int8", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
    16: ("uint16", "int16", "float16", "bfloat16"),
    32: ("uint32", "int32", "float32"),
    64: ("uint64", "int64", "float64", "complex64"),
    128: ("complex128",),
}


def optionalOf(there):
    """Since version 18 a tensor may stand for an optional that holds it."""

    def cases(maker, version, dtype):
        x = maker.tensor(dtype, 2, 3)
        if version >= 18:
            yield [x], {}, [np.array(True) if there else x]

    return cases


def shapeAndSize(maker, version, dtype, size=False):
    x = maker.tensor(dtype, 2, 3, 1)
    yield [x], {}, [np.array(6, np.int64) if size else i64(2, 3, 1)]


def constantOfShape(maker, version, dtype):
    """`dtype` is that of the value."""
    value = maker.tensor(dtype, 1)
    held = {"value": numpy_helper.from_array(value, "value")}
    yield [i64(2, 3)], held, [np.broadcast_to(value, (2, 3))]
    yield [np.zeros(0, np.int64)], held, [value.reshape(())]


def eyeLike(maker, version, dtype):
    x = maker.tensor(dtype, 3, 4)
    for k in (0, 2, -1):
        yield [x], {"k": k}, [np.eye(3, 4, k).astype(dtype)]
        yield [x], {"k": k, "dtype": helper.np_dtype_to_tensor_dtype(np.dtype(np.int32))}, [np.eye(3, 4, k).astype(np.int32)]


def ranges(maker, version, dtype):
    for start, limit, delta in ((1, 7, 2), (5, -4, -3), (2, 2, 1)):
        if delta < 0 and dtype.kind == "u":
            continue
        yield [np.array(v, dtype) for v in (start, limit, delta)], {}, [np.arange(start, limit, delta).astype(dtype)]


OPERATORS = {
    "Identity": identity,
    "Reshape": reshape,
    "Flatten": flatten,
    "Squeeze": squeeze,
    "Unsqueeze": unsqueeze,
    "Transpose": transpose,
    "Expand": expand,
    "Tile": tile,
    "Concat": concat,
    "Split": split,
    "Slice": sliced,
    "Gather": gather,
    "GatherElements": gatherElements,
    "GatherND": gatherND,
    "ScatterElements": scatterElements,
    "ScatterND": scatterND,
    "Pad": pad,
    "Where": where,
    "OneHot": oneHot,
    "Compress": compress,
    "DepthToSpace": depthToSpace,
    "SpaceToDepth": spaceToDepth,
    "ReverseSequence": reverseSequence,
    "Trilu": trilu,
    "NonZero": nonZero,
    "Dropout": dropout,
    "Shape": shapeAndSize,
    "Size": lambda maker, version, dtype: shapeAndSize(maker, version, dtype, size=True),
    "ConstantOfShape": constantOfShape,
    "EyeLike": eyeLike,
    "Range": ranges,
    "Scatter": scatterElements,
    "TensorScatter": tensorScatter,
    "Upsample": enlarged,
    "Resize": lambda maker, version, dtype: enlarged(maker, version, dtype, resize=True),
    "CenterCropPad": centerCropPad,
    "BitCast": bitCast,
    "OptionalHasElement": optionalOf(True),
    "OptionalGetElement": optionalOf(False),
}
TYPES_OF = {"Where": 1, "OneHot": 2}  # the input whose types are tested, if it is not the first


def elementTypes(operator, schema):
    if operator != "ConstantOfShape":
        return typesOf(schema, TYPES_OF.get(operator, 0))
    return [dtypeOf(text) for c in schema.type_constraints if c.type_param_str == "T2" for text in c.allowed_type_strs]


WRONG = {
    ("runtime", "Dropout"): "in inference its mask is false",
    ("runtime", "Gather"): "copies the first string of each row only",
    ("reference", "CenterCropPad"): "pads strings with the number 0",
    ("reference", "Dropout"): "the mask of versions 7 to 9 has the type of the data, not bool",
    ("reference", "Expand"): "multiplies by one: an infinite complex number gets a NaN",
    ("reference", "OneHot"): "adds and multiplies: -0 becomes 0, infinities NaN",
    ("reference", "Pad"): "pads strings with 0 and float8e8m0 with NaN, where the text says 0, cast to the type",
    ("reference", "Resize"): "computes in double and multiplies by weights, also for nearest neighbours",
    ("reference", "Trilu"): "puts the number 0 among strings",
}


test_table, test_evaluators, test_evaluators_were_asked = tableTests(
    OPERATORS, elementTypes, least=7000, wrong=WRONG
)
