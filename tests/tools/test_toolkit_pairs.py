# SPDX-License-Identifier: Apache-2.0
"""The options that change the form of a model, alone and two by two, on random models and those of tests/models/data: the result
loads in ONNX Runtime, computes the same values, passes the checker, and a second run with the same options writes the same bytes.

A new option of this kind is one line in OPTIONS. Short form: each pair on one model, at one level; --long: on every small model of
tests/models/data, and on many random ones."""

import dataclasses
import itertools
import json
import re
import shutil

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_compare as compare
import onnxfold_testing as t
import random_graphs
import test_opset_back


@dataclasses.dataclass
class Option:
    flags: list
    tolerance: float = None  # of the values, relative to the largest; None: that of two runs of one model
    needs: list = dataclasses.field(default_factory=list)  # what alone is needed beside it
    mayRefuse: bool = False  # some models, with a reason
    rounds: type = None  # of weights: what this does to the original is allowed too (see expectRounded)
    settles: bool = True  # False: new constants come first in a data file, so only the third run writes the bytes of the second


OPTIONS = {
    "opset": Option(["--target-opset=22"], mayRefuse=True),
    "ir": Option(["--ir-version=10"], mayRefuse=True),
    "convert": Option(["--convert=f32:f16"], tolerance=0.05, mayRefuse=True, rounds=np.float16),
    "compact": Option(["--compact-constants"]),
    "batch": Option(["--batch=open"], mayRefuse=True),
    "initializers": Option(["--constants=initializers"]),
    "nodes": Option(["--constants=nodes"]),
    "inputs": Option(["--inputs-without-initializers"], needs=["--ir-version=8"]),
    "texts": Option(["--strip=metadata,docs,names"]),
    "types": Option(["--strip=types"]),
    "traces": Option(["--strip=stack-traces"]),
    "sort": Option(["--sort"]),
    "prune": Option(["--prune"]),
    "shapes": Option(["--shapes"]),
    "functions": Option(["--inline-functions"]),
    "external": Option(["--external-data=w.bin,threshold=256,align=16"], settles=False),
    "shards": Option(["--external-data=s.bin,shard=8K,threshold=256"], settles=False),
    "inline": Option(["--inline-data"]),
    "provenance": Option(["--provenance"]),
}
EXCLUDED = ("expected one of them", "expected one value", "expected -O1 or -O2", "expected --emit=onnx")

# The number of a pair chooses its random models: those of an option that was added later come last, and the others keep theirs.
PAIRS = sorted(itertools.combinations_with_replacement(OPTIONS, 2), key=lambda pair: "batch" in pair)
INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())
SMALL = ("control_flow", "lstm", "detector")
LEVELS = ("-O1", "-O0")


def flagsOf(pair):
    """Of an option with itself: the option alone."""
    options = [OPTIONS[name] for name in dict.fromkeys(pair)]
    given = [flag for option in options for flag in option.flags]
    needed = [flag for option in options for flag in option.needs if not any(one.startswith(flag.partition("=")[0]) for one in given)]
    bounds = [option.tolerance for option in options if option.tolerance]
    return given + needed, max(bounds, default=None)


def isRefused(folder, source, pair, done):
    """What excludes the other, or what is refused for this model alone."""
    if done.code != 1:
        return False
    if any(text in done.err for text in EXCLUDED):
        return True
    alone = [OPTIONS[name] for name in pair if OPTIONS[name].mayRefuse]
    return any(t.run("--quiet", *option.flags, *option.needs, "-o", folder / "alone/model.onnx", source).code == 1 for option in alone)


def inType(array, kind):
    """Floats of 32 bits as the other type has them."""
    with np.errstate(over="ignore"):
        return array.astype(kind).astype(np.float32) if array.dtype == np.float32 else array


def tensorsOf(graph):
    yield from graph.initializer
    for attribute in (each for node in graph.node for each in node.attribute):
        if attribute.type == onnx.AttributeProto.TENSOR:
            yield attribute.t
        for body in [attribute.g, *attribute.graphs]:
            yield from tensorsOf(body)


def roundedOutputs(folder, source, feeds, kind):
    """Of the original with weights and inputs that are rounded to the type; weights beyond its range stay, as in a conversion."""
    model = onnx.load(source)
    for tensor in tensorsOf(model.graph):
        if tensor.data_type == onnx.TensorProto.FLOAT:
            before = numpy_helper.to_array(tensor)
            after = inType(before, kind)
            if np.array_equal(np.isfinite(before), np.isfinite(after)):
                tensor.CopyFrom(numpy_helper.from_array(after, tensor.name))
    onnx.save(model, folder / "rounded.onnx")
    return compare.outputs(folder / "rounded.onnx", [{name: inType(value, kind) for name, value in feed.items()} for feed in feeds])


def expectRounded(got, want, rounded, what, tolerance):
    """The rule for a conversion that loses digits, output by output: where rounding weights and inputs alone changes which
    numbers there are (an input beyond the range, a choice by a threshold), nothing is asked for. Else 4 times the difference that it
    makes is allowed, if that is more than the tolerance: the model is that sensitive (boxes in the order of nearly equal scores)."""
    assert list(got) == list(want), what
    for name in want:
        one, other = want[name], rounded[name]
        if one.shape != other.shape or one.dtype.kind != "f" or not one.size:
            if one.shape == other.shape and np.array_equal(one, other):
                compare.expectAgreement({name: got[name]}, {name: one}, what)
            continue
        if not np.array_equal(np.isfinite(one), np.isfinite(other)):
            continue
        finite = np.isfinite(one)
        moved = np.max(np.abs(one[finite].astype(np.float64) - other[finite]), initial=0)
        bound = max(4 * moved, tolerance * np.max(np.abs(one[finite]), initial=0))
        compare.expectAgreement({name: got[name]}, {name: one}, what, quantum=bound)


def expectValues(folder, source, feeds, pair, out, what):
    tolerance = flagsOf(pair)[1]
    rounds = next((OPTIONS[name].rounds for name in pair if OPTIONS[name].rounds), None)
    results = zip(compare.outputs(out, feeds), compare.outputs(source, feeds), strict=True)
    if not rounds:
        for got, want in results:
            compare.expectAgreement(got, want, what, tolerance)
        return
    given = [one for feed in feeds for one in feed.values() if one.dtype == np.float32]
    if any(not np.array_equal(np.isfinite(one), np.isfinite(inType(one, rounds))) for one in given):
        return  # an input is beyond the type: what a runtime makes of infinity is its own affair
    for (got, want), rounded in zip(results, roundedOutputs(folder, source, feeds, rounds), strict=True):
        expectRounded(got, want, rounded, what, tolerance)


def expectPair(folder, source, feeds, pair, level):
    """True if the pair could be given."""
    flags, _ = flagsOf(pair)
    what = f"{source.name} {level} {' '.join(flags)}"
    for name in ("first", "second", "third", "alone"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    done = t.run("--quiet", level, *flags, "-o", folder / "first/model.onnx", source)
    if isRefused(folder, source, pair, done):
        return False
    assert done.code == 0, f"{what}: {done}"
    out, again = folder / "first/model.onnx", folder / "second/model.onnx"
    onnx.checker.check_model(str(out))
    expectValues(folder, source, feeds, pair, out, what)
    t.fold(out, again, level, *flags)
    if not all(OPTIONS[name].settles for name in pair):
        out, again = again, folder / "third/model.onnx"
        t.fold(out, again, level, *flags)
    for part in out.parent.iterdir():
        t.expectSameBytes(again.parent / part.name, part, f"{what}: a second run")
    return True


def randomSources(folder, first, count):
    """Models that the checker accepts and ONNX Runtime runs."""
    for number in range(first, first + count):
        name, model, feeds = random_graphs.graph(number, t.options.seed)
        path = folder / f"{name}-{number}.onnx"
        onnx.save(model, path)
        try:
            onnx.checker.check_model(model)
            compare.outputs(path, feeds)
        except (AssertionError, onnx.checker.ValidationError):
            continue
        yield path, feeds


def shared(name):
    return t.ROOT / f"tests/models/data/{name}.onnx", [compare.randomFeed(INPUTS[name], 1)]


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_pair(folder, pair):
    number = PAIRS.index(pair)
    names = SMALL if t.options.long else (SMALL[number % len(SMALL)],)
    for name in names:
        for level in LEVELS if t.options.long else (LEVELS[number // 2 % 2],):
            expectPair(folder, *shared(name), pair, level)
    for i, (path, feeds) in enumerate(randomSources(folder, number * 7, 20 if t.options.long else 2)):
        expectPair(folder, path, feeds, pair, LEVELS[(number + i) % 2])


NOT_REPEATABLE = {"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def isValid(model):
    onnx.checker.check_model(model, full_check=True)
    return True


def nodeTests(folder):
    """Those of ONNX with small inputs as initializers, which the checker accepts and ONNX Runtime runs."""
    attempt = test_opset_back.attempt
    for path in test_opset_back.nodeTests():
        made = attempt(test_opset_back.withConstants, path)
        if not made or NOT_REPEATABLE & {node.op_type for node in made[0].graph.node}:
            continue
        model, feed = made
        source = folder / f"{path.parent.name}.onnx"
        onnx.save(model, source)
        want = attempt(compare.outputs, source, [feed])
        if want and all(isinstance(one, np.ndarray) for one in want[0].values()) and attempt(isValid, model):
            yield source, feed


@pytest.mark.parametrize("name", [name for name in OPTIONS if name not in ("opset", "ir", "external", "shards")])
def test_node_tests(folder, name):
    """Every operator, in ONNX Runtime. Short form: every 23rd test, and the options that change nodes; --long: all."""
    if not t.options.long and name not in ("convert", "compact", "batch"):
        pytest.skip("--long")
    given = count = 0
    failures = []
    for source, feed in nodeTests(folder):
        count += 1
        try:
            given += expectPair(folder, source, [feed], (name, name), LEVELS[count % 2])
        except AssertionError as why:  # the runtime has no kernel for the other type
            if name != "convert" or not re.search("NOT_IMPLEMENTED|is not supported", str(why)):
                failures.append(str(why)[:600])
    print(f"  {name}: {given} of {count} node tests")
    assert not failures, f"{len(failures)} of {count}:\n" + "\n".join(failures)
    assert count > (1000 if t.options.long else 40) and given > count // 3, f"{given} of {count}"
