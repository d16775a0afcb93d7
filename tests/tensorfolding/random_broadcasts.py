# SPDX-License-Identifier: Apache-2.0
"""Random functions of broadcasts and element-wise operations on weights, in which some are not what they seem: a body that asks
for its position, a literal that is no splat, broadcasts along other dimensions, permuted reads.

    python3 random_broadcasts.py SEED     prints the function of a seed
"""

import random
import sys

SHAPES = {"row": (8,), "column": (4,), "matrix": (4, 8), "square": (8, 8), "cube": (2, 4, 8)}
BROADCASTS = [("row", "matrix", [0]), ("column", "matrix", [1]), ("row", "square", [0]), ("row", "square", [1]),
              ("matrix", "cube", [0]), ("row", "cube", [0, 1]), ("column", "cube", [0, 2])]
BINARY = ["arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"]
UNARY = ["arith.negf", "math.absf", "math.tanh"]


def typeOf(kind):
    return f"tensor<{'x'.join(map(str, SHAPES[kind]))}xf32>"


def mapOf(kind, dims):
    loops = ", ".join(f"d{i}" for i in range(len(SHAPES[kind])))
    return f"affine_map<({loops}) -> ({', '.join(f'd{dim}' for dim in dims)})>"


class Broadcasts:
    def __init__(self, seed):
        self.random, self.seed = random.Random(seed), seed
        self.lines, self.values = [], {kind: [] for kind in SHAPES}
        self.weights = [self.random.choice(["row", "row", "column", "matrix"]) for _ in range(self.random.randrange(2, 5))]
        for i, kind in enumerate(self.weights):
            self.values[kind].append(f"%w{i}")
        for _ in range(self.random.randrange(6, 24)):
            self.addStatement()

    def define(self, kind, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.values[kind].append(name)
        return name

    def empty(self, kind):
        self.lines.append(f"%e{len(self.lines)} = tensor.empty() : {typeOf(kind)}")
        return f"%e{len(self.lines) - 1}"

    def addStatement(self):
        choice = self.random.random()
        kind = self.random.choice(list(SHAPES))
        if choice < 0.3:
            return self.addBroadcast(*self.random.choice(BROADCASTS))
        if choice < 0.4:
            return self.addLiteral(kind)
        if not self.values[kind]:
            return None
        if choice < 0.7:
            operands = [self.pick(kind), self.pick(kind)]
            return self.define(kind, f"{self.random.choice(BINARY)} {operands[0]}, {operands[1]} : {typeOf(kind)}")
        if choice < 0.8:
            return self.define(kind, f"{self.random.choice(UNARY)} {self.pick(kind)} : {typeOf(kind)}")
        return self.addGeneric(kind)

    def pick(self, kind):
        return self.random.choice(self.values[kind][-4:])

    def addLiteral(self, kind):
        count = 1
        for size in SHAPES[kind]:
            count *= size
        if self.random.random() < 0.7:
            return self.define(kind, f"arith.constant dense<{self.random.choice(['0.5', '-2.0'])}> : {typeOf(kind)}")
        numbers = iter(range(count))

        def nested(shape):
            return "[" + ", ".join(nested(shape[1:]) if shape[1:] else f"{next(numbers)}.0" for _ in range(shape[0])) + "]"

        return self.define(kind, f"arith.constant dense<{nested(SHAPES[kind])}> : {typeOf(kind)}")

    def addBroadcast(self, source, kind, dims):
        if not self.values[source]:
            return
        operand, init = self.pick(source), self.empty(kind)
        if self.random.random() < 0.6:
            types = typeOf(source), typeOf(kind)
            self.define(kind, f"linalg.broadcast ins({operand} : {types[0]}) outs({init} : {types[1]}) dimensions = {dims}")
            return
        kept = [dim for dim in range(len(SHAPES[kind])) if dim not in dims]
        self.addLinalg(kind, [(operand, source, kept)], init, "linalg.yield %i0 : f32")

    def addGeneric(self, kind):
        """Identity reads, reads without some dimensions, a square read across; now and then a position."""
        loops = list(range(len(SHAPES[kind])))
        operands = [(self.pick(kind), kind, loops)]
        for source, target, dims in BROADCASTS:
            if target == kind and self.values[source] and self.random.random() < 0.3:
                operands.append((self.pick(source), source, [dim for dim in loops if dim not in dims]))
        if kind == "square" and self.random.random() < 0.3:
            operands.append((self.pick(kind), kind, [1, 0]))
        if self.random.random() < 0.5:
            operands.append((self.pick(kind), kind, loops))
        body, last = [], "%i0"
        for i in range(1, len(operands)):
            body.append(f"%b{i} = {self.random.choice(BINARY)} {last}, %i{i} : f32")
            last = f"%b{i}"
        if self.random.random() < 0.15:
            body += ["%p = linalg.index 0 : index", "%q = arith.index_cast %p : index to i32", "%r = arith.sitofp %q : i32 to f32",
                     f"%s = arith.addf {last}, %r : f32"]
            last = "%s"
        body += [f"%t = {self.random.choice(UNARY)} {last} : f32", "linalg.yield %t : f32"]
        self.addLinalg(kind, operands, self.empty(kind), "\n".join(body))

    def addLinalg(self, kind, operands, init, body):
        loops = list(range(len(SHAPES[kind])))
        maps = ", ".join([mapOf(kind, dims) for _, _, dims in operands] + [mapOf(kind, loops)])
        iterators = ", ".join(['"parallel"'] * len(loops))
        arguments = ", ".join(f"%i{i}: f32" for i in range(len(operands)))
        names = ", ".join(name for name, _, _ in operands)
        types = ", ".join(typeOf(source) for _, source, _ in operands)
        self.define(kind, f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} "
                          f"ins({names} : {types}) outs({init} : {typeOf(kind)}) {{\n^bb0({arguments}, %out: f32):\n{body}\n}} -> {typeOf(kind)}")

    def text(self):
        returned = [(name, kind) for kind, names in self.values.items() for name in names]
        arguments = ", ".join(f'%w{i}: {typeOf(kind)} {{onnxfold.constant = "runtime"}}' for i, kind in enumerate(self.weights))
        types = ", ".join(typeOf(kind) for _, kind in returned)
        return "\n".join([f"func.func @main({arguments}) -> ({types}) {{", *self.lines,
                          f"return {', '.join(name for name, _ in returned)} : {types}", "}", ""])


if __name__ == "__main__":
    print(Broadcasts(int(sys.argv[1])).text())
