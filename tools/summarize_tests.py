#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the cases of one ctest run and prints the last line of ./run-tests: `N passed, N failed[, N skipped]`.

    summarize_tests.py LOG PASSED FAILED STATUS

LOG is ctest's LastTest.log. A ctest entry that is a program of Google Test, lit, or a Python script of ours says in its
output how many cases it had; any other counts as one case, and so does one that failed without naming a failed case (it
crashed, or timed out). PASSED and FAILED are checks made outside ctest, STATUS is ctest's exit status: when it is not 0,
something failed. The exit status is 1 when anything failed or nothing passed.
"""

import re
import sys

ENTRY = re.compile(r"^\d+/\d+ Test: (?P<name>.*?)\n(?P<body>.*?)^Test (?P<result>Passed|Failed)\.\n", re.M | re.S)

# One row per runner: how its output gives passed, failed and skipped cases. The last match counts.
RUNNERS = [
    {"passed": r"^(\d+) passed, \d+ failed", "failed": r"^\d+ passed, (\d+) failed",
     "skipped": r"^\d+ passed, \d+ failed, (\d+) skipped"},
    {"passed": r"^\[  PASSED  \] (\d+) tests?\.", "failed": r"^ *(\d+) FAILED TESTS?$",
     "skipped": r"^\[  SKIPPED \] (\d+) tests?"},
    {"passed": r"^  Passed *: (\d+)", "failed": r"^  (?:Failed|Unresolved|Timed Out) *: (\d+)",
     "skipped": r"^  Unsupported *: (\d+)"},
]
KINDS = ("passed", "failed", "skipped")


def countsOf(output, succeeded):
    """(passed, failed, skipped) of one ctest entry."""
    counts = (0, 0, 0)
    for runner in RUNNERS:
        found = [re.findall(runner[kind], output, re.M) for kind in KINDS]
        if any(found):
            counts = tuple(int(numbers[-1]) if numbers else 0 for numbers in found)
            break
    passed, failed, skipped = counts
    if succeeded and not any(counts):
        return 1, 0, 0
    if not succeeded and not failed:
        return passed, 1, skipped
    return counts


def total(log):
    """The sum over all entries of a LastTest.log."""
    entries = [countsOf(match["body"], match["result"] == "Passed") for match in ENTRY.finditer(log)]
    return [sum(column) for column in zip(*entries)] if entries else [0, 0, 0]


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        passed, failed, skipped = total(file.read())
    passed, failed = passed + int(sys.argv[2]), failed + int(sys.argv[3])
    if int(sys.argv[4]) and not failed:
        failed = 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
