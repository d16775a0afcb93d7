"""What every Python test of onnx-fold shares: one way to run the tool, to count, and to look at models.

A test script makes a `Suite`, registers its cases and ends with `sys.exit(suite.main())`. A case is a function that takes an
empty folder of its own and raises `Failure` (through `expect` and its kin) or `Skip`. The last line of a script is
`N passed, N failed` (and `, N skipped` where there are any); its exit status is 1 when anything failed.

    ONNXFOLD_TOOL        the tool (default build/bin/onnx-fold)
    ONNXFOLD_TEST_DATA   test data of the onnx package (default build/test-data/onnx/backend/test/data)
"""

import argparse
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute()
TEST_DATA = Path(os.environ.get("ONNXFOLD_TEST_DATA", ROOT / "build/test-data/onnx/backend/test/data"))

# The operators that this tool folds. QuantizeLinear and DequantizeLinear only fold with --fold-quantization.
QUANTIZATION = frozenset({"QuantizeLinear", "DequantizeLinear"})
REDUCTIONS = frozenset(
    "Reduce" + kind for kind in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
)
# Files below onnx/kernels are operators; the folders are the domains beside ai.onnx.
DOMAINS = {"": "", "ml": "ai.onnx.ml.", "preview": "ai.onnx.preview.", "training": "ai.onnx.preview.training."}
KERNELS = frozenset(
    domain + path.stem
    for folder, domain in DOMAINS.items()
    for path in (ROOT / "onnx/kernels" / folder).glob("*.cpp")
    if path.stem != "AllKernels"
)


class Failure(Exception):
    """A case did not hold; the text says what was seen and what was expected."""


class Skip(Exception):
    """A case cannot run here; the text says why."""


def expect(condition, text):
    if not condition:
        raise Failure(text)


def expectEqual(actual, expected, what):
    expect(actual == expected, f"{what} is {actual!r}, expected {expected!r}")


def cmakeCache(build, name):
    """A value of a build folder's CMake cache; "" if there is none."""
    for line in (Path(build) / "CMakeCache.txt").read_text().splitlines():
        key, _, value = line.partition("=")
        if key.partition(":")[0] == name:
            return value
    return ""


def consumerOptions(build):
    """What a project that links the libraries of a build folder must be configured with: its compiler and sanitizer."""
    sanitizer = cmakeCache(build, "ONNXFOLD_SANITIZE").lower()
    kinds = {"thread": "thread", "address": "address,undefined", "on": "address,undefined"}
    flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={kinds[sanitizer]}"] if sanitizer in kinds else []
    return [f"-DCMAKE_CXX_COMPILER={cmakeCache(build, 'CMAKE_CXX_COMPILER')}", *flags]


class Suite:
    """The cases of one script, in the order of their registration."""

    def __init__(self, description, seed=20261121):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--long", action="store_true", help="full counts instead of the short form")
        parser.add_argument("--seed", type=int, default=seed)
        parser.add_argument("--filter", default="", help="run only the cases whose name contains this")
        parser.add_argument("--verbose", action="store_true", help="name each case that passed, with its time")
        self.parser = parser
        self.options = None
        self.cases = []

    def parse(self):
        """Reads the command line once; scripts that need an option before `main` call it themselves."""
        if self.options is None:
            self.options = self.parser.parse_args()
        return self.options

    def case(self, function):
        """Decorator: registers `function(folder)` under its name."""
        self.add(function.__name__, function)
        return function

    def add(self, name, function):
        self.cases.append((name, function))

    def main(self, needsTool=True):
        options = self.parse()
        print(f"{Path(sys.argv[0]).name}: seed {options.seed}{', long' if options.long else ''}", flush=True)
        passed, failed, skipped = 0, [], []
        chosen = [case for case in self.cases if options.filter in case[0]]
        if needsTool and not os.access(TOOL, os.X_OK):
            print(f"  FAILED: there is no tool at {TOOL}; build it or set ONNXFOLD_TOOL")
            failed, chosen = ["tool"], []
        for name, function in chosen:
            begin = time.monotonic()
            try:
                with tempfile.TemporaryDirectory(prefix="onnxfold-") as folder:
                    function(Path(folder))
                passed += 1
                if options.verbose:
                    print(f"  passed {name} ({time.monotonic() - begin:.2f} s)", flush=True)
            except Skip as why:
                skipped.append(name)
                print(f"  skipped {name}: {why}", flush=True)
            except Failure as why:
                failed.append(name)
                print(f"  FAILED {name}: {why}", flush=True)
            except Exception:  # a broken case is a failed case; the others still run
                failed.append(name)
                print(f"  FAILED {name}:\n{traceback.format_exc()}", flush=True)
        return summary(passed, len(failed), len(skipped))


def summary(passed, failed, skipped=0):
    """Prints the last line of a script and returns its exit status."""
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}", flush=True)
    return 1 if failed or not passed else 0


class Result:
    """How one run of the tool ended. `code` is as a shell has it: 128 + n after signal n."""

    def __init__(self, arguments, code, out, err, seconds):
        self.arguments, self.out, self.seconds = arguments, out, seconds
        self.code = code if code >= 0 else 128 - code
        self.err = err.decode("utf-8", "replace")

    def __str__(self):
        return f"{' '.join(map(str, self.arguments))} -> {self.code}, stderr: {self.err.strip()[-600:]!r}"


def run(*arguments, stdin=None, cwd=None, timeout=600, **popen):
    """Runs the tool. `stdin` may be bytes or an open file; other keywords go to subprocess.run."""
    command = [str(TOOL), *map(str, arguments)]
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin or subprocess.DEVNULL}
    popen.setdefault("stdout", subprocess.PIPE)
    begin = time.monotonic()
    done = subprocess.run(command, stderr=subprocess.PIPE, cwd=cwd, timeout=timeout, **given, **popen)
    return Result(["onnx-fold", *arguments], done.returncode, done.stdout, done.stderr, time.monotonic() - begin)


def runOk(*arguments, **keywords):
    result = run(*arguments, **keywords)
    expect(result.code == 0, f"expected exit 0: {result}")
    return result


def fold(model, out, *flags, **keywords):
    """Folds the file `model` into the file `out`, which it returns."""
    runOk("--quiet", *flags, "-o", out, model, **keywords)
    expect(Path(out).is_file(), f"exit 0 but no output {out}")
    return Path(out)


def foldWithReport(model, out, *flags):
    """Folds and returns the JSON report."""
    report = Path(str(out) + ".report.json")
    fold(model, out, f"--report=json:{report}", *flags)
    expect(report.is_file(), f"exit 0 but no report {report.name}")
    with open(report) as file:
        return json.load(file)


def sameBytes(left, right):
    """Whether two files hold the same bytes; in blocks, since some have 600 MB."""
    if os.path.getsize(left) != os.path.getsize(right):
        return False
    with open(left, "rb") as a, open(right, "rb") as b:
        while True:
            block = a.read(1 << 22)
            if block != b.read(1 << 22):
                return False
            if not block:
                return True


def expectSameBytes(left, right, what):
    expect(
        sameBytes(left, right),
        f"{what}: {Path(left).name} ({os.path.getsize(left)} bytes) and "
        f"{Path(right).name} ({os.path.getsize(right)} bytes) differ",
    )


def fileState(path):
    """Content and times of a file, of a link also its target: what must not change when a model is read."""
    info = os.lstat(path)
    if os.path.islink(path):
        return ("link", os.readlink(path))
    if not os.path.isfile(path):
        return ("other", info.st_mode)
    content = ""
    with contextlib.suppress(PermissionError):
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    return ("file", info.st_size, info.st_mtime_ns, info.st_mode, info.st_ino, content)


def folderState(folder):
    """All files below a folder, hidden ones included: {relative path: state}."""
    return {str(path.relative_to(folder)): fileState(path) for path in sorted(Path(folder).rglob("*"))}


def expectUnchanged(before, folder, what, added=()):
    """The files of `before` are as they were and nothing is there besides them and `added`."""
    after = folderState(folder)
    for name, state in before.items():
        expect(after.get(name) == state, f"{what}: {name} was {state}, is {after.get(name)}")
    extra = set(after) - set(before) - set(added)
    expect(not extra, f"{what}: files left behind: {sorted(extra)}")


def lightModels():
    return sorted((TEST_DATA / "light").glob("*.onnx"))


def shippedModels():
    """The models in tests/models/data, small ones with real architectures."""
    return sorted((ROOT / "tests/models/data").glob("*.onnx"))


# ---- looking at models -------------------------------------------------------------------------------------------------


def subgraphs(node):
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def allGraphs(graph):
    """The graph and every graph nested in its nodes."""
    yield graph
    for node in graph.node:
        for inner in subgraphs(node):
            yield from allGraphs(inner)


def constantNames(graph, overridable):
    """Names of the values of one graph that are constants; `overridable`: an initializer that is an input is none."""
    names = {tensor.name for tensor in graph.initializer}
    names |= {tensor.values.name for tensor in graph.sparse_initializer}
    if overridable:
        names -= {value.name for value in graph.input}
    return names | {node.output[0] for node in graph.node if node.op_type == "Constant" and node.output}


def foldableLeft(model, operators=KERNELS - QUANTIZATION):
    """Nodes of `operators` with inputs that are all constants, subgraphs and functions included: [(op, output)]."""
    left = []

    def walk(nodes, constants):
        for node in nodes:
            given = [name for name in node.input if name]
            ours = node.domain in ("", "ai.onnx") and node.op_type in operators
            if ours and given and all(name in constants for name in given):
                left.append((node.op_type, node.output[0] if node.output else ""))
            for inner in subgraphs(node):
                walk(inner.node, constants | constantNames(inner, True))

    walk(model.graph.node, constantNames(model.graph, model.ir_version >= 4))
    for function in model.functions:
        walk(function.node, {node.output[0] for node in function.node if node.op_type == "Constant"})
    return left


def operatorCounts(model, withDomain=False):
    """{op_type: how many}, subgraphs and function bodies included; `withDomain`: "domain.op_type" outside of ai.onnx."""
    counts = {}
    graphs = list(allGraphs(model.graph))
    bodies = [graph.node for graph in graphs] + [function.node for function in model.functions]
    for nodes in bodies:
        for node in nodes:
            name = f"{node.domain}.{node.op_type}" if withDomain and node.domain else node.op_type
            counts[name] = counts.get(name, 0) + 1
    return counts
