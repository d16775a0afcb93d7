# SPDX-License-Identifier: Apache-2.0
"""Compilation of straight-line programs is linear: n inserts take n times the instructions, down to LLVM's dialect. (4,000 took 5.5
seconds and 8,000 four times that: each check of a position split the block around it.)

A program of 8 n operations takes at most 1.3 times as many instructions for each of its 6 n last ones as one of 2 n takes for each
of its n last ones; valgrind (cachegrind, the quickest that counts) counts them. That is with --long, for each kind of
program, n = 1,000. Otherwise, since a start under valgrind takes five seconds, the three kinds are functions of one program of 40,
80 and 512 operations each, for which the bound is 1.03 (0.996 to 1.006 were measured): what is quadratic in the kind with the
smallest share (22 % of the instructions) exceeds it if that kind alone exceeded 1.3 at 1,300 operations. MLIR's table of attributes
hashes addresses, so how far it probes depends on how much the process allocated before: 2 % of the instructions between smaller sizes.
"""

import re
import shutil
import subprocess

import pytest

from onnxfold_testing import TOOL, isSanitized, options

pytestmark = [
    pytest.mark.skipif(isSanitized(), reason="sanitizers count too"),
    pytest.mark.skipif(not shutil.which("valgrind"), reason="there is no valgrind"),
]


def inserts(count):
    """At positions that only the program knows."""
    return "".join(f"  %s{i + 1} = sequence.insert %e into %s{i} at %p0 : !t, !seq -> !seq\n" for i in range(count))


def reads(count):
    """Elements at positions that only the program knows, added up."""
    lines = []
    for i in range(count):
        lines.append(f"  %p{i + 1} = arith.addi %p{i}, %p0 : index\n  %e{i} = sequence.at %s0[%p{i}] : !seq -> !t\n")
        lines.append(f"  %x{i} = tensor.extract %e{i}[%p0] : !t\n  %f{i + 1} = arith.addf %f{i}, %x{i} : f32\n")
    return "".join(lines)


def news(count):
    """Each element a tensor of its own."""
    lines = []
    for i in range(count):
        lines.append(f"  %n{i} = linalg.fill ins(%f0 : f32) outs(%empty : !t) -> !t\n")
        lines.append(f"  %s{i + 1} = sequence.insert %n{i} into %s{i} : !t, !seq -> !seq\n")
    return "".join(lines)


CASES = {inserts: ("!seq", "%s"), reads: ("f32", "%f"), news: ("!seq", "%s")}
KINDS = [[case] for case in CASES] if options.long else [list(CASES)]


def program(cases, count):
    """A module with a function for each case."""
    functions = []
    for case in cases:
        result, name = CASES[case]
        functions.append(f"""
func.func @{case.__name__}(%s0: !seq, %e: !t, %p0: index, %f0: f32) -> {result} attributes {{llvm.emit_c_interface}} {{
  %empty = tensor.empty() : !t
{case(count)}  return {name}{count} : {result}
}}
""")
    return "!t = tensor<4xf32>\n!seq = !sequence.seq<!t, ?>\n" + "".join(functions)


def instructions(folder, text):
    (folder / "program.mlir").write_text(text)
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/counts"]
    command += [TOOL.parent / "fold-opt", "--lower-sequence-to-llvm", "--mlir-disable-threading", folder / "program.mlir"]
    done = subprocess.run([*command, "-o", folder / "out.mlir"], capture_output=True, text=True)
    assert done.returncode == 0, re.sub("==.*\n", "", done.stderr)[-1000:]
    return int(re.search(r"^summary: (\d+)$", (folder / "counts").read_text(), re.M)[1])


def expectLinear(folder, cases, few, most, bound):
    sizes = few, 2 * few, most
    counts = [instructions(folder, program(cases, size)) for size in sizes]
    before, behind = (counts[1] - counts[0]) / few, (counts[2] - counts[1]) / (most - 2 * few)
    told = f"{before:.0f} instructions for each from {sizes[0]} to {sizes[1]}, {behind:.0f} to {sizes[2]}"
    print(f"  {told}")
    assert behind <= bound * before, told


@pytest.mark.parametrize("cases", KINDS, ids=lambda cases: "-".join(case.__name__ for case in cases))
def test_straight_programs(cases, folder):
    if options.long:
        expectLinear(folder, cases, 1000, 8000, 1.3)
    else:
        expectLinear(folder, cases, 40, 512, 1.03)
