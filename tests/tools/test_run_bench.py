# SPDX-License-Identifier: Apache-2.0
"""tools/run_bench.py on a small tree of the test's own: collecting, limits, and programs that fail."""

import json
import shutil
import subprocess
import sys

import pytest


import onnxfold_testing as t

ROW = {"name": "a", "ratio": 1.5, "limit": 2, "baseline": 1, "seconds": 1.5, "peak_bytes": 1000}


def runBench(folder, scripts, *arguments):
    """Runs a copy of run_bench.py on scripts (path -> rows, or source text); returns exit status and results."""
    (folder / "tools").mkdir()
    shutil.copy(t.ROOT / "tools/run_bench.py", folder / "tools")
    for name, rows in scripts.items():
        path = folder / "bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = rows if isinstance(rows, str) else f"import os\nopen(os.environ['ONNXFOLD_BENCH_OUT'], 'w').write({json.dumps(rows)!r})\n"
        path.write_text(text)
    done = subprocess.run([sys.executable, str(folder / "tools/run_bench.py"), *arguments], capture_output=True, text=True)
    results = folder / "bench-results.json"
    return done.returncode, json.loads(results.read_text()) if results.exists() else None


def test_rows_are_collected_under_the_names_of_their_programs(folder):
    status, rows = runBench(folder, {"bench_top.py": [ROW], "onnx/io/bench_copy.py": [ROW, {**ROW, "name": "b"}]})
    assert status == 0, "the exit status"
    assert [row["name"] for row in rows] == ["top/a", "onnx-io-copy/a", "onnx-io-copy/b"], "the list of names"
    assert {**rows[0], "name": "a"} == ROW, "the row"


def test_missing_columns_are_null(folder):
    _, rows = runBench(folder, {"bench_x.py": [{"name": "a", "seconds": 2}]})
    assert rows[0] == {
        "name": "x/a",
        "ratio": None,
        "limit": None,
        "baseline": None,
        "seconds": 2,
        "peak_bytes": None,
    }, "the row"


def test_a_name_chooses(folder):
    _, rows = runBench(folder, {"bench_x.py": [ROW], "bench_y.py": [ROW]}, "y")
    assert [row["name"] for row in rows] == ["y/a"], "the list of names"


def test_each_vector_level_in_turn(folder):
    """A machine without AVX-512 was a surprise: 86 of 95 limits held."""
    says = "import json, os\njson.dump([{'name': os.environ['ONNXFOLD_CPU_LEVEL']}], open(os.environ['ONNXFOLD_BENCH_OUT'], 'w'))\n"
    status, rows = runBench(folder, {"bench_x.py": says}, "--levels=avx2,baseline")
    assert status == 0, "the exit status"
    assert [row["name"] for row in rows] == ["x/avx2@avx2", "x/baseline@baseline"], "what the programs were told"


def test_an_unknown_level_is_an_error(folder):
    assert runBench(folder, {"bench_x.py": [ROW]}, "--levels=sse9") == (1, None), "exit status and results"


def test_nothing_chosen_is_an_error(folder):
    assert runBench(folder, {"bench_x.py": [ROW]}, "z") == (1, None), "exit status and results"


FAILING = {
    "ratio_above_its_limit_fails": {**ROW, "ratio": 2.01},
    "limit_without_ratio_fails": {**ROW, "ratio": None},
    "bytes_above_their_limit_fail": {**ROW, "limit_bytes": 999},
    "fresh_memory_above_its_limit_fails": {**ROW, "fresh": 1.21, "limit_fresh": 1.2},
    "two_threads_that_gain_too_little_fail": {**ROW, "speedup": 1.5, "speedup_possible": 2, "limit_speedup": 0.85},
    "two_threads_that_lose_fail": {**ROW, "speedup": 0.7, "speedup_possible": 0.5, "limit_speedup": 0.85},
}


@pytest.mark.parametrize("row", FAILING.values(), ids=FAILING)
def test_failing(row, folder):
    assert runBench(folder, {"bench_x.py": [row]})[0] == 1, "the exit status"


def test_the_limit_itself_is_allowed(folder):
    row = {**ROW, "ratio": 2, "limit_bytes": 1000, "fresh": 1.2, "limit_fresh": 1.2,
           "speedup": 1.7, "speedup_possible": 2, "limit_speedup": 0.85}
    assert runBench(folder, {"bench_x.py": [row]})[0] == 0, "the exit status"


def test_a_program_that_fails_does_not_stop_the_others(folder):
    status, rows = runBench(folder, {"bench_x.py": "raise SystemExit(3)\n", "bench_y.py": [ROW]})
    assert (status, [row["name"] for row in rows]) == (1, ["y/a"]), "exit status and names"
