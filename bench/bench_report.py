#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the page of a report and the difference of two models cost.

    bench_report.py [--runs=N] [--models=FOLDER]

  page   of each model of the folder (default tests/models/data): a run with --report=html over one without, least processor time of N;
         at most 1.2 in sum, and at most 3 times the bytes of the JSON besides the frame
  diff   of two models of 500 MB, equal and with one weight that differs: over `cat` of both files; at most 1.5

Processor time. Writes {name, ratio, limit, baseline, seconds} to the file that ONNXFOLD_BENCH_OUT names. Slowness never
fails: ./run-bench compares with the limits.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lib"))
import onnxfold_models as m  # noqa: E402

TOOL = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute()


def best(runs, *command, fresh=()):
    """The least processor time. `fresh`: files that are removed first, because one that is replaced is synced."""
    times = []
    for _ in range(runs):
        for file in fresh:
            file.unlink(missing_ok=True)
        process = subprocess.Popen([str(one) for one in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        usage = os.wait4(process.pid, 0)[2]
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


def pages(models, folder, runs):
    sums = [0, 0]
    for model in models:
        fold = [TOOL, "--quiet", "-o", folder / "out.onnx"]
        written = [folder / "out.onnx", folder / "page.html"]
        plain = best(runs, *fold, model, fresh=written)
        page = best(runs, *fold, f"--report=html:{folder / 'page.html'}", model, fresh=written)
        subprocess.run([*fold, f"--report=json:{folder / 'report.json'}", model], check=True)
        sizes = [(folder / name).stat().st_size for name in ("page.html", "report.json")]
        sums = [sums[0] + plain, sums[1] + page]
        print(f"{model.name:24} {1000 * plain:8.1f} ms {1000 * page:8.1f} ms  page {sizes[0]:9}  JSON {sizes[1]:9}")
    return [row("page", sums[1], sums[0], 1.2)]


def row(name, seconds, baseline, limit):
    print(f"{name}: {seconds:.3f} s, baseline {baseline:.3f} s: {seconds / baseline:.2f}, at most {limit}")
    return {"name": name, "ratio": seconds / baseline, "limit": limit, "baseline": baseline, "seconds": seconds, "peak_bytes": None}


def weights(path, change):
    """500 MB in 32 weights."""
    draw = np.random.default_rng(1)
    nodes, initializers, width = [], [], 1976
    for i in range(32):
        value = draw.standard_normal((width, width), np.float32)
        if change and i == 20:
            value[5, 7] += 1
        initializers.append(m.const(f"w{i}", value))
        nodes.append(m.node("MatMul", [f"y{i}" if i else "x", f"w{i}"], [f"y{i + 1}"], name=f"node{i}"))
    onnx.save(m.model(nodes, [m.info("x", (1, width))], [m.info("y32", (1, width))], initializers), path)


def differences(folder, runs):
    files = [folder / name for name in ("a.onnx", "same.onnx", "other.onnx")]
    for i, file in enumerate(files):
        weights(file, change=i == 2)
    rows = []
    for name, other in zip(("equal", "one differs"), files[1:]):
        read = best(runs, "cat", files[0], other)
        took = best(runs, TOOL, "diff", files[0], other)
        rows.append(row(f"diff of 500 MB, {name}", took, read, 1.5))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--models", type=Path, default=ROOT / "tests/models/data")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("ONNXFOLD_BENCH_DIR")) as name:
        rows = pages(sorted(arguments.models.glob("*.onnx")), Path(name), arguments.runs)
        rows += differences(Path(name), max(1, arguments.runs // 2))
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
