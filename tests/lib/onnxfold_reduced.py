# SPDX-License-Identifier: Apache-2.0
"""A model that a test found to be wrong, made smaller by `onnx-fold reduce` before anybody reads it.

    check(model, feeds, lambda model, feeds: cleaned(folder, model, feeds=feeds))

calls the function, and where its assertion fails, raises it again with the smallest model for which it fails too.
"""

import os
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx.printer

import onnx_fold
import onnxfold_testing as t

os.environ.setdefault("ONNXFOLD_BINARY", str(t.TOOL))
MOST_RUNS, MOST_SECONDS, MOST_TEXT = 200, 120, 4000


def smallest(model, feeds, isWrong):
    """(model, feeds) for which isWrong(model, feeds) still holds; what was given if no smaller one is found. Of several feeds the
    first that is enough stays."""
    alone = next((feed for feed in feeds if isWrong(model, [feed])), None)
    if alone is None:
        return model, feeds
    names = {one.name for one in model.graph.input}
    inputs = {name: value for name, value in alone.items() if name in names}
    try:
        found = onnx_fold.reduce(
            model, lambda path, inputs: isWrong(onnx.load(path), [inputs]), inputs=inputs, max_runs=MOST_RUNS, max_time=MOST_SECONDS
        )
    except onnx_fold.FoldError as error:  # inputs that no .npz holds, a test that is not the same twice
        print(f"  not reduced: {error}")
        return model, [alone]
    return found.model, [dict(found.inputs)]


def kept(model, feeds):
    """The text of a model, and where it is kept with its inputs."""
    place = Path(tempfile.mkdtemp(prefix="onnxfold-kept-"))
    onnx.save(model, place / "model.onnx")
    for number, feed in enumerate(feeds):
        np.savez(place / f"inputs{number}.npz", **feed)
    return f"{len(model.graph.node)} nodes:\n{onnx.printer.to_text(model)[:MOST_TEXT]}\nkept in {place}"


def check(model, feeds, function):
    """What the function gives. `function`: of a model and its feeds; it asserts what should be."""
    try:
        return function(model, feeds)
    except AssertionError as why:
        small = smallest(model, feeds, lambda model, feeds: _fails(function, model, feeds))
        raise AssertionError(f"{why}\nthe smallest model that fails, of {kept(*small)}") from None


def _fails(function, model, feeds):
    """Only assertions count: a model that ONNX Runtime refuses is another fault."""
    try:
        function(model, feeds)
    except AssertionError:
        return True
    except Exception:
        return False
    return False
