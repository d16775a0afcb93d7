# SPDX-License-Identifier: Apache-2.0
"""Random functions whose constant part is known by construction (random_folds.py): what print-constant-tensors says, what
constant-tensor-folding keeps, which parts it makes, and that the entry and its folds still compute what the function did."""

import re
import subprocess

import numpy as np
import onnxfold_testing as t
import pytest

from expressions import expressionsOf
from numbers_of import resultsOf
from random_broadcasts import SHAPES, Broadcasts
from random_folds import TIERS, Expected, Program

FOLD_OPT = t.TOOL.parent / "fold-opt"
SEPARATOR = "\n// -----\n"
GENERIC = ["--mlir-print-op-generic", "--mlir-print-local-scope"]
BATCH = 100
BATCHES = 100 if t.options.long else 3


def run(programs, *arguments):
    text = SEPARATOR.join(program.text() for program in programs)
    done = subprocess.run([FOLD_OPT, "--split-input-file", *arguments], input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{arguments} on seeds from {programs[0].seed}: {done.stderr[:1000]}"
    return done


def programsOf(batch):
    first = t.options.seed * 1_000_000 + batch * BATCH
    return [Program(seed) for seed in range(first, first + BATCH)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_classification(batch):
    programs = programsOf(batch)
    printed = run(programs, "--print-constant-tensors", "-o", "/dev/null").stderr
    for program, text in zip(programs, re.split("^@main\n", printed, flags=re.MULTILINE)[1:], strict=True):
        found = re.findall(r"^  %\S+(?: = \S+)?: (\w+)", text, re.MULTILINE)
        expected = [TIERS[value.tier] for value in program.arguments] + [TIERS[op.tier] for op in program.ops if op.results]
        assert found == expected, f"seed {program.seed}:\n{program.text()}\n{text}"


def signatureOf(text):
    """The locations of the folded tensors among the arguments of the entry, in order."""
    line = next(line for line in text.splitlines() if "func.func @main(" in line)
    return re.findall(r'bufferization\.writable = false[^}]*\} loc\("(v\d+)"', line)


def partsOf(text, folded):
    """The folded values and the arguments of each part, as the attribute of the entry has them."""
    found = re.findall(r"\{arguments = array<i64(?::? ?)([^>]*)>, folded = array<i64: ([^>]*)>, function", text)
    return [([folded[int(k)] for k in values.split(",")], sorted(int(k) for k in arguments.split(",") if k.strip()))
            for arguments, values in found]


@pytest.mark.parametrize("mode", ["runtime", "compiletime", "both"])
@pytest.mark.parametrize("batch", range(BATCHES))
def test_cut(batch, mode):
    programs = programsOf(batch)
    done = run(programs, f"--constant-tensor-folding=mode={mode} entries=main postpone-broadcasts=false",
               "--mlir-print-debuginfo", "--mlir-print-local-scope")
    kept = 0
    for program, text in zip(programs, done.stdout.split("// -----"), strict=True):
        expected = Expected(program, mode)
        folded = signatureOf(text)
        names = [name for part in expected.parts for name in part[0]]
        assert folded == names, f"folded tensors of seed {program.seed}, mode {mode}:\n{program.text()}\n{text}"
        assert partsOf(text, folded) == expected.parts, f"parts of seed {program.seed}, mode {mode}:\n{program.text()}\n{text}"
        kept += len(folded)
    assert kept > BATCH // 2, f"only {kept} folded tensors in {BATCH} programs"


@pytest.mark.parametrize("mode", ["runtime", "compiletime", "both"])
@pytest.mark.parametrize("batch", range(BATCHES))
def test_same_results(batch, mode):
    """The expressions that are returned are those of before, also through the functions that run once."""
    programs = programsOf(batch)
    options = f"--constant-tensor-folding=mode={mode} entries=main postpone-broadcasts=false min-bytes=1"
    before = run(programs, *GENERIC).stdout.split("// -----")
    after = run(programs, options, *GENERIC).stdout.split("// -----")
    again = run(programs, options, options, *GENERIC).stdout.split("// -----")
    for program, old, new, twice in zip(programs, before, after, again, strict=True):
        assert expressionsOf(new) == expressionsOf(old), f"seed {program.seed}, mode {mode}:\n{program.text()}\n{new}"
        assert twice == new, f"a second run changes seed {program.seed}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_postponed_broadcasts(batch):
    """Results are those of before, number by number; and much is postponed."""
    first = t.options.seed * 1_000_000 + batch * BATCH
    programs = [Broadcasts(seed) for seed in range(first, first + BATCH)]
    before = run(programs, *GENERIC).stdout.split("// -----")
    kept = run(programs, "--constant-tensor-folding=postpone-broadcasts=false", *GENERIC).stdout.split("// -----")
    after = run(programs, "--constant-tensor-folding", *GENERIC).stdout.split("// -----")
    for program, old, new in zip(programs, before, after, strict=True):
        random = np.random.default_rng(program.seed)
        weights = [random.uniform(-2, 2, SHAPES[kind]).astype(np.float32) for kind in program.weights]
        for expected, found in zip(resultsOf(old, weights), resultsOf(new, weights), strict=True):
            message = f"seed {program.seed}:\n{program.text()}\n{new}"
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6, err_msg=message)
    changed = sum(old != new for old, new in zip(kept, after))
    assert changed > BATCH // 4, f"{changed} of {BATCH} programs have a broadcast that is postponed"
