# SPDX-License-Identifier: Apache-2.0
"""Random functions with equal calls, equal bodies, and results that are known whatever is passed: results keep their bits, and
nothing is left to do."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_exact import canRun, cleaned
from onnxfold_models import const, info, node
from test_random_functions import LARGE, SMALL, Writer, checkAgain

F32 = TensorProto.FLOAT


class Repeater(Writer):
    """Some nodes with bodies and some calls are there twice, under other names. Functions may give two results."""

    def branch(self, values, attribute):
        inner = Repeater(self.random, self.name() + "_", self.functions, self.depth + 1)
        last = inner.fill(list(values), 2, attribute)[-1]
        result = inner.emit("Identity", [last])
        return m.graph(inner.nodes, [], [helper.make_tensor_value_info(result, F32, None)], name=inner.prefix)

    def step(self, values, attribute):
        before = self.random.bit_generator.state
        made = super().step(values, attribute)
        isLarge = self.nodes[-1].op_type == "If" or self.nodes[-1].domain
        if not isLarge or self.random.integers(3):
            return made
        after, self.random.bit_generator.state = self.random.bit_generator.state, before
        again = super().step(values, attribute)
        self.random.bit_generator.state = after
        return self.emit(self.one(["Add", "Sub", "Max"]), [made, again])

    def call(self, values, attribute):
        function, arity, takes, results = self.one(self.functions)
        more = {"perm": self.one([[1, 0], [0, 1]])} if takes else {}
        outputs = [self.name() for _ in range(results)]
        self.nodes.append(node(function, [self.one(values) for _ in range(arity)], outputs, domain="own", **more))
        return self.emit("Add", outputs) if results > 1 and self.random.integers(2) else self.one(outputs)

    def result(self, inputs, last):
        """What depends on one input, and on the shape of another value, or on all."""
        if self.random.integers(2):
            return self.emit("Add", [last, inputs[0]])
        value = self.one(inputs)
        for _ in range(int(self.random.integers(3))):
            value = self.emit(self.one(["Neg", "Abs", "Transpose"]), [value])
        return self.emit("Reshape", [value, self.emit("Shape", [last])])


def makeFunction(random, number, shape, functions):
    writer = Repeater(random, f"f{number}_", list(functions))
    inputs = [f"a{number}_{i}" for i in range(int(random.integers(1, 4)))]
    takes, values = bool(random.integers(3) == 0), list(inputs)
    if random.integers(3) == 0:
        own = const("", random.integers(-9, 9, shape), np.float32)
        values.insert(0, writer.emit("Constant", [], value=own))
    last = writer.fill(values, int(random.integers(2, 7)), "perm" if takes else None)[-1]
    results = [writer.result(inputs, last) for _ in range(int(random.integers(1, 3)))]
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    name, attributes = f"F{number}", ["perm"] if takes else []
    proto = helper.make_function("own", name, inputs, results, writer.nodes, imports, attributes)
    return proto, (name, len(inputs), takes, len(results))


def makeModel(random):
    shape = SMALL if random.integers(2) else LARGE
    functions, protos = [], []
    for k in range(int(random.integers(1, 4))):
        proto, function = makeFunction(random, k, shape, functions)
        protos.append(proto)
        functions.append(function)
    writer = Repeater(random, "v", functions)
    constants = [const(f"c{k}", random.integers(-9, 9, shape), np.float32) for k in range(3)]
    known, values = [one.name for one in constants], ["x"]
    for _ in range(int(random.integers(2, 7))):
        given = values[-2:] + [writer.one(known) for _ in range(3)]
        values.append(writer.step(values + given[2:], None) if random.integers(3) else writer.call(given, None))
    y = writer.emit("Sum", values)
    imports = {"domains": [("own", 1)], "functions": protos}
    return m.model(writer.nodes, [info("x", shape)], [info(y, shape)], constants, **imports), shape


def countFired(folder, source):
    """Calls and nodes with bodies that were merged, and calls that folded."""
    nodes = t.foldWithReport(source, folder / "reported.onnx")["nodes"]
    large = [one for one in nodes if one["op"] == "If" or one["domain"] == "own"]
    merged = sum(one["reason"]["text"] == "common-subexpression" for one in large)
    return merged, sum(one["action"] == "folded" for one in large if one["op"] != "If")


def test_random_calls(folder):
    options = t.options
    allFlags = [[], ["-O2"], ["--max-growth=0"], ["--max-growth=2000"]]
    allFlags += [["--disable=constant-call"], ["--disable=constant-call,lift-from-function"]]
    count = 600 if options.long else 60
    fired = np.zeros(2, int)
    for number in range(count):
        random = np.random.default_rng([options.seed, number])
        model, shape = makeModel(random)
        feeds = [{"x": random.integers(-9, 9, shape).astype(np.float32)} for _ in range(2)]
        onnx.save(model, folder / "source.onnx")
        fired += countFired(folder, folder / "source.onnx")
        try:
            assert canRun(folder / "source.onnx", feeds), "ONNX Runtime does not run it"
            flags = allFlags[number % len(allFlags)]
            reduced.check(model, feeds, lambda model, feeds: cleaned(folder, model, *flags, feeds=feeds))
        except AssertionError as why:
            raise AssertionError(f"model {number}: {why}")
    print(f"  {fired[0]} merged, {fired[1]} calls folded", flush=True)
    assert (fired > 0.1 * count).all(), f"{fired[0]} merged and {fired[1]} calls folded in {count} models"


def test_models_that_a_second_run_changed(folder):
    """Random models in each of which the first run left something to the second."""
    flags = {
        (12, 333): ["--max-growth=2000"],  # constants in place of calls and lifted ones took 3216 bytes, and left -1216
        (13, 338): ["--max-growth=0"],  # a function that nothing called any more lost a constant, and the graph grew
        (10, 446): ["--max-growth=0"],  # the same, after constants were lifted from it
        (9320000, 369): ["--max-growth=2000"],  # two shapes of what the budget kept were one constant in the second run
        (9190000, 368): ["--max-growth=0"],  # lifted constants and those in place of calls took more than all: two calls stayed
    }
    for (seed, number), more in flags.items():
        checkAgain(folder, makeModel, seed, number, more)
