#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many small models: a call of Python in a loop, and a folder of models in one call.

    bench_loop.py [--count=N] [--runs=N]

  library    a ModelProto of four nodes, engine="library"                                       at most 1.5 ms a call
  folder     10,000 models of four nodes by one call of the tool: processor time of a model     at most 1 ms
  fold_all   the same from Python, which reads a report of each                                 at most 1.5 ms

The best of N runs counts (default 5; of `library` the best of 50 N calls). Beside `library` stands a call of the program. Writes
{name, ratio, limit, baseline, seconds, peak_bytes} to the file that ONNXFOLD_BENCH_OUT names.

    ONNXFOLD_TOOL       the tool (default build/bin/onnx-fold)
    ONNXFOLD_LIBRARY    libonnxfold.so.1 (default: that of the build)
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

ROOT = Path(__file__).resolve().parents[1]
TOOL = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute()
os.environ["ONNXFOLD_BINARY"] = str(TOOL)
sys.path.insert(0, str(ROOT / "python"))
import onnx_fold


def small():
    """y = relu(x * w^T + b): the Transpose folds."""
    weights = [numpy_helper.from_array(np.ones(shape, np.float32), name) for name, shape in (("w", (16, 16)), ("b", (16,)))]
    nodes = [
        helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
        helper.make_node("MatMul", ["x", "t"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["a"]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    values = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", 16]) for name in "xy"]
    graph = helper.make_graph(nodes, "small", values[:1], values[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def calls(model, engine, count):
    """The shortest, in seconds."""
    best = 1e9
    for _ in range(count):
        begin = time.perf_counter()
        onnx_fold.fold(model, engine=engine).model
        best = min(best, time.perf_counter() - begin)
    return best


def processor():
    """Seconds of this process and those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def batches(folder, count, runs, fold):
    """The least processor time for a model, and the least time from start to end."""
    best, wall = 1e9, 1e9
    for _ in range(runs):
        shutil.rmtree(folder / "out", ignore_errors=True)
        before, begin = processor(), time.perf_counter()
        fold(folder / "models", folder / "out")
        best, wall = min(best, processor() - before), min(wall, time.perf_counter() - begin)
        assert len(os.listdir(folder / "out")) == count
    return best / count, wall / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="models in the folder")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    options = parser.parse_args()
    model, rows = small(), []

    def tell(name, seconds, limit, more):
        rows.append({"name": name, "ratio": seconds / limit, "limit": 1.0, "baseline": limit, "seconds": seconds, "peak_bytes": None})
        print(f"{name}: {1e3 * seconds:.2f} ms (at most {1e3 * limit:.1f}); {more}", flush=True)

    tell("library", calls(model, "library", 50 * options.runs), 1.5e-3, f"the program: {1e3 * calls(model, 'program', 20):.2f} ms")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "models").mkdir()
        for number in range(options.count):
            onnx.save(model, folder / f"models/m{number}.onnx")
        ways = {
            "folder": (1e-3, lambda source, out: subprocess.run([TOOL, "--quiet", source, f"--output-dir={out}"], check=True)),
            "fold_all": (1.5e-3, lambda source, out: onnx_fold.fold_all(source, out)),
        }
        for way, (limit, fold) in ways.items():
            seconds, wall = batches(folder, options.count, options.runs, fold)
            tell(way, seconds, limit, f"{1e3 * wall:.2f} ms from start to end")
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
