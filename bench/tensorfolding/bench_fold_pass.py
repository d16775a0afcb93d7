#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of constant-tensor-folding in the size of a function: 10,000 operations, below 100 ms, beside a tenth and ten times of them.

    bench_fold_pass.py [SHAPE ...]

The ratio is 1 where the time is linear, and up to 3 where it is linear in instructions but the larger function no longer fits
the caches. MLIR's own timer tells the pass from parsing and printing; of five runs the fastest counts.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLD_OPT = ROOT / "build/bin/fold-opt"
OPERATIONS = 10_000
LIMIT = 0.1  # seconds for so many
ROW = "tensor<8xf32>"


def function(body, weights, result):
    arguments = ", ".join([f"%x: {ROW}"] + [f'%w{i}: {ROW} {{onnxfold.constant = "runtime"}}' for i in range(weights)])
    return "\n".join([f"func.func @main({arguments}) -> {ROW} {{", *body, f"return {result} : {ROW}", "}", ""])


def layers(count):
    """A weight for every ten operations, of which eight are folded: as many parts."""
    body, last = [], "%x"
    for i in range(count // 10):
        previous = f"%w{i}"
        for k in range(8):
            body.append(f"%v{i}_{k} = arith.addf {previous}, %w{i} : {ROW}")
            previous = f"%v{i}_{k}"
        body += [f"%m{i} = arith.mulf {last}, {previous} : {ROW}", f"%y{i} = math.tanh %m{i} : {ROW}"]
        last = f"%y{i}"
    return function(body, count // 10, last)


def chain(count):
    """One chain of constants with a variable user of each: every one is kept, and all are one part."""
    body, last, constant = [], "%x", "%w0"
    for i in range(count // 2):
        body += [f"%c{i} = arith.addf {constant}, %w0 : {ROW}", f"%y{i} = arith.addf {last}, %c{i} : {ROW}"]
        constant, last = f"%c{i}", f"%y{i}"
    return function(body, 1, last)


def dag(count):
    """Each constant is made of two earlier ones, all in the end of a hundred weights; one is used."""
    values = [f"%w{i}" for i in range(100)]
    body = []
    for i in range(count):
        body.append(f"%c{i} = arith.addf {values[-1]}, {values[-(i % 97) - 2]} : {ROW}")
        values.append(f"%c{i}")
    return function([*body, f"%y = arith.addf %x, {values[-1]} : {ROW}"], 100, "%y")


def broadcasts(count):
    """Chains of element-wise operations behind broadcasts."""
    body, last = [], "%x"
    for i in range(count // 10):
        body += [f"%e{i} = tensor.empty() : tensor<4x8xf32>",
                 f"%b{i} = linalg.broadcast ins(%w{i} : {ROW}) outs(%e{i} : tensor<4x8xf32>) dimensions = [0]"]
        previous = f"%b{i}"
        for k in range(5):
            body.append(f"%v{i}_{k} = math.exp {previous} : tensor<4x8xf32>")
            previous = f"%v{i}_{k}"
        body += [f"%s{i} = tensor.extract_slice {previous}[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to {ROW}",
                 f"%m{i} = arith.mulf {last}, %s{i} : {ROW}", f"%y{i} = math.tanh %m{i} : {ROW}"]
        last = f"%y{i}"
    return function(body, count // 10, last)


SHAPES = {shape.__name__: shape for shape in (layers, chain, dag, broadcasts)}


def runOnce(text):
    flags = ["-constant-tensor-folding", "-mlir-timing", "-mlir-timing-display=list", "-o", os.devnull]
    done = subprocess.run([FOLD_OPT, *flags], input=text, capture_output=True, text=True, check=True)
    return float(re.search(r"([0-9.]+) \([^\n]*ConstantTensorFolding", done.stderr)[1])


def seconds(text):
    return min(runOnce(text) for _ in range(5))


def row(name, ratio, limit, baseline, measured):
    return {"name": name, "ratio": ratio, "limit": limit, "baseline": baseline, "seconds": measured, "peak_bytes": 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)} (default all)")
    names = parser.parse_args().shapes or list(SHAPES)
    if unknown := set(names) - set(SHAPES):
        sys.exit(f"bench_fold_pass.py: no shape {sorted(unknown)}, expected some of {', '.join(SHAPES)}")
    rows = []
    for name in names:
        few, middle, many = (seconds(SHAPES[name](count)) for count in (OPERATIONS // 10, OPERATIONS, 10 * OPERATIONS))
        ratio = many / max(10 * middle, 0.001)
        print(f"{name:10} {few * 1e3:7.1f} ms, {middle * 1e3:7.1f} ms, {many * 1e3:8.1f} ms: {ratio:4.2f} x ten times the tenth",
              flush=True)
        rows += [row(f"{name}/linear", ratio, 3, 10 * middle, many), row(f"{name}/time", middle / LIMIT, 1, LIMIT, middle)]
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        pathlib.Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
