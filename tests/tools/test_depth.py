# SPDX-License-Identifier: Apache-2.0
"""Functions in functions in functions: the time is that of the model's size, and no depth ends in a stack overflow.

A chain of functions, each of which calls the next, took 1.8 s for 50 of them, 11.5 s for 100 and 60 s for 200; 24,000 died of
SIGSEGV, with --check, --skip='*' and --emit=mlir too. Functions that call each other twice, 40 deep, took 36 s to fold and
7.7 GB to verify. Sequences in sequences of operators took memory for each.
"""

import resource

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

X, Y = info("x", (3,)), info("y", None)
FEED = {"x": np.array([1, -2, 3], np.float32)}
OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("f", 1)]
MOST_BYTES = 4 << 30  # of addresses


def function(i, inputs, nodes, outputs=("b",)):
    return helper.make_function("f", f"F{i}", list(inputs), list(outputs), list(nodes), OPSETS)


def call(i, inputs, outputs):
    return node(f"F{i}", list(inputs), list(outputs), domain="f")


def passing(i, last):
    """Passes a constant on, of which the body makes another one."""
    nodes = [node("Sqrt", ["c"], ["d"])]
    nodes += [node("Add", ["a", "d"], ["b"])] if last else [call(i + 1, ["a", "d"], ["e"]), node("Add", ["e", "c"], ["b"])]
    return function(i, "ac", nodes)


def plain(i, last):
    """Only calls the next."""
    return function(i, "ac", [node("Neg", ["a"], ["b"]) if last else call(i + 1, "ac", "b")])


def holding(i, last):
    """Each holds a constant of its own that folds."""
    nodes = [node("Constant", [], ["k"], value=const("", np.full(3, i, np.float32))), node("Neg", ["k"], ["n"])]
    nodes += [node("Add", ["a", "n"], ["b"])] if last else [node("Mul", ["a", "n"], ["e"]), call(i + 1, "ec", "b")]
    return function(i, "ac", nodes)


def branching(i, last):
    """The call stands in a body."""
    inner = node("Neg", ["a"], ["r"]) if last else call(i + 1, "ac", "r")
    body = m.graph([inner], [], [info("r", None)], name="body")
    other = m.graph([node("Abs", ["a"], ["s"])], [], [info("s", None)], name="other")
    nodes = [node("ReduceMax", ["a"], ["top"], keepdims=0), node("Greater", ["top", "c"], ["is"])]
    return function(i, "ac", [*nodes, node("If", ["is"], ["b"], then_branch=body, else_branch=other)])


def shaping(i, last):
    """What it gives has the shape of what it is given."""
    nodes = [node("Shape", ["a"], ["s"]), node("Reshape", ["a", "s"], ["e"])]
    return function(i, "ac", [*nodes, node("Neg", ["e"], ["b"]) if last else call(i + 1, "ec", "b")])


KINDS = {"passing": passing, "plain": plain, "holding": holding, "branching": branching, "shaping": shaping}


def chain(kind, n):
    functions = [KINDS[kind](i, i == n - 1) for i in range(n)]
    constant = const("k", 1, np.float32)
    return m.model([call(0, ["x", "k"], "y")], [X], [Y], [constant], domains=[("f", 1)], functions=functions)


def twice(n):
    """Each calls the next twice: 2^n bodies."""
    functions = []
    for i in range(n):
        nodes = [node("Neg", ["a"], ["b"])]
        if i != n - 1:
            nodes = [call(i + 1, ["a", "c"], ["p"]), call(i + 1, ["p", "c"], ["q"]), node("Add", ["p", "q"], ["b"])]
        functions.append(function(i, "ac", nodes))
    constant = const("k", 1, np.float32)
    return functions, m.model([call(0, ["x", "k"], "y")], [X], [Y], [constant], domains=[("f", 1)], functions=functions)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def foldedIn(folder, model, *flags, expect=0, seconds=600, preparation=limited):
    """Processor seconds of a run of its own."""
    onnx.save(model, folder / "model.onnx")
    result = t.run("--quiet", *flags, "-o", folder / "out.onnx", folder / "model.onnx", timeout=seconds, preexec_fn=preparation)
    assert result.code == expect, f"{flags}: {result}"
    return result.processorSeconds


@pytest.mark.parametrize("kind", KINDS)
def test_chains_compute_what_they_did(folder, kind):
    for n in (2, 7, 30):
        place = folder / str(n)
        place.mkdir()
        model = chain(kind, n)
        foldedIn(place, model)
        want, got = (compare.outputs(place / name, [FEED]) for name in ("model.onnx", "out.onnx"))
        for one, other in zip(got, want):
            compare.expectAgreement(one, other, f"{kind} of {n}")
        t.expectSameBytes(t.fold(place / "out.onnx", place / "again.onnx"), place / "out.onnx", f"{kind} of {n}, folded again")


@pytest.mark.parametrize("kind", KINDS)
def test_time_of_chains(folder, kind):
    """Four times as many functions take four times as long, not sixteen."""
    small, large = (400, 1600) if t.options.long else (150, 600)
    foldedIn(folder, chain(kind, small))  # the first run reads the program
    first = foldedIn(folder, chain(kind, small))
    second = foldedIn(folder, chain(kind, large))
    assert second < 8 * first + 0.5, f"{large} functions take {second:.2f} s, {small} take {first:.2f} s"


@pytest.mark.parametrize("flags", [(), ("--check",), ("--skip=*",), ("--emit=mlir",), ("-O2",), ("--run-once",)], ids=str)
def test_deep_chains_do_not_overflow(folder, flags):
    """24,000 functions."""
    n = 24_000 if t.options.long else 6_000
    foldedIn(folder, chain("plain", n), *flags)


def test_functions_that_call_each_other_twice(folder):
    """2^40 bodies: within seconds and little memory, and verified as far as possible."""
    _, model = twice(40)
    assert foldedIn(folder, model, seconds=60) < 5, "seconds"
    foldedIn(folder, model, "--verify", seconds=120)


def test_constants_in_functions_that_call_each_other_twice(folder):
    """Every argument is known: a call is computed until its work is used up, and was then looked into, level by level."""
    functions, _ = twice(40)
    nodes = [call(0, ["w", "k"], ["v"]), node("Add", ["x", "v"], ["y"])]
    constants = [const("k", 1, np.float32), const("w", [1, 2, 3], np.float32)]
    model = m.model(nodes, [X], [Y], constants, domains=[("f", 1)], functions=functions)
    assert foldedIn(folder, model, seconds=60) < 5, "seconds"


def test_results_of_functions_that_call_each_other_twice(folder):
    """Small enough to be compared with ONNX Runtime."""
    for n in (3, 8):
        place = folder / str(n)
        place.mkdir()
        _, model = twice(n)
        foldedIn(place, model, "--verify")
        want, got = (compare.outputs(place / name, [FEED]) for name in ("model.onnx", "out.onnx"))
        for one, other in zip(got, want):
            compare.expectAgreement(one, other, f"twice, {n} deep")


def test_insertions_of_constants(folder):
    """A chain of 20,000 SequenceInserts: each had a copy of the whole list, 5.3 GB of them."""
    n = 20_000
    nodes = [node("SequenceInsert", [f"s{i}", "w"], [f"s{i + 1}"]) for i in range(n)]
    nodes = [node("SequenceEmpty", [], ["s0"]), *nodes, node("SequenceLength", [f"s{n}"], ["l"])]
    nodes += [node("Cast", ["l"], ["f"], to=TensorProto.FLOAT), node("Add", ["x", "f"], ["y"])]
    model = m.model(nodes, [X], [Y], [const("w", [1, 2], np.float32)])
    foldedIn(folder, model, "--threads=1", preparation=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Add"], "operators"


def test_unrolling_is_decided_before_it_is_done(folder):
    """Ten million iterations: said at once, not after a minute and 3.4 GB."""
    body = m.graph(
        [node("Add", ["a", "x"], ["b"]), node("Identity", ["c"], ["d"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("a", (3,))],
        [info("d", (), TensorProto.BOOL), info("b", (3,))],
        name="body",
    )
    loop = node("Loop", ["n", "", "x"], ["y"], name="long", body=body)
    model = m.model([loop], [X], [Y], [const("n", 10_000_000, np.int64)])
    onnx.save(model, folder / "model.onnx")
    arguments = ("--unroll=100000000", "-o", folder / "out.onnx", folder / "model.onnx")
    result = t.run(*arguments, timeout=60, preexec_fn=limited)
    assert result.code == 0 and "'long' is not unrolled" in result.err, f"{result}"
    assert result.processorSeconds < 5, f"{result.processorSeconds} s"


def test_scan_of_many_steps(folder):
    """Ten million steps: beyond the limit at once, and with one that allows them no memory for each."""
    body = m.graph(
        [node("Add", ["a", "e"], ["b"]), node("Identity", ["b"], ["o"])],
        [info("a", ()), info("e", ())],
        [info("b", ()), info("o", ())],
        name="body",
    )
    nodes = [
        node("ConstantOfShape", ["n"], ["v"], value=const("", [1.0], np.float32)),
        node("Scan", ["zero", "v"], ["last", "all"], num_scan_inputs=1, body=body, name="long"),
        node("Add", ["x", "last"], ["y"]),
    ]
    model = m.model(nodes, [X], [Y], [const("n", [10_000_000], np.int64), const("zero", 0, np.float32)])
    assert foldedIn(folder, model) < 1, "seconds"
    flags = ("--max-trip-count=10000000", "--max-work=10000000000")
    foldedIn(folder, model, *flags, preparation=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert m.operators(onnx.load(folder / "out.onnx")) == ["ConstantOfShape", "Scan", "Add"], "operators"
