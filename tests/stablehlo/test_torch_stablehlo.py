# SPDX-License-Identifier: Apache-2.0
"""StableHLO that torch-mlir writes, folded by stablehlo-fold, against PyTorch.

The module of examples/torch-mlir is checked in with PyTorch's results. --long installs torch and torch-mlir into a folder and
folds the ten models of tests/upstream/torch_models.py; `-s` prints the numbers of the table in docs/stablehlo.md. ONNXFOLD_TORCH_PYTHON names an
interpreter that has them. A module is computed by our kernels: with a constant input it folds to a constant, before and after
it was folded without one.
"""

import json
import re
import subprocess

import numpy as np

import onnxfold_testing as t

FOLD = t.TOOL.parent / "stablehlo-fold"
EXAMPLE = t.ROOT / "examples/torch-mlir"
OPERATION = re.compile(r'= "?(?:stablehlo|chlo)\.(?!constant)')
# Work and growth without limits that a model of this size meets.
ALL = "--passes=inline,symbol-dce,constprop{max-growth=1000000000 max-work=1000000000000},scrub"


def fold(path, *arguments):
    done = subprocess.run([str(FOLD), *arguments, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, (path, done.stderr[-2000:])
    return done.stdout


def operations(text):
    return sum(OPERATION.search(line) is not None for line in text.splitlines())


def computed(text, x, folder):
    """The result of @main for this input, and how many operations are left of it."""
    types = re.search(r"func\.func (?:public )?@main\(%\w+: (tensor<[^>]*>)\) -> (tensor<[^>]*>)", text)
    source, target = types.groups()
    caller = (
        f'func.func @run() -> {target} {{\n    %x = stablehlo.constant dense<"0x{x.tobytes().hex().upper()}"> : {source}\n'
        f"    %y = call @main(%x) : ({source}) -> {target}\n    return %y : {target}\n  }}\n  func.func private @main("
    )
    path = folder / "computed.mlir"
    path.write_text(text[: types.start()] + caller + re.sub(r"^func\.func (public )?@main\(", "", text[types.start() :]))
    folded = fold(path, ALL)
    [value] = re.findall(r"stablehlo\.constant\S* .*?dense<(.*?)>\s*:\s*" + re.escape(target), folded) or [None]
    if value is None:
        return None, operations(folded)
    data = np.frombuffer(bytes.fromhex(value[3:-1]), np.float32) if value.startswith('"') else np.array(json.loads(value), np.float32)
    return data.ravel(), operations(folded)


def compare(path, x, y, folder):
    """Operations of the module as it is and folded, and the largest difference of both to PyTorch."""
    text, folded = path.read_text(), fold(path)
    differences = []
    for form in text, folded:
        found, left = computed(form, x, folder)
        assert left == 0, (path.name, left)
        differences.append(np.abs(found - y.ravel()).max() / np.abs(y).max() if found.size == y.size else np.inf)
    return operations(text), operations(folded), max(differences)


def testExample(folder):
    before, after, difference = compare(EXAMPLE / "convnet.stablehlo.mlir", np.load(EXAMPLE / "x.npy"), np.load(EXAMPLE / "y.npy"), folder)
    assert (before, after) == (40, 13) and difference < 3e-6, (before, after, difference)


def testTenModels(folder):
    if not t.options.long:
        return
    python = t.pythonWith(folder, "TORCH", t.TORCH_PACKAGES)
    subprocess.run([python, t.ROOT / "tests/upstream/torch_models.py", folder, "stablehlo"], check=True)
    modules = sorted(folder.glob("*.stablehlo.mlir"))
    assert len(modules) == 10
    for module in modules:
        name = module.name.split(".")[0]
        before, after, difference = compare(module, np.load(folder / f"{name}.x.npy"), np.load(folder / f"{name}.y.npy"), folder)
        print(f"| {name} | {before:,} | {after:,} | {difference:.1e} |", flush=True)
        assert difference < 3e-6 and after <= before
