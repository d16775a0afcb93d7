#!/usr/bin/env python3
"""Time of `deallocate` and `deallocation-simplification` in the size of a function: ten times the operations, at most
twenty times the time; and the same bytes in two runs.

The shapes: buffers one after the other, a chain of loops, a chain of branches, branches within branches of a loop, views,
blocks, and functions that call each other. MLIR's own timer tells the passes from parsing and printing.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
from onnxfold_testing import ROOT, Suite, expect, expectEqual

FOLD_OPT = ROOT / "build/bin/fold-opt"
PASSES = {"deallocate": "DeallocatePass", "deallocation-simplification": "SimplificationPass"}
OPERATIONS = 100_000
SLACK = 0.5  # seconds: below it the clock says little; what is quadratic takes a hundred times as long


def function(body, name="f", result=""):
    return f"func.func @{name}(%c: i1, %x: memref<8xf32>, %n: index){result} {{\n{body}}}\n"


def straight(count):
    lines = ["%v = arith.constant 1.0 : f32\n%z = arith.constant 0 : index\n"]
    for i in range(count // 3):
        lines.append(f"%b{i} = memref.alloc() : memref<8xf32>\nmemref.store %v, %b{i}[%z] : memref<8xf32>\n")
        lines.append(f"%w{i} = memref.load %b{i}[%z] : memref<8xf32>\n")
    return function("".join(lines) + "return\n")


def loops(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n"]
    for i in range(count // 3):
        lines.append(
            f"%b{i + 1} = scf.for %i{i} = %n to %n step %n iter_args(%m{i} = %b{i}) -> memref<8xf32> {{\n"
            f"%t{i} = memref.alloc() : memref<8xf32>\nscf.yield %t{i} : memref<8xf32>\n}}\n"
        )
    return function("".join(lines) + "return\n")


def branches(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n"]
    for i in range(count // 4):
        lines.append(
            f"%b{i + 1} = scf.if %c -> memref<8xf32> {{\nscf.yield %b{i} : memref<8xf32>\n}} else {{\n"
            f"%t{i} = memref.alloc() : memref<8xf32>\nscf.yield %t{i} : memref<8xf32>\n}}\n"
        )
    return function("".join(lines) + "return\n")


def views(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\n%d0 = memref.cast %b0 : memref<8xf32> to memref<?xf32>\n"]
    for i in range(count // 2):
        lines.append(f"%b{i + 1} = memref.cast %d{i} : memref<?xf32> to memref<8xf32>\n")
        lines.append(f"%d{i + 1} = memref.cast %b{i + 1} : memref<8xf32> to memref<?xf32>\n")
    return function("".join(lines) + "return\n")


def blocks(count):
    lines = ["%b0 = memref.alloc() : memref<8xf32>\ncf.br ^l0(%b0 : memref<8xf32>)\n"]
    for i in range(count // 4):
        lines.append(
            f"^l{i}(%m{i}: memref<8xf32>):\ncf.cond_br %c, ^t{i}, ^l{i + 1}(%m{i} : memref<8xf32>)\n"
            f"^t{i}:\n%t{i} = memref.alloc() : memref<8xf32>\ncf.br ^l{i + 1}(%t{i} : memref<8xf32>)\n"
        )
    return function("".join(lines) + f"^l{count // 4}(%last: memref<8xf32>):\nreturn\n")


def functions(count):
    parts = []
    for i in range(count // 4):
        parts.append(
            f"func.func private @g{i}(%m: memref<8xf32>) -> memref<8xf32> {{\n%t = memref.alloc() : memref<8xf32>\n"
            f"%r = call @g{i + 1}(%t) : (memref<8xf32>) -> memref<8xf32>\nreturn %r : memref<8xf32>\n}}\n"
        )
    parts.append(f"func.func private @g{count // 4}(%m: memref<8xf32>) -> memref<8xf32> {{\nreturn %m : memref<8xf32>\n}}\n")
    return "".join(parts)


SHAPES = {f.__name__: f for f in (straight, loops, branches, views, blocks, functions)}


def run(text):
    """(seconds in each pass, output)"""
    done = subprocess.run(
        [FOLD_OPT, *(f"-{name}" for name in PASSES), "-mlir-timing", "-mlir-timing-display=list"],
        input=text, capture_output=True, text=True, timeout=110,
    )
    expectEqual(done.returncode, 0, "exit status")
    seconds = {}
    for name, passName in PASSES.items():
        found = re.search(rf"([0-9.]+) \([^\n]*{passName}", done.stderr)
        seconds[name] = float(found[1]) if found else 0.0
    expect(max(seconds.values()) > 0, f"no times in {done.stderr[:500]}")
    return seconds, done.stdout


def check(shape):
    small, _ = run(shape(OPERATIONS // 10))
    large, text = run(shape(OPERATIONS))
    for name in PASSES:
        bound = 20 * small[name] + SLACK
        print(f"  {name}: {small[name]:.3f} s, {large[name]:.3f} s")
        expect(large[name] <= bound, f"{name} takes {large[name]} s, expected at most {bound:.2f}")
    expectEqual(run(shape(OPERATIONS))[1] == text, True, "the same text in a second run")


suite = Suite(__doc__)
for name, shape in SHAPES.items():
    suite.add(name, lambda folder, shape=shape: check(shape))
if __name__ == "__main__":
    sys.exit(suite.main(needsTool=False))
