#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Buffer deallocation and reuse beside upstream's: allocations, peak, time of linalg programs that start from tensors.

    bench_deallocation.py

Runs build/bin/dealloc-table (tests/dealloc/reuse/DeallocTable.cpp), which needs the tests built; its rows have upstream's time as
the baseline, its peak as the limit of ours, and the allocations of both.
"""

import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).resolve().parents[2] / "build/bin/dealloc-table"

if __name__ == "__main__":
    if not TABLE.exists():
        sys.exit(f"{TABLE} is not built: ninja -C build dealloc-table")
    sys.exit(subprocess.run([TABLE]).returncode)
