# SPDX-License-Identifier: Apache-2.0
"""onnx-fold reduce against `polygraphy debug reduce`, on ten planted faults: nodes that are left, runs of the test, seconds.

    python3 bench/reduce_polygraphy.py build/bin/onnx-fold POLYGRAPHY     POLYGRAPHY: the program, with onnx_graphsurgeon and onnxruntime

Both run the same command, tests/python_package/fake_runtime.py, one at a time; for Polygraphy, whose test has to fail, its exit
status is turned round. Polygraphy runs in its mode `bisect` (its default). The last column is onnx-fold with as many runs as that took.
"""

import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests/python_package"
sys.path.insert(0, str(TESTS))
from fake_runtime import Runtime  # noqa: E402
from planted_faults import FAULTS  # noqa: E402

NAMES = list(FAULTS)[:10]


def command(fault, log):
    words = [sys.executable, TESTS / "fake_runtime.py", json.dumps(fault)]
    return f"echo >> {shlex.quote(str(log))}; " + " ".join(shlex.quote(str(word)) for word in words)


def measure(arguments, folder, result, fault, log):
    begin = time.monotonic()
    done = subprocess.run([str(one) for one in arguments], cwd=folder, capture_output=True)
    seconds = time.monotonic() - begin
    runs = len(log.read_text().splitlines()) if log.exists() else 0
    if not result.exists() or not Runtime(result).fails(fault):
        return f"none ({done.returncode})", runs, seconds
    return len(Runtime(result).nodes), runs, seconds


def ours(tool, model, fault, folder, *flags):
    test = command(fault, folder / "ours") + " {}"
    result = folder / "small.onnx"
    return measure([tool, "reduce", *flags, "--threads=1", f"--test={test}", "-o", result, model], folder, result, fault, folder / "ours")


def theirs(program, model, fault, folder):
    result = folder / "polygraphy.onnx"
    test = f"{command(fault, folder / 'theirs')} polygraphy_debug.onnx; test $? -ne 0"
    arguments = [program, "debug", "reduce", model, "-o", result, "--check", "sh", "-c", test]
    return measure(arguments, folder, result, fault, folder / "theirs")


def main():
    tool, program = Path(sys.argv[1]).resolve(), sys.argv[2]
    print("| fault | nodes | onnx-fold: nodes, runs, s | Polygraphy: nodes, runs, s | with as many runs |\n|---|---|---|---|---|")
    for name in NAMES:
        model, fault, _ = FAULTS[name]
        path = ROOT / f"tests/models/data/{model}.onnx"
        with tempfile.TemporaryDirectory() as place:
            rows = [ours(tool, path, fault, Path(place)), theirs(program, path, fault, Path(place))]
        with tempfile.TemporaryDirectory() as place:
            rows.append(ours(tool, path, fault, Path(place), f"--max-runs={max(rows[1][1], 1)}"))
        cells = [f"{nodes}, {runs}, {seconds:.1f}" for nodes, runs, seconds in rows]
        print(f"| {model}: {name} | {len(onnx.load(path).graph.node)} | {cells[0]} | {cells[1]} | {rows[2][0]} |", flush=True)


if __name__ == "__main__":
    main()
