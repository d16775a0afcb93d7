# SPDX-License-Identifier: Apache-2.0
"""The counting of test cases on logs as ctest 3.25 writes them, one entry per kind of runner."""

import subprocess
import sys

import pytest


import onnxfold_testing as t

SCRIPT = t.ROOT / "tools/summarize_tests.py"
LIT = "Total Discovered Tests: 9\n  Unsupported      : 2 (22.22%)\n  Passed           : 4 (44.44%)\n  Failed           : 3 (33.33%)\n"
GTEST_FAILED = "[  PASSED  ] 5 tests.\n[  SKIPPED ] 1 test, listed below:\n[  FAILED  ] 2 tests, listed below:\n\n 2 FAILED TESTS\n"


def entry(name, output, result):
    line = "-" * 58
    return (f'1/9 Testing: {name}\n1/9 Test: {name}\nCommand: "x" "3 passed, 4 failed"\nDirectory: /tmp\n"{name}" start time: now\n'
            f'Output:\n{line}\n{output}<end of output>\nTest time =   0.01 sec\n{line}\nTest {result}.\n'
            f'"{name}" end time: now\n{line}\n\n')


def summaryOf(folder, entries, passed=0, failed=0, status=0):
    log = folder / "LastTest.log"
    log.write_text("Start testing: now\n" + "".join(entry(f"t{i}", *e) for i, e in enumerate(entries)) + "End testing: now\n")
    done = subprocess.run([sys.executable, str(SCRIPT), str(log), str(passed), str(failed), str(status)],
                          capture_output=True, text=True)
    assert done.stderr == "", "standard error"
    return done.stdout.strip(), done.returncode


CASES = {}


def case(name, expected, *arguments):
    CASES[name] = (expected, arguments)


case("python_script", ("7 passed, 0 failed, 2 skipped", 0), [("seed 1\n7 passed, 0 failed, 2 skipped\n", "Passed")])
case("python_script_failed", ("7 passed, 3 failed", 1), [("7 passed, 3 failed\n", "Failed")], 0, 0, 8)
case("google_test", ("12 passed, 0 failed", 0), [("[  PASSED  ] 12 tests.\n", "Passed")])
case("google_test_of_one", ("1 passed, 0 failed", 0), [("[  PASSED  ] 1 test.\n", "Passed")])
case("google_test_failed", ("5 passed, 2 failed, 1 skipped", 1), [(GTEST_FAILED, "Failed")], 0, 0, 8)
case("lit", ("4 passed, 3 failed, 2 skipped", 1), [(LIT, "Failed")], 0, 0, 8)
case("plain_entries_count_as_one", ("1 passed, 1 failed", 1), [("", "Passed"), ("text\n", "Failed")], 0, 0, 8)
case("crash_after_passed_cases", ("7 passed, 1 failed", 1), [("7 passed, 0 failed\n", "Failed")], 0, 0, 8)
case("checks_outside_ctest", ("3 passed, 1 failed", 1), [("", "Passed")], 2, 1)
case("ctest_itself_failed", ("1 passed, 1 failed", 1), [("", "Passed")], 0, 0, 8)
case("nothing_ran", ("0 passed, 0 failed", 1), [])


@pytest.mark.parametrize("expected, arguments", CASES.values(), ids=CASES)
def test_summary(expected, arguments, folder):
    assert summaryOf(folder, *arguments) == expected, "summary and exit status"
