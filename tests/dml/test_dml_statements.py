# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx takes time in proportion to a script: a statement of a long one costs what it costs in a short one. Counted in
instructions, by valgrind, which are the same in every run."""

import re
import subprocess
import sys

import pytest

import onnxfold_testing as t

sys.path.insert(0, str(t.ROOT / "bench/dml"))
from long_scripts import statements

TOOL = t.TOOL.parent / "dml-to-onnx"
pytestmark = [pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"), pytest.mark.skipif(t.isSanitized(), reason="sanitizers count too")]
MOST = 1.2
SHORTEST = 1000 if t.options.long else 300  # statements
COST = 125_000  # instructions for one statement, of 2.75 nodes; 2026: 92,000 on x86-64


def instructions(folder, count):
    statements(folder / "s.dml", count)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", TOOL, folder / "s.dml", "-o", folder / "s.onnx"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def test_statements_cost_the_same_in_long_scripts(folder):
    once, twice, fourTimes = (instructions(folder, count) for count in (SHORTEST, 2 * SHORTEST, 4 * SHORTEST))
    assert fourTimes - twice <= MOST * 2 * (twice - once)
    assert twice - once <= SHORTEST * COST
