# SPDX-License-Identifier: Apache-2.0
"""Random cases of operators in all of their versions, tested opset by opset.

    runs = OpsetRuns(VERSIONS, lambda: cases(t.options.seed, 6))

    @pytest.mark.parametrize("opset", runs.opsets)
    def test_opset(opset, folder):
        runs.run(opset, checkOpset, folder)       # checkOpset(opset, its cases, folder, counts)

    def test_most_were_compared():
        runs.needAll()                            # skipped if only some opsets were chosen
        assert runs.counts["Add"] > ...
"""

from collections import Counter

import numpy as np
import pytest


class RandomCases:
    """What a maker of cases draws from; the same for the same seed."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))

    def integers(self, count, low, high):
        return [self.integer(low, high) for _ in range(count)]


class OpsetRuns:
    def __init__(self, versions, make, opsetOf=lambda case: case[0]):
        """`versions`: {operator: its versions}; `make` makes the cases, when the first test asks for them."""
        self.opsets = sorted({opset for each in versions.values() for opset in each})
        self.counts = Counter()  # what the tests of a module count together
        self._make, self._opsetOf, self._cases, self._done = make, opsetOf, None, set()

    def everything(self):
        if self._cases is None:
            self._cases = list(self._make())
        return self._cases

    def run(self, opset, check, folder):
        check(opset, [case for case in self.everything() if self._opsetOf(case) == opset], folder, self.counts)
        self._done.add(opset)

    def needAll(self):
        if self._done != set(self.opsets):
            pytest.skip("not all opsets were run")
