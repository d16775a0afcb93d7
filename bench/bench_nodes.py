#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many nodes are left, beside onnxsim, OnnxSlim, onnxscript's optimizer and ONNX Runtime's basic level.

    bench_nodes.py [MODEL ...] [--diff] [--skip-check] [--again] [--timeout=SECONDS] [--memory=GB] [--keep=DIR] [--markdown]

MODEL is a name (`bert`, `gpt2-12`; a part of one will do) or a file. Default: the models of tests/models/data, and the same
families with more and wider layers (bench/nodes/models.py). Every tool gets the same file and its default settings, in a
process of its own under limits of time and memory. Counted are the nodes that are left, bodies included, without Constant.
A result with operators of domains that the model did not have (`+3 com.microsoft`) is no candidate for the best, nor is
one that ONNX Runtime refuses or that computes something else: every result is compared with the original on seeded inputs of the
exporter's sizes, smaller and larger ones. --diff shows what is left by type of operator, for ours and for the best.

Row for ./run-bench: `ratio` = nodes left at -O2 / nodes left by the best other tool, which is `baseline`; limit 1. A result of
ours that is wrong has no ratio, which counts as above the limit. The first
run installs the other tools into build/peers (tools/setup-bench.sh). What they made of a model is remembered there, with the
seconds of that run; --again runs them again.
"""

import argparse
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx

ROOT = Path(__file__).resolve().parents[1]
for folder in ("bench/nodes", "tests/lib", "tests/models"):
    sys.path.insert(0, str(ROOT / folder))
import models as maker
import onnxfold_compare as compare
import onnxfold_testing as t
import test_models as bounds

PEERS = ROOT / "build/peers/bin/python3"
OTHERS = ("onnxsim", "onnxslim", "onnxscript", "ort-basic")
OURS = ("-O1", "-O2")
STANDARD = ("", "ai.onnx", "ai.onnx.ml")


@dataclass
class Result:
    """What one tool made of one model. `fault`: why it does not count."""

    seconds: float
    nodes: Counter = field(default_factory=Counter)
    foreign: Counter = field(default_factory=Counter)  # by domain, of those that the model did not have
    fault: str = ""

    @property
    def count(self):
        return self.nodes.total()

    def text(self):
        if not self.nodes:
            return self.fault
        foreign = "".join(f" +{count} {domain}" for domain, count in self.foreign.items())
        return f"{self.count - self.foreign.total()}{foreign}{f' ({self.fault})' if self.fault else ''}"

    def isCandidate(self):
        return not self.fault and not self.foreign


def count(path):
    """Nodes by type of operator, without Constant; `domain.Type` outside the default domain."""
    counts = Counter(t.operatorCounts(onnx.load(path, load_external_data=False), withDomain=True))
    del counts["Constant"]
    return counts


def domains(counts):
    found = Counter()
    for name, number in counts.items():
        found[name.rpartition(".")[0]] += number
    return found


def runLimited(command, timeout, memory):
    """(seconds, "" or what went wrong) of a process that takes at most so much time and address space."""
    begin = time.monotonic()
    limit = (memory, memory)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
    try:
        _, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return time.monotonic() - begin, f"over {timeout:.0f} s"
    fault = ""
    if child.returncode:
        lines = [line for line in err.splitlines() if line.strip()]
        fault = "crash" if child.returncode < 0 else "fails"
        print(f"    {' '.join(map(str, command[:4]))}: exit {child.returncode}: {lines[-1][:300] if lines else ''}", flush=True)
    return time.monotonic() - begin, fault


def optimize(tool, source, target, options):
    target.unlink(missing_ok=True)
    if tool in OTHERS:
        command = [PEERS, "-B", ROOT / "bench/nodes/optimize.py", tool, source, target]
    else:
        command = [t.TOOL, "--quiet", tool, "-o", target, source]
    seconds, fault = runLimited([str(one) for one in command], options.timeout, int(options.memory * (1 << 30)))
    result = Result(seconds, fault=fault)
    if not fault and target.exists():
        result.nodes = count(target)
        had = domains(count(source))
        result.foreign = Counter({domain: number for domain, number in domains(result.nodes).items()
                                  if domain not in STANDARD and domain not in had})
    return result


class Memory:
    """What the other tools made of a model, by the model's bytes. Erased when their versions change (setup-bench.sh)."""

    PATH = ROOT / "build/peers/results.json"

    def __init__(self):
        self.results = json.loads(self.PATH.read_text()) if self.PATH.exists() else {}

    @staticmethod
    def key(tool, source):
        with open(source, "rb") as file:
            return f"{tool} {hashlib.file_digest(file, 'sha256').hexdigest()}"

    def get(self, tool, source):
        found = self.results.get(self.key(tool, source))
        if found is None:
            return None
        return Result(found["seconds"], Counter(found["nodes"]), Counter(found["foreign"]), found["fault"])

    def put(self, tool, source, result):
        self.results[self.key(tool, source)] = vars(result)
        self.PATH.write_text(json.dumps(self.results))


class Checker:
    """The original's results on seeded inputs of several sizes, to compare others with."""

    def __init__(self, path, specs):
        model = onnx.load(path)
        self.feeds = []
        self.expected = []
        for seed, sizes in enumerate(self.variants(model, specs)):
            feed = compare.randomFeed(sizes, seed + 1)
            try:
                self.expected += compare.outputs(path, [feed], apart=True)
                self.feeds.append(feed)
            except AssertionError:
                if seed == 0:
                    raise
        self.tolerance = bounds.toleranceOf(model)
        self.quantum = bounds.quantumOf(model, self.expected)

    @staticmethod
    def variants(model, specs):
        """The inputs as listed, and with other sizes where a dimension is dynamic; equal sizes are equal afterwards."""
        dynamic = {value.name: [dim.WhichOneof("value") != "dim_value" for dim in value.type.tensor_type.shape.dim]
                   for value in model.graph.input}
        changes = [lambda size: size, lambda size: 2 * size, lambda size: max(1, size // 3 if size < 8 else size // 2)]
        found = []
        for change in changes:
            sized = [{**spec, "shape": [change(size) if free else size for size, free in zip(spec["shape"], dynamic[spec["name"]])]}
                     for spec in specs]
            if sized not in found:
                found.append(sized)
        return found

    def fault(self, path):
        try:
            for got, want in zip(compare.outputs(path, self.feeds, apart=True), self.expected):
                compare.expectAgreement(got, want, path.name, self.tolerance, self.quantum)
        except AssertionError as failure:
            print(f"    {failure}"[:400], flush=True)
            return "does not run" if "cannot run" in str(failure) else "differs"
        return ""


def measure(name, path, specs, options, folder):
    """{tool: Result}, "before" among them."""
    print(f"{name}:", flush=True)
    results = {"before": Result(0.0, count(path))}
    checker = None if options.skip_check else Checker(path, specs)
    memory = Memory()
    for tool in (*OTHERS, *OURS):
        target = folder / f"{name}.{tool.lstrip('-')}.onnx"
        remembered = memory.get(tool, path) if tool in OTHERS and not (options.again or options.keep) else None
        result = results[tool] = remembered or optimize(tool, path, target, options)
        if checker and result.nodes and not remembered:
            result.fault = checker.fault(target)
        if checker and tool in OTHERS and not remembered:
            memory.put(tool, path, result)
        if not options.keep:
            target.unlink(missing_ok=True)
        print(f"  {tool:10} {result.text():>24}  {result.seconds:7.2f} s", flush=True)
    return results


def ours(results):
    """The higher level that the tool accepts."""
    return results["-O2"] if results["-O2"].nodes else results["-O1"]


def best(results):
    """The other tool that leaves the fewest nodes, or None."""
    candidates = [tool for tool in OTHERS if results[tool].isCandidate()]
    return min(candidates, key=lambda tool: results[tool].count) if candidates else None


def showTable(table, markdown):
    columns = ("before", *OTHERS, *(() if markdown else ("best",)), *OURS)
    rows = [["model", *columns]]
    for name, results in table.items():
        winner = best(results)
        cells = {tool: f"**{results[tool].text()}**" if markdown and tool == winner else results[tool].text() for tool in results}
        rows.append([name, *(f"{results[winner].count} {winner}" if one == "best" and winner else cells.get(one, "-")
                             for one in columns)])
    show(rows, markdown)
    print()
    show([["seconds", *OTHERS, *OURS]]
         + [[name, *(f"{results[tool].seconds:.2f}" for tool in (*OTHERS, *OURS))] for name, results in table.items()], markdown)


def showDifference(name, results, markdown):
    """What is left by type of operator: where ours and the best differ."""
    winner = best(results)
    tools = (*OTHERS, *OURS)
    types = sorted({kind for tool in tools for kind in results[tool].nodes} | set(results["before"].nodes))
    rows = [[f"{name} ({winner})", "before", *tools, "more than best"]]
    for kind in types:
        more = ours(results).nodes[kind] - (results[winner].nodes[kind] if winner else 0)
        if any(results[tool].nodes[kind] != ours(results).nodes[kind] for tool in tools if results[tool].nodes):
            rows.append([kind, *(str(results[tool].nodes[kind]) for tool in ("before", *tools)), f"{more:+d}" if more else ""])
    print()
    show(rows, markdown)


def show(rows, markdown):
    if markdown:
        rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]))


def chosen(names, folder):
    """(name, file, inputs) of the models that were asked for."""
    shipped = {path.stem: path for path in t.shippedModels()}
    everything = [*shipped, *maker.NAMES]
    wanted = []
    for name in names or everything:
        if Path(name).is_file():
            wanted.append(Path(name).absolute())
        elif not (found := [one for one in everything if name in one]):
            sys.exit(f"bench_nodes.py: no model's name has '{name}' in it; there are {', '.join(everything)}")
        else:
            wanted += [name] if name in found else found
    for one in wanted:
        if isinstance(one, Path):
            yield one.stem, one, bounds.inputsOf(one, onnx.load(one, load_external_data=False))
        elif one in shipped:
            yield one, shipped[one], bounds.INPUTS[one]
        else:
            path = folder / f"{one}.onnx"
            yield one, path, maker.make(one, path)
            path.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="MODEL")
    parser.add_argument("--diff", action="store_true", help="also by type of operator")
    parser.add_argument("--skip-check", action="store_true", help="do not run the results in ONNX Runtime")
    parser.add_argument("--again", action="store_true", help="run the other tools also where their results are known")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="for one tool on one model")
    parser.add_argument("--memory", type=float, default=16, metavar="GB", help="address space of one tool")
    parser.add_argument("--keep", metavar="DIR", help="leave the results there, as MODEL.TOOL.onnx")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    subprocess.run([ROOT / "tools/setup-bench.sh"], check=True)
    base = Path(os.environ.get("ONNXFOLD_BENCH_DIR", ROOT / "build/bench-data"))
    base.mkdir(parents=True, exist_ok=True)
    table = {}
    with tempfile.TemporaryDirectory(prefix="nodes-", dir=base) as made:
        out = Path(options.keep or made).absolute()
        out.mkdir(parents=True, exist_ok=True)
        for name, path, specs in chosen(options.names, Path(made)):
            table[name] = measure(name, path, specs, options, out)
    print()
    showTable(table, options.markdown)
    if options.diff:
        for name, results in table.items():
            showDifference(name, results, options.markdown)
    writeRows(table)
    return 0


def writeRows(table):
    rows = []
    for name, results in table.items():
        winner = best(results)
        if winner and ours(results).nodes:
            baseline = results[winner].count
            rows.append({"name": name, "ratio": None if ours(results).fault else ours(results).count / baseline, "limit": 1.0, "baseline": baseline,
                         "seconds": ours(results).seconds, "peak_bytes": None, "nodes": ours(results).count,
                         "fault": ours(results).fault})
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
