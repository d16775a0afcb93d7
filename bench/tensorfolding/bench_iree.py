#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What constant tensor folding leaves in an entry, and keeps, beside what IREE hoists and evaluates of the same function.

    bench_iree.py

Counts, no times. IREE (tools/setup-bench.sh iree installs it into build/iree; without it its column is empty) knows literals only:
an argument cannot be marked as constant there. So each function is given with its weights as literals, and to us also with the
weights as arguments that arrive with the first run. `operations` are those of the entry without terminator, constants, loads of
globals and tensor.empty; `kept` are the bytes of folded tensors (for IREE: of globals after its global optimisation).
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLD_OPT = ROOT / "build/bin/fold-opt"
IREE = ROOT / "build/iree/bin/iree-compile"
IGNORED = re.compile(r"arith\.constant|tensor\.empty|util\.global\.load|compute_barrier|hal\.tensor\.(import|export)|util\.optimization_barrier")
BITS = {"f32": 32, "bf16": 16, "i8": 8, "f16": 16, "i32": 32, "i64": 64}


def packed(weight):
    """x times a packed weight."""
    return f"""
  %e = tensor.empty() : tensor<8x8x8x1xf32>
  %p = linalg.pack {weight} inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %e : tensor<64x8xf32> -> tensor<8x8x8x1xf32>
  %o = linalg.fill ins(%zero : f32) outs(%acc : tensor<4x8x1x8xf32>) -> tensor<4x8x1x8xf32>
  %y = linalg.mmt4d ins(%x, %p : tensor<4x8x1x1xf32>, tensor<8x8x8x1xf32>) outs(%o : tensor<4x8x1x8xf32>)
      -> tensor<4x8x1x8xf32>"""


def transposed(weight):
    """x times a transposed and scaled weight."""
    return f"""
  %e = tensor.empty() : tensor<8x64xf32>
  %t = linalg.transpose ins({weight} : tensor<64x8xf32>) outs(%e : tensor<8x64xf32>) permutation = [1, 0]
  %s = math.exp %t : tensor<8x64xf32>
  %a = tensor.empty() : tensor<4x64xf32>
  %o = linalg.fill ins(%zero : f32) outs(%a : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.matmul ins(%x, %s : tensor<4x8xf32>, tensor<8x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>"""


def broadcast(weight):
    """A small weight, broadcast and then computed with: the broadcast is postponed here, IREE keeps the large tensor."""
    return f"""
  %e = tensor.empty() : tensor<16x64x8xf32>
  %b = linalg.broadcast ins({weight} : tensor<64x8xf32>) outs(%e : tensor<16x64x8xf32>) dimensions = [0]
  %s = math.exp %b : tensor<16x64x8xf32>
  %y = arith.mulf %x, %s : tensor<16x64x8xf32>"""


CASES = {
    "packed": (packed, "tensor<4x8x1x1xf32>", "tensor<4x8x1x8xf32>"),
    "transposed": (transposed, "tensor<4x8xf32>", "tensor<4x64xf32>"),
    "broadcast": (broadcast, "tensor<16x64x8xf32>", "tensor<16x64x8xf32>"),
}


def program(case, isLiteral):
    body, given, result = CASES[case]
    values = ", ".join("[" + ", ".join(f"{(i * 8 + j) % 13 / 4:e}" for j in range(8)) + "]" for i in range(64))
    weight = "" if isLiteral else ', %w: tensor<64x8xf32> {onnxfold.constant = "runtime"}'
    mark = " attributes {compiletime_const_args_index = []}" if isLiteral else ""
    literal = f"\n  %w = arith.constant dense<[{values}]> : tensor<64x8xf32>" if isLiteral else ""
    more = "\n  %acc = tensor.empty() : tensor<4x8x1x8xf32>" if case == "packed" else ""
    return f"""func.func @entry(%x: {given}{weight}) -> {result}{mark} {{
  %zero = arith.constant 0.0 : f32{literal}{more}{body('%w')}
  return %y : {result}
}}
"""


def bytesOf(types):
    total = 0
    for text in types:
        *sizes, kind = text.split("x")
        count = 1
        for size in sizes:
            count *= int(size)
        total += count * BITS[kind] // 8
    return total


def operationsIn(text, head):
    """Of the function whose text starts with `head`: without bodies of other operations."""
    body = text[re.search(head, text).end():]
    body = body[: re.search(r"^  }$", body, re.M).start()]
    lines = [line for line in body.splitlines() if re.match(r" {4}%", line)]
    return sum(not IGNORED.search(line) for line in lines)


def ours(source, isLiteral):
    text = subprocess.run([FOLD_OPT, source, "--constant-tensor-folding=entries=entry min-bytes=0"], capture_output=True, text=True,
                          check=True).stdout
    tier = "compiletime" if isLiteral else "runtime"
    made = re.search(rf"@entry\.fold_{tier}\([^)]*\) -> \(?([^{{]*?)\)? (?:attributes )?{{", text)
    kept = bytesOf(re.findall(r"tensor<([^>]+)>", made[1])) if made else 0
    return operationsIn(text, r"func\.func @entry\("), kept


def iree(source):
    text = subprocess.run([IREE, source, "--iree-hal-target-backends=llvm-cpu", "--compile-to=global-optimization",
                           "--iree-llvmcpu-target-cpu=generic", "-o", "-"], capture_output=True, text=True, check=True).stdout
    kept = bytesOf(re.findall(r"util\.global private @[^\n]*? : tensor<([^>]+)>", text))
    # A literal that the entry holds itself is kept too.
    kept += bytesOf(re.findall(r"%\S+ = (?:util\.unfoldable_constant|arith\.constant) dense[^\n]* : tensor<([^>]+)>", text))
    return operationsIn(text, r"util\.func public @entry"), kept


def main():
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print(f"{'function':<12}{'operations, bytes kept:':<26}ours, literal   ours, first run   IREE")
    with tempfile.TemporaryDirectory(prefix="onnxfold-bench-") as name:
        for case in CASES:
            cells = []
            for isLiteral in (True, False):
                source = pathlib.Path(name) / "entry.mlir"
                source.write_text(program(case, isLiteral))
                cells.append("{} {:>6}".format(*ours(source, isLiteral)))
                if isLiteral:
                    peer = "{} {:>6}".format(*iree(source)) if IREE.exists() else "(not installed)"
            print(f"{case:<38}{cells[0]:<16}{cells[1]:<18}{peer}")
    if "ONNXFOLD_BENCH_OUT" in os.environ:
        pathlib.Path(os.environ["ONNXFOLD_BENCH_OUT"]).write_text("[]\n")  # no figures for the table


if __name__ == "__main__":
    main()
