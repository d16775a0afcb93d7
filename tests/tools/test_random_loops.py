# SPDX-License-Identifier: Apache-2.0
"""Random loops that keep, grow, exchange and reshape what they carry, and compute with its sizes: results keep their bits, for
several sizes and numbers of iterations, and nothing is left to do."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_exact import canRun, cleaned, runExact
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
CONSTANTS = {
    "yes": np.array(True),
    "v0": np.array([0]),
    "v1": np.array([1]),
    "both": np.array([0, 1]),
    "few": np.array([3]),
    "many": np.array([9, 9]),
    "none": np.array([0, 0]),
    "column": np.array([-1, 1]),
    "row": np.array([1, -1]),
    "c0": np.array(0),
    "c1": np.array(1),
    "c2": np.array(2),
    "small": np.float32(0.25),
    "block": np.ones((2, 4), np.float32),
}
FEEDS = [
    {"x": np.linspace(-1, 1, n * 4, dtype=np.float32).reshape(n, 4), "M": np.array(count)}
    for n, count in ((1, 0), (2, 1), (5, 3), (4, 2), (2, 0), (1, 3))
]


class Writer:
    """Nodes of one graph. `matrices` are floats of rank 2 and any size but 0, `numbers` are int64 scalars, `vectors` int64
    vectors of two."""

    def __init__(self, random, prefix, outer=None):
        self.random, self.prefix, self.count, self.nodes = random, prefix, 0, []
        self.depth = outer.depth + 1 if outer else 0
        self.matrices, self.numbers, self.vectors = (
            (list(outer.matrices), list(outer.numbers), list(outer.vectors)) if outer else ([], [], [])
        )

    def one(self, choices):
        return choices[int(self.random.integers(len(choices)))]

    def chance(self, of):
        return int(self.random.integers(of)) == 0

    def recent(self, values):
        return values[-1 - int(self.random.integers(min(4, len(values))))]

    def emit(self, op, inputs, **more):
        self.count += 1
        output = f"{self.prefix}{self.count}"
        self.nodes.append(node(op, inputs, [output], **more))
        return output

    def size(self, value, axis):
        shape = self.emit("Shape", [value])
        return self.emit("Gather", [shape, f"c{axis}"])

    def like(self, value):
        """A matrix of the same sizes."""
        kind = int(self.random.integers(6))
        if kind == 0:
            return self.emit("Reshape", [value, self.emit("Shape", [value])])
        if kind == 1:
            return self.emit("Add", [value, self.emit(self.one(["Neg", "Sign"]), [value])])
        if kind == 2:
            size = self.emit("Cast", [self.size(value, int(self.random.integers(2)))], to=F32)
            return self.emit("Sub", [value, self.emit("Mul", [size, "small"])])
        if kind == 3 and self.numbers:
            return self.emit("Add", [value, self.emit("Cast", [self.recent(self.numbers)], to=F32)])
        return self.emit(self.one(["Neg", "Abs", "Sign", "Relu"]), [value])

    def other(self, value):
        """A matrix of some other sizes."""
        kind = int(self.random.integers(7))
        if kind == 0:
            return self.emit("Transpose", [value], perm=[1, 0])
        if kind == 1:
            part = self.emit("Slice", [value, "v0", "few", self.one(["v0", "v1"])])
            return self.emit("Concat", [value, part], axis=self.axisOf(part))
        if kind == 2:
            return self.emit("Reshape", [value, self.one(["column", "row"])])
        if kind == 3:
            return self.emit("Slice", [value, "v0", "few", self.one(["v0", "v1"])])
        if kind == 4:
            sizes = [self.emit("Unsqueeze", [self.size(value, axis), "v0"]) for axis in (1, 0)]
            return self.emit("Reshape", [value, self.emit("Concat", sizes, axis=0)])
        if kind == 5:
            turned = self.emit("Transpose", [value], perm=[1, 0])
            return self.emit("Sign", [self.emit("MatMul", [value, turned])])
        return self.emit("ReduceMax", [value, self.one(["v0", "v1"])], keepdims=1)

    def axisOf(self, part):
        """The axis that a part was cut off along."""
        made = next(one for one in self.nodes if one.output[0] == part)
        return int(CONSTANTS[made.input[3]][0])

    def cut(self, value):
        """Few enough elements, whatever was done."""
        return self.emit("Slice", [value, "none", "many"])

    def step(self):
        kind = int(self.random.integers(10))
        value = self.recent(self.matrices)
        if kind < 4:
            self.matrices.append(self.like(value))
        elif kind < 6:
            self.matrices.append(self.other(value))
        elif kind == 6:
            self.numbers.append(self.size(value, int(self.random.integers(2))))
        elif kind == 7 and self.numbers:
            pair = [self.recent(self.numbers), self.one([*self.numbers, "c1", "c2"])]
            self.numbers.append(self.emit(self.one(["Add", "Sub", "Max"]), pair))
        elif kind == 8 and self.vectors:
            self.numbers.append(self.emit("Gather", [self.recent(self.vectors), self.one(["c0", "c1"])]))
        elif kind == 9 and self.depth < 3:
            self.branch() if self.chance(3) else self.loop()
        else:
            self.vectors.append(self.emit("Shape", [value]))

    def fill(self, steps):
        for _ in range(steps):
            self.step()
        return self

    def branch(self):
        """An If of two branches that do the same or not."""
        value = self.recent(self.matrices)
        first = self.emit("Less", [self.emit("ReduceSum", [value], keepdims=0), "small"])
        graphs = []
        for name in ("then", "else"):
            inner = Writer(self.random, f"{self.prefix}{self.count}{name}_", self)
            inner.fill(2)
            given = inner.cut(inner.like(value) if self.chance(2) else inner.recent(inner.matrices))
            graphs.append(m.graph(inner.nodes, [], [info(given, None)], name=inner.prefix))
        self.matrices.append(self.emit("If", [first], then_branch=graphs[0], else_branch=graphs[1]))

    def start(self):
        """What a loop begins with: (value, kind)."""
        if self.vectors and self.chance(4):
            return self.recent(self.vectors), "vectors"
        if self.chance(4):
            return self.one([*self.numbers, "c0", "c1", "c2"]), "numbers"
        return self.recent(self.matrices) if not self.chance(5) else "block", "matrices"

    def next(self, own, kind, carried):
        """What the body gives for the next iteration."""
        if self.chance(4):
            own = self.one([name for name, other in carried if other == kind])
        if kind == "matrices":
            return self.cut(self.other(own) if self.chance(3) else self.like(own))
        if kind == "vectors":
            return self.emit("Identity", [own]) if self.chance(2) else self.emit("Max", [own, self.recent(self.vectors)])
        if self.chance(2):
            return self.emit("Add", [own, self.one(["c0", "c1"])])
        return self.emit("Min", [self.recent(self.numbers), "c2"])

    def count_(self):
        if self.chance(3):
            return "M"
        if self.chance(3):
            return self.emit("Min", [self.size(self.recent(self.matrices), 0), "c2"])
        return self.one(["c0", "c1", "c2", "c2"])

    def loop(self):
        starts = [self.start() for _ in range(int(self.random.integers(1, 4)))]
        count, condition = self.count_(), self.one(["yes", "yes", ""])
        self.count += 1
        inner = Writer(self.random, f"{self.prefix}{self.count}l_", self)
        carried = [(f"{inner.prefix}s{k}", kind) for k, (_, kind) in enumerate(starts)]
        for name, kind in carried:
            getattr(inner, kind).append(name)
        inner.numbers.append(f"{inner.prefix}i")
        inner.fill(int(self.random.integers(1, 5)))
        given = [inner.next(name, kind, carried) for name, kind in carried]
        seen = inner.emit("ReduceSum", [inner.recent(inner.matrices)], keepdims=0)
        total = inner.emit("Identity", [inner.recent(inner.numbers)])
        continues = inner.emit("Identity", [f"{inner.prefix}go"])
        if self.chance(4):
            continues = inner.emit("Less", [f"{inner.prefix}i", self.one(["c0", "c1"])])
        kinds = {"matrices": (F32, (None, None)), "vectors": (I64, (None,)), "numbers": (I64, ())}

        def typed(name, kind):
            element, shape = kinds[kind]
            return helper.make_tensor_value_info(name, element, shape if self.chance(2) else None)

        arguments = [info(f"{inner.prefix}i", (), I64), info(f"{inner.prefix}go", (), BOOL)]
        arguments += [typed(*one) for one in carried]
        outputs = [info(continues, (), BOOL), *[typed(name, kind) for name, (_, kind) in zip(given, carried)]]
        outputs += [info(seen, (), F32), info(total, (), I64)]
        body = m.graph(inner.nodes, arguments, outputs, name=inner.prefix)
        names = [f"{self.prefix}{self.count}r{k}" for k in range(len(starts) + 2)]
        self.nodes.append(node("Loop", [count, condition, *[name for name, _ in starts]], names, body=body))
        for name, (_, kind) in zip(names, starts):
            getattr(self, kind).append(name)
        self.numbers.append(self.emit("ReduceSum", [names[-1]], keepdims=0))
        row = self.emit("Unsqueeze", [self.emit("ReduceSum", [names[-2]], keepdims=0), "both"])
        self.matrices.append(row)


def makeModel(random):
    writer = Writer(random, "g")
    writer.matrices.append("x")
    while not any(one.op_type == "Loop" for one in writer.nodes) or writer.count < 12:
        writer.fill(1)
    outputs = []
    for value in writer.matrices[-4:]:
        outputs += [info(writer.emit("ReduceSum", [value], keepdims=0), ())]
        outputs += [info(writer.emit("Shape", [value]), (None,), I64)]
    for value in writer.numbers[-4:]:
        outputs.append(info(writer.emit("Neg", [value]), (), I64))
    model = m.model(writer.nodes, [info("x", ("N", 4)), info("M", (), I64)], outputs)
    read = {name for graph in t.allGraphs(model.graph) for one in graph.node for name in one.input}
    model.graph.initializer.extend(const(name, value) for name, value in CONSTANTS.items() if name in read)
    return model


def shapes(graph):
    return sum(one.op_type in ("Shape", "Size") for inner in t.allGraphs(graph) for one in inner.node)


def test_random_loops(folder):
    """Bit for bit as before in ONNX Runtime (but for -O2); and nothing is left to do."""
    options = t.options
    allFlags = [[], ["-O2"], ["-O0"], ["--disable=common-subexpression"], ["--unroll=3"], ["--max-growth=0"]]
    count = 2000 if options.long else 120
    refused = before = after = 0
    for number in range(count):
        flags = allFlags[number % len(allFlags)]
        model = makeModel(np.random.default_rng([options.seed, number]))
        onnx.save(model, folder / "source.onnx")
        try:
            runs = canRun(folder / "source.onnx", FEEDS)
            refused += not runs
            isRun = runs and "-O2" not in flags
            out = reduced.check(model, FEEDS, lambda model, feeds: cleaned(folder, model, *flags, feeds=feeds, runs=isRun))
        except AssertionError as why:
            raise AssertionError(f"model {number}: {why}")
        before, after = before + shapes(model.graph), after + shapes(out.graph)
    assert refused < 0.1 * count, f"ONNX Runtime runs only {count - refused} of {count} models"
    assert after < 0.8 * before, f"{after} of {before} Shape and Size are left"


def checkSizes(graph, feed, values, number):
    """Each size that is written is that of the value, and names mean one number."""
    named = {"N": feed["x"].shape[0]}
    for one in graph.value_info:
        shape, actual = one.type.tensor_type.shape, values[one.name].shape
        if not one.type.tensor_type.HasField("shape"):
            continue
        assert len(shape.dim) == len(actual), f"rank of '{one.name}' in model {number}"
        for d, size in zip(shape.dim, actual):
            stated = d.dim_value if d.HasField("dim_value") else named.setdefault(d.dim_param, size) if d.dim_param else size
            assert stated == size, f"a size of '{one.name}' in model {number}, {len(shape.dim)} dimensions"


def test_sizes_that_are_written(folder):
    """Of all values of the main graph: they are what ONNX Runtime makes, with and without iterations."""
    options = t.options
    count = 1000 if options.long else 60
    written = 0
    for number in range(count):
        onnx.save(makeModel(np.random.default_rng([options.seed, number])), folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx", "--shapes")
        model = onnx.load(folder / "out.onnx")
        infos = [one for one in model.graph.value_info if one.type.HasField("tensor_type")]
        model.graph.output.extend(
            helper.make_tensor_value_info(one.name, one.type.tensor_type.elem_type, None) for one in infos
        )
        onnx.save(model, folder / "open.onnx")
        for feed, values in zip(FEEDS, runExact(folder / "open.onnx", FEEDS)):
            checkSizes(model.graph, feed, values, number)
        written += sum(bool(d.dim_value) for one in infos for d in one.type.tensor_type.shape.dim)
    assert written > 2 * count, f"only {written} sizes are written"


def test_models_that_a_second_run_changed(folder):
    """Random models in each of which the first run left something to the second."""
    flags = {
        (9140000, 382): ["--unroll=3"],  # only what folds read slices of no iterations, and the loop was kept for it
    }
    for (seed, number), more in flags.items():
        try:
            cleaned(folder, makeModel(np.random.default_rng([seed, number])), *more, feeds=FEEDS)
        except AssertionError as why:
            raise AssertionError(f"model {number} of seed {seed}: {why}")
