#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folding of large resources in stock mlir-opt with our plugin, beside MLIR's own folding and `cp`.

    build/venv/bin/python3 bench/upstream/bench_upstream.py [NAME ...] [--megabytes 1024] [--runs 3]

  cast, slice, transpose, pack, broadcast    a module in bytecode with one f32 weight of so many megabytes in a resource
                                             blob, and that operation
  transformer    layers of a transformer on linalg (width 1,024), all weights in one blob: each weight is cut out of it,
                 cast to f16, transposed and packed for linalg.mmt4d, each bias and scale cast and broadcast; activations
                 are arguments. Once as above, and once with results in a file (scrub's option `in-file`)
  write          what writing the folded transformer as bytecode takes, over a `memcpy` of its bytes
  drops          1,600 passes, each of which makes a constant of 64 MB and drops the one before: 100 GB in all
  dense          MLIR's own folding where it folds (dense attributes, element by element), ours beside it

Best of the runs. `reads` is mlir-opt that reads the module and writes it to /dev/null; most of that is a search of the
file for comments of tests (`expected-error`), which mlir-opt 22 makes always. `ours` reads, folds and writes (constprop,
scrub), `mlir` runs MLIR's canonicalize, sccp and linalg-fuse-elementwise-ops, whose patterns fold linalg constants, and writes.
`fold/cp` is (ours - reads) over `cp` of the file that is written, on the clock, and in processor time, which says more where
others use the machine; the limit is 3. `heap MB` is the most memory of the process that is no mapped file, `result MB` the
largest result. A run of its own asks /proc for it. Writes rows to the file that ONNXFOLD_BENCH_OUT names, as bench_tool.py
does: seconds are (ours - reads).
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute().parents[1]
PLUGIN = BUILD / "lib/libonnxfold_passes.so"
LOAD = [f"--load-pass-plugin={PLUGIN}", f"--load-dialect-plugin={PLUGIN}"]
OURS = "constprop,canonicalize,scrub{resources=true}"
MLIR = "canonicalize,sccp,linalg-fuse-elementwise-ops"
COPY = ["cp", "--reflink=never", "--sparse=never"]


def mlirOpt():
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("MLIR_DIR:"):
            return Path(line.split("=")[1]).parents[2] / "bin/mlir-opt"
    raise SystemExit(f"{BUILD}/CMakeCache.txt names no MLIR_DIR")


OPT = mlirOpt()


def passes(pipeline):
    return f"--pass-pipeline=builtin.module({pipeline})"


# ---- modules


def weightCase(name, operation, result, bytesOfResult):
    """rows x 4096 f32 %w to %r."""

    def functions(rows):
        r, c = rows, 4096
        lines = operation.format(r=r, c=c, half=r // 2, eighth=r // 8, w=f"tensor<{r}x{c}xf32>", tiles=f"{r // 16}x{c // 16}")
        kind = result.format(r=r, c=c, half=r // 2, eighth=r // 8, tiles=f"{r // 16}x{c // 16}")
        text = (f"func.func @f() -> {kind} {{\n%w = arith.constant dense_resource<w> : tensor<{r}x{c}xf32>\n"
                f"{lines}\nreturn %r : {kind}\n}}\n")
        return text, f"tensor<{r}x{c}xf32>", bytesOfResult * rows * 4096

    return name, functions


CASES = dict([
    weightCase("cast", "%r = arith.truncf %w : {w} to tensor<{r}x{c}xf16>", "tensor<{r}x{c}xf16>", 2),
    weightCase("slice", "%r = tensor.extract_slice %w[0, 0] [{half}, {c}] [2, 1] : {w} to tensor<{half}x{c}xf32>",
               "tensor<{half}x{c}xf32>", 2),
    weightCase("transpose", "%e = tensor.empty() : tensor<{c}x{r}xf32>\n%r = linalg.transpose ins(%w : {w})"
               " outs(%e : tensor<{c}x{r}xf32>) permutation = [1, 0]", "tensor<{c}x{r}xf32>", 4),
    weightCase("pack", "%e = tensor.empty() : tensor<{tiles}x16x16xf32>\n%r = linalg.pack %w inner_dims_pos = [0, 1]"
               " inner_tiles = [16, 16] into %e : {w} -> tensor<{tiles}x16x16xf32>", "tensor<{tiles}x16x16xf32>", 4),
    weightCase("broadcast", "%s = tensor.extract_slice %w[0, 0] [{eighth}, {c}] [1, 1] : {w} to tensor<{eighth}x{c}xf32>\n"
               "%e = tensor.empty() : tensor<8x{eighth}x{c}xf32>\n%r = linalg.broadcast ins(%s : tensor<{eighth}x{c}xf32>)"
               " outs(%e : tensor<8x{eighth}x{c}xf32>) dimensions = [0]", "tensor<8x{eighth}x{c}xf32>", 4),
])

WIDTH, TOKENS = 1024, 128


class Layer:
    """The text of one layer. Weights are taken from the blob one after the other."""

    def __init__(self, offset, whole):
        self.offset, self.whole, self.lines, self.count = offset, whole, [], 0

    def add(self, text):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def take(self, *shape):
        """The next weight, in f16."""
        size = int(np.prod(shape))
        flat, kind = f"tensor<{size}x", "tensor<" + "".join(f"{n}x" for n in shape)
        x = self.add(f"tensor.extract_slice %w[{self.offset}] [{size}] [1] : {self.whole} to {flat}f32>")
        self.offset += size
        if len(shape) > 1:
            x = self.add(f"tensor.expand_shape {x} [[0, 1]] output_shape [{shape[0]}, {shape[1]}] : {flat}f32> into {kind}f32>")
        return self.add(f"arith.truncf {x} : {kind}f32> to {kind}f16>")

    def packed(self, x, rows, columns):
        kind = f"tensor<{rows // 16}x{columns // 16}x16x16xf16>"
        e = self.add(f"tensor.empty() : {kind}")
        return self.add(f"linalg.pack {x} inner_dims_pos = [0, 1] inner_tiles = [16, 16] into {e} : "
                        f"tensor<{rows}x{columns}xf16> -> {kind}")

    def rowsOf(self, x, columns):
        """A vector for each token: a broadcast."""
        kind = f"tensor<{TOKENS}x{columns}xf16>"
        e = self.add(f"tensor.empty() : {kind}")
        return self.add(f"linalg.broadcast ins({x} : tensor<{columns}xf16>) outs({e} : {kind}) dimensions = [0]")

    def linear(self, x, inner, outer):
        """x * weight + bias, the weight as mmt4d reads it."""
        weight = self.take(inner, outer)
        kind = f"tensor<{outer}x{inner}xf16>"
        e = self.add(f"tensor.empty() : {kind}")
        weight = self.add(f"linalg.transpose ins({weight} : tensor<{inner}x{outer}xf16>) outs({e} : {kind}) permutation = [1, 0]")
        weight = self.packed(weight, outer, inner)
        bias = self.packed(self.rowsOf(self.take(outer), outer), TOKENS, outer)
        x = self.packed(x, TOKENS, inner)
        tiles = lambda rows, columns: f"tensor<{rows // 16}x{columns // 16}x16x16xf16>"
        y = self.add(f"linalg.mmt4d ins({x}, {weight} : {tiles(TOKENS, inner)}, {tiles(outer, inner)})"
                     f" outs({bias} : {tiles(TOKENS, outer)}) -> {tiles(TOKENS, outer)}")
        kind = f"tensor<{TOKENS}x{outer}xf16>"
        e = self.add(f"tensor.empty() : {kind}")
        return self.add(f"linalg.unpack {y} inner_dims_pos = [0, 1] inner_tiles = [16, 16] into {e} : {tiles(TOKENS, outer)} -> {kind}")

    def zip(self, op, x, y, columns):
        kind = f"tensor<{TOKENS}x{columns}xf16>"
        e = self.add(f"tensor.empty() : {kind}")
        return self.add(f"linalg.{op} ins({x}, {y} : {kind}, {kind}) outs({e} : {kind}) -> {kind}")

    def scaled(self, x):
        return self.zip("mul", x, self.rowsOf(self.take(WIDTH), WIDTH), WIDTH)


def layerText(number, offset, whole):
    """(text, end of its weights). Attention without heads and masks: what folds does not depend on them."""
    layer = Layer(offset, whole)
    x = layer.scaled("%x")
    q, k, v = (layer.linear(x, WIDTH, WIDTH) for _ in range(3))
    kind, scores = f"tensor<{TOKENS}x{WIDTH}xf16>", f"tensor<{TOKENS}x{TOKENS}xf16>"
    maps = "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>"
    s = layer.add(f"linalg.contract indexing_maps = [{maps}] ins({q}, {k} : {kind}, {kind}) outs(%zeros : {scores}) -> {scores}")
    e = layer.add(f"tensor.empty() : {scores}")
    s = layer.add(f"linalg.softmax dimension(1) ins({s} : {scores}) outs({e} : {scores}) -> {scores}")
    s = layer.add(f"linalg.matmul ins({s}, {v} : {scores}, {kind}) outs(%sums : {kind}) -> {kind}")
    x = layer.zip("add", layer.linear(s, WIDTH, WIDTH), "%x", WIDTH)
    h = layer.linear(layer.scaled(x), WIDTH, 4 * WIDTH)
    h = layer.zip("max", h, "%ramp", 4 * WIDTH)
    x = layer.zip("add", layer.linear(h, 4 * WIDTH, WIDTH), x, WIDTH)
    wide = f"tensor<{TOKENS}x{4 * WIDTH}xf16>"
    lines = "\n".join([f"%w = arith.constant dense_resource<w> : {whole}", f"%zeros = arith.constant dense<0.0> : {scores}",
                       f"%sums = arith.constant dense<0.0> : {kind}", f"%ramp = arith.constant dense<0.0> : {wide}", *layer.lines])
    return f"func.func @layer{number}(%x: {kind}) -> {kind} {{\n{lines}\nreturn {x} : {kind}\n}}\n", layer.offset


def transformer(rows):
    count = rows * 4096
    whole = f"tensor<{count}xf32>"
    text, offset, number = [], 0, 0
    while True:
        one, end = layerText(number, offset, whole)
        if end > count:
            return "".join(text), whole, 4 * WIDTH * WIDTH * 2
        text.append(one)
        offset, number = end, number + 1


def writeModule(path, text, kind, rows):
    """In bytecode. The blob is random floats from 1 to 2."""
    source = path.with_suffix(".mlir")
    with open(source, "w") as out:
        out.write(text + '{-# dialect_resources: { builtin: { w: "0x04000000')
        piece = os.urandom(1 << 20).hex()
        # The highest byte of each is 0x3f, and the bit below is set.
        piece = "".join(piece[i:i + 4] + "803F" for i in range(0, len(piece), 8))
        for _ in range(rows * 4096 * 4 >> 20):
            out.write(piece)
        out.write('" } } #-}\n')
    subprocess.run([OPT, "--emit-bytecode", source, "-o", path], check=True)
    source.unlink()


# ---- measuring


def touch(size):
    """Makes memory that others freed ready again: a virtual machine's host takes it back, and its first use then costs 1.4 ns a
    byte, twenty times what it costs otherwise."""
    memory = np.empty(size, np.uint8)
    memory[::4096] = 1


def once(command, ready=0):
    """(seconds, processor seconds) of a run; `ready`: the memory that it uses."""
    touch(ready)
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


def times(runs, *commands, ready=0):
    """For each command the best of its runs, on the clock and of the processor; the commands take turns."""
    results = [[once(command, ready) for command in commands] for _ in range(runs)]
    return [tuple(map(min, zip(*each, strict=True))) for each in zip(*results, strict=True)]


def heapPeak(command):
    """The most anonymous memory that a program has, looked at every 2 ms."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status, most = Path(f"/proc/{process.pid}/status"), 0
    while process.poll() is None:
        for line in status.read_text().splitlines():
            if line.startswith("RssAnon"):
                most = max(most, int(line.split()[1]) * 1024)
        time.sleep(0.002)
    assert process.returncode == 0, command
    return most


def operationsOf(path):
    """The names of the operations of a file."""
    command = [OPT, passes("print-op-stats{json=true}"), "--emit-bytecode", path, "-o", "/dev/null"]
    return set(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stderr))


def isFolded(path, operation):
    return operation not in operationsOf(path)


OPERATION = {"cast": "arith.truncf", "slice": "tensor.extract_slice", "transpose": "linalg.transpose", "pack": "linalg.pack",
             "broadcast": "linalg.broadcast", "transformer": "arith.truncf"}


def ours(module, out, pipeline=OURS):
    return [OPT, *LOAD, passes(pipeline), "--emit-bytecode", module, "-o", out]


ROWS = []


def row(name, heap, limitBytes, ratio=None, limit=None, baseline=None, seconds=None):
    ROWS.append({"name": name, "ratio": ratio, "limit": limit, "baseline": baseline, "seconds": seconds, "peak_bytes": heap,
                 "limit_bytes": limitBytes})


def report(name, module, folder, runs, largest, pipeline=OURS, isStreamed=True):
    """isStreamed: no more than the largest result is in memory, besides mlir-opt's own 24 MB and a few blocks."""
    out, copy, theirs = folder / "out.mlirbc", folder / "copy", folder / "theirs.mlirbc"
    command = ours(module, out, pipeline)
    heap = heapPeak(command)  # and warms the page cache
    reads, mine, cp = times(runs, [OPT, "--emit-bytecode", module, "-o", "/dev/null"], command, [*COPY, out, copy],
                             ready=2 * out.stat().st_size + (64 << 20))
    other = once([OPT, passes(MLIR), "--emit-bytecode", module, "-o", theirs])[0]
    operation = OPERATION[name.split()[0]]
    folded, theirFold = ("yes" if isFolded(path, operation) else "no" for path in (out, theirs))
    ratios = " ".join(f"{(m - r) / c:7.2f}" for m, r, c in zip(mine, reads, cp, strict=True))
    print(f"{name:20} {folded:>6} {reads[0]:7.2f} {mine[0]:7.2f} {out.stat().st_size / 1e6:10.0f} {cp[0]:6.2f} {ratios} "
          f"{heap / 1e6:8.0f} {largest / 1e6:10.0f} {other:7.2f} {theirFold:>10}", flush=True)
    row(name, heap, largest + (48 << 20) if isStreamed else None, (mine[0] - reads[0]) / cp[0], 3, cp[0], mine[0] - reads[0])
    for path in (out, copy, theirs):
        path.unlink(missing_ok=True)


HEADER = (f"{'':20} {'folded':>6} {'reads s':>7} {'ours s':>7} {'written MB':>10} {'cp s':>6} {'fold/cp':>7} {'cpu':>7} "
          f"{'heap MB':>8} {'result MB':>10} {'mlir s':>7} {'mlir folds':>10}")


def benchCase(name, options):
    functions = transformer if name == "transformer" else CASES[name]
    rows = options.megabytes * 64  # of 16 KiB each
    text, kind, largest = functions(rows)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        folder = Path(folder)
        module = folder / "in.mlirbc"
        writeModule(module, text, kind, rows)
        report(name, module, folder, options.runs, largest, isStreamed=name != "transformer")
        if name == "transformer":
            report(f"{name} in-file", module, folder, options.runs, largest, "constprop,canonicalize,scrub{resources=true in-file=true}")


def benchWrite(options):
    """Writing alone: the module into a file of memory, and an empty one to /dev/null, beside a memcpy of the bytes."""
    rows = options.megabytes * 64
    text, kind, _ = transformer(rows)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory, tempfile.TemporaryDirectory(dir=BUILD) as folder:
        module, out = Path(folder) / "in.mlirbc", Path(memory) / "out.mlirbc"
        writeModule(module, text, kind, rows)
        without, withIt = times(options.runs, ours(module, "/dev/null", f"{OURS},symbol-privatize,symbol-dce"), ours(module, out),
                               ready=options.megabytes << 20)
        data = np.fromfile(out, np.uint8)
        copy = np.empty_like(data)
        copy[:] = data
        copies = []
        for _ in range(options.runs):
            begin = time.process_time()
            copy[:] = data
            copies.append(time.process_time() - begin)
        (cp,) = times(options.runs, [*COPY, out, out.with_suffix(".copy")])
        clock, processor = (w - o for w, o in zip(withIt, without, strict=True))
        print(f"write: {data.size / 1e6:.0f} MB of bytecode into memory in {clock:.3f} s, {processor:.3f} s of the processor; "
              f"memcpy {min(copies):.3f} s, cp into memory {cp[1]:.3f} s of the processor", flush=True)


def dropsModule(steps, bytesOfEach):
    """A rotation (tensor.concat of two slices) and an addition in turn: each pass folds one of them."""
    n = bytesOfEach // 4
    kind, lines, x = f"tensor<{n}xf32>", [], "%x"
    for i in range(steps):
        if i % 2:
            lines.append(f"%v{i} = arith.addf {x}, %one : {kind}")
        else:
            lines.append(f"%s{i} = tensor.extract_slice {x}[1] [{n - 1}] [1] : {kind} to tensor<{n - 1}xf32>\n"
                         f"%t{i} = tensor.extract_slice {x}[0] [1] [1] : {kind} to tensor<1xf32>\n"
                         f"%v{i} = tensor.concat dim(0) %s{i}, %t{i} : (tensor<{n - 1}xf32>, tensor<1xf32>) -> {kind}")
        x = f"%v{i}"
    rows = bytesOfEach // (4096 * 4)
    return f"func.func @f() -> {kind} {{\n%x = arith.constant dense_resource<w> : {kind}\n%one = arith.constant dense<1.0> : {kind}\n" + \
        "\n".join(lines) + f"\nreturn {x} : {kind}\n}}\n", kind, rows


def benchDrops(options):
    steps, each = 1600, 64 << 20
    text, kind, rows = dropsModule(steps, each)
    pipeline = ",".join("constprop{only=tensor.*}" if i % 2 == 0 else "constprop{only=arith.*}" for i in range(steps))
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        module, out = Path(folder) / "in.mlirbc", Path(folder) / "out.mlirbc"
        writeModule(module, text, kind, rows)
        command = ours(module, out, f"with-collector{{pipeline={pipeline},scrub{{resources=true}} statistics=true}}")
        begin = time.monotonic()
        heap = heapPeak(command)
        took = time.monotonic() - begin
        kept = operationsOf(out)
        assert kept <= {"builtin.module", "func.func", "func.return", "arith.constant"}, kept
        print(f"drops: {steps} passes make {steps * each / 1e9:.0f} GB in constants of {each / 1e6:.0f} MB in {took:.0f} s "
              f"({steps * each / 1e9 / took:.1f} GB/s), heap at most {heap / 1e6:.0f} MB", flush=True)
        row("drops", heap, 1 << 30, seconds=took)


def benchDense(options):
    """MLIR folds what is dense: a chain of additions and casts on 16 MB, and the transposition of a weight."""
    n = 2048
    kind = f"tensor<{n}x{n}xf32>"
    values = f'dense<"0x{np.random.default_rng(0).uniform(1, 2, n * n).astype(np.float32).tobytes().hex()}"> : {kind}'
    chain = "".join(f"%v{i + 1} = arith.addf %v{i}, %v0 : {kind}\n" for i in range(16))
    bodies = {
        "16 additions": (f"{chain}return %v16 : {kind}", kind),
        "cast": (f"%r = arith.truncf %v0 : {kind} to tensor<{n}x{n}xf16>\nreturn %r : tensor<{n}x{n}xf16>", f"tensor<{n}x{n}xf16>"),
        "transpose": (f"%e = tensor.empty() : {kind}\n%r = linalg.transpose ins(%v0 : {kind}) outs(%e : {kind}) permutation = [1, 0]\n"
                      f"return %r : {kind}", kind),
    }
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        for name, (body, result) in bodies.items():
            source, module, out = (Path(folder) / file for file in ("in.mlir", "in.mlirbc", "out.mlirbc"))
            source.write_text(f"func.func @f() -> {result} {{\n%v0 = arith.constant {values}\n{body}\n}}\n")
            subprocess.run([OPT, "--emit-bytecode", source, "-o", module], check=True)
            through = [OPT, "--emit-bytecode", module, "-o", out]
            rows = [("nothing", through), ("ours", ours(module, out, "constprop,scrub")),
                    ("mlir", [OPT, passes(MLIR), "--emit-bytecode", module, "-o", out])]
            measured = [(label, times(options.runs, command)[0][0], heapPeak(command)) for label, command in rows]
            folds = isFolded(out, {"cast": "arith.truncf", "transpose": "linalg.transpose"}.get(name, "arith.addf"))
            print(f"dense {name} of {n * n * 4 / 1e6:.0f} MB: " +
                  ", ".join(f"{label} {took:.2f} s {heap / 1e6:.0f} MB" for label, took, heap in measured) +
                  f"; MLIR {'folds it' if folds else 'keeps it'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    others = {"write": benchWrite, "drops": benchDrops, "dense": benchDense}
    names = options.names or [*CASES, "transformer", *others]
    unknown = set(names) - {*CASES, "transformer", *others}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    print(HEADER)
    for name in names:
        others[name](options) if name in others else benchCase(name, options)
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(ROWS))


if __name__ == "__main__":
    main()
