#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of models with many nodes and initializers: time and memory have to grow linearly.

    bench_scale.py [NAME ...] [--runs=N] [--keep]

  nodes-10000, ... nodes-1000000, nodes-2000000      of each twelve nodes, nine compute with shapes and fold
  initializers-10000, ... initializers-1000000       small weights, each read by a node that folds and one that is kept
  holes-20000, holes-200000, holes-2000000           4, 40 and 400 GB of external data, all holes; of a hundred nodes 88 are kept,
                                                     one reads 20 MB

Baseline: the same model with a tenth of the nodes, in the same run, page cache warm; `ratio` is the time per node over the
baseline's (for the smallest: over 20 microseconds a node). It may be at most 1.2: the cost of a node does not grow. Memory
may be at most 64 MB and 1 KB a node, of holes 10 MB and 600 bytes. Rows, environment and flags are those of bench_tool.py.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "tool"))
import models
from bench_tool import ROOT, TOOL, Launcher

# name -> (what makes it, its count, nodes in the model)
MODELS = {
    f"{make.__name__}-{count}": (make, count, nodes)
    for make, count, nodes in (
        (models.nodes, 10**4, 10**4),
        (models.nodes, 10**5, 10**5),
        (models.nodes, 2 * 10**5, 2 * 10**5),
        (models.nodes, 10**6, 10**6),
        (models.nodes, 2 * 10**6, 2 * 10**6),
        (models.initializers, 10**4, 2 * 10**4),
        (models.initializers, 10**5, 2 * 10**5),
        (models.initializers, 10**6, 2 * 10**6),
        (models.holes, 2 * 10**4, 2 * 10**4),
        (models.holes, 2 * 10**5, 2 * 10**5),
        (models.holes, 2 * 10**6, 2 * 10**6),
    )
}
PER_NODE = 20e-6  # seconds for a node of the smallest models


def measure(launch, name, folder, runs):
    """(median seconds, peak bytes, least seconds of the processor) of a model that is made for it."""
    make, count, _ = MODELS[name]
    model, out = folder / f"{name}.onnx", folder / "out.onnx"
    if not model.exists():
        make(model, count)
    command = [TOOL, "--quiet", "--max-growth=unlimited", "-o", out, model]
    results = []
    for run in range(runs + 1):  # the first one warms the page cache
        out.unlink(missing_ok=True)
        results += launch(command)
    timed = results[1:]
    return statistics.median(run.seconds for run in timed), max(run.peak for run in timed), min(run.processor for run in timed)


def row(launch, name, folder, runs):
    make, count, nodes = MODELS[name]
    smaller = f"{make.__name__}-{count // 10}"
    runs = min(runs, 3) if nodes > 10**5 else runs
    baseline = least = PER_NODE * nodes
    if smaller in MODELS:
        baseline, _, least = (10 * one for one in measure(launch, smaller, folder, runs))
    seconds, peak, processor = measure(launch, name, folder, runs)
    print(f"  {seconds / nodes * 1e6:.1f} us, of the processor {processor / nodes * 1e6:.1f} us ({processor / least:.2f} x), "
          f"and {peak / nodes:.0f} bytes a node", flush=True)
    return {
        "name": name,
        "ratio": seconds / baseline,
        "limit": 1.2,
        "baseline": baseline,
        "seconds": seconds,
        "peak_bytes": int(peak),
        "processor": processor / least,
        "limit_bytes": 10_000_000 + 600 * nodes if make is models.holes else 64_000_000 + 1000 * nodes,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODELS)} (default all)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", action="store_true", help="leave the folder with the models")
    options = parser.parse_args()
    unknown = set(options.names) - set(MODELS)
    if unknown or not os.access(TOOL, os.X_OK):
        sys.exit(f"bench_scale.py: no benchmark {sorted(unknown)}" if unknown else f"bench_scale.py: no tool at {TOOL}")
    base = Path(os.environ.get("ONNXFOLD_BENCH_DIR", ROOT / "build/bench-data"))
    base.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="scale-", dir=base))
    rows = []
    try:
        launch = Launcher(folder)
        for name in options.names or MODELS:
            print(f"{name}:", flush=True)
            rows.append(row(launch, name, folder, options.runs))
            last = rows[-1]
            print(
                f"  {last['seconds']:.3f} s, {last['ratio']:.2f} x baseline (at most {last['limit']}), "
                f"peak {last['peak_bytes'] / 1e6:.1f} MB (at most {last['limit_bytes'] / 1e6:.0f})",
                flush=True,
            )
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
