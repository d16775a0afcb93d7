#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every function of MLIR's own tests through our pipelines, and prints those that a signal ends.

    published_functions.py FOLDER-WITH-MLIR-TESTS [--bin build/bin] [--only PIPELINE] [--out FOLDER]

The folder is mlir/test of LLVM's sources, for example of `apt-get source llvm-toolchain-19`. Each function of a file is a
module of its own, with the aliases, globals and declarations beside it; what fold-opt cannot parse is counted and left out.
"""
import argparse
import bisect
import pathlib
import re
import subprocess
import sys

PIPELINES = [
    "constprop", "constprop,scrub", "canonicalize,constprop,scrub", "merge-constants", "deallocate", "buffer-deallocation-and-reuse",
    "buffer-deallocation-and-reuse,lower-deallocation-to-llvm", "buffer-reuse", "func.func(deallocation-simplification)",
    "func.func(deallocation-to-scf)", "func.func(inline-alloca-scopes)", "reinterpret-expand-shapes", "realloc-in-place",
    "split-alloc-tensors", "lower-deallocation-to-llvm", "lower-sequence-to-llvm", "sequence-ownership", "convert-sequence",
    "convert-seq-to-memref", "ease-bufferization", "row-major-casts", "verify-layouts", "strided-copies-to-loops",
    "static-results-to-out-params", "check-arguments", "protect-arguments", "prepare-constant-tensor-calls", "lower-packs",
    "print-constant-tensors", "constant-tensor-folding", "constant-tensor-folding-pipeline", "constant-tensors-metadata",
    "lower-constant-tensors-to-llvm", "convert-onnx-to-sequence", "onnx-clean-up", "fold-run",
]
LINE = re.compile(r"^(?:within split at [^:]*:(\d+) offset )?[^\s:]*:(\d+):\d+: error:", re.M)
DEFINITION = re.compile(r"^\s*func\.func\b.*\{\s*(//.*)?$")


def modules(text):
    """The text of each function with what it may refer to, then the whole chunk where functions call each other."""
    for chunk in re.split(r"^// -----.*$", text, flags=re.M):
        functions, others, current = [], [], None
        for line in chunk.splitlines():
            if current is None and not line.startswith(" ") and re.match(r"func\.func\b", line):
                current = []
            if current is None:
                others.append(line)
                continue
            current.append(line)
            body_ends = line.startswith("}")
            declared = len(current) == 1 and re.match(r"func\.func private[^{]*$", line)
            if body_ends:
                functions.append(current)
            elif declared:
                others += current
            else:
                continue
            current = None
        shared = [line for line in others if re.match(r"[#!]|memref\.global|ml_program\.global|func\.func private|tosa\.variable", line)]
        for function in functions:
            yield "\n".join(shared + function)
        if len(functions) != 1:
            yield chunk


def collect(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*.mlir")):
        for number, text in enumerate(modules(path.read_text(errors="replace"))):
            text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
            if text.strip():
                found.setdefault(text, f"{path.relative_to(folder)}#{number}")
    return [(name, text) for text, name in found.items()]


def run(tool, arguments, path, seconds=120):
    try:
        done = subprocess.run([tool, *arguments, str(path)], capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return "timeout", ""
    return done.returncode, done.stderr


class Runner:
    def __init__(self, bin_folder, out):
        self.bin, self.out = pathlib.Path(bin_folder), out
        out.mkdir(parents=True, exist_ok=True)

    def batch(self, arguments, cases):
        """The return code, and the cases with errors, of one process over all cases."""
        path = self.out / "batch.mlir"
        starts, text = [], ""
        for name, body in cases:
            starts.append(text.count("\n") + 1)
            text += body + "\n// -----\n"
        path.write_text(text)
        code, errors = run(self.bin / "fold-opt", ["--split-input-file", "--allow-unregistered-dialect", "--mlir-disable-threading",
                                                   "-o", "/dev/null", *arguments], path, 600)
        lines = [int(split or 1) + int(line) - 1 for split, line in LINE.findall(errors)]
        bad = {bisect.bisect_right(starts, max(line, 1)) - 1 for line in lines}
        return code, [case for i, case in enumerate(cases) if i in bad]

    def killers(self, arguments, cases):
        """The cases that a signal, an abort or the limit of time ends, found by halving."""
        code, errors = self.batch(arguments, cases)
        if code in (0, 1):
            return [], errors
        if len(cases) == 1:
            return [(cases[0], code)], []
        middle = len(cases) // 2
        first, second = self.killers(arguments, cases[:middle]), self.killers(arguments, cases[middle:])
        return first[0] + second[0], first[1] + second[1]


def batches(cases, size=200):
    return [cases[i:i + size] for i in range(0, len(cases), size)]


def sweep(runner, pipeline, cases):
    killers, errors = [], 0
    if pipeline == "fold-run":
        path = runner.out / "one.mlir"
        for name, body in cases:
            path.write_text(body)
            code, _ = run(runner.bin / "fold-run", [], path)
            errors += code == 1
            if code not in (0, 1):
                killers.append(((name, body), code))
        return killers, errors
    for part in batches(cases):
        found, failed = runner.killers([f"--pass-pipeline=builtin.module({pipeline})"], part)
        killers += found
        errors += len(failed)
    return killers, errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--only", action="append")
    parser.add_argument("--out", default="/tmp/published-functions", type=pathlib.Path)
    options = parser.parse_args()
    runner = Runner(options.bin, options.out)
    cases, parsed, unreadable = collect(options.folder), [], []
    for part in batches(cases):
        killed, failed = runner.killers([], part)
        unreadable += killed
        gone = {name for name, _ in failed} | {case[0] for case, _ in killed}
        parsed += [case for case in part if case[0] not in gone]
    print(f"{len(cases)} functions, {len(parsed)} can be parsed, {len(unreadable)} end the parser", flush=True)
    total = 0
    for pipeline in options.only or PIPELINES:
        killers, errors = sweep(runner, pipeline, parsed)
        total += len(killers)
        print(f"{pipeline}: {len(killers)} ended by a signal, {errors} with an error", flush=True)
        for number, ((name, body), code) in enumerate(killers):
            kept = options.out / f"{re.sub('[^a-z]+', '-', pipeline)}-{number}.mlir"
            kept.write_text(f"// {name} {code}\n{body}\n")
            print(f"  {name} {code} {kept}", flush=True)
    for (name, body), code in unreadable:
        print(f"  parser: {name} {code}")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
