# SPDX-License-Identifier: Apache-2.0
"""Operations of math and arith that MLIR 22 lowers wrongly, or not at all, in fold-run."""

import numpy as np
import pytest

from test_fold_run import Case, foldRun


def test_scalable_vectors(folder):
    """LLVM ends the process on a machine that has none."""
    text = """func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
func.func @g(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %0 = arith.addf %x, %x : vector<[4]xf32>
  return %0 : vector<[4]xf32>
}
"""
    case = Case(folder, text, [np.zeros(1, np.float32)], [])
    message = foldRun(case.file, "--entry=main", *case.arguments(False), code=1)
    what = "'llvm.fadd' of (vector<[4]xf32>, vector<[4]xf32>) has a scalable vector, expected vectors of a fixed size to run here"
    assert message == f"fold-run: error: {case.file}: {what}\n"


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_scaling_is_refused_by_name(folder, kind):
    """The message named the arith.extf that MLIR makes of it."""
    text = f"""func.func @main(%x: tensor<1x{kind}>) -> tensor<1x{kind}> {{ return %x : tensor<1x{kind}> }}
func.func @g(%x: f4E2M1FN, %s: f8E8M0FNU) -> {kind} {{
  %0 = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to {kind}
  return %0 : {kind}
}}
"""
    case = Case(folder, text, [np.zeros(1, np.dtype(f"f{int(kind[1:]) // 8}"))], [])
    message = foldRun(case.file, "--entry=main", *case.arguments(False), code=1)
    assert "'arith.scaling_extf' op is not lowered to the LLVM dialect by MLIR 22" in message
