# SPDX-License-Identifier: Apache-2.0
"""Random programs of branches, loops, scans and sequences: folded at several levels, they give what they gave before."""

import itertools

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT


class Program:
    """Nodes over float tensors [2, 3] (f), numbers (i), conditions (b) and sequences of float tensors (s), in bodies up to
    three deep. All values are small whole numbers, so that every runtime computes the same."""

    INFO = {
        "f": lambda name: info(name),
        "i": lambda name: info(name, (), I64),
        "b": lambda name: info(name, (), BOOL),
        "s": m.sequenceInfo,
    }

    def __init__(self, random):
        self.random = random
        self.names = (f"v{k}" for k in itertools.count())
        self.constants = []
        self.scopes = []  # what is visible: [(name, kind)], innermost last
        self.depth = 0

    def pick(self, count):
        return int(self.random.integers(count))

    def constant(self, kind, value=None):
        name = next(self.names)
        if value is None:
            value = {
                "f": lambda: self.random.integers(-3, 4, (2, 3)).astype(np.float32),
                "i": lambda: np.array(self.pick(5)),
                "b": lambda: np.array(bool(self.pick(2))),
            }[kind]()
        self.constants.append(const(name, value))
        return name

    def any(self, kind):
        known = [name for scope in self.scopes for name, one in scope if one == kind]
        if known and (kind == "s" or self.pick(4)):
            return known[-1 - self.pick(min(len(known), 8))]
        if kind == "s":
            return self.emit("SequenceConstruct", [self.any("f"), self.any("f")], "s")
        return self.constant(kind)

    def emit(self, op, inputs, kind, **attributes):
        name = next(self.names)
        self.nodes.append(node(op, inputs, [name], **attributes))
        self.scopes[-1].append((name, kind))
        return name

    def graphOf(self, arguments, kinds, size):
        """A body with these arguments that gives values of these kinds."""
        outside, self.nodes = self.nodes, []
        self.scopes.append([])
        for name, kind in arguments:
            self.scopes[-1].append((name, kind))
        self.depth += 1
        for _ in range(1 + self.pick(size)):
            self.step()
        given = []
        for kind in kinds:  # a value of the body itself, and each once
            name = next(self.names)
            self.nodes.append(node("Identity", [self.any(kind)], [name]))
            given.append((name, kind))
        self.depth -= 1
        self.scopes.pop()
        inside, self.nodes = self.nodes, outside
        inputs = [self.INFO[kind](name) for name, kind in arguments]
        return m.graph(inside, inputs, [self.INFO[kind](name) for name, kind in given], name=next(self.names))

    def kinds(self, least=1):
        return [self.random.choice(["f", "i", "s", "f"]) for _ in range(least + self.pick(2))]

    def small(self):
        """A number in [0, 4)."""
        return self.emit("Mod", [self.any("i"), self.constant("i", np.array(4))], "i")

    def step(self):
        simple = [
            lambda: self.emit(self.random.choice(["Add", "Sub", "Max", "Min"]), [self.any("f"), self.any("f")], "f"),
            lambda: self.emit("Clip", [self.any("f"), *self.limits()], "f"),
            lambda: self.emit("Add", [self.any("i"), self.small()], "i"),
            lambda: self.emit("Less", [self.any("i"), self.any("i")], "b"),
            lambda: self.emit("Not", [self.any("b")], "b"),
            lambda: self.emit("Add", [self.any("f"), self.emit("Cast", [self.small()], "", to=F32)], "f"),
            lambda: self.emit("SequenceInsert", [self.any("s"), self.any("f")], "s"),
            lambda: self.emit("SequenceLength", [self.any("s")], "i"),
            self.at,
        ]
        deep = [self.choice, self.loop, self.scan]
        many = deep if self.depth < 3 and self.pick(3) == 0 else simple
        many[self.pick(len(many))]()

    def limits(self):
        return [self.constant("f", np.float32(-50)), self.constant("f", np.float32(50))]

    def at(self):
        sequence = self.any("s")
        length = self.emit("SequenceLength", [sequence], "i")
        self.emit("SequenceAt", [sequence, self.emit("Mod", [self.small(), length], "i")], "f")

    def declare(self, kinds):
        names = [next(self.names) for _ in kinds]
        self.scopes[-1].extend(zip(names, kinds))
        return names

    def choice(self):
        kinds, condition = self.kinds(), self.any("b")
        branches = {which: self.graphOf([], kinds, 3) for which in ("then_branch", "else_branch")}
        self.nodes.append(node("If", [condition], self.declare(kinds), **branches))

    def loop(self):
        kinds, scans = self.kinds(), [self.random.choice(["f", "i"]) for _ in range(self.pick(3))]
        inputs = [self.small() if self.pick(4) else "", self.any("b") if self.pick(2) else "", *map(self.any, kinds)]
        if not inputs[0]:
            inputs[0] = self.small()  # never without an end
        arguments = [(next(self.names), kind) for kind in ("i", "b", *kinds)]
        body = self.graphOf(arguments, ["b", *kinds, *scans], 4)
        outputs = [next(self.names) for _ in scans]
        self.nodes.append(node("Loop", inputs, self.declare(kinds) + outputs, body=body))
        for name, kind in zip(outputs, scans):
            axes = self.constant("i", np.array([0]))
            self.emit("ReduceSum", [name, axes], kind, keepdims=0)

    def scan(self):
        kinds = ["f"] * self.pick(2)
        inputs = [self.any("f") for _ in kinds]
        rows = self.constant("f", self.random.integers(-3, 4, (1 + self.pick(3), 2, 3)).astype(np.float32))
        arguments = [(next(self.names), "f") for _ in (*kinds, "row")]
        body = self.graphOf(arguments, [*kinds, "f"], 3)
        output = next(self.names)
        directions = {"scan_input_directions": [self.pick(2)], "scan_output_directions": [self.pick(2)]}
        self.nodes.append(
            node("Scan", [*inputs, rows], [*self.declare(kinds), output], body=body, num_scan_inputs=1, **directions)
        )
        self.emit("ReduceSum", [output, self.constant("i", np.array([0]))], "f", keepdims=0)

    def model(self, isDynamic, size=12):
        """The program; `isDynamic`: some of its constants are inputs."""
        self.nodes = []
        self.scopes.append([])
        for _ in range(size):
            self.step()
        kinds = {"f": info, "i": lambda name: info(name, (), I64), "b": lambda name: info(name, (), BOOL)}
        outputs = [kinds[kind](name) for name, kind in self.scopes[0] if kind in kinds]
        inputs, constants, feed = [], [], {}
        for one in self.constants:
            value = onnx.numpy_helper.to_array(one)
            isInput = isDynamic and value.shape != (1,) and value.ndim < 3 and np.abs(value).max() < 3 and self.pick(3) == 0
            if isInput:
                inputs.append(info(one.name, one.dims, one.data_type))
                feed[one.name] = value
            else:
                constants.append(one)
        return m.model(self.nodes, inputs, outputs, constants, opset=18, ir=8), feed


def plainSession(path):
    """ONNX Runtime 1.31.1 dies of many of the programs when it optimises them (branches with sequences)."""
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("isDynamic", (False, True), ids=("constant", "dynamic"))
def test_random_programs(isDynamic, folder, monkeypatch):
    monkeypatch.setattr(compare, "session", plainSession)
    options = t.options
    for number in range(400 if options.long else 25):
        seed = options.seed * 1000 + number
        model, feed = Program(np.random.default_rng(seed)).model(isDynamic)
        place = folder / str(number)
        place.mkdir()
        try:
            flags = [(), ("-O0",), ("--max-growth=0",)][number % 3]
            out = reduced.check(model, [feed], lambda model, feeds: m.folded(place, model, *flags, feeds=feeds))
            if not isDynamic and "--max-growth=0" not in flags:
                assert m.operators(out) == [], "operators that are left"
        except AssertionError as why:
            raise AssertionError(f"seed {seed}: {why}") from why


def test_models_that_a_second_run_changed(folder):
    """A Loop that only a budget keeps: a constant that only replaced nodes of its body read was erased by the second run."""
    for seed, number in ((6001, 378), (6004, 22), (6005, 370), (6009, 126)):
        random = np.random.default_rng([seed, number])
        model, _ = Program(random).model(bool(random.integers(2)))
        place = folder / f"{seed}-{number}"
        place.mkdir()
        m.folded(place, model, "--max-growth=0", runs=False)


def test_branches_that_give_a_value_twice(folder):
    """Random models: a value kept the name that an inlined branch had given it, so the second run found a copy to erase."""
    for seed, number in ((6004, 463), (6006, 363)):
        random = np.random.default_rng([seed, number])
        model, _ = Program(random).model(bool(random.integers(2)))
        place = folder / f"{seed}-{number}"
        place.mkdir()
        m.folded(place, model, "-O2", runs=False)
