#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of exported models on SystemDS, beside DML written by hand with SystemDS's own layers (nn/layers in its jar).

    bench_systemds.py [NAME ...] [--runs=N]

  mlp            784-1024-1024-10, 4,000 rows
  cnn            3 x 32 x 32, two of convolution, normalisation and pooling, two linear layers, 200 images
  transformer    a layer of BERT: 8 sequences of 128 tokens, 4 heads, width 256

Each script reads its input and weights in the binary format and writes its result; both run in turns in one Java process,
and the medians count: at most 1.2 times. Needs SystemDS (tools/setup-systemds.sh); without it there are no rows. Results of
both are compared first. Rows and environment are those of bench_tool.py.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/lib"), str(ROOT / "tools/run-dml"), str(Path(__file__).resolve().parent)]

os.environ["JAVA_TOOL_OPTIONS"] = "-XX:+TieredCompilation"  # tests run without Java's second compiler, which vectors need

import numpy as np
from onnx import numpy_helper

import onnxfold_dml_models as models
import onnxfold_systemds as systemds

MODELS = {
    "mlp": lambda: models.mlp(4000, (784, 1024, 1024, 10)),
    "cnn": lambda: models.cnn(200),
    "transformer": lambda: models.transformer(8, 128, 4, 256),
}


class ByHand:
    """The same model of a hand: which weights it reads, in which order and shape, is in the script."""

    def __init__(self, folder, name, model):
        self.folder, self.script = folder, folder / f"{name}.dml"
        self.weights = [numpy_helper.to_array(one) for one in model.graph.initializer]
        text = (Path(__file__).resolve().parent / f"{name}.dml").read_text()
        self.script.write_text(text)

    def writeWeights(self):
        """Biases as rows, filters as rows of a matrix; vectors of channels are turned by the script."""
        for i, array in enumerate(self.weights):
            systemds.writeBinary(self.folder / f"w{i}.bin", np.atleast_2d(array))


def secondsOf(running, script, **parameters):
    begin = time.perf_counter()
    running.run(script, timeout=600, **parameters)
    return time.perf_counter() - begin


def benchmark(name, folder, runs):
    model, x = MODELS[name]()
    ours, hand = folder / "ours", ByHand(folder, name, model)
    ours.mkdir()
    script = systemds.export(ours, model)
    hand.writeWeights()
    systemds.writeBinary(folder / "x.bin", x)
    running = systemds.process()
    common = {"x": folder / "x.bin", "format": "binary"}
    scripts = {
        "ours": (script, {**common, "y": folder / "y_ours.bin", "weights": ours / "model.weights"}),
        "hand": (hand.script, {**common, "y": folder / "y_hand.bin", "weights": folder}),
    }
    for which, (path, parameters) in scripts.items():  # results first, as text
        running.run(path, timeout=600, **{**parameters, "format": "csv", "y": folder / f"{which}.csv"})
    left, right = (systemds.readMatrix(folder / f"{which}.csv") for which in scripts)
    np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-6)
    systemds.expectClose(left, systemds.onnxRuntime(model, {"x": x})[0], "y", atol=1e-4)
    seconds = {which: [] for which in scripts}
    for _ in range(runs + 2):  # the first two warm Java's compiler
        for which, (path, parameters) in scripts.items():
            seconds[which].append(secondsOf(running, path, **parameters))
    own, baseline = (statistics.median(seconds[which][2:]) for which in ("ours", "hand"))
    return {"name": name, "ratio": own / baseline, "limit": 1.2, "baseline": baseline, "seconds": own, "peak_bytes": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODELS)} (default all)")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    if not systemds.systemdsJar():
        print("no SystemDS (tools/setup-systemds.sh)")
        return 0
    rows = []
    for name in options.names or MODELS:
        with tempfile.TemporaryDirectory(prefix="dml-") as folder:
            rows.append(benchmark(name, Path(folder), options.runs))
        last = rows[-1]
        times = f"{last['seconds']:.3f} s, by hand {last['baseline']:.3f} s"
        print(f"{name}: {times}, {last['ratio']:.2f} x (at most 1.2)", flush=True)
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
