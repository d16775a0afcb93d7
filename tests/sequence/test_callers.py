# SPDX-License-Identifier: Apache-2.0
"""C++ programs that call compiled functions, as docs/sequences.md says: the caller owns the results, and keeps its arguments.

Each random function returns several tensors that may be one value: two equal additions, an argument, a constant, a reshape, what
a branch or a loop gives, the results of another function, elements of a sequence. The caller frees each result, and compares the
values and its own arguments. It runs under AddressSanitizer, which stops at a double free and at a leak, and with --long under
valgrind too.
"""

import os
import random
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

from onnxfold_testing import TOOL, cmakeCache, options

TYPE, TALL, SEQ = "tensor<2x3xf32>", "tensor<2x3x1xf32>", "!sequence.seq<tensor<2x3xf32>, ?>"

PRELUDE = f"""
func.func private @pair(%a: {TYPE}, %b: {TYPE}) -> ({TYPE}, {TYPE}) {{
  %0 = arith.addf %a, %b : {TYPE}
  %1 = arith.addf %a, %b : {TYPE}
  return %0, %1 : {TYPE}, {TYPE}
}}
"""

CALLER = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
template <int rank> struct Tensor { float *allocated, *data; int64_t offset, sizes[rank], strides[rank]; };
static int check(const char *name, const float *data, const float *expected) {
  if (!std::memcmp(data, expected, 6 * sizeof(float)))
    return 0;
  std::printf("%s is wrong\\n", name);
  return 1;
}
static Tensor<2> tensor(float *data) { return {data, data, 0, {2, 3}, {3, 1}}; }
"""


class Function:
    """A function of tensors %a and %b, a truth %c and a count %n, in MLIR and in Python."""

    def __init__(self, seed, name):
        self.random, self.name, self.count = random.Random(seed), name, 0
        self.values = {"%a": [1.0] * 6, "%b": [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]}
        self.truth, self.trips = self.random.random() < 0.5, self.random.randint(0, 3)
        self.text = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        for _ in range(self.random.randint(1, 7)):
            self.random.choice([self.add, self.constant, self.choice, self.branch, self.loop, self.call, self.element])()
        self.results = [self.random.choice(list(self.values)) for _ in range(self.random.randint(2, 4))]
        self.tall = [self.random.random() < 0.3 for _ in self.results]

    def new(self, text, value):
        self.count += 1
        self.text += text.replace("NEW", f"%v{self.count}")
        self.values[f"%v{self.count}"] = value

    def pick(self):
        return self.random.choice(list(self.values))

    def sum(self, x, y):
        return [a + b for a, b in zip(self.values[x], self.values[y])]

    def add(self):
        x, y = self.pick(), self.pick()
        for _ in range(self.random.randint(1, 2)):
            self.new(f"  NEW = arith.addf {x}, {y} : {TYPE}\n", self.sum(x, y))

    def constant(self):
        self.new(f"  NEW = arith.constant dense<5.0> : {TYPE}\n", [5.0] * 6)

    def choice(self):
        x, y = self.pick(), self.pick()
        self.new(f"  NEW = arith.select %c, {x}, {y} : {TYPE}\n", self.values[x if self.truth else y])

    def branch(self):
        x, y = self.pick(), self.pick()
        text = f"  NEW = scf.if %c -> {TYPE} {{\n    %s = arith.addf {x}, {y} : {TYPE}\n    scf.yield %s : {TYPE}\n"
        text += f"  }} else {{\n    scf.yield {y} : {TYPE}\n  }}\n"
        self.new(text, self.sum(x, y) if self.truth else self.values[y])

    def loop(self):
        """Two values that change places in each iteration."""
        x, y = self.pick(), self.pick()
        self.count += 1
        pair = f"%v{self.count}"
        self.text += f"  {pair}:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = {x}, %q = {y}) -> ({TYPE}, {TYPE}) {{\n"
        self.text += f"    scf.yield %q, %p : {TYPE}, {TYPE}\n  }}\n"
        state = [self.values[x], self.values[y]]
        for i in range(2):
            self.values[f"{pair}#{i}"] = state[(i + self.trips) % 2]

    def call(self):
        x, y = self.pick(), self.pick()
        self.count += 1
        pair = f"%v{self.count}"
        self.text += f"  {pair}:2 = call @pair({x}, {y}) : ({TYPE}, {TYPE}) -> ({TYPE}, {TYPE})\n"
        self.values[f"{pair}#0"] = self.values[f"{pair}#1"] = self.sum(x, y)

    def element(self):
        x, y = self.pick(), self.pick()
        self.new(f"  NEWs = sequence.construct {x}, {y} : ({TYPE}, {TYPE}) -> {SEQ}\n  NEW = sequence.at NEWs[%c1] : {SEQ} -> {TYPE}\n",
                 self.values[y])

    def mlir(self):
        text, names, types = self.text, [], []
        for i, (value, tall) in enumerate(zip(self.results, self.tall)):
            if tall:
                text += f"  %r{i} = tensor.expand_shape {value} [[0], [1, 2]] output_shape [2, 3, 1] : {TYPE} into {TALL}\n"
            names.append(f"%r{i}" if tall else value)
            types.append(TALL if tall else TYPE)
        header = f"func.func @{self.name}(%a: {TYPE}, %b: {TYPE}, %c: i1, %n: index) -> ({', '.join(types)}) "
        header += "attributes {llvm.emit_c_interface} {\n"
        return f"{header}{text}  return {', '.join(names)} : {', '.join(types)}\n}}\n"

    def cpp(self):
        fields = "".join(f" Tensor<{3 if tall else 2}> r{i};" for i, tall in enumerate(self.tall))
        array = lambda value: "{" + ", ".join(map(str, value)) + "}"
        a, b = array(self.values["%a"]), array(self.values["%b"])
        text = f"struct R_{self.name} {{{fields} }};\n"
        text += f'extern "C" void _mlir_ciface_{self.name}(R_{self.name} *, Tensor<2> *, Tensor<2> *, bool, int64_t);\n'
        text += f"static int call_{self.name}() {{\n  int bad = 0;\n  float a[] = {a}, b[] = {b};\n"
        text += f"  const float a0[] = {a}, b0[] = {b};\n  Tensor<2> x = tensor(a), y = tensor(b);\n  R_{self.name} r;\n"
        text += f"  _mlir_ciface_{self.name}(&r, &x, &y, {str(self.truth).lower()}, {self.trips});\n"
        text += f'  bad += check("{self.name}: a", a, a0) + check("{self.name}: b", b, b0);\n'
        for i, value in enumerate(self.results):
            text += f"  const float e{i}[] = {array(self.values[value])};\n"
            text += f'  bad += check("{self.name}: result {i}", r.r{i}.data + r.r{i}.offset, e{i});\n'
        # Written to before the next is read: each is another buffer.
        text += "".join(f"  std::free(r.r{i}.allocated);\n" for i in range(len(self.results)))
        return text + "  return bad;\n}\n"


def llvmTool(name):
    return Path(cmakeCache(TOOL.parents[1], "LLVM_DIR")).parents[2] / "bin" / name


def objectOf(program, folder):
    """The object file of a module, by the commands of docs/sequences.md."""
    path = folder / "program.mlir"
    path.write_text(program)
    text = path.read_bytes()
    for command in (
        [TOOL.parent / "fold-opt", "--lower-sequence-to-llvm"],
        [llvmTool("mlir-translate"), "--mlir-to-llvmir"],
        [llvmTool("llc"), "-relocation-model=pic", "-filetype=obj", "-o", folder / "program.o"],
    ):
        done = subprocess.run(command, input=text, capture_output=True, timeout=600)
        assert done.returncode == 0, f"{command[0]}: {done.stderr.decode()[-800:]}"
        text = done.stdout
    return folder / "program.o"


def compileCaller(text, program, folder, flags):
    source = folder / "caller.cpp"
    source.write_text(text)
    library = TOOL.parents[1] / "lib" / "libonnxfold_sequence_runtime.a"
    include = TOOL.parents[1] / "include"
    subprocess.run(
        [cmakeCache(TOOL.parents[1], "CMAKE_CXX_COMPILER"), "-std=c++17", "-O1", "-g", f"-I{include}", *flags, source, program, library,
         "-lpthread", "-o", folder / "caller"],
        check=True, timeout=600,
    )
    return folder / "caller"


def run(folder, functions):
    program = objectOf(PRELUDE + "".join(f.mlir() for f in functions), folder)
    text = CALLER + "".join(f.cpp() for f in functions)
    text += "int main() {\n  return 0" + "".join(f" + call_{f.name}()" for f in functions) + " != 0;\n}\n"
    done = subprocess.run([compileCaller(text, program, folder, ["-fsanitize=address"])], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout[-500:]} {done.stderr[-1500:]}"
    if options.long and shutil.which("valgrind"):
        plain = compileCaller(text, program, folder, [])
        command = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=all", plain]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
        assert done.returncode == 0, f"{done.stdout[-500:]} {done.stderr[-1500:]}"


def test_random_results(folder):
    for block in range(100 if options.long else 1):
        first = options.seed + block * 100
        run(folder, [Function(first + i, f"f{i}") for i in range(100 if options.long else 40)])


def test_documented_commands(folder):
    """The program and the commands of docs/sequences.md, as they stand there. Without a relocation model the object did not link
    once the program had a constant."""
    page = (Path(__file__).parents[2] / "docs/sequences.md").read_text()
    text = page.partition("## A program\n\n")[2].partition("\n\n`mlir-translate`")[0]
    blocks = re.findall(r"(?:^(?:    .*)?\n)+", text + "\n", re.M)
    program, commands, main = [textwrap.dedent(block).strip() + "\n" for block in blocks if block.strip()]
    (folder / "grow.mlir").write_text(program)
    (folder / "main.cpp").write_text(main)
    build = TOOL.parents[1]
    env = {**os.environ, "ONNXFOLD": str(build)}
    env["PATH"] = f"{TOOL.parent}:{llvmTool('llc').parent}:{env['PATH']}"
    commands = commands.replace("$(llvm-config-22 --bindir)", str(llvmTool("llc").parent))
    done = subprocess.run(["bash", "-ec", commands], cwd=folder, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-1500:]
    assert subprocess.run([folder / "a.out"]).returncode == 0
