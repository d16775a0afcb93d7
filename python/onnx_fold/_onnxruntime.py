# SPDX-License-Identifier: Apache-2.0
"""Verification by ONNX Runtime: two models, the same inputs, its kernels without its optimisations."""

from __future__ import annotations

import os

from .report import Verification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._options import Sizes

SEED = 20261121
# Of inputs without values: the first choice that the model takes. Integers are often indices or lengths.
CHOICES = ("random", "zeros", "ones")
OPEN_SIZES = (2, 3, 1, 4)


def _session(model: Any, folder: str | None) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    if folder is not None:
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    given = os.fspath(model) if isinstance(model, (str, os.PathLike)) else bytes(model)
    return onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])


def _shapes(session: Any, dims: Mapping[str, int], fixed: Sizes, trial: int) -> dict[str, list[int]]:
    """Of all inputs; open dimensions of one name have one size, which differs from trial to trial."""
    named: dict[str, int] = dict(dims)
    result = {}
    for one in session.get_inputs():
        given = list(fixed.get(one.name, one.shape or []))
        sizes = []
        for place, size in enumerate(given):
            if size in (None, "?", -1):
                size = one.shape[place]
            if not isinstance(size, int):
                name = str(size) if size else f"{one.name}#{place}"
                size = named.setdefault(name, OPEN_SIZES[trial % len(OPEN_SIZES)])
            sizes.append(size)
        result[one.name] = sizes
    return result


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


def _feeds(session: Any, given: Mapping[str, Any], shapes: dict[str, list[int]], trial: int, choice: str) -> dict[str, Any]:
    import numpy

    generator = numpy.random.default_rng(SEED + trial)
    feeds = {}
    for one in session.get_inputs():
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


def _bytesOf(model: Any) -> Any:
    """What a session takes: a path or bytes."""
    from . import _models

    if isinstance(model, (str, os.PathLike, bytes)):
        return model
    source = _models.sourceOf(model)
    return source.path if source.path is not None else source.data


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
    model, other = _bytesOf(model), _bytesOf(other)
    try:
        before = _session(model, folder)
    except ImportError:
        raise
    except Exception as error:  # ONNX Runtime's classes derive from different ones
        return _Comparison([]).refuse(f"ONNX Runtime cannot load the model: {error}")
    outputs = [one.name for one in before.get_outputs()]
    result = _Comparison(outputs)
    try:
        after = _session(other, folder if not isinstance(other, (str, os.PathLike)) else None)
    except Exception as error:
        return result.fail(f"ONNX Runtime cannot load the other model: {error}")
    if [one.name for one in after.get_outputs()] != outputs:
        return result.fail(f"the outputs are {[one.name for one in after.get_outputs()]}, expected {outputs}")
    taken = {one.name for one in after.get_inputs()}
    for trial in range(trials):
        problem = None
        for choice in CHOICES:
            try:
                feeds = _feeds(before, inputs, _shapes(before, dims, input_shapes, trial), trial, choice)
                left = before.run(None, feeds)
                break
            except Exception as error:
                problem = problem or str(error)
        else:
            result.refuse(f"ONNX Runtime cannot run the model on random inputs: {problem}")
            break
        try:
            right = after.run(None, {name: value for name, value in feeds.items() if name in taken})
        except Exception as error:
            return result.fail(f"ONNX Runtime cannot run the other model: {error}")
        result.add(left, right, exact)
        if all(one.name in inputs for one in before.get_inputs()):
            break  # nothing is random
    return result.result()
