#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of onnx-run on whole models: against ONNX Runtime on one thread, first run and cached run.

    bench_onnx_run.py [MODEL ...]         default: mobilenet and bert of tests/models/data

For each model: `run` is the median call of onnx-run --runs=50 --fix-shapes over the median call of ONNX Runtime with one
thread, in turns on the same random inputs, at most 5; `compile` are the seconds of a first onnx-run, at most 10; `cached`
those of the whole process of a second one, at most 0.05 on an idle machine. Writes {name, ratio, limit, baseline, seconds}
to the file that ONNXFOLD_BENCH_OUT names. Slowness never fails: ./run-bench compares with the limits.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime

ROOT = Path(__file__).resolve().parents[2]
RUN = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute().parent / "onnx-run"
MODELS = ROOT / "tests/models/data"


def inputsOf(path, random):
    values = {}
    for entry in json.loads((path.parent / "inputs.json").read_text())[path.stem]:
        if entry["dtype"].startswith("float"):
            value = random.uniform(entry["lo"], entry["hi"], entry["shape"])
        else:
            value = random.integers(entry["lo"], entry["hi"], entry["shape"])
        values[entry["name"]] = np.asarray(value, entry["dtype"])
    return values


def ortMicroseconds(session, inputs):
    times = []
    for _ in range(50):
        start = time.perf_counter()
        session.run(None, inputs)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench_onnx_run.py: {' '.join(map(str, command))}: {done.stderr}")
    return time.perf_counter() - start, done.stdout


def measure(path, folder):
    inputs = inputsOf(path, np.random.default_rng(1))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options)
    command = [RUN, path, "--fix-shapes", f"--cache={folder}", "--print-limit=0"]
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
        command += ["--input", f"{name}={folder}/{name}.npy"]
    first, _ = seconds(command)
    cached = statistics.median(seconds(command)[0] for _ in range(5))
    ours, theirs = [], []
    for _ in range(3):
        theirs.append(ortMicroseconds(session, inputs))
        text = seconds([*command, "--runs=50"])[1]
        ours.append(float(re.search(r"median of \d+ ([\d.]+) us", text)[1]))
    run, ort = statistics.median(ours), statistics.median(theirs)
    return [
        {"name": f"{path.stem} run", "ratio": run / ort, "limit": 5, "baseline": "ONNX Runtime, 1 thread", "seconds": run / 1e6},
        {"name": f"{path.stem} compile", "ratio": first, "limit": 10, "baseline": "1 s", "seconds": first},
        {"name": f"{path.stem} cached", "ratio": cached / 0.05, "limit": 1, "baseline": "50 ms", "seconds": cached},
    ]


def main():
    results = []
    for name in sys.argv[1:] or ["mobilenet", "bert"]:
        path = Path(name) if name.endswith(".onnx") else MODELS / f"{name}.onnx"
        with tempfile.TemporaryDirectory() as folder:
            results += measure(path, Path(folder))
    for entry in results:
        print(f"{entry['name']:24} {entry['ratio']:8.2f} of {entry['limit']} ({entry['seconds'] * 1e3:.3f} ms, {entry['baseline']})")
    if out := os.environ.get("ONNXFOLD_BENCH_OUT"):
        Path(out).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
