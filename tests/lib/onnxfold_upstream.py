# SPDX-License-Identifier: Apache-2.0
"""Kernels of upstream/ against MLIR's own execution.

Each case is an operation with constant operands. Folded by fold-opt it must become constants; the same operation with
the operands as arguments of a function is lowered by MLIR and run by mlir-runner, in one program for all cases, which
compares the two bit by bit (NaNs are equal) and prints how many elements differ, or by how many units in the last place.

    cases = Differential()
    cases.add("arith.addi {0}, {1} : tensor<3x4xi8>", [(x, "i8"), (y, "i8")], ["tensor<3x4xi8>"])
    cases.add("math.exp {0} : tensor<9xf32>", [(z, "f32")], ["tensor<9xf32>"], ulps=1)
    cases.addKept("arith.divsi {0}, {1} : tensor<2xi32>", ..., reason="divides by 0")
    cases.run(folder)
"""

import platform
import re
import subprocess
from pathlib import Path

import numpy as np
import onnxfold_testing as t

FOLD_OPT = t.TOOL.parent / "fold-opt"
MLIR = Path(t.cmakeCache(t.TOOL.parents[1], "MLIR_DIR")).parents[2]
LIBRARIES = ",".join(f"{MLIR}/lib/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils", "float16_utils"))

# x86's own conversion to bf16 makes 0 of subnormal numbers; without it LLVM rounds as the format says.
RUNNER = [MLIR / "bin/mlir-runner", *(["--mattr=-avx512bf16,-avxneconvert"] if platform.machine() == "x86_64" else [])]

# From tensors to LLVM. Nothing is folded across functions, so constant operands are unknown where they are used.
LOWERING = ("builtin.module(func.func(tosa-to-scf,tosa-to-linalg-named,tosa-to-linalg,"
            "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor,convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries=true},"
            "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
            "convert-math-to-funcs{convert-ctlz},convert-scf-to-cf,convert-math-to-llvm{approximate-log1p=false},"
            "convert-math-to-libm,arith-expand{include-f8e8m0=true include-f4e2m1=true},convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
            "convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts)")


def shapeOf(array):
    return "".join(f"{size}x" for size in np.shape(array))


def tensorOf(array, element):
    """The type of an operand; "!index" is a scalar, and no tensor of one."""
    if element[0] == "!":
        return element[1:]
    return f"tensor<{shapeOf(array)}{element}>"


def dense(array, element):
    """dense<...> of an array; integers narrower than a byte are numbers of any numpy type."""
    array = np.asarray(array)
    if element[0] == "!":
        return f"{array} : {element[1:]}"
    if array.size == 0:
        return f"dense<> : {tensorOf(array, element)}"
    bits = 64 if element == "index" else int(re.sub(r"\D.*", "", element.lstrip("uibf")))
    if element[0] in "ui" and bits < 8:
        words = {"i1": lambda v: str(bool(v)).lower()}.get(element, lambda v: str(int(v)))
        text = str(nested(array, words)).replace("'", "")
        return f"dense<{text}> : {tensorOf(array, element)}"
    assert array.itemsize * 8 == max(bits, 8), (array.dtype, element)
    return f'dense<"0x{array.tobytes().hex()}"> : {tensorOf(array, element)}'


def nested(array, words):
    return [nested(row, words) for row in array] if array.ndim else words(array)


def output(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))} failed: {done.stderr[-3000:]}"
    return done.stdout


class Differential:
    def __init__(self):
        self.cases, self.kept = [], []

    def add(self, operation, operands, results, ulps=0, before=()):
        """operation: its text, with {0}, {1} ... for the operands; before: lines above it. ulps=0: the same bits."""
        self.cases.append((operation, operands, results, ulps, before))

    def addKept(self, operation, operands, results, reason, before=()):
        """A case that must not fold, with a remark that has `reason` in it."""
        self.kept.append((operation, operands, results, reason, before))

    def run(self, folder):
        folded = fold(folder, "folded", self.cases)
        for (operation, *_), text in zip(self.cases, folded, strict=True):
            others = [line for line in text.splitlines()[1:-1]
                      if not re.search(r"= arith.constant |= \"tosa.const\"|= tensor.cast |^ *return ", line)]
            assert not others, f"{operation} did not fold: {others[:3]}"
        differences = self.execute(folder, folded) if self.cases else []
        wrong = [f"{case[0]}: {difference}" for case, difference in zip(self.cases, differences, strict=True)
                 if max(difference) > case[3]]
        assert not wrong, f"{len(wrong)} of {len(self.cases)} differ (elements or ulps):\n" + "\n".join(wrong[:20])
        if self.kept:
            self.checkKept(folder)

    def checkKept(self, folder):
        texts, remarks = fold(folder, "kept", self.kept, remarks=True)
        for (operation, _, _, reason, _), text in zip(self.kept, texts, strict=True):
            name = operation.split()[0]
            assert name in text, f"{operation} folded"
            assert any(name in remark and reason in remark for remark in remarks), (operation, reason, remarks)

    def execute(self, folder, folded):
        """For each case the difference of each result."""
        functions, calls, comparisons = [], [], {}
        for number, (case, text) in enumerate(zip(self.cases, folded, strict=True)):
            functions += [text, executed(number, case)]
            calls += called(number, case, comparisons)
        main = "func.func @main() {\n  " + "\n  ".join(calls) + "\n  return\n}\n"
        text = ("func.func private @printI64(i64)\nfunc.func private @printNewline()\n" + "\n".join(functions) +
                "".join(comparisons.values()) + main)
        (folder / "run.mlir").write_text(text)
        output(MLIR / "bin/mlir-opt", f"--pass-pipeline={LOWERING}", folder / "run.mlir", "-o", folder / "llvm.mlir")
        printed = iter(output(*RUNNER, folder / "llvm.mlir", "-e", "main", "--entry-point-result=void",
                              f"--shared-libs={LIBRARIES}").split())
        return [[int(next(printed)) for _ in case[2]] for case in self.cases]


def header(name, arguments, results):
    return f"func.func @{name}({', '.join(arguments)}) -> ({', '.join(results)})"


def body(case, operands):
    operation, _, results, _, before = case
    count = f":{len(results)}" if len(results) > 1 else ""
    names = ", ".join(f"%r#{i}" for i in range(len(results))) if count else "%r"
    lines = [line.format(*operands) for line in before]
    lines += [f"%r{count} = {operation.format(*operands)}", f"return {names} : {', '.join(results)}"]
    return "\n  ".join(lines)


def fold(folder, name, cases, remarks=False):
    """The functions that fold-opt makes of the cases, as texts; with `remarks`: and why others were kept."""
    text = []
    for number, case in enumerate(cases):
        constants = [f"%a{i} = arith.constant {dense(*operand)}" for i, operand in enumerate(case[1])]
        lines = "\n  ".join([*constants, body(case, [f"%a{i}" for i in range(len(constants))])])
        text.append(f"{header(f'{name}{number}', [], case[2])} {{\n  {lines}\n}}\n")
    (folder / f"{name}.mlir").write_text("".join(text))
    arguments = [FOLD_OPT, folder / f"{name}.mlir", "--constprop", "--scrub"]
    if remarks:
        arguments.append("--remarks-filter-missed=constprop")
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    texts = [f"  func.func {each}" for each in re.split(r"^  func\.func ", done.stdout, flags=re.M)[1:]]
    texts = [text[:text.rindex("  }") + 3] + "\n" for text in texts]
    return (texts, re.findall(r'Remark="(.*)"', done.stderr)) if remarks else texts


def executed(number, case):
    arguments = [f"%a{i}: {tensorOf(*operand)}" for i, operand in enumerate(case[1])]
    lines = body(case, [f"%a{i}" for i in range(len(arguments))])
    return f"{header(f'run{number}', arguments, case[2])} {{\n  {lines}\n}}\n"


def called(number, case, comparisons):
    """Calls of both functions, and of comparisons, which are made where there is none yet."""
    _, operands, results, ulps, _ = case
    types = ", ".join(tensorOf(*operand) for operand in operands)
    given = ", ".join(results)
    count = f":{len(results)}" if len(results) > 1 else ""
    lines = [f"%c{number}_{i} = arith.constant {dense(*operand)}" for i, operand in enumerate(operands)]
    lines += [f"%e{number}{count} = call @run{number}({', '.join(f'%c{number}_{i}' for i in range(len(operands)))})"
              f" : ({types}) -> ({given})", f"%f{number}{count} = call @folded{number}() : () -> ({given})"]
    for i, result in enumerate(results):
        key = (result, ulps != 0)
        name = f"compare{list(comparisons).index(key) if key in comparisons else len(comparisons)}"
        comparisons.setdefault(key, comparison(name, *key))
        e, f = (f"%{letter}{number}" + (f"#{i}" if count else "") for letter in "ef")
        lines += [f"%d{number}_{i} = call @{name}({e}, {f}) : ({result}, {result}) -> i64",
                  f"call @printI64(%d{number}_{i}) : (i64) -> ()", "call @printNewline() : () -> ()"]
    return lines


# Of two elements %x and %y to %d: i64, which is added up, or is the largest.
FLOAT = """%xi = arith.bitcast %x : {e} to i{bits}
%yi = arith.bitcast %y : {e} to i{bits}
%xn = arith.cmpf uno, %x, %x : {e}
%yn = arith.cmpf uno, %y, %y : {e}
%nans = arith.andi %xn, %yn : i1
"""
WIDEN = "%{v}w = arith.extsi %{v}i : i{bits} to i64\n"
EXACT = """%ne = arith.cmpi ne, %xi, %yi : {i}
%dn = arith.extui %ne : i1 to i64
"""
# Floats in the order of their values are integers in this order.
ORDERED = """%{v}neg = arith.cmpi slt, %{v}w, %zero : i64
%{v}mag = arith.subi %least, %{v}w : i64
%{v}o = arith.select %{v}neg, %{v}mag, %{v}w : i64
"""
DISTANCE = """%diff = arith.subi %xo, %yo : i64
%flip = arith.subi %yo, %xo : i64
%dn = arith.maxsi %diff, %flip : i64
"""


def elementDifference(element, inUlps):
    isFloat = element[0] in "fb"
    if not isFloat:
        return EXACT.replace("%xi", "%x").replace("%yi", "%y").format(i=element) + "%d = arith.addi %dn, %zero : i64\n"
    bits = re.search(r"\d+", element)[0]
    text = FLOAT.format(e=element, bits=bits)
    if not inUlps:
        text += EXACT.format(i=f"i{bits}")
    else:
        for v in "xy":
            wide = WIDEN if bits != "64" else "%{v}w = arith.addi %{v}i, %zero : i64\n"
            text += (wide + ORDERED).format(v=v, bits=bits)
        text += DISTANCE
    return text + "%d = arith.select %nans, %zero, %dn : i64\n"


def comparison(name, result, inUlps):
    *sizes, element = result[len("tensor<"):-1].split("x")
    element = element if element else "index"
    if result.endswith("xindex>") or result == "tensor<index>":
        sizes, element = [size for size in sizes if size.isdigit()], "index"
    bits = re.search(r"\d+", element)
    least = -(1 << (int(bits[0]) - 1)) if bits else 0
    lines = [f"func.func @{name}(%p: {result}, %q: {result}) -> i64 {{", "%zero = arith.constant 0 : i64",
             f"%least = arith.constant {least} : i64", "%c0 = arith.constant 0 : index",
             "%c1 = arith.constant 1 : index"]
    lines += [f"%n{i} = arith.constant {size} : index" for i, size in enumerate(sizes)]
    outer = "%zero"
    for i in range(len(sizes)):
        lines.append(f"%s{i} = scf.for %i{i} = %c0 to %n{i} step %c1 iter_args(%t{i} = {outer}) -> (i64) {{")
        outer = f"%t{i}"
    indices = ", ".join(f"%i{i}" for i in range(len(sizes)))
    lines += [f"%{v} = tensor.extract %{of}[{indices}] : {result}" for v, of in (("x", "p"), ("y", "q"))]
    lines.append(elementDifference(element, inUlps))
    lines.append(f"%u = arith.{'maxsi' if inUlps else 'addi'} {outer}, %d : i64")
    last = "%u"
    for i in reversed(range(len(sizes))):
        lines += [f"scf.yield {last} : i64", "}"]
        last = f"%s{i}"
    return "\n".join([*lines, f"return {last} : i64", "}\n"])
