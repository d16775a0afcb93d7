#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark programs and scripts and writes bench-results.json; ./run-bench builds first and calls this.

    run_bench.py [NAME] [--levels=LEVEL,...]    NAME: a part of a program's name, for example elements

With --levels each runs once for each of these vector levels (baseline, avx2, avx512; ONNXFOLD_CPU_LEVEL pins it), so that a
processor without AVX-512 is no surprise; names of rows end in @LEVEL then. Limits are the same for all.

Programs are build/bin/bench/*, scripts are bench/**/bench_*.py. Each writes a JSON list of {name, ratio, limit, baseline,
seconds, peak_bytes} to the file that ONNXFOLD_BENCH_OUT names: ratio = seconds / baseline, where the baseline is a physical
limit (memcpy, cp) measured in the same run; limit is the largest ratio allowed, null where nobody set one. Rows may have more:
`limit_bytes`; `fresh` and `limit_fresh`, a second ratio; `speedup` by two threads, beside `speedup_possible`, and
`limit_speedup`, the least part of it (bench/support/Main.cpp). The names get the program's name in front. What is above a limit
makes the exit status 1, and nothing else.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build/bin"
LEVELS = ("baseline", "avx2", "avx512")
COLUMNS = ("name", "ratio", "limit", "baseline", "seconds", "peak_bytes")


def programs():
    """(name, command) of everything that can run."""
    for path in sorted((BIN / "bench").glob("*")):
        yield path.name, [str(path)]
    for path in sorted((ROOT / "bench").rglob("bench_*.py")):
        folder = path.parent.relative_to(ROOT / "bench").as_posix()
        name = path.stem.removeprefix("bench_")
        yield (name if folder == "." else f"{folder.replace('/', '-')}-{name}"), [sys.executable, "-B", str(path)]


def run(name, command, level):
    """The rows of one program, and whether it succeeded."""
    with tempfile.TemporaryDirectory(prefix="onnxfold-bench-") as folder:
        out = pathlib.Path(folder, "rows.json")
        environment = {**os.environ, "ONNXFOLD_BENCH_OUT": str(out)}
        environment.setdefault("ONNXFOLD_TOOL", str(BIN / "onnx-fold"))
        if level:
            environment["ONNXFOLD_CPU_LEVEL"] = level
        print(f"== {name} {level}", flush=True)
        status = subprocess.run(command, env=environment).returncode
        rows = json.loads(out.read_text()) if out.exists() else []
    if status or not rows:
        print(f"{name}: exit status {status}, {len(rows)} rows", file=sys.stderr)
    extra = [key for row in rows for key in row if key not in COLUMNS]
    ordered = [{key: row.get(key) for key in dict.fromkeys((*COLUMNS, *extra)) if key in COLUMNS or key in row} for row in rows]
    end = level and f"@{level}"
    return [{**row, "name": f"{name}/{row['name']}{end}"} for row in ordered], status == 0 and bool(rows)


def exceeds(row):
    """Names of the columns that are beyond their limits."""
    value = row.get
    above = [column for column, limit in (("ratio", "limit"), ("peak_bytes", "limit_bytes"), ("fresh", "limit_fresh"))
             if value(limit) is not None and (value(column) is None or value(column) > value(limit))]
    if value("limit_speedup") is not None and gained(row) < value("limit_speedup"):
        above.append("speedup")
    return above


def gained(row):
    """Which part of the possible speed-up two threads reach; more than there is counts as all of it."""
    return (row.get("speedup") or 0) / max(row.get("speedup_possible") or 1, 1)


def show(rows):
    def number(value, form, scale=1):
        return "-" if value is None else format(value / scale, form)

    print(f"{'ratio':>7} {'limit':>6} {'fresh':>6} {'2 threads':>11} {'seconds':>9} {'peak MB':>8}  name")
    for row in rows:
        threads = f"{number(row.get('speedup'), '.2f')} / {number(row.get('speedup_possible'), '.2f')}" if "speedup" in row else "-"
        above = exceeds(row)
        print(f"{number(row['ratio'], '.2f'):>7} {number(row['limit'], '.2f'):>6} {number(row.get('fresh'), '.2f'):>6} "
              f"{threads:>11} {number(row['seconds'], '.3g'):>9} {number(row['peak_bytes'], '.1f', 1e6):>8}  {row['name']}"
              f"{'   ABOVE ITS LIMIT: ' + ', '.join(above) if above else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--levels", default="")
    options = parser.parse_args()
    levels = options.levels.split(",")
    if unknown := set(levels) - {"", *LEVELS}:
        sys.exit(f"no vector level {', '.join(sorted(unknown))}; there are {', '.join(LEVELS)}")
    wanted, rows, good = options.name, [], True
    for name, command in programs():
        for level in levels if wanted in name else ():
            more, succeeded = run(name, command, level)
            rows, good = rows + more, good and succeeded
    if not rows:
        sys.exit(f"no benchmark's name has '{wanted}' in it")
    (ROOT / "bench-results.json").write_text(json.dumps(rows, indent=1) + "\n")
    show(rows)
    return 1 if not good or any(map(exceeds, rows)) else 0


if __name__ == "__main__":
    sys.exit(main())
