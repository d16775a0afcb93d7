# SPDX-License-Identifier: Apache-2.0
"""Random functions (random_folds.py), compiled and run: the same results folded at compile time, in the first run, and not."""

import numpy as np
import onnxfold_testing as t
import pytest

from random_folds import RUNTIME, COMPILETIME, Program
from test_fold_run import PLAIN, Case, bfloat16

COUNT = 300 if t.options.long else 8
# A function of the outside, which no pass may look into; here it needs a body.
DECLARED = "func.func private @effect(tensor<8xf32>) -> tensor<8xf32>\n"
DEFINED = """func.func private @effect(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.negf %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
"""


def valueOf(kind, random):
    """A value of a type. Around 1, so that chains of products are finite for a while."""
    *shape, element = kind.removeprefix("tensor<").removesuffix(">").split("x")
    shape = [int(size) for size in shape]
    if element == "i1":
        return random.integers(0, 2, shape).astype(np.bool_)
    if element == "i32":
        return random.integers(1, 9, shape).astype(np.int32)
    numbers = random.uniform(0.5, 1.5, shape).astype(np.float32)
    return bfloat16(numbers) if element == "bf16" else numbers


@pytest.mark.parametrize("number", range(COUNT))
def test_same_results(folder, number):
    seed = t.options.seed * 1000 + number
    program = Program(seed)
    while "arith.divsi" in program.text():  # a divisor that is computed may be 0
        program = Program(seed := seed + 100_000)
    random = np.random.default_rng(seed)
    values = [valueOf(argument.type, random) for argument in program.arguments]
    weights = {n for n, argument in enumerate(program.arguments) if argument.tier in (RUNTIME, COMPILETIME)}
    case = Case(folder, program.text().replace(DECLARED, DEFINED), values, weights)
    files = [folder / f"result{n}.npy" for n in range(len(program.returned))]

    def results(*options, isFolded=True):
        case.run("--entry=main", *options, *(f"--output={file}" for file in files[1:]), isFolded=isFolded)
        return [np.load(file) for file in [folder / "out.npy", *files[1:]]]

    plain = results(PLAIN, isFolded=False)
    for mode in ("runtime", "compiletime", "both"):
        for n, (found, expected) in enumerate(zip(results(f"--mode={mode}", "--runs=2"), plain, strict=True)):
            same = found.tobytes() == expected.tobytes() or np.array_equal(found, expected, equal_nan=True)
            assert same, f"result {n} of seed {seed}, mode {mode}:\n{program.text()}"
