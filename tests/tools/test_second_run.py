# SPDX-License-Identifier: Apache-2.0
"""A second run changes nothing: what every pattern is tested with, the models of tests/models/data, and larger ones.

(The light models of the onnx package are run twice by tests/models/test_models.py, and each model that a test makes by
onnxfold_models.folded.)
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

import models as large

import onnxfold_testing as t

OPT = Path(os.environ.get("ONNXFOLD_OPT", t.TOOL.parent / "fold-opt")).absolute()
PATTERNS = t.ROOT / "tests/onnx/transforms"
LEVELS = ("-O0", "-O1", "-O2")
UNLIMITED = "--max-growth=unlimited"


def cleanedText(text, flags):
    """What fold-opt makes of a text, without constants that nobody reads: how they were written is no matter."""
    result = subprocess.run([OPT, "-", *flags], input=text, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, f"exit status of fold-opt {flags} ({result.stderr[:400]})"
    return result.stdout


def flagsOf(path):
    """The ways in which the file's RUN lines clean up."""
    lines = re.findall(r"^// RUN: fold-opt %s (--onnx-clean-up\S*.*?)\s*(?:2>&1 )?\|", path.read_text(), re.MULTILINE)
    return [line.split() for line in lines]


@pytest.mark.parametrize("path", sorted(PATTERNS.glob("*.mlir")), ids=lambda path: path.stem)
def test_pattern(path):
    ways = flagsOf(path)
    assert ways, f"no RUN line of {path.name} cleans up"
    for flags in ways:
        once = cleanedText(path.read_text(), flags)
        again = cleanedText(once, flags)
        for number, (before, after) in enumerate(zip(once.split("// -----"), again.split("// -----"))):
            assert after == before, f"function #{number} of {path.name}, cleaned up again with {' '.join(flags)}"
        assert again == once, f"{path.name}, cleaned up again with {' '.join(flags)}"


def checkModel(path, folder, levels):
    for level in levels:
        for more in ([], [UNLIMITED]):
            out = t.fold(path, folder / "out.onnx", level, *more)
            again = t.fold(out, folder / "again.onnx", level, *more)
            t.expectSameBytes(again, out, f"{path.name} folded again with {[level, *more]}")


@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_model(path, folder):
    checkModel(path, folder, LEVELS)


@pytest.mark.parametrize("name", large.NAMES)
def test_large(name, folder):
    large.make(name, folder / "model.onnx")
    checkModel(folder / "model.onnx", folder, LEVELS[1:])
