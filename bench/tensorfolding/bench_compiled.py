#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call costs that gets folded tensors from the run-time library, beside the same program with them as constants.

    bench_compiled.py [--runs N]

A perceptron of three layers with packed weights, in f32. `--mode=runtime` folds in the first call, `--mode=compiletime` compiles
an entry with the packed weights in it. Both are called by fold-run, which reports the median of its calls after the first; the
two take turns, and the fastest of five medians of each counts, because other work of the machine only makes calls slower.
The third row is the first call over a later one: what folding costs once.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLD_RUN = ROOT / "build/bin/fold-run"
ROWS, WIDTH, LAYERS = 16, 256, 3
TURNS = 5
LIMIT = 1.02


def layer(number, x, w):
    r, n, tile = ROWS // 8, WIDTH // 8, "f32"
    return f"""
  %xe{number} = tensor.empty() : tensor<{r}x{n}x8x8x{tile}>
  %xp{number} = linalg.pack {x} inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %xe{number}
      : tensor<{ROWS}x{WIDTH}x{tile}> -> tensor<{r}x{n}x8x8x{tile}>
  %we{number} = tensor.empty() : tensor<{n}x{n}x8x8x{tile}>
  %wp{number} = linalg.pack {w} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %we{number}
      : tensor<{WIDTH}x{WIDTH}x{tile}> -> tensor<{n}x{n}x8x8x{tile}>
  %o{number} = linalg.fill ins(%zero : {tile}) outs(%xe{number} : tensor<{r}x{n}x8x8x{tile}>) -> tensor<{r}x{n}x8x8x{tile}>
  %p{number} = linalg.mmt4d ins(%xp{number}, %wp{number} : tensor<{r}x{n}x8x8x{tile}>, tensor<{n}x{n}x8x8x{tile}>)
      outs(%o{number} : tensor<{r}x{n}x8x8x{tile}>) -> tensor<{r}x{n}x8x8x{tile}>
  %e{number} = tensor.empty() : tensor<{ROWS}x{WIDTH}x{tile}>
  %y{number} = linalg.unpack %p{number} inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e{number}
      : tensor<{r}x{n}x8x8x{tile}> -> tensor<{ROWS}x{WIDTH}x{tile}>"""


def program():
    weights = ", ".join(f'%w{i}: tensor<{WIDTH}x{WIDTH}xf32> {{onnxfold.constant = "compiletime"}}' for i in range(LAYERS))
    body = "".join(layer(i, f"%y{i - 1}" if i else "%x", f"%w{i}") for i in range(LAYERS))
    return f"""func.func @mlp(%x: tensor<{ROWS}x{WIDTH}xf32>, {weights}) -> tensor<{ROWS}x{WIDTH}xf32> {{
  %zero = arith.constant 0.0 : f32{body}
  return %y{LAYERS - 1} : tensor<{ROWS}x{WIDTH}xf32>
}}
"""


def call(folder, mode, runs):
    """Seconds of the first call, and the median of the others."""
    files = [f"--weight={i + 1}={folder}/w{i}.npy" for i in range(LAYERS)]
    done = subprocess.run([FOLD_RUN, folder / "mlp.mlir", "--llvm-level=3", f"--mode={mode}", f"--input=0={folder}/x.npy", *files,
                           f"--runs={runs}", "--time"], capture_output=True, text=True, check=True)
    first, median = re.search(r"first call ([0-9.]+) us, median of the others ([0-9.]+) us", done.stdout).groups()
    return float(first) / 1e6, float(median) / 1e6


def row(name, ratio, limit, baseline, measured):
    return {"name": name, "ratio": ratio, "limit": limit, "baseline": baseline, "seconds": measured, "peak_bytes": 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory(prefix="onnxfold-bench-") as name:
        folder = pathlib.Path(name)
        (folder / "mlp.mlir").write_text(program())
        np.save(folder / "x.npy", random.standard_normal((ROWS, WIDTH)).astype(np.float32))
        for i in range(LAYERS):
            np.save(folder / f"w{i}.npy", random.standard_normal((WIDTH, WIDTH)).astype(np.float32) / WIDTH)
        turns = [(call(folder, "runtime", runs), call(folder, "compiletime", runs)) for _ in range(TURNS)]
    folded = min(turn[0][1] for turn in turns)
    constants = min(turn[1][1] for turn in turns)
    first = min(turn[0][0] for turn in turns)
    print(f"call with folded tensors {folded * 1e6:.1f} us, with constants {constants * 1e6:.1f} us: {folded / constants:.3f}")
    print(f"first call {first * 1e6:.1f} us: {first / folded:.2f} later ones")
    rows = [row("call/second", folded / constants, LIMIT, constants, folded), row("call/first", first / folded, None, folded, first)]
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        pathlib.Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
