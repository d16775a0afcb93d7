#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the tool on whole models: time over that of copying the file, and peak memory.

    bench_tool.py [NAME ...] [--runs=N] [--keep]

  shapes       1 GB of weights, only shape arithmetic folds           at most 1.2 x cp, 40 MB
  tiny         one Add of two constants                               at most 2 ms more than /bin/true, 12 MB
  transformer  350 MB, each Linear is Transpose(weight) and MatMul    at most 3 x cp, 60 MB
  external     4 GB of external data, copied to another folder        at most 1.2 x cp, 40 MB
  sparse       20 GB of external data, 19 of them holes               at most 1.2 x cp, 40 MB
  chains       800 operators over 50 million f32 elements, all fold   at most 5 x cp
  transposed   40 chains of 20 over 50 million, 3 transpositions each at most 4 x cp, 64 MB
  swin         200 MB, 11,760 nodes and 5,280 Constant nodes           at most 2 x cp
  functions    151 MB, 36 calls of a function that transposes          at most 1.3 x cp
  llm          2.6 GB of external data, 200 transposed weights        at most 1.5 x cp
  llm_away     the same with the output in another folder             at most 1.5 x cp
  lstm         225 MB, gates put in another order                     at most 1.5 x cp
  detector     156 MB, 1,900 nodes, scaled weights, anchors           at most 1.3 x cp
  cached       2.6 GB of 200 weights with adapters; one has changed
               since the fold that filled --cache                     at most 1.2 x cp, 80 MB
  written      bytes written / bytes needed, for each way to write    at most 1.02

The models are made here, from seeds. Baseline: `cp --reflink=never --sparse=never` of the input file, which is within 1 % of
the size of the output; tool and cp take turns in the same run, page cache warm, nobody syncs, each writes a new file; the
median counts. On a virtual machine free memory is fetched from the host before each run. Memory is the high-water mark of the
tool's own process (bench/launcher.c); the tool's report is checked against it. Beside some rows stands a bare limit:
bench/limit.c reads, computes and writes as much, with as many threads, and does nothing else. Beside each row stand the
machine's own limits before and after it (bench/machine.c), and the distance to the time of writing as many bytes. Writes
{name, ratio, limit, baseline, seconds, peak_bytes, limit_bytes} to the file that ONNXFOLD_BENCH_OUT names, `processor`
(seconds of the processor of the tool over those of cp, which other jobs on the machine change less), `machine`, `written`
(bytes), `distance` and `bare` (seconds of the tool over those of the bare limit). Slowness never fails: ./run-bench compares
with the limits.

    ONNXFOLD_TOOL         the tool (default build/bin/onnx-fold)
    ONNXFOLD_BENCH_DIR    where the models go (default build/bench-data): 13 GB, removed afterwards
"""

import argparse
import json
import mmap
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import typing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tool"))
import models
from written import ASKED, spaceOf, table

ROOT = Path(__file__).resolve().parents[1]
TOOL = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute()
COPY = ["/bin/cp", "--reflink=never", "--sparse=never"]


class Run(typing.NamedTuple):
    seconds: float
    peak: int  # bytes
    processor: float  # seconds in user and in kernel mode


def medians(runs):
    return Run(*map(statistics.median, zip(*runs)))


def compiled(source, folder, *flags):
    """The program that the C file `source` is, in `folder`."""
    program = folder / source.stem
    for compiler in ("cc", "gcc", "g++", "clang"):
        path = shutil.which(compiler)
        if path and subprocess.run([path, "-x", "c", str(source), "-o", str(program), *flags]).returncode == 0:
            return program
    sys.exit(f"bench_tool.py: no C compiler; it needs one for {source.name}")


class Machine:
    """What the machine does in this second (bench/machine.c), in GB/s."""

    FIELDS = ("memcpy", "fresh", "write", "read", "copy_file_range")

    def __init__(self, folder):
        self.program, self.file = compiled(ROOT / "bench/machine.c", folder, "-O2"), folder / "machine.bin"

    def __call__(self):
        done = subprocess.run([self.program, self.file], stdout=subprocess.PIPE, text=True, check=True)
        return dict(zip(self.FIELDS, map(float, done.stdout.split())))


def judge(row, before, after):
    """Adds to a row the machine's limits before and after it, and, where it says what it wrote, how often the time of writing
    that many bytes fits into its seconds."""
    row["machine"] = {name: (before[name] + after[name]) / 2 for name in before}
    told = ", ".join(f"{name} {rate:.1f}" for name, rate in row["machine"].items())
    print(f"  the machine, GB/s: {told}", flush=True)
    if row.get("written"):
        least = row["written"] / row["machine"]["write"] * 1e-9
        row["distance"] = row["seconds"] / least
        print(f"  {row['written'] / 1e6:.0f} MB written, which alone takes {least:.3f} s: {row['distance']:.2f} x", flush=True)


class Launcher:
    """The small parent, compiled into `folder`."""

    def __init__(self, folder):
        self.program = compiled(ROOT / "bench/launcher.c", folder, "-O2", "-static")

    def __call__(self, command, repetitions=1):
        """A Run for each; ends the benchmark when one fails."""
        done = subprocess.run([self.program, str(repetitions), *map(str, command)], stdout=subprocess.PIPE, text=True)
        runs = [line.split() for line in done.stdout.splitlines()]
        if done.returncode or len(runs) != repetitions or any(run[2] != "0" for run in runs):
            sys.exit(f"bench_tool.py: {' '.join(map(str, command))} failed: {done.stdout}")
        return [Run(float(run[0]), int(run[1]), float(run[3]) + float(run[4])) for run in runs]


def fetchFreeMemory(written):
    """Writes to all free memory, before a run that writes much (bytes). A virtual machine may have given free memory back to
    its host (page_reporting), and the first write to such a page waits 4 us. Whether a run meets such pages is chance: for
    2.6 GB it decides between 0.8 and 4 seconds. So all runs find memory that is there, as they find the page cache warm."""
    least, spared = 256 << 20, 128 << 20
    if written < least or not Path("/sys/module/page_reporting").exists():
        return
    free = next(int(line.split()[1]) << 10 for line in open("/proc/meminfo") if line.startswith("MemFree:"))
    pages = max(1, (free - spared) // mmap.PAGESIZE)
    with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
        memory[:: mmap.PAGESIZE] = bytes(pages)


def steps(report):
    """The times of the tool's own steps, where its report has them."""
    times = report.get("steps") or {}
    if isinstance(times, list):
        times = {one.get("name"): one.get("seconds") for one in times}
    return ", ".join(f"{name} {seconds:.3f}" for name, seconds in times.items())


def againstCopy(launch, model, folder, flags, runs, bare):
    """Medians of alternating runs: of the tool, of cp, of the bare limit (None without); and the bytes that the tool wrote."""
    out, copy, report = folder / "out.onnx", folder / "copy.onnx", folder / "report.json"
    commands = {"tool": [TOOL, "--quiet", *flags, "-o", out, model], "cp": [*COPY, model, copy]}
    if bare:
        limit = compiled(ROOT / "bench/limit.c", folder, "-O3", "-march=native", "-fno-math-errno", "-lm", "-pthread")
        commands["bare"] = [limit, os.cpu_count(), model, copy, *bare]
    # Warms the page cache, and shows what folds.
    launch([TOOL, "--quiet", *flags, f"--report=json:{report}", "-o", out, model])
    told = json.loads(report.read_text())
    before, after = (sum(pair[side] for pair in told["ops"].values()) for side in (0, 1))
    print(
        f"  operators {before} -> {after}, bytes {model.stat().st_size} -> {out.stat().st_size}; {steps(told)}",
        flush=True,
    )
    results, wrote = {name: [] for name in commands}, spaceOf([out])
    for _ in range(runs):
        for name, command in commands.items():
            for one in (out, copy):
                one.unlink(missing_ok=True)
            fetchFreeMemory(model.stat().st_size)
            results[name] += launch(command)
    copy.unlink(missing_ok=True)
    tool, baseline, least = (medians(results[name]) if name in results else None for name in ("tool", "cp", "bare"))
    if not 0.5 < told["peak_bytes"] / tool.peak < 2:
        print(f"  the report says {told['peak_bytes']} bytes of peak memory, measured are {tool.peak}", flush=True)
    return tool, baseline, least, wrote


def large(name, make, limit, limitBytes, flags=(), bare=None):
    """`bare`: what bench/limit.c does with the file, and the size of its matrices."""

    def benchmark(launch, folder, runs):
        model = folder / f"{name}.onnx"
        make(model)
        tool, baseline, least, wrote = againstCopy(launch, model, folder, flags, runs, bare)
        model.unlink()
        row = {
            "name": name,
            "ratio": tool.seconds / baseline.seconds,
            "limit": limit,
            "baseline": baseline.seconds,
            "seconds": tool.seconds,
            "peak_bytes": int(tool.peak),
            "limit_bytes": limitBytes,
            "processor": tool.processor / baseline.processor,
            "written": wrote,
        }
        print(f"  processor {tool.processor:.3f} s, {row['processor']:.2f} x cp", flush=True)
        if least:
            row["bare"] = tool.seconds / least.seconds
            print(
                f"  bare limit {least.seconds:.4f} s (tool {row['bare']:.2f} x), processor {least.processor:.3f} s "
                f"(tool {tool.processor / least.processor:.2f} x)",
                flush=True,
            )
        return row

    return benchmark


def external(name, layers, width, limit, limitBytes, dataBytes=None):
    """Shape arithmetic folds, and the output is in another folder: its data file has to be copied. Beside the input it would
    be shared, which takes no time. `cp` copies model and data; of a sparse file it leaves holes holes, as the tool does."""

    def benchmark(launch, folder, runs):
        home, target, copy = (folder / one for one in ("home", "target", "copy"))
        for one in (home, target, copy):
            one.mkdir(exist_ok=True)
        model, data = home / f"{name}.onnx", home / "weights.bin"
        models.shapes(model, layers, width, data=data, dataBytes=dataBytes)
        command = [TOOL, "--quiet", "-o", target / "out.onnx", model]
        copying = ["/bin/cp", "--reflink=never", f"--sparse={'auto' if dataBytes else 'never'}", model, data, copy]
        launch(command)
        print(f"  {data.stat().st_size / 1e9:.1f} GB, on disk {data.stat().st_blocks * 512 / 1e9:.1f} GB", flush=True)
        tool, copies = [], []
        for _ in range(min(runs, 3)):
            for where, run, results in ((copy, copying, copies), (target, command, tool)):
                for one in where.iterdir():
                    one.unlink()
                results += launch(run)
        taken, wrote = (target / data.name).stat().st_blocks / data.stat().st_blocks, spaceOf(target.iterdir())
        if not 0.99 < taken < 1.01:
            print(f"  the tool's copy takes {taken:.2f} times the disk space of the input", flush=True)
        for one in (home, target, copy):
            shutil.rmtree(one)
        tool, baseline = medians(tool), medians(copies)
        return {
            "name": name,
            "ratio": tool.seconds / baseline.seconds,
            "limit": limit,
            "baseline": baseline.seconds,
            "seconds": tool.seconds,
            "peak_bytes": int(tool.peak),
            "limit_bytes": limitBytes,
            "processor": tool.processor / baseline.processor,
            "written": wrote,
        }

    return benchmark


def linears(name, isBeside):
    """The output is beside the input, or in another folder; new tensors are in a data file of their own. `cp` copies model and data."""

    def benchmark(launch, folder, runs):
        home, away = folder / "llm", folder / "away"
        home.mkdir(exist_ok=True)
        away.mkdir(exist_ok=True)
        model, data = home / "llm.onnx", home / "weights.bin"
        models.linears(model, data=data)
        target = home if isBeside else away
        given, copy = set(home.iterdir()), folder / "copy"
        tool, copies = [], []
        for _ in range(min(runs, 3) + 1):
            for one in set(target.iterdir()) - given:
                one.unlink()
            parts = [launch([*COPY, one, copy])[0] for one in (model, data)]
            copies.append(Run(*map(sum, zip(*parts))))
            copy.unlink()
            tool += launch([TOOL, "--quiet", "-o", target / "out.onnx", model])
        wrote = spaceOf(set(target.iterdir()) - given)
        for one in (home, away):
            shutil.rmtree(one)
        seconds, baseline = medians(tool[1:]), medians(copies[1:])  # the first runs warm the page cache
        print(f"  processor {seconds.processor:.2f} s, {seconds.processor / baseline.processor:.2f} x cp", flush=True)
        return {
            "name": name,
            "ratio": seconds.seconds / baseline.seconds,
            "limit": 1.5,
            "baseline": baseline.seconds,
            "seconds": seconds.seconds,
            "peak_bytes": int(seconds.peak),
            "limit_bytes": None,
            "processor": seconds.processor / baseline.processor,
            "written": wrote,
        }

    return benchmark


def cached(launch, folder, runs):
    """An LLM with adapters is folded again when one of 200 has changed. `cp` copies the weights, and so does the tool, which
    also hashes them and all values of the cache. Dirty pages of one run are written before the next one begins."""
    names, weights = ("model", "changed"), folder / "weights.bin"
    for name, changed in zip(names, (None, 77)):
        models.adapters(folder / f"{name}.onnx", weights, changed=changed)  # the same weights
    cache, out, report, copy = (folder / name for name in ("cache", "out.onnx", "report.json", "copy.bin"))
    written = (copy, out, Path(f"{out}.data"))

    def timed(command):
        for one in written:
            one.unlink(missing_ok=True)
        os.sync()
        fetchFreeMemory(weights.stat().st_size)
        return launch(command)[0]

    def fold(name):
        flags = ["--quiet", f"--cache={cache}", f"--report=json:{report}", "--external-data"]
        result = timed([TOOL, *flags, "-o", out, folder / f"{name}.onnx"])
        counts = json.loads(report.read_text())["cache"]
        return result, f"{counts['found']} found, {counts['computed']} computed"

    cold, counts = fold("model")
    print(f"  cold {cold.seconds:.2f} s, {counts}", flush=True)
    kept = set(cache.iterdir())
    copies, results = [], {name: [] for name in names}
    for _ in range(min(runs, 5)):
        copies.append(timed([*COPY, weights, copy]))
        for name in names:
            result, counts = fold(name)
            results[name].append(result)
            for one in set(cache.iterdir()) - kept:
                one.unlink()
    baseline, again, tool = (medians(runs) for runs in (copies, results["model"], results["changed"]))
    wrote = spaceOf(one for one in written if one.exists())
    print(
        f"  nothing changed {again.seconds:.2f} s, {again.seconds / baseline.seconds:.2f} x cp; one changed: {counts}",
        flush=True,
    )
    shutil.rmtree(cache)
    for one in (*written, weights):
        one.unlink(missing_ok=True)
    return {
        "name": "cached",
        "ratio": tool.seconds / baseline.seconds,
        "limit": 1.2,
        "baseline": baseline.seconds,
        "seconds": tool.seconds,
        "peak_bytes": int(tool.peak),
        "limit_bytes": 80_000_000,
        "processor": tool.processor / baseline.processor,
        "written": wrote,
    }


def bytesWritten(launch, folder, runs):
    """For all ways to write a model: the row is the worst of those that are asked for nothing more."""
    rows = table(TOOL, folder)
    for name, wrote, needs in rows:
        print(f"  {name:32}{wrote / 1e6:9.2f} MB{needs / 1e6:9.2f} MB needed{wrote / needs:7.3f}  {ASKED.get(name, '')}", flush=True)
    worst = max((row for row in rows if row[0] not in ASKED), key=lambda row: row[1] / row[2])
    return {
        "name": "written",
        "ratio": worst[1] / worst[2],
        "limit": 1.02,
        "baseline": 0.0,
        "seconds": 0.0,
        "peak_bytes": 0,
        "limit_bytes": None,
    }


def tiny(launch, folder, runs):
    """Start to exit, beside an empty program, in turns; the best of each, since other jobs only add."""
    model, out = folder / "tiny.onnx", folder / "out.onnx"
    models.tiny(model)
    command = [TOOL, "--quiet", "-o", out, model]
    launch(command, 5)
    results, empty = [], []
    for _ in range(max(51, 10 * runs)):
        out.unlink()
        results += launch(command)
        empty += launch(["/bin/true"])
    best, none = (min(run.seconds for run in runs) for runs in (results, empty))
    print(f"  /bin/true takes {none * 1e3:.2f} ms, the tool {best * 1e3:.2f} ms; medians "
          f"{medians(empty).seconds * 1e3:.2f} and {medians(results).seconds * 1e3:.2f} ms", flush=True)
    return {
        "name": "tiny",
        "ratio": best / (none + 0.002),
        "limit": 1.0,
        "baseline": none + 0.002,
        "seconds": best,
        "peak_bytes": int(medians(results).peak),
        "limit_bytes": 12_000_000,
    }


BENCHMARKS = {
    "tiny": tiny,
    "shapes": large("shapes", models.shapes, 1.2, 40_000_000),
    "transformer": large("transformer", models.transformer, 3.0, 60_000_000),
    "external": external("external", 60, 4096, 1.2, 40_000_000),
    "sparse": external("sparse", 75, 8192, 1.2, 40_000_000, dataBytes=1 << 24),
    "chains": large("chains", models.chains, 5.0, None),
    "transposed": large("transposed", models.transposedChains, 4.0, 64_000_000, bare=("chain", 1118, 1118)),
    "swin": large("swin", models.swin, 2.0, None, bare=("transpose", 456, 456)),
    "functions": large("functions", models.functions, 1.3, None, bare=("transpose", 1024, 1024)),
    "llm": linears("llm", isBeside=True),
    "llm_away": linears("llm_away", isBeside=False),
    "lstm": large("lstm", models.lstm, 1.5, None, bare=("copy", 940, 940)),
    "detector": large("detector", models.detector, 1.3, None, bare=("copy", 1140, 1140)),
    "cached": cached,
    "written": bytesWritten,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)} (default all)")
    parser.add_argument("--runs", type=int, default=5, help="alternating runs of tool and cp")
    parser.add_argument("--keep", action="store_true", help="leave the folder with the models")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown or not os.access(TOOL, os.X_OK):
        sys.exit(
            f"bench_tool.py: no benchmark {sorted(unknown)}"
            if unknown
            else f"bench_tool.py: there is no tool at {TOOL}"
        )
    base = Path(os.environ.get("ONNXFOLD_BENCH_DIR", ROOT / "build/bench-data"))
    base.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="tool-", dir=base))
    rows = []
    try:
        launch, machine = Launcher(folder), Machine(folder)
        for name in options.names or BENCHMARKS:
            print(f"{name}:", flush=True)
            before = machine()
            row = BENCHMARKS[name](launch, folder, options.runs)
            judge(row, before, machine())
            rows.append(row)
            limitBytes = f" (at most {row['limit_bytes'] / 1e6:.0f})" if row["limit_bytes"] else ""
            print(
                f"  {row['seconds']:.4f} s, {row['ratio']:.2f} x baseline {row['baseline']:.4f} s (at most {row['limit']}), "
                f"peak {row['peak_bytes'] / 1e6:.1f} MB{limitBytes}",
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
