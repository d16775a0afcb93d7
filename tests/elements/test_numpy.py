# SPDX-License-Identifier: Apache-2.0
"""Random programs of the operations of elements, run by elements-run and computed by numpy and ml_dtypes.

Bits must be the same (any NaN is any NaN) for movement, integers, + - * /, comparisons and conversions. Functions that are
computed in double and rounded once are compared with long doubles: the result is one that a double within the stated ulps
rounds to. 1,000 programs, 10,000 with --long; each has a seed of its own, that of the run and its number.
"""

import numpy as np
import pytest

import onnxfold_testing as t
import numpy_elementwise  # noqa: F401 (each adds its operations to the list)
import numpy_movement  # noqa: F401
import numpy_products  # noqa: F401
import numpy_reductions  # noqa: F401
from numpy_program import OPERATIONS, Program
from numpy_tensors import Script, Values

BATCH = 100
counts = dict.fromkeys(OPERATIONS, 0)


def addProgram(script, number):
    """One program: a few operations, each of the kinds in its turn."""
    script.clear(f"program {number}")
    program = Program(script, Values([t.options.seed, number]))
    left, chosen = program.random.integers(1, 6), OPERATIONS[number % len(OPERATIONS)]
    with np.errstate(all="ignore"):  # overflow and NaN are what is asked for
        while left:
            if chosen(program):
                counts[chosen] += 1
                left -= 1
            chosen = program.values.choice(OPERATIONS)
        program.showAll()


FIRSTS = range(0, 10000 if t.options.long else 1000, BATCH)
batches = set()  # those that ran


@pytest.mark.parametrize("first", FIRSTS)
def test_programs(first):
    script = Script()
    for number in range(first, first + BATCH):
        addProgram(script, number)
    with np.errstate(all="ignore"):
        script.run(threads=1 + first // BATCH % 3)
    batches.add(first)


def test_every_operation_was_used():
    if batches != set(FIRSTS):
        pytest.skip("not all programs were run")
    programs = (10000 if t.options.long else 1000) // len(OPERATIONS)
    rare = [one.__name__ for one, count in counts.items() if count < programs // 2]
    assert not rare, f"hardly ever used: {rare}"
