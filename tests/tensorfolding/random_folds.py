# SPDX-License-Identifier: Apache-2.0
"""Random functions on tensors of which it is known, because they are made so, what is constant; and what constant-tensor-folding
must make of them, computed from its description in the plainest way.

    python3 random_folds.py SEED     prints the function of a seed: text that fold-opt reads and a runner runs
"""

import random
import sys
from dataclasses import dataclass, field

TIERS = ["compiletime", "runtime", "variable"]
COMPILETIME, RUNTIME, VARIABLE = range(3)

MATRIX, ROW, FLAT, PAIR = "tensor<4x8xf32>", "tensor<8xf32>", "tensor<32xf32>", "tensor<2xf32>"
HALF, MOST, LONG, TWELVE = "tensor<16xf32>", "tensor<24xf32>", "tensor<80xf32>", "tensor<12xf32>"
SQUARE, TILES, BRIEF, ONE = "tensor<8x8xf32>", "tensor<2x4x2x2xf32>", "tensor<8xbf16>", "tensor<f32>"
MASK, WHOLE, FLOAT, BIT = "tensor<8xi1>", "tensor<8xi32>", "f32", "i1"
BYTES = {MATRIX: 128, ROW: 32, FLAT: 128, PAIR: 8, HALF: 64, MOST: 96, LONG: 320, TWELVE: 48, SQUARE: 256, TILES: 128, BRIEF: 16,
         ONE: 4, MASK: 8, WHOLE: 32, FLOAT: 4, BIT: 1, "index": 8}
LITERALS = {ROW: "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>", WHOLE: "dense<[1, 2, 3, 4, 5, 6, 7, 8]>", FLOAT: "2.5",
            BIT: "true", BRIEF: "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>"}

NEVER, BY_SIZE, PACKING, SLICE = "never", "by size", "packing", "slice"


@dataclass
class Value:
    name: str
    type: str
    tier: int
    maker: object = None  # an Op, or None for arguments
    isBlockArgument: bool = False  # of a loop; only the sum that the loop yields uses it


@dataclass
class Op:
    name: str  # also its location
    uses: list
    tier: int
    end: str = BY_SIZE
    isCheap: bool = False
    isView: bool = False
    isLiteral: bool = False
    results: list = field(default_factory=list)


# form: operand types, result type, text with {0}, {1} and {e} (a tensor.empty of the result), end, properties
UNARY = [(f"{op} {{0}} : {{t}}", {}) for op in ("arith.negf", "math.exp", "math.absf")]
BINARY = [(f"{op} {{0}}, {{1}} : {{t}}", {}) for op in ("arith.addf", "arith.mulf", "arith.subf")]
OUTER = ("linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], "
         'iterator_types = ["parallel", "parallel"]}} ins({0}, {1} : tensor<8xf32>, tensor<8xf32>) outs({e} : tensor<8x8xf32>) {{\n'
         "^bb0(%l: f32, %r: f32, %out: f32):\n%m = arith.mulf %l, %r : f32\nlinalg.yield %m : f32\n}} -> tensor<8x8xf32>")
FORMS = [
    ([MATRIX], FLAT, "tensor.collapse_shape {0} [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>", NEVER, {"isView": True}),
    ([FLAT], MATRIX, "tensor.expand_shape {0} [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>", NEVER,
     {"isView": True}),
    ([FLAT], HALF, "tensor.extract_slice {0}[3] [16] [1] : tensor<32xf32> to tensor<16xf32>", SLICE, {"isView": True}),
    ([FLAT], MOST, "tensor.extract_slice {0}[3] [24] [1] : tensor<32xf32> to tensor<24xf32>", NEVER, {"isView": True}),
    ([HALF], PAIR, "tensor.extract_slice {0}[5] [2] [3] : tensor<16xf32> to tensor<2xf32>", SLICE, {"isView": True}),
    ([ROW], BRIEF, "arith.truncf {0} : tensor<8xf32> to tensor<8xbf16>", BY_SIZE, {}),
    ([BRIEF], ROW, "arith.extf {0} : tensor<8xbf16> to tensor<8xf32>", NEVER, {}),
    ([ROW], MATRIX, "linalg.broadcast ins({0} : tensor<8xf32>) outs({e} : tensor<4x8xf32>) dimensions = [0]", NEVER, {}),
    ([FLOAT], ROW, "linalg.fill ins({0} : f32) outs({e} : tensor<8xf32>) -> tensor<8xf32>", NEVER, {"isCheap": True}),
    ([FLOAT], FLAT, "tensor.splat {0} : tensor<32xf32>", NEVER, {"isCheap": True}),
    ([ROW, FLOAT], LONG, "tensor.pad {0} low[8] high[64] {{\n^bb0(%i: index):\ntensor.yield {1} : f32\n}} "
                         ": tensor<8xf32> to tensor<80xf32>", PACKING, {}),
    ([ROW, FLOAT], TWELVE, "tensor.pad {0} low[0] high[4] {{\n^bb0(%i: index):\ntensor.yield {1} : f32\n}} "
                           ": tensor<8xf32> to tensor<12xf32>", PACKING, {}),
    ([MATRIX], TILES, "linalg.pack {0} inner_dims_pos = [0, 1] inner_tiles = [2, 2] into {e} : tensor<4x8xf32> -> "
                      "tensor<2x4x2x2xf32>", PACKING, {}),
    ([TILES], MATRIX, "linalg.unpack {0} inner_dims_pos = [0, 1] inner_tiles = [2, 2] into {e} : tensor<2x4x2x2xf32> -> "
                      "tensor<4x8xf32>", PACKING, {}),
    ([ROW, ROW], SQUARE, OUTER, BY_SIZE, {}),
    ([FLAT, ONE], ONE, "linalg.reduce {{ arith.addf }} ins({0} : tensor<32xf32>) outs({1} : tensor<f32>) dimensions = [0]", BY_SIZE,
     {}),
    ([ONE], FLOAT, "tensor.extract {0}[] : tensor<f32>", BY_SIZE, {"isCheap": True}),
    ([FLOAT], ONE, "tensor.from_elements {0} : tensor<f32>", BY_SIZE, {}),
    ([FLOAT, FLOAT], FLOAT, "arith.addf {0}, {1} : f32", BY_SIZE, {"isCheap": True}),
    ([ROW, ROW], MASK, "arith.cmpf olt, {0}, {1} : tensor<8xf32>", BY_SIZE, {}),
    ([MASK, ROW, ROW], ROW, "arith.select {0}, {1}, {2} : tensor<8xi1>, tensor<8xf32>", BY_SIZE, {}),
    ([WHOLE], ROW, "arith.sitofp {0} : tensor<8xi32> to tensor<8xf32>", BY_SIZE, {}),
    ([WHOLE, WHOLE], WHOLE, "arith.muli {0}, {1} : tensor<8xi32>", BY_SIZE, {}),
    ([WHOLE, WHOLE], WHOLE, "arith.divsi {0}, {1} {u}: tensor<8xi32>", BY_SIZE, {}),
]
for tensor in (MATRIX, ROW, FLAT, PAIR, HALF, TILES):
    FORMS += [([tensor], tensor, text.replace("{t}", tensor), BY_SIZE, more) for text, more in UNARY]
    FORMS += [([tensor, tensor], tensor, text.replace("{t}", tensor), BY_SIZE, more) for text, more in BINARY]


class Program:
    """One function. `ops` has those that are looked at: none inside of a constant one. `lines` is the text."""

    def __init__(self, seed, length=None):
        self.random = random.Random(seed)
        self.seed, self.count, self.literals = seed, 0, 0
        self.ops, self.lines, self.values = [], [], []
        self.everyRunGetsHere, self.depth = True, 0
        self.declareArguments()
        for _ in range(length or self.random.randrange(5, 30)):
            self.addStatement()
        self.addReturn()

    # Text

    def declareArguments(self):
        self.arguments = []
        for number in range(self.random.randrange(3, 8)):
            kind = self.random.choice([MATRIX, ROW, ROW, FLAT, BRIEF, WHOLE, FLOAT, BIT, PAIR])
            self.arguments.append(Value(f"%a{number}", kind, self.random.randrange(3)))
        self.values += self.arguments

    def addReturn(self):
        results = [value for value in self.values if self.random.random() < 0.4 or value.tier == VARIABLE]
        results = [value for value in results if value.maker] or self.values[-1:]
        self.returned = results
        self.lines.append(f"return {', '.join(value.name for value in results)} : {', '.join(value.type for value in results)}")

    def text(self):
        marks = ["{onnxfold.constant = \"compiletime\"}", "{onnxfold.constant = \"runtime\"}", ""]
        arguments = ", ".join(f"{value.name}: {value.type} {marks[value.tier]}" for value in self.arguments)
        results = ", ".join(value.type for value in self.returned)
        return "\n".join(["func.func private @effect(tensor<8xf32>) -> tensor<8xf32>",
                          f"func.func @main({arguments}) -> ({results}) {{", *self.lines, "}", ""])

    # Statements

    def add(self, text, uses, types, tier, **properties):
        """One operation, with a location by which its results are known afterwards."""
        self.count += 1
        name = f"v{self.count}"
        op = Op(name, uses, tier, **properties)
        op.results = [Value(f"%{name}" if len(types) == 1 else f"%{name}#{i}", kind, tier, op) for i, kind in enumerate(types)]
        self.ops.append(op)
        self.values += op.results
        self.lines.append(f"%{name}{f':{len(types)}' if len(types) > 1 else ''} = {text} loc(\"{name}\")")
        return op

    def pick(self, kind):
        """A value of a type, mostly a recent one; where there is none, a literal or what comes from one."""
        found = [value for value in self.values if value.type == kind]
        if found and self.random.random() < 0.97:
            return self.random.choice(found[-6:])
        if kind in LITERALS and self.literals < 8:
            self.literals += 1
            suffix = "" if kind == BIT else f" : {kind}"
            return self.add(f"arith.constant {LITERALS[kind]}{suffix}", [], [kind], COMPILETIME, isLiteral=True, isCheap=True,
                            end=NEVER).results[0]
        return self.random.choice(found) if found else None

    def addStatement(self):
        choice = self.random.random()
        if choice < 0.06 and self.depth < 2:
            return self.addBranch()
        if choice < 0.12 and self.depth < 2:
            return self.addLoop()
        if choice < 0.14:
            operand = self.pick(ROW)
            if operand:
                self.add(f"func.call @effect({operand.name}) : (tensor<8xf32>) -> tensor<8xf32>", [operand], [ROW], VARIABLE)
                self.everyRunGetsHere = False
            return None
        return self.addForm(self.random.choice(FORMS))

    def addForm(self, form):
        kinds, result, text, end, properties = form
        operands = [self.pick(kind) for kind in kinds]
        if None in operands:
            return
        tier = max(value.tier for value in operands)
        isUndefined = "{u}" in text and not (operands[1].maker and operands[1].maker.isLiteral)  # no literal has a zero
        if isUndefined:
            tier = max(tier, RUNTIME) if self.everyRunGetsHere else VARIABLE
        text = text.replace("{u}", "{{may_be_undefined}} " if isUndefined else "")
        names = [value.name for value in operands]
        if "{e}" in text:
            empty = self.add(f"tensor.empty() : {result}", [], [result], COMPILETIME, isCheap=True, end=NEVER).results[0]
            self.values.remove(empty)  # it has no content, so that results would depend on nothing
            operands.append(empty)
            text = text.replace("{e}", empty.name)
        self.add(text.format(*names), operands, [result], tier, end=end, **properties)

    def addBodies(self, makeBody, count):
        """Bodies of a region operation: their operations and text. `makeBody` returns what they yield."""
        saved = self.ops, self.lines, list(self.values), self.everyRunGetsHere
        bodies = []
        self.depth += 1
        for _ in range(count):
            self.ops, self.lines, self.values, self.everyRunGetsHere = [], [], list(saved[2]), False
            yielded = makeBody()
            self.ops.append(Op("yield", [yielded], VARIABLE))
            bodies.append((self.ops, "\n".join([*self.lines, f"scf.yield {yielded.name} : {yielded.type}"])))
        self.depth -= 1
        self.ops, self.lines, self.values, self.everyRunGetsHere = saved
        return bodies

    def addRegionOp(self, text, operand, bodies, kind):
        """It is constant as a whole, if all is that it uses; else what is inside is looked at."""
        ops = [op for body, _ in bodies for op in body]
        inside = {id(value) for op in ops for value in op.results}
        captured = [value for op in ops for value in op.uses if id(value) not in inside and not value.isBlockArgument]
        tier = max(value.tier for value in [operand, *captured])
        if "@effect" in text:
            tier = VARIABLE
        elif tier != VARIABLE and "may_be_undefined" in text:
            tier = max(tier, RUNTIME) if self.everyRunGetsHere else VARIABLE
        self.add(text, [operand] + (captured if tier != VARIABLE else []), [kind], tier)
        if tier == VARIABLE:
            self.ops += ops
        self.everyRunGetsHere = self.everyRunGetsHere and "@effect" not in text

    def addBranch(self):
        condition, kind = self.pick(BIT), self.random.choice([ROW, MATRIX])
        if not condition or not self.pick(kind):
            return

        def body():
            for _ in range(self.random.randrange(4)):
                self.addStatement()
            return self.pick(kind)

        bodies = self.addBodies(body, 2)
        text = f"scf.if {condition.name} -> {kind} {{\n{bodies[0][1]}\n}} else {{\n{bodies[1][1]}\n}}"
        self.addRegionOp(text, condition, bodies, kind)

    def addLoop(self):
        kind = self.random.choice([ROW, MATRIX])
        start = self.pick(kind)
        if not start:
            return
        first, last, step = (self.add(f"arith.constant {number} : index", [], ["index"], COMPILETIME, isLiteral=True, isCheap=True,
                                      end=NEVER).results[0] for number in (0, 3, 1))
        carried = Value(f"%s{self.count}", kind, VARIABLE, isBlockArgument=True)
        counter = f"%k{self.count}"

        def body():
            for _ in range(self.random.randrange(3)):
                self.addStatement()
            other = self.pick(kind)
            self.add(f"arith.addf {carried.name}, {other.name} : {kind}", [carried, other], [kind], VARIABLE)
            return self.values[-1]

        bodies = self.addBodies(body, 1)
        text = (f"scf.for {counter} = {first.name} to {last.name} step {step.name} iter_args({carried.name} = {start.name}) -> {kind} "
                f"{{\n{bodies[0][1]}\n}}")
        self.addRegionOp(text, start, bodies, kind)


class Expected:
    """What the pass must do with a program: folded values by name and their parts. From its description, without its tricks."""

    def __init__(self, program, mode, ratio=8, minBytes=9):
        self.program, self.mode, self.ratio, self.minBytes = program, mode, ratio, minBytes
        self.roots, self.small = {}, {}
        for op in program.ops:
            if op.tier != VARIABLE:
                self.measure(op)
        self.ends = self.cut()
        self.parts = [part for late in (False, True) for part in self.split([v for v in self.ends if self.isLate(v) == late])]

    def isLate(self, value):
        return self.mode == "runtime" or value.tier == RUNTIME

    def rootsOf(self, value):
        if value.maker is None:
            return {value.name} if value.type.startswith("tensor") else set()
        return self.roots[value.maker.name]

    def isSmall(self, value):
        return BYTES[value.type] < self.minBytes and (value.maker is None or self.small[value.maker.name])

    def measure(self, op):
        if op.isLiteral:
            self.roots[op.name] = {op.name} if op.results and op.results[0].type.startswith("tensor") else set()
        else:
            self.roots[op.name] = set().union(*[self.rootsOf(value) for value in op.uses])
        self.small[op.name] = all(self.isSmall(value) for value in op.uses)

    def mayEnd(self, value):
        op = value.maker
        if op.end == NEVER or not value.type.startswith("tensor") or value.type == MASK or self.isSmall(value):
            return False
        if op.end == SLICE:
            source = op.uses[0]
            while source.maker and source.maker.isView:
                source = source.maker.uses[0]
            if source.maker is None or source.maker.isLiteral:
                return False
        sizes = {value.name: BYTES[value.type] for value in self.program.arguments}
        sizes |= {op.name: BYTES[op.results[0].type] for op in self.program.ops if op.isLiteral and op.results}
        return BYTES[value.type] <= self.ratio * sum(sizes[root] for root in self.roots[op.name])

    def cut(self):
        needed = {id(value) for value in self.program.returned}
        ends = []
        for op in reversed(self.program.ops):
            results = [value for value in op.results if id(value) in needed]
            if op.tier != VARIABLE and not results:
                continue
            isFolded = op.tier <= (COMPILETIME if self.mode == "compiletime" else RUNTIME)
            if isFolded and all(self.mayEnd(value) for value in results):
                ends += reversed(results)
            else:
                needed |= {id(value) for value in op.uses}
        return ends[::-1]

    def split(self, ends):
        """The sets of values that share work, and the arguments that each reads."""
        groups = []
        for end in ends:
            work, arguments, seen = set(), set(), set()
            self.collect(end, work, arguments, seen)
            joined = [group for group in groups if group[1] & work]
            groups = [group for group in groups if not group[1] & work]
            merged = ([end.maker.name], work, arguments)
            for names, others, more in reversed(joined):
                merged = (names + merged[0], others | merged[1], more | merged[2])
            groups.append(merged)
        order = [end.maker.name for end in ends]
        parts = [(sorted(names, key=order.index), sorted(arguments)) for names, _, arguments in groups]
        return sorted(parts, key=lambda part: order.index(part[0][0]))

    def isFree(self, value):
        return value.maker is not None and value.maker.isCheap and all(self.isFree(used) for used in value.maker.uses)

    def collect(self, value, work, arguments, seen):
        if id(value) in seen:
            return
        seen.add(id(value))
        if value.maker is None:
            arguments.add([id(argument) for argument in self.program.arguments].index(id(value)))
            return
        if not self.isFree(value):
            work.add(value.maker.name)
        for used in value.maker.uses:
            self.collect(used, work, arguments, seen)


if __name__ == "__main__":
    print(Program(int(sys.argv[1])).text())
