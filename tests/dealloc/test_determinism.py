#!/usr/bin/env python3
"""Two runs of the passes on one large function give the same text. (How long they take: bench/dealloc.)"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from onnxfold_testing import ROOT, Suite, expect, expectEqual
from shapes import SHAPES

FOLD_OPT = ROOT / "build/bin/fold-opt"
PASSES = ["-deallocate", "-deallocation-simplification", "-buffer-reuse"]
OPERATIONS = 2_000

suite = Suite(__doc__.splitlines()[0])


def run(text):
    done = subprocess.run([FOLD_OPT, *PASSES], input=text, capture_output=True, text=True, timeout=110)
    expectEqual(done.returncode, 0, f"exit status ({done.stderr[:300]})")
    return done.stdout


def check(shape):
    text = shape(OPERATIONS)
    first = run(text)
    expect(first.count("memref.alloc") > 0, f"the output has no allocation: {first[:300]}")
    expect(run(text) == first, "a second run gave another text")


for name, shape in SHAPES.items():
    suite.add(name, lambda folder, shape=shape: check(shape))
if __name__ == "__main__":
    sys.exit(suite.main(needsTool=False))
