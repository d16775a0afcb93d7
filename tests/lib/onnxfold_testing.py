# SPDX-License-Identifier: Apache-2.0
"""What every Python test of onnx-fold shares: one way to run the tool, and to look at models and files.

Tests are pytest modules (tests/conftest.py has the fixtures and options). Where the tool and the test data are:

    ONNXFOLD_TOOL        the tool (default build/bin/onnx-fold)
    ONNXFOLD_SERVER      a fold-server of the same build (ctest sets it), which runs the tool without starting it anew
    ONNXFOLD_TEST_DATA   test data of the onnx package (default build/test-data/onnx/backend/test/data)
    ONNXFOLD_TEST_RELEASES  node tests of other releases (default build/test-data/releases)
"""

import atexit
import contextlib
import hashlib
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("ONNXFOLD_TOOL", ROOT / "build/bin/onnx-fold")).absolute()
SERVER = os.environ.get("ONNXFOLD_SERVER", "")
SERVER = SERVER if os.access(SERVER, os.X_OK) else ""
TEST_DATA = Path(os.environ.get("ONNXFOLD_TEST_DATA", ROOT / "build/test-data/onnx/backend/test/data"))
TEST_RELEASES = Path(os.environ.get("ONNXFOLD_TEST_RELEASES", ROOT / "build/test-data/releases"))

# The operators that this tool folds. QuantizeLinear and DequantizeLinear only fold with --fold-quantization.
QUANTIZATION = frozenset({"QuantizeLinear", "DequantizeLinear"})
REDUCTIONS = frozenset(
    "Reduce" + kind for kind in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
)
# Files below onnx/kernels are operators; the folders are the domains beside ai.onnx.
DOMAINS = {"": "", "microsoft": "com.microsoft.", "ml": "ai.onnx.ml.", "preview": "ai.onnx.preview.", "training": "ai.onnx.preview.training."}
KERNELS = frozenset(
    domain + path.stem
    for folder, domain in DOMAINS.items()
    for path in (ROOT / "onnx/kernels" / folder).glob("*.cpp")
    if path.stem != "AllKernels"
)


class Options:
    """The options of the run, which tests/conftest.py sets before any test module is imported."""

    long = False  # full counts instead of the short form
    seed = 20261121  # of all random tests
    only = ""  # a regular expression for names of node tests


options = Options()


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


TORCH_PACKAGES = ("torch", "torchvision", "torch-mlir", "numpy")


def pythonWith(folder, name, packages):
    """An interpreter that has these packages of PyPI: ONNXFOLD_{name}_PYTHON, or that of a new environment in the folder."""
    if given := os.environ.get(f"ONNXFOLD_{name}_PYTHON"):
        return given
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    subprocess.run([folder / "venv/bin/pip", "install", "-q", *packages], check=True)
    return folder / "venv/bin/python3"


def isSanitized():
    """Whether the tool is from a build with a sanitizer, which has a malloc of its own and other costs."""
    build = TOOL.parents[1]
    return (build / "CMakeCache.txt").exists() and cmakeCache(build, "ONNXFOLD_SANITIZE") not in ("", "OFF")


def processorSeconds():
    """Of all processes that this one started and that have ended. Tests run in parallel, so none asserts wall-clock time."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime + theServer.processorSeconds()


class Result:
    """How one run of the tool ended. `code` is as a shell has it: 128 + n after signal n."""

    def __init__(self, arguments, code, out, err, processorSeconds):
        self.arguments, self.out, self.processorSeconds = arguments, out, processorSeconds
        self.code = code if code >= 0 else 128 - code
        self.err = err.decode("utf-8", "replace")

    def __str__(self):
        return f"{' '.join(map(str, self.arguments))} -> {self.code}, stderr: {self.err.strip()[-600:]!r}"


class Server:
    """tests/lib/fold-server: each run is a fork of a process that has been started, not a program that starts."""

    def __init__(self, program, env=None):
        self.program, self.env, self.process = program, env, None

    def processorSeconds(self):
        """Of the runs that have ended: fields 16 and 17 of stat, behind the name."""
        if self.process is None:
            return 0
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def run(self, arguments, stdin, cwd, timeout):
        """(exit status as subprocess has it, standard output, standard error)."""
        if self.process is None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env)
            atexit.register(self.process.communicate)  # it ends with its input
        request = {"args": arguments, "cwd": str(cwd or os.getcwd()), "stdin": len(stdin), "timeout": timeout}
        self.process.stdin.write(json.dumps(request).encode() + b"\n" + stdin)
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        streams = [self.process.stdout.read(answer[name]) for name in ("stdout", "stderr")]
        if answer.get("timeout"):
            raise subprocess.TimeoutExpired(arguments, timeout)
        return answer["status"], *streams

    def stop(self):
        """With the run that is under way, whose answer nobody will read; the next run starts another server."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


theServer = Server(SERVER)


def run(*arguments, stdin=None, cwd=None, timeout=600, apart=False, server=None, **popen):
    """Runs the tool. `stdin` may be bytes or an open file; other keywords go to subprocess.run. Without these, and if there is
    one, the server runs it; `apart`: in a process of its own all the same; `server`: that one runs it."""
    texts, before = list(map(str, arguments)), processorSeconds()
    if server is None and SERVER and not apart and not popen and isinstance(stdin or b"", bytes):
        server = theServer
    if server is not None:
        code, out, err = server.run(texts, stdin or b"", cwd, timeout)
        return Result(["onnx-fold", *arguments], code, out, err, processorSeconds() - before)
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin or subprocess.DEVNULL}
    popen.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([str(TOOL), *texts], stderr=subprocess.PIPE, cwd=cwd, timeout=timeout, **given, **popen)
    return Result(["onnx-fold", *arguments], done.returncode, done.stdout, done.stderr, processorSeconds() - before)


def runOk(*arguments, **keywords):
    result = run(*arguments, **keywords)
    assert result.code == 0, f"expected exit 0: {result}"
    return result


def fold(model, out, *flags, **keywords):
    """Folds the file `model` into the file `out`, which it returns."""
    runOk("--quiet", *flags, "-o", out, model, **keywords)
    assert Path(out).is_file(), f"exit 0 but no output {out}"
    return Path(out)


def foldWithReport(model, out, *flags):
    """Folds and returns the JSON report, with the processor time of the process as `processor_seconds`."""
    report, before = Path(str(out) + ".report.json"), processorSeconds()
    fold(model, out, f"--report=json:{report}", *flags, apart=True)  # its peak is of one process
    used = processorSeconds() - before
    assert report.is_file(), f"exit 0 but no report {report.name}"
    with open(report) as file:
        return {**json.load(file), "processor_seconds": used}


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
    assert sameBytes(left, right), (
        f"{what}: {Path(left).name} ({os.path.getsize(left)} bytes) and "
        f"{Path(right).name} ({os.path.getsize(right)} bytes) differ"
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
        assert after.get(name) == state, f"{what}: {name} was {state}, is {after.get(name)}"
    extra = set(after) - set(before) - set(added)
    assert not extra, f"{what}: files left behind: {sorted(extra)}"


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
