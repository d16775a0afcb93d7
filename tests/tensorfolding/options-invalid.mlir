// Numbers that make no sense are errors that say what was expected.
// RUN: not fold-opt %s --constant-tensor-folding=max-growth-ratio=-1 2>&1 | FileCheck %s --check-prefix=RATIO
// RUN: not fold-opt %s --constant-tensor-folding=max-growth-ratio=0 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not fold-opt %s --constant-tensor-folding=max-growth=-2 2>&1 | FileCheck %s --check-prefix=GROWTH
// RUN: not fold-opt %s --constant-tensor-folding=min-bytes=-1 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not fold-opt %s --constant-tensor-folding-pipeline=min-bytes=-1 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: fold-opt %s --constant-tensor-folding="max-growth=-1 min-bytes=0"

// RATIO: error: the option max-growth-ratio is -1.000000e+00: expected a number above 0
// NOTHING: error: the option max-growth-ratio is 0.000000e+00: expected a number above 0
// GROWTH: error: the option max-growth is -2: expected a number of bytes, or -1 for no limit
// BYTES: error: the option min-bytes is -1: expected a number of bytes
func.func @f(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) {
  return
}
