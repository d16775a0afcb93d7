# SPDX-License-Identifier: Apache-2.0
"""onnx-run on models whose right results ONNX Runtime says: as they are, with open sizes, without shapes, and without any type of an
output.

    judge = Judge(folder)
    case, why = judge.case("name", model, feeds)     # or why ONNX Runtime does not run it
    for failure in judge.failures([(case, "missing")], OPTIONS[0]): ...

All runs are with guarded memory and in one process of onnx-run, which forks for each model: a start takes longer than most of them.
"""

import itertools
import re
import shutil
import subprocess
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

import onnxfold_reduced as reduced
import onnxfold_testing as t

RUN = t.TOOL.parent / "onnx-run"
OPTIONS = [(level, *more) for level in ("--llvm-level=2", "--llvm-level=0") for more in ((), ("--no-buffer-reuse",))]
FORMS = ("declared", "symbolic", "missing", "untyped")
TOLERANCE = 1e-4  # of the largest value, as onnx-run has it
NARROW = {"float16": 2e-3}
NOT_COMPILED = "the kernels of its operators are called one after the other"  # a warning of onnx-run


# ---- forms of a model ----------------------------------------------------------------------------------------------------


def tensorTypes(graph, bodies=True):
    """The types of tensors of a graph and of those in it, with their shapes."""
    for inner in t.allGraphs(graph) if bodies else (graph,):
        for value in itertools.chain(inner.input, inner.output, inner.value_info):
            kind = value.type
            while kind.WhichOneof("value") in ("sequence_type", "optional_type"):
                kind = getattr(kind, kind.WhichOneof("value")).elem_type
            if kind.HasField("tensor_type"):
                yield kind.tensor_type


def withoutShapes(model, bodies=True):
    """No value says its shape, in bodies neither."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for kind in tensorTypes(made.graph, bodies):
        kind.ClearField("shape")
    return made


def withoutTypes(model, bodies=True):
    """What a graph gives has no type, in bodies neither."""
    made = withoutShapes(model, bodies)
    for graph in t.allGraphs(made.graph) if bodies else (made.graph,):
        del graph.value_info[:]
        for value in graph.output:
            value.ClearField("type")
    return made


def withShapes(model, arrays, sizeOf):
    """Inputs and outputs that are tensors have shapes: `sizeOf` all sizes of a dimension says what stands there."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    del made.graph.value_info[:]
    for value in itertools.chain(made.graph.input, made.graph.output):
        known = [one[value.name] for one in arrays if isinstance(one.get(value.name), np.ndarray)]
        kind = value.type.tensor_type
        if not known or not value.type.HasField("tensor_type"):
            continue
        kind.ClearField("shape")
        if len({one.ndim for one in known}) > 1:
            continue
        kind.shape.SetInParent()
        for place in range(known[0].ndim):
            sizeOf(kind.shape.dim.add(), [one.shape[place] for one in known])
    return made


def fixed(dim, sizes):
    if len(set(sizes)) == 1:
        dim.dim_value = sizes[0]


def named(dim, sizes):
    """Dimensions that have the same sizes in all runs have one name."""
    dim.dim_param = "d" + "_".join(map(str, sizes))


# ---- cases ---------------------------------------------------------------------------------------------------------------


@dataclass
class Case:
    """A model, feeds, and the results that are expected of them."""

    name: str
    model: onnx.ModelProto
    feeds: list
    expected: list

    def form(self, name):
        """The model in that form, and the numbers of the feeds that it takes."""
        every = range(len(self.feeds))
        if name == "missing":
            return withoutShapes(self.model), every
        if name == "untyped":
            return withoutTypes(self.model), every
        if name == "as it is":
            return self.model, every
        arrays = [feed | results for feed, results in zip(self.feeds, self.expected)]
        if name == "symbolic":
            return withShapes(self.model, arrays, named), every
        shapes = [{key: np.shape(value) for key, value in feed.items()} for feed in self.feeds]
        alike = [number for number in every if shapes[number] == shapes[0]]
        return withShapes(self.model, [arrays[number] for number in alike], fixed), alike


@dataclass
class Failure:
    case: Case
    form: str
    flags: tuple
    kind: str  # differs, error, died: as onnx-run says it; leaks, not compiled
    text: str

    def __str__(self):
        return f"{self.case.name}, {self.form}, {' '.join(self.flags)}: {self.kind}: {self.text}"


def session(model):
    options = ort.SessionOptions()
    options.log_severity_level = options.log_verbosity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    source = model.SerializeToString() if isinstance(model, onnx.ModelProto) else str(model)
    return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def results(model, feeds):
    """What ONNX Runtime gives, or the text of why it does not run."""
    try:
        running = session(model)
        used, names = {one.name for one in running.get_inputs()}, [one.name for one in running.get_outputs()]
        given = [{name: value for name, value in feed.items() if name in used} for feed in feeds]
        return [dict(zip(names, running.run(None, feed))) for feed in given]
    except Exception as error:  # every kind of its own
        return str(error)[:400]


def referenceResults(model, feeds):
    """What the reference evaluator gives; nothing if it does not run."""
    try:
        with np.errstate(all="ignore"):
            evaluator = ReferenceEvaluator(model)
            return [dict(zip(evaluator.output_names, evaluator.run(None, feed))) for feed in feeds]
    except Exception:  # it raises whatever NumPy does
        return []


def inDouble(model):
    """The model with doubles for its floats."""
    made, single, double = onnx.ModelProto(), onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE
    made.CopyFrom(model)
    for kind in tensorTypes(made.graph):
        kind.elem_type = double if kind.elem_type == single else kind.elem_type
    nodes = [node for graph in t.allGraphs(made.graph) for node in graph.node]
    nodes += [node for function in made.functions for node in function.node]
    tensors = [one for graph in t.allGraphs(made.graph) for one in graph.initializer]
    for node in nodes:
        for attribute in node.attribute:
            tensors += [attribute.t] if attribute.HasField("t") else []
            if attribute.name in ("to", "dtype") and attribute.i == single:
                attribute.i = double
    for tensor in tensors:
        if tensor.data_type == single:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))
    return made


def isUnstable(model, feeds, expected):
    """Whether ONNX Runtime has other floats if it computes in double, all finite: those of differences of nearly equal numbers, of
    which nothing is right in single precision."""
    isSingle = lambda value: isinstance(value, np.ndarray) and value.dtype == np.float32
    wide = lambda value: value.astype(np.float64) if isSingle(value) else value
    found = results(inDouble(model), [{name: wide(value) for name, value in feed.items()} for feed in feeds])
    pairs = [] if isinstance(found, str) else [(one[name], value) for one, other in zip(found, expected) for name, value in other.items()]
    with np.errstate(over="ignore"):
        pairs = [(got.astype(np.float32), want) if isSingle(want) else (got, want) for got, want in pairs]
    differing = [pair for pair in pairs if not areEqual(*pair)]
    isFinite = all(isSingle(want) and got.shape == want.shape and np.isfinite([got, want]).all() for got, want in differing)
    return bool(differing) and isFinite


def areEqual(got, want):
    """As onnx-run compares: floats within a part of the largest finite value, everything else exactly."""
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(areEqual, got, want))
    if not isinstance(want, np.ndarray):
        return want is None and got is None
    got = np.asarray(got)
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if want.dtype.kind not in "fc":
        return np.array_equal(got, want)
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    finite = np.abs(b[np.isfinite(b)])
    bound = NARROW.get(str(want.dtype), TOLERANCE) * (finite.max() if finite.size else 0)
    with np.errstate(all="ignore"):
        return bool(((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= bound)).all())


def areAllEqual(got, want):
    return all(areEqual(one.get(name), value) for one, other in zip(got, want) for name, value in other.items())


def message(value, kind):
    if kind.HasField("optional_type"):
        return numpy_helper.from_optional(value) if value is not None else onnx.OptionalProto()
    if isinstance(value, list):
        return numpy_helper.from_list([np.asarray(one) for one in value], dtype=onnx.SequenceProto.TENSOR)
    return numpy_helper.from_array(np.asarray(value))


class Judge:
    """Writes models and their data below a folder, and runs them."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def case(self, name, model, feeds):
        """(the case, None), or (None, why ONNX Runtime does not run it)"""
        expected = results(model, feeds)
        if isinstance(expected, str):
            return None, expected
        used = {one.name for one in model.graph.input}
        feeds = [{key: value for key, value in feed.items() if key in used} for feed in feeds]
        return Case(name, model, feeds, expected), None

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, case, form):
        """A folder as ONNX's tests are; None if ONNX Runtime does not run the model in that form. Without shapes it may give other
        results: of a Loop without iterations, a scan output has the shape that the body says. Most Loops it runs only if their
        bodies say shapes: then these do."""
        model, numbers = case.form(form)
        expected = case.expected
        if strip := {"missing": withoutShapes, "untyped": withoutTypes}.get(form):
            expected = results(model, case.feeds)
            if isinstance(expected, str):
                model = strip(case.model, bodies=False)
                expected = results(model, case.feeds)
        if isinstance(expected, str):
            return None
        self.count += 1
        place = self.folder / str(self.count)
        for at, number in enumerate(numbers):
            data = place / f"test_data_set_{at}"
            data.mkdir(parents=True)
            given = {"input": case.feeds[number], "output": expected[number]}
            for kind, values in given.items():
                for i, value in enumerate(getattr(case.model.graph, kind)):
                    text = message(values.get(value.name), value.type).SerializeToString()
                    (data / f"{kind}_{i}.pb").write_bytes(text)
        onnx.save(model, place / "model.onnx")
        return place

    def run(self, folders, flags):
        """{folder: (equal, differs, error or died, what was said)}"""
        fixed = ["--guard-memory", f"--cache={self.folder}/cache", "--stats"]
        done = subprocess.run(
            [RUN, "--test-folders=-", *fixed, *flags], input="".join(f"{path}\n" for path in folders), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", timeout=36000,
        )  # fmt: skip
        said, lines = {}, []
        for line in done.stdout.splitlines():
            if found := re.match(r"(equal|differs|error|died) (.*)$", line):
                said[found[2]] = found[1], lines
                lines = []
            else:
                lines.append(line)
        return {path: said.get(str(path), ("died", [f"onnx-run ended with {done.returncode}", *lines])) for path in folders}

    def failures(self, pairs, flags):
        """What is not as ONNX Runtime has it, leaks, or runs by kernels because MLIR or LLVM refused it or died of it. `pairs`: of a
        case and the name of a form."""
        places = {self.write(case, form): (case, form) for case, form in pairs}
        places.pop(None, None)
        for place, (kind, lines) in self.run(list(places), flags).items():
            counts = [re.match(r"(\d+) allocations, (\d+) frees", line) for line in lines]
            if kind == "equal" and any(one and one[1] != one[2] for one in counts):
                kind = "leaks"
            if kind == "equal" and any(NOT_COMPILED in line for line in lines):
                kind = "not compiled"
            if kind != "equal":
                text = " ".join(line for line, count in zip(lines, counts) if not count or kind == "leaks")
                yield Failure(*places[place], flags, kind, text.replace(str(place), "")[:500])

    def isStill(self, failure, model, feeds):
        """The case of a smaller model that fails in the same way, if it does."""
        case, _ = self.case(failure.case.name, model, feeds)
        if case is None:
            return None
        kinds = [one.kind for one in self.failures([(case, failure.form)], failure.flags)]
        return case if kinds == [failure.kind] else None


# ---- smaller models --------------------------------------------------------------------------------------------------------


def smallest(judge, failure):
    """A smaller model that fails in the same way."""

    def isStill(model, feeds):
        return judge.isStill(failure, model, feeds) is not None

    model, feeds = reduced.smallest(failure.case.model, failure.case.feeds, isStill)
    return judge.isStill(failure, model, feeds) or failure.case
