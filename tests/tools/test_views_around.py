# SPDX-License-Identifier: Apache-2.0
"""Random nests of Transposes, Squeezes and element-wise nodes, as exporters of channels-last models write them, against ONNX Runtime.

Each result keeps every bit, and a second run changes nothing. --long: 1,000 graphs, else 24.
"""

import random

import numpy as np
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

UNARY = ["Relu", "Sin", "LeakyRelu", "HardSigmoid", "Neg", "Abs", "Softplus"]
BINARY = ["Add", "Mul", "Sub", "Max"]
SHAPE, ROW = (2, 3, 1, 4), (1, 3, 1, 1)


class Graph:
    """Values of rank 4 with their sizes; a few permutations and axes, so that many of them meet."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.nodes, self.values = [], [("x", SHAPE), ("z", SHAPE)]
        self.permutations = [self.random.sample(range(4), 4) for _ in range(2)]
        self.permutations += [[p.index(i) for i in range(4)] for p in self.permutations]

    def add(self, operator, inputs, shape, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(node(operator, inputs, [name], **attributes))
        return name, tuple(shape)

    def transpose(self, value, permutation):
        name, shape = value
        return self.add("Transpose", [name], [shape[i] for i in permutation], perm=permutation)

    def body(self, values):
        """A node on values of one shape."""
        (name, shape), *others = values
        kind = self.random.random()
        if others and kind < 0.3:
            axis = self.random.randrange(len(shape))
            joined = [size * (1 + (i == axis)) for i, size in enumerate(shape)]
            return self.add("Concat", [name, others[0][0]], joined, axis=axis - self.random.choice([0, len(shape)]))
        if others and kind < 0.6:
            return self.add(self.random.choice(BINARY), [name, others[0][0]], shape)
        if kind < 0.8:
            inputs = self.random.sample([name, "scalar"], 2)
            return self.add(self.random.choice(BINARY), inputs, shape)
        return self.add(self.random.choice(UNARY), [name], shape)

    def selected(self, values, permutation):
        """Nodes whose operands differ: conditions and Casts in type, rows in shape, and scalars without a view."""
        first, other = values
        operator = self.random.choice(["Where", "Clip", "Cast", "Sub"])
        operands = [first]
        if operator == "Where":
            operands = [self.add("Less", [first[0], other[0]], first[1]), first, other]
        elif operator == "Sub":
            operands = [first, ("row", ROW)] if first[1] == SHAPE else values
        shape = [first[1][i] for i in permutation]
        inputs = [self.transpose(value, permutation)[0] for value in operands]
        if operator == "Clip":
            inputs += ["scalar", ""] if self.random.random() < 0.5 else ["", "scalar"]
        made = self.add(operator, inputs, shape, **({"to": TensorProto.DOUBLE} if operator == "Cast" else {}))
        made = self.transpose(made, self.random.choice(self.permutations))
        return self.add("Cast", [made[0]], made[1], to=TensorProto.FLOAT) if operator == "Cast" else made

    def step(self):
        first = self.random.choice(self.values)
        alike = [value for value in self.values if value[1] == first[1]]
        values = [first, self.random.choice(alike)]
        if 1 in first[1] and self.random.random() < 0.3:
            axis = first[1].index(1)
            inner = [self.add("Squeeze", [name, f"axis{axis}"], shape[:axis] + shape[axis + 1 :]) for name, shape in values]
            made = self.body(inner)
            made = self.add("Unsqueeze", [made[0], f"axis{axis}"], made[1][:axis] + (1,) + made[1][axis:])
        elif self.random.random() < 0.3:
            made = self.selected(values, self.random.choice(self.permutations))
        else:
            permutation = self.random.choice(self.permutations)
            made = self.body([self.transpose(value, permutation) for value in values])
            made = self.transpose(made, self.random.choice(self.permutations))
        if np.prod(made[1]) < 400:
            self.values.append(made)

    def model(self):
        constants = [const("scalar", np.float32(self.random.choice([0.5, -3.0])))]
        constants += [const(f"axis{i}", [i], np.int64) for i in range(4)]
        read = {name for each in self.nodes for name in each.input}
        outputs = [value for value in self.values if value[0] not in read]
        kept = [node("Identity", [name], [f"y{i}"]) for i, (name, _) in enumerate(outputs)]
        results = [info(f"y{i}", shape, TensorProto.FLOAT) for i, (_, shape) in enumerate(outputs)]
        return m.model([*self.nodes, *kept], [info("x", SHAPE), info("z", SHAPE), info("row", ROW)], results, constants)


def testRandomNests(folder):
    before = after = 0
    for seed in range(1000 if t.options.long else 24):
        graph = Graph(seed)
        for _ in range(6):
            graph.step()
        model = graph.model()
        draw = np.random.default_rng(seed)
        feeds = [{name: draw.standard_normal(shape, np.float32) for name, shape in [("x", SHAPE), ("z", SHAPE), ("row", ROW)]}]
        out = cleaned(folder, model, feeds=feeds)
        before, after = before + len(model.graph.node), after + len(out.graph.node)
    assert after < 0.8 * before, (before, after)
    print(before, "nodes,", after, "left")
