# SPDX-License-Identifier: Apache-2.0
"""Random small models, and wrong versions of them: an operator exchanged, an attribute changed, a bit of a constant flipped,
operands in another order, a node dropped. ONNX Runtime says whether a wrong version differs on any of many inputs."""

import copy
import itertools

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

import onnxfold_models as m
from onnxfold_compare import bitPattern
from onnxfold_models import const, info, node

F32, F64, I64, I32, BOOL = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL
TYPES = {"f": (F32, np.float32), "d": (F64, np.float64), "i": (I64, np.int64), "j": (I32, np.int32), "b": (BOOL, np.bool_)}

UNARY = {
    "f": ("Abs", "Neg", "Relu", "Sigmoid", "Tanh", "Floor", "Ceil", "Sign", "Exp", "Sqrt", "Identity", "Softplus", "LeakyRelu", "Elu"),
    "d": ("Abs", "Neg", "Relu", "Floor", "Ceil", "Sign", "Identity"),
    "i": ("Abs", "Neg", "Sign", "Identity"),
    "j": ("Abs", "Neg", "Sign", "Identity"),
    "b": ("Not", "Identity"),
}
BINARY = {
    "f": ("Add", "Sub", "Mul", "Div"), "d": ("Add", "Sub", "Mul", "Div"), "i": ("Add", "Sub", "Mul"), "j": ("Add", "Sub", "Mul"),
    "b": ("And", "Or", "Xor"),
}
COMPARE = ("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal")
REDUCE = ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean")
FAMILIES = [*UNARY.values(), *BINARY.values(), COMPARE, REDUCE]
# Which axis, slope and so on: a number that may be another one.
OTHER = {"alpha": lambda rng, a: a + float(rng.choice((-0.5, 0.25, 1))), "axis": lambda rng, a: 1 - a,
         "largest": lambda rng, a: 1 - a, "exclusive": lambda rng, a: 1 - a, "reverse": lambda rng, a: 1 - a}


class RandomModel:
    """A few nodes over values [n, 3] of several types."""

    def __init__(self, rng):
        self.rng, self.names = rng, (f"v{k}" for k in itertools.count())
        self.nodes, self.constants = [], []
        self.inputs = {kind: [f"{kind}{k}" for k in range(2)] for kind in TYPES}
        self.values = {kind: list(names) for kind, names in self.inputs.items()}

    def one(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def value(self, kind):
        if self.rng.random() < 0.3:
            return self.constant(kind)
        return self.known(kind)

    def known(self, kind):
        """A value of the full shape."""
        names = self.values[kind]
        return names[-1 - int(self.rng.integers(min(4, len(names))))]

    def pair(self, kind):
        both = [self.known(kind), self.value(kind)]
        return both if self.rng.integers(2) else both[::-1]

    def constant(self, kind, shape=None, low=-4):
        shape = self.one((), (1,), (3,), (1, 3)) if shape is None else shape
        dtype = TYPES[kind][1]
        if kind in "fd":
            number = self.one(self.rng.uniform(low, 4, shape), self.rng.integers(low, 5, shape), self.rng.normal(0, 100, shape))
        else:
            number = self.rng.integers(low, 5, shape)
        name = next(self.names)
        self.constants.append(const(name, np.asarray(number), dtype))
        return name

    def emit(self, kind, op, inputs, **attributes):
        name = next(self.names)
        self.nodes.append(node(op, inputs, [name], **attributes))
        self.values[kind].append(name)
        return name

    def step(self):
        kind = self.one("f", "f", "f", "d", "i", "i", "j", "b")
        return self.one(self.unary, self.binary, self.binary, self.bounded, self.chosen, self.reduced, self.product, self.moved,
                        self.scanned)(kind)

    def unary(self, kind):
        op = self.one(*UNARY[kind])
        more = {"alpha": float(self.one(0.25, 0.5, 2))} if op in ("LeakyRelu", "Elu") else {}
        self.emit(kind, op, [self.known(kind)], **more)

    def binary(self, kind):
        self.emit(kind, self.one(*BINARY[kind]), self.pair(kind))

    def bounded(self, kind):
        kind = "f" if kind == "b" else kind
        low, high = sorted(self.rng.integers(-5, 6, 2))
        bounds = [const(next(self.names), number, TYPES[kind][1]) for number in (low, high + 1)]
        self.constants += bounds
        self.emit(kind, "Clip", [self.known(kind), *(bound.name for bound in bounds)])

    def chosen(self, kind):
        read = kind if kind != "b" else "f"
        condition = self.emit("b", self.one(*COMPARE), self.pair(read))
        if kind in "fi":
            self.emit(kind, "Where", [condition, self.value(kind), self.value(kind)])

    def reduced(self, kind):
        kind = kind if kind in "fd" else "f"
        name = next(self.names)
        self.constants.append(const(name, [1], np.int64))
        wide = self.emit(kind, self.one(*REDUCE), [self.inputs[kind][0], name], keepdims=1)
        self.values[kind].remove(wide)
        self.emit(kind, "Add", [wide, self.one(*self.inputs[kind])])

    def product(self, kind):
        kind = kind if kind in "fd" else "f"
        self.emit(kind, "MatMul", [self.one(*self.values[kind]), self.constant(kind, (3, 3))])

    def moved(self, kind):
        parts = [self.emit(kind, "Slice", [self.one(*self.inputs[kind]), *(self.number(n) for n in bounds)])
                 for bounds in ((0, 1, 1), (1, 3, 1))]
        for part in parts:
            self.values[kind].remove(part)
        self.emit(kind, "Concat", [parts[1], parts[0]], axis=1)

    def scanned(self, kind):
        kind = "f" if kind in "bd" else kind
        if kind == "f":
            return self.emit(kind, "Softmax", [self.one(*self.inputs[kind])], axis=self.one(0, 1))
        return self.emit(kind, "CumSum", [self.one(*self.inputs[kind]), self.number(1)], exclusive=self.one(0, 1),
                         reverse=self.one(0, 1))

    def number(self, value):
        name = next(self.names)
        self.constants.append(const(name, [value], np.int64))
        return name

    def make(self):
        for _ in range(2 + int(self.rng.integers(6))):
            self.step()
        read = {name for one in self.nodes for name in one.input}
        outputs = [(name, kind) for kind, names in self.values.items() for name in names if name not in read]
        outputs = [(name, kind) for name, kind in outputs if name not in self.inputs[kind]] or [(self.nodes[-1].output[0], "f")]
        inputs = [info(name, ("n", 3), TYPES[kind][0]) for kind, names in self.inputs.items() for name in names if name in read]
        return m.model(self.nodes, inputs, [info(name, None, TYPES[kind][0]) for name, kind in outputs], self.constants)


def exchanged(rng, broken):
    """Another operator of the family."""
    one = broken.graph.node[int(rng.integers(len(broken.graph.node)))]
    families = [family for family in FAMILIES if one.op_type in family]
    if not families:
        return None
    family = families[int(rng.integers(len(families)))]
    other = family[int(rng.integers(len(family)))]
    if other == one.op_type:
        return None
    label = f"{one.op_type} becomes {other}"
    one.op_type = other
    del one.attribute[len(one.attribute) if other in REDUCE else 0 :]
    return label


def changedAttribute(rng, broken):
    places = [(one, attribute) for one in broken.graph.node for attribute in one.attribute if attribute.name in OTHER]
    if not places:
        return None
    one, attribute = places[int(rng.integers(len(places)))]
    if one.op_type == "Concat":
        return None
    value = OTHER[attribute.name](rng, helper.get_attribute_value(attribute))
    attribute.CopyFrom(helper.make_attribute(attribute.name, value))
    return f"{attribute.name} of {one.op_type} becomes {value}"


def flippedBit(rng, broken):
    tensors = [one for one in broken.graph.initializer if one.data_type in (F32, F64, I64, I32) and one.raw_data]
    if not tensors:
        return None
    tensor = tensors[int(rng.integers(len(tensors)))]
    data = bytearray(tensor.raw_data)
    bit = int(rng.integers(8 * len(data)))
    data[bit // 8] ^= 1 << bit % 8
    tensor.raw_data = bytes(data)
    return f"bit {bit} of {tensor.name}"


def swapped(rng, broken):
    places = [one for one in broken.graph.node if len(one.input) > 1]
    if not places:
        return None
    one = places[int(rng.integers(len(places)))]
    inputs = list(one.input)
    inputs[-1], inputs[-2] = inputs[-2], inputs[-1]
    if inputs == list(one.input):
        return None
    del one.input[:]
    one.input.extend(inputs)
    return f"operands of {one.op_type}"


def dropped(rng, broken):
    one = broken.graph.node[int(rng.integers(len(broken.graph.node)))]
    if one.op_type == "Identity":
        return None
    label = f"{one.op_type} dropped"
    kept = one.input[-1] if one.op_type == "Where" else one.input[int(rng.integers(len(one.input)))]
    del one.input[:], one.attribute[:]
    one.op_type = "Identity"
    one.input.append(kept)
    return label


def mutant(rng, source):
    """A wrong version of the model that ONNX Runtime takes, with what was done; or nothing."""
    broken = copy.deepcopy(source)
    kinds = (exchanged, changedAttribute, flippedBit, swapped, dropped)
    label = kinds[int(rng.integers(len(kinds)))](rng, broken)
    return (broken, label) if label else None


def session(source):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(source.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _array(rng, dtype, shape, numbers):
    """Numbers of one of many kinds."""
    if dtype == np.bool_:
        return rng.random(shape) < rng.random()
    isFloat = np.dtype(dtype).kind == "f"
    limits = np.finfo(dtype) if isFloat else np.iinfo(dtype)
    special = [0, 1, -1, limits.max, limits.min] + ([-0.0, np.nan, np.inf, -np.inf, limits.tiny] if isFloat else [limits.max - 1])
    with np.errstate(all="ignore"):
        own = np.asarray([*numbers, 3], np.float64)
        own = own if isFloat else np.clip(np.nan_to_num(own), -(2.0**31), 2.0**31 - 1)
        own = own.astype(dtype)
        near = np.nextafter(own, np.asarray(rng.choice((-np.inf, np.inf)), dtype)) if isFloat else own + dtype(rng.choice((-1, 1)))
        usual = rng.uniform(-1, 1, shape) if isFloat else rng.integers(-9, 10, shape)
        kinds = [usual, rng.uniform(-10, 10, shape), np.exp2(rng.uniform(-20, 20, shape)) * rng.choice((-1, 1), shape),
                 rng.choice(np.asarray(special, dtype), shape), rng.choice(own, shape), rng.choice(near, shape)]
        picked = rng.integers(0, len(kinds), shape if rng.random() < 0.6 else ())
        return np.choose(picked, [np.asarray(kind).astype(dtype) for kind in kinds]).reshape(shape)


def differs(rng, source, broken, count=120):
    """Whether ONNX Runtime computes something else for any of so many inputs; None if it does not run the broken one."""
    right = session(source)
    try:
        wrong = session(broken)
    except Exception:
        return None
    numbers = [number for model in (source, broken) for one in model.graph.initializer
               for number in numpy_helper.to_array(one).astype(np.float64).ravel()[:20]]
    dtypes = {one.name: helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type) for one in source.graph.input}
    for trial in range(count):
        shape = (1 + trial % 4, 3)
        feed = {name: _array(rng, dtype.type, shape, numbers) for name, dtype in dtypes.items()}
        try:
            want = right.run(None, feed)
        except Exception:
            continue
        try:
            got = wrong.run(None, feed)
        except Exception:
            return True
        for a, b in zip(want, got):
            if a.shape != b.shape or a.dtype != b.dtype or not np.array_equal(bitPattern(a), bitPattern(b)):
                return True
    return False
