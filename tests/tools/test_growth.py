# SPDX-License-Identifier: Apache-2.0
"""Time and memory grow linearly: a structure of size 4 n takes at most 1.3 times as much for each of its 2 n last parts as one of
size 2 n takes for each of its n last ones. What a run takes beside, and tables that double, are no part of that.

Time is counted in instructions, by valgrind (callgrind), in one process (tests/lib/growth): the same number in every run, so that
the limit can be narrow. Memory is the most that malloc gave at a time; there fixed buffers count, so models are larger.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import onnxfold_testing as t
from growth_cases import CASES, bytesOf, shapesOfLayers, star, unknownNodes

pytestmark = pytest.mark.skipif(t.isSanitized(), reason="sanitizers count too")
MOST = 1.3
COUNTER = t.TOOL.parent / "tests/count-growth"
INSTRUCTIONS, BYTES = "instructions", "bytes"
NOTHING = {INSTRUCTIONS: 100, BYTES: 200}  # for each part: what is copied, and not worked on
# More of parts that take little, to be seen beside what a run takes anyway, and fewer of those that take much; lists that are all
# longer than 1 KB, since these are held in another form.
MORE = {"longAttribute": 4, "strings": 16, "longString": 16, "typedData": 16, "constantSequence": 8, "longName": 8, "roundsOfALoop": 4,
        "shapesOfLayers": 4, "manyAttributes": 4, "asJson": 2, "calledFunctions": 0.25, "constantCalls": 0.25, "functionsInEachOther": 2, "functionsThatPassConstants": 0.5, "constantBranches": 0.25}  # fmt: skip
# What is made once in a process, when it is first needed: tables of operators, of the standard and of others.
FIRST = (star, unknownNodes, shapesOfLayers)
# The short form leaves out what takes a million instructions for each part, and of what memory takes two cases of three.
TIME_CASES = [case for case in CASES if t.options.long or case.__name__ != "sumsOfSymbols"]
MEMORY_CASES = CASES if t.options.long else CASES[::3]


def sizes(case, what):
    if what == BYTES:
        small = 8000 if t.options.long else 2000
    else:
        small = int((1000 if t.options.long else 48) * MORE.get(case.__name__, 1))
    return small, 2 * small, 4 * small


def countedIn(folder, what):
    """{(case, size): number} of all cases, in one run."""
    cases = TIME_CASES if what == INSTRUCTIONS else MEMORY_CASES
    # The first run of each case does not count: malloc puts in order what the case before it left.
    runs = [(case, size) for case in cases for size in [sizes(case, what)[0], *sizes(case, what)]]
    paths = [folder / f"{case.__name__}-{size}" for case, size in runs]
    for path, run in zip(paths, runs):
        path.write_bytes(bytesOf(*run))
    first = [folder / f"first-{case.__name__}" for case in FIRST]
    for path, case in zip(first, FIRST):
        path.write_bytes(bytesOf(case, 8))
    (folder / "list").write_text("".join(f"{path}\n" for path in first + paths))
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts"]
    command = [*(valgrind if what == INSTRUCTIONS else []), COUNTER, folder / "list"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, re.sub("==.*\n", "", done.stderr)[-1000:]
    found = {}
    for place, (run, line) in enumerate(zip(runs, done.stdout.splitlines()[len(FIRST) :], strict=True)):
        found[run] = int(line.split()[0])
        if what == INSTRUCTIONS:
            found[run] = int(re.search(r"^totals: (\d+)$", (folder / f"counts.{place + len(FIRST) + 1}").read_text(), re.M)[1])
    return found


@pytest.fixture(scope="module")
def counts():
    """The counts of either kind, which are made when the first test asks for them."""
    known = {}

    def get(what):
        if what not in known:
            with tempfile.TemporaryDirectory(prefix="onnxfold-") as folder:
                known[what] = countedIn(Path(folder), what)
        return known[what]

    return get


def check(case, what, counts):
    few, some, many = sizes(case, what)
    before = (counts[case, some] - counts[case, few]) / few
    behind = (counts[case, many] - counts[case, some]) / some
    print(f"  {case.__name__}: {before:.0f} {what} for each from {few} to {some}, {behind:.0f} to {many}")
    assert behind <= max(MOST * before, NOTHING[what]), (
        f"{behind:.0f} {what} for each from {some} to {many}, {before:.0f} below: "
        f"{behind / max(before, 1):.2f} times as many, at most {MOST} expected"
    )


@pytest.mark.skipif(not shutil.which("valgrind"), reason="there is no valgrind")
@pytest.mark.parametrize("case", TIME_CASES, ids=lambda case: case.__name__)
def test_time(case, counts):
    check(case, INSTRUCTIONS, counts(INSTRUCTIONS))


@pytest.mark.parametrize("case", MEMORY_CASES, ids=lambda case: case.__name__)
def test_memory(case, counts):
    check(case, BYTES, counts(BYTES))
