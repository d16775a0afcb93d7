# SPDX-License-Identifier: Apache-2.0
"""scf on constants against MLIR's own execution: random programs of loops, branches and tensors that loops carry.

The engine has no kernels for scf: it asks MLIR's interfaces of regions. Integers wrap, so results are the same bits.
"""

import numpy as np
import onnxfold_testing as t
from onnxfold_upstream import Differential

ROUNDS = 1500 if t.options.long else 30
OPERATIONS = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui")
PREDICATES = ("eq", "ne", "slt", "sge", "ult", "uge")


class Program:
    """Lines of a function body. `known` are the i32 values that a block sees, of which it takes any."""

    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def add(self, text, name=None):
        name = name or self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def any(self, known):
        return str(self.rng.choice(known))

    def arithmetic(self, known):
        return self.add(f"arith.{self.rng.choice(OPERATIONS)} {self.any(known)}, {self.any(known)} : i32")

    def condition(self, known):
        return self.add(f"arith.cmpi {self.rng.choice(PREDICATES)}, {self.any(known)}, {self.any(known)} : i32")

    def block(self, known, depth, yielded, extra=""):
        """Statements, and a terminator that yields so many values."""
        known = self.statements(list(known), depth)
        values = ", ".join(self.any(known[-4:]) for _ in range(yielded))
        self.lines.append(f"scf.yield {values} : {', '.join(['i32'] * yielded)}{extra}")

    def branch(self, known, depth):
        condition = self.condition(known)
        name = self.name()
        self.lines.append(f"{name}:2 = scf.if {condition} -> (i32, i32) {{{{")
        self.block(known, depth - 1, 2)
        self.lines.append("}} else {{")
        self.block(known, depth - 1, 2)
        self.lines.append("}}")
        return [f"{name}#0", f"{name}#1"]

    def switch(self, known, depth):
        three = self.add("arith.constant 3 : i32")
        index = self.add(f"arith.index_cast {self.add(f'arith.andi {self.any(known)}, {three} : i32')} : i32 to index")
        name = self.name()
        self.lines.append(f"{name} = scf.index_switch {index} -> i32")
        for label in ("case 0", "case 2", "default"):
            self.lines.append(f"{label} {{{{")
            self.block(known, depth - 1, 1)
            self.lines.append("}}")
        return [name]

    def bounds(self, known):
        """Of a loop of up to seven iterations. (Negative bounds are kept: the interface does not say whether they are signed.)"""
        seven = self.add("arith.constant 7 : i32")
        low = self.add(f"arith.constant {self.rng.integers(0, 3)} : index")
        count = self.add(f"arith.index_cast {self.add(f'arith.andi {self.any(known)}, {seven} : i32')} : i32 to index")
        return low, count, self.add(f"arith.constant {self.rng.integers(1, 4)} : index")

    def loop(self, known, depth):
        low, high, step = self.bounds(known)
        name, i, a, b = (self.name() for _ in range(4))
        self.lines.append(f"{name}:2 = scf.for {i} = {low} to {high} step {step} iter_args({a} = {self.any(known)}, "
                          f"{b} = {self.any(known)}) -> (i32, i32) {{{{")
        counter = self.add(f"arith.index_cast {i} : index to i32")
        self.block([*known, counter, a, b], depth - 1, 2)
        self.lines.append("}}")
        return [f"{name}#0", f"{name}#1"]

    def whileLoop(self, known, depth):
        """Counts down from at most seven."""
        seven, one, zero = (self.add(f"arith.constant {n} : i32") for n in (7, 1, 0))
        begin = self.add(f"arith.andi {self.any(known)}, {seven} : i32")
        name, n, a, m, b = (self.name() for _ in range(5))
        self.lines.append(f"{name}:2 = scf.while ({n} = {begin}, {a} = {self.any(known)}) : (i32, i32) -> (i32, i32) {{{{")
        more = self.add(f"arith.cmpi sgt, {n}, {zero} : i32")
        changed = self.arithmetic([*known, a])
        self.lines += [f"scf.condition({more}) {n}, {changed} : i32, i32", "}} do {{", f"^bb0({m}: i32, {b}: i32):"]
        less = self.add(f"arith.subi {m}, {one} : i32")
        inner = self.statements([*known, b], depth - 1)
        self.lines += [f"scf.yield {less}, {self.any(inner[-4:])} : i32, i32", "}}"]
        return [f"{name}#0", f"{name}#1"]

    def carried(self, known, depth):
        """A tensor that a loop carries, of which each iteration changes an element."""
        size = int(self.rng.integers(1, 5))
        kind = f"tensor<{size}xi32>"
        begin = self.add(f"tensor.splat {self.any(known)} : {kind}")
        low, step, high = (self.add(f"arith.constant {n} : index") for n in (0, 1, size))
        name, i, x = (self.name() for _ in range(3))
        self.lines.append(f"{name} = scf.for {i} = {low} to {high} step {step} iter_args({x} = {begin}) -> ({kind}) {{{{")
        old = self.add(f"tensor.extract {x}[{i}] : {kind}")
        new = self.arithmetic([*known, old])
        changed = self.add(f"tensor.insert {new} into {x}[{i}] : {kind}")
        self.lines += [f"scf.yield {changed} : {kind}", "}}"]
        return [self.add(f"tensor.extract {name}[{low}] : {kind}")]

    def statements(self, known, depth):
        for _ in range(self.rng.integers(1, 4)):
            known.append(self.arithmetic(known))
            if depth > 0 and self.rng.random() < 0.7:
                kinds = (self.branch, self.loop, self.whileLoop, self.switch, self.carried)
                known += kinds[self.rng.integers(len(kinds))](known, depth)
        return known


def test_random_programs(folder):
    cases = Differential()
    for round in range(ROUNDS):
        rng = np.random.default_rng([t.options.seed, round])
        program = Program(rng)
        known = []
        for i in range(3):
            index = program.add(f"arith.constant {i} : index")
            known.append(program.add(f"tensor.extract {{0}}[{index}] : tensor<3xi32>"))
        known = program.statements(known, 3)
        x = rng.integers(-20, 20, 3).astype(np.int32)
        count = min(4, len(known))
        cases.add(f"tensor.from_elements {', '.join(known[-count:])} : tensor<{count}xi32>", [(x, "i32")], [f"tensor<{count}xi32>"],
                  before=program.lines)
    for first in range(0, len(cases.cases), 100):
        part = Differential()
        part.cases = cases.cases[first:first + 100]
        part.run(folder)
