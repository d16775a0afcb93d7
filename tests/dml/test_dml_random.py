# SPDX-License-Identifier: Apache-2.0
"""Random models: small graphs of operators with random shapes, axes and constants, exported, run on SystemDS and compared with
ONNX Runtime. What is refused is left out of the graph, with what reads it. Short form: 6 models, --long: 150.

Operators that jump (comparisons, ArgMax, Floor ...) read only values that are exact in float32 and in double.
"""

import re

import numpy as np
import onnxruntime
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_systemds as systemds
import onnxfold_testing as t

LOWERED = set(re.findall(r"\b[A-Z]\w+", (t.ROOT / "docs/dml.md").read_text().split("<!-- operators")[1].split("<!-- end -->")[0]))
FLOAT, BOOL, INT = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64
UNARY = (
    "Abs Neg Relu Tanh Sigmoid Softplus Softsign Elu Selu Celu LeakyRelu HardSigmoid HardSwish ThresholdedRelu Identity Erf"
    " Gelu Mish Sin Cos Atan".split()
)
FREE = 7  # as many rows has a free batch size while a model is made; no other dimension
KEEPS_EXACT = {"Abs", "Neg", "Relu", "Identity"}


class Value:
    def __init__(self, name, shape, kind=FLOAT, exact=False):
        self.name, self.shape, self.kind, self.exact = name, tuple(int(d) for d in shape), kind, exact

    @property
    def size(self):
        return int(np.prod(self.shape))


class Maker:
    """Nodes over values that exist; each method adds one, or nothing where no value fits."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.values, self.inputs = [], [], [], []
        for i in range(int(self.random.integers(1, 4))):
            shape = self.random.integers(1, 6, self.random.integers(0 if i else 1, 5))
            self.inputs.append(Value(f"x{i}", shape, exact=True))
        self.values = list(self.inputs)

    def integer(self, low, high):
        return int(self.random.integers(low, high))

    def choose(self, sequence):
        return sequence[self.integer(0, len(sequence))]

    def pick(self, kind=FLOAT, rank=0, exact=False, most=400):
        """A value, preferably a late one."""
        found = [
            v for v in self.values if v.kind == kind and len(v.shape) >= rank and (v.exact or not exact) and v.size <= most
        ]
        if not found and kind == FLOAT and not rank and not exact:
            return self.inputs[0]
        return found[-1 - min(int(self.random.exponential(3)), len(found) - 1)] if found else None

    def exactNumbers(self, *shape):
        """Multiples of an eighth, in part equal."""
        return np.asarray(self.random.integers(-24, 25, shape) / 8, np.float32)

    def constant(self, array):
        self.constants.append(m.const(f"c{len(self.constants)}", array))
        return self.constants[-1].name

    def add(self, op, inputs, shape, kind=FLOAT, exact=False, **attributes):
        name = f"{op}_{len(self.nodes)}"
        names = [one.name if isinstance(one, Value) else one for one in inputs]
        self.nodes.append(m.node(op, names, [name], name, **attributes))
        self.values.append(Value(name, shape, kind, exact))
        return self.values[-1]

    # ---- elementwise ---------------------------------------------------------------------------------------------------

    def unary(self):
        x, op = self.pick(), self.choose([op for op in UNARY if op in LOWERED])
        self.add(op, [x], x.shape, exact=x.exact and op in KEEPS_EXACT)

    def partner(self, x):
        """A value, or a constant, that broadcasts with x; and the shape of the result."""
        fitting = [v for v in self.values if v.kind == FLOAT and self.broadcast(x.shape, v.shape)]
        if fitting and self.integer(0, 2):
            y = self.choose(fitting)
            return y, self.broadcast(x.shape, y.shape)
        shape = [d if self.integer(0, 2) else 1 for d in x.shape][self.integer(0, len(x.shape) + 1) :]
        if not self.integer(0, 5):
            shape = [self.integer(1, 4)] + [1] * (len(x.shape) - len(shape)) + shape
        return Value(self.constant(self.exactNumbers(*shape)), shape, exact=True), self.broadcast(x.shape, tuple(shape))

    @staticmethod
    def broadcast(a, b):
        try:
            shape = np.broadcast_shapes(a, b)
        except ValueError:
            return None
        return shape if np.prod(shape) <= 600 and len(shape) < 6 else None

    def binary(self):
        x = self.pick()
        y, shape = self.partner(x)
        if shape is None:
            return
        op = self.choose(["Add", "Sub", "Mul", "Max", "Min"])
        pair = [x, y] if self.integer(0, 2) else [y, x]
        value = self.add(op, pair, shape, exact=x.exact and y.exact and op != "Mul")
        if op == "Mul" or self.integer(0, 4) == 0:  # values are small
            self.add("Tanh", [value], shape)

    def division(self):
        x = self.pick()
        y, shape = self.partner(x)
        if shape is not None:
            self.add("Div", [x, self.add("Exp", [self.add("Tanh", [y], y.shape)], y.shape)], shape)

    def comparison(self):
        x = self.pick(exact=True)
        y, shape = self.partner(x) if x else (None, None)
        if shape is not None and y.exact:
            op = self.choose(["Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"])
            self.add(op, [x, y] if self.integer(0, 2) else [y, x], shape, BOOL, True)

    def where(self):
        c, x = self.pick(BOOL), self.pick()
        y, shape = self.partner(x)
        if c and shape is not None and (shape := self.broadcast(c.shape, shape)) is not None:
            pair = [x, y] if self.integer(0, 2) else [y, x]
            self.add("Where", [c, *pair], shape, exact=x.exact and y.exact)

    def logic(self):
        a, b = self.pick(BOOL), self.pick(BOOL)
        if a and b and (shape := self.broadcast(a.shape, b.shape)) is not None:
            self.add(self.choose(["And", "Or", "Xor"]), [a, b], shape, BOOL, True)
            self.add("Not", [self.values[-1]], shape, BOOL, True)

    def cast(self):
        if x := self.pick(BOOL):
            self.add("Cast", [x], x.shape, FLOAT, True, to=FLOAT)
        elif x := self.pick(exact=True):
            self.add("Cast", [self.add("Cast", [x], x.shape, INT, True, to=INT)], x.shape, FLOAT, True, to=FLOAT)

    def rounding(self):
        if x := self.pick(exact=True):
            self.add(self.choose(["Floor", "Ceil", "Round", "Sign"]), [x], x.shape, exact=True)

    def clip(self):
        x = self.pick()
        bounds = [self.constant(np.float32(-1.5)), self.constant(np.float32(1.25))]
        self.add("Clip", [x, *bounds[: self.integer(1, 3)]], x.shape, exact=x.exact)

    def prelu(self):
        x = self.pick()
        shape = [d if self.integer(0, 2) else 1 for d in x.shape][self.integer(0, len(x.shape) + 1) :]
        self.add("PRelu", [x, self.constant(self.exactNumbers(*shape))], x.shape)

    # ---- movement ------------------------------------------------------------------------------------------------------

    def transpose(self):
        x = self.pick(self.choose([FLOAT, FLOAT, BOOL]), 1)
        if x:
            perm = [int(i) for i in self.random.permutation(len(x.shape))]
            self.add("Transpose", [x], [x.shape[i] for i in perm], x.kind, x.exact, perm=perm)

    def reshape(self):
        x = self.pick()
        left, shape = x.size, []
        while left > 1 and len(shape) < 4:
            shape.append(self.choose([d for d in range(1, left + 1) if left % d == 0]))
            left //= shape[-1]
        shape += [left] * (left > 1)
        if self.integer(0, 2):
            shape.insert(self.integer(0, len(shape) + 1), 1)
        self.add("Reshape", [x, self.constant(np.int64(shape))], shape, exact=x.exact)

    def flatten(self):
        x = self.pick(rank=1)
        if x:
            axis = self.integer(0, len(x.shape) + 1)
            shape = [np.prod(x.shape[:axis], dtype=int), np.prod(x.shape[axis:], dtype=int)]
            self.add("Flatten", [x], shape, exact=x.exact, axis=axis)

    def unsqueeze(self):
        x = self.pick()
        if len(x.shape) < 4:
            axis = self.integer(0, len(x.shape) + 1)
            shape = [*x.shape[:axis], 1, *x.shape[axis:]]
            self.add("Unsqueeze", [x, self.constant(np.int64([axis]))], shape, exact=x.exact)

    def squeeze(self):
        x = self.pick()
        if 1 in x.shape:
            axis = self.choose([i for i, d in enumerate(x.shape) if d == 1])
            shape = [*x.shape[:axis], *x.shape[axis + 1 :]]
            self.add("Squeeze", [x, self.constant(np.int64([axis - len(x.shape)]))], shape, exact=x.exact)

    def slice(self):
        x = self.pick(rank=1)
        if not x:
            return
        axes = [int(i) for i in self.random.permutation(len(x.shape))[: self.integer(1, 3)]]
        starts, ends, steps, shape = [], [], [], list(x.shape)
        for axis in axes:
            d, step = x.shape[axis], self.choose([1, 1, 2, 3, -1, -2])
            first, last = sorted((self.integer(0, d), self.integer(0, d)))
            kept = list(range(first, last + 1, step)) if step > 0 else list(range(last, first - 1, step))
            starts.append(kept[0] - (d if self.integer(0, 2) else 0))
            ends.append(last + 1 if step > 0 else first - 1 if first else -d - 1)
            steps.append(step)
            shape[axis] = len(kept)
        self.add("Slice", [x, *(self.constant(np.int64(one)) for one in (starts, ends, axes, steps))], shape, exact=x.exact)

    def concat(self):
        x = self.pick(rank=1)
        if x:
            axis = self.integer(0, len(x.shape))
            others = lambda v: (len(v.shape), *v.shape[:axis], *v.shape[axis + 1 :])
            parts = [v for v in self.values if v.kind == FLOAT and others(v) == others(x)]
            parts = [self.choose(parts) for _ in range(self.integer(1, 4))] + [x]
            shape = list(x.shape)
            shape[axis] = sum(v.shape[axis] for v in parts)
            self.add("Concat", parts, shape, exact=all(v.exact for v in parts), axis=axis - self.integer(0, 2) * len(x.shape))

    def gather(self):
        x = self.pick(rank=1)
        if x:
            axis = self.integer(0, len(x.shape))
            d = x.shape[axis]
            index = self.random.integers(-d, d, self.random.integers(1, 4, self.integer(0, 3)))
            shape = [*x.shape[:axis], *np.shape(index), *x.shape[axis + 1 :]]
            self.add("Gather", [x, self.constant(np.int64(index))], shape, exact=x.exact, axis=axis)

    def gatherElements(self):
        x = self.pick(rank=1)
        if x:
            axis = self.integer(0, len(x.shape))
            shape = [self.integer(1, d + 1) for d in x.shape]
            shape[axis] = self.integer(1, 5)
            index = self.random.integers(-x.shape[axis], x.shape[axis], shape)
            self.add("GatherElements", [x, self.constant(np.int64(index))], shape, exact=x.exact, axis=axis)

    def pad(self):
        x = self.pick(rank=1)
        if x:
            mode = self.choose(["constant", "edge", "reflect"])
            pads = [self.integer(0, d if mode == "reflect" else 3) for d in (*x.shape, *x.shape)]
            shape = [d + a + b for d, a, b in zip(x.shape, pads, pads[len(x.shape) :])]
            self.add("Pad", [x, self.constant(np.int64(pads))], shape, exact=x.exact, mode=mode)

    def tile(self):
        x = self.pick(most=60)
        if x and x.shape:
            repeats = [self.integer(1, 4) if self.integer(0, 2) else 1 for _ in x.shape]
            shape = [d * n for d, n in zip(x.shape, repeats)]
            self.add("Tile", [x, self.constant(np.int64(repeats))], shape, exact=x.exact)

    def expand(self):
        x = self.pick(most=60)
        if x:
            shape = [self.integer(1, 4) if d == 1 else d for d in x.shape]
            shape = [self.integer(1, 3) for _ in range(self.integer(0, 2))] + shape
            self.add("Expand", [x, self.constant(np.int64(shape))], shape, exact=x.exact)

    def depthToSpace(self):
        x = self.pick(rank=4)
        if x and len(x.shape) == 4:
            n, c, h, w = x.shape
            if c % 4 == 0:
                mode = self.choose(["DCR", "CRD"])
                self.add("DepthToSpace", [x], [n, c // 4, h * 2, w * 2], exact=x.exact, blocksize=2, mode=mode)
            elif h % 2 == 0 and w % 2 == 0:
                self.add("SpaceToDepth", [x], [n, c * 4, h // 2, w // 2], exact=x.exact, blocksize=2)

    def trilu(self):
        x = self.pick(rank=2)
        if x:
            k = self.constant(np.int64(self.integer(-2, 3)))
            self.add("Trilu", [x, k], x.shape, exact=x.exact, upper=self.integer(0, 2))

    # ---- sums ----------------------------------------------------------------------------------------------------------

    def axesOf(self, x):
        return sorted(int(i) for i in self.random.permutation(len(x.shape))[: self.integer(1, len(x.shape) + 1)])

    def reduce(self):
        x = self.pick(rank=1)
        if not x:
            return
        axes, keeps = self.axesOf(x), self.integer(0, 2)
        shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keeps or i not in axes]
        op = "Reduce" + self.choose(["Sum", "Mean", "Max", "Min", "L1", "L2", "SumSquare", "LogSumExp"])
        given = [a - len(x.shape) if self.integer(0, 2) else a for a in axes]
        isExact = x.exact and op in ("ReduceMax", "ReduceMin")
        value = self.add(op, [x, self.constant(np.int64(given))], shape, exact=isExact, keepdims=keeps)
        if op in ("ReduceSum", "ReduceSumSquare", "ReduceL1"):
            self.add("Tanh", [value], shape)

    def argmax(self):
        x = self.pick(rank=1, exact=True)
        if x:
            axis, keeps = self.integer(0, len(x.shape)), self.integer(0, 2)
            shape = [1 if i == axis else d for i, d in enumerate(x.shape) if keeps or i != axis]
            op, last = self.choose(["ArgMax", "ArgMin"]), self.integer(0, 2)
            value = self.add(op, [x], shape, INT, True, axis=axis, keepdims=keeps, select_last_index=last)
            self.add("Cast", [value], shape, FLOAT, True, to=FLOAT)

    def softmax(self):
        x = self.pick(rank=1)
        if x:
            self.add(self.choose(["Softmax", "LogSoftmax"]), [x], x.shape, axis=self.integer(-len(x.shape), len(x.shape)))

    def cumsum(self):
        x = self.pick(rank=1)
        if x:
            axis = self.constant(np.int64(self.integer(-len(x.shape), len(x.shape))))
            value = self.add("CumSum", [x, axis], x.shape, exclusive=self.integer(0, 2), reverse=self.integer(0, 2))
            self.add("Softsign", [value], x.shape)

    def layerNormalization(self):
        x = self.pick(rank=1)
        if x:
            axis = self.integer(0, len(x.shape))
            scale, bias = (self.constant(self.exactNumbers(*x.shape[axis:])) for _ in range(2))
            self.add("LayerNormalization", [x, scale, bias], x.shape, axis=axis, epsilon=0.01)

    def topk(self):
        x = self.pick(rank=1, exact=True)
        if x:
            axis = self.integer(0, len(x.shape))
            k = self.integer(1, x.shape[axis] + 1)
            shape = [k if i == axis else d for i, d in enumerate(x.shape)]
            number, largest = self.constant(np.int64([k])), self.integer(0, 2)
            value = self.add("TopK", [x, number], shape, exact=True, axis=axis, largest=largest)
            self.nodes[-1].output.append(f"{value.name}_indices")

    # ---- products ------------------------------------------------------------------------------------------------------

    def matmul(self):
        x = self.pick(rank=1)
        if not x:
            return
        n = self.integer(1, 5)
        batch = [d if self.integer(0, 2) else 1 for d in x.shape[:-2]][self.integer(0, max(1, len(x.shape) - 1)) :]
        y = self.constant(self.exactNumbers(*batch, x.shape[-1], n))
        self.add("Tanh", [self.add("MatMul", [x, y], [*x.shape[:-1], n])], [*x.shape[:-1], n])

    def gemm(self):
        x = self.pick(rank=2)
        if x and len(x.shape) == 2:
            a, b, n = self.integer(0, 2), self.integer(0, 2), self.integer(1, 5)
            rows, inner = x.shape[::-1] if a else x.shape
            y = self.constant(self.exactNumbers(*((n, inner) if b else (inner, n))))
            c = self.constant(self.exactNumbers(*self.choose([(n,), (1, n), (rows, 1), (rows, n), (1,), ()])))
            value = self.add("Gemm", [x, y, c], [rows, n], transA=a, transB=b, alpha=0.5, beta=1.25)
            self.add("Tanh", [value], value.shape)

    def image(self):
        x = self.pick(rank=3)
        return x if x and len(x.shape) in (3, 4) and x.size <= 300 else None

    def windows(self, x):
        """Kernel, strides and pads, and the result's extent."""
        extent = x.shape[2:]
        kernel = [self.integer(1, min(d, 3) + 1) for d in extent]
        strides = [self.integer(1, 3) for _ in extent]
        pads = [self.integer(0, k) for k in (*kernel, *kernel)]
        half = len(extent)
        out = [(d + pads[i] + pads[half + i] - kernel[i]) // strides[i] + 1 for i, d in enumerate(extent)]
        return {"kernel_shape": kernel, "strides": strides, "pads": pads}, out

    def conv(self):
        if x := self.image():
            attributes, out = self.windows(x)
            group = self.choose([g for g in (1, 2, x.shape[1]) if x.shape[1] % g == 0])
            f = group * self.integer(1, 3)
            w = self.constant(self.exactNumbers(f, x.shape[1] // group, *attributes["kernel_shape"]))
            bias = [self.constant(self.exactNumbers(f))] if self.integer(0, 2) else []
            value = self.add("Conv", [x, w, *bias], [x.shape[0], f, *out], group=group, **attributes)
            self.add("Softsign", [value], value.shape)

    def pool(self):
        if x := self.image():
            attributes, out = self.windows(x)
            if self.integer(0, 2):
                self.add("MaxPool", [x], [*x.shape[:2], *out], exact=x.exact, **attributes)
            else:
                self.add("AveragePool", [x], [*x.shape[:2], *out], count_include_pad=self.integer(0, 2), **attributes)

    def normalization(self):
        if x := self.image():
            c = x.shape[1]
            scale, bias, mean = (self.constant(self.exactNumbers(c)) for _ in range(3))
            if self.integer(0, 2):
                variance = self.constant(np.abs(self.exactNumbers(c)) + np.float32(0.5))
                self.add("BatchNormalization", [x, scale, bias, mean, variance], x.shape)
            elif np.prod(x.shape[2:]) > 1:
                self.add("InstanceNormalization", [x, scale, bias], x.shape, epsilon=0.01)

    def globalPool(self):
        if x := self.image():
            op = self.choose(["GlobalAveragePool", "GlobalMaxPool"])
            self.add(op, [x], [*x.shape[:2], *([1] * (len(x.shape) - 2))], exact=x.exact and op == "GlobalMaxPool")

    def convTranspose(self):
        if x := self.image():
            extent, f = x.shape[2:], self.integer(1, 4)
            kernel, strides = [self.integer(1, 4) for _ in extent], [self.integer(1, 3) for _ in extent]
            out = [(d - 1) * s + k for d, s, k in zip(extent, strides, kernel)]
            w = self.constant(self.exactNumbers(x.shape[1], f, *kernel))
            value = self.add("ConvTranspose", [x, w], [x.shape[0], f, *out], kernel_shape=kernel, strides=strides)
            self.add("Softsign", [value], value.shape)

    def resize(self):
        if x := self.image():
            scale = [1, 1] + [self.choose([1, 2, 3]) for _ in x.shape[2:]]
            shape = [d * s for d, s in zip(x.shape, scale)]
            modes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
            modes = self.choose([modes, {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}])
            isExact = x.exact and modes["mode"] == "nearest"
            self.add("Resize", [x, "", self.constant(np.float32(scale))], shape, exact=isExact, **modes)


METHODS = [
    getattr(Maker, name)
    for name in "unary unary binary binary binary division comparison comparison where logic cast rounding clip prelu transpose"
    " transpose reshape reshape flatten unsqueeze squeeze slice slice concat concat gather gatherElements pad tile expand"
    " depthToSpace trilu reduce reduce reduce argmax softmax cumsum layerNormalization topk matmul matmul gemm conv conv pool"
    " pool normalization globalPool convTranspose resize".split()
]


def makeModel(seed, isFree):
    maker = Maker(seed)
    if not maker.integer(0, 3):  # an image to begin with
        maker.inputs[0].shape = tuple(maker.integer(1, 7) for _ in range(4))
    if isFree:
        maker.inputs[0].shape = (FREE, *maker.inputs[0].shape[1:])
    for _ in range(6 if isFree else 16):
        maker.choose(METHODS)(maker)
    return maker


def without(maker, names):
    """The nodes that are lowered, except those of these names and their users."""
    leftOut, nodes = set(), []
    for node in maker.nodes:
        if node.op_type not in LOWERED or node.name in names or leftOut & set(node.input):
            leftOut.update(node.output)
        else:
            nodes.append(node)
    return nodes


def modelOf(maker, nodes, isFree, everything):
    """`everything`: all values are outputs; else those that nothing reads."""
    read = {name for node in nodes for name in node.input}
    made = {value.name: value for value in maker.values}
    outputs = [made[node.output[0]] for node in nodes if everything or node.output[0] not in read]
    shape = lambda value: ["N", *value.shape[1:]] if isFree and value is maker.inputs[0] else value.shape
    inputs = [m.info(value.name, shape(value)) for value in maker.inputs]
    infos = [m.info(value.name, [None] * len(value.shape) if isFree else value.shape, value.kind) for value in outputs]
    used = [constant for constant in maker.constants if constant.name in read]
    return m.model(nodes, inputs, infos, used, opset=20)


def refusedNodes(text):
    return {line.split("'")[1] for line in text.splitlines()[1:] if "'" in line}


def exported(folder, maker, isFree, everything):
    """The model of what is not refused, and its script; nothing if that is nothing."""
    refused = set()
    while nodes := without(maker, refused):
        model = modelOf(maker, nodes, isFree, everything)
        try:
            return model, systemds.export(folder, model)
        except systemds.Refused as refusal:
            more = refusedNodes(str(refusal)) & {node.name for node in nodes}
            if not more:
                break
            refused |= more
    return None, None


def feedOf(maker, rows=None):
    """`rows`: of the first input, if that is free."""
    shapes = [value.shape for value in maker.inputs]
    if rows:
        shapes[0] = (rows, *shapes[0][1:])
    return {value.name: maker.exactNumbers(*shape) for value, shape in zip(maker.inputs, shapes)}


def runsWith(model, feeds):
    """No constant made the free size a fixed one."""
    onnxruntime.set_default_logger_severity(4)
    try:
        return bool([systemds.onnxRuntime(model, feed) for feed in feeds])
    except Exception:  # of ONNX Runtime, which has no other
        return False
    finally:
        onnxruntime.set_default_logger_severity(2)


def expectRandom(folder, seed):
    """Returns how many nodes ran and how many there were."""
    isFree = seed % 3 == 0
    maker = makeModel(seed, isFree)
    feeds = [feedOf(maker, rows) for rows in ((FREE, 4) if isFree else (None,))]
    if isFree and not runsWith(modelOf(maker, maker.nodes, isFree, everything=True), feeds):
        return 0, len(maker.nodes)
    model, script = exported(folder, maker, isFree, everything=maker.integer(0, 2))
    if not model:
        return 0, len(maker.nodes)
    wanted = [systemds.onnxRuntime(model, feed) for feed in feeds]
    if systemds.process():
        for feed, results in zip(feeds, wanted):
            matrices = systemds.runScript(folder, script, list(feed.values()), systemds.process())
            for value, matrix, one in zip(model.graph.output, matrices, results):
                systemds.expectClose(matrix, one, f"{value.name} (seed {seed})", rtol=1e-4, atol=2e-5)
    return len(model.graph.node), len(maker.nodes)


def test_random_models(folder):
    wrong, ran, made = [], 0, 0
    for i in range(150 if t.options.long else 6):
        seed = t.options.seed + i
        case = folder / str(seed)
        case.mkdir()
        try:
            one = expectRandom(case, seed)
            ran, made = ran + one[0], made + one[1]
        except (AssertionError, RuntimeError, systemds.dml.Mistake) as error:
            wrong.append(f"seed {seed}: {type(error).__name__}: {' '.join(str(error).split())[:600]}")
    print(f"{ran} of {made} nodes ran")
    assert not wrong, "\n".join(wrong)
    assert ran > made // 4
