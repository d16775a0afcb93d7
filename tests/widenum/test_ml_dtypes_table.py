# SPDX-License-Identifier: Apache-2.0
"""The table of MlDtypesTest.cpp is what its script prints with the ml_dtypes that is installed."""

import subprocess
import sys

import onnxfold_testing as t

TABLE = t.ROOT / "tests/widenum/MlDtypesTable.inc"
SCRIPT = t.ROOT / "tests/widenum/ml_dtypes_table.py"


def test_made_by_its_script():
    made = subprocess.run([sys.executable, "-B", SCRIPT], check=True, capture_output=True, text=True)
    assert made.stdout == TABLE.read_text(), "ml_dtypes_table.py prints another table"
