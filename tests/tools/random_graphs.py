# SPDX-License-Identifier: Apache-2.0
"""Random graphs of all generators that the tests of folding and rewriting have, for who wants many kinds of models.

    model, feeds = graph(number, seed)     # the generators in turn

The feeds of a graph may differ in the sizes of inputs; there are up to three.
"""

import numpy as np

import onnxfold_models as m
import onnxfold_mutants as mutants
import test_aliases
import test_decomposition
import test_dml_random
import test_inputs_and_slices
import test_random_calls
import test_random_clean_ups
import test_random_functions
import test_random_loops
import test_random_programs
import test_run_once
import test_symbols_floats
import test_unroll
from onnxfold_models import const, info


def normal(random, *shape):
    return random.standard_normal(shape).astype(np.float32)


def whole(random, *shape):
    return random.integers(-9, 9, shape).astype(np.float32)


class CleanUps(test_random_clean_ups.RandomGraph):
    """Of int64 ONNX Runtime compares halves, and not always rightly: Max and Min of large ones are left out."""

    def both(self, op, x, z):
        return super().both("BitwiseXor" if op in ("Max", "Min") else op, x, z)


def cleanUps(random):
    source = CleanUps(random).model(int(random.integers(5, 40)))
    special = test_random_clean_ups.randomFeed(random, 2)
    feeds = [special, *(test_random_clean_ups.randomFeed(random, rows) for rows in (1, 5))]
    for feed in feeds[1:]:  # beside 3e38 no small difference would be seen
        feed |= {name: whole(random, *value.shape) / 4 for name, value in feed.items() if name[0] == "f"}
    return source, feeds


def programs(random):
    model, feed = test_random_programs.Program(random).model(True)
    return model, [feed]


def ofShape(make):
    def made(random):
        model, shape = make(random)
        return model, [{"x": whole(random, *shape)} for _ in range(2)]

    return made


def loops(random):
    """Sums of what is fed are exact in any order."""
    feeds = [{"x": whole(random, rows, 4) / 4, "M": np.array(trips)} for rows, trips in ((2, 1), (5, 3), (1, 0))]
    return test_random_loops.makeModel(random), feeds


def arithmetic(random):
    """Of several types; every second one with a node exchanged or dropped, which must run all the same."""
    model = mutants.RandomModel(random).make()
    if random.integers(2):
        model = (mutants.mutant(random, model) or [model])[0]
    kinds = {one.name: one.type.tensor_type.elem_type for one in model.graph.input}
    types = dict(mutants.TYPES.values())
    feeds = [{name: random.integers(-4, 5, (rows, 3)).astype(types[kind]) for name, kind in kinds.items()} for rows in (2, 1, 5)]
    return model, feeds


def slices(random):
    sizes = (int(random.integers(1, 10)),) if random.integers(3) == 0 else (3, 0, 9)
    model = test_inputs_and_slices.pairsOfSlices(random, 6, (sizes[0] if len(sizes) == 1 else "n", 4))
    return model, [{"x": normal(random, size, 4)} for size in sizes]


def copies(random):
    shape = test_aliases.SQUARE
    weights = [const(f"w{i}", normal(random, *shape)) for i in range(2)]
    model = test_aliases.RandomCopies(random).model(weights)
    return model, [{"x": normal(random, *shape), "c": np.array(value)} for value in (True, False)]


def once(random):
    model, _ = test_run_once.randomModel(int(random.integers(1 << 30)))
    return model, [{one.name: normal(random, 4, 4) for one in model.graph.input}]


def bodies(random):
    inner = test_unroll.RandomBody(int(random.integers(1 << 30))).graph(["x"], [], 3, loop=True)
    more = [const("ten", np.float32(1)), const("one", np.int64(1)), const("two", np.int64(2))]
    return test_unroll.looped(inner, ["y"], more=more), test_unroll.FEEDS


def sizes(random):
    """Arithmetic on the size of an input, as numbers of any type."""
    kind = (test_symbols_floats.F32, test_symbols_floats.F64)[int(random.integers(2))]
    nodes, made, constants = test_symbols_floats.randomChain(random, kind)
    outputs = [info(name, (), one) for name, one in made]
    model = m.model(nodes, [info("x", ("n", 0))], outputs, [*test_symbols_floats.INDICES, *constants])
    return model, [{"x": np.ones((size, 0), np.float32)} for size in (0, 3, 640)]


def networks(random):
    """Operators of networks on small images and matrices, mostly of one size."""
    isFree = random.integers(3) == 0
    maker = test_dml_random.makeModel(int(random.integers(1 << 30)), isFree)
    model = test_dml_random.modelOf(maker, maker.nodes, isFree, everything=random.integers(2))
    rows = (test_dml_random.FREE, 4, 1) if isFree else (None,)
    return model, [test_dml_random.feedOf(maker, one) for one in rows]


GENERATORS = {
    "clean-ups": cleanUps, "programs": programs, "functions": ofShape(test_random_functions.makeOfManyCalls),
    "calls": ofShape(test_random_calls.makeModel), "loops": loops, "arithmetic": arithmetic, "slices": slices, "copies": copies,
    "once": once, "crops": test_decomposition.randomModel, "bodies": bodies, "sizes": sizes, "networks": networks,
}  # fmt: skip


def graph(number, seed, names=tuple(GENERATORS)):
    """(the name of the generator, the model, its feeds); `names`: of generators"""
    name = names[number % len(names)]
    return name, *GENERATORS[name](np.random.default_rng([seed, number]))
