#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What folding brings in ONNX Runtime: time and memory of a session, inference, size and nodes, beside other tools.

    bench_session.py [MODEL ...] [--runs=N] [--tools=NAME,...] [--markdown]

MODEL is a file; default: the models of tests/models/data. Each tool makes a file of each model with its default settings:

  before       the model itself
  -O1, -O2     onnx-fold
  onnxsim, onnxslim    as bench_nodes.py calls them; the first run installs them into build/peers (tools/setup-bench.sh)
  ort-basic    the file that ONNX Runtime writes with its basic optimisations

Then each file is loaded by ONNX Runtime with its default options in a process of its own, all files in turn, N times (default
5). The table has the least of each: milliseconds to create the session, by the clock and of
the processor, MB that this takes at its peak, milliseconds of one
inference (the median of a second, at most 50), the size of the file and of its data, and the nodes without Constant, bodies
included. Inputs are random; sizes that a model leaves open are 2. A result that ONNX Runtime refuses is `does not run`.

Row for ./run-bench: `seconds` is that of -O2, `baseline` the least of the other tools, `ratio` one over the other; no limit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import onnx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lib"))
import onnxfold_testing as t

PEERS = ROOT / "build/peers/bin/python3"
TOOL = os.environ.get("ONNXFOLD_TOOL", str(ROOT / "build/bin/onnx-fold"))
TOOLS = ("before", "-O1", "-O2", "onnxsim", "onnxslim", "ort-basic")

# What the process of one session does; peaks are of memory that is not shared with files.
SESSION = """
import json, resource, sys, time
sys.path.insert(0, sys.argv[2])
import numpy, onnxruntime
from onnx_fold import _onnxruntime
onnxruntime.set_default_logger_severity(4)

def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:")) << 10

before, begin, work = peak(), time.perf_counter(), time.process_time()
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
result = {"session": time.perf_counter() - begin, "work": time.process_time() - work, "peak": peak() - before, "inference": None}
inputs = session.get_inputs()
shapes = {one.name: [size if isinstance(size, int) else 2 for size in one.shape or []] for one in inputs}
for choice in _onnxruntime.CHOICES:
    try:
        feeds = _onnxruntime._feeds(inputs, {}, shapes, 0, choice)
        session.run(None, feeds)
        taken, end = [], time.perf_counter() + 1
        while len(taken) < 50 and (time.perf_counter() < end or not taken):
            begin = time.perf_counter()
            session.run(None, feeds)
            taken.append(time.perf_counter() - begin)
        result["inference"] = sorted(taken)[len(taken) // 2]
        break
    except Exception as error:
        print(f"{choice}: {error}"[:300], file=sys.stderr)
print(json.dumps(result))
"""


def make(tool, model, out):
    """The file that a tool makes of the model, or why there is none."""
    if tool == "before":
        return model, ""
    if tool.startswith("-O"):
        command = [TOOL, "--quiet", tool, "-o", str(out), str(model)]
    else:
        command = [str(PEERS), "-B", str(ROOT / "bench/nodes/optimize.py"), tool, str(model), str(out)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode or not out.exists():
        return None, (done.stdout.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return out, ""


def measure(path):
    command = [sys.executable, "-B", "-c", SESSION, str(path), str(ROOT / "python")]
    done = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(done.stdout.splitlines()[-1]), "") if done.returncode == 0 else (None, "does not run")


def bytesOf(path):
    """Of the model and of its data files."""
    model = onnx.load(path, load_external_data=False)
    names = {entry.value for one in model.graph.initializer for entry in one.external_data if entry.key == "location"}
    return sum(one.stat().st_size for one in [path, *(path.parent / name for name in names)])


def nodesOf(path):
    counts = Counter(t.operatorCounts(onnx.load(path, load_external_data=False), withDomain=True))
    del counts["Constant"]
    return counts.total()


def least(results, name):
    values = [one[name] for one in results if one[name] is not None]
    return min(values) if values else None


def rowsOf(model, tools, runs):
    """Of one model: a row for each tool."""
    with tempfile.TemporaryDirectory(prefix="onnxfold-bench-") as folder:
        files, rows, results = {}, [], {tool: [] for tool in tools}
        for number, tool in enumerate(tools):
            place = Path(folder, str(number))
            place.mkdir()
            files[tool] = make(tool, model, place / model.name)
        for _ in range(runs):
            for tool, (path, fault) in files.items():
                if path is not None:
                    result, refused = measure(path)
                    files[tool] = (path, "") if result else (None, refused)
                    results[tool] += [result] if result else []
        for tool, (path, fault) in files.items():
            row = {"model": model.stem, "tool": tool, "fault": fault}
            if path is not None:
                row |= {name: least(results[tool], name) for name in ("session", "work", "peak", "inference")}
                row |= {"bytes": bytesOf(path), "nodes": nodesOf(path)}
            rows.append(row)
    return rows


def text(row, isMarkdown):
    def number(name, scale, form):
        value = row.get(name)
        return "-" if value is None else format(value * scale, form)

    cells = [row["model"], row["tool"], number("session", 1e3, ".1f"), number("work", 1e3, ".1f"), number("peak", 1e-6, ".1f"), number("inference", 1e3, ".2f")]
    cells += [number("bytes", 1e-6, ".2f"), number("nodes", 1, "d") if not row["fault"] else row["fault"]]
    if isMarkdown:
        return "| " + " | ".join(cells) + " |"
    return f"{cells[0]:<22}{cells[1]:<11}" + "".join(f"{cell:>11}" for cell in cells[2:])


def summary(rows):
    """For ./run-bench."""
    made = []
    for model in dict.fromkeys(row["model"] for row in rows):
        own = next((row for row in rows if row["model"] == model and row["tool"] == "-O2"), {})
        others = [row["session"] for row in rows if row["model"] == model and not row["tool"].startswith("-O") and row.get("session")]
        if own.get("session") and others:
            seconds, baseline = own["session"], min(others)
            made.append({"name": model, "ratio": seconds / baseline, "limit": None, "baseline": baseline, "seconds": seconds, "peak_bytes": own["peak"]})
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tools", type=lambda given: given.split(","), default=TOOLS)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    wrong = [tool for tool in options.tools if tool not in TOOLS]
    if wrong:
        parser.error(f"--tools has {wrong[0]!r}, expected some of {', '.join(TOOLS)}")
    if any(not tool.startswith(("-O", "before")) for tool in options.tools):
        subprocess.run([ROOT / "tools/setup-bench.sh"], check=True)
    head = ("model", "tool", "session ms", "cpu ms", "peak MB", "run ms", "file MB", "nodes")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|" if options.markdown else f"{head[0]:<22}{head[1]:<11}" + "".join(f"{one:>11}" for one in head[2:]))
    rows = []
    for model in options.models or sorted((ROOT / "tests/models/data").glob("*.onnx")):
        for row in rowsOf(model, options.tools, options.runs):
            rows.append(row)
            print(text(row, options.markdown), flush=True)
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(summary(rows)))


if __name__ == "__main__":
    main()
