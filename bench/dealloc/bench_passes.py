#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of the passes of dealloc/ in the size of a function: one of 100,000 operations beside ten times one of 10,000.

    bench_passes.py [SHAPE ...]        of tests/dealloc/shapes.py

The ratio is 1 where the time is linear, and up to 3 where it is linear in instructions but the larger function no longer
fits the caches; where `perf stat` works, the instructions are counted as well. MLIR's own timer tells the passes from
parsing and printing; of three runs the fastest counts.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/dealloc"))
from shapes import SHAPES

FOLD_OPT = ROOT / "build/bin/fold-opt"
PASSES = {
    "deallocate": "DeallocatePass",
    "deallocation-simplification": "SimplificationPass",
    "buffer-reuse": "BufferReusePass",
}
OPERATIONS = 100_000


def run_once(text):
    """Seconds in each pass."""
    flags = [*(f"-{name}" for name in PASSES), "-mlir-timing", "-mlir-timing-display=list"]
    done = subprocess.run([FOLD_OPT, *flags], input=text, capture_output=True, text=True, check=True)
    found = {name: re.search(rf"([0-9.]+) \([^\n]*{PASSES[name]}", done.stderr) for name in PASSES}
    return {name: float(match[1]) for name, match in found.items() if match}


def seconds(text):
    runs = [run_once(text) for _ in range(3)]
    return {name: min(run[name] for run in runs) for name in runs[0]}


def instructions(text):
    """In each pass: what it adds to those before it. Nothing where they cannot be counted."""
    counts = []
    for count in range(len(PASSES) + 1):
        flags = [f"-{name}" for name in list(PASSES)[:count]]
        command = ["perf", "stat", "-x,", "-e", "instructions:u", FOLD_OPT, *flags, "-o", os.devnull]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        match = re.search(r"^(\d+),.*instructions", done.stderr, re.MULTILINE)
        if done.returncode != 0 or not match:
            return {}
        counts.append(int(match[1]))
    return {name: after - before for name, before, after in zip(PASSES, counts, counts[1:])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)} (default all)")
    names = parser.parse_args().shapes or list(SHAPES)
    if unknown := set(names) - set(SHAPES):
        sys.exit(f"bench_passes.py: no shape {sorted(unknown)}, expected some of {', '.join(SHAPES)}")
    rows = []
    for shape in names:
        texts = SHAPES[shape](OPERATIONS // 10), SHAPES[shape](OPERATIONS)
        small, large = map(seconds, texts)
        few, many = map(instructions, texts) if shutil.which("perf") else ({}, {})
        for name in large:
            baseline = max(10 * small.get(name, 0), 0.01)  # what the timer can tell
            counted = f", {many[name] / few[name] / 10:5.2f} x in instructions" if few and many else ""
            ratio = f"{large[name] / baseline:5.2f} x ten times the tenth"
            print(f"{shape:10} {name:28} {large[name]:7.3f} s, {ratio}{counted}", flush=True)
            rows.append(
                {
                    "name": f"{shape}/{name}",
                    "ratio": large[name] / baseline,
                    "limit": 2,
                    "baseline": baseline,
                    "seconds": large[name],
                    "peak_bytes": 0,
                }
            )
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        pathlib.Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
