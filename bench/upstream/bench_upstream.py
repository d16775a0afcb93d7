#!/usr/bin/env python3
"""Folding of large resources in stock mlir-opt with our plugin, beside MLIR's own folding and `cp`.

    build/venv/bin/python3 bench/upstream/bench_upstream.py [--megabytes 1024] [--runs 3]

Each case is a module in bytecode with one weight of so many megabytes in a resource blob, and one operation. Times are
of the whole program, best of the runs: `through` reads the module and writes it again, `ours` reads, folds and writes
(constprop, scrub), `mlir` runs MLIR's canonicalize and sccp. `ours/cp` is over `cp` of the file that is written. `peak` is
the program's largest resident set.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
PIPELINE = "--pass-pipeline=builtin.module(constprop,scrub{resources=true})"
PLUGIN = BUILD / "lib/libonnxfold_passes.so"


def mlirOpt():
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("MLIR_DIR:"):
            return Path(line.split("=")[1]).parents[2] / "bin/mlir-opt"
    raise SystemExit("build/CMakeCache.txt names no MLIR_DIR")


def cases(rows, columns):
    """(name, text of the operation, type of its result) for a weight %w."""
    r, c = rows, columns
    weight = f"tensor<{r}x{c}xf32>"
    return [
        ("cast", f"%r = arith.truncf %w : {weight} to tensor<{r}x{c}xf16>", f"tensor<{r}x{c}xf16>"),
        ("slice", f"%r = tensor.extract_slice %w[0, 0] [{r // 2}, {c}] [2, 1] : {weight} to tensor<{r // 2}x{c}xf32>",
         f"tensor<{r // 2}x{c}xf32>"),
        ("transpose", f"%e = tensor.empty() : tensor<{c}x{r}xf32>\n%r = linalg.transpose ins(%w : {weight})"
         f" outs(%e : tensor<{c}x{r}xf32>) permutation = [1, 0]", f"tensor<{c}x{r}xf32>"),
        ("pack", f"%e = tensor.empty() : tensor<{r // 16}x{c // 16}x16x16xf32>\n%r = linalg.pack %w inner_dims_pos = [0, 1]"
         f" inner_tiles = [16, 16] into %e : {weight} -> tensor<{r // 16}x{c // 16}x16x16xf32>",
         f"tensor<{r // 16}x{c // 16}x16x16xf32>"),
        ("broadcast", f"%s = tensor.extract_slice %w[0, 0] [{r // 8}, {c}] [1, 1] : {weight} to tensor<{r // 8}x{c}xf32>\n"
         f"%e = tensor.empty() : tensor<8x{r // 8}x{c}xf32>\n%r = linalg.broadcast ins(%s : tensor<{r // 8}x{c}xf32>)"
         f" outs(%e : tensor<8x{r // 8}x{c}xf32>) dimensions = [0]", f"tensor<8x{r // 8}x{c}xf32>"),
    ]


def writeModule(opt, folder, name, operation, result, rows, columns):
    """In bytecode. The blob is made of text once and is a file of random words."""
    text = folder / "in.mlir"
    with open(text, "w") as out:
        out.write(f"func.func @f() -> {result} {{\n%w = arith.constant dense_resource<w> : tensor<{rows}x{columns}xf32>\n"
                  f"{operation}\nreturn %r : {result}\n}}\n{{-# dialect_resources: {{ builtin: {{ w: \"0x04000000")
        piece = os.urandom(1 << 20).hex()
        # Floats below 2: the highest byte of each is 0x3f.
        piece = "".join(piece[i:i + 6] + "3F" for i in range(0, len(piece), 8))
        for _ in range(rows * columns * 4 >> 20):
            out.write(piece)
        out.write('" } } #-}\n')
    subprocess.run([opt, "--emit-bytecode", text, "-o", folder / f"{name}.mlirbc"], check=True)
    text.unlink()


def measure(command, runs):
    """Seconds and peak bytes of the best run."""
    best = (float("inf"), 0)
    for _ in range(runs):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        assert status == 0, command
        best = min(best, (seconds, usage.ru_maxrss * 1024))
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    opt, columns = mlirOpt(), 4096
    rows = options.megabytes * 64  # of 16 KiB each
    load = [f"--load-pass-plugin={PLUGIN}", f"--load-dialect-plugin={PLUGIN}"]
    print(f"{'':10} {'ours s':>8} {'through':>8} {'cp s':>8} {'ours/cp':>8} {'peak MB':>8} {'mlir s':>8} {'mlir folds':>10}")
    for name, operation, result in cases(rows, columns):
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            folder = Path(folder)
            writeModule(opt, folder, name, operation, result, rows, columns)
            module, out, copy = folder / f"{name}.mlirbc", folder / "out.mlirbc", folder / "copy"
            through, _ = measure([opt, "--emit-bytecode", module, "-o", copy], options.runs)
            ours, peak = measure([opt, *load, PIPELINE, "--emit-bytecode", module, "-o", out], options.runs)
            shown = subprocess.run([opt, out, "--mlir-elide-resource-strings-if-larger=1"], capture_output=True, text=True).stdout
            kept = operation.split(" = ")[-1].split()[0] in shown
            cp, _ = measure(["cp", "--reflink=never", "--sparse=never", out, copy], options.runs)
            theirs, _ = measure([opt, "--canonicalize", "--sccp", "--emit-bytecode", module, "-o", copy], 1)
            after = subprocess.run([opt, copy, "--mlir-elide-resource-strings-if-larger=1"], capture_output=True, text=True).stdout
            foldsToo = operation.split(" = ")[-1].split()[0] not in after
            ratio = "kept" if kept else f"{ours / cp:.2f}"
            print(f"{name:10} {ours:8.2f} {through:8.2f} {cp:8.2f} {ratio:>8} {peak / 1e6:8.0f} {theirs:8.2f} "
                  f"{'yes' if foldsToo else 'no':>10}", flush=True)


if __name__ == "__main__":
    main()
