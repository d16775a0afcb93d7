# SPDX-License-Identifier: Apache-2.0
"""stablehlo-fold against values of XLA.

data/ has random operations (jax_operations.py) and what they fold to, which jax_cases.py recorded after it had compared the values
with XLA's; and models of jax_models.py. --long installs jax into a folder (80 MB) and compares other cases and the models again;
ONNXFOLD_JAX_PYTHON names an interpreter that has it.
"""

import gzip
import os
import re
import subprocess
import sys

import pytest

import onnxfold_testing as t

FOLD = t.TOOL.parent / "stablehlo-fold"
HERE = t.ROOT / "tests/stablehlo"
OPERATION = re.compile(r'= "?(?:stablehlo|chlo)\.(?!constant)')


def run(*arguments, text=None):
    done = subprocess.run([str(a) for a in arguments], input=text, capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr[-2000:])
    return done.stdout


def recorded(name):
    return gzip.decompress((HERE / f"data/{name}.mlir.gz").read_bytes()).decode()


def operations(text):
    return sum(OPERATION.search(line) is not None for line in text.splitlines())


@pytest.mark.parametrize("family", ["elementwise", "moves", "products", "reductions"])
def testRecordedValues(family):
    folded = run(FOLD, "--passes=constprop,scrub", "-", text=recorded(family))
    wanted = recorded(family + ".folded").split("\n  func.func ")
    for found, expected in zip(folded.split("\n  func.func "), wanted, strict=True):
        assert found == expected


@pytest.mark.parametrize("model, before, after", [("gcn", 56, 14), ("mlp", 33, 22)])
def testModels(model, before, after, folder):
    """The command of docs/stablehlo.md."""
    (folder / "model.mlir").write_text(recorded(model))
    command = re.search(r"^    stablehlo-fold (model.mlir -o folded.mlir)$", (t.ROOT / "docs/stablehlo.md").read_text(), re.M)[1]
    subprocess.run([str(FOLD), *command.split()], cwd=folder, check=True)
    assert (operations(recorded(model)), operations((folder / "folded.mlir").read_text())) == (before, after)


def testBytecode(folder):
    text = run(FOLD, "--passes=scrub", "-", text=recorded("gcn"))
    run(FOLD, "--passes=scrub", "--emit-bytecode", "-", "-o", folder / "gcn.mlirbc", text=text)
    assert run(FOLD, "--passes=scrub", folder / "gcn.mlirbc") == text


def testBoolsOfAByte():
    """The text of JAX's MLIR has a byte for each bool, that of MLIR 22 a bit; the output is a list, which both read."""
    constant = '%0 = "stablehlo.constant"() <{value = dense<"0xDIGITS"> : tensor<2x60xi1>}> : () -> tensor<2x60xi1>'
    values = [i % 3 == 0 for i in range(120)]
    bits = sum(1 << i for i, value in enumerate(values) if value).to_bytes(15, "little")
    results = [run(FOLD, "--passes=scrub", "-", text=constant.replace("DIGITS", data.hex())) for data in (bytes(values), bits)]
    assert results[0] == results[1] and "dense<[[true, false, false, true" in results[0]


def testErrors():
    for arguments, text, message in (
        (["-"], '"stablehlo.add"(%0) : (tensor<i32>) -> tensor<i32>', "use of undeclared SSA value"),
        (["-"], "%0 = stablehlo.iota dim = 0 : tensor<2xi32>", "'stablehlo.iota' is read in its generic form only"),
        (["--passes=fold"], "module {}", "'fold' does not refer to a registered pass"),
    ):
        done = subprocess.run([str(FOLD), *arguments], input=text, capture_output=True, text=True)
        assert done.returncode == 1 and message in done.stderr, done.stderr


def interpreter(folder):
    """One that has jax: the variable's, or a new one."""
    if given := os.environ.get("ONNXFOLD_JAX_PYTHON"):
        return given
    run(sys.executable, "-m", "venv", folder / "venv")
    run(folder / "venv/bin/pip", "install", "-q", "jax", "jaxlib", "numpy")
    return folder / "venv/bin/python3"


def testAgainstXla(folder):
    if not t.options.long:
        return
    python = interpreter(folder)
    print(run(python, HERE / "jax_cases.py", FOLD, "compare", 3))
    print(run(python, HERE / "jax_models.py", FOLD, folder))
