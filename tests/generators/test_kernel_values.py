# SPDX-License-Identifier: Apache-2.0
"""The expected values of the kernels' lit tests are what another program than ours computes (kernel_values.py).

by_hand.txt names the others, whose values are worked out by hand. A new test is confirmed here, or gets a line there; a
line of a test that is confirmed is an error.
"""

import re
from pathlib import Path

import pytest

import onnxfold_dense as dense
import onnxfold_testing as t
from kernel_values import textsOf

KERNELS = t.ROOT / "tests/onnx/kernels"
BY_HAND = Path(__file__).parent / "by_hand.txt"
FILES = sorted(path.relative_to(KERNELS).as_posix() for path in KERNELS.rglob("*.mlir"))


def byHand():
    """{(file, function)}"""
    return {tuple(line.split()) for line in BY_HAND.read_text().splitlines() if not line.startswith("#")}


def isConfirmed(case):
    missing = set(case.expected)
    for _, texts in textsOf(case):
        missing -= {one for one in missing if any(re.fullmatch(one, text) for text in texts)}
        if not missing:
            return True
    return False


@pytest.mark.parametrize("file", FILES)
def test_expected_values(file):
    listed, wrong, stale = byHand(), [], []
    for name, case in dense.casesOf(KERNELS / file):
        if case is None or not case.expected:
            continue
        confirmed = isConfirmed(case)
        if confirmed == ((file, name) in listed):
            (stale if confirmed else wrong).append(name)
    assert not wrong, f"no other program gives these values, see tests/generators/kernel_values.py tests/onnx/kernels/{file}"
    assert not stale, "confirmed by another program, so to be removed from by_hand.txt"


def test_most_values_are_confirmed():
    """That the tests are read at all: of 1,703 functions that are one operator over constants 1,046 fold."""
    cases = {(file, name) for file in FILES for name, case in dense.casesOf(KERNELS / file) if case and case.expected}
    assert len(cases) >= 1000
    assert byHand() <= cases, "by_hand.txt names tests that are not there"
    assert len(byHand()) < len(cases) / 9


def test_a_wrong_value_is_seen(folder):
    text = (KERNELS / "add.mlir").read_text()
    wrong = text.replace("dense<[5.000000e+00, 6.000000e+00]>", "dense<[5.000000e+00, 6.000001e+00]>")
    assert wrong != text
    (folder / "add.mlir").write_text(wrong)
    cases = dict(dense.casesOf(folder / "add.mlir"))
    assert not isConfirmed(cases["add_f32_scalar"])
    assert isConfirmed(cases["add_f64"])
