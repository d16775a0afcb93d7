//===- ScanLoop.h - The loop of Scan ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the two forms of Scan: a graph runs for each slice of the
// scan inputs, with loop-carried states, and yields slices of the scan outputs.
//
//   ScanLoop scan;
//   if (auto wrong = prepareScan(cx, cx.numInputs(), scan))
//     return wrong;
//   ...                                     // fill states and inputs
//   if (auto wrong = runScan(cx, scan))
//     return wrong;
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANLOOP_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANLOOP_H

#include "onnxfold/onnx/kernels/support/Bodies.h"

namespace onnxfold {

struct ScanInput {
  Elements tensor;
  int64_t axis;
  bool reverse;
};

struct ScanOutput {
  Slices slices;
  bool reverse = false;
};

struct ScanLoop {
  llvm::SmallVector<Elements, 4> states;
  llvm::SmallVector<ScanInput, 4> inputs;
  llvm::SmallVector<ScanOutput, 4> outputs;
};

/// Allocates the states, inputs and outputs of the last `inputs` inputs, by
/// attribute `num_scan_inputs` and the graph. A reason if the two contradict
/// each other.
Reason prepareScan(FoldContext &cx, int64_t inputs, ScanLoop &scan);

/// Runs the graph for every slice; afterwards `scan` has the last states and
/// all outputs. A reason if an iteration cannot be folded or a slice does not
/// fit.
Reason runScan(FoldContext &cx, ScanLoop &scan);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SCANLOOP_H
