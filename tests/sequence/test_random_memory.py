# SPDX-License-Identifier: Apache-2.0
"""Random programs with sequences: what the compiled program prints is what lists of Python give, and memory is counted.

A program is a list of statements on sequences and tensors, with branches, loops that carry both, and calls. It is written as
MLIR and run through --lower-sequence-to-llvm and the execution engine on the counting allocator; the same statements are
evaluated here. Whoever counts a reference too few or too many, or changes a sequence that somebody else still reads, prints
something else, or leaks, or reads what was freed (it was overwritten).
"""

import random
import subprocess


from onnxfold_testing import TOOL, options

RUN = TOOL.parent / "sequence-run"
CLEAN = "leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0"

PRELUDE = """
!t = tensor<?xi64>
!seq = !sequence.seq<ELEMENT, ?>
func.func private @dump_i64(tensor<*xi64> {bufferization.access = "read"})
func.func private @opaque_index(index) -> index
func.func private @opaque_i1(i1) -> i1

func.func private @vector(%n: index, %v: i64) -> !t {
  %0 = tensor.empty(%n) : !t
  %1 = linalg.fill ins(%v : i64) outs(%0 : !t) -> !t
  return %1 : !t
}
func.func private @append(%s: !seq, %t: !t) -> !seq {
  %r = sequence.insert %t into %s : !t, !seq -> !seq
  return %r : !seq
}
func.func private @swap(%s: !seq, %t: !t) -> (!t, !seq) {
  return %t, %s : !t, !seq
}
func.func private @both(%s: !seq, %t: !seq) -> !seq {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sequence.length %t : !seq
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> !seq {
    %e = sequence.at %t[%i] : !seq -> ELEMENT
    %b = sequence.insert %e into %a : ELEMENT, !seq -> !seq
    scf.yield %b : !seq
  }
  return %r : !seq
}
func.func private @print(%s: !seq) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sequence.length %s : !seq
  %w = arith.index_cast %n : index to i64
  %l = tensor.from_elements %w : tensor<1xi64>
  %x = tensor.cast %l : tensor<1xi64> to tensor<*xi64>
  call @dump_i64(%x) : (tensor<*xi64>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %e = sequence.at %s[%i] : !seq -> !t
    %y = tensor.cast %e : !t to tensor<*xi64>
    func.call @dump_i64(%y) : (tensor<*xi64>) -> ()
  }
  return
}
"""


class Program:
    """Makes statements: each is a line of MLIR and a step that changes an environment."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.element = self.random.choice(["tensor<?xi64>", "tensor<*xi64>"])

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def take(self, element, name):
        """Text of an at with a result !t."""
        return f"{name} = sequence.at {element} : !seq -> !t\n"

    # Each kind below returns (text, evaluate, {new name: kind}).

    def vector(self, scope):
        name, size, value = self.name(), self.random.randint(1, 3), self.random.randint(0, 99)
        inline = self.random.random() < 0.6
        text = f"{name}n = arith.constant {size} : index\n{name}v = arith.constant {value} : i64\n"
        if inline:
            text += f"{name}e = tensor.empty({name}n) : !t\n"
            text += f"{name} = linalg.fill ins({name}v : i64) outs({name}e : !t) -> !t\n"
        else:
            text += f"{name} = func.call @vector({name}n, {name}v) : (index, i64) -> !t\n"
        return text, lambda env, out: env.update({name: (value,) * size}), {name: "t"}

    def refill(self, scope):
        name, old, value = self.name(), self.pick(scope, "t"), self.random.randint(100, 199)
        text = f"{name}v = arith.constant {value} : i64\n"
        text += f"{name} = linalg.fill ins({name}v : i64) outs({old} : !t) -> !t\n"
        return text, lambda env, out: env.update({name: (value,) * len(env[old])}), {name: "t"}

    def construct(self, scope):
        name, elements = self.name(), [self.pick(scope, "t") for _ in range(self.random.randint(1, 3))]
        text = f"{name} = sequence.construct {', '.join(elements)} : ({', '.join(['!t'] * len(elements))}) -> !seq\n"
        return text, lambda env, out: env.update({name: tuple(env[e] for e in elements)}), {name: "s"}

    def insert(self, scope):
        name, s, t = self.name(), self.pick(scope, "s"), self.pick(scope, "t")
        where = self.random.choice(["front", "middle", "back", "behind"])
        text = f"{name}n = sequence.length {s} : !seq\n{name}c = arith.constant 2 : index\n{name}z = arith.constant 0 : index\n"
        position = {"front": f"{name}z", "middle": f"{name}m", "behind": f"{name}n"}
        if where == "middle":
            text += f"{name}m = arith.divui {name}n, {name}c : index\n"
        at = f" at {position[where]}" if where in position else ""
        text += f"{name} = sequence.insert {t} into {s}{at} : !t, !seq -> !seq\n"

        def evaluate(env, out):
            old = env[s]
            i = {"front": 0, "middle": len(old) // 2}.get(where, len(old))
            env[name] = old[:i] + (env[t],) + old[i:]

        return text, evaluate, {name: "s"}

    def guarded(self, scope, kind):
        """erase or at where the sequence is not empty, else the sequence or a tensor as it is."""
        name, s, t = self.name(), self.pick(scope, "s"), self.pick(scope, "t")
        last = self.random.random() < 0.5
        type, other = ("!seq", s) if kind == "s" else ("!t", t)
        text = f"{name}n = sequence.length {s} : !seq\n{name}z = arith.constant 0 : index\n"
        text += f"{name}q = arith.constant {-1 if last else 0} : index\n"
        text += f"{name}p = func.call @opaque_index({name}q) : (index) -> index\n"
        text += f"{name}g = arith.cmpi ugt, {name}n, {name}z : index\n{name} = scf.if {name}g -> {type} {{\n"
        if kind == "s":
            text += f"{name}r = sequence.erase {s} at {name}p : !seq -> !seq\n"
        else:
            text += self.take(f"{s}[{name}p]", f"{name}r")
        text += f"scf.yield {name}r : {type}\n}} else {{\nscf.yield {other} : {type}\n}}\n"

        def evaluate(env, out):
            old = env[s]
            if kind == "s":
                env[name] = old[:-1] if last else old[1:]
            else:
                env[name] = old[-1 if last else 0] if old else env[t]

        return text, evaluate, {name: kind}

    def erase(self, scope):
        return self.guarded(scope, "s")

    def at(self, scope):
        return self.guarded(scope, "t")

    def call(self, scope):
        name, s, t, u = self.name(), self.pick(scope, "s"), self.pick(scope, "t"), self.pick(scope, "s")
        kind = self.random.choice(["append", "swap", "both"])
        if kind == "append":
            text = f"{name} = func.call @append({s}, {t}) : (!seq, !t) -> !seq\n"
            return text, lambda env, out: env.update({name: env[s] + (env[t],)}), {name: "s"}
        if kind == "both":
            text = f"{name} = func.call @both({s}, {u}) : (!seq, !seq) -> !seq\n"
            return text, lambda env, out: env.update({name: env[s] + env[u]}), {name: "s"}
        text = f"{name}a, {name}b = func.call @swap({s}, {t}) : (!seq, !t) -> (!t, !seq)\n"
        return text, lambda env, out: env.update({name + "a": env[t], name + "b": env[s]}), {name + "a": "t", name + "b": "s"}

    def concat(self, scope):
        """Of the elements of a sequence and one tensor: it is not empty."""
        name, s, t = self.name(), self.pick(scope, "s"), self.pick(scope, "t")
        text = f"{name}s = sequence.insert {t} into {s} : !t, !seq -> !seq\n"
        text += f"{name} = sequence.concat {name}s axis 0 : !seq -> !t\n"

        def evaluate(env, out):
            env[name] = sum(env[s], ()) + env[t]

        return text, evaluate, {name: "t"}

    def split(self, scope):
        name, t, size = self.name(), self.pick(scope, "t"), self.random.randint(1, 2)
        text = f"{name}q = arith.constant {size} : index\n{name}c = func.call @opaque_index({name}q) : (index) -> index\n"
        text += f"{name} = sequence.split {t} axis 0 chunk {name}c : !t -> !seq\n"

        def evaluate(env, out):
            old = env[t]
            env[name] = tuple(old[i : i + size] for i in range(0, len(old), size))

        return text, evaluate, {name: "s"}

    def dump(self, scope):
        s, t = self.pick(scope, "s"), self.pick(scope, "t")
        name = self.name()
        text = f"func.call @print({s}) : (!seq) -> ()\n{name} = tensor.cast {t} : !t to tensor<*xi64>\n"
        text += f"func.call @dump_i64({name}) : (tensor<*xi64>) -> ()\n"

        def evaluate(env, out):
            out += [(len(env[s]),), *env[s], env[t]]

        return text, evaluate, {}

    def branch(self, scope, depth):
        name, taken = self.name(), self.random.random() < 0.5
        text = f"{name}q = arith.constant {str(taken).lower()}\n{name}c = func.call @opaque_i1({name}q) : (i1) -> i1\n"
        text += f"{name}s, {name}t = scf.if {name}c -> (!seq, !t) {{\n"
        parts = []
        for word in ("", "} else {\n"):
            inner = dict(scope)
            body, steps = self.block(inner, depth + 1)
            result = self.pick(inner, "s"), self.pick(inner, "t")
            text += f"{word}{body}scf.yield {result[0]}, {result[1]} : !seq, !t\n"
            parts.append((steps, result))
        steps, (s, t) = parts[0 if taken else 1]

        def evaluate(env, out):
            inner = dict(env)
            for step in steps:
                step(inner, out)
            env[name + "s"], env[name + "t"] = inner[s], inner[t]

        return text + "}\n", evaluate, {name + "s": "s", name + "t": "t"}

    def loop(self, scope, depth):
        name, trips = self.name(), self.random.randint(0, 3)
        s, t = self.pick(scope, "s"), self.pick(scope, "t")
        inner = {**scope, name + "a": "s", name + "b": "t"}
        body, steps = self.block(inner, depth + 1)
        s2, t2 = self.pick(inner, "s"), self.pick(inner, "t")
        text = f"{name}q = arith.constant {trips} : index\n{name}n = func.call @opaque_index({name}q) : (index) -> index\n"
        text += f"{name}z = arith.constant 0 : index\n{name}o = arith.constant 1 : index\n"
        if self.random.random() < 0.5:
            text += f"{name}s, {name}t = scf.for {name}i = {name}z to {name}n step {name}o "
            text += f"iter_args({name}a = {s}, {name}b = {t}) -> (!seq, !t) {{\n{body}scf.yield {s2}, {t2} : !seq, !t\n}}\n"
        else:
            text += f"{name}x, {name}s, {name}t = scf.while ({name}i = {name}z, {name}k = {s}, {name}l = {t}) : "
            text += f"(index, !seq, !t) -> (index, !seq, !t) {{\n{name}g = arith.cmpi ult, {name}i, {name}n : index\n"
            text += f"scf.condition({name}g) {name}i, {name}k, {name}l : index, !seq, !t\n}} do {{\n"
            text += f"^bb0({name}j: index, {name}a: !seq, {name}b: !t):\n{body}"
            text += f"{name}h = arith.addi {name}j, {name}o : index\nscf.yield {name}h, {s2}, {t2} : index, !seq, !t\n}}\n"

        def evaluate(env, out):
            state = env[s], env[t]
            for _ in range(trips):
                inside = {**env, name + "a": state[0], name + "b": state[1]}
                for step in steps:
                    step(inside, out)
                state = inside[s2], inside[t2]
            env[name + "s"], env[name + "t"] = state

        return text, evaluate, {name + "s": "s", name + "t": "t"}

    def pick(self, scope, kind):
        """A value of a kind; the newer ones more often."""
        names = [name for name, its in scope.items() if its == kind]
        return names[-1 - int(len(names) * self.random.random() ** 2)]

    def block(self, scope, depth):
        text, steps = "", []
        kinds = [self.vector, self.refill, self.construct, self.insert, self.insert, self.erase, self.at, self.at, self.call]
        kinds += [self.concat, self.split, self.dump]
        for _ in range(self.random.randint(2, 12 if depth == 0 else 5)):
            if depth < 3 and self.random.random() < 0.25:
                line, step, new = self.random.choice([self.branch, self.loop])(scope, depth)
            else:
                line, step, new = self.random.choice(kinds)(scope)
            text += line
            steps.append(step)
            scope.update(new)
        return text, steps

    def make(self):
        """(MLIR, the tensors that it prints)."""
        scope, text, steps = {}, "", []
        for part in (self.vector, self.construct):
            line, step, new = part(scope)
            text, steps = text + line, steps + [step]
            scope.update(new)
        body, more = self.block(scope, 0)
        end, last, _ = self.dump(scope)
        env, out = {}, []
        for step in [*steps, *more, last]:
            step(env, out)
        main = f"func.func @main() {{\n{text}{body}{end}return\n}}\n"
        return PRELUDE.replace("ELEMENT", self.element) + main, out


def check(seed, folder):
    program, expected = Program(seed).make()
    path = folder / f"random-{seed}.mlir"
    path.write_text(program)
    # Every second program is optimised too: what reads freed memory reads it otherwise there.
    done = subprocess.run([RUN, f"-O{2 * (seed % 2)}", path], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"seed {seed}: exit {done.returncode}: {done.stderr[-500:]} {done.stdout[-200:]}"
    lines = done.stdout.splitlines()
    assert CLEAN in lines[-1], f"seed {seed}: {lines[-1]}"
    if seed % 10 == 0:  # AddressSanitizer sees leaks and what the run-time library does, where it is built in
        plain = subprocess.run([RUN, "--malloc", path], capture_output=True, text=True, timeout=600)
        assert plain.returncode == 0, f"seed {seed}: exit {plain.returncode}: {plain.stderr[-500:]}"
    printed = [tuple(map(int, line.split(" ")[2:])) for line in lines if line.startswith("i64 ")]
    assert printed == expected, f"seed {seed}: what is printed"


def test_random_programs(folder):
    for seed in range(options.seed, options.seed + (1500 if options.long else 40)):
        check(seed, folder)
