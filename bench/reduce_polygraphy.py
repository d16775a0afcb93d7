# SPDX-License-Identifier: Apache-2.0
"""onnx-fold reduce against `polygraphy debug reduce`, on ten planted faults: nodes that are left, runs of the test, seconds.

    python3 bench/reduce_polygraphy.py build/bin/onnx-fold POLYGRAPHY [FAULT...]    POLYGRAPHY: the program, with onnx_graphsurgeon
                                                                                  and onnxruntime

Both run the same command, tests/python_package/fake_runtime.py, one at a time; for Polygraphy, whose test has to fail, its exit
status is turned round. Polygraphy runs in its mode `bisect` (its default). Seconds are of the processor, of the program and its
tests. Runs of onnx-fold include three of the original, which Polygraphy does not test. The last column is after how many runs
onnx-fold had a model as small as Polygraphy's result.
"""

import json
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests/python_package"
sys.path.insert(0, str(TESTS))
from fake_runtime import Runtime  # noqa: E402
from planted_faults import FAULTS  # noqa: E402


def command(fault, log):
    words = [sys.executable, TESTS / "fake_runtime.py", json.dumps(fault)]
    return f"echo >> {shlex.quote(str(log))}; " + " ".join(shlex.quote(str(word)) for word in words)


def processorSeconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Measured:
    def __init__(self, arguments, folder, result, fault, log):
        begin = processorSeconds()
        done = subprocess.run([str(one) for one in arguments], cwd=folder, capture_output=True, text=True)
        self.seconds = processorSeconds() - begin
        self.messages = done.stderr
        self.runs = len(log.read_text().splitlines()) if log.exists() else 0
        hasFault = result.exists() and Runtime(result).fails(fault)
        self.nodes = len(Runtime(result).nodes) if hasFault else None

    def __str__(self):
        return f"{'none' if self.nodes is None else self.nodes}, {self.runs}, {self.seconds:.1f}"

    def runsUntil(self, nodes):
        """After how many runs the best model had so few nodes."""
        for line in self.messages.splitlines():
            now = json.loads(line)
            if "runs" in now and nodes is not None and now["nodes"] <= nodes:
                return now["runs"]
        return self.runs


def ours(tool, model, fault, folder):
    log, result = folder / "ours", folder / "small.onnx"
    flags = ["--threads=1", "--progress", "--messages=json", f"--test={command(fault, log)} {{}}"]
    return Measured([tool, "reduce", *flags, "-o", result, model], folder, result, fault, log)


def theirs(program, model, fault, folder):
    log, result = folder / "theirs", folder / "polygraphy.onnx"
    test = f"{command(fault, log)} polygraphy_debug.onnx; test $? -ne 0"
    return Measured([program, "debug", "reduce", model, "-o", result, "--check", "sh", "-c", test], folder, result, fault, log)


def main():
    tool, program = Path(sys.argv[1]).resolve(), sys.argv[2]
    print("| fault | nodes | onnx-fold: nodes, runs, s | Polygraphy: nodes, runs, s | runs until as small |\n|---|---|---|---|---|")
    for name in sys.argv[3:] or list(FAULTS)[:10]:
        model, fault, _ = FAULTS[name]
        path = ROOT / f"tests/models/data/{model}.onnx"
        with tempfile.TemporaryDirectory() as place:
            own, other = ours(tool, path, fault, Path(place)), theirs(program, path, fault, Path(place))
        count = len(onnx.load(path).graph.node)
        print(f"| {model}: {name} | {count} | {own} | {other} | {own.runsUntil(other.nodes)} |", flush=True)


if __name__ == "__main__":
    main()
