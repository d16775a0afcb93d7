#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of onnx-to-dml and dml-to-onnx: large weights, many nodes, many statements.

    bench_export.py [NAME ...] [--runs=N]

  weights       100 MB of float32 in 8 matrices: at most 4 times `cp` of their files of doubles; memory at most 64 MB and
                one matrix of doubles
  nodes-1000    a chain of operators on small matrices: at most 50 ms
  nodes-10000, nodes-100000    time per node at most 1.2 times that of a tenth of the nodes
  statements-10000    dml-to-onnx: at most 100 ms
  statements-100000   time per statement at most 1.2 times that of a tenth of the statements

Rows, environment and flags are those of bench_tool.py; memory is that of the process, which maps the model's file: of mapped
pages only those count that are not given back.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/lib")]

import numpy as np
import onnx

import onnxfold_models as m
from bench_tool import COPY, TOOL, Launcher
from long_scripts import statements

EXPORTER = TOOL.parent / "onnx-to-dml"
CONVERTER = TOOL.parent / "dml-to-onnx"
WIDTH, LAYERS = 1768, 8  # 12.5 MB each
OPERATORS = ("Relu", "Tanh", "Add", "Exp", "MatMul", "Sigmoid", "Mul", "Softmax")


def weights(path):
    random = np.random.default_rng(1)
    nodes, constants = [], []
    for i in range(LAYERS):
        constants.append(m.const(f"w{i}", random.normal(size=(WIDTH, WIDTH)).astype(np.float32)))
        nodes.append(m.node("MatMul", ["x" if i == 0 else f"y{i - 1}", f"w{i}"], [f"y{i}"]))
    onnx.save(m.model(nodes, [m.info("x", ["N", WIDTH])], [m.info(f"y{LAYERS - 1}", ["N", WIDTH])], constants), path)


def nodes(path, count):
    """A chain; every fourth node has a constant of its own, small enough for the script."""
    random, made, constants, value = np.random.default_rng(1), [], [], "x"
    for i in range(count):
        op, result = OPERATORS[i % len(OPERATORS)], f"/layer.{i}/out"
        inputs = [value]
        if op in ("Add", "Mul", "MatMul"):
            constants.append(m.const(f"c{i}", random.normal(size=(4, 4) if op == "MatMul" else 4).astype(np.float32)))
            inputs.append(constants[-1].name)
        made.append(m.node(op, inputs, [result], f"/layer.{i}/{op}"))
        value = result
    onnx.save(m.model(made, [m.info("x", ["N", 4])], [m.info(value, ["N", 4])], constants), path)


def benchWeights(launch, folder, runs):
    model, out, copy = folder / "weights.onnx", folder / "weights.dml", folder / "copy"
    weights(model)
    files = folder / "weights.weights"
    launch([EXPORTER, model])
    tool, copies = [], []
    for _ in range(runs):
        shutil.rmtree(copy, ignore_errors=True)
        copies += launch([*COPY, "-r", files, copy])
        shutil.rmtree(files)
        out.unlink()
        tool += launch([EXPORTER, model])
    seconds, baseline = (statistics.median(run.seconds for run in which) for which in (tool, copies))
    return {
        "name": "weights", "ratio": seconds / baseline, "limit": 4, "baseline": baseline, "seconds": seconds,
        "peak_bytes": max(run.peak for run in tool), "limit_bytes": 64_000_000 + WIDTH * WIDTH * 8,
    }


def secondsOf(launch, folder, tool, make, name, count, runs):
    path = folder / name.format(count)
    if not path.exists():
        make(path, count)
    results = launch([tool, path], runs + 1)[1:]
    return statistics.median(run.seconds for run in results), max(run.peak for run in results)


def benchCount(tool, make, name, count, goal):
    """The goal for the smallest number, in seconds; for others a tenth of the number is the baseline."""

    def benchmark(launch, folder, runs):
        runs = runs if count < 10**5 else min(runs, 3)
        baseline = goal or secondsOf(launch, folder, tool, make, name, count // 10, runs)[0] * 10
        seconds, peak = secondsOf(launch, folder, tool, make, name, count, runs)
        return {"name": Path(name.format(count)).stem, "ratio": seconds / baseline, "limit": 1 if goal else 1.2, "baseline": baseline,
                "seconds": seconds, "peak_bytes": peak}

    return benchmark


BENCHMARKS = {"weights": benchWeights}
for count, goal in ((10**3, 0.05), (10**4, None), (10**5, None)):
    BENCHMARKS[f"nodes-{count}"] = benchCount(EXPORTER, nodes, "nodes-{}.onnx", count, goal)
for count, goal in ((10**4, 0.1), (10**5, None)):
    BENCHMARKS[f"statements-{count}"] = benchCount(CONVERTER, statements, "statements-{}.dml", count, goal)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)} (default all)")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if not os.access(EXPORTER, os.X_OK):
        sys.exit(f"bench_export.py: no tool at {EXPORTER}")
    base = Path(os.environ.get("ONNXFOLD_BENCH_DIR", ROOT / "build/bench-data"))
    base.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory(prefix="dml-", dir=base) as folder:
        launch = Launcher(Path(folder))
        for name in options.names or BENCHMARKS:
            rows.append(BENCHMARKS[name](launch, Path(folder), options.runs))
            last = rows[-1]
            print(f"{name}: {last['seconds']:.3f} s, {last['ratio']:.2f} x baseline (at most {last['limit']}), "
                  f"peak {last['peak_bytes'] / 1e6:.1f} MB", flush=True)
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
