#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models that others made: folded, checked, run and compared, all in one process.

    build/venv/bin/python3 tests/corpus/corpus.py [FOLDER|MODEL...] [--json FILE]

Without arguments it takes the models of the Python packages that the tests install. It prints a line for each model and level
that is not as it must be, and a summary. Each model is folded at -O0, -O1 and -O2 with --verify; then

    no run ends with a signal or in timeout, and a model that ONNX Runtime loads is not refused;
    --verify finds no difference, and compares every output of a model that ONNX Runtime runs;
    what the checker (with full check) and ONNX Runtime accepted before, they accept after;
    both models give the same results in ONNX Runtime without optimisations, on seeded inputs with negative numbers, and below
    -O2 with NaN and -0 too;
    the result folded again is the same bytes, the input file is as it was, and the result is not larger than a limit allows.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent / "lib")]
    os.environ.setdefault("ONNXFOLD_SERVER", str(HERE.parents[1] / "build/bin/tests/fold-server"))

import onnx  # noqa: E402

import onnxfold_testing as t  # noqa: E402
import corpus_runs as runs  # noqa: E402

LEVELS = ("-O0", "-O1", "-O2")
SECONDS = 120  # of one run of the tool
APART_SECONDS = 300  # of all that is done to one model
# What a model may grow by: the default limit, and node names and types that are written anew.
GROWTH = (1 << 20) + (64 << 10)
SUFFIXES = (".onnx", ".ort", ".onnxtxt", ".onnxtext")
IS_ORT = ".ort"  # ONNX Runtime's own format, which is no ONNX


def packageFolder():
    return Path(sysconfig.get_path("purelib"))


def modelsIn(folder):
    """All model files below a folder, in the order of their names."""
    paths = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return sorted(path for path in paths if path.suffix in SUFFIXES and path.suffix != IS_ORT)


def packageModels():
    """The models that packages of the tests carry, beside the node tests of onnx, which test_node_tests.py has."""
    return [path for path in modelsIn(packageFolder()) if "onnx/backend/test/data/node/" not in path.as_posix()]


def packageOf(path):
    """The first folder below that of the packages."""
    return path.relative_to(packageFolder()).parts[0]


def checkerText(path):
    """Why the checker refuses a model; nothing if it accepts it."""
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as error:
        return str(error).strip()[:400] or type(error).__name__
    return ""


class Outcome:
    """What was found of one model: `findings` is what is not as it must be."""

    def __init__(self, path):
        self.path, self.findings, self.errors, self.notes = path, [], {}, {}

    def add(self, level, kind, text=""):
        self.findings.append({"level": level, "kind": kind, "text": str(text)[:600]})

    def asJson(self):
        return {"model": str(self.path), "findings": self.findings, "stderr": self.errors, "notes": self.notes}


def foldAt(level, outcome, before, out):
    """Folds into `out`; whether there is a file to look at."""
    try:
        result = t.run(level, "--verify", "--threads=1", "-o", out, outcome.path, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        outcome.add(level, "timeout", f"{SECONDS} s")
        return False
    outcome.errors[level] = result.err
    if result.code > 128:
        outcome.add(level, "signal", result)
    elif result.code == 3:
        outcome.add(level, "verify", result.err)
    elif result.code == 4:
        if before.feeds and not before.isRandom:
            outcome.add(level, "not compared", result.err)
        plain = t.run(level, "--threads=1", "-o", out, outcome.path, timeout=SECONDS)
        if plain.code != 0:
            outcome.add(level, "refused", f"without --verify: {plain}")
    elif result.code != 0 and (before.session or not before.checker):
        outcome.add(level, "refused", f"status {result.code}: {result.err}")
    return out.is_file()


def checkFolded(level, outcome, before, out, folder):
    """What must hold of the file that was written."""
    text = "" if before.checker else checkerText(out)
    if text:
        outcome.add(level, "checker", text)
    inputSize, size = os.path.getsize(outcome.path), os.path.getsize(out)
    if size > inputSize + max(GROWTH, inputSize // 100 + (64 << 10)):
        outcome.add(level, "grown", f"from {inputSize} to {size} bytes")
    again = folder / "again.onnx"
    try:
        result = t.run("--quiet", level, "--threads=1", "-o", again, out, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        outcome.add(level, "timeout", "second fold")
    else:
        if result.code != 0:
            outcome.add(level, "second", result)
        elif not t.sameBytes(again, out):
            outcome.add(level, "second", "other bytes")
    for kind, text in before.differences(out, level):
        outcome.add(level, kind, text)


def examine(path, isRun=True):
    """Does all that the text above says to one model; without `isRun` ONNX Runtime only loads it."""
    path, begin = Path(path), time.process_time() + t.processorSeconds()
    outcome = Outcome(path)
    state = t.fileState(path)
    with tempfile.TemporaryDirectory(prefix="onnxfold-") as name:
        folder = Path(name)
        before = runs.Original(path, isRun)
        before.checker = checkerText(path)
        outcome.notes = before.notes()
        for level in LEVELS:
            out = folder / f"out{level}.onnx"
            if foldAt(level, outcome, before, out):
                checkFolded(level, outcome, before, out, folder)
                out.unlink()
    if t.fileState(path) != state:
        outcome.add("", "input changed", f"was {state}, is {t.fileState(path)}")
    outcome.notes["seconds"] = time.process_time() + t.processorSeconds() - begin
    return outcome.asJson()


def examineApart(path, isRun=True, how=examine):
    """In a process of its own: on a few models ONNX Runtime crashes, or never ends. Such a model is only loaded."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(how(path, isRun)))
    child.start()
    sender.close()
    try:
        if receiver.poll(APART_SECONDS):
            return receiver.recv()
    except EOFError:
        pass
    finally:
        child.kill()
        child.join()
    t.theServer.stop()  # or the next model would read the answers of this one
    if isRun:
        return examineApart(path, False, how)
    return {"model": str(path), "findings": [{"level": "", "kind": "ended", "text": "no result"}], "stderr": {}, "notes": {}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="*", type=Path)
    parser.add_argument("--json", type=argparse.FileType("w"), help="a line for each model")
    options = parser.parse_args()
    models = [one for path in options.path for one in ([path] if path.is_file() else modelsIn(path))]
    models = models if options.path else packageModels()
    t.run("--version")  # starts the server, which all processes use
    bad = ran = 0
    for path in models:
        found = examineApart(path)
        bad += bool(found["findings"])
        ran += bool(found["notes"].get("feeds"))
        for one in found["findings"]:
            print(f"{path} {one['level']} {one['kind']}: {one['text'][:300]}", flush=True)
        if options.json:
            print(json.dumps(found), file=options.json, flush=True)
    print(f"{len(models)} models, {ran} of them run in ONNX Runtime, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
