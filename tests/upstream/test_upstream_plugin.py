# SPDX-License-Identifier: Apache-2.0
"""libonnxfold_passes.so in stock mlir-opt: the commands of examples/plugin, and what users of other options meet."""

import re
import shlex
import subprocess

import onnxfold_testing as t
from onnxfold_upstream import MLIR

EXAMPLES = t.ROOT / "examples/plugin"
PLUGIN = t.TOOL.parents[1] / "lib/libonnxfold_passes.so"
LOAD = [f"--load-pass-plugin={PLUGIN}", f"--load-dialect-plugin={PLUGIN}"]


def opt(*arguments, text=None):
    done = subprocess.run([MLIR / "bin/mlir-opt", *LOAD, *map(str, arguments)], capture_output=True, text=True, input=text)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr


def example(name):
    """What the command in an example's comment prints."""
    path = EXAMPLES / f"{name}.mlir"
    command = re.search(r"^// mlir-opt (.*)$", path.read_text(), flags=re.M)[1]
    command = shlex.split(command)
    assert command[:2] == [option.replace(str(PLUGIN), "libonnxfold_passes.so") for option in LOAD]
    return opt(*command[2:], path)[0]


def testEveryExampleIsRun():
    names = {path.stem for path in EXAMPLES.glob("*.mlir")}
    assert names == {"constprop", "dealloc", "sequence", "tensorfolding"}


def testConstprop():
    printed = example("constprop")
    assert "arith.constant dense<[[1.000000e+00, 2.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<2x2xf16>" in printed
    assert "tensor.extract_slice" not in printed and "arith.truncf" not in printed
    assert "arith.constant 45 : index" in printed and "scf.for" not in printed
    assert "arith.divsi" in printed


def testDealloc():
    printed = example("dealloc")
    lines = [line.split("=")[-1].split()[0] for line in printed.splitlines() if "memref." in line and "func" not in line]
    assert [line for line in lines if "memref." in line] == [
        "memref.alloc(%arg0)", "memref.alloc(%arg0)", "memref.dealloc", "memref.copy", "memref.dealloc"], printed


def testSequence():
    printed = example("sequence")
    assert "sequence.seqreserve" in printed and "sequence.erase" not in printed, printed


def testTensorFolding():
    printed = example("tensorfolding")
    entry, once = printed.split("func.func @entry.fold_runtime(")
    assert "linalg.transpose" not in entry and "linalg.transpose" in once, printed


def testGuide(folder):
    """The command of docs/linking-elements.md for a module of the reader's, on an example in place of my.mlir."""
    commands = re.search(r"^    P=[^\n]*\n(?:    [^\n]*\n)*?    [^\n]* my\.mlir$", (t.ROOT / "docs/linking-elements.md").read_text(), re.M)[0]
    for name, value in (("build/lib/libonnxfold_passes.so", PLUGIN), ("mlir-opt-22", MLIR / "bin/mlir-opt"), ("my.mlir", "constprop.mlir")):
        assert name in commands
        commands = commands.replace(name, str(value))
    done = subprocess.run(["bash", "-ec", commands], capture_output=True, text=True, cwd=EXAMPLES)
    assert done.returncode == 0 and "arith.truncf" not in done.stdout and "arith.constant 45 : index" in done.stdout, done


def pipeline(options=""):
    """Passes of a plugin have no options of their own on the command line of mlir-opt."""
    return f"--pass-pipeline=builtin.module(constprop{{{options}}})"


DIVISION = """func.func @f() -> (tensor<2xi32>, tensor<2xi32>) {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %y = arith.constant dense<[3, 0]> : tensor<2xi32>
  %q = arith.divsi %x, %y : tensor<2xi32>
  %s = arith.addi %x, %y : tensor<2xi32>
  return %q, %s : tensor<2xi32>, tensor<2xi32>
}"""


def testRemarks():
    _, remarks = opt(pipeline(), "--remarks-filter-missed=constprop", text=DIVISION)
    assert "arith.divsi not folded: element [1] divides by 0" in remarks, remarks


def testFilters():
    assert "arith.addi" not in opt(pipeline(), text=DIVISION)[0]
    assert "arith.addi" in opt(pipeline("skip=arith.addi"), text=DIVISION)[0]
    assert "arith.addi" in opt(pipeline("only=math.*,tosa.*"), text=DIVISION)[0]
    assert "arith.addi" not in opt(pipeline("only=arith.*"), text=DIVISION)[0]


def testResultsThatNoRegionGives():
    """The token of async.execute comes from no region: the first value that one yields was taken for it, and there is none here."""
    text = """func.func @f(%m: memref<1xf32>) -> !async.value<i32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %one = arith.constant 1.0 : f32
  %stored = async.execute {
    memref.store %one, %m[%c0] : memref<1xf32>
    async.yield
  }
  %token, %value = async.execute -> !async.value<i32> {
    %s = arith.addi %c2, %c3 : i32
    async.yield %s : i32
  }
  return %value : !async.value<i32>
}"""
    printed, _ = opt(pipeline(), text=text)
    assert "arith.constant 5 : i32" in printed and printed.count("async.execute") == 2, printed


def testBudget():
    text = """func.func @f() -> (tensor<100000xf32>, f32) {
  %x = arith.constant dense<2.0> : tensor<100000xf32>
  %n = arith.constant 100000 : index
  %y = tensor.generate {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<100000xf32>
  %one = arith.constant 1.0 : f32
  return %y, %one : tensor<100000xf32>, f32
}"""
    assert "tensor.generate" in opt(pipeline(), text=text)[0], "more iterations than max-trip-count"
    free = opt(pipeline("max-trip-count=1000000"), text=text)[0]
    assert "tensor.generate" not in free
    assert "tensor.generate" in opt(pipeline("max-trip-count=1000000 max-growth=1000"), text=text)[0]


def testCollector():
    """A chain of large constants of which one is left: the others are freed between the passes."""
    chain = "\n".join(f"  %{i + 1} = arith.addf %{i}, %{i} : tensor<1000xf32>" for i in range(20))
    values = ", ".join(f"{i}.0" for i in range(1000))
    text = (f"func.func @f() -> tensor<1000xf32> {{\n  %0 = arith.constant dense<[{values}]> : tensor<1000xf32>\n{chain}\n"
            "  return %20 : tensor<1000xf32>\n}")
    printed, statistics = opt("--pass-pipeline=builtin.module(with-collector{pipeline=constprop,canonicalize,scrub statistics=true})", text=text)
    assert "arith.addf" not in printed and "elements.dense" not in printed
    live = re.search(r"\((\S+)\) live\b|(\d+) live\b", statistics)
    assert live, statistics


def testDroppedConstants():
    """Twenty passes, each of which makes a constant and drops the one before: no more than two are alive at once."""
    count, steps = 65536, 20
    lines = [f"  %0 = arith.constant dense_resource<w> : tensor<{count}xf32>"]
    for i in range(steps):
        operation = "arith.addf" if i % 2 else "arith.mulf"
        lines.append(f"  %{i + 1} = {operation} %{i}, %{i} : tensor<{count}xf32>")
    data = "3F80803F" * count  # little endian: 1.00389...
    text = (f"func.func @f() -> tensor<{count}xf32> {{\n" + "\n".join(lines) + f"\n  return %{steps} : tensor<{count}xf32>\n}}\n"
            f'{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{data}" }} }} #-}}')
    passes = ",".join(f"constprop{{only={'arith.addf' if i % 2 else 'arith.mulf'}}}" for i in range(steps))
    passes = f"with-collector{{pipeline={passes},scrub{{resources=true}} statistics=true}}"
    printed, statistics = opt(f"--pass-pipeline=builtin.module({passes})", text=text)
    number = {name: int(value) for value, name in re.findall(r"(\d+) ([a-z-]+) +- ", statistics)}
    assert "arith.addf" not in printed and "arith.mulf" not in printed
    assert number["created"] == number["freed"] == steps and number["live"] == 0, statistics
    assert number["peak-bytes"] == 2 * count * 4, statistics


def testResultsInAFile():
    """The same module with results in a file as in memory."""
    text = """func.func @f() -> tensor<300x1000xf32> {
  %x = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<300x1000xf32>
  return %x : tensor<300x1000xf32>
}"""
    passes = "--pass-pipeline=builtin.module(constprop{{max-trip-count=1000000}},scrub{{{}=true}})"
    inMemory, inFile = (opt(passes.format(option), text=text)[0] for option in ("resources", "in-file"))
    assert "dense_resource<elements>" in inMemory and inMemory == inFile
