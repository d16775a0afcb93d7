# SPDX-License-Identifier: Apache-2.0
"""bench/bench_session.py measures any model, without the other tools and without more than one run."""

import json
import os
import subprocess
import sys

import onnxfold_testing as t

BENCH = t.ROOT / "bench/bench_session.py"


def test_a_model(folder):
    model = t.ROOT / "tests/models/data/control_flow.onnx"
    command = [sys.executable, "-B", BENCH, model, "--runs=1", "--tools=before,-O1,-O2", "--markdown"]
    environment = {**os.environ, "ONNXFOLD_TOOL": str(t.TOOL), "ONNXFOLD_BENCH_OUT": str(folder / "rows.json")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"{done.stderr}"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()[2:]]
    assert [row[:2] for row in rows] == [["control_flow", tool] for tool in ("before", "-O1", "-O2")], f"{done.stdout}"
    assert int(rows[0][-1]) > int(rows[2][-1]) and all(float(cell) >= 0 for row in rows for cell in row[2:5]), f"{rows}"
    [row] = json.loads((folder / "rows.json").read_text())
    assert row["name"] == "control_flow" and row["limit"] is None and row["ratio"] > 0, f"{row}"


def test_what_does_not_run(folder):
    """A model that ONNX Runtime refuses is a row that says so; a wrong name is an error."""
    (folder / "model.onnx").write_bytes(b"no model")
    done = subprocess.run([sys.executable, "-B", BENCH, folder / "model.onnx", "--tools=before"], capture_output=True, text=True)
    assert done.returncode == 0 and "does not run" in done.stdout, f"{done}"
    done = subprocess.run([sys.executable, "-B", BENCH, "--tools=abacus"], capture_output=True, text=True)
    assert done.returncode == 2 and "--tools has 'abacus', expected some of before" in done.stderr, f"{done}"
