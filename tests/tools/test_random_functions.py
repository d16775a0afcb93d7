# SPDX-License-Identifier: Apache-2.0
"""Random functions that are called several times, by each other too: results keep their bits, and nothing is left to do."""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_reduced as reduced
import onnxfold_testing as t
from onnxfold_exact import canRun, cleaned
from onnxfold_models import const, info, node

F32 = TensorProto.FLOAT
SMALL, LARGE = (3, 3), (20, 20)


class Writer:
    """Nodes over float matrices of one shape, square. Operators that every evaluator computes with the same bits."""

    def __init__(self, random, prefix, functions, depth=0):
        self.random, self.prefix, self.functions, self.depth = random, prefix, functions, depth
        self.nodes, self.count = [], 0

    def one(self, choices):
        return choices[int(self.random.integers(len(choices)))]

    def name(self):
        self.count += 1
        return f"{self.prefix}{self.count}"

    def emit(self, op, inputs, **more):
        output = self.name()
        self.nodes.append(node(op, inputs, [output], **more))
        return output

    def branch(self, values, attribute):
        inner = Writer(self.random, self.name() + "_", self.functions, self.depth + 1)
        last = inner.fill(list(values), 2, attribute)[-1]
        result = inner.emit("Identity", [last])
        return m.graph(inner.nodes, [], [helper.make_tensor_value_info(result, F32, None)], name=inner.prefix)

    def step(self, values, attribute):
        """One more value of some others, mostly of the last."""
        a, b = (values[-1 - int(self.random.integers(min(4, len(values))))] for _ in range(2))
        kind = int(self.random.integers(11))
        if kind < 3:
            return self.emit(self.one(["Neg", "Abs", "Sign", "Identity"]), [a])
        if kind < 5:
            return self.emit("Transpose", [a], perm=self.one([[1, 0], [0, 1]]))
        if kind < 7:
            return self.emit(self.one(["Add", "Sub", "Max", "Min"]), [a, b])
        if kind == 7 and attribute:
            turned = self.emit("Transpose", [a])
            self.nodes[-1].attribute.append(
                AttributeProto(name="perm", ref_attr_name=attribute, type=AttributeProto.INTS)
            )
            return turned
        if kind == 8:
            return self.emit("Reshape", [a, self.emit("Shape", [b])])
        if kind == 9 and self.functions:
            return self.call(values, attribute)
        if self.depth == 2:
            return self.emit("Neg", [a])
        first = self.emit("ReduceMax", [a], keepdims=0)
        condition = self.emit("Less", [first, self.emit("ReduceMin", [b], keepdims=0)])
        return self.emit(
            "If", [condition], then_branch=self.branch(values, attribute), else_branch=self.branch(values, attribute)
        )

    def call(self, values, attribute):
        function, arity, takes = self.one(self.functions)
        more = {"perm": self.one([[1, 0], [0, 1]])} if takes else {}
        return self.emit(function, [self.one(values) for _ in range(arity)], domain="own", **more)

    def fill(self, values, steps, attribute=None):
        for _ in range(steps):
            values.append(self.step(values, attribute))
        return values


def makeModel(random, calls=(2, 6), mixes=True):
    """`mixes`: which inputs are constant differs from call to call."""
    shape = SMALL if random.integers(2) else LARGE
    functions, protos = [], []
    for k in range(int(random.integers(1, 4))):
        writer = Writer(random, f"f{k}_", list(functions))
        inputs = [f"a{k}_{i}" for i in range(int(random.integers(1, 4)))]
        takes = bool(random.integers(3) == 0)
        values = list(inputs)
        if random.integers(3) == 0:
            own = const("", random.integers(-9, 9, shape), np.float32)
            values.insert(0, writer.emit("Constant", [], value=own))
        last = writer.fill(values, int(random.integers(2, 7)), "perm" if takes else None)[-1]
        result = writer.emit("Add", [last, inputs[0]])
        imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
        name = f"F{k}"
        protos.append(
            helper.make_function("own", name, inputs, [result], writer.nodes, imports, ["perm"] if takes else [])
        )
        functions.append((name, len(inputs), takes))
    writer = Writer(random, "v", functions)
    constants = [const(f"c{k}", random.integers(-9, 9, shape), np.float32) for k in range(3)]
    constants.append(const("c3", m.numpy_helper.to_array(constants[0])))  # the same, under another name
    known, values = [one.name for one in constants], ["x"]
    for _ in range(int(random.integers(*calls))):
        function, arity, takes = writer.one(functions)
        more = {"perm": writer.one([[1, 0], [0, 1]])} if takes else {}
        given = [values[-1]] + [writer.one(known if random.integers(4) else values) for _ in range(arity - 1)]
        if mixes:
            random.shuffle(given)
        values.append(writer.emit(function, given, domain="own", **more))
        if random.integers(4) == 0:
            values.append(writer.emit("Neg", [values[-1]]))
        if random.integers(4) == 0:
            known.append(writer.emit("Transpose", [writer.one(known)], perm=[1, 0]))
    y = writer.emit("Sum", values)
    return m.model(
        writer.nodes, [info("x", shape)], [info(y, shape)], constants, domains=[("own", 1)], functions=protos
    ), shape


def makeOfManyCalls(random):
    return makeModel(random, (3, 8), mixes=random.integers(2) == 0)


def test_random_functions(folder):
    """Bit for bit as before in ONNX Runtime, with and without limits on growth; and nothing is left to do."""
    options = t.options
    allFlags = [[], ["-O2"], ["--max-growth=0"], ["--max-growth=2000"], ["--disable=constant-call"]]
    allFlags.append(["-O2", "--disable=constant-call"])  # most only calls are inlined, and nothing is lifted
    lifted = refused = 0
    count = 1000 if options.long else 100
    for number in range(count):
        random = np.random.default_rng([options.seed, number])
        model, shape = makeOfManyCalls(random)
        feeds = [{"x": random.integers(-9, 9, shape).astype(np.float32)} for _ in range(2)]
        onnx.save(model, folder / "source.onnx")
        try:
            runs = canRun(folder / "source.onnx", feeds)
            refused += not runs
            flags = allFlags[number % len(allFlags)]
            out = reduced.check(model, feeds, lambda model, feeds: cleaned(folder, model, *flags, feeds=feeds, runs=runs))
        except AssertionError as why:
            raise AssertionError(f"model {number}: {why}")
        inputs = {one.name: list(one.input) for one in model.functions}
        lifted += any(list(one.input) != inputs[one.name] for one in out.functions)
    assert refused < 0.05 * count, f"ONNX Runtime runs only {count - refused} of {count} models"
    assert lifted > 0.1 * count, f"only {lifted} of {count} models have functions with other inputs"


def test_models_that_a_second_run_changed(folder):
    """Random models in each of which the first run left something to the second."""
    flags = {
        (1, 547): ["--max-growth=0"],  # the budget excluded a Reshape of a folded value to its own shape
        (7, 82): ["--max-growth=0"],  # the same in branches
        (42, 59): ["--disable=constant-call"],  # an unused If held a call in an If that was erased
        (62, 29): ["--disable=constant-call"],  # the same, where the condition is lifted
        (8, 83): ["--max-growth=2000"],  # the same with a budget
        (71, 95): [],  # a branch stated the type of one of two equal nodes
        (37, 46): ["-O2"],  # the same in the body of an If
        (44, 96): ["-O2"],  # a call was not inlined because of another, whose only user, a Shape, folds
        (7, 17): ["--max-growth=0"],  # an unused If held an unused If that folds
        (112, 51): ["-O2"],  # a call in an unused If had a user that folds
        (103, 44): ["--disable=constant-call"],  # a call whose user folds counted when constants were lifted
        (40, 78): ["--max-growth=2000"],  # the same with a budget
        (112, 85): [],  # after lifting, an erased call did not match its function
        (151, 7): ["--max-growth=0"],  # an inlined body held an unused call of a pure function
        (303, 53): ["--max-growth=2000"],  # an unused call, erased with the If's user, kept the If
        (407, 1): ["-O2"],  # a function was a constant only after lifting
        (302, 28): ["--max-growth=2000"],  # an unused node that folds had no room before others were erased
        (708, 32): ["--max-growth=0"],  # an If whose user folds was left to a plan that does not look into bodies
        (613, 30): [],  # only an unused call in a branch kept the result of a call from being constant
        (940, 50): ["--max-growth=0"],  # a copy used its original body, whose users were erased later
        (300, 12): ["--max-growth=0"],  # an If that folds had no room, and kept an operand of an unused node
    }
    for (seed, number), more in flags.items():
        checkAgain(folder, makeModel, seed, number, more)
    # A call was not inlined because of what is in an erased branch.
    checkAgain(folder, makeOfManyCalls, 904, 12, [])


def test_calls_in_a_branch_that_only_the_budget_keeps(folder):
    """A random model: the function that a foldable If calls got an input, the call did not, and then the If was too large to fold.
    The checker refused the result."""
    model, shape = makeOfManyCalls(np.random.default_rng([9130000, 368]))
    feeds = [{"x": np.random.default_rng(1).integers(-9, 9, shape).astype(np.float32)}]
    cleaned(folder, model, "--max-growth=0", feeds=feeds)


def checkAgain(folder, make, seed, number, flags):
    model, _ = make(np.random.default_rng([seed, number]))
    try:
        cleaned(folder, model, *flags, runs=False)
    except AssertionError as why:
        raise AssertionError(f"model {number} of seed {seed}: {why}")
