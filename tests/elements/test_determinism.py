# SPDX-License-Identifier: Apache-2.0
"""The same bytes with every number of threads and every level of vector instructions, forced from outside.

What is compared is the digest of all bytes that a run of random operations read (elements-random-test), and the models that
onnx-fold writes. A level that the processor does not have is the best one that it has.
"""

import os
import re
import subprocess

import onnxfold_testing as t

LEVELS = ("baseline", "avx2", "avx512")
THREADS = (1, 2, 3)


def digest(level, threads, cases):
    """Of the random operations under one seed; their values are checked too."""
    program = t.TOOL.parent / "tests/elements-random-test"
    assert program.is_file(), f"there is no {program}"
    environment = os.environ | {
        "ONNXFOLD_CPU_LEVEL": level,
        "ONNXFOLD_THREADS": str(threads),
        "ONNXFOLD_CASES": str(cases),
        "ONNXFOLD_SEED": str(t.options.seed),
    }
    command = [program, "--gtest_filter=RandomOperations.Agree*"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{level}, {threads} threads: {done.stdout[-1500:]}"
    return re.search("digest ([0-9a-f]{16})", done.stdout)[1]


def test_random_operations(folder):
    cases = 4000 if t.options.long else 400
    found = {(level, threads): digest(level, threads, cases) for level in LEVELS for threads in THREADS}
    assert len(set(found.values())) == 1, f"digests differ: {found}"
    assert digest("baseline", 1, cases - 1) not in found.values(), "the digest does not depend on the cases"


def test_folded_models(folder):
    models = t.shippedModels()
    assert len(models) > 3, "no models to fold"
    for model in models:
        written = {}
        for level in LEVELS:
            for threads in (1, 3):
                out = folder / f"{model.stem}.{level}.{threads}.onnx"
                t.fold(model, out, f"--threads={threads}", env=os.environ | {"ONNXFOLD_CPU_LEVEL": level})
                written[level, threads] = out
        first = next(iter(written.values()))
        for how, out in written.items():
            t.expectSameBytes(out, first, f"{model.name} with {how}")
