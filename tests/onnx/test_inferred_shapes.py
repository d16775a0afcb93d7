# SPDX-License-Identifier: Apache-2.0
"""Shape(MaxPool) with ceil_mode folded to ONNX's inference, one more than any runtime makes: a size is a fact only where all agree.

Seeded random nodes of the operators whose sizes are computed (windows, resizing, slices, transforms, recurrent and generating
operators), and the stored node tests, each with inputs that are not constant. What Shape of a result folds to is compared with
the result of the reference evaluator and of ONNX Runtime. --long: 4,000 nodes of each operator, and all node tests.
"""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import backend_cases
import onnxfold_models as m
import onnxfold_testing as t

COUNT = 4000 if t.options.long else 60
AUTO_PADS = ["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]


class Maker:
    """Random nodes: (opset, inputs, how many of them are constants at the end, attributes, results)."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one(self, *choices):
        return choices[self.random.integers(len(choices))]

    def ints(self, count, low, high):
        return self.random.integers(low, high + 1, count).tolist()

    def int(self, low, high):
        return int(self.random.integers(low, high + 1))

    def x(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def image(self, rank=None, low=1, high=9):
        rank = rank or self.int(1, 3)
        return self.x(self.int(1, 2), self.int(1, 3), *self.ints(rank, low, high))

    def windows(self, rank, dilated=True):
        attributes = {"kernel_shape": self.ints(rank, 1, 4), "strides": self.ints(rank, 1, 4)}
        if dilated and self.one(0, 1):
            attributes["dilations"] = self.ints(rank, 1, 2)
        if self.one(0, 1):
            attributes["pads"] = [self.int(0, k - 1) for k in attributes["kernel_shape"] * 2]
        elif self.one(0, 1):
            attributes["auto_pad"] = self.one(*AUTO_PADS)
        return attributes

    def pool(self, operator):
        opset = self.one(10, 11, 12, 17, 19, 21, 22, 23)
        rank = self.int(1, 3)
        attributes = self.windows(rank, opset >= {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[operator])
        if self.int(0, 3) and opset >= {"MaxPool": 10, "AveragePool": 10, "LpPool": 18}[operator]:
            attributes["ceil_mode"] = 1
        if operator == "AveragePool":
            attributes["count_include_pad"] = self.int(0, 1)
        return opset, [self.image(rank)], 0, attributes, self.int(1, 2) if operator == "MaxPool" else 1

    def MaxPool(self):
        return self.pool("MaxPool")

    def AveragePool(self):
        return self.pool("AveragePool")

    def LpPool(self):
        return self.pool("LpPool")

    def Conv(self):
        rank = self.int(1, 3)
        attributes, x = self.windows(rank), self.image(rank)
        return self.one(11, 22), [x, self.x(self.int(1, 3), x.shape[1], *attributes["kernel_shape"])], 1, attributes, 1

    def ConvInteger(self):
        rank = self.int(1, 2)
        attributes, x = self.windows(rank), self.image(rank).astype(np.uint8)
        return 10, [x, self.x(2, x.shape[1], *attributes["kernel_shape"]).astype(np.uint8)], 1, attributes, 1

    def ConvTranspose(self):
        rank = self.int(1, 2)
        attributes, x = self.windows(rank), self.image(rank)
        if self.one(0, 1):
            attributes["output_padding"] = [self.int(0, s - 1) for s in attributes["strides"]]
        if self.int(0, 3) == 0:
            attributes["output_shape"] = [s * d + self.int(-1, 2) for s, d in zip(attributes["strides"], x.shape[2:])]
        return self.one(1, 11, 22), [x, self.x(x.shape[1], 2, *attributes["kernel_shape"])], 1, attributes, 1

    def MaxUnpool(self):
        attributes = self.windows(2, dilated=False)
        attributes.pop("auto_pad", None)
        x = self.image(2)
        return self.one(9, 11, 22), [x, np.zeros(x.shape, np.int64)], 0, attributes, 1

    def Resize(self):
        opset, rank = self.one(10, 11, 13, 18, 19), self.int(1, 4)
        x = self.x(*self.ints(rank, 1, 9))
        scales = self.one([self.one(0.5, 0.6, 0.7, 1, 1.1, 1.3, 2, 2.5, 1 / 3, 2 / 3, 3) for _ in range(rank)], self.random.uniform(0.3, 3, rank))
        scales = np.float32(scales)
        modes = {"mode": self.one("nearest", "linear", "cubic") if rank == 2 else "nearest"} if opset > 10 else {"mode": self.one("nearest", "linear")}
        if opset == 10:
            return opset, [x, scales], 1, modes, 1
        modes["coordinate_transformation_mode"] = self.one("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
        if opset >= 18 and self.one(0, 1):
            modes["keep_aspect_ratio_policy"] = self.one("stretch", "not_larger", "not_smaller")
        bySizes = self.one(0, 1)
        axes = self.random.permutation(rank)[: self.int(1, rank)].tolist() if opset >= 18 and self.one(0, 1) else None
        if axes is not None:
            modes["axes"] = axes
        count = rank if axes is None else len(axes)
        sizes = np.int64(self.ints(count, 1, 12))
        if not bySizes:
            modes.pop("keep_aspect_ratio_policy", None)
        roi = np.zeros(2 * count, np.float32) if opset == 11 else None
        empty = np.zeros(0, np.float32) if opset == 11 else None
        return opset, [x, roi, empty, sizes] if bySizes else [x, roi, scales[:count]], 3 if bySizes else 2, modes, 1

    def Upsample(self):
        rank = self.int(1, 4)
        scales = np.float32(self.random.uniform(1, 3, rank))
        if self.one(0, 1):
            return 9, [self.x(*self.ints(rank, 1, 9)), scales], 1, {}, 1
        return 7, [self.x(*self.ints(rank, 1, 9))], 0, {"scales": [float(one) for one in scales]}, 1

    def Slice(self):
        x = self.x(*self.ints(2, 0, 6))
        lists = [np.int64(self.ints(2, -8, 8)), np.int64(self.ints(2, -8, 8)), np.int64([0, 1])]
        return self.one(10, 11, 13), [x, *lists, np.int64([self.one(-3, -2, -1, 1, 2, 3) for _ in range(2)])], 4, {}, 1

    def Pad(self):
        x = self.x(*self.ints(2, 2, 6))
        return self.one(11, 13, 18, 19), [x, np.int64(self.ints(4, -1, 2))], 1, {"mode": self.one("constant", "edge", "reflect")}, 1

    def Split(self):
        size, parts = self.int(1, 9), self.int(1, 4)
        return 18, [self.x(size, 2)], 0, {"num_outputs": parts}, parts

    def CenterCropPad(self):
        return 18, [self.x(*self.ints(2, 1, 6)), np.int64(self.ints(2, 1, 8))], 1, {}, 1

    def Col2Im(self):
        kernel, image = self.ints(2, 1, 3), self.ints(2, 3, 6)
        blocks = np.prod([i - k + 1 for i, k in zip(image, kernel)])
        return 18, [self.x(1, 2 * int(np.prod(kernel)), int(blocks)), np.int64(image), np.int64(kernel)], 2, {}, 1

    def DFT(self):
        inverse, onesided, length = self.int(0, 1), self.int(0, 1), self.int(1, 9)
        attributes = {"inverse": inverse, "onesided": onesided}
        tail = [np.int64(self.int(1, 9))] if self.one(0, 1) else []
        x = self.x(2, length, 2 if inverse else self.int(1, 2))
        if self.one(0, 1):
            return 17, [x, *tail], len(tail), attributes, 1
        return 20, [x, *(tail or [None]), np.int64(1)], 2, attributes, 1

    def STFT(self):
        frame, step = self.int(1, 6), self.int(1, 5)
        attributes = {"onesided": self.int(0, 1)} if self.one(0, 1) else {}
        return 17, [self.x(1, self.int(6, 20), 1), np.int64(step), None, np.int64(frame)], 3, attributes, 1

    def DepthToSpace(self):
        return self.one(11, 13), [self.x(1, 4 * self.int(1, 2), *self.ints(2, 1, 4))], 0, {"blocksize": 2}, 1

    def SpaceToDepth(self):
        return 13, [self.x(1, 2, *self.ints(2, 2, 7))], 0, {"blocksize": 2}, 1

    def TopK(self):
        return self.one(10, 11), [self.x(3, 5), np.int64([self.int(0, 6)])], 1, {"axis": self.int(-2, 1)}, 2

    def ReduceSum(self):
        axes = np.int64(self.random.permutation(3)[: self.int(0, 3)] - self.one(0, 3))
        return 13, [self.x(2, 3, 1), axes], 1, {"keepdims": self.int(0, 1), "noop_with_empty_axes": self.int(0, 1)}, 1

    def ReduceMax(self):
        axes = [int(a) for a in self.random.permutation(3)[: self.int(1, 3)]]
        return self.one(11, 13), [self.x(2, 3, 1)], 0, {"keepdims": self.int(0, 1), "axes": axes}, 1

    def ArgMax(self):
        return self.one(11, 13), [self.x(2, 3, 4)], 0, {"axis": self.int(-3, 2), "keepdims": self.int(0, 1)}, 1

    def Squeeze(self):
        return 13, [self.x(1, 3, 1)] + ([np.int64(self.one([0], [-1], [0, 2], []))] if self.one(0, 1) else []), 1, {}, 1

    def Unsqueeze(self):
        return 13, [self.x(2, 3), np.int64(self.one([0], [1, -1], [3, 0], [-1]))], 1, {}, 1

    def Flatten(self):
        return self.one(9, 11, 13), [self.x(*self.ints(3, 0, 3))], 0, {"axis": self.int(-3, 3)}, 1

    def Reshape(self):
        target = self.one([-1], [0, -1], [3, -1], [2, 0, -1], [0, 0, 0], [6, 2], [-1, 1])
        return self.one(5, 13, 14), [self.x(2, 3, 2), np.int64(target)], 1, {}, 1

    def Gather(self):
        return self.one(11, 13), [self.x(3, 4), np.zeros(self.ints(self.int(0, 2), 0, 2), np.int64)], 0, {"axis": self.int(-2, 1)}, 1

    def GatherND(self):
        return 12, [self.x(2, 3, 4), np.zeros([2, *self.ints(1, 0, 2), self.int(1, 2)], np.int64)], 0, {"batch_dims": self.int(0, 1)}, 1

    def OneHot(self):
        values = np.float32([0, 1])
        return self.one(9, 11), [np.zeros(self.ints(self.int(0, 2), 1, 3), np.int64), np.int64(self.int(1, 4)), values], 2, {"axis": self.int(-1, 0)}, 1

    def Range(self):
        kind = self.one(np.int64, np.int32, np.float32, np.float64)
        if kind in (np.int64, np.int32):
            start, limit, delta = self.ints(2, -9, 9) + [self.one(-3, -2, -1, 1, 2, 3)]
        else:
            start, limit = self.random.uniform(-3, 3, 2)
            delta = self.one(0.1, 0.3, -0.1, -0.7, 1 / 3, 0.5)
        return 11, [kind(start).reshape(()), kind(limit).reshape(()), kind(delta).reshape(())], 3, {}, 1

    def Tile(self):
        return self.one(6, 13), [self.x(*self.ints(2, 0, 3)), np.int64(self.ints(2, 0, 3))], 1, {}, 1

    def Expand(self):
        return self.one(8, 13), [self.x(self.int(1, 2), 1), np.int64(self.one([1, 3], [2, 1, 1], [1], [2, 4]))], 1, {}, 1

    def Concat(self):
        return self.one(11, 13), [self.x(2, self.int(0, 3)), self.x(2, self.int(0, 3))], 0, {"axis": self.one(1, -1)}, 1

    def MatMul(self):
        a, b = self.one(((2, 3), (3, 4)), ((3,), (3,)), ((3,), (2, 3, 4)), ((2, 2, 3), (3,)), ((2, 1, 2, 3), (5, 3, 1)))
        return self.one(9, 13), [self.x(*a), self.x(*b)], 0, {}, 1

    def Einsum(self):
        equation, shapes = self.one(("ij,jk->ik", [(2, 3), (3, 4)]), ("ii->i", [(3, 3)]), ("...ij->...ji", [(2, 3, 4)]), ("ij,jk", [(2, 3), (3, 2)]),
            ("bik,bkj->bij", [(1, 3, 3), (2, 3, 4)]), ("bij,bj->ib", [(2, 3, 4), (1, 4)]), ("...i,...i->i...", [(1, 3), (5, 3)]), ("...i,...i", [(2, 1), (1, 3)]))
        return 12, [self.x(*one) for one in shapes], 0, {"equation": equation}, 1

    def recurrent(self, gates, results):
        directions, hidden, steps = self.int(1, 2), self.int(1, 3), self.int(1, 4)
        attributes = {"hidden_size": hidden, "direction": "bidirectional" if directions == 2 else "forward"}
        opset = self.one(7, 14)
        if opset >= 14:
            attributes["layout"] = self.int(0, 1)
        x = self.x(steps, 2, 3)
        return opset, [x, self.x(directions, gates * hidden, 3), self.x(directions, gates * hidden, hidden)], 2, attributes, results

    def LSTM(self):
        return self.recurrent(4, 3)

    def GRU(self):
        return self.recurrent(3, 2)

    def RNN(self):
        return self.recurrent(1, 2)

    def BatchNormalization(self):
        return self.one(9, 15), [self.x(2, 3, 4), *(np.ones(3, np.float32) for _ in range(4))], 4, {}, 1

    def LayerNormalization(self):
        return 17, [self.x(2, 3, 4), np.float32(1)], 1, {"axis": self.int(-3, 2)}, 3

    def HannWindow(self):
        return 17, [np.int64(self.int(1, 9))], 1, {"periodic": self.int(0, 1)}, 1

    def MelWeightMatrix(self):
        return 17, [np.int64(self.int(1, 8)), np.int64(self.int(8, 17)), np.int64(8192), np.float32(0), np.float32(4096)], 5, {}, 1

    def RoiAlign(self):
        rois = np.tile(np.float32([0, 0, 2, 2]), (self.int(1, 3), 1))
        return self.one(10, 16), [self.x(1, 2, 4, 4), rois, np.zeros(len(rois), np.int64)], 0, {"output_height": 2, "output_width": self.int(1, 3)}, 1

    def GridSample(self):
        return self.one(16, 20), [self.x(1, 2, 3, 3), self.x(1, *self.ints(2, 1, 4), 2)], 0, {}, 1

    def AffineGrid(self):
        return 20, [self.x(1, 2, 3), np.int64([1, 1, *self.ints(2, 1, 4)])], 1, {}, 1

    def StringSplit(self):
        return 20, [np.array(self.one(["a b", "c"], ["", "a  b c"], ["x"]), object)], 0, {}, 2

    def Dropout(self):
        return self.one(7, 10, 12, 13), [self.x(2, 3)], 0, {}, 2

    def NonZero(self):
        return self.one(9, 13), [self.x(*self.ints(self.int(0, 2), 1, 3))], 0, {}, 1

    def Compress(self):
        return self.one(9, 11), [self.x(3, 2), np.array([True, False])], 1, {"axis": self.int(0, 1)} if self.one(0, 1) else {}, 1

    def Unique(self):
        return 11, [self.x(4)], 0, {}, 4

    def Attention(self):
        heads, past = self.int(1, 2), self.int(0, 3)
        inputs = [self.x(1, heads, self.int(1, 3), 4), self.x(1, heads, 2, 4), self.x(1, heads, 2, 5)]
        if past:
            return self.one(23, 24), [*inputs, None, self.x(1, heads, past, 4), self.x(1, heads, past, 5)], 0, {}, 3
        return self.one(23, 24), inputs, 0, {}, 1


OPERATORS = [name for name in vars(Maker) if name[0].isupper()]


def nodeModel(operator, case, k, constants):
    """(node, names and arrays of its inputs that are not constants, initializers)."""
    opset, inputs, fixed, attributes, results = case
    names = ["" if x is None else f"x{k}_{i}" for i, x in enumerate(inputs)]
    given = [(name, np.asarray(x)) for name, x in zip(names, inputs) if x is not None]
    split = len([x for x in inputs[: len(inputs) - fixed] if x is not None]) if constants else len(given)
    node = helper.make_node(operator, names, [f"y{k}_{i}" for i in range(results)], **attributes)
    return node, given[:split], [numpy_helper.from_array(x, name) for name, x in given[split:]]


def info(name, x):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)


def foldedShapes(operator, opset, cases, folder, *flags):
    """For each case the shapes that Shape of its results folds to; None where it stays."""
    nodes, inputs, initializers, outputs = [], [], [], []
    for k, case in enumerate(cases):
        node, given, tensors = nodeModel(operator, case, k, constants=True)
        nodes.append(node)
        nodes += [helper.make_node("Shape", [name], [f"s{name}"]) for name in node.output]
        inputs += [info(name, x) for name, x in given]
        initializers += tensors
        outputs += [helper.make_tensor_value_info(f"s{name}", onnx.TensorProto.INT64, None) for name in node.output]
    model = m.model(nodes, inputs, outputs, initializers, opset=opset, ir=10)
    onnx.save(model, folder / "model.onnx")
    done = t.run(folder / "model.onnx", "-o", folder / "out.onnx", "-O0", "--max-growth=unlimited", "--quiet", *flags)
    assert done.code == 0, f"the tool failed: {done}"
    found = {one.name: tuple(numpy_helper.to_array(one).ravel().tolist()) for one in onnx.load(folder / "out.onnx").graph.initializer}
    return [[found.get(f"sy{k}_{i}") for i in range(case[4])] for k, case in enumerate(cases)]


def computedShapes(operator, opset, case):
    """{who: shapes}, of those that take the node."""
    node, given, _ = nodeModel(operator, case, 0, constants=False)
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output]
    model = m.model([node], [info(name, x) for name, x in given], outputs, opset=opset, ir=10)
    feed, found = dict(given), {}
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        found["ONNX Runtime"] = [x.shape for x in session.run(None, feed)]
    except Exception:  # it refuses the node, as it may
        pass
    try:
        with np.errstate(all="ignore"):
            found["the evaluator"] = [np.shape(x) for x in ReferenceEvaluator(model).run(None, feed)]
    except Exception:
        pass
    return found


def describe(x):
    isList = x is not None and np.size(x) < 9 and np.asarray(x).dtype.kind == "i"
    return np.asarray(x).tolist() if isList else None if x is None else np.shape(x)


@pytest.mark.parametrize("operator", OPERATORS)
def test_random(operator, folder):
    onnxruntime.set_default_logger_severity(4)
    maker, byOpset, wrong, compared = Maker([t.options.seed, *operator.encode()]), {}, [], 0
    for _ in range(COUNT):
        case = getattr(maker, operator)()
        byOpset.setdefault(case[0], []).append(case)
    for opset, cases in byOpset.items():
        for case, shapes in zip(cases, foldedShapes(operator, opset, cases, folder)):
            if not any(shapes):
                continue
            for who, computed in computedShapes(operator, opset, case).items():
                compared += 1
                if any(shape is not None and shape != tuple(real) for shape, real in zip(shapes, computed)):
                    wrong.append(f"{operator}-{opset} {case[3]} of {[describe(x) for x in case[1]]}: {shapes}, {who} {computed}")
    print(f"{operator}: {compared} compared")
    assert not wrong, f"{len(wrong)} of {compared}:\n    " + "\n    ".join(wrong[:12])


ALONE = (  # the evaluator has another size than the text and ONNX Runtime, which the 4,000 nodes of --long have shown
    ("MaxPool", 21, (1, 1, 5), {"kernel_shape": [2], "strides": [2], "auto_pad": "SAME_LOWER"}),
    ("MaxPool", 22, (2, 3, 4, 9), {"kernel_shape": [4, 3], "strides": [4, 2], "auto_pad": "SAME_LOWER"}),
    ("MaxPool", 12, (1, 3, 6), {"kernel_shape": [4], "strides": [1], "dilations": [1], "pads": [0, 2]}),
    ("MaxPool", 21, (2, 3, 6, 6), {"kernel_shape": [4, 3], "strides": [1, 1], "pads": [3, 0, 0, 0], "ceil_mode": 1}),
    ("AveragePool", 21, (2, 3, 6, 8), {"kernel_shape": [2, 3], "strides": [4, 4], "dilations": [1, 2], "auto_pad": "VALID"}),
    ("LpPool", 21, (1, 1, 6), {"kernel_shape": [2], "strides": [1], "dilations": [2], "auto_pad": "VALID"}),
)
TOGETHER = (
    ("MaxPool", 21, (1, 1, 5), {"kernel_shape": [2], "strides": [2], "auto_pad": "SAME_UPPER"}),
    ("MaxPool", 12, (1, 1, 5), {"kernel_shape": [2], "strides": [1], "auto_pad": "SAME_LOWER"}),
    ("MaxPool", 12, (1, 3, 7, 7), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [0, 0, 1, 1]}),
    ("AveragePool", 21, (2, 3, 6, 8), {"kernel_shape": [2, 3], "strides": [4, 4], "auto_pad": "VALID"}),
)


@pytest.mark.parametrize("isAgreed", (False, True))
def test_windows_of_the_evaluator(folder, isAgreed):
    """--long found 15 pools of 12,767 whose Shape folded to a size that the evaluator does not have."""
    for operator, opset, shape, attributes in TOGETHER if isAgreed else ALONE:
        case = (opset, [np.zeros(shape, np.float32)], 0, attributes, 1)
        sizes = {who: tuple(map(int, shapes[0])) for who, shapes in computedShapes(operator, opset, case).items()}
        assert (len(set(sizes.values())) == 1) == isAgreed, (operator, attributes, sizes)
        found = foldedShapes(operator, opset, [case], folder)[0][0]
        assert found == (sizes["ONNX Runtime"] if isAgreed else None), (operator, attributes, sizes, found)


def test_labels_of_two_sizes(folder):
    """Einsum broadcasts a label of size 1, of which inference says the first size: Shape folded to 1 where the result has 2."""
    wide, narrow = np.zeros((2, 3, 4), np.float32), np.zeros((1, 3, 3), np.float32)
    for equation, inputs, folded in (
        ("bik,bkj->bij", [narrow, wide], False),
        ("bkj,bik->bij", [wide, narrow], True),
        ("bik,bkj->jik", [narrow, wide], True),
        ("...ik,...kj->...ij", [narrow, wide], False),
        ("...ik,...kj->...ij", [narrow, wide[:1]], True),
    ):
        case = (13, inputs, 0, {"equation": equation}, 1)
        sizes = {tuple(map(int, shapes[0])) for shapes in computedShapes("Einsum", 13, case).values()}
        assert len(sizes) == 1, (equation, sizes)
        found = foldedShapes("Einsum", 13, [case], folder)[0][0]
        assert found == (sizes.pop() if folded else None), (equation, found)


def opened(folder):
    """The model of a node test with its first input dynamic, and the shapes of its results, or nothing."""
    model = folder.model()
    expected = backend_cases.readValues(folder, "output", model.graph.output)
    inputs = backend_cases.readValues(folder, "input", model.graph.input)
    if not all(isinstance(one, onnx.TensorProto) for one in [*expected, *inputs]) or not inputs:
        return None
    dynamic = [i for i, one in enumerate(inputs) if one.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)] or [0]
    made = backend_cases.withConstants(model, inputs, dynamic=dynamic)
    names = [one.name for one in made.graph.output]
    for one in made.graph.input:
        value = next(tensor for info, tensor in zip(model.graph.input, inputs) if info.name == one.name)
        one.CopyFrom(helper.make_tensor_value_info(one.name, value.data_type, value.dims))
    made.graph.node.extend(helper.make_node("Shape", [name], [f"shape.{i}"]) for i, name in enumerate(names))
    del made.graph.output[:]
    made.graph.output.extend(helper.make_tensor_value_info(f"shape.{i}", onnx.TensorProto.INT64, None) for i in range(len(names)))
    return made, [tuple(one.dims) for one in expected]


def test_node_tests(folder):
    """Each input of floats is dynamic; sizes that are computed from integers, and are not wrong, are those stored."""
    wrong, compared = [], 0
    for case in list(backend_cases.allFolders())[:: 1 if t.options.long else 16]:
        try:
            made = opened(case)
        except backend_cases.Unreadable:
            continue
        if made is None:
            continue
        onnx.save(made[0], folder / "model.onnx")
        done = t.run(folder / "model.onnx", "-o", folder / "out.onnx", "-O0", "--max-growth=unlimited", "--quiet")
        assert done.code == 0, f"{case.name}: {done}"
        found = {one.name: tuple(numpy_helper.to_array(one).ravel().tolist()) for one in onnx.load(folder / "out.onnx").graph.initializer}
        for i, shape in enumerate(made[1]):
            compared += f"shape.{i}" in found
            if found.get(f"shape.{i}", shape) != shape:
                wrong.append(f"{case.name}: output #{i} is {found[f'shape.{i}']}, stored {shape}")
    print(f"{compared} sizes of node tests compared")
    assert not wrong, "\n    ".join(wrong)
    assert compared >= 100


# com.microsoft


def contributedPools():
    """Nodes that ONNX Runtime's pools of its own domain are, each with its input."""
    random, pads = Maker(t.options.seed), ({}, {"pads": [1, 1, 1, 1]}, {"pads": [0, 0, 1, 1]}, *({"auto_pad": one} for one in AUTO_PADS[1:]))
    for operator in ("MaxpoolWithMask", "NhwcMaxPool", "QLinearAveragePool", "QLinearGlobalAveragePool") * (40 if t.options.long else 8):
        kernel, stride, size = random.int(1, 3), random.int(1, 3), random.int(3, 8)
        attributes = {} if "Global" in operator else {"kernel_shape": [kernel, kernel], "strides": [stride, stride], **random.one(*pads)}
        last = operator == "NhwcMaxPool" or (operator.startswith("QLinear") and random.one(0, 1))
        if operator.startswith("QLinear"):
            attributes["channels_last"] = int(last)
        if operator in ("NhwcMaxPool", "QLinearAveragePool") and random.one(0, 1):
            attributes["ceil_mode"] = 1
        shape = (1, size, size, 2) if last else (1, 2, size, size)
        yield operator, attributes, np.zeros(shape, np.float32 if operator == "MaxpoolWithMask" else np.uint8)


def test_contributed_pools(folder):
    """Their sizes are those of ONNX's pools, and disputed where those are."""
    constants = [m.const("s", np.float32(1)), m.const("z", np.uint8(0))]
    nodes, inputs, outputs, made = [], [], [], []
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    for i, (operator, attributes, x) in enumerate(contributedPools()):
        names = [f"x{i}", *({"M": ["mask"], "Q": ["s", "z", "s", "z"]}.get(operator[0], []))]
        own = [info(f"x{i}", x)]
        if operator == "MaxpoolWithMask":
            names[1], mask = f"m{i}", np.zeros(x.shape, np.int32)
            own.append(info(names[1], mask))
        node = helper.make_node(operator, names, [f"p{i}"], domain="com.microsoft", **attributes)
        result = helper.make_tensor_value_info(f"p{i}", own[0].type.tensor_type.elem_type, None)
        feed = {one.name: value for one, value in zip(own, (x, np.zeros(x.shape, np.int32)))}
        single = m.model([node], own, [result], constants, opset=13, domains=[("com.microsoft", 1)])
        try:
            made.append(onnxruntime.InferenceSession(single.SerializeToString(), options, ["CPUExecutionProvider"]).run(None, feed)[0].shape)
        except Exception:  # ONNX Runtime refuses padding as long as the window
            continue
        nodes += [node, helper.make_node("Shape", [f"p{i}"], [f"s{i}"])]
        inputs += own
        outputs.append(helper.make_tensor_value_info(f"s{i}", onnx.TensorProto.INT64, None))
    onnx.save(m.model(nodes, inputs, outputs, constants, opset=13, domains=[("com.microsoft", 1)]), folder / "pools.onnx")
    out = onnx.load(t.fold(folder / "pools.onnx", folder / "out.onnx"))
    found = {one.name: tuple(numpy_helper.to_array(one).ravel().tolist()) for one in out.graph.initializer}
    known = {name.name: found.get(name.name) for name in outputs}
    wrong = {name: (shape, real) for (name, shape), real in zip(known.items(), made) if shape and shape != real}
    assert not wrong, f"sizes, and those of ONNX Runtime: {wrong}"
    assert sum(one is not None for one in known.values()) > len(made) / 3, "sizes that are known"


# Reasons


DISPUTED = {
    "ceil_mode": (("MaxPool", dict(kernel_shape=[2, 2], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1), 13), "with ceil_mode the last window starts in the padding at the end"),
    "pads": (("AveragePool", dict(kernel_shape=[2, 2], auto_pad="SAME_UPPER", pads=[1, 1, 1, 1]), 19), "it has both auto_pad and pads"),
    "room": (("LpPool", dict(kernel_shape=[9, 9]), 18), "a window does not fit into the padded image"),
}


@pytest.mark.parametrize("name", DISPUTED)
def test_reason_of_a_disputed_size(name, folder):
    """Shape stayed as if it had waited for an input. It names the node and what is disputed, also further down."""
    (operator, attributes, opset), why = DISPUTED[name]
    nodes = [
        helper.make_node(operator, ["x"], ["p"], "pool", **attributes),
        helper.make_node("Relu", ["p"], ["r"]),
        helper.make_node("Shape", ["r"], ["y"], "size"),
        helper.make_node("Shape", ["x"], ["z"], "other"),
    ]
    outputs = [helper.make_tensor_value_info(one, onnx.TensorProto.INT64, None) for one in "yz"]
    x = helper.make_tensor_value_info("x", 1, [1, "n", 7, 7])
    onnx.save(m.model(nodes, [x], outputs, opset=opset), folder / "model.onnx")
    kept = {one["name"]: one["reason"]["text"] for one in t.foldWithReport(folder / "model.onnx", folder / "out.onnx")["nodes"]}
    assert f"the size of 'p' is not agreed on: node 'pool' ({operator}): {why}" in kept["size"], kept
    assert "not agreed" not in kept["other"], kept


def test_nothing_is_known_of_a_scalars_places(folder):
    """NonZero of a scalar: inference says 0 rows, ONNX Runtime computes one."""
    nodes = [helper.make_node("NonZero", ["x"], ["p"], "where"), helper.make_node("Shape", ["p"], ["y"], "size")]
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.INT64, None)]
    for rank, why in ((0, "its input is a scalar, of which ONNX Runtime makes a row"), (1, "")):
        x = helper.make_tensor_value_info("x", 1, [3] * rank)
        nodes[1:] = [nodes[1], helper.make_node("Gather", ["y", "zero"], ["rows"], "rows")]
        zero = onnx.numpy_helper.from_array(np.int64(0), "zero")
        rows = helper.make_tensor_value_info("rows", onnx.TensorProto.INT64, [])
        onnx.save(m.model(nodes, [x], [*outputs, rows], [zero], opset=17), folder / "model.onnx")
        kept = {one["name"]: one["reason"]["text"] for one in t.foldWithReport(folder / "model.onnx", folder / "out.onnx")["nodes"]}
        assert bool(kept["rows"]) == (rank == 0) and (not why or why in kept["size"]), kept
