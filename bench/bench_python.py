#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: start of the program, import of the module, a call, beside onnxsim, OnnxSlim and onnxscript's optimizer.

    bench_python.py [MODEL] [--runs=N]

  start     `onnx-fold --version` as pip installs it, in turn with the program itself and /bin/true     at most 1 ms more
  import    `import onnx_fold` in a fresh interpreter, as the other three                               at most 15 ms
  call      a ModelProto in memory to another one, default settings, all four in turn in one process    at most the fastest other

MODEL: default tests/models/data/bert.onnx (290 nodes). The best of N runs counts (default 9; the first call is apart).
The first run installs the other tools into build/peers (tools/setup-bench.sh). Writes {name, ratio, limit, baseline, seconds,
peak_bytes} to the file that ONNXFOLD_BENCH_OUT names.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from bench_tool import ROOT, TOOL, Launcher

PEERS = ROOT / "build/peers/bin/python3"
OTHERS = ("onnxsim", "onnxslim", "onnxscript.optimizer")
IMPORT = "import time; begin = time.perf_counter(); import {}; print(time.perf_counter() - begin)"
CALLS = """
import copy, json, logging, os, sys, time
import onnx, onnx_fold, onnxscript.optimizer, onnxsim, onnxslim
model = onnx.load(sys.argv[1])
calls = {
    "onnx_fold": lambda: onnx_fold.fold(copy.deepcopy(model)).model,
    "onnxsim": lambda: onnxsim.simplify(copy.deepcopy(model))[0],
    "onnxslim": lambda: onnxslim.slim(copy.deepcopy(model)),
    "onnxscript.optimizer": lambda: onnxscript.optimizer.optimize(copy.deepcopy(model)),
}
seconds = {name: [] for name in calls}
left = {}
out = os.dup(1)
os.dup2(2, 1)  # what they print
for _ in range(int(sys.argv[2]) + 1):
    for name, call in calls.items():
        begin = time.perf_counter()
        left[name] = len(call().graph.node)
        seconds[name].append(time.perf_counter() - begin)
os.write(out, json.dumps([seconds, left]).encode())
"""


def asInstalled(folder):
    """The program of the wheel that tools/make-release.sh made, else the program of this build."""
    for wheel in (ROOT / "build/release").glob("onnx_fold-*_x86_64.whl"):
        with zipfile.ZipFile(wheel) as archive:
            [name] = [one for one in archive.namelist() if one.endswith("scripts/onnx-fold")]
            path = Path(archive.extract(name, folder))
            path.chmod(0o755)
            return path
    return TOOL


def start(folder, runs):
    launcher = Launcher(folder).program
    commands = {"wheel": [asInstalled(folder), "--version"], "program": [TOOL, "--version"], "true": ["/bin/true"]}
    seconds = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            said = subprocess.run([launcher, "20", *command], stdout=subprocess.PIPE, text=True, check=True).stdout
            seconds[name] += [float(line.split()[0]) for line in said.splitlines() if not line.startswith("onnx-fold")]
    return {name: min(values) for name, values in seconds.items()}


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT / "python"), "ONNXFOLD_BINARY": str(TOOL)}


def imports(runs):
    def once(name):
        command = [PEERS, "-c", IMPORT.format(name)]
        return float(subprocess.run(command, env=environment(), capture_output=True, text=True, check=True).stdout.split()[-1])

    modules = ("onnx_fold", *OTHERS)
    seconds = [[once(name) for name in modules] for _ in range(runs + 1)][1:]
    return dict(zip(modules, map(min, zip(*seconds))))


def calls(model, runs):
    command = [PEERS, "-c", CALLS, model, str(runs)]
    said = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    seconds, left = json.loads(said)
    return {name: min(values[1:]) for name, values in seconds.items()}, {n: v[0] for n, v in seconds.items()}, left


def row(name, seconds, baseline):
    return {"name": name, "ratio": seconds / baseline, "limit": 1.0, "baseline": baseline, "seconds": seconds, "peak_bytes": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default=ROOT / "tests/models/data/bert.onnx", metavar="MODEL")
    parser.add_argument("--runs", type=int, default=9, metavar="N")
    options = parser.parse_args()
    subprocess.run([ROOT / "tools/setup-bench.sh"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        started = start(Path(folder), options.runs)
    print("start:", ", ".join(f"{name} {1e3 * value:.2f} ms" for name, value in started.items()), flush=True)
    imported = imports(options.runs)
    print("import:", ", ".join(f"{name} {1e3 * value:.1f} ms" for name, value in imported.items()), flush=True)
    called, first, left = calls(options.model, options.runs)
    for name, value in called.items():
        print(f"call: {name} {1e3 * value:.1f} ms, the first {1e3 * first[name]:.0f} ms, {left[name]} nodes left")
    rows = [
        row("start", started["wheel"], started["program"] + 1e-3),
        row("import", imported["onnx_fold"], 15e-3),
        row("call", called["onnx_fold"], min(called[name] for name in OTHERS)),
    ]
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
