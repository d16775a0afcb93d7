# SPDX-License-Identifier: Apache-2.0
"""What torch-mlir writes, folded and not, at both forms, against PyTorch.

The modules of examples/torch-mlir are checked in with PyTorch's results. --long installs torch and torch-mlir into a folder
and runs the ten models of torch_models.py; `-s` prints the table of docs/linking-elements.md. ONNXFOLD_TORCH_PYTHON names an
interpreter that has them.
"""

import re
import subprocess

import numpy as np

import onnxfold_testing as t
from onnxfold_upstream import MLIR

BIN = t.TOOL.parent
EXAMPLE = t.ROOT / "examples/torch-mlir"
OPERATION = re.compile(r'\s+(?:%[\w:#, ]+ = )?"?((?:arith|math|tensor|linalg|tosa|scf|cf)\.\w[\w.]*)')
FROM_TOSA = ("tosa-make-broadcastable", "tosa-to-linalg-named", "canonicalize", "tosa-to-linalg", "tosa-to-arith", "tosa-to-tensor",
             "canonicalize")  # fmt: skip


def run(program, *arguments):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, (program, arguments, done.stderr[-2000:])
    return done.stdout


def operations(path):
    """Operations of the text, those in bodies too, and without what is written behind the module."""
    text = path.read_text().split("{-#")[0]
    return sum(OPERATION.match(line) is not None for line in text.splitlines())


def result(path, x, folder):
    """What fold-run computes, after MLIR's own passes from TOSA to linalg."""
    lowered = path
    if ".tosa." in path.name:
        lowered = folder / f"lowered.{path.name}"
        run(MLIR / "bin/mlir-opt", f"--pass-pipeline=builtin.module(func.func({','.join(FROM_TOSA)}))", path, "-o", lowered)
    run(BIN / "fold-run", lowered, f"--input=0={x}", f"--output={folder / 'result.npy'}")
    return np.load(folder / "result.npy")


def compare(module, x, y, folder):
    """Operations of a module: as it is, of stock canonicalize and cse, of ours before them; the largest difference to PyTorch."""
    paths = [module] + [folder / module.name.replace(".mlir", f".{step}.mlir") for step in ("stock", "folded", "both")]
    run(MLIR / "bin/mlir-opt", "--canonicalize", "--cse", module, "-o", paths[1])
    run(BIN / "fold-opt", "--constprop", "--scrub=resources=true", module, "-o", paths[2])
    run(MLIR / "bin/mlir-opt", "--canonicalize", "--cse", paths[2], "-o", paths[3])
    wanted = np.load(y)
    differences = [np.abs(result(path, x, folder) - wanted).max() / np.abs(wanted).max() for path in (module, paths[3])]
    return [operations(path) for path in paths], max(differences)


def testExample(folder):
    for form, counts in ("linalg", [60, 60, 42, 42]), ("tosa", [36, 36, 31, 31]):
        found, difference = compare(EXAMPLE / f"convnet.{form}.mlir", EXAMPLE / "x.npy", EXAMPLE / "y.npy", folder)
        assert found == counts and difference < 3e-6, (form, found, difference)


def testGuide(folder):
    """The commands that docs/linking-elements.md begins with."""
    text = (t.ROOT / "docs/linking-elements.md").read_text()
    commands = re.search(r"^    P=[^\n]*\n(?:    [^\n]*\n)*?    [^\n]*y\.npy$", text, re.M)[0]
    plugin = t.TOOL.parents[1] / "lib/libonnxfold_passes.so"
    for name, value in ("build/lib/libonnxfold_passes.so", plugin), ("mlir-opt-22", MLIR / "bin/mlir-opt"), ("build/bin", BIN):
        assert name in commands
        commands = commands.replace(name, str(value))
    commands = commands.replace("examples/torch-mlir", str(EXAMPLE))
    done = subprocess.run(["bash", "-ec", commands], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(folder / "y.npy"), np.load(EXAMPLE / "y.npy"), rtol=3e-6)
    assert "math.rsqrt" in (EXAMPLE / "convnet.linalg.mlir").read_text() and "math.rsqrt" not in (folder / "folded.mlir").read_text()


def testTenModels(folder):
    if not t.options.long:
        return
    run(t.pythonWith(folder, "TORCH", t.TORCH_PACKAGES), t.ROOT / "tests/upstream/torch_models.py", folder, "linalg,tosa")
    modules = sorted(folder.glob("*.*.mlir"))
    assert len(modules) == 20
    for module in modules:
        name, form, _ = module.name.split(".")
        counts, difference = compare(module, folder / f"{name}.x.npy", folder / f"{name}.y.npy", folder)
        print(f"| {name} | {form} | {' | '.join(f'{count:,}' for count in counts)} | {difference:.1e} |", flush=True)
        assert difference < 3e-6 and counts[3] <= counts[1]
