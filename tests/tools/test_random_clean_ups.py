# SPDX-License-Identifier: Apache-2.0
"""Random graphs of what clean-ups look for, with near misses: every result keeps its bits, nothing is left to do."""

import itertools

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_exact import canRun, cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT


class RandomGraph:
    """Nodes over values of a kind: f float[n, 3], i int64[n, 3], b bool[n, 3], in If branches too. Most steps are those of
    the patterns, or near misses; the others make new values."""

    TYPES = {"f": F32, "i": I64, "b": BOOL}

    def __init__(self, random):
        self.random, self.names = random, (f"v{k}" for k in itertools.count())
        self.nodes, self.constants, self.depth = [], [], 0
        self.values = {kind: [kind + "0", kind + "1"] for kind in "fib"}

    def one(self, *choices):
        return choices[int(self.random.integers(len(choices)))]

    def value(self, kind):
        known = self.values[kind]
        return known[-1 - int(self.random.integers(min(6, len(known))))]

    def constant(self, value, dtype):
        name = next(self.names)
        self.constants.append(const(name, value, dtype))
        return name

    def ints(self, *values):
        return self.constant(values, np.int64)

    def emit(self, op, inputs, **attributes):
        name = next(self.names)
        self.nodes.append(node(op, inputs, [name], **attributes))
        return name

    def full(self, number, dtype):
        shape = self.one((), (1,), (3,), (1, 3), (1, 1))
        return self.constant(np.full(shape, number), dtype)

    def same(self, x, kind):
        """x again, mostly; some of these are not quite."""
        ofKind, dtype = {
            "f": (self.sameFloat, np.float32),
            "i": (self.sameInteger, np.int64),
            "b": (self.sameBool, np.bool_),
        }[kind]
        moves = [
            lambda: self.emit("Identity", [x]),
            lambda: self.emit("Cast", [x], to=self.TYPES[kind]),
            lambda: self.emit("Transpose", [self.emit("Transpose", [x], perm=[1, 0])], perm=[1, 0]),
            lambda: self.emit("Transpose", [self.emit("Transpose", [x])]),
            lambda: self.emit("Transpose", [x], perm=[0, 1]),
            lambda: self.emit("Reshape", [x, self.ints(0, 3)]),
            lambda: self.emit("Reshape", [x, self.ints(-1, 3)]),
            lambda: self.emit("Reshape", [self.emit("Reshape", [x, self.ints(-1)]), self.emit("Shape", [x])]),
            lambda: self.emit("Squeeze", [self.emit("Unsqueeze", [x, self.ints(0)]), self.ints(0)]),
            lambda: self.emit("Flatten", [x], axis=1),
            lambda: self.emit("Expand", [x, self.ints(1, 1)]),
            lambda: self.emit("Tile", [x, self.ints(1, 1)]),
            lambda: self.emit("Slice", [x, self.ints(0), self.ints(2**31), self.ints(1)]),
            lambda: self.emit("Slice", [x, self.ints(-1), self.ints(-9), self.ints(1), self.ints(-1)]),
            lambda: self.emit("Concat", [x], axis=self.one(0, 1)),
            lambda: self.emit("Concat", [x, self.constant(np.zeros((0, 3)), dtype)], axis=0),
            lambda: self.emit("Reshape", [self.reshaped(x), self.ints(-1, 3)]),
            lambda: self.emit("Reshape", [self.reshaped(self.reshaped(x)), self.ints(-1, 3)]),
            lambda: self.viewed(x),
            lambda: self.turned(x),
            lambda: self.mirrored(x),
            lambda: self.joined(x),
            lambda: self.cut(x),
            lambda: self.parted(x),
            lambda: self.picked(x),
        ]
        return self.one(*moves, *ofKind(x, dtype))()

    def sameFloat(self, x, dtype):
        return [
            lambda: self.emit("Dropout", [x]),
            lambda: self.emit(self.one("Mul", "Div", "Pow"), [x, self.full(1, dtype)]),
            lambda: self.emit("Mul", [self.full(self.one(1, 1, -1), dtype), x]),
            lambda: self.emit(self.one("Add", "Sub"), [x, self.full(self.one(0.0, -0.0), dtype)]),
            lambda: self.emit("Neg", [self.emit("Neg", [x])]),
            lambda: self.emit(self.one("Sum", "Mean", "Max", "Min"), [x]),
            lambda: self.emit("Pad", [x, self.ints(0, 0, 0, 0)]),
            lambda: self.emit("Pad", [x, self.ints(0, 1, 0, -1)]),
            lambda: self.emit("Cast", [self.emit("Cast", [x], to=self.one(1, 11, 10))], to=F32),
            lambda: self.twice(x, self.one("Relu", "Abs", "Floor", "Ceil", "Round", "Sign")),
        ]

    def sameInteger(self, x, dtype):
        return [
            # ONNX Runtime's Where makes 0 of -0, and has no bool.
            lambda: self.emit("Where", [self.value("b"), x, x]),
            lambda: self.emit("Where", [self.full(True, np.bool_), x, self.value("i")]),
            lambda: self.emit("Where", [self.full(False, np.bool_), self.value("i"), x]),
            lambda: self.emit(self.one("Mul", "Div"), [x, self.full(1, dtype)]),
            lambda: self.emit(self.one("Add", "Sub"), [x, self.full(0, dtype)]),
            lambda: self.emit("BitwiseOr", [self.full(0, dtype), x]),
            lambda: self.emit("BitwiseNot", [self.emit("BitwiseNot", [x])]),
            lambda: self.emit("Cast", [self.emit("Cast", [x], to=TensorProto.INT32)], to=I64),
        ]

    def sameBool(self, x, dtype):
        return [
            lambda: self.emit("Not", [self.emit("Not", [x])]),
            lambda: self.emit(self.one("And", "Or", "Xor"), [x, self.full(self.one(True, False), dtype)]),
            lambda: self.emit("Cast", [self.emit("Cast", [x], to=self.one(1, 6, 7, 10))], to=BOOL),
        ]

    def reshaped(self, x):
        """The elements of x in their order; the rank is not known."""
        moves = [
            lambda: self.emit("Reshape", [x, self.ints(-1)]),
            lambda: self.emit("Reshape", [x, self.ints(1, -1, 3)]),
            lambda: self.emit("Flatten", [x], axis=0),
            lambda: self.emit("Unsqueeze", [x, self.ints(self.one(0, 1))]),
        ]
        return self.one(*moves)()

    def viewed(self, x):
        """Chains of Unsqueeze and Squeeze, and what reads a Reshape; x at last."""
        near, far = self.emit("Unsqueeze", [x, self.ints(0)]), self.one(1, 2, 3, -1, -2)
        both = self.emit("Unsqueeze", [near, self.ints(far)])
        place = far % 4
        moves = [
            lambda: self.emit("Squeeze", [both, self.ints(0, place)]),
            lambda: self.emit("Squeeze", [self.emit("Squeeze", [both, self.ints(place)]), self.ints(0)]),
            lambda: self.emit("Squeeze", [self.emit("Squeeze", [both, self.ints(0)]), self.ints(place - 1)]),
            lambda: self.emit("Squeeze", [self.emit("Reshape", [x, self.ints(-1, 1, 3)]), self.ints(self.one(1, -2))]),
            lambda: self.emit("Flatten", [self.emit("Reshape", [x, self.ints(self.one(0, -1), 3, 1)])], axis=self.one(1, -2)),
        ]
        return self.one(*moves)()

    def turned(self, x):
        """Two Transposes, which are not always inverse: other elements in the same shape."""
        orders = [list(order) for order in itertools.permutations(range(3))]
        first = self.emit("Transpose", [self.emit("Unsqueeze", [x, self.ints(0)])], perm=self.one(*orders))
        return self.emit("Reshape", [self.emit("Transpose", [first], perm=self.one(*orders)), self.ints(-1, 3)])

    def mirrored(self, x):
        """Backwards along both axes, in two Slices."""
        back = [self.ints(-1), self.ints(-(2**31))]
        first, second = self.one((0, 1), (1, 0), (0, -1))
        inner = self.emit("Slice", [x, *back, self.ints(first), self.ints(-1)])
        return self.emit("Slice", [inner, *back, self.ints(second), self.ints(-1)])

    def joined(self, x):
        """Its columns, put together again in two steps."""
        parts = [self.emit("Slice", [x, self.ints(i), self.ints(i + 1), self.ints(1)]) for i in range(3)]
        pair = self.emit("Concat", parts[:2], axis=self.one(1, -1))
        return self.emit("Concat", [pair, parts[2]], axis=self.one(1, -1))

    def cut(self, x):
        """Rows of x, all of them at last: what two Slices took away is put back."""
        first, second = self.one((0, 1), (1, 2), (0, 9)), self.one((0, 1), (0, -1), (1, 2**31), (0, 2**31))
        inner = self.emit("Slice", [x, self.ints(first[0]), self.ints(2**31), self.ints(0), self.ints(self.one(1, 1, 2))])
        outer = self.emit("Slice", [inner, self.ints(second[0]), self.ints(self.one(second[1], -1)), self.ints(0), self.ints(self.one(1, 2))])
        return self.emit("Slice", [self.emit("Concat", [x, outer], axis=0), self.ints(0), self.emit("Shape", [x], end=1), self.ints(0)])

    def parted(self, x):
        """Columns apart and together again, mostly in order."""
        parts = [next(self.names) for _ in range(2)]
        self.nodes.append(node("Split", [x, self.ints(1, 2)], parts, axis=self.one(1, -1)))
        first, second = self.one(parts, parts, parts[::-1])
        return self.emit("Concat", [first, second], axis=self.one(1, -1))

    def picked(self, x):
        """Columns beside others, and taken out again."""
        both = self.emit("Concat", [x, x, x], axis=1)
        start = int(self.one(0, 3, 6, 1))
        return self.emit("Slice", [both, self.ints(start), self.ints(start + 3), self.ints(self.one(1, -1)), self.ints(1)])

    def bounded(self, x):
        """By the ends of int32, or nearly. (Of int64 ONNX Runtime compares halves, and not always rightly.)"""
        least, most = -(2**31) + self.one(0, 0, 1), 2**31 - 1 - self.one(0, 0, 1)
        return self.emit("Clip", [x, self.constant(least, np.int32), self.constant(most, np.int32)])

    def stretched(self, x, z):
        """The first row of x as often as z has rows, or not."""
        row = self.emit("Slice", [self.emit("Concat", [x, z], axis=0), self.ints(0), self.ints(1), self.ints(0)])
        return self.emit("Expand", [row, self.emit("Shape", [self.one(x, z)])])

    def both(self, op, x, z):
        """Once in each order; the values that they are compared by differ in no bit."""
        return self.emit(op, self.one([x, z], [z, x]))

    def zeroed(self, x):
        return self.emit("Add", self.one([x, self.full(0, np.float32)], [self.full(0, np.float32), x]))

    def twice(self, x, op):
        return self.emit(op, [self.emit(op, [x])])

    def few(self):
        """A constant, whose products wrap around."""
        return self.full(self.one(3, -5, 2**62, -(2**63)), np.int64)

    def term(self, x):
        return self.emit(self.one("Add", "Sub", "Mul"), [x, self.few()])

    def new(self, kind):
        x, z = self.value(kind), self.value(kind)
        if kind == "f":
            moves = [
                lambda: self.emit(self.one("Add", "Sub", "Mul", "Max", "Min"), [x, z]),
                lambda: self.emit(self.one("Relu", "Neg", "Abs", "Floor"), [x]),
                lambda: self.emit("Mul", [x, self.full(0.5, np.float32)]),
                lambda: self.emit(self.one("Add", "Mul"), self.one([x, self.stretched(x, z)], [self.stretched(z, x), z])),
                lambda: self.emit("Sub", [self.both("Add", x, z), self.both("Mul", x, z)]),
                lambda: self.emit(self.one("Abs", "Exp", "Sigmoid", "Neg"), [self.zeroed(x)]),
                lambda: self.emit("Add", [self.emit(self.one("Abs", "Exp", "Neg"), [x]), self.full(0, np.float32)]),
                lambda: self.emit(self.one("Abs", "Exp", "Neg"), [self.emit("Add", [self.full(0, np.float32), x])]),
                lambda: self.emit("Cast", [self.emit("Cast", [self.value("b")], to=self.one(6, 7, 10))], to=F32),
            ]
        elif kind == "i":
            moves = [
                lambda: self.emit(self.one("Add", "Sub", "BitwiseAnd"), [x, z]),
                lambda: self.emit(self.one("Add", "Sub", "Mul"), [self.term(x), self.one(z, self.term(z), self.few())]),
                lambda: self.emit("Add", [self.emit("Add", [self.term(x), z]), self.few()]),
                lambda: self.emit("Cast", [self.emit("Cast", [self.value("b")], to=self.one(2, 6, 1))], to=I64),
                lambda: self.emit("Where", [self.value("b"), x, z]),
                lambda: self.emit("Cast", [self.bounded(self.emit("Cast", [x], to=TensorProto.INT32))], to=I64),
                lambda: self.emit("Add", [self.both(self.one("Max", "Min"), x, z), self.both("BitwiseAnd", x, z)]),
                lambda: self.emit("Where", [self.value("b"), self.stretched(x, z), x]),
            ]
        else:
            moves = [
                lambda: self.emit(self.one("And", "Or", "Xor"), [x, z]),
                lambda: self.emit("Less", [self.value("f"), self.value("f")]),
                lambda: self.emit(self.one("Less", "Greater", "Equal"), [self.zeroed(self.value("f")), self.zeroed(self.value("f"))]),
                lambda: self.emit("And", [self.both("Or", x, z), self.both("Xor", x, z)]),
                lambda: self.emit("Equal", [self.emit("Add", [self.value("f"), self.full(0, np.float32)]), self.value("f")]),
                lambda: self.emit("Not", [x]),
            ]
        return self.one(*moves)()

    def last(self, kind):
        """What a graph gives: made by a node of its own."""
        return self.new(kind) if self.random.integers(2) else self.same(self.new(kind), kind)

    def again(self):
        """A node as it was once before: an equal one."""
        first = self.nodes[int(self.random.integers(len(self.nodes)))]
        if first.op_type == "If":
            return
        copy = onnx.NodeProto()
        copy.CopyFrom(first)
        copy.output[:] = [next(self.names) for _ in copy.output]
        self.nodes.append(copy)
        for kind in "fib":
            if first.output[0] in self.values[kind]:
                self.values[kind].append(copy.output[0])

    def step(self):
        kind = self.one("f", "f", "i", "b")
        if self.nodes and self.random.integers(6) == 0:
            return self.again()
        if self.depth < 2 and self.random.integers(12) == 0:
            return self.choice(kind)
        x = self.value(kind)
        made = self.same(x, kind) if self.random.integers(3) else self.new(kind)
        self.values[kind].append(made)

    def choice(self, kind):
        bodies = []
        for _ in range(2):
            outer, values = self.nodes, {key: list(known) for key, known in self.values.items()}
            self.nodes, self.depth = [], self.depth + 1
            for _ in range(1 + int(self.random.integers(6))):
                self.step()
            result = self.last(kind)
            output = info(result, (None, 3), self.TYPES[kind])
            bodies.append(m.graph(self.nodes, [], [output], name=next(self.names)))
            self.nodes, self.values, self.depth = outer, values, self.depth - 1
        self.values[kind].append(self.emit("If", ["c"], then_branch=bodies[0], else_branch=bodies[1]))

    def model(self, steps):
        for _ in range(steps):
            self.step()
        outputs = []
        for kind in "fib":
            name = self.last(kind)
            self.values[kind].append(name)
            given = dict.fromkeys([name, self.value(kind)])
            outputs += [info(one, ("n", 3), self.TYPES[kind]) for one in given if one not in (kind + "0", kind + "1")]
        inputs = [info(kind + digit, ("n", 3), self.TYPES[kind]) for kind in "fib" for digit in "01"]
        return m.model(self.nodes, [*inputs, info("c", (), BOOL)], outputs, self.constants, opset=21)


def randomFeed(random, rows):
    special = np.array([0.0, -0.0, 1, -1, 0.5, 1e-40, 3e38, np.inf, -np.inf, np.nan, 2.5, -7.25], np.float32)
    large = np.array([0, 1, -1, 2**31, -(2**31), 2**40 + 1, 2**63 - 1, -(2**63), 5, -6], np.int64)
    feed = {"c": np.array(bool(random.integers(2)))}
    for digit in "01":
        feed["f" + digit] = random.choice(special, (rows, 3))
        feed["i" + digit] = random.choice(large, (rows, 3))
        feed["b" + digit] = random.choice([True, False], (rows, 3))
    return feed


def test_random_graphs(folder):
    """Bit for bit as before in ONNX Runtime, at three sizes, with fewer nodes; and nothing is left to do."""
    options = t.options
    before = after = refused = 0
    count = 4000 if options.long else 150
    for number in range(count):
        random = np.random.default_rng([options.seed, number])
        source = RandomGraph(random).model(int(random.integers(5, 40)))
        feeds = [randomFeed(random, rows) for rows in (1, 2, 5)]
        onnx.save(source, folder / "source.onnx")
        try:
            # In a branch ONNX Runtime now and then does not find an outer value: "Missing Input".
            runs = canRun(folder / "source.onnx", feeds)
            refused += not runs
            out = reduced.check(source, feeds, lambda model, feeds: cleaned(folder, model, feeds=feeds, runs=runs))
        except AssertionError as why:
            raise AssertionError(f"graph {number}: {why}")
        before += sum(t.operatorCounts(source).values())
        after += sum(t.operatorCounts(out).values())
    assert refused < 0.08 * count, f"ONNX Runtime runs only {count - refused} of {count} graphs"
    assert after < 0.6 * before, f"{after} of {before} nodes are left, expected far fewer"
