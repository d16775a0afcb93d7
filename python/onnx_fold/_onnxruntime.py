# SPDX-License-Identifier: Apache-2.0
"""Verification by ONNX Runtime: two models, the same inputs, its kernels without its optimisations."""

from __future__ import annotations

from .errors import FoldError, OptionError, fileError
from .report import Verification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from . import _models
    from ._options import Sizes

SEED = 20261121
# Of inputs without values: the first choice that the model takes. Integers are often indices or lengths.
CHOICES = ("random", "zeros", "ones")
OPEN_SIZES = (2, 3, 1, 4)


def _session(source: _models.Source) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    if source.path is None and source.folder is not None:
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", source.folder)
    given = source.path if source.path is not None else bytes(source.data)
    return onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])


# ---- Inputs ----------------------------------------------------------------------------------------------------------------


def _isOpen(size: object) -> bool:
    return size in (None, "?", -1)


class _Interface:
    """The inputs that two models share, and the sizes that both take."""

    def __init__(self, first: Any, second: Any, names: tuple[str, str], given: Mapping[str, Any]) -> None:
        self._names = names
        self.inputs = {one.name: one for one in first.get_inputs()}
        self.others = {one.name: one for one in second.get_inputs()}
        self._checkOutputs(first, second)
        self._checkInputs(given)

    def _fail(self, text: str, expected: str) -> FoldError:
        return FoldError(f"{self._names[1]}: {text}, expected {expected} as {self._names[0]}", fields={"file": self._names[1]})

    def _checkOutputs(self, first: Any, second: Any) -> None:
        expected, found = ([one.name for one in session.get_outputs()] for session in (first, second))
        if expected != found:
            raise self._fail(f"has the outputs {_quoted(found)}", _quoted(expected))
        for a, b in zip(first.get_outputs(), second.get_outputs()):
            if a.type != b.type:
                raise self._fail(f"output '{b.name}' has the type {b.type}", a.type)

    def _checkInputs(self, given: Mapping[str, Any]) -> None:
        """One with a given value may be bound in one of the two."""
        missing = [name for name in self.inputs if name not in self.others and name not in given]
        more = [name for name in self.others if name not in self.inputs and name not in given]
        if missing or more:
            raise self._fail(f"has the inputs {_quoted(self.others)}", _quoted(self.inputs))
        for name in [one for one in self.inputs if one in self.others]:
            a, b = self.inputs[name], self.others[name]
            if a.type != b.type:
                raise self._fail(f"input '{name}' has the type {b.type}", a.type)
            if a.shape and b.shape and len(a.shape) != len(b.shape):
                raise self._fail(f"input '{name}' has the rank {len(b.shape)}", str(len(a.shape)))
            for place, (left, right) in enumerate(zip(a.shape or (), b.shape or ())):
                if isinstance(left, int) and isinstance(right, int) and left != right:
                    raise self._fail(f"dimension {place} of input '{name}' is {right}", str(left))

    def checkRanks(self, fixed: Sizes) -> None:
        """Of the shapes that a caller gives."""
        for name, sizes in fixed.items():
            one = self.inputs.get(name, self.others.get(name))
            if one is None:
                known = _quoted({**self.inputs, **self.others})
                raise OptionError(f"input_shapes has the input '{name}', expected some of {known}", "usage", argument="input_shapes")
            if one.shape and len(one.shape) != len(sizes):
                text = f"input_shapes has {len(sizes)} sizes for the input '{name}' of rank {len(one.shape)}, expected {len(one.shape)} sizes"
                raise OptionError(text, "usage", argument="input_shapes")

    def shapes(self, dims: Mapping[str, int], fixed: Sizes, trial: int) -> dict[str, list[int]]:
        """Of all inputs. Dimensions that one of the models gives one name have one size: that which one of them fixes, else one
        that differs from trial to trial."""
        groups = _Groups(dims)
        places: dict[tuple[str, int], list[Any]] = {}
        for number, inputs in enumerate((self.inputs, self.others)):
            for one in inputs.values():
                for place, size in enumerate(one.shape or []):
                    named = (number, size) if isinstance(size, str) and size else size if isinstance(size, int) else None
                    places.setdefault((one.name, place), []).append(named)
        for name, sizes in fixed.items():
            for place, size in enumerate(sizes):
                if not _isOpen(size):
                    places.setdefault((name, place), []).append(int(size))  # type: ignore[arg-type]
        for at, names in places.items():
            for named in names:
                groups.join(at, named)
        result = {}
        for one in [*self.inputs.values(), *(one for one in self.others.values() if one.name not in self.inputs)]:
            rank = len(fixed.get(one.name, one.shape or []))
            result[one.name] = [groups.sizeOf((one.name, place), OPEN_SIZES[trial % len(OPEN_SIZES)]) for place in range(rank)]
        return result


class _Groups:
    """Dimensions that have one size: places in inputs, and names of each of the models."""

    def __init__(self, dims: Mapping[str, int]) -> None:
        self._parent: dict[Any, Any] = {}
        self._sizes: dict[Any, int] = {}
        for name, size in dims.items():
            for number in (0, 1):
                self._sizes[number, name] = size

    def _root(self, one: Any) -> Any:
        while one in self._parent:
            one = self._parent[one]
        return one

    def join(self, at: tuple[str, int], other: Any) -> None:
        """`other`: a name, a size, or nothing."""
        root = self._root(("place", *at))
        if isinstance(other, int):
            self._sizes.setdefault(root, other)
        elif other is not None:
            second = self._root(other)
            if second != root:
                self._parent[second] = root
                if second in self._sizes:
                    self._sizes.setdefault(root, self._sizes[second])

    def sizeOf(self, at: tuple[str, int], open: int) -> int:
        return self._sizes.get(self._root(("place", *at)), open)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "no names"


def _value(kind: str, shape: list[int], choice: str, generator: Any) -> Any:
    """A value of a type such as "tensor(float)"."""
    import numpy

    names = {"float": "float32", "double": "float64", "string": "object"}
    element = kind.removeprefix("tensor(").removesuffix(")")
    if not kind.startswith("tensor(") or element in ("bfloat16",) or element.startswith(("float8", "int4", "uint4")):
        raise TypeError(f"the type {kind}")
    dtype = numpy.dtype(names.get(element, element))
    if dtype == object:
        return numpy.full(shape, "a", dtype)
    if choice != "random":
        return numpy.full(shape, 0 if choice == "zeros" else 1, dtype)
    if dtype.kind == "f":
        return numpy.asarray(generator.standard_normal(shape)).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def _feeds(inputs: Iterable[Any], given: Mapping[str, Any], shapes: dict[str, list[int]], trial: int, choice: str) -> dict[str, Any]:
    import numpy

    generator = numpy.random.default_rng(SEED + trial)
    feeds = {}
    for one in inputs:
        value = given.get(one.name)
        if value is None:
            feeds[one.name] = _value(one.type, shapes[one.name], choice, generator)
        elif isinstance(value, numpy.ndarray):
            feeds[one.name] = value
        else:
            like = _value(one.type, [], "zeros", generator)
            feeds[one.name] = numpy.asarray(value, like.dtype)
    return feeds


def _difference(a: Any, b: Any, exact: bool) -> str | None:
    """In the words of a report, or nothing."""
    import numpy

    if not isinstance(a, numpy.ndarray) or not isinstance(b, numpy.ndarray):
        return None if str(a) == str(b) else "other values"
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {list(a.shape)} and {b.dtype} {list(b.shape)}"
    if a.dtype.kind != "f":
        differs = numpy.asarray(a != b)
    else:
        wideA, wideB = a.astype(numpy.float64), b.astype(numpy.float64)
        finite = numpy.abs(wideA[numpy.isfinite(wideA)])
        largest = finite.max() if finite.size else 0.0
        bound = 0.0 if exact else (2e-2 if a.dtype.itemsize == 2 else 1e-5) * largest
        same = (wideA == wideB) | (numpy.isnan(wideA) & numpy.isnan(wideB))
        with numpy.errstate(invalid="ignore"):
            differs = ~(same | (numpy.abs(wideA - wideB) <= bound))
    if not differs.any():
        return None
    at = tuple(int(i) for i in numpy.argwhere(differs)[0])
    return f"at {list(at)}: {a[at]} and {b[at]} ({int(differs.sum())} of {a.size} elements differ)"


class _Comparison:
    def __init__(self, outputs: list[str]) -> None:
        self.compared = [{"name": f"output '{name}'", "trials": 0, "equal": True} for name in outputs]
        self.not_run: list[dict[str, Any]] = []
        self.trials = 0

    def add(self, left: list[Any], right: list[Any], exact: bool) -> None:
        for entry, a, b in zip(self.compared, left, right):
            entry["trials"] += 1  # type: ignore[operator]
            found = _difference(a, b, exact)
            if found is not None and entry["equal"]:
                entry.update(equal=False, trial=self.trials, difference=found)
        self.trials += 1

    def fail(self, text: str) -> Verification:
        """The other model does not run where the first one does."""
        for entry in self.compared:
            entry.update(equal=False, trial=self.trials, difference=text)
        return self.result()

    def refuse(self, text: str) -> Verification:
        self.not_run.append({"name": "the model", "code": "no-kernel", "text": text})
        return self.result()

    def result(self) -> Verification:
        isComplete = bool(self.trials) or not self.not_run
        equal = all(entry["equal"] for entry in self.compared)
        compared = self.compared if self.trials or not equal else []
        return Verification(
            {
                "trials": self.trials,
                "equal": equal and isComplete,
                "complete": isComplete,
                "compared": compared,
                "not_run": self.not_run,
            }
        )


def compare(
    model: Any,
    other: Any,
    inputs: Mapping[str, Any],
    trials: int,
    exact: bool,
    dims: Mapping[str, int],
    input_shapes: Sizes,
    folder: str | None = None,
) -> Verification:
    """`folder`: of the external data of `model`, if that is in memory."""
    from . import _models

    with _models.sourceOf(model, None if _models.isPath(model) else folder) as first, _models.sourceOf(other) as second:
        if first.isMemory and second.isMemory:
            second.name = "<memory 2>"
        found = _compared(first, second, inputs, trials, exact, dims, input_shapes)
        found.models = (first.name, second.name)
        return found


def _compared(
    first: _models.Source,
    second: _models.Source,
    given: Mapping[str, Any],
    trials: int,
    exact: bool,
    dims: Mapping[str, int],
    input_shapes: Sizes,
) -> Verification:
    for source in (first, second):
        _expectFile(source)
    try:
        before = _session(first)
    except ImportError:
        raise
    except Exception as error:  # ONNX Runtime's classes derive from different ones
        return _Comparison([]).refuse(first.named(f"ONNX Runtime cannot load the model {first.name}: {error}"))
    result = _Comparison([one.name for one in before.get_outputs()])
    try:
        after = _session(second)
    except Exception as error:
        return result.fail(second.named(f"ONNX Runtime cannot load the other model {second.name}: {error}"))
    interface = _Interface(before, after, (first.name, second.name), given)
    interface.checkRanks(input_shapes)
    everything = [*interface.inputs.values(), *(one for one in interface.others.values() if one.name not in interface.inputs)]
    for trial in range(trials):
        shapes = interface.shapes(dims, input_shapes, trial)
        problem = None
        for choice in CHOICES:
            try:
                feeds = _feeds(everything, given, shapes, trial, choice)
                left = before.run(None, {name: value for name, value in feeds.items() if name in interface.inputs})
                break
            except Exception as error:
                problem = problem or str(error)
        else:
            return result.refuse(f"ONNX Runtime cannot run {first.name} on random inputs: {problem}")
        try:
            right = after.run(None, {name: value for name, value in feeds.items() if name in interface.others})
        except Exception as error:
            return result.fail(f"ONNX Runtime cannot run {second.name}: {error}")
        result.add(left, right, exact)
        if all(one.name in given for one in everything):
            break  # nothing is random
    return result.result()


def _expectFile(source: _models.Source) -> None:
    """ONNX Runtime's error for a missing file is of a class of its own."""
    if source.path is None or source.stored is not None:
        return
    try:
        open(source.path, "rb").close()
    except OSError as error:
        text = f"{source.path}: cannot be opened: {(error.strerror or str(error)).lower()}"
        raise fileError(text, 1, {"file": source.path}) or error from None
