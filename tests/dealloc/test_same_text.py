# SPDX-License-Identifier: Apache-2.0
"""Two runs of the passes on one large function give the same text. (How long they take: bench/dealloc.)"""

import subprocess

import pytest

from onnxfold_testing import TOOL
from shapes import SHAPES

FOLD_OPT = TOOL.parent / "fold-opt"
PASSES = ["-deallocate", "-deallocation-simplification", "-buffer-reuse"]
OPERATIONS = 2_000


def run(text):
    done = subprocess.run([FOLD_OPT, *PASSES], input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"exit status ({done.stderr[:300]})"
    return done.stdout


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_same_text(shape):
    text = shape(OPERATIONS)
    first = run(text)
    assert first.count("memref.alloc") > 0, f"the output has no allocation: {first[:300]}"
    assert run(text) == first, "a second run gave another text"
