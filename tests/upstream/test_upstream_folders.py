# SPDX-License-Identifier: Apache-2.0
"""What MLIR folds itself must fold to the same values here.

The cases are those of the comparisons with MLIR's execution (arith, math, tensor, linalg, tosa). MLIR's folders are those of
the operations (canonicalize, which also calls the patterns of tosa and tensor), tosa-layerwise-constant-fold, the
patterns of constant slices, linalg's constant folding (C++ patterns that linalg-fuse-elementwise-ops runs) and, for control
flow and calls, sccp. Values are compared bit by bit; NaNs are equal.
"""

import re
import subprocess

import numpy as np
import onnxfold_testing as t
import onnxfold_upstream as upstream
import pytest
import test_linalg_execution
import test_tosa_execution
import test_tosa_images
import test_upstream_arith
import test_upstream_control
import test_upstream_tensor
from onnxfold_dense import parseElement, parseTensor, parseType

FOLDERS = {
    "canonicalize": "canonicalize",
    "tosa": "func.func(tosa-layerwise-constant-fold{aggressive-reduce-constant=1}),canonicalize",
    "slices": "test-tensor-transform-patterns{test-fold-constant-extract-slice},canonicalize",
    "linalg": "linalg-fuse-elementwise-ops,canonicalize",
    "sccp": "sccp,canonicalize",
}


def parsed(text, type):
    """A constant as an array."""
    if type in ("index", "i1") or re.fullmatch(r"[iu]*\d+|b?f\d+", type):
        type = f"tensor<{type}>"
        text = f"dense<{text}>"
    type = type.replace("xindex>", "xi64>").replace("<index>", "<i64>")
    if re.search(r"i\d+>$", type) and not re.search(r"[x<]i(1|2|4|8|16|32|64)>$", type):
        return text
    if text.startswith('dense<"0x'):
        shape, dtype = parseType(type)
        raw = bytes.fromhex(text[len('dense<"0x'):-2])
        if dtype == np.bool_:
            return np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:np.prod(shape, dtype=int)].astype(bool).reshape(shape)
        return np.frombuffer(raw, dtype).reshape(shape)
    return parseTensor(text, type)


def constantsOf(text):
    """What the function of this text returns, as arrays; None if it computes something."""
    values = {}
    for line in text.splitlines()[1:-1]:
        if found := re.search(r'(%\w+) = "tosa.const"\(\) <\{values = (.*) : (tensor<[^>]*>)\}> ', line):
            values[found[1]] = parsed(found[2], found[3])
        elif found := re.search(r"(%\w+) = arith.constant (true|false)$", line):
            values[found[1]] = parsed(found[2], "i1")
        elif found := re.search(r"(%\w+) = arith.constant (.*) : (\S+)$", line):
            if found[2].startswith("dense_resource") or found[2].startswith("sparse"):
                return None
            values[found[1]] = parsed(found[2], found[3])
        elif found := re.search(r"(%\w+) = tensor.cast (%\w+) ", line):
            values[found[1]] = values.get(found[2])
        elif found := re.search(r"^ *return (.*) : ", line):
            names = found[1].split(", ")
            return [values[name] for name in names] if all(values.get(name) is not None for name in names) else None
        elif "tosa.const_shape" not in line:
            return None
    return None


def same(x, y, ulps):
    if isinstance(x, str) or isinstance(y, str):
        return x == y
    if x.shape != y.shape or x.dtype != y.dtype:
        return False
    if x.dtype.kind not in "fV":
        return bool(np.array_equal(x, y))
    wide, other = x.astype(np.float64), y.astype(np.float64)
    equal = (wide == other) & (np.signbit(wide) == np.signbit(other))
    if ulps and x.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            equal |= np.abs(wide - other) <= ulps * np.spacing(np.maximum(np.abs(x), np.abs(y))).astype(np.float64)
    return bool(np.all(equal | (np.isnan(wide) & np.isnan(other))))


def functionsOf(text):
    texts = [f"  func.func {each}" for each in re.split(r"^  func\.func ", text, flags=re.M)[1:]]
    return [each[:each.rindex("  }") + 3] for each in texts]


def folded(path, pipeline):
    """The functions of a file as mlir-opt leaves them."""
    done = subprocess.run([upstream.MLIR / "bin/mlir-opt", path, f"--pass-pipeline=builtin.module({pipeline})"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return functionsOf(done.stdout)


# What MLIR 22 folds to other values than its own lowerings and TOSA's specification have.
KNOWN_BUGS = [
    r"tosa.mul .* : \(tensor<[^>]*?(i8|i16)>.*-> tensor<[^>]*?i32>$",  # multiplies in the type of the operands
    r"tosa.cast .*[x<]i1>\) -> tensor<[^>]*f\d+>$",  # takes true for -1
    r"tosa.cast .*f\d+>\) -> tensor<[^>]*[x<]i1>$",  # takes 1.0 for false
]


def isKnownBug(operation):
    return any(re.match(bug, operation) for bug in KNOWN_BUGS)


class Collected(upstream.Differential):
    """Cases that are not run but kept."""

    def run(self, folder):
        COLLECTED.extend(self.cases)


COLLECTED = []


def casesOf(modules, functions, folder, monkeypatch):
    COLLECTED.clear()
    for module in modules:
        monkeypatch.setattr(module, "Differential", Collected)
    for function in functions:
        function(folder)
    return list(COLLECTED)


def functionsThatTest(module):
    return [value for name, value in vars(module).items() if name.startswith("test_") and callable(value)]


def each(function, values):
    return [lambda folder, value=value: function(value, folder) for value in values]


def transposes(folder):
    """What linalg's own constant folding takes: permutations of dense constants, named and generic."""
    rng = np.random.default_rng(t.options.seed)
    cases = upstream.Differential()
    for element in ("f32", "f64", "i8", "i32", "i64"):
        for rank in (2, 3, 4):
            shape = [int(n) for n in rng.integers(1, 6, rank)]
            order = [int(d) for d in rng.permutation(rank)]
            x = (test_linalg_execution.numbers(rng, element, shape), element)
            kind, out = (test_linalg_execution.typeOf(sizes, element) for sizes in (shape, [shape[d] for d in order]))
            empty = (f"%e = tensor.empty() : {out}",)
            cases.add(f"linalg.transpose ins({{0}} : {kind}) outs(%e : {out}) permutation = {order}", [x], [out], before=empty)
            maps = [test_linalg_execution.mapOf(rank, [f"d{order.index(d)}" for d in range(rank)]),
                    test_linalg_execution.mapOf(rank, [f"d{d}" for d in range(rank)])]
            text = test_linalg_execution.generic(maps, ["parallel"] * rank, [("{0}", kind)], [("%e", out)], f"linalg.yield %x : {element}")
            cases.add(text, [x], [out], before=empty)
    COLLECTED.extend(cases.cases)


ARITH = test_upstream_arith
SOURCES = {
    "arith": ([ARITH], each(ARITH.testAgainstExecution, [ARITH.addIntegers, ARITH.addIntegerCasts, ARITH.addFloats, ARITH.addMath]),
              ["canonicalize"], 300),
    "tensor": ([test_upstream_tensor], each(test_upstream_tensor.testAgainstExecution, test_upstream_tensor.ELEMENTS),
               ["canonicalize", "slices"], 15),
    "linalg": ([test_linalg_execution], [*functionsThatTest(test_linalg_execution), transposes], ["canonicalize", "linalg"], 20),
    "tosa": ([test_tosa_execution, test_tosa_images], functionsThatTest(test_tosa_execution) + functionsThatTest(test_tosa_images),
             ["canonicalize", "tosa"], 40),
    "scf": ([test_upstream_control], functionsThatTest(test_upstream_control), ["sccp"], 10),
}


@pytest.mark.parametrize("name", SOURCES)
def testSameAsMlirsFolders(name, folder, monkeypatch):
    modules, functions, pipelines, least = SOURCES[name]
    cases = casesOf(modules, functions, folder, monkeypatch)
    ours = [constantsOf(text) for text in upstream.fold(folder, name, cases)]
    count, wrong = 0, []
    for pipeline in pipelines:
        for case, mine, text in zip(cases, ours, folded(folder / f"{name}.mlir", FOLDERS[pipeline]), strict=True):
            theirs = constantsOf(text)
            if theirs is None or isKnownBug(case[0]):
                continue
            count += 1
            if mine is None or not all(same(x, y, case[3]) for x, y in zip(mine, theirs, strict=True)):
                wrong.append((pipeline, case[0], mine, theirs))
    print(f"{name}: MLIR folds {count} of {len(cases)} cases in {len(pipelines)} ways")
    assert not wrong, f"{len(wrong)} of {count} differ, the first: {wrong[:3]}"
    assert count >= least, f"MLIR folds only {count} cases"
